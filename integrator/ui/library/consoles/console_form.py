"""A console's descriptor as a form, and its game while it is tried."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QTableWidgetItem,
    QTabWidget,
    QWidget,
)

from integrator.session.library.consoles.console_draft import (
    NO_MEMORY,
    PAD,
    ConsoleTrial,
    usual_actions,
)
from integrator.session.opening import training_options
from integrator.ui.screen.screen_view import wrap_frame
from integrator.ui.widgets.fitting import fitted_pixmap
from integrator.ui.widgets.parts import combo_box, line_edit, role_label, vbox
from integrator.ui.widgets.table import FixedTable
from integrator.ui.widgets.texts import counted
from libretro_host.host import CoreOption, Frame

_ROOM = QSize(320, 240)


class TrialView(QWidget):
    """The newest picture of the game that is tried, and the facts once it has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = QLabel(self.tr("No game was tried yet."))
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setFixedSize(_ROOM)
        titles = self.tr("address"), self.tr("bytes"), self.tr("name")
        self.memory = FixedTable(self.tr("Memory"), titles)
        self.words = role_label("", "secondary", wraps=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop)
        column = vbox(self.picture, (self.memory, 2), on=self, margins=0)
        words = QScrollArea(widgetResizable=True)
        words.setFrameShape(QScrollArea.Shape.NoFrame)
        words.setWidget(self.words)
        column.addWidget(words, 3)
        self.setFixedWidth(_ROOM.width())

    def show_frame(self, frame: Frame) -> None:
        self.picture.setPixmap(fitted_pixmap(wrap_frame(frame), _ROOM, 1.0))

    def show_trial(self, trial: ConsoleTrial, remarks: Sequence[str] = ()) -> None:
        regions = trial.info.regions
        self.memory.setRowCount(len(regions))
        for row, region in enumerate(regions):
            texts = (f"0x{region.address:X}", f"{region.size:,}", region.name)
            for at, text in enumerate(texts):
                self.memory.setItem(row, at, QTableWidgetItem(text))
        ram = self.tr("{0} bytes of memory, {1} of them changed by themselves.")
        ram = ram.format(f"{trial.info.ram_bytes:,}", f"{trial.changed_bytes:,}")
        states = self.tr("States are exact.") if regions else self.tr("States load.")
        lines = [ram if regions else NO_MEMORY, trial.state_remark or states]
        tried = [answer for answer in trial.answered if answer is not None]
        if tried:
            text = self.tr("{0} of {1} button[|s] make[s|] a difference.", None, len(tried))
            lines.append(counted(text, len(tried)).format(sum(tried), len(tried)))
        self.show_lines(list(dict.fromkeys([*lines, *remarks])))

    def show_lines(self, lines: Sequence[str]) -> None:
        self.words.setText("\n".join(lines))

    def clear(self) -> None:
        self.picture.setPixmap(QPixmap())
        self.picture.setText(self.tr("No game was tried yet."))
        self.memory.setRowCount(0)
        self.words.setText("")


