"""The Agents panel: agents play the game, and each episode is shown as a row, a dot and a movie."""

import os
import shutil
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import IntEnum
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path
from typing import Final

from PySide6.QtCore import QModelIndex, QSize, QSortFilterProxyModel, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QLabel, QLineEdit, QSplitter, QWidget

from integrator.agents import result as trials
from integrator.agents.result import AgentTrial, EpisodeResult, Playing
from integrator.agents.table import AGENTS, ENTRY_POINTS, HELD
from integrator.domain.scenario.spec import MENU_BUTTONS
from integrator.session.setup.plan import SessionPlan
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import GameFolder, Job, PanelTask
from integrator.ui.window_context import PanelView


class TrialForm(QWidget):
    """The fields of an AgentTrial, and the button that starts it."""

    def __init__(self, started: Callable[[], object]) -> None:
        super().__init__()
        tip = self.tr("Let the agents play in processes of their own, next to your game")
        text, icon = self.tr("Let them play"), "play on_accent"
        self.start = ui.push_button(text, started, tip, "primary", icon=icon)
        self._states: tuple[str, ...] = ()
        kinds = {kind.name: ui.words(kind.text) for kind in AGENTS}
        kinds |= {entry.name: entry.value for entry in entry_points(group=ENTRY_POINTS)}
        usual = ("no-op", "random", "jerk")
        self.boxes = {n: ui.check_box(n, tip=tip, on=n in usual) for n, tip in kinds.items()}
        self.held = ui.check_box(self.tr("each button held"), tip=self.tr("One agent per button"))
        tip = self.tr("Agents of your own, and buttons held, with spaces between")
        hint = self.tr("module:factory, held:A+RIGHT, …")
        self.others = ui.line_edit(self.tr("Other agents"), hint, tip=tip)
        self.state = QComboBox()
        self.episodes = _number(1, 100_000, 10, self.tr("Episodes of each agent and state"))
        self.frames = _number(1, 10_000_000, 18_000, self.tr("Most frames of an episode"))
        self.seed = _number(0, 1 << 30, 0, self.tr("The same seed gives the same movies"))
        processors = min(2, os.cpu_count() or 1)
        self.jobs = _number(1, 256, processors, self.tr("Processes of this machine that play"))
        self.cluster = QLineEdit(placeholderText=self.tr("this machine, or dask://HOST:PORT"))
        self.cluster.setToolTip(self.tr("A Dask or Ray cluster that runs and sees the game"))
        self._build_ui()
        self.show_states((), "")

    def _build_ui(self) -> None:
        chips = ui.FlowBox(spacing=10)
        for box in (*self.boxes.values(), self.held):
            chips.add(box)
        grid = QGridLayout(self)
        grid.setContentsMargins(10, 6, 10, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(5)
        grid.addWidget(chips, 0, 0, 1, 6)
        # row, column, columns that the field spans, and label
        places: Sequence[tuple[int, int, int, str, QWidget]] = (
            (1, 0, 3, self.tr("others"), self.others),
            (1, 4, 1, self.tr("from"), self.state),
            (2, 0, 1, self.tr("episodes"), self.episodes),
            (2, 2, 1, self.tr("frames"), self.frames),
            (2, 4, 1, self.tr("seed"), self.seed),
            (3, 0, 3, self.tr("cluster"), self.cluster),
            (3, 4, 1, self.tr("processes"), self.jobs),
        )
        for row, column, width, text, field in places:
            label = ui.role_label(text, "secondary")
            label.setBuddy(field)
            field.setAccessibleName(field.accessibleName() or text)
            grid.addWidget(label, row, column)
            grid.addWidget(field, row, column + 1, 1, width)
        for column in (1, 3, 5):
            grid.setColumnStretch(column, 1)
        grid.addWidget(self.start, 4, 4, 1, 2)

    def show_states(self, states: Sequence[str], default: str) -> None:
        """Offer the start states of a game, and keep the selected state if the game has it."""
        self._states = tuple(states)
        kept = self.state.currentText()
        self.state.clear()
        self.state.addItems(self._states)
        self.state.addItem(self.tr("all states") if states else self.tr("power-on"))
        at = self.state.findText(kept)
        self.state.setCurrentIndex(at if at >= 0 else max(0, self.state.findText(default)))

    def trial(self, game: Path, buttons: Sequence[str | None]) -> AgentTrial:
        """Return the chosen trial of a game with these ``buttons``; it may have no agents."""
        agents = [name for name, box in self.boxes.items() if box.isChecked()]
        agents += self.others.text().split()
        if self.held.isChecked():
            agents += [HELD + name for name in buttons if name and name not in MENU_BUTTONS]
        at = self.state.currentIndex()
        return AgentTrial(
            game,
            tuple(agents),
            states=self._states[at : at + 1] or self._states,
            episodes=self.episodes.value(),
            most_frames=self.frames.value(),
            seed=self.seed.value(),
            jobs=self.jobs.value(),
            cluster=self.cluster.text().strip() or None,
        )


def _number(least: int, most: int, value: int, tip: str) -> ui.NumberBox:
    return ui.NumberBox(least, most, value=value, toolTip=tip, groupSeparatorShown=True)


EpisodeRow = IntEnum(
    "EpisodeRow", "AGENT STATE SEED EPISODE REWARD FRAMES ENDED MINUTE TERMS", start=0
)


class AgentEpisodesModel(ui.RowsModel[EpisodeResult]):
    """One row for each episode, in the order in which the episodes ended."""

    def table(self) -> Sequence[ui.Column[EpisodeResult]]:
        def terms(result: EpisodeResult) -> str:
            return ", ".join(f"{name} {ui.plain_number(n)}" for name, n in result.terms.items())

        pace = "{:.1f}".format
        ends = {trials.ERROR: self.tr("error"), "done": self.tr("done"), "frames": self.tr("time")}
        return (
            ui.Column(self.tr("agent"), lambda each: each.agent),
            ui.Column(self.tr("state"), lambda each: each.state),
            ui.number_column(self.tr("seed"), lambda each: each.seed, ui.plain_number),
            ui.number_column(self.tr("episode"), lambda each: each.episode, ui.plain_number),
            ui.number_column(self.tr("return"), lambda each: each.reward, ui.plain_number),
            ui.number_column(self.tr("frames"), lambda each: each.frames),
            ui.Column(
                self.tr("ended by"),
                lambda each: ends.get(each.ended, each.ended),
                lambda each: each.ended,
                color=lambda each: "bad" if each.error else None,
            ),
            ui.number_column(self.tr("a minute"), lambda each: each.reward_a_minute, pace),
            ui.Column(self.tr("terms"), terms),
        )

    def tip(self, result: EpisodeResult) -> str | None:
        return result.error or result.movie


_PICTURE: Final = QSize(96, 72)


class AgentsView(PanelView):
    """The form of a trial, and its episodes; their movies are deleted when the game is closed."""

    def _set_up(self) -> None:
        self.form = TrialForm(self.play_trial)
        self.start = self.form.start
        self.progress = ui.ProofBar()
        self.pictures = LivePictures()
        self.model = AgentEpisodesModel(self)
        self.sorted = QSortFilterProxyModel(self, sortRole=ui.SORT_ROLE)
        self.sorted.setSourceModel(self.model)
        self.table = table = ui.DataTable(self.tr("Episodes of the agents"), self.sorted)
        at, widths = EpisodeRow, (100, 70, 54, 72, 64, 66, 78, 80, 120)
        table.set_widths(widths, stretch=at.TERMS, spare=(at.SEED, at.MINUTE, at.STATE))
        table.setSortingEnabled(True)
        table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        table.setToolTip(self.tr("Double-click an episode to see it in Review"))
        table.activated.connect(self._open)
        table.selectionModel().selectionChanged.connect(lambda *_: self._show_chosen())
        # A module-level import would delay the start of the program.
        from integrator.ui.widgets.plots import SpreadCanvas  # noqa: PLC0415 - see above

        self.canvas = SpreadCanvas()
        self.canvas.picked.connect(self._pick)
        tip = self.tr("Reward a minute of the game's own time")
        reward, length = ("reward", self.tr("return"), ""), ("frames", self.tr("length"), "")
        minute = ("minute", self.tr("a minute"), tip)
        self.number = ui.Segments([reward, length, minute], small=True)
        self.number.chosen.connect(lambda _: self._draw())
        self.summary = ui.role_label("", "secondary", minimumWidth=40)
        self.summary.setContentsMargins(10, 2, 10, 2)
        tip = self.tr("Copy the episodes' movies into a folder, and list them")
        self.keep = ui.push_button(self.tr("Keep movies…"), self.keep_movies, tip, icon="save")
        text, index = self.tr("Open in Review"), self.table.currentIndex
        self.open = ui.push_button(text, lambda: self._open(index()), icon="movie")
        row = ui.hbox(self.number, None, self.keep, self.open, margins=(10, 2, 10, 4), gap=8)
        split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        split.addWidget(self.table)
        split.addWidget(self.canvas)
        split.setSizes([300, 200])
        body = ui.vbox(self.summary, (split, 1), row, margins=0, gap=0)
        above, below = (self.form, self.pictures), (self.progress,)
        self._fill(body, "gamepad", "agents", above=above, below=below)
        self.clear()
        self.background = PanelTask(self._bridge, self._controller, "agents", [self.progress], self)
        self.background.works.connect(self._show_works)
        show, follow = self.form.show_states, self._controller.follow
        follow(lambda now: show(now.states, now.default_state), "states", "disk")
        self._folder = GameFolder(self._bridge, self)

    def clear(self, *, playing: bool = False) -> None:
        self._say_hint("agents-playing" if playing else "agents")
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
            numbers = map(ui.plain_number, (max(rewards), statistics.median(rewards), min(rewards)))
            text = self.tr("{0} episode[|s]: best {1} · median {2} · worst {3}", None, count)
            text = ui.count_text(text, count, *numbers)
        self.summary.setText(text)
        self.summary.setToolTip(text)
        self._draw()
        self._show_chosen()

    def _draw(self) -> None:
        self.canvas.show_results(self.model.rows, self.number.selected)

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
        path = self._result(index).movie if index.isValid() else None
        if path:
            self._context.open_path(Path(path), 1)
            self._context.use_workspace("review")

    def _closed(self) -> None:
        self.clear()
        self.form.show_states((), "")

    def play_trial(self) -> None:
        if (game := self._controller.game) is None:
            return
        trial = self.form.trial(game.directory, game.system.buttons)
        if not trial.agents:
            self._inform(self.tr("Choose an agent"))
            return
        self.clear(playing=True)
        out, kinds = self._folder.renew(), len(trial.agents) * max(1, len(trial.states))
        count = kinds * trial.episodes

        def work(plan: SessionPlan, job: Job) -> None:
            def give(news: trials.News) -> None:
                results, playing = news
                job.give((results, [(now, QImage.fromData(png)) for now, png in playing]))

            here = replace(trial, game=trials.on_disk(plan, out), scenario=plan.scenario)
            trials.play_in_process(here, out / "movies", job.stopped, give)

        def show(news: tuple[Sequence[EpisodeResult], Sequence[tuple[Playing, QImage]]]) -> None:
            results, playing = news
            self.add(results)
            self.pictures.show_pictures(playing)
            for problem in [each.error for each in results if each.error][:1]:
                self._warn(problem)
            self.progress.show_progress(len(self.model.rows), count)

        text = ui.count_text(self.tr("Agents play {0} episode[|s]", None, count), count)
        run = self.background.run
        run(text, lambda session: session.game.plan.hidden(), work, lambda _: None, show)

    def _show_works(self, works: bool) -> None:
        self.start.setEnabled(not works)
        if not works:
            self.pictures.show_pictures(())
            if not self.model.rows:
                self.clear()

    def keep_movies(self, folder: Path | None = None) -> None:
        """Copy the movies into ``folder``, or into a folder that the user chooses."""
        into = folder or self._ask_folder("kept_movies", self.tr("Folder for the movies"))
        if into is None:
            return
        results = tuple(self.model.rows)

        def copy() -> None:
            into.mkdir(parents=True, exist_ok=True)
            for each in results:
                if each.movie:
                    shutil.copy(each.movie, into / each.movie_name)

        show = self._requests.list_movies.emit
        self._bridge.in_background(copy, lambda _: show(into), self.background.fail)


class LivePictures(QFrame):
    """Small pictures of up to five running episodes; hidden while no episode runs."""

    def __init__(self) -> None:
        super().__init__()
        row = ui.hbox(on=self, margins=(10, 2, 10, 6))
        self._cells = []
        for _ in range(5):
            middle = Qt.AlignmentFlag.AlignCenter
            picture = ui.configured(QLabel(alignment=middle), fixedSize=_PICTURE)
            text = ui.role_label("", "faint", minimumWidth=1)
            row.addLayout(ui.vbox(picture, text, gap=1))
            self._cells.append((picture, text))
        row.addStretch(1)
        self.hide()

    @property
    def texts(self) -> list[str]:
        return [text.text() for _, text in self._cells if text.text()]

    def show_pictures(self, playing: Sequence[tuple[Playing, QImage]]) -> None:
        self.setVisible(bool(playing))
        ratio = self.devicePixelRatioF()
        for label in chain.from_iterable(self._cells[len(playing) :]):
            label.clear()
        for (picture, text), (now, image) in zip(self._cells, playing, strict=False):
            picture.setPixmap(ui.fitted_pixmap(image, _PICTURE, ratio, smooth=False))
            text.setText(f"{now.agent} {now.episode}: {ui.plain_number(now.reward)}")
            text.setToolTip(" ".join(filter(None, (now.agent, now.state))))
