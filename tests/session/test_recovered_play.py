"""Play and unsaved edits of a killed program are one recovery, wherever its game had moved to."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import warm_children

from integrator.commands.shared.options import demo_game
from integrator.domain.integration.directory import load_integration
from integrator.domain.movies.model import ram_hash
from integrator.session.edits.commands import save_own_copy
from integrator.session.journal import journal_file
from integrator.session.journal.drafts import pending_drafts
from integrator.session.journal.journal_file import journal_dir, recoverable
from integrator.session.opening import open_journaled, open_session
from integrator.session.recovery import left_behind, recent, recover, recover_from
from integrator.session.timeline.restorer import Progress, ReplayStopped

CHILD = Path(__file__).with_name("recovery_child.py")

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def rom(tmp_path: Path) -> Path:
    """A bare ROM."""
    source = load_integration(demo_game()).rom
    assert source is not None
    return Path(shutil.copy(source, tmp_path / "Moth.nes"))


def killed(rom: Path, *options: str) -> dict[str, Any]:
    """Facts that the program told before it was killed while it played, or recovered, a file."""
    done = warm_children.run(
        [sys.executable, str(CHILD), str(rom), str(rom.parent / "root"), *options],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == -9
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_after_make_integration_play_and_edits_come_back_together(rom: Path) -> None:
    told = killed(rom)
    made = Path(told["directory"])
    before = {path.name: path.read_bytes() for path in made.iterdir()}
    [left] = left_behind()
    assert left.play is not None
    assert left.edits is not None
    assert (left.play.game, left.directory) == (made, made)
    assert set(left.edits.files) == {"hard.json", "Here.state", "metadata.json"}
    with recover(left) as session:
        assert session.integration.directory == made
        assert (session.timeline.length, ram_hash(session.memory.ram)) == (
            told["frames"],
            told["ram"],
        )
        assert list(session.integration.variables) == ["x"], "saved by the making"
        assert session.game.scenario_name == "hard"
        assert session.integration.scenarios["hard"].value["reward"] == {
            "variables": {},
            "time": {"reward": 2.0},
        }
        assert session.integration.states == ["Here"]
        assert session.integration.metadata.default_state() == "Here"
        assert session.last is not None
        assert session.last.outcome.total_rewards[0] == 2.0 * told["frames"]
        assert len(list(session.integration.modified_files)) == 3
        assert {path.name: path.read_bytes() for path in made.iterdir()} == before
        assert (left_behind(), pending_drafts()) == ([], ()), "this program lives, and has both"
        session.editor.undo()
        assert not list(session.integration.modified_files), "all that came back is one step"
        session.editor.redo()
        session.persistence.keep_edits()
    # Closed without a save: the draft stays, the play was given up.
    [again] = left_behind()
    assert again.play is None
    assert again.edits is not None
    assert set(again.edits.files) == set(left.edits.files)


def test_edits_that_making_the_integration_saved_are_not_offered_again(rom: Path) -> None:
    told = killed(rom, "--at-once")
    assert len(pending_drafts()) == 1, "of the bare ROM, from before"
    [left] = left_behind()
    assert (left.edits, left.directory) == (None, Path(told["directory"]))
    assert pending_drafts() == ()
    with recover(left) as session:
        assert list(session.integration.variables) == ["x"]
        assert not session.integration.modified


def test_a_stopped_recovery_loses_nothing(rom: Path) -> None:
    told = killed(rom)
    [left] = left_behind()
    assert left.play is not None
    steps: list[tuple[int, int]] = []

    def until(frames: int) -> Progress:
        def progress(done: int, total: int) -> bool:
            steps.append((done, total))
            return done < frames

        return progress

    for reached in (1, 60, 150):
        steps.clear()
        with pytest.raises(ReplayStopped):
            recover(left, until(reached))
        assert steps[-1][0] >= reached
        assert left_behind() == [left]
        assert [path.name for path in journal_dir().iterdir()] == [left.play.path.name]
    steps.clear()
    with recover(left, until(10_000)) as session:
        assert ram_hash(session.memory.ram) == told["ram"]
        assert session.timeline.length == told["frames"]
    assert steps == sorted(steps), "it only grows"
    assert steps[-1] == (left.play.frames, left.play.frames)


def test_a_recovery_stopped_on_its_way_back_to_a_frame_ends_there(own_home: Path) -> None:
    journal = own_home / "crash.journal"
    with open_session(demo_game(), journal=journal, isolated=False) as session:
        session.advance(frames=400)
        session.timeline.seek(350)
        session.advance(frames=5)
        copy = Path(shutil.copy(journal, own_home / "copy.journal"))
    asked: list[int] = []

    def once(done: int, _: int) -> bool:
        asked.append(done)
        return asked.count(401) != 3  # the third time is in the seek

    with pytest.raises(ReplayStopped):
        recover_from(copy, isolated=False, progress=once)
    assert copy.exists()
    assert asked[-1] == 401


def test_killed_during_a_recovery_the_whole_play_alone_is_offered(rom: Path) -> None:
    """The killed recovery leaves a journal that has only a part of the play."""
    told = killed(rom)
    [left] = left_behind()
    assert left.play is not None
    killed(left.play.path, "--again", "60")
    assert len(list(journal_dir().iterdir())) == 2
    assert left_behind() == [left]
    assert [path.name for path in journal_dir().iterdir()] == [left.play.path.name]
    killed(left.play.path, "--again", "10000")
    [again] = left_behind()
    assert again.play is not None
    assert again.edits is not None
    assert again.play.frames == left.play.frames + 30, "it was played on after the recovery"
    assert not left.play.path.exists()
    with recover(again) as session:
        assert session.timeline.length == told["frames"] + 30


def test_a_journal_stays_until_its_play_is_safely_in_another(
    rom: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(rom)
    [left] = left_behind()
    assert left.play is not None

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(journal_file, "write_all", full)
        with recover(left):
            assert left.play.path.exists()
        assert left_behind() == [left], "the other one was never written"
        patched.setattr(journal_file, "_RETRY_S", 0.0)
        session = recover(left)
        assert left.play.path.exists()
    with session:
        session.advance()
        assert not left.play.path.exists(), "written, since there is space again"
        shutil.copy(str(session.game.plan.journal), journal_dir() / "copy.journal")
        [found] = recoverable()
        assert found.frames == left.play.frames + 1


def test_a_recovered_journal_that_cannot_be_removed_is_named(
    rom: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, another program may be reading it."""
    killed(rom)
    [left] = left_behind()
    assert left.play is not None
    unlink, path = Path.unlink, left.play.path

    def stuck(own: Path, missing_ok: bool = False) -> None:
        if own == path:
            raise PermissionError(13, "Permission denied", str(own))
        unlink(own, missing_ok)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", stuck)
        with recover(left) as session:
            told = [each.text for each in session.take_events()]
            session.advance()
            told += [each.text for each in session.take_events()]
    again = "play up to the last crash will be offered again"
    named = f"{path}: cannot be removed (Permission denied); {again}"
    assert [text for text in told if "cannot" in text or "written again" in text] == [named]
    assert left_behind() == [left]


