"""The picture, painted from the core's own pixels, and the keyboard that plays the game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Self

from PySide6 import QtGui
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from integrator.domain.frames.observation import ObservationRule
from integrator.domain.scenario.tree import Crop
from integrator.session.frame_script import Drawing
from integrator.ui import widgets as ui
from integrator.ui.screen.pad_overlay import PadOverlay, draw_drawings, draw_frame, draw_note
from integrator.ui.settings import Scaling
from libretro_host.host import Frame, PixelFormat

_NAMES = (
    *("Tab", "Return", "Space", "Backspace", "Shift", "Alt", "Up", "Down", "Left", "Right"),
    *("Comma", "Period", "Semicolon", "Slash"),
)
_NAMED_KEYS = {"ENTER": Qt.Key.Key_Return} | {n.upper(): Qt.Key[f"Key_{n}"] for n in _NAMES}
_NAMED_KEYS |= {"RSHIFT": Qt.Key.Key_Shift, "CTRL": Qt.Key.Key_Control}
"""Qt's keys by the names in descriptors and settings. For writing, a key's first name is used."""


def key_of_name(name: str) -> Qt.Key | None:
    """Return the Qt key of a name such as ``Z``, ``ENTER`` or Qt's ``F5``, or None."""
    upper = name.upper()
    if upper in _NAMED_KEYS:
        return _NAMED_KEYS[upper]
    if len(upper) == 1 and (upper.isascii() and upper.isprintable()):
        return Qt.Key(ord(upper))
    sequence = QtGui.QKeySequence.fromString(name, QtGui.QKeySequence.SequenceFormat.PortableText)
    if sequence.count() != 1:
        return None
    key: Qt.Key = sequence[0].key()  # type: ignore[index] # PySide's stubs leave it out
    return None if key in (Qt.Key.Key_unknown, Qt.Key(0)) else key


def keys_of(names: str) -> frozenset[Qt.Key]:
    """Return the keys of names separated by spaces, because a button may have two keys."""
    return frozenset(key for key in map(key_of_name, names.split()) if key is not None)


def name_of_key(key: int) -> str:
    """Return the name of a key for :func:`key_of_name`; "" for a key that cannot be bound."""
    key = plain_key(key)
    named = next((name for name, each in _NAMED_KEYS.items() if each.value == key), None)
    if named is not None:
        return named
    text = QtGui.QKeySequence(key).toString(QtGui.QKeySequence.SequenceFormat.PortableText)
    found = key_of_name(text)
    return text if found is not None and found.value == key else ""


def key_label(name: str) -> str:
    if " " in name:
        return " / ".join(map(key_label, name.split()))
    key = key_of_name(name)
    arrows = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→"}
    if key is None or name.upper() in arrows:
        return arrows.get(name.upper(), "")
    return name.title() if len(name) > 1 else name.upper()


_DIRECTIONS: Sequence[Mapping[str, str]] = (  # of players 2 and 3; digits in vi's order HJKL
    {"UP": "I", "DOWN": "K", "LEFT": "J", "RIGHT": "L"},
    {"UP": "9", "DOWN": "8", "LEFT": "7", "RIGHT": "0"},
)
_SPARE = "OUPYTHGNMB123456ERDFCV"


def player_keys(
    buttons: Sequence[str | None], first: Sequence[str | None], player: int
) -> tuple[str | None, ...]:
    """Return the keys of a player's buttons; player 0 has the keys ``first``. Players 2 and 3 get
    direction keys of their own, and letters that are still free. For others no keys are left."""
    if player == 0:
        return tuple(first)
    if player > len(_DIRECTIONS):
        return tuple(None for _ in buttons)
    earlier = [player_keys(buttons, first, each) for each in range(player)]
    used = {name.upper() for keys in earlier for name in keys if name}
    directions = {n: key for n, key in _DIRECTIONS[player - 1].items() if key not in used}
    spare = iter([key for key in _SPARE if key not in used | {*directions.values()}])
    return tuple(None if not n else directions.get(n) or next(spare, None) for n in buttons)


def plain_key(key: int) -> int:
    """Treat the keypad's Enter as the main Enter key."""
    return Qt.Key.Key_Return.value if key == Qt.Key.Key_Enter.value else key


@dataclass(frozen=True, slots=True)
class Presentation:
    """The way to show pictures. ``aspect_ratio`` is width to height; 0 means square pixels.
    ``quarter_turns`` are counterclockwise, on top of the rotation that the core asks for."""

    scaling: Scaling = Scaling.WHOLE
    aspect_ratio: float = 0.0
    quarter_turns: int = 0


