"""Commands that first ask for a file or a name, and then send a request to the controller."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import QBuffer, QProcess, QTimer, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from integrator.domain.errors import SaveError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.integration.naming import LIST_SUFFIX, LinkError
from integrator.domain.movies.reading import movie_patterns
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.commands import own_directory
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.opening import open_journaled
from integrator.session.setup.roots import is_shared
from integrator.ui import widgets as ui
from integrator.ui.library.new_integration import NewIntegrationDialog
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.score.texts.json_panel import JsonView
from integrator.ui.score.texts.script_panel import ScriptView
from integrator.ui.window_context import Part
from libretro_host.processes.children import isolated_children, module_command


def start_window(game: Path | None = None) -> bool:
    """Start a second process of the program, with ``game`` open; False if that fails. Both share
    settings, library and drafts of unsaved edits; each has its own game and core."""
    program, *arguments = module_command("integrator", "open", *([game] if game else []))
    # Only QProcess's static function reports success. It passes os.environ to its child.
    with isolated_children():
        started, _ = QProcess.startDetached(program, arguments)
    return bool(started)


class FileCommands(Part):
    """The main window's commands with dialogs. ``made`` gives a new integration's directory."""

    made = Signal(object)

    def _set_up(self) -> None:
        context, on = self._context, self._actions.on
        context.controller.links_refused.connect(self._ask_links)
        context.controller.saved.connect(self._report_saved)
        on(open_rom=self._choose_rom, open_integration=self._choose_integration)
        on(new_integration=self.new_integration, save=self.save, save_as=self._save_as)
        on(record=self._choose_recording, play_movie=self._choose_movie)
        on(save_state=self._name_state, load_state=self._choose_state)
        on(add_variable=self._add_variable, screenshot=self._choose_screenshot)

    def _opened(self, game: GameSnapshot) -> None:  # noqa: ARG002 - the session is asked
        def show(links: tuple[tuple[Path, Path], ...]) -> None:
            if links:
                text = self.tr("Links that lead out of the folder: {0}. Saving asks first.")
                named = ", ".join(f"{path.name} → {target}" for path, target in links)
                self._warn(text.format(named))

        self._bridge.ask(lambda session: session.integration.links_out, show)

    def game_patterns(self) -> str:
        kinds = {each for system in self._context.systems.values() for each in system.extensions}
        return " ".join(f"*.{suffix}" for suffix in sorted({*kinds, LIST_SUFFIX[1:]}))

    def choose(self, purpose: str, title: str, kinds: str, then: Callable[[Path], object]) -> None:
        if (path := self._ask_open(purpose, title, kinds)) is not None:
            then(path)

    def _choose_rom(self) -> None:
        patterns = f"{self.game_patterns()} {movie_patterns()}"
        games = self.tr("Games, movies and states ({0} *.state*)").format(patterns)
        kinds = ";;".join((games, self.tr("All files (*)")))
        self.choose("rom", self.tr("Open a game"), kinds, self._context.open_path)

    def _choose_movie(self) -> None:
        kinds = self.tr("Movies ({0})").format(movie_patterns())
        self.choose("movie", self.tr("Play a movie"), kinds, self._controller.play_movie)

    def _choose_state(self) -> None:
        title, kinds = self.tr("Load a state"), self.tr("States (*.state*)")
        self.choose("state", title, kinds, self._parts[StatesView].load_file)

    def _choose_integration(self) -> None:
        chosen = self._ask_folder("integration", self.tr("Open an integration directory"))
        if chosen is not None:
            self._settings.set_folder("integration", chosen.parent)
            self._context.open_path(chosen)

    def new_integration(self, rom: Path | None = None) -> None:
        dialog = NewIntegrationDialog(self._context, rom)
        dialog.created.connect(self.made)
        dialog.open()

    def _choose_recording(self) -> None:
        game, title = self._controller.game, self.tr("Record a movie")
        name = f"{game.name}.bk2" if game else "movie.bk2"
        with self._bridge.standing_still():
            if (path := self._ask_save("movie", title, name, "BizHawk movies (*.bk2)")) is not None:
                self._controller.record(path.with_suffix(".bk2"))

    def _name_state(self) -> None:
        documents = self._controller.documents
        taken = documents.states if documents else ()
        free = next(name for name in map("Level{}".format, count(1)) if name not in taken)
        with self._bridge.standing_still():
            title = self.tr("Save state")
            text = self.tr("Name of the start state; one of the same name is replaced:")
            if name := self._ask_text(title, text, free):
                self._parts[StatesView].save(name)

    def save(self, then: Callable[[], object] = lambda: None) -> None:
        """Save and call ``then``; a ROM becomes an integration, a shared integration is copied."""
        if (game := self._controller.game) is not None and not game.is_integration:
            self.new_integration(game.rom)
        elif game is not None and is_shared(game.directory):
            directory = own_directory(self._context.root, game.name)
            text = self.tr(
                "{0} came with a package and stays as it was; your copy is {1}, and is open now"
            )
            self._controller.move_to(directory, text.format(game.name, directory), then)
        else:
            self._controller.save(then)

    def _report_saved(self, text: str) -> None:
        parts = self._parts
        documents, json = self._controller.documents, parts.built(JsonView)
        name = parts[ScriptView].unused if documents and documents.scripts else ""
        view: QWidget
        if json is not None and json.unused:
            name, view, show = json.current, json, json.show_unused
        elif name:
            view = script = parts[ScriptView]
            show = partial(script.open_script, name)
        else:
            self._announce(text)
            return

        def show_fault() -> None:
            ui.dock_of(view).come_forward()
            show()

        unused = self.tr("{0}. The text of {1} is not in effect").format(text, name)
        remedy = self.tr("Show the fault"), show_fault
        self._say(ui.NoticeKind.WARNING, unused, remedy, stays=True)

    def _ask_links(self, error: LinkError, save: Callable[[], object]) -> None:
        listed = "\n".join(f"{path.name} → {target}" for path, target in error.links)
        text = self.tr(
            "These files are links that lead out of the folder:\n\n{0}\n\n"
            "Saving would write or copy what they lead to. Save all the same?"
        )
        title, buttons = self.tr("Links out of the folder"), QMessageBox.StandardButton
        text, ways = text.format(listed), buttons.Save | buttons.Cancel
        answer = QMessageBox.question(self._window, title, text, ways, buttons.Cancel)
        if answer is buttons.Save:
            save()
        else:
            self._warn(error)

    def _save_as(self) -> None:
        chosen = self._ask_folder("integration", self.tr("Save a copy into this folder"))
        game = self._controller.game
        if chosen is not None and game is not None:
            directory = chosen / game.name
            self._controller.move_to(directory, self.tr("Saved a copy in {0}").format(directory))

    def _add_variable(self) -> None:
        game, documents = self._controller.game, self._controller.documents
        if game is None or documents is None:
            return
        names = map("variable{}".format, count(1))
        name = next(name for name in names if name not in documents.variables)
        spec = VariableSpec(name, game.first_address, DataType.parse("|u1"))
        view = self._parts[VariablesView]
        edit = partial(view.edit_cell, name, VariableColumn.NAME)
        ui.dock_of(view).come_forward()
        self._controller.put_variable(spec, lambda: QTimer.singleShot(0, view, edit))

    def _choose_screenshot(self) -> None:
        with self._bridge.standing_still():
            title = self.tr("Save window picture")
            path = self._ask_save("picture", title, "integrator.png", "PNG (*.png)")
            try:
                if path is not None:
                    save_picture(self._window, path)
            except SaveError as error:
                self._report(error)

    def after_saving(self, go_on: Callable[[], object]) -> None:
        """Call ``go_on`` now, or after the user has saved or dropped unsaved edits."""
        if self.may_leave(go_on):
            go_on()

    def open_again(self, game: GameSnapshot, core: Path | None, players: int) -> None:
        # The console is passed on, because a bare ROM may not identify it.
        opener = partial(open_journaled, players=players, system=game.system.name, core=core)
        self.after_saving(partial(self._bridge.open, game.path, opener))

    def may_leave(self, leave: Callable[[], object]) -> bool:
        game, documents = self._controller.game, self._controller.documents
        if game is None or documents is None or not documents.modified:
            return True
        buttons = QMessageBox.StandardButton
        text = self.tr("{0} has edits that are not saved.").format(game.name)
        title, ways = self.tr("Unsaved edits"), buttons.Save | buttons.Discard | buttons.Cancel
        answer = QMessageBox.question(self._window, title, text, ways)
        if answer is buttons.Save:
            self.save(leave)
        elif answer is buttons.Discard:
            self._bridge.drop_edits()
            return True
        return False


def save_picture(window: QWidget, path: Path) -> None:
    """Write a picture of the window to a PNG file. Raises SaveError."""
    with closing(QBuffer()) as png:
        window.grab().save(png, "PNG")
        write_atomically(path, bytes(png.data().data()))
