"""Lets the user choose which memory of the open game counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from integrator.domain.errors import DomainError
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.setup.core_options import MemoryRange, MemoryStore, memory_path
from integrator.ui.actions.actions import Actions
from integrator.ui.bridge.game import GameController
from integrator.ui.memory.memory_choice_dialog import MemoryChoiceDialog
from integrator.ui.widgets.notices import NoticeKind


class MemoryChoiceController(QObject):
    """Keeps the choice with the user's other settings of the game, and opens it again."""

    def __init__(
        self,
        controller: GameController,
        actions: Actions,
        open_path: Callable[[Path], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._open_path = open_path
        self._window = parent
        self.dialog: MemoryChoiceDialog | None = None
        actions["memory_ranges"].triggered.connect(lambda _: self.choose())

    def choose(self) -> None:
        """Show the dialog."""
        game = self._controller.game
        if game is None:
            return
        try:
            kept = MemoryStore(memory_path()).ranges(game.name)
        except DomainError as error:
            self._controller.said.emit(NoticeKind.ERROR, str(error))
            return
        regions = [(region.address, region.size) for region in game.space.regions]
        self.dialog = MemoryChoiceDialog(regions, kept, game.whole_ram_bytes, self._window)
        self.dialog.chosen.connect(lambda ranges: self._keep(game, ranges))
        self.dialog.open()

    def _keep(self, game: GameSnapshot, ranges: tuple[MemoryRange, ...]) -> None:
        try:
            MemoryStore(memory_path()).keep(game.name, ranges)
        except DomainError as error:
            self._controller.said.emit(NoticeKind.ERROR, str(error))
            return
        self._open_path(game.path)
