"""The Reward panel: the scenario file in use, and one player's terms as cards."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from integrator.domain.files.jsontext import JsonPath
from integrator.domain.values.variables import TIME_TERM
from integrator.session.frame.result import FrameResult
from integrator.ui.actions.actions import Actions
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.score.reward_cards import (
    RewardCard,
    Term,
    TermKind,
    VariableMenuButton,
    block_of,
    terms_of,
)
from integrator.ui.widgets.panels.parts import (
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
