"""The Log panel: messages with their times, and the output of the core."""

import html
import logging
from collections import deque
from collections.abc import Iterable

from PySide6.QtCore import QTime
from PySide6.QtWidgets import QPlainTextEdit

from integrator.ui import widgets as ui
from integrator.ui.window_context import PanelView

MAX_LINES = 1000
_COLORS = dict(zip(ui.NoticeKind, ("secondary", "good", "warn", "bad"), strict=True))
_LOG = logging.getLogger("integrator.window")


class LogView(PanelView):
    """Shows the newest MAX_LINES messages."""

    def _set_up(self) -> None:
        self._lines: deque[tuple[str, str, ui.NoticeKind]] = deque(maxlen=MAX_LINES)
        hint = self.tr("Messages of the window and of the core appear here.")
        traits = {"maximumBlockCount": MAX_LINES, "frameShape": QPlainTextEdit.Shape.NoFrame}
        self.text = ui.text_view(self.tr("Log"), placeholderText=hint, **traits)
        look = "border: none; background: transparent; padding: 6px 8px;"
        self.text.setStyleSheet(f"QPlainTextEdit {{ {look} }}")
        ui.stack(self, self.text)
        ui.Theme.now.changed.connect(self._color)
        self._controller.core_said.connect(self.add_lines)

    def add(self, text: str, kind: ui.NoticeKind = ui.NoticeKind.INFO) -> None:
        _LOG.info("%s: %s", kind.name.lower(), text)
        line = QTime.currentTime().toString("HH:mm:ss"), text, kind
        self._lines.append(line)
        self._append(*line)

    def _color(self) -> None:
        """Write all lines again, because their colors are part of the text."""
        self.text.clear()
        for line in self._lines:
            self._append(*line)

    def _append(self, time: str, text: str, kind: ui.NoticeKind) -> None:
        colors = ui.Theme.now.colors
        color = getattr(colors, _COLORS[kind])
        body = html.escape(text).replace("\n", "<br>")
        self.text.appendHtml(
            f'<span style="color:{colors.faint}">{time}</span>&nbsp; '
            f'<span style="color:{color}">{body}</span>'
        )

    def add_lines(self, lines: Iterable[str], before: str) -> None:
        for line in lines:
            self.add(f"{before}{line}")
