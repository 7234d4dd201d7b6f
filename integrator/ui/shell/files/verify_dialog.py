"""The Verify dialog: progress while an integration is verified, then the report."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from integrator.session.library.checks.verification import Verification
from integrator.ui.widgets.panels.labels import role_label, set_role
from integrator.ui.widgets.room.boxes import hbox, vbox
from integrator.ui.widgets.theme import mono_font


class VerifyDialog(QDialog):
    """Stays beside the window; the game can be played meanwhile. ``stop_requested``: no further."""

    stop_requested = Signal()

    def __init__(self, name: str, *, unsaved: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Verify {0}").format(name))
        self.state = role_label(self.tr("Checking files, states and scripts…"), "subheading")
        self.unsaved = role_label(
            self.tr("Unsaved edits are left out: save them first to verify them."), "warn"
        )
        self.unsaved.setVisible(unsaved)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.bar.setRange(0, 0)
        self.bar.setAccessibleName(self.tr("Steps compared"))
        self.report = QPlainTextEdit()
        self.report.setReadOnly(True)
        self.report.setFont(mono_font())
        self.report.setAccessibleName(self.tr("Report"))
        self.copy = QPushButton(self.tr("Copy report"))
        self.copy.setEnabled(False)
        self.copy.clicked.connect(
            lambda: QGuiApplication.clipboard().setText(self.report.toPlainText())
        )
        self.stop = QPushButton(self.tr("Stop"))
        self.stop.clicked.connect(self.stop_requested)
        close = QPushButton(self.tr("Close"))
        close.clicked.connect(self.close)
        self._build_ui(close)
        self.finished.connect(lambda _: self.stop_requested.emit())

    def _build_ui(self, close: QPushButton) -> None:
        buttons = hbox(self.copy, None, self.stop, close)
        vbox(self.state, self.unsaved, self.bar, (self.report, 1), buttons, on=self)
        self.resize(640, 340)

    def show_progress(self, done: int, total: int) -> None:
        """Show the steps compared so far; 0 while stable-retro takes its own."""
        self.bar.setRange(0, total if done else 0)
        self.bar.setValue(done)
        self.state.setText(
            self.tr("Comparing step {0} of {1}…").format(f"{done:,}", f"{total:,}")
            if done
            else self.tr("Taking {0} random steps in stable-retro…").format(f"{total:,}")
        )

    def show_result(self, result: Verification) -> None:
        """Show the report, which can be copied."""
        self._end(self.tr("Verified") if result.passed else self.tr("Not verified"))
        set_role(self.state, "good" if result.passed else "bad")
        self.report.setPlainText(result.text)
        self.copy.setEnabled(True)

    def show_failure(self, error: Exception) -> None:
        """Say why there is no report."""
        self._end(str(error))
        set_role(self.state, "bad")

    def _end(self, text: str) -> None:
        self.state.setText(text)
        self.bar.hide()
        self.stop.hide()
