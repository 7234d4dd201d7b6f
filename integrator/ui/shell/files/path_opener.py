"""Opens paths: games, movies, states, and several files as one game."""

import contextlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QTimer, Signal
from shiboken6 import isValid

from integrator.domain.errors import MISSING, IntegratorError, SessionError
from integrator.domain.integration.naming import is_integration
from integrator.domain.integration.states import is_state
from integrator.domain.movies.model import Movie
from integrator.domain.movies.reading import is_movie, read_movie
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library.consoles.core_rows import SubsystemChoice, subsystem_choices
from integrator.session.library.entries import Making
from integrator.session.opening import list_of_files, movie_consoles, open_journaled
from integrator.session.recorded_rows import open_movie_at
from integrator.session.session import Session
from integrator.session.setup.roots import find_integration
from integrator.ui import widgets as ui
from integrator.ui.bridge.bridge import Opener, Then
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.bars import StatusBar
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.window_context import Part
from libretro_host.errors import AmbiguousContentError
from libretro_host.subsystems import SubsystemFile
from libretro_host.systems.descriptor import Systems


class SeveralFilesDialog(ui.TakesFiles, ui.Dialog):
    """Asks for one game's files. ``chosen`` gives the path of their list, which opens as a ROM. For
    dropped ``files``, the first kind of game with a place for each is chosen; files without such a
    kind can be made games of their own, which ``apart`` asks for. :meth:`show_choices` brings the
    kinds later, because they are read from the cores."""

    chosen, apart = Signal(object), Signal(object)

    def __init__(
        self, folder: Path, files: Sequence[Path] = (), parent: QtWidgets.QWidget | None = None
    ) -> None:
        super().__init__(parent, self.tr("Open a game of several files"), acceptDrops=True)
        self._folder, self._files = folder, tuple(files)
        self._choices: tuple[SubsystemChoice, ...] = ()
        self.fields: list[QtWidgets.QLineEdit] = []
        self.kind = ui.named(QtWidgets.QComboBox(), self.tr("Kind of game"), enabled=False)
        self.kind.currentIndexChanged.connect(lambda _: self._show_places(()))
        self.problem = ui.role_label("", "secondary", wraps=True)
        self._places = QtWidgets.QFormLayout(horizontalSpacing=14, verticalSpacing=9)
        hint = self.tr(
            "Some cores make one game of several files, such as a cartridge and the disk or the "
            "second cartridge next to it. Drop the files here, or choose each."
        )
        self.open_button = ui.push_button(self.tr("Open"), self._open, role="primary", default=True)
        self.open_button.setEnabled(False)
        tip = self.tr("Make an integration of each file, and review it in Drafts")
        self.each = ui.push_button(self.tr("Integrate each"), self._part, tip, autoDefault=False)
        self.each.hide()
        buttons = QtWidgets.QDialogButtonBox(QtWidgets.QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.each, QtWidgets.QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.open_button, QtWidgets.QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.rejected.connect(self.reject)
        title = ui.role_label(self.windowTitle(), "heading")
        words = ui.role_label(hint, "secondary", wraps=True)
        parts = (title, words, self.kind, self._places, self.problem, None, buttons)
        ui.vbox(*parts, on=self, margins=(22, 20, 22, 18), gap=12)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 90)
        self.say(self.tr("Asking the cores for the kinds of games that they make…"))

    def show_choices(self, choices: Sequence[SubsystemChoice]) -> None:
        self._choices = tuple(choices)
        for choice in self._choices:
            text = self.tr("{0}: {1}, by {2}")
            self.kind.addItem(text.format(choice.title, choice.subsystem.title, choice.core))
        self.kind.setEnabled(bool(self._choices))
        if not self._choices:
            none = self.tr("No core here makes a game of several files; “Cores” lists them all.")
            self.say(none, "warn")
            self.each.setVisible(bool(self._files))
        elif self._files:
            self.take(self._files)

    def fits(self, paths: Sequence[Path]) -> bool:
        return bool(self._choices and paths) and all(map(Path.is_file, paths))

    def take(self, files: Sequence[Path]) -> None:
        here = self.kind.currentIndex()
        self._files = tuple(dict.fromkeys((*self._files, *files)))  # of all drops
        present = [path for path in self._paths if path is not None]
        for wanted in ([*present, *files], files):
            for at in sorted(range(len(self._choices)), key=lambda each: each != here):
                if (places := self._choices[at].places_of(wanted)) is not None:
                    self.kind.setCurrentIndex(at)
                    self._show_places(places)
                    return
        for file in files:
            suffix = file.suffix.lower()[1:]
            fields = zip(self.fields, self._files_wanted, strict=True)
            fits = (f for f, place in fields if not f.text() and suffix in place.extensions)
            if (field := next(fits, None)) is not None:
                field.setText(str(file))
        if homeless := [file.name for file in files if file not in self._paths]:
            text = self.tr("No core here makes one game of these files: {0} has no place in it")
            self.say(text.format(", ".join(homeless)), "warn")
        self.each.setVisible(bool(homeless))

    @property
    def _files_wanted(self) -> tuple[SubsystemFile, ...]:
        return self._choices[self.kind.currentIndex()].subsystem.files

    @property
    def _paths(self) -> list[Path | None]:
        texts = [field.text().strip() for field in self.fields]
        return [Path(text) if text else None for text in texts]

    def _show_places(self, files: Sequence[Path | None]) -> None:
        while self._places.rowCount():
            self._places.removeRow(0)
        self.fields = []
        for at, place in enumerate(self._files_wanted):
            text = str(place) if place.required else self.tr("{0}, can be left out").format(place)
            field = ui.line_edit(str(place), text)
            field.setText(str((files[at] if at < len(files) else None) or ""))
            field.textChanged.connect(lambda _: self._check())
            self.fields.append(field)
            name = self.tr("Browse for {0}").format(place.title)
            browse = partial(self._browse, field, place)
            self._places.addRow(place.title, ui.with_browse(field, browse, name))
        self._check()

    def _browse(self, field: QtWidgets.QLineEdit, place: SubsystemFile) -> None:
        patterns = " ".join(f"*.{ending}" for ending in place.extensions) or "*"
        filters = ";;".join((f"{place.title} ({patterns})", self.tr("All files (*)")))
        title = self.tr("Choose {0}").format(place.title)
        chosen, _ = QtWidgets.QFileDialog.getOpenFileName(self, title, str(self._folder), filters)
        if chosen:
            self._folder = Path(chosen).parent
            field.setText(chosen)

    def _check(self) -> None:
        problem = "" if any(self._paths) else self.tr("Choose a file.")
        for place, path in zip(self._files_wanted, self._paths, strict=True):
            if path is None and place.required:
                problem = self.tr("Choose a file for {0}.").format(place)
                break
            if path is not None and not path.is_file():
                problem = self.tr("{0}: there is no such file; check the spelling").format(path)
                break
        self.say(problem, "bad" if any(self._paths) else "secondary")
        self.open_button.setEnabled(not problem)

    def say(self, text: str, role: str = "secondary") -> None:
        ui.say(self.problem, text, role)
        # The layout counts new fields only after the event loop has shown them.
        QTimer.singleShot(0, self, self._make_room)

    def _make_room(self) -> None:
        if (layout := self.layout()) is not None:
            layout.activate()
            wanted = max(layout.totalHeightForWidth(self.width()), layout.totalSizeHint().height())
            self.resize(self.width(), max(self.height(), wanted))

    def _part(self) -> None:
        self.accept()
        self.apart.emit(self._files)

    def _open(self) -> None:
        choice = self._choices[self.kind.currentIndex()]
        with ui.errors_to(partial(self.say, role="bad")):
            path = list_of_files(self._paths, choice.subsystem.name, choice.system)
            self.accept()
            self.chosen.emit(path)


