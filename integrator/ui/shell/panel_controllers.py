"""The controllers of single panels, built together, and what one panel asks of another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject

from integrator.ui.find.finding_controllers import FindingControllers
from integrator.ui.find.search.find_status import SearchStatus
from integrator.ui.memory.cheats_controller import CheatsController
from integrator.ui.memory.memory_controller import MemoryController
from integrator.ui.memory.stops_controller import StopsController
from integrator.ui.memory.variables_controller import VariablesController
from integrator.ui.memory.watches_controller import WatchesController
from integrator.ui.review.plots.plots_controller import PlotsController
from integrator.ui.score.score_controller import ScoreController, ScorePanels
from integrator.ui.score.texts.json_controller import JsonController
from integrator.ui.score.texts.lint_controller import LintController
from integrator.ui.score.texts.script_controller import ScriptController
from integrator.ui.score.what_if.what_if_controller import WhatIfController
from integrator.ui.screen.crop_tool import CropTool
from integrator.ui.shell.cores_dialog import CoresDialog
from integrator.ui.shell.desk import Desk
from integrator.ui.shell.history import EditHistory
from integrator.ui.shell.lint_places import LintPlaces

_MOST_MARKED = 100_000
"""With more candidates than this every byte would be marked, which says nothing."""


class PanelControllers(QObject):
    """Each lets its panel follow the game, and turns the panel's requests into commands.

    No panel knows another one: what one asks for that another one does is connected here.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        bridge, controller, docks, screen = desk.bridge, desk.controller, desk.docks, desk.screen
        self._docks = docks
        self.history = EditHistory(bridge, controller, desk.actions, self)
        desk.actions["cores"].triggered.connect(
            lambda: CoresDialog(desk.theme, bridge, desk.window).show()
        )
        self.variables = VariablesController(bridge, controller, docks.variables, self)
        self.stops = StopsController(bridge, docks.variables, desk.actions, self)
        self.finding = FindingControllers(
            bridge,
            controller,
            docks.find,
            docks.facts,
            self._known_movies,
            screen,
            desk.theme,
            desk.window,
        )
        self.find = self.finding.find
        self.watches = WatchesController(bridge, controller, docks.watches, self.stops, self)
        self.lint = LintController(bridge, controller, docks.lint, self)
        self.places = LintPlaces(docks, self)
        self.script = ScriptController(bridge, controller, docks.script, desk.actions, self)
        self.json = JsonController(bridge, controller, docks.json, self)
        self.plots = PlotsController(bridge, controller, docks.plots, self)
        self.what_if = WhatIfController(bridge, controller, docks.what_if, self)
        self.memory = MemoryController(bridge, controller, docks.memory, self)
        self.cheats = CheatsController(
            bridge, controller, docks.cheats, docks.variables, desk.say, self
        )
        panels = ScorePanels(docks.reward, docks.done, docks.actions, docks.crop)
        tool = CropTool(screen.game_screen)
        self.score = ScoreController(bridge, controller, panels, screen, tool, self)
        self._connect_memory()
        self._connect_timeline()

    def _connect_memory(self) -> None:
        """Addresses: found, watched, held, shown, and used in the scenario."""
        docks, results = self._docks, self._docks.find.results
        docks.find.status_changed.connect(self._mark_candidates)
        for view in (results, docks.watches):
            view.show_requested.connect(self.memory.show_address)
        results.watch_requested.connect(self.watches.watch_candidate)
        docks.memory.watch_requested.connect(docks.watches.watch)
        results.freeze_requested.connect(self.cheats.freeze_candidate)
        # These post commands of their own, before the one that looks what came of them.
        docks.variables.freeze_requested.connect(lambda *_: self.cheats.refresh())
        docks.memory.freeze_requested.connect(lambda *_: self.cheats.refresh())
        docks.variables.reward_requested.connect(docks.reward.add_term)
        docks.variables.condition_requested.connect(docks.done.add_condition)

    def _connect_timeline(self) -> None:
        """Frames: asked about, and gone to."""
        docks = self._docks
        docks.plots.fact_requested.connect(docks.facts.add_fact)
        docks.plots.fact_requested.connect(lambda _: docks.all["facts"].come_forward())
        docks.what_if.seek_requested.connect(docks.plots.seek_requested)

    def _mark_candidates(self, status: SearchStatus) -> None:
        few = status.steps and status.count <= _MOST_MARKED
        self.memory.mark_candidates(status.addresses() if few else np.empty(0, np.int64))

    def _known_movies(self) -> list[Path]:
        """The readable movies of the folder that the Movies panel shows."""
        model = self._docks.movies.model
        movies = (model.movie_at(row) for row in range(model.rowCount()))
        return [movie.path for movie in movies if not movie.problem]
