"""Verifies the open integration's files in the background."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QProgressBar, QWidget

from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library.checks.checking import Verification, verify
from integrator.ui.bridge.background import Background
from integrator.ui.desk import Part
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import hbox, push_button, role_label, set_role, vbox
from integrator.ui.widgets.theme import mono_font


class VerifyDialog(QDialog):
    """Stays open while the game can be played. ``stop_requested``: no further."""

    stop_requested = Signal()

    def __init__(self, name: str, *, unsaved: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Verify {0}").format(name))
        self.state = role_label(self.tr("Checking files, states and scripts…"), "subheading")
        left_out = self.tr("Unsaved edits are left out: save them first to verify them.")
        self.unsaved = role_label(left_out, "warn")
        self.unsaved.setVisible(unsaved)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setFixedHeight(6)
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(self.tr("Steps compared"))
        self.report = QPlainTextEdit(readOnly=True)
        self.report.setFont(mono_font())
        self.report.setAccessibleName(self.tr("Report"))
        self.copy = push_button(self.tr("Copy report"), self._copy)
        self.copy.setEnabled(False)
        self.stop = push_button(self.tr("Stop"), self.stop_requested.emit)
        buttons = hbox(self.copy, None, self.stop, push_button(self.tr("Close"), self.close))
        vbox(self.state, self.unsaved, self.bar, (self.report, 1), buttons, on=self)
        self.resize(640, 340)
        self.finished.connect(lambda _: self.stop_requested.emit())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())

    def show_progress(self, done: int, total: int) -> None:
        self.bar.setRange(0, total if done else 0)
        self.bar.setValue(done)
        text = self.tr("Taking {0} random steps in stable-retro…").format(f"{total:,}")
        if done:
            text = self.tr("Comparing step {0} of {1}…").format(f"{done:,}", f"{total:,}")
        self.state.setText(text)

    def show_result(self, result: Verification) -> None:
        text = self.tr("Verified") if result.passed else self.tr("Not verified")
        self.show_end(text, "good" if result.passed else "bad")
        self.report.setPlainText(result.text)
        self.copy.setEnabled(True)

    def show_end(self, text: str, role: str) -> None:
        self.state.setText(text)
        set_role(self.state, role)
        self.bar.hide()
        self.stop.hide()


class Verifier(Part):
    """One verification at a time; its dialog shows the progress and the report. ``verified`` gives
    each complete Verification."""

    verified = Signal(object)

    def _set_up(self) -> None:
        self.dialog: VerifyDialog | None = None
        self._background = Background(self._bridge, "verify", self)
        self._background.progressed.connect(self._show_progress)
        self._desk.actions.on("verify", self.verify)

    def verify(self) -> None:
        game, documents = self._controller.game, self._controller.documents
        if game is None or documents is None:
            return
        if not game.is_integration:
            text = self.tr("Only an integration can be verified: make one of this ROM first.")
            remedy = self.tr("Make integration…"), self._desk.actions["save"].trigger
            self._say(NoticeKind.INFO, text, remedy)
            return
        self._closed()
        unsaved = documents.modified
        self.dialog = dialog = VerifyDialog(game.name, unsaved=unsaved, parent=self._window)
        job = self._background.start(
            lambda job: verify(game.directory, job.progress, job.stopped),
            lambda result: self._take(game, result),
            lambda error: self.dialog.show_end(str(error), "bad") if self.dialog else None,
        )
        dialog.stop_requested.connect(job.stop)
        dialog.finished.connect(self._forget)
        dialog.show()

    def _forget(self) -> None:
        self.dialog = None

    def _closed(self) -> None:
        if self.dialog is not None:
            self.dialog.close()

    def _show_progress(self, done: int, total: int) -> None:
        if self.dialog is not None:
            self.dialog.show_progress(done, total)

    def _take(self, game: GameSnapshot, result: Verification) -> None:
        if game is self._controller.game and result.agreement is not None:
            self.verified.emit(result)
        if self.dialog is not None:
            self.dialog.show_result(result)
