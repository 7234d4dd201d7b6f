"""The less used side of the Find panel: where to search, scales, snapshots, saved searches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QPushButton,
)

from integrator.domain.errors import DomainError
from integrator.domain.search.search import Search
from integrator.session.searches.searches import TypeKind
from integrator.session.searches.status import SearchCommand
from integrator.ui.widgets.fields import parse_address
from integrator.ui.widgets.panels.parts import hbox, line_edit, push_button, role_label
from integrator.ui.widgets.theme import Theme


class FindOptions(QFrame):
    """Options of a search. ``command_requested``: a command to run on the search.

    ``types_requested``: begin anew with (scales, kinds). ``search_chosen``: take up another search
    by its name, from disk if it is not open; ``save_requested``: keep this one under a name.
    ``known_excluded``: leave out variables.
    """

    command_requested = Signal(object)
    types_requested = Signal(bool, object)
    search_chosen = Signal(str)
    save_requested = Signal(str)
    known_excluded = Signal()
    rejected = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._build_range()
        self._build_commands()
        self._build_kinds()
        self._build_searches()
        self._build_ui()

    def _build_range(self) -> None:
        self.low = self._address(self.tr("from"))
        self.high = self._address(self.tr("to"))
        self.alignment = QComboBox()
        self.alignment.setAccessibleName(self.tr("Alignment"))
        self.alignment.setToolTip(
            self.tr("Only addresses that are a multiple of this: most consoles align their words")
        )
        for number in (1, 2, 4):
            self.alignment.addItem(self.tr("every {0}").format(number), number)
        self.alignment.activated.connect(lambda _: self._align())

    def _build_commands(self) -> None:
        def chip(text: str, clicked: Callable[[], object], tip: str) -> QPushButton:
            return push_button(text, clicked, tip, "chip")

        def command(run: SearchCommand) -> Callable[[], object]:
            return lambda: self.command_requested.emit(run)

        self.limit = chip(
            self.tr("Keep these"),
            lambda: self._range(keep=True),
            self.tr("Keep only these addresses"),
        )
        self.exclude = chip(
            self.tr("Exclude"),
            lambda: self._range(keep=False),
            self.tr("Leave out these addresses"),
        )
        self.known = chip(
            self.tr("Exclude variables"),
            self.known_excluded.emit,
            self.tr("Leave out variables that are named already"),
        )
        self.snapshot = chip(
            self.tr("Take snapshot"),
            command(Search.take_snapshot),
            self.tr("Remember memory as it is now, to compare with it “since the snapshot”"),
        )
        self.clear_counts = chip(
            self.tr("Clear counts"),
            command(Search.clear_counts),
            self.tr("Count changes of each byte from now on"),
        )
        self.save = chip(
            self.tr("Save"),
            lambda: self.save_requested.emit(self._name()),
            self.tr("Keep this search beside the integration"),
        )

    def _build_kinds(self) -> None:
        self.scales = QCheckBox(self.tr("scaled numbers too"))
        self.scales.setChecked(True)
        self.scales.setToolTip(
            self.tr(
                "The screen may show ten times what memory holds, or one more. "
                "Changing this begins the search anew."
            )
        )
        self.scales.clicked.connect(lambda _: self._ask_types())
        self.grouped = QCheckBox(self.tr("group equal rows"))
        self.grouped.setToolTip(
            self.tr(
                "Types over the same bytes with the same number share a row, the widest plausible "
                "one in front; a click on its address, or Right, lists the others"
            )
        )
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(self.tr("Types"))
        self.kinds.setToolTip(
            self.tr("Kinds of numbers to search for. Changing this begins the search anew.")
        )
        self.offer_types(floats=False)
        self.kinds.activated.connect(lambda _: self._ask_types())

    def _build_searches(self) -> None:
        self.searches = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.searches.setAccessibleName(self.tr("Search by name"))
        self.searches.setToolTip(
            self.tr("Several searches can go on at once: pick one, or type a new name and Enter")
        )
        self.searches.activated.connect(lambda _: self._choose())

    def _build_ui(self) -> None:
        where = hbox(self.low, self.high, self.limit, self.exclude, self.alignment, None, gap=6)
        types = hbox(self.kinds, self.scales, self.grouped, None, gap=6)
        what = hbox(self.snapshot, self.clear_counts, self.known, None, gap=6)
        named = hbox(self.searches, self.save, None, gap=6)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 4)
        grid.setHorizontalSpacing(9)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for line, (label, row) in enumerate(
            (
                (self.tr("types"), types),
                (self.tr("where"), where),
                (self.tr("what"), what),
                (self.tr("name"), named),
            )
        ):
            grid.addWidget(role_label(label, "faint"), line, 0)
            grid.addLayout(row, line, 1)

    def _address(self, hint: str) -> QLineEdit:
        tip = self.tr("An address such as FF00D4; the last one is included")
        return line_edit(self.tr("Address {0}").format(hint), hint, tip=tip, width=84)

    def offer_types(self, *, floats: bool) -> None:
        """Offer kinds of numbers; the usual is chosen. ``floats`` are for some consoles."""
        self.kinds.clear()
        both = self.tr("Both at once")
        bits = self.tr(
            "Single bits of a byte, its halves and some fields; they become variables with a mask"
        )
        real = self.tr(
            "Floating-point numbers of four bytes; 12 is found as 11.5 up to 13, as a screen shows"
        )
        for text, tip, *kinds in (
            (self.tr("numbers"), self.tr("All data types of the console"), "numbers"),
            (self.tr("bits"), bits, "bits"),
            (self.tr("numbers and bits"), both, "numbers", "bits"),
            (self.tr("floats"), real, "floats"),
            (self.tr("numbers and floats"), both, "numbers", "floats"),
        ):
            if floats or "floats" not in kinds:
                self.kinds.addItem(text, kinds)
                last = self.kinds.count() - 1
                self.kinds.setItemData(last, tip, Qt.ItemDataRole.ToolTipRole)

    def begin_anew(self) -> None:
        """Forget addresses and alignment of the last game."""
        self.low.clear()
        self.high.clear()
        self.alignment.setCurrentIndex(0)

    def show_types(self, *, scales: bool, kinds: Sequence[TypeKind]) -> None:
        """Show the kinds of numbers that the search tries."""
        self.scales.setChecked(scales)
        offered = [self.kinds.itemData(row) for row in range(self.kinds.count())]
        self.kinds.setCurrentIndex(offered.index([*kinds]) if [*kinds] in offered else -1)

    def show_searches(self, names: Sequence[str], current: str) -> None:
        """Offer the searches that are open or saved."""
        self.searches.clear()
        self.searches.addItems(list(names))
        self.searches.setEditText(current)

    def _name(self) -> str:
        return self.searches.currentText().strip()

    def _choose(self) -> None:
        if self._name():
            self.search_chosen.emit(self._name())

    def _ask_types(self) -> None:
        kinds = tuple(self.kinds.currentData() or self.kinds.itemData(0))
        self.types_requested.emit(self.scales.isChecked(), kinds)

    def _align(self) -> None:
        number = int(self.alignment.currentData())

        def align(search: Search) -> None:
            search.alignment = number

        self.command_requested.emit(align)

    def _range(self, *, keep: bool) -> None:
        try:
            low, high = parse_address(self.low.text()), parse_address(self.high.text())
        except DomainError as error:
            self.rejected.emit(str(error))
            return
        if keep:
            self.command_requested.emit(lambda search: search.limit_to(low, high + 1))
        else:
            self.command_requested.emit(lambda search: search.exclude(low, high - low + 1))
