"""The list of lines of a file that gave no note, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QWidget,
)

from integrator.ui.widgets.room.boxes import vbox
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
        head = QLabel(f"{summary}.\n{counted(text, count).format(f'{count:,}')}")
        head.setWordWrap(True)
        self.lines = QPlainTextEdit("\n".join(problems))
        self.lines.setReadOnly(True)
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
