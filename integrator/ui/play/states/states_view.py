"""The States panel: start states with their pictures, which one episodes begin with, slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QMenu,
    QWidget,
)

from integrator.session.library.state_shelf import StateInfo
from integrator.ui.actions.actions import Actions
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.play.states.states_slots import SlotStrip
from integrator.ui.play.states.states_tile import StatesModel, StateTileDelegate
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, vbox
from integrator.ui.widgets.panels.table import RowMenu, show_row_menus
from integrator.ui.widgets.room.tile_list import TileList
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import counted

_MOST_PLAYERS = 4


class StatesView(QWidget):
    """A gallery of start states; a double click begins an episode there.

    ``default_requested`` gives name and how many play; the other signals give the name.
    """

    start_requested = Signal(str)
    load_requested = Signal(str)
    default_requested = Signal(str, int)
    rename_requested = Signal(str)
    removal_requested = Signal(str)
    check_requested = Signal(str)

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self.players = 1
        self.model = StatesModel(self)
        self.list = TileList()
        self.list.setAccessibleName(self.tr("Start states"))
        self.list.setModel(self.model)
        self.slots = SlotStrip(theme)
        self.tiles = StateTileDelegate(theme, self.list)
        self._build_list()
        self.slots.hide()
        empty = EmptyState(
            theme,
            "state",
            self.tr("No start states yet"),
            self.tr("Play to where an episode should begin and save that moment."),
            [actions["save_state"]],
        )
        self.pages = EmptyOr(empty, self.list)
        vbox((self.pages, 1), self.slots, on=self, margins=(4, 4, 4, 2), gap=2)

    def _build_list(self) -> None:
        view = self.list
        view.setItemDelegate(self.tiles)
        show_row_menus(view, lambda index: self.state_menu(str(index.data())))
        view.activated.connect(lambda index: self.start_requested.emit(index.data()))
        panel_action("states.remove", view, self._remove_selected)

    # -- shown state ------------------------------------------------------------------------

    def show_states(self, names: Sequence[str], current: str) -> None:
        """List ``names``; ``current`` is where episodes begin."""
        chosen = self.selected_name()
        self.model.current = current
        self.model.set_names(names)
        if chosen in names:
            self.list.setCurrentIndex(self.model.index(names.index(chosen)))
        self.model.tell()
        self.pages.show_content(bool(names))

    def show_facts(self, infos: Sequence[StateInfo], stamp: str) -> None:
        """Show the facts of the states; ``stamp`` is the running core."""
        self.tiles.stamp = self.model.stamp = stamp
        self.model.infos = {info.name: info for info in infos}
        self.model.tell()

    def show_picture(self, name: str, file: Path | None, problem: str) -> None:
        """Show the result of loading a state: its picture, or a problem."""
        pictures, problems = self.model.pictures, self.model.problems
        if file is not None:
            pictures[name] = file
            problems.pop(name, None)
        else:
            pictures.pop(name, None)
            problems[name] = problem
        self.model.tell()

    def forget_pictures(self) -> None:
        """Drop the pictures of the last game."""
        self.model.pictures.clear()
        self.model.problems.clear()

    def show_slots(self, files: Mapping[int, Path | None] | None) -> None:
        """Show filled slots; None without a game."""
        self.slots.setVisible(files is not None)
        self.slots.show_slots(files or {})

    def selected_name(self) -> str | None:
        """The chosen state."""
        index = self.list.currentIndex()
        return self.model.names[index.row()] if index.isValid() else None

    # -- user input -------------------------------------------------------------------------

    def state_menu(self, name: str) -> QMenu:
        """A menu of actions for one state."""
        menu = RowMenu(self._theme, self)
        begin, load = self.tr("Begin an episode here"), self.tr("Load, in the same episode")
        menu.add(begin, lambda: self.start_requested.emit(name), "reset")
        menu.add(load, lambda: self.load_requested.emit(name), "open")
        menu.addSeparator()
        default = self.tr("Make it the default")
        menu.add(default, lambda: self.default_requested.emit(name, self.players))
        players = menu.addMenu(self.tr("Default for"))
        for count in range(1, _MOST_PLAYERS + 1):
            text = counted(self.tr("{0} player[|s]", None, count), count).format(count)
            players.addAction(text, partial(self.default_requested.emit, name, count))
        menu.addSeparator()
        menu.add(self.tr("Rename…"), lambda: self.rename_requested.emit(name), "edit")
        menu.add(self.tr("Check that it loads"), lambda: self.check_requested.emit(name), "check")
        menu.add(self.tr("Delete"), lambda: self.removal_requested.emit(name), "trash")
        return menu

    def _remove_selected(self) -> None:
        name = self.selected_name()
        if name is not None:
            self.removal_requested.emit(name)
