"""Audits the open game beside it: movies and probes through hidden cores, traps into a panel."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject

from integrator.domain.audit.play import Trap
from integrator.session.audit.heard import AuditJob, Heard, gathered, hear_beside, probe_jobs
from integrator.session.frame.result import FrameResult
from integrator.session.hidden.movie_scores import MovieScore
from integrator.session.rework import import_movie
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.ui.bridge.background import Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.bridge.task import PanelTask
from integrator.ui.review.audit.audit_view import AuditView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.translation import counted


class AuditController(PanelController[AuditView]):
    """``movies`` gives the movies to audit; probes are recorded in a folder that ends with it."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: AuditView,
        movies: Callable[[], Sequence[Path]],
        parent: QObject,
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._movies = movies
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.background = PanelTask(bridge, controller, "audit", [view.progress], self)
        self.background.works.connect(lambda works: view.start.setEnabled(not works))
        self.background.failed.connect(self._show_failed)
        view.audit_requested.connect(self.audit)
        view.open_requested.connect(self.open_at)
        bridge.closed.connect(self._closed)
        bridge.ending.connect(self._forget)

    def _closed(self) -> None:
        self._view.progress.hide()
        self._view.show_audit([], [], "")
        self._view.start.setEnabled(True)
        self._forget()

    def _forget(self) -> None:
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()

    def audit(self, probes: bool) -> None:
        """Audit the listed movies by the present documents, and the game without a player."""
        movies = tuple(self._movies())
        if not movies and not probes:
            text = self.tr("There is nothing to audit: list movies, or choose probes")
            self._controller.said.emit(NoticeKind.INFO, text)
            return
        self.background.begin(self.tr("The audit runs"))
        self._bridge.ask(
            lambda session: session.game.plan,
            lambda plan: self._start(plan, movies, probes=probes),
            self.background.fail,
        )

    def _start(self, plan: SessionPlan, movies: Sequence[Path], *, probes: bool) -> None:
        game = plan.integration.directory
        self._forget()
        self._folder = tempfile.TemporaryDirectory(prefix="integrator-audit-")
        jobs = [AuditJob(game, plan.players, movie=movie) for movie in movies]
        if probes:
            jobs += probe_jobs(plan, Path(self._folder.name))

        def work(job: Job) -> list[Heard]:
            heard: list[Heard] = []
            for each in jobs:
                if job.stopped():
                    break
                heard.append(hear_beside(each, plan))
                job.progress(len(heard), len(jobs))
            return heard

        self.background.go_on(work, self._show)
        if self.background.busy:
            text = self.tr("Auditing {0} play[|s] in hidden cores", None, len(jobs))
            self._view.show_running(counted(text, len(jobs)).format(f"{len(jobs):,}"))

    def _show(self, heard: Sequence[Heard]) -> None:
        traps = gathered(heard)
        scores = [
            MovieScore(Path(each.source), each.play.rewards[:, np.newaxis])
            for each in heard
            if each.play is not None and each.play.frames
        ]
        serious = sum(trap.is_serious for trap in traps)
        text = self.tr("traps: {0}, remarks: {1}, plays: {2}").format(
            serious, len(traps) - serious, len(heard)
        )
        self._view.show_audit(traps, scores, text)
        problem = next((f"{each.source}: {each.error}" for each in heard if each.error), "")
        if problem:
            self._controller.said.emit(NoticeKind.WARNING, problem)

    def open_at(self, trap: Trap) -> None:
        """Put the play of a trap on the timeline, and stand at its first frame."""
        path, frame = Path(trap.source), trap.frames[0]

        def work(session: Session) -> FrameResult:
            done = import_movie(session, path)
            return session.timeline.seek(min(done.start + frame - 1, done.stop - 1))

        self._bridge.pause()
        self._bridge.ask(work, self._bridge.show, self.background.fail)

    def _show_failed(self) -> None:
        if not self._view.summary.text():
            self._view.show_audit((), (), "")
