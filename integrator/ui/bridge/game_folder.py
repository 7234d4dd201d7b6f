"""A temporary folder for files that end with the open game."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PySide6.QtCore import QObject

from integrator.ui.bridge.bridge import SessionBridge


class GameFolder(QObject):
    """The folder goes when the game is closed, with the window, and when a newer one is made."""

    def __init__(self, bridge: SessionBridge, prefix: str, parent: QObject) -> None:
        super().__init__(parent)
        self._prefix = prefix
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        bridge.closed.connect(self._forget)
        bridge.ending.connect(self._forget)

    def renew(self) -> Path:
        """An empty folder in the place of the one before."""
        self._forget()
        # Work that was cancelled a moment ago may write a last file while the folder goes.
        self._folder = tempfile.TemporaryDirectory(prefix=self._prefix, ignore_cleanup_errors=True)
        return Path(self._folder.name)

    def _forget(self) -> None:
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()
