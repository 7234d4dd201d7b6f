"""Docks: their sizes in the workspaces, and panels without a place."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QSettings, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu, QTabBar
from pytestqt.qtbot import QtBot

from integrator.ui.settings import LAYOUT_VERSION, UiSettings
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import HEADER_HEIGHT, PanelDock, is_in_sight


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
        qtbot.waitUntil(lambda: window.screen_panel.width() > window.width() // 3)


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


def test_a_panel_whose_tab_names_it_does_not_repeat_its_name(
    open_game: MainWindow, qtbot: QtBot
) -> None:
    open_game.use_workspace("find")
    docks = open_game.docks.all
    find, facts, suggestions = (docks[key].header for key in ("find", "facts", "suggestions"))
    assert all(header.title.isHidden() for header in (find, facts, suggestions))
    assert suggestions.height() == 0
    for text in ("", "1 fits", "19", ""):  # the content may not move under the pointer
        facts.note.setText(text)
        assert 0 < facts.height() < HEADER_HEIGHT
        assert not facts.note.isHidden()
    docks["suggestions"].setFloating(True)
    qtbot.waitUntil(lambda: not suggestions.title.isHidden())
    assert suggestions.height() == HEADER_HEIGHT
    docks["suggestions"].setFloating(False)
    open_game.use_workspace("score")
    assert not docks["reward"].header.title.isHidden()
    for key in ("script", "console"):
        docks[key].close()
    qtbot.waitUntil(lambda: docks["json"].header.height() == HEADER_HEIGHT)


def test_a_panel_that_is_first_shown_as_a_tab_does_not_repeat_its_name(qtbot: QtBot) -> None:
    """Its header is made only then, after the docks were arranged."""
    dock = PanelDock("facts", "Facts", noted=True)
    qtbot.addWidget(dock)
    dock.set_titled(False)
    dock.show()
    assert dock.header.title.isHidden()
    assert dock.header.height() < HEADER_HEIGHT


def test_no_note_of_a_panel_outlives_its_game(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.docks.fill_all()
    open_game.use_workspace("score")
    open_game.bridge.advance_frame()
    notes = {key: dock.header.note for key, dock in open_game.docks.all.items()}
    known = ("variables", "memory", "reward", "actions")
    qtbot.waitUntil(lambda: all(notes[key].text() for key in known))
    open_game.bridge.close_game()
    qtbot.waitUntil(lambda: not open_game.bridge.is_open)
    assert [key for key, note in notes.items() if note.text()] == []


def test_a_panel_is_hidden_and_taken_out_by_its_tab(open_game: MainWindow, qtbot: QtBot) -> None:
    open_game.use_workspace("find")
    docks, workbench = open_game.docks.all, open_game.workbench
    [bar] = [
        each
        for each in workbench.findChildren(QTabBar)
        if "Suggestions" in [each.tabText(at) for at in range(each.count())]
    ]
    qtbot.waitUntil(lambda: bar.isVisible() and is_in_sight(docks["find"]))

    def choose(tab: str, text: str) -> None:
        [at] = [at for at in range(bar.count()) if bar.tabText(at) == tab]
        where, reason = bar.tabRect(at).center(), QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(bar, QContextMenuEvent(reason, where, bar.mapToGlobal(where)))
        [menu] = [each for each in workbench.findChildren(QMenu) if each.isVisible()]
        [action] = [each for each in menu.actions() if each.text() == text]
        action.trigger()
        menu.close()

    choose("Ends", "Hide Ends")
    qtbot.waitUntil(docks["ends"].isHidden)
    choose("Suggestions", "Take out of the window")
    qtbot.waitUntil(docks["suggestions"].isFloating)


def test_low_windows_keep_a_layout_of_their_own(
    new_window: Callable[[], MainWindow], qtbot: QtBot
) -> None:
    """One with Memory under the screen would leave a low window half of its picture."""
    high = new_window()
    high.resize(1680, 1050)
    qtbot.waitUntil(lambda: not high.docks.is_low)
    high.use_workspace("find")
    below = Qt.DockWidgetArea.BottomDockWidgetArea
    assert high.workbench.dockWidgetArea(high.docks.all["memory"]) == below
    high.close()
    low = new_window()
    low.resize(1280, 690)
    qtbot.waitUntil(lambda: low.docks.is_low)
    low.use_workspace("play")
    low.use_workspace("find")
    assert low.workbench.dockWidgetArea(low.docks.all["memory"]) != below
    low.resize(1680, 1050)
    qtbot.waitUntil(lambda: not low.docks.is_low)
    low.use_workspace("play")
    low.use_workspace("find")
    assert low.workbench.dockWidgetArea(low.docks.all["memory"]) == below


@pytest.mark.parametrize("size", [(905, 760), (1280, 720)])
def test_the_tab_of_what_if_has_room_in_small_windows(
    window: MainWindow, qtbot: QtBot, size: tuple[int, int]
) -> None:
    def has_room() -> bool:
        bars = [bar for bar in window.workbench.findChildren(QTabBar) if bar.isVisible()]
        places = [
            bar.rect().contains(bar.tabRect(at))
            for bar in bars
            for at in range(bar.count())
            if bar.tabText(at) == "What-if"
        ]
        return places == [True]

    window.resize(*size)
    window.use_workspace("score")
    qtbot.waitUntil(has_room)
    assert (window.width(), window.height()) == size


def test_layouts_of_older_versions_are_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "window.ini"
    old = QSettings(str(path), QSettings.Format.IniFormat)
    old.setValue(f"layout-{LAYOUT_VERSION - 1}/find", QByteArray(b"old"))
    old.setValue(f"layout-{LAYOUT_VERSION}/find", QByteArray(b"new"))
    old.sync()
    settings = UiSettings(path)
    assert settings.layout("find") == b"new"
    settings.save()
    assert "old" not in path.read_text()


def test_a_panel_that_fails_does_not_keep_others_from_being_connected(window: MainWindow) -> None:
    def broken(_: object) -> object:
        raise RuntimeError("broken")

    docks, connected = window.docks, []
    failing, working = list(docks._empty.values())[:2]
    with pytest.raises(RuntimeError, match="broken"):
        docks.fill(replace(failing, view=broken))
    docks.fill(replace(working, connect=lambda *_: connected.append(working.key)))
    assert connected == [working.key]
