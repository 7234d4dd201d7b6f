"""Names of the series that can be plotted."""

from __future__ import annotations

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.widgets.translation import translate

REWARD = QT_TRANSLATE_NOOP("PlotsView", "cumulative reward")
"""The series besides the variables."""


def series_text(name: str) -> str:
    """Title of a series: a variable's own name, or the reward in the user's language."""
    return name.replace(REWARD, translate("PlotsView", REWARD), 1)
