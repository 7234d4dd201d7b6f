"""The tables of the window's panels and other controllers, and the links between panels."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np
from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QWidget

from integrator import paths
from integrator.domain.findings import Finding
from integrator.domain.integration.expectations import EXPECTATIONS_FILE
from integrator.domain.words import tr
from integrator.session.hidden.clips import PictureStore
from integrator.session.searches import SearchStatus
from integrator.ui import widgets as ui
from integrator.ui.agents.agents_panel import AgentsView
from integrator.ui.bridge.background import PictureMaker
from integrator.ui.find.ends import EndsView
from integrator.ui.find.facts import FactsView
from integrator.ui.find.find_view import FindView
from integrator.ui.find.proof import NamingCard, ProofController
from integrator.ui.find.results_view import ResultsView
from integrator.ui.find.suggestions import SuggestionsView
from integrator.ui.library.library_controller import LibraryController
from integrator.ui.memory.cheats import CheatsView
from integrator.ui.memory.console_panel import ConsoleView
from integrator.ui.memory.memory_tools import MemoryChoiceDialog
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.memory.watches import WatchesView
from integrator.ui.play.audio_controller import AudioController
from integrator.ui.play.clips_controller import ClipsController
from integrator.ui.play.macros import MacrosView
from integrator.ui.play.pads.pad_controller import PadController
from integrator.ui.play.pads.pad_view import PadPanel
from integrator.ui.play.preferences import PreferencesController
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.review.audit_panel import AuditView
from integrator.ui.review.branches import BranchesView
from integrator.ui.review.expectations_panel import ExpectationsView
from integrator.ui.review.input_log.input_log_panel import InputLogView
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.review.plots_panel import AttributionView, PlotsView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.observation_panel import CropView, ObservationView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.json_panel import JsonView
from integrator.ui.score.texts.lint_panel import LintView
from integrator.ui.score.texts.script_panel import ScriptView
from integrator.ui.score.what_if_view import WhatIfView
from integrator.ui.shell.assistant import AssistantController
from integrator.ui.shell.bars import WindowMenus
from integrator.ui.shell.docks.docks import BELOW, Panel
from integrator.ui.shell.docks.workspaces import FullScreen
from integrator.ui.shell.files.disk_changes import DiskChanges, Recovery
from integrator.ui.shell.files.file_commands import FileCommands
from integrator.ui.shell.files.path_opener import PathOpener
from integrator.ui.shell.log_view import LogView
from integrator.ui.shell.shown_game import DiscsMenu, EditHistory, ExactCoreOffer, ShownGame
from integrator.ui.shell.steps_bar import StepsBar, Verifier
from integrator.ui.window_context import Parts, WindowContext

V = TypeVar("V", bound=QWidget)
Maker = Callable[[WindowContext], QObject]

_VARIABLE = re.compile(r"info\.([^.\[]+)")
_PLAYER = re.compile(r"rewards\[(\d+)\]")


def _show_place(parts: Parts, finding: Finding) -> None:

    def front(view: type[V]) -> V:
        shown = parts[view]
        ui.dock_of(shown).come_forward()
        return shown

    name, path = finding.file.name, finding.path
    others = {"done": DoneView, "actions": ActionsView, "crop": CropView}
    edited = next((view for start, view in others.items() if path.startswith(start)), None)
    if name.endswith(".lua"):
        front(ScriptView).open_script(name, finding.line)
    elif (variable := _VARIABLE.match(path)) is not None:
        front(VariablesView).select(variable[1], VariableColumn.NAME)
    elif path.startswith("reward"):
        player = _PLAYER.match(path)
        front(RewardView).show_player(int(player[1]) if player else 0)
        card = parts[RewardView].card(path.rpartition("variables.")[2].split(".")[0])
        if card is not None:
            card.setFocus()
    elif name == EXPECTATIONS_FILE:
        front(ExpectationsView)
    elif edited is not None:
        front(edited)
    elif name == "data.json":
        front(VariablesView)
    else:
        front(StatesView if name in ("metadata.json", "rom.sha") or not path else RewardView)


def connect_window(context: WindowContext) -> None:
    """Connect requests of the window to panels, which are built when they are needed."""
    parts, timeline, asks = context.parts, context.screen.timeline, context.requests
    parts[StatesView].fill_menu(parts[WindowMenus].menus["play"])
    context.actions.on(add_reward=lambda: parts[RewardView].add.open_menu(parts[RewardView]))
    context.actions.on(add_condition=lambda: parts[DoneView].add.open_menu(parts[DoneView]))
    context.actions.on(memory_ranges=lambda: parts[MemoryChoiceDialog].choose())
    context.controller.movie_recorded.connect(lambda path: parts[MoviesView].add_recorded(path))
    travel = parts[TravelController]
    travel.branches_requested.connect(lambda: ui.dock_of(parts[BranchesView]).come_forward())

    def open_slider_menu(frame: int, row: int, where: QPoint) -> None:
        for kind in (EndsView, ExpectationsView):
            parts[kind]  # building the panel adds its entries to the menu
        ui.pop_up(parts[FactsView].slider_menu(frame, row), where)

    timeline.menu_requested.connect(open_slider_menu)
    asks.reward_term.connect(lambda name: parts[RewardView].add_term(name))
    asks.done_condition.connect(lambda name: parts[DoneView].add_condition(name))
    asks.watch.connect(lambda found: parts[WatchesView].watch_candidate(found))
    asks.hold.connect(parts[CheatsView].hold)
    asks.show_address.connect(lambda address: parts[MemoryView].show_address(address))
    asks.pin_fact.connect(lambda fact: parts[FactsView].pin_fact(fact))
    asks.show_finding.connect(partial(_show_place, parts))
    asks.list_movies.connect(lambda folder: parts[MoviesView].list_folder(folder))
    asks.mark.connect(travel.put_mark)
    asks.unmark.connect(travel.unmark)
    asks.note_audit.connect(parts[StepsBar].note_audit)


def connect_results(context: WindowContext, view: ResultsView[Any]) -> None:
    """Let numbers of any list be proved and named."""
    context.parts[ProofController].add(view)
    context.parts[NamingCard].add(view)


def _find(context: WindowContext, view: FindView) -> None:
    """Mark candidates in Memory, and let proofs look for numbers that draw a place."""
    connect_results(context, view)
    tool = context.parts[ProofController].tool
    view.form.place.clicked.connect(lambda _: tool.begin())
    view.status_changed.connect(partial(_mark, context.parts))


def _mark(parts: Parts, status: SearchStatus | None) -> None:
    if (memory := parts.built(MemoryView)) is not None:
        # With more candidates nearly every byte would be marked, which helps nobody.
        few = status is not None and status.steps and status.count <= 100_000
        memory.mark_candidates(status.addresses() if status and few else np.empty(0, np.int64))


def _facts(context: WindowContext, view: FactsView) -> None:
    """Offer movies for facts."""
    connect_results(context, view)
    view.known_movies = lambda: [
        movie.path for movie in context.parts[MoviesView].model.rows if not movie.problem
    ]


def _memory(context: WindowContext, _view: MemoryView) -> None:
    if (found := context.parts.built(FindView)) is not None:
        # A panel that is built late hears about the open game only after its connection.
        context.bridge.opened.connect(lambda _: _mark(context.parts, found.status))


PANELS: tuple[Panel[Any], ...] = (  # in the order of the menu
    Panel("variables", tr("Variables"), VariablesView, always=True)
    .at("play", 0, 0, share=540)
    .at("find", 0, 1, share=250)
    .at("review", 0, 1, tab=1),
    Panel("find", tr("Find"), FindView, connect=_find, noted=True).at("find", 0, 0, share=640),
    Panel("facts", tr("Facts"), FactsView, connect=_facts, noted=True).at("find", 0, 0, tab=1),
    Panel("suggestions", tr("Suggestions"), SuggestionsView, connect=connect_results).at(
        "find", 0, 0, tab=2
    ),
    Panel("ends", tr("Ends"), EndsView, connect=connect_results).at("find", 0, 0, tab=3),
    Panel("watches", tr("Watch"), WatchesView).at("find", 0, 1, tab=1),
    Panel("memory", tr("Memory"), MemoryView, connect=_memory, noted=True).at(
        "find", BELOW, 0, share=336
    ),
    Panel("console", tr("Console"), ConsoleView).at("find", 0, 1, tab=2).at("score", 0, 1, tab=2),
    Panel("reward", tr("Reward"), RewardView, noted=True).at("score", 0, 0, share=360),
    Panel("done", tr("Done"), DoneView, noted=True).at("score", 1, 0, share=270),
    Panel("actions", tr("Actions"), ActionsView).at("score", 1, 1, share=370),
    Panel("crop", tr("Crop"), CropView).at("score", 1, 2, share=122),
    Panel("observation", tr("Observation"), ObservationView)
    .at("score", 1, 1, tab=1)
    .at("play", 0, 1, tab=2),
    Panel("script", tr("Script"), ScriptView).at("score", 0, 1, tab=1),
    Panel("json", tr("JSON"), JsonView).at("score", 0, 1, share=330),
    Panel("lint", tr("Lint"), LintView, noted=True).at("review", 0, 1, tab=2),
    Panel("plots", tr("Plots"), PlotsView).at("review", 0, 1, share=380),
    Panel("attribution", tr("Reward terms"), AttributionView).at("review", 0, 1, tab=4),
    Panel("what_if", tr("What-if"), WhatIfView, always=True, noted=True).at(
        "score", BELOW, 0, share=200
    ),
    Panel("states", tr("States"), StatesView, always=True)
    .at("play", 0, 1, share=340)
    .at("review", 0, 0, tab=2),
    Panel("macros", tr("Macros"), MacrosView, always=True).at("play", 0, 1, tab=3),
    Panel("cheats", tr("Cheats"), CheatsView, always=True).at("play", 0, 1, tab=1),
    Panel("movies", tr("Movies"), MoviesView).at("review", 0, 0, share=350),
    Panel("audit", tr("Audit"), AuditView).at("review", 0, 0, tab=4).at("agents", 0, 0, tab=1),
    Panel("agents", tr("Agents"), AgentsView).at("agents", 0, 0, share=1),
    Panel("branches", tr("Branches"), BranchesView).at("review", 0, 0, tab=1),
    Panel("input_log", tr("Input log"), InputLogView).at("review", 1, 0, share=1),
    Panel("expectations", tr("Expectations"), ExpectationsView, noted=True).at(
        "review", 0, 0, tab=3
    ),
    Panel("log", tr("Log"), LogView, always=True).at("review", 0, 1, tab=3),
)

CONTROLLERS: tuple[Maker, ...] = (  # built before the panels, which use them
    FileCommands,
    Recovery,
    DiskChanges,
    PathOpener,
    ShownGame,
    ExactCoreOffer,
    Verifier,
    AssistantController,
    EditHistory,
    lambda context: PictureMaker(
        context.bridge, PictureStore(paths.user_cache_dir() / "pictures"), context.window
    ),
    LibraryController,
    TravelController,
    StepsBar,
    AudioController,
    lambda context: PadPanel(context.screen.game_screen),
    PadController,
    ClipsController,
    DiscsMenu,
    PreferencesController,
    FullScreen,
)

LATE: tuple[Maker, ...] = (ProofController, NamingCard, MemoryChoiceDialog)
"""The controllers that are built with the first panel that needs them."""
