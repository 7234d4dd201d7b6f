"""Links between panels: a panel shows, marks or does something that another one asked for."""

import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from integrator.domain.findings import Finding
from integrator.domain.integration.expectations import EXPECTATIONS_FILE
from integrator.domain.values.datatype import BYTE
from integrator.session.searches import SearchStatus
from integrator.ui.agents.agents_panel import AgentsController, AgentsView
from integrator.ui.desk import Desk, Parts
from integrator.ui.find.ends import EndsController, EndsView
from integrator.ui.find.facts import FactsController, FactsView
from integrator.ui.find.naming import NamingController
from integrator.ui.find.proof import ProofController
from integrator.ui.find.results_view import ResultsView
from integrator.ui.find.search.find_view import FindView
from integrator.ui.memory.cheats import CheatsController
from integrator.ui.memory.memory_view import MemoryController, MemoryView
from integrator.ui.memory.variables import VariableColumn, VariablesView
from integrator.ui.memory.watches.watches_controller import WatchesController
from integrator.ui.memory.watches.watches_view import WatchesView
from integrator.ui.play.macros import MacrosView
from integrator.ui.play.preferences import PreferencesController
from integrator.ui.play.states.states_gallery import StatesGallery
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.review.audit_panel import AuditController, AuditView
from integrator.ui.review.branches import BranchesController
from integrator.ui.review.expectations_panel import ExpectationsController, ExpectationsView
from integrator.ui.review.movies.movies_controller import MoviesController, MovieScoresController
from integrator.ui.review.movies.movies_view import MoviesView
from integrator.ui.review.plots.plots_panel import PlotsView
from integrator.ui.review.travel_controller import TravelController
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.observation_panel import CropView
from integrator.ui.score.reward_view import RewardView, ScoreController
from integrator.ui.score.texts.lint_panel import LintView
from integrator.ui.score.texts.script_panel import ScriptView
from integrator.ui.shell.bars.status_bar import Readouts
from integrator.ui.shell.bars.steps_bar import StepsController
from integrator.ui.shell.bars.top_bar import WindowMenus
from integrator.ui.shell.log_view import LogView
from integrator.ui.widgets.docks import dock_of

_VARIABLE = re.compile(r"info\.([^.\[]+)")
_PLAYER = re.compile(r"rewards\[(\d+)\]")


def show_place(parts: Parts, finding: Finding) -> None:
    """Show the place of a finding in the panel that edits it."""
    name, path = finding.file.name, finding.path
    if name.endswith(".lua"):
        script = parts[ScriptView]
        dock_of(script).come_forward()
        script.open_script(name, finding.line)
    elif (variable := _VARIABLE.match(path)) is not None:
        variables = parts[VariablesView]
        dock_of(variables).come_forward()
        variables.select(variable[1], VariableColumn.NAME)
    elif path.startswith("reward"):
        reward = parts[RewardView]
        dock_of(reward).come_forward()
        player = _PLAYER.match(path)
        reward.show_player(int(player[1]) if player else 0)
        card = reward.card(path.rpartition("variables.")[2].split(".")[0])
        if card is not None:
            card.setFocus()
    elif name == EXPECTATIONS_FILE:
        dock_of(parts[ExpectationsView]).come_forward()
    else:
        dock_of(parts[_view_of(name, path)]).come_forward()


def _view_of(file: str, path: str) -> type[QWidget]:
    """The panel for a place that no row or card stands for."""
    views = {"done": DoneView, "actions": ActionsView, "crop": CropView}
    for start, view in views.items():
        if path.startswith(start):
            return view
    if file == "data.json":
        return VariablesView
    return StatesView if file in ("metadata.json", "rom.sha") or not path else RewardView


_MOST_MARKED = 100_000
"""With more candidates than this every byte would be marked, and no mark would help."""


def window(desk: Desk) -> None:
    """Wishes of the window that panels fulfil, which are built for that."""
    parts, timeline = desk.parts, desk.screen.timeline
    desk.actions.on("add_reward", lambda: _open_menu(parts[RewardView]))
    desk.actions.on("add_condition", lambda: _open_menu(parts[DoneView]))
    desk.controller.movie_recorded.connect(lambda path: parts[MoviesController].add_recorded(path))
    travel = parts[TravelController]
    travel.moved.connect(parts[Readouts].show_timeline)
    travel.branches_requested.connect(lambda: parts[BranchesController].show_panel())

    def open_slider_menu(frame: int, row: int, where: QPoint) -> None:
        # They add to the menu.
        parts.need(EndsController, ExpectationsController)
        parts[FactsController].open_slider_menu(frame, row, where)

    timeline.menu_requested.connect(open_slider_menu)


def _open_menu(view: RewardView | DoneView) -> None:
    view.add.open_menu(view)


def variables(desk: Desk, view: VariablesView) -> None:
    """Variables become reward terms and conditions; a frozen one is a held value."""
    parts = desk.parts
    view.reward_requested.connect(lambda name: parts[RewardView].add_term(name))
    view.condition_requested.connect(lambda name: parts[DoneView].add_condition(name))
    parts[TravelController].moved.connect(lambda facts: view.model.set_trends(facts.trends))


