"""Cores whose states leave something out: each frame is shown as it was played all the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

import integrator
from integrator.domain.errors import TimelineError
from integrator.domain.timeline.line import Jump
from integrator.session.edits.commands import save_state
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.result import FrameResult, StatesInexact
from integrator.session.hidden.clips import ClipOptions, clip_source, write_clip
from integrator.session.library.watch_list import memory_image
from integrator.session.proof.lab import Laboratory, MomentTaker
from integrator.session.rework import import_movie, record_again
from integrator.session.session import Session
from integrator.session.setup.plan import start_core
from integrator.session.suggestions.recorded_play import RecordedPlay
from integrator.session.timeline import restorer
from integrator.session.timeline.travel import Travel
from libretro_host.host import CapturePlan, RunResult
from libretro_host.inprocess import InProcessHost
from scripts.campaign import toys

Open = Callable[..., Session]
FRAMES = 400
A = 1 << 8


@pytest.fixture
def toy(own_home: Path, toy_cores: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens the toy core; ``residue`` says that its descriptor asks for a reopened library."""
    monkeypatch.setenv("INTEGRATOR_CORES", str(toy_cores))
    with ExitStack() as opened:

        def start(*, residue: bool = True, **keys: object) -> Session:
            toys.describe_toy(cores=[{"core": "toycore", "residue": residue}], platform="Toy")
            game = toys.make_game(own_home / "Game-Toy-v0", **keys)
            return opened.enter_context(integrator.open_session(game, isolated=False))

        yield start


def pixels(frame: FrameResult) -> bytes:
    assert frame.frame is not None
    return frame.frame.rgb().tobytes()


def play(session: Session, frames: int = FRAMES) -> dict[int, tuple[bytes, bytes]]:
    """Hold A now and then; the picture and RAM of each frame."""
    rng = np.random.default_rng(2)
    seen = {}
    for _ in range(frames):
        frame = session.advance((int(rng.integers(0, 2)) * A,))
        seen[frame.number] = pixels(frame), session.memory.ram.tobytes()
    return seen


def shows(session: Session, frame: FrameResult, seen: dict[int, tuple[bytes, bytes]]) -> bool:
    return (pixels(frame), session.memory.ram.tobytes()) == seen[frame.number]


def stray(session: Session) -> None:
    """Let the core count frames that nobody records."""
    state = session.save_state()
    session.host.run(np.full((5, 1), A, np.uint16), CapturePlan())
    session.host.unserialize(state)


