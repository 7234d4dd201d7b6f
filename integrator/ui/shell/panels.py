"""The panels of the window: from a row each follow docks, menus, palette, help and wiring."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.agents.agents_panel import AgentsController, AgentsView
from integrator.ui.bridge.picture_maker import PictureMaker
from integrator.ui.find.ends.ends_controller import EndsController
from integrator.ui.find.ends.ends_view import EndsView
from integrator.ui.find.facts.facts_controller import FactsController
from integrator.ui.find.facts.facts_view import FactsView
from integrator.ui.find.naming import NamingController
from integrator.ui.find.proof import ProofController
from integrator.ui.find.results.results_view import ResultsView
from integrator.ui.find.search.find_controller import FindController
from integrator.ui.find.search.find_view import FindView
from integrator.ui.find.suggestions.suggestions_controller import SuggestionsController
from integrator.ui.find.suggestions.suggestions_view import SuggestionsView
from integrator.ui.memory.causes import CausesController
from integrator.ui.memory.cheats import CheatsController, CheatsView
from integrator.ui.memory.console_panel import ConsoleController, ConsoleView
from integrator.ui.memory.memory_controller import MemoryController
from integrator.ui.memory.memory_tools import MemoryToolsController
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.pointers import PointersController
from integrator.ui.memory.variables.variables_controller import StopsController, VariablesController
from integrator.ui.memory.variables.variables_view import VariablesView
from integrator.ui.memory.watches.watches_controller import NotesController, WatchesController
from integrator.ui.memory.watches.watches_view import WatchesView
from integrator.ui.play.macros import MacrosController, MacrosView
from integrator.ui.play.states.states_gallery import StatesController, StatesGallery
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.review.attribution_panel import AttributionController, AttributionView
from integrator.ui.review.audit_panel import AuditController, AuditView
from integrator.ui.review.branches.branches_panel import BranchesController, BranchesView
from integrator.ui.review.expectations_panel import ExpectationsController, ExpectationsView
from integrator.ui.review.input_log.input_log_panel import InputLogController, InputLogView
from integrator.ui.review.movies.movies_controller import MoviesController, MovieScoresController
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.review.plots.plots_panel import PlotsController, PlotsView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.observation_panel import CropView, ObservationController, ObservationView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.score_controller import ScoreController, ScorePanels
from integrator.ui.score.texts.json_panel import JsonController, JsonView
from integrator.ui.score.texts.lint_panel import LintController, LintView
from integrator.ui.score.texts.script_panel import ScriptController, ScriptView
from integrator.ui.score.what_if.what_if_controller import WhatIfController
from integrator.ui.score.what_if.what_if_view import WhatIfView
from integrator.ui.screen.crop_tool import CropTool
from integrator.ui.shell import panel_links as links
from integrator.ui.shell.desk import BELOW, Desk, Panel, Place, standard
from integrator.ui.shell.log_view import LogView


def _known_movies(desk: Desk) -> list[Path]:
    """The readable movies of the folder that the Movies panel shows."""
    model = desk.parts[MoviesView].model
    movies = (model.at(row) for row in range(model.rowCount()))
    return [movie.path for movie in movies if not movie.problem]


PANELS: tuple[Panel[Any], ...] = (
    Panel[VariablesView](
        "variables",
        QT_TRANSLATE_NOOP("Docks", "Variables"),
        VariablesView,
        (
            Place("play", 0, 0, share=540),
            Place("find", 0, 1, share=250),
            Place("review", 0, 1, tab=1),
        ),
        (
            standard(VariablesController),
            lambda d, view: StopsController(d.bridge, view, d.actions, d.window),
        ),
        links.variables,
    ),
    Panel[FindView](
        "find",
        QT_TRANSLATE_NOOP("Docks", "Find"),
        lambda theme, _: FindView(theme),
        (Place("find", 0, 0, share=640),),
        (standard(FindController),),
        links.find,
    ),
    Panel[FactsView](
        "facts",
        QT_TRANSLATE_NOOP("Docks", "Facts"),
        lambda theme, _: FactsView(theme),
        (Place("find", 0, 0, tab=1),),
        (
            lambda d, view: FactsController(
                d.bridge,
                d.controller,
                view,
                d.screen.timeline,
                partial(_known_movies, d),
                d.window,
            ),
        ),
        links.facts,
    ),
    Panel[SuggestionsView](
        "suggestions",
        QT_TRANSLATE_NOOP("Docks", "Suggestions"),
        lambda theme, _: SuggestionsView(theme),
        (Place("find", 0, 0, tab=2),),
        (
            lambda d, view: SuggestionsController(
                d.bridge, d.controller, view, d.screen.game_screen, d.window
            ),
        ),
    ),
    Panel[EndsView](
        "ends",
        QT_TRANSLATE_NOOP("Docks", "Ends"),
        lambda theme, _: EndsView(theme),
        (Place("find", 0, 0, tab=3),),
        (
            lambda d, view: EndsController(
                d.bridge, d.controller, view, d.screen.timeline, d.window
            ),
            lambda d, _: ProofController(
                d.bridge,
                d.controller,
                d.parts.all_of(ResultsView),
                d.parts[FindController],
                d.screen,
                d.theme,
                d.window,
            ),
            lambda d, _: NamingController(
                d.controller,
                d.parts.all_of(ResultsView),
                d.parts[ProofController],
                d.window,
            ),
        ),
        links.ends,
    ),
    Panel[WatchesView](
        "watches",
        QT_TRANSLATE_NOOP("Docks", "Watch"),
        lambda theme, _: WatchesView(theme),
        (Place("find", 0, 1, tab=1),),
        (
            lambda d, view: WatchesController(
                d.bridge, d.controller, view, d.parts[StopsController], d.window
            ),
            standard(NotesController),
        ),
        links.watches,
    ),
    Panel[MemoryView](
        "memory",
        QT_TRANSLATE_NOOP("Docks", "Memory"),
        lambda theme, _: MemoryView(theme),
        (Place("find", BELOW, 0, share=320),),
        (
            standard(MemoryController),
            standard(MemoryToolsController),
            standard(PointersController),
            standard(CausesController),
        ),
        links.memory,
    ),
    Panel[ConsoleView](
        "console",
        QT_TRANSLATE_NOOP("Docks", "Console"),
        lambda theme, _: ConsoleView(theme),
        (Place("find", 0, 1, tab=2), Place("score", 0, 1, tab=2)),
        (standard(ConsoleController),),
    ),
    Panel[RewardView](
        "reward",
        QT_TRANSLATE_NOOP("Docks", "Reward"),
        RewardView,
        (Place("score", 0, 0, share=360),),
        (
            lambda d, view: ScoreController(
                d.bridge,
                d.controller,
                ScorePanels(view, d.parts[DoneView], d.parts[ActionsView], d.parts[CropView]),
                d.screen,
                CropTool(d.screen.game_screen),
                d.window,
            ),
        ),
        links.reward,
    ),
    Panel[DoneView](
        "done",
        QT_TRANSLATE_NOOP("Docks", "Done"),
        DoneView,
        (Place("score", 1, 0, share=270),),
        connect=links.done,
    ),
    Panel[ActionsView](
        "actions",
        QT_TRANSLATE_NOOP("Docks", "Actions"),
        lambda theme, _: ActionsView(theme),
        (Place("score", 1, 1, share=370),),
    ),
    Panel[CropView](
        "crop",
        QT_TRANSLATE_NOOP("Docks", "Crop"),
        lambda theme, _: CropView(theme),
        (Place("score", 1, 2, share=122),),
    ),
    Panel[ObservationView](
        "observation",
        QT_TRANSLATE_NOOP("Docks", "Observation"),
        lambda theme, _: ObservationView(theme),
        (Place("score", 1, 1, tab=1), Place("play", 0, 1, tab=2)),
        (standard(ObservationController),),
    ),
    Panel[ScriptView](
        "script",
        QT_TRANSLATE_NOOP("Docks", "Script"),
        lambda theme, _: ScriptView(theme),
        (Place("score", 0, 1, tab=1),),
        (
            lambda d, view: ScriptController(
                d.bridge, d.controller, view, d.actions, d.say, d.window
            ),
        ),
    ),
    Panel[JsonView](
        "json",
        QT_TRANSLATE_NOOP("Docks", "JSON"),
        lambda theme, _: JsonView(theme),
        (Place("score", 0, 1, share=330),),
        (standard(JsonController),),
    ),
    Panel[LintView](
        "lint",
        QT_TRANSLATE_NOOP("Docks", "Lint"),
        lambda theme, _: LintView(theme),
        (Place("review", 0, 1, tab=2),),
        (standard(LintController),),
        links.lint,
    ),
    Panel[PlotsView](
        "plots",
        QT_TRANSLATE_NOOP("Docks", "Plots"),
        lambda theme, _: PlotsView(theme),
        (Place("review", 0, 1, share=380),),
        (standard(PlotsController),),
        links.plots,
    ),
    Panel[AttributionView](
        "attribution",
        QT_TRANSLATE_NOOP("Docks", "Reward terms"),
        lambda theme, _: AttributionView(theme),
        (Place("review", 0, 1, tab=4),),
        (
            lambda d, view: AttributionController(
                d.bridge, d.controller, view, d.screen.timeline, d.window
            ),
        ),
    ),
    Panel[WhatIfView](
        "what_if",
        QT_TRANSLATE_NOOP("Docks", "What-if"),
        lambda theme, _: WhatIfView(theme),
        (Place("score", BELOW, 0, share=200),),
        (standard(WhatIfController),),
    ),
    Panel[StatesView](
        "states",
        QT_TRANSLATE_NOOP("Docks", "States"),
        StatesView,
        (Place("play", 0, 1, share=340), Place("review", 0, 0, tab=2)),
        (
            standard(StatesController),
            lambda d, view: StatesGallery(
                *(d.window, d.theme, d.bridge, d.controller, view),
                *(d.parts[StatesController], d.parts[PictureMaker], d.actions.shortcuts),
            ),
        ),
        links.states,
    ),
    Panel[MacrosView](
        "macros",
        QT_TRANSLATE_NOOP("Docks", "Macros"),
        MacrosView,
        (Place("play", 0, 1, tab=3),),
        (
            lambda d, view: MacrosController(
                *(d.bridge, d.controller, view, d.actions, d.settings),
                *(d.systems.consoles, d.window),
            ),
        ),
        links.macros,
    ),
    Panel[CheatsView](
        "cheats",
        QT_TRANSLATE_NOOP("Docks", "Cheats"),
        lambda theme, _: CheatsView(theme),
        (Place("play", 0, 1, tab=1),),
        (
            lambda d, view: CheatsController(
                d.bridge, d.controller, view, d.parts[VariablesView], d.say, d.window
            ),
        ),
    ),
    Panel[MoviesView](
        "movies",
        QT_TRANSLATE_NOOP("Docks", "Movies"),
        MoviesView,
        (Place("review", 0, 0, share=350),),
        (
            lambda d, view: MoviesController(
                d.bridge,
                d.controller,
                view,
                d.settings,
                d.systems.consoles,
                d.open_path,
                d.window,
            ),
            standard(MovieScoresController),
        ),
    ),
    Panel[AuditView](
        "audit",
        QT_TRANSLATE_NOOP("Docks", "Audit"),
        lambda theme, _: AuditView(theme),
        (Place("review", 0, 0, tab=4), Place("agents", 0, 0, tab=1)),
        (
            lambda d, view: AuditController(
                d.bridge, d.controller, view, d.parts[MoviesView].meant, d.window
            ),
        ),
    ),
    Panel[AgentsView](
        "agents",
        QT_TRANSLATE_NOOP("Docks", "Agents"),
        lambda theme, _: AgentsView(theme),
        (Place("agents", 0, 0, share=1),),
        (standard(AgentsController),),
        links.agents,
    ),
    Panel[BranchesView](
        "branches",
        QT_TRANSLATE_NOOP("Docks", "Branches"),
        BranchesView,
        (Place("review", 0, 0, tab=1),),
        (
            lambda d, view: BranchesController(
                d.bridge, d.controller, d.parts[TravelController], view, d.window
            ),
        ),
    ),
    Panel[InputLogView](
        "input_log",
        QT_TRANSLATE_NOOP("Docks", "Input log"),
        lambda theme, _: InputLogView(theme),
        (Place("review", 1, 0, share=1),),
        (
            lambda d, view: InputLogController(
                d.bridge, d.controller, d.parts[TravelController], view, d.window
            ),
        ),
    ),
    Panel[ExpectationsView](
        "expectations",
        QT_TRANSLATE_NOOP("Docks", "Expectations"),
        lambda theme, _: ExpectationsView(theme),
        (Place("review", 0, 0, tab=3),),
        (
            lambda d, view: ExpectationsController(
                d.bridge, d.controller, view, d.screen.timeline, d.window
            ),
        ),
        links.expectations,
    ),
    Panel[LogView](
        "log",
        QT_TRANSLATE_NOOP("Docks", "Log"),
        lambda theme, _: LogView(theme),
        (Place("review", 0, 1, tab=3),),
        connect=links.log,
    ),
)
"""In the order of the menu."""
