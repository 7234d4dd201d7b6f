"""Scores movies of the Movies panel in a hidden core, with progress, and draws their rewards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from integrator.session.hidden.movie_scores import MovieScore, score_movies
from integrator.session.setup.plan import SessionPlan
from integrator.ui.bridge.background import Job
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.task import PanelTask
from integrator.ui.review.movies.movies_model import MovieResult, ended_text
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.widgets.translation import counted

_SETTLE_MS = 800


class MovieScoresController(QObject):
    """Keeps the scores of the open game's movies; after an edit they are made anew."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: MoviesView, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view = view
        self.scores: dict[Path, MovieScore] = {}
        self._asked: list[Path] = []
        self.background = PanelTask(bridge, controller, "movies", [view.progress], self)
        self.background.failed.connect(self._asked.clear)
        view.progress.cancel_requested.connect(self._cancelled)
        self._settle = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settle.timeout.connect(self._score_again)
        view.score_requested.connect(self.score)
        view.curves.picked.connect(view.select)
        controller.follow(lambda _: self._edited(), "variables", "scenario", "scripts")
        bridge.closed.connect(self._closed)

    def _closed(self) -> None:
        self._settle.stop()
        self._asked.clear()
        self.scores.clear()
        self._view.curves.show_scores({})
        self._view.progress.hide()

    def _edited(self) -> None:
        if self.scores or self._asked:
            self._settle.start()

    def _score_again(self) -> None:
        paths = list(dict.fromkeys([*self.scores, *self._asked]))
        self.scores.clear()
        self._view.curves.show_scores({})
        self.score(paths)

    def score(self, paths: Sequence[Path]) -> None:
        """Score these movies by the present documents; a job that still runs goes on after them."""
        waiting = [path for path in self._asked if path not in self.scores]
        self.background.drop_all()
        self._asked[:] = dict.fromkeys([*paths, *waiting])
        if not self._asked:
            return
        for path in self._asked:
            self._view.model.set_result(path, MovieResult(self.tr("waits"), "link"))
        asked, count = tuple(self._asked), len(self._asked)

        def work(plan: SessionPlan, job: Job) -> None:
            for done, score in enumerate(score_movies(plan, asked, job.stopped), 1):
                job.give(score)
                job.progress(done, count)

        text = counted(self.tr("Scoring {0} movie[|s] in a hidden core", None, count), count)
        self.background.run(
            text.format(f"{count:,}"),
            lambda session: session.game.plan.hidden(),
            work,
            lambda _: self._finish(),
            self._take,
        )

    def _take(self, score: MovieScore) -> None:
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

    def _cancelled(self) -> None:
        if not self.background.busy:  # The work had not begun, and never answers.
            self._finish()

    def _finish(self) -> None:
        for path in self._asked:
            if path not in self.scores:
                self._view.model.set_result(path, MovieResult("", "link"))
        self._asked.clear()
        self._view.model.sort_again()