@pytest.mark.parametrize("then", ["play", "poke", "fork"])
def test_steps_back_need_the_core_only_when_something_is_done(
    toy: Open, then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = toy(hidden=2)
    seen = play(session)
    session.timeline.seek(FRAMES // 2)
    session.timeline.seek(FRAMES)
    ran, run = [0], InProcessHost.run

    def counted(host: InProcessHost, inputs: Inputs, plan: CapturePlan) -> RunResult:
        ran[0] += len(inputs)
        return run(host, inputs, plan)

    monkeypatch.setattr(InProcessHost, "run", counted)
    for number in range(FRAMES - 1, FRAMES - 101, -1):
        frame = session.timeline.step_back()
        assert frame.number == number
        assert shows(session, frame, seen)
    once = ran[0]
    assert once <= 2 * FRAMES  # a hundred ways from the beginning would be a hundred times as many
    for _ in range(10):
        frame = session.timeline.step_forward()
        assert shows(session, frame, seen)
    assert ran[0] == once
    here = session.timeline.position
    mask = int(session.timeline.log.inputs(here + 1, here + 2)[0, 0])
    if then == "fork":
        session.timeline.fork()
    elif then == "poke":
        session.memory.write(session.memory.space.regions[0].address + 60, "|u1", 7)
        assert session.host.read_ram().tobytes() == session.memory.ram.tobytes()
    frame = session.advance((mask,))
    assert frame.number == here + 1
    assert then == "poke" or shows(session, frame, seen)
    assert session.host.read_ram().tobytes() == session.memory.ram.tobytes()


@pytest.mark.parametrize("hidden", [1, 2], ids=["picture", "picture and RAM"])
def test_each_frame_is_shown_as_it_was_played(toy: Open, hidden: int) -> None:
    session = toy(hidden=hidden)
    seen = play(session)
    rng = np.random.default_rng(7)
    for number in rng.integers(2, FRAMES, 20).tolist():
        frame = session.timeline.seek(number)
        assert frame.number == number
        assert shows(session, frame, seen)
    for _ in range(12):
        assert shows(session, session.timeline.step_back(), seen)
    for _ in range(12):
        assert shows(session, session.timeline.step_forward(), seen)
    assert not session.timeline.exactness.is_exact
    told = [event for event in session.take_events() if isinstance(event, StatesInexact)]
    assert len(told) == 1


def test_a_long_seek_spares_the_steps_back_their_way(
    toy: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = toy(hidden=1)
    rng = np.random.default_rng(3)
    for _ in range(8):
        session.run((rng.integers(0, 2, (600, 1)) * A).astype(np.uint16))
    session.timeline.seek(1000)
    assert not session.timeline.exactness.is_exact
    ran, run = [0], InProcessHost.run

    def counted(host: InProcessHost, inputs: Inputs, plan: CapturePlan) -> RunResult:
        ran[0] += len(inputs)
        return run(host, inputs, plan)

    monkeypatch.setattr(InProcessHost, "run", counted)
    session.timeline.seek(4700)
    once = ran[0]
    for number in range(4699, 4419, -1):
        assert session.timeline.step_back().number == number
    assert ran[0] == once


def test_memory_that_states_leave_out_is_restored_from_the_recording(toy: Open) -> None:
    session = toy(hidden=3, residue=False)
    seen = play(session)
    for number in (300, 250, 390, 40):
        assert shows(session, session.timeline.seek(number), seen)
    assert session.timeline.exactness.is_exact
    host, _ = start_core(session.game.plan.hidden())
    try:
        for played in session.timeline.stretch(180, 340).run(host, CapturePlan()):
            assert played.same.all()
        assert np.array_equal(host.read_ram(), session.timeline.ram(340))
    finally:
        host.close()


def test_branches_end_as_they_were_left(toy: Open) -> None:
    session = toy(hidden=1)
    seen = play(session)
    session.timeline.seek(200)
    other = play(session, 50)
    [branch] = session.timeline.branches
    assert shows(session, session.timeline.switch_to(branch.name), seen)
    [branch] = session.timeline.branches
    assert session.timeline.picture_of(branch.name) is not None
    assert shows(session, session.timeline.here(), seen)
    assert shows(session, session.timeline.switch_to(branch.name), other)


def test_pokes_are_repeated_on_the_way(toy: Open) -> None:
    session = toy(hidden=2)
    play(session, 100)
    session.memory.write(20, "|u1", 9)
    session.memory.take_written()
    session.memory.write(20, "|u1", 8)
    seen = play(session, 200)
    assert session.memory.ram[20] == 8
    assert shows(session, session.timeline.seek(250), seen)


def test_exact_states_run_no_more_than_from_one_to_the_next(toy: Open) -> None:
    session = toy(residue=False, hidden=0)
    seen = play(session)
    for number in (390, 130, 270):
        assert shows(session, session.timeline.seek(number), seen)
    assert session.timeline.exactness.is_exact
    assert session.timeline.trusts_states


def test_a_core_that_repeats_nothing_refuses_the_frame(toy: Open) -> None:
    session = toy(residue=False, hidden=1)
    play(session, 50)
    stray(session)
    play(session, 30)
    with pytest.raises(TimelineError, match="does not repeat what was recorded"):
        session.timeline.seek(session.timeline.length - 5)


def test_a_stopped_replay_stands_at_the_frame_that_it_shows(toy: Open) -> None:
    session = toy(hidden=2)
    seen = play(session)
    session.timeline.seek(300)
    session.timeline.seek(390)
    frame = session.timeline.seek(395, lambda done, _total: done < 120)
    assert frame.number < 395
    assert session.timeline.position == frame.number
    assert shows(session, frame, seen)


def test_pictures_of_recorded_play_are_those_that_were_played(toy: Open) -> None:
    session = toy(hidden=1)
    seen = play(session)
    session.timeline.seek(390)
    recorded = RecordedPlay.take(
        session.memory.space, session.timeline.log, session.system.buttons, 150, exact=False
    )
    with session.timeline.lent() as host:
        found = dict(recorded.pictures(host, 1))
    assert len(found) > 100
    assert all(frame.rgb().tobytes() == seen[number][0] for number, frame in found.items())
    assert session.timeline.position == 390


@pytest.mark.parametrize("from_here", [False, True], ids=["exported", "recorded"])
def test_movies_show_what_was_played(toy: Open, tmp_path: Path, from_here: bool) -> None:
    session = toy(hidden=2)
    play(session, 100)
    path = tmp_path / "movie.bk2"
    if from_here:
        session.record(path)
        play(session, 60)
        session.stop_recording()
    else:
        session.timeline.seek(90)
        session.timeline.export(path, 60, 90)
    assert import_movie(session, path).desync_row is None


def test_another_core_runs_copied_frames_as_they_were_played(toy: Open) -> None:
    session = toy(hidden=1)
    seen = play(session, 200)
    session.memory.write(0x60, "|u1", 9)
    seen |= play(session, 200)
    stretch = session.timeline.stretch(179, 340)
    host, _ = start_core(session.game.plan.hidden())
    try:
        found = {
            played.begin + number: picture.rgb().tobytes()
            for played in stretch.run(host, CapturePlan(picture_every=1))
            for number, picture in enumerate(played.run.pictures, start=1)
        }
    finally:
        host.close()
    assert found == {number: seen[number][0] for number in range(180, 341)}


def test_a_clip_of_frames_that_are_not_repeated_is_refused(toy: Open, tmp_path: Path) -> None:
    session = toy(hidden=1, residue=False)
    play(session, 100)
    session.reset()
    play(session, 100)
    path = tmp_path / "clip.gif"
    with pytest.raises(TimelineError, match="frame"):
        write_clip(clip_source(session, 150, 160), ClipOptions(path), lambda *_: True)
    assert not path.exists()


def test_a_moment_of_a_proof_is_the_frame_that_was_played(toy: Open) -> None:
    session = toy(hidden=2)
    play(session)
    moment = MomentTaker(session).at(350)
    with Laboratory(session.game.plan.hidden(), session.memory.space) as laboratory:
        fork = laboratory.fork(moment, ranges=((0, 32),), frames=40)
    assert np.array_equal(fork.watched[0], session.timeline.ram(350)[:32])


def test_a_moment_that_the_core_does_not_come_to_is_refused(toy: Open) -> None:
    session = toy(hidden=2, residue=False)
    play(session, 100)
    session.reset()
    play(session, 100)
    moment = MomentTaker(session).at(150)
    laboratory = Laboratory(session.game.plan.hidden(), session.memory.space)
    with laboratory, pytest.raises(TimelineError, match="frame 150"):
        laboratory.fork(moment, ranges=((0, 32),), frames=40)


def test_memory_of_a_state_leaves_the_game_where_it_was(toy: Open) -> None:
    session = toy(hidden=2)
    play(session, 100)
    session.editor.do(save_state("here"))
    play(session, 100)
    memory_image(session, "here")
    assert session.timeline.at_end
    play(session, 60)
    end = session.timeline.length
    assert session.timeline.seek(end - 1).number == end - 1


def test_after_a_refused_frame_play_goes_on_where_it_was(toy: Open) -> None:
    session = toy(hidden=1, residue=False)
    play(session, 50)
    stray(session)
    seen = play(session, 60)
    with pytest.raises(TimelineError, match="cannot be shown"):
        session.timeline.seek(80)
    assert session.timeline.at_end
    assert np.array_equal(session.memory.ram, session.timeline.ram(session.timeline.length))
    seen |= play(session, 60)
    last = session.timeline.length
    assert session.timeline.ram(last).tobytes() == seen[last][1]
    assert shows(session, session.timeline.seek(last - 10), seen)


@pytest.mark.parametrize("begin", [0, 3500], ids=["short", "long"])
def test_play_after_a_seek_goes_on_as_it_was_played_or_from_a_loaded_state(
    toy: Open, begin: int
) -> None:
    # States of the 20 frames after this one leave out a timer; its end shows in RAM alone.
    first = begin + 100
    session = toy(hidden=4, residue=False, dupe_every=1)
    session.run(np.zeros((begin + 300, 1), np.uint16))
    session.timeline.seek(first + 6, keep=(first + 5,))
    for frame in (first + 90, first + 7):
        session.timeline.seek(frame)
    assert session.timeline.exactness.inexact == 0
    session.run(np.zeros((80, 1), np.uint16))
    assert session.timeline.exactness.inexact == 1
    played = session.timeline.log.line(session.timeline.branches[-1].name)
    again = {frame: session.timeline.ram(frame) for frame in range(first + 8, first + 80)}
    same = all(np.array_equal(ram, played.ram(frame)) for frame, ram in again.items())
    jumps = [marker.frame for marker in session.timeline.markers("state")]
    assert (same, jumps) == ((False, [first + 7]) if begin else (True, []))
    for frame in (first + 79, first + 30, first + 8):
        session.timeline.seek(frame)
        assert np.array_equal(session.host.read_ram(), again[frame])


@pytest.mark.parametrize("ahead", [2, 0, None], ids=["few frames", "no frames", "lent"])
def test_an_exported_movie_replays_also_over_play_after_a_seek(
    toy: Open, ahead: int | None, tmp_path: Path
) -> None:
    # States of frames 100 to 119 leave out a timer, and what is recorded ahead does not show that.
    session = toy(hidden=4, residue=False, dupe_every=1)
    idle = np.zeros((110, 1), np.uint16)
    session.run(idle)
    if ahead is None:
        with session.timeline.lent() as host:
            host.run(idle, CapturePlan())
    else:
        session.run(idle)
        for frame in (106, 220, 108):
            session.timeline.seek(frame, keep=(105,))
        session.timeline.fork_at(110)
        session.timeline.seek(110 - ahead)
    assert session.timeline.exactness.is_exact
    left = session.timeline.position
    session.run(idle[:80])
    assert not session.timeline.markers("state", "poke")
    with pytest.raises(TimelineError, match=f"frames up to {left}, or from {left + 1} on"):
        session.timeline.export(tmp_path / "whole.bk2", 1)
    for number, frames in enumerate(((1, left + 1), (left + 1, None), (left + 40, None))):
        exported = session.timeline.export(tmp_path / f"{number}.bk2", *frames)
        with integrator.open_session(session.integration.directory) as other:
            assert import_movie(other, exported.path).desync_row is None
    assert session.timeline.position == left + 80


def test_play_from_the_newest_frame_leaves_a_loaded_state_that_was_not_played(toy: Open) -> None:
    session = toy(residue=False)
    session.run(np.full((50, 1), A, np.uint16))
    state = session.save_state()
    end = session.run(np.full((50, 1), A, np.uint16))[-1].last.number
    session.load_state(state)
    session.timeline.seek(end)
    session.advance((A,))
    ram = session.timeline.ram(end + 1)
    assert np.array_equal(ram, session.memory.ram)
    assert np.array_equal(ram, session.host.read_ram())
    counted = [session.timeline.ram(frame)[:4].view("<u4")[0] for frame in (end, end + 1)]
    assert counted[0] + 1 == counted[1]
    assert not session.timeline.markers("state")


def test_no_first_picture_after_a_state_is_shown(toy: Open) -> None:
    session = toy(hidden=5, residue=False)
    seen = play(session)
    for number in (241, 121, 361, 122):
        assert shows(session, session.timeline.seek(number), seen)
    for _ in range(40):
        assert shows(session, session.timeline.step_back(), seen)
    session.timeline.state_at(50)
    assert shows(session, session.timeline.step_forward(), seen)
    assert session.timeline.trusts_states


def test_a_movie_recorded_again_after_play_was_restored_replays(toy: Open, tmp_path: Path) -> None:
    session = toy(hidden=4, residue=False, dupe_every=1)
    idle = np.zeros((110, 1), np.uint16)
    session.run(idle)
    with session.timeline.lent() as host:
        host.run(idle, CapturePlan())
    session.run(idle)
    record_again(session, tmp_path / "again.bk2")
    session.stop_recording()
    with integrator.open_session(session.integration.directory) as other:
        assert import_movie(other, tmp_path / "again.bk2").desync_row is None


def test_play_goes_on_from_a_loaded_state_after_the_core_was_lent(
    moth: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Travel, "trusts_states", False)
    rows = np.random.default_rng(1).integers(0, 256, (200, 1)).astype(np.uint16)
    moth.run(rows)
    state, ends = moth.save_state(), []
    for lends in (False, True):
        moth.run(rows)
        moth.load_state(state)
        if lends:
            with moth.timeline.lent() as host:
                host.run(rows[:5], CapturePlan())
        moth.run(rows[:3])
        ends.append(moth.host.serialize())
    assert ends[0] == ends[1]


def test_an_export_overlooks_the_first_picture_after_a_state(
    toy: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = toy(residue=False)
    run, unserialize, restored = InProcessHost.run, InProcessHost.unserialize, [False]

    def noted(host: InProcessHost, state: bytes) -> None:
        unserialize(host, state)
        restored[0] = True

    def drawn(host: InProcessHost, inputs: Inputs, plan: CapturePlan) -> RunResult:
        result = run(host, inputs, plan)
        if result.hashes is not None:
            result.hashes[0] ^= restored[0]
        restored[0] = False
        return result

    monkeypatch.setattr(InProcessHost, "unserialize", noted)
    monkeypatch.setattr(InProcessHost, "run", drawn)
    monkeypatch.setattr(restorer, "_REPEATED_BYTES", 10 * session.memory.ram.size)
    play(session, 300)
    session.timeline.seek(200)
    play(session, 100)
    assert session.timeline.export(tmp_path / "m.bk2", 150).stop == 301
    assert session.timeline.trusts_states


def test_a_recording_begins_at_a_state_loaded_after_a_reset(toy: Open, tmp_path: Path) -> None:
    session = toy(residue=False)
    session.run(np.full((50, 1), A, np.uint16))
    state = session.save_state()
    session.reset()
    session.load_state(state)
    session.record(tmp_path / "loaded.bk2")
    session.run(np.full((20, 1), A, np.uint16))
    session.stop_recording()
    with integrator.open_session(session.integration.directory) as other:
        assert import_movie(other, tmp_path / "loaded.bk2").desync_row is None


def test_a_recording_right_after_a_reset_begins_the_episode(toy: Open, tmp_path: Path) -> None:
    session = toy(residue=False)
    start = session.reset().number
    with session.timeline.lent() as host:
        host.run(np.full((5, 1), A, np.uint16), CapturePlan())
    assert session.record(tmp_path / "m.bk2").number == start


@pytest.mark.parametrize("kind", ["poke", "reset", "restored"])
def test_recovered_play_goes_on_from_states_it_loads(toy: Open, kind: Jump) -> None:
    session = toy()
    frame = session.advance(frames=30).number
    session.resume(session.save_state(), kind, frame=30, totals=(), origin="journal")
    assert frame in session.timeline.log.loads()
