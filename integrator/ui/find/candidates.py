"""The list of a search's candidates, and chips for the steps of the search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QTimer

from integrator.domain.query.rank import MOST_GROUPED, Reading, groups_of
from integrator.domain.search.operators import OPERATORS
from integrator.domain.search.results import Candidate
from integrator.domain.search.saved import SearchStep
from integrator.domain.search.search import Search
from integrator.domain.values.variables import Neighbors, VariableSpec
from integrator.domain.words import tr
from integrator.session.searches import SearchCommand
from integrator.ui import widgets as ui
from integrator.ui.find.results_model import Pages, ResultColumn, ResultLine, ResultsModel, Text
from integrator.ui.terms import wrap_warning

CandidateColumn = IntEnum(
    "CandidateColumn", "ADDRESS TYPE SCALE VALUE PREVIOUS CHANGES AGE NEAR PROOF", start=0
)
Line = ResultLine[Candidate]
Column = ResultColumn[Candidate]


def _number_text(number: float) -> str:
    """Return a cell's text; a float has seven digits, the precision of its four bytes."""
    return str(number) if isinstance(number, int) else f"{number:.7g}"


class CandidatesModel(ResultsModel[Candidate]):
    """Rows of an immutable sequence of candidates, updated with live values from memory."""

    _candidates: Sequence[Candidate] = ()
    grouped = False
    _neighbors = Neighbors({})

    def table(self) -> Sequence[Column]:
        # One line for each word keeps the columns as narrow as their numbers.
        last = self.tr("last search").replace(" ", "\n")
        quiet = self.tr("quiet for").replace(" ", "\n")
        previous = self.tr("The number at the last step of the search")
        changes = self.tr("How many times it changed from frame to frame")
        age = self.tr("Frames since it changed")
        near = self.tr(
            "The variable at this address, or the nearest one with the distance in bytes"
        )
        value = {"color": self._value_color, "name": "value", "whole": True}

        def faint(title: str, text: Text[Candidate], width: int, tip: str, **traits: Any) -> Column:
            traits |= {"color": self.tint("faint"), "title_tip": tip}
            return self.number(title, text, width, **traits)

        def near_text(line: Line) -> str:
            return self._neighbors.text(line.item.address, line.item.type.width)

        nearby = {"color": self.tint("secondary"), "title_tip": near}

        def age_text(line: Line) -> str:
            return "" if line.item.age < 0 else str(line.item.age)

        return (
            self.address(80),
            self.type(60),
            self.scale(62, "secondary"),
            self.number(self.tr("value"), lambda line: _number_text(line.item.value), 56, **value),
            faint(last, lambda line: _number_text(line.item.previous), 70, previous, spare=2),
            faint(self.tr("changes"), lambda line: str(line.item.changes), 72, changes, spare=3),
            faint(quiet, age_text, 60, age, name="age", spare=1),
            self.column(self.tr("variable"), near_text, 104, name="near", **nearby),
            self.verdict(112, stretch=True),
        )

    def set_candidates(self, candidates: Sequence[Candidate]) -> None:
        self._candidates = candidates
        if self.grouped and len(candidates) <= MOST_GROUPED:
            self.show_groups(groups_of(candidates))
        else:
            self.show(Pages(candidates))

    def set_grouped(self, grouped: bool) -> None:
        self.grouped = grouped
        self.set_candidates(self._candidates)

    def set_live(self, first: int, present: Sequence[Candidate]) -> None:
        """Update the rows from ``first`` on that still show the candidates of ``present``."""
        for row, fresh in zip(range(first, len(self.rows)), present, strict=False):
            shown = self.item(row)
            same = (shown.address, shown.type_text) == (fresh.address, fresh.type_text)
            if same and fresh != shown:
                self.put(row, fresh, "value", "age")

    def set_variables(self, variables: Mapping[str, VariableSpec]) -> None:
        self._neighbors = Neighbors(variables)
        self.column_changed("near")

    def reading(self, item: Candidate) -> Reading:
        return Reading(item.address, item.type, item.scale, item.mask, item.real)

    def _address_text(self, line: Line) -> str:
        text = super()._address_text(line)
        if isinstance(self.rows, Pages) or line.is_member:
            return f"   {text}" if line.is_member else text
        sign = "▾" if line.unfolded else "▸"
        return f"{sign if line.members else ' '} {text}"

    def _proof_text(self, line: Line) -> str:
        return super()._proof_text(line) or self._agreement(line)[0]

    def _scale_tip(self, item: Candidate) -> str | None:
        text = self.tr("The screen shows {0} when memory holds {1}")
        return text.format(item.shown, item.value) if str(item.scale) else None

    def _type_tip(self, item: Candidate) -> str:
        if item.real is not None:
            return self.tr(
                "Floating-point number of four bytes. data.json has no such type: a variable "
                "holds the bytes, and a script makes the number of them."
            )
        if item.mask is None:
            return super()._type_tip(item)
        text = self.tr("{0} of the byte: a variable of it has the mask {1} (0x{1:X})")
        return text.format(ui.bits_text(item.mask), item.mask)

    def _warning(self, item: Candidate) -> str:
        if item.mask is not None or item.real is not None:
            return ""
        return wrap_warning(item.type, max(item.value, item.previous, item.first))

    def _value_color(self, line: Line) -> str | None:
        grown = line.item.value - line.item.previous
        return ("good" if grown > 0 else "bad") if grown else None


