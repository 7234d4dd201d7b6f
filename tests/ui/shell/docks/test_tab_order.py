"""Tab goes through each panel as one reads, out of it again, and never behind another tab.

It is a button of the open game, whose screen only Shift+Tab leaves."""

from itertools import pairwise

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from integrator.ui.score.texts.code_editor import CodeEditor
from integrator.ui.shell.docks.workspaces import reading_order
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import is_in_sight


def tabbed(window: MainWindow, start: QWidget, *, back: bool = False) -> QWidget:
    """The control that has the keyboard after Tab in ``start``."""
    start.setFocus()
    assert QApplication.focusWidget() is start
    if isinstance(start, CodeEditor):  # there Tab indents
        QTest.keyClick(start, Qt.Key.Key_Escape)
    keys = Qt.KeyboardModifier.ShiftModifier if back else Qt.KeyboardModifier.NoModifier
    QTest.keyClick(start, Qt.Key.Key_Backtab if back else Qt.Key.Key_Tab, keys)
    found = QApplication.focusWidget()
    assert found is not None
    assert found.window() is window
    return found


def is_before(one: QWidget, other: QWidget, panel: QWidget) -> bool:
    """True when a reader comes to ``one`` first: it is above, or in the same row to the left."""
    if one.isAncestorOf(other):
        return True
    here, there = (each.mapTo(panel, QPoint(0, 0)) for each in (one, other))
    if here.y() + one.height() < there.y() + other.height() / 2:
        return True
    return there.y() + other.height() > here.y() and here.x() <= there.x()


def test_tab_reads_each_panel_and_leaves_it(open_game: MainWindow, qtbot: QtBot) -> None:
    window = open_game
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    walked = 0
    for key, dock in window.docks.all.items():
        dock.come_forward()
        qtbot.waitUntil(lambda d=dock: is_in_sight(d))  # type: ignore[misc] # bound at once
        order = reading_order(dock)
        if not order:
            continue
        present, visited = order[0], []
        while dock.isAncestorOf(present):
            assert present not in visited, key
            visited.append(present)
            present = tabbed(window, present)
        for one, other in pairwise(visited):
            assert is_before(one, other, dock), (key, one, other)
            assert is_before(tabbed(window, other, back=True), other, dock), key
        assert len(visited) >= len(reading_order(dock)), key
        walked += len(visited)
        outside = present
        docks = [each for each in window.docks.all.values() if each.isAncestorOf(outside)]
        assert all(map(is_in_sight, docks)), key
    assert walked > 40


def test_tab_comes_round_the_whole_window(open_game: MainWindow, qtbot: QtBot) -> None:
    window = open_game
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    screen = window.screen_panel.game_screen
    for workspace in ("play", "review"):
        window.use_workspace(workspace)
        controls = reading_order(window.screen_panel)
        present = controls[controls.index(screen) + 1]
        seen: list[QWidget] = []
        while present is not screen:
            assert present not in seen
            seen.append(present)
            present = tabbed(window, present)
        assert {*controls, window.top_bar.search_button} - {screen} <= {*seen}
        shown = {key for key, dock in window.docks.all.items() if is_in_sight(dock)}
        docks = [d for d in window.docks.all.values() if any(map(d.isAncestorOf, seen))]
        assert {dock.objectName() for dock in docks} == shown
        assert tabbed(window, screen, back=True) is seen[-1]
