"""A form for a console's descriptor, and a view of the trial of a game on it."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QScrollArea, QTabWidget, QWidget

from integrator.session.library.consoles import console_draft
from integrator.session.opening import training_options
from integrator.ui import widgets as ui
from integrator.ui.screen.screen_view import wrap_frame
from libretro_host.host import CoreOption, Frame

_ROOM = QSize(320, 240)


class TrialView(QWidget):
    """The newest picture of the game that is tried, and the facts that the trial found."""

    def __init__(self) -> None:
        super().__init__()
        text, edges = self.tr("No game was tried yet."), Qt.AlignmentFlag
        self.picture = ui.role_label(text, alignment=edges.AlignCenter, fixedSize=_ROOM)
        titles = self.tr("address"), self.tr("bytes"), self.tr("name")
        self.memory = ui.FixedTable(self.tr("Memory"), titles)
        self.words = ui.role_label("", "secondary", wraps=True, alignment=edges.AlignTop)
        words = QScrollArea(widgetResizable=True)
        ui.configured(words, widget=self.words, frameShape=QScrollArea.Shape.NoFrame)
        ui.vbox(self.picture, (self.memory, 2), (words, 3), on=self, margins=0)
        self.setFixedWidth(_ROOM.width())

    def show_frame(self, frame: Frame) -> None:
        self.picture.setPixmap(ui.fitted_pixmap(wrap_frame(frame), _ROOM, 1.0))

    def show_trial(self, trial: console_draft.ConsoleTrial, remarks: Sequence[str]) -> None:
        regions = trial.info.regions
        self.memory.setRowCount(len(regions))
        for row, region in enumerate(regions):
            texts = f"0x{region.address:X}", ui.grouped(region.size), region.name
            for column, text in enumerate(texts):
                self.memory.put(row, column, text)
        ram = self.tr("{0} bytes of memory, {1} of them changed by themselves.")
        ram = ram.format(ui.grouped(trial.info.ram_bytes), ui.grouped(trial.changed_bytes))
        states = self.tr("States are exact.") if regions else self.tr("States load.")
        lines = [ram if regions else console_draft.NO_MEMORY, trial.state_remark or states]
        if tried := [answer for answer in trial.answered if answer is not None]:
            text = self.tr("{0} of {1} button[|s] make[s|] a difference.", None, len(tried))
            lines.append(ui.counted(text, len(tried)).format(sum(tried), len(tried)))
        self.words.setText("\n".join(dict.fromkeys([*lines, *remarks])))

    def clear(self, remarks: Sequence[str] = ()) -> None:
        """Remove the trial. ``remarks`` are remarks on the draft of another console."""
        self.picture.setText(self.tr("No game was tried yet."))
        self.memory.setRowCount(0)
        self.words.setText("\n".join(remarks))


class OptionsPage(QWidget):
    """A text above a table of a core's options, each with a list of values and a note."""

    def __init__(self, text: str, role: str = "") -> None:
        super().__init__()
        self.text = ui.role_label(text, role, wraps=True)
        titles = self.tr("option"), self.tr("value"), ""
        self.table = ui.FixedTable(self.tr("Core options"), titles)
        self.table.setColumnWidth(0, 295)
        self.table.setColumnWidth(1, 170)
        ui.vbox(self.text, (self.table, 1), on=self, margins=(0, 8, 0, 0))

    def offer(self, row: int, option: CoreOption, value: str) -> QComboBox:
        """Fill a row except its note, and return the box that lists the option's values."""
        title = option.title or option.key
        self.table.put(row, 0, title, tip=f"{option.key}\n{option.help}".strip())
        box = ui.combo_box(title, entries=[(text, option.key) for text in option.values])
        box.setCurrentText(value)
        self.table.setCellWidget(row, 1, box)
        return box


