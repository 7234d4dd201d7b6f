"""The runner after the worst: no error ends its thread in silence, or deletes the journal."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from runner_listener import PATIENCE_S, Listener

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SaveError
from integrator.session.frame.result import (
    CommandFailed,
    CoreLost,
    CoreRestarted,
)
from integrator.session.journal.journal_file import journal_dir, new_journal_path, recoverable
from integrator.session.movies import MovieDeck
from integrator.session.opening import open_session
from integrator.session.proof.proof import prepare
from integrator.session.runner import MAX_RESTARTS, Runner
from integrator.session.setup.game import Game
from libretro_host.errors import ContentError, HostError
from libretro_host.remote import RemoteHost

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def runner(listener: Listener) -> Iterator[Runner]:
    session = open_session(demo_game(), journal=new_journal_path("Game"))
    runner = Runner(session, listener.on_frame, listener.on_event)
    runner.start()
    runner.reset()
    for _ in range(5):
        runner.advance_frame()
    listener.wait(lambda: len(listener.frames) == 6)
    yield runner
    runner.close()


def lose_core(runner: Runner, listener: Listener) -> None:
    for _ in range(MAX_RESTARTS + 1):
        told = len(listener.events)
        pid = runner.post(lambda session: session.host.pid).result(PATIENCE_S)  # type: ignore[attr-defined] # RemoteHost's
        os.kill(pid, signal.SIGSEGV)
        runner.advance_frame()
        listener.wait(
            lambda told=told: any(  # type: ignore[misc] # binds the loop's value
                isinstance(event, CoreRestarted | CoreLost) for event in listener.events[told:]
            )
        )
    listener.wait_for_event(CoreLost)


def is_alive() -> bool:
    return any(thread.name == "session-runner" for thread in threading.enumerate())


ORDERS: dict[str, Callable[[Runner], object]] = {
    "play": lambda runner: runner.play(),
    "rewind": lambda runner: runner.rewind(held=True),
    "fast-forward": lambda runner: runner.set_fast_forward(held=True),
    "frame advance": lambda runner: runner.advance_frame(),
    "step back": lambda runner: runner.step_back(),
}


@pytest.mark.parametrize("order", ORDERS)
def test_after_a_lost_core_nothing_runs_and_that_is_told(
    runner: Runner, listener: Listener, order: str
) -> None:
    lose_core(runner, listener)
    [journal] = journal_dir().iterdir()
    told = len(listener.events)
    ORDERS[order](runner)
    failed = listener.wait_for_event(CommandFailed, told)
    assert "press Reset" in failed.text
    with pytest.raises(Exception, match="press Reset"):
        runner.post(lambda session: session.save_state()).result(PATIENCE_S)
    assert is_alive()
    assert not runner.is_running
    assert journal.exists()
    frames = len(listener.frames)
    runner.reset()
    listener.wait(lambda: len(listener.frames) > frames)
    runner.close()
    assert list(journal_dir().iterdir()) == []


def test_a_new_core_that_cannot_be_started_leaves_one_that_reset_starts(
    runner: Runner, listener: Listener, tmp_path: Path
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # Recording from the middle of play begins in a new core, for which the old one ends.
        patch.setattr(RemoteHost, "load", lambda *_: (_ for _ in ()).throw(HostError("no core")))
        with pytest.raises(HostError, match="no core"):
            runner.post(lambda session: session.record(tmp_path / "m.bk2")).result(PATIENCE_S)
    told = len(listener.events)
    runner.advance_frame()
    assert "press Reset" in listener.wait_for_event(CommandFailed, told).text
    frames = len(listener.frames)
    runner.reset()
    listener.wait(lambda: len(listener.frames) > frames)


def test_an_error_between_frames_is_told_and_the_thread_lives(
    runner: Runner, listener: Listener
) -> None:
    listener.broken = RuntimeError("the window is gone")
    told = len(listener.events)
    runner.play()
    assert "the window is gone" in listener.wait_for_event(CommandFailed, told).text
    # Outside of what a frame and a command guard: the period of the next frame is asked for here.
    told = len(listener.events)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "fps", property(lambda _: 1 / 0))
        runner.play()
        assert "ZeroDivisionError" in listener.wait_for_event(CommandFailed, told).text
    assert runner.post(lambda session: session.timeline.length).result(PATIENCE_S) >= 6
    assert not runner.is_running


def test_an_own_command_that_fails_is_told(runner: Runner, listener: Listener) -> None:
    runner.post(lambda session: session.game.use_state("no-such-state")).result(PATIENCE_S)
    told = len(listener.events)
    runner.reset()
    assert "no-such-state" in listener.wait_for_event(CommandFailed, told).text


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_end_that_nobody_asked_for_keeps_the_journal(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Runner, "_wait_for_commands", lambda _: (_ for _ in ()).throw(SystemExit))
    runner.play()
    runner._thread.join(PATIENCE_S)
    assert not is_alive()
    [found] = recoverable()
    assert found.frames >= 6


def test_a_recording_that_can_not_be_completed_keeps_the_journal(
    runner: Runner, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: MovieDeck) -> None:
        raise SaveError("no space")

    monkeypatch.setattr(MovieDeck, "stop_recording", full)
    runner.close()
    assert "no space" in listener.wait_for_event(CommandFailed).text
    [found] = recoverable()
    assert found.frames == 6


def test_a_with_block_that_fails_keeps_the_journal() -> None:
    def play() -> None:
        with open_session(demo_game(), journal=new_journal_path("Game")) as session:
            session.advance(frames=5)
            raise KeyError("a script's own mistake")

    with pytest.raises(KeyError):
        play()
    [found] = recoverable()
    assert found.frames == 6


def test_a_game_whose_rom_was_changed_runs_on_no_new_core(
    listener: Listener, tmp_path: Path
) -> None:
    game = Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    runner = Runner(open_session(game), listener.on_frame, listener.on_event)
    with closing(runner):
        runner.start()
        runner.reset()
        listener.wait(lambda: len(listener.frames) == 1)
        rom = game / "rom.nes"
        rom.write_bytes(rom.read_bytes()[:-1] + b"\1")
        proof = runner.post(lambda session: prepare(session, [(0x302, "|i1")]))
        with pytest.raises(ContentError, match="was changed by another program"):
            proof.result(PATIENCE_S).run()
        pid = runner.post(lambda session: session.host.pid).result(PATIENCE_S)  # type: ignore[attr-defined] # RemoteHost's
        os.kill(pid, signal.SIGSEGV)
        runner.advance_frame()
        lost = listener.wait_for_event(CoreLost)
        assert "was changed by another program since the game was opened" in lost.text
        assert len(listener.frames) == 1
