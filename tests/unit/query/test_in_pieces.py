"""Numbers in pieces: digits that do not touch, tile codes, high bytes elsewhere, and their Lua."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from integrator.domain.query.facts import parse_facts
from integrator.domain.query.pieces import (
    Coding,
    Piece,
    Pieces,
    reward_function,
    script_of,
    variables_of,
)
from integrator.domain.query.solve import Evidence, Solution, forgiving
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.tree import ScriptCall
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace, DataType, Region

SIZE, BASE, FRAMES = 256, 0x400, 400
SPACE = AddressSpace([Region(BASE, SIZE)])
TYPES = [DataType.parse(s) for s in ("|u1", "|d1", "<u2", ">u2", ">d2", "<>n4", "<n4")]
SHOWN = np.cumsum(np.where(np.arange(FRAMES) % 25 == 24, 373, 0))
FACTS = "\n".join(f"{frame} = {SHOWN[frame]}" for frame in (60, 130, 230, 330, 390))
TILES = Coding(10, zero=0x30)


@pytest.fixture
def rams() -> NDArray[np.uint8]:
    """Frames in which a third of the bytes jump about, and the others rest."""
    rng = np.random.default_rng(7)
    rams = np.tile(rng.integers(0, 256, SIZE, dtype=np.uint8), (FRAMES, 1))
    rams[:, 160:] = rng.integers(0, 256, (FRAMES, SIZE - 160), dtype=np.uint8)
    return rams


def plant(
    rams: NDArray[np.uint8],
    coding: Coding,
    offsets: Sequence[int],
    numbers: NDArray[np.int64] = SHOWN,
    blank: int | None = None,
) -> None:
    for place, offset in enumerate(offsets):
        digits = numbers // coding.base**place % coding.base
        raw = digits * coding.step + coding.zero
        if coding.base == 100:
            raw = digits // 10 << 4 | digits % 10
        kept = rams[:, offset] & (0xFF - coding.mask)
        rams[:, offset] = kept | raw
        if blank is not None and place:
            rams[numbers < coding.base**place, offset] = blank


def ask(rams: NDArray[np.uint8], facts: str = FACTS) -> Solution:
    timeline = Timeline(SIZE, 1)
    timeline.discontinuity("state", b"", rams[0])
    count = len(rams) - 1
    timeline.append(
        np.zeros((count, 1), np.uint16),
        rams[1:],
        rewards=np.zeros((count, 1), np.float32),
        done=np.zeros(count, np.bool_),
    )
    try:
        return forgiving(SPACE, TYPES, [Evidence(timeline, parse_facts(facts))])
    finally:
        timeline.close()


def shown_by(pieces: Pieces, rams: NDArray[np.uint8]) -> NDArray[np.int64]:
    return pieces.numbers(rams[:, [each.address - BASE for each in pieces.pieces]])


@pytest.mark.parametrize(
    ("coding", "offsets"),
    [
        (Coding(10), (40, 42, 44, 46)),
        (Coding(10), (60, 56, 52, 48)),
        (TILES, (40, 42, 44, 46)),
        (TILES, (43, 42, 41, 40)),
        (Coding(10, 8), (50, 48, 46, 44)),
        (Coding(10, 16, 0xF0), (40, 43, 46, 49)),
        (Coding(100), (70, 68)),
        (Coding(256), (90, 30)),
    ],
    ids=str,
)
def test_pieces_are_found_right_on_every_frame(
    rams: NDArray[np.uint8], coding: Coding, offsets: tuple[int, ...]
) -> None:
    plant(rams, coding, offsets)
    best = ask(rams).in_pieces[0]
    assert best.coding == coding
    found = [each.address - BASE for each in best.pieces]
    assert set(offsets) <= set(found)
    assert (shown_by(best, rams) == SHOWN).all()


def test_a_digit_that_no_fact_changes_is_told_by_its_place(rams: NDArray[np.uint8]) -> None:
    numbers = np.maximum(SHOWN, 1110) % 700 + 2000
    plant(rams, TILES, (40, 42, 44, 46), numbers)
    facts = "\n".join(f"{frame} = {numbers[frame]}" for frame in (130, 230, 330, 390))
    best = ask(rams, facts).in_pieces[0]
    assert [each.address - BASE for each in best.pieces][:4] == [40, 42, 44, 46]


def test_higher_digits_join_that_are_carried_into_after_the_last_fact(
    rams: NDArray[np.uint8],
) -> None:
    plant(rams, TILES, (40, 42, 44, 46))
    facts = "\n".join(["40 = 373", "52 = 746", "55 = 746", FACTS.splitlines()[0]])
    best = ask(rams, facts).in_pieces[0]
    assert (shown_by(best, rams) == SHOWN).all()
    rams[:, 46] = 0x30 + np.arange(FRAMES) % 10
    assert len(ask(rams, facts).in_pieces[0].pieces) == 3


def test_packed_digits_join_that_are_carried_into_after_the_last_fact(
    rams: NDArray[np.uint8],
) -> None:
    numbers = SHOWN * 7
    plant(rams, Coding(100), (40, 42, 44), numbers)
    facts = "\n".join(f"{frame} = {numbers[frame]}" for frame in (10, 40, 60, 85))
    best = ask(rams, facts).in_pieces[0]
    assert (shown_by(best, rams) == numbers).all()
    for other in (0, 0x10 + np.arange(FRAMES) % 10):
        rams[:, 44] = other
        assert len(ask(rams, facts).in_pieces[0].pieces) == 2


def test_zeros_in_front_may_be_blank(rams: NDArray[np.uint8]) -> None:
    plant(rams, TILES, (40, 42, 44, 46), blank=0x20)
    best = ask(rams).in_pieces[0]
    assert best.coding == TILES
    assert (shown_by(best, rams) == SHOWN).all()


def test_digits_may_lie_irregularly(rams: NDArray[np.uint8]) -> None:
    plant(rams, TILES, (40, 42, 43, 46))
    best = ask(rams).in_pieces[0]
    assert [each.address - BASE for each in best.pieces] == [40, 42, 43, 46]
    assert best.stride is None


def test_a_constant_last_zero_needs_no_piece(rams: NDArray[np.uint8]) -> None:
    plant(rams, Coding(100), (70, 68))
    facts = "\n".join(f"{line}0" for line in FACTS.splitlines())
    best = ask(rams, facts).in_pieces[0]
    assert [each.weight for each in best.pieces] == [10, 1000]
    assert (shown_by(best, rams) == SHOWN * 10).all()


def test_facts_about_behavior_hold_too(rams: NDArray[np.uint8]) -> None:
    plant(rams, TILES, (40, 42, 44, 46))
    assert ask(rams, f"{FACTS}\n1..399 only grows").in_pieces
    assert not ask(rams, f"{FACTS}\n1..399 only falls").in_pieces


def test_bytes_that_are_digits_at_the_facts_alone_are_no_pieces(rams: NDArray[np.uint8]) -> None:
    said = [60, 130, 230, 330, 390]
    kept = rams.copy()
    plant(rams, TILES, (160, 162, 164, 166))
    kept[said] = rams[said]
    assert not ask(kept).in_pieces


def test_a_plain_number_leaves_no_room_for_pieces(rams: NDArray[np.uint8]) -> None:
    plant(rams, TILES, (40, 42, 44, 46))
    rams[:, 20], rams[:, 21] = SHOWN & 255, SHOWN >> 8
    solution = ask(rams)
    assert solution.matches[0].address == BASE + 20
    assert not solution.in_pieces


def test_places_that_mirror_each_other_are_one_row(rams: NDArray[np.uint8]) -> None:
    plant(rams, TILES, (40, 42, 44, 46))
    plant(rams, TILES, (80, 82, 84, 86))
    [best] = ask(rams).in_pieces
    assert best.copies == 1


def test_pieces_are_told_in_words() -> None:
    pieces = Pieces(TILES, tuple(Piece(0x440 - 2 * place, 10**place) for place in range(3)))
    assert str(pieces) == (
        "3 pieces, the lowest first, at 0x440 and every -2 bytes: one digit per byte, 0 is 0x30"
    )


class _Variables:
    """The memory of a script: the variables of pieces in one frame."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}

    def read_variable(self, name: str) -> int:
        return self.values[name]

    def write_variable(self, name: str, _value: int) -> None:
        raise KeyError(name)

    def read_byte(self, address: int) -> int:
        raise AssertionError(address)


