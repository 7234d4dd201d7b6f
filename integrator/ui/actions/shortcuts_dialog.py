"""The dialog for the keys of all commands: search, press keys, resolve conflicts, reset."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import QHeaderView, QKeySequenceEdit, QPushButton, QWidget

from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import KeyedCommand, Shortcuts, scope_of, shown_keys

_RESERVED = (  # keys that edit, move or close dialogs; only panels' commands may use them
    *("Esc", "Tab", "Backtab", "Shift+Backtab", "Return", "Enter", "Space", "Backspace", "Del"),
    *("Left", "Right", "Up", "Down", "Home", "End", "PgUp", "PgDown"),
)


class KeyField(QKeySequenceEdit):
    """Reads the next key combination. Tab and Escape are left to the dialog."""

    def __init__(self, pressed: Callable[[str], object]) -> None:
        super().__init__(maximumSequenceLength=1)

        def report() -> None:
            keys = self.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
            if keys:
                pressed(keys)

        self.editingFinished.connect(report)

    def event(self, event: QEvent) -> bool:
        """Let Tab move the focus; otherwise the field would read it like any other key."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                return self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
            if event.key() == Qt.Key.Key_Escape:
                event.ignore()
                return False
        return super().event(event)


class ShortcutsDialog(ui.Dialog):
    """Shows and changes the keys of commands; changes take effect at once. ``played`` has the
    console's buttons by their keys, which win while the picture has the focus."""

    def __init__(
        self, shortcuts: Shortcuts, played: Mapping[str, str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, self.tr("Keyboard shortcuts"))
        self._shortcuts, self._played = shortcuts, played
        self._commands = shortcuts.commands
        self._build_ui()
        self.table.currentCellChanged.connect(lambda *_: self._show_command())
        self.table.activated.connect(lambda _: self.field.setFocus())
        shortcuts.changed.connect(self._show_rows)
        self._show_rows()
        self.table.selectRow(0)

    def _build_ui(self) -> None:
        hint = self.tr("Search commands, or keys such as Ctrl+P")
        self.search = ui.line_edit(self.tr("Search commands"), hint, clearButtonEnabled=True)
        self.search.textChanged.connect(lambda _: self._filter())
        titles = self.tr("command"), self.tr("menu"), self.tr("keys"), self.tr("default")
        table = ui.FixedTable(self.tr("Commands and their keys"), titles)
        rows, selection = len(self._commands), ui.FixedTable.SelectionMode.SingleSelection
        ui.configured(table, rowCount=rows, selectionMode=selection, tabKeyNavigation=False)
        self.table = table
        table.verticalHeader().setDefaultSectionSize(ui.SIZES.row)
        header = table.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 100), (2, 130), (3, 130)):
            table.setColumnWidth(column, width)
        self.field = ui.named(KeyField(self._take_keys), self.tr("Press keys"))
        self.clear = ui.push_button(self.tr("No keys"), lambda: self._assign(""))
        tip, take = self.tr("Give this command its default keys"), self._take_keys
        self.reset = ui.push_button(self.tr("Reset"), lambda: take(self._command().default), tip)
        self.message = ui.role_label(wraps=True, minimumHeight=ui.SIZES.control)
        self.take = ui.push_button("", lambda: self._assign(self._wanted))
        self.leave = ui.push_button(self.tr("Leave both as they are"), self._show_command)
        self.reset_all = ui.push_button(self.tr("Reset all to defaults"), self._reset_all)
        done = ui.push_button(self.tr("Done"), self.close, role="primary")
        press = ui.role_label(self.tr("Press the new keys here:"), "secondary")
        entry = ui.hbox(press, (self.field, 1), self.clear, self.reset)
        answer = ui.hbox((self.message, 1), self.take, self.leave)
        parts = (self.search, (table, 1), entry, answer, ui.hbox(self.reset_all, None, done))
        ui.vbox(*parts, on=self, margins=(16, 14, 16, 14), gap=10)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        self.resize(680, 620)

    def look_for(self, text: str) -> None:
        self.search.setText(text)
        rows = range(self.table.rowCount())
        self.table.selectRow(next((row for row in rows if not self.table.isRowHidden(row)), 0))

    def _command(self) -> KeyedCommand:
        return self._commands[max(0, self.table.currentRow())]

    def _show_rows(self) -> None:
        link = self.palette().color(QPalette.ColorRole.Link).name()
        for row, command in enumerate(self._commands):
            color = link if command.keys != command.default else ""
            default = shown_keys(command.default)
            holder = self._shortcuts.holder(command.default, command.key) if color else None
            if holder is not None:
                default = self.tr("{0}: {1} now").format(default, holder.text)
            self.table.put(row, 0, command.text)
            self.table.put(row, 1, command.group)
            self.table.put(row, 2, shown_keys(command.keys) or "—", color=color)
            self.table.put(row, 3, default, color=color)
        self._filter()

    def _filter(self) -> None:
        words = self.search.text().casefold().split()
        for row, command in enumerate(self._commands):
            text = f"{command.text} {command.group} {shown_keys(command.keys)}".casefold()
            self.table.setRowHidden(row, not all(word in text for word in words))

    def _show_command(self) -> None:
        self._wanted = ""
        command = self._command()
        self.field.setKeySequence(QKeySequence(command.keys))
        self.reset.setEnabled(command.keys != command.default)
        self.clear.setEnabled(bool(command.keys))
        self._say(self.tr("Keys of {0}").format(command.text))

    def _say(self, text: str, role: str = "secondary", *, asks: bool = False) -> None:
        ui.say(self.message, text, role)
        self.take.setVisible(asks)
        self.leave.setVisible(asks)

    def _take_keys(self, keys: str) -> None:
        command = self._command()
        if not scope_of(command.key) and keys in _RESERVED:
            self._show_command()
            text = self.tr("{0} is used to move and edit in the window; press other keys")
            self._say(text.format(shown_keys(keys)), "warn")
            return
        if (holder := self._shortcuts.holder(keys, other_than=command.key)) is None:
            self._assign(keys)
            return
        self._wanted = keys
        self.take.setText(self.tr("Give them to {0}").format(command.text))
        text = self.tr("{0} belongs to {1}").format(shown_keys(keys), holder.text)
        self._say(text, "warn", asks=True)

    def _assign(self, keys: str) -> None:
        command = self._command()
        self._shortcuts.assign(command.key, keys)
        self._show_command()
        name, button = shown_keys(keys), self._played.get(keys)
        if button is not None:
            text = self.tr("{0} is the console's {1} while the picture has the keyboard")
            self._say(text.format(name, button), "warn")
        else:
            text = self.tr("{0} is {1} now") if keys else self.tr("{0} has no keys now")
            self._say(text.format(command.text, name), "good")

    def _reset_all(self) -> None:
        self._shortcuts.reset_all()
        self._show_command()
        self._say(self.tr("All commands have their default keys again"), "good")
