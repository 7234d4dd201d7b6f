"""The matches of the pinned facts as a table: groups that unfold, and numbers at each fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import IntEnum
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QObject, Qt, Signal
from PySide6.QtGui import QColor

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.query.matches.rank import Match
from integrator.domain.query.recorded.text import fact_text
from integrator.ui.find.facts.answer import Answer, FactFrame
from integrator.ui.find.search.candidates_model import CandidateKey, scale_text
from integrator.ui.terms.agreement import agreement, agreement_tip, wrap_warning
from integrator.ui.terms.help_texts import type_tip
from integrator.ui.terms.proof_marks import ProofMark
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.table_model import NO_PARENT, Index
from integrator.ui.widgets.texts import bits_text, exact_number
from integrator.ui.widgets.theme import Theme, mono_font
from integrator.ui.widgets.translation import counted


class MatchColumn(IntEnum):
    """Kinds of columns from left to right; each frame of a fact has a column of kind FACT."""

    ADDRESS = 0
    TYPE = 1
    SCALE = 2
    NOW = 3
    BEFORE = 4
    FACT = 5
    AGREE = 6
    EVIDENCE = 7
    PROOF = 8


_NO_ANSWER: Final = Answer((), 0, 0)
_PLAIN_FONT: Final = (MatchColumn.EVIDENCE, MatchColumn.PROOF, MatchColumn.AGREE)


class MatchesModel(QAbstractTableModel):
    """A row a match, best first, and below an unfolded match a row for each that agrees with it.

    ``first_proof``: a first verdict is shown, in a column that was empty; ``grew``: a live number
    has more letters than any before.
    """

    first_proof = Signal()
    grew = Signal()

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._mono = mono_font()
        self._answer = _NO_ANSWER
        # Of each row the number of its match, and the place of its reading in the match: 0 leads.
        self._rows: list[tuple[int, int]] = []
        self._now: dict[Reading, Fraction] = {}
        self._before: dict[Reading, Fraction] = {}
        self._longest = 0
        self._proofs: dict[CandidateKey, ProofMark] = {}

    def set_answer(self, answer: Answer = _NO_ANSWER) -> None:
        """Show other matches, all folded."""
        self.beginResetModel()
        self._answer = answer
        self._rows = [(number, 0) for number in range(len(answer.matches))]
        self._now, self._before, self._longest = {}, {}, 0
        self.endResetModel()

    @property
    def frames(self) -> tuple[FactFrame, ...]:
        """The frames of facts, each with a column."""
        return self._answer.frames

    @property
    def has_proofs(self) -> bool:
        """True when verdicts are known."""
        return bool(self._proofs)

    @property
    def is_scaled(self) -> bool:
        """True when a number on the screen is not the stored one."""
        return any(str(each.scale) for match in self._answer.matches for each in match.readings)

    def match_at(self, row: int) -> Match:
        """The match of a row; for a row below an unfolded match, its reading without others."""
        number, place = self._rows[row]
        lead = self._answer.matches[number]
        if not place:
            return lead
        reading = self.reading_at(row)
        return replace(
            lead,
            address=reading.address,
            type=reading.type,
            scale=reading.scale,
            mask=reading.mask,
            copies=(),
        )

    def reading_at(self, row: int) -> Reading:
        """Address, type and scale of a row."""
        number, place = self._rows[row]
        return self._answer.matches[number].readings[place]

    # -- groups -------------------------------------------------------------------------------

    def is_unfolded(self, row: int) -> bool:
        """True when the rows that agree with this one are listed below it."""
        return self._rows[row + 1 : row + 2] == [(self._rows[row][0], 1)]

    def lead_of(self, row: int) -> int:
        """The row of the match to which a row belongs."""
        return row - self._rows[row][1]

    def unfold(self, row: int, *, unfolded: bool) -> None:
        """List the readings that agree with a match below it, or hide them."""
        row = self.lead_of(row)
        number = self._rows[row][0]
        copies = len(self._answer.matches[number].copies)
        if not copies or self.is_unfolded(row) == unfolded:
            return
        if unfolded:
            self.beginInsertRows(NO_PARENT, row + 1, row + copies)
            self._rows[row + 1 : row + 1] = [(number, place + 1) for place in range(copies)]
            self.endInsertRows()
        else:
            self.beginRemoveRows(NO_PARENT, row + 1, row + copies)
            del self._rows[row + 1 : row + 1 + copies]
            self.endRemoveRows()
        cell = self.index(row, self.column_of(MatchColumn.AGREE))
        self.dataChanged.emit(cell, cell)

    # -- numbers and proofs ---------------------------------------------------------------------

    def set_live(self, numbers: Mapping[Reading, Fraction]) -> None:
        """Numbers at the present frame; one that changes is kept as the number before."""
        for reading, number in numbers.items():
            known = self._now.get(reading)
            if known is not None and known != number:
                self._before[reading] = known
            self._now[reading] = number
        self._changed(MatchColumn.NOW, MatchColumn.BEFORE)
        longest = max((len(exact_number(number)) for number in numbers.values()), default=0)
        if longest > self._longest:
            self._longest = longest
            self.grew.emit()

    def add_proofs(self, proofs: Mapping[CandidateKey, ProofMark]) -> None:
        """Show verdicts beside their matches."""
        first = bool(proofs) and not self.has_proofs
        self._proofs.update(proofs)
        self._changed(MatchColumn.PROOF, MatchColumn.PROOF)
        if first:
            self.first_proof.emit()

    def forget_proofs(self) -> None:
        """Drop the proofs of the last game."""
        self._proofs.clear()

    def proof(self, match: Match) -> ProofMark | None:
        """The mark of a match's proof, if there is one."""
        return self._proofs.get((match.address, match.type.spec))

    def _changed(self, first: MatchColumn, last: MatchColumn) -> None:
        if self._rows:
            end = self.index(len(self._rows) - 1, self.column_of(last))
            self.dataChanged.emit(self.index(0, self.column_of(first)), end)

    # -- Qt's model ---------------------------------------------------------------------------

    def rowCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """One row a match, and one for each reading below an unfolded match."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NO_PARENT) -> int:  # noqa: N802 - Qt's name
        """See :class:`MatchColumn`."""
        return 0 if parent.isValid() else len(MatchColumn) - 1 + len(self.frames)

    def column_of(self, kind: MatchColumn) -> int:
        """The place of a kind of column; of FACT the first."""
        return kind + (len(self.frames) - 1 if kind > MatchColumn.FACT else 0)

    def kind_of(self, column: int) -> MatchColumn:
        """The kind of a column."""
        beyond = column - MatchColumn.FACT
        if beyond < 0:
            return MatchColumn(column)
        facts = len(self.frames)
        return MatchColumn.FACT if beyond < facts else MatchColumn(column - facts + 1)

    def headerData(  # noqa: N802 - Qt's name
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Column titles and their meaning."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        kind = self.kind_of(section)
        if role == Qt.ItemDataRole.DisplayRole:
            if kind is MatchColumn.FACT:
                return self.tr("at\n{0}").format(self.frames[section - kind].frame)
            return self._titles()[kind]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._title_tip(section, kind)
        return None

    def _titles(self) -> Mapping[MatchColumn, str]:
        return {
            MatchColumn.ADDRESS: self.tr("address"),
            MatchColumn.TYPE: self.tr("type"),
            MatchColumn.SCALE: self.tr("scale"),
            MatchColumn.NOW: self.tr("now"),
            MatchColumn.BEFORE: self.tr("before"),
            MatchColumn.AGREE: self.tr("agree"),
            MatchColumn.EVIDENCE: self.tr("evidence"),
            MatchColumn.PROOF: self.tr("proof"),
        }

    def _title_tip(self, section: int, kind: MatchColumn) -> str | None:
        if kind is MatchColumn.FACT:
            named = self.frames[section - kind]
            source = named.recording
            if not isinstance(source, Path):
                return self.tr("The number at frame {0}").format(named.frame)
            return self.tr("The number at frame {0} of {1}").format(named.frame, source.name)
        tips = {
            MatchColumn.NOW: self.tr("The number at the frame shown"),
            MatchColumn.BEFORE: self.tr("The number before it changed last, while you looked"),
            MatchColumn.AGREE: self.tr(
                "Other places and types that showed the same number: click to list them"
            ),
        }
        return tips.get(kind)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour, font and sign of a cell."""
        row, kind = index.row(), self.kind_of(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, kind, index.column() - MatchColumn.FACT)
        if role == Qt.ItemDataRole.FontRole and kind not in _PLAIN_FONT:
            return self._mono
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(row, kind, index.column() - MatchColumn.FACT))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, kind)
        if role == Qt.ItemDataRole.DecorationRole and kind is MatchColumn.TYPE:
            return self._theme.icons.icon("warning") if self._warning(row) else None
        return None

    def _text(self, row: int, kind: MatchColumn, fact: int) -> str:
        match, reading = self.match_at(row), self.reading_at(row)
        if kind is MatchColumn.FACT:
            return exact_number(self._answer.numbers[reading][fact])
        if kind is MatchColumn.EVIDENCE:
            return self._evidence(row, match)
        texts = {
            MatchColumn.ADDRESS: ("  " if self._is_member(row) else "")
            + address_text(match.address),
            MatchColumn.TYPE: str(match.type) if match.mask is None else bits_text(match.mask),
            MatchColumn.SCALE: scale_text(match.scale),
            MatchColumn.NOW: _known(self._now.get(reading)),
            MatchColumn.BEFORE: _known(self._before.get(reading)),
            MatchColumn.AGREE: self._agree(row, match),
        }
        mark = self.proof(match)
        return texts.get(kind, mark.text if mark is not None else "")

    def _agree(self, row: int, match: Match) -> str:
        if not match.copies:
            return ""
        sign = "▾" if self.is_unfolded(row) else "▸"
        return f"{sign} {len(match.copies)}"

    def _evidence(self, row: int, match: Match) -> str:
        if self._is_member(row):
            return agreement(self.reading_at(self.lead_of(row)), self.reading_at(row))
        if match.failed is None and match.off_frames:
            off = match.off_frames
            return counted(self.tr("fits within {0} frame[|s]", None, off), off).format(off)
        if match.failed is None:
            return self.tr("fits all")
        frames = match.failed.frames
        if len(frames) == 1:
            return self.tr("fails at {0}").format(frames[0])
        return self._failure(match)

    def _failure(self, match: Match) -> str:
        return "" if match.failed is None else self.tr("fails {0}").format(fact_text(match.failed))

    def _tip(self, row: int, kind: MatchColumn) -> str | None:
        match = self.match_at(row)
        mark = self.proof(match)
        if kind is MatchColumn.PROOF and mark is not None:
            return mark.tip
        if kind is MatchColumn.TYPE:
            return "\n".join(filter(None, (type_tip(match.type), self._warning(row))))
        if kind is MatchColumn.SCALE:
            return match.scale.formula
        if kind is MatchColumn.EVIDENCE and self._is_member(row):
            return agreement_tip(self.reading_at(self.lead_of(row)), self.reading_at(row))
        if kind is MatchColumn.EVIDENCE:
            return self._failure(match) or self._evidence(row, match)
        return None

    def _warning(self, row: int) -> str:
        reading = self.reading_at(row)
        if self.match_at(row).failed is not None:
            return ""
        seen = [*self._answer.numbers.get(reading, ()), self._now.get(reading, Fraction(0))]
        stored = (reading.scale.stored(number) for number in seen)
        return wrap_warning(reading.type, max(stored))

    def _is_member(self, row: int) -> bool:
        return bool(self._rows[row][1])

    def _color(self, row: int, kind: MatchColumn, fact: int) -> str:
        colors, match = self._theme.colors, self.match_at(row)
        if kind is MatchColumn.FACT:
            wanted = self.frames[fact].number
            number = self._answer.numbers[self.reading_at(row)][fact]
            return colors.text if wanted is None or number == wanted else colors.bad
        if kind is MatchColumn.EVIDENCE and not self._is_member(row):
            return colors.good if match.failed is None else colors.bad
        mark = self.proof(match)
        if kind is MatchColumn.PROOF and mark is not None:
            return mark.color(colors)
        by_kind = {
            MatchColumn.ADDRESS: colors.link,
            MatchColumn.BEFORE: colors.secondary,
            MatchColumn.AGREE: colors.link,
            MatchColumn.EVIDENCE: colors.secondary,
        }
        return by_kind.get(kind, colors.text)


def _known(number: Fraction | None) -> str:
    return "" if number is None else exact_number(number)
