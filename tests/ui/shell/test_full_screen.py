"""Full screen shows the picture alone, and gives everything back."""

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot
from ui_driver import open_and_wait

from integrator.commands.shared.options import demo_game
from integrator.ui.shell.main_window import MainWindow


@pytest.fixture
def playing(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window with the demo game in it."""
    open_and_wait(window, qtbot, demo_game())
    return window


def test_full_screen_is_the_picture_alone_and_gives_everything_back(
    playing: MainWindow, qtbot: QtBot, new_window: Callable[[], MainWindow]
) -> None:
    action = playing.actions_by_key["full_screen"]
    docks = [dock for dock in playing.docks.all.values() if dock.isVisible()]
    assert docks
    around = [playing.top_bar, playing.statusBar(), playing.screen_panel.transport, *docks]
    action.setChecked(True)
    qtbot.waitUntil(lambda: not any(each.isVisible() for each in around))
    qtbot.waitUntil(playing.isFullScreen)
    assert playing.screen_panel.game_screen.isVisible()
    action.setChecked(False)
    qtbot.waitUntil(lambda: all(each.isVisible() for each in around))
    action.setChecked(True)
    playing.close()
    again = new_window()
    assert again.docks.all["variables"].isVisible()
    assert again.top_bar.isVisible()