_NAMES = {
    "keep-at": tr("draws the mark"),
    "start-from-now": tr("from here"),
    "limit-to": tr("within"),
    "exclude": tr("without"),
    "align": tr("every"),
}


class _StepRun(NamedTuple):
    """Consecutive equal steps: the newest one, their number, and the index of the last one."""

    step: SearchStep
    times: int
    last: int


class StepChips(ui.FlowBox):
    """One chip for each run of equal steps; a click undoes the steps after it, by ``run``."""

    def __init__(self, run: Callable[[SearchCommand], object]) -> None:
        super().__init__()
        self._run = run
        self._shown: list[_StepRun] = []
        self.hide()

    def show_steps(self, steps: Sequence[SearchStep]) -> None:
        runs = runs_of(steps)[-40:]  # older chips would fill the panel
        self.setVisible(bool(steps))
        if runs == self._shown:
            return
        self._shown = runs
        self.clear()
        tip = self.tr("Go back to this step")
        for at, run in enumerate(runs):
            times = f" ×{ui.grouped(run.times)}" if run.times > 1 else ""
            text = f"{step_text(run.step)}{times}   {ui.grouped(run.step.count)}"
            back = partial(self._go_back, len(steps) - 1 - run.last)
            newest = at == len(runs) - 1
            self.add(ui.push_button(text, back, tip, "chip", checkable=True, checked=newest))

    def _go_back(self, steps: int) -> None:
        def undo(search: Search) -> None:
            for _ in range(steps):
                search.undo()

        # The answer replaces the chips, so wait until the clicked chip has handled its click.
        QTimer.singleShot(0, self, lambda: self._run(undo))


def runs_of(steps: Sequence[SearchStep]) -> list[_StepRun]:
    runs: list[_StepRun] = []
    for at, step in enumerate(steps):
        before = runs[-1] if runs else None
        if before is not None and step.op == "start-from-now":  # This step only copies memory.
            runs[-1] = before._replace(last=at)
            continue
        # Two searches for a number by hand stay separate; only steps of a rule have no value.
        plain = replace(step, count=0)
        if before is not None and step.value is None and replace(before.step, count=0) == plain:
            runs[-1] = _StepRun(step, before.times + 1, at)
        else:
            runs.append(_StepRun(step, 1, at))
    return runs


def step_text(step: SearchStep) -> str:
    """Return the text of a step's chip: ``= 20``, ``unchanged``, ``+ 3``."""
    name = ui.words(_NAMES[step.op]) if step.op in _NAMES else step.op
    if step.op in ("limit-to", "exclude") and isinstance(step.value, tuple):
        low, high = step.value
        last = high - 1 if step.op == "limit-to" else low + high - 1
        span = ui.address_text(low) if last == low else f"{ui.address_text(low)}…{last:X}"
        return f"{name} {span}"
    if step.value is None:
        return name if step.against in ("previous", "value") else f"{name} ({step.against})"
    value = "…".join(map(str, step.value)) if isinstance(step.value, tuple) else str(step.value)
    sign = OPERATORS[step.op].sign if step.op in OPERATORS else ""
    return f"{sign or name} {value}"
