"""Files that another program changed while they are open here: noticed, told, never overwritten."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from integrator.domain.integration.compare import FileDifference, compare
from integrator.domain.integration.naming import is_integration
from integrator.session.edits.editor import EVERYTHING, Change, Editor
from integrator.session.edits.snapshot import GameSnapshot, Update
from integrator.session.session import Session
from integrator.ui.desk import Part
from integrator.ui.shell.files.disk_changes_dialog import DiskChangesDialog
from integrator.ui.widgets.notices import NoticeKind

SETTLE_MS = 250
"""Programs write a file in several steps; it is looked at after the last."""


@dataclass(frozen=True, slots=True)
class DiskState:
    """The files to watch, and those that differ from the loaded ones.

    ``update`` has the documents when added files were taken in.
    """

    watched: tuple[str, ...] = ()
    changes: tuple[FileDifference, ...] = ()
    update: Update | None = None


class DiskChanges(Part):
    """Watches the open integration's files, tells of changes, and lets the user choose."""

    def _set_up(self) -> None:
        bridge, controller = self._bridge, self._controller
        self._told: tuple[FileDifference, ...] = ()
        self._dialog: DiskChangesDialog | None = None
        self._after_save: Callable[[], object] | None = None
        self._watcher = QFileSystemWatcher(self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.check)
        self._watcher.fileChanged.connect(lambda _: self._settle.start())
        self._watcher.directoryChanged.connect(lambda _: self._settle.start())
        bridge.opened.connect(self._begin)
        bridge.closed.connect(self._end)
        controller.game_kept.connect(self._begin)
        controller.save_refused.connect(self._save_refused)
        # On some network drives files cannot be watched; the timer finds their changes.
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._application_state)

    # -- noticing -----------------------------------------------------------------------------

    def _begin(self, _: GameSnapshot) -> None:
        self._end()
        self._settle.start()

    def _end(self) -> None:
        self._settle.stop()
        self._told = ()
        self._watch(())
        if self._dialog is not None:
            self._dialog.reject()

    def _application_state(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive and self._bridge.is_open:
            self._settle.start()

    def check(self) -> None:
        known = self._controller.documents.states if self._controller.documents else ()
        self._bridge.ask(lambda session: _look(session, known), self._found)

    def _found(self, state: DiskState) -> None:
        self._watch(state.watched)
        if state.update is not None:
            self._controller.show(state.update)
        told, self._told = self._told, state.changes
        if self._dialog is not None:
            self._dialog.show_changes(state.changes)
        elif state.changes and state.changes != told:
            names = ", ".join(change.file.name for change in state.changes)
            self._say(
                NoticeKind.WARNING,
                self.tr("Changed by another program: {0}. Nothing is overwritten.").format(names),
                (self.tr("Compare…"), self.open_dialog),
                stays=True,
            )

    def _watch(self, paths: tuple[str, ...]) -> None:
        """Watch these only; a file that was replaced is another one and must be watched anew."""
        now = {*self._watcher.files(), *self._watcher.directories()}
        if gone := now - set(paths):
            self._watcher.removePaths(sorted(gone))
        # QFileSystemWatcher warns about missing paths, so files deleted since the last scan are
        # skipped.
        if new := [path for path in sorted(set(paths) - now) if Path(path).exists()]:
            refused = self._watcher.addPaths(new)
            # The others may have changed since they were looked at, while nobody watched.
            if set(new) - set(refused):
                self._settle.start()

    # -- choosing -----------------------------------------------------------------------------

    def open_dialog(self) -> None:
        if self._dialog is None:
            dialog = DiskChangesDialog(self._desk.theme, self._window)
            dialog.reload_requested.connect(self.reload)
            dialog.keep_requested.connect(self.keep_mine)
            dialog.finished.connect(self._dialog_closed)
            self._dialog = dialog
            dialog.show_changes(self._told)
            dialog.open()
        self.check()

    def _dialog_closed(self) -> None:
        dialog, self._dialog = self._dialog, None
        after, self._after_save = self._after_save, None
        if dialog is not None and dialog.all_decided and after is not None:
            after()

    def reload(self, path: Path) -> None:

        self._decide(lambda editor: editor.reload(path))

    def keep_mine(self, path: Path) -> None:

        self._decide(lambda editor: editor.keep_mine(path))

    def _decide(self, command: Callable[[Editor], Change]) -> None:
        def refused(error: Exception) -> None:
            if self._dialog is not None:
                self._dialog.show_problem(str(error))

        self._controller.ask_editor(command, self.check, refused)

    def _save_refused(self, then: Callable[[], object] | None) -> None:
        self._after_save = lambda: self._controller.save(then)
        self.open_dialog()


def _look(session: Session, known_states: tuple[str, ...]) -> DiskState:
    integration = session.integration
    if not is_integration(integration.directory):
        return DiskState()
    added = session.editor.adopt_new() or tuple(integration.states) != known_states
    files = [document.path for document in integration.documents if document.path.exists()]
    files += [
        path for name in integration.scripts if (path := integration.directory / name).exists()
    ]
    watched = (str(integration.directory), *map(str, files))
    changes = [compare(integration, path) for path in integration.changed_on_disk()]
    return DiskState(
        watched, tuple(changes), Update.of(session.game, EVERYTHING) if added else None
    )
