"""Going back and forth on the timeline of real cores, and playing on from anywhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from integrator.domain.movies.model import ram_hash
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.result import FrameResult, RunStateChanged
from integrator.session.runner import Runner
from integrator.session.session import Session
from libretro_host.host import CapturePlan, RunResult

pytestmark = pytest.mark.usefixtures("own_home")

PATIENCE_S = 60.0


def play(session: Session, frames: int, rng: np.random.Generator) -> list[int]:
    """Play with random buttons, held for some frames; the hash of RAM after each frame."""
    hashes = []
    for frame in range(frames):
        if frame % 6 == 0:
            mask = int(rng.integers(0, 512))
        session.advance((mask,))
        hashes.append(ram_hash(session.memory.ram))
    return hashes


def test_stepping_back_and_forth_shows_each_frame_as_it_was(session: Session) -> None:
    rng = np.random.default_rng(4)
    seen: list[FrameResult] = [session.advance((int(rng.integers(0, 512)),)) for _ in range(160)]
    for expected in reversed(seen[:-1]):
        shown = session.timeline.step_back()
        assert (shown.number, shown.messages) == (expected.number, ())
        assert (shown.values, shown.outcome) == (expected.values, expected.outcome)
        assert shown.frame is not None
        assert expected.frame is not None
        assert np.array_equal(shown.frame.rgb(), expected.frame.rgb())
    for expected in seen[1:]:
        shown = session.timeline.step_forward()
        assert (shown.number, shown.values) == (expected.number, expected.values)
    assert session.timeline.at_end
    assert session.timeline.branches == ()


def test_stepping_back_ends_at_the_first_frame(session: Session) -> None:
    session.advance(frames=3)
    numbers = [session.timeline.step_back().number for _ in range(6)]
    assert numbers == [3, 2, 1, 1, 1, 1]


def frames_run_a_step(session: Session, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Go back to frame 1; how many frames the core had to run for each step."""
    run = session.host.run
    counts = [0]

    def counted(inputs: Inputs, plan: CapturePlan) -> RunResult:
        counts[-1] += len(inputs)
        return run(inputs, plan)

    monkeypatch.setattr(session.host, "run", counted)
    while session.timeline.position > 1:
        counts.append(0)
        assert session.timeline.step_back().messages == ()
    monkeypatch.undo()
    return counts[1:]


