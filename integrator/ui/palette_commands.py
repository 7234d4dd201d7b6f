"""What the command palette offers: actions, panels, variables, start states, every known game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDockWidget

from integrator.ui.command_palette import Command, CommandPalette
from integrator.ui.docks import workspaces
from integrator.ui.models.fields import address_text
from integrator.ui.translation import translate
from integrator.ui.widgets.panels import is_in_sight, plain_text
from integrator.ui.widgets.theme import Theme, ThemeChoice

if TYPE_CHECKING:
    from integrator.ui.main_window import MainWindow

_WIDTH, _TOP = 600, 56


def open_palette(window: MainWindow, theme: Theme, recent: list[str]) -> CommandPalette:
    """Everything by name, in a list below the top bar."""
    palette = CommandPalette(palette_commands(window, theme, recent), window)
    width = min(_WIDTH, window.width() - 60)
    palette.setFixedWidth(width)
    origin = window.mapToGlobal(window.rect().topLeft())
    palette.move(origin.x() + (window.width() - width) // 2, origin.y() + _TOP)
    palette.open()
    collection = window.collection
    if not collection.view.model.total:
        # Nobody looked at the library yet: its games join as soon as they are found.
        palette.add_when(collection.library.filled, lambda: palette_commands(window, theme, recent))
        collection.library.refresh()
    return palette


def palette_commands(window: MainWindow, theme: Theme, recent: list[str]) -> list[Command]:
    """The commands that make sense now."""
    return [
        *_actions(window),
        *_places(window, theme),
        *_documents(window, theme),
        *_games(window, theme, recent),
    ]


def _actions(window: MainWindow) -> list[Command]:
    native = QKeySequence.SequenceFormat.NativeText
    return [
        Command(
            plain_text(action), action.shortcut().toString(native), action.icon(), action.trigger
        )
        for action in window.actions_by_key.all()
        if action.isEnabled()
    ]


def _places(window: MainWindow, theme: Theme) -> list[Command]:
    """Workspaces, panels and themes."""
    icon = theme.icons.icon("search")
    commands = [
        Command(
            translate("PaletteCommands", "{0} workspace").format(text),
            f"Ctrl+{number}",
            icon,
            lambda k=key: window.use_workspace(k),  # type: ignore[misc]  # binds the loop's value
        )
        for number, (key, text, _) in enumerate(workspaces(), start=1)
    ]
    for dock in window.docks.all.values():
        seen = is_in_sight(dock)
        state = (
            translate("PaletteCommands", "shown")
            if seen
            else translate("PaletteCommands", "hidden")
        )
        title = translate("PaletteCommands", "{0} panel").format(dock.windowTitle())
        commands.append(Command(title, state, icon, lambda d=dock: _toggle_panel(d)))  # type: ignore[misc]  # as above
    for choice, text in (
        (ThemeChoice.SYSTEM, translate("PaletteCommands", "Theme: follow the system")),
        (ThemeChoice.DARK, translate("PaletteCommands", "Theme: dark")),
        (ThemeChoice.LIGHT, translate("PaletteCommands", "Theme: light")),
    ):
        commands.append(Command(text, "", icon, lambda c=choice: window.choose_theme(c)))  # type: ignore[misc]  # as above
    return commands


def _documents(window: MainWindow, theme: Theme) -> list[Command]:
    """Variables and start states of the open game."""
    documents, icons = window.controller.documents, theme.icons
    if documents is None:
        return []
    commands = []
    for name, spec in documents.variables.items():
        show = lambda n=name: _show_variable(window, n)  # noqa: E731 - binds the loop's name
        commands.append(Command(name, address_text(spec.address), icons.icon("variable"), show))
    for name in documents.states:
        start = lambda n=name: window.controller.states.start_at(n)  # noqa: E731 - as above
        commands.append(
            Command(name, translate("PaletteCommands", "start state"), icons.icon("state"), start)
        )
    return commands


def _games(window: MainWindow, theme: Theme, recent: list[str]) -> list[Command]:
    """Recent games, then all that the library knows."""
    icon, collection = theme.icons.icon("folder"), window.collection
    commands = []
    for path in recent:
        run = lambda p=path: window.open_path(Path(p))  # noqa: E731 - binds the loop's value
        commands.append(Command(Path(path).name, path, icon, run))
    for entry in collection.view.model.entries:
        if str(entry.directory) not in recent:
            play = lambda e=entry: collection.library.open_entry(e)  # noqa: E731 - as above
            hint = entry.system_title if entry.rom else translate("PaletteCommands", "no ROM yet")
            commands.append(Command(entry.name, hint, icon, play))
    return commands


def _show_variable(window: MainWindow, name: str) -> None:
    window.docks.all["variables"].show()
    window.docks.all["variables"].raise_()
    row = window.docks.variables.model.row_of(name)
    if row is not None:
        window.docks.variables.table.selectRow(row)


def _toggle_panel(dock: QDockWidget) -> None:
    """Hide a panel that is in sight; bring any other one to the front, also from behind a tab."""
    seen = is_in_sight(dock)
    dock.setVisible(not seen)
    if not seen:
        dock.raise_()
