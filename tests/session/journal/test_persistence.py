"""Persistence: edits that are not saved are written down during play, once they settle."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from runner_listener import PATIENCE_S, Listener

from integrator.commands.shared.options import demo_game
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands
from integrator.session.frame.result import CommandFailed
from integrator.session.journal import drafts
from integrator.session.journal.drafts import DraftKeeper
from integrator.session.opening import open_journaled
from integrator.session.runner import Runner
from integrator.session.scoring.rescorer import Recorded
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")

EDIT = commands.put_variable(None, VariableSpec("extra", 0x40, DataType.parse("|u1")))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    copy = shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0")
    with open_journaled(copy) as session:
        yield session


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits settle at once."""
    monkeypatch.setattr(drafts, "KEEP_AFTER_S", 0.0)


def kept(home: Path) -> list[Path]:
    return sorted((home / "cache").glob("**/drafts/*.json"))


@pytest.mark.usefixtures("at_once")
def test_an_edit_is_kept_until_it_is_saved(session: Session, own_home: Path) -> None:
    session.persistence.keep_settled_edits()
    assert not kept(own_home)
    session.editor.do(EDIT)
    assert not kept(own_home), "an edit does not wait for the disk"
    session.persistence.keep_settled_edits()
    [draft] = kept(own_home)
    journal = session.game.plan.journal
    assert journal is not None
    assert f'"journal": "{journal.name}"' in draft.read_text()
    assert "data.json" in draft.read_text()
    session.editor.save()
    assert not kept(own_home)


@pytest.mark.usefixtures("at_once")
def test_edits_taken_back_or_given_up_are_not_kept(session: Session, own_home: Path) -> None:
    session.editor.do(EDIT)
    session.persistence.keep_settled_edits()
    session.editor.undo()
    assert not kept(own_home)
    session.editor.redo()
    session.persistence.keep_settled_edits()
    assert kept(own_home)
    session.persistence.drop_edits()
    assert not kept(own_home)
    session.persistence.keep_settled_edits()
    assert not kept(own_home)


def test_edits_that_follow_each_other_are_kept_once(
    session: Session, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    for _ in range(3):
        session.editor.undo()
        session.editor.do(EDIT)
        now_s += drafts.KEEP_AFTER_S - 0.1
        session.persistence.keep_settled_edits()
        assert not kept(own_home)
    now_s += 0.2
    session.persistence.keep_settled_edits()
    assert kept(own_home)


@pytest.mark.usefixtures("at_once")
def test_edits_that_can_not_be_kept_are_told_once(session: Session, own_home: Path) -> None:
    (own_home / "cache" / "retro-integrator" / "drafts").mkdir(parents=True, exist_ok=True)
    shutil.rmtree(own_home / "cache" / "retro-integrator" / "drafts")
    (own_home / "cache" / "retro-integrator" / "drafts").write_text("in the way")
    session.editor.do(EDIT)
    for _ in range(3):
        session.persistence.keep_settled_edits()
    assert [type(event) for event in session.take_events()] == [CommandFailed]


@pytest.mark.usefixtures("at_once")
def test_edits_are_kept_while_recorded_frames_are_scored(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = threading.Event()
    monkeypatch.setattr(DraftKeeper, "keep", lambda *_: kept.set())
    session.reset()
    monkeypatch.setattr(Recorded, "work", lambda *_: ())
    listener = Listener()
    runner = Runner(session, listener.on_frame, listener.on_event)
    runner.start()
    try:
        runner.post(lambda session: session.editor.do(EDIT)).result(PATIENCE_S)
        assert kept.wait(PATIENCE_S)
        assert session.recorded.pending
    finally:
        runner.close()
