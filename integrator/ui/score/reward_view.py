"""The Reward panel, and the Score workspace's work: scenario files, done tree, actions and crop."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QInputDialog, QScrollArea, QWidget

from integrator.domain.files.jsontext import JsonPath
from integrator.domain.frames.observation import Box
from integrator.domain.scenario.tree import Crop
from integrator.domain.values.variables import TIME_TERM
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.what_if import SumsSoFar, TermCurves
from integrator.ui.actions.actions import Actions
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.bridge.sight import LiveReader, Sight
from integrator.ui.desk import PanelController
from integrator.ui.score.actions_view import ActionsView
from integrator.ui.score.done_view import DoneView
from integrator.ui.score.observation_panel import CropView, crop_of
from integrator.ui.score.reward_cards import (
    RewardCard,
    Term,
    TermKind,
    VariableMenuButton,
    block_of,
    terms_of,
)
from integrator.ui.screen.crop_tool import WHOLE_PICTURE, CropTool
from integrator.ui.widgets.docks import dock_of
from integrator.ui.widgets.parts import (
    EmptyOr,
    EmptyState,
    PlayerSegments,
    combo_box,
    hbox,
    icon_button,
    role_label,
    vbox,
)
from integrator.ui.widgets.rows_model import HISTORY
from integrator.ui.widgets.texts import plain_number, signed
from integrator.ui.widgets.theme import SIZES, Theme


class RewardView(QWidget):
    """One player's reward. ``edit_requested``: (JSON path, value; None removes).
    ``scenario_chosen`` gives the file to score with; ``scenario_requested`` asks for a new one."""

    edit_requested = Signal(tuple, object)
    rejected = Signal(str)
    scenario_chosen = Signal(str)
    scenario_requested = Signal()

    def __init__(self, theme: Theme, actions: Actions) -> None:
        super().__init__()
        self._theme = theme
        self._path: JsonPath = ("reward",)
        self._player = 0
        self._last_frame = 0
        self._result: FrameResult | None = None
        self._scenario: Mapping[str, Any] = {}
        self._names: Sequence[str] = ()
        self.terms: list[Term] = []
        self.cards: list[RewardCard] = []
        self.add = VariableMenuButton(
            self.tr("term"), theme, [(TIME_TERM, self.tr("time: every frame"))]
        )
        self.add.setAccessibleName(self.tr("Add reward term"))
        self.add.chosen.connect(self.add_term)
        self.add.extra_chosen.connect(lambda _: self.add_time())
        self._remove = panel_action("reward.remove", self, self.remove_current)
        self._remove.setIcon(theme.icons.icon("trash"))
        self._build_ui(actions)

    def _build_ui(self, actions: Actions) -> None:
        self.script_note = role_label("", "warn", wraps=True)
        self.script_note.setContentsMargins(SIZES.pad, 8, SIZES.pad, 0)
        self.script_note.hide()
        body = QWidget()
        body.setObjectName("ScrollBody")
        self._column = vbox(None, on=body, margins=9, gap=7)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setWidget(body)
        scroll.setAccessibleName(self.tr("Reward terms"))
        empty = EmptyState(
            self._theme,
            "reward",
            self.tr("Nothing is rewarded yet"),
            self.tr(
                "Reward a variable for growing, such as the score, or give each frame a price."
            ),
            [actions["add_reward"]],
        )
        self.pages = EmptyOr(empty, scroll)
        self._bar = self._build_bar()
        vbox(self._bar, self.script_note, (self.pages, 1), on=self, margins=0, gap=0)

    def _build_bar(self) -> QFrame:
        self.scenario_box = combo_box(
            self.tr("Scenario file"),
            lambda: self.scenario_chosen.emit(str(self.scenario_box.currentData())),
            self.tr(
                "The scenario file that scores. An integration may have several; training picks "
                "one by its name."
            ),
        )
        new = icon_button(
            self._theme.icons.icon("plus"),
            self.tr("Copy this scenario into a new file"),
            self.scenario_requested.emit,
            self.tr("New scenario file"),
        )
        self.players_box = PlayerSegments(self.tr("The rewards of player {0}"))
        self.players_box.player_chosen.connect(self.show_player)
        bar = QFrame()
        hbox(self.scenario_box, new, None, self.players_box, on=bar, margins=(9, 8, 9, 0), gap=5)
        return bar

    def show_files(self, names: Sequence[str], current: str) -> None:
        if [self.scenario_box.itemData(i) for i in range(self.scenario_box.count())] != list(names):
            self.scenario_box.clear()
            for name in names:
                self.scenario_box.addItem(f"{name}.json", name)
        self.scenario_box.setCurrentIndex(self.scenario_box.findData(current))

    def show_player(self, player: int) -> None:
        self._player = player
        self.players_box.show_player(player)
        self.show_scenario(self._scenario, self._names)

    def show_scenario(self, scenario: Mapping[str, Any], names: Sequence[str]) -> None:
        """Show the chosen player's block of a scenario; ``names`` are the variables."""
        self._scenario, self._names = scenario, names
        self._bar.setVisible(bool(scenario) or bool(names))
        self._path, block = block_of(scenario, self._player)
        self._show_terms(terms_of(scenario, self._player, names))
        self.add.set_names([name for name in names if not self._has(name)])
        script = block.get("script")
        self.script_note.setVisible(bool(script) and len(self.terms) > 1)
        text = self.tr("The script function {0} gives the reward; other terms are not used.")
        self.script_note.setText(text.format(script))
        self.pages.show_content(bool(self.terms))

    def show_frame(self, result: FrameResult) -> None:
        terms, gains = result.outcome.terms, result.gains or result.outcome.terms
        if result.outcome.frame <= self._last_frame:
            for term in self.terms:
                term.history.clear()
        self._last_frame = result.outcome.frame
        if self._player < len(terms):
            given, gained = dict(terms[self._player]), dict(gains[self._player])
            for term in self.terms:
                term.take(float(given.get(term.name, 0)), float(gained.get(term.name, 0)))
        self._result = result
        self._show_numbers()

    def show_sums(self, sums: Mapping[tuple[int, str], Sequence[float]]) -> None:
        """Draw the sums of each player's terms since the episode began."""
        for term in self.terms:
            term.history = deque(sums.get((self._player, term.name), ()), HISTORY)
        self._show_numbers()

    def _show_numbers(self) -> None:
        for card in self.cards:
            card.refresh_numbers()
        result = self._result
        if result is None:
            return
        previous = result.previous or {}
        for term, card in zip(self.terms, self.cards, strict=True):
            value = result.values.get(term.name)
            change = 0 if value is None else value - previous.get(term.name, value)
            card.show_value(value, change)

    def add_term(self, name: str) -> None:
        if not self._has(name):
            self.edit_requested.emit((*self._path, "variables", name), {"reward": 1.0})

    def add_time(self) -> None:
        self.edit_requested.emit((*self._path, "time"), {"reward": -0.01})

    def remove_current(self) -> None:
        for card in self.cards:
            if card.hasFocus():
                card.remove()

    def card(self, name: str) -> RewardCard | None:
        cards = zip(self.terms, self.cards, strict=True)
        return next((card for term, card in cards if term.name == name), None)

    def _has(self, name: str) -> bool:
        return any(term.name == name and term.kind is not TermKind.SCRIPT for term in self.terms)

    def _show_terms(self, terms: list[Term]) -> None:
        """Show terms; cards are made again only when terms come or go."""
        if [(t.path, t.name) for t in terms] == [(t.path, t.name) for t in self.terms]:
            for old, new, card in zip(self.terms, terms, self.cards, strict=True):
                old.value, old.known = new.value, new.known
                card.refresh()
            return
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.terms, self.cards = terms, []
        for row, term in enumerate(terms):
            card = RewardCard(self._theme, term)
            card.edited.connect(self.edit_requested)
            card.rejected.connect(self.rejected)
            self.cards.append(card)
            self._column.insertWidget(row, card)
        self._show_numbers()


