"""The button that adds a variable to Reward or Done."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from integrator.ui.widgets.theme import Theme


class VariableMenuButton(QPushButton):
    """``+ term``: offers the variables, and further entries."""

    chosen = Signal(str)
    extra_chosen = Signal(str)

    def __init__(self, text: str, theme: Theme, extras: Sequence[tuple[str, str]]) -> None:
        super().__init__(theme.icons.icon("plus"), text)
        self._extras = tuple(extras)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self._names: Sequence[str] = ()
        self.setMenu(self._menu)
        self.setProperty("role", "flat")

    def set_names(self, names: Sequence[str]) -> None:
        """Variables to offer."""
        self._names = tuple(names)

    def open_menu(self, panel: QWidget) -> None:
        """Open the menu where the user clicked in its panel, or else below this button."""
        pointer = QCursor.pos()
        if panel.rect().contains(panel.mapFromGlobal(pointer)):
            self._menu.popup(pointer)
        else:
            self.showMenu()

    def _fill(self) -> None:
        self._menu.clear()
        for name in self._names:
            self._menu.addAction(name, partial(self.chosen.emit, name))
        if not self._names:
            self._menu.addAction(self.tr("Name a variable first")).setEnabled(False)
        self._menu.addSeparator()
        for key, text in self._extras:
            self._menu.addAction(text, partial(self.extra_chosen.emit, key))