def whole_scale(picture: QSize, room: QSize, device_ratio: float) -> float:
    """Return the largest scale that fits and is a whole number of device pixels. Below 2, return
    the largest scale that fits, because a whole one would waste up to half of the space."""
    fit = min(room.width() / picture.width(), room.height() / picture.height())
    return fit if fit < 2 else int(fit * device_ratio) / device_ratio


@dataclass(frozen=True, slots=True)
class PicturePlace:
    """The place ``rect`` of the picture in the widget; ``to_widget`` maps its pixels there."""

    rect: QRectF
    to_widget: QtGui.QTransform
    scale: QSizeF

    @classmethod
    def of(cls, picture: QSize, room: QSize, device_ratio: float, shown: Presentation) -> Self:
        """Center a picture, turned as training sees it, in the space of the widget."""
        turned = shown.quarter_turns % 2 == 1
        space, height = room.transposed() if turned else room, picture.height()
        width = height * shown.aspect_ratio if shown.aspect_ratio > 0 else picture.width()
        shape = QSize(max(1, round(width)), height)
        if shown.scaling is Scaling.WHOLE:
            scale = whole_scale(shape, space, device_ratio)
        else:
            scale = min(space.width() / width, space.height() / height)
        # An offset of half a device pixel would blur every edge.
        across = round(width * scale * device_ratio) / device_ratio
        size = QSizeF(across, height * scale)
        box = size.transposed() if turned else size
        left, top = int((room.width() - box.width()) / 2), int((room.height() - box.height()) / 2)
        rect = QRectF(QPointF(left, top), box)
        scales = QSizeF(size.width() / picture.width(), scale)
        there = QtGui.QTransform.fromTranslate(rect.center().x(), rect.center().y())
        there.rotate(-90 * (shown.quarter_turns % 4))
        there.scale(scales.width(), scales.height())
        there.translate(-picture.width() / 2, -picture.height() / 2)
        return cls(rect, there, scales)


def wrap_frame(frame: Frame) -> QtGui.QImage:
    """Return a QImage that shares the pixels of ``frame``. The frame must outlive the image."""
    kind = {
        PixelFormat.RGB1555: QtGui.QImage.Format.Format_RGB555,
        PixelFormat.XRGB8888: QtGui.QImage.Format.Format_RGB32,
        PixelFormat.RGB565: QtGui.QImage.Format.Format_RGB16,
    }[frame.pixel_format]
    return QtGui.QImage(frame.pixels.data, frame.width, frame.height, frame.pitch, kind)


