"""A field of a whole number whose digits keep their distance from its border."""

from __future__ import annotations

from PySide6.QtWidgets import QSpinBox

_AIR = 6


class NumberBox(QSpinBox):
    """A QSpinBox: Qt gives its digits none of the style sheet's padding."""

    def __init__(self) -> None:
        super().__init__()
        self.lineEdit().setTextMargins(_AIR, 0, _AIR, 0)
