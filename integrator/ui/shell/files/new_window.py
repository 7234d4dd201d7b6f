"""Another window: a process of its own, so that its faults do not reach this one."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QProcess

from libretro_host.processes.children import isolated_children, module_command


def start_window(game: Path | None = None) -> bool:
    """Start the program once more, with ``game`` in it; false when that can not be done.

    Both share settings, library and unsaved edits' drafts; each has its own game and core.
    """
    program, *arguments = module_command("integrator", "open", *([game] if game else []))
    # The static function alone tells whether it could be done; it gives its child os.environ.
    with isolated_children():
        started, _ = QProcess.startDetached(program, arguments)
    return bool(started)
