"""The controllers of single panels, built together."""

from __future__ import annotations

from PySide6.QtCore import QObject

from integrator.ui.actions import Actions
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.docks import Docks
from integrator.ui.history import EditHistory
from integrator.ui.screen_panel import ScreenPanel


class PanelControllers(QObject):
    """Each lets its panel follow the game, and turns the panel's requests into commands."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        docks: Docks,  # noqa: ARG002 - the next commit's panels
        actions: Actions,
        screen: ScreenPanel,  # noqa: ARG002 - as above
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.history = EditHistory(bridge, controller, actions, self)
