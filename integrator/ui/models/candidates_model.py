"""What a RAM search has left, as a table: rows are made when they are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from integrator.domain.search_results import Candidate
from integrator.ui.models.fields import address_text
from integrator.ui.theme import Theme, mono_font

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()

MAX_ROWS = 1_000_000
"""Rows offered to the view: Qt's header keeps some bytes for each."""

_FONT: Final = Qt.ItemDataRole.FontRole.value
_DISPLAY: Final = Qt.ItemDataRole.DisplayRole.value
_FOREGROUND: Final = Qt.ItemDataRole.ForegroundRole.value
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


class CandidatesModel(QAbstractTableModel):
    """Read-only rows over an immutable sequence of candidates, with live values laid over them."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._candidates: Sequence[Candidate] = ()
        self._pages: dict[int, list[Candidate]] = {}
        self._mono = mono_font()

    def set_candidates(self, candidates: Sequence[Candidate]) -> None:
        """Show other candidates."""
        self.beginResetModel()
        self._candidates = candidates
        self._pages.clear()
        self.endResetModel()

    def candidate(self, row: int) -> Candidate:
        """The candidate of a row."""
        page = row // _PAGE
        if page not in self._pages:
            if len(self._pages) >= _MAX_PAGES:
                self._pages.pop(next(iter(self._pages)))
            first = page * _PAGE
            self._pages[page] = list(self._candidates[first : first + _PAGE])
        return self._pages[page][row % _PAGE]

    def set_live_values(self, first: int, keys: Sequence[Candidate], values: Sequence[int]) -> None:
        """New values of the rows from ``first`` on, if they still show ``keys``."""
        for offset, (key, value) in enumerate(zip(keys, values, strict=True)):
            row = first + offset
            if row >= self.rowCount():
                return
            shown = self.candidate(row)
            if (shown.address, shown.type) != (key.address, key.type) or shown.value == value:
                continue
            self._pages[row // _PAGE][row % _PAGE] = replace(shown, value=value)
            index = self.index(row, CandidateColumn.VALUE)
            self.dataChanged.emit(index, index)

    # -- Qt's model -------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """At most MAX_ROWS."""
        return 0 if parent.isValid() else min(len(self._candidates), MAX_ROWS)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """See :class:`CandidateColumn`."""
        return 0 if parent.isValid() else len(CandidateColumn)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Column titles."""
        if orientation is not Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return self.tr(("address", "type", "scale", "value", "was", "changes")[section])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and font of a cell."""
        # Asked some thousand times for a screen of rows: plain integers are quick to compare.
        if role == _FONT:
            return self._mono
        if role == _DISPLAY:
            return _TEXTS[index.column()](self.candidate(index.row()))
        if role == _FOREGROUND:
            column = CandidateColumn(index.column())
            return QColor(self._color(self.candidate(index.row()), column))
        return None

    def _color(self, candidate: Candidate, column: CandidateColumn) -> str:
        colors = self._theme.colors
        if column is CandidateColumn.VALUE and candidate.value != candidate.previous:
            return colors.good if candidate.value > candidate.previous else colors.bad
        by_column = {
            CandidateColumn.ADDRESS: colors.link,
            CandidateColumn.SCALE: colors.secondary,
            CandidateColumn.PREVIOUS: colors.faint,
            CandidateColumn.CHANGES: colors.faint,
        }
        return by_column.get(column, colors.text)


_TEXTS: Final[tuple[Callable[[Candidate], str], ...]] = (
    lambda candidate: address_text(candidate.address),
    lambda candidate: str(candidate.type),
    lambda candidate: str(candidate.scale) or "×1",
    lambda candidate: str(candidate.value),
    lambda candidate: str(candidate.previous),
    lambda candidate: str(candidate.changes),
)
"""The text of each column."""
