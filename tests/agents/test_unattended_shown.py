"""Numbers that `integrator auto` finds on the screen, by digits that it writes into memory."""

from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from made_up_play import Recorded, episodes_of
from numpy.typing import NDArray

from integrator.domain.suggest.suggestion import PixelBox, Suggestion
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.unattended.finding import Gathering
from integrator.unattended.play import Episode
from integrator.unattended.reaching import Reached
from integrator.unattended.shown import Row, cells_shown, number_of, rows_of, rows_shown

SPACE = AddressSpace([Region(0x80, 16)])
FONT = np.random.default_rng(3).integers(0, 2, (10, 8, 6)).astype(np.uint32)
STILL = np.zeros(16, np.uint8)
SCORE = {0: 16, 1: 32}  # two packed digits a byte, at these columns


class Screen:
    """A console whose picture shows digits of its memory, uint8 (16,).

    ``packed`` bytes show two digits each, at their columns; ``single`` ones show their low digit.
    """

    def __init__(self, packed: dict[int, int], single: dict[int, int] | None = None) -> None:
        self.host, self.packed, self.single = self, packed, single or {}
        self.ram = STILL.copy()

    def rows(self, *holds: tuple[int, int]) -> int:
        return sum(frames for _, frames in holds)

    def unserialize(self, state: bytes, **_: object) -> None:
        self.ram = np.frombuffer(state, np.uint8).copy()

    def read_ram(self) -> NDArray[np.uint8]:
        return self.ram

    def write_ram(self, offset: int, data: bytes) -> None:
        self.ram[offset] = data[0]

    def run(self, frames: int, _: object) -> object:
        picture = np.zeros((48, 160), np.uint32)
        digits = [(x, self.ram[at] >> 4) for at, x in self.packed.items()]
        digits += [(x + 8, self.ram[at] & 15) for at, x in self.packed.items()]
        digits += [(x, self.ram[at] & 15) for at, x in self.single.items()]
        for x, digit in digits:
            picture[4:12, x : x + 6] = FONT[int(digit) % 10]
        picture[30:40, 3 * int(self.ram[7] & 15) :][:, :4] = 1  # a thing that moves
        return SimpleNamespace(pictures=[SimpleNamespace(words=picture)] * frames)

    def shown(self) -> list[Row]:
        console: Any = self
        return rows_of(list(cells_shown(console, SPACE, STILL.tobytes(), range(16))))


def number(row: Row) -> tuple[int, str, str]:
    found = number_of(row, SPACE)
    assert found is not None
    address, kind, pieces = found
    return address, str(kind), "" if pieces is None else str(pieces).partition(":")[0]


@pytest.mark.parametrize(
    ("screen", "expected"),
    [
        (Screen(SCORE), (0x80, ">d2", "")),
        (Screen({2: 16, 1: 32, 0: 48}), (0x80, "<d3", "")),
        (Screen({5: 16, 1: 32}), (0x81, "|d1", "2 pieces, the lowest first, at 0x81, 0x85")),
        (Screen({}, {4: 16, 5: 24, 6: 32}), (0x84, ">n3", "")),
        (Screen({1: 24}, {6: 16}), (0x81, "|d1", "2 pieces, the lowest first, at 0x81, 0x86")),
    ],
)
def test_digits_that_are_drawn_next_to_each_other_are_a_number(
    screen: Screen, expected: tuple[int, str, str]
) -> None:
    likeliest, *_ = screen.shown()
    assert number(likeliest) == expected


def test_a_digit_alone_is_a_number_only_next_to_another_one_of_its_font() -> None:
    assert Screen({}, {4: 16}).shown() == []
    assert [number(row) for row in Screen({}, {4: 16, 9: 96}).shown()] == [
        (0x84, "|d1", ""),
        (0x89, "|d1", ""),
    ]


def played(rows: list[Row], frames: NDArray[np.uint8], idle: NDArray[np.uint8]) -> Gathering:
    session: Any = Recorded(frames)
    session.space = SPACE
    looks = Gathering(session, idle)
    looks.rows = rows
    return looks


