"""Dialogs of the library: the base of dialogs that work in the background, and the ROM import."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QFileDialog, QListWidget, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.words import tr
from integrator.session.library import rom_import
from integrator.session.library.rom_import import ImportOutcome, ImportResult
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background, Job
from integrator.ui.window_context import WindowContext


class WorkingDialog(ui.Dialog):
    """A dialog with work in the background. Closing it asks the work to end and drops its result.
    ``changed`` is emitted when the dialog changed games or consoles."""

    changed = Signal()

    def __init__(
        self, background: Background, parent: QWidget | None = None, title: str = "", **traits: Any
    ) -> None:
        super().__init__(parent, title, **traits)
        self.background = background

    def done(self, result: int) -> None:
        self.background.drop_all()
        super().done(result)


_OUTCOMES = {
    ImportOutcome.IMPORTED: (tr("imported"), "good"),
    ImportOutcome.ALREADY_THERE: (tr("already there"), "secondary"),
    ImportOutcome.MISSED: (tr("missed"), "warn"),
    ImportOutcome.NO_GAME: (tr("no game"), "faint"),
}
"""The word and the color of each outcome."""


class ImportsModel(ui.RowsModel[ImportResult]):
    """One row for each file that was examined."""

    def table(self) -> Sequence[ui.Column[ImportResult]]:
        def short(each: ImportResult) -> str:
            path, mark, member = each.source.partition("!")
            return f"{Path(path).name}{mark}{member}"

        def details(each: ImportResult) -> str:
            return each.reason or (each.target if each.outcome is ImportOutcome.IMPORTED else "")

        return (
            ui.Column(
                self.tr("result"),
                lambda each: ui.words(_OUTCOMES[each.outcome][0]),
                color=lambda each: _OUTCOMES[each.outcome][1],
            ),
            ui.Column(self.tr("file"), short, tip=lambda each: each.source),
            ui.Column(self.tr("game"), lambda each: each.game, tip=lambda each: each.game),
            ui.Column(self.tr("details"), details, tip=details),
        )


class ImportDialog(ui.TakesFiles, WorkingDialog):
    """Imports ROMs from folders and zips, on a thread. If it is stopped, imported games stay."""

    def __init__(self, background: Background, context: WindowContext) -> None:
        super().__init__(background, context.window, self.tr("Import ROMs"), acceptDrops=True)
        self._systems, self._root = context.systems, context.root
        self._results: list[ImportResult] = []
        self._counts: Counter[ImportOutcome] = Counter()
        self._build_ui(context.theme)
        self._show_state()

    def _build_ui(self, theme: ui.Theme) -> None:
        heading = ui.role_label(self.tr("Import ROMs of known games"), "heading")
        text = self.tr(
            "Games are recognized by the hash of their ROM, also in zips, whatever the files "
            "are called. Each one found is copied into {0}, with its variables and states."
        )
        note = ui.role_label(text.format(self._root), "secondary", wraps=True)
        name = self.tr("Folders and files to look into")
        self.folders = ui.named(QListWidget(), name, fixedHeight=86)
        self.add = ui.push_button(self.tr("Add folder…"), self._choose_folder, icon="folder")
        self.remove = ui.push_button(self.tr("Remove"), self._remove_place)
        places = ui.hbox((self.folders, 1), ui.vbox(self.add, self.remove, None))
        self.bar = ui.thin_bar()
        self.summary = ui.role_label("", "secondary", wraps=True)
        self.model = ImportsModel(theme, self)
        table = ui.DataTable(self.tr("What was found"), self.model)
        table.set_widths((110, 200, 170, 300), stretch=3)
        self.only_games = ui.check_box(self.tr("Hide files that are no games"), on=True)
        self.only_games.toggled.connect(lambda _: self.model.show(self._shown(self._results)))
        start = self._start_or_stop
        self.start = ui.push_button(self.tr("Import"), start, role="primary", default=True)
        self.close_button = ui.push_button(self.tr("Close"), self.reject, autoDefault=False)
        foot = ui.hbox(self.only_games, None, self.close_button, self.start)
        parts = (heading, note, places, self.bar, self.summary, (table, 1), foot)
        ui.vbox(*parts, on=self, margins=(22, 20, 22, 18), gap=10)
        self.resize(QSize(960, 620))

    @property
    def places(self) -> list[Path]:
        return [Path(self.folders.item(row).text()) for row in range(self.folders.count())]

    def _choose_folder(self) -> None:
        start = str(self.places[-1].parent) if self.places else str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self, self.tr("A folder with ROMs"), start)
        if chosen:
            self.take([Path(chosen)])

    def _remove_place(self) -> None:
        row = self.folders.currentRow()
        self.folders.takeItem(row if row >= 0 else self.folders.count() - 1)
        self._show_state()

    def take(self, paths: Sequence[Path]) -> None:
        for path in paths:
            if path not in self.places:
                self.folders.addItem(str(path))
        self._show_state()

    def _start_or_stop(self) -> None:
        if self.background.busy:
            self.background.stop_all()
            self.start.setEnabled(False)
            return
        self._results = []
        self._counts.clear()
        self.model.show(())
        run = partial(self._run, self.places)
        self.background.start(run, self._show_end, self._failed, self._show_progress)
        self.summary.setText(self.tr("Reading the hashes of all known games…"))
        self.bar.setRange(0, 0)
        self._show_state()

    def _run(self, places: Sequence[Path], job: Job) -> bool:
        """Import all files, on the import's thread. Returns False if the import was stopped."""
        files = rom_import.list_files(places)
        known, importer = rom_import.prepare_import(self._root, self._systems)
        job.give((0, len(files), known, ()))
        for number, file in enumerate(files, start=1):
            if job.stopped():
                return False
            job.give((number, len(files), known, tuple(importer.take(file))))
        return True

    def _show_progress(self, progress: tuple[int, int, int, tuple[ImportResult, ...]]) -> None:
        done, total, known, results = progress
        self.bar.setRange(0, max(1, total))
        self.bar.setValue(done)
        self._results += results
        self._counts.update(each.outcome for each in results)
        self.model.add(self._shown(results))
        if any(each.outcome is ImportOutcome.IMPORTED for each in results):
            self.changed.emit()
        text = self.tr(
            "{0} of {1} files · {2} imported · {3} already there · {4} missed · {5} no games · "
            "{6} games are known"
        )
        numbers = (self._counts[outcome] for outcome in _OUTCOMES)
        self.summary.setText(text.format(done, total, *numbers, ui.grouped(known)))

    def _shown(self, results: Sequence[ImportResult]) -> list[ImportResult]:
        hides = self.only_games.isChecked()
        return [each for each in results if not hides or each.outcome is not ImportOutcome.NO_GAME]

    def _show_end(self, whole: bool) -> None:
        self._show_state()
        if not whole:
            self.summary.setText(self.summary.text() + " · " + self.tr("stopped"))

    def _failed(self, error: Exception) -> None:
        self._show_state()
        if not isinstance(error, DomainError):
            raise error
        self.summary.setText(str(error))

    def _show_state(self) -> None:
        places, running = bool(self.folders.count()), self.background.busy
        self.start.setText(self.tr("Stop") if running else self.tr("Import"))
        self.start.setEnabled(running or places)
        self.add.setEnabled(not running)
        self.remove.setEnabled(not running and places)
        self.bar.setVisible(running)
