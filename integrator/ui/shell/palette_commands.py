"""The command palette: actions, panels, variables, start states and known games by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, SignalInstance
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QLineEdit, QListWidget, QListWidgetItem, QWidget

from integrator.ui.actions.shortcuts import NATIVE, shown_keys
from integrator.ui.desk import Desk
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.memory.variables import VariablesView
from integrator.ui.play.states.states_gallery import StatesController
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.docks.workspaces import workspaces
from integrator.ui.widgets.docks import PanelDock, dock_of, is_in_sight
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.parts import plain_text, stack, vbox
from integrator.ui.widgets.texts import translate
from integrator.ui.widgets.theme import theme_titles


class EntryKind(IntEnum):
    """Kinds of entries, in the order in which they are listed."""

    COMMAND = 0
    PANEL = 1
    NAME = 2
    GAME = 3


@dataclass(frozen=True, slots=True)
class Command:
    """One entry: ``hint`` is shown after the text, such as a shortcut or an address."""

    text: str
    hint: str
    icon: QIcon
    run: Callable[[], object]
    kind: EntryKind = EntryKind.COMMAND


_ICON = QSize(16, 16)
MOST_SHOWN = 100  # nobody reads more, and a list of a thousand games takes longer than a key press


def rank(query: str, text: str) -> int | None:
    """Rank of a fit of ``query`` and ``text``: less is better, None is no fit. Every word must
    occur."""
    lowered = text.lower()
    places = [lowered.find(word) for word in query.lower().split()]
    return sum(places) if min(places, default=0) >= 0 else None


class CommandPalette(QDialog):
    """A list under a search field, over the window."""

    def __init__(self, commands: Sequence[Command], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.FramelessWindowHint | Qt.WindowType.Dialog)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setWindowTitle(self.tr("Command palette"))
        self.setAccessibleName(self.tr("Search actions"))
        self._commands = tuple(commands)
        room = QPixmap(_ICON)
        room.fill(Qt.GlobalColor.transparent)
        self._blank = QIcon(room)  # texts begin below each other, with an icon or without
        self.field = QLineEdit(placeholderText=self.tr("Search actions, variables, states, games…"))
        self.field.setAccessibleName(self.tr("Search"))
        self.field.textChanged.connect(self._filter)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Matches"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setIconSize(_ICON)
        self.list.itemActivated.connect(lambda _: self._run())
        self.list.itemClicked.connect(lambda _: self._run())
        card = QFrame()
        card.setObjectName("Palette")
        vbox(self.field, self.list, on=card, margins=10, gap=8)
        stack(self, card)
        self.resize(560, 380)
        self._filter("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Up, Down and Enter belong to the list while the field has the cursor."""
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run()
                return True
            step = {Qt.Key.Key_Up.value: -1, Qt.Key.Key_Down.value: 1}.get(event.key(), 0)
            if step and self.list.count():
                row = (self.list.currentRow() + step) % self.list.count()
                self.list.setCurrentRow(row)
                return True
        return super().eventFilter(watched, event)

    def add_when(self, signal: SignalInstance, commands: Callable[[], Sequence[Command]]) -> None:
        """Offer ``commands`` instead when ``signal`` comes while the palette is open."""

        def take() -> None:
            self._commands = tuple(commands())
            self._filter(self.field.text())

        connection = signal.connect(take)
        self.finished.connect(lambda _: signal.disconnect(connection))

    def _filter(self, query: str) -> None:
        ranked = [
            (command.kind, place, number)
            for number, command in enumerate(self._commands)
            if (place := rank(query, command.text)) is not None
        ]
        self.list.clear()
        for *_, number in sorted(ranked)[:MOST_SHOWN]:
            command = self._commands[number]
            text = f"{command.text}     {command.hint}" if command.hint else command.text
            item = QListWidgetItem(self._blank if command.icon.isNull() else command.icon, text)
            item.setData(Qt.ItemDataRole.UserRole, number)
            self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            command = self._commands[item.data(Qt.ItemDataRole.UserRole)]
            self.accept()
            command.run()


_WIDTH, _TOP = 600, 56


