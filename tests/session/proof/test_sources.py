"""The number that another one is computed from, and the moments that tell nothing of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.values.memory import DataType
from integrator.session.proof.experiment import FORK_FRAMES, Moment, Target
from integrator.session.proof.judge import Trial, course_of, moves, switches
from integrator.session.proof.plan import plan_tasks
from integrator.session.setup.game import POWER_ON
from scripts.demo_script import play_script

BYTE = DataType.parse("|u1")
DIGIT, POINTER = Target(0x80, BYTE), Target(0x90, BYTE)
MOMENT = Moment(10, b"", np.zeros((4, 1), np.uint16), np.zeros(1, np.uint8))


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
    # 14 has the low digit of 4, which is all that the pointer shows.
    assert moves(POINTER, [TO_FOUR, TO_TWO, trial([20, 20, 20, 20], [24, 32, 32, 32])])


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


def test_an_icon_comes_whatever_the_number_is_poked_to() -> None:
    shown = [trial([digit] * 4, [24, 40, 40, 40], spread=0.3) for digit in (4, 2, 7)]
    assert not moves(POINTER, shown)
    assert switches(POINTER, shown)
    hidden = trial([5, 5, 5, 5], [24, 24, 24, 24])
    assert switches(POINTER, [*shown, hidden])
    assert not switches(POINTER, [shown[0], hidden])
    assert not switches(POINTER, [*shown, trial([9, 3, 3, 3], [24, 24, 24, 24])])
    assert not switches(POINTER, [])


@pytest.mark.usefixtures("own_home")
def test_bytes_that_tell_a_number_are_suspected_first() -> None:
    with integrator.open_session(demo_game(), state=POWER_ON) as session:
        play_script(session)
        tiles = Target(0x418, DataType.parse(">n2"))
        [task] = plan_tasks(session, [tiles], None)
    # 0x304 is the clock that the tiles show.
    assert 0x304 in [suspect.address for suspect in task.suspects[:3]]


@pytest.mark.usefixtures("own_home")
def test_changes_by_a_new_game_are_no_moments() -> None:
    with integrator.open_session(demo_game(), state=POWER_ON) as session:
        play_script(session)
        started = session.timeline.length
        for address in (*range(0x800), *range(0x6000, 0x7000)):
            session.memory.write(address, "|u1", 255 - session.memory.read(address, "|u1"))
        session.advance(frames=60)
        score = session.integration.variables["score"]
        [task] = plan_tasks(session, [Target(score.address, score.type)], None)
    present, *others = [moment.frame for moment in task.moments]
    assert present > started
    assert others
    assert all(frame < started - 2 for frame in others)


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
