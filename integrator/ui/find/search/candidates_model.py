"""The candidates of a RAM search as a table, whose rows are made when they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QObject, Qt
from PySide6.QtGui import QColor

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.search.order import SortBy
from integrator.domain.search.results import Candidate
from integrator.domain.sweep.readings import Scale
from integrator.domain.values.variables import VariableSpec
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.find.search.groups import MOST_GROUPED, GroupedRows, reading_of
from integrator.ui.find.search.neighbours import Neighbours
from integrator.ui.terms.agreement import agreement, agreement_tip, wrap_warning
from integrator.ui.terms.help_texts import type_tip
from integrator.ui.terms.proof_marks import ProofMark
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.table_model import NO_PARENT, Index
from integrator.ui.widgets.texts import bits_text
from integrator.ui.widgets.theme import Theme, mono_font

MAX_ROWS = 1_000_000
"""Rows offered to the view: Qt's header keeps some bytes for each."""

_FONT: Final = Qt.ItemDataRole.FontRole.value
_DISPLAY: Final = Qt.ItemDataRole.DisplayRole.value
_FOREGROUND: Final = Qt.ItemDataRole.ForegroundRole.value
_TOOLTIP: Final = Qt.ItemDataRole.ToolTipRole.value
_DECORATION: Final = Qt.ItemDataRole.DecorationRole.value
_PAGE = 64
_MAX_PAGES = 32


class CandidateColumn(IntEnum):
    """Columns from left to right."""

    ADDRESS = 0
    TYPE = 1
    SCALE = 2
    VALUE = 3
    PREVIOUS = 4
    CHANGES = 5
    AGE = 6
    NEAR = 7
    PROOF = 8


CandidateKey = tuple[int, str]
"""Address and type of a candidate."""


def key_of(candidate: Candidate) -> CandidateKey:
    """The part of a candidate that stays the same while the search goes on."""
    own = candidate.mask is None and candidate.real is None
    return candidate.address, candidate.type.spec if own else candidate.type_text


@dataclass(frozen=True, slots=True)
class Live:
    """A row's numbers at the present frame."""

    value: int | float
    changes: int
    age: int


def scale_text(scale: Scale) -> str:
    """The scale on the screen of a stored number: ``×10``, or ``×1`` for the number itself."""
    return str(scale).replace("x", "×") or "×1"


def type_text(candidate: Candidate) -> str:
    """Type of a candidate, or the bits of its byte: ``>u2``, ``>f4``, ``bit 3``, ``bits 0-3``."""
    return candidate.type_text if candidate.mask is None else bits_text(candidate.mask)


def number_text(number: float) -> str:
    """A number as a cell shows it: floats with seven digits, the precision of four bytes."""
    return str(number) if isinstance(number, int) else f"{number:.7g}"


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """A column: title, width in pixels, order of rows, text if it is fixed, and its meaning."""

    title: str
    width: int
    sort: SortBy | None = None
    text: Callable[[Candidate], str] | None = None
    tip: str = ""


COLUMNS: Final[Mapping[CandidateColumn, ColumnSpec]] = {
    CandidateColumn.ADDRESS: ColumnSpec(
        QT_TRANSLATE_NOOP("CandidatesModel", "address"),
        80,
        SortBy.ADDRESS,
        lambda candidate: address_text(candidate.address),
    ),
    CandidateColumn.TYPE: ColumnSpec(
        QT_TRANSLATE_NOOP("CandidatesModel", "type"), 60, SortBy.TYPE, type_text
    ),
    CandidateColumn.SCALE: ColumnSpec(
        QT_TRANSLATE_NOOP("CandidatesModel", "scale"),
        62,
        SortBy.SCALE,
        lambda candidate: scale_text(candidate.scale),
    ),
    CandidateColumn.VALUE: ColumnSpec(
        QT_TRANSLATE_NOOP("CandidatesModel", "value"),
        56,
        SortBy.VALUE,
        lambda candidate: number_text(candidate.value),
    ),
    CandidateColumn.PREVIOUS: ColumnSpec(
        QT_TRANSLATE_NOOP("CandidatesModel", "last search"),
        70,
        SortBy.PREVIOUS,
        lambda candidate: number_text(candidate.previous),
        QT_TRANSLATE_NOOP("CandidatesModel", "The number at the last step of the search"),
    ),
    CandidateColumn.CHANGES: ColumnSpec(
        QT_TRANSLATE_NOOP("CandidatesModel", "changes"),
        72,
        SortBy.CHANGES,
        lambda candidate: str(candidate.changes),
        QT_TRANSLATE_NOOP("CandidatesModel", "How many times it changed from frame to frame"),
    ),
    CandidateColumn.AGE: ColumnSpec(
        QT_TRANSLATE_NOOP("CandidatesModel", "quiet for"),
        60,
        SortBy.AGE,
        lambda candidate: "" if candidate.age < 0 else str(candidate.age),
        QT_TRANSLATE_NOOP("CandidatesModel", "Frames since it changed"),
    ),
    CandidateColumn.NEAR: ColumnSpec(
        QT_TRANSLATE_NOOP("CandidatesModel", "variable"),
        104,
        tip=QT_TRANSLATE_NOOP(
            "CandidatesModel",
            "The variable at this address, or the nearest one with the distance in bytes",
        ),
    ),
    CandidateColumn.PROOF: ColumnSpec(QT_TRANSLATE_NOOP("CandidatesModel", "proof"), 112),
}
_TEXTS: Final = tuple(column.text for column in COLUMNS.values() if column.text is not None)


