"""Found numbers as a table: the columns that all lists have, groups, and verdicts of proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QIcon

from integrator.domain.query.matches.behaviour import Reading
from integrator.ui.find.results.rows import Folds, Found, Item, ResultLine, Rows
from integrator.ui.terms.agreement import agreement, agreement_tip
from integrator.ui.terms.help_texts import type_tip
from integrator.ui.terms.proof_marks import ProofMark
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.rows_model import Column, RowsModel
from integrator.ui.widgets.table_model import NO_PARENT, Index
from integrator.ui.widgets.texts import bits_text
from integrator.ui.widgets.theme import Theme, mono_font

NumberKey = tuple[int, str]
"""Address and type of a number that can be proved."""


def key_of(found: Found) -> NumberKey:
    """The key of a number; bits share the proof of their byte."""
    return found.address, found.type.spec


@dataclass(frozen=True, slots=True)
class ResultColumn(Column[ResultLine[Item]], Generic[Item]):
    """A column of found numbers.

    ``width`` in pixels, ``stretch`` and ``whole`` are those of :meth:`DataTable.set_widths`, and
    ``spare`` its order among the columns that are left out, 0 for one that stays. A click into a
    column that ``unfolds`` lists the row's group.
    """

    name: str = ""
    width: int = 60
    stretch: bool = False
    whole: bool = False
    spare: int = 0
    unfolds: bool = False


class ResultsModel(RowsModel[ResultLine[Item]], Generic[Item]):
    """A source gives its columns, which include those made here.

    ``columns_changed``: there are other columns, or they need other widths.
    """

    columns_changed = Signal()
    rows: Rows[Item]

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mono = mono_font()
        self._proofs: dict[NumberKey, ProofMark] = {}
        self._draws: Mapping[int, ProofMark] = {}
        self.rows = Folds(())

    # -- rows -------------------------------------------------------------------------------

    def show_groups(self, groups: Iterable[Iterable[Item]]) -> None:
        """Show other numbers, each group folded."""
        self.show(Folds(groups))

    def item(self, row: int) -> Item:
        """The number of a row."""
        return self.rows[row].item

    def put(self, row: int, item: Item, first: str, last: str) -> None:
        """Show a newer copy of a row's number, with other texts in some columns."""
        self.rows.put(row, item)
        cells = (self.index(row, self.place(name)) for name in (first, last))
        self.dataChanged.emit(*cells)

    def unfold(self, row: int, *, unfolded: bool) -> None:
        """List the members of the group that a row leads below it, or hide them."""
        rows, line = self.rows, self.rows[row]
        if not isinstance(rows, Folds) or not line.others or line.unfolded is unfolded:
            return
        if unfolded:
            self.beginInsertRows(NO_PARENT, row + 1, row + line.others)
        else:
            self.beginRemoveRows(NO_PARENT, row + 1, row + line.others)
        rows.fold(row, unfolded=unfolded)
        if unfolded:
            self.endInsertRows()
        else:
            self.endRemoveRows()
        self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    # -- proofs -----------------------------------------------------------------------------

    def add_proofs(self, proofs: Mapping[NumberKey, ProofMark]) -> None:
        """Show verdicts, which stay with their numbers until the game is closed."""
        first = bool(proofs) and not self._proofs
        self._proofs.update(proofs)
        self.column_changed("proof")
        if first:
            self.change_columns()

    def set_draws(self, draws: Mapping[int, ProofMark]) -> None:
        """Set the bytes, by address, that redraw the marked place on the screen."""
        self._draws = draws
        self.column_changed("proof")

    def forget_proofs(self) -> None:
        """Drop the proofs of the last game."""
        self._proofs.clear()
        self.set_draws({})

    def proof(self, found: Found) -> ProofMark | None:
        """The mark of a number's proof, or that of its first byte that redraws the marked place."""
        proved = self._proofs.get(key_of(found))
        if proved is not None or not self._draws:
            return proved
        drawing = (self._draws.get(found.address + n) for n in range(found.type.width))
        return next((mark for mark in drawing if mark is not None), None)

    # -- columns ----------------------------------------------------------------------------

    def table(self) -> Sequence[ResultColumn[Item]]:
        """The columns from left to right."""
        raise NotImplementedError

    @cached_property
    def _table(self) -> tuple[ResultColumn[Item], ...]:
        return tuple(self.table())

    @property
    def shown(self) -> tuple[ResultColumn[Item], ...]:
        """The present columns."""
        return self._table

    def change_columns(self) -> None:
        """Make the columns again."""
        self.__dict__.pop("_table", None)
        self.columns_changed.emit()

    def place(self, name: str) -> int:
        """The place of the first column of a name."""
        return next(at for at, column in enumerate(self.shown) if column.name == name)

    def column_changed(self, name: str) -> None:
        """Draw a column again."""
        if self.rows:
            column = self.place(name)
            self.dataChanged.emit(self.index(0, column), self.index(len(self.rows) - 1, column))

    def tint(self, token: str) -> Callable[[ResultLine[Item]], str]:
        """A color of the present theme, for rows that have none of their own."""
        return lambda line: self.color(line) or str(getattr(self._theme.colors, token))

    def address(self, width: int = 84) -> ResultColumn[Item]:
        """The column of addresses."""
        return ResultColumn(
            self.tr("address"),
            self.address_text,
            color=self.tint("link"),
            font=self._mono,
            name="address",
            width=width,
            whole=True,
            unfolds=True,
        )

    def type(self, width: int = 52, spare: int = 0) -> ResultColumn[Item]:
        """The column of data types, with a sign where one may be too small."""

        def icon(line: ResultLine[Item]) -> QIcon | None:
            return self._theme.icons.icon("warning") if self.warning(line.item) else None

        def tip(line: ResultLine[Item]) -> str:
            return "\n".join(filter(None, (self.type_tip(line.item), self.warning(line.item))))

        return ResultColumn(
            self.tr("type"),
            lambda line: type_text(line.item),
            icon=icon,
            tip=tip,
            font=self._mono,
            name="type",
            width=width,
            whole=True,
            spare=spare,
        )

    def scale(self, width: int, color: str = "text", spare: int = 0) -> ResultColumn[Item]:
        """The column of scales between memory and screen."""
        return ResultColumn(
            self.tr("scale"),
            lambda line: str(line.item.scale).replace("x", "×") or "×1",
            color=self.tint(color),
            tip=lambda line: self.scale_tip(line.item),
            font=self._mono,
            name="scale",
            width=width,
            whole=True,
            spare=spare,
        )

    def verdict(
        self, width: int, *, stretch: bool = False, whole: bool = False, spare: int = 0
    ) -> ResultColumn[Item]:
        """The column of proofs."""

        def color(line: ResultLine[Item]) -> str:
            mark = self.proof(line.item)
            return self._theme.colors.text if mark is None else mark.color(self._theme.colors)

        def tip(line: ResultLine[Item]) -> str | None:
            mark = self.proof(line.item)
            return self.tip(line) if mark is None else mark.tip

        return ResultColumn(
            self.tr("proof"),
            self.proof_text,
            color=color,
            tip=tip,
            name="proof",
            width=width,
            stretch=stretch,
            whole=whole,
            spare=spare,
        )

    def address_text(self, line: ResultLine[Item]) -> str:
        """An address, set in below the row that leads its group."""
        return ("  " if line.is_member else "") + address_text(line.item.address)

    def proof_text(self, line: ResultLine[Item]) -> str:
        """The verdict on a number in few words."""
        mark = self.proof(line.item)
        return "" if mark is None else mark.text

    def type_tip(self, item: Item) -> str:
        """The meaning of a number's type."""
        return type_tip(item.type)

    def scale_tip(self, item: Item) -> str | None:
        """The meaning of a number's scale."""
        return item.scale.formula

    def warning(self, item: Item) -> str:  # noqa: ARG002 - for sources that know numbers
        """A warning of a type that may be too small for the numbers seen, or ''."""
        return ""

    def tip(self, line: ResultLine[Item]) -> str | None:
        """The reason why a row below an unfolded one agrees with it."""
        if not line.is_member:
            return None
        return agreement_tip(reading_of(line.lead), reading_of(line.item))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """As in :class:`RowsModel`; where a cell needs no tip, its title's."""
        found = super().data(index, role)
        if found is None and role == Qt.ItemDataRole.ToolTipRole:
            return self._table[index.column()].title_tip or None
        return found


def reading_of(found: Found) -> Reading:
    """Address, type and scale of a number."""
    return Reading(found.address, found.type, found.scale, found.mask)


def agreement_text(line: ResultLine[Item]) -> str:
    """In few words, the reason why a row below an unfolded one agrees with it; '' for others."""
    return agreement(reading_of(line.lead), reading_of(line.item)) if line.is_member else ""


def type_text(found: Found) -> str:
    """Type of a number, or the bits of its byte: ``>u2``, ``>f4``, ``bit 3``, ``bits 0-3``."""
    if found.real is not None:
        return found.real.spec
    return str(found.type) if found.mask is None else bits_text(found.mask)
