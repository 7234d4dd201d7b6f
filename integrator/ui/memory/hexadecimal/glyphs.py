"""Bytes as pictures: every hexadecimal pair and character drawn once, then only copied.

Drawing a screen of bytes as text takes longer than a frame of a game leaves time for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter

_Picture = NDArray[np.uint32]


class GlyphAtlas:
    """Pictures of ``texts`` in each of ``colors``, all of one size, premultiplied ARGB.

    ``width`` and ``height`` are device-independent; ``ratio`` device pixels make one of them.
    """

    def __init__(
        self,
        texts: Sequence[str],
        colors: Sequence[str],
        font: QFont,
        size: tuple[float, float],
        ratio: float,
    ) -> None:
        width, height = size
        self.ratio = ratio
        self._cell = (max(1, round(width * ratio)), max(1, math.ceil(height * ratio)))
        blank = np.zeros((1, len(texts), self._cell[1], self._cell[0]), np.uint32)
        drawn = [self._draw(texts, color, font) for color in colors]
        self._glyphs = np.concatenate([*[each[np.newaxis] for each in drawn], blank])
        self.blank = len(colors)

    def _draw(self, texts: Sequence[str], color: str, font: QFont) -> _Picture:
        width, height = self._cell
        strip = QImage(width * len(texts), height, QImage.Format.Format_ARGB32_Premultiplied)
        strip.fill(Qt.GlobalColor.transparent)
        painter = QPainter(strip)
        painter.scale(self.ratio, self.ratio)
        painter.setFont(font)
        painter.setPen(QColor(color))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for number, text in enumerate(texts):
            box = QRectF(number * width / self.ratio, 0, width / self.ratio, height / self.ratio)
            painter.drawText(box, left, text)
        painter.end()
        rows = np.frombuffer(strip.constBits(), np.uint32).reshape(height, -1)
        cells = rows[:, : width * len(texts)].reshape(height, len(texts), width)
        return np.ascontiguousarray(cells.transpose(1, 0, 2))

    def picture(self, values: NDArray[np.uint8], kinds: NDArray[np.uint8]) -> QImage:
        """A grid (rows, columns) of glyphs; ``kinds`` are indices of colours, or ``blank``."""
        rows, columns = values.shape
        width, height = self._cell
        cells = self._glyphs[kinds, values].transpose(0, 2, 1, 3)
        pixels = np.ascontiguousarray(cells).reshape(rows * height, columns * width)
        image = QImage(
            pixels.data,
            columns * width,
            rows * height,
            4 * columns * width,
            QImage.Format.Format_ARGB32_Premultiplied,
        ).copy()  # the array goes away
        image.setDevicePixelRatio(self.ratio)
        return image
