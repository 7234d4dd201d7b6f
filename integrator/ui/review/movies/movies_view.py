"""The Movies panel: a folder of movies, which are played, scored and compared."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QMenu

from integrator.domain.audit.play import Trap
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.result import Event, MovieDesync, PlaybackEnded
from integrator.session.hidden import movies
from integrator.session.hidden.movies import MovieMoment, MovieScore
from integrator.session.library.entries import MovieInfo, read_movie_folder
from integrator.session.recorded_rows import PlayedMovie, import_movie, open_movie_at
from integrator.session.setup.plan import SessionPlan
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background, Job, PanelTask
from integrator.ui.review.expectations_panel import ExpectationsView
from integrator.ui.review.movies import movies_lists
from integrator.ui.review.movies.movies_compared import MovieCurves, SideBySide
from integrator.ui.review.movies.movies_lists import FILTERS, MovieGroup, MovieLists, MovieResult
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.window_context import PanelView


class MoviesView(PanelView):
    """Lists the movies of ``folder``, which a worker thread reads. Movies are opened like any other
    path. Hidden cores score them, again after each edit."""

    def _set_up(self) -> None:
        self.folder = self._settings.folder("movies", Path.home())
        self._recorded: dict[Path, None] = {}
        self._queue: list[Path] = []
        self._played: Path | None = None
        self._judged: dict[Path, PlayedMovie] = {}
        self._before: dict[Path, MovieResult] = {}  # the results that the text *playing* replaces
        self.scores: dict[Path, MovieScore] = {}
        self._moments: dict[Path, list[MovieMoment]] = {}
        self._traps: list[MovieMoment] = []
        self._pair: tuple[Path, Path] | None = None  # the movies whose RAM is being compared
        self._other_ram: dict[tuple[Path, Path], int | None] = {}
        self._asked: dict[Path, None] = {}
        score, timer = self.score_movies, ui.settle_timer
        self._settle = timer(self, pause_ms=800, then=lambda: score(self._forget_scores()))
        self._late = timer(self, pause_ms=200, then=self._show_moments)
        self.lists = MovieLists()
        self.table, self.model = self.lists.table, self.lists.movies
        self.progress = ui.ProofBar()
        self.curves = MovieCurves()
        self._build_bar()
        ways = [self._actions["record"], self._actions["play_movie"]]
        parts = (self.curves, self.progress)
        self._fill(self.lists, "movie", "movies", ways, above=[self._bar], below=parts)
        self._show_choice()
        self.model.modelReset.connect(self._show_rows)
        self.curves.picked.connect(self._select)
        self.table.activated.connect(lambda index: self.play(self._readable([index.row()])))
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_choice())
        ui.show_row_menus(self.table, lambda index: self.movie_menu(index.row()))
        self.lists.group_chosen.connect(self._open_group)
        self.lists.moment_chosen.connect(lambda each: self.jump(each.path, each.frame))
        bridge, controller = self._bridge, self._controller
        self.background = PanelTask(bridge, controller, "movies", [self.progress], self)
        self.background.failed.connect(self._asked.clear)
        self._pairs = Background(bridge, "movie-pair", self)
        self.progress.cancel_requested.connect(self._cancelled)
        controller.follow(self._edited, "variables", "scenario", "scripts")
        controller.follow(lambda _: self._forget_ram(), "scripts")  # Scripts may write RAM.
        controller.scored.connect(self._judge_again)
        controller.movie_changed.connect(self._note_playing)
        bridge.event_received.connect(self._note_event)

    def _build_bar(self) -> None:
        pages = (
            ("movies", self.tr("Movies"), self.tr("Each movie")),
            ("groups", self.tr("Groups"), self.tr("Movies by agent and state")),
            ("moments", self.tr("Moments"), self.tr("Gains, losses, waits, ends and traps")),
        )
        self.page = ui.Segments(pages, small=True)
        self.page.chosen.connect(self.show_page)
        tip = self.tr("Words, column:word, and conditions on {0}").format(", ".join(FILTERS))
        self.filter = ui.line_edit(self.tr("Filter"), self.tr("agent:jerk return<100"), tip=tip)
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        self._place = ui.role_label(self.tr("no folder"), "secondary", minimumWidth=40)
        self._place.setTextInteractionFlags(ui.SELECTABLE)
        tip, name = self.tr("Play the next movie of the list"), self.tr("Play the next movie")
        self.next = ui.icon_button("step-forward", tip, self._play_next, accessibleName=name)
        tip = self.tr(
            "Play them in a hidden core next to your game: reward, end and a curve of each. "
            "Choose some rows to score only these"
        )
        text, score = self.tr("Score all"), lambda: self.score_movies(self.meant())
        self.score = ui.push_button(text, score, tip, icon="reward")
        choose = ui.push_button(self.tr("Folder…"), self._choose_folder, icon="folder")
        row = ui.hbox((self._place, 1), self.next, self.score, choose, margins=0, gap=8)
        below = ui.hbox((self.filter, 1), self.page, margins=0, gap=8)
        self._bar = ui.vbox(row, below, margins=(10, 6, 10, 4), gap=4)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self._share_room()
        return super().event(event)

    def _share_room(self) -> None:
        """Limit the curves' height in a low panel, so that four rows of movies stay visible."""
        table = self.table
        rows = min(4, self.model.rowCount()) * table.verticalHeader().defaultSectionSize()
        frame = 2 * table.frameWidth()
        above = self._bar.sizeHint().height() + table.horizontalHeader().height() + frame
        below = 0 if self.progress.isHidden() else self.progress.sizeHint().height()
        left = min(self.height() // 3, self.height() - above - rows - below)
        self.curves.setMaximumHeight(max(self.curves.minimumHeight(), left))

    def _show_rows(self) -> None:
        self.pages.show_content(bool(self.model.all))
        self.lists.fit_columns()
        self._show_page()
        self._show_choice()
        self._share_room()

    def _select(self, path: Path) -> None:
        if (row := self.model.row_of(path)) is not None:
            self.table.selectRow(row)
            self.table.scrollTo(self.model.index(row, 0))

    def show_page(self, key: str) -> None:
        self.page.select(key)
        self.lists.setCurrentIndex(("movies", "groups", "moments").index(key))
        self._show_page()

    def _show_page(self) -> None:
        if self.lists.currentIndex() == 1:
            self.lists.groups.show(movies_lists.groups_of(self.model))
        self._late.start()

    def _open_group(self, group: MovieGroup) -> None:
        self.filter.setText(f'agent="{group.agent}" state="{group.state}"')
        self.show_page("movies")

    def _filter(self, text: str) -> None:
        tip = self.tr("Words, column:word, and conditions")
        ui.mark_invalid(self.filter, ui.problem_of(self.model.set_filter, text), tip)

    def chosen(self) -> list[Path]:
        chosen = self.table.selectionModel().selectedRows()
        return self._readable(sorted(index.row() for index in chosen))

    def meant(self) -> list[Path]:
        """Return the selected movies, or all movies unless several are selected."""
        chosen = self.chosen()
        return chosen if len(chosen) > 1 else self._readable(range(self.model.rowCount()))

    def _readable(self, rows: Sequence[int]) -> list[Path]:
        movies = [self.model.at(row) for row in rows]
        return [movie.path for movie in movies if not movie.problem]

    def _show_choice(self) -> None:
        chosen = self.chosen()
        text = self.tr("Score {0}") if len(chosen) > 1 else self.tr("Score all")
        self.score.setText(text.format(len(chosen)))
        for button in (self.score, self.next):
            button.setEnabled(self.model.rowCount() > 0)
        self.curves.choose(chosen)
        self._late.start()

    def movie_menu(self, row: int) -> QMenu:
        menu, movie, chosen = ui.RowMenu(self), self.model.at(row), self.chosen()
        paths = chosen if movie.path in chosen else [movie.path]
        several, add = len(paths) > 1, partial(menu.add, enabled=not movie.problem)
        add(self.tr("Play"), partial(self.play, [movie.path]), "play")
        if several:
            text = self.tr("Play {0}, one after the other").format(len(paths))
            add(text, partial(self.play, paths))
        text = self.tr("Run {0} to their ends at once") if several else self.tr("Run to its end")
        tip = self.tr("Puts whole movies on the timeline, as fast as the core can")
        add(text.format(len(paths)), partial(self.run_to_end, paths), "fast-forward", tip)
        one = self.tr("Score in a hidden core")
        text = self.tr("Score {0} in a hidden core") if several else one
        add(text.format(len(paths)), partial(self.score_movies, paths), "reward")
        if len(paths) == 2:
            add(self.tr("Compare side by side…"), partial(self._compare, *paths), "fork")
        tip = self.tr("Run it, and keep its rewards, done and total as expectations")
        text = self.tr("Expect this")
        parts, path = self._parts, movie.path
        add(text, lambda: parts[ExpectationsView].expect_movie(path), "check", tip)
        menu.addSeparator()
        self.lists.add_sorting(menu)
        menu.add(self.tr("Read the folder again"), self.read)
        return menu

    def _opened(self, game: GameSnapshot) -> None:
        self.filter.clear()
        chosen = self._settings.folder("movies", game.directory)
        self.list_folder(chosen if chosen.is_dir() else game.rom.parent)

    def _closed(self) -> None:
        for known in (self._before, self._judged, self._recorded, self._queue, self._traps):
            known.clear()
        self._forget_ram()
        self._settle.stop()
        self._forget_scores()
        self._take_movies(())
        self._place.setText(self.tr("no folder"))
        self._place.setToolTip("")

    def add_recorded(self, path: Path) -> None:
        self._recorded[path] = None
        self.read()

    def _choose_folder(self) -> None:
        if (chosen := self._ask_folder("movies", self.tr("A folder of movies"))) is not None:
            self.list_folder(chosen)

    def list_folder(self, folder: Path) -> None:
        self.folder = folder
        self._place.setText(folder.name)
        self._place.setToolTip(str(folder))
        self.read()

    def read(self) -> None:
        folder, systems, also = self.folder, self._context.systems.consoles, tuple(self._recorded)

        def done(movies: tuple[MovieInfo, ...]) -> None:
            if folder == self.folder and self._bridge.is_open:
                self._forget_ram()
                self._take_movies(movies)

        work = partial(read_movie_folder, folder, systems, also)
        self._bridge.in_background(work, done, self._report)

    def _take_movies(self, movies: tuple[MovieInfo, ...]) -> None:
        self.model.set_movies(movies)
        self.lists.moments.titles = {each.path: movies_lists.title_of(each) for each in movies}
        self._dock.header.note.setText(str(len(movies) or ""))

    def play(self, paths: Sequence[Path]) -> None:
        """Play movies one after the other; an empty list keeps the movies that wait."""
        if paths:
            self._queue = list(paths)
            self._play_queued()

    def _play_queued(self) -> None:
        if self._queue:
            self._played = self._queue.pop(0)
            self._context.open_path(self._played)

    def _play_next(self) -> None:
        row = self.model.row_of(self._played) if self._played else None
        below = self._readable(range(0 if row is None else row + 1, self.model.rowCount()))
        self.play(below[:1])
        if not below:
            self._inform(self.tr("The last movie of the list was played"))

    def run_to_end(self, paths: Sequence[Path]) -> None:
        """Run whole movies onto the timeline, one after the other, without waiting for pictures.
        Canceling keeps the frames that were reached; later movies are not run."""
        if not paths:
            return
        (path, *others), model = paths, self.model
        model.set_results(others, MovieResult(self.tr("waits")))
        model.set_result(path, MovieResult(self.tr("running")))

        def show(played: PlayedMovie) -> None:
            self._bridge.show(played.last)
            if played.complete:
                self._show_judged(path, played)
                self.run_to_end(others)
            else:
                model.set_results(paths, MovieResult())

        def failed(error: Exception) -> None:
            model.set_result(path, MovieResult(self.tr("failed"), "bad"))
            self._report(error)
            self.run_to_end(others)

        replay = self._parts[TravelController].replay
        self._bridge.pause()
        replay.ask(lambda now, go_on: import_movie(now, path, go_on), show, failed)

    def _note_playing(self, name: str) -> None:
        # Several folders may have movies of the same name, so the requested path counts.
        asked = self._played if self._played is not None and self._played.name == name else None
        model, playing = self.model, self.tr("playing")
        for path, before in self._before.items():
            if model.result(path).text == playing:
                model.set_result(path, before)  # another movie began before the end of this one
        self._before.clear()
        for row, movie in enumerate(model.rows):
            path = movie.path
            if path == asked or (asked is None and path.name == name):
                before = self._before[path] = model.result(path)
                model.set_result(path, MovieResult(playing, totals=before.totals))
                self.table.selectRow(row)

    def _note_event(self, event: Event) -> None:
        if isinstance(event, MovieDesync):
            self.model.set_result(event.path, MovieResult.out_of_step(event.row))
            number, label = event.number, self.tr("out of step")
            self._bridge.ask(lambda session: session.timeline.log.add_marker(number, label))
        elif isinstance(event, PlaybackEnded):
            path = event.path
            if event.left:  # The frames on the timeline are no longer the movie's.
                self._queue.clear()
                return
            show = partial(self._show_judged, path)
            self._bridge.ask(lambda session: PlayedMovie.newest(session, path), show)
            self._play_queued()

    def _judge_again(self, _: object) -> None:
        """Judge played movies by new scores; movies that left the timeline lose their result."""
        known = dict(self._judged)

        def show(judged: dict[Path, PlayedMovie | None]) -> None:
            for path, each in judged.items():
                if each is None:
                    self._judged.pop(path, None)
                    self.model.set_result(path, MovieResult())
                self._show_judged(path, each)

        if known:
            self._bridge.ask(lambda now: {path: known[path].again(now) for path in known}, show)

    def _show_judged(self, path: Path, judged: PlayedMovie | None) -> None:
        if judged is not None:
            # The pictures of thousands of movies would need too much memory.
            self._judged[path] = replace(judged, last=replace(judged.last, frame=None))
            self.model.set_result(path, MovieResult.of(judged))

    def _forget_scores(self) -> list[Path]:
        paths = list(dict.fromkeys([*self.scores, *self._asked]))
        for known in (self.scores, self._moments, self._asked):
            known.clear()
        self.curves.show_scores(())
        return paths

    def _forget_ram(self) -> None:
        """Drop all RAM comparisons, including one that runs."""
        self._pair = None
        self._other_ram.clear()

    def _edited(self, _: object) -> None:
        if self.scores or self._asked:
            self._settle.start()

    def score_movies(self, paths: Sequence[Path]) -> None:
        """Score movies by the current documents. Movies of a running job are scored after them."""
        waiting = [path for path in self._asked if path not in self.scores]
        self.background.drop_all()
        self._pair = None
        self._asked = dict.fromkeys([*paths, *waiting])
        if not self._asked:
            return
        self.model.set_results(self._asked, MovieResult(self.tr("waits")))
        asked, count = tuple(self._asked), len(self._asked)

        def work(plan: SessionPlan, job: Job) -> None:
            for done, score in enumerate(movies.score_movies(plan, asked, job.stopped), 1):
                job.give(score)
                job.progress(done, count)

        text = ui.count_text(self.tr("Scoring {0} movie[|s] in hidden cores", None, count), count)
        run = self.background.run
        run(text, lambda now: now.game.plan.hidden(), work, self._finish, self._take)

    def _take(self, score: MovieScore) -> None:
        self.scores[score.path] = score
        self._moments[score.path] = movies.moments(score)
        failed = MovieResult(self.tr("failed"), "bad", why=score.problem)
        self.model.set_result(score.path, failed if score.problem else MovieResult.of(score))
        if not score.problem:
            self.curves.add_score(score)

    def _cancelled(self) -> None:
        if not self.background.busy:  # The work had not begun, so it reports no end.
            self._finish()

    def _finish(self, _: None = None) -> None:
        left = [path for path in self._asked if path not in self.scores]
        self.model.set_results(left, MovieResult())
        self._asked.clear()
        self.model.sort_again()
        self._late.start()

    def take_traps(self, traps: Sequence[Trap]) -> None:
        """List the traps of an audit among the moments."""
        self._traps[:] = [
            MovieMoment(trap.kind, Path(trap.source), trap.frames[0], trap.weight) for trap in traps
        ]
        self._late.start()

    def _show_moments(self) -> None:
        if self.lists.currentIndex() != 2:
            return
        chosen = self.chosen()
        paths = chosen if len(chosen) > 1 else [each.path for each in self.model.rows]
        scores = (self.scores[path] for path in paths if path in self.scores)
        known = [score for score in scores if not score.problem]
        shown = [*(self._differences(*known) if len(known) == 2 else ()), *self._traps]
        found = [each for path in paths for each in self._moments.get(path, ())]
        self.lists.moments.show_changed([*shown, *movies_lists.largest(found)])

    def _differences(self, one: MovieScore, other: MovieScore) -> list[MovieMoment]:
        """Return the frames at which two movies part. Hidden cores compare their RAM later."""
        pair = one.path, other.path
        known = pair in self._other_ram or pair == self._pair
        if not known and not self._asked:  # a newer request would replace the scoring
            self._pair = pair

            def work(plan: SessionPlan, job: Job) -> int | None:
                def stopped() -> bool:
                    return job.stopped() or pair != self._pair

                return movies.first_other_ram(plan, pair, stopped)

            def show(frame: int | None) -> None:
                if pair == self._pair:
                    self._other_ram[pair] = frame
                    self._late.start()

            text = self.tr("Comparing the RAM of two movies in hidden cores")
            self.background.run(text, lambda now: now.game.plan.hidden(), work, show)
        return movies.differences(one, other, self._other_ram.get(pair))

    def jump(self, path: Path, frame: int) -> None:
        replay = self._parts[TravelController].replay
        replay.go(lambda now, go_on: open_movie_at(now, path, frame, go_on), self._report)

    def _compare(self, one: Path, other: Path) -> None:
        show = partial(SideBySide, self._pairs, self._bridge, (one, other), self._window)
        self._bridge.ask(lambda now: now.game.plan.hidden(), lambda plan: show(plan).show())
