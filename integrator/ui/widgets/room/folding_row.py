"""Two groups of widgets beside each other, or one below the other where that is too wide."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget


class FoldingRow(QWidget):
    """The first group takes the remaining room; ``spacing`` is between the two, in pixels."""

    def __init__(self, first: QLayout, second: QLayout, spacing: int = 8) -> None:
        super().__init__()
        self._groups = (first, second)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(spacing)
        self._box.addLayout(first, 1)
        self._box.addLayout(second)

    @property
    def is_folded(self) -> bool:
        """True when one group is below the other."""
        return self._box.direction() is QBoxLayout.Direction.TopToBottom

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Fold, or stand in one line again."""
        super().resizeEvent(event)
        needed = sum(group.sizeHint().width() for group in self._groups) + self._box.spacing()
        directions = QBoxLayout.Direction
        fits = needed <= self.width()
        self._box.setDirection(directions.LeftToRight if fits else directions.TopToBottom)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The wider of the two: it can fold."""
        least = super().minimumSizeHint()
        widest = max(group.minimumSize().width() for group in self._groups)
        return QSize(min(least.width(), widest), least.height())
