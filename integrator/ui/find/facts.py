"""The Facts panel: numbers on the screen by frame, and the addresses that agree with all."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QListWidget, QMenu

from integrator.domain.errors import DomainError
from integrator.domain.movies.reading import movie_patterns
from integrator.domain.query.behaviour import Reading
from integrator.domain.query.facts import parse_facts
from integrator.domain.query.pieces import Pieces
from integrator.domain.values.variables import VariableSpec
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
from integrator.ui.desk import PanelController
from integrator.ui.find.facts_lists import FactsList, MatchesModel, MatchRow
from integrator.ui.find.results_view import ResultsView, read_rows
from integrator.ui.widgets.fields import parse_name, parse_number
from integrator.ui.widgets.parts import (
    EmptyState,
    combo_box,
    hbox,
    line_edit,
    push_button,
    role_label,
    vbox,
)
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import SIZES, Theme

_ROWS_PX = 84


class PiecesBox(QFrame):
    """Hidden without numbers in pieces; ``taken`` are the names of variables. ``accept`` gets a
    name and the pieces to write under it, ``reject`` the reason against a name."""

    def __init__(
        self, theme: Theme, accept: Callable[[str, Pieces], object], reject: Callable[[str], object]
    ) -> None:
        super().__init__()
        self._accepted, self._rejected = accept, reject
        self.setObjectName("PanelFooter")
        self._found: tuple[Pieces, ...] = ()
        self.taken: frozenset[str] = frozenset()
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Numbers in pieces"))
        self.list.setFixedHeight(_ROWS_PX)
        self.list.setWordWrap(True)
        self.name = line_edit(
            self.tr("Name of the number in pieces"), self.tr("name, such as score"), self._accept
        )
        self.write = push_button(
            self.tr("Write script"),
            self._accept,
            self.tr(
                "Make a variable of each piece, and a Lua script that adds them up; the scenario "
                "rewards its growth"
            ),
            "primary",
            theme.icons.icon("plus", "on_accent"),
        )
        title = role_label(self.tr("Numbers in pieces that fit all facts"), "secondary")
        row = hbox(None, (self.name, 2), self.write)
        vbox(title, self.list, row, on=self, margins=(SIZES.pad, 9, SIZES.pad, 9))
        self.hide()

    def show_pieces(self, found: Sequence[Pieces]) -> None:
        self._found = tuple(found)
        if not found:
            self.name.clear()
        self.list.clear()
        for each in found:
            copies = self.tr("; {0} more place[|s] alike", None, each.copies)
            told = counted(copies, each.copies).format(each.copies) if each.copies else ""
            self.list.addItem(f"{each}{told}")
        self.list.setCurrentRow(0)
        self.setVisible(bool(found))

    def _accept(self) -> None:
        row = self.list.currentRow()
        try:
            name = parse_name(self.name.text(), self.taken)
        except DomainError as error:
            self._rejected(str(error))
            return
        if row >= 0:
            self._accepted(name, self._found[row])
            self.name.clear()


class FactsView(ResultsView[MatchRow]):
    """``facts_changed``: the list has other facts to solve.

    ``movie_requested``: a movie is to become a source; ``pieces_requested``: (name, pieces) to be
    written as variables and a script.
    """

    facts_changed = Signal()
    movie_requested = Signal()
    pieces_requested = Signal(str, object)

    def __init__(self, theme: Theme) -> None:
        self.matches = MatchesModel(theme)
        super().__init__(theme, "facts", self.matches)
        self._frame = 0
        self.pieces = PiecesBox(theme, self.pieces_requested.emit, self.rejected.emit)
        self._build_fields()
        row = hbox((self.value, 1), self.source, self.pin_button)
        head, margins = QFrame(), (SIZES.pad, 10, SIZES.pad, 6)
        vbox(row, self.list, self.problem, on=head, margins=margins, gap=7)
        self.table.add_fold_keys("facts")
        idle = EmptyState(theme, "pin", *self._no_fact())
        self.build(self.tr("Matches"), head, idle, self.pieces)
        self.set_open(opened=False)

    def _build_fields(self) -> None:
        self.value = line_edit(
            self.tr("What the screen says"),
            self.tr("number shown, or a fact"),
            self.pin,
            self.tr(
                "A number pins it to the frame shown. Or write a fact in full: 300 = 1200, "
                "512: 3 -> 2, 300..400 changed, up, down, unchanged, only grows, only falls"
            ),
        )
        self.value.textEdited.connect(lambda _: self.show_problem(""))
        self.source = combo_box(
            self.tr("What the fact is about"),
            self._source_chosen,
            self.tr("Facts may be about movies too: each is played once, in a hidden core"),
            role="quiet",
        )
        icon = self._theme.icons.icon("pin", "on_accent")
        self.pin_button = push_button("", self.pin, role="primary", icon=icon)
        self.list = FactsList(self._theme)
        self.list.refused.connect(self.show_problem)
        self.list.changed.connect(self._show_pages)
        self.list.settled.connect(self.facts_changed)
        self.problem = role_label("", "bad", wraps=True)
        self.problem.hide()

    def set_open(self, *, opened: bool) -> None:
        super().set_open(opened=opened)
        self.value.clear()
        self.forget_facts()
        self.show_sources(())

    def forget_facts(self) -> None:
        self.list.clear_facts()
        self.show_answer(Answer((), 0, 0))

    def show_sources(self, movies: Sequence[Path], chosen: Path | None = None) -> None:
        self.source.clear()
        self.source.addItem(self.tr("played here"), None)
        for path in movies:
            self.source.addItem(self._theme.icons.icon("movie"), path.stem, path)
        self.source.addItem(self._theme.icons.icon("plus"), self.tr("a movie…"), "add")
        self._choose(chosen)

    def show_frame(self, number: int) -> None:
        """The frame that a number would be pinned to."""
        if number != self._frame:
            self._frame = number
            self._show_button()

    def show_answer(self, answer: Answer) -> None:
        zeros = self.tr("All numbers are 0, as most of memory is: pin one that is not.")
        self.show_problem(zeros if answer.all_zero else "")
        self.matches.set_answer(answer)
        self.pieces.show_pieces(answer.in_pieces)
        self._show_pages()
        if answer.matches:
            self.table.selectRow(0)

    def show_problem(self, text: str) -> None:
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _show_button(self) -> None:
        here = self.source.currentData() is None
        text = self.tr("Pin at frame {0}").format(self._frame) if here else self.tr("Pin")
        self.pin_button.setText(text)
        # A button of fixed size asks for no new layout of the window with every frame's text.
        room = self.pin_button.sizeHint()
        if not here or room.width() > self.pin_button.minimumWidth():
            self.pin_button.setFixedSize(room)

    def _show_pages(self) -> None:
        facts = self.list.count() > 0
        self.list.setVisible(facts)
        self._idle.say(*(self._no_match() if facts else self._no_fact()))
        self.show_found(found=self.matches.rowCount() > 0)

    def _no_fact(self) -> tuple[str, str]:
        return (
            self.tr("Pin what you see"),
            self.tr(
                "Play, pause, and type the score that the screen shows. After two to four such "
                "facts, on different frames, usually one address is left."
            ),
        )

    def _no_match(self) -> tuple[str, str]:
        if not self.pieces.isHidden():
            return (
                self.tr("No single address fits these facts"),
                self.tr("The numbers in pieces below do."),
            )
        return (
            self.tr("Nothing fits these facts"),
            self.tr(
                "Untick one that may be a frame off, or drag it on the time slider: memory "
                "often changes a little earlier."
            ),
        )

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        super().set_variables(variables)
        self.pieces.taken = frozenset(variables)

    @property
    def text(self) -> str:
        facts = [each for each in self.list.facts if each.on and each.source is None]
        return "\n".join(each.line for each in facts)

    def pin(self) -> None:
        text, source = self.value.text().strip(), self.source.currentData()
        if not text:
            return
        try:
            number = parse_number(text)
        except DomainError:
            line = text
        else:
            if source is not None:
                self.show_problem(self.tr("Name the movie's frame too: 300 = {0}").format(number))
                return
            line = f"{self._frame} = {number}"
        try:
            parse_facts(line)
        except DomainError as error:
            self.show_problem(str(error))
            return
        self.value.clear()
        self.list.add(line, source)

    def add_fact(self, line: str) -> None:
        self.list.add(line)

    def _source_chosen(self) -> None:
        if self.source.currentData() == "add":
            self._choose(None)
            self.movie_requested.emit()
        self._show_button()

    def _choose(self, source: Path | None) -> None:
        rows = range(self.source.count())
        found = (row for row in rows if self.source.itemData(row) == source)
        self.source.setCurrentIndex(next(found, 0))
        self._show_button()


_LIVE_NUMBERS_MS = 150


class FactsController(PanelController[FactsView]):
    """Facts are about the line of the timeline that they were pinned on, and about movies.

    Movies are played, and facts solved, on a thread of their own. ``known_movies`` lists those
    of the folder in use.
    """

    def _set_up(self) -> None:
        bridge, view, timeline = self._bridge, self._view, self._timeline
        self.background = Background(bridge, "facts", self)
        self._library: MovieLibrary | None = None
        self.known_movies: Callable[[], Sequence[Path]] = tuple
        self._movies: list[Path] = []
        self._asked = self._again = False
        self._live = read_rows(
            bridge, self._controller, view, self._look_live, view.matches.set_live
        )
        bridge.opened.connect(lambda _: view.set_open(opened=True))
        bridge.ending.connect(self._close_library)
        self._sight.follow(bridge.readout_ready, lambda result: view.show_frame(result.number))
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

    def choose_movie(self) -> None:
        menu, source = self.movie_menu(), self._view.source
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(source.mapToGlobal(source.rect().bottomLeft()))

    def movie_menu(self) -> QMenu:
        menu = QMenu(self._window)
        for path in self.known_movies():
            if path not in self._movies:
                menu.addAction(path.name, partial(self.add_movie, path))
        if menu.actions():
            menu.addSeparator()
        menu.addAction(self.tr("Choose a file…"), self._choose_file)
        return menu

    def _choose_file(self) -> None:
        kinds = self.tr("Movies ({0})").format(movie_patterns())
        chosen = self._ask_open("movie", self.tr("A movie of this game"), kinds)
        if chosen is not None:
            self.add_movie(chosen)

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

    def open_slider_menu(self, frame: int, row: int, where: QPoint) -> None:
        menu = self.slider_menu(frame, row)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def slider_menu(self, frame: int, row: int) -> QMenu:
        menu, facts = QMenu(self._window), self._view.list
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
