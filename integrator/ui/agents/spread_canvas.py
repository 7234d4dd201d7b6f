"""The spread of episodes by agent and state, drawn with pyqtgraph, whose import takes a while."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Signal
from PySide6.QtGui import QColor

from integrator.agents.result import ERROR, EpisodeResult
from integrator.ui.widgets.plot_axes import colour_axes, plain_plot
from integrator.ui.widgets.theme import Theme

_WIDTH: Final = 0.6  # the part of a group's place that its box takes
NUMBERS: Final[Mapping[str, Callable[[EpisodeResult], float]]] = {
    "reward": lambda result: result.reward,
    "frames": lambda result: result.frames,
    "minute": lambda result: result.reward_a_minute,
}
"""The numbers that can be drawn, by key."""


class SpreadCanvas(pg.GraphicsLayoutWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """A dot an episode, a box from quartile to quartile, a line at the median of each group.
    ``picked``: the row of the episode whose dot was clicked."""

    picked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._results: Sequence[EpisodeResult] = ()
        self._number = "reward"
        self.setAccessibleName(self.tr("Spread of the episodes by agent and state"))
        self.setToolTip(self.tr("A dot is an episode: click it to find it in the table"))
        self.ci.layout.setContentsMargins(4, 6, 8, 2)
        self.plot = plain_plot(self, 52, frames=False)
        self.boxes = pg.BarGraphItem(x=[], height=[], width=_WIDTH, y0=[])
        self.medians = pg.PlotCurveItem(connect="pairs")
        self.dots = pg.ScatterPlotItem(size=6, pxMode=True)
        for item in (self.boxes, self.medians, self.dots):
            self.plot.addItem(item)
        self.dots.sigClicked.connect(lambda _, dots, __: self.picked.emit(int(dots[0].data())))
        theme.changed.connect(self._draw)
        self._draw()

    def show_results(self, results: Sequence[EpisodeResult], number: str) -> None:
        self._results, self._number = results, number
        self._draw()

    def _draw(self) -> None:
        colors = self._theme.colors
        self.setBackground(colors.panel)
        self.plot.showGrid(x=False, y=True, alpha=0.08)
        colour_axes(self.plot, colors)
        box = QColor(colors.link)
        box.setAlphaF(0.18)
        self.boxes.setOpts(brush=box, pen=pg.mkPen(colors.border))
        self.medians.setPen(pg.mkPen(colors.text, width=2))
        self.dots.setBrush(pg.mkBrush(colors.link))
        self.dots.setPen(pg.mkPen(colors.panel))
        value = NUMBERS[self._number]
        groups: dict[tuple[str, str], list[int]] = {}
        for row, result in enumerate(self._results):
            if result.ended != ERROR:
                groups.setdefault((result.agent, result.state), []).append(row)
        values = [np.array([value(self._results[row]) for row in rows]) for rows in groups.values()]
        low, middle, high = (
            np.array([np.quantile(each, part) for each in values]) for part in (0.25, 0.5, 0.75)
        )
        at = np.arange(len(groups), dtype=np.float64)
        self.boxes.setOpts(x=at, y0=low, height=high - low)
        ends = np.stack([at - _WIDTH / 2, at + _WIDTH / 2], axis=1).ravel()
        self.medians.setData(ends, np.repeat(middle, 2))
        # A row keeps its place, so that its dot does not move when others are added.
        places = [
            at[group] + ((np.array(rows) * 0.618) % 1 - 0.5) * _WIDTH * 0.8
            for group, rows in enumerate(groups.values())
        ]
        rows = [row for each in groups.values() for row in each]
        none = np.zeros(0)
        self.dots.setData(
            np.concatenate([none, *places]), np.concatenate([none, *values]), data=rows
        )
        names = [" ".join(filter(None, group)) for group in groups]
        self.plot.getAxis("bottom").setTicks([list(enumerate(names))])
        self.plot.setXRange(-0.6, max(0.6, len(groups) - 0.4), padding=0)