def test_no_step_back_has_a_whole_group_of_frames_to_run(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(session, 260, np.random.default_rng(4))
    steps = frames_run_a_step(session, monkeypatch)
    assert len(steps) == 260
    # The first has up to 32 frames, since the last state that was kept while playing.
    assert steps[0] <= 40
    assert max(steps[1:]) <= 16
    assert sum(steps) / len(steps) < 7


def test_going_back_over_a_long_way_without_states_is_run_ahead_too(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.run(np.zeros((300, 1), np.uint16))
    session.run(np.zeros((200, 1), np.uint16))
    assert session.timeline.log.keyframes == (0, 301, 501)
    steps = frames_run_a_step(session, monkeypatch)
    assert len(steps) == 500
    assert max(steps[1:180]) <= 16
    assert sum(steps) / len(steps) < 16


def test_stepping_goes_over_resets_states_and_pokes(session: Session) -> None:
    rng = np.random.default_rng(4)
    address = session.memory.space.regions[0].address
    hashes = [ram_hash(session.memory.ram), *play(session, 40, rng)]
    state = session.save_state()
    hashes += play(session, 30, rng)
    session.memory.write(address, "|u1", 0x5A)
    hashes += play(session, 25, rng)
    session.load_state(state)
    hashes += play(session, 20, rng)
    session.reset()
    hashes += [ram_hash(session.memory.ram), *play(session, 20, rng)]
    for number in range(len(hashes) - 1, 0, -1):
        assert session.timeline.step_back().number == number
        assert ram_hash(session.memory.ram) == hashes[number - 1]
    for number in range(2, len(hashes) + 1):
        session.timeline.step_forward()
        assert ram_hash(session.memory.ram) == hashes[number - 1], number


def test_a_poke_that_is_left_by_a_seek_is_no_poke_of_the_next_frame(session: Session) -> None:
    session.advance(frames=40)
    session.timeline.seek(20)
    session.memory.write(session.memory.space.regions[0].address, "|u1", 77)
    session.timeline.seek(30)
    session.advance((1,))
    assert not session.timeline.log.markers("poke")


def test_leaving_the_frame_before_a_reset_goes_on_in_the_old_episode(session: Session) -> None:
    last = session.advance(frames=30)
    session.reset()
    session.advance(frames=10)
    session.timeline.seek(last.number)
    on = session.advance()
    assert on.outcome.frame == last.outcome.frame + 1
    assert session.timeline.seek(on.number).outcome.frame == on.outcome.frame


class Shown:
    """Keeps the numbers of the frames shown, and the events."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.events: list[object] = []

    def on_frame(self, result: FrameResult) -> None:
        self.numbers.append(result.number)

    def on_event(self, event: object) -> None:
        self.events.append(event)


def wait(condition: object) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():  # type: ignore[operator] # any callable
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture
def runner(session: Session) -> Iterator[tuple[Runner, Shown]]:
    session.advance(frames=120)
    session.advance(frames=120)
    shown = Shown()
    runner = Runner(session, shown.on_frame, shown.on_event)
    runner.start()
    yield runner, shown
    runner.close()


def test_holding_rewind_goes_back_and_play_goes_on_as_a_branch(
    runner: tuple[Runner, Shown],
) -> None:
    thread, shown = runner
    thread.rewind(held=True)
    wait(lambda: len(shown.numbers) >= 50)
    thread.rewind(held=False)
    position = thread.post(lambda session: session.timeline.position).result(PATIENCE_S)
    assert shown.numbers == list(range(240, position - 1, -1))
    count = len(shown.numbers)
    thread.play()
    wait(lambda: len(shown.numbers) >= count + 5)
    thread.pause()
    assert shown.numbers[count] == position + 1
    [branch] = thread.post(lambda session: session.timeline.branches).result(PATIENCE_S)
    assert (branch.length, branch.shared_frames) == (241, position)


def test_following_shows_the_recorded_future_and_pauses_at_its_end(
    runner: tuple[Runner, Shown],
) -> None:
    thread, shown = runner
    thread.set_follow(on=True)
    thread.post(lambda session: session.timeline.seek(221)).result(PATIENCE_S)
    thread.set_speed(8.0)
    thread.play()
    wait(lambda: len(shown.numbers) >= 20)
    wait(lambda: isinstance(shown.events[-1], RunStateChanged) and shown.events[-1].paused)
    assert shown.numbers == list(range(222, 242))
    assert thread.post(lambda session: session.timeline.branches).result(PATIENCE_S) == ()


def test_a_step_back_pauses(runner: tuple[Runner, Shown]) -> None:
    thread, shown = runner
    thread.play()
    wait(lambda: len(shown.numbers) > 3)
    thread.step_back()
    last = thread.post(lambda session: session.timeline.position).result(PATIENCE_S)
    assert shown.numbers[-1] == last == shown.numbers[-2] - 1


def test_a_recording_goes_back_with_the_player(session: Session, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    session.reset()
    session.record(tmp_path / "again.bk2")
    hashes = [ram_hash(session.memory.ram), *play(session, 80, rng)]
    session.timeline.seek(session.timeline.length - 30)
    hashes = [*hashes[:-30], *play(session, 40, rng)]
    session.stop_recording()
    session.play(tmp_path / "again.bk2")
    replayed = [ram_hash(session.memory.ram)]
    while session.movies.playing:
        session.advance()
        replayed.append(ram_hash(session.memory.ram))
    assert replayed == hashes


def test_seeking_in_a_movie_that_plays_goes_on_with_its_rows(
    session: Session, tmp_path: Path
) -> None:
    rng = np.random.default_rng(2)
    session.reset()
    session.record(tmp_path / "m.bk2")
    hashes = [ram_hash(session.memory.ram), *play(session, 80, rng)]
    session.stop_recording()
    begin = session.play(tmp_path / "m.bk2").number
    session.advance(frames=60)
    session.timeline.seek(begin + 20)
    on = []
    while session.movies.playing:
        session.advance((0x3F,))
        on.append(ram_hash(session.memory.ram))
    assert on == hashes[21:]
    assert session.timeline.branches == ()
