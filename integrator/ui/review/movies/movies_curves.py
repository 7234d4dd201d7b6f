"""The reward of movies over their frames, drawn over each other and compared in words."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from integrator.session.hidden.movie_scores import MovieScore
from integrator.ui.widgets.texts import counted, plain_number
from integrator.ui.widgets.theme import Theme

_HEIGHT: Final = 124
_LEAST_HEIGHT: Final = 48
_LOW: Final = 112
"""Below this height curves take the room of the numbers under them."""
_POINTS: Final = 400
_NEAR_PIXELS: Final = 12
_MARGIN: Final = 8


_Curve = Sequence[tuple[int, float]]
"""Frames of a movie, thinned for drawing, with the reward summed up to each."""


def summed_reward(rewards: NDArray[np.float32]) -> _Curve:
    """The curve of player 1's ``rewards`` (frames, players), from 0 before the first frame."""
    sums = np.concatenate([[0.0], np.cumsum(rewards[:, 0], dtype=np.float64)])
    picked = np.unique(np.linspace(0, len(sums) - 1, _POINTS).astype(np.int64))
    return tuple(zip(picked.tolist(), sums[picked].tolist(), strict=True))


class MovieCurves(QWidget):
    """All scored movies, faint, and the chosen ones in colours. ``picked``: a movie was clicked."""

    picked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.drawn: dict[Path, _Curve] = {}
        self._chosen: tuple[Path, ...] = ()
        self.setMinimumHeight(_LEAST_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.setAccessibleName(self.tr("Reward of the movies, summed up"))
        theme.changed.connect(self.update)
        self.hide()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """High enough to distinguish curves; a low panel takes some of it for its rows."""
        return QSize(self.width(), _HEIGHT)

    @property
    def chosen(self) -> tuple[Path, ...]:
        """The movies whose curves are drawn in a colour."""
        return tuple(path for path in self._chosen if path in self.drawn)

    def show_scores(self, scores: Mapping[Path, MovieScore]) -> None:
        """Draw other movies."""
        self.drawn.clear()
        for score in scores.values():
            self.add_score(score)
        self._show_drawn()

    def add_score(self, score: MovieScore) -> None:
        """Draw one movie more."""
        self.drawn[score.path] = summed_reward(score.rewards)
        self._show_drawn()

    def choose(self, paths: Sequence[Path]) -> None:
        """Draw these in colours."""
        self._chosen = tuple(paths)
        self.update()

    def _show_drawn(self) -> None:
        self.setVisible(bool(self.drawn))
        self.update()

    def color_of(self, path: Path) -> str:
        """The colour of a movie's curve."""
        colors, chosen = self._theme.colors, self.chosen
        return colors.curves[chosen.index(path) % 4] if path in chosen else colors.faint

    # -- painting -----------------------------------------------------------------------------

    @property
    def _is_low(self) -> bool:
        """True when the curves need the room of the numbers below them."""
        return self.height() < _LOW

    def _area(self) -> QRectF:
        margin = self.fontMetrics().height() + _MARGIN
        below = _MARGIN if self._is_low else margin
        return QRectF(self.rect()).adjusted(_MARGIN, margin, -_MARGIN, -below)

    def _scale(self) -> tuple[float, float, float]:
        """Last frame, lowest and highest sum."""
        frames, sums = zip(
            *(point for curve in self.drawn.values() for point in curve), strict=True
        )
        return max(1, *frames), min(sums), max(sums)

    def _polygon(self, curve: _Curve, area: QRectF, scale: tuple[float, float, float]) -> QPolygonF:
        longest, low, high = scale
        across, up = area.width() / longest, area.height() / max(high - low, 1e-9)
        return QPolygonF(
            [
                QPointF(area.left() + frame * across, area.bottom() - (number - low) * up)
                for frame, number in curve
            ]
        )

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's signature
        """Faint curves first, chosen ones over them, and the ends of both axes in numbers."""
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(colors.sunken))
        if not self.drawn:
            return
        area, scale = self._area(), self._scale()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for path in sorted(self.drawn, key=lambda path: path in self._chosen):
            width = 1.8 if path in self._chosen else 1.0
            painter.setPen(QPen(QColor(self.color_of(path)), width))
            painter.drawPolyline(self._polygon(self.drawn[path], area, scale))
        self._paint_words(painter, scale)

    def _paint_words(self, painter: QPainter, scale: tuple[float, float, float]) -> None:
        longest, low, high = scale
        box = self.rect().adjusted(_MARGIN, 4, -_MARGIN, -4)
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        top, bottom = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignBottom
        painter.setPen(QColor(self._theme.colors.secondary))
        painter.drawText(box, left | top, self.tr("reward {0}").format(plain_number(high)))
        painter.drawText(box, right | top, self.words)
        if not self._is_low:
            painter.drawText(box, left | bottom, plain_number(low))
            frames = self.tr("frame {0}").format(f"{int(longest):,}")
            painter.drawText(box, right | bottom, frames)

    @property
    def words(self) -> str:
        """The chosen movies' rewards, or those of all: best, in the middle, worst."""
        paths = self.chosen if len(self.chosen) > 1 else tuple(self.drawn)
        totals = [self.drawn[path][-1][1] for path in paths]
        if not totals:
            return ""
        count = len(totals)
        text = self.tr("{0} movie[|s]: best {1} · median {2} · worst {3}", None, count)
        numbers = (max(totals), median(totals), min(totals))
        return counted(text, count).format(f"{count:,}", *map(plain_number, numbers))

    # -- the pointer --------------------------------------------------------------------------

    def movie_at(self, place: QPointF) -> Path | None:
        """The movie whose curve is nearest, if one is near."""
        if not self.drawn:
            return None
        area, scale = self._area(), self._scale()

        def away(path: Path) -> float:
            points = self._polygon(self.drawn[path], area, scale).toList()
            nearest = min(points, key=lambda point: abs(point.x() - place.x()))
            return (nearest - place).manhattanLength()

        path = min(self.drawn, key=away)
        return path if away(path) <= _NEAR_PIXELS else None

    def event(self, event: QEvent) -> bool:
        """Name the movie below the pointer."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            path = self.movie_at(QPointF(event.pos()))
            if path is not None:
                total = plain_number(self.drawn[path][-1][1])
                text = self.tr("{0}: reward {1}").format(path.name, total)
                QToolTip.showText(event.globalPos(), text, self)
                return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose the movie below the pointer."""
        path = self.movie_at(event.position())
        if path is not None:
            self.picked.emit(path)
