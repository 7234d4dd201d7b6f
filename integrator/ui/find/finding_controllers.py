"""The controllers of the Find workspace: search, facts, proof and naming."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.find.facts.facts_controller import FactsController
from integrator.ui.find.facts.facts_view import FactsView
from integrator.ui.find.naming_controller import NamingController
from integrator.ui.find.proof_controller import ProofController
from integrator.ui.find.search.find_controller import FindController
from integrator.ui.find.search.find_view import FindView
from integrator.ui.screen.screen_panel import ScreenPanel
from integrator.ui.widgets.theme import Theme


class FindingControllers(QObject):
    """Built together, since each uses the one before it."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        view: FindView,
        facts: FactsView,
        known_movies: Callable[[], Sequence[Path]],
        screen: ScreenPanel,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.find = FindController(bridge, controller, view, self)
        self.facts = FactsController(
            bridge, controller, facts, screen.timeline, known_movies, parent
        )
        self.proof = ProofController(
            bridge, controller, view, facts, self.find, screen, theme, parent
        )
        self.naming = NamingController(controller, view, facts, self.proof, theme, parent)
        facts.show_requested.connect(view.results.show_requested)
        self.proof.card.show_requested.connect(view.results.show_requested)
