"""The help: the book's pages that ship, and reference pages made from the program's tables."""

import html
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
from integrator.domain.scenario.tree import OPS, Condition, Measurement
from integrator.domain.search.operators import OPERATORS
from integrator.domain.sweep.readings import scales_of
from integrator.domain.values.datatype import ENDIANS, KINDS, DataType
from integrator.paths import shipped
from integrator.ui.terms import CONDITION_TEXTS, COPY_TEXT, MEASUREMENT_TEXTS, help_text
from integrator.ui.widgets.parts import hbox, vbox
from integrator.ui.widgets.texts import translate

_BAR: Final = r"\|"
_CODE: Final = re.compile(r"(?<!`)`([^`\n]*\\\|[^`\n]*)`")


def table_code(markdown: str) -> str:
    """``markdown`` with such code as HTML. Qt and Python-Markdown show the backslash otherwise."""

    def as_html(code: re.Match[str]) -> str:
        return f"<code>{html.escape(code[1].replace(_BAR, '|')).replace('|', '&#124;')}</code>"

    return _CODE.sub(as_html, markdown)


_SAMPLE = 1230
_REFERENCE = 1
_MEASURED = (-1, 0, 1, 2)


def reference_page() -> str:
    """A page of Markdown. Every example is computed by the code that it explains."""
    parts = (_types(), _scales(), _comparisons(), _measurements(), _ops(), _conditions())
    return "\n".join(line for part in parts for line in part)


def _types() -> Iterable[str]:
    yield "# Data types and ops"
    yield ""
    yield "A type is a byte order, a kind and a number of bytes (1 to 8): `>u2` is an unsigned "
    yield "number of two bytes, high byte first."
    yield ""
    rows = [(_code(kind), help_text(row.words), *_sample(kind)) for kind, row in KINDS.items()]
    yield from _table(("kind", "means", f"{_SAMPLE} in memory", "holds"), rows)
    yield from _table(
        ("byte order", "means", "bytes 12 34 56 78 as u4"),
        [(_code(sign), help_text(words), _mixed(sign)) for sign, words in ENDIANS.items()],
    )
    yield "## When a candidate is a copy"
    yield ""
    yield help_text(COPY_TEXT)
    yield ""


def _sample(kind: str) -> tuple[str, str]:
    types = (DataType.parse(f">{kind}{width}") for width in (2, 4))
    data_type = next(each for each in types if each.maximum >= _SAMPLE)
    raw = data_type.encode(_SAMPLE).hex(" ").upper()
    span = f"{data_type.minimum:,} to {data_type.maximum:,}"
    return f"{_code(str(data_type))} is {_code(raw)}", f"{_code(str(data_type))}: {span}"


def _mixed(sign: str) -> str:
    value = DataType.parse(f"{sign}u4").decode(bytes.fromhex("12345678"))
    return _code(f"0x{value:08X}")


def _scales() -> Iterable[str]:
    yield "## Scales"
    yield ""
    yield "The screen may show another number than memory holds: a zero is drawn behind the score, "
    yield "lives are counted from 0. Search and facts try each of these; to get from the stored "
    yield "number to the shown one:"
    yield ""
    texts = [str(scale) or "as it is" for scale in scales_of(DataType.parse("|u1"))]
    yield ", ".join(_code(text) for text in texts)
    yield ""


def _comparisons() -> Iterable[str]:
    yield "## Comparisons of a search"
    yield ""
    yield "Saved searches and scripts name a comparison as the first column does."
    yield ""
    sides = {"value": "its numbers", "memory": "earlier memory", "either": "either"}
    rows = [
        (
            _code(each.name),
            translate("FindForm", each.words),
            ", ".join(each.operands) or "—",
            sides[each.against],
        )
        for each in OPERATORS.values()
    ]
    yield from _table(("comparison", "in the panel", "takes", "compares with"), rows)


def _measurements() -> Iterable[str]:
    yield "## Measurement"
    yield ""
    rows = [(_code(each.value), help_text(MEASUREMENT_TEXTS[each])) for each in Measurement]
    yield from _table(("measurement", "is"), rows)


def _ops() -> Iterable[str]:
    yield "## Ops"
    yield ""
    yield f"What each op makes of a measured number, with {_REFERENCE} as the reference. A reward "
    yield "term multiplies a positive result by `reward` and a negative one by `penalty`; a "
    yield "condition holds when the result is above 0."
    yield ""
    head = ("op", "gives", *(f"of {number}" for number in _MEASURED))
    rows = [
        (
            _code(op.name or "—"),
            help_text(op.words),
            *(str(op.of(number, _REFERENCE)) for number in _MEASURED),
        )
        for op in OPS.values()
    ]
    yield from _table(head, rows)


def _conditions() -> Iterable[str]:
    yield "## Groups of done"
    yield ""
    rows = [(_code(each.value), help_text(CONDITION_TEXTS[each])) for each in Condition]
    yield from _table(("group", "is"), rows)


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


_CHAPTERS: Final = ("first-hour", "guide", "how-to")
_PICTURE: Final = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n", re.MULTILINE)
_LINK: Final = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)]+)\)")


def book_pages() -> list[Path]:
    """The pages of the book that ship with the program, in their order."""
    docs = shipped("docs")
    return [page for name in _CHAPTERS for page in sorted((docs / name).glob("[0-9]*.md"))]


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
