"""The Cheats panel: values that are held, kept with the integration or only in passing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QPushButton,
    QWidget,
)

from integrator.domain.errors import DomainError
from integrator.domain.integration.cheats import CheatSpec
from integrator.session.cheats import HeldValue
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.widgets.fields import address_text, parse_address, parse_number
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, hbox, role_label, vbox
from integrator.ui.widgets.panels.table import DataTable, RowMenu, show_row_menus
from integrator.ui.widgets.rows_model import Column, EditedRowsModel
from integrator.ui.widgets.theme import Theme

CheatColumn = IntEnum("CheatColumn", "NAME PLACE VALUE STATE", start=0)


@dataclass(frozen=True, slots=True)
class CheatChange:
    """``cheat`` is to stand at ``index`` of the document; None adds it."""

    index: int | None
    cheat: CheatSpec


def as_cheat(row: HeldValue) -> CheatSpec:
    """The cheat that a row is, or would be if it were kept."""
    by_name = bool(row.variable)
    return CheatSpec(
        row.name,
        row.value,
        row.enabled,
        row.variable,
        None if by_name else row.address,
        "" if by_name else row.type,
    )


class CheatsModel(EditedRowsModel[HeldValue]):
    """A row a held value. ``change_requested`` gives a CheatChange.

    Kept cheats are ticked and edited; values held in passing are not.
    """

    change_requested = Signal(object)

    def table(self) -> Sequence[Column[HeldValue]]:
        """See :class:`CheatColumn`."""
        return (
            Column(
                self.tr("name"),
                lambda row: row.name,
                ticked=lambda row: None if row.index is None else row.enabled,
                edit=lambda row, text: replace(as_cheat(row), name=text.strip() or row.name),
                editable=_is_kept,
            ),
            Column(
                self.tr("holds"),
                _place,
                color=lambda _row: self._theme.colors.link,
                font=self._mono,
            ),
            Column(
                self.tr("value"),
                lambda row: str(row.value),
                font=self._mono,
                edit=lambda row, text: replace(as_cheat(row), value=parse_number(text)),
                editable=_is_kept,
            ),
            Column("", self._state, color=self._state_color),
        )

    def take(self, row: int, value: CheatSpec) -> None:
        """Ask for a change; the row follows when it was made."""
        self.change_requested.emit(CheatChange(self.at(row).index, value))

    def tick(self, row: int, *, on: bool) -> None:
        """Ask to hold a value, or not."""
        self.take(row, replace(as_cheat(self.at(row)), enabled=on))

    def color(self, row: HeldValue) -> str:
        """Faint for a cheat that is off."""
        return self._theme.colors.text if row.enabled else self._theme.colors.faint

    def tip(self, row: HeldValue) -> str | None:
        """The reason why a value cannot be held."""
        return row.problem or None

    def font(self, row: HeldValue) -> QFont | None:
        """Italic for a value held in passing."""
        font = QFont()
        font.setItalic(True)
        return font if row.index is None else None

    def _state(self, row: HeldValue) -> str:
        if row.problem:
            return self.tr("can not be held")
        if row.index is None:
            return self.tr("held, not kept")
        return self.tr("held") if row.held else ""

    def _state_color(self, row: HeldValue) -> str:
        colors = self._theme.colors
        return colors.bad if row.problem else colors.good if _is_kept(row) else colors.warn


def _is_kept(row: HeldValue) -> bool:
    return row.index is not None


def _place(row: HeldValue) -> str:
    where = address_text(row.address) if row.address is not None else ""
    return row.variable or f"{where} {row.type}"


class CheatsView(QWidget):
    """``switch_requested``: cheats on or off. ``change_requested``: a CheatChange.

    ``remove_requested``: the index of a kept cheat; ``release_requested``: a HeldValue to let go.
    """

    switch_requested = Signal(bool)
    change_requested = Signal(object)
    remove_requested = Signal(int)
    release_requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.model = CheatsModel(theme, self)
        self.table = DataTable(self.tr("Cheats"), self.model)
        self.table.set_widths(
            (120, 112, 58, 104), stretch=CheatColumn.NAME, whole=(CheatColumn.PLACE,)
        )
        show_row_menus(self.table, lambda index: self.row_menu(self.model.at(index.row())))
        self.switch = QCheckBox(self.tr("Cheats on"))
        self.switch.setToolTip(
            self.tr("Hold the ticked values after every frame. Off when a game is opened.")
        )
        self.switch.clicked.connect(self.switch_requested)
        self.place = QComboBox()
        self.type = QComboBox()
        self.value = QLineEdit()
        self.add = QPushButton(self.tr("Add"))
        self.problem = role_label("", "bad")
        self.model.change_requested.connect(self.change_requested)
        self.model.rejected.connect(self.problem.setText)
        self._build_ui()
        panel_action("cheats.remove", self.table, self._remove_current)
        self.show_game((), None)

    def _build_ui(self) -> None:
        empty = EmptyState(
            self._theme,
            "cheat",
            self.tr("No cheats yet"),
            self.tr("Freeze a variable or a byte, or add a value to hold while you play."),
        )
        self.pages = EmptyOr(empty, self.table)
        self.place.setEditable(True)
        self.place.setAccessibleName(self.tr("Variable or address"))
        self.place.setToolTip(self.tr("A variable, or an address such as 0x302"))
        self.place.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line = self.place.lineEdit()
        if line is not None:
            line.setPlaceholderText(self.tr("variable"))
        self.place.editTextChanged.connect(lambda _: self._place_changed())
        self.type.setAccessibleName(self.tr("Type"))
        self.value.setAccessibleName(self.tr("Value"))
        self.value.setPlaceholderText(self.tr("value"))
        self.value.setFixedWidth(72)
        self.value.returnPressed.connect(self._add)
        self.add.clicked.connect(self._add)
        row = hbox((self.place, 1), self.type, self.value, self.add, margins=(10, 6, 10, 8), gap=6)
        top = hbox(self.switch, None, self.problem, margins=(12, 7, 12, 5))
        vbox(top, (self.pages, 1), row, on=self, margins=0, gap=0)

    def show_game(self, types: Sequence[str], first: int | None) -> None:
        """Show another game, whose memory begins at ``first``; None for no game."""
        self.type.clear()
        self.type.addItems(list(types))
        self.value.clear()
        for part in (self.switch, self.place, self.type, self.value, self.add):
            part.setEnabled(first is not None)
        if first is None:
            self.show_rows((), on=False)
            self.show_variables(())
        self.place.setEditText("")

    def show_variables(self, names: Sequence[str]) -> None:
        """Offer these names as places."""
        text = self.place.currentText()
        self.place.blockSignals(True)  # noqa: FBT003 - Qt's signature
        self.place.clear()
        self.place.addItems(list(names))
        self.place.setEditText(text)
        self.place.blockSignals(False)  # noqa: FBT003 - Qt's signature

    def show_rows(self, rows: Sequence[HeldValue], *, on: bool) -> None:
        """List the held values and the cheats that may be."""
        self.model.show_changed(rows)
        self.switch.setChecked(on)
        self.pages.show_content(bool(rows))
        self.problem.clear()

    def _place_changed(self) -> None:
        self.problem.clear()
        names = [self.place.itemText(row) for row in range(self.place.count())]
        self.type.setEnabled(self.place.isEnabled() and self.place.currentText() not in names)

    def _add(self) -> None:
        text = self.place.currentText().strip()
        names = [self.place.itemText(row) for row in range(self.place.count())]
        try:
            value = parse_number(self.value.text())
            if text in names:
                cheat = CheatSpec(text, value, variable=text)
            else:
                address = parse_address(text)
                name = address_text(address)
                cheat = CheatSpec(name, value, address=address, type=self.type.currentText())
        except DomainError as error:
            self.problem.setText(str(error))
            return
        self.value.clear()
        self.change_requested.emit(CheatChange(None, cheat))

    def row_menu(self, row: HeldValue) -> QMenu:
        """A menu of actions for one row."""
        menu = RowMenu(self._theme, self)
        if row.index is None:
            kept = CheatChange(None, as_cheat(row))
            menu.add(self.tr("Keep as a cheat"), lambda: self.change_requested.emit(kept), "pin")
            menu.add(self.tr("Let go"), lambda: self.release_requested.emit(row))
        else:
            menu.add(self.tr("Remove"), lambda: self.remove_requested.emit(row.index), "trash")
        return menu

    def _remove_current(self) -> None:
        index = self.table.currentIndex()
        if not index.isValid():
            return
        row = self.model.at(index.row())
        if row.index is None:
            self.release_requested.emit(row)
        else:
            self.remove_requested.emit(row.index)
