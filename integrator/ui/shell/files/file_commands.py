"""Commands that ask for a file or a name first: dialogs in, a request to the controller out."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QProcess, QTimer, Signal
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget

from integrator.domain.integration.naming import LIST_SUFFIX, LinkError
from integrator.domain.movies.reading import movie_patterns
from integrator.domain.roms import KnownGame
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.commands import own_directory
from integrator.session.library.rom_import import bring_rom, prepare_import
from integrator.session.setup.roots import is_shared
from integrator.ui.desk import Part
from integrator.ui.library.new_integration import NewIntegrationDialog
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.play.states.states_gallery import StatesController
from integrator.ui.score.texts.json_panel import JsonView
from integrator.ui.score.texts.script_panel import ScriptController, ScriptView
from integrator.ui.widgets.docks import dock_of
from integrator.ui.widgets.notices import NoticeKind
from libretro_host.processes.children import isolated_children, module_command


def start_window(game: Path | None = None) -> bool:
    """Start the program once more, with ``game`` in it; false when that cannot be done. Both share
    settings, library and unsaved edits' drafts; each has its own game and core."""
    program, *arguments = module_command("integrator", "open", *([game] if game else []))
    # The static function alone tells whether it could be done; it gives its child os.environ.
    with isolated_children():
        started, _ = QProcess.startDetached(program, arguments)
    return bool(started)


