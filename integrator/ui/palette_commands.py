"""What the command palette offers: actions, variables, start states, recent games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from integrator.ui.command_palette import Command, CommandPalette
from integrator.ui.models.fields import address_text
from integrator.ui.panels import plain_text
from integrator.ui.theme import Theme

if TYPE_CHECKING:
    from integrator.ui.main_window import MainWindow

_WIDTH, _TOP = 600, 56


def open_palette(window: MainWindow, theme: Theme, recent: list[str]) -> None:
    """Everything by name, in a list below the top bar."""
    palette = CommandPalette(palette_commands(window, theme, recent), window)
    width = min(_WIDTH, window.width() - 60)
    palette.setFixedWidth(width)
    origin = window.mapToGlobal(window.rect().topLeft())
    palette.move(origin.x() + (window.width() - width) // 2, origin.y() + _TOP)
    palette.open()


def palette_commands(window: MainWindow, theme: Theme, recent: list[str]) -> list[Command]:
    """The commands that make sense now."""
    icons = theme.icons
    commands = []
    for action in window.actions_by_key.all():
        if action.isEnabled():
            hint = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            commands.append(Command(plain_text(action), hint, action.icon(), action.trigger))
    documents = window.controller.documents
    for name, spec in (documents.variables if documents else {}).items():
        run = lambda n=name: _show_variable(window, n)  # noqa: E731 - binds the loop's name
        commands.append(Command(name, address_text(spec.address), icons.icon("variable"), run))
    for name in documents.states if documents else ():
        start = lambda n=name: window.controller.states.start_at(n)  # noqa: E731 - as above
        commands.append(Command(name, "start state", icons.icon("state"), start))
    for path in recent:
        run_open = lambda p=path: window.open_path(Path(p))  # noqa: E731 - as above
        commands.append(Command(Path(path).name, path, icons.icon("folder"), run_open))
    return commands


def _show_variable(window: MainWindow, name: str) -> None:
    window.docks.all["variables"].show()
    row = window.docks.variables.model.row_of(name)
    if row is not None:
        window.docks.variables.table.selectRow(row)
