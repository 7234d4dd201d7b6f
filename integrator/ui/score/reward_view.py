"""The Reward panel: the scenario file in use, and one player's terms as cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QScrollArea,
    QToolButton,
    QWidget,
)

from integrator.domain.files.jsontext import JsonPath
from integrator.domain.scenario.spec import MAX_PLAYERS
from integrator.domain.values.variables import TIME_TERM
from integrator.session.frame.result import FrameResult
from integrator.ui.actions.actions import Actions
from integrator.ui.actions.panel_keys import panel_action
from integrator.ui.score.reward_cards import RewardCard
from integrator.ui.score.reward_model import (
    RewardColumn,
    RewardModel,
    VariableMenuButton,
    as_object,
)
from integrator.ui.widgets.panels.parts import EmptyOr, EmptyState, Segments, hbox, role_label, vbox
from integrator.ui.widgets.theme import SIZES, Theme


class RewardView(QWidget):
    """One player's reward. ``edit_requested``: (JSON path, value; None removes).

    ``scenario_chosen`` gives the file to score with; ``scenario_requested`` asks for a new one.
    """

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
        self._players = 1
        self._result: FrameResult | None = None
        self._scenario: Mapping[str, Any] = {}
        self._names: Sequence[str] = ()
        self.cards: list[RewardCard] = []
        self.model = RewardModel(theme, self)
        self.model.edit_requested.connect(self.edit_requested)
        self.model.modelReset.connect(self._rebuild)
        self.model.dataChanged.connect(self._refresh)
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
        bar = QFrame()
        self.scenario_box = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.scenario_box.setAccessibleName(self.tr("Scenario file"))
        self.scenario_box.setToolTip(
            self.tr(
                "The scenario file that scores. An integration may have several; training picks "
                "one by its name."
            )
        )
        self.scenario_box.activated.connect(
            lambda _: self.scenario_chosen.emit(str(self.scenario_box.currentData()))
        )
        new = QToolButton()
        new.setIcon(self._theme.icons.icon("plus"))
        new.setProperty("role", "flat")
        new.setToolTip(self.tr("Copy this scenario into a new file"))
        new.setAccessibleName(self.tr("New scenario file"))
        new.clicked.connect(self.scenario_requested)
        self.players_box = Segments(
            [(str(player), self.tr("P{0}").format(player + 1), "") for player in range(MAX_PLAYERS)]
        )
        for player in range(MAX_PLAYERS):
            button = self.players_box.button(str(player))
            button.setAccessibleName(self.tr("Player {0}").format(player + 1))
            button.setToolTip(self.tr("The rewards of player {0}").format(player + 1))
        self.players_box.setProperty("role", "small")
        self.players_box.select("0")
        self.players_box.chosen.connect(lambda key: self.show_player(int(key)))
        hbox(self.scenario_box, new, None, self.players_box, on=bar, margins=(9, 8, 9, 0), gap=5)
        return bar

    # -- shown state ------------------------------------------------------------------------

    def show_files(self, names: Sequence[str], current: str) -> None:
        """Offer the integration's scenario files."""
        if [self.scenario_box.itemData(i) for i in range(self.scenario_box.count())] != list(names):
            self.scenario_box.clear()
            for name in names:
                self.scenario_box.addItem(f"{name}.json", name)
        self.scenario_box.setCurrentIndex(self.scenario_box.findData(current))

    def show_player(self, player: int) -> None:
        """Show another player's block."""
        self._player = player
        self.players_box.select(str(player))
        self.show_scenario(self._scenario, self._names)

    def show_scenario(self, scenario: Mapping[str, Any], names: Sequence[str]) -> None:
        """Show the chosen player's block of a scenario; ``names`` are the variables."""
        self._scenario, self._names = scenario, names
        self._bar.setVisible(bool(scenario) or bool(names))
        player = self._player
        rewards = scenario.get("rewards")
        listed = rewards if isinstance(rewards, Sequence) and not isinstance(rewards, str) else ()
        block: object = {} if player else scenario.get("reward")
        self._path = ("rewards", player) if player else ("reward",)
        if player < len(listed) and (player or not block):
            block, self._path = listed[player], ("rewards", player)
        self.model.set_block(self._path, as_object(block), names)
        self.add.set_names([name for name in names if not self.model.has_term(name)])
        script = as_object(block).get("script")
        self.script_note.setVisible(bool(script) and self.model.rowCount() > 1)
        self.script_note.setText(
            self.tr("The script function {0} gives the reward; other terms are not used.").format(
                script
            )
        )
        self.pages.show_content(self.model.rowCount() > 0)

    def show_frame(self, result: FrameResult) -> None:
        """Show this frame's summands."""
        terms, gains = result.outcome.terms, result.gains or result.outcome.terms
        if result.outcome.frame <= self._last_frame:
            self.model.begin_episode()
        self._last_frame = result.outcome.frame
        if self._player < len(terms):
            self.model.set_contributions(terms[self._player], gains[self._player])
        self._result = result
        self._show_values()

    def show_sums(self, sums: Mapping[tuple[int, str], Sequence[float]]) -> None:
        """Draw the sums of each player's terms since the episode began."""
        self.model.set_sums({n: values for (p, n), values in sums.items() if p == self._player})

    def _show_values(self) -> None:
        """The variables on the frame shown last, beside the terms that use them."""
        result = self._result
        if result is None:
            return
        previous = result.previous or {}
        for row, card in enumerate(self.cards):
            name = str(self.model.index(row, RewardColumn.VARIABLE).data())
            value = result.values.get(name)
            change = 0 if value is None else value - previous.get(name, value)
            card.show_value(value, change)

    # -- user input -------------------------------------------------------------------------

    def add_term(self, name: str) -> None:
        """Reward a variable's growth."""
        if not self.model.has_term(name):
            self.edit_requested.emit((*self._path, "variables", name), {"reward": 1.0})

    def add_time(self) -> None:
        """Give each frame a price."""
        self.edit_requested.emit((*self._path, "time"), {"reward": -0.01})

    def remove_current(self) -> None:
        """Take out the term whose card has the focus."""
        for row, card in enumerate(self.cards):
            if card.hasFocus():
                self.remove_row(row)
                return

    def remove_row(self, row: int) -> None:
        """Take a term out of the scenario."""
        self.edit_requested.emit(self.model.at(row).path, None)

    def card(self, name: str) -> RewardCard | None:
        """The card of a variable's term."""
        row = self.model.row_of(name)
        return None if row is None else self.cards[row]

    def _rebuild(self) -> None:
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        for row in range(self.model.rowCount()):
            card = RewardCard(self._theme, self.model, row)
            card.remove_requested.connect(self.remove_row)
            card.rejected.connect(self.rejected)
            self.cards.append(card)
            self._column.insertWidget(row, card)
        self._show_values()

    def _refresh(self, first: QModelIndex, last: QModelIndex) -> None:
        numbers = {RewardColumn.NOW, RewardColumn.TREND}
        only_numbers = {first.column(), last.column()} <= numbers
        for card in self.cards[first.row() : last.row() + 1]:
            if only_numbers:
                card.refresh_numbers()
            else:
                card.refresh()
