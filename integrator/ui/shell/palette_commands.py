"""The command palette: finds actions, panels, variables, start states and games by name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QWidget

from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import NATIVE, shown_keys
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.docks.workspaces import workspaces
from integrator.ui.window_context import WindowContext

COMMAND, PANEL, NAME, GAME = range(4)  # the kinds of entries, in the order of the list


@dataclass(frozen=True, slots=True)
class Command:
    """An entry of the palette. ``hint`` follows the text, for example a shortcut or an address."""

    text: str
    hint: str
    icon: QIcon
    run: Callable[[], object]
    kind: int = COMMAND


MOST_SHOWN = 100  # Nobody reads more, and listing a thousand games takes longer than a key press.


class CommandPalette(ui.Dialog):
    """A search field with a list of matching entries, over the window."""

    def __init__(self, commands: list[Command], parent: QWidget) -> None:
        name, kinds = self.tr("Search actions"), Qt.WindowType
        flags = kinds.FramelessWindowHint | kinds.Dialog
        super().__init__(parent, self.tr("Command palette"), accessibleName=name, windowFlags=flags)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        size = QSize(16, 16)
        room = QPixmap(size)
        room.fill(Qt.GlobalColor.transparent)
        self._blank = QIcon(room)  # It aligns the texts of entries without an icon.
        hint = self.tr("Search actions, variables, states, games…")
        self.field = ui.line_edit(self.tr("Search"), hint)
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        traits = {"frameShape": QFrame.Shape.NoFrame, "iconSize": size}
        self.list = ui.named(QListWidget(), self.tr("Matches"), **traits)
        for chosen in (self.list.itemActivated, self.list.itemClicked):
            chosen.connect(lambda _: self._run())
        card = ui.styled(QFrame(), "Palette")
        ui.vbox(self.field, self.list, on=card, margins=10, gap=8)
        ui.stack(self, card)
        self.resize(560, 380)
        self.offer(commands)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Send Up, Down and Enter to the list while the search field has the focus."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
            step = {Qt.Key.Key_Up.value: -1, Qt.Key.Key_Down.value: 1}.get(event.key(), 0)
            if step and self.list.count():
                self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
                return True
        return super().eventFilter(watched, event)

    def offer(self, commands: list[Command]) -> None:
        self._commands = commands
        self._filter(self.field.text())

    def _filter(self, query: str) -> None:
        ranks = ((ui.place_of_words(query, each.text), each) for each in self._commands)
        fitting = [(command.kind, place, command) for place, command in ranks if place is not None]
        self.list.clear()
        for *_, command in sorted(fitting, key=lambda each: each[:2])[:MOST_SHOWN]:
            text = f"{command.text}     {command.hint}" if command.hint else command.text
            item = QListWidgetItem(self._blank if command.icon.isNull() else command.icon, text)
            item.setData(Qt.ItemDataRole.UserRole, command)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.accept()
            item.data(Qt.ItemDataRole.UserRole).run()


class PaletteCommands:
    """Collects the entries of the palette from the parts of the window."""

    def __init__(self, context: WindowContext) -> None:
        self._context = context

    def open(self) -> CommandPalette:
        window = self._context.window
        palette = CommandPalette(self.all(), window)
        palette.setFixedWidth(min(600, window.width() - 60))
        left = (window.width() - palette.width()) // 2
        palette.move(window.mapToGlobal(QPoint(left, 56)))
        palette.open()
        library = self._context.parts[LibraryController]
        if not library.view.model.all:
            # Games are added to the palette later, when the library has been scanned.
            filled = library.filled.connect(lambda: palette.offer(self.all()))
            palette.finished.connect(lambda _: library.filled.disconnect(filled))
            library.refresh()
        return palette

    def all(self) -> list[Command]:
        return [*self._actions(), *self._places(), *self._documents(), *self._games()]

    def _actions(self) -> Iterator[Command]:
        for action in self._context.actions.all():
            if action.isEnabled():
                keys = action.shortcut().toString(NATIVE)
                yield Command(ui.plain_text(action), keys, action.icon(), action.trigger)

    def _places(self) -> Iterator[Command]:
        context, shown = self._context, ui.icon("search")
        for key, name, _ in workspaces():
            text = ui.translate("PaletteCommands", "{0} workspace").format(name)
            keys = shown_keys(context.actions.shortcuts[f"workspace-{key}"].keys)
            yield Command(text, keys, shown, partial(context.use_workspace, key))
        words = ui.translate("PaletteCommands", "shown"), ui.translate("PaletteCommands", "hidden")
        for dock in context.parts[Docks].all.values():
            text = ui.translate("PaletteCommands", "{0} panel").format(dock.windowTitle())
            keys = dock.toggleViewAction().shortcut().toString(NATIVE)
            hint = " · ".join(filter(None, (words[not ui.is_in_sight(dock)], keys)))
            yield Command(text, hint, shown, partial(_toggle_panel, dock), PANEL)
        for choice, title in ui.theme_titles().items():
            text = ui.translate("PaletteCommands", "Theme: {0}").format(title.lower())
            yield Command(text, "", shown, partial(context.choose_theme, choice))

    def _documents(self) -> Iterator[Command]:
        parts, documents = self._context.parts, self._context.controller.documents
        if documents is None:
            return
        for name, spec in documents.variables.items():
            place, show = ui.address_text(spec.address), partial(self._show_variable, name)
            yield Command(name, place, ui.icon("variable"), show, NAME)
        for name in documents.states:
            hint, start = ui.translate("PaletteCommands", "start state"), parts[StatesView].start_at
            yield Command(name, hint, ui.icon("state"), partial(start, name), NAME)

    def _show_variable(self, name: str) -> None:
        view = self._context.parts[VariablesView]
        ui.dock_of(view).come_forward()
        view.select(name, VariableColumn.NAME)

    def _games(self) -> Iterator[Command]:
        context, shown = self._context, ui.icon("folder")
        library = context.parts[LibraryController]
        recent = context.settings.recent
        for path in map(Path, recent):
            yield Command(path.name, str(path), shown, partial(context.open_path, path), GAME)
        no_rom = ui.translate("PaletteCommands", "no ROM yet")
        for entry in library.view.model.all.values():
            if str(entry.directory) not in recent:
                hint = entry.system_title if entry.rom else no_rom
                yield Command(entry.name, hint, shown, partial(library.open_entry, entry), GAME)


def _toggle_panel(dock: ui.PanelDock) -> None:
    """Hide a panel that is in sight; otherwise bring it to the front, even from behind a tab."""
    if ui.is_in_sight(dock):
        dock.hide()
    else:
        dock.come_forward()
