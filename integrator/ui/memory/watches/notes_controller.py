"""Notes of other programs come into the watch list, and the list goes out to their files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QWidget,
)

from integrator.domain.notes.cheat_list import VALUE
from integrator.domain.notes.formats import NOTES_FORMATS, format_of, read_notes, write_notes
from integrator.domain.notes.model import NotesRead
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.bridge.panel_controller import PanelController
from integrator.ui.memory.watches.watches_view import WatchesView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.panels.parts import vbox
from integrator.ui.widgets.theme import mono_font
from integrator.ui.widgets.translation import counted


class NotesReport(QDialog):
    """Shown beside the window, which stays usable; it goes away once it is closed."""

    def __init__(self, summary: str, problems: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Notes on memory"))
        count = len(problems)
        text = self.tr("{0} line[|s] gave no note:", None, count)
        head = QLabel(f"{summary}.\n{counted(text, count).format(f'{count:,}')}", wordWrap=True)
        self.lines = QPlainTextEdit("\n".join(problems), readOnly=True)
        self.lines.setFont(mono_font())
        self.lines.setAccessibleName(self.tr("Lines that gave no note"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.lines.toPlainText())
        )
        buttons.rejected.connect(self.close)
        vbox(head, (self.lines, 1), buttons, on=self)
        self.resize(640, 360)


class NotesController(PanelController[WatchesView]):
    """Reads and writes files beside the window's thread.

    ``report`` is the one open list of problems, those of the newest file; None for no such list.
    """

    def __init__(
        self, bridge: SessionBridge, controller: GameController, view: WatchesView, parent: QWidget
    ) -> None:
        super().__init__(bridge, controller, view, parent)
        self._window = parent
        self.report: NotesReport | None = None
        view.import_requested.connect(self.choose_import)
        view.export_requested.connect(self.choose_export)

    def choose_import(self) -> None:
        """Ask for a file of notes, and take it in."""
        patterns = " ".join(f"*{known.suffix}" for known in NOTES_FORMATS)
        chosen, _ = QFileDialog.getOpenFileName(
            self._window,
            self.tr("Notes on memory"),
            "",
            self.tr("Notes on memory ({0})").format(patterns),
        )
        if chosen:
            self.take_in(Path(chosen))

    def choose_export(self) -> None:
        """Ask for a file, and write the watch list into it."""
        filters = ";;".join(f"{known.title} (*{known.suffix})" for known in NOTES_FORMATS)
        game = self._controller.game
        name = f"{game.name if game else 'notes'}{NOTES_FORMATS[0].suffix}"
        chosen, used = QFileDialog.getSaveFileName(
            self._window, self.tr("Write the watch list"), name, filters
        )
        if chosen:
            path = Path(chosen)
            if not path.suffix:
                path = path.with_suffix(used.rpartition("*")[2].rstrip(")"))
            self.write(path)

    def take_in(self, path: Path) -> None:
        """Add the notes of a file to the watch list; those that are in it stay as they are."""
        places = self._controller.places()
        if places is None:
            return

        def done(read: NotesRead) -> None:
            added = self._view.model.add_all(read.watches)
            text = self.tr("{0} note[|s] of {1} added to the watch list", None, added)
            text = counted(text, added).format(f"{added:,}", path.name)
            there = len(read.watches) - added
            if there:
                told = self.tr("{0} [was|were] there already", None, there)
                text += "; " + counted(told, there).format(f"{there:,}")
            self._tell(text, read.problems)

        self._bridge.beside(lambda: read_notes(path, places), done, self._refused)

    def write(self, path: Path) -> None:
        """Write the watch list in the format that the file's name ends with."""
        places = self._controller.places()
        if places is None:
            return
        model = self._view.model
        watches = [
            replace(row.watch, more={**row.watch.more, VALUE: row.reading.value or 0})
            for row in model.rows
        ]

        def done(problems: tuple[str, ...]) -> None:
            count = len(watches) - len(problems)
            text = self.tr("{0} note[|s] written to {1}, for {2}", None, count)
            program = format_of(path).title
            self._tell(counted(text, count).format(f"{count:,}", path, program), problems)

        self._bridge.beside(lambda: write_notes(path, watches, places), done, self._refused)

    def _tell(self, text: str, problems: tuple[str, ...]) -> None:
        kind = NoticeKind.WARNING if problems else NoticeKind.GOOD
        if self.report is not None:
            self.report.close()
        if problems:
            self.report = NotesReport(text, problems, self._window)
            self.report.finished.connect(self._forget_report)
            self.report.show()
        self._controller.said.emit(kind, text)

    def _forget_report(self) -> None:
        self.report = None

    def _refused(self, error: Exception) -> None:
        self._controller.said.emit(NoticeKind.ERROR, str(error))