CODINGS = (Coding(10), TILES, Coding(10, 8), Coding(10, 1, 0x0F), Coding(10, 16, 0xF0))


@given(
    st.sampled_from((*CODINGS, Coding(100), Coding(256))),
    st.lists(st.binary(min_size=3, max_size=3), min_size=1, max_size=4),
)
def test_the_script_gives_the_same_number_and_rewards_its_growth(
    coding: Coding, frames: list[bytes]
) -> None:
    pieces = Pieces(coding, tuple(Piece(number, coding.base**number) for number in range(3)))
    specs = variables_of("score", pieces, {"score_1"})
    assert [spec.name for spec in specs] == ["score_0", "score_12", "score_2"]
    memory = _Variables()
    hooks = ScriptHooks({"score.lua": script_of("score", pieces, specs)}, memory)
    hooks.reset()
    before = None
    for raw in frames:
        stored = coding.stored(np.frombuffer(raw, np.uint8)).tolist()
        memory.values = dict(zip((spec.name for spec in specs), stored, strict=True))
        number = int(pieces.numbers(np.frombuffer(raw, np.uint8)[np.newaxis])[0])
        assert hooks.call(ScriptCall("score_number")) == number
        points = max(0, number - (number if before is None else before))
        assert hooks.call(ScriptCall(reward_function("score"))) == points
        assert hooks.custom == {"score": number}
        before = number


def test_a_variable_of_a_piece_reads_as_its_coding_says() -> None:
    for coding in CODINGS:
        [spec] = variables_of("it", Pieces(coding, (Piece(0x80, 1),)), ())
        raw = np.arange(256, dtype=np.uint8)
        read = spec.type.decode_array(raw[:, np.newaxis])
        masked = read if spec.mask is None else read & spec.mask
        assert (masked == replace(coding, zero=0).stored(raw)).all()
