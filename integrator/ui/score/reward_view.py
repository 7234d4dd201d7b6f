"""The Reward panel: the terms of one player, and the choice of the scenario file that scores."""

from collections import deque
from functools import partial

from PySide6.QtCore import QMargins
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from integrator.domain.files.jsontext import JsonPath
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import FrameResult
from integrator.session.rescoring import TermSums, term_sums
from integrator.session.timeline_facts import TREND_POINTS
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.score.reward_cards import RewardCard, Term, VariableButton, block_of, terms_of
from integrator.ui.window_context import PanelView


class RewardView(PanelView):
    """The reward of one player, in the scenario file that scores."""

    def _set_up(self) -> None:
        self._path: JsonPath = ("reward",)
        self._last_frame = 0
        self.cards: list[RewardCard] = []
        text, name = self.tr("term"), self.tr("Add reward term")
        extras = {self.tr("time: every frame"): self.add_time}
        self.add = VariableButton(text, name, self.add_term, extras)
        panel_action("reward.remove", self, self._remove_current).setIcon(ui.icon("trash"))
        margins = QMargins(ui.SIZES.pad, 8, ui.SIZES.pad, 0)
        self.script_note = ui.NoteLabel("warn", contentsMargins=margins)
        body = ui.styled(QWidget(), "ScrollBody")
        self._column = ui.vbox(None, on=body, margins=9, gap=7)
        scroll = QScrollArea(widgetResizable=True)
        ui.named(scroll, self.tr("Reward terms"), widget=body)
        tip = self.tr(
            "The scenario file that scores. An integration may have several; training picks one "
            "by its name."
        )

        def use() -> None:
            self.use_scenario(str(self.scenario_box.currentData()))

        self.scenario_box = ui.combo_box(self.tr("Scenario file"), use, tip)
        tip, name = self.tr("Copy this scenario into a new file"), self.tr("New scenario file")
        new = ui.icon_button("plus", tip, self.ask_scenario, accessibleName=name)
        self.players_box = ui.PlayerSegments(self.tr("The rewards of player {0}"))
        self.players_box.player_chosen.connect(self.show_player)
        self._bar = QFrame()
        parts = (self.scenario_box, new, None, self.players_box)
        ui.hbox(*parts, on=self._bar, margins=(9, 8, 9, 0), gap=5)
        ways = [self._actions["suggest"], self._actions["add_reward"]]
        self._fill(scroll, "reward", "reward", ways, above=(self._bar, self.script_note))
        self._script_text = ""
        self._dock.header.row.addWidget(self.add)
        sums = partial(term_sums, points=TREND_POINTS)
        self._sums = self._reader(lambda: sums, self._show_sums, 60, self._forget_sums)
        self._sight.follow(self._bridge.readout_ready, self.show_frame)
        self._controller.follow(self._show, "scenario", "variables")
        self._controller.scored.connect(self._sums.touch)

    def _closed(self) -> None:
        self.show_player(0)

    def _show(self, documents: Documents) -> None:
        self._show_scenario()
        box, names = self.scenario_box, documents.scenario_names
        if [box.itemData(i) for i in range(box.count())] != list(names):
            box.clear()
            for name in names:
                box.addItem(f"{name}.json", name)
        box.setCurrentIndex(box.findData(documents.scenario_name))

    def show_player(self, player: int) -> None:
        self.players_box.show_player(player)
        self._show_scenario()

    def _show_scenario(self) -> None:
        scenario, names = self._controller.scenario, list(self._controller.variables)
        self._bar.setVisible(bool(scenario) or bool(names))
        self._path, block = block_of(scenario, self.players_box.player)
        self._show_terms(terms_of(scenario, self.players_box.player, names))
        self.add.names = [name for name in names if not self._has(name)]
        text, script = "", block.get("script")
        if script and len(self.terms) > 1:
            text = self.tr("The script function {0} gives the reward; other terms are not used.")
        self._script_text = text.format(script)
        self.script_note.setText(self._script_text)
        self._sums.touch()
        self.pages.show_content(bool(self.terms))

    def show_frame(self, result: FrameResult) -> None:
        outcome = result.outcome
        terms, gains = outcome.terms, result.gains or outcome.terms
        if outcome.frame <= self._last_frame:
            for term in self.terms:
                term.history.clear()
        self._last_frame = outcome.frame
        if (player := self.players_box.player) < len(terms):
            given, gained = dict(terms[player]), dict(gains[player])
            for term in self.terms:
                term.take(float(given.get(term.name, 0)), float(gained.get(term.name, 0)))
        self._show_numbers()
        newest = result.newest_rewards[0] if outcome.rewards else 0.0
        total = outcome.total_rewards[0] if outcome.total_rewards else 0.0
        note = self.tr("{0} this frame · {1} so far")
        self._dock.header.note.setText(note.format(ui.signed(newest), ui.plain_number(total)))
        if self._controller.paused:  # This frame may not follow the last one.
            self._sums.touch()

    def _forget_sums(self, reason: Exception) -> None:
        self._show_sums({})
        self.script_note.setText(str(reason))

    def _show_sums(self, sums: TermSums) -> None:
        self.script_note.setText(self._script_text)
        for term in self.terms:
            term.history = deque(sums.get((self.players_box.player, term.name), ()), TREND_POINTS)
        self._show_numbers()

    def _show_numbers(self) -> None:
        result = self._controller.last
        values, previous = (result.values, result.previous or {}) if result else ({}, {})
        for card in self.cards:
            value = values.get(card.term.name)
            change = 0 if value is None else value - previous.get(card.term.name, value)
            card.show_numbers(value, change)

    def add_term(self, name: str) -> None:
        if not self._has(name):
            self.edit((*self._path, "variables", name), {"reward": 1.0})

    def add_time(self) -> None:
        self.edit((*self._path, "time"), {"reward": -0.01})

    def _remove_current(self) -> None:
        for card in self.cards:
            if card.hasFocus():
                card.remove()

    @property
    def terms(self) -> list[Term]:
        return [card.term for card in self.cards]

    def card(self, name: str) -> RewardCard | None:
        return next((card for card in self.cards if card.term.name == name), None)

    def _has(self, name: str) -> bool:
        return any(term.name == name and term.keys for term in self.terms)

    def _show_terms(self, terms: list[Term]) -> None:
        """Show terms. Cards are rebuilt only if terms were added or removed."""
        if [(t.path, t.name) for t in terms] == [(t.path, t.name) for t in self.terms]:
            for card, new in zip(self.cards, terms, strict=True):
                card.term.value, card.term.known = new.value, new.known
                card.refresh()
            return
        for card in self.cards:
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = [RewardCard(self._theme, term) for term in terms]
        for row, card in enumerate(self.cards):
            card.edited.connect(self.edit)
            card.rejected.connect(self._warn)
            self._column.insertWidget(row, card)
        self._show_numbers()

    def edit(self, path: JsonPath, value: object) -> None:
        """Set a value of the scenario; None removes the key."""
        self._controller.edit(edits.set_in_scenario(path, value))

    def use_scenario(self, name: str) -> None:
        self._controller.edit(lambda game: game.use_scenario(name))

    def add_scenario(self, name: str) -> None:
        self._controller.edit(edits.add_scenario(name))

    def ask_scenario(self) -> None:
        title = self.tr("New scenario file")
        label = self.tr("Name, as training will say it (without .json):")
        if name := self._ask_text(title, label, "scenario2"):
            self.add_scenario(name.removesuffix(".json"))
