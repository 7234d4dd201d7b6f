"""The less used side of the Find panel: where to search, scales, snapshots, saved searches."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QPushButton

from integrator.domain.errors import DomainError
from integrator.domain.search.search import Search
from integrator.session.searches import SearchCommand, TypeKind
from integrator.ui.widgets.fields import parse_address
from integrator.ui.widgets.parts import (
    check_box,
    combo_box,
    hbox,
    line_edit,
    push_button,
    role_label,
)


class FindOptions(QFrame):
    """Options of a search; ``run`` gets commands to run on the search.

    ``types_requested``: begin again with (scales, kinds). ``search_chosen``: take up another search
    by its name, from disk if it is not open; ``save_requested``: keep this one under a name.
    ``known_excluded``: leave out variables.
    """

    types_requested = Signal(bool, object)
    search_chosen = Signal(str)
    save_requested = Signal(str)
    known_excluded = Signal()
    rejected = Signal(str)

    def __init__(self, run: Callable[[SearchCommand], object]) -> None:
        super().__init__()
        self._run = run
        tip = self.tr("An address such as FF00D4; the last one is included")
        named, first, last = self.tr("Address {0}"), self.tr("from"), self.tr("to")
        self.low = line_edit(named.format(first), first, tip=tip, width=84)
        self.high = line_edit(named.format(last), last, tip=tip, width=84)
        self.alignment = combo_box(
            self.tr("Alignment"),
            self._align,
            self.tr("Only addresses that are a multiple of this: most consoles align their words"),
            entries=[(self.tr("every {0}").format(number), number) for number in (1, 2, 4)],
        )
        self._build_commands()
        self._build_kinds()
        self._build_ui()

    def _build_commands(self) -> None:
        def chip(text: str, tip: str, clicked: Callable[[], object]) -> QPushButton:
            return push_button(text, clicked, tip, "chip")

        keep, exclude = self.tr("Keep only these addresses"), self.tr("Leave out these addresses")
        self.limit = chip(self.tr("Keep these"), keep, lambda: self._range(keep=True))
        self.exclude = chip(self.tr("Exclude"), exclude, lambda: self._range(keep=False))
        known = self.tr("Leave out variables that are named already")
        self.known = chip(self.tr("Exclude variables"), known, self.known_excluded.emit)
        take = self.tr("Remember memory as it is now, to compare with it “since the snapshot”")
        self.snapshot = chip(
            self.tr("Take snapshot"), take, partial(self._run, Search.take_snapshot)
        )
        counts = self.tr("Count changes of each byte from now on")
        self.clear_counts = chip(
            self.tr("Clear counts"), counts, partial(self._run, Search.clear_counts)
        )
        save = self.tr("Keep this search beside the integration")
        self.save = chip(self.tr("Save"), save, lambda: self.save_requested.emit(self._name()))

    def _build_kinds(self) -> None:
        self.scales = check_box(
            self.tr("scaled numbers too"),
            lambda _: self._ask_types(),
            self.tr(
                "The screen may show ten times what memory holds, or one more. "
                "Changing this begins the search anew."
            ),
            on=True,
        )
        self.grouped = check_box(
            self.tr("group equal rows"),
            tip=self.tr(
                "Types over the same bytes with the same number share a row, the widest plausible "
                "one in front; a click on its address, or Right, lists the others"
            ),
        )
        self.kinds = combo_box(
            self.tr("Types"),
            self._ask_types,
            self.tr("Kinds of numbers to search for. Changing this begins the search anew."),
        )
        self.offer_types(floats=False)
        self.searches = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.searches.setAccessibleName(self.tr("Search by name"))
        self.searches.setToolTip(
            self.tr("Several searches can go on at once: pick one, or type a new name and Enter")
        )
        self.searches.activated.connect(lambda _: self._choose())

    def _build_ui(self) -> None:
        grid = QGridLayout(self)
        grid.setHorizontalSpacing(9)
        grid.setVerticalSpacing(6)
        grid.setContentsMargins(0, 2, 0, 4)
        grid.setColumnStretch(1, 1)
        where = (self.low, self.high, self.limit, self.exclude, self.alignment)
        rows = (
            (self.tr("types"), (self.kinds, self.scales, self.grouped)),
            (self.tr("where"), where),
            (self.tr("what"), (self.snapshot, self.clear_counts, self.known)),
            (self.tr("name"), (self.searches, self.save)),
        )
        for line, (label, parts) in enumerate(rows):
            grid.addWidget(role_label(label, "faint"), line, 0)
            grid.addLayout(hbox(*parts, None, gap=6), line, 1)

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
        self.low.clear()
        self.high.clear()
        self.alignment.setCurrentIndex(0)

    def show_types(self, scales: bool, kinds: Sequence[TypeKind]) -> None:
        self.scales.setChecked(scales)
        offered = [self.kinds.itemData(row) for row in range(self.kinds.count())]
        self.kinds.setCurrentIndex(offered.index([*kinds]) if [*kinds] in offered else -1)

    def show_searches(self, names: Sequence[str], current: str) -> None:
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

        self._run(align)

    def _range(self, *, keep: bool) -> None:
        try:
            low, high = parse_address(self.low.text()), parse_address(self.high.text())
        except DomainError as error:
            self.rejected.emit(str(error))
            return
        if keep:
            self._run(lambda search: search.limit_to(low, high + 1))
        else:
            self._run(lambda search: search.exclude(low, high - low + 1))
