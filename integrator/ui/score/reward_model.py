"""One player's reward terms as a table: rows from the scenario, contributions from the frame."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor

from integrator.domain.errors import DomainError
from integrator.domain.files.jsontext import JsonPath
from integrator.domain.values.variables import TIME_TERM
from integrator.ui.terms.help_texts import takes_reference
from integrator.ui.widgets.delegates import HISTORY, TrendRole
from integrator.ui.widgets.fields import parse_factor, parse_number
from integrator.ui.widgets.table_model import Index, TableModel
from integrator.ui.widgets.texts import plain_number, signed
from integrator.ui.widgets.theme import Theme, mono_font


class TermKind(Enum):
    """The origin of a part of the reward: a variable, each frame's price, or a script."""

    VARIABLE = "variable"
    TIME = "time"
    SCRIPT = "script"


class RewardColumn(IntEnum):
    """Columns from left to right."""

    VARIABLE = 0
    MEASUREMENT = 1
    OP = 2
    REFERENCE = 3
    REWARD = 4
    PENALTY = 5
    NOW = 6
    TREND = 7


_KEYS = {
    RewardColumn.MEASUREMENT: "measurement",
    RewardColumn.OP: "op",
    RewardColumn.REFERENCE: "reference",
    RewardColumn.REWARD: "reward",
    RewardColumn.PENALTY: "penalty",
}


@dataclass(slots=True)
class _Term:
    name: str
    path: JsonPath
    value: Mapping[str, Any]
    kind: TermKind = TermKind.VARIABLE
    now: float = 0.0
    total: float = 0.0
    history: deque[float] = field(default_factory=lambda: deque(maxlen=HISTORY))


def as_object(value: object) -> Mapping[str, Any]:
    """``value`` if it is a JSON object, else an empty one: a broken file shows its good parts."""
    return value if isinstance(value, Mapping) else {}


