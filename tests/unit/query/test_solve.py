"""Facts about recorded play, against a slow search, and on recordings with planted variables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nightly import more_by_night
from numpy.typing import NDArray
from strictly import solve

from integrator.domain.errors import SearchError, TimelineError
from integrator.domain.query.facts import Equals, Fact, Transition, Trend
from integrator.domain.query.rank import Match
from integrator.domain.query.solve import Evidence, Solution, forgiving
from integrator.domain.sweep.readings import PLAIN, Scale, scales_of
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace, DataType, Overlay, Region

SPACE = AddressSpace([Region(0xFF0000, 64), Region(0xFF1000, 16)], Overlay.parse(["=", ">", 2]))
TYPES = [DataType.parse(spec) for spec in ("|u1", ">u2", "|i1", ">i2", ">d2", "<d4", ">n4")]


def timeline_of(rams: NDArray[np.uint8]) -> Timeline:
    """A timeline whose frames 0 to n - 1 have the given raw RAM."""
    timeline = Timeline(rams.shape[1], 1)
    timeline.discontinuity("state", b"", rams[0])
    frames = len(rams) - 1
    timeline.append(
        np.zeros((frames, 1), np.uint16),
        rams[1:],
        rewards=np.zeros((frames, 1), np.float32),
        done=np.zeros(frames, np.bool_),
    )
    return timeline


@pytest.fixture
def noise() -> NDArray[np.uint8]:
    """120 frames in which a few bytes jump about and most rest."""
    rng = np.random.default_rng(3)
    rams = np.tile(rng.integers(0, 256, SPACE.size_bytes, dtype=np.uint8), (120, 1))
    busy = rng.choice(SPACE.size_bytes, 12, replace=False)
    rams[:, busy] = rng.integers(0, 256, (120, 12), dtype=np.uint8)
    return rams


def plant(rams: NDArray[np.uint8], address: int, spec: str, series: list[int]) -> None:
    """Write a value for each frame."""
    kind = DataType.parse(spec)
    for ram, value in zip(rams, series, strict=True):
        ram[SPACE.offsets(address, kind.width)] = list(kind.encode(value))


def answers(solution: Solution) -> Iterator[tuple[int, str, str]]:
    for match in solution.matches:
        if match.failed is None:
            for reading in match.readings:
                yield reading.address, str(reading.type), str(reading.scale)


def test_a_score_kept_without_its_last_zeros_is_found(noise: NDArray[np.uint8]) -> None:
    score = [12 + 3 * (frame // 40) for frame in range(120)]
    plant(noise, 0xFF0010, ">u2", score)
    timeline = timeline_of(noise)
    facts: tuple[Fact, ...] = (
        Equals(5, 1200),
        Transition(30, 50, 1200, 1500),
        Trend(40, 79, "unchanged"),
        Trend(0, 119, "only grows"),
        Trend(70, 90, "up"),
    )
    solution = solve(SPACE, TYPES, [Evidence(timeline, facts)])
    found = set(answers(solution))
    assert (0xFF0010, ">u2", "x100") in found
    assert (0xFF0011, "|u1", "x100") in found
    assert {address for address, _, _ in found} <= {0xFF000F, 0xFF0010, 0xFF0011, 0xFF000E}
    timeline.close()


def test_one_wrong_fact_leaves_a_near_miss_that_names_it(noise: NDArray[np.uint8]) -> None:
    plant(noise, 0xFF1002, ">d2", [1000 + frame for frame in range(120)])
    timeline = timeline_of(noise)
    wrong = Equals(7, 4321)
    facts: tuple[Fact, ...] = (
        Equals(3, 1003),
        wrong,
        Equals(100, 1100),
        Trend(0, 119, "only grows"),
    )
    solution = solve(SPACE, TYPES, [Evidence(timeline, facts)])
    assert solution.exact_count == 0
    best = solution.matches[0]
    assert (best.address, str(best.type), best.scale, best.failed) == (
        0xFF1002,
        ">d2",
        PLAIN,
        wrong,
    )
    timeline.close()


@pytest.mark.parametrize("spec", ["|u1", ">d2", ">n4"])
def test_one_frame_in_a_long_range_is_enough_to_fail(spec: str) -> None:
    kind = DataType.parse(spec)
    rams = np.zeros((1000, SPACE.size_bytes), np.uint8)
    plant(rams, 0xFF0008, spec, [20 + (frame == 617) for frame in range(1000)])
    plant(rams, 0xFF0018, spec, [20 - (frame == 617) for frame in range(1000)])
    plant(rams, 0xFF0028, spec, [20 + frame // 200 for frame in range(1000)])
    timeline = timeline_of(rams)
    for fact, fits in (
        (Trend(0, 999, "unchanged"), set()),
        (Trend(618, 999, "unchanged"), {0xFF0008, 0xFF0018}),
        (Trend(0, 999, "only grows"), {0xFF0028}),
        (Trend(0, 617, "only grows"), {0xFF0008, 0xFF0028}),
        (Trend(0, 617, "only falls"), {0xFF0018}),
    ):
        facts = (Equals(0, 20), fact)
        found = answers(solve(SPACE, [kind], [Evidence(timeline, facts)], scales=False))
        assert {address for address, _, _ in found} == fits
    timeline.close()


def test_mirrors_are_grouped_with_the_original(noise: NDArray[np.uint8]) -> None:
    lives = [3 - frame // 50 for frame in range(120)]
    for address in (0xFF0020, 0xFF1008):
        plant(noise, address, "|u1", lives)
    timeline = timeline_of(noise)
    facts: tuple[Fact, ...] = (
        Equals(0, 3),
        Equals(60, 2),
        Equals(110, 1),
        Trend(0, 119, "only falls"),
    )
    solution = solve(SPACE, [TYPES[0]], [Evidence(timeline, facts)])
    exact = [match for match in solution.matches if match.failed is None]
    assert [match.address for match in exact] == [0xFF0020]
    assert [copy.address for copy in exact[0].copies] == [0xFF1008]
    timeline.close()


def test_two_recordings_leave_less_than_one(noise: NDArray[np.uint8]) -> None:
    other = noise[:50].copy()
    plant(noise, 0xFF0004, "|u1", [5] * 120)
    plant(noise, 0xFF0006, "|u1", [5] * 120)
    plant(other, 0xFF0004, "|u1", [9] * 50)
    plant(other, 0xFF0006, "|u1", [2] * 50)
    pieces = [
        Evidence(timeline_of(noise), (Equals(1, 5),)),
        Evidence(timeline_of(other), (Equals(1, 9),)),
    ]
    solution = solve(SPACE, [TYPES[0]], pieces, scales=False)
    assert (0xFF0004, "|u1", "") in set(answers(solution))
    assert (0xFF0006, "|u1", "") not in set(answers(solution))


def test_questions_that_can_not_be_answered(noise: NDArray[np.uint8]) -> None:
    timeline = timeline_of(noise)
    with pytest.raises(SearchError, match="at least one fact"):
        solve(SPACE, TYPES, [Evidence(timeline, ())])
    with pytest.raises(SearchError, match="at least two frames"):
        Trend(5, 5, "unchanged")
    with pytest.raises(TimelineError):
        solve(SPACE, TYPES, [Evidence(timeline, (Equals(120, 1),))])
    timeline.close()


def holds(fact: Fact, series: list[int], scale: Scale) -> bool:
    """A fact about a series of stored numbers, the plain way."""
    shown = [scale.shown(value) for value in series]
    match fact:
        case Equals(frame, value):
            return shown[frame] == value
        case Transition(start, end, before, after):
            return shown[start] == before and shown[end] == after
        case Trend(start, end, "changed"):
            return shown[start] != shown[end]
        case Trend(start, end, "up"):
            return shown[end] > shown[start]
        case Trend(start, end, "down"):
            return shown[end] < shown[start]
    steps = list(pairwise(shown[fact.start : fact.end + 1]))
    if fact.word == "unchanged":
        return all(before == after for before, after in steps)
    if fact.word == "only grows":
        return all(before <= after for before, after in steps)
    return all(before >= after for before, after in steps)


FRAMES = 9
frame_numbers = st.integers(0, FRAMES - 1)
ranges = st.tuples(frame_numbers, frame_numbers).filter(lambda pair: pair[0] < pair[1])
some_value = st.sampled_from((0, 1, 2, 3, 9, 10, 20, 100))
any_fact = st.one_of(
    st.builds(Equals, frame_numbers, some_value),
    st.builds(Transition, frame_numbers, frame_numbers, some_value, some_value),
    st.builds(Trend, frame_numbers, frame_numbers, st.sampled_from(("changed", "up", "down"))),
    st.builds(
        lambda pair, word: Trend(pair[0], pair[1], word),
        ranges,
        st.sampled_from(("unchanged", "only grows", "only falls")),
    ),
)


def naive_readings(
    space: AddressSpace, rams: NDArray[np.uint8], facts: list[Fact]
) -> tuple[dict[tuple[int, DataType], Scale], set[tuple[int, DataType, Fact]]]:
    """Simplest exact scale of each address and type, and which single fact others fail."""
    exact: dict[tuple[int, DataType], Scale] = {}
    near = set()
    for kind in TYPES:
        for address in range(16):
            if address + kind.width > 16:
                continue
            series = [space.read(ram, address, kind) for ram in rams]
            for scale in scales_of(kind):
                failed = [fact for fact in facts if not holds(fact, series, scale)]
                if not failed:
                    exact.setdefault((address, kind), scale)
                elif len(failed) == 1 and len(facts) > 1:
                    near.add((address, kind, failed[0]))
    return exact, near


@settings(max_examples=more_by_night(10, 100))
@given(
    facts=st.lists(any_fact, min_size=1, max_size=4, unique=True),
    seed=st.integers(0, 2**16),
    bad_digits=st.booleans(),
)
def test_solutions_agree_with_plain_python(
    facts: list[Fact], seed: int, *, bad_digits: bool
) -> None:
    rng = np.random.default_rng(seed)
    space = AddressSpace([Region(0, 16)], Overlay.parse(["=", ">", 2]))
    rams = np.tile(rng.choice(np.array([0, 0, 1, 2, 3, 9, 16], np.uint8), 16), (FRAMES, 1))
    steps = np.cumsum(rng.random((FRAMES, 16)) < 0.25, axis=0).astype(np.uint8)
    # Steps of ten in a nibble that counts modulo ten change bytes and not numbers.
    rams = rams + steps * np.where(np.arange(16) % 3 == 0, 10 if bad_digits else 1, 0).astype(
        np.uint8
    )
    timeline = timeline_of(rams)
    solution = solve(space, TYPES, [Evidence(timeline, tuple(facts))], limit=10_000)
    exact, near = naive_readings(space, rams, facts)
    found = [(match.failed, reading) for match in solution.matches for reading in match.readings]
    listed = {(row.address, row.type): row.scale for failed, row in found if failed is None}
    assert listed == exact
    assert solution.exact_count == len(exact)
    assert {(row.address, row.type, failed) for failed, row in found if failed is not None} == near
    timeline.close()


def test_matches_are_ranked_exact_then_simple(noise: NDArray[np.uint8]) -> None:
    timeline = timeline_of(noise)
    solution = solve(SPACE, TYPES, [Evidence(timeline, (Equals(0, 10), Trend(0, 60, "changed")))])
    failed = [match.failed is not None for match in solution.matches]
    assert failed == sorted(failed)
    exact: list[Match] = [match for match in solution.matches if match.failed is None]
    simplicity = [scales_of(match.type).index(match.scale) for match in exact]
    assert simplicity == sorted(simplicity)
    timeline.close()


def test_a_long_search_ends_soon_after_it_is_stopped(noise: NDArray[np.uint8]) -> None:
    timeline, asked = timeline_of(noise), count(1)
    facts = (Equals(3, 7), Trend(0, 119, "only grows"))
    evidence = Evidence(timeline, facts, stopped=lambda: next(asked) > 3)
    with pytest.raises(SearchError, match="stopped"):
        forgiving(SPACE, TYPES, [evidence])
    assert next(asked) == 5
    timeline.close()
