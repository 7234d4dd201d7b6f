"""From a marked place on the screen to the bytes that draw it."""

from __future__ import annotations

import numpy as np
import pytest

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.session.proof.experiment import Rectangle, prepare_redraws, suspected
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def played(played: Session) -> Session:
    played.timeline.seek(900)
    return played


@pytest.mark.parametrize(
    ("rectangle", "addresses"),
    [
        # Digits that changed in the last seconds: tens and hundreds, or the only digit.
        (Rectangle(8, 16, 48, 8), {0x30F, 0x310}),
        (Rectangle(160, 16, 16, 8), {0x418, 0x419, 0x304}),
        (Rectangle(208, 16, 8, 8), {0x41A, 0x302}),
    ],
)
def test_digits_lead_to_their_bytes(
    played: Session, rectangle: Rectangle, addresses: set[int]
) -> None:
    found = prepare_redraws(played, rectangle).run()
    assert {each.address for each in found if not each.outside} == addresses
    assert played.timeline.position == 900


def test_it_can_be_cancelled(played: Session) -> None:
    steps: list[tuple[int, int]] = []
    search = prepare_redraws(played, Rectangle(8, 16, 48, 8))
    search.run(lambda *step: steps.append(step), lambda: len(steps) >= 3)
    assert [done for done, _ in steps] == [1, 2, 3]


def test_a_place_that_rests_leads_nowhere(played: Session) -> None:
    assert prepare_redraws(played, Rectangle(0, 0, 8, 8)).run() == ()


def test_play_is_needed() -> None:
    with integrator.open_session(demo_game()) as session:
        session.reset()
        with pytest.raises(SessionError, match="play until"):
            prepare_redraws(session, Rectangle(0, 0, 8, 8))


def test_bytes_that_change_all_the_time_are_suspected_last() -> None:
    drawn = np.zeros(40, np.bool_)
    drawn[[10, 20, 30]] = True
    changed = [
        np.array([0] + ([5] if frame in {9, 19, 29} else []) + ([7] if frame == 9 else []))
        for frame in range(40)
    ]
    assert suspected(drawn.tolist(), changed, 16) == [5, 7, 0]
    assert suspected([False] * 40, changed, 16) == []