def results(desk: Desk, view: ResultsView[Any]) -> None:
    """Numbers of every list are proved, named, shown, watched and frozen."""
    parts = desk.parts
    parts[ProofController].add(view)
    parts[NamingController].add(view)
    view.show_requested.connect(partial(_show_address, parts))
    view.watch_requested.connect(lambda found: parts[WatchesController].watch_candidate(found))
    view.freeze_requested.connect(parts[CheatsController].hold_reading)


def _show_address(parts: Parts, address: int) -> None:
    parts[MemoryController].show_address(address)


def find(desk: Desk, view: FindView) -> None:
    """Candidates are marked in Memory; a place on the screen is looked for by proofs."""
    results(desk, view)
    view.form.place_requested.connect(desk.parts[ProofController].tool.begin)
    view.status_changed.connect(partial(_mark, desk.parts))


def _mark(parts: Parts, status: SearchStatus | None) -> None:
    memory = parts.built(MemoryController)
    if memory is not None:
        few = status is not None and status.steps and status.count <= _MOST_MARKED
        memory.mark_candidates(status.addresses() if status and few else np.empty(0, np.int64))


def facts(desk: Desk, view: FactsView) -> None:
    """Facts of other branches are marked."""
    results(desk, view)
    travel(desk, view)
    desk.parts[FactsController].known_movies = partial(_readable_movies, desk)
    desk.parts[TravelController].moved.connect(lambda facts: view.list.show_line(facts.runs))


def _readable_movies(desk: Desk) -> list[Path]:
    """The readable movies of the folder that the Movies panel shows."""
    return [movie.path for movie in desk.parts[MoviesView].model.rows if not movie.problem]


def watches(desk: Desk, view: WatchesView) -> None:
    """Addresses that are watched are frozen, and shown in Memory."""
    hold = desk.parts[CheatsController].hold
    view.freeze_requested.connect(lambda watch, on: hold([watch.key], on))
    view.show_requested.connect(partial(_show_address, desk.parts))


def memory(desk: Desk, view: MemoryView) -> None:
    """Bytes are watched and frozen; watches are the bookmarks, candidates are marked."""
    parts = desk.parts
    view.watch_requested.connect(parts[WatchesView].watch)
    model = parts[WatchesView].model
    # At the opening of a game once more: its watches may be there before its memory.
    for signal in (model.modelReset, model.edited, desk.bridge.opened):
        signal.connect(lambda *_: view.set_bookmarks(model.watches))
    hold = parts[CheatsController].hold
    view.freeze_requested.connect(
        lambda start, stop, on: hold([(at, BYTE) for at in range(start, stop)], on)
    )
    found = parts.built(FindView)
    if found is not None:
        # A panel that comes late learns of the open game after this.
        desk.bridge.opened.connect(lambda _: _mark(parts, found.status))


def score(desk: Desk, _: QWidget) -> None:
    """The panels of a scenario have one controller."""
    desk.parts.need(ScoreController)


def ends(desk: Desk, view: EndsView) -> None:
    """Ends are marks of the time slider."""
    results(desk, view)
    follow = desk.parts[TravelController]
    view.marked.connect(follow.put_mark)
    view.unmarked.connect(follow.unmark)
    view.seek_requested.connect(follow.seek)
    follow.moved.connect(desk.parts[EndsController].show_facts)
    travel(desk, view)


def travel(desk: Desk, _: QWidget) -> None:
    """The timeline is shown at once, also in a panel that comes late."""
    desk.parts[TravelController].refresh()


def states(desk: Desk, view: StatesView) -> None:  # noqa: ARG001 - a link
    """The slots are a menu of their own."""
    desk.parts[StatesGallery].fill_menu(desk.parts[WindowMenus].menus["play"])


def macros(desk: Desk, view: MacrosView) -> None:
    """Keys of macros are chosen among all shortcuts."""
    view.keys_requested.connect(desk.parts[PreferencesController].show_shortcuts)


def plots(desk: Desk, view: PlotsView) -> None:
    """A number that was seen becomes a fact."""

    def add(fact: str) -> None:
        panel = desk.parts[FactsView]
        panel.add_fact(fact)
        dock_of(panel).come_forward()

    view.fact_requested.connect(add)


def movies(desk: Desk, view: MoviesView) -> None:
    """Movies ask to be kept as expectations."""
    parts = desk.parts
    view.expect_requested.connect(lambda path: parts[ExpectationsController].expect_movie(path))


def agents(desk: Desk, view: AgentsView) -> None:  # noqa: ARG001 - a link
    """Episodes open in Review; movies that were kept are listed there, and can be audited."""
    parts = desk.parts
    parts[AgentsController].opened.connect(lambda: desk.use_workspace("review"))
    parts[AgentsController].kept.connect(lambda at: parts[MoviesController].list_folder(at))


def audit(desk: Desk, view: AuditView) -> None:  # noqa: ARG001 - a link
    """The result is a step of the integration, and traps are moments of movies."""
    parts, audited = desk.parts, desk.parts[AuditController].audited
    audited.connect(parts[StepsController].note_audit)
    audited.connect(lambda traps, _: parts[MovieScoresController].take_traps(traps))


def lint(desk: Desk, view: LintView) -> None:
    """A finding shows its place."""
    view.place_requested.connect(partial(show_place, desk.parts))


def log(desk: Desk, view: LogView) -> None:
    """The core's messages and lines are listed."""
    desk.controller.core_said.connect(view.add_messages)
    desk.controller.core_printed.connect(view.add_core_lines)
