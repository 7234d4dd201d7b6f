"""The help: pages out of resources/help and made by the program, and a report for a bug tracker."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
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


class HelpDialog(QDialog):
    """Pages of Markdown, named by their first heading, and a button that copies ``report``.

    ``pages`` is a folder of them; ``more`` are texts of pages behind those.
    """

    def __init__(
        self, pages: Path, report: str, more: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._texts = [page.read_text(encoding="utf-8") for page in sorted(pages.glob("*.md"))]
        self._texts += more
        self._report = report
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
        self._list.setFixedWidth(200)
        self._list.addItems([_title(text) for text in self._texts])
        self._page.setAccessibleName(self.tr("Help text"))
        self._page.setOpenExternalLinks(True)
        copy = QPushButton(self.tr("Copy a bug report"))
        copy.setToolTip(self.tr("Versions of the program, Python, Qt, the core and the game"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._report))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        pages = QHBoxLayout()
        pages.addWidget(self._list)
        pages.addWidget(self._page, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(pages, 1)
        layout.addWidget(buttons)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


def bug_report(version: str, game: str, core: str) -> str:
    """What a bug tracker needs to know of this installation."""
    return "\n".join(
        (
            f"integrator {version}",
            f"Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}",
            f"game: {game or 'none'}",
            f"core: {core or 'none'}",
        )
    )


def _title(text: str) -> str:
    return text.splitlines()[0].lstrip("# ")
