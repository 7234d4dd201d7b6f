"""The Agents panel: agents play the game, and each episode is a row, a dot and a movie."""

import importlib
import shutil
import statistics
from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, QSize, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QImage, QPixmap, QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QSplitter, QWidget

from integrator.agents.result import ERROR, EpisodeResult, News, Playing, on_disk, play_beside
from integrator.session.rework import open_movie_at
from integrator.session.setup.plan import SessionPlan
from integrator.ui.agents.trial_form import TrialForm
from integrator.ui.bridge.background import GameFolder, Job, PanelTask
from integrator.ui.desk import PanelController
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import (
    EmptyOr,
    EmptyState,
    ProofBar,
    Segments,
    hbox,
    push_button,
    role_label,
    stack,
    vbox,
)
from integrator.ui.widgets.rows_model import SORT_ROLE, Column, RowsModel, number_column
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.texts import counted, plain_number
from integrator.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from integrator.ui.agents.spread_canvas import SpreadCanvas


EpisodeRow = IntEnum(
    "EpisodeRow", "AGENT STATE SEED EPISODE REWARD FRAMES ENDED MINUTE TERMS", start=0
)


class AgentEpisodesModel(RowsModel[EpisodeResult]):
    """A row an episode, in the order in which they ended."""

    def table(self) -> Sequence[Column[EpisodeResult]]:
        return (
            Column(self.tr("agent"), lambda each: each.agent),
            Column(self.tr("state"), lambda each: each.state),
            number_column(self.tr("seed"), lambda each: each.seed, plain_number),
            number_column(self.tr("episode"), lambda each: each.episode, plain_number),
            number_column(self.tr("return"), lambda each: each.reward, plain_number),
            number_column(self.tr("frames"), lambda each: each.frames),
            Column(self.tr("ended by"), self._end, lambda each: each.ended, color=self._end_color),
            number_column(self.tr("a minute"), lambda each: each.reward_a_minute, "{:,.1f}".format),
            Column(self.tr("terms"), _terms),
        )

    def _end(self, result: EpisodeResult) -> str:
        ends = {ERROR: self.tr("error"), "done": self.tr("done"), "frames": self.tr("time")}
        return ends.get(result.ended, result.ended)

    def _end_color(self, result: EpisodeResult) -> str:
        return self._theme.colors.bad if result.error else self._theme.colors.text

    def tip(self, result: EpisodeResult) -> str | None:
        return result.error or result.movie


def _terms(result: EpisodeResult) -> str:
    return ", ".join(f"{name} {plain_number(total)}" for name, total in result.terms.items())


_PICTURES: Final = 5
_PICTURE: Final = QSize(96, 72)