def locate_movie(path: Path, systems: Systems) -> tuple[Movie, Path | None]:
    """Read a movie, and find its game, first near it; None without a ROM. Raises MovieError."""
    movie = read_movie(path, movie_consoles(systems))
    with contextlib.suppress(SessionError):
        return movie, find_integration(movie.game, near=path)
    return movie, None


def _open_or_take_back(directory: Path) -> Session:
    """Open an integration that was just made, and delete it if that fails."""
    try:
        return open_journaled(directory)
    except IntegratorError as error:
        Making.take_back(directory)
        raise SessionError(f"{directory.name} was not made: {error}") from error


class PathOpener(Part):
    """Opens a path. For a movie or state, its game is opened first unless it is open."""

    def _set_up(self) -> None:
        self._files, self._systems = self._parts[FileCommands], self._context.systems
        self._then: tuple[Path, Then] | None = None
        # A new integration is deleted again if its game does not run.
        self._files.made.connect(lambda made: self._open_game(made, opener=_open_or_take_back))
        self._bridge.open_failed.connect(self._failed)
        self._actions.on(open_several=self.ask_for_files)

    def ask_for_files(self, files: Sequence[Path] = ()) -> SeveralFilesDialog:
        """Ask for one game's files at once; the cores report the kinds of games later."""
        last = self._settings.folder("rom", Path.home())
        dialog = SeveralFilesDialog(files[0].parent if files else last, files, self._window)
        dialog.chosen.connect(self._context.open_path)
        dialog.apart.connect(self._parts[LibraryController].make_drafts)
        self._bridge.in_background(
            subsystem_choices,
            lambda choices: dialog.show_choices(choices) if isValid(dialog) else None,
            lambda error: dialog.say(str(error), "bad") if isValid(dialog) else None,
        )
        dialog.open()
        return dialog

    def open(self, path: Path, frame: int | None = None) -> None:
        """Open a path. With ``frame``, go to that frame of a movie instead of playing the movie."""
        if is_movie(path):
            play: Then = partial(self._controller.play_movie, path)
            if frame is not None:
                replay, at = self._parts[TravelController].replay, frame
                play = partial(
                    replay.go, lambda now, go_on: open_movie_at(now, path, at, go_on), self._report
                )
            self._bridge.in_background(
                lambda: locate_movie(path, self._systems),
                lambda found: self._play_at_home(path, play, *found),
                lambda error: self._failed(path, error),
            )
            return
        if is_state(path):
            self._open_state(path)
            return
        # A bare ROM is opened on the same system as the last time.
        here = self._controller.game
        known = self._settings.system_of(path)
        if here is not None and path == here.rom:
            known = here.system.name
        again = partial(open_journaled, system=known) if known in self._systems else None
        self._open_game(path, opener=again)

    def _open_game(
        self, path: Path, then: Then | None = None, players: int = 1, opener: Opener | None = None
    ) -> None:
        if players > 1:
            opener = partial(open_journaled, players=players)

        def go_on() -> None:
            self._then = (path, then) if then is not None else None
            self._parts[StatusBar].show_mode(self.tr("opening {0}").format(path.name), "warn")
            self._bridge.open(path, opener)

        self._files.after_saving(go_on)

    def _opened(self, game: GameSnapshot) -> None:
        pending, self._then = self._then, None
        if pending is not None and pending[0] == game.opened_from:
            pending[1]()

    def _failed(self, path: Path, error: Exception) -> None:
        self._then = None
        if isinstance(error, AmbiguousContentError):
            text = self.tr(
                "{0} can be a game of several systems, and its content does not show which"
            )
            choose = self.tr("Choose the system…"), partial(self._files.new_integration, path)
            self._say(ui.NoticeKind.WARNING, text.format(path.name), choose, stays=True)
        elif path.name in str(error):
            self._report(str(error))
        else:
            self._report(self.tr("{0} could not be opened: {1}").format(path.name, error))

    def _play_at_home(self, path: Path, play: Then, movie: Movie, home: Path | None) -> None:
        game, players = self._controller.game, movie.players
        if game is not None and game.name == movie.game:
            play()
        elif home is not None:
            self._open_game(home, play, players)
        elif game is not None and game.system.name == movie.system:
            play()
        else:
            text = self.tr(
                "{0} was recorded in {1} ({2}), which is not in your integration folders: "
                "choose the game to play it"
            )
            name = movie.game or self.tr("a game without a name")
            self._ask_for_game(text.format(path.name, name, movie.system), play, players)

    def _open_state(self, path: Path) -> None:
        load = partial(self._parts[StatesView].load_file, path)
        if self._bridge.is_open:
            load()
        elif not path.is_file():
            self._failed(path, SessionError(f"{path}: {MISSING}"))
        elif is_integration(path.parent):
            self._open_game(path.parent, load)
        else:
            text = self.tr("{0} does not say which game it is of: choose the game to load it")
            self._ask_for_game(text.format(path.name), load)

    def _ask_for_game(self, text: str, then: Then, players: int = 1) -> None:
        kinds = self.tr("Games ({0})").format(self._files.game_patterns())
        show = partial(self._open_game, then=then, players=players)
        choose = partial(self._files.choose, "rom", self.tr("Choose the game"), kinds, show)
        self._inform(text, (self.tr("Choose the game…"), choose), stays=True)
