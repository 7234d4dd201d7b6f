"""The Plots panel: variables and reward over the timeline; its cursor is the frame shown."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QVBoxLayout, QWidget

from integrator.ui.flow_layout import FlowLayout
from integrator.ui.panels import EmptyOr, EmptyState, set_role
from integrator.ui.theme import Theme

if TYPE_CHECKING:
    from integrator.ui.plots_canvas import PlotsCanvas

REWARD = "reward, summed"
"""The series besides the variables."""


class PlotsView(QWidget):
    """``chosen_changed``: other series are wanted. ``seek_requested``: a frame was clicked."""

    chosen_changed = Signal()
    seek_requested = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._names: tuple[str, ...] = ()
        self.chosen: list[str] = []
        self._frame = 1
        self.canvas: PlotsCanvas | None = None
        self._build_ui()

    def _build_ui(self) -> None:
        self.add = QPushButton(self._theme.icons.icon("plus"), self.tr("series"))
        set_role(self.add, "flat")
        self._menu = QMenu(self.add)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.add.setMenu(self._menu)
        chips = QWidget()
        self._flow = FlowLayout(chips)
        bar = QFrame()
        around = QVBoxLayout(bar)
        around.setContentsMargins(9, 6, 9, 2)
        around.addWidget(chips)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(bar)
        self._column = column
        empty = EmptyState(
            self._theme,
            "plot",
            self.tr("Nothing to plot"),
            self.tr("Open a game and play: its variables and the reward are drawn here."),
        )
        self.pages = EmptyOr(empty, body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.pages)

    # -- what it shows ----------------------------------------------------------------------

    def set_names(self, names: Sequence[str], rewarded: Sequence[str]) -> None:
        """Variables to offer; those that are rewarded are shown at first."""
        first = not self._names and bool(names)
        self._names = tuple(names)
        if first and not self.chosen:
            self.chosen = [REWARD, *[name for name in rewarded if name in names][:3]]
        self.chosen = [name for name in self.chosen if name == REWARD or name in names]
        self.pages.show_content(bool(names))
        self._arrange()

    def clear(self) -> None:
        """No game is open."""
        self._names, self.chosen = (), []
        self.pages.show_content(present=False)
        self._arrange()

    def show_series(self, first: int, series: Mapping[str, NDArray[np.float64]]) -> None:
        """Draw series that begin at frame ``first``, float64 of shape (frames,) each."""
        if self.canvas is not None:
            self.canvas.show_series(first, series)

    def show_cursor(self, frame: int) -> None:
        """Mark the frame on the screen."""
        self._frame = frame
        if self.canvas is not None:
            self.canvas.show_cursor(frame)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """The first time, make the canvas: its library would delay the start of the program."""
        super().showEvent(event)
        if self.canvas is None:
            module = importlib.import_module("integrator.ui.plots_canvas")
            self.canvas = module.PlotsCanvas(self._theme)
            self.canvas.seek_requested.connect(self.seek_requested)
            self._column.addWidget(self.canvas, 1)
            self._arrange()
            self.canvas.show_cursor(self._frame)

    def toggle(self, name: str) -> None:
        """Show a series, or no longer."""
        if name in self.chosen:
            self.chosen.remove(name)
        else:
            self.chosen.append(name)
        self._arrange()
        self.chosen_changed.emit()

    def _fill_menu(self) -> None:
        self._menu.clear()
        for name in (REWARD, *self._names):
            action = self._menu.addAction(name)
            action.setCheckable(True)
            action.setChecked(name in self.chosen)
            action.triggered.connect(lambda _=False, n=name: self.toggle(n))

    def _arrange(self) -> None:
        self._fill_chips()
        if self.canvas is not None:
            self.canvas.arrange(self.chosen)

    def _fill_chips(self) -> None:
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None and widget is not self.add:
                widget.hide()
                widget.deleteLater()
        for name in self.chosen:
            chip = QPushButton(f"{name}  ×")
            set_role(chip, "chip")
            chip.setToolTip(self.tr("Do not plot it any more"))
            chip.clicked.connect(lambda _=False, n=name: self.toggle(n))
            self._flow.addWidget(chip)
        self._flow.addWidget(self.add)
