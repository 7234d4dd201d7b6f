"""The table of workspaces, the window that holds the docks, full screen, and the Tab order."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QPoint, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget, QMainWindow, QMenu, QTabBar, QTabWidget, QWidget

from integrator.domain.words import tr
from integrator.ui import widgets as ui
from integrator.ui.window_context import Part


def reading_order(panel: QWidget) -> list[QWidget]:
    """Return the controls of a panel that Tab can reach now: by rows, each from left to right."""
    return _ordered(panel, _controls(panel))


def _controls(panel: QWidget) -> list[QWidget]:
    by_tab, found = Qt.FocusPolicy.TabFocus, panel.findChildren(QWidget)
    seen = (each for each in found if each.isVisible() and each.isEnabled())
    return [w for w in seen if w.focusPolicy() & by_tab == by_tab and w.focusProxy() is None]


def _ordered(panel: QWidget, controls: Sequence[QWidget]) -> list[QWidget]:
    """Return controls by rows; those inside a scroll area follow it at any scroll position."""
    inside = {
        outer: [each for each in controls if each is not outer and outer.isAncestorOf(each)]
        for outer in controls
    }
    inner = {each for kept in inside.values() for each in kept}
    boxes = {w: QRect(w.mapTo(panel, QPoint(0, 0)), w.size()) for w in controls if w not in inner}
    rows: list[list[QWidget]] = []
    for each in sorted(boxes, key=lambda each: (boxes[each].top(), boxes[each].left())):
        if rows and boxes[each].center().y() <= boxes[rows[-1][0]].bottom():
            rows[-1].append(each)
        else:
            rows.append([each])
    order: list[QWidget] = []
    for row in rows:
        for each in sorted(row, key=lambda each: boxes[each].left()):
            order += [each, *_ordered(panel, inside[each])]
    return order


def next_control(
    center: QWidget, docks: Sequence[ui.PanelDock], present: QWidget, forward: bool
) -> QWidget | None:
    """Return the control that Tab moves to from ``present``; None if nothing is in sight.
    ``center`` comes first, then the docks from left to right, then the rest of the window, so that
    no panel traps the keyboard. A floating panel is a window of its own, with Qt's order."""
    window = center.window()
    # Qt's focus chain is not used: PySide would treat the children of its widgets as deleted.
    seen = [each for each in docks if ui.is_in_sight(each) and not each.isFloating()]
    seen.sort(key=lambda each: (each.x(), each.y()))
    order = [control for panel in (center, *seen) for control in reading_order(panel)]
    inside = {each for panel in (center, *docks) for each in panel.findChildren(QWidget)}
    others = [each for each in _controls(window) if each not in inside and each.window() is window]
    order += _ordered(window, others)
    if not order:
        return None
    if present not in order:
        return order[0 if forward else -1]
    return order[(order.index(present) + (1 if forward else -1)) % len(order)]


class Workspace(NamedTuple):
    """A named arrangement of docks. ``text`` and ``tip`` are untranslated. ``widths`` are the
    widths of the columns right of the screen, as shares of the window's width."""

    key: str
    text: str
    tip: str
    widths: tuple[float, ...]


WORKSPACES: tuple[Workspace, ...] = (
    Workspace("play", tr("Play"), tr("Play, and keep start states"), (0.30,)),
    Workspace("find", tr("Find"), tr("Find variables in memory"), (0.42,)),
    Workspace(
        "score", tr("Score"), tr("Say what is rewarded and what ends an episode"), (0.31, 0.25)
    ),
    Workspace(
        "review", tr("Review"), tr("Movies, inputs and plots of what was played"), (0.33, 0.23)
    ),
    Workspace("agents", tr("Agents"), tr("Let agents play, and look for traps"), (0.46,)),
)


def workspaces() -> list[tuple[str, str, str]]:
    """Key, text and tooltip of each workspace, in the user's language."""
    return [(each.key, ui.words(each.text), ui.words(each.tip)) for each in WORKSPACES]


class Workbench(QMainWindow):
    """The window of screen and docks inside the main window, so that docks never cover the bars."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowFlags(Qt.WindowType.Widget)
        kinds = QMainWindow.DockOption
        self.setDockOptions(kinds.AnimatedDocks | kinds.AllowNestedDocks | kinds.AllowTabbedDocks)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to hide or float the panel whose tab or header was clicked."""
        at = self.childAt(event.pos())
        dock = at.parent() if isinstance(at, ui.PanelHeader) else None
        if isinstance(dock, QDockWidget):
            name = dock.windowTitle()
        elif isinstance(at, QTabBar):
            name = at.tabText(at.tabAt(at.mapFrom(self, event.pos())))
        else:
            super().contextMenuEvent(event)
            return
        for dock in self.findChildren(QDockWidget):
            if name and dock.windowTitle() == name:
                menu = QMenu(self)
                menu.addAction(self.tr("Hide {0}").format(name), dock.close)
                take_out = partial(dock.setFloating, True)  # noqa: FBT003 - Qt's signature
                menu.addAction(self.tr("Take out of the window"), take_out)
                ui.pop_up(menu, event.globalPos())


class FullScreen(Part):
    """Hides everything around the picture for full screen, and restores it afterwards."""

    def _set_up(self) -> None:
        window, panel = self._window, self._screen
        action = self._actions["full_screen"]
        self._workbench = self._parts[Workbench]
        bars = filter(None, (window.menuWidget(), window.statusBar()))
        self._around = (*bars, panel.header, panel.transport, panel.timeline)
        self._hidden: list[QWidget] = []
        self._layout = QByteArray()
        self._was_maximized = False
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), window, enabled=False)
        self._escape.activated.connect(lambda: action.setChecked(False))
        action.toggled.connect(self._set)

    def _set(self, on: bool) -> None:
        window = self._window
        self._escape.setEnabled(on)
        if on:
            self._was_maximized = window.isMaximized()
            self._layout = self._workbench.saveState()
            self._take_back(ui.SIZES.gap)
            around = (*self._around, *self._workbench.findChildren(QDockWidget))
            self._hidden = [each for each in around if not each.isHidden()]
            for each in self._hidden:
                each.hide()
            window.showFullScreen()
        else:
            for each in self._hidden:
                each.show()
            self._take_back(0)
            self._workbench.restoreState(self._layout)
            (window.showMaximized if self._was_maximized else window.showNormal)()

    def _take_back(self, gap: int) -> None:
        """Let the picture cover the ``gap`` that the window's layout leaves around it."""
        if (around := self._window.centralWidget()) is not None:
            around.setContentsMargins(-gap, -gap, -gap, -gap)
