"""The runner thread: pacing, commands between frames, and going on after the core died."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest
from runner_listener import PATIENCE_S, Listener

import integrator
from integrator.commands.shared.options import demo_game
from integrator.session.frame.result import (
    CommandFailed,
    CoreLost,
    CoreRestarted,
    FrameResult,
    PlaybackEnded,
    PlayStopped,
    RunStateChanged,
    StopRule,
)
from integrator.session.recorded_rows import Splice, edit_inputs
from integrator.session.runner import (
    _MAX_LAG_S,
    MAX_RESTARTS,
    MOST_FRAMES,
    SHOW_DELAY_S,
    UNLIMITED_SPEED,
    ChunkSize,
    Runner,
)
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")


class Clock(Listener):
    """Keeps also the times at which frames were told of, and at which they are to be shown."""

    runner: Runner

    def __init__(self) -> None:
        super().__init__()
        self.now = time.monotonic
        self.times: list[tuple[float, float]] = []

    def on_frame(self, result: FrameResult) -> None:
        self.times.append((self.now(), self.runner.show_s))
        super().on_frame(result)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def runner(listener: Listener) -> Iterator[Runner]:
    runner = Runner(integrator.open_session(demo_game()), listener.on_frame, listener.on_event)
    runner.start()
    runner.reset()
    listener.wait_for_frames(1, since=0)
    yield runner
    runner.close()


def kill_core(runner: Runner) -> None:
    pid = runner.post(lambda session: session.host.pid).result(PATIENCE_S)  # type: ignore[attr-defined] # RemoteHost's
    os.kill(pid, signal.SIGSEGV)


def test_it_starts_paused_and_advances_one_frame_at_a_time(
    runner: Runner, listener: Listener
) -> None:
    time.sleep(0.1)
    assert len(listener.frames) == 1
    runner.set_inputs((0x80,))
    runner.advance_frame()
    listener.wait_for_frames(1, since=1)
    assert listener.frames[-1].number == 2
    assert listener.frames[-1].inputs == (0x80,)


def test_no_frame_comes_before_the_console_would_show_it(
    runner: Runner, listener: Listener
) -> None:
    period_s = 1 / runner.post(lambda session: session.game.fps).result(PATIENCE_S)
    runner.play()
    listener.wait_for_frames(5)
    start, first = time.monotonic(), len(listener.frames)
    listener.wait_for_frames(60)
    shown = len(listener.frames) - first
    # However busy the machine is: after a stall, at most _MAX_LAG_S of frames are made up for.
    assert time.monotonic() - start > (shown - 1) * period_s - _MAX_LAG_S
    runner.set_speed(UNLIMITED_SPEED)
    listener.wait_for_frames(60)
    runner.pause()
    listener.wait(lambda: isinstance(listener.events[-1], RunStateChanged))


@pytest.mark.parametrize("speed", [0.5, 1.0, 4.0])
def test_frames_are_shown_evenly_a_little_after_they_were_due(
    speed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, clock, now_s = integrator.open_session(demo_game()), Clock(), 1000.0
    period_s = 1 / (session.game.fps * speed)
    delay_s = min(SHOW_DELAY_S, period_s / 2)
    clock.now = lambda: now_s
    clock.runner = runner = Runner(session, clock.on_frame, clock.on_event)
    # The test moves the clock, however busy the machine is.
    times = SimpleNamespace(monotonic=clock.now, perf_counter=time.perf_counter)
    monkeypatch.setattr("integrator.session.runner.time", times)
    runner.set_speed(speed)
    runner.play()
    for late in (0.0, 0.4, 0.9) * 10:
        assert runner._wait_for_commands()
        now_s = runner._due_s + late * delay_s
        runner._step()
    told, shown = np.array(clock.times).T
    assert np.diff(shown) == pytest.approx(period_s, abs=1e-6)
    assert 0 < (shown - told).min() <= (shown - told).max() <= delay_s + 1e-6
    session.close()


def test_no_frame_is_run_when_the_key_is_released_while_one_is_due(listener: Listener) -> None:
    session = integrator.open_session(demo_game())
    session.advance(frames=5)
    runner = Runner(session, listener.on_frame, listener.on_event)
    for hold in (runner.rewind, runner.set_fast_forward):
        hold(held=True)
        assert runner.is_running
        # The next step of the runner's thread, if it had just been told that a frame is due.
        hold(held=False)
        runner._step()
    assert listener.frames == []
    assert session.timeline.position == session.timeline.length == 6
    session.close()


def test_a_single_frame_is_shown_at_once() -> None:
    clock = Clock()
    clock.runner = Runner(integrator.open_session(demo_game()), clock.on_frame, clock.on_event)
    clock.runner.start()
    clock.runner.reset()
    clock.runner.advance_frame()
    clock.wait_for_frames(2, since=0)
    clock.runner.close()
    assert all(shown <= told for told, shown in clock.times)


def test_commands_run_between_frames_and_give_their_result(
    runner: Runner, listener: Listener
) -> None:
    runner.play()
    assert runner.post(lambda session: session.memory.read(0x302, "|i1")).result(PATIENCE_S) == 2
    failing = runner.post(lambda session: session.memory.read(0xFFFFFF, "|u1"))
    with pytest.raises(ValueError, match="0xFFFFFF"):
        failing.result(PATIENCE_S)
    listener.wait_for_frames(3)


def test_fast_forward_runs_while_it_is_held(runner: Runner, listener: Listener) -> None:
    runner.set_fast_forward(True)
    listener.wait_for_frames(30)
    runner.set_fast_forward(False)
    runner.post(lambda _: None).result(PATIENCE_S)
    count = len(listener.frames)
    time.sleep(0.1)
    assert len(listener.frames) <= count + 1


def test_a_crashed_core_is_replaced_and_play_goes_on(runner: Runner, listener: Listener) -> None:
    def edit(session: Session) -> None:
        session.integration.variables.remove("embers")
        session.game.apply_documents()

    runner.play()
    listener.wait_for_frames(80)
    runner.post(edit).result(PATIENCE_S)
    before = runner.post(lambda session: session.timeline.length).result(PATIENCE_S)
    killed_at = time.monotonic()
    kill_core(runner)
    event = listener.wait_for_event(CoreRestarted)
    listener.wait(lambda: listener.frames[-1].number > before + 5)
    assert "SIGSEGV" in event.text
    assert isinstance(event, CoreRestarted)
    assert event.number >= before
    assert time.monotonic() - killed_at < PATIENCE_S
    names = runner.post(lambda session: list(session.integration.variables)).result(PATIENCE_S)
    assert "embers" not in names
    assert "score" in names


def test_the_restored_core_has_the_ram_of_the_newest_frame(
    runner: Runner, listener: Listener
) -> None:
    for _ in range(40):
        runner.advance_frame()
    listener.wait_for_frames(40, since=1)
    ram = runner.post(lambda session: session.memory.ram.tobytes()).result(PATIENCE_S)
    kill_core(runner)
    failed = runner.post(lambda session: session.save_state())
    with pytest.raises(Exception, match="SIGSEGV"):
        failed.result(PATIENCE_S)
    listener.wait_for_event(CoreRestarted)
    again = runner.post(lambda session: session.memory.ram.tobytes()).result(PATIENCE_S)
    assert again == ram


def test_a_core_that_dies_again_and_again_stays_stopped(runner: Runner, listener: Listener) -> None:
    for _ in range(MAX_RESTARTS + 1):
        told = len(listener.events)
        kill_core(runner)
        runner.advance_frame()
        listener.wait(
            lambda told=told: any(  # type: ignore[misc] # binds the loop's value
                isinstance(event, CoreRestarted | CoreLost) for event in listener.events[told:]
            )
        )
    lost = listener.wait_for_event(CoreLost)
    assert "Reset" in lost.text
    shown = len(listener.frames)
    runner.reset()
    listener.wait_for_frames(1, since=shown)
    assert listener.frames[-1].outcome.frame == 1


def test_a_movie_ends_with_an_event(
    runner: Runner, listener: Listener, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("movies") / "short.bk2"
    runner.post(lambda session: session.record(path)).result(PATIENCE_S)
    for _ in range(10):
        runner.advance_frame()
    assert runner.post(lambda session: session.stop_recording()).result(PATIENCE_S) == path
    runner.post(lambda session: session.play(path)).result(PATIENCE_S)
    for _ in range(10):
        runner.advance_frame()
    ended = listener.wait_for_event(PlaybackEnded)
    assert isinstance(ended, PlaybackEnded)
    assert ended.path == path


def test_play_stops_with_the_last_frame_of_a_movie(
    runner: Runner, listener: Listener, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("movies") / "short.bk2"

    def record_and_play(session: Session) -> int:
        session.record(path)
        session.advance(frames=10)
        session.stop_recording()
        return session.play(path).number

    first = runner.post(record_and_play).result(PATIENCE_S)
    runner.set_speed(8.0)
    runner.play()
    listener.wait_for_event(PlaybackEnded)
    assert not runner.is_running
    assert runner.post(lambda session: session.timeline.length).result(PATIENCE_S) == first + 10


def test_an_error_of_a_frame_pauses_and_is_told(runner: Runner, listener: Listener) -> None:
    def break_scoring(session: Session) -> None:
        with session.integration.scenario.edit() as scenario:
            scenario["reward"] = {"variables": {"no_such": {"reward": 1.0}}}
        session.game.apply_documents()

    runner.post(break_scoring).result(PATIENCE_S)
    runner.play()
    failed = listener.wait_for_event(CommandFailed)
    assert "no_such" in failed.text


def test_fast_forward_keeps_every_frame_and_tells_of_some(
    runner: Runner, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    took = ChunkSize.took
    # As on a machine that is not busy.
    monkeypatch.setattr(
        ChunkSize, "took", lambda size, frames, _: took(size, frames, frames / 4000)
    )
    runner.set_inputs((0x80,))
    runner.set_fast_forward(True)
    listener.wait(lambda: listener.frames[-1].number > 400)
    runner.set_fast_forward(False)
    runner.pause()
    length = runner.post(lambda session: session.timeline.length).result(PATIENCE_S)
    numbers = [result.number for result in listener.frames]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == length
    assert len(numbers) < length / 8
    inputs = runner.post(lambda session: session.timeline.log.inputs(2)).result(PATIENCE_S)
    assert (inputs == 0x80).all()


def test_commands_are_answered_between_two_chunks(runner: Runner, listener: Listener) -> None:
    runner.set_fast_forward(True)
    listener.wait(lambda: listener.frames[-1].number > 400)
    lengths = [
        runner.post(lambda session: session.timeline.length).result(PATIENCE_S) for _ in range(20)
    ]
    assert np.median(np.diff(lengths)) <= MOST_FRAMES
    assert np.diff([result.number for result in listener.frames]).max() <= MOST_FRAMES


def test_fast_forward_stops_at_the_frame_that_changes_a_variable(
    runner: Runner, listener: Listener
) -> None:
    runner.set_stops(StopRule(frozenset({"time"})))
    runner.set_fast_forward(True)
    stop = listener.wait_for_event(PlayStopped)
    assert isinstance(stop, PlayStopped)
    times = runner.post(lambda session: session.timeline.column("time")).result(PATIENCE_S)
    assert len(times) == stop.number
    assert (times[:-1] == times[0]).all()
    assert times[-1] != times[0]
    assert stop.variable == "time"
    assert str(times[-1]) in stop.text


def test_play_stops_at_the_frame_that_is_done(runner: Runner, listener: Listener) -> None:
    def end_soon(session: Session) -> None:
        with session.integration.scenario.edit() as scenario:
            scenario["done"] = {"variables": {"play_frames": {"op": "equal", "reference": 40}}}
        session.game.apply_documents()

    runner.post(end_soon).result(PATIENCE_S)
    runner.set_stops(StopRule(done=True))
    runner.set_fast_forward(True)
    stop = listener.wait_for_event(PlayStopped)
    assert isinstance(stop, PlayStopped)
    frames = runner.post(lambda session: session.timeline.column("play_frames")).result(PATIENCE_S)
    assert len(frames) == stop.number
    assert frames[-1] == 40
    assert stop.variable == ""


def test_a_chunk_takes_some_milliseconds() -> None:
    chunk = ChunkSize()
    sizes = []
    for _ in range(12):
        sizes.append(chunk.frames)
        chunk.took(chunk.frames, chunk.frames * 0.0005)
    assert sizes[:4] == [1, 2, 4, 8]
    assert sizes[-1] in (19, 20)
    chunk.took(20, 20 * 0.008)
    assert chunk.frames == 2
    chunk.took(2, 2 * 1.0)
    assert chunk.frames == 1


def test_the_recording_is_followed_until_a_button_is_pressed(
    runner: Runner, listener: Listener
) -> None:
    def at(frame: int) -> bool:
        return bool(listener.frames) and listener.frames[-1].number == frame

    runner.post(lambda session: session.run(np.zeros((60, 1), np.uint16))).result(PATIENCE_S)
    runner.set_follow(on=True)
    runner.post(lambda session: listener.on_frame(session.timeline.seek(20))).result(PATIENCE_S)
    runner.advance_frame()
    listener.wait(lambda: at(21))
    assert not runner.post(lambda session: session.timeline.branches).result(PATIENCE_S)
    runner.set_inputs((1,))
    runner.advance_frame()
    listener.wait(lambda: at(22))
    assert len(runner.post(lambda session: session.timeline.branches).result(PATIENCE_S)) == 1


def test_the_recording_is_followed_until_memory_is_written(
    runner: Runner, listener: Listener
) -> None:
    def write(session: Session) -> None:
        session.run(np.zeros((60, 1), np.uint16))
        session.timeline.seek(20)
        session.memory.write(0x0306, ">d3", 4210)

    runner.set_follow(on=True)
    runner.post(write).result(PATIENCE_S)
    runner.advance_frame()
    listener.wait(lambda: bool(listener.frames) and listener.frames[-1].number == 21)
    assert listener.frames[-1].values["score"] == 4210
    assert len(runner.post(lambda session: session.timeline.branches).result(PATIENCE_S)) == 1


def test_planned_rows_run_while_the_game_rests(runner: Runner, listener: Listener) -> None:
    def edit(session: Session) -> None:
        session.run(np.zeros((300, 1), np.uint16))
        session.timeline.seek(20)
        edit_inputs(session, Splice.over(10, np.ones((5, 1), np.uint16)))

    runner.post(edit).result(PATIENCE_S)
    listener.wait(lambda: runner._session.timeline.length > 300)
    assert runner.post(lambda session: session.timeline.position).result(PATIENCE_S) == 20
