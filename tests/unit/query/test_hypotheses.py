"""Facts as people state them: neighboring frames, late steps, lines, bits; order of matches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.query.facts import (
    Equals,
    Fact,
    Transition,
    Trend,
    parse_facts,
)
from integrator.domain.query.rank import Match
from integrator.domain.query.solve import Evidence, Solution, forgiving
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace, DataType, Region

FRAMES = 400
SPACE = AddressSpace([Region(0x80, 64)])
TYPES = [DataType.parse(s) for s in ("|u1", "|d1", "<u2", ">u2", ">d2", "<>n4", "<n4")]


@pytest.fixture
def rams() -> NDArray[np.uint8]:
    """Frames in which ten bytes jump about and the others rest."""
    rng = np.random.default_rng(5)
    rams = np.tile(rng.integers(0, 256, 64, dtype=np.uint8), (FRAMES, 1))
    rams[:, 50:60] = rng.integers(0, 256, (FRAMES, 10), dtype=np.uint8)
    return rams


def plant(rams: NDArray[np.uint8], address: int, spec: str, series: Sequence[int]) -> None:
    kind = DataType.parse(spec)
    for ram, value in zip(rams, series, strict=True):
        ram[SPACE.offsets(address, kind.width)] = list(kind.encode(value))


def ask(
    rams: NDArray[np.uint8], facts: str | Sequence[Fact], types: Sequence[DataType] = TYPES
) -> Solution:
    timeline = Timeline(64, 1)
    timeline.discontinuity("state", b"", rams[0])
    count = len(rams) - 1
    timeline.append(
        np.zeros((count, 1), np.uint16),
        rams[1:],
        rewards=np.zeros((count, 1), np.float32),
        done=np.zeros(count, np.bool_),
    )
    given = parse_facts(facts) if isinstance(facts, str) else tuple(facts)
    try:
        return forgiving(SPACE, types, [Evidence(timeline, given)])
    finally:
        timeline.close()


def best(solution: Solution) -> Match:
    assert solution.matches[0].failed is None
    return solution.matches[0]


STEPS = [3 - frame // 110 for frame in range(FRAMES)]
SCORE = [frame // 30 for frame in range(FRAMES)]


def test_numbers_stated_a_few_frames_beside_are_found(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x90, "|u1", SCORE)
    match = best(ask(rams, "85 = 3\n154 = 5\n204 = 6\n335 = 11"))
    assert (match.address, match.off_frames) == (0x90, 8)
    exact = best(ask(rams, "95 = 3\n154 = 5\n204 = 6\n335 = 11"))
    assert (exact.address, exact.off_frames) == (0x90, 0)


def test_a_byte_that_is_no_digit_for_a_moment_is_none(rams: NDArray[np.uint8]) -> None:
    """The byte below a score rests at zero, as a last digit would, but for two frames."""
    tens = [sum(frame >= at for at in (60, 170, 300)) for frame in range(FRAMES)]
    plant(rams, 0x91, "|u1", tens)
    plant(rams, 0x90, "|u1", [int(frame in (100, 101)) for frame in range(FRAMES)])
    kinds = [*TYPES, DataType.parse("<n2")]
    match = best(ask(rams, "20 = 0\n150 = 10\n200 = 20\n350 = 30", kinds))
    assert (match.address, str(match.type), match.scale.divisor) == (0x91, "|u1", 10)


def test_nine_frames_beside_are_too_many(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x90, "|u1", SCORE)
    solution = ask(rams, "81 = 3\n154 = 5\n204 = 6\n335 = 11", [TYPES[0]])
    fits = [match.address for match in solution.matches if match.failed is None]
    assert 0x90 not in fits


def test_a_step_stated_late_means_the_old_number_was_seen_before(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x91, "|u1", STEPS)
    match = best(ask(rams, "118: 3 -> 2\n228: 2 -> 1"))
    assert match.address == 0x91
    # Numbers that rest for less than half a second: the old one stood only somewhere in it.
    plant(rams, 0x92, "|u1", [frame // 12 for frame in range(FRAMES)])
    match = best(ask(rams, "66: 4 -> 5\n126: 9 -> 10\n246: 19 -> 20"))
    assert match.address == 0x92


def test_a_step_does_not_fit_backwards(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x91, "|u1", STEPS)
    solution = ask(rams, "110: 2 -> 3\n220: 1 -> 2", [TYPES[0]])
    assert 0x91 not in {match.address for match in solution.matches if match.failed is None}


@pytest.mark.parametrize(
    ("slope", "constant", "text", "formula"),
    [
        (5, 0, "x5", "shown = 5 × stored"),
        (25, 0, "x25", "shown = 25 × stored"),
        (50, 0, "x50", "shown = 50 × stored"),
        (8, 0, "x8", "shown = 8 × stored"),
        (-1, 28, "x-1 +28", "shown = 28 - stored"),
        (10, 7, "x10 +7", "shown = 10 × stored + 7"),
    ],
)
def test_lines_are_solved(
    rams: NDArray[np.uint8], slope: int, constant: int, text: str, formula: str
) -> None:
    plant(rams, 0x93, ">d2", [120 + number for number in SCORE])
    at = (45, 165, 225, 345)
    facts = [Equals(frame, slope * (120 + SCORE[frame]) + constant) for frame in at]
    match = best(ask(rams, facts))
    named = {(each.address, str(each.type)): each.scale for each in match.readings}
    assert str(named[0x93, ">d2"]) == text
    assert named[0x93, ">d2"].formula == formula


def test_a_line_at_frames_beside(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x93, "|u1", SCORE)
    match = best(ask(rams, "85 = 95\n154 = 93\n204 = 92\n335 = 87", [TYPES[0]]))
    assert (match.address, str(match.scale), match.off_frames) == (0x93, "x-1 +98", 8)


def test_behavior_is_that_of_the_shown_number(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x93, "|u1", SCORE)
    numbers = [Equals(frame, 40 - SCORE[frame]) for frame in (45, 165, 345)]
    down: list[Fact] = [*numbers, Trend(45, 345, "down"), Trend(91, 118, "unchanged")]
    up: list[Fact] = [*numbers, Trend(45, 345, "up")]
    assert best(ask(rams, down, [TYPES[0]])).address == 0x93
    grows: list[Fact] = [*numbers, Trend(45, 344, "only grows")]
    rests: list[Fact] = [*numbers, Trend(80, 118, "unchanged")]
    for wrong in (up, grows, rests):
        found = [match for match in ask(rams, wrong, [TYPES[0]]).matches if match.failed is None]
        assert 0x93 not in {match.address for match in found}


def test_with_two_numbers_only_multiples_and_counting_down(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x93, "|u1", SCORE)
    scales = {
        str(match.scale)
        for facts in ("45 = 5\n345 = 55", "45 = 27\n345 = 17", "45 = 1003\n345 = 1033")
        for match in ask(rams, facts, [TYPES[0]]).matches
        for each in match.readings
        if each.address == 0x93 and match.failed is None
    }
    assert scales == {"x5", "x-1 +28"}


def test_bits_of_a_byte_are_the_last_hypothesis(rams: NDArray[np.uint8]) -> None:
    rng = np.random.default_rng(2)
    lives = np.array([1 + number % 4 for number in SCORE], np.uint8)
    rams[:, 0x14] = lives << 4 | rng.integers(0, 16, FRAMES, dtype=np.uint8)
    match = best(ask(rams, "45 = 2\n75 = 3\n105 = 4\n125 = 1\n170 = 2\n200 = 3"))
    assert (match.address, match.mask, str(match.scale)) == (0x94, 0xF0, "/16")
    assert match.scale.shown(0x30) == 3


def test_a_byte_that_is_no_digit_at_times_comes_after_bits(rams: NDArray[np.uint8]) -> None:
    """When the game is over, another picture stands for a moment in the place of the digit."""
    rng = np.random.default_rng(4)
    lives = np.array([5 - number % 5 for number in SCORE], np.uint8)
    drawn = lives.copy()
    drawn[250:262] = 0x93
    rams[:, 0x18] = drawn
    rams[:, 0x14] = lives | rng.integers(0, 16, FRAMES, dtype=np.uint8) << 4
    facts = "15 = 5\n75 = 3\n105 = 2\n225 = 3"
    match = best(ask(rams, facts, [*TYPES, DataType.parse("|n1")]))
    # The low half as one digit shows the same number, but its byte is none either.
    assert (match.address, str(match.type), match.mask) == (0x94, "|u1", 0x07)


def test_copies_agree_on_every_frame(rams: NDArray[np.uint8]) -> None:
    late = [*SCORE[:1], *SCORE[:-1]]
    plant(rams, 0x90, "|u1", SCORE)
    plant(rams, 0xA0, "|u1", SCORE)
    plant(rams, 0x98, "|u1", late)
    match = best(ask(rams, "15 = 0\n45 = 1\n165 = 5\n345 = 11", [TYPES[0]]))
    assert [each.address for each in match.readings] == [0x90, 0xA0]


def test_of_matches_that_fit_the_quiet_one_comes_first(rams: NDArray[np.uint8]) -> None:
    restless = [number if frame % 30 > 9 else 200 for frame, number in enumerate(SCORE)]
    plant(rams, 0x84, "|u1", restless)
    plant(rams, 0x90, "|u1", SCORE)
    found = [match.address for match in ask(rams, "45 = 1\n165 = 5\n345 = 11").matches]
    assert found.index(0x90) < found.index(0x84)


def test_a_number_that_goes_beyond_its_low_byte_is_read_whole(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x90, ">d2", [number * 10 for number in SCORE])
    match = best(ask(rams, "45 = 10\n165 = 50\n195 = 60\n225 = 70"))
    assert (match.address, str(match.type), str(match.scale)) == (0x90, ">d2", "")


def test_a_number_that_carried_is_read_whole_though_no_fact_says_so(
    rams: NDArray[np.uint8],
) -> None:
    """It starts again several times, which makes the way of the whole number the longer one."""
    series = [frame % 200 // 10 * 10 for frame in range(FRAMES)]
    plant(rams, 0x90, ">d2", series)
    facts = "15 = 10\n45 = 40\n225 = 20\n285 = 80"
    assert [series[frame] for frame in (15, 45, 225, 285)] == [10, 40, 20, 80]
    match = best(ask(rams, facts))
    assert (match.address, str(match.type)) == (0x90, ">d2")


def test_plain_types_come_before_mixed_orders(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x90, "<n4", [1000 + number for number in SCORE])
    first = best(ask(rams, "45 = 1001\n165 = 1005\n345 = 1011"))
    assert str(first.type) == "<n4"


def test_zeros_alone_are_warned_of(rams: NDArray[np.uint8]) -> None:
    assert ask(rams, "5 = 0\n9 = 0").all_zero
    assert not ask(rams, "5 = 0\n9 = 1").all_zero
    assert not ask(rams, [Trend(0, 19, "unchanged")]).all_zero


def test_transitions_are_taken_at_their_word_first(rams: NDArray[np.uint8]) -> None:
    plant(rams, 0x91, "|u1", STEPS)
    match = best(ask(rams, [Transition(100, 120, 3, 2), Transition(215, 225, 2, 1)]))
    assert (match.address, match.off_frames) == (0x91, 0)
