"""The watch list: values and courses, freezing, pausing, notes that stay with the integration."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from ui_driver import banners, cell, open_and_wait, step

from integrator.domain.integration.json_files import Watch, dump_watches, load_watches
from integrator.domain.values.memory import DataType
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.memory.watches import WatchColumn, WatchesView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.rows_model import TrendRole

pytestmark = pytest.mark.usefixtures("shared_window")

LIVES = 0xFF025A


@pytest.fixture
def watches(open_game: MainWindow, qtbot: QtBot) -> WatchesView:
    """The Watch panel of Airstriker in front, with its lives in it."""
    open_game.use_workspace("find")
    open_game.docks.all["watches"].raise_()
    view = open_game.parts[WatchesView]
    qtbot.waitUntil(view.isVisible)
    QTest.keyClicks(view.address, "FF025A")
    QTest.keyClicks(view.type, ">u2")
    QTest.keyClicks(view.name, "ships")
    QTest.mouseClick(view.add, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: text(view, WatchColumn.VALUE) == "3")
    return view


def text(view: WatchesView, column: WatchColumn) -> str:
    return str(view.model.index(0, column).data())


def choose(view: WatchesView, entry: str) -> None:
    menu = view.row_menu(0)
    next(each for each in menu.actions() if each.text().startswith(entry)).trigger()


def test_values_follow_the_game_with_a_trend(
    watches: WatchesView, open_game: MainWindow, qtbot: QtBot
) -> None:
    assert text(watches, WatchColumn.NAME) == "ships"
    open_game.controller.poke("lives", 7)
    step(open_game, qtbot, 2)
    qtbot.waitUntil(lambda: text(watches, WatchColumn.VALUE) == "7")
    trend = watches.model.index(0, WatchColumn.TREND).data(TrendRole)
    assert trend[-1] == 7
    assert 3 in trend


def test_a_typed_value_is_poked_and_frozen(
    watches: WatchesView, open_game: MainWindow, qtbot: QtBot
) -> None:
    index = watches.model.index(0, WatchColumn.VALUE)
    assert watches.model.check(index, "99999") is not None
    assert watches.model.setData(index, "5")
    qtbot.waitUntil(lambda: text(watches, WatchColumn.VALUE) == "5")
    choose(watches, "Freeze")
    qtbot.waitUntil(lambda: watches.model.at(0).reading.frozen)
    open_game.controller.poke("lives", 2)
    step(open_game, qtbot, 2)
    open_game.docks.all["variables"].raise_()
    qtbot.waitUntil(lambda: cell(open_game, "lives", VariableColumn.VALUE) == "5")
    choose(watches, "Freeze")
    open_game.docks.all["watches"].raise_()  # Out of sight the panel reads nothing.
    qtbot.waitUntil(lambda: not watches.model.at(0).reading.frozen)


def test_the_game_pauses_when_a_watched_address_changes(
    watches: WatchesView, open_game: MainWindow, qtbot: QtBot
) -> None:
    choose(watches, "Pause")
    qtbot.waitUntil(lambda: bool(open_game.parts[VariablesView]._stops))
    open_game.actions_by_key["play"].trigger()
    qtbot.waitUntil(lambda: not open_game.controller.paused)
    open_game.controller.poke("lives", 6)
    qtbot.waitUntil(
        lambda: any("0xFF025A changed from 3 to 6" in each for each in banners(open_game))
    )
    assert open_game.controller.paused
    choose(watches, "Pause")
    assert not any(row.pauses for row in watches.model.rows)


def test_notes_stay_with_the_integration(
    watches: WatchesView,
    new_window: Callable[[], MainWindow],
    open_game: MainWindow,
    qtbot: QtBot,
    airstriker: Path,
) -> None:
    watches.model.setData(watches.model.index(0, WatchColumn.NOTE), "3 at the start")
    kept = load_watches((airstriker / "notes" / "watches.json").read_text())
    assert [(each.name, each.note) for each in kept] == [("ships", "3 at the start")]
    open_game.close()
    again = new_window()
    open_and_wait(again, qtbot, airstriker)
    assert again.parts[WatchesView].model.watches == kept
    choose(again.parts[WatchesView], "Remove")
    assert load_watches((airstriker / "notes" / "watches.json").read_text()) == ()


def test_watches_of_another_window_are_kept(watches: WatchesView, airstriker: Path) -> None:
    path = airstriker / "notes" / "watches.json"
    other = Watch(LIVES + 2, DataType.parse("|u1"), "other")
    path.write_text(dump_watches([*watches.model.watches, other]))
    watches.model.setData(watches.model.index(0, WatchColumn.NOTE), "3 at the start")
    assert [(each.name, each.note) for each in load_watches(path.read_text())] == [
        ("ships", "3 at the start"),
        ("other", ""),
    ]
    assert watches.model.watches == load_watches(path.read_text())
    choose(watches, "Remove")
    assert load_watches(path.read_text()) == (other,)


@pytest.mark.parametrize("both", [False, True])
def test_a_note_that_another_window_wrote_is_taken_or_named(
    both: bool, watches: WatchesView, open_game: MainWindow, airstriker: Path
) -> None:
    path, (mine,) = airstriker / "notes" / "watches.json", watches.model.watches
    QTest.keyClicks(watches.address, "FF025C")
    QTest.mouseClick(watches.add, Qt.MouseButton.LeftButton)
    added = watches.model.watches[1]
    path.write_text(dump_watches([replace(mine, note="theirs"), added]))
    changed = watches.model.index(0 if both else 1, WatchColumn.NOTE)
    watches.model.setData(changed, "mine")
    notes = [each.note for each in load_watches(path.read_text())]
    assert notes == [each.note for each in watches.model.watches]
    assert notes == (["mine", ""] if both else ["theirs", "mine"])
    said = "Another window had “theirs” as the note of 0xFF025A; this one replaces it"
    assert banners(open_game)[:1] == ([said] if both else [])
    watches.model.setData(watches.model.index(1, WatchColumn.NOTE), "again")
    assert len(banners(open_game)) == both


def test_candidates_and_bytes_are_watched_and_become_variables(
    watches: WatchesView, open_game: MainWindow, qtbot: QtBot
) -> None:
    memory = open_game.parts[MemoryView]
    memory.grid.go_to(0xFF0100)
    next(each for each in memory.menu().actions() if each.text() == "Watch").trigger()
    assert watches.model.at(1).watch == Watch(0xFF0100, DataType.parse("|u1"))
    choose(watches, "Make variable")
    qtbot.waitUntil(lambda: "ships" in open_game.parts[VariablesView].model.names)


def test_an_address_that_is_none_is_refused(watches: WatchesView, open_game: MainWindow) -> None:
    watches.address.setText("here")
    QTest.mouseClick(watches.add, Qt.MouseButton.LeftButton)
    assert any("here" in each for each in banners(open_game))
    assert watches.model.rowCount() == 1
