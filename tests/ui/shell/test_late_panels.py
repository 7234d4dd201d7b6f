"""Panels are built when they are first seen, and show then what they would show by now."""

import shutil
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot
from ui_driver import open_and_wait, step

from integrator.commands.shared.options import demo_game
from integrator.ui.find.ends import EndsView
from integrator.ui.find.facts import FactsView
from integrator.ui.find.find_view import FindView
from integrator.ui.memory.console_panel import ConsoleView
from integrator.ui.review.expectations_panel import ExpectationsView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.shell.panels import PANELS
from integrator.ui.widgets.docks import is_in_sight


def shown(panel: QWidget) -> list[str]:
    """The texts of a panel's labels, fields, buttons and cells, and what can be used of them."""
    texts = []
    for each in panel.findChildren(QWidget):
        usable = "" if each.isEnabledTo(panel) else " (off)"
        there = "" if each.isVisibleTo(panel) else " (hidden)"
        if isinstance(each, QLabel | QLineEdit | QAbstractButton):
            texts.append(each.text() + usable + there)
        elif isinstance(each, QComboBox):
            texts.append(each.currentText() + usable)
        elif isinstance(each, QAbstractItemView) and each.model() is not None:
            model = each.model()
            texts += [
                str(model.index(row, column).data() or "")
                for row in range(model.rowCount())
                for column in range(model.columnCount())
            ]
    return texts


def played(window: MainWindow, qtbot: QtBot, game: Path) -> MainWindow:
    """The window with a copy of the demo game in it that has run for a while."""
    open_and_wait(window, qtbot, Path(shutil.copytree(demo_game(), game)))
    window.bridge.ask(lambda session: session.advance(frames=150))
    step(window, qtbot)
    return window


def test_a_panel_that_comes_late_shows_what_an_early_one_does(
    new_window: Callable[[], MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    early, late = new_window(), new_window()
    early.docks.fill_all()
    for window, folder in ((early, "a"), (late, "b")):
        played(window, qtbot, tmp_path / folder / demo_game().name)
    assert late.parts.built(FindView) is None
    compared = 0
    for workspace in WORKSPACES:
        for window in (early, late):
            window.use_workspace(workspace.key)
        for panel in PANELS:
            if panel.places[0].workspace == workspace.key:
                docks = [window.docks.all[panel.key] for window in (early, late)]
                for dock in docks:
                    dock.show()
                    dock.raise_()
                qtbot.waitUntil(lambda each=docks: shown(each[0]) == shown(each[1]))  # type: ignore[misc] # bound at once
                compared += len(shown(docks[0]))
    assert compared > 800


def test_a_new_window_builds_what_is_seen(window: MainWindow, qtbot: QtBot) -> None:
    always = {panel.key for panel in PANELS if panel.always}
    seen = {key for key, dock in window.docks.all.items() if is_in_sight(dock)}
    docks = window.docks.all.items()
    cards = {key: dock.widget() for key, dock in docks if dock.widget() is not None}
    assert {key for key, card in cards.items() if card.layout()} == always | seen
    behind = {key for key, dock in docks if not dock.isHidden()}
    assert cards.keys() == always | behind, "a hidden dock has neither header nor card"
    assert len(window.findChildren(QWidget)) < 600
    window.docks.all["console"].show()
    window.docks.all["console"].raise_()
    qtbot.waitUntil(lambda: window.parts.built(ConsoleView) is not None)


def test_a_wish_builds_the_panel_that_fulfils_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    played(window, qtbot, tmp_path / demo_game().name)
    for kind in (RewardView, FactsView, EndsView, ExpectationsView):
        assert window.parts.built(kind) is None
    window.actions_by_key["add_reward"].trigger()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert menu.actions()
    menu.close()
    window.screen_panel.timeline.menu_requested.emit(3, -1, QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    texts = [action.text() for action in menu.actions()]
    menu.close()
    assert texts[0] == "Pin a fact to frame 3…"
    assert "An episode ends here" in texts
    assert any("Expect" in text for text in texts)
