"""The States panel: start states with their pictures, which one episodes begin with, slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from integrator.session.state_shelf import StateInfo
from integrator.ui.actions import Actions
from integrator.ui.panels import EmptyOr, EmptyState
from integrator.ui.states_slots import SlotStrip
from integrator.ui.states_tile import (
    GAP,
    CurrentRole,
    InfoRole,
    PictureRole,
    ProblemRole,
    StateTileDelegate,
    default_badges,
    state_tile_height,
)
from integrator.ui.theme import Theme

_LEAST_TILE = 116
_MOST_PLAYERS = 4


class StatesView(QWidget):
    """A gallery of start states; a double click begins an episode there.

    ``default_requested`` gives name and how many play; the other signals give the name.
    """

    start_requested = Signal(str)
    load_requested = Signal(str)
    default_requested = Signal(str, int)
    rename_requested = Signal(str)
    removal_requested = Signal(str)
    check_requested = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self._current = ""
        self._pictures: dict[str, Path] = {}
        self._problems: dict[str, str] = {}
        self.players = 1
        self.list = QListWidget()
        self.slots = SlotStrip(theme)
        self.tiles = StateTileDelegate(theme, self.list)
        self._build_list()
        self.slots.hide()
        empty = EmptyState(
            theme,
            "state",
            self.tr("No start states yet"),
            self.tr("Play to where an episode should begin and save that moment."),
            [actions["save_state"]],
        )
        self.pages = EmptyOr(empty, self.list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 2)
        layout.setSpacing(2)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self.slots)

    def _build_list(self) -> None:
        view = self.list
        view.setAccessibleName(self.tr("Start states"))
        view.setItemDelegate(self.tiles)
        view.setViewMode(QListView.ViewMode.IconMode)
        view.setMovement(QListView.Movement.Static)
        view.setResizeMode(QListView.ResizeMode.Adjust)
        view.setUniformItemSizes(True)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        view.setMouseTracking(True)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._open_menu)
        view.itemActivated.connect(
            lambda item: self.start_requested.emit(item.data(Qt.ItemDataRole.UserRole))
        )
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    # -- what it shows ----------------------------------------------------------------------

    def show_states(self, names: Sequence[str], current: str) -> None:
        """List ``names``; ``current`` is where episodes begin."""
        self._current = current
        if names != [self._name(row) for row in range(self.list.count())]:
            chosen = self.selected_name()
            self.list.clear()
            for name in names:
                item = QListWidgetItem(name)
                item.setData(Qt.ItemDataRole.UserRole, name)
                self.list.addItem(item)
                if name == chosen:
                    self.list.setCurrentItem(item)
        self._refresh()
        self.pages.show_content(bool(names))

    def show_facts(self, infos: Sequence[StateInfo], stamp: str) -> None:
        """Take what is known of the states; ``stamp`` is the running core."""
        known = {info.name: info for info in infos}
        self.tiles.stamp = stamp
        for row in range(self.list.count()):
            self.list.item(row).setData(InfoRole, known.get(self._name(row)))
        self._refresh()

    def show_picture(self, name: str, file: Path | None, problem: str) -> None:
        """Take what became of loading a state: its picture, or a problem."""
        self._problems.pop(name, None)
        if file is not None:
            self._pictures[name] = file
        else:
            self._pictures.pop(name, None)
            self._problems[name] = problem
        self._refresh()

    def forget_pictures(self) -> None:
        """Another game."""
        self._pictures.clear()
        self._problems.clear()

    def show_slots(self, files: Mapping[int, Path | None] | None) -> None:
        """Filled slots; None without a game."""
        self.slots.setVisible(files is not None)
        self.slots.show_slots(files or {})

    def _refresh(self) -> None:
        for row in range(self.list.count()):
            item, name = self.list.item(row), self._name(row)
            item.setData(CurrentRole, name == self._current)
            item.setData(PictureRole, self._pictures.get(name))
            item.setData(ProblemRole, self._problems.get(name))
            item.setToolTip(self._tip(item.data(InfoRole), name))

    def _tip(self, info: StateInfo | None, name: str) -> str:
        lines = [name]
        if name == self._current:
            lines.append(self.tr("episodes begin here now"))
        if default_badges(info):
            lines.append(self.tr("default: {0}").format(", ".join(default_badges(info))))
        if info is not None and info.stamp:
            lines.append(self.tr("saved by {0}").format(info.stamp))
            if self.tiles.stamp and info.stamp != self.tiles.stamp:
                lines.append(self.tr("this is {0}: save it again").format(self.tiles.stamp))
        problem = self._problems.get(name)
        if problem:
            lines.append(problem)
        lines.append(self.tr("Double-click to begin an episode here"))
        return "\n".join(lines)

    def _name(self, row: int) -> str:
        return str(self.list.item(row).data(Qt.ItemDataRole.UserRole))

    def selected_name(self) -> str | None:
        """The chosen state."""
        row = self.list.currentRow()
        return self._name(row) if row >= 0 else None

    # -- what the user does -----------------------------------------------------------------

    def state_menu(self, name: str) -> QMenu:
        """What can be done with one state."""
        menu = QMenu(self)
        icons = self._theme.icons
        start = menu.addAction(icons.icon("reset"), self.tr("Begin an episode here"))
        start.triggered.connect(lambda: self.start_requested.emit(name))
        load = menu.addAction(icons.icon("open"), self.tr("Load, in the same episode"))
        load.triggered.connect(lambda: self.load_requested.emit(name))
        menu.addSeparator()
        default = menu.addAction(self.tr("Make it the default"))
        default.triggered.connect(lambda: self.default_requested.emit(name, self.players))
        players = menu.addMenu(self.tr("Default for"))
        for count in range(1, _MOST_PLAYERS + 1):
            text = self.tr("1 player") if count == 1 else self.tr("{0} players").format(count)
            action = players.addAction(text)
            action.triggered.connect(lambda _=False, c=count: self.default_requested.emit(name, c))
        menu.addSeparator()
        rename = menu.addAction(icons.icon("edit"), self.tr("Rename…"))
        rename.triggered.connect(lambda: self.rename_requested.emit(name))
        check = menu.addAction(icons.icon("check"), self.tr("Check that it loads"))
        check.triggered.connect(lambda: self.check_requested.emit(name))
        remove = menu.addAction(icons.icon("trash"), self.tr("Delete"))
        remove.triggered.connect(lambda: self.removal_requested.emit(name))
        return menu

    def _open_menu(self, where: QPoint) -> None:
        item = self.list.itemAt(where)
        if item is not None:
            menu = self.state_menu(str(item.data(Qt.ItemDataRole.UserRole)))
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.list.viewport().mapToGlobal(where))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Tiles fill the width; Delete removes."""
        if watched is self.list.viewport() and event.type() is QEvent.Type.Resize:
            width = self.list.viewport().width() - 4
            cell = width // max(1, width // (_LEAST_TILE + GAP))
            self.tiles.cell = QSize(cell, state_tile_height(cell - GAP) + GAP)
            self.list.setGridSize(self.tiles.cell)
        elif (
            watched is self.list
            and isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Delete
        ):
            name = self.selected_name()
            if name is not None:
                self.removal_requested.emit(name)
            return True
        return super().eventFilter(watched, event)