class RewardModel(TableModel):
    """``edit_requested``: (JSON path, new value); a value of None asks to remove the key."""

    columns = RewardColumn

    edit_requested = Signal(tuple, object)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._terms: list[_Term] = []
        self._known: frozenset[str] = frozenset()
        self._mono = mono_font()
        theme.changed.connect(lambda: self._changed(0, len(self._terms) - 1))

    def set_block(
        self, path: JsonPath, block: Mapping[str, Any], known_variables: Sequence[str]
    ) -> None:
        """Show the reward block at ``path``; ``known_variables`` can be read."""
        self._known = frozenset(known_variables)
        terms = [
            _Term(name, (*path, "variables", name), as_object(value))
            for name, value in as_object(block.get("variables")).items()
        ]
        if "time" in block:
            time = as_object(block["time"])
            terms.append(_Term(TIME_TERM, (*path, "time"), time, TermKind.TIME))
        if block.get("script"):
            terms.insert(0, _Term(str(block["script"]), (*path, "script"), {}, TermKind.SCRIPT))
        if [(t.path, t.name) for t in terms] == [(t.path, t.name) for t in self._terms]:
            for old, new in zip(self._terms, terms, strict=True):
                old.value = new.value
            self._changed(0, len(terms) - 1)
            return
        self.beginResetModel()
        self._terms = terms
        self.endResetModel()

    def set_contributions(
        self, terms: Sequence[tuple[str, float]], gains: Sequence[tuple[str, float]]
    ) -> None:
        """Set each term's summand on the newest frame, and its sum since the last call."""
        given, gained = dict(terms), dict(gains)
        for at, term in enumerate(self._terms):
            gain = float(gained.get(term.name, 0.0))
            # A summand between two readouts is shown once, or nobody would see it.
            now = float(given.get(term.name, 0.0)) or gain
            term.total += gain
            term.history.append(term.total)
            if now != term.now:
                term.now = now
                self._cell_changed(at, RewardColumn.NOW)
            self._cell_changed(at, RewardColumn.TREND)

    def set_sums(self, sums: Mapping[str, Sequence[float]]) -> None:
        """Set each term's sums since the episode began, oldest first."""
        for at, term in enumerate(self._terms):
            values = sums.get(term.name, ())
            term.total = values[-1] if values else 0.0
            term.history = deque(values, maxlen=HISTORY)
            self._cell_changed(at, RewardColumn.TREND)

    def begin_episode(self) -> None:
        """Begin new trends."""
        for term in self._terms:
            term.total = 0.0
            term.history.clear()
        self._changed(0, len(self._terms) - 1)

    def path_at(self, row: int) -> JsonPath:
        """The JSON path of a term."""
        return self._terms[row].path

    def kind(self, row: int) -> TermKind:
        """The kind of a row; only a variable's has all fields, and a script's has none."""
        return self._terms[row].kind

    def has_term(self, name: str) -> bool:
        """True when a variable is rewarded already."""
        return any(term.name == name and term.kind is not TermKind.SCRIPT for term in self._terms)

    def row_of(self, name: str) -> int | None:
        """The row of a variable's term."""
        return next((at for at, term in enumerate(self._terms) if term.name == name), None)

    # -- Qt's model -------------------------------------------------------------------------

    def length(self) -> int:
        """One row a term."""
        return len(self._terms)

    def titles(self) -> Sequence[str]:
        """See :class:`RewardColumn`."""
        return (
            self.tr("variable"),
            self.tr("measure"),
            self.tr("op"),
            self.tr("ref."),
            self.tr("reward"),
            self.tr("penalty"),
            self.tr("now"),
            self.tr("so far"),
        )

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Time has neither measurement nor op, and a script no number at all."""
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        column = RewardColumn(index.column())
        if column not in _KEYS:
            return base
        kind = self._terms[index.row()].kind
        if kind is TermKind.SCRIPT or (kind is TermKind.TIME and column is not RewardColumn.REWARD):
            return base
        return base | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and font of a cell."""
        term, column = self._terms[index.row()], RewardColumn(index.column())
        if role == TrendRole:
            return tuple(term.history)
        if role == Qt.ItemDataRole.EditRole:
            return self._raw(term, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(term, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(term, column))
        if role == Qt.ItemDataRole.FontRole and column is not RewardColumn.VARIABLE:
            return self._mono
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(term, column)
        return None

    def _is_lost(self, term: _Term) -> bool:
        return term.kind is TermKind.VARIABLE and term.name not in self._known

    def _raw(self, term: _Term, column: RewardColumn) -> str:
        if column is RewardColumn.MEASUREMENT:
            return str(term.value.get("measurement", "delta"))
        if column is RewardColumn.OP:
            return str(term.value.get("op", ""))
        key = _KEYS.get(column)
        return str(term.value.get(key, 0)) if key else self._text(term, column)

    def _text(self, term: _Term, column: RewardColumn) -> str:
        if column is RewardColumn.VARIABLE:
            return term.name
        if column is RewardColumn.NOW:
            return signed(term.now) if term.now else "·"
        if column is RewardColumn.TREND:
            return ""
        if term.kind is TermKind.TIME and column is not RewardColumn.REWARD:
            return self.tr("per frame") if column is RewardColumn.MEASUREMENT else ""
        raw = self._raw(term, column)
        if column is RewardColumn.OP:
            return raw or "—"
        if column is RewardColumn.REFERENCE and not takes_reference(
            self._raw(term, RewardColumn.OP)
        ):
            return "" if "reference" not in term.value else raw
        if column in (RewardColumn.REWARD, RewardColumn.PENALTY):
            return _factor_text(term.value.get(_KEYS[column], 0))
        return raw

    def _color(self, term: _Term, column: RewardColumn) -> str:
        colors = self._theme.colors
        if column is RewardColumn.VARIABLE and self._is_lost(term):
            return colors.warn
        if column is RewardColumn.NOW:
            return colors.good if term.now > 0 else colors.bad if term.now < 0 else colors.faint
        if column is RewardColumn.OP:
            return colors.link if term.value.get("op") else colors.faint
        if column is RewardColumn.MEASUREMENT:
            return colors.secondary
        zero = column in (RewardColumn.REWARD, RewardColumn.PENALTY) and not term.value.get(
            _KEYS[column]
        )
        return colors.faint if zero else colors.text

    def _tip(self, term: _Term, column: RewardColumn) -> str | None:
        if column is RewardColumn.VARIABLE and self._is_lost(term):
            return self.tr("There is no variable “{0}”: this term gives nothing.").format(term.name)
        if column is RewardColumn.REWARD:
            return self.tr("A positive result is multiplied by this")
        if column is RewardColumn.PENALTY:
            return self.tr("A negative result is multiplied by this")
        return None

    # -- edits ------------------------------------------------------------------------------

    def check(self, index: Index, text: str) -> str | None:
        """The reason why ``text`` can not stand in a cell; None when it can."""
        try:
            _parse_cell(RewardColumn(index.column()), text)
        except DomainError as error:
            return str(error)
        return None

    def setData(  # noqa: N802 - Qt's name
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Turn an edit into a request. False, without a request, for an invalid one."""
        if role != Qt.ItemDataRole.EditRole or self.check(index, str(value)) is not None:
            return False
        column = RewardColumn(index.column())
        term = self._terms[index.row()]
        if str(value) != self._raw(term, column):
            self.edit_requested.emit((*term.path, _KEYS[column]), _parse_cell(column, str(value)))
        return True

    def _cell_changed(self, row: int, column: RewardColumn) -> None:
        index = self.index(row, column)
        self.dataChanged.emit(index, index)

    def _changed(self, first: int, last: int) -> None:
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, RewardColumn.TREND))


def _factor_text(value: object) -> str:
    return plain_number(value) if isinstance(value, int | float) else str(value)


def _parse_cell(column: RewardColumn, text: str) -> object:
    """The JSON value for a cell's text; None removes the key, whose default is the same."""
    if column is RewardColumn.MEASUREMENT:
        return text
    if column is RewardColumn.OP:
        return text or None
    if column is RewardColumn.REFERENCE:
        return parse_number(text)
    factor = parse_factor(text)
    whole = factor.is_integer() and "." not in text and "e" not in text.lower()
    return int(factor) if whole else factor
