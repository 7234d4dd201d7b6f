"""The Crop panel and its tool on the screen: the part of the picture that training sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QIntValidator, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from integrator.domain.scenario_spec import MAX_PLAYERS
from integrator.ui.play.screen_view import ScreenView
from integrator.ui.top_bar import Segments
from integrator.ui.widgets.panels import role_label
from integrator.ui.widgets.theme import DARK, Theme, mono_font

Crop = tuple[int, int, int, int]
_FULL: Crop = (0, 0, 0, 0)


def crop_of(scenario: Mapping[str, Any], player: int) -> Crop | None:
    """A player's crop (x, y, width, height); None when there is none, or it makes no sense."""
    crops = scenario.get("crops")
    crop = scenario.get("crop")
    if isinstance(crops, list):
        crop = crops[player] if player < len(crops) else None
    fits = isinstance(crop, list) and len(crop) == 4 and all(isinstance(n, int) for n in crop)
    return (crop[0], crop[1], crop[2], crop[3]) if fits and crop and any(crop) else None


class CropTool(QWidget):
    """Lies over the screen while a rectangle is drawn, in the picture's pixels: ``drawn`` has it.

    ``hint`` is shown until the drag begins.
    """

    drawn = Signal(tuple)
    ended = Signal()

    def __init__(self, screen: ScreenView, hint: str = "") -> None:
        super().__init__(screen)
        self._screen = screen
        self._hint = hint or self.tr("Drag a rectangle over what training should see · Esc to stop")
        self._from: QPoint | None = None
        self._to = QPoint()
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Draw the crop"))
        screen.installEventFilter(self)
        self.hide()

    def begin(self) -> None:
        """Take the mouse until a rectangle was drawn or Escape is pressed."""
        self._from = None
        self.setGeometry(self._screen.rect())
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Stay as large as the screen."""
        if watched is self._screen and event.type() is QEvent.Type.Resize:
            self.setGeometry(self._screen.rect())
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """One corner."""
        self._from = self._to = self._pixel(event.position())
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """The other corner so far."""
        self._to = self._pixel(event.position())
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """The rectangle, if it has an area."""
        self._to = self._pixel(event.position())
        crop = self._crop()
        self._end()
        if crop is not None and crop[2] > 1 and crop[3] > 1:
            self.drawn.emit(crop)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Escape ends without a crop."""
        if event.key() == Qt.Key.Key_Escape:
            self._end()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        """Darken what is left out."""
        painter = QPainter(self)
        shade = QColor(0, 0, 0, 110)
        crop = self._crop()
        if crop is None:
            painter.fillRect(self.rect(), QColor(0, 0, 0, 60))
            painter.setPen(QColor(DARK.warn))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._hint)
            return
        box = self._screen.rect_of(*crop)
        whole = QRectF(self.rect())
        painter.fillRect(QRectF(whole.topLeft(), QPointF(whole.right(), box.top())), shade)
        painter.fillRect(QRectF(QPointF(0, box.bottom()), whole.bottomRight()), shade)
        painter.fillRect(QRectF(0, box.top(), box.left(), box.height()), shade)
        right = QRectF(box.right(), box.top(), whole.right() - box.right(), box.height())
        painter.fillRect(right, shade)
        painter.setPen(QPen(QColor(DARK.warn), 1.5, Qt.PenStyle.DashLine))
        painter.drawRect(box)
        text = f"{crop[0]}, {crop[1]}   {crop[2]} × {crop[3]}"
        painter.drawText(box.bottomRight() + QPointF(-140, 16), text)

    def _pixel(self, where: QPointF) -> QPoint:
        """The picture's pixel corner nearest to a point."""
        pixel, size = self._screen.pixel_at(where), self._screen.picture_size()
        x, y = round(pixel.x()), round(pixel.y())
        return QPoint(min(max(x, 0), size.width()), min(max(y, 0), size.height()))

    def _crop(self) -> Crop | None:
        if self._from is None:
            return None
        x, y = min(self._from.x(), self._to.x()), min(self._from.y(), self._to.y())
        width, height = abs(self._from.x() - self._to.x()), abs(self._from.y() - self._to.y())
        return (x, y, width, height)

    def _end(self) -> None:
        self.hide()
        self._screen.setFocus(Qt.FocusReason.OtherFocusReason)
        self.ended.emit()


