"""The table of the watch list: names, values, courses and notes of addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon

from integrator.domain.integration.watches import Watch
from integrator.domain.values.datatype import DataType
from integrator.session.library.watch_list import WatchReading
from integrator.ui.widgets.fields import address_text, parse_number, parse_type
from integrator.ui.widgets.rows_model import NO_PARENT, Column, EditedRowsModel

_UNREAD: Final = WatchReading(None, (), frozen=False)


WatchColumn = IntEnum("WatchColumn", "NAME VALUE TYPE ADDRESS TREND NOTE", start=0)


@dataclass(slots=True)
class WatchRow:
    """A watch, how it was read last, and ``pauses`` where its change pauses the game."""

    watch: Watch
    reading: WatchReading = _UNREAD
    pauses: bool = False


class WatchesModel(EditedRowsModel[WatchRow]):
    """A row a watch. ``edited``: the list is another; ``poke_requested``: (watch, value)."""

    edited = Signal()
    poke_requested = Signal(object, object)

    @property
    def watches(self) -> tuple[Watch, ...]:
        """All watches, from the top."""
        return tuple(row.watch for row in self.rows)

    @property
    def pausing(self) -> tuple[Watch, ...]:
        """The watches that pause the game when they change."""
        return tuple(row.watch for row in self.rows if row.pauses)

    # -- rows -------------------------------------------------------------------------------

    def set_watches(self, watches: Sequence[Watch]) -> None:
        """Show another list."""
        self.show([WatchRow(watch) for watch in watches])

    def put(self, watch: Watch) -> int:
        """Add a watch; returns its row, also when it was in the list already."""
        self.add_all([watch])
        return [row.watch.key for row in self.rows].index(watch.key)

    def add_all(self, watches: Sequence[Watch]) -> int:
        """Add those of many watches that are not in the list; returns their number."""
        known = {row.watch.key for row in self.rows}
        new: dict[tuple[int, DataType], Watch] = {}
        for watch in watches:
            if watch.key not in known:
                new.setdefault(watch.key, watch)
        if new:
            self.add([WatchRow(watch) for watch in new.values()])
            self.edited.emit()
        return len(new)

    def remove(self, row: int) -> None:
        """Watch it no longer."""
        self.beginRemoveRows(NO_PARENT, row, row)
        self.rows = [each for at, each in enumerate(self.rows) if at != row]
        self.endRemoveRows()
        self.edited.emit()

    def set_pauses(self, row: int, *, on: bool) -> None:
        """Let the game pause when it changes, or not."""
        self.rows[row].pauses = on
        self.cells_changed(row, WatchColumn.NAME, WatchColumn.NAME)

    def set_readings(self, watches: Sequence[Watch], readings: Sequence[WatchReading]) -> None:
        """Update the shown values, unless the list has changed."""
        if tuple(watch.key for watch in watches) != tuple(row.watch.key for row in self.rows):
            return
        for at, (row, reading) in enumerate(zip(self.rows, readings, strict=True)):
            if reading != row.reading:
                row.reading = reading
                self.cells_changed(at, WatchColumn.VALUE, WatchColumn.TREND)

    # -- cells ------------------------------------------------------------------------------

    def table(self) -> Sequence[Column[WatchRow]]:
        """See :class:`WatchColumn`."""
        return (
            Column(
                self.tr("name"),
                lambda row: row.watch.name,
                icon=lambda row: self._icon("pause", shown=row.pauses),
                edit=lambda row, text: replace(row.watch, name=text.strip()),
            ),
            Column(
                self.tr("value"),
                self._value,
                color=self._value_color,
                icon=lambda row: self._icon("state", shown=row.reading.frozen),
                font=self._mono,
                edit=_number,
            ),
            Column(
                self.tr("type"),
                lambda row: row.watch.type.spec,
                color=lambda _row: self._theme.colors.faint,
                font=self._mono,
                edit=lambda row, text: replace(row.watch, type=parse_type(text)),
            ),
            Column(
                self.tr("address"),
                lambda row: address_text(row.watch.address),
                color=lambda _row: self._theme.colors.link,
                font=self._mono,
            ),
            Column(self.tr("trend"), lambda _row: "", font=self._mono),
            Column(
                self.tr("note"),
                lambda row: row.watch.note,
                color=lambda _row: self._theme.colors.secondary,
                tip=self._note_tip,
                edit=lambda row, text: replace(row.watch, note=text.strip()),
            ),
        )

    def trend(self, row: WatchRow) -> Sequence[float]:
        """The last values of a watch."""
        return row.reading.trend

    def color(self, _row: WatchRow) -> str:
        """As other texts."""
        return self._theme.colors.text

    def take(self, row: int, value: int | Watch) -> None:
        """Take a changed watch; a value is poked into the game."""
        shown = self.rows[row]
        if not isinstance(value, Watch):
            self.poke_requested.emit(shown.watch, value)
        elif value != shown.watch:
            shown.watch = value
            self.cells_changed(row)
            self.edited.emit()

    def _icon(self, name: str, *, shown: bool) -> QIcon | None:
        return self._theme.icons.icon(name, "accent") if shown else None

    def _value(self, row: WatchRow) -> str:
        value = row.reading.value
        return self.tr("unmapped") if value is None else str(value)

    def _value_color(self, row: WatchRow) -> str:
        colors = self._theme.colors
        return colors.warn if row.reading.value is None else colors.text

    def _note_tip(self, row: WatchRow) -> str:
        return row.watch.note or self.tr("Double-click to write a note; it is kept with the game")


def _number(row: WatchRow, text: str) -> int:
    value = parse_number(text)
    row.watch.type.encode(value)
    return value
