"""Docks: their sizes in the workspaces, and panels without a place."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.panels import is_in_sight


def test_many_panels_do_not_make_the_window_higher(open_game: MainWindow, qtbot: QtBot) -> None:
    height = open_game.height()
    for dock in open_game.docks.all.values():
        if dock.isHidden():
            dock.toggleViewAction().trigger()
            qtbot.waitUntil(lambda d=dock: is_in_sight(d))  # type: ignore[misc]  # binds the loop's value
    assert open_game.height() == height
    assert open_game.minimumSizeHint().height() <= height


pytestmark = pytest.mark.usefixtures("qapp")


def test_panels_take_their_share_of_the_window_at_the_first_start(
    window: MainWindow, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: window.docks.all["variables"].width() > window.width() // 4)
    for key in (each.key for each in WORKSPACES):
        window.use_workspace(key)
        qtbot.wait(20)
        assert window.screen_panel.width() > window.width() // 3


def test_workspaces_come_back_as_they_were_left(window: MainWindow, qtbot: QtBot) -> None:
    def shown() -> set[str]:
        return {key for key, dock in window.docks.all.items() if not dock.isHidden()}

    qtbot.wait(20)
    first = {}
    for key in (each.key for each in WORKSPACES):
        window.use_workspace(key)
        first[key] = shown()
    window.use_workspace("review")
    window.docks.all["log"].hide()
    first["review"] = shown()
    assert len(first["play"]) < len(window.docks.all)
    for key in [each.key for each in WORKSPACES] * 2:
        window.use_workspace(key)
        assert shown() == first[key]
