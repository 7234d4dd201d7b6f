"""The controllers of single panels, built together."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from integrator.ui.actions import Actions
from integrator.ui.bridge import SessionBridge
from integrator.ui.controller import GameController
from integrator.ui.cores_dialog import CoresDialog
from integrator.ui.docks import Docks
from integrator.ui.finding_controllers import FindingControllers
from integrator.ui.history import EditHistory
from integrator.ui.memory.memory_controller import MemoryController
from integrator.ui.memory.watch_controller import WatchController
from integrator.ui.play.screen_panel import ScreenPanel
from integrator.ui.review.plots_controller import PlotsController
from integrator.ui.score.crop_tool import CropTool
from integrator.ui.score.json_controller import JsonController
from integrator.ui.score.lint_controller import LintController
from integrator.ui.score.score_controller import ScoreController
from integrator.ui.score.script_controller import ScriptController
from integrator.ui.score.what_if_controller import WhatIfController
from integrator.ui.widgets.theme import Theme


class PanelControllers(QObject):
    """Each lets its panel follow the game, and turns the panel's requests into commands."""

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        docks: Docks,
        actions: Actions,
        screen: ScreenPanel,
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.history = EditHistory(bridge, controller, actions, self)
        actions["cores"].triggered.connect(lambda: CoresDialog(theme, bridge, parent).show())
        tool = CropTool(screen.game_screen)
        self.watch = WatchController(bridge, docks, actions, self)
        self.finding = FindingControllers(
            bridge, controller, docks, self.watch, screen, theme, parent
        )
        self.find = self.finding.find
        self.lint = LintController(bridge, controller, docks, self)
        self.script = ScriptController(bridge, controller, docks, actions, self)
        self.json = JsonController(bridge, controller, docks, self)
        self.plots = PlotsController(bridge, controller, docks, self)
        self.what_if = WhatIfController(bridge, controller, docks, self)
        self.memory = MemoryController(bridge, controller, docks, self)
        self.score = ScoreController(bridge, controller, docks, screen, tool, self)
