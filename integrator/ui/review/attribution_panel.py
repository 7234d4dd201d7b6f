"""The Reward terms panel: terms stacked over the frames, and the reason why a frame paid."""

from collections.abc import Callable, Sequence
from itertools import cycle, pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMargins, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from integrator.session.rescoring import RangeExplained, Share, explain
from integrator.session.session import Session
from integrator.ui.widgets.parts import role_label, vbox
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.texts import grouped, plain_number
from integrator.ui.widgets.theme import Theme, faded
from integrator.ui.window_context import PanelView


class TermStack(QWidget):
    """Areas of each term's sum since the first frame, stacked. ``picked`` gives a frame."""

    picked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        name, tip = self.tr("Reward by terms, summed"), self.tr("Click a frame to see why it paid")
        super().__init__(minimumHeight=130, accessibleName=name, toolTip=tip)
        self._theme = theme
        self._frames: NDArray[np.int64] = np.zeros(0, np.int64)
        # The edges of the terms' areas, of shape (terms + 1, frames); the last edge is the reward.
        self.layers: NDArray[np.float64] = np.zeros((0, 0))
        self._cursor = 1
        self._chosen: tuple[int, int] | None = None

    def show_sums(self, frames: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
        """Show the terms' sums up to each of ``frames`` (k,), ascending; float64 (terms, k)."""
        zero = np.zeros((1, len(frames)))
        self._frames, self.layers = frames, np.concatenate((zero, np.cumsum(sums, axis=0)))
        self.update()

    def show_place(self, frame: int, chosen: tuple[int, int] | None) -> None:
        self._cursor, self._chosen = frame, chosen
        self.update()

    def x_of(self, frame: float) -> float:
        last = max(2, int(self._frames[-1])) if len(self._frames) else 2
        return (frame - 1) / (last - 1) * (self.width() - 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() == Qt.MouseButton.LeftButton and len(self._frames):
            last = int(self._frames[-1])
            share = event.position().x() / max(1, self.width() - 1)
            self.picked.emit(min(max(1, round(1 + share * (last - 1))), last))

    def paintEvent(self, _event: object) -> None:  # noqa: N802 - Qt's name
        painter, colors, height = QPainter(self), self._theme.colors, self.height()
        painter.fillRect(self.rect(), QColor(colors.panel))
        if len(self._frames) and np.isfinite(self.layers).all():
            self._paint_layers(painter)
        if self._chosen is not None:
            left, right = map(self.x_of, self._chosen)
            painter.fillRect(QRectF(left, 0, right - left, height), faded(colors.accent, 60))
        painter.setPen(QPen(QColor(colors.text), 1))
        x = self.x_of(self._cursor)
        painter.drawLine(QPointF(x, 0), QPointF(x, height))

    def _paint_layers(self, painter: QPainter) -> None:
        least, most = float(self.layers.min()), float(self.layers.max())
        scale = (self.height() - 8) / ((most - least) or 1.0)
        xs = [self.x_of(frame) for frame in self._frames.tolist()]
        heights = self.height() - 4 - (self.layers - least) * scale
        edges = [list(map(QPointF, xs, layer)) for layer in heights.tolist()]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for (below, above), color in zip(pairwise(edges), cycle(self._theme.colors.curves)):
            painter.setPen(QPen(QColor(color), 1))
            painter.drawPolyline(QPolygonF(above))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faded(color, 90))
            painter.drawPolygon(QPolygonF([*above, *reversed(below)]))


class SharesModel(RowsModel[Share]):
    """One row for each term."""

    def table(self) -> Sequence[Column[Share]]:
        def color(share: Share) -> str:
            curves = self._theme.colors.curves
            return curves[self.rows.index(share) % len(curves)]

        def way(share: Share) -> str:
            if share.before is None or share.after is None:
                return ""
            return f"{share.variable}: {grouped(share.before)} → {grouped(share.after)}"

        return (
            Column(self.tr("term"), lambda share: share.term, color=color),
            Column(self.tr("gave"), lambda share: plain_number(share.gave)),
            Column(self.tr("frames"), lambda share: grouped(share.paid_frames)),
            Column(self.tr("through"), way),
        )

    def color(self, share: Share) -> str:
        return "text" if share.gave else "faint"


class AttributionView(PanelView):
    """Explains the reward of the range on the time slider, or of the frame on the screen: a stack
    of terms above a table of their shares."""

    def _build(self) -> None:
        self.stack = TermStack(self._theme)
        self.title = role_label("", "secondary", contentsMargins=QMargins(10, 6, 10, 4))
        self.model = SharesModel(self._theme, self)
        self.table = DataTable(self.tr("Why this reward"), self.model)
        self.table.set_widths((110, 64, 56, 170), stretch=3)
        content = vbox((self.stack, 1), self.title, (self.table, 1), margins=0, gap=0)
        text = self.tr("Play, or run a movie: each term's part of the reward is shown here.")
        self._fill(content, "reward", self.tr("No reward to explain"), text)

    def _set_up(self) -> None:
        bridge, controller = self._bridge, self._controller
        self._live = self._reader(self._look, self._show, 300, self._forget)
        controller.follow(self._live.touch, "variables", "scenario", "scripts")
        for signal in (controller.scored, self._timeline.selected, bridge.readout_ready):
            signal.connect(self._live.touch)
        self.stack.picked.connect(self._timeline.setValue)
        self._sight.follow(bridge.readout_ready, lambda shown: self._show_place(shown.number))

    def _show_place(self, frame: int) -> None:
        self.stack.show_place(frame, self._timeline.range)

    def _forget(self, reason: object = "") -> None:
        hint = self.pages.empty.text
        hint.setText(str(reason) or hint.text())
        self.model.show_changed(())
        self.pages.show_content(present=False)

    _closed = _forget

    def _look(self) -> Callable[[Session], RangeExplained | None]:
        chosen = self._timeline.range
        return lambda session: explain(session, chosen)

    def _show(self, shown: RangeExplained | None) -> None:
        if shown is None:
            return
        text = self.tr("Why this reward? Frames {0} to {1} paid {2}")
        if shown.first == shown.last:
            text = self.tr("Why this reward? Frame {0} paid {2}")
        ends = (grouped(shown.first), grouped(shown.last))
        self.title.setText(text.format(*ends, plain_number(shown.reward)))
        self.model.show_changed(shown.shares)
        self.stack.show_sums(shown.frames, shown.sums)
        self._show_place(shown.last)
        self.pages.show_content(present=True)
