"""Library > Drafts: games that were made without a person, reviewed by keyboard."""

import json
import shutil
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

import integrator
from integrator import paths
from integrator.domain.integration.auto_report import AutoPart, AutoReport
from integrator.domain.integration.directory import load_integration
from integrator.session.library.entries import AutoDraft
from integrator.ui.library.dialogs import DraftsDialog
from integrator.ui.shell.files.path_opener import PathOpener
from integrator.ui.shell.main_window import MainWindow


def choice(
    value: str, confidence: float, name: str, address: int, **done: object
) -> dict[str, Any]:
    variables = {name: {"address": address, "type": "|u1"}}
    return {"value": value, "confidence": confidence, "variables": variables, **done}


@pytest.fixture
def made(own_home: Path) -> Path:
    """A game among the user's, whose score is less certain than its end."""
    assert own_home.is_dir()
    game = paths.user_integrations_dir() / "EmberMoth-Nes-v0"
    shutil.copytree(paths.shipped("data") / game.name, game)
    score = (choice("0x10", 0.4, "score", 0x10), choice("0x20", 0.3, "score", 0x20))
    ends = ("zero", "negative")
    done = tuple(
        choice(op, 0.6, f"end_{op}", 0x30, done={"variables": {f"end_{op}": {"op": op}}})
        for op in ends
    )
    parts = {
        "score": AutoPart("0x10", 0.4, ("rises",), choices=score),
        "done": AutoPart("zero", 0.6, ("holds",), choices=done),
    }
    AutoReport(game.name, {"seed": 0}, parts).save(game)
    return game


def test_next_and_accept_by_keyboard_until_nothing_is_left(
    made: Path, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(PathOpener, "open", lambda _, path, _frame: opened.append(path))
    window.actions_by_key["drafts"].trigger()
    dialog = window.findChild(DraftsDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.chosen is not None)

    def press(key: Qt.Key) -> None:
        QTest.keyClick(dialog, key)

    assert dialog.model.rows[0].report.least_certain == "score"
    press(Qt.Key.Key_N)
    assert load_integration(made).variables["score"].address == 0x20
    press(Qt.Key.Key_O)
    assert opened == [made]
    press(Qt.Key.Key_A)
    assert dialog.model.rows[0].report.least_certain == "done"
    press(Qt.Key.Key_N)
    variables = load_integration(made).variables
    assert "end_negative" in variables
    scenario = json.loads((made / "scenario.json").read_text())
    assert scenario["done"] == {"variables": {"end_negative": {"op": "negative"}}}
    press(Qt.Key.Key_A)
    assert not dialog.model.rows
    assert AutoReport.load(made).is_accepted


def test_an_error_stays_and_a_list_from_before_a_change_is_not_shown(
    made: Path, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    (made / "played.bk2").write_bytes(b"no movie")
    replace(AutoReport.load(made), movie="played.bk2").save(made)
    window.actions_by_key["drafts"].trigger()
    dialog = window.findChild(DraftsDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: "played.bk2" in dialog.note.text() and not dialog.background.busy)
    dialog.hide()
    dialog.show()  # which looks at the folders again
    qtbot.waitUntil(lambda: not dialog.background.busy)
    assert "played.bk2" in dialog.note.text()
    earlier, reads, go_on = tuple(dialog.model.rows), threading.Event(), threading.Event()

    def read_before(_: object) -> tuple[AutoDraft, ...]:
        reads.set()
        go_on.wait()
        return earlier

    monkeypatch.setattr("integrator.ui.library.dialogs.auto_drafts", read_before)
    dialog.hide()
    dialog.show()
    reads.wait()
    QTest.keyClick(dialog, Qt.Key.Key_A)
    go_on.set()
    monkeypatch.undo()
    qtbot.waitUntil(lambda: not dialog.background.busy)
    assert dialog.model.rows[0].report.least_certain == "done"


def test_films_show_the_evidence_and_open_the_game_there(
    made: Path, window: MainWindow, qtbot: QtBot
) -> None:
    with integrator.open_session(made, isolated=False) as session:
        session.reset()
        session.record(made / "played.bk2")
        session.advance(frames=90)
        session.stop_recording()
    report = AutoReport.load(made)
    parts = {name: replace(part, frames=(30, 60)) for name, part in report.parts.items()}
    replace(report, parts=parts, movie="played.bk2").save(made)
    window.actions_by_key["drafts"].trigger()
    dialog = window.findChild(DraftsDialog)
    assert dialog is not None
    card = dialog.card
    qtbot.waitUntil(lambda: card.frames == [30, 60])
    shown = [film.text() for film in card.films if not film.isHidden()]
    number = int(shown[0].split(" ")[2])
    assert shown[0] == f"frame 30: {number} · earned 0"
    before = card.films[0].icon().cacheKey()
    qtbot.waitUntil(lambda: card.films[0].icon().cacheKey() != before)
    QTest.keyClick(dialog, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: card.frames == [30, 60] and not dialog.background.busy)
    QTest.mouseClick(card.films[1], Qt.MouseButton.LeftButton)
    # The frame before the movie's first row is the episode's reset.
    qtbot.waitUntil(lambda: window.controller.game is not None and shown_frame(window) == 61)


def shown_frame(window: MainWindow) -> int:
    position = window.screen_panel.timeline.facts
    return position.position if position is not None else 0


def test_roms_that_are_dropped_are_made_one_after_the_other(
    made: Path, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.actions_by_key["drafts"].trigger()
    dialog = window.findChild(DraftsDialog)
    assert dialog is not None
    broken, sound = tmp_path / "broken.nes", tmp_path / "sound.nes"
    broken.write_bytes(b"no ROM")
    shutil.copy(made / "rom.nes", sound)
    dialog.take([broken, sound])
    qtbot.waitUntil(lambda: "Playing sound.nes, 2 of 2" in dialog.progress.text())
    assert dialog.progress.text().startswith("broken.nes: ")
    making = dialog.making
    assert making.busy
    dialog.close()
    qtbot.waitUntil(lambda: not making.busy)
    assert not (paths.user_integrations_dir() / "Sound-Nes").exists()
