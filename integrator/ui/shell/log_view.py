"""The Log panel: messages with their times, and the core's output."""

from __future__ import annotations

import html
import logging
from collections.abc import Sequence

from PySide6.QtCore import QTime
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.theme import Theme, mono_font

MAX_LINES = 1000
_LOG = logging.getLogger("integrator.window")


class LogView(QWidget):
    """Keeps the last MAX_LINES lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(MAX_LINES)
        self.text.setFont(mono_font())
        self.text.setAccessibleName(self.tr("Log"))
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setPlaceholderText(self.tr("Messages of the window and of the core appear here."))
        self.text.setStyleSheet(
            "QPlainTextEdit { border: none; background: transparent; padding: 6px 8px; }"
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)

    def add(self, text: str, kind: NoticeKind = NoticeKind.INFO) -> None:
        """Append a line, to the log file too."""
        _LOG.info("%s: %s", kind.name.lower(), text)
        colors = self._theme.colors
        color = {
            NoticeKind.INFO: colors.secondary,
            NoticeKind.GOOD: colors.good,
            NoticeKind.WARNING: colors.warn,
            NoticeKind.ERROR: colors.bad,
        }[kind]
        now = QTime.currentTime().toString("HH:mm:ss")
        body = html.escape(text).replace("\n", "<br>")
        self.text.appendHtml(
            f'<span style="color:{colors.faint}">{now}</span>&nbsp; '
            f'<span style="color:{color}">{body}</span>'
        )

    def add_messages(self, messages: Sequence[str]) -> None:
        """Append the core's messages to the player."""
        for message in messages:
            self.add(message)

    def add_core_lines(self, lines: Sequence[str]) -> None:
        """Append the core's output."""
        for line in lines:
            self.add(f"core: {line}")
