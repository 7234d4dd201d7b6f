"""The number that another one is computed from, and the moments that tell nothing of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import integrator
from integrator.commands.shared.games import demo_game
from integrator.domain.values.datatype import DataType
from integrator.session.proof.bench import Trial
from integrator.session.proof.judge import course_of
from integrator.session.proof.lab import FORK_FRAMES, Moment, Target
from integrator.session.proof.plan import plan_tasks
from integrator.session.proof.sources import moves

BYTE = DataType.parse("|u1")
DIGIT, POINTER = Target(0x80, BYTE), Target(0x90, BYTE)
MOMENT = Moment(
    10, b"", np.zeros((0, 1), np.uint16), np.zeros((4, 1), np.uint16), np.zeros(1, np.uint8)
)


def trial(digits: Sequence[int], pointers: Sequence[int], spread: float = 0.02) -> Trial:
    """A poke of a digit that stands at 3, whose glyph starts at 8 times the digit."""
    base, poked = np.full(4, 3), np.array(digits)
    course = course_of(MOMENT.frame, BYTE, base, poked, effect=True)
    numbers = {DIGIT: base, POINTER: np.full(4, 24)}, {DIGIT: poked, POINTER: np.array(pointers)}
    return Trial(DIGIT, MOMENT, *numbers, course, None, spread)


TO_FOUR = trial([4, 4, 4, 4], [24, 32, 32, 32])
TO_TWO = trial([2, 2, 2, 2], [24, 16, 16, 16])
TO_OTHER_HALF = trial([19, 19, 19, 19], [24, 24, 24, 24])


def test_a_pointer_to_glyphs_moves_by_other_amounts() -> None:
    assert moves(POINTER, [TO_FOUR, TO_TWO])
    assert moves(POINTER, [TO_FOUR, TO_TWO, TO_OTHER_HALF])


@pytest.mark.parametrize(
    "trials",
    [
        pytest.param([], id="no poke"),
        pytest.param([TO_FOUR], id="a single poke"),
        pytest.param([TO_FOUR, TO_OTHER_HALF], id="one that moved it, of two"),
        pytest.param([TO_FOUR, trial([2, 2, 2, 2], [24, 32, 32, 32])], id="the same for all pokes"),
        pytest.param([TO_FOUR, trial([2, 2, 2, 2], [24, 24, 24, 16])], id="late and seldom"),
        pytest.param([TO_FOUR, trial([2, 2, 2, 2], [24, 16, 16, 16], 0.6)], id="a game upset"),
        pytest.param([TO_FOUR, TO_TWO, trial([9, 3, 3, 3], [24, 24, 24, 24])], id="rewritten"),
    ],
)
def test_pokes_that_tell_of_no_source(trials: Sequence[Trial]) -> None:
    assert not moves(POINTER, trials)


@pytest.mark.usefixtures("own_home")
def test_moments_from_which_a_fork_would_cross_a_reset_are_skipped() -> None:
    with integrator.open_session(demo_game()) as session:
        session.reset()
        session.advance(frames=200)
        jump = session.timeline.length
        session.reset()
        [task] = plan_tasks(session, [Target(0x314, DataType.parse("<u2"))], None)
        present, *others = [moment.frame for moment in task.moments]
    assert present == jump + 1
    assert others
    assert all(frame + FORK_FRAMES <= jump for frame in others)
