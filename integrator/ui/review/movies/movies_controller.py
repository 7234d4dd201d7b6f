"""The Movies panel of the open game: its folder, playing, and each movie's result."""

from collections.abc import Sequence
from pathlib import Path

from integrator.domain.audit.play import Trap
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import Event, FrameResult, MovieDesync, PlaybackEnded
from integrator.session.hidden.movie_scores import (
    MovieMoment,
    MovieScore,
    differences,
    moments,
    score_movies,
)
from integrator.session.library.movie_rows import (
    MovieInfo,
    PlayedMovie,
    read_movie_folder,
    run_and_judge,
)
from integrator.session.rework import open_movie_at
from integrator.session.setup.plan import SessionPlan
from integrator.ui.bridge.background import Background, Job, PanelTask
from integrator.ui.desk import PanelController
from integrator.ui.review.movies.movies_model import MovieResult
from integrator.ui.review.movies.movies_view import MoviesView, SideBySide
from integrator.ui.widgets.fields import settle_timer
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.texts import counted

_SETTLE_MS = 800
_RATE_MS = 200
_MOST_MOMENTS = 25
"""Moments of one kind that are listed."""


class MoviesController(PanelController[MoviesView]):
    """Reads folders on a worker thread; ``play`` opens a movie as any other path. Movies are scored
    in hidden cores, and again after each edit."""

    def _set_up(self) -> None:
        bridge, controller, view = self._bridge, self._controller, self._view
        self.scores: dict[Path, MovieScore] = {}
        self._moments: dict[Path, list[MovieMoment]] = {}
        self._traps: list[MovieMoment] = []
        self._asked: dict[Path, None] = {}
        self.background = PanelTask(bridge, controller, "movies", [view.progress], self)
        self.background.failed.connect(lambda: self._asked.clear())
        self._pairs = Background(bridge, "movie-pair", self)
        view.progress.cancel_requested.connect(self._cancelled)
        self._settle = settle_timer(self, _SETTLE_MS, lambda: self.score(self._forget_scores()))
        self._late = settle_timer(self, _RATE_MS, self._show_moments)
        view.score_requested.connect(self.score)
        view.curves.picked.connect(view.select)
        view.shown_changed.connect(self._late.start)
        view.moment_requested.connect(self.jump)
        view.compare_requested.connect(self._compare)
        controller.follow(self._edited, "variables", "scenario", "scripts")
        self._judged: dict[Path, PlayedMovie] = {}
        self._recorded: list[Path] = []
        self._queue: list[Path] = []
        self._played: Path | None = None
        # The results that *playing* hides.
        self._before: dict[Path, MovieResult] = {}
        self.folder = self._desk.settings.folder("movies", Path.home())
        view.play_requested.connect(self.play)
        view.next_requested.connect(self.play_next)
        view.load_requested.connect(self.run_to_end)
        view.folder_requested.connect(self.choose_folder)
        view.refresh_requested.connect(self.read)
        bridge.event_received.connect(self._note_event)
        controller.scored.connect(self._judge_again)
        controller.movie_changed.connect(self._note_playing)

    def _closed(self) -> None:
        for known in (self._before, self._judged, self._recorded, self._queue, self._traps):
            known.clear()
        self._settle.stop()
        self._forget_scores()

    def add_recorded(self, path: Path) -> None:
        self._recorded.append(path)
        self.read()

    def _opened(self, game: GameSnapshot) -> None:
        self._view.filter.clear()
        chosen = self._desk.settings.folder("movies", game.directory)
        self.list_folder(chosen if chosen.is_dir() else game.rom.parent)

    def choose_folder(self) -> None:
        chosen = self._ask_folder("movies", self.tr("A folder of movies"))
        if chosen is not None:
            self.list_folder(chosen)

    def list_folder(self, folder: Path) -> None:
        self.folder = folder
        self._view.show_folder(folder)
        self.read()

    def read(self) -> None:
        folder, systems = self.folder, self._desk.systems.consoles
        also = tuple(dict.fromkeys(self._recorded))

        def done(movies: tuple[MovieInfo, ...]) -> None:
            if folder == self.folder:
                self._view.model.set_movies(movies)
                self._dock.header.note.setText(str(len(movies) or ""))

        self._bridge.beside(lambda: read_movie_folder(folder, systems, also), done, self._report)

    def play(self, paths: Sequence[Path]) -> None:
        self._queue = list(paths)
        self._play_queued()

    def _play_queued(self) -> None:
        if self._queue:
            self._played = self._queue.pop(0)
            self._desk.open_path(self._played)

    def play_next(self) -> None:
        path = self._view.after(self._played)
        if path is None:
            self._announce(self.tr("The last movie of the list was played"), NoticeKind.INFO)
        else:
            self.play([path])

    def run_to_end(self, paths: Sequence[Path]) -> None:
        """Put whole movies on the timeline, one after the other, without waiting for pictures."""
        if not paths:
            return
        (path, *others), model = paths, self._view.model
        model.set_results(others, MovieResult(self.tr("waits")))
        model.set_result(path, MovieResult(self.tr("running")))

        def show(answer: tuple[FrameResult, PlayedMovie]) -> None:
            self._bridge.show(answer[0])
            self._show_judged(path, answer[1])
            self.run_to_end(others)

        def failed(error: Exception) -> None:
            model.set_result(path, MovieResult(self.tr("failed"), "bad"))
            self._report(error)
            self.run_to_end(others)

        self._bridge.pause()
        self._bridge.ask(lambda session: run_and_judge(session, path), show, failed)

    def _note_playing(self, name: str) -> None:
        # Folders of agents' movies have files of the same name, so the path that was asked counts.
        asked = self._played if self._played is not None and self._played.name == name else None
        model, playing = self._view.model, self.tr("playing")
        for path, before in self._before.items():
            if model.result(path).text == playing:
                model.set_result(path, before)  # a further movie began before its end
        self._before.clear()
        for row, movie in enumerate(model.rows):
            path = movie.path
            if path == asked or (asked is None and path.name == name):
                before = self._before[path] = model.result(path)
                model.set_result(path, MovieResult(playing, totals=before.totals))
                self._view.table.selectRow(row)

    def _note_event(self, event: Event) -> None:
        if isinstance(event, MovieDesync):
            self._view.model.set_result(event.path, MovieResult.out_of_step(event.row))
            number, label = event.number, self.tr("out of step")
            self._bridge.ask(lambda session: session.timeline.log.add_marker(number, label))
        elif isinstance(event, PlaybackEnded):
            self._bridge.ask(
                lambda session: PlayedMovie.newest(session, event.path),
                lambda result: self._show_judged(event.path, result),
            )
            if event.left:
                self._queue.clear()
            else:
                self._play_queued()

    def _judge_again(self, _: object) -> None:
        """Judge the movies by new scores; frames that are elsewhere by now are left out."""
        known = dict(self._judged)

        def show(judged: dict[Path, PlayedMovie | None]) -> None:
            for path, each in judged.items():
                if each is None:
                    self._judged.pop(path, None)
                    self._view.model.set_result(path, MovieResult())
                self._show_judged(path, each)

        if known:
            self._bridge.ask(lambda now: {path: known[path].again(now) for path in known}, show)

    def _show_judged(self, path: Path, judged: PlayedMovie | None) -> None:
        if judged is not None:
            self._judged[path] = judged
            self._view.model.set_result(path, MovieResult.of(judged))

    # -- scores -------------------------------------------------------------------------------

    def _forget_scores(self) -> list[Path]:
        paths = list(dict.fromkeys([*self.scores, *self._asked]))
        for known in (self.scores, self._moments, self._asked):
            known.clear()
        self._view.curves.show_scores({})
        return paths

    def _edited(self, _: object) -> None:
        if self.scores or self._asked:
            self._settle.start()

    def score(self, paths: Sequence[Path]) -> None:
        """Score these movies by the present documents; a job that still runs goes on after them."""
        waiting = [path for path in self._asked if path not in self.scores]
        self.background.drop_all()
        self._asked = dict.fromkeys([*paths, *waiting])
        if not self._asked:
            return
        self._view.model.set_results(self._asked, MovieResult(self.tr("waits")))
        asked, count = tuple(self._asked), len(self._asked)

        def work(plan: SessionPlan, job: Job) -> None:
            for done, score in enumerate(score_movies(plan, asked, job.stopped), 1):
                job.give(score)
                job.progress(done, count)

        text = counted(self.tr("Scoring {0} movie[|s] in hidden cores", None, count), count)
        self.background.run(
            text.format(f"{count:,}"),
            lambda session: session.game.plan.hidden(),
            work,
            self._finish,
            self._take,
        )

    def _take(self, score: MovieScore) -> None:
        self.scores[score.path] = score
        self._moments[score.path] = moments(score)
        failed = MovieResult(self.tr("failed"), "bad")
        self._view.model.set_result(score.path, failed if score.problem else MovieResult.of(score))
        if not score.problem:
            self._view.curves.add_score(score)

    def _cancelled(self) -> None:
        if not self.background.busy:  # The work had not begun, and never answers.
            self._finish()

    def _finish(self, _: None = None) -> None:
        left = [path for path in self._asked if path not in self.scores]
        self._view.model.set_results(left, MovieResult())
        self._asked.clear()
        self._view.model.sort_again()
        self._late.start()

    def take_traps(self, traps: Sequence[Trap]) -> None:
        """List the traps of an audit among the moments."""
        self._traps = [
            MovieMoment(trap.kind, Path(trap.source), trap.frames[0], trap.weight) for trap in traps
        ]
        self._late.start()

    def _show_moments(self) -> None:
        if not self._view.shows_moments:
            return
        chosen = self._view.chosen()
        paths = chosen if len(chosen) > 1 else [each.path for each in self._view.model.rows]
        known = [self.scores[path] for path in paths if path in self.scores]
        shown = [*(differences(*known) if len(known) == 2 else ()), *self._traps]
        found = [each for path in paths for each in self._moments.get(path, ())]
        for kind in dict.fromkeys(each.kind for each in found):
            same = [each for each in found if each.kind == kind]
            shown += sorted(same, key=lambda each: -abs(each.size))[:_MOST_MOMENTS]
        self._view.moments.show_changed(shown)

    def jump(self, moment: MovieMoment) -> None:
        path, frame, fail = moment.path, moment.frame, self.background.fail
        self._bridge.go(lambda session: open_movie_at(session, path, frame), otherwise=fail)

    def _compare(self, one: Path, other: Path) -> None:
        def show(plan: SessionPlan) -> None:
            closed, window = self._bridge.closed, self._view.window()
            SideBySide(self._pairs, closed, plan, (one, other), window).show()

        self._bridge.ask(lambda session: session.game.plan.hidden(), show)