class FileCommands(Part):
    """Dialogs of the main window. ``made`` gives the directory of a new integration."""

    made = Signal(object)

    def _set_up(self) -> None:
        desk = self._desk
        self._settings, self._systems, self._root = desk.settings, desk.systems, desk.root
        desk.controller.links_refused.connect(self._ask_links)
        desk.controller.saved.connect(self._tell_saved)
        commands: dict[str, Callable[[], object]] = {
            "open_rom": self.choose_rom,
            "open_integration": self.choose_integration,
            "new_integration": self.new_integration,
            "save": self.save,
            "save_as": self.save_as,
            "record": self.choose_recording,
            "play_movie": self.choose_movie,
            "save_state": self.name_state,
            "load_state": self.choose_state,
            "add_variable": self.add_variable,
            "screenshot": self.choose_screenshot,
        }
        for key, command in commands.items():
            desk.actions.on(key, command)

    def choose_rom(self) -> None:
        kinds = {e for system in self._systems.values() for e in system.extensions}
        suffixes = sorted({*kinds, LIST_SUFFIX[1:]})
        patterns = " ".join((*(f"*.{suffix}" for suffix in suffixes), movie_patterns()))
        filters = ";;".join(
            (
                self.tr("Games, movies and states ({0} *.state*)").format(patterns),
                self.tr("All files (*)"),
            )
        )
        path = self._ask_open("rom", self.tr("Open a game"), filters)
        if path is not None:
            self._desk.open_path(path)

    def choose_integration(self) -> None:
        chosen = self._ask_folder("integration", self.tr("Open an integration directory"))
        if chosen is not None:
            self._settings.set_folder("integration", chosen.parent)
            self._desk.open_path(chosen)

    def new_integration(self, rom: Path | None = None) -> None:
        game = self._controller.game
        draft = game if game is not None and not game.is_integration else None
        if rom is None and draft is not None:
            rom = draft.rom
        opened = (draft.rom, draft.system) if draft is not None else None
        root = self._settings.folder("new_integration", self._root)
        dialog = NewIntegrationDialog(
            self._systems, root, rom, self._window, opened, self._bridge.beside
        )
        dialog.known_chosen.connect(self.open_known)
        dialog.rooted.connect(partial(self._settings.set_folder, "new_integration"))
        dialog.created.connect(self.made)
        dialog.keep_requested.connect(self._controller.keep_as)
        dialog.open()

    def open_known(self, rom: Path, game: KnownGame) -> None:

        def work() -> Path:
            return bring_rom(rom, game, prepare_import(self._root, self._systems)[1])

        self._bridge.beside(work, self._desk.open_path, self._report)

    def choose_recording(self) -> None:
        game = self._controller.game
        name = f"{game.name}.bk2" if game else "movie.bk2"
        with self._bridge.standing_still():
            path = self._ask_save(
                "movie", self.tr("Record a movie"), name, "BizHawk movies (*.bk2)"
            )
            if path is not None:
                self._controller.record(path.with_suffix(".bk2"))

    def choose_movie(self) -> None:
        filters = self.tr("Movies ({0})").format(movie_patterns())
        path = self._ask_open("movie", self.tr("Play a movie"), filters)
        if path is not None:
            self._controller.play_movie(path)

    def choose_state(self) -> None:
        path = self._ask_open("state", self.tr("Load a state"), self.tr("States (*.state*)"))
        if path is not None:
            self._desk.parts[StatesController].load_file(path)

    def name_state(self) -> None:
        documents = self._controller.documents
        taken = set(documents.states) if documents else set()
        number = 1
        while f"Level{number}" in taken:
            number += 1
        with self._bridge.standing_still():
            name, accepted = QInputDialog.getText(
                self._window,
                self.tr("Save state"),
                self.tr("Name of the start state; one of the same name is replaced:"),
                text=f"Level{number}",
            )
            if accepted and name.strip():
                self._desk.parts[StatesController].save(name.strip())

    def save(self) -> None:
        game = self._controller.game
        if game is not None and not game.is_integration:
            self.new_integration(game.rom)
        elif self._is_shared():
            self.save_own()
        else:
            self._controller.save()

    def _tell_saved(self, text: str) -> None:
        parts = self._desk.parts
        documents, json = self._controller.documents, parts.built(JsonView)
        name = parts[ScriptController].unused if documents and documents.scripts else ""
        if json is not None and json.unused:
            self._tell_unused(text, json.current, json, json.show_unused)
        elif name:
            view = self._desk.parts[ScriptView]
            self._tell_unused(text, name, view, lambda: view.open_script(name))
        else:
            self._say(NoticeKind.GOOD, text)

    def _tell_unused(self, text: str, file: str, view: QWidget, show: Callable[[], object]) -> None:
        def come_forward() -> None:
            dock_of(view).come_forward()
            show()

        self._say(
            NoticeKind.WARNING,
            self.tr("{0}. The text of {1} is not in effect").format(text, file),
            (self.tr("Show the fault"), come_forward),
            stays=True,
        )

    def _is_shared(self) -> bool:
        game = self._controller.game
        return game is not None and game.is_integration and is_shared(game.directory)

    def save_own(self, then: Callable[[], object] | None = None) -> None:
        game = self._controller.game
        if game is not None:
            directory = own_directory(self._root, game.name)
            text = self.tr(
                "{0} came with a package and stays as it was; your copy is {1}, and is open now"
            ).format(game.name, directory)
            self._controller.move_to(directory, text, then)

    def tell_links(self) -> None:

        def tell(links: tuple[tuple[Path, Path], ...]) -> None:
            if links:
                text = self.tr("Links that lead out of the folder: {0}. Saving asks first.")
                named = ", ".join(f"{path.name} → {target}" for path, target in links)
                self._say(NoticeKind.WARNING, text.format(named))

        self._bridge.ask(lambda session: session.integration.links_out, tell)

    def _ask_links(self, error: LinkError, save: Callable[[], object]) -> None:
        listed = "\n".join(f"{path.name} → {target}" for path, target in error.links)
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._window,
            self.tr("Links out of the folder"),
            self.tr(
                "These files are links that lead out of the folder:\n\n{0}\n\n"
                "Saving would write or copy what they lead to. Save all the same?"
            ).format(listed),
            buttons.Save | buttons.Cancel,
            buttons.Cancel,
        )
        if answer is buttons.Save:
            save()
        else:
            self._warn(error)

    def save_as(self) -> None:
        chosen = self._ask_folder("integration", self.tr("Save a copy into this folder"))
        game = self._controller.game
        if chosen is not None and game is not None:
            directory = chosen / game.name
            self._controller.move_to(directory, self.tr("Saved a copy in {0}").format(directory))

    def add_variable(self) -> None:
        game, documents = self._controller.game, self._controller.documents
        if game is None or documents is None:
            return
        number = 1
        while f"variable{number}" in documents.variables:
            number += 1
        name = f"variable{number}"
        spec = VariableSpec(name, game.first_address, DataType.parse("|u1"))
        view = self._desk.parts[VariablesView]

        def edit() -> None:
            QTimer.singleShot(0, view, lambda: view.edit_cell(name, VariableColumn.NAME))

        dock_of(view).come_forward()
        self._controller.put_variable(spec, edit)

    def choose_screenshot(self) -> None:
        with self._bridge.standing_still():
            path = self._ask_save(
                "picture", self.tr("Save window picture"), "integrator.png", "PNG (*.png)"
            )
            if path is None:
                return
            try:
                save_picture(self._window, path)
            except OSError as error:
                self._report(error)

    def after_saving(self, go_on: Callable[[], object]) -> None:
        """Call ``go_on`` now, or once the user has decided about unsaved edits."""
        if self.may_leave(go_on):
            go_on()

    def may_leave(self, leave: Callable[[], object]) -> bool:
        game, documents = self._controller.game, self._controller.documents
        if game is None or documents is None or not documents.modified:
            return True
        answer = self._ask_unsaved()
        if answer is QMessageBox.StandardButton.Save:
            if game.is_integration:
                save = self.save_own if self._is_shared() else self._controller.save
                save(leave)
            else:
                self.new_integration(game.rom)
        if answer is not QMessageBox.StandardButton.Discard:
            return False
        self._bridge.drop_edits()
        return True

    def _ask_unsaved(self) -> QMessageBox.StandardButton:
        game = self._controller.game
        buttons = QMessageBox.StandardButton
        return QMessageBox.question(
            self._window,
            self.tr("Unsaved edits"),
            self.tr("{0} has edits that are not saved.").format(game.name if game else ""),
            buttons.Save | buttons.Discard | buttons.Cancel,
        )


def save_picture(window: QWidget, path: Path | str) -> None:
    """Write a picture of the window to a PNG file. Raises OSError."""
    if not window.grab().save(str(path), "PNG"):
        raise OSError(f"{path}: the picture could not be written; check the folder")
