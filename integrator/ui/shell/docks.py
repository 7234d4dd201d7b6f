"""The docks of the window and the workspaces: named arrangements of them."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QMainWindow, QSizePolicy

from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.actions.actions import Actions
from integrator.ui.find.facts.facts_view import FactsView
from integrator.ui.find.search.find_view import FindView
from integrator.ui.memory.cheats_view import CheatsView
from integrator.ui.memory.memory_view import MemoryView
from integrator.ui.memory.variables_view import VariablesView
from integrator.ui.memory.watches_view import WatchesView
from integrator.ui.play.states.states_view import StatesView
from integrator.ui.review.branches_view import BranchesView
from integrator.ui.review.input_log_view import InputLogView
from integrator.ui.review.movies_view import MoviesView
from integrator.ui.review.plots.plots_view import PlotsView
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.score.crop_view import CropView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.reward_view import RewardView
from integrator.ui.score.texts.json_view import JsonView
from integrator.ui.score.texts.lint_view import LintView
from integrator.ui.score.texts.script_view import ScriptView
from integrator.ui.score.what_if.what_if_view import WhatIfView
from integrator.ui.shell.log_view import LogView
from integrator.ui.widgets.panels import PanelDock
from integrator.ui.widgets.theme import Theme
from integrator.ui.widgets.translation import translate

WORKSPACES: tuple[tuple[str, str, str], ...] = (
    (
        "play",
        QT_TRANSLATE_NOOP("Docks", "Play"),
        QT_TRANSLATE_NOOP("Docks", "Play, and keep start states (Ctrl+1)"),
    ),
    (
        "find",
        QT_TRANSLATE_NOOP("Docks", "Find"),
        QT_TRANSLATE_NOOP("Docks", "Find variables in memory (Ctrl+2)"),
    ),
    (
        "score",
        QT_TRANSLATE_NOOP("Docks", "Score"),
        QT_TRANSLATE_NOOP("Docks", "Say what is rewarded and what ends an episode (Ctrl+3)"),
    ),
    (
        "review",
        QT_TRANSLATE_NOOP("Docks", "Review"),
        QT_TRANSLATE_NOOP("Docks", "Movies, inputs and plots of what was played (Ctrl+4)"),
    ),
)
"""Key, text and tooltip of each workspace, untranslated."""


def workspaces() -> list[tuple[str, str, str]]:
    """Key, text and tooltip of each workspace, in the user's language."""
    return [
        (key, translate("Docks", text), translate("Docks", tip)) for key, text, tip in WORKSPACES
    ]


RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
BOTTOM = Qt.DockWidgetArea.BottomDockWidgetArea


@dataclass(frozen=True, slots=True)
class Column:
    """Docks one above the other with shares of the height; the column's share of the width."""

    docks: tuple[tuple[str, int], ...]
    width: float


@dataclass(frozen=True, slots=True)
class Preset:
    """Columns right of the screen, left to right, and docks under it.

    ``tabs`` are docks that share the place of another one, which is in front.
    """

    columns: tuple[Column, ...]
    bottom: tuple[tuple[str, int], ...] = ()
    tabs: tuple[tuple[str, str], ...] = ()


PRESETS: dict[str, Preset] = {
    "play": Preset(
        (Column((("variables", 560), ("states", 300)), 0.30),), tabs=(("cheats", "states"),)
    ),
    "find": Preset(
        (Column((("find", 520), ("variables", 330)), 0.42),),
        bottom=(("memory", 150),),
        tabs=(("facts", "find"), ("watches", "variables")),
    ),
    "score": Preset(
        (
            Column((("reward", 360), ("json", 330)), 0.31),
            Column((("done", 270), ("actions", 370), ("crop", 122)), 0.25),
        ),
        bottom=(("what_if", 200),),
        tabs=(("script", "json"),),
    ),
    "review": Preset(
        (
            Column((("movies", 300), ("plots", 380)), 0.33),
            Column((("input_log", 1),), 0.23),
        ),
        tabs=(
            ("branches", "movies"),
            ("states", "movies"),
            ("variables", "plots"),
            ("lint", "plots"),
            ("log", "plots"),
        ),
    ),
}


