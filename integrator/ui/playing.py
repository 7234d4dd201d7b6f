"""Everything about playing that is not the picture itself, built together."""

from __future__ import annotations

from PySide6.QtCore import QObject

from integrator.ui.audio_controller import AudioController
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.preferences import Preferences
from integrator.ui.settings import UiSettings


class Playing(QObject):
    """Sound, controllers, preferences and clips of the game that is open."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        settings: UiSettings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.preferences = Preferences(settings, self)
        self.audio = AudioController(bridge, controller, self.preferences, self)
