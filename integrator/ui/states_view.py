"""The States panel: start states of the integration, and which one episodes begin with."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QMenu, QVBoxLayout, QWidget

from integrator.ui.actions import Actions
from integrator.ui.panels import EmptyOr, EmptyState
from integrator.ui.theme import Theme


class StatesView(QWidget):
    """Lists start states; a double click begins an episode there."""

    start_requested = Signal(str)
    load_requested = Signal(str)
    default_requested = Signal(str)
    rename_requested = Signal(str)
    removal_requested = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self._current = ""
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Start states"))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.list.itemActivated.connect(
            lambda item: self.start_requested.emit(item.data(Qt.ItemDataRole.UserRole))
        )
        empty = EmptyState(
            theme,
            "state",
            self.tr("No start states yet"),
            self.tr("Play to where an episode should begin and save that moment."),
            [actions["save_state"]],
        )
        self.pages = EmptyOr(empty, self.list)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.pages)

    def show_states(self, names: Sequence[str], current: str) -> None:
        """List ``names``; ``current`` is where episodes begin."""
        self._current = current
        self.list.clear()
        icons = self._theme.icons
        for name in names:
            text = (
                self.tr("{0}   ·   episodes begin here").format(name) if name == current else name
            )
            item = QListWidgetItem(
                icons.icon("state", "accent" if name == current else "normal"), text
            )
            item.setData(Qt.ItemDataRole.UserRole, name)
            item.setToolTip(self.tr("Double-click to begin an episode here"))
            self.list.addItem(item)
        self.pages.show_content(bool(names))

    def state_menu(self, name: str) -> QMenu:
        """What can be done with one state."""
        menu = QMenu(self)
        start = menu.addAction(self._theme.icons.icon("reset"), self.tr("Begin an episode here"))
        start.triggered.connect(lambda: self.start_requested.emit(name))
        load = menu.addAction(self._theme.icons.icon("open"), self.tr("Load, in the same episode"))
        load.triggered.connect(lambda: self.load_requested.emit(name))
        default = menu.addAction(self.tr("Make it the default"))
        default.triggered.connect(lambda: self.default_requested.emit(name))
        menu.addSeparator()
        rename = menu.addAction(self._theme.icons.icon("edit"), self.tr("Rename…"))
        rename.triggered.connect(lambda: self.rename_requested.emit(name))
        remove = menu.addAction(self._theme.icons.icon("trash"), self.tr("Delete"))
        remove.triggered.connect(lambda: self.removal_requested.emit(name))
        return menu

    def _open_menu(self, where: QPoint) -> None:
        item = self.list.itemAt(where)
        if item is not None:
            menu = self.state_menu(str(item.data(Qt.ItemDataRole.UserRole)))
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.list.viewport().mapToGlobal(where))
