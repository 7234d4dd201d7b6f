"""The Memory panel: grids of bytes, a bar for navigation, and the numbers at the cursor."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QSizePolicy, QSplitter

from integrator.domain.errors import DomainError
from integrator.domain.integration.json_files import Watch
from integrator.domain.integration.naming import free_name
from integrator.domain.notes import letters
from integrator.domain.values.memory import BYTE, AddressSpace, DataType
from integrator.domain.values.variables import VariableSpec
from integrator.domain.words import tr
from integrator.session.edits.snapshot import Documents, GameSnapshot
from integrator.session.library.watch_list import bytes_between, find_in_memory
from integrator.session.session import Session
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.memory.cheats import CheatsView
from integrator.ui.memory.hex_view import HexView
from integrator.ui.memory.memory_tools import CausesDialog, CompareDialog, PointersDialog
from integrator.ui.memory.watches import WatchesView, unsigned_type
from integrator.ui.window_context import PanelView

_VARIABLE_TYPES = ("|u1", "|i1", "|d1", ">u2", "<u2", ">i2", ">u4", "<u4", ">d2", ">d3", ">d4")
_TYPE_TIP = tr(
    "How bytes make a number: > the first byte is the high one, < the last is; u unsigned, "
    "i signed, d BCD (each byte holds two decimal digits: 0x42 means 42), n one decimal digit a "
    "byte; then the number of bytes"
)

_MOST_VIEWS = 4  # more grids would make the window higher
TEXT, LETTERS = "text", "letters"  # data of entries that find text; entries of types have none

_Bytes = tuple[Sequence[tuple[HexView, int, NDArray[np.uint8]]], bool, frozenset[int]]
"""(grid, first index, bytes) of each grid; True if a frame has passed; the frozen addresses."""


class MemoryView(ui.FitsSize, PanelView):
    """Shows memory in one or more grids, and pokes. The bar controls ``grid``, the grid that had
    the focus last. Watches are its bookmarks. ``letters`` is the table of letters in use: ASCII
    until the user loads a table or a search finds one."""

    def _set_up(self) -> None:
        self.letters = letters.ASCII
        self._regions = 0  # number of entries before the bookmarks
        self._advanced = False
        self.grids: list[HexView] = []
        self.views = QSplitter(childrenCollapsible=False)
        self._shared = 0  # the number of grids for which sizes were last set
        margins = QMargins(ui.SIZES.pad, 5, ui.SIZES.pad, 6)
        font = ui.mono_font(ui.SIZES.font_small)
        self.readings = ui.role_label("", "faint", font=font, contentsMargins=margins)
        self.readings.setToolTip(ui.words(_TYPE_TIP))
        self.readings.setTextInteractionFlags(ui.SELECTABLE)
        body = ui.vbox(self._build_bar(), (self.views, 1), self.readings, margins=0, gap=0)
        self._fill(body, "memory", "memory")
        panel_action("memory.go_to", self.views, self.go_to.setFocus)
        panel_action("memory.find", self.views, self.find_field.setFocus)
        panel_action("memory.copy", self.views, lambda: self.copy("hex"))
        for shown in self._settings.memory_views.split(",")[:_MOST_VIEWS]:
            grid = HexView()
            grid.show_as(self.shown_as.itemData(max(0, self.shown_as.findText(shown))))
            self._add_grid(grid)
        self._choose(self.grids[0])
        self._set_space(None, ())
        self.compare = CompareDialog(self._context)
        self.compare.go_to = lambda address: self.grid.go_to(address)
        watches = self._parts[WatchesView]
        self.pointers = PointersDialog(self._context)
        self.causes = CausesDialog(self._context)
        # A core that is being replaced has no memory for a moment; the failure is ignored.
        self._live = self._reader(self._look, self._show_bytes, 0, lambda _: None)
        for signal in (watches.model.modelReset, watches.model.edited):
            signal.connect(lambda *_: self._show_bookmarks(watches.model.watches))
        self._sight.follow(self._bridge.readout_ready, self._frame_read)
        self._controller.memory_written.connect(self._live.touch)
        self._controller.follow(self._mark_variables, "variables")
        for grid in self.grids:
            grid.rows_changed.connect(self._live.touch)

    def _build_bar(self) -> ui.FoldingRow:
        name = self.tr("Memory region")
        tip = self.tr("Go to a region of memory, or to a watch as a bookmark")
        self.region = ui.combo_box(
            name, lambda: self.grid.go_to(int(self.region.currentData())), tip
        )
        name, tip = self.tr("Go to address"), f"{ui.address_tip()} (Ctrl+G)"
        self.go_to = ui.line_edit(name, self.tr("address"), self._go, tip, 92)
        name = self.tr("Show memory as")
        tip = self.tr(
            "Bytes, or numbers of 8, 16 and 32 bits: > begins with the high byte, i is signed"
        )
        in_bytes = (self.tr("bytes"), None)
        self.shown_as = ui.combo_box(name, self._show_type, tip, entries=[in_bytes])
        for spec in ("|i1", ">u2", "<u2", ">i2", "<i2", ">u4", "<u4", ">i4", "<i4"):
            self.shown_as.addItem(spec, DataType.parse(spec))
        self.type = ui.combo_box(self.tr("Type to find"), tip=ui.words(_TYPE_TIP))
        hint = self.tr("find number")
        tip = self.tr(
            "Enter goes to the next place that holds this (Ctrl+F). Choose text to find by a "
            "table of letters, ASCII or a .tbl file, and letters when the table is unknown"
        )
        self.find_field = ui.line_edit(self.tr("Find value"), hint, self._find, tip, 108)
        for field in (self.go_to, self.find_field):
            field.textEdited.connect(lambda _: self.show_problem(""))
        self.error = ui.role_label("", "bad")
        # A long message must not move the fields.
        self.error.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        tip = self.tr("Show another region next to this one")
        self.split = ui.icon_button("plus", tip, self.add_view)
        self.join = ui.icon_button("minus", self.tr("Close this view"), self.close_view)
        place = ui.hbox(self.region, self.go_to, self.shown_as, (self.error, 1), gap=6)
        find = ui.hbox(self.type, self.find_field, None, self.join, self.split, gap=6)
        return ui.FoldingRow(place, find, 12, margins=(9, 5, 9, 5))

    def _add_grid(self, grid: HexView) -> None:
        grid.setMinimumHeight(48)
        grid.focused.connect(lambda: self._choose(grid))
        grid.moved.connect(lambda _: self._show_readings())
        ui.on_context_menu(grid, lambda at: ui.pop_up(self.menu(), grid.viewport().mapToGlobal(at)))
        grid.poked.connect(lambda at, value: self._controller.write(at, BYTE, value))
        self.views.addWidget(grid)
        self.grids.append(grid)
        self._choose(grid)

    def add_view(self) -> None:
        """Add a grid that shows the next region, or the same region if there is only one."""
        now, grid = self.grid, HexView()
        if (layout := now.layout_rows) is None:
            return
        grid.set_space(layout.space)
        grid.variables, grid.candidates = now.variables, now.candidates
        grid.show_heat(now.shows_heat)
        starts = [each.address for each in layout.space.regions]
        place = next((start for start in starts if start > now.place), starts[0])
        grid.go_to(now.place if len(starts) == 1 else place)
        grid.rows_changed.connect(self._live.touch)
        self._add_grid(grid)
        self._keep_views()
        grid.setFocus()

    def close_view(self) -> None:
        grid = self.grid
        at = self.grids.index(grid)
        self.grids.remove(grid)
        # A grid that is only hidden would still count in the sizes of the splitter.
        grid.setParent(None)
        grid.deleteLater()
        self._choose(self.grids[max(0, at - 1)])
        self._keep_views()
        self.grid.setFocus()

    def _keep_views(self) -> None:
        forms = (self.shown_as.itemText(self._form(each)) for each in self.grids)
        self._settings.memory_views = ",".join(forms)

    def _form(self, grid: HexView) -> int:
        types = [self.shown_as.itemData(at) for at in range(self.shown_as.count())]
        return types.index(grid.type)

    def _choose(self, grid: HexView) -> None:
        """Let the bar control ``grid``."""
        self.grid = grid
        self.shown_as.setCurrentIndex(self._form(grid))
        if (layout := grid.layout_rows) is not None:
            ends = [region.end for region in layout.space.regions]
            self.region.setCurrentIndex(bisect_right(ends, grid.place))
        self._arrange()
        self.join.setVisible(len(self.grids) > 1)
        self.split.setEnabled(len(self.grids) < _MOST_VIEWS)
        for each in self.grids:
            each.chosen = each is grid and len(self.grids) > 1
            each.viewport().update()
        self._show_readings()

    def _arrange(self) -> None:
        """Put the grids side by side or one below the other, whichever shows more bytes."""
        count, left, width = len(self.grids), self.grid.byte_left[0], self.width()
        row = self.grid.text_left - left
        next_to = min(row, width / count - left)
        below = min(row, width - left) / count
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.views.setOrientation(across if next_to >= below else down)
        if count != self._shared:
            self._shared = count
            self.views.setSizes([1000] * count)  # equal sizes

    def _show_type(self) -> None:
        self.grid.show_as(self.shown_as.currentData())
        self._keep_views()
        self.grid.fit_bars()
        self.grid.viewport().update()

    def _fit(self) -> None:
        """In a low panel, hide the numbers at the cursor, so that rows of bytes have space."""
        self._arrange()
        self.readings.setVisible(self.height() >= 112)  # 112 pixels: a few rows of bytes
        self._show_readings()

    def _set_space(self, space: AddressSpace | None, types: Sequence[str]) -> None:
        for grid in self.grids:
            grid.set_space(space)
        for field in (self.go_to, self.find_field):
            field.clear()
        self.show_problem("")
        self.region.clear()
        for each in space.regions if space else ():
            name = each.name or self.tr("RAM")
            text = f"{name}  {each.address:06X}  {ui.size_text(each.size)}"
            self.region.addItem(text, each.address)
        self._regions = self.region.count()
        self._show_bookmarks(())
        self.type.clear()
        self.type.addItems(list(types))
        if space is not None:
            self.type.addItem(self.tr("text"), TEXT)
            self.type.addItem(self.tr("letters"), LETTERS)
        self.pages.show_content(space is not None and space.size_bytes > 0)
        self._show_readings()

    def _show_bookmarks(self, watches: Sequence[Watch]) -> None:
        while self.region.count() > self._regions:
            self.region.removeItem(self.region.count() - 1)
        for watch in watches[:200] if self._regions else ():  # a longer list is of no use
            name = watch.name or watch.note
            self.region.addItem(f"{name}  {ui.address_text(watch.address)}", watch.address)
        self.region.setVisible(self.region.count() > 1)

    def show_problem(self, text: str) -> None:
        self.error.setText(text)
        self.error.setToolTip(text)

    def _show_readings(self) -> None:
        if (layout := self.grid.layout_rows) is None:
            self.readings.clear()
            return
        address = self.grid.place
        index = layout.space.index_of(address)
        raw = self.grid.seen.values[index : index + 8].tobytes()
        kinds = map(DataType.parse, ("|u1", "|i1", ">u2", "<u2", ">u4", "<u4", ">d2", ">n2"))
        fitting = [kind for kind in kinds if kind.width <= len(raw)]
        parts = [ui.address_text(address)]
        parts += [f"{kind} {kind.decode(raw[: kind.width])}" for kind in fitting]
        room = self.readings.contentsRect().width()
        width = self.readings.fontMetrics().horizontalAdvance
        while len(parts) > 1 and width("   ".join(parts)) > room:
            del parts[-1]
        self.readings.setText("   ".join(parts))
        names = [mark.name for mark in self.grid.variables_within(address, address + 1)]
        ui.describe(self.grid, ", ".join([*names, *parts[:3]]))

    def _go(self) -> None:
        with ui.errors_to(self.show_problem):
            address = self._controller.address(self.go_to.text())
            if self.grid.go_to(address):
                self.grid.setFocus()
            else:
                self.show_problem(self.tr("{0} is not mapped").format(ui.address_text(address)))

    def _find(self) -> None:
        """Go to the next place with a number of the chosen type, a text in the table of letters, or
        letters by the differences between them."""
        kind, text = self.type.currentData(), self.find_field.text()
        named, coded = f"“{text}”", b""
        try:
            if kind is None:
                number = ui.parse_number(text)
                named, coded = str(number), DataType.parse(self.type.currentText()).encode(number)
            elif kind == TEXT:
                coded = self.letters.encode(text)
        except DomainError as error:
            hint = self.tr("“{0}” is no number; choose “text” to find letters")
            typed = isinstance(error, ui.FieldError)
            self.show_problem(hint.format(text.strip()) if typed else str(error))
            return

        def find(data: NDArray[np.uint8], at: int) -> int | None:
            if kind == LETTERS:
                return letters.find_letters(data, text, at)
            return letters.find_bytes(data, coded, at)

        def show(found: tuple[int, int] | None) -> None:
            self.show_problem("" if found else self.tr("{0} was not found").format(named))
            if found is not None:
                self.grid.go_to(found[0])
                if kind == LETTERS:
                    self.letters = letters.table_from(text, found[1])
                    code = self.letters.codes["A"].hex().upper()
                    note = self.tr("In the table of these letters, A is {0}; “text” uses it now")
                    self._announce(note.format(code))

        after = self.grid.place
        self._bridge.ask(lambda session: find_in_memory(session, find, after), show, self._warn)

    def choose_letters(self) -> None:
        title, kinds = self.tr("Table of letters"), self.tr("Tables of letters (*.tbl)")
        if (path := self._ask_open("letters", title, kinds)) is None:
            return

        def done(table: letters.LetterTable) -> None:
            self.letters = table
            known = len(table.codes)
            text = ui.counted(self.tr("{0}: {1} letter[ is|s are] known", None, known), known)
            said = [text.format(path.name, known), "; ".join(table.problems)]
            kind = ui.NoticeKind.WARNING if table.problems else ui.NoticeKind.GOOD
            self._announce(". ".join(filter(None, said)), kind)

        self._bridge.in_background(lambda: letters.read_table(path), done, self._warn)

    def dump(self, start: int, stop: int) -> None:
        filters = ";;".join(f"*{suffix}" for suffix in letters.DUMPS)
        title, name = self.tr("Write memory to a file"), f"memory-{start:06X}.bin"
        if (path := self._ask_save("dump", title, name, filters)) is None:
            return

        def write(data: bytes) -> None:
            count = len(data)
            text = ui.count_text(self.tr("{0} byte[|s] written to {1}", None, count), count, path)
            work = partial(letters.write_dump, path, start, data)
            self._bridge.in_background(work, lambda _: self._announce(text), self._warn)

        self._bridge.ask(lambda session: bytes_between(session, start, stop), write, self._warn)

    def copy(self, form: str) -> None:
        """Copy the selection as ``hex``, Python ``bytes``, a Python ``read`` or its ``address``."""
        start, stop = self.grid.selection
        data = bytes(self.grid.byte(address) for address in range(start, stop))
        texts = {
            "hex": data.hex(" ").upper(),
            "bytes": f'bytes.fromhex("{data.hex()}")  # {ui.address_text(start)}',
            "read": f'session.memory.read({ui.address_text(start)}, "{unsigned_type(len(data))}")',
            "address": ui.address_text(start),
        }
        QGuiApplication.clipboard().setText(texts[form])

    def menu(self) -> QMenu:
        menu = ui.RowMenu(self)
        start, stop = self.grid.selection
        held, parts = start in self.grid.frozen, self._parts
        menu.add(
            self.tr("Let go") if held else self.tr("Freeze"),
            lambda: parts[CheatsView].hold([(at, BYTE) for at in range(start, stop)], not held),
            tip=self.tr("Write these bytes again after every frame"),
        )
        types = menu.addMenu(ui.icon("variable"), self.tr("Make variable"))
        for spec in _VARIABLE_TYPES:
            types.addAction(spec, partial(self.make_variable, start, spec))
        tip = self.tr("Keep the place in the watch list, and as a bookmark")
        watch = Watch(start, unsigned_type(stop - start))
        menu.add(self.tr("Watch"), lambda: parts[WatchesView].watch(watch), "pin", tip)
        tip = self.tr("Chains of pointers to this number, which may move")
        menu.add(self.tr("Find what points here"), lambda: self.pointers.look_for(start), tip=tip)
        text = self.tr("What changed this?")
        tip = self.tr("All recorded changes of this number, and what happened on their frames")
        menu.add(text, lambda: self.causes.look_for(start, stop - start), tip=tip)
        menu.addSeparator()
        menu.addAction(self.tr("Copy bytes"), lambda: self.copy("hex"))
        menu.addAction(self.tr("Copy address"), lambda: self.copy("address"))
        menu.addAction(self.tr("Copy as Python bytes"), lambda: self.copy("bytes"))
        menu.addAction(self.tr("Copy as Python read"), lambda: self.copy("read"))
        menu.addSeparator()
        menu.add(self.tr("Write bytes to a file…"), lambda: self.dump(start, stop), "save")
        menu.add_switch(self.tr("Heat of writes"), self.grid.show_heat, on=self.grid.shows_heat)
        menu.add(self.tr("Compare two moments…"), self.compare.open_moments)
        menu.add(self.tr("Load a table of letters…"), self.choose_letters)
        return menu

    def _opened(self, game: GameSnapshot) -> None:
        self.letters = letters.ASCII
        self._set_space(game.space, game.system.types)
        # The watches may have been read before this, or may follow.
        self._show_bookmarks(self._parts[WatchesView].model.watches)
        words = self.tr(" · words swapped") if game.space.swaps_words else ""
        text = ui.size_text(game.info.ram_bytes)
        if not game.info.sees_all_memory:
            whole = ui.size_text(game.info.whole_ram_bytes)
            text = self.tr("{0} of {1}, as chosen").format(text, whole)
        self._dock.header.note.setText(f"{text}{words}")
        known = game.documents.variables.values()
        starts = [region.address for region in game.space.regions]
        for at, grid in enumerate(self.grids[1:], 1):
            grid.go_to(starts[min(at, len(starts) - 1)])
        if known:
            self.grids[0].go_to(min(spec.address for spec in known))
        self._live.touch()

    def _mark_variables(self, shown: Documents) -> None:
        for grid in self.grids:
            grid.mark_variables(shown.variables)

    def _closed(self) -> None:
        self._set_space(None, ())

    def _frame_read(self, _: object) -> None:
        self._advanced = True
        self._live.touch()

    def _look(self) -> Callable[[Session], _Bytes] | None:
        wanted = []
        for grid in self.grids:
            if (layout := grid.layout_rows) is None:
                return None
            rows = grid.visible_rows()
            start = layout.space.index_of(layout.spans(*rows)[0][0])
            wanted.append((grid, start, layout.offsets(*rows)))
        advanced, self._advanced = self._advanced, False

        def read(session: Session) -> _Bytes:
            memory = session.memory
            frozen = frozenset(at + n for at, kind in memory.frozen for n in range(kind.width))
            ram = memory.ram
            return [(grid, start, ram[at]) for grid, start, at in wanted], advanced, frozen

        return read

    def _show_bytes(self, found: _Bytes) -> None:
        shown, advanced, frozen = found
        for grid, start, data in shown:
            if grid in self.grids:
                grid.frozen = frozen
                grid.seen.show(start, data, advanced=advanced)
                grid.viewport().update()
        self._show_readings()

    def make_variable(self, address: int, spec: str) -> None:
        name = free_name(f"at_{ui.address_text(address)[2:]}", self._controller.variables)
        self._controller.put_variable(VariableSpec(name, address, DataType.parse(spec)))

    def mark_candidates(self, addresses: NDArray[np.int64]) -> None:
        for grid in self.grids:
            grid.candidates = addresses
            grid.viewport().update()

    def show_address(self, address: int) -> None:
        self._dock.come_forward()
        self.grid.go_to(address)
