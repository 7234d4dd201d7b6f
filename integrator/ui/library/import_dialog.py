"""The dialog that imports ROMs: progress, imported games, and a reason for each miss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QListWidget,
    QProgressBar,
    QPushButton,
    QTableWidgetItem,
    QWidget,
)

from integrator.domain.errors import DomainError
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.session.library.rom_import import ImportOutcome, ImportResult, list_files
from integrator.session.library.rom_index import prepare_import
from integrator.ui.library.working_dialog import WorkingDialog
from integrator.ui.widgets.panels.parts import hbox, role_label, set_role, vbox
from integrator.ui.widgets.panels.table import FixedTable
from integrator.ui.widgets.theme import SIZES, Theme
from libretro_host.systems.descriptor import SystemDescriptor

_OUTCOMES = {
    ImportOutcome.IMPORTED: QT_TRANSLATE_NOOP("ImportDialog", "imported"),
    ImportOutcome.ALREADY_THERE: QT_TRANSLATE_NOOP("ImportDialog", "already there"),
    ImportOutcome.MISSED: QT_TRANSLATE_NOOP("ImportDialog", "missed"),
    ImportOutcome.NO_GAME: QT_TRANSLATE_NOOP("ImportDialog", "no game"),
}


@dataclass(frozen=True, slots=True)
class _Progress:
    """``done`` of ``total`` files were looked at; ``results`` are those of the last one."""

    done: int
    total: int
    known_games: int
    results: tuple[ImportResult, ...]


class ImportDialog(WorkingDialog):
    """Looks into folders and zips on a thread of its own; imported games stay.

    ``imported`` follows each game that got its ROM: its directory.
    """

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
        self._counts: Counter[ImportOutcome] = Counter()
        self._outcomes: list[ImportOutcome] = []
        self._known = 0
        self.folders = QListWidget()
        self.folders.setAccessibleName(self.tr("Folders and files to look into"))
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedHeight(6)
        self.bar.hide()
        self.summary = role_label("", "secondary", wraps=True)
        self.table = FixedTable(
            self.tr("What was found"),
            (self.tr("result"), self.tr("file"), self.tr("game"), self.tr("details")),
        )
        self.only_games = QCheckBox(self.tr("Hide files that are no games"))
        self.only_games.setChecked(True)
        self._build_ui()
        self._moved.connect(self._show_progress, Qt.ConnectionType.QueuedConnection)
        self.only_games.toggled.connect(lambda _: self._hide_rows())
        for folder in folders:
            self.add_place(folder)
        self._show_state()

    def _build_ui(self) -> None:
        heading = role_label(self.tr("Import ROMs of known games"), "heading")
        text = role_label(
            self.tr(
                "Games are recognised by the hash of their ROM, also in zips, whatever the files "
                "are called. Each one found is copied into {0}, with its variables and states."
            ).format(self._root),
            "secondary",
        )
        text.setWordWrap(True)
        self.add = QPushButton(self.tr("Add folder…"))
        self.add.setIcon(self._theme.icons.icon("folder"))
        self.add.clicked.connect(self._choose_folder)
        self.remove = QPushButton(self.tr("Remove"))
        self.remove.clicked.connect(self._remove_place)
        side = vbox(self.add, self.remove, None)
        self.folders.setFixedHeight(86)
        places = hbox((self.folders, 1), side)
        self._build_table()
        self.start = QPushButton(self.tr("Import"))
        set_role(self.start, "primary")
        self.start.setDefault(True)
        self.start.clicked.connect(self._start_or_stop)
        self.close_button = QPushButton(self.tr("Close"), autoDefault=False)
        self.close_button.clicked.connect(self.reject)
        foot = hbox(self.only_games, None, self.close_button, self.start)
        vbox(
            heading,
            text,
            places,
            self.bar,
            self.summary,
            (self.table, 1),
            foot,
            on=self,
            margins=(22, 20, 22, 18),
            gap=10,
        )
        self.resize(QSize(960, 620))

    def _build_table(self) -> None:
        table = self.table
        table.setWordWrap(False)
        table.setTextElideMode(Qt.TextElideMode.ElideRight)
        table.verticalHeader().setDefaultSectionSize(SIZES.row)
        for column, width in enumerate((110, 200, 170)):
            table.setColumnWidth(column, width)

    # -- places -----------------------------------------------------------------------------

    @property
    def places(self) -> list[Path]:
        """Folders and files to look into."""
        return [Path(self.folders.item(row).text()) for row in range(self.folders.count())]

    def add_place(self, place: Path) -> None:
        """Look into a folder, a zip or a file, too."""
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

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Take local files and folders."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Look into dropped files and folders, too."""
        for url in event.mimeData().urls():
            if url.isLocalFile():
                self.add_place(Path(url.toLocalFile()))
        event.acceptProposedAction()

    # -- the import -------------------------------------------------------------------------

    def _start_or_stop(self) -> None:
        if self.running:
            self.stopping.set()
            self.start.setEnabled(False)
            return
        self._counts.clear()
        self._outcomes.clear()
        self.table.setRowCount(0)
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
        self._known = progress.known_games
        self.bar.setRange(0, max(1, progress.total))
        self.bar.setValue(progress.done)
        for result in progress.results:
            self._counts[result.outcome] += 1
            self._add_row(result)
            if result.outcome is ImportOutcome.IMPORTED:
                self.imported.emit(Path(result.target).parent)
        self._show_summary(progress.done, progress.total)

    def _show_summary(self, done: int, total: int) -> None:
        counts = self._counts
        text = self.tr(
            "{0} of {1} files · {2} imported · {3} already there · {4} missed · {5} no games · "
            "{6} games are known"
        )
        self.summary.setText(
            text.format(
                done,
                total,
                counts[ImportOutcome.IMPORTED],
                counts[ImportOutcome.ALREADY_THERE],
                counts[ImportOutcome.MISSED],
                counts[ImportOutcome.NO_GAME],
                f"{self._known:,}",
            )
        )

    def _add_row(self, result: ImportResult) -> None:
        colors = self._theme.colors
        color = {
            ImportOutcome.IMPORTED: colors.good,
            ImportOutcome.ALREADY_THERE: colors.secondary,
            ImportOutcome.MISSED: colors.warn,
            ImportOutcome.NO_GAME: colors.faint,
        }[result.outcome]
        row = self.table.rowCount()
        self.table.insertRow(row)
        reason = result.reason or (
            result.target if result.outcome is ImportOutcome.IMPORTED else ""
        )
        texts = (self.tr(_OUTCOMES[result.outcome]), _short(result.source), result.game, reason)
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            item.setToolTip(result.source if column == 1 else text)
            item.setForeground(QColor(color if column == 0 else colors.text))
            self.table.setItem(row, column, item)
        self._outcomes.append(result.outcome)
        self._hide_row(row)

    def _hide_rows(self) -> None:
        for row in range(self.table.rowCount()):
            self._hide_row(row)

    def _hide_row(self, row: int) -> None:
        no_game = self._outcomes[row] is ImportOutcome.NO_GAME
        self.table.setRowHidden(row, no_game and self.only_games.isChecked())

    def _show_end(self, done: Future[None]) -> None:
        self.bar.setRange(0, 1)
        self.bar.setValue(1)
        error = done.exception()
        if isinstance(error, DomainError):
            self.summary.setText(str(error))
        elif error is not None:
            self._show_state()
            raise error
        elif self.stopping.is_set():
            self.summary.setText(self.summary.text() + " · " + self.tr("stopped"))
        self._show_state()

    def _show_state(self) -> None:
        places = bool(self.folders.count())
        self.start.setText(self.tr("Stop") if self.running else self.tr("Import"))
        self.start.setEnabled(self.running or places)
        self.add.setEnabled(not self.running)
        self.remove.setEnabled(not self.running and places)
        self.bar.setVisible(self.running)


def _short(source: str) -> str:
    """File name, or archive and member."""
    path, mark, member = source.partition("!")
    return f"{Path(path).name}{mark}{member}"