def _warning(candidate: Candidate) -> str:
    """A warning of a type that may be too small for the numbers seen, or ''."""
    if candidate.mask is not None or candidate.real is not None:
        return ""
    seen = max(candidate.value, candidate.previous, candidate.first)
    return wrap_warning(candidate.type, seen)


class CandidatesModel(QAbstractTableModel):
    """Read-only rows over an immutable sequence of candidates, with live values laid over them."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._candidates: Sequence[Candidate] = ()
        self._pages: dict[int, list[Candidate]] = {}
        self._grouped = False
        self.groups: GroupedRows | None = None
        self._neighbours = Neighbours({})
        self._proofs: dict[CandidateKey, ProofMark] = {}
        self._draws: Mapping[int, ProofMark] = {}
        self._mono = mono_font()

    def set_candidates(self, candidates: Sequence[Candidate]) -> None:
        """Show other candidates."""
        self.beginResetModel()
        self._candidates = candidates
        self._pages.clear()
        self._group()
        self.endResetModel()

    # -- groups -----------------------------------------------------------------------------

    def set_grouped(self, grouped: bool) -> None:
        """Put candidates that agree into one row each, which unfolds; or show every candidate."""
        self.beginResetModel()
        self._grouped = grouped
        self._group()
        self.endResetModel()

    def _group(self) -> None:
        few = len(self._candidates) <= MOST_GROUPED
        self.groups = GroupedRows(self._candidates) if self._grouped and few else None

    def unfold(self, row: int, *, unfolded: bool) -> None:
        """List the candidates that agree with a row below it, or hide them."""
        groups = self.groups
        if groups is None or not groups.others(row) or groups.is_unfolded(row) == unfolded:
            return
        last = row + groups.others(row)
        if unfolded:
            self.beginInsertRows(NO_PARENT, row + 1, last)
            groups.unfold(row)
            self.endInsertRows()
        else:
            self.beginRemoveRows(NO_PARENT, row + 1, last)
            groups.fold(row)
            self.endRemoveRows()
        cell = self.index(row, CandidateColumn.ADDRESS)
        self.dataChanged.emit(cell, cell)

    def _place(self, row: int) -> int:
        return row if self.groups is None else self.groups.place(row)

    def _agreement(self, row: int, words: Callable[[Reading, Reading], str]) -> str:
        """The reason why a row below an unfolded one agrees with it; '' for other rows."""
        lead = row if self.groups is None else self.groups.lead_of(row)
        if lead == row:
            return ""
        return words(reading_of(self.candidate(lead)), reading_of(self.candidate(row)))

    def _address(self, row: int) -> str:
        text, groups = address_text(self.candidate(row).address), self.groups
        if groups is None:
            return text
        if groups.lead_of(row) != row:
            return f"     {text}"
        sign = "▾" if groups.is_unfolded(row) else "▸"
        return f"{sign if groups.others(row) else ' '} {text}"

    # -- rows -------------------------------------------------------------------------------

    def candidate(self, row: int) -> Candidate:
        """The candidate of a row."""
        row = self._place(row)
        page = row // _PAGE
        if page not in self._pages:
            if len(self._pages) >= _MAX_PAGES:
                self._pages.pop(next(iter(self._pages)))
            first = page * _PAGE
            self._pages[page] = list(self._candidates[first : first + _PAGE])
        return self._pages[page][row % _PAGE]

    def set_live(self, first: int, keys: Sequence[Candidate], numbers: Sequence[Live]) -> None:
        """New numbers of the rows from ``first`` on, if they still show ``keys``."""
        for offset, (key, live) in enumerate(zip(keys, numbers, strict=True)):
            row = first + offset
            if row >= self.rowCount():
                return
            shown = self.candidate(row)
            if key_of(shown) != key_of(key):
                continue
            if (shown.value, shown.changes, shown.age) == (live.value, live.changes, live.age):
                continue
            fresh = replace(shown, value=live.value, changes=live.changes, age=live.age)
            place = self._place(row)
            self._pages[place // _PAGE][place % _PAGE] = fresh
            last = self.index(row, CandidateColumn.AGE)
            self.dataChanged.emit(self.index(row, CandidateColumn.VALUE), last)

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        """Set the known variables, of which each row names the nearest."""
        self._neighbours = Neighbours(variables)
        self._column_changed(CandidateColumn.NEAR)

    def add_proofs(self, proofs: Mapping[CandidateKey, ProofMark]) -> None:
        """Show verdicts, which stay with their candidates while the search goes on."""
        self._proofs.update(proofs)
        self._column_changed(CandidateColumn.PROOF)

    def set_draws(self, draws: Mapping[int, ProofMark]) -> None:
        """Set the bytes, by address, that redraw the marked place on the screen."""
        self._draws = draws
        self._column_changed(CandidateColumn.PROOF)

    def forget_proofs(self) -> None:
        """Drop the proofs of the last game."""
        self._proofs.clear()
        self.set_draws({})

    def proof(self, candidate: Candidate) -> ProofMark | None:
        """The mark of a candidate's proof, if there is one."""
        # Bits share the proof of their byte.
        proved = self._proofs.get((candidate.address, candidate.type.spec))
        if proved is not None or not self._draws:
            return proved
        start = candidate.address
        drawing = (self._draws.get(start + n) for n in range(candidate.type.width))
        return next((mark for mark in drawing if mark is not None), None)

    def _column_changed(self, column: CandidateColumn) -> None:
        if self.rowCount():
            last = self.index(self.rowCount() - 1, column)
            self.dataChanged.emit(self.index(0, column), last)

    # -- Qt's model -------------------------------------------------------------------------

    def rowCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """At most MAX_ROWS."""
        rows = self._candidates if self.groups is None else self.groups
        return 0 if parent.isValid() else min(len(rows), MAX_ROWS)

    def columnCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """See :class:`CandidateColumn`."""
        return 0 if parent.isValid() else len(CandidateColumn)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Column titles."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[CandidateColumn(section)]
        if role == Qt.ItemDataRole.DisplayRole:
            # A line for each word: the columns are as narrow as their numbers.
            return self.tr(column.title).replace(" ", "\n")
        if role == Qt.ItemDataRole.ToolTipRole and column.tip:
            return self.tr(column.tip)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and font of a cell."""
        # Asked some thousand times for a screen of rows: plain integers are quick to compare.
        if role == _FONT:
            return self._mono if index.column() < CandidateColumn.NEAR else None
        if role == _DISPLAY and index.column() == CandidateColumn.ADDRESS:
            return self._address(index.row())
        if role == _DISPLAY and index.column() == CandidateColumn.PROOF and self.groups is not None:
            mark = self.proof(self.candidate(index.row()))
            return mark.text if mark is not None else self._agreement(index.row(), agreement)
        if role == _DISPLAY:
            return self._text(self.candidate(index.row()), index.column())
        if role == _FOREGROUND:
            column = CandidateColumn(index.column())
            return QColor(self._color(self.candidate(index.row()), column))
        if role == _DECORATION and index.column() == CandidateColumn.TYPE:
            warned = _warning(self.candidate(index.row()))
            return self._theme.icons.icon("warning") if warned else None
        if role == _TOOLTIP:
            return self._tip(index.row(), CandidateColumn(index.column()))
        return None

    def _text(self, candidate: Candidate, column: int) -> str:
        if column < len(_TEXTS):
            return _TEXTS[column](candidate)
        if column == CandidateColumn.NEAR:
            return self._neighbours.text(candidate.address, candidate.type.width)
        mark = self.proof(candidate)
        return mark.text if mark is not None else ""

    def _tip(self, row: int, column: CandidateColumn) -> str | None:
        candidate = self.candidate(row)
        if column is CandidateColumn.TYPE:
            return self._type_tip(candidate)
        if agrees := self._agreement(row, agreement_tip):
            return agrees
        if column is CandidateColumn.SCALE and str(candidate.scale):
            text = self.tr("The screen shows {0} when memory holds {1}")
            return text.format(candidate.shown, candidate.value)
        if COLUMNS[column].tip:
            return self.tr(COLUMNS[column].tip)
        if column is CandidateColumn.PROOF:
            mark = self.proof(candidate)
            return mark.tip if mark is not None else None
        return None

    def _type_tip(self, candidate: Candidate) -> str:
        if candidate.real is not None:
            return self.tr(
                "Floating-point number of four bytes. data.json has no such type: a variable "
                "holds the bytes, and a script makes the number of them."
            )
        if candidate.mask is None:
            return "\n".join(filter(None, (type_tip(candidate.type), _warning(candidate))))
        text = self.tr("{0} of the byte: a variable of it has the mask {1} (0x{1:X})")
        return text.format(bits_text(candidate.mask), candidate.mask)

    def _color(self, candidate: Candidate, column: CandidateColumn) -> str:
        colors = self._theme.colors
        if column is CandidateColumn.VALUE and candidate.value != candidate.previous:
            return colors.good if candidate.value > candidate.previous else colors.bad
        if column is CandidateColumn.PROOF:
            mark = self.proof(candidate)
            return mark.color(colors) if mark is not None else colors.text
        by_column = {
            CandidateColumn.ADDRESS: colors.link,
            CandidateColumn.SCALE: colors.secondary,
            CandidateColumn.PREVIOUS: colors.faint,
            CandidateColumn.CHANGES: colors.faint,
            CandidateColumn.AGE: colors.faint,
            CandidateColumn.NEAR: colors.secondary,
        }
        return by_column.get(column, colors.text)
