"""Exchanges notes on memory with other programs, by files."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QWidget,
)

from integrator.domain.notes.formats import NOTES_FORMATS, format_of, read_notes, write_notes
from integrator.domain.notes.places import NotesRead
from integrator.domain.notes.records import VALUE
from integrator.ui.desk import Desk, Part
from integrator.ui.memory.watches.watches_view import WatchesView
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import vbox
from integrator.ui.widgets.texts import counted
from integrator.ui.widgets.theme import mono_font


class NotesReport(QDialog):
    """Lines of a file that gave no note; the window stays usable. Deleted when closed."""

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


class NotesController(Part):
    """Reads and writes files on another thread than the window's. ``report`` is the one open list
    of problems, those of the newest file; None for no such list."""

    report: NotesReport | None = None

    def __init__(self, desk: Desk, view: WatchesView) -> None:
        self._view = view
        super().__init__(desk)

    def _set_up(self) -> None:
        self._view.import_requested.connect(self._choose_import)
        self._view.export_requested.connect(self._choose_export)

    def _choose_import(self) -> None:
        patterns = " ".join(f"*{known.suffix}" for known in NOTES_FORMATS)
        kinds = self.tr("Notes on memory ({0})").format(patterns)
        chosen = self._ask_open("notes", self.tr("Notes on memory"), kinds)
        if chosen is not None:
            self._take_in(chosen)

    def _choose_export(self) -> None:
        filters = ";;".join(f"{known.title} (*{known.suffix})" for known in NOTES_FORMATS)
        game = self._controller.game
        name = f"{game.name if game else 'notes'}{NOTES_FORMATS[0].suffix}"
        chosen = self._ask_save("notes", self.tr("Write the watch list"), name, filters)
        if chosen is not None:
            self.write(chosen)

    def _take_in(self, path: Path) -> None:
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

        self._bridge.beside(lambda: read_notes(path, places), done, self._report)

    def write(self, path: Path) -> None:
        places = self._controller.places()
        if places is None:
            return
        watches = [
            replace(row.watch, more={**row.watch.more, VALUE: row.reading.value or 0})
            for row in self._view.model.rows
        ]

        def done(problems: tuple[str, ...]) -> None:
            count = len(watches) - len(problems)
            text = self.tr("{0} note[|s] written to {1}, for {2}", None, count)
            program = format_of(path).title
            self._tell(counted(text, count).format(f"{count:,}", path, program), problems)

        self._bridge.beside(lambda: write_notes(path, watches, places), done, self._report)

    def _tell(self, text: str, problems: tuple[str, ...]) -> None:
        if self.report is not None:
            self.report.close()
        if problems:
            self.report = NotesReport(text, problems, self._window)
            self.report.finished.connect(self._forget_report)
            self.report.show()
        self._announce(text, NoticeKind.WARNING if problems else NoticeKind.GOOD)

    def _forget_report(self) -> None:
        self.report = None
