"""Another window: a process of its own, so that nothing which happens there is felt here."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QProcess


def start_window(game: Path | None = None) -> bool:
    """Start the program once more, with ``game`` in it; false when that can not be done.

    Both share settings, library and unsaved edits' drafts; each has its own game and core.
    """
    arguments = ["-m", "integrator", "open", *([str(game)] if game else [])]
    started, _ = QProcess.startDetached(sys.executable, arguments)
    return bool(started)
