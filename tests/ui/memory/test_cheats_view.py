"""The Cheats panel: kept cheats and values frozen in passing, by one rule."""

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import banners, open_and_wait, step

from integrator.ui.memory.cheats import CheatColumn, CheatsView
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.variables import VariablesView
from integrator.ui.shell.main_window import MainWindow


def rows(window: MainWindow) -> list[tuple[str, str, str]]:
    """Name, value and state of each row."""
    model = window.parts[CheatsView].model
    columns = (CheatColumn.NAME, CheatColumn.VALUE, CheatColumn.STATE)
    return [
        tuple(str(model.index(row, column).data()) for column in columns)  # type: ignore[misc] # three
        for row in range(model.rowCount())
    ]


def add(window: MainWindow, place: str, value: str) -> None:
    """Fill in the panel's fields and press Add."""
    view = window.parts[CheatsView]
    view.place.setEditText(place)
    view.value.setText(value)
    QTest.mouseClick(view.add, Qt.MouseButton.LeftButton)


def freeze_lives(window: MainWindow) -> None:
    view = window.parts[VariablesView]
    row = view.model.row_of("lives")
    assert row is not None
    view.row_menu(row).actions()[1].trigger()


def test_a_cheat_is_added_switched_on_and_saved(
    open_game: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    add(open_game, "lives", "7")
    qtbot.waitUntil(lambda: rows(open_game) == [("lives", "7", "")])
    open_game.docks.all["cheats"].raise_()
    open_game.parts[CheatsView].switch.click()
    qtbot.waitUntil(lambda: rows(open_game) == [("lives", "7", "held")])
    step(open_game, qtbot, 2)
    assert open_game.controller.last is not None
    assert open_game.controller.last.values["lives"] == 7
    open_game.actions_by_key["save"].trigger()
    kept = airstriker / "cheats.json"
    qtbot.waitUntil(kept.is_file)
    assert json.loads(kept.read_text())["cheats"][0]["variable"] == "lives"
    open_and_wait(open_game, qtbot, airstriker)
    qtbot.waitUntil(lambda: any("1 cheat is kept" in text for text in banners(open_game)))
    assert not open_game.parts[CheatsView].switch.isChecked()


def test_the_tick_and_the_value_of_a_row_change_the_cheat(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    add(open_game, "0xFF0200", "300")
    qtbot.waitUntil(lambda: any("300" in text for text in banners(open_game)))
    add(open_game, "lives", "7")
    qtbot.waitUntil(lambda: len(rows(open_game)) == 1)
    open_game.parts[CheatsView].switch_cheats(on=True)
    model = open_game.parts[CheatsView].model
    assert model.setData(model.index(0, CheatColumn.VALUE), "5")
    qtbot.waitUntil(lambda: rows(open_game) == [("lives", "5", "held")])
    tick = model.index(0, CheatColumn.NAME)
    model.setData(tick, Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
    qtbot.waitUntil(lambda: rows(open_game) == [("lives", "5", "")])
    open_game.actions_by_key["undo"].trigger()
    qtbot.waitUntil(lambda: rows(open_game) == [("lives", "5", "held")])


def test_what_is_frozen_anywhere_is_listed_kept_and_let_go(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    freeze_lives(open_game)
    view = open_game.parts[CheatsView]
    qtbot.waitUntil(lambda: [row[2] for row in rows(open_game)] == ["held, not kept"])
    menu = view.row_menu(view.model.at(0))
    menu.actions()[0].trigger()
    qtbot.waitUntil(lambda: [row[2] for row in rows(open_game)] == ["held"])
    assert open_game.isWindowModified()
    view.drop(view.model.at(0))
    qtbot.waitUntil(lambda: not rows(open_game))
    memory = open_game.parts[MemoryView]
    memory.grid.go_to(0xFF0010)
    memory.grid.place += 1
    memory.menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: len(rows(open_game)) == 2)
    view.drop(view.model.at(0))
    qtbot.waitUntil(lambda: len(rows(open_game)) == 1)


def test_a_movie_is_refused_while_values_are_held(
    open_game: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    freeze_lives(open_game)
    qtbot.waitUntil(lambda: len(rows(open_game)) == 1)
    open_game.controller.record(tmp_path / "run.bk2")
    qtbot.waitUntil(lambda: any("would not replay" in text for text in banners(open_game)))
    assert not (tmp_path / "run.bk2").exists()
