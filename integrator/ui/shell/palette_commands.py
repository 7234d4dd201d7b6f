"""The entries of the command palette: actions, panels, variables, start states, known games."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QDockWidget

from integrator.ui.actions.shortcuts import NATIVE, shown_keys
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.memory.variables.variables_view import VariablesView
from integrator.ui.play.states.states_controller import StatesController
from integrator.ui.shell.bars.command_palette import Command, CommandPalette, EntryKind
from integrator.ui.shell.desk import Desk
from integrator.ui.shell.docks.docks import Docks
from integrator.ui.shell.docks.workspaces import workspaces
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels.docks import dock_of, is_in_sight
from integrator.ui.widgets.panels.parts import plain_text
from integrator.ui.widgets.theme import theme_titles
from integrator.ui.widgets.translation import translate

_WIDTH, _TOP = 600, 56


class PaletteCommands:
    """Reads commands from the desk's parts; ``use_workspace`` is called with a workspace's key."""

    def __init__(self, desk: Desk, docks: Docks, use_workspace: Callable[[str], object]) -> None:
        self._desk = desk
        self._docks = docks
        self._use_workspace = use_workspace

    def open(self) -> CommandPalette:
        """Everything by name, in a list below the top bar."""
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
        """The commands that are enabled now."""
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
        """Workspaces, panels and themes."""
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
        """Variables and start states of the open game."""
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
        """Recent games, then all games of the library."""
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


def _panel_hint(dock: QDockWidget) -> str:
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


def _toggle_panel(dock: QDockWidget) -> None:
    """Hide a panel that is in sight; bring any other one to the front, also from behind a tab."""
    seen = is_in_sight(dock)
    dock.setVisible(not seen)
    if not seen:
        dock.raise_()
