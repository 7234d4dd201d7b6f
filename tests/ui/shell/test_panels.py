"""A panel is one row: a made-up one is docked, listed, found by name and keys, and wired."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from integrator.ui.actions.shortcuts import ENTRIES
from integrator.ui.guide.help_controller import keys_page, panel_page
from integrator.ui.shell import main_window
from integrator.ui.shell.docks.docks import Panel, Place
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.shell.main_window import MainWindow
from integrator.ui.shell.panels import PANELS
from integrator.ui.widgets.docks import is_in_sight
from integrator.ui.window_context import PanelView, WindowContext


class ClockView(PanelView):
    text = ""

    def _set_up(self) -> None:
        self.given = (self._bridge, self._controller)

    def show_text(self, text: str) -> None:
        self.text = text


def _connect(context: WindowContext, view: ClockView) -> None:
    # Every view is there by now, also one that was built later.
    assert context.parts[ClockView] is view
    context.requests.reward_term.connect(view.show_text)


CLOCK = Panel[ClockView](
    "clock",
    "Clock",
    ClockView,
    _connect,
    places=(
        Place("play", 0, 2, share=60),
        Place("find", 0, 1, tab=2),
        Place("review", 1, 1, share=1),
    ),
)


@pytest.fixture
def clocked(
    new_window: Callable[[], MainWindow], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> MainWindow:
    """A window with the made-up panel, in front of the others of the program."""
    monkeypatch.setattr(main_window, "PANELS", (CLOCK, *PANELS))
    window = new_window()
    qtbot.waitActive(window)
    qtbot.wait(0)
    return window


def test_it_has_a_dock_where_its_row_says(clocked: MainWindow, qtbot: QtBot) -> None:
    dock = clocked.docks.all["clock"]
    assert (dock.objectName(), dock.windowTitle()) == ("clock", "Clock")
    assert dock.y() > clocked.docks.all["states"].y()
    bars = [bar for bar in clocked.workbench.findChildren(QTabBar) if bar.isVisible()]
    texts = [bar.tabText(at) for bar in bars for at in range(bar.count())]
    assert texts == ["States", "Cheats", "Observation", "Macros"]
    clocked.use_workspace("find")
    assert dock in clocked.workbench.tabifiedDockWidgets(clocked.docks.all["variables"])
    assert is_in_sight(clocked.docks.all["variables"])
    assert not is_in_sight(dock)
    clocked.use_workspace("score")
    assert dock.isHidden()
    clocked.use_workspace("review")
    qtbot.waitUntil(lambda: is_in_sight(dock))
    assert dock.y() > clocked.docks.all["input_log"].y()


def test_its_view_is_built_and_connected(clocked: MainWindow) -> None:
    view = clocked.parts[ClockView]
    bridge, controller = view.given
    assert (bridge.parent(), controller.parent()) == (clocked.bridge, clocked.controller)
    clocked.context.requests.reward_term.emit("7")
    assert view.text == "7"


def test_menu_palette_keys_and_help_know_it(clocked: MainWindow, qtbot: QtBot) -> None:
    keys = QKeySequence("Ctrl+Alt+C").toString(QKeySequence.SequenceFormat.NativeText)
    shortcuts = clocked.actions_by_key.shortcuts
    shortcuts.assign("panel-clock", "Ctrl+Alt+C")
    toggle = clocked.docks.all["clock"].toggleViewAction()
    assert toggle in clocked.menus.panels.actions()
    hints = {command.text: command.hint for command in clocked.palette_commands.all()}
    assert hints["Clock panel"].endswith(keys)
    assert f"| Clock | {keys} |" in keys_page(shortcuts)
    assert "Workspaces: Play, Find, Review" in panel_page("clock", clocked.docks, shortcuts)
    shown = clocked.docks.all["clock"].isVisible()
    QTest.keyClick(
        clocked,
        Qt.Key.Key_C,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier,
    )
    qtbot.waitUntil(lambda: clocked.docks.all["clock"].isVisible() is not shown)


def test_no_two_panels_have_one_place_and_no_two_commands_one_shortcut() -> None:
    places = [(p.workspace, p.column, p.row, p.tab) for panel in PANELS for p in panel.places]
    assert len(places) == len(set(places))
    assert {place[0] for place in places} == {workspace.key for workspace in WORKSPACES}
    keys = [spec.shortcut for spec in ENTRIES if spec.shortcut]
    assert len(keys) == len(set(keys))


def test_a_tab_stands_behind_a_panel_and_columns_have_widths() -> None:
    for workspace in WORKSPACES:
        here = [p for panel in PANELS for p in panel.places if p.workspace == workspace.key]
        fronts = {(place.column, place.row) for place in here if place.tab == 0}
        assert {(place.column, place.row) for place in here} == fronts
        assert len({column for column, _ in fronts if column >= 0}) == len(workspace.widths)
