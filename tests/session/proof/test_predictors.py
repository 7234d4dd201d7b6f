"""Bytes that lead a number, found by pokes of many bytes at once."""

from __future__ import annotations

from contextlib import closing

import pytest

from integrator.domain.values.memory import DataType
from integrator.session.proof.experiment import Experiment, MomentTaker, Target
from integrator.session.proof.plan import Predictors, byte_at, pokes_of, turned
from integrator.session.session import Session

EMBERS, TILE = 0x31A, Target(0x41B, DataType.parse("|n1"))


@pytest.mark.parametrize(
    ("byte", "low", "high", "poked"),
    [
        pytest.param(0x00, 1, 1, 0x11, id="both digits"),
        pytest.param(0x39, 1, 0, 0x30, id="no carry"),
        pytest.param(0x90, 0, 2, 0x10, id="the upper digit turns over"),
        pytest.param(0xF8, 1, 1, 0xE9, id="a half that is no digit"),
    ],
)
def test_halves_of_a_byte_count_on(byte: int, low: int, high: int, poked: int) -> None:
    assert turned(byte, low, high) == poked


@pytest.mark.parametrize("byte", [0x00, 0x09, 0x42, 0xFF])
def test_pokes_change_each_half_alone(byte: int) -> None:
    pokes = pokes_of(byte)
    assert byte not in pokes
    assert any(poke & 15 == byte & 15 for poke in pokes)
    assert len({poke & 15 for poke in pokes if poke >> 4 == byte >> 4}) >= 2


@pytest.mark.usefixtures("own_home")
def test_a_leader_is_found_in_a_block_of_a_large_memory(played: Session) -> None:
    space = played.memory.space
    moment = MomentTaker(played).present()
    with closing(Experiment(played.game.plan, space)) as experiment:
        assert space.size_bytes > 8000
        found = list(Predictors(experiment, TILE, moment, 2).found([]))
        first, *others = Predictors(experiment, TILE, moment, 2).found([byte_at(EMBERS)])
    assert byte_at(EMBERS) in found
    # The tile itself is poked by nobody, and a few other bytes decide what is drawn.
    assert byte_at(TILE.address) not in found
    assert len(found) < 12
    # Bytes that are suspected already come first, and once.
    assert first == byte_at(EMBERS)
    assert first not in others
