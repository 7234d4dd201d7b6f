"""The live table of variables: values of the newest frame, edits as requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor

from integrator.domain.errors import DomainError
from integrator.domain.values.variables import VariableSpec
from integrator.ui.terms.help_texts import type_tip
from integrator.ui.widgets.delegates import TrendRole
from integrator.ui.widgets.fields import (
    address_text,
    parse_address,
    parse_name,
    parse_number,
    parse_type,
)
from integrator.ui.widgets.table_model import NO_PARENT, Index, TableModel
from integrator.ui.widgets.texts import signed
from integrator.ui.widgets.theme import Theme, mono_font


class VariableColumn(IntEnum):
    """Columns from left to right."""

    NAME = 0
    VALUE = 1
    DELTA = 2
    TYPE = 3
    ADDRESS = 4
    TREND = 5


@dataclass(slots=True)
class _Row:
    name: str
    spec: VariableSpec | None  # None: a custom variable that a script made
    problem: str = ""
    value: float | None = None
    delta: float = 0
    frozen: bool = False
    history: tuple[float, ...] = ()


class VariablesModel(TableModel):
    """A row a variable. ``poke_requested``: name, value; ``change_requested``: name, new spec."""

    columns = VariableColumn

    poke_requested = Signal(str, object)
    change_requested = Signal(str, object)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[_Row] = []
        self._by_name: dict[str, int] = {}
        self._mono = mono_font()
        theme.changed.connect(self._repaint)

    # -- shown state ------------------------------------------------------------------------

    def set_specs(self, specs: Mapping[str, VariableSpec], skipped: Mapping[str, str]) -> None:
        """Take the document's variables. The model resets only if names change."""
        rows = {row.name: row for row in self._rows}
        names = [row.name for row in self._rows if row.spec is not None]
        if list(specs) == names:
            for name, spec in specs.items():
                row = rows[name]
                row.spec, row.problem = spec, skipped.get(name, "")
            self._changed(0, len(self._rows) - 1)
            return
        self.beginResetModel()
        fresh = []
        for name, spec in specs.items():
            row = rows.get(name) or _Row(name, spec)
            row.spec, row.problem = spec, skipped.get(name, "")
            fresh.append(row)
        self._rows = fresh
        self._by_name = {row.name: at for at, row in enumerate(fresh)}
        self.endResetModel()

    def set_values(self, values: Mapping[str, float], previous: Mapping[str, float] | None) -> None:
        """Take the newest frame's values; only cells that differ are announced."""
        self._add_custom([name for name in values if name not in self._by_name])
        for at, row in enumerate(self._rows):
            value = values.get(row.name)
            before = None if previous is None else previous.get(row.name)
            delta = 0 if value is None or before is None else value - before
            if value != row.value:
                row.value = value
                self._cell_changed(at, VariableColumn.VALUE)
            if delta != row.delta:
                row.delta = delta
                self._cell_changed(at, VariableColumn.DELTA)

    def set_trends(self, trends: Mapping[str, tuple[float, ...]]) -> None:
        """Take each variable's latest values on the timeline, oldest first."""
        for at, row in enumerate(self._rows):
            history = trends.get(row.name, ())
            if history != row.history:
                row.history = history
                self._cell_changed(at, VariableColumn.TREND)

    def set_frozen(self, names: set[str]) -> None:
        """Mark variables whose values are held."""
        for at, row in enumerate(self._rows):
            if row.frozen != (row.name in names):
                row.frozen = not row.frozen
                self._cell_changed(at, VariableColumn.VALUE)

    def clear(self) -> None:
        """Show no variable, without a game."""
        self.beginResetModel()
        self._rows, self._by_name = [], {}
        self.endResetModel()

    def spec_at(self, row: int) -> VariableSpec | None:
        """The variable of a row; None for one that a script made."""
        return self._rows[row].spec

    def is_frozen(self, row: int) -> bool:
        """True when a row's value is held."""
        return self._rows[row].frozen

    def row_of(self, name: str) -> int | None:
        """The row of a variable."""
        return self._by_name.get(name)

    @property
    def names(self) -> list[str]:
        """Every name shown."""
        return [row.name for row in self._rows]

    def _add_custom(self, names: list[str]) -> None:
        if not names:
            return
        first = len(self._rows)
        self.beginInsertRows(NO_PARENT, first, first + len(names) - 1)
        for name in names:
            self._by_name[name] = len(self._rows)
            self._rows.append(_Row(name, None))
        self.endInsertRows()

    def _cell_changed(self, row: int, column: VariableColumn) -> None:
        index = self.index(row, column)
        self.dataChanged.emit(index, index)

    def _changed(self, first: int, last: int) -> None:
        if last >= first:
            self.dataChanged.emit(self.index(first, 0), self.index(last, VariableColumn.TREND))

    def _repaint(self) -> None:
        self._changed(0, len(self._rows) - 1)

    # -- Qt's model -------------------------------------------------------------------------

    def length(self) -> int:
        """One row a variable."""
        return len(self._rows)

    def titles(self) -> Sequence[str]:
        """See :class:`VariableColumn`."""
        return (
            self.tr("name"),
            self.tr("value"),
            self.tr("Δ"),
            self.tr("type"),
            self.tr("address"),
            self.tr("trend"),
        )

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Variables of the document may be edited, those of scripts may not."""
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        row = self._rows[index.row()]
        fixed = index.column() in (VariableColumn.DELTA, VariableColumn.TREND)
        if fixed or row.spec is None or (row.problem and index.column() == VariableColumn.VALUE):
            return base
        return base | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour and font of a cell."""
        row, column = self._rows[index.row()], VariableColumn(index.column())
        if role == TrendRole:
            return row.history
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._text(row, column, editing=role == Qt.ItemDataRole.EditRole)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(row, column))
        if role == Qt.ItemDataRole.FontRole and column is not VariableColumn.NAME:
            return self._mono
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row, column)
        if role == Qt.ItemDataRole.DecorationRole and column is VariableColumn.VALUE and row.frozen:
            return self._theme.icons.icon("state", "accent")
        return None

    def _text(self, row: _Row, column: VariableColumn, *, editing: bool) -> str:
        if column is VariableColumn.NAME:
            return row.name
        if column is VariableColumn.VALUE:
            if row.problem and not editing:
                return self.tr("unmapped")
            return "" if row.value is None else _number_text(row.value)
        if column is VariableColumn.DELTA:
            return signed(row.delta) if row.delta else "·"
        if column is VariableColumn.TYPE:
            return row.spec.type.spec if row.spec else "lua"
        if column is VariableColumn.ADDRESS:
            return address_text(row.spec.address) if row.spec else "—"
        return ""

    def _color(self, row: _Row, column: VariableColumn) -> str:
        colors = self._theme.colors
        if column is VariableColumn.VALUE and row.problem:
            return colors.warn
        if column is VariableColumn.DELTA:
            return colors.good if row.delta > 0 else colors.bad if row.delta < 0 else colors.faint
        by_column = {VariableColumn.TYPE: colors.faint, VariableColumn.ADDRESS: colors.link}
        return by_column.get(column, colors.text)

    def _tip(self, row: _Row, column: VariableColumn) -> str | None:
        if row.problem:
            return row.problem
        if row.spec is None:
            return self.tr("Made by a script on the fly; it shows in info.")
        if column is VariableColumn.VALUE:
            low, high = row.spec.type.minimum, row.spec.type.maximum
            return self.tr("Type a number from {0} to {1} to poke it into the game").format(
                low, high
            )
        if column is VariableColumn.TYPE:
            return type_tip(row.spec.type)
        return None

    # -- edits ------------------------------------------------------------------------------

    def check(self, index: Index, text: str) -> str | None:
        """The reason why ``text`` can not stand in a cell; None when it can."""
        try:
            self._parse(index, text)
        except DomainError as error:
            return str(error)
        return None

    def setData(  # noqa: N802 - Qt's name
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Turn an edit into a request. False, without a request, for an invalid one."""
        if role != Qt.ItemDataRole.EditRole or self.check(index, str(value)) is not None:
            return False
        parsed = self._parse(index, str(value))
        row = self._rows[index.row()]
        if isinstance(parsed, VariableSpec):
            if parsed != row.spec:
                self.change_requested.emit(row.name, parsed)
        else:
            self.poke_requested.emit(row.name, parsed)
        return True

    def _parse(self, index: Index, text: str) -> int | VariableSpec:
        row = self._rows[index.row()]
        if row.spec is None:
            raise DomainError(self.tr("a script's variable can not be edited here"))
        column = index.column()
        if column == VariableColumn.NAME:
            others = {other.name for other in self._rows if other is not row}
            return replace(row.spec, name=parse_name(text, others))
        if column == VariableColumn.TYPE:
            return replace(row.spec, type=parse_type(text))
        if column == VariableColumn.ADDRESS:
            return replace(row.spec, address=parse_address(text))
        value = parse_number(text)
        row.spec.type.encode(value)
        return value


def _number_text(value: float) -> str:
    """A value as text; whole numbers in full, whatever their size."""
    return str(int(value)) if float(value).is_integer() else f"{value:g}"