class PaletteCommands:
    """Reads commands from the desk's parts; ``use_workspace`` is called with a workspace's key."""

    def __init__(self, desk: Desk, docks: Docks, use_workspace: Callable[[str], object]) -> None:
        self._desk = desk
        self._docks = docks
        self._use_workspace = use_workspace

    def open(self) -> CommandPalette:
        window = self._desk.window
        palette = CommandPalette(self.all(), window)
        width = min(_WIDTH, window.width() - 60)
        palette.setFixedWidth(width)
        origin = window.mapToGlobal(window.rect().topLeft())
        palette.move(origin.x() + (window.width() - width) // 2, origin.y() + _TOP)
        palette.open()
        library = self._desk.parts[LibraryController]
        if not library.view.model.total:
            # The library may not have been scanned yet: its games join as soon as they are found.
            palette.add_when(library.filled, self.all)
            library.refresh()
        return palette

    def all(self) -> list[Command]:
        return [*self._actions(), *self._places(), *self._documents(), *self._games()]

    def _actions(self) -> list[Command]:
        return [
            Command(
                plain_text(action),
                action.shortcut().toString(NATIVE),
                action.icon(),
                action.trigger,
            )
            for action in self._desk.actions.all()
            if action.isEnabled()
        ]

    def _places(self) -> list[Command]:
        icon, shortcuts = self._desk.theme.icons.icon("search"), self._desk.actions.shortcuts
        commands = [
            Command(
                translate("PaletteCommands", "{0} workspace").format(text),
                shown_keys(shortcuts[f"workspace-{key}"].keys),
                icon,
                partial(self._use_workspace, key),
            )
            for key, text, _ in workspaces()
        ]
        for dock in self._docks.all.values():
            title = translate("PaletteCommands", "{0} panel").format(dock.windowTitle())
            show = partial(_toggle_panel, dock)
            commands.append(Command(title, _panel_hint(dock), icon, show, EntryKind.PANEL))
        for choice, title in theme_titles().items():
            text = translate("PaletteCommands", "Theme: {0}").format(title.lower())
            commands.append(Command(text, "", icon, partial(self._desk.choose_theme, choice)))
        return commands

    def _documents(self) -> list[Command]:
        desk, icons = self._desk, self._desk.theme.icons
        documents = desk.controller.documents
        if documents is None:
            return []
        commands = []
        for name, spec in documents.variables.items():
            show = partial(_show_variable, desk.parts[VariablesView], name)
            hint, icon = address_text(spec.address), icons.icon("variable")
            commands.append(Command(name, hint, icon, show, EntryKind.NAME))
        for name in documents.states:
            start = partial(desk.parts[StatesController].start_at, name)
            hint = translate("PaletteCommands", "start state")
            commands.append(Command(name, hint, icons.icon("state"), start, EntryKind.NAME))
        return commands

    def _games(self) -> list[Command]:
        desk, library = self._desk, self._desk.parts[LibraryController]
        icon, recent = desk.theme.icons.icon("folder"), desk.settings.recent
        commands = [
            Command(
                Path(path).name, path, icon, partial(desk.open_path, Path(path)), EntryKind.GAME
            )
            for path in recent
        ]
        for entry in library.view.model.entries:
            if str(entry.directory) not in recent:
                hint = (
                    entry.system_title if entry.rom else translate("PaletteCommands", "no ROM yet")
                )
                show = partial(library.open_entry, entry)
                commands.append(Command(entry.name, hint, icon, show, EntryKind.GAME))
        return commands


def _panel_hint(dock: PanelDock) -> str:
    seen = is_in_sight(dock)
    state = (
        translate("PaletteCommands", "shown") if seen else translate("PaletteCommands", "hidden")
    )
    keys = dock.toggleViewAction().shortcut().toString(NATIVE)
    return f"{state} · {keys}" if keys else state


def _show_variable(view: VariablesView, name: str) -> None:
    dock_of(view).come_forward()
    row = view.model.row_of(name)
    if row is not None:
        view.table.selectRow(row)


def _toggle_panel(dock: PanelDock) -> None:
    """Hide a panel that is in sight; bring any other one to the front, also from behind a tab."""
    seen = is_in_sight(dock)
    if seen:
        dock.hide()
    else:
        dock.come_forward()
