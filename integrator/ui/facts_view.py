"""The Facts panel: what the screen said on which frame, and the addresses that agree with all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from integrator.domain.errors import IntegratorError
from integrator.domain.query_rank import Match
from integrator.domain.query_text import fact_text, parse_facts
from integrator.ui.models.fields import address_text, parse_name, parse_number
from integrator.ui.panels import DataTable, EmptyOr, EmptyState, role_label, set_role
from integrator.ui.theme import SIZES, Theme, mono_font

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_SETTLE_MS = 250


class MatchColumn(IntEnum):
    """Columns from left to right."""

    ADDRESS = 0
    TYPE = 1
    SCALE = 2
    EVIDENCE = 3
    COPIES = 4


@dataclass(frozen=True, slots=True)
class Answer:
    """What facts were solved to; counts are of addresses times types, before any limit."""

    matches: tuple[Match, ...]
    exact_count: int
    near_count: int


class MatchesModel(QAbstractTableModel):
    """A row a match, best first."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mono = mono_font()
        self._matches: tuple[Match, ...] = ()

    def set_matches(self, matches: Sequence[Match]) -> None:
        """Show other matches."""
        self.beginResetModel()
        self._matches = tuple(matches)
        self.endResetModel()

    def match_at(self, row: int) -> Match:
        """The match of a row."""
        return self._matches[row]

    def rowCount(self, parent: Index = _NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """One row a match."""
        return 0 if parent.isValid() else len(self._matches)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """See :class:`MatchColumn`."""
        return 0 if parent.isValid() else len(MatchColumn)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Column titles."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return self.tr(("address", "type", "scale", "evidence", "copies")[section])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and font of a cell."""
        match, column = self._matches[index.row()], MatchColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(match, column)
        if role == Qt.ItemDataRole.FontRole and column is not MatchColumn.EVIDENCE:
            return self._mono
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(match, column))
        if role == Qt.ItemDataRole.ToolTipRole and match.copies:
            shown = [f"{address_text(each.address)} {each.type}" for each in match.copies[:12]]
            return self.tr("The same on every frame looked at: {0}").format(", ".join(shown))
        return None

    def _text(self, match: Match, column: MatchColumn) -> str:
        texts = (
            address_text(match.address),
            str(match.type),
            str(match.scale) or "×1",
            self.tr("fits all facts")
            if match.failed is None
            else self.tr("fails: {0}").format(fact_text(match.failed)),
            str(len(match.copies) or ""),
        )
        return texts[column]

    def _color(self, match: Match, column: MatchColumn) -> str:
        colors = self._theme.colors
        if column is MatchColumn.EVIDENCE:
            return colors.good if match.failed is None else colors.bad
        by_column = {MatchColumn.ADDRESS: colors.link, MatchColumn.COPIES: colors.faint}
        return by_column.get(column, colors.text)


