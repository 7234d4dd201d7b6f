"""The matches of the pinned facts, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from integrator.domain.query.rank import Match
from integrator.domain.query.text import fact_text
from integrator.ui.find.search.candidates_model import CandidateKey, scale_text
from integrator.ui.terms.help_texts import COPY_TEXT, help_text, type_tip
from integrator.ui.terms.proof_marks import ProofMark
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.theme import Theme, mono_font

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


class MatchColumn(IntEnum):
    """Columns from left to right."""

    ADDRESS = 0
    TYPE = 1
    SCALE = 2
    EVIDENCE = 3
    COPIES = 4
    PROOF = 5


class MatchesModel(QAbstractTableModel):
    """A row a match, best first."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mono = mono_font()
        self._matches: tuple[Match, ...] = ()
        self._proofs: dict[CandidateKey, ProofMark] = {}

    def set_matches(self, matches: Sequence[Match]) -> None:
        """Show other matches."""
        self.beginResetModel()
        self._matches = tuple(matches)
        self.endResetModel()

    def match_at(self, row: int) -> Match:
        """The match of a row."""
        return self._matches[row]

    def add_proofs(self, proofs: Mapping[CandidateKey, ProofMark]) -> None:
        """Show verdicts beside their matches."""
        self._proofs.update(proofs)
        if self._matches:
            last = self.index(len(self._matches) - 1, MatchColumn.PROOF)
            self.dataChanged.emit(self.index(0, MatchColumn.PROOF), last)

    def forget_proofs(self) -> None:
        """Drop the proofs of the last game."""
        self._proofs.clear()

    def proof(self, match: Match) -> ProofMark | None:
        """The mark of a match's proof, if there is one."""
        return self._proofs.get((match.address, match.type.spec))

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
        return (
            self.tr("address"),
            self.tr("type"),
            self.tr("scale"),
            self.tr("evidence"),
            self.tr("copies"),
            self.tr("proof"),
        )[section]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and font of a cell."""
        match, column = self._matches[index.row()], MatchColumn(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(match, column)
        if role == Qt.ItemDataRole.FontRole and column not in (
            MatchColumn.EVIDENCE,
            MatchColumn.PROOF,
        ):
            return self._mono
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(match, column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(match, column)
        return None

    def _tip(self, match: Match, column: MatchColumn) -> str | None:
        mark = self.proof(match)
        if column is MatchColumn.PROOF and mark is not None:
            return mark.tip
        if column is MatchColumn.TYPE:
            return type_tip(match.type)
        if not match.copies:
            return None
        shown = [f"{address_text(each.address)} {each.type}" for each in match.copies[:12]]
        same = self.tr("The same on every frame looked at: {0}").format(", ".join(shown))
        return f"{same}\n{help_text(COPY_TEXT)}"

    def _text(self, match: Match, column: MatchColumn) -> str:
        mark = self.proof(match)
        texts = (
            address_text(match.address),
            str(match.type),
            scale_text(match.scale),
            self.tr("fits all facts")
            if match.failed is None
            else self.tr("fails: {0}").format(fact_text(match.failed)),
            str(len(match.copies) or ""),
            mark.text if mark is not None else "",
        )
        return texts[column]

    def _color(self, match: Match, column: MatchColumn) -> str:
        colors = self._theme.colors
        if column is MatchColumn.EVIDENCE:
            return colors.good if match.failed is None else colors.bad
        mark = self.proof(match)
        if column is MatchColumn.PROOF and mark is not None:
            return mark.color(colors)
        by_column = {MatchColumn.ADDRESS: colors.link, MatchColumn.COPIES: colors.faint}
        return by_column.get(column, colors.text)
