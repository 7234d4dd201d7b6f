"""The table of the watch list: names, values, courses and notes of addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor

from integrator.domain.errors import DomainError
from integrator.domain.integration.watches import Watch
from integrator.domain.values.datatype import DataType
from integrator.session.library.watch_list import WatchReading
from integrator.ui.widgets.delegates import TrendRole
from integrator.ui.widgets.fields import address_text, parse_number, parse_type
from integrator.ui.widgets.table_model import NO_PARENT, Index, TableModel
from integrator.ui.widgets.theme import Theme, mono_font

_UNREAD: Final = WatchReading(None, (), frozen=False)


class WatchColumn(IntEnum):
    """Columns from left to right."""

    NAME = 0
    VALUE = 1
    TYPE = 2
    ADDRESS = 3
    TREND = 4
    NOTE = 5


@dataclass(slots=True)
class _Row:
    watch: Watch
    reading: WatchReading = _UNREAD
    pauses: bool = False


class WatchesModel(TableModel):
    """A row a watch. ``edited``: the list is another; ``poke_requested``: (watch, value)."""

    columns = WatchColumn

    edited = Signal()
    poke_requested = Signal(object, object)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._rows: list[_Row] = []
        self._mono = mono_font()

    @property
    def watches(self) -> tuple[Watch, ...]:
        """All watches, from the top."""
        return tuple(row.watch for row in self._rows)

    @property
    def pausing(self) -> tuple[Watch, ...]:
        """The watches that pause the game when they change."""
        return tuple(row.watch for row in self._rows if row.pauses)

    # -- rows -------------------------------------------------------------------------------

    def set_watches(self, watches: Sequence[Watch]) -> None:
        """Show another list."""
        self.beginResetModel()
        self._rows = [_Row(watch) for watch in watches]
        self.endResetModel()

    def add(self, watch: Watch) -> int:
        """Add a watch; returns its row, also when it was in the list already."""
        for at, row in enumerate(self._rows):
            if row.watch.key == watch.key:
                return at
        at = len(self._rows)
        self.beginInsertRows(NO_PARENT, at, at)
        self._rows.append(_Row(watch))
        self.endInsertRows()
        self.edited.emit()
        return at

    def add_all(self, watches: Sequence[Watch]) -> int:
        """Add those of many watches that are not in the list; returns their number."""
        known = {row.watch.key for row in self._rows}
        new: dict[tuple[int, DataType], Watch] = {}
        for watch in watches:
            if watch.key not in known:
                new.setdefault(watch.key, watch)
        if new:
            first = len(self._rows)
            self.beginInsertRows(NO_PARENT, first, first + len(new) - 1)
            self._rows += [_Row(watch) for watch in new.values()]
            self.endInsertRows()
            self.edited.emit()
        return len(new)

    def value_at(self, row: int) -> int | None:
        """The number at a watch now, as far as it was read."""
        return self._rows[row].reading.value

    def remove(self, row: int) -> None:
        """Watch it no longer."""
        self.beginRemoveRows(NO_PARENT, row, row)
        del self._rows[row]
        self.endRemoveRows()
        self.edited.emit()

    def watch_at(self, row: int) -> Watch:
        """The watch of a row."""
        return self._rows[row].watch

    def is_frozen(self, row: int) -> bool:
        """True when its value is held."""
        return self._rows[row].reading.frozen

    def pauses(self, row: int) -> bool:
        """True when the game pauses at its change."""
        return self._rows[row].pauses

    def set_pauses(self, row: int, *, on: bool) -> None:
        """Let the game pause when it changes, or not."""
        self._rows[row].pauses = on
        self._changed(row, WatchColumn.NAME, WatchColumn.NAME)

    def set_readings(self, watches: Sequence[Watch], readings: Sequence[WatchReading]) -> None:
        """Take in how ``watches`` are now, if they are still those shown."""
        if tuple(watch.key for watch in watches) != tuple(row.watch.key for row in self._rows):
            return
        for at, (row, reading) in enumerate(zip(self._rows, readings, strict=True)):
            if reading != row.reading:
                row.reading = reading
                self._changed(at, WatchColumn.VALUE, WatchColumn.TREND)

    def _changed(self, row: int, first: WatchColumn, last: WatchColumn) -> None:
        self.dataChanged.emit(self.index(row, first), self.index(row, last))

    # -- Qt's model -------------------------------------------------------------------------

    def length(self) -> int:
        """One row a watch."""
        return len(self._rows)

    def titles(self) -> Sequence[str]:
        """See :class:`WatchColumn`."""
        return (
            self.tr("name"),
            self.tr("value"),
            self.tr("type"),
            self.tr("address"),
            self.tr("trend"),
            self.tr("note"),
        )

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Name, value, type and note are edited in place."""
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        fixed = index.column() in (WatchColumn.ADDRESS, WatchColumn.TREND)
        return base if fixed else base | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, colour, font and icon of a cell."""
        row, column = self._rows[index.row()], WatchColumn(index.column())
        if role == TrendRole:
            return row.reading.trend
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return self._text(row, column)
        if role == Qt.ItemDataRole.ForegroundRole:
            return QColor(self._color(row, column))
        if role == Qt.ItemDataRole.FontRole:
            plain = column in (WatchColumn.NAME, WatchColumn.NOTE)
            return None if plain else self._mono
        if role == Qt.ItemDataRole.DecorationRole:
            return self._icon(row, column)
        if role == Qt.ItemDataRole.ToolTipRole and column is WatchColumn.NOTE:
            return row.watch.note or self.tr(
                "Double-click to write a note; it is kept with the game"
            )
        return None

    def _icon(self, row: _Row, column: WatchColumn) -> Any:
        if column is WatchColumn.VALUE and row.reading.frozen:
            return self._theme.icons.icon("state", "accent")
        if column is WatchColumn.NAME and row.pauses:
            return self._theme.icons.icon("pause", "accent")
        return None

    def _text(self, row: _Row, column: WatchColumn) -> str:
        watch, value = row.watch, row.reading.value
        texts = {
            WatchColumn.NAME: watch.name,
            WatchColumn.VALUE: self.tr("unmapped") if value is None else str(value),
            WatchColumn.TYPE: watch.type.spec,
            WatchColumn.ADDRESS: address_text(watch.address),
            WatchColumn.NOTE: watch.note,
        }
        return texts.get(column, "")

    def _color(self, row: _Row, column: WatchColumn) -> str:
        colors = self._theme.colors
        if column is WatchColumn.VALUE and row.reading.value is None:
            return colors.warn
        by_column = {
            WatchColumn.TYPE: colors.faint,
            WatchColumn.ADDRESS: colors.link,
            WatchColumn.NOTE: colors.secondary,
        }
        return by_column.get(column, colors.text)

    # -- edits ------------------------------------------------------------------------------

    def check(self, index: Index, text: str) -> str | None:
        """The reason why ``text`` can not stand in a cell; None when it can."""
        row = self._rows[index.row()]
        try:
            if index.column() == WatchColumn.TYPE:
                parse_type(text)
            elif index.column() == WatchColumn.VALUE:
                row.watch.type.encode(parse_number(text))
        except DomainError as error:
            return str(error)
        return None

    def setData(  # noqa: N802 - Qt's name
        self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Take a valid edit; a value is poked into the game."""
        if role != Qt.ItemDataRole.EditRole or self.check(index, str(value)) is not None:
            return False
        row, column, text = self._rows[index.row()], index.column(), str(value)
        if column == WatchColumn.VALUE:
            self.poke_requested.emit(row.watch, parse_number(text))
            return True
        fields: dict[int, dict[str, Any]] = {
            WatchColumn.NAME: {"name": text.strip()},
            WatchColumn.NOTE: {"note": text.strip()},
        }
        if column == WatchColumn.TYPE:
            fields[column] = {"type": parse_type(text)}
        changed = replace(row.watch, **fields[column])
        if changed != row.watch:
            row.watch = changed
            self._changed(index.row(), WatchColumn.NAME, WatchColumn.NOTE)
            self.edited.emit()
        return True
