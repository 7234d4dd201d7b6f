"""Lets agents play the open game beside it, and puts their episodes into the panel."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog

from integrator.agents.beside import News, on_disk, play_beside
from integrator.agents.result import EpisodeResult, Playing
from integrator.session.edits.snapshot import Documents
from integrator.session.rework import open_movie_at
from integrator.session.setup.plan import SessionPlan
from integrator.ui.agents.agents_view import AgentsView
from integrator.ui.bridge.background import Job, PanelController, PanelTask
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.game_folder import GameFolder
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
        self.background = PanelTask(bridge, controller, "agents", [view.progress], self)
        self.background.works.connect(self._show_works)
        view.start_requested.connect(self.start)
        view.open_requested.connect(self.open_episode)
        view.keep_requested.connect(self._ask_folder)
        controller.follow(self._show_states, "states", "disk")
        bridge.closed.connect(self._closed)
        self._folder = GameFolder(bridge, self)

    def _show_states(self, documents: Documents) -> None:
        self._view.form.show_states(documents.states, documents.default_state)

    def _closed(self) -> None:
        self._view.clear()
        self._view.form.show_states((), "")

    def start(self) -> None:
        """Let the chosen agents play by the present documents."""
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
            self._view.progress.show_progress(len(self._view.model.results), count)

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
            self._controller.said.emit(NoticeKind.WARNING, problem)

    def _show_works(self, works: bool) -> None:
        self._view.start.setEnabled(not works)
        if not works:
            self._view.pictures.show_pictures(())
            if not self._view.model.results:
                self._view.clear()

    # -- movies -------------------------------------------------------------------------------

    def open_episode(self, result: EpisodeResult) -> None:
        """Put an episode on the timeline, and stand at its first frame."""
        path = result.movie
        if path is not None:
            self._bridge.go(
                lambda session: open_movie_at(session, path), self.opened.emit, self.background.fail
            )

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

        self._bridge.beside(copy, lambda _: self.kept.emit(folder), self.background.fail)


def _unpacked(news: News) -> tuple[Sequence[EpisodeResult], Sequence[Shown]]:
    return news.results, [(now, QImage.fromData(png)) for now, png in news.playing]
