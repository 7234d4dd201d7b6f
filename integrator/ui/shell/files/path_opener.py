"""Opens paths: games, movies and states, and several files as one game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shiboken6 import isValid

from integrator.domain.errors import MISSING, IntegratorError, SessionError
from integrator.domain.integration.naming import LIST_SUFFIX, is_integration
from integrator.domain.integration.states import is_state
from integrator.domain.movies.reading import is_movie, read_movie
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library.consoles.core_rows import SubsystemChoice, subsystem_choices
from integrator.session.library.entries import Making
from integrator.session.opening import movie_consoles, open_journaled
from integrator.session.session import Session
from integrator.session.setup.roots import find_integration
from integrator.ui.bridge.bridge import Opener
from integrator.ui.desk import Part
from integrator.ui.library.several_files import SeveralFilesDialog
from integrator.ui.play.states.states_gallery import StatesController
from integrator.ui.shell.bars.status_bar import StatusBar
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.widgets.notices import NoticeKind
from libretro_host.errors import AmbiguousContentError
from libretro_host.systems.descriptor import SystemDescriptor


@dataclass(frozen=True, slots=True)
class MovieHome:
    """The game that a movie was recorded in, and its players. ``directory`` is None when the game
    is not found here; one without its ROM does not count."""

    game: str
    system: str
    directory: Path | None
    players: int = 1


def locate_movie(path: Path, systems: Mapping[str, SystemDescriptor]) -> MovieHome:
    """Read a movie and look for its game, around the movie first. Raises MovieError."""
    movie = read_movie(path, movie_consoles(systems))
    try:
        directory: Path | None = find_integration(movie.game, near=path)
    except SessionError:
        directory = None
    return MovieHome(movie.game, movie.system, directory, movie.players)


def _with_players(players: int) -> Opener | None:
    return (lambda path: open_journaled(path, players)) if players > 1 else None


def _open_or_take_back(directory: Path) -> Session:
    """Open an integration that has nothing of the user's yet, or remove it."""
    try:
        return open_journaled(directory)
    except IntegratorError as error:
        Making.take_back(directory)
        raise SessionError(f"{directory.name} was not made: {error}") from error


class PathOpener(Part):
    """Opens a path. A movie or state whose game is not open gets its game opened first."""

    def _set_up(self) -> None:
        self._status, self._files = self._desk.parts[StatusBar], self._desk.parts[FileCommands]
        self._systems = self._desk.systems
        self._then: tuple[Path, Callable[[], object]] | None = None
        self._files.made.connect(self.open_made)
        self._bridge.opened.connect(self._opened)
        self._bridge.open_failed.connect(self._failed)

    def open(self, path: Path) -> None:
        if is_movie(path):
            self._open_movie(path)
        elif is_state(path):
            self._open_state(path)
        else:
            self._open_game(path, None, self._opener_again(path))

    def open_made(self, directory: Path) -> None:
        """Open an integration that was just made; it goes away again when its game does not run."""
        self._open_game(directory, None, _open_or_take_back)

    def _opener_again(self, path: Path) -> Opener | None:
        here = self._controller.game
        opened = here is not None and path == here.rom
        system = here.system if here and opened else self._desk.settings.system_of(path)
        if system not in self._systems:
            return None
        return lambda rom: open_journaled(rom, system=system)

    def _open_game(
        self, path: Path, then: Callable[[], object] | None, opener: Opener | None = None
    ) -> None:
        def go_on() -> None:
            self._then = (path, then) if then is not None else None
            self._status.show_mode(self.tr("opening {0}").format(path.name), "warn")
            self._bridge.open(path, opener)

        self._files.after_saving(go_on)

    def _opened(self, game: GameSnapshot) -> None:
        pending, self._then = self._then, None
        if pending is not None and pending[0] == game.opened_from:
            pending[1]()

    def _failed(self, path: Path, error: Exception) -> None:
        self._then = None
        if isinstance(error, AmbiguousContentError):
            self._ask_for_system(path)
            return
        text = str(error)
        if path.name not in text:
            text = self.tr("{0} could not be opened: {1}").format(path.name, error)
        self._desk.say(NoticeKind.ERROR, text)

    def _ask_for_system(self, path: Path) -> None:
        text = self.tr("{0} can be a game of several systems, and its content does not tell which")
        remedy = self.tr("Choose the system…"), lambda: self._files.new_integration(path)
        self._desk.say(NoticeKind.WARNING, text.format(path.name), remedy, stays=True)

    def _open_movie(self, path: Path) -> None:
        self._bridge.beside(
            lambda: locate_movie(path, self._systems),
            lambda home: self._play_at_home(path, home),
            lambda error: self._failed(path, error),
        )

    def _play_at_home(self, path: Path, home: MovieHome) -> None:
        def play() -> None:
            self._controller.play_movie(path)

        game, players = self._controller.game, home.players
        if game is not None and game.name == home.game:
            play()
        elif home.directory is not None:
            self._open_game(home.directory, play, _with_players(players))
        elif game is not None and game.system == home.system:
            play()
        else:
            text = self.tr(
                "{0} was recorded in {1} ({2}), which is not in your integration folders: "
                "choose the game to play it"
            ).format(path.name, home.game or self.tr("a game without a name"), home.system)
            self._ask_for_game(text, play, players)

    def _open_state(self, path: Path) -> None:
        def load() -> None:
            self._desk.parts[StatesController].load_file(path)

        if self._bridge.is_open:
            load()
        elif not path.is_file():
            self._failed(path, SessionError(f"{path}: {MISSING}"))
        elif is_integration(path.parent):
            self._open_game(path.parent, load)
        else:
            text = self.tr("{0} does not say which game it is of: choose the game to load it")
            self._ask_for_game(text.format(path.name), load)

    def _ask_for_game(self, text: str, then: Callable[[], object], players: int = 1) -> None:
        self._desk.say(
            NoticeKind.INFO,
            text,
            (self.tr("Choose the game…"), lambda: self._choose_game(then, players)),
            stays=True,
        )

    def _choose_game(self, then: Callable[[], object], players: int) -> None:
        endings = {e for system in self._systems.values() for e in system.extensions}
        suffixes = sorted({*endings, LIST_SUFFIX[1:]})
        patterns = " ".join(f"*.{suffix}" for suffix in suffixes)
        kinds = self.tr("Games ({0})").format(patterns)
        chosen = self._ask_open("rom", self.tr("Choose the game"), kinds)
        if chosen is not None:
            self._open_game(chosen, then, _with_players(players))


class SeveralFilesController(Part):
    """The dialog opens at once; the cores answer beside the window."""

    def _set_up(self) -> None:
        self._desk.actions.on("open_several", self.ask)

    def ask(self, files: Sequence[Path] = ()) -> SeveralFilesDialog:
        settings = self._desk.settings
        folder = files[0].parent if files else settings.folder("rom", Path.home())
        dialog = SeveralFilesDialog(folder, files, self._desk.window)
        dialog.chosen.connect(self._desk.open_path)
        dialog.finished.connect(dialog.deleteLater)

        def show(choices: Sequence[SubsystemChoice]) -> None:
            if isValid(dialog):
                dialog.show_choices(choices)

        def fail(error: Exception) -> None:
            if isValid(dialog):
                dialog.show_failure(error)

        self._desk.bridge.beside(subsystem_choices, show, fail)
        dialog.open()
        return dialog
