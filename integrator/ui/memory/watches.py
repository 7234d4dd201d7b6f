"""The Watch panel: watched addresses with their values, trends and notes."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialogButtonBox, QFrame, QMenu, QWidget

from integrator.domain.errors import AddressError
from integrator.domain.integration.json_files import Watch
from integrator.domain.integration.naming import free_name, is_integration
from integrator.domain.notes.formats import NOTES_FORMATS, VALUE, format_of, read_notes, write_notes
from integrator.domain.notes.places import NotesRead
from integrator.domain.query.rank import Reading
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library import watch_list
from integrator.session.library.watch_list import ChangedMemory, WatchReading
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.memory.cheats import CheatsView
from integrator.ui.memory.variables import VariablesView, number_of
from integrator.ui.window_context import PanelView

WatchColumn = IntEnum("WatchColumn", "NAME VALUE TYPE ADDRESS TREND NOTE", start=0)


@dataclass(slots=True)
class WatchRow:
    """A watch with its last reading. ``pauses``: the game pauses when the value changes."""

    watch: Watch
    reading: WatchReading = field(default_factory=lambda: WatchReading(None, (), frozen=False))
    pauses: bool = False


class WatchesModel(ui.RowsModel[WatchRow]):
    """One row for each watch. ``edited`` follows a change of the list, ``pauses_changed`` a change
    of the watches that pause the game. ``poke`` gets a watch and a value."""

    edited = Signal()
    pauses_changed = Signal()
    poke: Callable[[Watch, int], object]

    @property
    def watches(self) -> tuple[Watch, ...]:
        return tuple(row.watch for row in self.rows)

    def add_all(self, watches: Sequence[Watch]) -> int:
        """Add the watches that are not in the list yet, and return their number."""
        known = {each.key for each in self.watches}
        new = {each.key: each for each in reversed(watches) if each.key not in known}
        if new:
            self.add([WatchRow(watch) for watch in reversed(new.values())])
            self.edited.emit()
        return len(new)

    def remove(self, row: int) -> None:
        self.drop(row)
        self.edited.emit()
        self.pauses_changed.emit()

    def set_pauses(self, row: int, on: bool) -> None:
        self.rows[row].pauses = on
        self.cells_changed(row, WatchColumn.NAME, WatchColumn.NAME)
        self.pauses_changed.emit()

    def set_readings(self, read: Mapping[tuple[int, DataType], WatchReading]) -> None:
        """Show the readings of watches that are still in the list."""
        for at, row in enumerate(self.rows):
            if (reading := read.get(row.watch.key, row.reading)) != row.reading:
                row.reading = reading
                self.cells_changed(at, WatchColumn.VALUE, WatchColumn.TREND)

    def table(self) -> Sequence[ui.Column[WatchRow]]:
        mono, unmapped = self._mono, self.tr("unmapped")
        hint = self.tr("Double-click to write a note; it is kept with the game")
        return (
            ui.Column(
                self.tr("name"),
                lambda row: row.watch.name,
                icon=lambda row: "pause accent" if row.pauses else None,
                edit=lambda row, text: replace(row.watch, name=text.strip()),
            ),
            ui.Column(
                self.tr("value"),
                lambda row: unmapped if row.reading.value is None else str(row.reading.value),
                color=lambda row: "warn" if row.reading.value is None else None,
                icon=lambda row: "state accent" if row.reading.frozen else None,
                font=mono,
                edit=lambda row, text: number_of(row.watch.type, text),
            ),
            ui.Column(
                self.tr("type"),
                lambda row: row.watch.type.spec,
                color="faint",
                font=mono,
                edit=lambda row, text: replace(row.watch, type=DataType.parse(text.strip())),
            ),
            ui.Column(
                self.tr("address"),
                lambda row: ui.address_text(row.watch.address),
                color="link",
                font=mono,
            ),
            ui.Column(self.tr("trend"), lambda _: "", trend=lambda row: row.reading.trend),
            ui.Column(
                self.tr("note"),
                lambda row: row.watch.note,
                color="secondary",
                tip=lambda row: row.watch.note or hint,
                edit=lambda row, text: replace(row.watch, note=text.strip()),
            ),
        )

    def take(self, row: int, value: int | Watch) -> None:
        shown = self.rows[row]
        if not isinstance(value, Watch):
            self.poke(shown.watch, value)
        elif value != shown.watch:
            shown.watch = value
            self.cells_changed(row)
            self.edited.emit()


def unsigned_type(size: int) -> DataType:
    return DataType.parse("|u1" if size == 1 else f">u{min(size, 8)}")


class NotesReport(ui.Dialog):
    """Lists the lines of a file that are no notes. The window stays usable."""

    def __init__(self, summary: str, problems: Sequence[str], parent: QWidget) -> None:
        super().__init__(parent, self.tr("Notes on memory"))
        count = len(problems)
        text = ui.count_text(self.tr("{0} line[|s] gave no note:", None, count), count)
        head = ui.role_label(f"{summary}.\n{text}", wraps=True)
        self.lines = ui.text_view(self.tr("Lines that gave no note"), plainText="\n".join(problems))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        clipboard = QGuiApplication.clipboard()
        self.copy.clicked.connect(lambda: clipboard.setText(self.lines.toPlainText()))
        buttons.rejected.connect(self.close)
        ui.vbox(head, (self.lines, 1), buttons, on=self)
        self.resize(640, 360)


class WatchesView(PanelView):
    """The watch list, which is read while it is visible. ``report`` is the open report on notes."""

    report: NotesReport | None = None

    def _set_up(self) -> None:
        self.model = WatchesModel(self)
        write = self._controller.write
        self.model.poke = lambda watch, value: write(watch.address, watch.type, value)
        self.table = ui.DataTable(self.tr("Watch list"), self.model)
        ui.CheckedTextDelegate(self.table, self._warn)
        ui.TrendDelegate("link", self.table, WatchColumn.TREND)
        widths = (116, 76, 56, 92, 120, 140)
        self.table.set_widths(widths, stretch=WatchColumn.NOTE, whole=(WatchColumn.ADDRESS,))
        ui.show_row_menus(self.table, lambda index: self.row_menu(index.row()))
        current = self.table.currentIndex
        panel_action("watches.remove", self.table, lambda: self._remove(current().row()))
        self._footer = self._build_footer()
        self._fill(self.table, "pin", "watches", below=[self._footer])
        for signal in (self.model.modelReset, self.model.rowsInserted, self.model.rowsRemoved):
            signal.connect(lambda *_: self.pages.show_content(self.model.rowCount() > 0))
        self._footer.hide()
        # A core that is being replaced has no memory for a moment; the failure is ignored.
        self._live = self._reader(self._look, self.model.set_readings, 120, lambda _: None)
        self._bridge.readout_ready.connect(self._live.touch)
        self._controller.memory_written.connect(self._live.touch)
        self._controller.game_kept.connect(lambda _: self._save())
        self.model.edited.connect(self._save)
        self.model.edited.connect(self._live.touch)
        self.model.pauses_changed.connect(self._send_stops)

    def _build_footer(self) -> QFrame:
        footer = ui.styled(QFrame(), "PanelFooter")
        what, kind = self.tr("Address to watch"), self.tr("Type of the watched number")
        self.address = ui.line_edit(what, self.tr("address"), self._add, ui.address_tip(), 104)
        tip = self.tr("How its bytes make a number, such as >u2; else |u1")
        self.type = ui.line_edit(kind, self.tr("type"), self._add, tip, 76)
        name = self.tr("Name in the watch list")
        self.name = ui.line_edit(name, self.tr("what it may be"), self._add)
        self.add = ui.push_button(self.tr("Watch"), self._add, icon="plus")
        tip = self.tr(
            "Notes of BizHawk, RetroAchievements, FCEUX, Mesen, RetroArch, and symbol files"
        )
        menu = ui.RowMenu(self)
        menu.add(self.tr("Import notes…"), self._import_notes, "import")
        menu.add(self.tr("Export the list…"), self._export_notes, "save")
        self.files = ui.push_button("", lambda: None, tip, "flat", icon="dots", menu=menu)
        self.files.setAccessibleName(self.tr("Notes of other programs"))
        fields = ui.hbox(self.address, self.type, (self.name, 1), gap=7)
        row = ui.FoldingRow(fields, ui.hbox(self.add, self.files, None, gap=7), 7)
        ui.hbox(row, on=footer, margins=(ui.SIZES.pad, 9, ui.SIZES.pad, 9))
        return footer

    def _opened(self, game: GameSnapshot) -> None:
        self._footer.show()
        self._kept: tuple[Watch, ...] = ()
        with ui.errors_to(self._warn):
            self._kept = watch_list.read_watch_file(game.directory)
        self.model.show([WatchRow(watch) for watch in self._kept])
        self._live.touch()

    def _closed(self) -> None:
        self._footer.hide()
        self.model.show(())
        for each in (self.address, self.type, self.name):
            each.clear()

    def _save(self) -> None:
        if (game := self._controller.game) is None or not is_integration(game.directory):
            return  # The list is saved when the ROM becomes an integration.
        with ui.errors_to(self._report):
            on_disk = watch_list.read_watch_file(game.directory)
            # Those that another window has added are kept; adding them here saves again.
            others = [watch for watch in on_disk if watch not in self._kept]
            changed = {each.key: each for each in others}
            for at, row in enumerate(self.model.rows):
                own, other = row.watch, changed.get(row.watch.key, row.watch)
                if own in self._kept:  # unchanged here
                    row.watch = other
                    self.model.cells_changed(at)
                elif own != other:
                    text = self.tr(
                        "Another window had “{0}” as the note of {1}; this one replaces it"
                    )
                    self._warn(text.format(other.note or other.name, ui.address_text(own.address)))
            self._kept = (*self._kept, *others)
            if not self.model.add_all(others):
                watch_list.write_watch_file(game.directory, self.model.watches)
                self._kept = self.model.watches

    def _look(self) -> Callable[[Session], Mapping[tuple[int, DataType], WatchReading]] | None:
        if not (watches := self.model.watches):
            return None
        keys, read = [each.key for each in watches], watch_list.read_watches
        return lambda session: dict(zip(keys, read(session, watches), strict=True))

    def _send_stops(self) -> None:
        places = [row.watch.key for row in self.model.rows if row.pauses]
        use = partial(self._parts[VariablesView].set_stop, "watches")
        if not places:
            use(None)
            return
        self._bridge.ask(
            lambda session: ChangedMemory(session.memory, places, session.timeline.position),
            use,
            lambda error: (self._warn if isinstance(error, AddressError) else self._report)(error),
        )

    def watch_candidate(self, candidate: Reading) -> None:
        scale = str(candidate.scale)
        note = self.tr("the screen shows {0}").format(scale) if scale else ""
        if candidate.mask is not None:
            note = self.tr("{0} of it").format(ui.bits_text(candidate.mask))
        if candidate.real is not None:
            note = self.tr("the bytes of a float, {0}").format(candidate.real)
        self.watch(Watch(candidate.address, candidate.type, "", note))
        self._dock.come_forward()

    def watch(self, watch: Watch) -> None:
        self.model.add_all([watch])
        self.table.selectRow([each.key for each in self.model.watches].index(watch.key))

    def _add(self) -> None:
        with ui.errors_to(self._warn):
            address = self._controller.address(self.address.text())
            data_type = DataType.parse((self.type.text() or "|u1").strip())
            self.watch(Watch(address, data_type, self.name.text().strip()))
            for each in (self.address, self.name):
                each.clear()

    def _remove(self, row: int) -> None:
        if row >= 0:
            self.model.remove(row)

    def row_menu(self, row: int) -> QMenu:
        menu, shown = ui.RowMenu(self), self.model.at(row)
        watch = shown.watch

        def edit(column: WatchColumn) -> Callable[[], None]:
            return lambda: self.table.edit(self.model.index(row, column))

        menu.add(self.tr("Poke value…"), edit(WatchColumn.VALUE), "poke")
        freeze = partial(self._parts[CheatsView].hold, [watch.key])
        menu.add_switch(self.tr("Freeze value"), freeze, on=shown.reading.frozen)
        pause = partial(self.model.set_pauses, row)
        menu.add_switch(self.tr("Pause when it changes"), pause, on=shown.pauses)
        menu.add(self.tr("Write a note…"), edit(WatchColumn.NOTE), "edit")
        menu.addSeparator()
        menu.add(self.tr("Make variable"), lambda: self._make_variable(watch), "variable")
        show = partial(self._requests.show_address.emit, watch.address)
        menu.add(self.tr("Show in memory"), show, "memory")
        menu.add_copy(ui.address_text(watch.address))
        menu.addSeparator()
        menu.add(self.tr("Remove from the list"), lambda: self._remove(row), "trash")
        return menu

    def _make_variable(self, watch: Watch) -> None:
        name = re.sub(r"[^A-Za-z0-9_]+", "_", watch.name).strip("_")
        if not name or name[0].isdigit():
            name = f"at_{ui.address_text(watch.address)[2:]}"
        spec = VariableSpec(free_name(name, self._controller.variables), watch.address, watch.type)
        text = self.tr("“{0}” is a variable now").format(spec.name)
        self._controller.put_variable(spec, lambda: self._announce(text))

    def _import_notes(self) -> None:
        patterns = " ".join(f"*{known.suffix}" for known in NOTES_FORMATS)
        kinds = self.tr("Notes on memory ({0})").format(patterns)
        path = self._ask_open("notes", self.tr("Notes on memory"), kinds)
        places = self._controller.places()
        if path is None or places is None:
            return

        def done(read: NotesRead) -> None:
            added = self.model.add_all(read.watches)
            text = self.tr("{0} note[|s] of {1} added to the watch list", None, added)
            text = ui.count_text(text, added, path.name)
            if there := len(read.watches) - added:
                known = self.tr("{0} [was|were] there already", None, there)
                text += f"; {ui.count_text(known, there)}"
            self._show_report(text, read.problems)

        self._bridge.in_background(lambda: read_notes(path, places), done, self._report)

    def _export_notes(self) -> None:
        filters = ";;".join(f"{known.title} (*{known.suffix})" for known in NOTES_FORMATS)
        game, places = self._controller.game, self._controller.places()
        name = f"{game.name if game else 'notes'}{NOTES_FORMATS[0].suffix}"
        path = self._ask_save("notes", self.tr("Write the watch list"), name, filters)
        if path is None or places is None:
            return
        watches = [
            replace(row.watch, more={**row.watch.more, VALUE: row.reading.value or 0})
            for row in self.model.rows
        ]

        def done(problems: tuple[str, ...]) -> None:
            count = len(watches) - len(problems)
            text = self.tr("{0} note[|s] written to {1}, for {2}", None, count)
            self._show_report(ui.count_text(text, count, path, format_of(path).title), problems)

        self._bridge.in_background(lambda: write_notes(path, watches, places), done, self._report)

    def _show_report(self, text: str, problems: tuple[str, ...]) -> None:
        if self.report is not None:
            self.report.close()
        if problems:
            self.report = NotesReport(text, problems, self._window)
            self.report.finished.connect(lambda: setattr(self, "report", None))
            self.report.show()
        self._announce(text, ui.NoticeKind.WARNING if problems else ui.NoticeKind.GOOD)
