"""Keeps the watch list, reads it as the game goes on, and exchanges notes with other programs."""

import re
from collections.abc import Callable, Sequence
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

from integrator.domain.errors import AddressError, DomainError
from integrator.domain.integration.naming import free_name, is_integration
from integrator.domain.integration.watches import Watch
from integrator.domain.notes.formats import NOTES_FORMATS, format_of, read_notes, write_notes
from integrator.domain.notes.places import NotesRead
from integrator.domain.notes.records import VALUE
from integrator.domain.query.behaviour import Reading
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library.watch_list import (
    ChangedMemory,
    WatchReading,
    read_watch_file,
    read_watches,
    write_watch_file,
)
from integrator.session.session import Session
from integrator.ui.bridge.sight import LiveReader
from integrator.ui.desk import PanelController
from integrator.ui.memory.variables import StopsController
from integrator.ui.memory.watches.watches_view import WatchesView
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import vbox
from integrator.ui.widgets.texts import bits_text, counted
from integrator.ui.widgets.theme import mono_font

_REFRESH_MS = 120
Readings = tuple[tuple[Watch, ...], tuple[WatchReading, ...]]
_NO_NAME = re.compile(r"[^A-Za-z0-9_]+")


class WatchesController(PanelController[WatchesView]):
    """Reads only while the panel can be seen."""

    def _set_up(self) -> None:
        bridge, controller, view = self._bridge, self._controller, self._view
        self._stops = self._desk.parts[StopsController]
        self._live = LiveReader(
            bridge,
            self._sight,
            _REFRESH_MS,
            self._look,
            lambda read: view.model.set_readings(*read),
            lambda _: None,  # a core that is being replaced has no memory for a moment
        )
        bridge.closed.connect(lambda: view.set_open(opened=False))
        bridge.readout_ready.connect(self._live.touch)
        controller.game_kept.connect(lambda _: self._save())
        view.model.edited.connect(self._save)
        view.model.edited.connect(self._live.touch)
        view.model.poke_requested.connect(
            lambda watch, value: controller.write(watch.address, watch.type, value)
        )
        controller.memory_written.connect(self._live.touch)
        view.model.pauses_changed.connect(self._tell_stops)
        view.variable_requested.connect(self._make_variable)
        view.address_of = controller.address
        view.rejected.connect(self._warn)

    def _opened(self, game: GameSnapshot) -> None:
        self._view.set_open(opened=True)
        try:
            watches = read_watch_file(game.directory)
        except DomainError as error:
            self._warn(error)
            watches = ()
        self._view.model.set_watches(watches)
        self._live.touch()

    def _save(self) -> None:
        game = self._controller.game
        if game is None or not is_integration(game.directory):
            return  # kept when the ROM becomes an integration
        try:
            write_watch_file(game.directory, self._view.model.watches)
        except DomainError as error:
            self._report(error)

    def watch_candidate(self, candidate: Reading) -> None:
        """Keep an eye on a candidate, noting how the screen would show it."""
        scale = str(candidate.scale)
        note = self.tr("the screen shows {0}").format(scale) if scale else ""
        if candidate.mask is not None:
            note = self.tr("{0} of it").format(bits_text(candidate.mask))
        if candidate.real is not None:
            note = self.tr("the bytes of a float, {0}").format(candidate.real)
        self._view.watch(Watch(candidate.address, candidate.type, "", note))
        self._dock.come_forward()

    def _look(self) -> Callable[[Session], Readings] | None:
        watches = self._view.model.watches
        if not watches:
            return None
        return lambda session: (watches, read_watches(session, watches))

    def _tell_stops(self) -> None:
        places = [watch.key for watch in self._view.model.pausing]
        if not places:
            self._stops.watch_memory(None)
            return

        self._bridge.ask(
            lambda session: ChangedMemory(session.memory, places, session.timeline.position),
            self._stops.watch_memory,
            lambda error: (self._warn if isinstance(error, AddressError) else self._report)(error),
        )

    def _make_variable(self, watch: Watch) -> None:
        documents = self._controller.documents
        taken = documents.variables if documents else {}
        name = _NO_NAME.sub("_", watch.name).strip("_")
        if not name or name[0].isdigit():
            name = f"at_{address_text(watch.address)[2:]}"
        spec = VariableSpec(free_name(name, taken), watch.address, watch.type)
        text = self.tr("“{0}” is a variable now").format(spec.name)
        self._controller.put_variable(spec, lambda: self._announce(text))


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


class NotesController(PanelController[WatchesView]):
    """Reads and writes files on another thread than the window's. ``report`` is the one open list
    of problems, those of the newest file; None for no such list."""

    report: NotesReport | None = None

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
