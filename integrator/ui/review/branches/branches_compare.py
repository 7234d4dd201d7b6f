"""Two lines of play compared: last pictures, reward since they parted, values at their ends."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QSizePolicy, QWidget

from integrator.session.timeline.branches import BranchComparison, LineFacts, Thumbnail
from integrator.ui.review.movies.movies_curves import summed_reward
from integrator.ui.widgets.panels.parts import role_label, vbox
from integrator.ui.widgets.texts import clock_text, plain_number
from integrator.ui.widgets.theme import SIZES, Theme, mono_font
from integrator.ui.widgets.translation import translate

_PICTURE = QSize(112, 84)
_CURVE_HEIGHT = 52


def pixmap_of(picture: Thumbnail, room: QSize, ratio: float) -> QPixmap:
    """A small picture, as large as there is room for, with ``ratio`` device pixels to each."""
    height, width = picture.shape[:2]
    pixels = np.ascontiguousarray(picture)
    image = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
    scaled = image.scaled(
        room * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    pixmap = QPixmap.fromImage(scaled)
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


class BranchCompareView(QScrollArea):
    """Shows a BranchComparison: the present line on the left, the kept one on the right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.heading = role_label("", "secondary", wraps=True)
        self.columns = (_LineColumn(theme, "good"), _LineColumn(theme, "link"))
        self.curves = _Curves(theme)
        self.values = QLabel(textFormat=Qt.TextFormat.RichText)
        self.values.setFont(mono_font())
        self.values.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._build_ui()

    def _build_ui(self) -> None:
        body = QWidget()
        grid = QGridLayout()
        grid.setHorizontalSpacing(SIZES.pad)
        grid.setVerticalSpacing(2)
        for number, column in enumerate(self.columns):
            column.put_into(grid, number)
            grid.setColumnStretch(number, 1)
        parts = (self.heading, grid, self.curves, self.values, None)
        vbox(*parts, on=body, margins=(SIZES.pad, 8, SIZES.pad, 8), gap=6)
        self.setWidget(body)

    def show_comparison(self, compared: BranchComparison, fps: float) -> None:
        shared = compared.shared_frames
        text = self.tr("The same up to frame {0} ({1}), then:")
        self.heading.setText(text.format(f"{shared:,}", clock_text(shared, fps)))
        for column, line in zip(self.columns, (compared.here, compared.there), strict=True):
            column.show_line(line, shared, fps)
        self.curves.show_rewards(compared.here.rewards, compared.there.rewards)
        self.values.setText(self._value_rows(compared))

    def _value_rows(self, compared: BranchComparison) -> str:
        here, there = compared.here, compared.there
        names = [n for n in here.values if here.values[n] != there.values.get(n)]
        if not names:
            return self.tr("All variables are the same at both ends.") if here.values else ""
        colors = self._theme.colors
        cells = "".join(
            f"<tr><td style='padding-right:14px'>{name}</td>"
            f"<td align='right' style='padding-right:14px;color:{colors.good}'>"
            f"{here.values[name]}</td>"
            f"<td align='right' style='color:{colors.link}'>{there.values.get(name, '')}</td></tr>"
            for name in names
        )
        return f"<table>{cells}</table>"


class _LineColumn:
    """The facts of one line: picture, name, length and rewards."""

    def __init__(self, theme: Theme, role: str) -> None:
        self.picture = QLabel(alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.picture.setFixedSize(_PICTURE)
        self.name = role_label("", role)
        self.facts = role_label("", "secondary", wraps=True)
        self._theme = theme

    def put_into(self, grid: QGridLayout, column: int) -> None:
        for row, widget in enumerate((self.picture, self.name, self.facts)):
            grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignTop)

    def show_line(self, line: LineFacts, shared: int, fps: float) -> None:
        self.name.setText(line.name)
        self.picture.clear()
        if line.picture is not None:
            ratio = self.picture.devicePixelRatioF()
            self.picture.setPixmap(pixmap_of(line.picture, _PICTURE, ratio))
        self.picture.setAccessibleName(line.name)
        gained = " / ".join(plain_number(total) for total in line.rewards.sum(axis=0).tolist())
        text = translate("BranchesCompare", "{0} further, reward {1}").format(
            clock_text(line.length - shared, fps), gained
        )
        if line.done:
            text += translate("BranchesCompare", ", done at {0}").format(f"{line.done[0]:,}")
        self.facts.setText(text)


class _Curves(QWidget):
    """Both lines' reward of player 1 since they parted, summed up."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._curves: tuple[Sequence[tuple[int, float]], ...] = ()
        self.setFixedHeight(_CURVE_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Reward since the lines parted"))
        theme.changed.connect(self.update)

    def show_rewards(self, *rewards: NDArray[np.float32]) -> None:
        """Rewards of each line, (frames, players)."""
        self._curves = tuple(map(summed_reward, rewards))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.sunken))
        painter.drawRoundedRect(QRectF(self.rect()), 5, 5)
        if not self._curves:
            return
        area = QRectF(self.rect()).adjusted(8, 8, -8, -8)
        sums = [total for curve in self._curves for _, total in curve]
        low, high = min(sums), max(*sums, min(sums) + 1e-9)
        across = area.width() / max(1, *(curve[-1][0] for curve in self._curves))
        up = area.height() / (high - low)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for curve, color in zip(self._curves, (colors.good, colors.link), strict=True):
            points = [
                QPointF(area.left() + frame * across, area.bottom() - (total - low) * up)
                for frame, total in curve
            ]
            painter.setPen(QPen(QColor(color), 1.6))
            painter.drawPolyline(QPolygonF(points))
            painter.drawEllipse(points[-1], 1.6, 1.6)
