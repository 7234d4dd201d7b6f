"""The steps of a search as chips; steps that a rule made one after the other share one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QPushButton

from integrator.domain.search.saved import SearchStep
from integrator.domain.search.search import Search
from integrator.ui.find.search.find_status import step_text
from integrator.ui.widgets.panels.labels import set_role
from integrator.ui.widgets.room.flow_box import FlowBox

MOST_CHIPS = 40
_BETWEEN = "start-from-now"
"""Steps that only take a picture of memory."""


@dataclass(frozen=True, slots=True)
class _Run:
    """Equal steps in a row: their number, the candidates left at last, and the step number."""

    step: SearchStep
    times: int
    last: int


class StepChips(FlowBox):
    """``command_requested``: undo back to the chip that was clicked."""

    command_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._shown: list[_Run] = []
        self.hide()

    def show_steps(self, steps: Sequence[SearchStep]) -> None:
        """One chip a run of equal steps, the last one lit; of very many, the newest."""
        runs = runs_of(steps)[-MOST_CHIPS:]
        if runs != self._shown:
            self._shown = runs
            self._rebuild(runs, len(steps))
        self.setVisible(bool(steps))

    def _rebuild(self, runs: list[_Run], steps: int) -> None:
        self.clear()
        for at, run in enumerate(runs):
            times = f" ×{run.times:,}" if run.times > 1 else ""
            chip = QPushButton(f"{step_text(run.step)}{times}   {run.step.count:,}")
            set_role(chip, "chip")
            chip.setCheckable(True)
            chip.setChecked(at == len(runs) - 1)
            chip.setToolTip(self.tr("Go back to this step"))
            back = steps - 1 - run.last
            chip.clicked.connect(lambda _=False, n=back: self._go_back(n))
            self.add(chip)

    def _go_back(self, steps: int) -> None:
        def undo(search: Search) -> None:
            for _ in range(steps):
                search.undo()

        # The chips are rebuilt by the answer: not while one of them still handles its click.
        QTimer.singleShot(0, self, lambda: self.command_requested.emit(undo))


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
