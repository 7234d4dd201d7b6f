"""One player's reward terms as a table, and the button that adds a variable to a scenario."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from integrator.domain.files.jsontext import JsonPath
from integrator.domain.values.variables import TIME_TERM
from integrator.ui.widgets.delegates import HISTORY
from integrator.ui.widgets.fields import parse_factor, parse_number
from integrator.ui.widgets.rows_model import Column, EditedRowsModel
from integrator.ui.widgets.texts import signed
from integrator.ui.widgets.theme import Theme


class VariableMenuButton(QPushButton):
    """``+ term``: offers the variables, and further entries."""

    chosen = Signal(str)
    extra_chosen = Signal(str)

    def __init__(self, text: str, theme: Theme, extras: Sequence[tuple[str, str]]) -> None:
        super().__init__(theme.icons.icon("plus"), text)
        self._extras = tuple(extras)
        self._menu = QMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self._names: Sequence[str] = ()
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


class TermKind(Enum):
    """The origin of a part of the reward: a variable, each frame's price, or a script."""

    VARIABLE = "variable"
    TIME = "time"
    SCRIPT = "script"


RewardColumn = IntEnum(
    "RewardColumn", "VARIABLE MEASUREMENT OP REFERENCE REWARD PENALTY NOW TREND", start=0
)


@dataclass(slots=True)
class Term:
    """A part of the reward, its summand ``now``, and the course of its sum."""

    name: str
    path: JsonPath
    value: Mapping[str, Any]
    kind: TermKind = TermKind.VARIABLE
    now: float = 0.0
    total: float = 0.0
    history: deque[float] = field(default_factory=lambda: deque(maxlen=HISTORY))


def as_object(value: object) -> Mapping[str, Any]:
    """``value`` if it is a JSON object, else an empty one: a broken file shows its good parts."""
    return value if isinstance(value, Mapping) else {}


class RewardModel(EditedRowsModel[Term]):
    """``edit_requested``: (JSON path, new value); a value of None asks to remove the key."""

    edit_requested = Signal(tuple, object)

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(theme, parent)
        self._known: frozenset[str] = frozenset()
        theme.changed.connect(self.all_changed)

    def set_block(
        self, path: JsonPath, block: Mapping[str, Any], known_variables: Sequence[str]
    ) -> None:
        """Show the reward block at ``path``; ``known_variables`` can be read."""
        self._known = frozenset(known_variables)
        terms = [
            Term(name, (*path, "variables", name), as_object(value))
            for name, value in as_object(block.get("variables")).items()
        ]
        if "time" in block:
            time = as_object(block["time"])
            terms.append(Term(TIME_TERM, (*path, "time"), time, TermKind.TIME))
        if block.get("script"):
            terms.insert(0, Term(str(block["script"]), (*path, "script"), {}, TermKind.SCRIPT))
        if [(t.path, t.name) for t in terms] == [(t.path, t.name) for t in self.rows]:
            for old, new in zip(self.rows, terms, strict=True):
                old.value = new.value
            self.all_changed()
        else:
            self.show(terms)

    def set_contributions(
        self, terms: Sequence[tuple[str, float]], gains: Sequence[tuple[str, float]]
    ) -> None:
        """Set each term's summand on the newest frame, and its sum since the last call."""
        given, gained = dict(terms), dict(gains)
        for at, term in enumerate(self.rows):
            gain = float(gained.get(term.name, 0.0))
            # A summand between two readouts is shown once, or nobody would see it.
            now = float(given.get(term.name, 0.0)) or gain
            term.total += gain
            term.history.append(term.total)
            if now != term.now:
                term.now = now
                self.cells_changed(at, RewardColumn.NOW, RewardColumn.NOW)
            self.cells_changed(at, RewardColumn.TREND, RewardColumn.TREND)

    def set_sums(self, sums: Mapping[str, Sequence[float]]) -> None:
        """Set each term's sums since the episode began, oldest first."""
        for at, term in enumerate(self.rows):
            values = sums.get(term.name, ())
            term.total = values[-1] if values else 0.0
            term.history = deque(values, maxlen=HISTORY)
            self.cells_changed(at, RewardColumn.TREND, RewardColumn.TREND)

    def begin_episode(self) -> None:
        """Begin new trends."""
        for term in self.rows:
            term.total = 0.0
            term.history.clear()
        self.all_changed()

    def has_term(self, name: str) -> bool:
        """True when a variable is rewarded already."""
        return any(term.name == name and term.kind is not TermKind.SCRIPT for term in self.rows)

    def row_of(self, name: str) -> int | None:
        """The row of a variable's term."""
        return next((at for at, term in enumerate(self.rows) if term.name == name), None)

    # -- cells ------------------------------------------------------------------------------

    def table(self) -> Sequence[Column[Term]]:
        """See :class:`RewardColumn`; cards show the texts."""
        return (
            Column(self.tr("variable"), lambda term: term.name, tip=self._lost),
            _of_key(self.tr("measure"), "measurement", str, "delta"),
            _of_key(self.tr("op"), "op", lambda text: text or None, ""),
            _of_key(self.tr("ref."), "reference", parse_number, 0),
            _of_key(self.tr("reward"), "reward", _factor, 0),
            _of_key(self.tr("penalty"), "penalty", _factor, 0),
            Column(self.tr("now"), lambda term: signed(term.now) if term.now else "·"),
            Column(self.tr("so far"), lambda _term: ""),
        )

    def trend(self, term: Term) -> Sequence[float]:
        """The sums of a term since the episode began."""
        return tuple(term.history)

    def take(self, row: int, value: tuple[str, object] | None) -> None:
        """Ask for another value of a key, unless the text is as it was."""
        if value is not None:
            self.edit_requested.emit((*self.rows[row].path, value[0]), value[1])

    def _lost(self, term: Term) -> str | None:
        if term.kind is not TermKind.VARIABLE or term.name in self._known:
            return None
        return self.tr("There is no variable “{0}”: this term gives nothing.").format(term.name)


def _of_key(
    title: str, key: str, parse: Callable[[str], object], default: str | int
) -> Column[Term]:
    """A column for a JSON key; ``parse`` gives None to remove the key."""

    def text_of(term: Term) -> str:
        return str(term.value.get(key, default))

    def edit(term: Term, text: str) -> tuple[str, object] | None:
        value = parse(text)
        return None if text == text_of(term) else (key, value)

    return Column(title, text_of, edit=edit)


def _factor(text: str) -> float:
    factor = parse_factor(text)
    whole = factor.is_integer() and "." not in text and "e" not in text.lower()
    return int(factor) if whole else factor
