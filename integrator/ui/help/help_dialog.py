"""The help: the book's pages that ship, and such as the program makes of its own tables."""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QPushButton,
    QTextBrowser,
    QWidget,
)

from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.paths import shipped
from integrator.ui.help.help_reference import table_code
from integrator.ui.widgets.panels.parts import hbox, vbox

_CHAPTERS: Final = ("first-hour", "guide", "how-to")
_PICTURE: Final = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n", re.MULTILINE)
_LINK: Final = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)]+)\)")


def book_pages() -> list[Path]:
    """The pages of the book that ship with the program, in their order."""
    docs = shipped("docs")
    return [page for name in _CHAPTERS for page in sorted((docs / name).glob("*.md"))]


class HelpDialog(QDialog):
    """Pages of Markdown, named by their first heading.

    ``pages`` are files of them; ``more`` are texts of pages behind those. The window itself is
    before the reader, so pictures of it are left out. ``with_keys`` puts the user's keys into a
    text of ``pages``. ``report_requested``: a bug report is wanted; ``tour_requested``: the tour.
    """

    report_requested = Signal()
    tour_requested = Signal()

    def __init__(
        self,
        pages: Sequence[Path],
        more: Sequence[str] = (),
        with_keys: Callable[[str], str] = str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._rows = {page.name: row for row, page in enumerate(pages)}
        texts = (with_keys(read_text(page, SMALL_BYTES)) for page in pages)
        self._texts = [_shown(text, self._rows) for text in texts]
        self._texts += more
        self._list = QListWidget()
        self._page = QTextBrowser()
        self._build_ui()
        self._list.currentRowChanged.connect(
            lambda row: self._page.setMarkdown(table_code(self._texts[row])) if row >= 0 else None
        )
        self._page.anchorClicked.connect(self._follow)
        self._list.setCurrentRow(0)

    def _build_ui(self) -> None:
        self.setWindowTitle(self.tr("Help"))
        self.resize(860, 620)
        self._list.setAccessibleName(self.tr("Help pages"))
        self._list.setFixedWidth(224)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.addItems([_title(text) for text in self._texts])
        self._page.setAccessibleName(self.tr("Help text"))
        self._page.setOpenLinks(False)
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
        pages = hbox(self._list, (self._page, 1))
        vbox((pages, 1), buttons, on=self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def show_page(self, text: str) -> None:
        self._list.setCurrentRow(self._texts.index(text))

    def _follow(self, link: QUrl) -> None:
        row = self._rows.get(link.fileName())
        if link.isRelative() and row is not None:
            self._list.setCurrentRow(row)
        elif not link.isRelative():
            QDesktopServices.openUrl(link)


def _shown(text: str, pages: Iterable[str]) -> str:
    """A page without pictures; a link to a page of the book that does not ship is plain text."""

    def linked(link: re.Match[str]) -> str:
        words, target = link.groups()
        here = target.partition("#")[0].rpartition("/")[2] in pages
        return link[0] if here or "://" in target else words

    return _LINK.sub(linked, _PICTURE.sub("", text))


def _title(text: str) -> str:
    return text.splitlines()[0].lstrip("# ")