def test_what_can_not_be_taken_up_again_stays(rom: Path) -> None:
    told = killed(rom)
    made = Path(told["directory"])
    (made / "rom.nes").rename(made / "away")
    [left] = left_behind()
    with pytest.raises(Exception, match="no ROM in it"):
        recover(left)
    assert left_behind() == [left]
    left.discard()
    assert left_behind() == []
    assert list(journal_dir().iterdir()) == []


def test_the_journal_follows_a_copy_elsewhere(tmp_path: Path) -> None:
    with open_journaled(demo_game()) as session:
        session.advance(frames=5)
        save_own_copy(session.editor, tmp_path / "Copy-Nes")
        path = session.game.plan.journal
        assert path is not None
        shutil.copy(path, path.with_name("copy.journal"))
        [play] = recoverable()
    assert (play.game, play.directory) == (tmp_path / "Copy-Nes", tmp_path / "Copy-Nes")


def test_a_clock_that_jumps_deletes_no_recovery(rom: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    killed(rom)
    now, kept = time.time(), left_behind()
    for days in (0, 400, 1):
        monkeypatch.setattr(time, "time", lambda days=days: now + days * 86_400)
        assert recent() == kept
    for day in range(2, 14):
        monkeypatch.setattr(time, "time", lambda day=day: now + day * 86_400)
        assert recent() == kept
    monkeypatch.setattr(time, "time", lambda: now + 15 * 86_400)
    assert recent() == []
    assert left_behind() == []


def test_play_with_held_values_comes_back_as_it_was(tmp_path: Path) -> None:
    game = Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    session = open_journaled(game)
    lives = session.integration.variables["lives"]
    session.reset()
    session.advance(frames=60)
    session.cheats.freeze(lives.address, lives.type, 7)
    session.advance(frames=120)
    session.cheats.thaw(lives.address, lives.type)
    session.advance(frames=60)
    session.cheats.freeze(lives.address, lives.type, 2, mask=3)
    session.advance(frames=10)
    log = session.timeline.log
    held = log.held_before(log.length + 1), log.rewritten(1, log.length + 1)
    assert held == (153, [*range(62, 182), *range(242, 252)])
    played = [ram_hash(log.ram(frame)) for frame in range(1, log.length + 1)]
    frozen = session.memory.frozen
    session.close(keep_journal=True)
    [left] = left_behind()
    with recover(left) as again:
        log = again.timeline.log
        assert [ram_hash(log.ram(frame)) for frame in range(1, log.length + 1)] == played
        assert (log.held_before(log.length + 1), log.rewritten(1, log.length + 1)) == held
        assert again.memory.frozen == frozen


def test_play_that_does_not_come_back_as_it_was_is_told_of(tmp_path: Path) -> None:
    game = Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    (game / "script.lua").write_text("function reward() data.lives = 7 return 0 end")
    rules = {"scripts": ["script.lua"], "reward": {"script": "lua:reward"}}
    (game / "scenario.json").write_text(json.dumps(rules))
    session = open_journaled(game)
    session.reset()
    session.advance(frames=20)
    session.close(keep_journal=True)
    [left] = left_behind()
    with recover(left) as again:
        assert not any("not as it was" in event.text for event in again.take_events())
        again.close(keep_journal=True)
    (game / "script.lua").write_text("function reward() return 1 end")
    [left] = left_behind()
    with recover(left) as again:
        [told] = [event for event in again.take_events() if "not as it was" in event.text]
    assert "up to frame 21" in told.text


def test_a_rom_that_was_written_after_the_play_is_told_of(tmp_path: Path) -> None:
    game = Path(shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0"))
    with open_journaled(game) as session:
        session.advance(frames=5)
        session.close(keep_journal=True)
    for is_changed in (False, True):
        if is_changed:
            time.sleep(0.02)  # file systems count time in steps
            rom = game / "rom.nes"
            rom.write_bytes(rom.read_bytes())
            os.utime(rom, (0, 0))
        [left] = left_behind()
        with recover(left) as again:
            told = [event.text for event in again.take_events()]
            assert any("written after it was played" in text for text in told) is is_changed
            again.close(keep_journal=True)
