"""Dialogs of the library that work in the background: the ROM import, and drafts to review."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFileDialog, QListWidget, QToolButton, QWidget

from integrator.domain.errors import DomainError
from integrator.domain.words import tr
from integrator.session.library import rom_import
from integrator.session.library.draft_evidence import DraftEvidence, draft_evidence
from integrator.session.library.entries import AutoDraft, accept, auto_drafts, take_next
from integrator.session.library.rom_import import ImportOutcome, ImportResult
from integrator.session.setup.roots import integration_roots
from integrator.ui import widgets as ui
from integrator.ui.bridge.background import Background, Job
from integrator.ui.window_context import WindowContext

if TYPE_CHECKING:
    from integrator.unattended.job import AutoResult


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


_OUTCOMES = {  # word and color
    ImportOutcome.IMPORTED: (tr("imported"), "good"),
    ImportOutcome.ALREADY_THERE: (tr("already there"), "secondary"),
    ImportOutcome.MISSED: (tr("missed"), "warn"),
    ImportOutcome.NO_GAME: (tr("no game"), "faint"),
}


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
        self._build_ui()
        self._show_state()

    def _build_ui(self) -> None:
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
        self.model = ImportsModel(self)
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


_PICTURE = QSize(284, 213)


class DraftsModel(ui.RowsModel[AutoDraft]):
    """One row for each game, with the least certain part of its draft."""

    def table(self) -> Sequence[ui.Column[AutoDraft]]:
        def evidence(draft: AutoDraft) -> str:
            report = draft.report
            return "; ".join((*draft.part.evidence, *report.traps, *report.checks))

        return (
            ui.Column(self.tr("game"), lambda each: each.directory.name),
            ui.Column(self.tr("part"), lambda each: each.report.least_certain),
            ui.Column(self.tr("sure"), lambda each: f"{each.part.confidence:.0%}"),
            ui.Column(self.tr("candidate"), lambda each: each.part.value),
            ui.Column(self.tr("evidence"), evidence, tip=evidence),
        )


class EvidenceCard(QWidget):
    """Short films of up to three moments of the movie, with the number and the reward below each,
    and the number's curve. ``opened`` is called with the frame of a film that the user clicks."""

    def __init__(self, opened: Callable[[int], object]) -> None:
        super().__init__()
        self._evidence: DraftEvidence | None = None
        self._at = 0
        self.films = [QToolButton(autoRaise=True) for _ in range(3)]
        for place, film in enumerate(self.films):
            ui.configured(film, iconSize=_PICTURE, toolTip=self.tr("Open the game at this frame"))
            film.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            film.clicked.connect(lambda _=False, place=place: opened(self.frames[place]))
        self.course = ui.configured(ui.TrendLine(), fixedHeight=44)
        self._clock = QTimer(self, interval=100)
        self._clock.timeout.connect(self._next_picture)
        ui.vbox(ui.hbox(*self.films, None, margins=0), self.course, on=self, margins=0)
        self.show_evidence(None)

    @property
    def frames(self) -> list[int]:
        return [scene.frame for scene in self._evidence.scenes] if self._evidence else []

    def show_evidence(self, evidence: DraftEvidence | None) -> None:
        self._evidence = evidence
        scenes = evidence.scenes if evidence is not None else ()
        course = evidence.course.tolist() if evidence is not None else []
        self.course.show_values(course, [scene.frame - 1 for scene in scenes])
        if course:
            ends = map(ui.plain_number, (min(course), max(course)))
            ui.describe(self.course, self.tr("From {0} to {1}").format(*ends))
        for film, scene in zip(self.films, scenes, strict=False):
            frame, earned = ui.grouped(scene.frame), ui.plain_number(scene.earned)
            text = self.tr("frame {0} · earned {1}").format(frame, earned)
            if scene.number is not None:
                number = ui.plain_number(scene.number)
                text = self.tr("frame {0}: {1} · earned {2}").format(frame, number, earned)
            film.setText(text)
        for place, film in enumerate(self.films):
            film.setVisible(place < len(scenes))
        self._at = 0
        self._next_picture()

    def _next_picture(self) -> None:
        scenes = self._evidence.scenes if self._evidence else ()
        for film, scene in zip(self.films, scenes, strict=False):
            if scene.film:
                image = ui.rgb_image(scene.film[self._at % len(scene.film)])
                film.setIcon(QIcon(ui.fitted_pixmap(image, _PICTURE, self.devicePixelRatioF())))
            else:
                film.setIcon(QIcon())
        self._at += 1
        if scenes and self.isVisible():
            self._clock.start()
        else:
            self._clock.stop()


