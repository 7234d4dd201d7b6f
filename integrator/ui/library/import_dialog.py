"""The dialog that imports ROM folders, and what it shares with other dialogs that work long."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QListWidget, QProgressBar, QPushButton, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.session.library.rom_import import (
    ImportOutcome,
    ImportResult,
    list_files,
    prepare_import,
)
from integrator.ui.widgets.fields import TakesFiles
from integrator.ui.widgets.parts import check_box, hbox, push_button, role_label, vbox
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import Theme
from libretro_host.systems.descriptor import SystemDescriptor


class WorkingDialog(QDialog):
    """Runs one piece of work at a time, which looks at ``stopping`` now and then.

    A dialog that is closed while it works hides at once and is deleted when the work has ended,
    unless it was shown again. ``changed``: there are other games, or other consoles.
    """

    changed = Signal()
    _ended = Signal(object)

    def __init__(self, thread_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.stopping = threading.Event()
        self._thread_name = thread_name
        self._worker: ThreadPoolExecutor | None = None
        self._left = False
        self._then: Callable[[Future[Any]], None] | None = None
        self._ended.connect(self._work_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        return self._worker is not None

    def begin(self, work: Callable[[], object], then: Callable[[Future[Any]], None]) -> None:
        """Start work; the window's thread gives its future to ``then``, unless the dialog went."""
        self.stopping.clear()
        self._then = then
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=self._thread_name)
        self._worker.submit(work).add_done_callback(self._ended.emit)
        self._worker.shutdown(wait=False)

    def _work_ended(self, done: Future[Any]) -> None:
        if self._worker is not None:
            self._worker.shutdown(wait=True)  # its thread is on its way out
        self._worker = None
        if self._left:
            self.close()
        elif self._then is not None:
            self._then(done)

    def finish(self) -> None:
        self._leave()
        if self._worker is not None:
            self._worker.shutdown(wait=True, cancel_futures=True)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Hide while the work goes on, and close after it."""
        if self.running:
            event.ignore()
            self.reject()
            return
        super().closeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Stay after the end of work that was to be the last."""
        self._left = False
        super().showEvent(event)

    def reject(self) -> None:
        """Escape and *Close*; Qt's closing of a dialog ends up here, too."""
        self._leave()
        if self.running:
            self.hide()
        else:
            super().reject()

    def _leave(self) -> None:
        self._left = True
        self.stopping.set()


_OUTCOMES = {
    ImportOutcome.IMPORTED: (QT_TRANSLATE_NOOP("ImportDialog", "imported"), "good"),
    ImportOutcome.ALREADY_THERE: (QT_TRANSLATE_NOOP("ImportDialog", "already there"), "secondary"),
    ImportOutcome.MISSED: (QT_TRANSLATE_NOOP("ImportDialog", "missed"), "warn"),
    ImportOutcome.NO_GAME: (QT_TRANSLATE_NOOP("ImportDialog", "no game"), "faint"),
}
"""Words and colours of the outcomes."""


class ImportsModel(RowsModel[ImportResult]):
    """A row a file that was looked at."""

    def table(self) -> Sequence[Column[ImportResult]]:
        return (
            Column(self.tr("result"), self._outcome, color=self._color),
            Column(self.tr("file"), _short, tip=lambda each: each.source),
            Column(self.tr("game"), lambda each: each.game, tip=lambda each: each.game),
            Column(self.tr("details"), _details, tip=_details),
        )

    def _outcome(self, each: ImportResult) -> str:
        return translate("ImportDialog", _OUTCOMES[each.outcome][0])

    def _color(self, each: ImportResult) -> str:
        return str(getattr(self._theme.colors, _OUTCOMES[each.outcome][1]))


def _short(each: ImportResult) -> str:
    """File name, or archive and member."""
    path, mark, member = each.source.partition("!")
    return f"{Path(path).name}{mark}{member}"


def _details(each: ImportResult) -> str:
    return each.reason or (each.target if each.outcome is ImportOutcome.IMPORTED else "")


@dataclass(frozen=True, slots=True)
class _Progress:
    """``done`` of ``total`` files were looked at; ``results`` are those of the last one."""

    done: int
    total: int
    known_games: int
    results: tuple[ImportResult, ...]


