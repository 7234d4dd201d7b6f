"""Parts that are built while a game is open: they see it come as if they had been there before."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, cast

from PySide6.QtCore import QObject, Signal

from integrator.session.edits.editor import EVERYTHING, Subject
from integrator.session.edits.snapshot import Documents
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController, follow

_STATE: Final = ("opened", "begun", "documents_changed", "frame_ready", "readout_ready")


class _Stand(QObject):
    """Stands for a bridge or controller. The signals of the game's state are its own.

    They repeat those of ``source``, and can therefore be emitted for a few parts alone.
    """

    opened = Signal(object)
    begun = Signal(object)
    documents_changed = Signal(object, object)
    frame_ready = Signal(object)
    readout_ready = Signal(object)

    def __init__(self, source: QObject) -> None:
        super().__init__(source)
        self._source = source
        for name in _STATE:
            if hasattr(source, name):
                getattr(source, name).connect(getattr(self, name))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._source, name)

    def follow(self, show: Callable[[Documents], object], *subjects: Subject) -> None:
        follow(self.documents_changed, show, subjects)


class Latecomer:
    """The session and the game for parts of the window that are built at any time."""

    def __init__(self, bridge: SessionBridge, controller: GameController) -> None:
        self._bridge, self._controller = _Stand(bridge), _Stand(controller)
        self.bridge = cast("SessionBridge", self._bridge)
        self.controller = cast("GameController", self._controller)

    def catch_up(self) -> None:
        game, documents, last = (
            self.controller.game,
            self.controller.documents,
            self.controller.last,
        )
        if game is None or documents is None:
            return
        game = replace(game, documents=documents)
        self._controller.begun.emit(game)
        self._controller.documents_changed.emit(documents, EVERYTHING)
        self._bridge.opened.emit(game)
        if last is not None:
            self._bridge.frame_ready.emit(last)
            self._bridge.readout_ready.emit(last)