class Docks:
    """Builds the docks, and arranges them by workspace."""

    def __init__(self, window: QMainWindow, theme: Theme, actions: Actions) -> None:
        self._window = window
        self.variables = VariablesView(theme, actions)
        self.find = FindView(theme)
        self.facts = FactsView(theme)
        self.watches = WatchesView(theme)
        self.memory = MemoryView(theme)
        self.reward = RewardView(theme, actions)
        self.done = DoneView(theme, actions)
        self.actions = ActionsView(theme)
        self.crop = CropView(theme)
        self.script = ScriptView(theme)
        self.json = JsonView(theme)
        self.lint = LintView(theme)
        self.plots = PlotsView(theme)
        self.what_if = WhatIfView(theme)
        self.states = StatesView(theme, actions)
        self.cheats = CheatsView(theme)
        self.movies = MoviesView(theme, actions)
        self.branches = BranchesView(theme, actions)
        self.input_log = InputLogView(theme)
        self.log = LogView(theme)
        titles = {
            "variables": (translate("Docks", "Variables"), self.variables),
            "find": (translate("Docks", "Find"), self.find),
            "facts": (translate("Docks", "Facts"), self.facts),
            "watches": (translate("Docks", "Watch"), self.watches),
            "memory": (translate("Docks", "Memory"), self.memory),
            "reward": (translate("Docks", "Reward"), self.reward),
            "done": (translate("Docks", "Done"), self.done),
            "actions": (translate("Docks", "Actions"), self.actions),
            "crop": (translate("Docks", "Crop"), self.crop),
            "script": (translate("Docks", "Script"), self.script),
            "json": (translate("Docks", "JSON"), self.json),
            "lint": (translate("Docks", "Lint"), self.lint),
            "plots": (translate("Docks", "Plots"), self.plots),
            "what_if": (translate("Docks", "What-if"), self.what_if),
            "states": (translate("Docks", "States"), self.states),
            "cheats": (translate("Docks", "Cheats"), self.cheats),
            "movies": (translate("Docks", "Movies"), self.movies),
            "branches": (translate("Docks", "Branches"), self.branches),
            "input_log": (translate("Docks", "Input log"), self.input_log),
            "log": (translate("Docks", "Log"), self.log),
        }
        self.all: dict[str, PanelDock] = {}
        for key, (title, view) in titles.items():
            view.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
            view.setMinimumSize(QSize(200, 90))
            self.all[key] = PanelDock(key, title, view, theme)
        self.all["reward"].header.add_button(self.reward.add)
        self.all["done"].header.add_button(self.done.add)
        for dock in self.all.values():
            window.addDockWidget(RIGHT, dock)
            # It may come back behind a tab.
            dock.toggleViewAction().triggered.connect(
                lambda shown, d=dock: d.raise_() if shown else None
            )

    def arrange(self, workspace: str) -> None:
        """Put the docks as the workspace's preset says; those not in it are hidden."""
        preset = PRESETS[workspace]
        window = self._window
        for dock in self.all.values():
            window.removeDockWidget(dock)
        heads: list[PanelDock] = []
        for column in preset.columns:
            head = self.all[column.docks[0][0]]
            if heads:
                window.splitDockWidget(heads[-1], head, Qt.Orientation.Horizontal)
            else:
                window.addDockWidget(RIGHT, head)
            heads.append(head)
        for head, column in zip(heads, preset.columns, strict=True):
            above = head
            for key, _ in column.docks[1:]:
                window.splitDockWidget(above, self.all[key], Qt.Orientation.Vertical)
                above = self.all[key]
        for key, _ in preset.bottom:
            window.addDockWidget(BOTTOM, self.all[key])
        self._show(preset)
        for key, front in preset.tabs:
            window.tabifyDockWidget(self.all[front], self.all[key])
            self.all[front].raise_()
        self._size(preset, heads)

    def _show(self, preset: Preset) -> None:
        shown = {key for column in preset.columns for key, _ in column.docks}
        shown |= {key for key, _ in (*preset.bottom, *preset.tabs)}
        for key, dock in self.all.items():
            if key not in shown:
                # A dock without a place is missing from a saved layout: restoring shows it. Below
                # the others, a few more panels would make the window higher than the screen.
                self._window.addDockWidget(RIGHT, dock)
                self._window.tabifyDockWidget(self.all[preset.columns[0].docks[-1][0]], dock)
            dock.setVisible(key in shown)

    def _size(self, preset: Preset, heads: list[PanelDock]) -> None:
        window = self._window
        widths = [round(column.width * window.width()) for column in preset.columns]
        window.resizeDocks(heads, widths, Qt.Orientation.Horizontal)
        for column in preset.columns:
            docks = [self.all[key] for key, _ in column.docks]
            window.resizeDocks(docks, [share for _, share in column.docks], Qt.Orientation.Vertical)
        if preset.bottom:
            docks = [self.all[key] for key, _ in preset.bottom]
            window.resizeDocks(
                docks, [share for _, share in preset.bottom], Qt.Orientation.Vertical
            )
