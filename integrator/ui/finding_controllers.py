"""The controllers of everything that finds variables: search, facts, proof, naming, watches."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.docks import Docks
from integrator.ui.find.facts_controller import FactsController
from integrator.ui.find.find_controller import FindController
from integrator.ui.find.naming_controller import NamingController
from integrator.ui.find.proof_controller import ProofController
from integrator.ui.memory.watch_controller import WatchController
from integrator.ui.memory.watches_controller import WatchesController
from integrator.ui.play.screen_panel import ScreenPanel
from integrator.ui.widgets.theme import Theme


class FindingControllers(QObject):
    """Built together, since each uses the one before it."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        docks: Docks,
        stops: WatchController,
        screen: ScreenPanel,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.find = FindController(bridge, controller, docks, self)
        self.facts = FactsController(bridge, controller, docks, screen.timeline, parent)
        self.proof = ProofController(bridge, controller, docks, self.find, screen, theme, parent)
        self.naming = NamingController(controller, docks, self.proof, theme, parent)
        self.watches = WatchesController(bridge, controller, docks, self.find, stops, self)
