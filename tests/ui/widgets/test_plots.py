"""The axes of plots wear the theme's colors, and their numbers stand clear of each other."""

from itertools import pairwise

import pytest
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from integrator.ui.widgets.plots import SpreadCanvas, WhatIfCanvas
from integrator.ui.widgets.theme import Theme, ThemeChoice


@pytest.mark.parametrize("canvas", [SpreadCanvas, WhatIfCanvas])
def test_axes_follow_the_theme(
    theme: Theme, qtbot: QtBot, canvas: type[SpreadCanvas | WhatIfCanvas]
) -> None:
    widget = canvas()
    qtbot.addWidget(widget)
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        theme.choose(choice)
        for side in ("left", "bottom"):
            axis = widget.plot.getAxis(side)
            assert axis.pen().color().name() == theme.colors.border.lower()
            assert axis.textPen().color().name() == theme.colors.faint.lower()


@pytest.mark.parametrize("last", [1.4, 2, 3, 50, 20_000])
@pytest.mark.usefixtures("theme")
def test_frames_have_whole_numbers(qtbot: QtBot, last: float) -> None:
    canvas = WhatIfCanvas()
    qtbot.addWidget(canvas)
    axis = canvas.plot.getAxis("bottom")
    ticks = [value for _, values in axis.tickValues(0.6, last, 300) for value in values]
    assert ticks
    assert all(value == round(value) for value in ticks)


@pytest.mark.parametrize("top", [3, 30, 700, 12345])
@pytest.mark.usefixtures("theme")
def test_numbers_of_a_low_axis_stand_clear_of_each_other(qtbot: QtBot, top: int) -> None:
    canvas = WhatIfCanvas()
    qtbot.addWidget(canvas)
    canvas.after.setData([1, 2, 3], [0, top / 2, top])
    axis, paper = canvas.plot.getAxis("left"), QPixmap(1, 1)
    for height in range(40, 200, 20):
        canvas.resize(240, height)
        canvas.show()
        qtbot.waitUntil(lambda: axis.size().height() > 0)
        QApplication.processEvents()
        with QPainter(paper) as painter:
            _, _, texts = axis.generateDrawSpecs(painter)
        places = sorted((place.top(), place.bottom()) for place, _, _ in texts)
        assert all(below[0] >= above[1] - 2 for above, below in pairwise(places)), (height, texts)
        assert len(places) >= 2 or height < 100
