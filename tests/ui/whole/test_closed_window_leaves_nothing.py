"""The remains of closed windows and switched themes: nothing piles up."""

import gc
import sys
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QSize, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from ui_driver import delete_windows, open_and_wait

from integrator.app import build_window, run_window
from integrator.session.library.entries import LibraryEntry
from integrator.ui.find.find_view import FindView
from integrator.ui.library import library_controller
from integrator.ui.memory.variables import VariablesView
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.widgets.docks import is_in_sight
from integrator.ui.widgets.theme import Theme, ThemeChoice


def test_a_closed_window_is_forgotten_with_all_its_parts(
    qapp: QApplication, qtbot: QtBot, settings_path: Path, own_home: Path, airstriker: Path
) -> None:
    assert own_home.is_dir()
    window = build_window(qapp, settings_path)
    window.show()
    open_and_wait(window, qtbot, airstriker)
    window.docks.fill_all()
    parts = (
        window,
        window.bridge,
        window.controller,
        window.parts[VariablesView],
        window.parts[FindView],
    )
    left = [weakref.ref(part) for part in parts]
    delete_windows(qapp, [window])
    del window, parts
    gc.collect()
    assert [ref() for ref in left] == [None] * len(left)


def test_a_game_that_opens_while_the_window_closes_ends_with_it(
    window: MainWindow, qtbot: QtBot, airstriker: Path
) -> None:
    window.open_path(airstriker)
    bridge = window.bridge
    present = [bridge.is_opening]
    window.close()
    qtbot.wait(0)  # for the answer that was on its way
    present += [bridge.is_opening, bridge.is_open]
    assert present == [True, False, False]


@pytest.mark.usefixtures("own_home", "own_crash_handler")
def test_threads_end_with_the_event_loop_even_while_the_window_is_open(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    given_up = threading.Event()

    def endless(*_: object) -> Iterator[list[LibraryEntry]]:
        while not given_up.wait(0.01):
            yield []

    monkeypatch.setattr(library_controller, "scan_library", endless)
    # The window puts its own there.
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)

    def scans() -> bool:
        return any(each.name.startswith("library") for each in threading.enumerate())

    timer = QTimer()
    timer.timeout.connect(lambda: qapp.exit(7) if scans() else None)
    timer.start(20)
    try:
        assert run_window() == 7
        assert not scans()
    finally:
        given_up.set()
        tops = QApplication.topLevelWidgets()
        delete_windows(qapp, [each for each in tops if isinstance(each, MainWindow)])


def test_a_panel_that_qt_has_deleted_is_not_in_sight(qtbot: QtBot) -> None:
    panel = QWidget()
    qtbot.addWidget(panel)
    panel.show()
    qtbot.waitUntil(lambda: is_in_sight(panel))
    shiboken6.delete(panel)
    assert not is_in_sight(panel)


def test_an_icon_is_drawn_once_for_each_theme(theme: Theme) -> None:
    def keys() -> list[int]:
        found = []
        for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
            theme.choose(choice)
            for role in ("normal", "good", "faint"):
                drawn = theme.icons.icon("undo", role).pixmap(QSize(30, 30), 1.0)
                found.append(drawn.cacheKey())
        return found

    first = keys()
    assert len(set(first)) == 6
    assert keys() == first
