"""The axes of plots. Importing this module takes a while, as pyqtgraph does."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF, QGuiApplication

from integrator.ui.widgets.theme import Colors


class RoomyAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An upright axis with as many numbers as there is room for, none over another."""

    def tickSpacing(  # noqa: N802 - pyqtgraph's name
        self, lowest: float, highest: float, pixels: float
    ) -> list[tuple[float, float]]:
        """The distance between two numbers, and the place of the first: (distance, 0)."""
        levels: list[tuple[float, float]] = super().tickSpacing(lowest, highest, pixels)
        if not levels:
            return levels
        line = QFontMetricsF(self.style["tickFont"] or QGuiApplication.font()).height()
        least = line * abs(highest - lowest) / pixels
        distance, first = levels[0]
        wide = (distance * factor for factor in (1, 2, 5, 10))
        return [(next((each for each in wide if each >= least), distance * 10), first)]


class FrameAxis(pg.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis of frames, which have whole numbers however few there are."""

    def tickSpacing(  # noqa: N802 - pyqtgraph's name
        self, lowest: float, highest: float, pixels: float
    ) -> list[tuple[float, float]]:
        """The distances between two numbers, none below 1, and the place of the first."""
        levels: list[tuple[float, float]] = super().tickSpacing(lowest, highest, pixels)
        return [(max(1.0, distance), first) for distance, first in levels]


def colour_axes(plot: pg.PlotItem, colors: Colors) -> None:
    """Draw the lines of both axes as borders, and their numbers in faint text."""
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(colors.border))
        axis.setTextPen(pg.mkPen(colors.faint))
