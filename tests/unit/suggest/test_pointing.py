"""Numbers that explain a box on the screen, drawn here with digits that anybody can read."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.suggest.play import Play
from integrator.domain.suggest.pointing import Samples, explain, fit_of

SCORE, KILLS, STEPS = 4, 10, 14
FRAMES = 1200
KILLED = np.arange(30, FRAMES, 57)
GAINED = np.cumsum(np.random.default_rng(3).choice([10, 20, 50], len(KILLED)))
GLYPHS = np.random.default_rng(5).integers(0, 4, (11, 8, 8)).astype(np.uint32)
BLANK = 10


def play() -> Play:
    """A score in six packed digits, a counter that moves with it, and a byte that always moves."""
    ram = np.zeros((FRAMES, 32), np.uint8)
    for frame in range(FRAMES):
        kills = int((frame >= KILLED).sum())
        score = int(GAINED[kills - 1]) if kills else 0
        ram[frame, SCORE : SCORE + 3] = list(bytes.fromhex(f"{score:06d}"))
        ram[frame, KILLS] = 3 * kills + 7
        ram[frame, STEPS] = frame & 255
    changed = np.flatnonzero((ram[1:] != ram[:-1]).any(axis=0))
    idle = np.zeros(FRAMES, np.int8)
    steady = np.arange(FRAMES) > 0
    return Play(changed, np.ascontiguousarray(ram[:, changed]), ram[-1], idle, idle, steady)


def digits_of(number: int, zeros: int) -> NDArray[np.uint32]:
    text = f"{number:06d}"
    shown = [zeros if not text[: i + 1].strip("0") else int(text[i]) for i in range(5)]
    return np.hstack([GLYPHS[each] for each in (*shown, int(text[5]))])


def samples(draw: Callable[[int], NDArray[np.uint32]]) -> Samples:
    first = KILLED[:-1] + 20
    pictures = np.stack([draw(int(score)) for score in GAINED[: len(first)]])
    rows = np.stack([first, first + 20], axis=1).ravel()
    return Samples(rows, np.repeat(pictures, 2, axis=0))


@pytest.mark.parametrize("zeros", [0, BLANK])
def test_a_score_is_told_from_a_counter_by_its_digits(zeros: int) -> None:
    best, *others = explain(play(), samples(lambda score: digits_of(score, zeros)))
    assert (best.number.place, str(best.number.type)) == (SCORE, ">d3")
    assert best.cells == 2
    assert KILLS in {each.number.place for each in others}
    assert STEPS not in {each.number.place for each in others}


def test_a_bar_is_explained_by_whole_pictures() -> None:
    def bar(score: int) -> NDArray[np.uint32]:
        length = int(np.searchsorted(GAINED, score))
        return np.broadcast_to((np.arange(64) < length).astype(np.uint32), (8, 64)).copy()

    found = explain(play(), samples(bar))
    assert KILLS in {each.number.place for each in found}
    assert all(not each.cells for each in found if each.number.place == KILLS)


@pytest.mark.parametrize(("zero", "type_name"), [(0x30, "|n1"), (0x20, "|u1"), (0, "|u1")])
def test_one_character_is_the_digit_that_it_shows(zero: int, type_name: str) -> None:
    lives = (3 - np.searchsorted([300, 700], np.arange(FRAMES))).astype(np.uint8)
    rows = np.array([100, 200, 400, 500, 800, 900])
    pictures = np.stack([GLYPHS[each] for each in lives[rows]])
    best, *_ = explain(with_bytes(at20=lives + np.uint8(zero)), Samples(rows, pictures))
    assert str(best.number.type) == type_name


def test_digits_are_read_while_the_picture_beside_them_moves() -> None:
    noise = np.random.default_rng(9)

    def scrolling(score: int) -> NDArray[np.uint32]:
        moving = noise.integers(0, 4, (8, 16)).astype(np.uint32)
        return np.hstack([moving, digits_of(score, 0)])

    best = explain(play(), samples(scrolling))[0]
    assert (best.number.place, str(best.number.type)) == (SCORE, ">d3")


def test_nothing_explains_a_picture_that_has_no_number() -> None:
    noise = np.random.default_rng(11)
    found = explain(play(), samples(lambda _: noise.integers(0, 4, (8, 48)).astype(np.uint32)))
    assert STEPS not in {each.number.place for each in found if each.cells}


def test_digits_are_told_while_their_colors_run() -> None:
    plain = samples(lambda score: digits_of(score, 0))
    first = plain.rows[::2]
    # Each score rests twice, in another color each time.
    rows = np.stack([first, first + 5, first + 12, first + 20], axis=1).ravel()
    tints = np.tile(np.array([0, 0, 16, 16], np.uint32), len(first))
    crops = np.repeat(plain.crops[::2], 4, axis=0) + tints[:, np.newaxis, np.newaxis]
    best, *_ = explain(play(), Samples(rows, crops.astype(np.uint32)))
    assert (best.number.place, str(best.number.type)) == (SCORE, ">d3")


def with_bytes(**columns: NDArray[np.uint8]) -> Play:
    """:func:`play` with further bytes in RAM, by their addresses ``at20`` and so on."""
    base = play()
    ram = np.zeros((FRAMES, 32), np.uint8)
    ram[:, base.places] = base.ram
    for name, values in columns.items():
        ram[:, int(name.removeprefix("at"))] = values
    changed = np.flatnonzero((ram[1:] != ram[:-1]).any(axis=0))
    rows = np.ascontiguousarray(ram[:, changed])
    return Play(changed, rows, ram[-1], base.across, base.down, base.steady)


def test_a_title_may_cover_the_number_in_one_stretch() -> None:
    digits, title = np.tile(np.arange(10), 3), 99
    places = np.arange(len(digits))
    assert fit_of(digits, np.where(places < 20, digits, title))
    assert not fit_of(digits, np.where(places % 3 < 2, digits, title))


def test_a_byte_that_points_at_the_picture_of_a_digit_is_told() -> None:
    kills = (np.arange(FRAMES)[:, np.newaxis] >= KILLED).sum(axis=1)
    order = np.random.default_rng(17).integers(0, 10, len(KILLED) + 1)
    played = with_bytes(at20=(8 * order[kills] + 16).astype(np.uint8))

    def units(score: int) -> NDArray[np.uint32]:
        digit = int(order[int(np.searchsorted(GAINED, score)) + 1])
        return np.array(GLYPHS[digit], np.uint32)

    best = explain(played, samples(units))[0]
    assert (best.number.place, str(best.number.type), best.is_code) == (20, "|u1", True)


def test_numbers_side_by_side_are_two() -> None:
    packed = [int(f"{number % 100:02d}", 16) for number in range(FRAMES)]
    halves = np.array(packed, np.uint8)[np.arange(FRAMES) // 70]
    played = with_bytes(**{f"at{SCORE - 1}": halves})
    rows = np.arange(40, FRAMES, 20)

    def both(row: int) -> NDArray[np.uint32]:
        score = int(GAINED[int((row >= KILLED).sum()) - 1])
        gap = np.zeros((8, 20), np.uint32)
        return np.hstack([*(GLYPHS[int(d)] for d in f"{row // 70:02d}"), gap, digits_of(score, 0)])

    found = explain(played, Samples(rows, np.stack([both(row) for row in rows.tolist()])))
    assert (found[0].number.place, str(found[0].number.type)) == (SCORE, ">d3")
    assert (SCORE - 1, "|d1") in {(each.number.place, str(each.number.type)) for each in found}


def test_only_digits_in_the_box_belong_to_the_number() -> None:
    plain = samples(lambda score: digits_of(score, 0))
    best = explain(play(), Samples(plain.rows, plain.crops[:, :, 16:]))[0]
    assert (best.number.place, str(best.number.type)) == (SCORE + 1, ">d2")


def test_other_colors_are_no_other_pictures() -> None:
    two = np.stack([digits_of(10, 0), digits_of(20, 0)])
    tints = np.arange(4, dtype=np.uint32)[:, np.newaxis, np.newaxis] * 16
    rows = np.arange(8)
    assert Samples(rows, np.concatenate([each + tints for each in two])).pictures == 2
    assert Samples(rows[:4], two[:1] + tints).pictures == 4


def test_a_pointer_to_one_glyph_explains_less_than_the_whole_number() -> None:
    tens = np.zeros(FRAMES, np.uint8)
    for killed, score in zip(KILLED, GAINED, strict=True):
        tens[killed:] = score // 10 % 10 * 8 + 16
    best, *others = explain(with_bytes(at20=tens), samples(lambda score: digits_of(score, 0)))
    assert (best.number.place, str(best.number.type)) == (SCORE, ">d3")
    assert 20 in {each.number.place for each in others}


def test_two_pointers_are_no_number_because_they_jump() -> None:
    """High halves of two pointers stand for the digits of two scores, as those of a number would.

    Only their steps tell that the bytes are two."""
    kills = (np.arange(FRAMES)[:, np.newaxis] >= KILLED).sum(axis=1)
    units, steps = kills % 10, np.random.default_rng(19).integers(0, 10, len(KILLED) + 1)[kills]
    packed = (steps << 4).astype(np.uint8)
    played = with_bytes(at20=packed, at24=(units << 4).astype(np.uint8))

    def both(score: int) -> NDArray[np.uint32]:
        killed = int(np.searchsorted(GAINED, score)) + 1
        digits = (steps[np.searchsorted(kills, killed)], killed % 10)
        return np.hstack([GLYPHS[int(digit)] for digit in digits])

    found = explain(played, samples(both))
    order = [each.number.place for each in found]
    assert order.index(24) < order.index(20)


def test_an_interlude_shows_no_number() -> None:
    """A title comes in the place of each number, and the number returns after it."""
    plain = samples(lambda score: digits_of(score, 0))
    first = plain.rows[::2]
    rows = np.stack([first, first + 8, first + 16, first + 24], axis=1).ravel()
    title = np.random.default_rng(23).integers(0, 4, (8, 48)).astype(np.uint32)
    empty = np.zeros((8, 48), np.uint32)
    crops = [each for crop in plain.crops[::2] for each in (crop, title, crop, empty)]
    shown = Samples(rows, np.stack(crops)).drawn
    np.testing.assert_array_equal(shown.rows, np.stack([first, first + 16], axis=1).ravel())
    best = explain(play(), Samples(rows, np.stack(crops)))[0]
    assert (best.number.place, str(best.number.type)) == (SCORE, ">d3")


def test_a_number_that_returns_is_no_interlude() -> None:
    lives = np.array([3, 2, 3, 2, 1, 0])
    crops = np.stack([GLYPHS[each] for each in lives])
    assert len(Samples(np.arange(6), crops).drawn.rows) == 6
