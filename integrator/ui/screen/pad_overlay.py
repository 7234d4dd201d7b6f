"""Drawings over the picture: pressed buttons, frames, notes, and the drawings of scripts."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from integrator.session.frame_script import Drawing
from integrator.ui import widgets as ui

_ORDER = ("UP", "DOWN", "LEFT", "RIGHT")
_SHORT = {"SELECT": "Sel", "START": "St", "BUTTON": "Fire", "MODE": "Md", "RESET": "Rst"}
_SHORT |= {"III": "III", **dict(zip(_ORDER, "↑↓←→", strict=True))}


def button_label(name: str) -> str:
    """Return a button's name in at most four letters; directions are arrows."""
    return _SHORT.get(name, name.title() if len(name) > 2 else name)[:4]


def shown_bits(buttons: Sequence[str | None]) -> tuple[int, ...]:
    """Return the bits that are buttons: directions first, others in the console's order."""
    present = [(bit, name) for bit, name in enumerate(buttons) if name]
    present.sort(key=lambda each: _ORDER.index(each[1]) if each[1] in _ORDER else 9)
    return tuple(bit for bit, _ in present)


_HEIGHT, _GAP, _PAD = 20.0, 3.0, 6.0


class PadOverlay:
    """Draws the buttons of players' masks. ``buttons[i]`` is the name of bit i."""

    def __init__(self, buttons: Sequence[str | None] = ()) -> None:
        self._bits = shown_bits(buttons)
        self._labels = {bit: button_label(str(buttons[bit])) for bit in self._bits}
        self._font = ui.ui_font(8.5, bold=True)
        self.masks: tuple[int, ...] = ()

    def paint(self, painter: QPainter, picture: QRectF, colors: ui.Colors) -> None:
        """Draw the buttons at the bottom left of ``picture``."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        metrics = QFontMetricsF(painter.font())
        y = picture.bottom() - 8 - len(self.masks) * (_HEIGHT + _GAP)
        for mask in self.masks:
            x = picture.left() + 8
            for bit in self._bits:
                label, pressed = self._labels[bit], mask >> bit & 1
                width = max(_HEIGHT, metrics.horizontalAdvance(label) + 2 * _PAD)
                chip = QRectF(x, y, width, _HEIGHT)
                ground = ui.faded(colors.accent, 235) if pressed else ui.faded("#000000", 110)
                ui.fill_with(painter, ground)
                painter.drawRoundedRect(chip, 5, 5)
                painter.setPen(ui.faded(colors.on_accent, 255 if pressed else 120))
                painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, label)
                x += width + _GAP
            y += _HEIGHT + _GAP
        painter.restore()


# The picture has the same colors in both themes, so frames use fixed colors on a dark background.
FRAME, GROUND = QColor(ui.DARK.warn), QColor(ui.DARK.screen)


def draw_frame(painter: QPainter, box: QRectF) -> None:
    """Draw a box as a dashed line over a dark line."""
    painter.setPen(QPen(GROUND, 3.5))
    painter.drawRect(box)
    painter.setPen(QPen(FRAME, 1.5, Qt.PenStyle.DashLine))
    painter.drawRect(box)


def draw_hint(painter: QPainter, text: str, room: QRectF) -> None:
    """Draw a text on a dark plate in the center of ``room``, with as many lines as it needs."""
    flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
    inner = room.adjusted(8, 4, -8, -4)
    plate = QFontMetricsF(painter.font()).boundingRect(inner, flags, text)
    painter.fillRect(plate.adjusted(-4, -2, 4, 2), GROUND)
    painter.setPen(FRAME)
    painter.drawText(inner, flags, text)


def draw_note(painter: QPainter, text: str, base: QPointF) -> None:
    """Draw a text on a dark plate. ``base`` is the left end of the text's baseline."""
    metrics = QFontMetricsF(painter.font())
    plate = metrics.boundingRect(text).adjusted(-4, -2, 4, 2).translated(base)
    painter.fillRect(plate, GROUND)
    painter.setPen(FRAME)
    painter.drawText(base, text)


def draw_drawings(
    painter: QPainter, drawings: Sequence[Drawing], picture: QRectF, size: tuple[int, int]
) -> None:
    """Draw a script's drawings over ``picture``, which shows ``size`` pixels of the console."""
    painter.save()
    painter.setClipRect(picture)
    painter.translate(picture.topLeft())
    painter.scale(picture.width() / size[0], picture.height() / size[1])
    font = ui.ui_font(8.0)
    font.setPixelSize(8)
    painter.setFont(font)
    for each in drawings:
        color = QColor(each.color if QColor.isValidColorName(each.color) else "white")
        painter.setPen(QPen(color, 1))
        if each.kind == "pixel":
            painter.fillRect(QRectF(each.x, each.y, 1, 1), color)
        elif each.kind == "box":
            painter.drawRect(QRectF(each.x + 0.5, each.y + 0.5, each.width, each.height))
        elif each.kind == "line":
            painter.drawLine(each.x, each.y, each.x + each.width, each.y + each.height)
        else:
            painter.drawText(QPointF(each.x, each.y + 8), each.text)
    painter.restore()