class ConsoleForm(QTabWidget):
    """Edits fields of a descriptor, and keeps the rest. ``edited`` follows the user's edits."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self._value: dict[str, Any] = {}
        self._defaults: dict[str, str] = {}
        page = QWidget()
        self._page = QFormLayout(page)
        self._page.setContentsMargins(0, 10, 0, 0)
        self.name = self._line(self.tr("Name"), self.tr("One word, such as VirtualBoy"))
        self.title = self._line(self.tr("Title"), self.tr("As people call the console"))
        self.extensions = self._line(self.tr("Files"), self.tr("Extensions; the first names ROMs"))
        hint = self.tr("Of cores that show no memory map")
        self.base = self._line(self.tr("Address of RAM"), hint)
        self.work_ram = self._line(self.tr("Work RAM"), self.tr("Address and bytes: 0x0 65536"))
        order, plain = self.tr("Order of bytes"), self.tr("as the console has it")
        tip = self.tr("Bytes are swapped within words of this many bytes")
        entries = ((plain, None), ("2", 2), ("4", 4))
        self.swapped = ui.combo_box(order, self.edited.emit, tip, entries=entries)
        self._page.addRow(order, self.swapped)
        self.types = self._line(self.tr("Data types"), self.tr("Such as |u1 >u2; all when empty"))
        titles = self.tr("libretro"), self.tr("button"), self.tr("key"), self.tr("tried")
        self.buttons = ui.FixedTable(self.tr("Buttons"), titles, editable=True)
        self.buttons.itemChanged.connect(lambda _: self.edited.emit())
        for column, width in enumerate((90, 170, 110)):
            self.buttons.setColumnWidth(column, width)
        self._options = OptionsPage(self.tr("Try a game: its core reports its options."), "hint")
        self.options = self._options.table
        self.addTab(page, self.tr("Console"))
        self.addTab(self.buttons, self.tr("Buttons"))
        self.addTab(self._options, self.tr("Core options"))

    def _line(self, name: str, hint: str) -> QLineEdit:
        field = ui.line_edit(name, hint, tip=hint)
        field.textEdited.connect(self.edited)
        self._page.addRow(name, field)
        return field

    def show_value(self, value: Mapping[str, Any]) -> None:
        self._value = dict(value)
        memory = value.get("memory", {})
        ram = memory.get("work_ram")
        self.name.setText(value.get("system", ""))
        self.title.setText(value.get("title", ""))
        self.extensions.setText(" ".join(value.get("content", {}).get("extensions", ())))
        self.base.setText(memory.get("base", "0x0"))
        self.work_ram.setText(f"{ram['address']} {ram['bytes']}" if ram else "")
        self.types.setText(" ".join(memory.get("types", ())))
        width = memory.get("overlay", {}).get("width")
        self.swapped.setCurrentIndex(max(0, self.swapped.findData(width)))
        with QSignalBlocker(self.buttons):
            pad = console_draft.PAD
            self.buttons.setRowCount(len(pad))
            for row, (name, entry) in enumerate(zip(pad, self._joypad(), strict=False)):
                self.buttons.put(row, 0, name)
                self.buttons.put(row, 1, entry.get("button", ""), edited=True)
                self.buttons.put(row, 2, entry.get("key") or "", edited=True)
                self.buttons.put(row, 3, "")
        self.show_options(())

    def _joypad(self) -> list[Mapping[str, Any]]:
        """Return the entry of each button of the pad, empty for buttons that the console lacks."""
        known = [entry or {} for entry in self._value.get("joypad", ())]
        return known + [{}] * (len(console_draft.PAD) - len(known))

    def value(self) -> dict[str, Any]:
        value = deepcopy(self._value)
        value["system"], value["title"] = self.name.text().strip(), self.title.text().strip()
        words = self.extensions.text().lower().replace(",", " ").split()
        value.setdefault("content", {})["extensions"] = [word.removeprefix(".") for word in words]
        old = [entry["button"] for entry in self._joypad() if entry]
        pad = value["joypad"] = self._edited_joypad()
        buttons = [entry["button"] for entry in pad if entry]
        if buttons != old:
            value["actions"] = console_draft.usual_actions(buttons)
        self._edit_memory(value.setdefault("memory", {}))
        if self._defaults:
            core = value["cores"][0]
            boxes = self.options.findChildren(QComboBox)
            shown = {box.currentData(): box.currentText() for box in boxes}
            options = {**core.get("options", {}), **shown}.items()
            chosen = {key: text for key, text in options if text != self._defaults.get(key)}
            _put(core, "options", chosen)
        return value

    def _edited_joypad(self) -> list[dict[str, Any] | None]:
        pad: list[dict[str, Any] | None] = []
        for row, before in zip(range(self.buttons.rowCount()), self._joypad(), strict=False):
            name, key = (self.buttons.model().index(row, at).data().strip() for at in (1, 2))
            pad.append({**before, "button": name, "key": key.upper() or None} if name else None)
        while pad and pad[-1] is None:
            pad.pop()
        return pad

    def _edit_memory(self, memory: dict[str, Any]) -> None:
        memory["base"] = self.base.text().strip() or "0x0"
        ram, width = self.work_ram.text().split(), self.swapped.currentData()
        size = ram[1] if len(ram) == 2 else ""
        place = {"address": "".join(ram[:1]), "bytes": int(size) if size.isdecimal() else size}
        _put(memory, "work_ram", {**memory.get("work_ram", {}), **place} if ram else None)
        _put(memory, "types", self.types.text().replace(",", " ").split())
        before = {"backing": "=", "real": ">", **memory.get("overlay", {})}
        _put(memory, "overlay", {**before, "width": width} if width else None)

    def show_answers(self, answered: Sequence[bool | None]) -> None:
        """Show for each button if it changed anything in the trial; None for a button not tried."""
        words = {True: self.tr("answers"), False: self.tr("no answer seen"), None: ""}
        with QSignalBlocker(self.buttons):
            for row, answer in zip(range(self.buttons.rowCount()), answered, strict=False):
                self.buttons.put(row, 3, words[answer])

    def show_options(self, options: Sequence[CoreOption]) -> None:
        core = (self._value.get("cores") or [{}])[0]
        training = training_options(self._value.get("system", ""), core.get("core", ""))
        self._defaults = {one.key: one.default for one in options}
        self.options.setRowCount(len(options))
        for row, option in enumerate(options):
            chosen = core.get("options", {}).get(option.key, option.default)
            box = self._options.offer(row, option, chosen)
            mark = partial(self._mark, row, training.get(option.key, option.default))
            box.activated.connect(lambda _: self.edited.emit())
            box.currentTextChanged.connect(mark)
            mark(box.currentText())
        if options:
            text = self.tr("Training ignores your values, so keep as many defaults as you can.")
            self._options.text.setText(text)

    def _mark(self, row: int, usual: str, chosen: str) -> None:
        differs = self.tr("in training: {0}").format(usual)
        self.options.put(row, 2, "" if chosen == usual else differs)


def _put(value: dict[str, Any], key: str, part: object) -> None:
    """Set a part of a descriptor, or remove the part if it is empty."""
    if part:
        value[key] = part
    else:
        value.pop(key, None)
