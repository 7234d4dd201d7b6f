"""The suggestions as a table, with each number's curve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor

from integrator.domain.suggest.suggestion import KINDS, Kind, Suggestion
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.ui.terms.help_texts import type_tip
from integrator.ui.terms.proof_marks import ProofMark
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.table_model import Index, TableModel
from integrator.ui.widgets.theme import Theme, mono_font
from integrator.ui.widgets.translation import translate

_SURE = 0.5
"""From this confidence on, a suggestion is shown as a good one."""
CURVE_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""The role of a curve's numbers, int64 (points,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Suggested:
    """A suggestion, and the course of its number in what was played."""

    suggestion: Suggestion
    curve: NDArray[np.int64]

    @property
    def address(self) -> int:
        """The first byte's address."""
        return self.suggestion.address

    @property
    def type(self) -> DataType:
        """The data type of the bytes."""
        return self.suggestion.type


class SuggestionColumn(IntEnum):
    """Columns from left to right."""

    KIND = 0
    CONFIDENCE = 1
    ADDRESS = 2
    TYPE = 3
    CURVE = 4
    REASON = 5
    PROOF = 6


class SuggestionsModel(TableModel):
    """A row a suggestion: the best of each kind, then the others, best first in each kind."""

    columns = SuggestionColumn

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mono = mono_font()
        self._rows: tuple[Suggested, ...] = ()
        self._proofs: dict[tuple[int, str], ProofMark] = {}
        self._variables: tuple[VariableSpec, ...] = ()
        # Found once a change, not at each painting of each cell: there may be a thousand variables.
        self._known: dict[Suggested, str] = {}
        self._told: dict[Suggested, str] = {}

    def set_variables(self, variables: Iterable[VariableSpec]) -> None:
        """Show which suggestions are variables already."""
        self._variables = tuple(variables)
        self._compare()
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, 0))

    def known_as(self, row: int) -> str:
        """The name of the variable that a row's suggestion is already; empty for a new one."""
        return self._known.get(self._rows[row], "")

    def is_new(self, row: int) -> bool:
        """True when no variable is the row's suggestion, or holds all its bytes."""
        return self._rows[row] not in self._told

    def _compare(self) -> None:
        """Find the variables that suggestions are, or are a part of."""
        same = {(v.address, v.type, v.mask): v.name for v in reversed(self._variables)}
        whole = [v for v in self._variables if v.mask is None]
        self._known.clear()
        self._told.clear()
        for each in self._rows:
            start, end = each.address, each.address + each.type.width
            mask = each.suggestion.mask
            holding = (v for v in whole if v.address <= start and end <= v.address + v.type.width)
            if name := same.get((start, each.type, mask)):
                self._known[each] = name
                self._told[each] = self.tr("is your variable “{0}”").format(name)
            elif mask is None and (found := next(holding, None)):
                self._told[each] = self.tr("is a part of your variable “{0}”").format(found.name)

    def set_rows(self, rows: Sequence[Suggested]) -> None:
        """Show other suggestions, none of them proven."""
        self.beginResetModel()
        self._rows = tuple(rows)
        best = self.best()
        # A user looks for one number of each kind: all of them are in sight.
        self._rows = (*best, *(each for each in rows if each not in best))
        self._proofs.clear()
        self._compare()
        self.endResetModel()

    def at(self, row: int) -> Suggested:
        """The suggestion of a row."""
        return self._rows[row]

    def row_of(self, other: Suggested) -> int:
        """The row of the same number as the same kind; the first without one."""
        wanted = other.suggestion.kind, other.address, other.type
        rows = ((each.suggestion.kind, each.address, each.type) for each in self._rows)
        return next((row for row, each in enumerate(rows) if each == wanted), 0)

    def best(self) -> list[Suggested]:
        """The first suggestion of each kind."""
        first: dict[Kind, Suggested] = {}
        for each in self._rows:
            first.setdefault(each.suggestion.kind, each)
        return list(first.values())

    def add_proofs(self, proofs: Mapping[tuple[int, str], ProofMark]) -> None:
        """Show verdicts, by address and type, beside their suggestions."""
        self._proofs.update(proofs)
        if self._rows:
            last = self.index(len(self._rows) - 1, SuggestionColumn.PROOF)
            self.dataChanged.emit(self.index(0, SuggestionColumn.PROOF), last)

    def length(self) -> int:
        """One row a suggestion."""
        return len(self._rows)

    def titles(self) -> Sequence[str]:
        """See :class:`SuggestionColumn`."""
        return (
            self.tr("kind"),
            self.tr("sure"),
            self.tr("address"),
            self.tr("type"),
            self.tr("course"),
            self.tr("reason"),
            self.tr("proof"),
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour, font and curve of a cell."""
        each, column = self._rows[index.row()], SuggestionColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(each, column)
        if role == CURVE_ROLE:
            return each.curve
        if role == Qt.ItemDataRole.FontRole and column in (
            SuggestionColumn.ADDRESS,
            SuggestionColumn.TYPE,
        ):
            return self._mono
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(each, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(each, column)
        return None

    def _proof(self, each: Suggested) -> ProofMark | None:
        return self._proofs.get((each.address, each.type.spec))

    def _text(self, each: Suggested, column: SuggestionColumn) -> str:
        mark, mask = self._proof(each), each.suggestion.mask
        return (
            self.kind_text(each.suggestion.kind),
            f"{each.suggestion.confidence:.0%}",
            address_text(each.address),
            str(each.type) if mask is None else f"{each.type} & 0x{mask:02X}",
            "",
            self._told.get(each, each.suggestion.reason),
            mark.text if mark is not None else "",
        )[column]

    def _tip(self, each: Suggested, column: SuggestionColumn) -> str | None:
        mark = self._proof(each)
        if column is SuggestionColumn.PROOF:
            return mark.tip if mark is not None else None
        if column is SuggestionColumn.TYPE:
            return type_tip(each.type)
        if column is SuggestionColumn.CURVE:
            low, high = int(each.curve.min()), int(each.curve.max())
            return self.tr("From {0} to {1} in what was played").format(low, high)
        return each.suggestion.reason

    def _color(self, each: Suggested, column: SuggestionColumn) -> str:
        colors, mark = self._theme.colors, self._proof(each)
        if column is SuggestionColumn.PROOF and mark is not None:
            return mark.color(colors)
        if each in self._told:
            return colors.faint
        if column is SuggestionColumn.CONFIDENCE:
            return colors.good if each.suggestion.confidence >= _SURE else colors.faint
        return colors.link if column is SuggestionColumn.ADDRESS else colors.text

    def kind_text(self, kind: Kind) -> str:
        """A kind in the user's language."""
        return translate("SuggestionsModel", KINDS[kind].words)
