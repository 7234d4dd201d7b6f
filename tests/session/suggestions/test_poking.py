"""Pokes that tell a number from others that explain the same box, on the demo game."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.suggest.numbers import Number, number_at
from integrator.domain.suggest.pointing import Explanation
from integrator.domain.values.memory import DataType
from integrator.session.session import Session
from integrator.session.suggestions.pointing import (
    PointRun,
    PokeTrial,
    by_pokes,
    course_of,
    lead_of,
)
from integrator.session.suggestions.recorded_play import Box
from integrator.session.suggestions.suggesting import play_of

pytestmark = pytest.mark.usefixtures("own_home")

SCORE_BOX = Box(8, 16, 56, 8)
DRAWN_FROM, POSITION = 0x30D, 0x340


def explanation(place: int, values: NDArray[np.int64]) -> Explanation:
    steady = np.ones(len(values), np.bool_)
    return Explanation(Number(place, DataType.parse("|u1"), values, steady), 1)


def test_a_box_shows_the_bytes_that_it_is_drawn_from(played: Session) -> None:
    recorded, host = played.recorded_play(), played.host
    states: list[bytes] = []
    run = PointRun(recorded, SCORE_BOX)
    samples, box = run.samples(host, states, lambda: False)
    play, space = play_of(recorded), recorded.space
    trial = PokeTrial(host, space, box, samples, states, recorded.inputs.shape[1])

    def shows(address: int, spec: str) -> int:
        places = [k for k in range(len(play.rest)) if space.address_of(k) == address]
        return trial.shows(play, number_at(play, places[0], DataType.parse(spec)))

    assert shows(DRAWN_FROM, ">n4") > 0
    assert shows(POSITION, "|u1") == 0


def test_numbers_that_move_with_a_shown_one_come_first() -> None:
    up, other = np.arange(6, dtype=np.int64), np.array([0, 1, 1, 2, 2, 3], np.int64)
    copy, rival, drawn = explanation(1, 7 * up), explanation(2, other), explanation(3, up)
    rows = np.arange(6)
    assert by_pokes([rival, copy, drawn], [0, 0, 2], rows) == [copy, drawn, rival]
    assert by_pokes([rival, copy, drawn], [1, 0, 2], rows) == [copy, drawn, rival]
    assert by_pokes([rival, copy, drawn], [0, 0, 0], rows) == [rival, copy, drawn]


def test_the_lead_is_over_the_next_number_that_moves_otherwise() -> None:
    up, other = np.arange(6, dtype=np.int64), np.array([0, 1, 1, 2, 2, 3], np.int64)
    best = replace(explanation(1, up), bits=20.0)
    copy, rival = replace(best, bits=19.0), replace(explanation(2, other), bits=12.0)
    found, rows = [best, copy, rival], np.arange(6)
    assert lead_of(found, found, [0, 0, 0], rows) == 8
    assert lead_of(found, found, [0, 0, 2], rows) < 0
    assert lead_of(found, found, [2, 0, 0], rows) > 8
    assert lead_of([best], [best], [0], rows) == 20
    assert lead_of([], [], [], rows) == 0


def test_two_readings_of_a_shown_byte_keep_their_order() -> None:
    low, pair = np.arange(6, dtype=np.int64), np.array([0, 1, 2, 3, 14, 15], np.int64)
    score, rows = explanation(8, low), np.arange(6)
    both = Explanation(Number(7, DataType.parse(">u2"), pair, score.number.steady), 2)
    elsewhere = explanation(20, np.array([0, 1, 1, 1, 1, 1], np.int64))
    assert by_pokes([elsewhere, score, both], [0, 0, 2], rows) == [score, both, elsewhere]


def test_numbers_move_alike_by_the_same_steps() -> None:
    steps = np.array([0, 20, 30, 150], np.int64)
    assert course_of(steps) == course_of(100 * steps + 7)
    # As many different values at the same moments are another number.
    assert course_of(steps) != course_of(np.array([0, 40, 50, 60], np.int64))
    assert course_of(np.zeros(4, np.int64)) == course_of(np.full(4, 9))
