"""The panels and other controllers of the window: docks, menus, palette and help follow."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from integrator import paths
from integrator.domain.words import MarkedTexts
from integrator.session.hidden.clips import PictureStore
from integrator.ui.agents.agents_panel import AgentsController, AgentsView
from integrator.ui.bridge.background import PictureMaker
from integrator.ui.desk import Desk, Part
from integrator.ui.find.ends import EndsController, EndsView
from integrator.ui.find.facts import FactsController, FactsView
from integrator.ui.find.naming import NamingController
from integrator.ui.find.proof import ProofController
from integrator.ui.find.search.find_controller import FindController
from integrator.ui.find.search.find_view import FindView
from integrator.ui.find.suggestions import SuggestionsController, SuggestionsView
from integrator.ui.library.library_controller import LibraryController, LibraryPage
from integrator.ui.memory.cheats import CheatsController, CheatsView
from integrator.ui.memory.console_panel import ConsoleController, ConsoleView
from integrator.ui.memory.memory_choice import MemoryChoiceController
from integrator.ui.memory.memory_tools import (
    CausesController,
    MemoryToolsController,
    PointersController,
)
from integrator.ui.memory.memory_view import MemoryController, MemoryView
from integrator.ui.memory.variables import StopsController, VariablesController, VariablesView
from integrator.ui.memory.watches.watches_controller import NotesController, WatchesController
from integrator.ui.memory.watches.watches_view import WatchesView
from integrator.ui.play.audio_controller import AudioController
from integrator.ui.play.clips_controller import ClipsController
from integrator.ui.play.macros import MacrosController, MacrosView
from integrator.ui.play.pads.pad_controller import PadController
from integrator.ui.play.pads.pad_view import PadPanel
from integrator.ui.play.preferences import PauseInBackground, PreferencesController
from integrator.ui.play.states.states_gallery import StatesController, StatesGallery
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.review.attribution_panel import AttributionController, AttributionView
from integrator.ui.review.audit_panel import AuditController, AuditView
from integrator.ui.review.branches import BranchesController, BranchesView
from integrator.ui.review.expectations_panel import ExpectationsController, ExpectationsView
from integrator.ui.review.input_log.input_log_panel import InputLogController, InputLogView
from integrator.ui.review.movies.movies_controller import MoviesController, MovieScoresController
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.review.plots.plots_panel import PlotsController, PlotsView
from integrator.ui.review.travel_controller import RangeController, TravelController
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.observation_panel import CropView, ObservationController, ObservationView
from integrator.ui.score.reward_view import RewardView, ScoreController
from integrator.ui.score.texts.json_panel import JsonController, JsonView
from integrator.ui.score.texts.lint_panel import LintController, LintView
from integrator.ui.score.texts.script_panel import ScriptController, ScriptView
from integrator.ui.score.what_if.what_if_controller import WhatIfController
from integrator.ui.score.what_if.what_if_view import WhatIfView
from integrator.ui.settings import Preferences
from integrator.ui.shell import panel_links as links
from integrator.ui.shell.assistant import AssistantController
from integrator.ui.shell.bars.status_bar import Readouts
from integrator.ui.shell.docks.docks import BELOW, Panel, Place
from integrator.ui.shell.docks.workspaces import FullScreen
from integrator.ui.shell.files.disk_changes import DiskChanges
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.shell.files.path_opener import PathOpener, SeveralFilesController
from integrator.ui.shell.files.recovery import Recovery
from integrator.ui.shell.files.verifier import Verifier
from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.shown_game import DiscsMenu, EditHistory, ExactCoreOffer, ShownGame


class Panels(MarkedTexts):
    """Titles of panels, for translators."""


PANELS: tuple[Panel[Any], ...] = (
    Panel(
        "variables",
        Panels.tr("Variables"),
        VariablesView,
        (
            Place("play", 0, 0, share=540),
            Place("find", 0, 1, share=250),
            Place("review", 0, 1, tab=1),
        ),
        (VariablesController, StopsController),
        links.variables,
        always=True,
    ),
    Panel(
        "find",
        Panels.tr("Find"),
        FindView,
        (Place("find", 0, 0, share=640),),
        (FindController,),
        links.find,
        noted=True,
    ),
    Panel(
        "facts",
        Panels.tr("Facts"),
        FactsView,
        (Place("find", 0, 0, tab=1),),
        (FactsController,),
        links.facts,
        noted=True,
    ),
    Panel(
        "suggestions",
        Panels.tr("Suggestions"),
        SuggestionsView,
        (Place("find", 0, 0, tab=2),),
        (SuggestionsController,),
        links.results,
    ),
    Panel(
        "ends",
        Panels.tr("Ends"),
        EndsView,
        (Place("find", 0, 0, tab=3),),
        (EndsController,),
        links.ends,
    ),
    Panel(
        "watches",
        Panels.tr("Watch"),
        WatchesView,
        (Place("find", 0, 1, tab=1),),
        (WatchesController, NotesController),
        links.watches,
    ),
    Panel(
        "memory",
        Panels.tr("Memory"),
        MemoryView,
        (Place("find", BELOW, 0, share=320),),
        (MemoryController, MemoryToolsController, PointersController, CausesController),
        links.memory,
        noted=True,
    ),
    Panel(
        "console",
        Panels.tr("Console"),
        ConsoleView,
        (Place("find", 0, 1, tab=2), Place("score", 0, 1, tab=2)),
        (ConsoleController,),
    ),
    Panel(
        "reward",
        Panels.tr("Reward"),
        RewardView,
        (Place("score", 0, 0, share=360),),
        (ScoreController,),
        noted=True,
    ),
    Panel(
        "done",
        Panels.tr("Done"),
        DoneView,
        (Place("score", 1, 0, share=270),),
        connect=links.score,
        noted=True,
    ),
    Panel(
        "actions",
        Panels.tr("Actions"),
        ActionsView,
        (Place("score", 1, 1, share=370),),
        connect=links.score,
    ),
    Panel(
        "crop", Panels.tr("Crop"), CropView, (Place("score", 1, 2, share=122),), connect=links.score
    ),
    Panel(
        "observation",
        Panels.tr("Observation"),
        ObservationView,
        (Place("score", 1, 1, tab=1), Place("play", 0, 1, tab=2)),
        (ObservationController,),
    ),
    Panel(
        "script",
        Panels.tr("Script"),
        ScriptView,
        (Place("score", 0, 1, tab=1),),
        (ScriptController,),
    ),
    Panel(
        "json",
        Panels.tr("JSON"),
        JsonView,
        (Place("score", 0, 1, share=330),),
        (JsonController,),
        noted=True,
    ),
    Panel(
        "lint",
        Panels.tr("Lint"),
        LintView,
        (Place("review", 0, 1, tab=2),),
        (LintController,),
        links.lint,
        noted=True,
    ),
    Panel(
        "plots",
        Panels.tr("Plots"),
        PlotsView,
        (Place("review", 0, 1, share=380),),
        (PlotsController,),
        links.plots,
    ),
    Panel(
        "attribution",
        Panels.tr("Reward terms"),
        AttributionView,
        (Place("review", 0, 1, tab=4),),
        (AttributionController,),
    ),
    Panel(
        "what_if",
        Panels.tr("What-if"),
        WhatIfView,
        (Place("score", BELOW, 0, share=200),),
        (WhatIfController,),
        always=True,
        noted=True,
    ),
    Panel(
        "states",
        Panels.tr("States"),
        StatesView,
        (Place("play", 0, 1, share=340), Place("review", 0, 0, tab=2)),
        (StatesController, StatesGallery),
        links.states,
        always=True,
    ),
    Panel(
        "macros",
        Panels.tr("Macros"),
        MacrosView,
        (Place("play", 0, 1, tab=3),),
        (MacrosController,),
        links.macros,
        always=True,
    ),
    Panel(
        "cheats",
        Panels.tr("Cheats"),
        CheatsView,
        (Place("play", 0, 1, tab=1),),
        (CheatsController,),
        always=True,
    ),
    Panel(
        "movies",
        Panels.tr("Movies"),
        MoviesView,
        (Place("review", 0, 0, share=350),),
        (
            MoviesController,
            MovieScoresController,
        ),
        links.movies,
    ),
    Panel(
        "audit",
        Panels.tr("Audit"),
        AuditView,
        (Place("review", 0, 0, tab=4), Place("agents", 0, 0, tab=1)),
        (AuditController,),
        links.audit,
    ),
    Panel(
        "agents",
        Panels.tr("Agents"),
        AgentsView,
        (Place("agents", 0, 0, share=1),),
        (AgentsController,),
        links.agents,
    ),
    Panel(
        "branches",
        Panels.tr("Branches"),
        BranchesView,
        (Place("review", 0, 0, tab=1),),
        (BranchesController,),
        links.travel,
    ),
    Panel(
        "input_log",
        Panels.tr("Input log"),
        InputLogView,
        (Place("review", 1, 0, share=1),),
        (InputLogController,),
        links.travel,
    ),
    Panel(
        "expectations",
        Panels.tr("Expectations"),
        ExpectationsView,
        (Place("review", 0, 0, tab=3),),
        (ExpectationsController,),
        noted=True,
    ),
    Panel(
        "log",
        Panels.tr("Log"),
        LogView,
        (Place("review", 0, 1, tab=3),),
        connect=links.log,
        always=True,
    ),
)
"""In the order of the menu."""


def _picture_maker(desk: Desk) -> PictureMaker:
    maker = PictureMaker(PictureStore(paths.user_cache_dir() / "pictures"), desk.window)
    desk.bridge.ending.connect(maker.close)
    return maker


CONTROLLERS: tuple[Callable[[Desk], QObject], ...] = (
    FileCommands,
    Recovery,
    DiskChanges,
    PathOpener,
    SeveralFilesController,
    Readouts,
    ShownGame,
    ExactCoreOffer,
    Verifier,
    AssistantController,
    EditHistory,
    _picture_maker,
    LibraryController,
    LibraryPage,
    TravelController,
    RangeController,
    MemoryChoiceController,
    lambda desk: Preferences(desk.settings, desk.window),
    AudioController,
    lambda desk: PadPanel(desk.theme, desk.screen.game_screen),
    PadController,
    ClipsController,
    DiscsMenu,
    PauseInBackground,
    PreferencesController,
    FullScreen,
)
"""Built before the controllers of the panels, some of which use them."""

LATE: tuple[type[Part], ...] = (ProofController, NamingController)
"""Built with the first panel that needs them."""
