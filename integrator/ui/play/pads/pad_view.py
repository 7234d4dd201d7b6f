"""The console's pad as a drawing with buttons to press or choose, also over the screen."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPen, QTransform
from PySide6.QtWidgets import QToolTip, QWidget

from integrator.ui import widgets as ui
from integrator.ui.screen.pad_overlay import button_label
from libretro_host.host import MAX_PORTS

SHEET = (320.0, 150.0)  # size of the drawing in its own units

Shape = Literal["arm", "round", "pill"]
Place = tuple[float, float]

_ARM = 24.0  # width of an arm of the cross, and its distance from the center
_DIRECTIONS: Mapping[str, Place] = {
    "UP": (0, -_ARM),
    "DOWN": (0, _ARM),
    "LEFT": (-_ARM, 0),
    "RIGHT": (_ARM, 0),
}
_CENTER = ("SELECT", "MODE", "RESET", "START", "RUN", "PAUSE")
_SHOULDERS: Mapping[str, Place] = {"L": (70, 22), "R": (250, 22), "L2": (118, 22), "R2": (202, 22)}
_STICKS: Mapping[str, Place] = {"L3": (126, 122), "R3": (194, 122)}
_SIX = ((-34, -15), (0, -21), (34, -27), (-34, 21), (0, 15), (34, 9))
_FACE_PLANS: tuple[Mapping[str, Place], ...] = (  # around their center; the first that fits
    {"BUTTON": (0, 0)},
    {"B": (-20, 9), "A": (20, -9)},
    {"X": (0, -24), "A": (25, 0), "B": (0, 24), "Y": (-25, 0)},
    dict(zip("XYZABC", _SIX, strict=True)),
    dict(zip(("IV", "V", "VI", "III", "II", "I"), _SIX, strict=True)),
    {"B": (-34, -4), "A": (-10, 20), "Z": (-22, -32)}
    | {"C-UP": (16, -24), "C-RIGHT": (38, -4), "C-MODE": (20, 20)},
)


class PadButton(NamedTuple):
    """A button: its bit, name, box in the drawing, and shape."""

    bit: int
    name: str
    box: QRectF
    shape: Shape


def pad_layout(buttons: Sequence[str | None]) -> tuple[PadButton, ...]:
    bits = {str(name): bit for bit, name in enumerate(buttons) if name}
    center = [name for name in _CENTER if name in bits]
    middle = (len(center) - 1) / 2
    faces = [name for name in bits if name not in {*_DIRECTIONS, *_CENTER, *_SHOULDERS, *_STICKS}]
    face = 24.0 if len(faces) > 2 else 32.0
    # For a user's own console, the buttons form rows of three.
    rows = {name: (at % 3 * 30 - 30, at // 3 * 28 - 28) for at, name in enumerate(faces)}
    plan = next((plan for plan in _FACE_PLANS if set(faces) <= plan.keys()), rows)
    across: Mapping[str, Place] = {name: ((n - middle) * 46, 0) for n, name in enumerate(center)}
    groups: tuple[tuple[Mapping[str, Place], Place, Place, Shape], ...] = (
        (_DIRECTIONS, (70, 86), (_ARM, _ARM), "arm"),
        (across, (157, 92), (40, 16), "pill"),
        (_SHOULDERS, (0, 0), (44, 16), "pill"),
        (_STICKS, (0, 0), (24, 24), "round"),
        (plan, (248, 86), (face, face), "round"),
    )
    return tuple(
        PadButton(bits[name], name, QRectF(left + x - w / 2, top + y - h / 2, w, h), shape)
        for places, (left, top), (w, h), shape in groups
        for name, (x, y) in places.items()
        if name in bits
    )


class PadView(QWidget):
    """Shows the buttons of the mask ``held`` pressed, and the bit ``chosen`` outlined. ``pressed``
    and ``released`` give the bit under the mouse; ``latched`` gives it for a right click."""

    pressed = Signal(int)
    released = Signal(int)
    latched = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: tuple[PadButton, ...] = ()
        self.tips: Mapping[int, str] = {}
        self._down: int | None = None
        self.held = 0
        self.chosen: int | None = None
        self.setAccessibleName(self.tr("The console's pad"))

    def show_buttons(self, buttons: Sequence[str | None]) -> None:
        self._buttons = pad_layout(buttons)
        self.update()

    def choose(self, bit: int | None) -> None:
        self.chosen = bit
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, 225)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (bit := self._bit_at(event.position())) is None:
            super().mousePressEvent(event)
        elif event.button() == Qt.MouseButton.RightButton:
            self.latched.emit(bit)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._down = bit
            self.pressed.emit(bit)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Release the button, wherever the pointer is now."""
        bit, self._down = self._down, None
        if bit is None:
            super().mouseReleaseEvent(event)
        else:
            self.released.emit(bit)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            bit = self._bit_at(QPointF(event.pos()))
            if bit is not None and bit in self.tips:
                QToolTip.showText(event.globalPos(), self.tips[bit], self)
                return True
        return super().event(event)

    def _bit_at(self, where: QPointF) -> int | None:
        place = self._sheet().inverted()[0].map(where)
        return next((button.bit for button in self._buttons if button.box.contains(place)), None)

    def _sheet(self) -> QTransform:
        """Return the transformation from the drawing to the widget."""
        scale = min(self.width() / SHEET[0], self.height() / SHEET[1])
        left, top = (self.width() - SHEET[0] * scale) / 2, (self.height() - SHEET[1] * scale) / 2
        return QTransform.fromTranslate(left, top).scale(scale, scale)

    def paintEvent(self, _event: object) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setTransform(self._sheet())
        colors = ui.Theme.now.colors
        painter.setPen(QPen(QColor(colors.border), 1.2))
        painter.setBrush(QColor(colors.chrome))
        painter.drawRoundedRect(QRectF(8, 32, 304, 108), 50, 50)
        ui.fill_with(painter, colors.sunken)
        painter.drawEllipse(QPointF(70, 86), 44, 44)
        for button in self._buttons:
            self._paint_button(painter, button)

    def _paint_button(self, painter: QPainter, button: PadButton) -> None:
        colors = ui.Theme.now.colors
        down, chosen = bool(self.held >> button.bit & 1), button.bit == self.chosen
        ground = colors.accent if down else colors.accent_soft if chosen else colors.raised
        edge = colors.accent if chosen or down else colors.faint
        painter.setPen(QPen(QColor(edge), 1.8 if chosen else 1.0))
        painter.setBrush(QColor(ground))
        radius = 4.0 if button.shape == "arm" else button.box.height() / 2
        painter.drawRoundedRect(button.box, radius, radius)
        painter.setPen(QColor(colors.on_accent if down else colors.text))
        font = ui.ui_font(8.5, bold=True)
        font.setPixelSize(8 if button.shape == "pill" or len(button.name) > 3 else 10)
        painter.setFont(font)
        label = button.name if button.shape == "pill" else button_label(button.name)
        if button.name.startswith("C-"):
            label = {"C-UP": "C↑", "C-RIGHT": "C→"}.get(button.name, "C")
        painter.drawText(button.box, Qt.AlignmentFlag.AlignCenter, label)


