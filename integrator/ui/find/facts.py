"""The Facts panel: numbers that the screen shows at frames, and addresses that fit all of them."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFrame, QListView, QListWidget, QMenu

from integrator.domain.errors import DomainError
from integrator.domain.movies.reading import movie_patterns
from integrator.domain.query.facts import parse_facts
from integrator.domain.query.pieces import Pieces
from integrator.domain.query.rank import Reading
from integrator.domain.timeline.line import FIRST_RUN
from integrator.session.edits import commands as edits
from integrator.session.hidden.movies import Answer, Grouped, MovieLibrary, answer, grouped_facts
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.bridge.background import Background, Job
from integrator.ui.find.facts_lists import FactsModel, MatchesModel, MatchRow
from integrator.ui.find.results_view import ResultsView


class PiecesBox(QFrame):
    """The list of numbers in pieces, hidden while empty. ``accept`` writes the selected number."""

    def __init__(self, accept: Callable[[], object]) -> None:
        super().__init__()
        self.setObjectName("PanelFooter")
        self.list = ui.named(QListWidget(), self.tr("Numbers in pieces"), fixedHeight=84)
        self.list.setWordWrap(True)
        name, hint = self.tr("Name of the number in pieces"), self.tr("name, such as score")
        self.name = ui.line_edit(name, hint, accept)
        tip = self.tr(
            "Make a variable of each piece, and a Lua script that adds them up; the scenario "
            "rewards its growth"
        )
        text, icon = self.tr("Write script"), "plus on_accent"
        self.write = ui.push_button(text, accept, tip, "primary", icon=icon)
        title = ui.role_label(self.tr("Numbers in pieces that fit all facts"), "secondary")
        row = ui.hbox(None, (self.name, 2), self.write)
        ui.vbox(title, self.list, row, on=self, margins=(ui.SIZES.pad, 9, ui.SIZES.pad, 9))
        self.hide()

    def show_pieces(self, found: Sequence[Pieces]) -> None:
        if not found:
            self.name.clear()
        self.list.clear()
        for each in found:
            copies = self.tr("; {0} more place[|s] alike", None, each.copies)
            note = ui.counted(copies, each.copies).format(each.copies) if each.copies else ""
            self.list.addItem(f"{each}{note}")
        self.list.setCurrentRow(0)
        self.setVisible(bool(found))


class FactsView(ResultsView[MatchRow]):
    """Facts of the line of play on which they were pinned, and of movies. A background thread plays
    movies and solves facts. ``known_movies`` lists the movies in the folder in use."""

    def _set_up(self) -> None:
        self.matches = MatchesModel()
        self._make_list("facts", self.matches)
        self._frame = 0
        self.background = Background(self._bridge, "facts", self)
        self._library: MovieLibrary | None = None
        self.known_movies: Callable[[], Sequence[Path]] = tuple
        self._movies: list[Path] = []
        self._solving: Job | None = None
        self.pieces = PiecesBox(self._write_pieces)
        self._build_fields()
        row = ui.hbox((self.value, 1), self.source, self.pin_button)
        head, margins = QFrame(), (ui.SIZES.pad, 10, ui.SIZES.pad, 6)
        ui.vbox(row, self.list, self.problem, on=head, margins=margins, gap=7)
        self.table.add_fold_keys("facts")
        self.build(head, self.tr("Matches"), "pin", "facts", self.pieces)
        self._live = self._read_rows(self._look_live, self.matches.set_live)
        self._bridge.ending.connect(self._end)
        self._sight.follow(self._bridge.readout_ready, lambda shown: self.show_frame(shown.number))
        facts, timeline, controller = self.facts, self._timeline, self._controller
        facts.shown = lambda: controller.last.runs if controller.last else FIRST_RUN
        facts.changed.connect(lambda: timeline.show_fact_marks(facts.marks))
        controller.timeline_moved.connect(lambda now: facts.show_line(now.runs))
        self.background.progressed.connect(self.bar.show_progress)
        self.bar.cancel_requested.connect(self.background.stop_all)
        timeline.fact_moved.connect(facts.move_fact)
        timeline.fact_toggled.connect(facts.toggle)

    def _build_fields(self) -> None:
        hint = self.tr("number shown, or a fact")
        tip = self.tr(
            "A number is pinned to the frame shown. Or write a fact in full: 300 = 1200, "
            "512: 3 -> 2, 300..400 changed, up, down, unchanged, only grows, only falls"
        )
        self.value = ui.line_edit(self.tr("What the screen says"), hint, self.pin, tip)
        self.problem = ui.NoteLabel("bad")
        self.value.textEdited.connect(lambda _: self.problem.clear())
        name = self.tr("What the fact is about")
        tip = self.tr("Facts may be about movies too: each is played once, in a hidden core")
        self.source = ui.combo_box(name, self._source_chosen, tip, role="quiet")
        self.pin_button = ui.push_button("", self.pin, role="primary", icon="pin on_accent")
        self.facts = FactsModel(self)
        self.facts.rejected.connect(self.problem.setText)
        self.facts.changed.connect(self._show_pages)
        self.facts.settled.connect(self.solve)
        tip = self.tr("Untick a fact to leave it out, double-click to change it, Del to remove it")
        self.list = ui.named(QListView(), self.tr("Facts"), model=self.facts, toolTip=tip)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        current = self.list.currentIndex
        panel_action("facts.remove", self.list, lambda: self.facts.remove(current().row()))

    def set_open(self, *, opened: bool) -> None:
        super().set_open(opened=opened)
        self.value.clear()
        self.forget_facts()
        self._show_sources(())

    def _closed(self) -> None:
        super()._closed()
        self._movies.clear()
        library, self._library = self._library, None
        if library is not None:
            # The movies are closed on the thread that used them, after its current job.
            self.background.start(lambda _: library.close())
            # The window may be closed before the thread gets to that job.
            self._bridge.ending.connect(lambda: library.close())

    def _end(self) -> None:
        # The thread that used the library has ended by now.
        if self._library is not None:
            self._library.close()

    def forget_facts(self) -> None:
        self.facts.clear()
        self.show_answer(Answer((), 0, 0))

    @property
    def text(self) -> str:
        return "\n".join(each.line for each in self.facts.rows if each.on and not each.source)

    def pin(self) -> None:
        text, source = self.value.text().strip(), self.source.currentData()
        if not text:
            return
        try:
            number = ui.parse_number(text)
        except DomainError:
            line = text
        else:
            if source is not None:
                text = self.tr("Name the movie's frame too: 300 = {0}")
                self.problem.setText(text.format(number))
                return
            line = f"{self._frame} = {number}"
        with ui.errors_to(self.problem.setText):
            parse_facts(line)
            self.value.clear()
            self.facts.pin(line, source)

    def pin_fact(self, line: str) -> None:
        self.facts.pin(line)
        self._dock.come_forward()

    def show_frame(self, number: int) -> None:
        """Set the frame to which a typed number is pinned."""
        if number != self._frame:
            self._frame = number
            self._show_button()

    def _show_button(self) -> None:
        here = self.source.currentData() is None
        text = self.tr("Pin at frame {0}").format(self._frame) if here else self.tr("Pin")
        self.pin_button.setText(text)
        # With a fixed size, a new text at every frame does not cause a new layout of the window.
        room = self.pin_button.sizeHint()
        if not here or room.width() > self.pin_button.minimumWidth():
            self.pin_button.setFixedSize(room)

    def solve(self) -> None:
        if self._solving is not None:
            self._solving.drop()
        if not (ticked := self.facts.ticked):
            self._dock.header.note.clear()
            self.show_answer(Answer((), 0, 0))
            return

        def look(session: Session) -> tuple[MovieLibrary, Grouped]:
            library = self._library or MovieLibrary(session)
            return library, grouped_facts(session.timeline.log, ticked)

        def solve(asked: tuple[MovieLibrary, Grouped]) -> None:
            library = self._library = self._library or asked[0]

            def work(job: Job) -> Answer:
                library.stopped = job.stopped
                # A movie that played before it on this thread may have taken a minute.
                return Answer((), 0, 0) if job.dropped else answer(library, asked[1])

            if ticked == self.facts.ticked:  # Facts that changed meanwhile are solved once settled.
                self._solving = self.background.start(work, self._show, self._refuse)

        self._bridge.ask(look, solve, self._refuse)

    def _show(self, found: Answer) -> None:
        text = self.tr("{0} fit · {1} fail one fact")
        text = text.format(ui.grouped(found.exact_count), ui.grouped(found.near_count))
        self._dock.header.note.setText(text)
        self.show_answer(found)
        self._live.touch()

    def _refuse(self, error: Exception) -> None:
        self.problem.setText(str(error))

    def show_answer(self, answer: Answer) -> None:
        zeros = self.tr("All pinned numbers are 0, like most of memory: pin another number.")
        self.problem.setText(zeros if answer.all_zero else "")
        self._in_pieces = answer.in_pieces
        self.matches.set_answer(answer)
        self.pieces.show_pieces(answer.in_pieces)
        self._show_pages()
        if answer.matches:
            self.table.selectRow(0)

    def _show_pages(self) -> None:
        count = len(self.facts.rows)
        self.list.setVisible(count > 0)
        self.list.setFixedHeight(min(124, 4 + 26 * count))
        failed = "facts-none" if self.pieces.isHidden() else "facts-pieces"
        self._say_hint(failed if count else "facts")
        self.show_found(found=self.matches.rowCount() > 0)

    def _look_live(self) -> Callable[[Session], Mapping[Reading, Fraction]] | None:
        readings = [each.reading for each in self.table.in_sight()[1]]

        def look(session: Session) -> Mapping[Reading, Fraction]:
            read = session.memory.read
            return {each: each.shown(read(each.address, each.type)) for each in readings}

        return look if readings else None

    def _write_pieces(self) -> None:
        with ui.errors_to(self._warn):
            name = ui.parse_name(self.pieces.name.text(), self.taken)
            if (row := self.pieces.list.currentRow()) >= 0:
                self._controller.edit(edits.write_pieces(name, self._in_pieces[row]))
                self.pieces.name.clear()

    def _show_sources(self, movies: Sequence[Path], chosen: Path | None = None) -> None:
        self.source.clear()
        self.source.addItem(self.tr("played here"), None)
        for path in movies:
            self.source.addItem(ui.icon("movie"), path.stem, path)
        self.source.addItem(ui.icon("plus"), self.tr("a movie…"), "add")
        self.source.setCurrentIndex([None, *movies].index(chosen))
        self._show_button()

    def _source_chosen(self) -> None:
        if self.source.currentData() == "add":
            self.source.setCurrentIndex(0)
            ui.pop_up(self.movie_menu(), self.source.mapToGlobal(self.source.rect().bottomLeft()))
        self._show_button()

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
        title, kinds = self.tr("A movie of this game"), self.tr("Movies ({0})")
        if chosen := self._ask_open("movie", title, kinds.format(movie_patterns())):
            self.add_movie(chosen)

    def add_movie(self, path: Path) -> None:
        """Play a movie in a hidden core, so that facts can refer to its frames."""

        def prepared(library: MovieLibrary) -> None:
            # Another movie, or facts, may have made a library meanwhile.
            library = self._library = self._library or library
            self.bar.begin(self.tr("Playing {0} in a hidden core").format(path.name))
            self.background.start(lambda job: library.add(path, job.go_on), done, failed)

        def done(_: int) -> None:
            self.bar.hide()
            self._movies.append(path)
            self._show_sources(self._movies, path)

        def failed(error: Exception) -> None:
            self.bar.hide()
            self._refuse(error)

        self._bridge.ask(MovieLibrary, prepared, self._refuse)

    def slider_menu(self, frame: int, row: int) -> QMenu:
        menu, facts = QMenu(self._window), self.facts
        if row >= 0:
            fact = facts.at(row)
            leave = self.tr("Leave out “{0}”") if fact.on else self.tr("Use “{0}” again")
            menu.addAction(leave.format(fact.line), lambda: facts.toggle(row))
            menu.addAction(self.tr("Remove it"), lambda: facts.remove(row))
            menu.addSeparator()

        def begin() -> None:
            self._timeline.setValue(frame)
            self._dock.come_forward()
            self.value.setFocus()

        menu.addAction(self.tr("Pin a fact to frame {0}…").format(frame), begin)
        self._timeline.menu_opens.emit(frame, menu)
        return menu
