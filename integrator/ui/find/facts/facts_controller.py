"""Solves the facts of the Facts panel over recorded play and over movies."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFileDialog, QMenu

from integrator.domain.movies.reading import movie_patterns
from integrator.domain.query.behaviour import Reading
from integrator.session.edits import commands as edits
from integrator.session.hidden.solving import (
    Answer,
    Asked,
    MovieLibrary,
    PinnedFact,
    answer,
    asked_of,
)
from integrator.session.session import Session
from integrator.ui.bridge.background import Background
from integrator.ui.bridge.sight import Sight
from integrator.ui.desk import PanelController
from integrator.ui.find.facts.facts_view import FactsView
from integrator.ui.find.results.source_controller import read_rows

_LIVE_NUMBERS_MS = 150


class FactsController(PanelController[FactsView]):
    """Facts are about the line of the timeline that they were pinned on, and about movies.

    Movies are played, and facts solved, on a thread of their own. ``known_movies`` lists those
    of the folder in use.
    """

    def _set_up(self) -> None:
        bridge, view = self._bridge, self._view
        self.background = Background(bridge, "facts", self)
        self._library: MovieLibrary | None = None
        self.known_movies: Callable[[], Sequence[Path]] = tuple
        self._movies: list[Path] = []
        self._asked = self._again = False
        self._live = read_rows(
            bridge, self._controller, view, self._look_live, view.matches.set_live
        )
        self._connect()

    def _connect(self) -> None:
        view, timeline, bridge = self._view, self._timeline, self._bridge
        bridge.opened.connect(lambda _: view.set_open(opened=True))
        bridge.closed.connect(self._closed)
        bridge.ending.connect(self._close_library)
        Sight(bridge, view).follow(
            bridge.readout_ready, lambda result: view.show_frame(result.number)
        )
        view.facts_changed.connect(self.solve)
        view.list.changed.connect(lambda: timeline.show_fact_marks(view.list.marks))
        view.movie_requested.connect(self.choose_movie)
        view.pieces_requested.connect(
            lambda name, pieces: self._controller.edit(edits.write_pieces(name, pieces))
        )
        self.background.progressed.connect(view.bar.show_progress)
        view.bar.cancel_requested.connect(self.background.stop_all)
        timeline.fact_moved.connect(view.list.move_fact)
        timeline.fact_toggled.connect(view.list.toggle)

    def _closed(self) -> None:
        self._view.set_open(opened=False)
        self._dock.header.note.clear()
        self._movies.clear()
        self._asked = self._again = False
        library, self._library = self._library, None
        if library is not None:
            # Close the movies on the thread that used them, after its present work.
            self.background.start(lambda _: library.close())

    def _close_library(self) -> None:
        # The window ends, and the thread that used the library has ended.
        library, self._library = self._library, None
        if library is not None:
            library.close()

    # -- solving ------------------------------------------------------------------------------

    def solve(self) -> None:
        note = self._dock.header.note
        ticked = [fact for fact in self._view.list.facts if fact.on]
        if not ticked:
            note.clear()
            self._view.show_answer(Answer((), 0, 0))
            return
        if self._asked:
            self._again = True
            return
        self._asked = True
        self._ask(ticked)

    def _ask(self, ticked: Sequence[PinnedFact]) -> None:
        def look(session: Session) -> Asked:
            library = self._library or MovieLibrary(session)
            return asked_of(session.timeline.log, library, ticked)

        def solve(asked: Asked) -> None:
            self._library = asked.library
            self._view.list.learn_runs(asked.runs)
            self.background.start(lambda _: answer(asked), self._show, self._refuse)

        self._bridge.ask(look, solve, self._refuse)

    def _show(self, found: Answer) -> None:
        text = self.tr("{0} fit · {1} fail one fact")
        self._dock.header.note.setText(
            text.format(f"{found.exact_count:,}", f"{found.near_count:,}")
        )
        self._view.show_answer(found)
        self._live.touch()
        self._next()

    def _refuse(self, error: Exception) -> None:
        self._view.show_problem(str(error))
        self._next()

    def _next(self) -> None:
        self._asked, again, self._again = False, self._again, False
        if again:
            self.solve()

    def _look_live(self) -> Callable[[Session], dict[Reading, Fraction]] | None:
        readings = [each.reading for each in self._view.table.in_sight()[1]]
        return (lambda session: _numbers_now(session, readings)) if readings else None

    # -- movies -------------------------------------------------------------------------------

    def choose_movie(self) -> None:
        menu, source = self.movie_menu(), self._view.source
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(source.mapToGlobal(source.rect().bottomLeft()))

    def movie_menu(self) -> QMenu:
        menu = QMenu(self._view.window())
        for path in self.known_movies():
            if path not in self._movies:
                menu.addAction(path.name, partial(self.add_movie, path))
        if menu.actions():
            menu.addSeparator()
        menu.addAction(self.tr("Choose a file…"), self._choose_file)
        return menu

    def _choose_file(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self._view.window(),
            self.tr("A movie of this game"),
            "",
            self.tr("Movies ({0})").format(movie_patterns()),
        )
        if chosen:
            self.add_movie(Path(chosen))

    def add_movie(self, path: Path) -> None:
        """Play a movie in a hidden core, so that facts can be asked of it."""
        bar = self._view.bar

        def prepared(library: MovieLibrary) -> None:
            self._library = library
            bar.begin(self.tr("Playing {0} in a hidden core").format(path.name))
            self.background.start(lambda job: library.add(path, job.go_on), done, failed)

        def done(_: int) -> None:
            bar.hide()
            self._movies.append(path)
            self._view.show_sources(self._movies, path)

        def failed(error: Exception) -> None:
            bar.hide()
            self._refuse(error)

        self._bridge.ask(
            lambda session: self._library or MovieLibrary(session), prepared, self._refuse
        )

    # -- on the time slider -------------------------------------------------------------------

    def open_slider_menu(self, frame: int, row: int, where: QPoint) -> None:
        menu = self.slider_menu(frame, row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def slider_menu(self, frame: int, row: int) -> QMenu:
        menu, facts = QMenu(self._view.window()), self._view.list
        if row >= 0:
            fact = facts.facts[row]
            leave = self.tr("Leave out “{0}”") if fact.on else self.tr("Use “{0}” again")
            menu.addAction(leave.format(fact.line), lambda: facts.toggle(row))
            menu.addAction(self.tr("Remove it"), lambda: facts.remove(row))
            menu.addSeparator()
        pin = self.tr("Pin a fact to frame {0}…").format(frame)
        menu.addAction(pin, lambda: self.begin_fact(frame))
        self._timeline.menu_opens.emit(frame, menu)
        return menu

    def begin_fact(self, frame: int) -> None:
        self._timeline.seek_requested.emit(frame)
        self._dock.come_forward()
        self._view.value.setFocus()


def _numbers_now(session: Session, readings: Sequence[Reading]) -> dict[Reading, Fraction]:
    """Numbers on the screen between two frames."""
    read = session.memory.read
    return {each: each.shown(read(each.address, each.type)) for each in readings}