class PadPanel(ui.OverlaidFrame):
    """A pad over the lower right of the picture. ``masks_changed`` gives a mask for each player."""

    masks_changed = Signal(object)

    def __init__(self, stage: QWidget) -> None:
        super().__init__(stage)
        self.setObjectName("PadPanel")
        self.view = PadView(self)
        self._clicked, self._latched = [0], [0]  # a mask for each player
        self._held: tuple[int, ...] = ()
        self._keys: list[list[str]] = []
        self._buttons: tuple[str | None, ...] = ()
        self.choose_player = ui.PlayerSegments(players=MAX_PORTS)
        self.choose_player.player_chosen.connect(self.show_player)
        hint = ui.role_label(self.tr("right-click keeps a button down"), "faint")
        hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        players = ui.hbox(None, self.choose_player, None)
        ui.vbox(players, (self.view, 1), hint, on=self, margins=6, gap=2)
        self.view.pressed.connect(lambda bit: self._click(bit, down=True))
        self.view.released.connect(lambda bit: self._click(bit, down=False))
        self.view.latched.connect(self._latch)

    def show_game(self, buttons: Sequence[str | None], players: int) -> None:
        self._buttons = tuple(buttons)
        self._clicked, self._latched = [0] * players, [0] * players
        self.view.show_buttons(buttons)
        self.choose_player.setVisible(players > 1)
        for player in range(MAX_PORTS):
            self.choose_player.button(str(player)).setVisible(player < players)
        self.show_player(0)

    def show_player(self, player: int) -> None:
        self.choose_player.show_player(player)
        self.show_keys(self._keys)
        self.show_held(self._held)

    def show_keys(self, keys: list[list[str]]) -> None:
        self._keys = keys
        own = keys[self.choose_player.player] if self.choose_player.player < len(keys) else []
        self.view.tips = {
            bit: f"{name}  ({key})" if key else name
            for bit, (name, key) in enumerate(zip_longest(self._buttons, own))
            if name
        }

    def show_held(self, masks: tuple[int, ...]) -> None:
        self._held = masks
        mask = masks[self.choose_player.player] if self.choose_player.player < len(masks) else 0
        if mask != self.view.held:
            self.view.held = mask
            self.view.update()

    def _click(self, bit: int, *, down: bool) -> None:
        # A click also releases a button that was kept down.
        for masks in (self._latched, self._clicked):
            masks[self.choose_player.player] &= ~(1 << bit)
        self._clicked[self.choose_player.player] |= down << bit
        self.masks_changed.emit(self.masks)

    def _latch(self, bit: int) -> None:
        self._latched[self.choose_player.player] ^= 1 << bit
        self.masks_changed.emit(self.masks)

    @property
    def masks(self) -> tuple[int, ...]:
        return tuple(a | b for a, b in zip(self._clicked, self._latched, strict=True))

    def let_go(self) -> None:
        """Release all buttons, for example when the panel is hidden."""
        self._clicked, self._latched = [0] * len(self._clicked), [0] * len(self._latched)
        self.masks_changed.emit(self.masks)

    def place(self) -> None:
        under = self._under
        self.setFixedSize(300, 202 if len(self._clicked) > 1 else 168)
        self.move(under.width() - self.width() - 10, under.height() - self.height() - 10)
