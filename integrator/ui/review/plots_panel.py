"""The panels of numbers over the timeline: Plots, and Reward terms with the reason of a reward."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMargins, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.words import tr
from integrator.session.edits.snapshot import Documents
from integrator.session.rescoring import RangeExplained, Series, SeriesNames, Share, explain
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.window_context import PanelView

REWARD = tr("cumulative reward")  # the one series that is not a variable
RANGE_WORDS = (
    *(tr("changed"), tr("unchanged"), tr("up"), tr("down")),
    *(tr("only grows"), tr("only falls")),
)


def series_text(name: str) -> str:
    """Return the title of a series: a variable's name, or the reward in the user's language."""
    return name.replace(REWARD, ui.words(REWARD), 1)


class PlotsView(PanelView):
    """Plots of selected series, read only if frames were added, and questions about a range."""

    def _set_up(self) -> None:
        self._names: Sequence[str] = ()
        self._sums: Sequence[str] = (REWARD,)
        self._range, self._problem = (0, 0), ""
        self.chosen: list[str] = []
        self.add = ui.configured(QPushButton(self.tr("series")), "flat", icon="plus")
        ui.drop_menu(self.add, self._fill_menu)
        self._chips = ui.FlowBox()
        tip, name = self.tr("Choose a range by dragging (or hold Shift)"), self.tr("Choose a range")
        self.select = ui.icon_button("crop", tip, accessibleName=name, checkable=True)
        self._range_bar = self._build_range_bar()
        bar = QFrame()
        around = QGridLayout(bar)
        around.setContentsMargins(9, 6, 9, 2)
        around.addWidget(self._chips, 0, 0)
        around.addWidget(self.select, 0, 1, Qt.AlignmentFlag.AlignTop)
        around.addWidget(self._range_bar, 1, 0, 1, 2)
        around.setColumnStretch(0, 1)
        # A module-level import would delay the start of the program.
        from integrator.ui.widgets.plots import PlotsCanvas  # noqa: PLC0415 - see above

        self.canvas = PlotsCanvas(self.select.isChecked)
        self.canvas.seek_requested.connect(self._timeline.setValue)
        self.canvas.range_chosen.connect(self.choose_range)
        self._fill(ui.vbox(bar, (self.canvas, 1), margins=0, gap=0), "plot", "plots")
        self._series = SeriesNames({REWARD: 0})
        self._live = self._reader(self._look, self._show, 300, self._report)
        self._controller.follow(self._show_names, "variables", "scenario", "scripts")
        self._controller.scored.connect(self._live.touch)
        self._bridge.ending.connect(self.canvas.dispose)
        ready, cursor = self._bridge.readout_ready, self.canvas.show_cursor
        ready.connect(self._live.touch)
        self._sight.follow(ready, lambda result: cursor(result.number))  # on every frame

    def _build_range_bar(self) -> QWidget:
        bar = ui.FlowBox()
        self.range_text = ui.role_label("", "secondary", minimumHeight=24)
        bar.add(self.range_text)
        self.range_buttons: dict[str, QPushButton] = {}
        tip = self.tr("Find what was {0} over these frames: a fact for the Facts panel")
        for each in RANGE_WORDS:
            text, ask = ui.words(each), partial(self._ask, each)
            button = self.range_buttons[each] = ui.push_button(text, ask, tip.format(text), "chip")
            bar.add(button)
        clear = ui.push_button("×", lambda: self.choose_range(0, 0), self.tr("No range"), "chip")
        clear.setAccessibleName(self.tr("No range"))
        bar.add(clear)
        bar.hide()
        return bar

    def choose_range(self, first: int, last: int) -> None:
        self._range = (first, last)
        self._range_bar.setVisible(last > first)
        text = self.tr("frames {0} to {1}:")
        self.range_text.setText(text.format(ui.grouped(first), ui.grouped(last)))
        self.canvas.show_range(first, last)

    def _ask(self, words: str) -> None:
        first, last = self._range
        self._requests.pin_fact.emit(f"{first}..{last} {words}")

    def _set_names(self, names: Sequence[str], rewarded: list[str], sums: Sequence[str]) -> None:
        """Set the variables and ``sums`` on offer; sums are each player's reward and the sums of
        single terms. At first, some ``rewarded`` variables are selected."""
        if names and not self._names and not self.chosen:
            self.chosen = [REWARD, *[name for name in rewarded if name in names][:3]]
        self._names, self._sums = names, sums
        self.chosen = [name for name in self.chosen if name in (*sums, *names)]
        self.pages.show_content(bool(names))
        self._arrange()

    def toggle(self, name: str, _on: bool = False) -> None:
        others = [each for each in self.chosen if each != name]
        self.chosen = [*self.chosen, name] if others == self.chosen else others
        self._arrange()
        self._live.touch()

    def _fill_menu(self, menu: ui.RowMenu) -> None:
        for name in (*self._sums, *self._names):
            if self._names and name == self._names[0]:
                menu.addSeparator()
            menu.add_switch(series_text(name), partial(self.toggle, name), on=name in self.chosen)

    def _arrange(self) -> None:
        self._chips.clear(self.add)
        for name in self.chosen:
            text, tip = f"{series_text(name)}  ×", self.tr("Do not plot it any more")
            self._chips.add(ui.push_button(text, partial(self.toggle, name), tip, "chip"))
        self._chips.add(self.add)
        old = " · " + self.tr("old scores") if self._problem else ""
        titles = {name: series_text(name) + old * (name in self._sums) for name in self.chosen}
        self.canvas.arrange(titles)

    def _closed(self) -> None:
        self.choose_range(0, 0)
        self.chosen = []
        self._set_names((), [], ())

    def _show_names(self, documents: Documents) -> None:
        game = self._controller.game
        players = game.players if game is not None else 1
        try:
            rewards = ScenarioSpec.parse(dict(documents.scenario)).rewards[:players]
        except DomainError:
            rewards = ()
        sums = {_of_player(REWARD, player): player for player in range(players)}
        terms = {
            _of_player(f"{name} → reward", player): (player, name)
            for player, reward in enumerate(rewards)
            for name in reward.parts
        }
        self._series = SeriesNames(sums, terms)
        rewarded = [name for player, name in terms.values() if player == 0]
        self._set_names(list(documents.variables), rewarded, (*sums, *terms))
        self._live.touch()

    def _look(self) -> Callable[[Session], Series]:
        names, chosen = self._series, tuple(self.chosen)
        return lambda session: names.read(session, chosen)

    def _show(self, series: Series) -> None:
        if series.problem != self._problem:
            self._problem = series.problem
            self._arrange()
        self.canvas.show_series(series.first, series.by_name)


def _of_player(text: str, player: int) -> str:
    return text if player == 0 else f"{text} (P{player + 1})"


class TermStack(QWidget):
    """Areas of each term's sum since the first frame, stacked. ``picked`` gives a frame."""

    picked = Signal(int)

    def __init__(self) -> None:
        name, tip = self.tr("Reward by terms, summed"), self.tr("Click a frame to see why it paid")
        super().__init__(minimumHeight=130, accessibleName=name, toolTip=tip)
        self._frames: NDArray[np.int64] = np.zeros(0, np.int64)
        # The edges of the terms' areas, of shape (terms + 1, frames); the last edge is the reward.
        self.layers: NDArray[np.float64] = np.zeros((0, 0))
        self.cursor_frame = 1
        self._chosen: tuple[int, int] | None = None

    def show_sums(self, frames: NDArray[np.int64], sums: NDArray[np.float64]) -> None:
        """Show the terms' sums up to each of ``frames`` (k,), ascending; float64 (terms, k)."""
        zero = np.zeros((1, len(frames)))
        self._frames, self.layers = frames, np.concatenate((zero, np.cumsum(sums, axis=0)))
        self.update()

    def show_place(self, frame: int, chosen: tuple[int, int] | None) -> None:
        self.cursor_frame, self._chosen = frame, chosen
        self.update()

    def x_of(self, frame: float) -> float:
        last = max(2, int(self._frames[-1])) if len(self._frames) else 2
        return (frame - 1) / (last - 1) * (self.width() - 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and len(self._frames):
            last = int(self._frames[-1])
            share = event.position().x() / max(1, self.width() - 1)
            self.picked.emit(min(max(1, round(1 + share * (last - 1))), last))

    def paintEvent(self, _event: object) -> None:
        painter, colors, height = QPainter(self), ui.Theme.now.colors, self.height()
        painter.fillRect(self.rect(), QColor(colors.panel))
        if len(self._frames) and np.isfinite(self.layers).all():
            self._paint_layers(painter)
        if self._chosen is not None:
            left, right = map(self.x_of, self._chosen)
            painter.fillRect(QRectF(left, 0, right - left, height), ui.faded(colors.accent, 60))
        painter.setPen(QPen(QColor(colors.text), 1))
        x = self.x_of(self.cursor_frame)
        painter.drawLine(QPointF(x, 0), QPointF(x, height))

    def _paint_layers(self, painter: QPainter) -> None:
        least, most = float(self.layers.min()), float(self.layers.max())
        scale = (self.height() - 8) / ((most - least) or 1.0)
        xs = [self.x_of(frame) for frame in self._frames.tolist()]
        heights = self.height() - 4 - (self.layers - least) * scale
        edges = [list(map(QPointF, xs, layer)) for layer in heights.tolist()]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for (below, above), color in zip(pairwise(edges), cycle(ui.Theme.now.colors.curves)):
            painter.setPen(QPen(QColor(color), 1))
            painter.drawPolyline(QPolygonF(above))
            ui.fill_with(painter, ui.faded(color, 90))
            painter.drawPolygon(QPolygonF([*above, *reversed(below)]))


class SharesModel(ui.RowsModel[Share]):
    """One row for each term."""

    def table(self) -> Sequence[ui.Column[Share]]:
        def color(share: Share) -> str:
            curves = ui.Theme.now.colors.curves
            return curves[self.rows.index(share) % len(curves)]

        def way(share: Share) -> str:
            if share.before is None or share.after is None:
                return ""
            return f"{share.variable}: {ui.grouped(share.before)} → {ui.grouped(share.after)}"

        return (
            ui.Column(self.tr("term"), lambda share: share.term, color=color),
            ui.Column(self.tr("gave"), lambda share: ui.plain_number(share.gave)),
            ui.Column(self.tr("frames"), lambda share: ui.grouped(share.paid_frames)),
            ui.Column(self.tr("through"), way),
        )

    def color(self, share: Share) -> str:
        return "text" if share.gave else "faint"


class AttributionView(PanelView):
    """Explains the reward of the slider's range or a frame: terms stacked above their shares."""

    def _set_up(self) -> None:
        self.stack = TermStack()
        self.title = ui.role_label("", "secondary", contentsMargins=QMargins(10, 6, 10, 4))
        self.model = SharesModel(self)
        self.table = ui.DataTable(self.tr("Why this reward"), self.model)
        self.table.set_widths((110, 64, 56, 170), stretch=3)
        content = ui.vbox((self.stack, 1), self.title, (self.table, 1), margins=0, gap=0)
        self._fill(content, "reward", "attribution")
        self._hint = self.pages.empty.text.text()
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
        self.pages.empty.text.setText(str(reason) or self._hint)
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
        ends = (ui.grouped(shown.first), ui.grouped(shown.last))
        self.title.setText(text.format(*ends, ui.plain_number(shown.reward)))
        self.model.show_changed(shown.shares)
        self.stack.show_sums(shown.frames, shown.sums)
        if (last := self._controller.last) is not None:
            self._show_place(last.number)
        self.pages.show_content(present=True)