def packed(numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
    return (numbers // 10 % 10 << 4 | numbers % 10).astype(np.uint8)


@pytest.mark.parametrize(("box", "sure"), [((0, 0, 16, 8), 0.9), (None, 0.7)])
def test_digits_that_were_read_once_are_as_sure_in_play_in_which_they_hardly_changed(
    box: PixelBox | None, sure: float
) -> None:
    rams = np.zeros((3001, 1), np.uint8)
    rams[:, 0] = np.searchsorted((7, 95, 300, 340, 700, 1200), np.arange(3001))
    session: Any = Recorded(rams)
    looks = Gathering(session, np.zeros((1, 1), np.uint8))
    read = Suggestion("score", 0, DataType.parse("|u1"), 0.9, "", box=box)
    for each in (read, replace(read, confidence=0.1, box=None)):
        session.suggest = lambda _, each=each: [each]
        looks.add()
    [best] = looks.best("score", episodes_of(2900), prove=False)
    assert best.confidence == sure


def test_a_number_that_rises_half_as_much_in_a_minute_without_a_press_is_doubted() -> None:
    rises = (200, 500, 700, 1300, 1450, 2000, 2300, 2950, 3100, 3500, 4000)
    rams = np.zeros((4501, 2), np.uint8)
    rams[:, 0] = rams[:, 1] = np.searchsorted(rises, np.arange(4501))
    idle = np.zeros((60, 2), np.uint8)
    idle[:, 0] = np.searchsorted((20, 33, 40, 47, 55), np.arange(60))  # nothing in 15 seconds
    session: Any = Recorded(rams, scores=2)
    looks = Gathering(session, idle)
    looks.add()
    episode = Episode(0, 4500, np.zeros((4500, 1), np.uint16))
    found = looks.best("score", [episode], prove=False)
    assert {each.spec[0]: each.confidence for each in found} == {1: 0.9, 0: 0.27}


def test_a_score_in_pieces_is_paid_by_terms_that_pay_their_carries_back() -> None:
    times = np.sort(np.random.default_rng(1).integers(0, 3000, 75))
    points = 7 * np.searchsorted(times, np.arange(3001))
    frames = np.zeros((3001, 16), np.uint8)
    frames[:, 6], frames[:, 3] = packed(points % 100), packed(points // 100)
    rows = Screen({3: 16, 6: 32}).shown()
    [best, *_] = played(rows, frames, frames[:1]).best("score", episodes_of(2900), prove=False)
    assert [each.address for each in best.named("score")] == [0x86, 0x83]
    np.testing.assert_array_equal(best.values, points)
    reward = best.reward(10)["variables"]
    assert reward["score_0"] == {"reward": 10.0, "penalty": 10.0}
    assert reward["score_1"] == {"reward": 1000.0, "penalty": 1000.0}
    assert best.confidence > 0.9


def test_a_script_joins_pieces_of_which_digits_are_drawn_as_nothing() -> None:
    frames = np.zeros((3001, 16), np.uint8)
    frames[:, 6] = np.searchsorted((40, 95, 340, 700, 1200), np.arange(3001))
    frames[:, 3] = np.where(np.arange(3001) < 1300, 10, 1)
    rows = Screen({}, {3: 16, 6: 24, 9: 32}).shown()
    looks = played(rows, frames, frames[:1])
    [best, *_] = looks.best("score", episodes_of(2900), prove=False)
    assert best.suggestion.pieces is not None
    assert best.blanks


def test_a_score_that_never_rose_is_found_by_its_digits() -> None:
    frames = np.zeros((3001, 16), np.uint8)
    rows = Screen(SCORE).shown()
    [best, *_] = played(rows, frames, frames[:60]).best("score", episodes_of(2900), prove=False)
    assert best.spec == (0x80, ">d2")
    assert 0.3 <= best.confidence < 0.6


def test_a_last_digit_that_always_moves_is_read_on_the_screen() -> None:
    points = 3 * np.arange(3001) * (np.arange(3001) % 400 < 100)
    frames = np.zeros((3001, 16), np.uint8)
    for place in range(3):
        frames[:, place] = packed(points // 100 ** (2 - place) % 100)
    looks = played(Screen(SCORE).shown(), frames, frames[:1])
    read = Suggestion("score", 0x80, DataType.parse(">d3"), 0.9, "", box=(16, 4, 36, 8))
    session: Any = looks._session
    session.suggest = lambda _: [read]
    looks.add()
    found = looks.best("score", episodes_of(2900), prove=False)
    assert [each.spec for each in found] == [(0x80, ">d3")]


def test_a_short_number_that_hardly_moves_is_no_score() -> None:
    frames = np.zeros((8001, 16), np.uint8)
    frames[:, 0] = packed(np.searchsorted((2600, 6900), np.arange(8001)))
    rows = Screen({0: 16}).shown()
    [rounds, *_] = played(rows, frames, frames[:60]).best("score", episodes_of(7900), prove=False)
    assert rounds.confidence < 0.15
    # One that rises more often is likely.
    frames[:, 0] = packed(np.searchsorted((900, 2600, 6900), np.arange(8001)))
    [score, *_] = played(rows, frames, frames[:60]).best("score", episodes_of(7900), prove=False)
    assert score.confidence > 0.5


def test_the_number_that_rises_without_a_press_is_the_opponents() -> None:
    frames = np.zeros((3001, 16), np.uint8)
    at = np.arange(3001)
    frames[:, 0] = packed(np.searchsorted((340, 700, 1200), at))
    frames[:, 1] = packed(np.searchsorted((95, 300, 850, 1900, 2500), at))
    idle = np.zeros((60, 16), np.uint8)
    idle[:, 1] = packed(np.searchsorted((7, 31, 44), np.arange(60)))
    rows = Screen({0: 16, 1: 96}).shown()
    looks = played(rows, frames, idle)
    # Neither number alone is a better one, nor both as one.
    kinds = map(DataType.parse, ("|d1", ">d2"))
    suggested = [Suggestion("score", 0x80, kind, 0.98, "+1") for kind in kinds]
    looks._session.suggest = Mock(return_value=suggested)  # type: ignore[method-assign]
    looks.add()
    [best, *others] = looks.best("score", episodes_of(2900), prove=False)
    assert best.spec == (0x80, "|d1")
    assert best.reward(1)["variables"] == {"score": {"reward": 1.0}, "opponent": {"reward": -1.0}}
    assert [each.name for each in best.named("score")] == ["score", "opponent"]
    # Misses that are counted rise without a press as well, and a proof does not exclude them.
    assert replace(best, suggestion=best.suggestion.proven("original")).confidence < 0.9
    assert all(each.confidence < 0.3 for each in others)
    # A second player's score, which stays where it is, is no opponent's.
    frames[:, 1] = 0
    [best, *_] = played(rows, frames, frames[:60]).best("score", episodes_of(2900), prove=False)
    assert best.reward(1)["variables"] == {"score": {"reward": 1.0}}


def test_hours_and_minutes_of_a_clock_are_no_score_against_an_opponent() -> None:
    frames = np.zeros((9001, 16), np.uint8)
    minutes = np.arange(9001) // 30
    frames[:, 0], frames[:, 1] = packed(minutes // 60), packed(minutes % 60)
    rows = Screen({0: 16, 1: 96}).shown()
    looks = played(rows, frames, frames[:1801:30])
    assert looks.best("score", episodes_of(2900, 2900, 2900), prove=False) == []
    # A player who has not scored yet may lose points at even pauses.
    frames[:, 0], frames[:, 1] = 0, packed(np.arange(9001) // 300)
    looks = played(rows, frames, frames[:1801:30])
    [best, *_] = looks.best("score", episodes_of(2900, 2900, 2900), prove=False)
    assert list(best.reward(1)["variables"]) == ["score", "opponent"]


def test_digits_are_seen_that_a_game_shows_only_after_its_end() -> None:
    screen: Any = Screen(SCORE)
    hidden, every = Screen({}), screen.run
    screen.run = lambda frames, plan: (every if screen.ram[15] else hidden.run)(frames, plan)

    def go(_: bytes, played: NDArray[np.uint16]) -> tuple[bytes, None]:
        return bytes([*STILL[:15], len(played) > 2000]), None

    screen.go = go
    session: Any = Mock(memory=SimpleNamespace(space=SPACE), timeline=Mock(lent=nullcontext))
    start = Reached(STILL.tobytes(), np.zeros((0, 1), np.uint16), 8)
    [row, *_] = rows_shown(session, screen, start, episodes_of(2400), range(16))
    assert number(row) == (0x80, ">d2", "")


@pytest.mark.parametrize("best", [2, 90], ids=["beaten", "unbeaten"])
def test_a_best_score_is_not_the_score_of_a_side_whose_opponent_is_the_score(best: int) -> None:
    frames = np.zeros((6001, 16), np.uint8)
    at = np.arange(3001)
    # The score rises by luck without a press, and the next game begins with an old best again.
    games = [np.searchsorted(times, at) for times in ((95, 300, 850, 1900, 2500), (40, 95, 700))]
    score = np.concatenate([games[0], games[1][1:]])
    kept = [np.maximum(best, np.maximum.accumulate(game)) for game in games]
    frames[:, 0], frames[:, 1] = packed(np.concatenate([kept[0], kept[1][1:]])), packed(score)
    idle = np.zeros((60, 16), np.uint8)
    idle[:, 0], idle[:, 1] = packed(np.full(60, best)), packed(np.arange(60) // 50)
    looks = played(Screen({0: 16, 1: 96}).shown(), frames, idle)
    [found, *others] = looks.best("score", episodes_of(2900, 2900), prove=False)
    assert found.spec == (0x81, "|d1")
    assert found.reward(1)["variables"] == {"score": {"reward": 1.0}}
    assert all(each.confidence < 0.3 for each in others)


@pytest.mark.parametrize(("rests", "is_likely"), [(0, True), (3456, False)])
def test_a_number_that_never_moves_may_be_a_score_only_at_0(rests: int, *, is_likely: bool) -> None:
    frames = np.zeros((3001, 16), np.uint8)
    frames[:, 0], frames[:, 1] = packed(np.array([rests // 100, rests % 100]))
    frames[2950:, :2] = 0x12 if rests == 0 else 0  # When the game is over, something else is shown.
    looks = played(Screen(SCORE).shown(), frames, frames[:60])
    [best, *_] = looks.best("score", episodes_of(2900), prove=False)
    assert (best.confidence >= 0.3) == is_likely


def test_a_score_that_mostly_falls_pays_its_falls() -> None:
    frames = np.zeros((3001, 16), np.uint8)
    left = 5000 - 7 * np.searchsorted((95, 340, 400, 700, 1200, 1950), np.arange(3001))
    frames[:, 0], frames[:, 1] = packed(left // 100), packed(left % 100)
    rows = Screen(SCORE).shown()
    [best, *_] = played(rows, frames, frames[:60]).best("score", episodes_of(2900), prove=False)
    assert best.reward(1)["variables"]["score"] == {"reward": 1.0, "penalty": 1.0}
    # One that falls at even pauses is the time.
    left = 5000 - np.arange(3001) // 60
    frames[:, 0], frames[:, 1] = packed(left // 100), packed(left % 100)
    [clock, *_] = played(rows, frames, frames[:60]).best("score", episodes_of(2900), prove=False)
    assert clock.confidence < 0.3


def test_bytes_that_are_no_digits_in_play_are_no_number() -> None:
    frames = np.random.default_rng(1).integers(0, 256, (3001, 16)).astype(np.uint8)
    looks = played(Screen(SCORE).shown(), frames, frames[:60])
    assert looks.best("score", episodes_of(2900), prove=False) == []
