"""Comparison of movies: reward curves in one plot, and two movies side by side."""

import math
from collections.abc import Sequence
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QImage, QMouseEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QSlider, QToolTip, QWidget

from integrator.session.hidden.movies import MoviePair, MovieScore, PairFrame
from integrator.session.setup.plan import SessionPlan
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background, Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.review.movies.movies_lists import MovieResult

_SAMPLES: Final = 256  # samples of a curve in the density picture
_MARGIN: Final = 8
_LOW_MARGIN: Final = 3  # margin above and below in a low canvas, where curves need the space
_FEW: Final = 24  # most movies that are drawn as lines; more are drawn as one density picture

# Frames of a movie, thinned for drawing, with the cumulative reward at each: (points, 2).
Curve = NDArray[np.float64]
Scale = tuple[float, float, float]  # last frame, lowest and highest sum of a plot
NO_SCALE: Final[Scale] = (1.0, 0.0, 0.0)


def summed_reward(rewards: NDArray[np.float32]) -> Curve:
    """Return the curve of player 1 in ``rewards`` (frames, players), with 0 as its first sum."""
    sums = np.concatenate([[0.0], np.cumsum(rewards[:, 0], dtype=np.float64)])
    picked = np.unique(np.linspace(0, len(sums) - 1, 400).astype(np.int64))
    return np.stack([picked.astype(np.float64), sums[picked]], axis=1)


def widened(scale: Scale, curve: Curve) -> Scale:
    (last, low, high), (frames, sums) = scale, curve.T
    return max(last, float(frames[-1])), min(low, float(sums.min())), max(high, float(sums.max()))


def curve_points(curve: Curve, area: QRectF, scale: Scale) -> list[QPointF]:
    longest, low, high = scale
    xs = area.left() + curve[:, 0] * area.width() / longest
    ys = area.bottom() - (curve[:, 1] - low) * area.height() / max(high - low, 1e-9)
    return list(map(QPointF, xs.tolist(), ys.tolist()))


def density(
    curves: NDArray[np.float32], lengths: NDArray[np.int64], size: tuple[int, int], scale: Scale
) -> NDArray[np.int64]:
    """Return the number of curves through each pixel, int64 (height, width). ``curves`` are
    (movies, samples), each from a movie's first frame to its last, which is its length."""
    (width, height), (longest, low, high) = size, scale
    samples = curves.shape[1] - 1
    frames = np.linspace(0, longest, width)
    at = frames[np.newaxis] * (samples / np.maximum(1, lengths)[:, np.newaxis])
    known = at <= samples + 0.5
    sums = np.take_along_axis(curves, np.clip(np.rint(at).astype(np.int64), 0, samples), axis=1)
    rows = ((high - sums) * ((height - 1) / max(high - low, 1e-9))).astype(np.int64)
    before = np.concatenate([rows[:, :1], rows[:, :-1]], axis=1)
    columns = np.broadcast_to(np.arange(width), rows.shape)[known]
    steps = np.zeros((height + 1) * width, np.int64)
    for edge, sign in ((np.minimum(rows, before), 1), (np.maximum(rows, before) + 1, -1)):
        steps += sign * np.bincount(edge[known] * width + columns, minlength=len(steps))
    return np.cumsum(steps.reshape(height + 1, width), axis=0)[:height]


