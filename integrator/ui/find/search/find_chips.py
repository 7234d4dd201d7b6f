"""The steps of a search as chips; steps that a rule made one after the other share one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QTimer

from integrator.domain.search.operators import OPERATORS
from integrator.domain.search.saved import SearchStep
from integrator.domain.search.search import Search
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.session.searches import SearchCommand
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.fitting import FlowBox
from integrator.ui.widgets.panels.parts import push_button
from integrator.ui.widgets.translation import translate

MOST_CHIPS = 40
_BETWEEN = "start-from-now"
"""Steps that only take a picture of memory."""


_NAMES = {
    "keep-at": QT_TRANSLATE_NOOP("FindView", "draws the mark"),
    "start-from-now": QT_TRANSLATE_NOOP("FindView", "from here"),
    "limit-to": QT_TRANSLATE_NOOP("FindView", "within"),
    "exclude": QT_TRANSLATE_NOOP("FindView", "without"),
    "align": QT_TRANSLATE_NOOP("FindView", "every"),
}


@dataclass(frozen=True, slots=True)
class _Run:
    """Equal steps in a row: their number, the candidates left at last, and the step number."""

    step: SearchStep
    times: int
    last: int


class StepChips(FlowBox):
    """``run`` gets a command for the search: undo back to the chip that was clicked."""

    def __init__(self, run: Callable[[SearchCommand], object]) -> None:
        super().__init__()
        self._run = run
        self._shown: list[_Run] = []
        self.hide()

    def show_steps(self, steps: Sequence[SearchStep]) -> None:
        runs = runs_of(steps)[-MOST_CHIPS:]
        if runs != self._shown:
            self._shown = runs
            self._rebuild(runs, len(steps))
        self.setVisible(bool(steps))

    def _rebuild(self, runs: list[_Run], steps: int) -> None:
        self.clear()
        for at, run in enumerate(runs):
            times = f" ×{run.times:,}" if run.times > 1 else ""
            text = f"{step_text(run.step)}{times}   {run.step.count:,}"
            back = partial(self._go_back, steps - 1 - run.last)
            chip = push_button(text, back, self.tr("Go back to this step"), "chip")
            chip.setCheckable(True)
            chip.setChecked(at == len(runs) - 1)
            self.add(chip)

    def _go_back(self, steps: int) -> None:
        def undo(search: Search) -> None:
            for _ in range(steps):
                search.undo()

        # The chips are rebuilt by the answer: not while one of them still handles its click.
        QTimer.singleShot(0, self, lambda: self._run(undo))


def runs_of(steps: Sequence[SearchStep]) -> list[_Run]:
    """Steps with repetitions of the step before folded into it."""
    runs: list[_Run] = []
    for at, step in enumerate(steps):
        before = runs[-1] if runs else None
        if before is not None and step.op == _BETWEEN:
            runs[-1] = _Run(before.step, before.times, at)
        elif before is not None and _alike(before.step, step):
            runs[-1] = _Run(step, before.times + 1, at)
        else:
            runs.append(_Run(step, 1, at))
    return runs


def _alike(one: SearchStep, other: SearchStep) -> bool:
    # A number searched twice by hand is two answers; a rule's repetitions carry none.
    same = (one.op, one.against) == (other.op, other.against)
    return same and one.value is None and other.value is None


def step_text(step: SearchStep) -> str:
    """A step as a chip says it: ``= 20``, ``unchanged``, ``+ 3``."""
    if step.op in ("limit-to", "exclude") and isinstance(step.value, tuple):
        low, high = step.value
        last = high - 1 if step.op == "limit-to" else low + high - 1
        span = address_text(low) if last == low else f"{address_text(low)}…{last:X}"
        return f"{translate('FindView', _NAMES[step.op])} {span}"
    name = translate("FindView", _NAMES[step.op]) if step.op in _NAMES else step.op
    if step.value is None:
        return name if step.against in ("previous", "value") else f"{name} ({step.against})"
    value = (
        "…".join(str(v) for v in step.value) if isinstance(step.value, tuple) else str(step.value)
    )
    sign = OPERATORS[step.op].sign if step.op in OPERATORS else ""
    return f"{sign or name} {value}"
