"""The help: pages of the book, and reference pages that are made from the program's tables."""

import html
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialogButtonBox, QListWidget, QTextBrowser, QWidget

from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.domain.scenario.tree import OPS, Condition, Measurement
from integrator.domain.search.operators import OPERATORS
from integrator.domain.sweep.readings import scales_of
from integrator.domain.values.memory import ENDIANS, KINDS, DataType
from integrator.paths import shipped
from integrator.ui import widgets as ui
from integrator.ui.terms import explained


def table_code(markdown: str) -> str:
    """Return ``markdown`` with code in which a bar is escaped, as tables require, as HTML code. Qt
    and Python-Markdown would show the backslash."""
    code = re.compile(r"(?<!`)`([^`\n]*\\\|[^`\n]*)`")
    bar = r"\|"
    return code.sub(
        lambda each: f"<code>{html.escape(each[1]).replace(bar, '&#124;')}</code>", markdown
    )


_SAMPLE = 1230


def reference_page() -> str:
    """Return a page of Markdown. All examples are computed by the code that they explain."""
    measured, reference = (-1, 0, 1, 2), 1
    kinds = [(kind, ui.words(row.words), *_sample(kind)) for kind, row in KINDS.items()]
    orders = [(sign, ui.words(text), _mixed(sign)) for sign, text in ENDIANS.items()]
    scales = (str(scale) or "as it is" for scale in scales_of(DataType.parse("|u1")))
    sides = {"value": "its numbers", "memory": "earlier memory", "either": "either"}
    comparisons = [
        (op.name, ui.words(op.words), ", ".join(op.operands) or "—", sides[op.against])
        for op in OPERATORS.values()
    ]
    ops = [
        (op.name or "—", ui.words(op.words), *(str(op.of(each, reference)) for each in measured))
        for op in OPS.values()
    ]
    measurements = [(each.value, explained(each.value)) for each in Measurement]
    groups = [(each.value, explained(each.value)) for each in Condition]
    page = read_text(Path(__file__).with_name("reference.md"), SMALL_BYTES)
    return page.rstrip().format(
        kinds=_table(("kind", "means", f"{_SAMPLE} in memory", "holds"), kinds),
        orders=_table(("byte order", "means", "bytes 12 34 56 78 as u4"), orders),
        copies=explained("apart"),
        scales=", ".join(map(_code, scales)),
        comparisons=_table(("comparison", "in the panel", "takes", "compares with"), comparisons),
        measurements=_table(("measurement", "is"), measurements),
        reference=reference,
        ops=_table(("op", "gives", *(f"of {number}" for number in measured)), ops),
        conditions=_table(("group", "is"), groups),
    )


def _sample(kind: str) -> tuple[str, str]:
    types = (DataType.parse(f">{kind}{width}") for width in (2, 4))
    data_type = next(each for each in types if each.maximum >= _SAMPLE)
    raw = data_type.encode(_SAMPLE).hex(" ").upper()
    span = f"{ui.grouped(data_type.minimum)} to {ui.grouped(data_type.maximum)}"
    return f"{_code(str(data_type))} is {_code(raw)}", f"{_code(str(data_type))}: {span}"


def _mixed(sign: str) -> str:
    value = DataType.parse(f"{sign}u4").decode(bytes.fromhex("12345678"))
    return _code(f"0x{value:08X}")


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose first column is code."""
    lines = ("| " + " | ".join((_code(first), *row)) + " |\n" for first, *row in rows)
    return f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n{''.join(lines)}"


def book_pages() -> list[Path]:
    docs, chapters = shipped("docs"), ("first-hour", "guide", "how-to")
    return [page for name in chapters for page in sorted((docs / name).glob("[0-9]*.md"))]


class HelpDialog(ui.Dialog):
    """Shows Markdown pages, named by their first headings: the files ``pages``, then the texts
    ``more``. Pictures of the window are left out, because the reader sees the window. ``with_keys``
    inserts the user's keys into a text of ``pages``. Two signals ask for bug report and tour."""

    report_requested = Signal()
    tour_requested = Signal()

    def __init__(
        self,
        pages: Sequence[Path],
        more: Sequence[str] = (),
        with_keys: Callable[[str], str] = str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, self.tr("Help"))
        self._rows = {page.name: row for row, page in enumerate(pages)}
        texts = (with_keys(read_text(page, SMALL_BYTES)) for page in pages)
        self._texts = [*(_shown(text, self._rows) for text in texts), *more]
        self.resize(860, 620)
        traits = {"horizontalScrollBarPolicy": Qt.ScrollBarPolicy.ScrollBarAlwaysOff}
        self._list = ui.named(QListWidget(), self.tr("Help pages"), fixedWidth=224, **traits)
        self._list.addItems([text.splitlines()[0].lstrip("# ") for text in self._texts])
        self._list.currentRowChanged.connect(self._show)
        self._page = ui.named(QTextBrowser(openLinks=False), self.tr("Help text"))
        self._page.anchorClicked.connect(self._follow)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        tip = self.tr("The whole job on the demo game, in about five minutes")
        tour = ui.push_button(self.tr("Take the tour"), self.reject, tip)
        tour.clicked.connect(self.tour_requested)
        tip = self.tr("Versions, system, game and the last log lines, without names of folders")
        report = ui.push_button(self.tr("Copy a bug report"), self.report_requested.emit, tip)
        for button in (tour, report):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        ui.vbox((ui.hbox(self._list, (self._page, 1)), 1), buttons, on=self)
        self._list.setCurrentRow(0)

    def _show(self, row: int) -> None:
        if row >= 0:
            self._page.setMarkdown(table_code(self._texts[row]))

    def show_page(self, text: str) -> None:
        self._list.setCurrentRow(self._texts.index(text))

    def _follow(self, link: QUrl) -> None:
        row = self._rows.get(link.fileName())
        if link.isRelative() and row is not None:
            self._list.setCurrentRow(row)
        elif not link.isRelative():
            QDesktopServices.openUrl(link)


def _shown(text: str, pages: Iterable[str]) -> str:
    """Return a page without pictures; a link to a page that is not shipped becomes plain text."""

    def linked(link: re.Match[str]) -> str:
        words, target = link.groups()
        here = target.partition("#")[0].rpartition("/")[2] in pages
        return link[0] if here or "://" in target else words

    text = re.sub(r"^!\[[^\]]*\]\([^)]*\)\n", "", text, flags=re.MULTILINE)
    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)]+)\)", linked, text)