_REFRESH_MS = 60


@dataclass(frozen=True, slots=True)
class ScorePanels:
    """The panels of one scenario: its rewards, its done tree, the actions and the crop."""

    reward: RewardView
    done: DoneView
    actions: ActionsView
    crop: CropView


class ScoreController(PanelController[RewardView]):
    """Shows each new version of the scenario, and turns the panels' requests into edits."""

    def _set_up(self) -> None:
        bridge, controller, parts = self._bridge, self._controller, self._desk.parts
        self._screen = self._desk.screen
        self._panels = panels = ScorePanels(
            self._view, parts[DoneView], parts[ActionsView], parts[CropView]
        )
        self.tool = CropTool(self._screen.game_screen)
        self._done_note = dock_of(panels.done).header.note
        self._curves = TermCurves(episode=True)
        sight = Sight(bridge, panels.reward)
        self._sums = LiveReader(bridge, sight, _REFRESH_MS, self._read_sums, self._show_sums)
        sight.follow(bridge.readout_ready, self._show_rewards)
        controller.follow(self._show, "scenario", "variables")
        controller.scored.connect(self._sums.touch)
        Sight(bridge, panels.done).follow(bridge.readout_ready, self._show_done)
        for view in (panels.reward, panels.done):
            dock_of(view).header.add_button(view.add)
            view.edit_requested.connect(
                lambda path, value: controller.edit(edits.set_in_scenario(path, value))
            )
            view.rejected.connect(self._warn)
        panels.reward.scenario_chosen.connect(self.use_scenario)
        panels.reward.scenario_requested.connect(self._ask_scenario_name)
        panels.done.move_requested.connect(self.move_condition)
        panels.done.rename_requested.connect(self.rename_group)
        panels.actions.actions_changed.connect(
            lambda groups: controller.edit(edits.set_in_scenario(("actions",), groups))
        )
        panels.crop.crop_changed.connect(self.set_crop)
        panels.crop.draw_requested.connect(self._draw_crop)
        panels.crop.players_box.chosen.connect(lambda _: self._show_crop())
        self.tool.drawn.connect(self._crop_drawn)
        for dock in (dock_of(panels.crop), dock_of(panels.reward)):
            dock.visibilityChanged.connect(lambda _: self._show_crop())

    def _closed(self) -> None:
        self._curves = TermCurves(episode=True)
        self._panels.reward.show_scenario({}, ())
        self._panels.reward.show_player(0)
        self._panels.crop.show_scenario({})
        self._panels.crop.show_player(0)
        self._panels.done.show_scenario({}, ())
        self._dock.header.note.clear()
        self._done_note.clear()

    def _show_done(self, result: FrameResult) -> None:
        self._panels.done.show_frame(result)
        self._done_note.setText(self.tr("done") if result.outcome.done else "")

    def _show_rewards(self, result: FrameResult) -> None:
        self._panels.reward.show_frame(result)
        outcome = result.outcome
        note = self.tr("{0} this frame · {1} so far").format(
            signed(result.newest_rewards[0] if outcome.rewards else 0.0),
            plain_number(outcome.total_rewards[0] if outcome.total_rewards else 0.0),
        )
        self._dock.header.note.setText(note)
        if self._controller.paused:  # the frame may not follow the one shown before
            self._sums.touch()

    def _read_sums(self) -> Callable[[Session], SumsSoFar]:
        curves = self._curves
        return lambda session: curves.newest(session, HISTORY)

    def _show_sums(self, answer: SumsSoFar) -> None:
        sums, complete = answer
        self._panels.reward.show_sums(sums)
        if not complete:
            self._sums.touch()

    def _show(self, documents: Documents) -> None:
        panels, names = self._panels, list(documents.variables)
        panels.reward.show_scenario(documents.scenario, names)
        panels.done.show_scenario(documents.scenario, names)
        panels.reward.show_files(documents.scenario_names, documents.scenario_name)
        panels.actions.show_actions(documents.scenario, documents.actions)
        dock_of(panels.actions).header.note.setText(panels.actions.note)
        panels.crop.show_scenario(documents.scenario)
        self._show_crop()

    def _show_crop(self) -> None:
        documents = self._controller.documents
        panels = self._panels
        shown = any(dock_of(panel).isVisible() for panel in (panels.crop, panels.reward))
        game = self._controller.game
        if game is None or documents is None or not shown:
            self._screen.game_screen.outline(None)
            return
        crop = crop_of(documents.scenario, panels.crop.player) or WHOLE_PICTURE
        self._screen.game_screen.outline(replace(game.observation, crop=Crop(*crop)))

    def _draw_crop(self) -> None:
        game, frame = self._controller.game, self._screen.game_screen.frame
        if game is not None and frame is not None:
            rule = game.observation
            self.tool.begin(rule.place_in(frame.width, frame.height, frame.rotation))

    def _crop_drawn(self, box: Box) -> None:
        game, frame = self._controller.game, self._screen.game_screen.frame
        if game is not None and frame is not None:
            crop = game.observation.crop_of(box, frame.width, frame.height, frame.rotation)
            self.set_crop(self._panels.crop.player, crop)

    def move_condition(self, path: JsonPath, group: JsonPath) -> None:
        self._change(lambda root: edits.move_done_node(root, path, group))

    def rename_group(self, path: JsonPath, name: str) -> None:
        self._change(lambda root: edits.rename_group(root, path, name))

    def set_crop(self, player: int, crop: Box | None) -> None:
        """Set the part of the picture that training sees; None is all of it."""
        numbers = None if crop is None else list(crop)
        self._change(lambda root: edits.set_crop(root, player, numbers))

    def _change(self, change: Callable[[dict[str, Any]], object]) -> None:
        self._controller.edit(edits.change_scenario(change))

    def use_scenario(self, name: str) -> None:
        self._controller.edit(lambda game: game.use_scenario(name))

    def add_scenario(self, name: str) -> None:
        self._controller.edit(edits.add_scenario(name))

    def _ask_scenario_name(self) -> None:
        title = self.tr("New scenario file")
        label = self.tr("Name, as training will say it (without .json):")
        name, given = QInputDialog.getText(self._panels.reward, title, label, text="scenario2")
        if given and name.strip():
            self.add_scenario(name.strip().removesuffix(".json"))
