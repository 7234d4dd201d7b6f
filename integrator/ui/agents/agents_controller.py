"""Lets agents play the open game beside it, and puts their episodes into the panel."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from integrator.agents.beside import AgentTrial, News, on_disk, play_beside
from integrator.agents.result import EpisodeResult, Playing
from integrator.agents.table import HELD
from integrator.domain.scenario.actions import MENU_BUTTONS
from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import FrameResult
from integrator.session.rework import import_movie
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.ui.agents.agents_view import AgentsView
from integrator.ui.agents.trial_form import Choice
from integrator.ui.bridge.background import Background, Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.translation import counted

Shown = tuple[Playing, QImage]


class AgentsController(PanelController[AgentsView]):
    """Movies lie in a folder that ends with the game. ``opened``: an episode is on the timeline.

    ``kept``: the folder that movies were copied into.
    """

    opened = Signal()
    kept = Signal(object)

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: AgentsView, parent: QObject
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._expected = 0
        self.background = Background(bridge, "agents", self)
        view.start_requested.connect(self.start)
        view.open_requested.connect(self.open_episode)
        view.keep_requested.connect(self._ask_folder)
        view.progress.cancel_requested.connect(self.cancel)
        controller.follow(self._show_states, "states", "disk")
        bridge.closed.connect(self._closed)
        bridge.ending.connect(self._forget)

    def _show_states(self, documents: Documents) -> None:
        self._view.form.show_states(documents.states, documents.default_state)

    def _closed(self) -> None:
        self._view.clear()
        self._stopped()
        self._view.form.show_states((), "")
        self._forget()

    def _forget(self) -> None:
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()

    def start(self, choice: Choice) -> None:
        """Let the chosen agents play by the present documents."""
        if not choice.agents and not choice.held:
            self._controller.said.emit(NoticeKind.INFO, self.tr("Choose an agent"))
            return
        self._view.start.setEnabled(False)
        self._bridge.ask(
            lambda session: session.game.plan.hidden(),
            lambda plan: self._start(choice, plan),
            self._failed,
        )

    def _start(self, choice: Choice, plan: SessionPlan) -> None:
        self._forget()
        self._view.clear(playing=True)
        # Work that was cancelled a moment ago may write a last movie while the folder goes.
        self._folder = tempfile.TemporaryDirectory(
            prefix="integrator-agents-", ignore_cleanup_errors=True
        )
        trial, out = _trial(choice, plan), Path(self._folder.name)
        self._expected = trial.all_episodes
        text = self.tr("Agents play {0} episode[|s]", None, self._expected)
        self._view.progress.begin(counted(text, self._expected).format(f"{self._expected:,}"))

        def work(job: Job) -> None:
            here = replace(trial, game=on_disk(plan, out))
            play_beside(here, out / "movies", job.stopped, lambda news: job.give(_unpacked(news)))

        self.background.start(work, lambda _: self._stopped(), self._failed, self._hear)

    def _hear(self, news: tuple[Sequence[EpisodeResult], Sequence[Shown]]) -> None:
        results, playing = news
        self._view.add(results)
        self._view.pictures.show_pictures(playing)
        self._view.progress.show_progress(len(self._view.model.results), self._expected)
        problem = next((each.error for each in results if each.error), None)
        if problem:
            self._controller.said.emit(NoticeKind.WARNING, problem)

    def cancel(self) -> None:
        """Stop soon, and keep the episodes so far."""
        self._view.progress.ending()
        self.background.stop_all()

    def _stopped(self) -> None:
        self._view.progress.hide()
        self._view.pictures.show_pictures(())
        self._view.start.setEnabled(True)
        if not self._view.model.results:
            self._view.clear()

    def _failed(self, error: Exception) -> None:
        self._stopped()
        self._controller.said.emit(NoticeKind.ERROR, str(error))

    # -- movies -------------------------------------------------------------------------------

    def open_episode(self, result: EpisodeResult) -> None:
        """Put an episode on the timeline, and stand at its first frame."""
        if result.movie is None:
            return
        path = Path(result.movie)

        def work(session: Session) -> FrameResult:
            return session.timeline.seek(import_movie(session, path).start)

        def then(shown: FrameResult) -> None:
            self._bridge.show(shown)
            self.opened.emit()

        self._bridge.pause()
        self._bridge.ask(work, then, self._failed)

    def _ask_folder(self) -> None:
        title = self.tr("Folder for the movies")
        folder = QFileDialog.getExistingDirectory(self._view, title)
        if folder:
            self.keep(Path(folder))

    def keep(self, folder: Path) -> None:
        """Copy the movies of all episodes into a folder."""
        results = tuple(self._view.model.results)

        def copy() -> None:
            folder.mkdir(parents=True, exist_ok=True)
            for each in results:
                if each.movie:
                    shutil.copy(each.movie, folder / each.movie_name)

        self._bridge.beside(copy, lambda _: self.kept.emit(folder), self._failed)


def _unpacked(news: News) -> tuple[Sequence[EpisodeResult], Sequence[Shown]]:
    return news.results, [(now, QImage.fromData(png)) for now, png in news.playing]


def _trial(choice: Choice, plan: SessionPlan) -> AgentTrial:
    buttons = (name for name in plan.descriptor.buttons if name and name not in MENU_BUTTONS)
    held = [HELD + name for name in buttons] if choice.held else []
    return AgentTrial(
        plan.integration.directory,
        (*choice.agents, *held),
        choice.states,
        episodes=choice.episodes,
        most_frames=choice.most_frames,
        seed=choice.seed,
        scenario=plan.scenario,
        jobs=choice.jobs,
        cluster=choice.cluster,
    )
