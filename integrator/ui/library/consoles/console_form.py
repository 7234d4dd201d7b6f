"""The form of a console's descriptor: name, files, memory, buttons and core options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLineEdit,
    QTableWidgetItem,
    QTabWidget,
    QWidget,
)

from integrator.session.library.consoles.console_draft import PAD, usual_actions
from integrator.session.opening import training_options
from integrator.ui.widgets.panels.parts import role_label, vbox
from integrator.ui.widgets.panels.table import FixedTable
from libretro_host.host import CoreOption

_OVERLAYS: Final = {None: "—", 2: "2", 4: "4"}


class ConsoleForm(QTabWidget):
    """Edits the parts of a descriptor that it shows, and keeps the others.

    ``edited`` follows each edit of the user.
    """

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self._value: dict[str, Any] = {}
        self._defaults: dict[str, str] = {}
        self._training: dict[str, str] = {}
        self.name = QLineEdit()
        self.title = QLineEdit()
        self.extensions = QLineEdit()
        self.base = QLineEdit()
        self.work_ram = QLineEdit()
        self.swapped = QComboBox()
        self.types = QLineEdit()
        self.buttons = FixedTable(
            self.tr("Buttons"),
            (self.tr("libretro"), self.tr("button"), self.tr("key"), self.tr("tried")),
            editable=True,
        )
        self.options = FixedTable(
            self.tr("Core options"), (self.tr("option"), self.tr("value"), "")
        )
        self._build_ui()

    def _build_ui(self) -> None:
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(0, 10, 0, 0)
        for label, field, hint in (
            (self.tr("Name"), self.name, self.tr("One word, such as VirtualBoy")),
            (self.tr("Title"), self.title, self.tr("As people call the console")),
            (self.tr("Files"), self.extensions, self.tr("Extensions; the first names ROMs")),
            (self.tr("Address of RAM"), self.base, self.tr("Of cores that show no memory map")),
            (self.tr("Work RAM"), self.work_ram, self.tr("Address and bytes: 0x0 65536")),
            (self.tr("Data types"), self.types, self.tr("Such as |u1 >u2; all when empty")),
        ):
            field.setPlaceholderText(hint)
            field.setToolTip(hint)
            field.setAccessibleName(label)
            field.textEdited.connect(self.edited)
            form.addRow(label, field)
        for width, text in _OVERLAYS.items():
            shown = self.tr("as the console has it") if width is None else text
            self.swapped.addItem(shown, width)
        self.swapped.setAccessibleName(self.tr("Order of bytes"))
        self.swapped.setToolTip(self.tr("Bytes are swapped within words of so many bytes"))
        self.swapped.activated.connect(self.edited)
        form.insertRow(5, self.tr("Order of bytes"), self.swapped)
        for column, width in enumerate((90, 170, 110)):
            self.buttons.setColumnWidth(column, width)
        for column, width in enumerate((300, 170)):
            self.options.setColumnWidth(column, width)
        self.addTab(page, self.tr("Console"))
        self.addTab(self.buttons, self.tr("Buttons"))
        self.buttons.itemChanged.connect(lambda _: self.edited.emit())
        holder = QWidget()
        self.option_note = role_label(
            self.tr("Try a game: its core tells its options."), "hint", wraps=True
        )
        vbox(self.option_note, (self.options, 1), on=holder, margins=(0, 8, 0, 0))
        self.addTab(holder, self.tr("Core options"))

    # -- the value ---------------------------------------------------------------------------

    def show_value(self, value: Mapping[str, Any]) -> None:
        """Show a descriptor's value, which the form makes its own copy of."""
        self._value = dict(value)
        memory, content = value.get("memory", {}), value.get("content", {})
        ram = memory.get("work_ram")
        for field, text in (
            (self.name, value.get("system", "")),
            (self.title, value.get("title", "")),
            (self.extensions, " ".join(content.get("extensions", ()))),
            (self.base, memory.get("base", "0x0")),
            (self.work_ram, f"{ram['address']} {ram['bytes']}" if ram else ""),
            (self.types, " ".join(memory.get("types", ()))),
        ):
            field.setText(text)
        width = memory.get("overlay", {}).get("width")
        self.swapped.setCurrentIndex(max(0, self.swapped.findData(width)))
        self._show_buttons(value.get("joypad", ()))
        self.show_options(())

    def _show_buttons(self, joypad: Sequence[Mapping[str, str] | None]) -> None:
        table = self.buttons
        with QSignalBlocker(table):
            table.setRowCount(len(PAD))
            for row, name in enumerate(PAD):
                entry = (joypad[row] if row < len(joypad) else None) or {}
                fixed = QTableWidgetItem(name)
                fixed.setFlags(fixed.flags() & ~fixed.flags().ItemIsEditable)
                told = QTableWidgetItem("")
                told.setFlags(fixed.flags())
                table.setItem(row, 0, fixed)
                table.setItem(row, 1, QTableWidgetItem(entry.get("button", "")))
                table.setItem(row, 2, QTableWidgetItem(entry.get("key") or ""))
                table.setItem(row, 3, told)

    def value(self) -> dict[str, Any]:
        """The descriptor's value with the edits; it may make no sense yet."""
        joypad = self._joypad()
        buttons = [entry["button"] for entry in joypad if entry]
        old = [entry["button"] for entry in self._value.get("joypad", ()) if entry]
        value = {
            **self._value,
            "system": self.name.text().strip(),
            "title": self.title.text().strip(),
            "content": {**self._value.get("content", {}), "extensions": self._extensions()},
            "joypad": joypad,
            "memory": self._memory(),
        }
        if buttons != old:
            value["actions"] = usual_actions(buttons)
        if self._defaults:
            core, *others = self._value["cores"]
            hidden = core.get("options", {}).items()
            kept = {key: each for key, each in hidden if key not in self._defaults}
            chosen = self._chosen().items()
            kept |= {key: each for key, each in chosen if each != self._defaults[key]}
            plain = {key: each for key, each in core.items() if key != "options"}
            value["cores"] = [{**plain, **({"options": kept} if kept else {})}, *others]
        return value

    def _extensions(self) -> list[str]:
        words = self.extensions.text().lower().replace(",", " ").split()
        return [word.removeprefix(".") for word in words]

    def _joypad(self) -> list[dict[str, Any] | None]:
        old = list(self._value.get("joypad", ()))
        pad: list[dict[str, Any] | None] = []
        for row in range(self.buttons.rowCount()):
            name, key = (self._cell(row, column) for column in (1, 2))
            before = (old[row] if row < len(old) else None) or {}
            pad.append({**before, "button": name, "key": key.upper() or None} if name else None)
        while pad and pad[-1] is None:
            pad.pop()
        return pad

    def _cell(self, row: int, column: int) -> str:
        item = self.buttons.item(row, column)
        return item.text().strip() if item is not None else ""

    def _memory(self) -> dict[str, Any]:
        shown = {"base", "work_ram", "types", "overlay"}
        old = self._value.get("memory", {})
        memory = {key: each for key, each in old.items() if key not in shown}
        memory["base"] = self.base.text().strip() or "0x0"
        ram = self.work_ram.text().split()
        if ram:
            size = ram[1] if len(ram) == 2 else ""
            kept = {**old.get("work_ram", {}), "address": ram[0]}
            memory["work_ram"] = {**kept, "bytes": int(size) if size.isdecimal() else size}
        if self.types.text().strip():
            memory["types"] = self.types.text().replace(",", " ").split()
        width = self.swapped.currentData()
        if width is not None:
            before = old.get("overlay", {})
            memory["overlay"] = {"backing": "=", "real": ">", **before, "width": width}
        return memory

    # -- the facts of a trial ------------------------------------------------------------------

    def show_answers(self, answered: Sequence[bool | None]) -> None:
        """Show for each button whether it made a difference when the game was tried."""
        words = {True: self.tr("answers"), False: self.tr("no answer seen"), None: ""}
        with QSignalBlocker(self.buttons):
            for row in range(self.buttons.rowCount()):
                item = self.buttons.item(row, 3)
                if item is not None:
                    item.setText(words[answered[row]] if row < len(answered) else "")

    def show_options(self, options: Sequence[CoreOption]) -> None:
        """Show the options that a core declared, with the descriptor's values."""
        cores = self._value.get("cores") or [{}]
        given = cores[0].get("options", {})
        training = training_options(self._value.get("system", ""), cores[0].get("core", ""))
        self._defaults = {one.key: one.default for one in options}
        self._training = {one.key: training.get(one.key, one.default) for one in options}
        self.options.setRowCount(len(options))
        for row, option in enumerate(options):
            title = QTableWidgetItem(option.title or option.key)
            title.setToolTip(f"{option.key}\n{option.help}".strip())
            title.setFlags(title.flags() & ~title.flags().ItemIsEditable)
            box = QComboBox()
            box.setAccessibleName(option.title or option.key)
            box.setProperty("key", option.key)
            box.addItems(list(option.values))
            box.setCurrentText(given.get(option.key, option.default))
            note = QTableWidgetItem()
            note.setFlags(title.flags())
            box.currentTextChanged.connect(lambda text, r=row, o=option: self._mark(r, o, text))
            box.activated.connect(self.edited)
            self.options.setItem(row, 0, title)
            self.options.setCellWidget(row, 1, box)
            self.options.setItem(row, 2, note)
            self._mark(row, option, box.currentText())
        if options:
            self.option_note.setText(
                self.tr("Training does not know of your values, so leave those that you can.")
            )

    def _mark(self, row: int, option: CoreOption, chosen: str) -> None:
        item = self.options.item(row, 2)
        if item is not None:
            usual = self._training[option.key]
            item.setText("" if chosen == usual else self.tr("in training: {0}").format(usual))

    def _chosen(self) -> dict[str, str]:
        boxes = (self.options.cellWidget(row, 1) for row in range(self.options.rowCount()))
        return {
            box.property("key"): box.currentText() for box in boxes if isinstance(box, QComboBox)
        }
