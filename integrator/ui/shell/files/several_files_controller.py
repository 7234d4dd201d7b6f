"""Opens a game of several files: asks the cores for its kinds, and the user for the files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from shiboken6 import isValid

from integrator.session.library.consoles.subsystem_choices import (
    SubsystemChoice,
    subsystem_choices,
)
from integrator.ui.library.several_files import SeveralFilesDialog
from integrator.ui.shell.desk import Desk


class SeveralFilesController(QObject):
    """The dialog opens at once; the cores answer beside the window."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        desk.actions.on("open_several", self.ask)

    def ask(self, files: Sequence[Path] = ()) -> SeveralFilesDialog:
        """Show the dialog, with files that were dropped together."""
        settings = self._desk.settings
        folder = files[0].parent if files else settings.folder("rom", Path.home())
        dialog = SeveralFilesDialog(folder, files, self._desk.window)
        dialog.chosen.connect(self._desk.open_path)
        dialog.finished.connect(dialog.deleteLater)

        def show(choices: Sequence[SubsystemChoice]) -> None:
            if isValid(dialog):
                dialog.show_choices(choices)

        def fail(error: Exception) -> None:
            if isValid(dialog):
                dialog.show_failure(error)

        self._desk.bridge.beside(subsystem_choices, show, fail)
        dialog.open()
        return dialog
