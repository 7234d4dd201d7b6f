"""The pressed buttons, drawn over the picture as small chips, one row a player."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter

from integrator.ui.screen.pad_labels import button_label, shown_bits
from integrator.ui.widgets.theme import Colors, ui_font

_HEIGHT, _GAP, _PAD = 20.0, 3.0, 6.0


class PadOverlay:
    """Draws masks. ``buttons[i]`` names bit i."""

    def __init__(self, buttons: Sequence[str | None] = ()) -> None:
        self._bits = shown_bits(buttons)
        self._labels = {bit: button_label(str(buttons[bit])) for bit in self._bits}
        self._font = ui_font(8.5, bold=True)
        self.masks: tuple[int, ...] = ()

    def paint(self, painter: QPainter, picture: QRectF, colors: Colors) -> None:
        """Draw at the bottom left of ``picture``."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        metrics = QFontMetricsF(painter.font())
        y = picture.bottom() - 8 - len(self.masks) * (_HEIGHT + _GAP)
        for mask in self.masks:
            x = picture.left() + 8
            for bit in self._bits:
                label = self._labels[bit]
                width = max(_HEIGHT, metrics.horizontalAdvance(label) + 2 * _PAD)
                chip = QRectF(x, y, width, _HEIGHT)
                self._paint_chip(painter, chip, label, colors, pressed=bool(mask >> bit & 1))
                x += width + _GAP
            y += _HEIGHT + _GAP
        painter.restore()

    @staticmethod
    def _paint_chip(
        painter: QPainter, chip: QRectF, label: str, colors: Colors, *, pressed: bool
    ) -> None:
        ground = QColor(colors.accent if pressed else "#000000")
        ground.setAlpha(235 if pressed else 110)
        text = QColor(colors.on_accent)
        text.setAlpha(255 if pressed else 120)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(chip, 5, 5)
        painter.setPen(text)
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, label)
