"""Undo and redo over several documents, with the keys that a user presses."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import banners, scenario

from integrator.ui.main_window import MainWindow


def press(window: MainWindow, qtbot: QtBot, *, redo: bool = False) -> None:
    modifiers = Qt.KeyboardModifier.ControlModifier
    if redo:
        modifiers |= Qt.KeyboardModifier.ShiftModifier
    with qtbot.waitSignal(window.controller.documents_changed):
        QTest.keyClick(window, Qt.Key.Key_Z, modifiers)


def test_edits_of_two_files_are_undone_in_their_order(open_game: MainWindow, qtbot: QtBot) -> None:
    docks = open_game.docks
    assert not open_game.actions_by_key["undo"].isEnabled()
    with qtbot.waitSignal(open_game.controller.documents_changed):
        docks.reward.add_time()
    with qtbot.waitSignal(open_game.controller.documents_changed):
        docks.variables.remove_requested.emit("lives")
    assert "data.json" in open_game.actions_by_key["undo"].toolTip()
    press(open_game, qtbot)
    assert "lives" in docks.variables.model.names
    assert "time" in str(scenario(open_game)["reward"])
    press(open_game, qtbot)
    assert "time" not in str(scenario(open_game)["reward"])
    assert not open_game.isWindowModified()
    assert not open_game.actions_by_key["undo"].isEnabled()
    press(open_game, qtbot, redo=True)
    assert "time" in str(scenario(open_game)["reward"])
    press(open_game, qtbot, redo=True)
    assert "lives" not in docks.variables.model.names
    assert not open_game.actions_by_key["redo"].isEnabled()


def test_renaming_with_a_new_type_is_one_step(open_game: MainWindow, qtbot: QtBot) -> None:
    model = open_game.docks.variables.model
    row = model.row_of("score") or 0
    with qtbot.waitSignal(open_game.controller.documents_changed):
        model.setData(model.index(row, 0), "points")
    press(open_game, qtbot)
    assert "score" in model.names
    assert not open_game.isWindowModified()


def test_a_refused_edit_leaves_nothing_to_undo(open_game: MainWindow, qtbot: QtBot) -> None:
    before = scenario(open_game)
    open_game.docks.reward.edit_requested.emit(("crop",), "everything")
    qtbot.waitUntil(lambda: any("crop" in text for text in banners(open_game)))
    assert scenario(open_game) == before
    assert not open_game.actions_by_key["undo"].isEnabled()