class ImportDialog(TakesFiles, WorkingDialog):
    """Looks into folders and zips on a thread of its own; imported games stay. ``imported`` follows
    each game that got its ROM: its directory."""

    imported = Signal(object)
    _moved = Signal(object)

    def __init__(
        self,
        theme: Theme,
        systems: Mapping[str, SystemDescriptor],
        root: Path,
        folders: Sequence[Path] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("import-roms", parent)
        self.setWindowTitle(self.tr("Import ROMs"))
        self.setAcceptDrops(True)
        self._theme = theme
        self._systems = systems
        self._root = root
        self._results: list[ImportResult] = []
        self._counts: Counter[ImportOutcome] = Counter()
        self.folders = QListWidget()
        self.folders.setAccessibleName(self.tr("Folders and files to look into"))
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedHeight(6)
        self.bar.hide()
        self.summary = role_label("", "secondary", wraps=True)
        self.model = ImportsModel(theme, self)
        self.table = DataTable(self.tr("What was found"), self.model)
        self.table.set_widths((110, 200, 170, 300), stretch=3)
        self.only_games = check_box(self.tr("Hide files that are no games"), on=True)
        self._build_ui()
        self._moved.connect(self._show_progress, Qt.ConnectionType.QueuedConnection)
        self.only_games.toggled.connect(lambda _: self.model.show(self._shown(self._results)))
        for folder in folders:
            self.add_place(folder)
        self._show_state()

    def _build_ui(self) -> None:
        heading = role_label(self.tr("Import ROMs of known games"), "heading")
        text = self.tr(
            "Games are recognised by the hash of their ROM, also in zips, whatever the files "
            "are called. Each one found is copied into {0}, with its variables and states."
        )
        note = role_label(text.format(self._root), "secondary", wraps=True)
        icon = self._theme.icons.icon("folder")
        self.add = push_button(self.tr("Add folder…"), self._choose_folder, icon=icon)
        self.remove = push_button(self.tr("Remove"), self._remove_place)
        side = vbox(self.add, self.remove, None)
        self.folders.setFixedHeight(86)
        places = hbox((self.folders, 1), side)
        self.start = push_button(self.tr("Import"), self._start_or_stop, role="primary")
        self.start.setDefault(True)
        self.close_button = QPushButton(self.tr("Close"), autoDefault=False)
        self.close_button.clicked.connect(self.reject)
        foot = hbox(self.only_games, None, self.close_button, self.start)
        parts = (heading, note, places, self.bar, self.summary, (self.table, 1), foot)
        vbox(*parts, on=self, margins=(22, 20, 22, 18), gap=10)
        self.resize(QSize(960, 620))

    @property
    def places(self) -> list[Path]:
        return [Path(self.folders.item(row).text()) for row in range(self.folders.count())]

    def add_place(self, place: Path) -> None:
        if place not in self.places:
            self.folders.addItem(str(place))
        self._show_state()

    def _choose_folder(self) -> None:
        start = str(self.places[-1].parent) if self.places else str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self, self.tr("A folder with ROMs"), start)
        if chosen:
            self.add_place(Path(chosen))

    def _remove_place(self) -> None:
        row = self.folders.currentRow()
        self.folders.takeItem(row if row >= 0 else self.folders.count() - 1)
        self._show_state()

    def take(self, paths: Sequence[Path]) -> None:
        for path in paths:
            self.add_place(path)

    def _start_or_stop(self) -> None:
        if self.running:
            self.stopping.set()
            self.start.setEnabled(False)
            return
        self._results = []
        self._counts.clear()
        self.model.show(())
        places = self.places
        self.begin(lambda: self._run(places), self._show_end)
        self.summary.setText(self.tr("Reading the hashes of all known games…"))
        self.bar.setRange(0, 0)
        self._show_state()

    def _run(self, places: Sequence[Path]) -> None:
        """On the import's thread."""
        files = list_files(places)
        known, importer = prepare_import(self._root, self._systems)
        self._moved.emit(_Progress(0, len(files), known, ()))
        for number, file in enumerate(files, start=1):
            if self.stopping.is_set():
                return
            results = tuple(importer.take(file))
            self._moved.emit(_Progress(number, len(files), known, results))

    def _show_progress(self, progress: _Progress) -> None:
        self.bar.setRange(0, max(1, progress.total))
        self.bar.setValue(progress.done)
        self._results += progress.results
        self.model.add(self._shown(progress.results))
        self._counts.update(each.outcome for each in progress.results)
        for result in progress.results:
            if result.outcome is ImportOutcome.IMPORTED:
                self.imported.emit(Path(result.target).parent)
                self.changed.emit()
        text = self.tr(
            "{0} of {1} files · {2} imported · {3} already there · {4} missed · {5} no games · "
            "{6} games are known"
        )
        numbers = (self._counts[outcome] for outcome in _OUTCOMES)
        known = f"{progress.known_games:,}"
        self.summary.setText(text.format(progress.done, progress.total, *numbers, known))

    def _shown(self, results: Sequence[ImportResult]) -> list[ImportResult]:
        hidden = {ImportOutcome.NO_GAME} if self.only_games.isChecked() else set()
        return [each for each in results if each.outcome not in hidden]

    def _show_end(self, done: Future[None]) -> None:
        self._show_state()
        error = done.exception()
        if isinstance(error, DomainError):
            self.summary.setText(str(error))
        elif error is not None:
            raise error
        elif self.stopping.is_set():
            self.summary.setText(self.summary.text() + " · " + self.tr("stopped"))

    def _show_state(self) -> None:
        places = bool(self.folders.count())
        self.start.setText(self.tr("Stop") if self.running else self.tr("Import"))
        self.start.setEnabled(self.running or places)
        self.add.setEnabled(not self.running)
        self.remove.setEnabled(not self.running and places)
        self.bar.setVisible(self.running)
