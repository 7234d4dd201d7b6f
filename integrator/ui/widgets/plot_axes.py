"""The colours of a plot's axes. Importing this module takes a while, as pyqtgraph does."""

from __future__ import annotations

import pyqtgraph as pg

from integrator.ui.widgets.theme import Colors


def colour_axes(plot: pg.PlotItem, colors: Colors) -> None:
    """Draw the lines of both axes as borders, and their numbers in faint text."""
    for side in ("left", "bottom"):
        axis = plot.getAxis(side)
        axis.setPen(pg.mkPen(colors.border))
        axis.setTextPen(pg.mkPen(colors.faint))