class NumberField(QLineEdit):
    """A number of pixels; anything else is taken back when the field is left."""

    def __init__(self) -> None:
        super().__init__("0")
        self.setFont(mono_font())
        self.setValidator(QIntValidator(0, 4095, self))

    def value(self) -> int:
        """The number; 0 for an empty field."""
        return int(self.text() or 0)

    def show_value(self, number: int) -> None:
        """Show a number."""
        self.setText(str(number))


class CropView(QWidget):
    """Four numbers and the tool. ``crop_changed``: (player, (x, y, w, h) or None for all)."""

    crop_changed = Signal(int, object)
    draw_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._scenario: Mapping[str, Any] = {}
        self.player = 0
        self.fields: dict[str, NumberField] = {}
        self.players_box = Segments(
            [(str(n), self.tr("P{0}").format(n + 1), "") for n in range(MAX_PLAYERS)]
        )
        self.players_box.setProperty("role", "small")
        self.players_box.select("0")
        self.players_box.chosen.connect(lambda key: self.show_player(int(key)))
        self.draw = QPushButton(theme.icons.icon("crop"), self.tr("Draw"))
        self.draw.setToolTip(self.tr("Drag a rectangle on the screen"))
        self.draw.clicked.connect(self.draw_requested)
        self.clear = QPushButton(self.tr("Whole"))
        self.clear.setToolTip(self.tr("Let training see the whole picture"))
        self.clear.setProperty("role", "flat")
        self.clear.clicked.connect(lambda: self.crop_changed.emit(self.player, None))
        self.warning = role_label("", "warn")
        self.warning.setWordWrap(True)
        self._build_ui()

    def _build_ui(self) -> None:
        numbers = QHBoxLayout()
        numbers.setSpacing(6)
        names = {
            "x": self.tr("Left edge, in pixels of the console"),
            "y": self.tr("Upper edge"),
            "w": self.tr("Width; 0 is all that there is"),
            "h": self.tr("Height; 0 is all that there is"),
        }
        for key, tip in names.items():
            field = NumberField()
            field.setToolTip(tip)
            field.setAccessibleName(tip)
            field.setMaximumWidth(58)
            field.editingFinished.connect(self._typed)
            numbers.addWidget(role_label(key, "faint"))
            numbers.addWidget(field)
            self.fields[key] = field
        numbers.addStretch(1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.draw)
        buttons.addWidget(self.clear)
        buttons.addStretch(1)
        buttons.addWidget(self.players_box)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(11, 9, 11, 9)
        layout.setSpacing(8)
        layout.addLayout(numbers)
        layout.addLayout(buttons)
        layout.addWidget(self.warning)
        layout.addStretch(1)

    def show_player(self, player: int) -> None:
        """Show another player's crop."""
        self.player = player
        self.players_box.select(str(player))
        self.show_scenario(self._scenario)

    def show_scenario(self, scenario: Mapping[str, Any]) -> None:
        """Show the crop of a scenario."""
        self._scenario = scenario
        crop = crop_of(scenario, self.player) or _FULL
        for field, number in zip(self.fields.values(), crop, strict=True):
            field.show_value(number)
        self.clear.setEnabled(any(crop))
        self.warning.setVisible("crops" in scenario)
        self.warning.setText(
            self.tr("stable-retro can not load a scenario with a crop for each player (“crops”).")
        )

    def _typed(self) -> None:
        x, y, width, height = (field.value() for field in self.fields.values())
        crop = (x, y, width, height)
        if crop != (crop_of(self._scenario, self.player) or _FULL):
            self.crop_changed.emit(self.player, crop if any(crop) else None)
