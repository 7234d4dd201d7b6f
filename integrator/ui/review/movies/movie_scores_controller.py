"""Scores movies of the Movies panel in a hidden core, with progress, and draws their rewards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from integrator.session.hidden.movie_scores import MovieScore, score_movies
from integrator.session.setup.plan import SessionPlan
from integrator.ui.bridge.background import Background, Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.review.movies.movies_model import MovieResult, ended_text
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.translation import counted

_SETTLE_MS = 800


class MovieScoresController(QObject):
    """Keeps the scores of the open game's movies; after an edit they are made anew."""

    _came = Signal(object, object)

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: MoviesView, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._view = view
        self.scores: dict[Path, MovieScore] = {}
        self._job: Job | None = None
        self._asked: list[Path] = []
        self.background = Background(bridge, "movies", self)
        self.background.progressed.connect(view.progress.show_progress)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._score_again)
        self._came.connect(self._take, Qt.ConnectionType.QueuedConnection)
        view.score_requested.connect(self.score)
        view.progress.cancel_requested.connect(self.cancel)
        view.curves.picked.connect(view.select)
        controller.follow(lambda _: self._edited(), "variables", "scenario", "scripts")
        bridge.closed.connect(self._closed)

    def _closed(self) -> None:
        self._settle.stop()
        self._job, self._asked = None, []
        self.scores.clear()
        self._view.curves.show_scores({})
        self._view.progress.hide()

    def _edited(self) -> None:
        if self.scores or self._job is not None:
            self._settle.start()

    def _score_again(self) -> None:
        paths = list(dict.fromkeys([*self.scores, *self._asked]))
        self.scores.clear()
        self._view.curves.show_scores({})
        self.score(paths)

    def score(self, paths: Sequence[Path]) -> None:
        """Score these movies by the present documents; a job that still runs goes on after them."""
        waiting = [path for path in self._asked if path not in self.scores]
        self._stop()
        self._asked = list(dict.fromkeys([*paths, *waiting]))
        if not self._asked:
            return
        for path in self._asked:
            self._view.model.set_result(path, MovieResult(self.tr("waits"), "link"))
        self._bridge.ask(lambda session: session.game.plan.hidden(), self._start, self._failed)

    def _start(self, plan: SessionPlan) -> None:
        paths = tuple(self._asked)
        count = len(paths)
        text = self.tr("Scoring {0} movie[|s] in a hidden core", None, count)
        self._view.progress.begin(counted(text, count).format(f"{count:,}"))

        def work(job: Job) -> None:
            for done, score in enumerate(score_movies(plan, paths, job.stopped), 1):
                self._came.emit(job, score)
                job.progress(done, count)

        job = self.background.start(work, lambda _: self._finish(job), self._failed)
        self._job = job

    @Slot(object, object)
    def _take(self, job: Job, score: MovieScore) -> None:
        if job is not self._job:
            return
        self.scores[score.path] = score
        self._view.model.set_result(score.path, self._result(score))
        if not score.problem:
            self._view.curves.add_score(score)

    def _result(self, score: MovieScore) -> MovieResult:
        if score.problem:
            return MovieResult(self.tr("failed"), "bad")
        if score.desync_row is not None:
            text = self.tr("out of step at row {0}").format(score.desync_row)
            return MovieResult(text, "bad", score.totals)
        return MovieResult(ended_text(score.done_frame), "good", score.totals)

    def cancel(self) -> None:
        """Stop soon, and keep the scores so far."""
        self._view.progress.ending()
        self.background.stop_all()

    def _stop(self) -> None:
        self.background.drop_all()
        self._job = None

    def _finish(self, job: Job) -> None:
        if job is not self._job:
            return
        for path in self._asked:
            if path not in self.scores:
                self._view.model.set_result(path, MovieResult("", "link"))
        self._job, self._asked = None, []
        self._view.progress.hide()
        self._view.model.sort_again()

    def _failed(self, error: Exception) -> None:
        self._job, self._asked = None, []
        self._view.progress.hide()
        self._controller.said.emit(NoticeKind.ERROR, str(error))
