"""The axes of plots wear the theme's colours."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from integrator.ui.agents.spread_canvas import SpreadCanvas
from integrator.ui.score.what_if.what_if_canvas import WhatIfCanvas
from integrator.ui.widgets.theme import Theme, ThemeChoice


@pytest.mark.parametrize("canvas", [SpreadCanvas, WhatIfCanvas])
def test_axes_follow_the_theme(
    theme: Theme, qtbot: QtBot, canvas: type[SpreadCanvas | WhatIfCanvas]
) -> None:
    widget = canvas(theme)
    qtbot.addWidget(widget)
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        theme.choose(choice)
        for side in ("left", "bottom"):
            axis = widget.plot.getAxis(side)
            assert axis.pen().color().name() == theme.colors.border.lower()
            assert axis.textPen().color().name() == theme.colors.faint.lower()
