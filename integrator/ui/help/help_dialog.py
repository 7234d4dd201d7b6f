"""The help: pages out of resources/help, and such as the program makes of its own tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from integrator.domain.files.reading import SMALL_BYTES, read_text


class HelpDialog(QDialog):
    """Pages of Markdown, named by their first heading.

    ``pages`` is a folder of them; ``more`` are texts of pages behind those. ``report_requested``:
    a bug report is wanted; ``tour_requested``: the tour.
    """

    report_requested = Signal()
    tour_requested = Signal()

    def __init__(
        self, pages: Path, more: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._texts = [read_text(page, SMALL_BYTES) for page in sorted(pages.glob("*.md"))]
        self._texts += more
        self._list = QListWidget()
        self._page = QTextBrowser()
        self._build_ui()
        self._list.currentRowChanged.connect(
            lambda row: self._page.setMarkdown(self._texts[row]) if row >= 0 else None
        )
        self._list.setCurrentRow(0)

    def _build_ui(self) -> None:
        self.setWindowTitle(self.tr("Help"))
        self.resize(860, 620)
        self._list.setAccessibleName(self.tr("Help pages"))
        self._list.setFixedWidth(224)
        self._list.addItems([_title(text) for text in self._texts])
        self._page.setAccessibleName(self.tr("Help text"))
        self._page.setOpenExternalLinks(True)
        copy = QPushButton(self.tr("Copy a bug report"))
        copy.setToolTip(
            self.tr("Versions, system, game and the last log lines, without names of folders")
        )
        copy.clicked.connect(self.report_requested)
        tour = QPushButton(self.tr("Take the tour"))
        tour.setToolTip(self.tr("The whole job on the demo game, in about five minutes"))
        tour.clicked.connect(self.reject)
        tour.clicked.connect(self.tour_requested)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(tour, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        pages = QHBoxLayout()
        pages.addWidget(self._list)
        pages.addWidget(self._page, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(pages, 1)
        layout.addWidget(buttons)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


def _title(text: str) -> str:
    return text.splitlines()[0].lstrip("# ")
