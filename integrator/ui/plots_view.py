"""The Plots panel: variables and reward over the timeline; its cursor is the frame shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QVBoxLayout, QWidget

from integrator.ui.flow_layout import FlowLayout
from integrator.ui.panels import EmptyOr, EmptyState, set_role
from integrator.ui.theme import Theme

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
        self._curves: dict[str, pg.PlotDataItem] = {}
        self._plots: dict[str, pg.PlotItem] = {}
        self._cursors: list[pg.InfiniteLine] = []
        self._frame = 1
        self._build_ui()
        theme.changed.connect(self._arrange)

    def _build_ui(self) -> None:
        self.canvas = pg.GraphicsLayoutWidget()
        self.canvas.setAccessibleName(self.tr("Plots over the timeline"))
        self.canvas.scene().sigMouseClicked.connect(self._clicked)
        self.canvas.setToolTip(self.tr("Click to go to a frame; drag to move, wheel to zoom"))
        self.add = QPushButton(self._theme.icons.icon("plus"), self.tr("series"))
        set_role(self.add, "flat")
        self._menu = QMenu(self.add)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.add.setMenu(self._menu)
        self._bar = QFrame()
        self._flow = FlowLayout(self._bar)
        self._flow.setContentsMargins(9, 6, 9, 6)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addWidget(self.canvas, 1)
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
        for name, values in series.items():
            if name in self._curves:
                self._curves[name].setData(np.arange(first, first + len(values)), values)

    def show_cursor(self, frame: int) -> None:
        """Mark the frame on the screen."""
        self._frame = frame
        for cursor in self._cursors:
            cursor.setValue(frame)

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
        """One plot above the other, with one axis of frames."""
        self._fill_chips()
        colors = self._theme.colors
        self.canvas.setBackground(colors.panel)
        kept = {name: self._curves[name].getOriginalDataset() for name in self._curves}
        self.canvas.clear()
        self._plots, self._curves, self._cursors = {}, {}, []
        lines = (colors.link, colors.good, colors.warn, colors.bad, colors.secondary)
        for number, name in enumerate(self.chosen):
            plot = self.canvas.addPlot(row=number, col=0)
            plot.hideButtons()
            plot.setMenuEnabled(False)
            plot.showGrid(x=True, y=True, alpha=0.08)
            plot.setMouseEnabled(x=True, y=False)
            plot.enableAutoRange(axis="y")
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setPen(pg.mkPen(colors.border))
                axis.setTextPen(pg.mkPen(colors.faint))
            plot.getAxis("left").setWidth(48)
            plot.getAxis("bottom").setStyle(showValues=number == len(self.chosen) - 1)
            color = lines[number % len(lines)]
            label = pg.TextItem(name, color=QColor(color), anchor=(0, 0))
            label.setParentItem(plot.getViewBox())
            label.setPos(6, 2)
            curve = plot.plot(pen=pg.mkPen(color, width=1.3))
            curve.setDownsampling(auto=True, method="peak")
            curve.setClipToView(True)
            x, y = kept.get(name, (None, None))
            if x is not None:
                curve.setData(x, y)
            cursor = pg.InfiniteLine(self._frame, pen=pg.mkPen(colors.text, width=1))
            plot.addItem(cursor, ignoreBounds=True)
            first = next(iter(self._plots.values()), None)
            if first is not None:
                plot.setXLink(first)
            self._plots[name], self._curves[name] = plot, curve
            self._cursors.append(cursor)

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

    def _clicked(self, event: object) -> None:
        button = event.button()  # type: ignore[attr-defined]  # pyqtgraph's event has no types
        place: QPointF = event.scenePos()  # type: ignore[attr-defined]  # as above
        if button != Qt.MouseButton.LeftButton:
            return
        for plot in self._plots.values():
            if plot.sceneBoundingRect().contains(place):
                frame = round(plot.getViewBox().mapSceneToView(place).x())
                self.seek_requested.emit(max(1, frame))
                return
