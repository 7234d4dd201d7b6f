"""Play that pauses while another program is in front."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.settings.preferences import Preferences


class PauseInBackground(QObject):
    """Pauses play while another program is in front, if that is wanted, and goes on after it."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        preferences: Preferences,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._controller = controller
        self._preferences = preferences
        self._paused = False
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self.state_changed)

    def state_changed(self, state: Qt.ApplicationState) -> None:
        """The program came to the front, or went behind another."""
        if state is Qt.ApplicationState.ApplicationActive:
            if self._paused and self._controller.paused:
                self._bridge.play()
            self._paused = False
        elif self._preferences.pause_in_background and not self._controller.paused:
            self._paused = True
            self._bridge.pause()
