"""The journal: a killed program's play is taken up again; a good end leaves no file."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import warm_children
from inexact import Open
from inexact import play as play_toy
from nightly import more_by_night

from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import SessionError
from integrator.domain.movies.model import ram_hash
from integrator.session.frame.result import GameWarning
from integrator.session.journal import journal_file as journals
from integrator.session.journal.journal_file import (
    journal_dir,
    new_journal_path,
    read_records,
    recoverable,
)
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import open_session
from integrator.session.recorded_rows import Splice, edit_inputs, undo_edit
from integrator.session.recovery import recover_from
from integrator.session.runner import MOST_FRAMES
from integrator.session.session import Session
from libretro_host.errors import AmbiguousContentError

CHILD = Path(__file__).parents[1] / "journal_child.py"

pytestmark = pytest.mark.usefixtures("own_home")


def open_journaled(game: Path) -> Session:
    return open_session(game, journal=new_journal_path("Game"))


@pytest.fixture
def session() -> Iterator[Session]:
    with open_journaled(demo_game()) as session:
        session.reset()
        yield session


def abandon(session: Session) -> Path:
    """A copy of the session's journal as it is now, as if its program had died."""
    path = session.game.plan.journal
    assert path is not None
    copy = path.with_name(f"copy-{path.name}")
    # Python 3.14 copies in larger steps than a full disk takes.
    copy.write_bytes(path.read_bytes())
    return copy


def play(session: Session, frames: int, seed: int = 3) -> None:
    for mask in np.random.default_rng(seed).integers(0, 512, frames).tolist():
        session.advance((mask,))


