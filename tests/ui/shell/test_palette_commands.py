"""The command palette finds commands, panels, variables, states and games."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from integrator.ui.shell.main_window import MainWindow
from integrator.ui.shell.palette_commands import MOST_SHOWN, Command
from integrator.ui.widgets.docks import is_in_sight
from integrator.ui.widgets.theme import Theme, ThemeChoice


def command(window: MainWindow, text: str) -> Command:
    return next(each for each in window.palette_commands.all() if each.text == text)


def test_the_palette_brings_a_panel_to_the_front_first(open_game: MainWindow, qtbot: QtBot) -> None:
    cheats = open_game.docks.all["cheats"]
    qtbot.waitUntil(lambda: not is_in_sight(cheats))
    assert command(open_game, "Cheats panel").hint == "hidden"
    command(open_game, "Cheats panel").run()
    qtbot.waitUntil(lambda: is_in_sight(cheats))
    assert command(open_game, "Cheats panel").hint == "shown"
    command(open_game, "Cheats panel").run()
    assert cheats.isHidden()


pytestmark = pytest.mark.usefixtures("qapp")


def test_the_palette_finds_actions_variables_and_states(open_game: MainWindow) -> None:
    texts = {command.text for command in open_game.palette_commands.all()}
    assert {"Reset", "Frame advance", "lives", "score", "Level1"} <= texts
    assert {"Find workspace", "Memory panel", "Theme: dark", "New window"} <= texts


def test_the_palette_finds_every_game_of_the_library(open_game: MainWindow, qtbot: QtBot) -> None:
    palette = open_game.palette_commands.open()
    palette.field.setText("sonic hedgehog genesis")
    qtbot.waitUntil(lambda: palette.list.count() > 0)
    assert palette.list.item(0).text().startswith("SonicTheHedgehog")
    games = open_game.welcome.library.model.all
    assert len(games) > 1000
    palette.field.setText("a")
    assert palette.list.count() == MOST_SHOWN
    palette.close()


def test_the_palette_lists_commands_then_panels_then_names_then_games(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    palette = open_game.palette_commands.open()
    palette.field.setText("light")

    def listed() -> list[str]:
        return [palette.list.item(row).text() for row in range(palette.list.count())]

    # Games have names of one word.
    qtbot.waitUntil(lambda: any("Light" in text for text in listed()))
    assert listed()[0].startswith("Theme: light")
    for query, groups in (("me", {0, 1, 3}), ("lives", {2}), ("score", {0, 2}), ("s", {0})):
        palette.field.setText(query)
        rows = range(palette.list.count())
        found = [palette.list.item(r).data(Qt.ItemDataRole.UserRole).kind for r in rows]
        assert found == sorted(found)
        assert groups <= set(found)
    palette.field.setText("light")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert Theme.now.choice is ThemeChoice.LIGHT
