"""The What-if panel: the effect of an edit of the scenario on all recorded frames."""

import importlib
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QSizePolicy, QSplitter, QWidget

from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import FrameResult, RecordedScoring
from integrator.session.rescoring import EpisodeChange, WhatIfJob, WhatIfResult
from integrator.session.scoring.rescorer import Rules
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.window_context import PanelView

if TYPE_CHECKING:
    from integrator.ui.widgets.plots import WhatIfCanvas

EpisodeColumn = IntEnum("EpisodeColumn", "NUMBER BEFORE AFTER DONE_BEFORE DONE_AFTER", start=0)

Tint = Callable[[EpisodeChange], str | None] | str | None


class EpisodesModel(ui.RowsModel[EpisodeChange]):
    """One row for each episode, in gray, so that differences caused by the edit stand out."""

    ink = "secondary"
    player = 0

    def frame_at(self, index: ui.Index) -> int | None:
        """Return the frame that a clicked cell refers to; None for an episode that never ends."""
        row, columns = self.rows[index.row()], EpisodeColumn
        ends = {columns.DONE_BEFORE: row.before_done, columns.DONE_AFTER: row.after_done}
        return ends.get(columns(index.column()), row.start)

    def table(self) -> Sequence[ui.Column[EpisodeChange]]:
        done = self.tr("First done frame of the episode, by {0}; — it never ends")
        number = self.tr("Recorded episode, counted from the first")
        before = self.tr("Reward up to the first done frame, by the rules before")
        now = self.tr("Reward up to the first done frame, by the rules now")
        done_before = done.format(self.tr("the rules before"))
        done_now = done.format(self.tr("the rules now"))

        def gained(returns: Sequence[float]) -> str:
            return ui.plain_number(round(returns[self.player], 2))

        def ended(frame: int | None) -> str:
            return "—" if frame is None else ui.grouped(frame)

        def return_color(each: EpisodeChange) -> str:
            gain = each.after_return[self.player] - each.before_return[self.player]
            return "good" if gain > 0 else "bad" if gain else "text"

        def done_color(each: EpisodeChange) -> str:
            return "text" if each.before_done == each.after_done else "warn"

        texts: Sequence[tuple[str, str, Callable[[EpisodeChange], str], Tint]] = (
            ("#", number, lambda each: str(each.number), "faint"),
            (self.tr("before"), before, lambda each: gained(each.before_return), None),
            (self.tr("now"), now, lambda each: gained(each.after_return), return_color),
            (self.tr("done before"), done_before, lambda each: ended(each.before_done), None),
            (self.tr("done now"), done_now, lambda each: ended(each.after_done), done_color),
        )
        return [
            ui.Column(title, text, color=color, font=self._mono, title_tip=tip)
            for title, tip, text, color in texts
        ]

    def tip(self, row: EpisodeChange) -> str:
        return self.tr("Frames {0} to {1}").format(row.start, row.stop - 1)


_MOST_MOVES = 300  # most rows of the list of moved frames
_ROOMY = 640  # panel width in pixels that fits curves, episodes and a list of frames
_NARROW = 500  # panel width in pixels below which curves next to the table would be too narrow
_PARTS_BESIDE, _PARTS_BELOW = [294, 336, 136], [3, 2, 1]  # sizes of curves, table and list

SAVED, LAST_EDIT = "saved", "edit"


