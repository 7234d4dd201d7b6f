"""The progress of a command that runs many frames: shown in a bar, whose button stops it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal

from integrator.session.rework import Progress
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.widgets.proof_bar import ProofBar

LONG_FRAMES = 600
"""From that many frames on, a command shows its progress."""


class Replay(QObject):
    """One command at a time. ``text`` gives the bar's words for a number of frames."""

    _moved = Signal(object, int, int)

    def __init__(
        self, bridge: SessionBridge, bar: ProofBar, text: Callable[[int], str], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bar = bar
        self._text = text
        self._stopped = threading.Event()
        self._moved.connect(self._show, Qt.ConnectionType.QueuedConnection)
        bar.cancel_requested.connect(self._cancel)
        bridge.closed.connect(self.end)
        bridge.ending.connect(self.end)

    def begin(self) -> Progress:
        """A function for a new command, which reports its progress by it on its own thread."""
        stopped = self._stopped = threading.Event()

        def progress(done: int, total: int) -> bool:
            if total >= LONG_FRAMES:
                self._moved.emit(stopped, done, total)
            return not stopped.is_set()

        return progress

    def stop(self) -> None:
        """Let the command end early."""
        self._stopped.set()

    def end(self) -> None:
        """The command has ended, or its game was closed."""
        self._stopped.set()
        self._bar.hide()

    def _cancel(self) -> None:
        self.stop()
        self._bar.ending()

    def _show(self, stopped: threading.Event, done: int, total: int) -> None:
        if stopped.is_set():
            return
        if self._bar.isHidden():
            self._bar.begin(self._text(total))
        self._bar.show_progress(done, total)