class MovieCurves(QWidget):
    """All scored movies, faint, and the selected ones in colors. ``picked``: one was clicked."""

    picked = Signal(object)

    def __init__(self) -> None:
        super().__init__(accessibleName=self.tr("Reward of the movies, summed up"))
        self.drawn: dict[Path, Curve] = {}
        self._sampled: dict[Path, NDArray[np.float32]] = {}
        self._chosen: tuple[Path, ...] = ()
        self._scale = NO_SCALE
        self._ground = QPixmap()
        # Many scores arrive quickly, so they are drawn together.
        self._late = ui.settle_timer(self, pause_ms=250, then=self._redraw)
        self.setMinimumHeight(38)  # leaves three rows of movies in a low window
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        ui.Theme.now.changed.connect(self._redraw)
        self.hide()

    def sizeHint(self) -> QSize:
        """Return a height that separates curves; a low panel takes some of it for its rows."""
        return QSize(self.width(), 124)

    @property
    def chosen(self) -> tuple[Path, ...]:
        return tuple(path for path in self._chosen if path in self.drawn)

    def show_scores(self, scores: Sequence[MovieScore]) -> None:
        self.drawn.clear()
        self._sampled.clear()
        self._scale = NO_SCALE
        for score in scores:
            self.add_score(score)
        self._late.stop()
        self._redraw()
        self.setVisible(bool(self.drawn))

    def add_score(self, score: MovieScore) -> None:
        curve = self.drawn[score.path] = summed_reward(score.rewards)
        samples = np.linspace(0, curve[-1, 0], _SAMPLES)
        self._sampled[score.path] = np.interp(samples, *curve.T).astype(np.float32)
        self._scale = widened(self._scale, curve)
        self.show()
        if not self._late.isActive():
            self._late.start()

    def choose(self, paths: Sequence[Path]) -> None:
        self._chosen = tuple(paths)
        self.update()

    def _redraw(self) -> None:
        self._ground = QPixmap()
        self.update()

    def _is_low(self) -> bool:
        """True if the curves need the space of the numbers below them."""
        return self.height() < 112

    def _area(self) -> QRectF:
        line = self.fontMetrics().height()
        if self._is_low():
            return QRectF(self.rect()).adjusted(_MARGIN, line + _LOW_MARGIN, -_MARGIN, -_LOW_MARGIN)
        margin = line + _MARGIN
        return QRectF(self.rect()).adjusted(_MARGIN, margin, -_MARGIN, -margin)

    def paintEvent(self, _event: object) -> None:
        """Paint faint curves, then the selected ones, then the numbers at the ends of the axes."""
        painter = QPainter(self)
        if self._ground.size() != self.size() * self.devicePixelRatioF():
            self._ground = self._painted_ground()
        painter.drawPixmap(0, 0, self._ground)
        if not self.drawn:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for path, color in zip(self.chosen[:_FEW], cycle(ui.Theme.now.colors.curves[:4])):
            painter.setPen(QPen(QColor(color), 1.8))
            painter.drawPolyline(curve_points(self.drawn[path], self._area(), self._scale))
        self._paint_words(painter)

    def _painted_ground(self) -> QPixmap:
        ratio, colors, area = self.devicePixelRatioF(), ui.Theme.now.colors, self._area()
        ground = QPixmap(self.size() * ratio)
        ground.setDevicePixelRatio(ratio)
        ground.fill(QColor(colors.sunken))
        painter = QPainter(ground)
        if len(self.drawn) > _FEW:
            size = area.size() * ratio
            room = max(1, round(size.width())), max(1, round(size.height()))
            counts = density(*self._curves(), room, self._scale)
            light = np.log1p(counts) / math.log1p(max(1, int(counts.max())))
            color = QColor(colors.secondary)
            pixels = np.empty((*counts.shape, 4), np.uint8)
            pixels[..., :3] = color.blue(), color.green(), color.red()
            pixels[..., 3] = np.where(counts > 0, 50 + 205 * light, 0)
            kind = QImage.Format.Format_ARGB32
            painter.drawImage(area, QImage(pixels.data, room[0], room[1], 4 * room[0], kind))
        elif self.drawn:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colors.faint), 1.0))
            for curve in self.drawn.values():
                painter.drawPolyline(curve_points(curve, area, self._scale))
        painter.end()
        return ground

    def _curves(self) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Return the samples of all curves (movies, samples), and their lengths."""
        lengths = [curve[-1, 0] for curve in self.drawn.values()]
        return np.stack([*self._sampled.values()]), np.array(lengths, np.int64)

    def _paint_words(self, painter: QPainter) -> None:
        longest, low, high = self._scale
        box = self.rect().adjusted(_MARGIN, 4, -_MARGIN, -4)
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        top, bottom = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag.AlignBottom
        painter.setPen(QColor(ui.Theme.now.colors.secondary))
        painter.drawText(box, left | top, self.tr("reward {0}").format(ui.plain_number(high)))
        painter.drawText(box, right | top, self.words)
        if not self._is_low():
            painter.drawText(box, left | bottom, ui.plain_number(low))
            frames = self.tr("frame {0}").format(ui.grouped(int(longest)))
            painter.drawText(box, right | bottom, frames)

    @property
    def words(self) -> str:
        paths = self.chosen if len(self.chosen) > 1 else tuple(self.drawn)
        if not (totals := [float(self.drawn[path][-1, 1]) for path in paths]):
            return ""
        count, numbers = len(totals), (max(totals), median(totals), min(totals))
        text = self.tr("{0} movie[|s]: best {1} · median {2} · worst {3}", None, count)
        return ui.count_text(text, count, *map(ui.plain_number, numbers))

    def movie_at(self, place: QPointF) -> Path | None:
        if not self.drawn:
            return None
        area, (longest, low, high) = self._area(), self._scale
        frame = (place.x() - area.left()) * longest / max(1.0, area.width())
        samples, lengths = self._curves()
        at = np.clip(np.rint(frame * (_SAMPLES - 1) / lengths), 0, _SAMPLES - 1).astype(np.int64)
        sums = samples[np.arange(len(at)), at]
        heights = area.bottom() - (sums - low) * area.height() / max(high - low, 1e-9)
        beyond = np.maximum(0, frame - lengths) * area.width() / longest
        away = np.abs(heights - place.y()) + beyond
        nearest = int(away.argmin())
        # A click picks a curve up to twelve pixels away.
        return list(self.drawn)[nearest] if away[nearest] <= 12 else None

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            path = self.movie_at(QPointF(event.pos()))
            if path is not None:
                total = ui.plain_number(self.drawn[path][-1, 1])
                text = self.tr("{0}: reward {1}").format(path.name, total)
                QToolTip.showText(event.globalPos(), text, self)
                return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (path := self.movie_at(event.position())) is not None:
            self.picked.emit(path)


_PICTURE = QSize(420, 320)


class SideBySide(ui.Dialog):
    """Plays two movies in hidden cores, and shows the same frame of both; closes with the game."""

    def __init__(
        self,
        background: Background,
        bridge: SessionBridge,
        paths: tuple[Path, Path],
        parent: QWidget,
        plan: SessionPlan,
    ) -> None:
        super().__init__(parent, self.tr("Two movies side by side"))
        self._pair: MoviePair | None = None
        self._wanted: int | None = None
        self._background = background  # its thread goes on after the dialog
        self.pictures = [QLabel(alignment=Qt.AlignmentFlag.AlignCenter) for _ in paths]
        self.facts = [ui.role_label("", "secondary", wraps=True) for _ in paths]
        across, name = Qt.Orientation.Horizontal, self.tr("Frame of both movies")
        self.slider = ui.named(QSlider(across), name, enabled=False)
        self.slider.valueChanged.connect(self.seek)
        self.state = ui.role_label(self.tr("Playing both movies in hidden cores…"), "subheading")
        self.bytes = ui.role_label("", "secondary", wraps=True, font=ui.mono_font())
        names = self.tr("inputs"), self.tr("rewards"), self.tr("RAM")
        self.firsts = [ui.configured(QPushButton(name), enabled=False) for name in names]
        columns = ui.hbox(gap=12)
        for path, picture, facts in zip(paths, self.pictures, self.facts, strict=True):
            picture.setFixedSize(_PICTURE)
            picture.setAccessibleName(path.name)
            heading = ui.role_label(path.name, "secondary", toolTip=str(path))
            columns.addLayout(ui.vbox(heading, picture, facts, gap=4))
        below = ui.hbox(self.state, None, *self.firsts, gap=8)
        ui.vbox(columns, self.slider, below, self.bytes, on=self)
        made: list[MoviePair] = []

        def make(job: Job) -> MoviePair:
            made.append(MoviePair(plan, paths, job.stopped))
            return made[0]

        def close_pair(_: Job | None = None) -> None:
            while made:
                made.pop().close()

        self._close_pair = close_pair
        bridge.closed.connect(self.close)
        # The thread may have ended before it closed the pair.
        bridge.ending.connect(close_pair)
        self._job: Job = background.start(make, self._ready, self._failed)

    def _ready(self, pair: MoviePair) -> None:
        self._pair = pair
        self.slider.setRange(1, pair.length)
        self.slider.setEnabled(True)
        for button, first in zip(self.firsts, pair.firsts.values(), strict=True):
            text = self.tr("{0}: from frame {1}") if first else self.tr("{0}: the same")
            button.setText(text.format(button.text(), ui.grouped(first) if first else ""))
            button.setEnabled(bool(first))
            button.clicked.connect(partial(self.slider.setValue, first or 1))
        self.seek(1)

    def _failed(self, error: Exception) -> None:
        ui.say(self.state, str(error), "bad")

    def seek(self, frame: int) -> None:
        """Show a frame of both movies; of several requests, the latest one counts."""
        if (pair := self._pair) is None:
            return
        waits = self._wanted is not None
        self._wanted = frame
        if not waits:
            self._job = self._background.start(lambda _: pair.at(frame), self._show, self._failed)

    def _show(self, shown: PairFrame) -> None:
        wanted, self._wanted = self._wanted, None
        places = map(ui.grouped, (shown.frame, self._pair.length if self._pair else 0))
        self.state.setText(self.tr("frame {0} of {1}").format(*places))
        for side, picture, facts in zip(shown.sides, self.pictures, self.facts, strict=True):
            image = QImage() if side.picture is None else ui.rgb_image(side.picture)
            ratio = self.devicePixelRatioF()
            picture.setPixmap(ui.fitted_pixmap(image, _PICTURE, ratio, smooth=False))
            text = self.tr("{0} · reward {1} · so far {2}")
            numbers = ui.plain_number(side.reward), ui.plain_number(side.total)
            is_apart = side.desync_row is not None
            apart = [MovieResult.out_of_step(side.desync_row or 0).text] * is_apart
            text = " · ".join([text.format(side.buttons, *numbers), *apart])
            ui.say(facts, text, "bad" if is_apart else "secondary")
        cells = [f"{ui.address_text(at)} {here}→{there}" for at, here, there in shown.bytes]
        self.bytes.setText("   ".join(cells) or self.tr("RAM is the same"))
        if wanted is not None and wanted != shown.frame:
            self.seek(wanted)

    def done(self, result: int) -> None:
        """Stop the job that may still be making the pair, and close the pair on its thread."""
        self._pair = None
        self._job.drop()
        self._background.start(self._close_pair)
        super().done(result)