class AgentsView(QWidget):
    """The choices of a trial, and its episodes as rows and dots. ``start_requested``: a trial.
    ``open_requested``: an episode. ``keep_requested``: movies."""

    start_requested = Signal()
    open_requested = Signal(object)
    keep_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.form = TrialForm(theme, self.start_requested.emit)
        self.start = self.form.start
        self.progress = ProofBar(theme)
        self.pictures = LivePictures()
        self.model = AgentEpisodesModel(theme, self)
        self.sorted = QSortFilterProxyModel(self, sortRole=SORT_ROLE)
        self.sorted.setSourceModel(self.model)
        self.table: DataTable = self._table()
        self.canvas: SpreadCanvas | None = None
        minute = self.tr("a minute"), self.tr("Reward a minute of the game's own time")
        reward, length = (self.tr("return"), ""), (self.tr("length"), "")
        self.number = Segments([("reward", *reward), ("frames", *length), ("minute", *minute)])
        self.number.setProperty("role", "small")
        self._choose_number("reward")
        self.number.chosen.connect(self._choose_number)
        self.summary: QLabel = role_label("", "secondary")
        self.summary.setMinimumWidth(40)
        self.summary.setContentsMargins(10, 2, 10, 2)
        self.keep = push_button(
            self.tr("Keep movies…"),
            self.keep_requested.emit,
            self.tr("Copy the episodes' movies into a folder, and list them"),
            icon=theme.icons.icon("save"),
        )
        self.open = push_button(
            self.tr("Open in Review"),
            lambda: self._open(self.table.currentIndex()),
            icon=theme.icons.icon("movie"),
        )
        self._build_ui()
        self.clear()

    def _table(self) -> DataTable:
        table = DataTable(self.tr("Episodes of the agents"), self.sorted)
        table.set_widths(
            (100, 70, 54, 72, 64, 66, 78, 80, 120),
            stretch=EpisodeRow.TERMS,
            spare=(EpisodeRow.SEED, EpisodeRow.MINUTE, EpisodeRow.STATE),
        )
        table.setSortingEnabled(True)
        table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        table.setToolTip(self.tr("Double-click an episode to see it in Review"))
        table.activated.connect(self._open)
        table.selectionModel().selectionChanged.connect(lambda *_: self._show_chosen())
        return table

    def _build_ui(self) -> None:
        row = hbox(self.number, None, self.keep, self.open, margins=(10, 2, 10, 4), gap=8)
        self._curves = QFrame()
        self._curve_layout = vbox(on=self._curves, margins=0)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.table)
        split.addWidget(self._curves)
        split.setSizes([300, 200])
        split.setChildrenCollapsible(False)
        body = QWidget()
        column = stack(body, self.summary, split, grows=split)
        column.addLayout(row)
        self.empty = EmptyState(self._theme, "gamepad", "", "")
        self.pages = EmptyOr(self.empty, body)
        stack(self, self.form, self.pictures, self.pages, self.progress, grows=self.pages)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """The first time, make the canvas: its library would delay the start of the program."""
        super().showEvent(event)
        if self.canvas is None:
            module = importlib.import_module("integrator.ui.agents.spread_canvas")
            self.canvas = module.SpreadCanvas(self._theme)
            self.canvas.picked.connect(self._pick)
            self._curve_layout.addWidget(self.canvas)
            self._draw()

    def clear(self, *, playing: bool = False) -> None:
        if playing:
            heading = self.tr("The agents play")
            text = self.tr("Each episode is shown here as soon as it has ended.")
        else:
            heading = self.tr("No agent has played yet")
            text = self.tr(
                "Choose agents and let them play: see what training would make of this game."
            )
        self.empty.say(heading, text)
        self.model.show(())
        self.pictures.show_pictures(())
        self._show_results()

    def add(self, results: Sequence[EpisodeResult]) -> None:
        self.model.add(results)
        if results:
            self._show_results()

    def _show_results(self) -> None:
        results = self.model.rows
        self.pages.show_content(bool(results))
        rewards = [each.reward for each in results if not each.error]
        count, text = len(rewards), ""
        if rewards:
            numbers = (max(rewards), statistics.median(rewards), min(rewards))
            text = self.tr("{0} episode[|s]: best {1} · median {2} · worst {3}", None, count)
            text = counted(text, count).format(f"{count:,}", *map(plain_number, numbers))
        self.summary.setText(text)
        self.summary.setToolTip(text)
        self._draw()
        self._show_chosen()

    def _choose_number(self, key: str) -> None:
        self._shown_number = key
        self.number.select(key)
        self._draw()

    def _draw(self) -> None:
        if self.canvas is not None:
            self.canvas.show_results(self.model.rows, self._shown_number)

    def _pick(self, row: int) -> None:
        index = self.sorted.mapFromSource(self.model.index(row, 0))
        self.table.selectRow(index.row())
        self.table.scrollTo(index)

    def _show_chosen(self) -> None:
        rows = self.table.selectionModel().selectedRows()
        self.open.setEnabled(bool(rows and self._result(rows[0]).movie))
        self.keep.setEnabled(any(each.movie for each in self.model.rows))

    def _result(self, index: QModelIndex) -> EpisodeResult:
        return self.model.rows[self.sorted.mapToSource(index).row()]

    def _open(self, index: QModelIndex) -> None:
        if index.isValid() and self._result(index).movie:
            self.open_requested.emit(self._result(index))