class ScreenView(QWidget):
    """Shows the newest frame and reads the keys; it never runs a frame. ``masks_changed`` gives the
    pressed buttons, a mask for each player. ``fast_forward`` follows the space bar, and ``rewind``
    the backspace key, unless they are buttons. While ``touchable``, ``pointed`` gives the place in
    the picture where the mouse is pressed, from -32767 to 32767 across and down, or None. With
    mouse tracking, ``mouse_moved`` gives moves in pixels of the picture, right and down."""

    masks_changed = Signal(object)
    pointed = Signal(object)
    mouse_moved = Signal(int, int)
    fast_forward = Signal(bool)
    rewind = Signal(bool)
    scale_changed = Signal(float)
    reshaped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.frame: Frame | None = None
        self._players = 1
        self._buttons: dict[int, tuple[int, int]] = {}  # player and bit by key
        self._pressed: set[int] = set()
        self.scale = 0.0
        """Screen pixels (device-independent) for each line of the picture; 0 with no picture."""
        self.overlay = PadOverlay()  # the pressed buttons, drawn over the picture
        self.shows_overlay = False
        self.drawings: Sequence[Drawing] = ()
        self.marked: Sequence[tuple[int, int, int, int]] = ()
        self._seen: ObservationRule | None = None
        self._held = {Qt.Key.Key_Space: False, Qt.Key.Key_Backspace: False}
        self._presentation = Presentation()
        self.touchable = self._touching = False
        self._mouse: QPointF | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # This is at least 1.25 times the size of a picture of 240 x 224 pixels.
        self.setMinimumSize(300, 280)
        self.setAccessibleName(self.tr("Game screen"))

    def show_frame(self, frame: Frame | None) -> None:
        before, self.frame = self.frame, frame
        if frame is None:
            # Reset, so that the next picture reports its scale even if it is the same.
            self.scale = 0.0
        elif before and (before.width, before.height) != (frame.width, frame.height):
            self.reshaped.emit()
        self.update()

    def set_keys(self, *players: Sequence[str | None]) -> None:
        """Bind the keyboard. For each player, ``keys[i]`` is the key of button bit i."""
        self._players, self._pressed = len(players), set()
        self._buttons = {
            key.value: (player, bit)
            for player, keys in enumerate(players)
            for bit, name in enumerate(keys)
            for key in keys_of(name or "")
        }

    @property
    def masks(self) -> tuple[int, ...]:
        masks = [0] * self._players
        for player, bit in map(self._buttons.__getitem__, self._pressed):
            masks[player] |= 1 << bit
        return tuple(masks)

    def _knows(self, key: int) -> bool:
        return plain_key(key) in self._buttons

    def outline(self, seen: ObservationRule | None) -> None:
        """Draw a box around the part of the picture that training sees, unless it sees all."""
        if seen != self._seen:
            self._seen = seen
            self.update()

    def show_drawings(self, drawings: Sequence[Drawing]) -> None:
        if drawings or self.drawings:
            self.drawings = drawings
            self.update()

    def mark_places(self, places: Sequence[tuple[int, int, int, int]]) -> None:
        """Draw boxes over the picture, given as x, y, width and height in its pixels."""
        self.marked = places
        self.update()

    def present(self, presentation: Presentation) -> None:
        if presentation != self._presentation:
            self._presentation = presentation
            self.update()

    def picture_rect(self) -> QRectF:
        return place.rect if (place := self._place()) else QRectF()

    def rect_of(self, x: float, y: float, width: float, height: float) -> QRectF:
        box = QRectF(x, y, width, height)
        return place.to_widget.mapRect(box) if (place := self._place()) else QRectF()

    def pixel_at(self, where: QPointF) -> QPointF:
        place = self._place()
        return place.to_widget.inverted()[0].map(where) if place else QPointF()

    def pixels_to_widget(self) -> QtGui.QTransform:
        return place.to_widget if (place := self._place()) else QtGui.QTransform()

    def picture_size(self) -> QSize:
        return QSize() if self.frame is None else _turned_size(self.frame)

    def _place(self) -> PicturePlace | None:
        if self.frame is None:
            return None
        size, ratio = _turned_size(self.frame), self.devicePixelRatioF()
        return PicturePlace.of(size, self.size(), ratio, self._presentation)

    def sizeHint(self) -> QSize:
        return QSize(640, 448)

    def paintEvent(self, _event: object) -> None:
        painter = QtGui.QPainter(self)
        painter.fillRect(self.rect(), QtGui.QColor(ui.Theme.now.colors.screen))
        place = self._place()
        if self.frame is None or place is None:
            return
        self._draw_picture(painter, wrap_frame(self.frame), self.frame.rotation, place)
        if self._seen is not None:
            self._draw_seen(painter, self.frame, self._seen)
        for box in self.marked:
            draw_frame(painter, self.rect_of(*box))
        if self.drawings:
            size = _turned_size(self.frame)
            draw_drawings(painter, self.drawings, place.rect, (size.width(), size.height()))
        if self.shows_overlay:
            self.overlay.paint(painter, place.rect, ui.Theme.now.colors)
        if (scale := place.scale.height()) != self.scale:
            self.scale = scale
            self.scale_changed.emit(scale)

    def _draw_picture(
        self, painter: QtGui.QPainter, image: QtGui.QImage, rotation: int, place: PicturePlace
    ) -> None:
        """Draw ``image``, turned counterclockwise by the core's ``rotation``, at its place."""
        scale = place.scale.transposed() if rotation % 2 else place.scale
        across, down, size = scale.width(), scale.height(), image.size()
        scaling, ratio = self._presentation.scaling, self.devicePixelRatioF()
        uneven = any(abs(round(each * ratio) - each * ratio) > 1e-6 for each in (across, down))
        smooth = scaling is Scaling.SMOOTH or (scaling is Scaling.WHOLE and uneven)
        if scaling is Scaling.WHOLE and uneven:
            # Pixels would get unequal sizes. Scaled by a whole number first, only their edges blur.
            wide, high = ceil(across * ratio), ceil(down * ratio)
            image = image.scaled(size.width() * wide, size.height() * high)
        painter.save()
        painter.setRenderHint(QtGui.QPainter.RenderHint.SmoothPixmapTransform, on=smooth)
        painter.translate(place.rect.center())
        painter.rotate(-90 * ((rotation + self._presentation.quarter_turns) % 4))
        painter.scale(across, down)
        box = QRectF(QPointF(-size.width() / 2, -size.height() / 2), size)
        painter.drawImage(box, image, QRectF(image.rect()))
        painter.restore()

    def _draw_seen(self, painter: QtGui.QPainter, frame: Frame, seen: ObservationRule) -> None:
        crop = seen.crop
        if crop == Crop() and frame.width <= seen.width and frame.height <= seen.height:
            return
        box = self.rect_of(*seen.place_in(frame.width, frame.height, frame.rotation))
        draw_frame(painter, box)
        painter.setFont(ui.mono_font())
        label = self.tr("agents get {0} × {1}").format(seen.width, seen.height)
        if crop != Crop():
            label = self.tr("crop {0}, {1}, {2}, {3}")
            label = label.format(crop.x, crop.y, crop.width, crop.height)
        draw_note(painter, label, QPointF(box.left() + 4, max(14.0, box.top() - 6)))

    def take_mouse(self, *, taken: bool) -> None:
        self.setMouseTracking(taken)
        self._mouse = None

    def _move_mouse(self, where: QPointF) -> None:
        place = self.pixel_at(where)
        before = place if self._mouse is None else self._mouse
        moved = (place - before).toPoint()
        self._mouse = before + moved  # a remainder below one pixel counts for the next move
        if not moved.isNull():
            self.mouse_moved.emit(moved.x(), moved.y())

    def mousePressEvent(self, event: QtGui.QMouseEvent) -> None:
        left = event.button() is Qt.MouseButton.LeftButton
        if self.touchable and left and self.picture_rect().contains(event.position()):
            self._touching = True
            self.pointed.emit(self._pointer(event.position()))
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QtGui.QMouseEvent) -> None:
        """Drag the touch. Outside of the picture, it stays at the edge."""
        if self.hasMouseTracking():
            self._move_mouse(event.position())
        if self._touching:
            self.pointed.emit(self._pointer(event.position()))
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QtGui.QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._end_touch()
        super().mouseReleaseEvent(event)

    def _pointer(self, where: QPointF) -> tuple[int, int]:
        pixel, size = self.pixel_at(where), self.picture_size()
        shares = (pixel.x() / size.width(), pixel.y() / size.height())
        x, y = (round(min(1.0, max(0.0, share)) * 65534) - 32767 for share in shares)
        return x, y

    def _end_touch(self) -> None:
        if self._touching:
            self._touching = False
            self.pointed.emit(None)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        if self._is_command(event) or not self._handle_key(event, down=True):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QtGui.QKeyEvent) -> None:
        if not self._handle_key(event, down=False):
            super().keyReleaseEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's signature
        """Let Tab play if it is a button's key; Shift+Tab moves the focus, unless both play."""
        knows = self._knows
        plays = knows(Qt.Key.Key_Tab.value) and (next or knows(Qt.Key.Key_Shift.value))
        return False if plays else super().focusNextPrevChild(next)

    def focusOutEvent(self, event: QtGui.QFocusEvent) -> None:
        """Release all buttons, because the key releases will go to another widget."""
        self._pressed.clear()
        self.masks_changed.emit(self.masks)
        for key in self._held:
            self._hold(key, down=False)
        self._end_touch()
        super().focusOutEvent(event)

    def event(self, event: QEvent) -> bool:
        """Let a key that is bound to a button play, even if it is a shortcut of the window."""
        if (
            event.type() is QEvent.Type.ShortcutOverride
            and isinstance(event, QtGui.QKeyEvent)
            and self._knows(event.key())
            and not self._is_command(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def _is_command(self, event: QtGui.QKeyEvent) -> bool:
        held, modifiers, keys = event.modifiers(), Qt.KeyboardModifier, Qt.Key
        pairs = (modifiers.ControlModifier, keys.Key_Control), (modifiers.AltModifier, keys.Key_Alt)
        return any(held & each and not self._knows(key.value) for each, key in pairs)

    def _handle_key(self, event: QtGui.QKeyEvent, *, down: bool) -> bool:
        """Press or release a key; return False if it is no button, fast-forward or rewind key."""
        key = event.key()
        if event.isAutoRepeat():
            return self._knows(key) or key in self._held
        if self._knows(key):
            before = self.masks
            (self._pressed.add if down else self._pressed.discard)(plain_key(key))
            if self.masks != before:
                self.masks_changed.emit(self.masks)
        elif key in self._held:
            self._hold(Qt.Key(key), down=down)
        else:
            return False
        return True

    def _hold(self, key: Qt.Key, *, down: bool) -> None:
        if self._held[key] != down:
            self._held[key] = down
            (self.fast_forward if key == Qt.Key.Key_Space else self.rewind).emit(down)


def _turned_size(frame: Frame) -> QSize:
    size = QSize(frame.width, frame.height)
    return size.transposed() if frame.rotation % 2 else size