class WhatIfView(ui.FitsSize, PanelView):
    """Curves, episodes and moved ends, by the rules before and now. While the panel is in sight,
    the recorded timeline is scored again after each edit, in slices between frames. A newer edit
    drops the job of an older one."""

    def _set_up(self) -> None:
        self.result: WhatIfResult | None = None
        self._present: Rules | None = None
        self._previous: Rules | None = None
        # The saved rules are cached, because reading them takes longer than scoring an added frame.
        self._saved: Rules | None = None
        self._job: WhatIfJob | None = None
        self._settle = ui.settle_timer(self, pause_ms=40, then=self._begin)
        # New frames are scored after a pause in play.
        self._quiet = ui.settle_timer(self, pause_ms=600, then=self._begin)
        self.canvas: WhatIfCanvas | None = None
        self.model = EpisodesModel(self)
        self._build_bar()
        self._build_parts()
        self._build_ui()
        self._controller.follow(self._note, "variables", "scenario", "scripts", "disk")
        self._controller.scoring.connect(self._show_scoring)
        self._controller.scored.connect(self._touch)
        self._sight.follow(self._bridge.readout_ready, self._show_frame)
        self._live = self._reader(self._look, self._take, 0, self._fail)

    def _build_bar(self) -> None:
        saved = self.tr(
            "Before: scenario and variables as the files on disk have them. "
            "Now: with every edit since."
        )
        last = self.tr("Before: as it was one edit ago. Now: with that edit (or its undo).")
        sides = (SAVED, self.tr("since saved"), saved), (LAST_EDIT, self.tr("last edit"), last)
        self.baseline = ui.Segments(sides, small=True)
        self.baseline.chosen.connect(self._touch)
        self.players = ui.configured(ui.PlayerSegments(), visible=False)
        self.players.player_chosen.connect(self.show_player)
        self.status = ui.role_label("", "faint")
        self.status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.bar = ui.named(ui.thin_bar(), self.tr("Frames scored"), maximum=1000, fixedWidth=110)
        tip = self.tr("Stop scoring; the curves stay as they are")
        self.cancel = ui.push_button(self.tr("Stop"), self._cancel, tip, "flat")
        score_again = self._controller.score_again
        self.again = ui.push_button(self.tr("Score again"), score_again, role="flat")
        self.again.clicked.connect(self._touch)

    def _build_parts(self) -> None:
        self._curves = QWidget(minimumWidth=120)
        margins = QMargins(ui.SIZES.pad, 0, 0, 0)
        self.legend = ui.role_label(wraps=True, contentsMargins=margins, minimumWidth=1)
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self._curve_layout = ui.vbox(self.legend, on=self._curves, margins=0, gap=0)
        self.table = ui.DataTable(self.tr("Episodes before and after the edit"), self.model)
        at, whole = EpisodeColumn, (EpisodeColumn.BEFORE, EpisodeColumn.AFTER)
        self.table.set_widths((20, 54, 44, 88, 84), stretch=at.DONE_AFTER, whole=whole)
        self.table.setToolTip(self.tr("Click a done frame to go there"))
        self.table.clicked.connect(lambda index: self._go_to(self.model.frame_at(index)))
        name, no_frame = self.tr("Frames that are done now, or no longer"), QFrame.Shape.NoFrame
        self.moves = ui.named(QListWidget(), name, frameShape=no_frame)
        for chosen in (self.moves.itemClicked, self.moves.itemActivated):
            chosen.connect(lambda item: self._go_to(item.data(Qt.ItemDataRole.UserRole)))
        self._moves_side = QWidget(minimumWidth=112)
        self.moves_title = ui.role_label("", "faint", contentsMargins=QMargins(8, 5, 0, 0))
        ui.vbox(self.moves_title, (self.moves, 1), on=self._moves_side, margins=0, gap=2)

    def _build_ui(self) -> None:
        parts = (self.baseline, self.players, (self.status, 1), self.bar, self.cancel, self.again)
        top = ui.hbox(*parts, margins=(9, 6, 9, 4), gap=8)
        self._body = body = QSplitter(Qt.Orientation.Horizontal, handleWidth=1)
        self.table.setMinimumWidth(336)
        self.moves.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for part, stretch in ((self._curves, 4), (self.table, 0), (self._moves_side, 1)):
            body.addWidget(part)
            body.setStretchFactor(body.count() - 1, stretch)
        body.setSizes(_PARTS_BESIDE)
        self._fill(ui.vbox(top, (body, 1), margins=0, gap=0), "plot", "what_if")
        ui.Theme.now.changed.connect(self._draw)
        self._show_progress()
        self.again.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Build the plot at the first show, because importing its library would delay the start."""
        super().showEvent(event)
        if self.canvas is None:
            module = importlib.import_module("integrator.ui.widgets.plots")
            self.canvas = module.WhatIfCanvas()
            self.canvas.seek_requested.connect(self._timeline.setValue)
            self._curve_layout.addWidget(self.canvas, 1)
            self.canvas.show_cursor(self._timeline.value())
            self._draw()

    def _show(self, result: WhatIfResult | None) -> None:
        self._job, self.result, game = None, result, self._controller.game
        self.players.setVisible(game is not None and game.players > 1)
        self._show_progress()
        self.again.hide()
        self.pages.show_content(result is not None and result.frames > 0)
        self._draw()
        if result is None:
            return
        changed, frames = sum(episode.changed for episode in result.episodes), result.frames
        text = self.tr("Changed episodes: {0} of {1}").format(changed, len(result.episodes))
        if result.same:
            text = self.tr("no difference")
        ms, note = round(result.elapsed_s * 1000), self._dock.header.note
        elapsed = self.tr("{0} frame[|s] compared in {1} ms, from recorded memory", None, frames)
        note.setText(text)
        note.setToolTip(f"{text}\n{ui.count_text(elapsed, frames, ms)}")
        self._show_status("".join(result.warnings[:1]), "warn", "\n".join(result.warnings))

    def _show_progress(self, share: float | None = None) -> None:
        """Show the progress of scoring by scripts, which is slow; None hides it."""
        for widget in (self.bar, self.cancel):
            widget.setVisible(share is not None)
        if share is not None:
            self.again.hide()
            self.bar.setValue(round(share * 1000))
            text = self.tr("Lua runs frame by frame: {0} %")
            self._show_status(text.format(round(share * 100)), "faint")

    def _show_status(self, text: str, role: str, tip: str = "") -> None:
        ui.say(self.status, text, role)
        self.status.setToolTip(tip)

    def show_player(self, player: int) -> None:
        self.players.show_player(player)
        self._draw()

    def _draw(self) -> None:
        colors = ui.Theme.now.colors
        now, before, result = self.tr("now"), self.tr("before"), self.result
        moves = result.moves if result else ()
        entries = [(colors.link, f"━ {now}"), (colors.secondary, f"╍ {before}")]
        if any(move.done for move in moves):
            entries.append((colors.bad, "● " + self.tr("done now")))
        if any(not move.done for move in moves):
            entries.append((colors.warn, "○ " + self.tr("no longer done")))
        # Lines may break only between two entries.
        whole = ((color, text.replace(" ", "&nbsp;")) for color, text in entries)
        spans = (f'<span style="color:{color}">{text}</span>' for color, text in whole)
        self.legend.setText("&nbsp;&nbsp; ".join(spans))
        self.model.player = self.players.player
        self.model.renew(tuple(result.episodes) if result else ())
        if self.canvas is not None:
            self.canvas.show_result(result, self.model.player)
        self.moves.clear()
        for move in moves[:_MOST_MOVES]:
            last = f"-{ui.grouped(move.stop - 1)}" if move.stop - move.start > 1 else ""
            item = QListWidgetItem(f"{ui.grouped(move.start)}{last}")
            item.setFont(ui.mono_font())
            item.setData(Qt.ItemDataRole.UserRole, move.start)
            item.setIcon(ui.icon("done bad" if move.done else "play warn"))
            tip = self.tr("done now") if move.done else self.tr("no longer done")
            item.setToolTip(self.tr("{0}: click to look at the frame").format(tip))
            self.moves.addItem(item)
        self.moves_title.setText(self.tr("done differs: {0}").format(ui.grouped(len(moves))))
        self._place_moves()

    def _place_moves(self) -> None:
        """Hide an empty list in a narrow panel, so that the curves get its space."""
        self._moves_side.setVisible(self.moves.count() > 0 or self.width() >= _ROOMY)

    def _fit(self) -> None:
        """Place the list and the curves; in a narrow panel, the curves are above the table."""
        self._place_moves()
        is_narrow = self.width() < _NARROW
        way = Qt.Orientation.Vertical if is_narrow else Qt.Orientation.Horizontal
        if self._body.orientation() is not way:
            self._body.setOrientation(way)
            self._body.setSizes(_PARTS_BELOW if is_narrow else _PARTS_BESIDE)

    def _go_to(self, frame: int | None) -> None:
        if frame is not None:
            self._timeline.setValue(frame)

    def _closed(self) -> None:
        self._settle.stop()
        self._quiet.stop()
        self._present = self._previous = self._saved = None
        self._show(None)
        self.show_player(0)

    def _note(self, documents: Documents) -> None:
        rules = Rules.of(documents.scenario, documents.variables, documents.scripts)
        if rules != self._present:
            self._previous, self._present = self._present, rules
        # Done even if the rules are the same, because saving changes the rules to compare with.
        self._saved = None
        self._touch()

    def _touch(self, _: object = None) -> None:
        self._settle.start()

    def _show_frame(self, result: FrameResult) -> None:
        if self.canvas is not None:
            self.canvas.show_cursor(result.number)
        if self.result is None or result.number > self.result.frames:
            self._quiet.start()

    def _cancel(self) -> None:
        self._job = None
        self._live.forget()
        self._controller.stop_scoring()
        self._show_progress()
        self.again.show()
        self._show_status(self.tr("Stopped: the curves are from before the last edit"), "warn")

    def _show_scoring(self, event: RecordedScoring) -> None:
        """Drop the job, because recorded frames must first be scored by the new rules."""
        self._job = None
        self.pages.show_content(present=True)
        self._show_progress(event.share if event.scripted else None)

    def _begin(self) -> None:
        self._job = None
        self._live.touch()

    def _look(self) -> Callable[[Session], tuple[WhatIfJob, WhatIfResult | None] | None]:
        """Return a command that begins a job, or goes on with it, for a slice of time."""
        if (begun := self._job) is None:
            edited = self._previous or self._present
            begun = WhatIfJob(self._saved if self.baseline.selected == SAVED else edited)
        job = self._job = begun
        return lambda now: None if now.recorded.pending else (job, job.step(now))

    def _take(self, answer: tuple[WhatIfJob, WhatIfResult | None] | None) -> None:
        if answer is None or answer[0] is not self._job:
            return  # Recorded frames get other scores first, or a newer job follows.
        job, result = answer
        if self.baseline.selected == SAVED and not self._settle.isActive():
            self._saved = job.before
        if result is not None:
            self._show(result)
            return
        self._show_progress(job.progress if job.scripted else None)
        self._live.touch()

    def _fail(self, error: Exception) -> None:
        # The curves of the last valid rules stay.
        if self._job is not None:
            self._job = None
            self._show_progress()
            self._show_status(str(error), "bad", str(error))
