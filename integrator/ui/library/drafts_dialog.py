"""The review of integrations that ``integrator auto`` made, a row a game, by keyboard."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QWidget

from integrator.domain.errors import DomainError
from integrator.session.library.entries import AutoDraft, accept, auto_drafts, take_next
from integrator.session.setup.roots import integration_roots
from integrator.ui.library.import_dialog import WorkingDialog
from integrator.ui.widgets.parts import hbox, push_button, role_label, vbox
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.table import DataTable
from integrator.ui.widgets.theme import Theme

_LOOK_EVERY_MS = 3000
"""A run in the background adds games while the list is open."""


class DraftsModel(RowsModel[AutoDraft]):
    """A row a game: its least certain part."""

    def table(self) -> Sequence[Column[AutoDraft]]:
        return (
            Column(self.tr("game"), lambda each: each.directory.name),
            Column(self.tr("part"), lambda each: each.report.least_certain),
            Column(self.tr("sure"), lambda each: f"{each.part.confidence:.0%}"),
            Column(self.tr("candidate"), lambda each: each.part.value),
            Column(self.tr("evidence"), _evidence, tip=_evidence),
        )


def _evidence(draft: AutoDraft) -> str:
    return "; ".join((*draft.part.evidence, *draft.report.traps, *draft.report.checks))


class DraftsDialog(WorkingDialog):
    """Lists games with a part that nobody has accepted, the least certain first. ``open_path``
    opens the evidence movie of a game."""

    def __init__(
        self, theme: Theme, open_path: Callable[[Path], object], parent: QWidget | None = None
    ) -> None:
        super().__init__("drafts", parent)
        self.setWindowTitle(self.tr("Drafts"))
        self._open_path = open_path
        self.model = DraftsModel(theme, self)
        self.table = DataTable(self.tr("Integrations to review"), self.model)
        self.table.set_widths((190, 70, 60, 240, 300), stretch=4)
        self.note = role_label("", "secondary", wraps=True)
        self._timer = QTimer(self, interval=_LOOK_EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._build_ui()

    def _build_ui(self) -> None:
        heading = role_label(self.tr("Integrations that were made without a person"), "heading")
        keys = (
            (self.tr("Accept (A)"), "A", lambda: self._change(accept), "primary"),
            (self.tr("Next candidate (N)"), "N", lambda: self._change(take_next), ""),
            (self.tr("Open (O)"), "O", self._open, ""),
        )
        buttons = []
        for text, key, act, role in keys:
            QShortcut(QKeySequence(key), self, act)
            buttons.append(push_button(text, act, role=role))
        foot = hbox(None, *reversed(buttons))
        vbox(heading, self.note, (self.table, 1), foot, on=self, margins=(22, 20, 22, 18), gap=10)
        self.resize(QSize(960, 520))

    @property
    def chosen(self) -> AutoDraft | None:
        """The game of the current row, or of the first one."""
        if not self.model.rows:
            return None
        return self.model.at(max(0, self.table.currentIndex().row()))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        """Look at the folders now, and again and again while the list is open."""
        super().showEvent(event)
        self.look()
        self._timer.start()

    def look(self) -> None:
        if not self.running and self.isVisible():
            self.begin(lambda: auto_drafts(integration_roots()), self._show)

    def _show(self, found: Future[list[AutoDraft]]) -> None:
        self._fill(found.result())

    def _fill(self, drafts: Sequence[AutoDraft]) -> None:
        row = self.table.currentIndex().row()
        self.model.show_changed(drafts)
        if drafts:
            self.table.selectRow(min(max(row, 0), len(drafts) - 1))
        self.note.setText(
            self.tr("The least certain part of each game comes first.")
            if drafts
            else self.tr("Nothing to review: integrator auto makes integrations of ROMs.")
        )

    def _change(self, change: Callable[[AutoDraft], AutoDraft]) -> None:
        draft = self.chosen
        if draft is None:
            return
        try:
            changed = change(draft)
        except DomainError as error:
            self.note.setText(str(error))
            return
        rows = [changed if each is draft else each for each in self.model.rows]
        self._fill([each for each in rows if not each.report.is_accepted])
        self.changed.emit()

    def _open(self) -> None:
        draft = self.chosen
        if draft is not None:
            movie = draft.directory / draft.report.movie
            self._open_path(movie if movie.is_file() else draft.directory)
