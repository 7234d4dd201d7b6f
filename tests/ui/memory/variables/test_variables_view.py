"""The Variables panel: poke, rename, reject, freeze."""

import json
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QLineEdit
from pytestqt.qtbot import QtBot
from ui_driver import banners, cell, step

from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.usefixtures("shared_window")


def type_into(view: QAbstractItemView, index: QModelIndex, text: str) -> QLineEdit:
    """Open a cell's field and type; the field is returned, still open."""
    view.setCurrentIndex(index)
    view.edit(index)
    editor = view.findChild(QLineEdit)
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, text)
    return editor


def variable_index(window: MainWindow, name: str, column: VariableColumn) -> QModelIndex:
    model = window.parts[VariablesView].model
    row = model.row_of(name)
    assert row is not None
    return model.index(row, column)


def test_typing_a_value_pokes_it_into_the_game(open_game: MainWindow, qtbot: QtBot) -> None:
    view = open_game.parts[VariablesView]
    editor = type_into(view.table, variable_index(open_game, "lives", VariableColumn.VALUE), "7")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: cell(open_game, "lives", VariableColumn.VALUE) == "7")
    step(open_game, qtbot)
    assert cell(open_game, "lives", VariableColumn.VALUE) == "7"


def test_a_value_that_does_not_fit_is_refused_beside_its_field(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    view = open_game.parts[VariablesView]
    editor = type_into(
        view.table, variable_index(open_game, "lives", VariableColumn.VALUE), "70000"
    )
    assert editor.property("invalid")
    assert "does not fit" in editor.toolTip()
    QTest.keyClick(editor, Qt.Key.Key_Return)
    assert editor.isVisible()
    step(open_game, qtbot)
    assert cell(open_game, "lives", VariableColumn.VALUE) == "3"


def test_leaving_an_invalid_field_puts_the_old_text_back_and_says_so(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    view = open_game.parts[VariablesView]
    type_into(view.table, variable_index(open_game, "lives", VariableColumn.TYPE), "?u4")
    open_game.screen_panel.game_screen.setFocus()
    qtbot.waitUntil(lambda: any("?u4" in text for text in banners(open_game)))
    assert cell(open_game, "lives", VariableColumn.TYPE) == ">u2"


def test_a_variable_can_be_renamed_and_retyped(open_game: MainWindow, qtbot: QtBot) -> None:
    view = open_game.parts[VariablesView]
    editor = type_into(
        view.table, variable_index(open_game, "score", VariableColumn.NAME), "points"
    )
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "points" in view.model.names)
    assert "score" not in view.model.names
    editor = type_into(view.table, variable_index(open_game, "points", VariableColumn.TYPE), ">u2")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: cell(open_game, "points", VariableColumn.TYPE) == ">u2")
    assert open_game.isWindowModified()


def test_a_frozen_value_stays(open_game: MainWindow, qtbot: QtBot) -> None:
    view = open_game.parts[VariablesView]
    row = view.model.row_of("lives")
    assert row is not None
    view.row_menu(row).actions()[1].trigger()
    qtbot.waitUntil(lambda: view.model.at(row).frozen)
    view.row_menu(row).actions()[1].trigger()
    qtbot.waitUntil(lambda: not view.model.at(row).frozen)


def test_only_changed_cells_are_announced(open_game: MainWindow, qtbot: QtBot) -> None:
    model = open_game.parts[VariablesView].model
    changed: list[tuple[int, int]] = []
    resets: list[bool] = []
    model.dataChanged.connect(lambda first, _: changed.append((first.row(), first.column())))
    model.modelReset.connect(lambda: resets.append(True))
    step(open_game, qtbot, 2)
    assert not resets
    assert not [
        place
        for place in changed
        if place[1] in (VariableColumn.NAME, VariableColumn.TYPE, VariableColumn.ADDRESS)
    ]


def test_saved_edits_are_in_the_files(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    open_game.actions_by_key["add_variable"].trigger()
    qtbot.waitUntil(lambda: "variable1" in open_game.parts[VariablesView].model.names)
    open_game.actions_by_key["save"].trigger()
    qtbot.waitUntil(lambda: not open_game.isWindowModified())
    info = json.loads((airstriker / "data.json").read_text())["info"]
    assert info["variable1"] == {"address": 0xFF0000, "type": "|u1"}
    assert {"gameover", "lives", "score"} <= set(info)


def test_a_poke_is_shown_although_an_earlier_frame_arrives_after_it(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    bridge = open_game.bridge
    with qtbot.waitSignal(bridge.frame_ready):
        # As a seek and a poke do that both end while the window is busy.
        bridge.ask(lambda session: session.timeline.seek(1), bridge.show)
        open_game.controller.poke("lives", 5)
        bridge.post(lambda _: None).result()
    qtbot.waitUntil(lambda: cell(open_game, "lives", VariableColumn.VALUE) == "5")


def test_a_poke_right_after_a_pause_is_shown(
    open_game: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    bridge, last = open_game.bridge, open_game.controller.last
    assert last is not None
    assert bridge._runner is not None
    # The last frame before the pause waits for its time to be drawn.
    monkeypatch.setattr(bridge._runner, "show_s", time.monotonic() + 0.3)
    bridge.show(last)
    qtbot.waitUntil(bridge._draw_timer.isActive)
    open_game.controller.poke("lives", 5)
    qtbot.waitUntil(lambda: cell(open_game, "lives", VariableColumn.VALUE) == "5")
    qtbot.waitUntil(lambda: not bridge._draw_timer.isActive())
    assert cell(open_game, "lives", VariableColumn.VALUE) == "5"


def test_values_stay_those_of_the_frame_after_an_edit_that_changes_nothing(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    controller = open_game.controller
    controller.poke("score", 1234)
    step(open_game, qtbot)
    shown = [
        cell(open_game, "score", column) for column in (VariableColumn.VALUE, VariableColumn.DELTA)
    ]
    with qtbot.waitSignal(controller.documents_changed):
        controller.edit(lambda _: None)
    assert shown[0] == "1234"
    assert [
        cell(open_game, "score", c) for c in (VariableColumn.VALUE, VariableColumn.DELTA)
    ] == shown
