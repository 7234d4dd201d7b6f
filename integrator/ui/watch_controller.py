"""Pauses the game when a variable that is watched changes."""

from __future__ import annotations

from PySide6.QtCore import QObject

from integrator.session.result import FrameResult
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.docks import Docks
from integrator.ui.notices import NoticeKind


class WatchController(QObject):
    """Looks at frames as they are drawn: while fast-forwarding it stops some frames late."""

    def __init__(
        self, bridge: SessionBridge, controller: GameController, docks: Docks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._watched = docks.variables.paused_on
        self._last: FrameResult | None = None
        docks.variables.pause_requested.connect(self.watch)
        bridge.frame_ready.connect(self._look)
        bridge.closed.connect(self._closed)

    def watch(self, name: str, on: bool) -> None:
        """Pause when ``name`` changes, or no longer."""
        if on:
            self._watched.add(name)
        else:
            self._watched.discard(name)

    def _closed(self) -> None:
        self._watched.clear()
        self._last = None

    def _look(self, result: FrameResult) -> None:
        last, self._last = self._last, result
        if last is None or self._controller.paused or result.number <= last.number:
            return
        for name in sorted(self._watched):
            before, now = last.values.get(name), result.values.get(name)
            if before is not None and now is not None and before != now:
                self._bridge.pause()
                text = self.tr("Paused: {0} changed from {1} to {2} at frame {3}")
                said = text.format(name, before, now, result.number)
                self._controller.said.emit(NoticeKind.INFO, said)
                return
