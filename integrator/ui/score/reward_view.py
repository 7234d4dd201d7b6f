"""The Reward panel: terms of a player, cards that edit them, and the scenario file that scores."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from PySide6.QtCore import QMargins, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from integrator.domain.files.jsontext import JsonPath
from integrator.domain.scenario.tree import Measurement
from integrator.domain.values.variables import TIME_TERM
from integrator.session.edits import commands as edits
from integrator.session.edits.snapshot import Documents
from integrator.session.frame.result import FrameResult
from integrator.session.rescoring import TermSums, term_sums
from integrator.session.timeline_facts import TREND_POINTS
from integrator.ui import widgets as ui
from integrator.ui.actions.shortcuts import panel_action
from integrator.ui.terms import measurement_tip, op_choices, op_tip, takes_reference
from integrator.ui.window_context import PanelView


@dataclass(slots=True)
class Term:
    """A term of the reward: its contribution ``now``, and the history of its sum in the episode.
    ``keys`` can be edited: all keys of a variable's term, none of a script's. ``known``: the
    variable can be read."""

    name: str
    path: JsonPath
    value: Mapping[str, Any]
    keys: tuple[str, ...]
    known: bool = True
    now: float = 0.0
    history: deque[float] = field(default_factory=lambda: deque(maxlen=TREND_POINTS))

    def take(self, given: float, gain: float) -> None:
        """Store the contribution at the newest frame, and the sum since the last readout."""
        # A contribution between two readouts is shown once, because otherwise nobody would see it.
        self.now = given or gain
        self.history.append((self.history[-1] if self.history else 0.0) + gain)


def _factor(text: str) -> float:
    factor = ui.parse_factor(text)
    whole = factor.is_integer() and "." not in text and "e" not in text.lower()
    return int(factor) if whole else factor


_KEYS: Mapping[str, tuple[str | int, Callable[[str], object]]] = {
    "measurement": ("delta", str),
    "op": ("", lambda text: text or None),
    "reference": (0, ui.parse_number),
    "reward": (0, _factor),
    "penalty": (0, _factor),
}
"""The keys of a variable's term, with defaults and functions that parse a text; None removes the
key. The first two keys have a choice of values, the others a text field."""
_CHOSEN = ("measurement", "op")


def as_object(value: object) -> Mapping[str, Any]:
    """Return ``value`` if it is a JSON object, else {}, so that a broken file shows the rest."""
    return value if isinstance(value, Mapping) else {}


def terms_of(scenario: Mapping[str, Any], player: int, variables: Sequence[str]) -> list[Term]:
    """Return the terms of a player; ``variables`` are the variables that can be read."""
    path, block = block_of(scenario, player)
    terms = [
        Term(name, (*path, "variables", name), as_object(value), tuple(_KEYS), name in variables)
        for name, value in as_object(block.get("variables")).items()
    ]
    if "time" in block:
        terms.append(Term(TIME_TERM, (*path, "time"), as_object(block["time"]), ("reward",)))
    if block.get("script"):
        terms.insert(0, Term(str(block["script"]), (*path, "script"), {}, ()))
    return terms


def block_of(scenario: Mapping[str, Any], player: int) -> tuple[JsonPath, Mapping[str, Any]]:
    """Return a player's block with its path: from the list, or else the first player's own."""
    rewards = scenario.get("rewards")
    block = {} if player else scenario.get("reward")
    if isinstance(rewards, list | tuple) and player < len(rewards) and (player or not block):
        return ("rewards", player), as_object(rewards[player])
    return ("rewards", player) if player else ("reward",), as_object(block)


class VariableButton(QPushButton):
    """A button with a menu of the variables ``names``, and further entries with actions."""

    def __init__(
        self, text: str, name: str, add: Callable[[str], object], extras: Mapping[str, ui.Call]
    ) -> None:
        super().__init__(text)
        self._add, self._extras = add, extras
        self.names: Sequence[str] = ()
        self._menu = ui.drop_menu(self, self._fill)
        ui.configured(self, "flat", accessibleName=name, icon="plus")

    def open_menu(self, panel: QWidget) -> None:
        pointer = QCursor.pos()
        if panel.rect().contains(panel.mapFromGlobal(pointer)):
            self._menu.popup(pointer)
        else:
            self.showMenu()

    def _fill(self, menu: QMenu) -> None:
        for name in self.names:
            menu.addAction(name, partial(self._add, name))
        if not self.names:
            menu.addAction(self.tr("Name a variable first")).setEnabled(False)
        menu.addSeparator()
        for text, add in self._extras.items():
            menu.addAction(text, add)


class RewardCard(QFrame):
    """Edits a term; an invalid text is reported next to its field. ``edited`` gives (JSON path, new
    value), where None removes the key or the whole term."""

    edited = Signal(tuple, object)
    rejected = Signal(str)

    def __init__(self, term: Term) -> None:
        super().__init__()
        name, policy = self.tr("Reward term {0}").format(term.name), Qt.FocusPolicy.ClickFocus
        ui.styled(self, "Card", accessibleName=name, focusPolicy=policy)
        self.term = term
        self.title = ui.role_label(term.name, "subheading")
        tip = self.tr("The variable now, and its change on the frame shown")
        self.value = ui.configured(ui.LiveLabel(), "secondary", font=ui.mono_font(), toolTip=tip)
        tip = self.tr("The reward of this term on the frame shown")
        self.now = ui.role_label("·", font=ui.mono_font(), toolTip=tip)
        tip = self.tr("Sum of this term since the episode began")
        self.trend = ui.configured(ui.TrendLine(), toolTip=tip)
        op = self.tr(
            "The op on the measured number: — keeps it, the others give 1 when they hold, else 0"
        )
        measurement = self.tr(
            "delta: how much the variable changed on this frame; absolute: the variable itself"
        )
        reward = self.tr("A positive result is multiplied by this")
        penalty = self.tr("A negative result is multiplied by this (the result is negative itself)")
        texts = {
            "measurement": (self.tr("measure"), measurement),
            "op": (self.tr("op"), op),
            "reference": (self.tr("ref."), self.tr("The number that the op compares with")),
            "reward": (self.tr("reward"), reward),
            "penalty": (self.tr("penalty"), penalty),
        }
        self._tips = {key: tip for key, (_, tip) in texts.items()}
        self.boxes = {key: self._box(key, texts[key][0]) for key in term.keys if key in _CHOSEN}
        typed = [key for key in term.keys if key not in _CHOSEN]
        self.fields = {key: self._field(key, texts[key][0]) for key in typed}
        tip, name = self.tr("Remove this term (Del)"), self.tr("Remove {0}").format(term.name)
        remove = ui.icon_button("trash", tip, self.remove, accessibleName=name)
        parts: list[QWidget] = [ui.role_label(self.tr("every frame"), "faint")]
        if self.boxes:
            parts = [self.value, *self.boxes.values(), self.fields["reference"]]
        first = ui.hbox(self.title, *parts, None, self.now, remove, gap=7)
        second = ui.hbox(gap=7)
        for key in [key for key in typed if key != "reference"]:
            second.addWidget(ui.role_label(texts[key][0], "faint"))
            second.addWidget(self.fields[key])
        second.addWidget(self.trend, 1)
        ui.vbox(first, second, on=self, margins=(11, 7, 7, 8), gap=5)
        self.refresh()

    def _box(self, key: str, title: str) -> QComboBox:
        values, tip_of = [value for value, _ in op_choices()], op_tip
        if key == "measurement":
            values, tip_of = [each.value for each in reversed(Measurement)], measurement_tip
        entries = [(value or self.tr("op —"), value, tip_of(value)) for value in values]

        def commit() -> None:
            self._commit(key, str(box.currentData()))

        box = ui.combo_box(title, commit, role="quiet", entries=entries)
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        ui.configured(box, sizeAdjustPolicy=policy, minimumContentsLength=5, maximumWidth=150)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return box

    def _field(self, key: str, title: str) -> QLineEdit:
        line = ui.line_edit(title, "", tip=self._tips[key], width=58)
        line.textEdited.connect(lambda text: self._check(key, line, text))
        line.editingFinished.connect(lambda: self._finish(key, line))
        return line

    def _text(self, key: str) -> str:
        return str(self.term.value.get(key, _KEYS[key][0]))

    def refresh(self) -> None:
        """Show the term's current values, except in a field in which the user is typing."""
        term = self.term
        for key, box in self.boxes.items():
            box.setCurrentIndex(max(0, box.findData(self._text(key))))
            meaning = box.itemData(box.currentIndex(), Qt.ItemDataRole.ToolTipRole)
            box.setToolTip(f"{self._tips[key]}\n{box.currentText()}: {meaning}")
        for key, line in self.fields.items():
            if not line.isModified():
                line.setText(self._text(key))
            if key == "reference":
                line.setVisible(takes_reference(str(self.boxes["op"].currentData())))
        ui.set_role(self.title, "subheading" if term.known else "warn")
        lost = self.tr("There is no variable “{0}”: this term gives nothing.").format(term.name)
        self.title.setToolTip("" if term.known else lost)

    def show_numbers(self, value: float | None, change: float) -> None:
        text = "" if value is None else ui.plain_number(value)
        self.value.setText(f"{text} ({ui.signed(change)})" if text and change else text)
        now = self.term.now
        self.now.setText(self.tr("{0} this frame").format(ui.signed(now)) if now else "·")
        ui.set_role(self.now, "faint" if not now else "bad" if now < 0 else "good")
        self.trend.show_values(tuple(self.term.history))

    def remove(self) -> None:
        self.edited.emit(self.term.path, None)

    def _check(self, key: str, line: QLineEdit, text: str) -> None:
        ui.mark_invalid(line, ui.problem_of(_KEYS[key][1], text), self._tips[key])

    def _finish(self, key: str, line: QLineEdit) -> None:
        if not line.isModified():
            return
        line.setModified(False)
        if line.property("invalid"):
            self.rejected.emit(line.toolTip())
            self._check(key, line, "0")
            self.refresh()
        else:
            self._commit(key, line.text())

    def _commit(self, key: str, text: str) -> None:
        if text != self._text(key):
            self.edited.emit((*self.term.path, key), _KEYS[key][1](text))


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
            path = (*self._path, "variables", name)
            self._controller.set_in_scenario(path, {"reward": 1.0})

    def add_time(self) -> None:
        self._controller.set_in_scenario((*self._path, "time"), {"reward": -0.01})

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
        self.cards = [RewardCard(term) for term in terms]
        for row, card in enumerate(self.cards):
            card.edited.connect(self._controller.set_in_scenario)
            card.rejected.connect(self._warn)
            self._column.insertWidget(row, card)
        self._show_numbers()

    def use_scenario(self, name: str) -> None:
        self._controller.edit(lambda game: game.use_scenario(name))

    def add_scenario(self, name: str) -> None:
        self._controller.edit(edits.add_scenario(name))

    def ask_scenario(self) -> None:
        title = self.tr("New scenario file")
        label = self.tr("Name, as training will say it (without .json):")
        if name := self._ask_text(title, label, "scenario2"):
            self.add_scenario(name.removesuffix(".json"))
