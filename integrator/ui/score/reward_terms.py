"""One player's reward terms in the scenario, their fields, and their summands on each frame."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from integrator.domain.files.jsontext import JsonPath
from integrator.domain.values.variables import TIME_TERM
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.widgets.delegates import HISTORY
from integrator.ui.widgets.fields import parse_factor, parse_number
from integrator.ui.widgets.theme import Theme


class TermKind(Enum):
    """The origin of a part of the reward: a variable, each frame's price, or a script."""

    VARIABLE = "variable"
    TIME = "time"
    SCRIPT = "script"


@dataclass(slots=True)
class Term:
    """A part of the reward, its summand ``now``, and the course of its sum since the episode began.

    ``known``: its variable can be read.
    """

    name: str
    path: JsonPath
    value: Mapping[str, Any]
    kind: TermKind = TermKind.VARIABLE
    known: bool = True
    now: float = 0.0
    history: deque[float] = field(default_factory=lambda: deque(maxlen=HISTORY))

    def take(self, given: float, gain: float) -> None:
        """Take the summand of the newest frame, and the sum since the frame read before it."""
        # A summand between two readouts is shown once, or nobody would see it.
        self.now = given or gain
        self.history.append((self.history[-1] if self.history else 0.0) + gain)


@dataclass(frozen=True, slots=True)
class TermField:
    """A key of a term with its default; ``parse`` reads a typed text, and None removes the key."""

    title: str
    tip: str
    default: str | int
    parse: Callable[[str], object]


def _factor(text: str) -> float:
    factor = parse_factor(text)
    whole = factor.is_integer() and "." not in text and "e" not in text.lower()
    return int(factor) if whole else factor


CHOICES: Mapping[str, TermField] = {
    "measurement": TermField(
        QT_TRANSLATE_NOOP("RewardCard", "measure"),
        QT_TRANSLATE_NOOP(
            "RewardCard",
            "delta: how much the variable changed on this frame; absolute: the variable itself",
        ),
        "delta",
        str,
    ),
    "op": TermField(
        QT_TRANSLATE_NOOP("RewardCard", "op"),
        QT_TRANSLATE_NOOP(
            "RewardCard",
            "The op on the measured number: — keeps it, the others give 1 when they hold, else 0",
        ),
        "",
        lambda text: text or None,
    ),
}
NUMBERS: Mapping[str, TermField] = {
    "reference": TermField(
        QT_TRANSLATE_NOOP("RewardCard", "ref."),
        QT_TRANSLATE_NOOP("RewardCard", "The number that the op compares with"),
        0,
        parse_number,
    ),
    "reward": TermField(
        QT_TRANSLATE_NOOP("RewardCard", "reward"),
        QT_TRANSLATE_NOOP("RewardCard", "A positive result is multiplied by this"),
        0,
        _factor,
    ),
    "penalty": TermField(
        QT_TRANSLATE_NOOP("RewardCard", "penalty"),
        QT_TRANSLATE_NOOP(
            "RewardCard", "A negative result is multiplied by this (the result is negative itself)"
        ),
        0,
        _factor,
    ),
}
"""The keys of a variable's term that are chosen, and those that are typed."""


def as_object(value: object) -> Mapping[str, Any]:
    """``value`` if it is a JSON object, else an empty one: a broken file shows its good parts."""
    return value if isinstance(value, Mapping) else {}


def terms_of(scenario: Mapping[str, Any], player: int, variables: Sequence[str]) -> list[Term]:
    """The terms of a player; ``variables`` can be read."""
    path, block = block_of(scenario, player)
    terms = [
        Term(name, (*path, "variables", name), as_object(value), known=name in variables)
        for name, value in as_object(block.get("variables")).items()
    ]
    if "time" in block:
        terms.append(Term(TIME_TERM, (*path, "time"), as_object(block["time"]), TermKind.TIME))
    if block.get("script"):
        terms.insert(0, Term(str(block["script"]), (*path, "script"), {}, TermKind.SCRIPT))
    return terms


def block_of(scenario: Mapping[str, Any], player: int) -> tuple[JsonPath, Mapping[str, Any]]:
    """The path of a player's block, and the block: from the list, or else the first's own."""
    rewards = scenario.get("rewards")
    block = {} if player else scenario.get("reward")
    if isinstance(rewards, list | tuple) and player < len(rewards) and (player or not block):
        return ("rewards", player), as_object(rewards[player])
    return ("rewards", player) if player else ("reward",), as_object(block)


class VariableMenuButton(QPushButton):
    """``+ term``: offers the variables, and further entries."""

    chosen = Signal(str)
    extra_chosen = Signal(str)

    def __init__(self, text: str, theme: Theme, extras: Sequence[tuple[str, str]]) -> None:
        super().__init__(theme.icons.icon("plus"), text)
        self._extras = tuple(extras)
        self._names: Sequence[str] = ()
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.setProperty("role", "flat")

    def set_names(self, names: Sequence[str]) -> None:
        """Variables to offer."""
        self._names = tuple(names)

    def open_menu(self, panel: QWidget) -> None:
        """Open the menu where the user clicked in its panel, or else below this button."""
        pointer = QCursor.pos()
        if panel.rect().contains(panel.mapFromGlobal(pointer)):
            self._menu.popup(pointer)
        else:
            self.showMenu()

    def _fill(self) -> None:
        self._menu.clear()
        for name in self._names:
            self._menu.addAction(name, partial(self.chosen.emit, name))
        if not self._names:
            self._menu.addAction(self.tr("Name a variable first")).setEnabled(False)
        self._menu.addSeparator()
        for key, text in self._extras:
            self._menu.addAction(text, partial(self.extra_chosen.emit, key))
