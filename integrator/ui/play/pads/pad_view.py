"""The console's pad, drawn by its buttons: to see pressed ones, to press one, or to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from integrator.ui.screen.pad_overlay import button_label
from integrator.ui.widgets.theme import Theme, ui_font

SHEET = (320.0, 150.0)
"""Width and height of the sheet."""

Shape = Literal["arm", "round", "pill"]
Place = tuple[float, float]

_DPAD: Place = (70, 86)
_FACES: Place = (248, 86)
_ARM = 24.0

_DIRECTIONS: Mapping[str, Place] = {
    "UP": (0, -_ARM),
    "DOWN": (0, _ARM),
    "LEFT": (-_ARM, 0),
    "RIGHT": (_ARM, 0),
}
_CENTRE = ("SELECT", "MODE", "RESET", "START", "RUN", "PAUSE")
_SHOULDERS: Mapping[str, Place] = {
    "L": (70, 22),
    "R": (250, 22),
    "L2": (118, 22),
    "R2": (202, 22),
}
_STICKS: Mapping[str, Place] = {"L3": (126, 122), "R3": (194, 122)}
_FACE_PLANS: tuple[Mapping[str, Place], ...] = (
    {"BUTTON": (0, 0)},
    {"B": (-20, 9), "A": (20, -9)},
    {"X": (0, -24), "A": (25, 0), "B": (0, 24), "Y": (-25, 0)},
    {
        "X": (-34, -15),
        "Y": (0, -21),
        "Z": (34, -27),
        "A": (-34, 21),
        "B": (0, 15),
        "C": (34, 9),
    },
    {
        "IV": (-34, -15),
        "V": (0, -21),
        "VI": (34, -27),
        "III": (-34, 21),
        "II": (0, 15),
        "I": (34, 9),
    },
    {
        "B": (-34, -4),
        "A": (-10, 20),
        "C-UP": (16, -24),
        "C-RIGHT": (38, -4),
        "C-MODE": (20, 20),
        "Z": (-22, -32),
    },
)
"""Buttons of the right hand, from the middle between them; the first plan with all of them fits."""


@dataclass(frozen=True, slots=True)
class PadButton:
    """One button: its bit, name, middle, size and shape."""

    bit: int
    name: str
    x: float
    y: float
    width: float
    height: float
    shape: Shape

    def holds(self, x: float, y: float) -> bool:
        """True when a point is on the button."""
        return abs(x - self.x) <= self.width / 2 and abs(y - self.y) <= self.height / 2


def pad_layout(buttons: Sequence[str | None]) -> tuple[PadButton, ...]:
    """A place for every button that the console has."""
    present = {str(name): bit for bit, name in enumerate(buttons) if name}
    placed: list[PadButton] = []

    def put(name: str, place: Place, size: Place, shape: Shape) -> None:
        placed.append(PadButton(present[name], name, *place, *size, shape))

    known = {*_DIRECTIONS, *_CENTRE, *_SHOULDERS, *_STICKS}
    for name, (dx, dy) in _DIRECTIONS.items():
        if name in present:
            put(name, (_DPAD[0] + dx, _DPAD[1] + dy), (_ARM, _ARM), "arm")
    centre = [name for name in _CENTRE if name in present]
    for at, name in enumerate(centre):
        put(name, (157 + (at - (len(centre) - 1) / 2) * 46, 92), (40, 16), "pill")
    for name, place in _SHOULDERS.items():
        if name in present:
            put(name, place, (44, 16), "pill")
    for name, place in _STICKS.items():
        if name in present:
            put(name, place, (24, 24), "round")
    faces = [name for name in present if name not in known]
    plan = _face_plan(faces)
    size = 24.0 if len(faces) > 2 else 32.0
    for name in faces:
        dx, dy = plan[name]
        put(name, (_FACES[0] + dx, _FACES[1] + dy), (size, size), "round")
    return tuple(placed)


def _face_plan(faces: Sequence[str]) -> Mapping[str, Place]:
    for plan in _FACE_PLANS:
        if set(faces) <= plan.keys():
            return plan
    # Buttons of a console that somebody described: rows of three.
    return {name: (at % 3 * 30 - 30, at // 3 * 28 - 28) for at, name in enumerate(faces)}


class PadView(QWidget):
    """Shows ``held`` pressed and ``chosen`` (a bit) outlined; tells where the mouse is pressed.

    ``pressed`` and ``released`` give a bit; ``latched`` gives it for the right mouse button.
    """

    pressed = Signal(int)
    released = Signal(int)
    latched = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._buttons: tuple[PadButton, ...] = ()
        self._tips: dict[int, str] = {}
        self._down: int | None = None
        self.held = 0
        self.chosen: int | None = None
        self.body = True
        self.setAccessibleName(self.tr("The console's pad"))
        theme.changed.connect(self.update)

    def show_buttons(self, buttons: Sequence[str | None]) -> None:
        """Draw the pad of another console."""
        self._buttons = pad_layout(buttons)
        self.update()

    def set_tips(self, tips: dict[int, str]) -> None:
        """Set the tooltip of each button."""
        self._tips = tips

    def show_mask(self, mask: int) -> None:
        """Draw these buttons as pressed."""
        if mask != self.held:
            self.held = mask
            self.update()

    def choose(self, bit: int | None) -> None:
        """Outline a button."""
        self.chosen = bit
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Large enough for the labels."""
        return QSize(480, 225)

    def place_of(self, bit: int) -> QPointF:
        """The middle of a button, in the widget's coordinates. Raises KeyError without one."""
        for button in self._buttons:
            if button.bit == bit:
                scale, origin = self._scale()
                return QPointF(origin.x() + button.x * scale, origin.y() + button.y * scale)
        raise KeyError(bit)

    # -- mouse ------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Press the button under the pointer; the right mouse button latches it."""
        bit = self._bit_at(event.position())
        if bit is None:
            super().mousePressEvent(event)
        elif event.button() == Qt.MouseButton.RightButton:
            self.latched.emit(bit)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._down = bit
            self.pressed.emit(bit)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Let it go, wherever the pointer is by now."""
        bit, self._down = self._down, None
        if bit is not None:
            self.released.emit(bit)
        else:
            super().mouseReleaseEvent(event)

    def event(self, event: QEvent) -> bool:
        """A tip for each button."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            bit = self._bit_at(QPointF(event.pos()))
            if bit is not None and bit in self._tips:
                QToolTip.showText(event.globalPos(), self._tips[bit], self)
                return True
        return super().event(event)

    def _bit_at(self, where: QPointF) -> int | None:
        scale, origin = self._scale()
        x, y = (where.x() - origin.x()) / scale, (where.y() - origin.y()) / scale
        return next((button.bit for button in self._buttons if button.holds(x, y)), None)

    # -- drawing ----------------------------------------------------------------------------

    def _scale(self) -> tuple[float, QPointF]:
        scale = min(self.width() / SHEET[0], self.height() / SHEET[1])
        left, top = (self.width() - SHEET[0] * scale) / 2, (self.height() - SHEET[1] * scale) / 2
        return scale, QPointF(left, top)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        """Draw body and buttons."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale, origin = self._scale()
        painter.translate(origin)
        painter.scale(scale, scale)
        if self.body:
            self._paint_body(painter)
        for button in self._buttons:
            self._paint_button(painter, button)

    def _paint_body(self, painter: QPainter) -> None:
        colors = self._theme.colors
        painter.setPen(QPen(QColor(colors.border), 1.2))
        painter.setBrush(QColor(colors.chrome))
        painter.drawRoundedRect(QRectF(8, 32, 304, 108), 50, 50)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.sunken))
        painter.drawEllipse(QPointF(70, 86), 44, 44)

    def _paint_button(self, painter: QPainter, button: PadButton) -> None:
        colors = self._theme.colors
        down, chosen = bool(self.held >> button.bit & 1), button.bit == self.chosen
        ground = colors.accent if down else colors.accent_soft if chosen else colors.raised
        edge = colors.accent if chosen or down else colors.faint
        painter.setPen(QPen(QColor(edge), 1.8 if chosen else 1.0))
        painter.setBrush(QColor(ground))
        half = button.width / 2, button.height / 2
        box = QRectF(button.x - half[0], button.y - half[1], button.width, button.height)
        radius = {"arm": 4.0, "round": half[0], "pill": half[1]}[button.shape]
        painter.drawRoundedRect(box, radius, radius)
        painter.setPen(QColor(colors.on_accent if down else colors.text))
        font = ui_font(8.5, bold=True)
        font.setPixelSize(8 if button.shape == "pill" or len(button.name) > 3 else 10)
        painter.setFont(font)
        label = button.name if button.shape == "pill" else button_label(button.name)
        if button.name.startswith("C-"):
            label = {"C-UP": "C↑", "C-RIGHT": "C→"}.get(button.name, "C")
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)