def run_and_kill(game: Path, frames: int) -> dict[int, int]:
    """Let the child play some frames and kill it; RAM hash by frame of the last line of play."""
    child = warm_children.popen(
        [sys.executable, str(CHILD), str(game)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    hashes: dict[int, int] = {}
    for line in child.stdout:
        if not line.endswith("\n"):
            break
        number, digest = line.split()
        # Many frames are run at once, so that the line left behind has frames that this one skips.
        kept = int(number) + (digest == "back")
        hashes = {n: h for n, h in hashes.items() if n < kept}
        if digest != "back":
            hashes[int(number)] = int(digest)
        if int(number) >= frames:
            os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()
    return hashes


@pytest.mark.parametrize("game", [demo_game, airstriker], ids=["EmberMoth", "Airstriker"])
def test_after_a_kill_play_goes_on_at_the_last_frame(game: object) -> None:
    directory: Path = game()  # type: ignore[operator] # one of the functions above
    frames = more_by_night(500, 1500)
    hashes = run_and_kill(directory, frames)
    [found] = recoverable()
    assert (found.game, found.frames >= frames) == (directory, True)
    with recover_from(found.path) as again:
        log = again.timeline.log
        # The line ends at the frame told last, or a chunk further that was not told any more.
        assert 0 <= log.length - max(hashes) <= MOST_FRAMES
        wrong = [n for n, digest in hashes.items() if ram_hash(log.ram(n)) != digest]
        assert wrong == []
        assert again.timeline.branches
        assert again.last is not None
        outcome = again.last.outcome
        assert again.advance().outcome.frame == outcome.frame + 1
    assert not found.path.exists()
    assert recoverable() == []


def test_a_clean_end_leaves_nothing(session: Session) -> None:
    play(session, 30)
    assert list(journal_dir().iterdir()) == [session.game.plan.journal]
    session.close()
    assert list(journal_dir().iterdir()) == []


def test_a_running_program_is_not_offered(session: Session) -> None:
    play(session, 10)
    assert recoverable() == []
    copy = abandon(session)
    [found] = recoverable()
    assert (found.path, found.frames) == (copy, 11)
    assert found.seconds == pytest.approx(11 / session.game.fps)
    copy.unlink()
    assert recoverable() == []


def test_a_journal_cut_anywhere_gives_what_was_whole(session: Session) -> None:
    play(session, 300)
    copy = abandon(session)
    records = list(read_records(copy))
    data = copy.read_bytes()
    assert sum(len(r.data) // 2 for r in records if r.kind == "input") == 301
    header = data.index(b"}\n") + 2
    for size in (len(data) - 1, len(data) - 7, len(data) // 2, header + 100, header):
        copy.write_bytes(data[:size])
        part = list(read_records(copy))
        assert part == records[: len(part)]
        assert len(part) < len(records)
    damaged = bytearray(data)
    damaged[len(data) - 3] ^= 1
    copy.write_bytes(damaged)
    assert list(read_records(copy)) == records[:-1]
    log = session.timeline.log
    with recover_from(copy) as recovered:
        assert np.array_equal(recovered.memory.ram, log.ram(300))


def test_rewards_go_on(session: Session) -> None:
    play(session, 50)
    session.memory.write(0x306, ">d3", 500)
    session.advance()
    play(session, 150)
    assert session.last is not None
    outcome = session.last.outcome
    assert outcome.total_rewards[0] >= 500
    with recover_from(abandon(session)) as recovered:
        assert recovered.last is not None
        assert recovered.last.outcome.total_rewards == outcome.total_rewards
        assert recovered.last.outcome.frame == outcome.frame


def test_after_going_back_the_journal_goes_on_from_there(session: Session) -> None:
    play(session, 100)
    session.timeline.seek(40)
    play(session, 5, seed=8)
    with recover_from(abandon(session)) as recovered:
        assert np.array_equal(recovered.memory.ram, session.memory.ram)
    session.timeline.switch_to("branch 1")
    play(session, 5, seed=9)
    with recover_from(abandon(session)) as recovered:
        assert np.array_equal(recovered.memory.ram, session.memory.ram)


def test_a_branch_right_after_a_loaded_state_begins_with_this_state(session: Session) -> None:
    state = session.save_state()
    play(session, 20)
    session.load_state(state)
    session.timeline.fork()
    play(session, 20, seed=8)
    with recover_from(abandon(session)) as recovered:
        assert lines(recovered) == lines(session)
        assert np.array_equal(recovered.memory.ram, session.memory.ram)


def test_play_on_a_core_with_inexact_states_goes_on_as_it_was(toy: Open, own_home: Path) -> None:
    session = toy(hidden=2, journal=own_home / "toy.journal")
    play_toy(session, 100)
    for frame in (40, 20):
        session.timeline.seek(frame)
        play_toy(session, 30)
    session.resume(session.save_state(), "state", frame=5, totals=(), origin="a file")
    play_toy(session, 20)
    session.timeline.switch_to("branch 1")
    play_toy(session, 20)
    log = session.timeline.log
    with recover_from(abandon(session)) as recovered:
        assert lines(recovered) == lines(session)
        for name in (log.current, *(each.name for each in session.timeline.branches)):
            was, found = log.history(name), recovered.timeline.log.history(name)
            for frame in range(1, was.length + 1):
                assert np.array_equal(found.ram(frame), was.ram(frame)), (name, frame)
        play_toy(session, 20)
        play_toy(recovered, 20)
        assert np.array_equal(recovered.memory.ram, session.memory.ram)


def test_an_empty_or_foreign_file_is_not_offered(session: Session) -> None:
    (journal_dir() / "x.journal").write_text("something else\n")
    (journal_dir() / "y.journal").write_text('retro-integrator journal 1\n{"game": "a"}\n')
    assert recoverable() == []
    assert list(journal_dir().iterdir()) == [session.game.plan.journal]
    with pytest.raises(SessionError, match=r"none\.journal: there is no such file"):
        recover_from(journal_dir() / "none.journal")


def test_a_game_that_was_only_opened_is_not_offered(session: Session) -> None:
    # A reset runs the first frame.
    abandon(session)
    assert recoverable() == []
    assert list(journal_dir().iterdir()) == [session.game.plan.journal]
    play(session, 1)
    abandon(session)
    [found] = recoverable()
    assert found.frames == 2


def test_a_journal_that_can_not_be_written_does_not_stop_play(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (own_home / "cache").write_text("a file where the folder should be")
    with open_journaled(demo_game()) as session:
        session.advance(frames=5)
        [lost] = session.take_events()
        assert isinstance(lost, GameWarning)
        assert "cannot be written" in lost.text

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (own_home / "cache").unlink()
    with open_journaled(demo_game()) as session:
        session.advance(frames=5)
        monkeypatch.setattr(journals, "write_all", full)
        session.advance(frames=5)
        session.advance(frames=5)
        full_disks = [each for each in session.take_events() if isinstance(each, GameWarning)]
        assert [("No space left" in each.text) for each in full_disks] == [True]


@contextlib.contextmanager
def full_disk(path: Path, room_bytes: int) -> Iterator[None]:
    """No file may grow beyond so much more than ``path`` has now: a write stops early, then fails.

    Of this process alone: the limits of a core's process were set when it started."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    most = path.stat().st_size + room_bytes
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def lines(session: Session) -> list[tuple[str, int, int]]:
    timeline = session.timeline
    branches = [(each.name, each.length, each.shared_frames) for each in timeline.branches]
    return [("", timeline.length, 0), *branches]


@pytest.mark.parametrize("room_bytes", [0, 1, 300, 1000])
def test_a_full_disk_is_told_once_and_the_journal_goes_on_when_there_is_space(
    session: Session, room_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "_RETRY_S", 0.0)
    path = session.game.plan.journal
    assert path is not None
    play(session, 50)
    with full_disk(path, room_bytes):
        play(session, 300, seed=4)
        session.timeline.seek(200)
        play(session, 30, seed=5)
        [warning] = session.take_events()
        assert isinstance(warning, GameWarning)
        assert "cannot be written" in warning.text
        full = abandon(session)
    assert 51 <= sum(len(r.data) // 2 for r in read_records(full) if r.kind == "input") < 351
    play(session, 150, seed=6)
    [found] = session.take_events()
    assert "is written again" in found.text
    session.timeline.seek(session.timeline.length - 20)
    play(session, 40, seed=7)
    with recover_from(abandon(session)) as recovered:
        assert np.array_equal(recovered.memory.ram, session.memory.ram)
        assert session.last is not None
        assert recovered.last is not None
        assert recovered.last.outcome.frame == session.last.outcome.frame
        # All play is there: before the disk was full, meanwhile and after.
        assert lines(recovered) == lines(session)
        for frame in range(0, session.timeline.length, 10):
            assert np.array_equal(
                recovered.timeline.log.ram(frame), session.timeline.log.ram(frame)
            )


def test_an_undone_change_of_the_past_stays_undone_when_play_is_taken_up(
    session: Session,
) -> None:
    play(session, 90)
    line = np.array(session.memory.ram)
    rows = session.timeline.log.inputs(30, 81).copy()
    edit_inputs(session, Splice(30, 51, rows ^ 0xC1))
    session.timeline.seek(session.timeline.length)
    assert not np.array_equal(session.memory.ram, line)
    undo_edit(session)
    with recover_from(abandon(session)) as recovered:
        assert np.array_equal(recovered.memory.ram, line)


def test_a_journal_that_could_not_be_made_is_made_when_it_can(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "_RETRY_S", 0.0)
    (own_home / "cache").write_text("a file where the folder should be")
    with open_journaled(demo_game()) as session:
        session.advance(frames=5)
        (own_home / "cache").unlink()
        play(session, 200)
        lost, found = session.take_events()
        assert isinstance(lost, GameWarning)
        assert not isinstance(found, GameWarning)
        assert "is written again" in found.text
        with recover_from(abandon(session)) as recovered:
            assert np.array_equal(recovered.memory.ram, session.memory.ram)


def test_a_rom_that_tells_no_console_is_opened_with_its_own_again(tmp_path: Path) -> None:
    rom = Path(shutil.copy(proof_roms()["Atari2600"].path, tmp_path / "Game.bin"))
    with pytest.raises(AmbiguousContentError):
        open_session(rom)
    with open_session(rom, journal=new_journal_path("Game"), system="Atari2600") as session:
        session.reset()
        play(session, 30)
        copy, ram = abandon(session), session.memory.ram.copy()
    with recover_from(copy) as recovered:
        assert recovered.game.system.name == "Atari2600"
        assert np.array_equal(recovered.memory.ram, ram)