class DraftsDialog(ui.TakesFiles, WorkingDialog):
    """Lists games with a part that nobody has accepted yet, least certain first. Dropped ROMs
    become drafts on the thread ``making``, one after the other, until the dialog is closed."""

    def __init__(self, background: Background, context: WindowContext, making: Background) -> None:
        super().__init__(background, context.window, self.tr("Drafts"), acceptDrops=True)
        self.making = making
        self._context = context
        self._problems: list[str] = []
        self.model = DraftsModel(self)
        self.table = ui.DataTable(self.tr("Integrations to review"), self.model)
        self.table.set_widths((190, 70, 60, 240, 300), stretch=4)
        self.note = ui.role_label("", "secondary", wraps=True)
        self._hint = self.tr("The least certain part of each game comes first.")
        self.card = EvidenceCard(self._open_at)
        self._shown: AutoDraft | None = None
        self._settle = ui.settle_timer(self, 150, self._look_closely)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._settle.start())
        # A process in the background may add games while the list is open.
        self._timer = QTimer(self, interval=3000)
        self._timer.timeout.connect(self._look)
        heading = ui.role_label(self.tr("Integrations that were made without a person"), "heading")
        keys = (
            (self.tr("Accept (A)"), "A", lambda: self._change(accept), "primary"),
            (self.tr("Next candidate (N)"), "N", lambda: self._change(take_next), ""),
            (self.tr("Open (O)"), "O", lambda: self._open_at(*self.card.frames[:1]), ""),
        )
        buttons = []
        for text, key, act, role in keys:
            QShortcut(QKeySequence(key), self, act)
            buttons.append(ui.push_button(text, act, role=role))
        tip = self.tr("Make integrations of ROMs; they can be dropped here, too")
        self.add = ui.push_button(self.tr("ROMs…"), self._choose_roms, tip)
        self.bar = ui.thin_bar(visible=False)
        self.progress = ui.role_label("", "secondary", wraps=True, visible=False)
        foot = ui.hbox(self.add, None, *reversed(buttons))
        parts = (heading, self.note, (self.table, 1), self.card, self.progress, self.bar, foot)
        ui.vbox(*parts, on=self, margins=(22, 20, 22, 18), gap=10)
        self.resize(QSize(960, 720))

    @property
    def chosen(self) -> AutoDraft | None:
        row = max(0, self.table.currentIndex().row())
        return self.model.at(row) if self.model.rows else None

    def done(self, result: int) -> None:
        self.making.drop_all()
        super().done(result)

    def _choose_roms(self) -> None:
        start = self._context.settings.folder("rom", Path.home())
        chosen, _ = QFileDialog.getOpenFileNames(self, self.tr("ROMs to integrate"), str(start))
        if chosen:
            self._context.settings.set_folder("rom", Path(chosen[0]).parent)
            self.take([Path(each) for each in chosen])

    def take(self, paths: Sequence[Path]) -> None:
        """Make integrations of ROMs, after the ROMs that are still waiting."""

        def work(job: Job) -> None:
            # The module imports Gymnasium, which would delay the start of the window.
            from integrator.unattended.job import AutoJob, run_alone  # noqa: PLC0415 - see above

            for number, rom in enumerate(paths):
                job.give((number, rom.name, None))
                made = run_alone(AutoJob(rom.absolute(), self._context.root), job.stopped)
                if job.stopped():
                    return
                job.give((number + 1, rom.name, made))

        def show(step: "tuple[int, str, AutoResult | None]") -> None:
            number, name, made = step
            if made is not None and made.reason:
                self._problems.append(f"{name}: {made.reason}")
            elif made is not None:
                self.changed.emit()
            text = self.tr("Playing {0}, {1} of {2}: this takes minutes a game")
            now = text.format(name, min(number + 1, len(paths)), len(paths))
            self.progress.setText("\n".join([*self._problems, now]))
            self.bar.setRange(0, len(paths))
            self.bar.setValue(number)

        def finished(_: None) -> None:
            self.bar.setVisible(self.making.busy)
            self.progress.setText("\n".join(self._problems))
            self.progress.setVisible(bool(self._problems) or self.making.busy)

        self.bar.show()
        self.progress.show()
        self.making.start(work, finished, each=show)

    def showEvent(self, event: QShowEvent) -> None:
        """Read the folders now, and every 3 seconds while the list is open."""
        super().showEvent(event)
        self._look()
        self._timer.start()

    def _look(self) -> None:
        if not self.background.busy and self.isVisible():
            self.background.start(lambda _: auto_drafts(integration_roots()), self._fill)

    def _fill(self, drafts: Sequence[AutoDraft]) -> None:
        if drafts and list(drafts) == list(self.model.rows):
            return  # An error that the note shows must stay.
        chosen = self.chosen
        self.model.show_changed(drafts)
        self.note.setText(self._hint)
        if drafts:
            # New games may come before the game that the user looks at, which stays selected.
            same = (chosen and each.directory == chosen.directory for each in drafts)
            self.table.selectRow(next((row for row, is_same in enumerate(same) if is_same), 0))
        else:
            text = self.tr("Nothing to review: integrator auto makes integrations of ROMs.")
            self.note.setText(text)
        self._settle.start()

    def _change(self, change: Callable[[AutoDraft], AutoDraft]) -> None:
        draft = self.chosen
        with ui.errors_to(self.note.setText):
            rows = [change(each) if each is draft else each for each in self.model.rows]
            if draft is not None:
                self.background.drop_all()  # Drop a list that was read before the change.
                self._fill([each for each in rows if not each.report.is_accepted])
                self.changed.emit()

    def _look_closely(self) -> None:
        """Play the movie of the selected game's part, and then show the evidence."""
        draft = self.chosen
        if draft is not None and self._shown == draft:
            return
        self._shown = draft
        self.background.drop_all()
        self.card.show_evidence(None)
        if draft is None:
            return
        self.note.setText(self._hint)
        if not (draft.directory / draft.report.movie).is_file():
            return

        def show(evidence: DraftEvidence) -> None:
            self.card.show_evidence(evidence)
            self.note.setText(self._hint)

        self.note.setText(self.tr("Playing the evidence of {0}…").format(draft.directory.name))
        start, say = self.background.start, self.note.setText
        start(lambda job: draft_evidence(draft, job.stopped), show, lambda error: say(str(error)))

    def _open_at(self, frame: int | None = None) -> None:
        if (draft := self.chosen) is not None:
            movie = draft.directory / draft.report.movie
            if movie.is_file():
                self._context.open_path(movie, frame)
            else:
                self._context.open_path(draft.directory)
