"""Changes of open files by other programs, and recovery after a crash of the program."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import QFileSystemWatcher, QSignalBlocker, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QDialogButtonBox, QListWidget, QPlainTextEdit, QWidget

from integrator.domain.integration.directory import FileDifference, LinePair, compare
from integrator.domain.integration.naming import is_integration
from integrator.session.edits.editor import EVERYTHING, Change, Editor
from integrator.session.edits.snapshot import Documents, GameSnapshot, Update
from integrator.session.journal.drafts import Draft, restore_draft
from integrator.session.recovery import Recoverable, recent, recover
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.window_context import Part

Decision = Callable[[Editor, Path], Change]


class _FileVersion(QPlainTextEdit):
    """One version of a file. Lines that only the other version has are shown as empty lines."""

    def __init__(self, name: str) -> None:
        super().__init__(readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        ui.named(self, name, font=ui.mono_font())

    def show_lines(self, lines: Sequence[str | None], colors: Mapping[int, str]) -> None:
        """Show the lines, color some by number, and scroll to the first colored line."""
        self.setPlainText("\n".join(line or "" for line in lines))
        ui.mark_lines(self, colors)
        if colors:
            self.setTextCursor(QTextCursor(self.document().findBlockByNumber(next(iter(colors)))))
            self.centerCursor()


class DiskChangesDialog(ui.Dialog):
    """Shows both versions of each changed file side by side. ``decide`` is called with a decision
    about the selected file. The dialog closes itself after the last decision."""

    def __init__(self, decide: Callable[[Decision], object], parent: QWidget) -> None:
        super().__init__(parent, self.tr("Changed by another program"))
        self._changes: tuple[FileDifference, ...] = ()
        self.all_decided = False
        self.resize(1040, 640)
        self.files = ui.named(QListWidget(), self.tr("Changed files"), fixedWidth=170)
        self.files.currentRowChanged.connect(self._show_file)
        self.theirs, self.ours = _FileVersion(self.tr("On disk")), _FileVersion(self.tr("Here"))
        for of in (QPlainTextEdit.verticalScrollBar, QPlainTextEdit.horizontalScrollBar):
            of(self.theirs).valueChanged.connect(of(self.ours).setValue)
            of(self.ours).valueChanged.connect(of(self.theirs).setValue)
        plain = Qt.TextFormat.PlainText
        self.places = ui.role_label("", "secondary", wraps=True, textFormat=plain)
        self.problem = ui.NoteLabel("bad", textFormat=plain)
        sides = ui.hbox(self.files, gap=ui.SIZES.gap)
        for side in (self.theirs, self.ours):
            title = ui.role_label(side.accessibleName(), "secondary")
            sides.addLayout(ui.vbox(title, (side, 1)), 1)
        buttons, roles = QDialogButtonBox(), QDialogButtonBox.ButtonRole
        later = buttons.addButton(self.tr("Decide later"), roles.RejectRole)
        later.setToolTip(self.tr("Nothing is saved to these files before you have decided"))
        tip = self.tr("Take what is on disk; Undo brings yours back")
        reload, keep = partial(decide, Editor.reload), partial(decide, Editor.keep_mine)
        self.reload_button = ui.push_button(self.tr("Reload from disk"), reload, tip, icon="reset")
        tip = self.tr("Yours replaces the file at the next save")
        self.keep_button = ui.push_button(self.tr("Keep mine"), keep, tip, icon="save")
        buttons.addButton(self.reload_button, roles.ActionRole)
        buttons.addButton(self.keep_button, roles.ActionRole)
        buttons.rejected.connect(self.reject)
        ui.vbox((sides, 1), self.places, self.problem, buttons, on=self)

    @property
    def current(self) -> Path | None:
        row = self.files.currentRow()
        return self._changes[row].file if 0 <= row < len(self._changes) else None

    def show_changes(self, changes: Sequence[FileDifference]) -> None:
        if not changes:
            if self._changes:  # none before the first scan
                self.all_decided = True
                self.accept()
            return
        if tuple(changes) == self._changes:
            return
        before, self._changes = self.current, tuple(changes)
        names = [change.file for change in changes]
        with QSignalBlocker(self.files):
            self.files.clear()
            self.files.addItems([name.name for name in names])
            self.files.setCurrentRow(names.index(before) if before in names else 0)
        self._show_file(self.files.currentRow())

    def _show_file(self, row: int) -> None:
        change, colors = self._changes[row], ui.Theme.now.colors
        pairs = change.line_pairs
        for side, lines, color in (
            (self.theirs, [pair.theirs for pair in pairs], colors.bad_soft),
            (self.ours, [pair.ours for pair in pairs], colors.good_soft),
        ):
            marks = {
                at: color if lines[at] is not None else colors.raised
                for at, pair in enumerate(pairs)
                if pair.differs
            }
            side.show_lines(lines, marks)
        self.places.setText(self._places(change, pairs))
        self.problem.clear()

    def _places(self, change: FileDifference, pairs: Sequence[LinePair]) -> str:
        paths = change.places
        if paths is None and change.file.suffix == ".json":
            return self.tr("The file on disk is no JSON, so it cannot be reloaded.")
        if paths is None:
            return self.tr("Lines that differ: {0}").format(sum(pair.differs for pair in pairs))
        if not paths:
            return self.tr("Both have the same content; only the spelling differs.")
        text = ", ".join(paths[:6])
        if len(paths) > 6:
            text += self.tr(" and {0} more").format(len(paths) - 6)
        return self.tr("What differs: {0}").format(text)


Found = tuple[tuple[str, ...], tuple[FileDifference, ...], tuple[Path, ...], Update | None]
"""The paths to watch, the files that differ from the loaded ones, deleted files, and an update: the
states in the folder, or all documents if new files were added. None without an integration."""


class DiskChanges(Part):
    """Watches the files of the open integration, reports changes, and lets the user choose."""

    def _set_up(self) -> None:
        self._announced: tuple[FileDifference, ...] = ()
        self._shown_text = ""  # of the banner
        self._dialog: DiskChangesDialog | None = None
        self._after_save: Callable[[], object] | None = None
        self._watcher = QFileSystemWatcher(self)
        # Programs write a file in several steps, so wait until the last one.
        self._settle = ui.settle_timer(self, 250, self.check)
        self._watcher.fileChanged.connect(lambda _: self._settle.start())
        self._watcher.directoryChanged.connect(lambda _: self._settle.start())
        self._controller.game_kept.connect(self._opened)
        self._controller.save_refused.connect(self._save_refused)
        # Some network drives report no changes, so look when the window becomes active.
        application = cast("QGuiApplication", QGuiApplication.instance())
        application.applicationStateChanged.connect(self._application_state)

    def _opened(self, game: GameSnapshot) -> None:  # noqa: ARG002 - the session is asked
        self._closed()
        self._settle.start()

    def _closed(self) -> None:
        self._settle.stop()
        self._announced, self._shown_text = (), ""
        self._watch(())
        if self._dialog is not None:
            self._dialog.reject()

    def _application_state(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive and self._bridge.is_open:
            self._settle.start()

    def check(self) -> None:
        self._bridge.ask(_look, self._found)

    def _found(self, found: Found) -> None:
        watched, changes, deleted, update = found
        self._watch(watched)
        documents = self._controller.documents
        # Compared here: answers come in order, so every earlier edit is known by now.
        if (
            update is not None
            and documents is not None
            and (update.change == EVERYTHING or update.facts["states"] != documents.states)
        ):
            self._controller.show(update)
        before, self._announced = self._announced, changes
        if self._dialog is not None:
            self._dialog.show_changes(changes)  # which closes it after the last decision
        if self._dialog is not None:
            return
        before_text, self._shown_text = self._shown_text, self._text(changes, deleted)
        for banner in self._screen.notices.banners():
            if banner.text == before_text != self._shown_text:
                banner.dismiss()
        if self._shown_text and (before_text, before) != (self._shown_text, changes):
            compare = (self.tr("Compare…"), self.open_dialog) if changes else None
            self._say(ui.NoticeKind.WARNING, self._shown_text, compare, stays=True)

    def _text(self, changes: Sequence[FileDifference], deleted: Sequence[Path]) -> str:
        changed = self.tr("Changed by another program: {0}. Nothing is overwritten.")
        gone = self.tr("Deleted by another program: {0}. The window still has its content.")
        parts = (changed, [change.file for change in changes]), (gone, deleted)
        named = ((text, ", ".join(path.name for path in files)) for text, files in parts)
        return " ".join(text.format(names) for text, names in named if names)

    def _watch(self, paths: tuple[str, ...]) -> None:
        """Watch exactly these paths. A replaced file is a new file, which must be added again."""
        now = {*self._watcher.files(), *self._watcher.directories()}
        if gone := now - set(paths):
            self._watcher.removePaths(sorted(gone))
        # QFileSystemWatcher warns about missing paths, so deleted files are skipped.
        if new := [path for path in sorted(set(paths) - now) if Path(path).exists()]:
            refused = self._watcher.addPaths(new)
            # Newly watched files may have changed between the scan and now.
            if set(new) - set(refused):
                self._settle.start()

    def open_dialog(self) -> None:
        if self._dialog is None:
            dialog = DiskChangesDialog(self._decide, self._window)
            dialog.finished.connect(self._dialog_closed)
            self._dialog = dialog
            dialog.show_changes(self._announced)
            dialog.open()
        self.check()

    def _dialog_closed(self) -> None:
        dialog, self._dialog = self._dialog, None
        after, self._after_save = self._after_save, None
        if dialog is not None and dialog.all_decided and after is not None:
            after()

    def _decide(self, decision: Decision) -> None:
        dialog = self._dialog
        path = dialog.current if dialog is not None else None
        if path is None:
            return

        def refused(error: Exception) -> None:
            if self._dialog is not None:
                self._dialog.problem.setText(str(error))

        self._controller.ask_editor(lambda editor: decision(editor, path), self.check, refused)

    def _save_refused(self, then: Callable[[], object]) -> None:
        self._after_save = lambda: self._controller.save(then)
        self.open_dialog()


def _look(session: Session) -> Found:
    integration, folder = session.integration, session.integration.directory
    deleted = integration.deleted_on_disk()
    if not is_integration(folder):
        return (), (), deleted, None
    change = EVERYTHING if session.editor.adopt_new() else Change(more=frozenset({"states"}))
    files = [document.path for document in integration.documents]
    files += [folder / name for name in integration.scripts]
    watched = (str(folder), *(str(path) for path in files if path.exists()))
    changes = tuple(compare(integration, path) for path in integration.changed_on_disk())
    return watched, changes, deleted, Update.of(session.game, change)


class Recovery(Part):
    """Offers play and edits of crashed programs, one offer for each session, which stores them."""

    def _set_up(self) -> None:
        self._edited = False
        self._offered: list[Draft] = []
        self._wanted: Path | None = None
        self._taken: Recoverable | None = None  # the recovery that is being opened
        self._bridge.open_failed.connect(self._open_failed)
        self._bridge.open_stopped.connect(self._offer_again)
        self._controller.documents_changed.connect(self._documents_changed)

    def _documents_changed(self, documents: Documents) -> None:
        # An old draft of a game without edits is kept, because it may still be offered.
        if documents.modified:
            self._edited = True
        elif self._edited:
            # Drafts whose files have all been saved since are not offered again.
            for draft in self._offered:
                if set(draft.conflicts) == set(draft.files):
                    draft.discard()

    def _opened(self, game: GameSnapshot) -> None:
        if game.resumed is not None:
            self._taken = None
        self._edited = game.documents.modified
        self._offered = []
        # The offer is shown again, because opening a game clears the banners.
        self._bridge.in_background(recent, partial(self._offer_in_game, game.directory))

    def offer(self) -> None:
        """Offer recoveries, unless a game is open or being opened, which shows its own offers."""

        def show(found: list[Recoverable]) -> None:
            if self._bridge.is_open or self._bridge.is_opening:
                return
            drafts = (left.edits for left in found if left.edits and not left.play)
            draft = next((each for each in drafts if is_integration(each.directory)), None)
            if draft is not None:
                text = self.tr("The program ended with unsaved edits of {0}: {1}.")
                text = text.format(draft.directory.name, ", ".join(draft.files))
                self._ask_open_and_restore(ui.NoticeKind.INFO, text, draft)
            self._offer_play(found)

        self._bridge.in_background(recent, show)

    def _offer_in_game(self, directory: Path, found: list[Recoverable]) -> None:
        if (game := self._controller.game) is None or game.directory != directory:
            return
        wanted, self._wanted = self._wanted, None
        for left in found:
            if left.edits is not None and left.edits.path == wanted:
                self._restore(left.edits)
        rest = [left for left in found if not left.edits or left.edits.path != wanted]
        drafts = [left.edits for left in rest if left.edits and not left.play]
        self._offered = [draft for draft in drafts if draft.directory == directory.absolute()]
        for draft in reversed(self._offered):
            text = self.tr("Unsaved edits of {0} were kept: {1}.")
            text = text.format(draft.directory.name, ", ".join(draft.files))
            restore = self.tr("Restore edits"), partial(self._restore, draft)
            self._inform(text + self._changed_since(draft), restore, stays=True)
        self._offer_play(rest)

    def _changed_since(self, draft: Draft) -> str:
        if not draft.conflicts:
            return ""
        return " " + self.tr("Changed on disk since: {0}.").format(", ".join(draft.conflicts))

    def _offer_play(self, found: list[Recoverable]) -> None:
        left = next((left for left in found if left.play is not None), None)
        if left is None or left.play is None:
            return
        text = self.tr("The program ended suddenly while you played {0}: {1} are on record.")
        text = text.format(left.play.game.name, ui.clock_text(round(left.play.seconds * 60), 60.0))
        if left.edits is not None:
            edits = self.tr("Unsaved edits come back with them: {0}.")
            text += " " + edits.format(", ".join(left.edits.files))
            text += self._changed_since(left.edits)
        game = left.play.game

        def go_on() -> None:
            self._taken = left
            text = self.tr("{0} is opened where you were; its frames run again")
            self._inform(text.format(game.name))
            self._parts[TravelController].replay.open(game, partial(recover, left))

        remedy = self.tr("Continue"), partial(self._parts[FileCommands].after_saving, go_on)
        self._inform(text, remedy, stays=True)

    def _offer_again(self) -> None:
        taken, self._taken = self._taken, None
        if taken is not None:
            self._offer_play([taken])

    def _open_failed(self, _path: Path, _error: Exception) -> None:
        taken, self._taken = self._taken, None
        self._wanted = None  # Otherwise the edits would be restored into the next game.
        if taken is not None and taken.edits is not None:
            text = self.tr(
                "The play could not be recovered, but the unsaved edits can be: {0}."
            ).format(", ".join(taken.edits.files))
            self._ask_open_and_restore(ui.NoticeKind.WARNING, text, taken.edits)

    def _ask_open_and_restore(self, kind: ui.NoticeKind, text: str, draft: Draft) -> None:
        def work() -> None:
            self._wanted = draft.path
            self._bridge.open(draft.directory)

        self._say(kind, text, (self.tr("Open and restore"), work), stays=True)

    def _restore(self, draft: Draft) -> None:
        def work(session: Session) -> tuple[Update, tuple[str, ...]]:
            refused: list[str] = []
            restore = partial(restore_draft, draft)
            change = session.editor.do(lambda game: refused.extend(restore(game.integration)))
            session.persistence.keep_edits()
            draft.discard()
            return Update.of(session.game, change), tuple(refused)

        def done(answer: tuple[Update, tuple[str, ...]]) -> None:
            update, refused = answer
            self._offered = [each for each in self._offered if each is not draft]
            self._controller.show(update)
            if refused:
                text = self.tr("These could not be restored: {0}").format(", ".join(refused))
                self._say(ui.NoticeKind.WARNING, text)

        self._bridge.ask(work, done)
