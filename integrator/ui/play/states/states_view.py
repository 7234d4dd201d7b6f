"""The States panel: start states with their pictures, the one where episodes begin, and slots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from integrator.session.library.state_shelf import StateInfo
from integrator.ui.actions.actions import Actions
from integrator.ui.play.states.states_slots import SlotStrip
from integrator.ui.play.states.states_tile import StatesModel, StateTile, StateTileDelegate
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, vbox
from integrator.ui.widgets.room.tile_list import TileList
from integrator.ui.widgets.theme import Theme


class StatesView(QWidget):
    """A gallery of start states above the slots."""

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._names: Sequence[str] = ()
        self._current = ""
        self._infos: Mapping[str, StateInfo] = {}
        self._loaded: dict[str, tuple[Path | None, str]] = {}
        self.model = StatesModel(theme, self)
        self.list = TileList()
        self.list.setAccessibleName(self.tr("Start states"))
        self.list.setModel(self.model)
        self.tiles = StateTileDelegate(theme, self.model, self.list)
        self.list.setItemDelegate(self.tiles)
        self.slots = SlotStrip(theme)
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

    def show_states(self, names: Sequence[str], current: str) -> None:
        """List ``names``; ``current`` is where episodes begin."""
        self._names, self._current = names, current
        self._show()
        self.pages.show_content(bool(names))

    def show_facts(self, infos: Sequence[StateInfo], stamp: str) -> None:
        """Show the facts of the states; ``stamp`` is the running core."""
        self.model.stamp = stamp
        self._infos = {info.name: info for info in infos}
        self._show()

    def show_picture(self, name: str, file: Path | None, problem: str) -> None:
        """Show the result of loading a state: its picture, or a problem."""
        self._loaded[name] = (file, problem)
        self._show()

    def forget_pictures(self) -> None:
        """Drop the pictures of the last game."""
        self._loaded.clear()

    def show_slots(self, files: Mapping[int, Path | None] | None) -> None:
        """Show filled slots; None without a game."""
        self.slots.setVisible(files is not None)
        self.slots.show_slots(files or {})

    def selected_name(self) -> str | None:
        """The chosen state."""
        index = self.list.currentIndex()
        return self.model.at(index.row()).name if index.isValid() else None

    def _show(self) -> None:
        """Draw all tiles; the model is reset only when other states are listed."""
        chosen, same = self.selected_name(), self.model.names == tuple(self._names)
        tiles = [
            StateTile(
                name,
                self._infos.get(name),
                *self._loaded.get(name, (None, "")),
                is_current=name == self._current,
            )
            for name in self._names
        ]
        if same:
            self.model.rows = tiles
            self.model.all_changed()
            return
        self.model.show(tiles)
        if chosen in self._names:
            self.list.setCurrentIndex(self.model.index(self._names.index(chosen), 0))
