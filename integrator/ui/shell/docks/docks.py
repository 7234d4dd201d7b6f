"""The docks of the window: created from the table of panels, and arranged by workspace."""

import zlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, pairwise
from typing import Any, Generic, Self, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QMainWindow, QTabBar

from integrator.session.edits.editor import EVERYTHING
from integrator.ui import widgets as ui
from integrator.ui.bridge.game import GameController
from integrator.ui.shell.docks.workspaces import WORKSPACES
from integrator.ui.window_context import PanelView, WindowContext

BELOW = -1  # the column of panels that lie side by side below the screen

V = TypeVar("V", bound=PanelView)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """The place of a panel in a workspace. ``column`` counts from the screen to the right, or is
    BELOW; ``row`` counts from the top. Panels in the same column and row are tabs; tab 0 is in
    front, and its ``share`` is the panel's part of the height."""

    workspace: str
    column: int
    row: int
    tab: int = 0
    share: int = 0


@dataclass(frozen=True)  # With slots, Panel[...]() fails on Python 3.11.
class Panel(Generic[V]):
    """A row of the table of panels in ``panels.py``; :meth:`at` adds its places. Saved layouts
    identify the dock by ``key``. ``title`` is untranslated. ``connect`` connects the view to other
    panels once all exist. The view is built when the panel is first seen or used, or together with
    the window if ``always``, for panels that work while out of sight. A ``noted`` panel has a
    header with a note even as a tab; the note goes with the game."""

    key: str
    title: str
    view: Callable[[WindowContext], V]
    connect: Callable[[WindowContext, V], object] = lambda *_: None
    always: bool = False
    noted: bool = False
    places: tuple[Place, ...] = ()

    def at(self, workspace: str, column: int, row: int, tab: int = 0, share: int = 0) -> Self:
        return replace(self, places=(*self.places, Place(workspace, column, row, tab, share)))


class _StandIn(QObject):
    """A stand-in for the bridge or controller, for a panel that is built late. It repeats the
    signals of ``source`` about the game's state, and can also emit them for that panel alone."""

    opened = Signal(object)
    documents_changed = Signal(object, object)
    frame_ready = Signal(object)
    readout_ready = Signal(object)
    timeline_moved = Signal(object)

    def __init__(self, source: QObject) -> None:
        super().__init__(source)
        self._source = source
        theirs = "opened", "documents_changed", "frame_ready", "readout_ready", "timeline_moved"
        for name in filter(partial(hasattr, source), theirs):
            getattr(source, name).connect(getattr(self, name))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    follow = GameController.follow


def _catch_up(context: WindowContext) -> None:
    """Announce the open game to the one panel whose context has stand-ins."""
    bridge, controller, facts = context.bridge, context.controller, context.screen.timeline.facts
    documents, last = controller.documents, controller.last
    if controller.game is None or documents is None:
        return
    game = replace(controller.game, documents=documents)
    controller.documents_changed.emit(documents, EVERYTHING)
    bridge.opened.emit(game)
    if last is not None:
        bridge.frame_ready.emit(last)
        bridge.readout_ready.emit(last)
    if facts is not None:
        controller.timeline_moved.emit(facts)


RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_ACROSS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical

# height in pixels of the screen's column: bars, and a picture of 224 lines at twice its size
_SCREEN_HEIGHT = 600

Placed = tuple[Place, ui.PanelDock]


