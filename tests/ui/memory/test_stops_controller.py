"""Pausing when a variable changes."""

from pytestqt.qtbot import QtBot
from ui_driver import banners, step

from integrator.ui.memory.variables import VariablesView
from integrator.ui.shell.main_window import MainWindow


def test_the_game_pauses_when_a_watched_variable_changes(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    view = open_game.parts[VariablesView]
    row = view.model.row_of("lives") or 0
    menu = view.row_menu(row)
    next(a for a in menu.actions() if a.text().startswith("Pause")).trigger()
    assert "lives" in view.paused_on
    step(open_game, qtbot)
    open_game.actions_by_key["play"].trigger()
    qtbot.waitUntil(lambda: not open_game.controller.paused)
    open_game.controller.poke("lives", 7)
    qtbot.waitUntil(lambda: open_game.controller.paused)
    qtbot.waitUntil(lambda: any("lives changed from 3 to 7" in text for text in banners(open_game)))


def test_the_game_pauses_when_conditions_turn_true(open_game: MainWindow, qtbot: QtBot) -> None:
    stops = open_game.parts[VariablesView]
    stops.pause_when("points > 3")
    assert any("points" in text for text in banners(open_game))
    stops.pause_when("lives = 7 x5")
    step(open_game, qtbot)
    open_game.actions_by_key["play"].trigger()
    qtbot.waitUntil(lambda: not open_game.controller.paused)
    open_game.controller.poke("lives", 7)
    qtbot.waitUntil(lambda: open_game.controller.paused)
    qtbot.waitUntil(lambda: any("Paused: lives = 7 x5" in text for text in banners(open_game)))
