"""Collects reference cycles in the window's thread only, while there is a window.

Python collects them in whatever thread happens to make the next object. A cycle with a widget in it
that is collected beside the window's thread ends the process: Qt's objects belong to their thread.
"""

from __future__ import annotations

import gc
from typing import Self

from PySide6.QtCore import QCoreApplication, QObject, QTimer

_LOOK_EVERY_MS = 250


class WindowThreadGarbage(QObject):
    """One an application. While somebody holds it, cycles are collected by a timer."""

    def __init__(self, app: QCoreApplication) -> None:
        super().__init__(app)
        self._holders = 0
        self._thresholds = gc.get_threshold()
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)

    @classmethod
    def of(cls, app: QCoreApplication) -> Self:
        """The application's one; made at its first use."""
        return app.findChild(cls) or cls(app)

    def hold(self) -> None:
        """A window comes."""
        self._holders += 1
        if self._holders == 1:
            gc.disable()
            self._timer.start()

    def release(self) -> None:
        """A window has gone; after the last one Python collects as it does without windows."""
        self._holders -= 1
        if not self._holders:
            self._timer.stop()
            gc.enable()

    def _look(self) -> None:
        """Collect the oldest generation whose turn has come by Python's own counts."""
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > self._thresholds[generation] > 0:
                gc.collect(generation)
                return