class Docks(QObject):
    """One dock for each panel, filled when the panel is first seen or used. The ``workspace``
    decides the arrangement; ``changed`` gives the key of a workspace that was chosen."""

    changed = Signal(str)

    def __init__(
        self, window: QMainWindow, context: WindowContext, panels: Sequence[Panel[Any]]
    ) -> None:
        super().__init__(window)
        self._window, self._context, self.panels = window, context, tuple(panels)
        self.all: dict[str, ui.PanelDock] = {}
        self._empty = {panel.key: panel for panel in panels}
        self._filled: list[ui.PanelDock] = []
        # Settle once, after Qt has moved all docks of an arrangement.
        self._moved = ui.settle_timer(window, 0, self.settle)
        self._depth = 0
        self._then: deque[Callable[[], object]] = deque()
        context.actions.shortcuts.complete = self.fill_all
        for panel in panels:
            fill = partial(self.fill, panel)
            dock = ui.PanelDock(panel.key, ui.words(panel.title), noted=panel.noted)
            self.all[panel.key] = dock
            window.addDockWidget(RIGHT, dock)
            toggle, group = dock.toggleViewAction(), ui.translate("WindowMenus", "Panels")
            context.actions.shortcuts.add(f"panel-{panel.key}", group, toggle)
            context.parts.offer(panel.view, fill)
            dock.content_wanted.connect(fill)
            # A dock that is shown again may be behind a tab, so it is raised.
            toggle.triggered.connect(lambda shown, d=dock: d.raise_() if shown else None)
            for moved in (dock.visibilityChanged, dock.dockLocationChanged, dock.topLevelChanged):
                moved.connect(lambda *_: self._moved.start())
        # The version identifies the docks: a layout saved with other docks would misplace some.
        self._version = zlib.crc32(" ".join(sorted(self.all)).encode()) & 0x7FFF_FFFF
        self.workspace = self._kept_as = ""
        self._shown = False

    def settle(self) -> None:
        """Update titles and tab bars to a new arrangement, and fill panels that came into sight."""
        for dock in self.all.values():
            stack = self._window.tabifiedDockWidgets(dock)
            tabbed = not dock.isFloating() and any(not each.isHidden() for each in stack)
            dock.set_titled(not tabbed)
        # Qt does not remove the tab bars of the previous arrangement.
        shown = {dock.windowTitle() for dock in self.all.values() if not dock.isHidden()}
        for bar in self._window.findChildren(QTabBar):
            named = {bar.tabText(at) for at in range(bar.count())}
            if bar.parent() is self._window and len(named & shown) < 2:
                bar.hide()
        # A new panel missed that its dock came into sight, so the signal is emitted again.
        filled, self._filled = self._filled, []
        for dock in filled:
            dock.visibilityChanged.emit(ui.is_in_sight(dock))
        for panel in [each for each in self._empty.values() if ui.is_in_sight(self.all[each.key])]:
            self.fill(panel)

    def fill_all(self) -> None:
        """Fill every dock, because only a view's keys are known to the shortcuts."""
        for panel in self.panels:
            self.fill(panel)

    def fill(self, panel: Panel[Any]) -> None:
        """Build the view of a dock unless it has one, and announce an open game to the view."""
        if self._empty.pop(panel.key, None) is None:
            return
        context, dock = self._context, self.all[panel.key]
        bridge, controller = _StandIn(context.bridge), _StandIn(context.controller)
        late: dict[str, Any] = {"bridge": bridge, "controller": controller, "dock": dock}
        context = replace(context, **late)
        self._depth += 1
        try:
            view = panel.view(context)
            dock.fill(view)
            if panel.noted:
                bridge.closed.connect(dock.header.note.clear)
            context.parts.add(view)
            group = ui.translate("PanelPages", "{0} panel").format(dock.windowTitle())
            context.actions.shortcuts.add_panel(view, group)
            self._filled.append(dock)
            self._moved.start()
            # A panel may use another panel, which must exist first, so connections are made last.
            self._then.append(partial(panel.connect, context, view))
            self._then.append(partial(_catch_up, context))
            while self._depth == 1 and self._then:
                self._then.popleft()()
        finally:
            self._depth -= 1

    @property
    def is_low(self) -> bool:
        """True if panels below the screen would leave too little height for the picture."""
        return self._window.height() - _SCREEN_HEIGHT < 150

    def _placed(self) -> list[Placed]:
        """Return docks sorted by place; in a low window, those below the screen become tabs."""
        places = [(place, self.all[panel.key]) for panel in self.panels for place in panel.places]
        placed = [each for each in places if each[0].workspace == self.workspace]
        if self.is_low:
            left = [place for place, _ in placed if place.column == 0]
            shared = {place.row for place in left if place.tab}
            # In a narrow window, there is no room for a further tab next to others.
            wide = self._window.width() >= 1100
            row = max(left, key=lambda each: ((each.row in shared) is wide, each.share)).row
            for at, (place, dock) in enumerate(placed):
                if place.column == BELOW:
                    placed[at] = replace(place, column=0, row=row, tab=99), dock
        return sorted(placed, key=lambda each: each[0])

    def use(self, workspace: str) -> None:
        """Arrange the docks of a workspace as the user left them, or else by their places."""
        self.keep()
        self.workspace = workspace
        self._apply()
        self.changed.emit(workspace)

    def reset(self) -> None:
        self._context.settings.forget_layouts()
        self._arrange()

    def keep(self) -> None:
        if self.workspace and self._shown:
            self._context.settings.set_layout(self._kept_as, self._window.saveState(self._version))
            self._context.settings.workspace = self.workspace

    def window_shown(self) -> None:
        """Apply the layout, since dock widths are shares of the window's width, known only now."""
        if not self._shown:
            self._shown = True
            QTimer.singleShot(0, self, self._apply)

    def _apply(self) -> None:
        # A low window has its own layout, as panels below the screen would hide the picture.
        self._kept_as = f"{self.workspace}-low" if self.is_low else self.workspace
        state = self._context.settings.layout(self._kept_as)
        if state is None or not self._window.restoreState(state, self._version):
            self._arrange()
        self.settle()

    def _arrange(self) -> None:
        """Move the docks to their panels' places in the workspace, and hide all other docks."""
        window = self._window
        for dock in self.all.values():
            dock.put_back()
            window.removeDockWidget(dock)
        placed = self._placed()
        fronts = [each for each in placed if each[0].tab == 0]
        for _, dock in fronts:
            dock.content_wanted.emit()
        grouped = groupby(fronts, lambda each: each[0].column)
        columns = {column: list(group) for column, group in grouped}
        below = columns.pop(BELOW, [])
        heads = [column[0][1] for column in columns.values()]
        # Columns are split first, because splitting a row first would put the next column into it.
        window.addDockWidget(RIGHT, heads[0])
        for left, head in pairwise(heads):
            window.splitDockWidget(left, head, _ACROSS)
        for column in columns.values():
            for (_, above), (_, dock) in pairwise(column):
                window.splitDockWidget(above, dock, _DOWN)
        for _, dock in below:
            window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
        self._hide_others(placed, columns[0])
        front = placed[0][1]
        for place, dock in placed:
            if place.tab == 0:
                front = dock
            else:
                window.tabifyDockWidget(front, dock)
                front.raise_()
        widths = next(each.widths for each in WORKSPACES if each.key == self.workspace)
        pixels = [round(width * window.width()) for width in widths]
        window.resizeDocks(heads, pixels, _ACROSS)
        room = window.height() - _SCREEN_HEIGHT
        for column in columns.values():
            window.resizeDocks([d for _, d in column], [p.share for p, _ in column], _DOWN)
        heights = [min(place.share, room) for place, _ in below]
        window.resizeDocks([dock for _, dock in below], heights, _DOWN)

    def _hide_others(self, placed: Sequence[Placed], first: Sequence[Placed]) -> None:
        # Prefer a panel that is tabbed already; a panel without tabs would get a tab bar.
        shared = {place.row for place, _ in placed if place.tab and place.column == 0}
        _, behind = max(first, key=lambda each: (each[0].row in shared, each[0].row))
        shown = [dock for _, dock in placed]
        for dock in self.all.values():
            if dock not in shown:
                # Hidden docks get a place too, as restoring a layout shows docks that it lacks.
                # They are tabs, as further rows would make the window higher than the screen.
                self._window.addDockWidget(RIGHT, dock)
                self._window.tabifyDockWidget(behind, dock)
            dock.setVisible(dock in shown)
