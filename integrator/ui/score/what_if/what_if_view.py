"""The What-if panel: the effect of an edit of the scenario on everything recorded so far."""

import importlib
from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from integrator.session.what_if import EpisodeChange, WhatIfResult
from integrator.ui.widgets.parts import (
    EmptyOr,
    EmptyState,
    PlayerSegments,
    Segments,
    hbox,
    push_button,
    role_label,
    set_role,
    stack,
    vbox,
)
from integrator.ui.widgets.rows_model import Column, Index, RowsModel
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.texts import counted, plain_number
from integrator.ui.widgets.theme import SIZES, Theme, mono_font

if TYPE_CHECKING:
    from integrator.ui.score.what_if.what_if_canvas import WhatIfCanvas


EpisodeColumn = IntEnum("EpisodeColumn", "NUMBER BEFORE AFTER DONE_BEFORE DONE_AFTER", start=0)


class EpisodesModel(RowsModel[EpisodeChange]):
    """A row an episode; differences by the edit stand out."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._player = 0

    def set_episodes(self, episodes: Sequence[EpisodeChange], player: int) -> None:
        self._player = player
        self.renew(tuple(episodes))

    def frame_at(self, index: Index) -> int | None:
        """The frame that a click on a cell means; None for a done that never came."""
        episode = self.rows[index.row()]
        if index.column() == EpisodeColumn.DONE_BEFORE:
            return episode.before_done
        return episode.after_done if index.column() == EpisodeColumn.DONE_AFTER else episode.start

    def table(self) -> Sequence[Column[EpisodeChange]]:
        done = self.tr("First done frame of the episode, by {0}; — it never ends")
        return (
            Column(
                "#",
                lambda each: str(each.number),
                color=lambda _each: self._theme.colors.faint,
                font=self._mono,
                title_tip=self.tr("Recorded episode, counted from the first"),
            ),
            Column(
                self.tr("before"),
                lambda each: plain_number(round(each.before_return[self._player], 2)),
                font=self._mono,
                title_tip=self.tr("Reward up to the first done frame, by the rules before"),
            ),
            Column(
                self.tr("now"),
                lambda each: plain_number(round(each.after_return[self._player], 2)),
                color=self._return_color,
                font=self._mono,
                title_tip=self.tr("Reward up to the first done frame, by the rules now"),
            ),
            Column(
                self.tr("done before"),
                lambda each: _done_text(each.before_done),
                font=self._mono,
                title_tip=done.format(self.tr("the rules before")),
            ),
            Column(
                self.tr("done now"),
                lambda each: _done_text(each.after_done),
                color=self._done_color,
                font=self._mono,
                title_tip=done.format(self.tr("the rules now")),
            ),
        )

    def _return_color(self, each: EpisodeChange) -> str:
        colors = self._theme.colors
        gain = each.after_return[self._player] - each.before_return[self._player]
        return colors.text if not gain else colors.good if gain > 0 else colors.bad

    def _done_color(self, each: EpisodeChange) -> str:
        colors = self._theme.colors
        return colors.text if each.before_done == each.after_done else colors.warn

    def color(self, _row: EpisodeChange) -> str:
        """Gray, because the values by the rules now stand out."""
        return self._theme.colors.secondary

    def tip(self, row: EpisodeChange) -> str:
        return self.tr("Frames {0} to {1}").format(row.start, row.stop - 1)


def _done_text(frame: int | None) -> str:
    return "—" if frame is None else f"{frame:,}"


MOST_MOVES = 300  # rows of the list of moved frames
_ROOMY = 640  # pixels of a panel that has room for curves, episodes and a list of frames
_NARROW = 500  # pixels below which curves next to the table would be a stripe
_PARTS_BESIDE, _PARTS_BELOW = [294, 336, 136], [3, 2, 1]
"""Shares of curves, table and list, in pixels."""

SAVED, LAST_EDIT = "saved", "edit"


class WhatIfView(QWidget):
    """Curves, episodes and moved ends by the rules before and now.

    ``seek_requested``: a frame. ``baseline_changed``: compare with the other rules.
    ``cancel_requested``: stop scoring. ``score_requested``: score again.
    """

    seek_requested = Signal(int)
    baseline_changed = Signal(str)
    cancel_requested = Signal()
    score_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.result: WhatIfResult | None = None
        self._frame = 1
        self.player = 0
        self.canvas: WhatIfCanvas | None = None
        self.model = EpisodesModel(theme, self)
        self._build_bar()
        self._build_curves()
        self._build_tables()
        self._build_ui()

    def _build_bar(self) -> None:
        saved = self.tr(
            "Before: scenario and variables as the files on disk have them. "
            "Now: with every edit since."
        )
        last = self.tr("Before: as it was one edit ago. Now: with that edit (or its undo).")
        self.baseline = Segments(
            [(SAVED, self.tr("since saved"), saved), (LAST_EDIT, self.tr("last edit"), last)]
        )
        self.baseline.setProperty("role", "small")
        self.baseline.select(SAVED)
        self.baseline.chosen.connect(self.baseline_changed)
        self.players = PlayerSegments()
        self.players.player_chosen.connect(self.show_player)
        self.players.hide()
        self.status = role_label("", "faint")
        self.status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setRange(0, 1000)
        self.bar.setFixedSize(110, 6)
        self.bar.setAccessibleName(self.tr("Frames scored"))
        tip = self.tr("Stop scoring; the curves stay as they are")
        self.cancel = push_button(self.tr("Stop"), self.cancel_requested.emit, tip, "flat")
        self.again = push_button(self.tr("Score again"), self.score_requested.emit, role="flat")

    def _build_curves(self) -> None:
        self._curves = QWidget(minimumWidth=120)
        self.legend = QLabel(textFormat=Qt.TextFormat.RichText, wordWrap=True)
        self.legend.setContentsMargins(SIZES.pad, 0, 0, 0)
        self.legend.setMinimumWidth(1)
        self._curve_layout = vbox(self.legend, on=self._curves, margins=0, gap=0)

    def _build_tables(self) -> None:
        self.table = DataTable(self.tr("Episodes before and after the edit"), self.model)
        self.table.set_widths(
            (20, 54, 44, 88, 84),
            stretch=EpisodeColumn.DONE_AFTER,
            whole=(EpisodeColumn.BEFORE, EpisodeColumn.AFTER),
        )
        self.table.setToolTip(self.tr("Click a done frame to go there"))
        self.table.clicked.connect(self._go_to_cell)
        self.moves = QListWidget()
        self.moves.setAccessibleName(self.tr("Frames that are done now, or no longer"))
        self.moves.setFrameShape(QFrame.Shape.NoFrame)
        self.moves.itemClicked.connect(self._go_to_move)
        self.moves.itemActivated.connect(self._go_to_move)
        self._moves_side = QWidget()
        self.moves_title = role_label("", "faint")
        self.moves_title.setContentsMargins(8, 5, 0, 0)
        vbox(self.moves_title, (self.moves, 1), on=self._moves_side, margins=0, gap=2)

    def _build_ui(self) -> None:
        top = QFrame()
        parts = (self.baseline, self.players, (self.status, 1), self.bar, self.cancel, self.again)
        hbox(*parts, on=top, margins=(9, 6, 9, 4), gap=8)
        self._body = body = QSplitter(Qt.Orientation.Horizontal)
        body.setHandleWidth(1)
        self.table.setMinimumWidth(336)
        self._moves_side.setMinimumWidth(112)
        self.moves.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for part, stretch in ((self._curves, 4), (self.table, 0), (self._moves_side, 1)):
            body.addWidget(part)
            body.setStretchFactor(body.count() - 1, stretch)
        body.setSizes(_PARTS_BESIDE)
        content = QWidget()
        stack(content, top, body, grows=body)
        self._empty = EmptyState(
            self._theme,
            "plot",
            self.tr("Nothing to score again"),
            self.tr(
                "Play a little. Then every edit of reward and done shows here at once what it "
                "would have changed."
            ),
        )
        self.pages = EmptyOr(self._empty, content)
        stack(self, self.pages)
        self._theme.changed.connect(self._draw)
        self.show_progress(None)
        self.again.hide()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """The first time, make the canvas: its library would delay the start of the program."""
        super().showEvent(event)
        if self.canvas is None:
            module = importlib.import_module("integrator.ui.score.what_if.what_if_canvas")
            self.canvas = module.WhatIfCanvas(self._theme)
            self.canvas.seek_requested.connect(self.seek_requested)
            self._curve_layout.addWidget(self.canvas, 1)
            self.canvas.show_cursor(self._frame)
            self._draw()

    def show_result(self, result: WhatIfResult | None, players: int = 1) -> None:
        """Show a result; None clears the panel."""
        self.result = result
        self.players.setVisible(players > 1)
        self.show_progress(None)
        self.again.hide()
        self.pages.show_content(result is not None and result.frames > 0)
        if result is not None:
            self._say(result)
        self._draw()

    def show_problem(self, text: str) -> None:
        """Say why the rules cannot be used; the curves of the last usable rules stay."""
        self.show_progress(None)
        self._show_status(text, "bad", text)

    def show_progress(self, share: float | None, *, scripted: bool = False) -> None:
        """Show the progress of a slow scoring; None: none is going on."""
        running = share is not None and scripted
        self.bar.setVisible(running)
        self.cancel.setVisible(running)
        if running:
            self.again.hide()
            self.bar.setValue(round((share or 0) * 1000))
            text = self.tr("Lua runs frame by frame: {0} %")
            self._show_status(text.format(round((share or 0) * 100)), "faint")

    def show_cancelled(self) -> None:
        self.show_progress(None)
        self.again.show()
        self._show_status(self.tr("Stopped: the curves are from before the last edit"), "warn")

    def _show_status(self, text: str, role: str, tip: str = "") -> None:
        set_role(self.status, role)
        self.status.setText(text)
        self.status.setToolTip(tip)

    def show_cursor(self, frame: int) -> None:
        self._frame = frame
        if self.canvas is not None:
            self.canvas.show_cursor(frame)

    def show_player(self, player: int) -> None:
        self.player = player
        self.players.show_player(player)
        self._draw()

    def _say(self, result: WhatIfResult) -> None:
        changed, frames = sum(episode.changed for episode in result.episodes), result.frames
        if result.warnings:
            text = result.warnings[0]
        elif result.same:
            text = self.tr("no difference")
        else:
            text = self.tr("Changed episodes: {0} of {1}").format(changed, len(result.episodes))
        elapsed = self.tr("{0} frame[|s] compared in {1} ms, from recorded memory", None, frames)
        elapsed = counted(elapsed, frames).format(f"{frames:,}", round(result.elapsed_s * 1000))
        tip = "\n".join((text, *result.warnings[1:], elapsed))
        self._show_status(text, "warn" if result.warnings else "faint", tip)

    def _draw(self) -> None:
        colors = self._theme.colors
        now, before = self.tr("now"), self.tr("before")
        result = self.result
        moves = result.moves if result else ()
        entries = [(colors.link, f"━ {now}"), (colors.secondary, f"╍ {before}")]
        if any(move.done for move in moves):
            entries.append((colors.bad, "● " + self.tr("done now")))
        if any(not move.done for move in moves):
            entries.append((colors.warn, "○ " + self.tr("no longer done")))
        # A line may break only between two entries.
        whole = ((color, text.replace(" ", "&nbsp;")) for color, text in entries)
        self.legend.setText(
            "&nbsp;&nbsp; ".join(f'<span style="color:{c}">{text}</span>' for c, text in whole)
        )
        self.model.set_episodes(result.episodes if result else (), self.player)
        self._fill_moves()
        if self.canvas is not None:
            self.canvas.show_result(result, self.player)

    def _fill_moves(self) -> None:
        self.moves.clear()
        moves = self.result.moves if self.result else ()
        for move in moves[:MOST_MOVES]:
            last = f"-{move.stop - 1:,}" if move.stop - move.start > 1 else ""
            item = QListWidgetItem(f"{move.start:,}{last}")
            item.setFont(mono_font())
            item.setData(Qt.ItemDataRole.UserRole, move.start)
            role = ("done", "bad") if move.done else ("play", "warn")
            item.setIcon(self._theme.icons.icon(*role))
            tip = self.tr("done now") if move.done else self.tr("no longer done")
            item.setToolTip(self.tr("{0}: click to look at the frame").format(tip))
            self.moves.addItem(item)
        self.moves_title.setText(self.tr("done differs: {0}").format(f"{len(moves):,}"))
        self._place_moves()

    def _place_moves(self) -> None:
        """In a narrow panel the curves get the room of an empty list."""
        self._moves_side.setVisible(self.moves.count() > 0 or self.width() >= _ROOMY)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Give the list its place, or the curves; in a narrow panel, curves lie above the table."""
        super().resizeEvent(event)
        self._place_moves()
        is_narrow = self.width() < _NARROW
        way = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        if self._body.orientation() is not way:
            self._body.setOrientation(way)
            self._body.setSizes(_PARTS_BELOW if is_narrow else _PARTS_BESIDE)

    def _go_to_cell(self, index: QModelIndex) -> None:
        frame = self.model.frame_at(index)
        if frame is not None:
            self.seek_requested.emit(frame)

    def _go_to_move(self, item: QListWidgetItem) -> None:
        self.seek_requested.emit(int(item.data(Qt.ItemDataRole.UserRole)))
