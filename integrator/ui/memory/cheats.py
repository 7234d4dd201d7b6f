"""The Cheats panel: held values, either kept with the integration or only for this session."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from enum import IntEnum

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QMenu

from integrator.domain.integration.json_files import CheatSpec
from integrator.domain.values.memory import DataType
from integrator.session.cheats import HeldValue, HeldValues
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.memory.variables import VariablesView
from integrator.ui.window_context import PanelView

CheatColumn = IntEnum("CheatColumn", "NAME PLACE VALUE STATE", start=0)


class CheatsModel(ui.RowsModel[HeldValue]):
    """One row for each held value. Kept cheats can be ticked and edited: ``put`` gets the index and
    the new form of a cheat, and the row follows later. Frozen values are read-only."""

    put: Callable[[int | None, CheatSpec], object]

    def table(self) -> Sequence[ui.Column[HeldValue]]:
        return (
            ui.Column(
                self.tr("name"),
                lambda row: row.cheat.name,
                ticked=lambda row: None if row.index is None else row.cheat.enabled,
                edit=lambda row, text: replace(row.cheat, name=text.strip() or row.cheat.name),
                editable=_is_kept,
            ),
            ui.Column(self.tr("holds"), _place, color="link", font=self._mono),
            ui.Column(
                self.tr("value"),
                lambda row: str(row.cheat.value),
                font=self._mono,
                edit=lambda row, text: replace(row.cheat, value=ui.parse_number(text)),
                editable=_is_kept,
            ),
            ui.Column(
                "",
                self._state,
                color=lambda row: "bad" if row.problem else "good" if _is_kept(row) else "warn",
            ),
        )

    def take(self, row: int, value: CheatSpec) -> None:
        self.put(self.at(row).index, value)

    def tick(self, row: int, *, on: bool) -> None:
        self.take(row, replace(self.at(row).cheat, enabled=on))

    def color(self, row: HeldValue) -> str:
        return "text" if row.cheat.enabled else "faint"

    def tip(self, row: HeldValue) -> str | None:
        return row.problem or None

    def font(self, row: HeldValue) -> QFont | None:
        font = QFont()
        font.setItalic(True)
        return font if row.index is None else None

    def _state(self, row: HeldValue) -> str:
        if row.problem:
            return self.tr("cannot be held")
        if row.index is None:
            return self.tr("held, not kept")
        return self.tr("held") if row.held else ""


def _is_kept(row: HeldValue) -> bool:
    return row.index is not None


def _place(row: HeldValue) -> str:
    where = ui.address_text(row.address) if row.address is not None else ""
    return row.cheat.variable or f"{where} {row.type}"


class CheatsView(PanelView):
    """Lists kept cheats and frozen values. All commands that freeze a value end in this view."""

    def _set_up(self) -> None:
        self.model = CheatsModel(self)
        self.model.put = self._put
        self.table = ui.DataTable(self.tr("Cheats"), self.model)
        widths = (120, 112, 58, 104)
        self.table.set_widths(widths, stretch=CheatColumn.NAME, whole=(CheatColumn.PLACE,))
        ui.show_row_menus(self.table, lambda index: self.row_menu(self.model.at(index.row())))
        panel_action("cheats.remove", self.table, self._drop_current)
        tip = self.tr("Hold the ticked values after every frame. Off when a game is opened.")
        self.switch = ui.check_box(self.tr("Cheats on"), self.switch_cheats, tip)
        self.place = QComboBox(insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.place.setAccessibleName(self.tr("Variable or address"))
        self.place.setToolTip(self.tr("A variable, or an address such as 0x302"))
        name, hint = self.tr("Variable or address to hold"), self.tr("variable")
        self.place.setLineEdit(ui.line_edit(name, hint))
        self.place.editTextChanged.connect(lambda _: self._place_changed())
        self.type = ui.combo_box(self.tr("Type"))
        self.value = ui.line_edit(self.tr("Value"), self.tr("value"), self._add, fixedWidth=72)
        self.add = ui.push_button(self.tr("Add"), self._add)
        self.problem = ui.role_label("", "bad")
        self.model.rejected.connect(self.problem.setText)
        held = ui.hbox((self.place, 1), self.type, gap=6)
        fixed = ui.hbox(self.value, self.add, None, gap=6)
        row = ui.FoldingRow(held, fixed, 6, margins=(10, 6, 10, 8))
        top = ui.hbox(self.switch, None, self.problem, margins=(12, 7, 12, 5))
        self._fill(self.table, "cheat", "cheats", above=[top], below=[row])
        self._show_game((), None)
        self._variables = self._parts[VariablesView]
        self._controller.follow(self._documents_changed, "variables", "cheats")

    def _opened(self, game: GameSnapshot) -> None:
        self._show_game(game.system.types, game.first_address)
        self._show_variables(game.documents.variables)
        self._bridge.ask(lambda session: session.cheats.held(), self._offer)

    def _offer(self, held: HeldValues) -> None:
        self._show(held)
        enabled = sum(row.cheat.enabled for row in held.rows)
        if enabled and not held.on:
            text = self.tr("{0} cheat[ is|s are] kept with this game, but off", None, enabled)
            switch = self.tr("Cheats on"), lambda: self.switch_cheats(on=True)
            self._inform(ui.counted(text, enabled).format(enabled), switch)

    def _closed(self) -> None:
        self._show_game((), None)
        self._show(HeldValues((), on=False, variables=frozenset()))
        self._show_variables(())

    def _show_game(self, types: Sequence[str], first: int | None) -> None:
        """Show another game, whose memory begins at ``first``; None for no game."""
        self.type.clear()
        self.type.addItems(list(types))
        self.value.clear()
        for part in (self.switch, self.place, self.type, self.value, self.add):
            part.setEnabled(first is not None)
        self.place.setEditText("")

    def _documents_changed(self, documents: Documents) -> None:
        self._show_variables(documents.variables)
        self._do(lambda _: None)

    def _show_variables(self, names: Iterable[str]) -> None:
        text = self.place.currentText()
        with QSignalBlocker(self.place):
            self.place.clear()
            self.place.addItems(list(names))
            self.place.setEditText(text)

    def _show(self, held: HeldValues) -> None:
        self.model.show_changed(held.rows)
        self.switch.setChecked(held.on)
        self.pages.show_content(bool(held.rows))
        self.problem.clear()
        count = sum(row.held for row in held.rows)
        self._dock.header.note.setText(self.tr("{0} held").format(count) if count else "")
        self._variables.model.set_frozen(held.variables)
        self._controller.memory_written.emit()

    def _do(self, change: Callable[[Session], object]) -> None:
        """Make a change, and show the held values, even if the change was refused."""

        def work(session: Session) -> HeldValues:
            change(session)
            return session.cheats.held()

        def failed(error: Exception) -> None:
            self._report(error)
            self._do(lambda _: None)

        self._bridge.ask(work, self._show, failed)

    def switch_cheats(self, on: bool) -> None:
        self._do(lambda session: session.cheats.switch(on=on))

    def hold(
        self, places: Iterable[tuple[int, DataType]], on: bool, mask: int | None = None
    ) -> None:
        self._do(lambda session: session.cheats.hold(places, on=on, mask=mask))

    def _names_variable(self) -> bool:
        return self.place.findText(self.place.currentText().strip()) >= 0

    def _place_changed(self) -> None:
        self.problem.clear()
        self.type.setEnabled(self.place.isEnabled() and not self._names_variable())

    def _add(self) -> None:
        text = self.place.currentText().strip()
        with ui.errors_to(self.problem.setText):
            value = ui.parse_number(self.value.text())
            if self._names_variable():
                cheat = CheatSpec(text, value, variable=text)
            else:
                address = ui.parse_address(text)
                name = ui.address_text(address)
                cheat = CheatSpec(name, value, address=address, type=self.type.currentText())
            self.value.clear()
            self._put(None, cheat)

    def _put(self, index: int | None, cheat: CheatSpec) -> None:
        self._controller.edit(lambda game: game.cheats.put(index, cheat))

    def row_menu(self, row: HeldValue) -> QMenu:
        menu = ui.RowMenu(self)
        if row.index is None:
            menu.add(self.tr("Keep as a cheat"), lambda: self._put(None, row.cheat), "pin")
            menu.add(self.tr("Let go"), lambda: self.drop(row))
        else:
            menu.add(self.tr("Remove"), lambda: self.drop(row), "trash")
        return menu

    def _drop_current(self) -> None:
        if (row := self.table.currentIndex().row()) >= 0:
            self.drop(self.model.at(row))

    def drop(self, row: HeldValue) -> None:
        """Remove a kept cheat, or release a value that is held only for this session."""
        if (index := row.index) is not None:
            self._controller.edit(lambda game: game.cheats.remove(index))
        elif row.address is not None:
            self.hold([(row.address, DataType.parse(row.type))], on=False)