class LivePictures(QFrame):
    """Small pictures of some episodes that are played now; hidden while none is."""

    def __init__(self) -> None:
        super().__init__()
        row = hbox(on=self, margins=(10, 2, 10, 6))
        self._cells = []
        for _ in range(_PICTURES):
            picture, text = QLabel(), role_label("", "faint")
            picture.setFixedSize(_PICTURE)
            picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
            text.setMinimumWidth(1)
            row.addLayout(vbox(picture, text, gap=1))
            self._cells.append((picture, text))
        row.addStretch(1)
        self.hide()

    @property
    def texts(self) -> list[str]:
        return [text.text() for _, text in self._cells if text.text()]

    def show_pictures(self, playing: Sequence[tuple[Playing, QImage]]) -> None:
        self.setVisible(bool(playing))
        ratio = self.devicePixelRatioF()
        for at, (picture, text) in enumerate(self._cells):
            if at >= len(playing):
                picture.clear()
                text.clear()
                continue
            now, image = playing[at]
            pixmap = QPixmap.fromImage(image).scaled(
                _PICTURE * ratio,
                Qt.AspectRatioMode.KeepAspectRatio,
                Qt.TransformationMode.FastTransformation,
            )
            pixmap.setDevicePixelRatio(ratio)
            picture.setPixmap(pixmap)
            text.setText(f"{now.agent} {now.episode}: {plain_number(now.reward)}")
            text.setToolTip(" ".join(filter(None, (now.agent, now.state))))


Shown = tuple[Playing, QImage]


class AgentsController(PanelController[AgentsView]):
    """Lets agents play; their movies lie in a folder that ends with the game. ``opened``: an
    episode is on the timeline. ``kept``: the folder that movies were copied into."""

    opened = Signal()
    kept = Signal(object)

    def _set_up(self) -> None:
        bridge, controller, view = self._bridge, self._controller, self._view
        self.background = PanelTask(bridge, controller, "agents", [view.progress], self)
        self.background.works.connect(self._show_works)
        view.start_requested.connect(self.start)
        view.open_requested.connect(self.open_episode)
        view.keep_requested.connect(self._ask_keep)
        form = view.form
        controller.follow(
            lambda now: form.show_states(now.states, now.default_state), "states", "disk"
        )
        bridge.closed.connect(view.clear)
        bridge.closed.connect(lambda: form.show_states((), ""))
        self._folder = GameFolder(bridge, self)

    def start(self) -> None:
        game = self._controller.game
        if game is None:
            return
        trial = self._view.form.trial(game.directory, game.buttons)
        if not trial.agents:
            self._controller.said.emit(NoticeKind.INFO, self.tr("Choose an agent"))
            return
        self._view.clear(playing=True)
        out, count = self._folder.renew(), trial.all_episodes

        def work(plan: SessionPlan, job: Job) -> None:
            here = replace(trial, game=on_disk(plan, out), scenario=plan.scenario)
            play_beside(here, out / "movies", job.stopped, lambda news: job.give(_unpacked(news)))

        def hear(news: tuple[Sequence[EpisodeResult], Sequence[Shown]]) -> None:
            self._hear(*news)
            self._view.progress.show_progress(len(self._view.model.rows), count)

        text = counted(self.tr("Agents play {0} episode[|s]", None, count), count)
        self.background.run(
            text.format(f"{count:,}"),
            lambda session: session.game.plan.hidden(),
            work,
            lambda _: None,
            hear,
        )

    def _hear(self, results: Sequence[EpisodeResult], playing: Sequence[Shown]) -> None:
        self._view.add(results)
        self._view.pictures.show_pictures(playing)
        problem = next((each.error for each in results if each.error), None)
        if problem:
            self._warn(problem)

    def _show_works(self, works: bool) -> None:
        self._view.start.setEnabled(not works)
        if not works:
            self._view.pictures.show_pictures(())
            if not self._view.model.rows:
                self._view.clear()

    def open_episode(self, result: EpisodeResult) -> None:
        path = result.movie
        if path is not None:
            self._bridge.go(
                lambda session: open_movie_at(session, path), self.opened.emit, self.background.fail
            )

    def _ask_keep(self) -> None:
        folder = self._ask_folder("kept_movies", self.tr("Folder for the movies"))
        if folder is not None:
            self.keep(folder)

    def keep(self, folder: Path) -> None:
        results = tuple(self._view.model.rows)

        def copy() -> None:
            folder.mkdir(parents=True, exist_ok=True)
            for each in results:
                if each.movie:
                    shutil.copy(each.movie, folder / each.movie_name)

        self._bridge.beside(copy, lambda _: self.kept.emit(folder), self.background.fail)


def _unpacked(news: News) -> tuple[Sequence[EpisodeResult], Sequence[Shown]]:
    return news.results, [(now, QImage.fromData(png)) for now, png in news.playing]
