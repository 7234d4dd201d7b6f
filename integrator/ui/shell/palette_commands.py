"""What the command palette offers: actions, panels, variables, start states, every known game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDockWidget

from integrator.ui.shell.bars.command_palette import Command, CommandPalette
from integrator.ui.shell.collection import Collection
from integrator.ui.shell.desk import Desk
from integrator.ui.shell.docks import workspaces
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.panels import is_in_sight, plain_text
from integrator.ui.widgets.theme import ThemeChoice
from integrator.ui.widgets.translation import translate

_WIDTH, _TOP = 600, 56


@dataclass(frozen=True, slots=True)
class PaletteReach:
    """Everything that the palette can reach besides the desk."""

    collection: Collection
    use_workspace: Callable[[str], object]
    choose_theme: Callable[[ThemeChoice], object]


def open_palette(desk: Desk, reach: PaletteReach) -> CommandPalette:
    """Everything by name, in a list below the top bar."""
    window = desk.window
    palette = CommandPalette(palette_commands(desk, reach), window)
    width = min(_WIDTH, window.width() - 60)
    palette.setFixedWidth(width)
    origin = window.mapToGlobal(window.rect().topLeft())
    palette.move(origin.x() + (window.width() - width) // 2, origin.y() + _TOP)
    palette.open()
    collection = reach.collection
    if not collection.view.model.total:
        # Nobody looked at the library yet: its games join as soon as they are found.
        palette.add_when(collection.library.filled, lambda: palette_commands(desk, reach))
        collection.library.refresh()
    return palette


def palette_commands(desk: Desk, reach: PaletteReach) -> list[Command]:
    """The commands that make sense now."""
    return [
        *_actions(desk),
        *_places(desk, reach),
        *_documents(desk),
        *_games(desk, reach.collection),
    ]


def _actions(desk: Desk) -> list[Command]:
    native = QKeySequence.SequenceFormat.NativeText
    return [
        Command(
            plain_text(action), action.shortcut().toString(native), action.icon(), action.trigger
        )
        for action in desk.actions.all()
        if action.isEnabled()
    ]


def _places(desk: Desk, reach: PaletteReach) -> list[Command]:
    """Workspaces, panels and themes."""
    icon = desk.theme.icons.icon("search")
    commands = [
        Command(
            translate("PaletteCommands", "{0} workspace").format(text),
            f"Ctrl+{number}",
            icon,
            lambda k=key: reach.use_workspace(k),  # type: ignore[misc]  # binds the loop's value
        )
        for number, (key, text, _) in enumerate(workspaces(), start=1)
    ]
    for dock in desk.docks.all.values():
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
        commands.append(Command(text, "", icon, lambda c=choice: reach.choose_theme(c)))  # type: ignore[misc]  # as above
    return commands


def _documents(desk: Desk) -> list[Command]:
    """Variables and start states of the open game."""
    documents, icons = desk.controller.documents, desk.theme.icons
    if documents is None:
        return []
    commands = []
    for name, spec in documents.variables.items():
        show = lambda n=name: _show_variable(desk, n)  # noqa: E731 - binds the loop's name
        commands.append(Command(name, address_text(spec.address), icons.icon("variable"), show))
    for name in documents.states:
        start = lambda n=name: desk.states.start_at(n)  # noqa: E731 - as above
        commands.append(
            Command(name, translate("PaletteCommands", "start state"), icons.icon("state"), start)
        )
    return commands


def _games(desk: Desk, collection: Collection) -> list[Command]:
    """Recent games, then all that the library knows."""
    icon, recent = desk.theme.icons.icon("folder"), desk.settings.recent
    commands = []
    for path in recent:
        run = lambda p=path: desk.open_path(Path(p))  # noqa: E731 - binds the loop's value
        commands.append(Command(Path(path).name, path, icon, run))
    for entry in collection.view.model.entries:
        if str(entry.directory) not in recent:
            play = lambda e=entry: collection.library.open_entry(e)  # noqa: E731 - as above
            hint = entry.system_title if entry.rom else translate("PaletteCommands", "no ROM yet")
            commands.append(Command(entry.name, hint, icon, play))
    return commands


def _show_variable(desk: Desk, name: str) -> None:
    desk.docks.all["variables"].come_forward()
    view = desk.docks.variables
    row = view.model.row_of(name)
    if row is not None:
        view.table.selectRow(row)


def _toggle_panel(dock: QDockWidget) -> None:
    """Hide a panel that is in sight; bring any other one to the front, also from behind a tab."""
    seen = is_in_sight(dock)
    dock.setVisible(not seen)
    if not seen:
        dock.raise_()
