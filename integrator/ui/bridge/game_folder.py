"""A temporary folder for files that end with the open game."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from integrator.ui.bridge.bridge import SessionBridge
from libretro_host.processes.temporary import OwnedFolder


class GameFolder(QObject):
    """The folder goes when the game is closed, with the window, and when a newer one is made."""

    def __init__(self, bridge: SessionBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._folder: OwnedFolder | None = None
        bridge.closed.connect(self._forget)
        bridge.ending.connect(self._forget)

    def renew(self) -> Path:
        """An empty folder in the place of the one before."""
        self._forget()
        self._folder = OwnedFolder()
        return self._folder.path

    def _forget(self) -> None:
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.close()