class ConsoleForm(QTabWidget):
    """Edits the parts of a descriptor that it shows, and keeps the others. ``edited`` follows each
    edit of the user."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self._value: dict[str, Any] = {}
        self._defaults: dict[str, str] = {}
        self._training: dict[str, str] = {}
        self.name = self._line(self.tr("Name"), self.tr("One word, such as VirtualBoy"))
        self.title = self._line(self.tr("Title"), self.tr("As people call the console"))
        self.extensions = self._line(self.tr("Files"), self.tr("Extensions; the first names ROMs"))
        hint = self.tr("Of cores that show no memory map")
        self.base = self._line(self.tr("Address of RAM"), hint)
        self.work_ram = self._line(self.tr("Work RAM"), self.tr("Address and bytes: 0x0 65536"))
        self.types = self._line(self.tr("Data types"), self.tr("Such as |u1 >u2; all when empty"))
        self.swapped = combo_box(
            self.tr("Order of bytes"),
            self.edited.emit,
            self.tr("Bytes are swapped within words of so many bytes"),
            entries=[(self.tr("as the console has it"), None), ("2", 2), ("4", 4)],
        )
        titles = self.tr("libretro"), self.tr("button"), self.tr("key"), self.tr("tried")
        self.buttons = FixedTable(self.tr("Buttons"), titles, editable=True)
        columns = self.tr("option"), self.tr("value"), ""
        self.options = FixedTable(self.tr("Core options"), columns)
        self._build_ui()

    def _build_ui(self) -> None:
        page = QWidget()
        form = QFormLayout(page)
        form.setContentsMargins(0, 10, 0, 0)
        fields = (self.name, self.title, self.extensions, self.base, self.work_ram)
        for field in (*fields, self.swapped, self.types):
            form.addRow(field.accessibleName(), field)
        for table, widths in ((self.buttons, (90, 170, 110)), (self.options, (300, 170))):
            for column, width in enumerate(widths):
                table.setColumnWidth(column, width)
        self.addTab(page, self.tr("Console"))
        self.addTab(self.buttons, self.tr("Buttons"))
        self.buttons.itemChanged.connect(lambda _: self.edited.emit())
        holder, note = QWidget(), self.tr("Try a game: its core tells its options.")
        self.option_note = role_label(note, "hint", wraps=True)
        vbox(self.option_note, (self.options, 1), on=holder, margins=(0, 8, 0, 0))
        self.addTab(holder, self.tr("Core options"))

    def _line(self, name: str, hint: str) -> QLineEdit:
        field = line_edit(name, hint, tip=hint)
        field.textEdited.connect(self.edited)
        return field

    def show_value(self, value: Mapping[str, Any]) -> None:
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
                texts = (entry.get("button", ""), entry.get("key") or "")
                table.setItem(row, 0, _fixed(name))
                for column, text in enumerate(texts, start=1):
                    table.setItem(row, column, QTableWidgetItem(text))
                table.setItem(row, 3, _fixed())

    def value(self) -> dict[str, Any]:
        joypad = self._joypad()
        words = self.extensions.text().lower().replace(",", " ").split()
        extensions = [word.removeprefix(".") for word in words]
        buttons = [entry["button"] for entry in joypad if entry]
        old = [entry["button"] for entry in self._value.get("joypad", ()) if entry]
        value = {
            **self._value,
            "system": self.name.text().strip(),
            "title": self.title.text().strip(),
            "content": {**self._value.get("content", {}), "extensions": extensions},
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

    def show_answers(self, answered: Sequence[bool | None]) -> None:
        """Show for each button whether it made a difference when the game was tried."""
        words = {True: self.tr("answers"), False: self.tr("no answer seen"), None: ""}
        with QSignalBlocker(self.buttons):
            for row in range(self.buttons.rowCount()):
                item = self.buttons.item(row, 3)
                if item is not None:
                    item.setText(words[answered[row]] if row < len(answered) else "")

    def show_options(self, options: Sequence[CoreOption]) -> None:
        cores = self._value.get("cores") or [{}]
        given = cores[0].get("options", {})
        training = training_options(self._value.get("system", ""), cores[0].get("core", ""))
        self._defaults = {one.key: one.default for one in options}
        self._training = {one.key: training.get(one.key, one.default) for one in options}
        self.options.setRowCount(len(options))
        for row, option in enumerate(options):
            title = _fixed(option.title or option.key)
            title.setToolTip(f"{option.key}\n{option.help}".strip())
            box = combo_box(title.text(), self.edited.emit)
            box.setProperty("key", option.key)
            box.addItems(list(option.values))
            box.setCurrentText(given.get(option.key, option.default))
            box.currentTextChanged.connect(lambda text, r=row, o=option: self._mark(r, o, text))
            self.options.setItem(row, 0, title)
            self.options.setCellWidget(row, 1, box)
            self.options.setItem(row, 2, _fixed())
            self._mark(row, option, box.currentText())
        if options:
            text = self.tr("Training does not know of your values, so leave those that you can.")
            self.option_note.setText(text)

    def _mark(self, row: int, option: CoreOption, chosen: str) -> None:
        item = self.options.item(row, 2)
        if item is not None:
            usual = self._training[option.key]
            item.setText("" if chosen == usual else self.tr("in training: {0}").format(usual))

    def _chosen(self) -> dict[str, str]:
        boxes = self.options.findChildren(QComboBox)
        return {box.property("key"): box.currentText() for box in boxes}


def _fixed(text: str = "") -> QTableWidgetItem:
    """A cell that is not edited."""
    item = QTableWidgetItem(text)
    item.setFlags(item.flags() & ~item.flags().ItemIsEditable)
    return item