class FactsView(QWidget):
    """``facts_changed``: lines of text to solve. ``variable_requested``: (name, match).

    ``show_requested``: an address to look at in memory.
    """

    facts_changed = Signal(str)
    variable_requested = Signal(str, object)
    show_requested = Signal(int)
    rejected = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._frame = 0
        self._taken: frozenset[str] = frozenset()
        self.model = MatchesModel(theme, self)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(lambda: self.facts_changed.emit(self.text))
        self._build_fields()
        self._build_ui()
        self.set_open(opened=False)

    def _build_fields(self) -> None:
        self.value = QLineEdit()
        self.value.setAccessibleName(self.tr("What the screen says"))
        self.value.setPlaceholderText(self.tr("number on the screen, or 300..400 unchanged"))
        self.value.setToolTip(
            self.tr(
                "A number pins it to the frame shown. Or write a fact in full: 300 = 1200, "
                "512: 3 -> 2, 300..400 changed, up, down, unchanged, only grows, only falls"
            )
        )
        self.value.returnPressed.connect(self.pin)
        self.value.textEdited.connect(lambda _: self.show_problem(""))
        self.pin_button = QPushButton(self._theme.icons.icon("pin", "on_accent"), "")
        set_role(self.pin_button, "primary")
        self.pin_button.clicked.connect(self.pin)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Facts"))
        self.list.setToolTip(
            self.tr("Untick a fact to leave it out, double-click to change it, Del to remove it")
        )
        self.list.setMaximumHeight(112)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.itemChanged.connect(self._item_changed)
        remove = QAction(self.tr("Remove fact"), self.list)
        remove.setShortcut("Del")
        remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        remove.triggered.connect(self._remove)
        self.list.addAction(remove)
        self.problem = role_label("", "bad")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.table = DataTable(self.tr("Matches"))
        self.table.setModel(self.model)
        self.table.setEditTriggers(DataTable.EditTrigger.NoEditTriggers)
        self.table.set_widths((92, 58, 58, 160, 58), stretch=MatchColumn.EVIDENCE)
        self.table.doubleClicked.connect(
            lambda index: self.show_requested.emit(self.model.match_at(index.row()).address)
        )
        self.name = QLineEdit()
        self.name.setPlaceholderText(self.tr("name, such as score"))
        self.name.setAccessibleName(self.tr("Name of the new variable"))
        self.name.returnPressed.connect(self._make)
        self.make = QPushButton(self.tr("Make variable"))
        set_role(self.make, "primary")
        self.make.clicked.connect(self._make)

    def _build_ui(self) -> None:
        self._head = QFrame()
        column = QVBoxLayout(self._head)
        column.setContentsMargins(SIZES.pad, 10, SIZES.pad, 6)
        column.setSpacing(7)
        row = QHBoxLayout()
        row.addWidget(self.value, 1)
        row.addWidget(self.pin_button)
        column.addLayout(row)
        column.addWidget(self.list)
        column.addWidget(self.problem)
        self._idle = EmptyState(
            self._theme,
            "pin",
            self.tr("Pin what you see"),
            self.tr(
                "Play, pause, and type the score that the screen shows. After two to four such "
                "facts, on different frames, usually one address is left."
            ),
        )
        self.pages = EmptyOr(self._idle, self.table)
        self._foot = QFrame()
        self._foot.setObjectName("PanelFooter")
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(SIZES.pad, 9, SIZES.pad, 9)
        foot.addWidget(self.name, 1)
        foot.addWidget(self.make)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head)
        layout.addWidget(self.pages, 1)
        layout.addWidget(self._foot)

    # -- what it shows ----------------------------------------------------------------------

    def set_open(self, *, opened: bool) -> None:
        """Whether a game is open; facts belong to its timeline."""
        self.list.clear()
        self.model.set_matches(())
        self._head.setVisible(opened)
        self._show_pages()

    def set_taken_names(self, names: Sequence[str]) -> None:
        """Names that variables have already."""
        self._taken = frozenset(names)

    def show_frame(self, number: int) -> None:
        """The frame that a number would be pinned to."""
        if number != self._frame:
            self._frame = number
            self.pin_button.setText(self.tr("Pin at frame {0}").format(number))

    def show_answer(self, answer: Answer) -> None:
        """What fits the facts."""
        self.show_problem("")
        self.model.set_matches(answer.matches)
        self._show_pages()
        if answer.matches:
            self.table.selectRow(0)

    def show_problem(self, text: str) -> None:
        """Say beside the facts what is wrong."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _show_pages(self) -> None:
        found, facts = self.model.rowCount() > 0, self.list.count() > 0
        self.list.setVisible(facts)
        self._foot.setVisible(found)
        if facts:
            self._idle.heading.setText(self.tr("Nothing fits these facts"))
            self._idle.text.setText(
                self.tr(
                    "Untick one that may be a frame off: memory often changes a little earlier."
                )
            )
        self.pages.show_content(found)

    # -- facts ------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The ticked facts, a line each."""
        items = [self.list.item(row) for row in range(self.list.count())]
        ticked = [item for item in items if item.checkState() is Qt.CheckState.Checked]
        return "\n".join(item.text() for item in ticked)

    def pin(self) -> None:
        """Add what was typed: a number belongs to the frame shown."""
        text = self.value.text().strip()
        if not text:
            return
        try:
            line = f"{self._frame} = {parse_number(text)}"
        except IntegratorError:
            line = text
        try:
            parse_facts(line)
        except IntegratorError as error:
            self.show_problem(str(error))
            return
        self.value.clear()
        self.add_fact(line)

    def add_fact(self, line: str) -> None:
        """Add a fact, ticked."""
        item = QListWidgetItem(line)
        item.setFont(mono_font())
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEditable)
        item.setCheckState(Qt.CheckState.Checked)
        self.list.addItem(item)
        self._settle.start()

    def _item_changed(self, item: QListWidgetItem) -> None:
        try:
            parse_facts(item.text())
        except IntegratorError as error:
            self.show_problem(str(error))
            return
        self._settle.start()

    def _remove(self) -> None:
        row = self.list.currentRow()
        if row >= 0:
            self.list.takeItem(row)
            self._settle.start()

    def _make(self) -> None:
        index = self.table.currentIndex()
        try:
            name = parse_name(self.name.text(), self._taken)
        except IntegratorError as error:
            self.rejected.emit(str(error))
            return
        if index.isValid():
            self.variable_requested.emit(name, self.model.match_at(index.row()))
            self.name.clear()
