"""Numbers that are read in the cells of the screen, and the memory that keeps them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.suggest.bands import looks_at
from integrator.domain.suggest.counters import find_counters
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.screen import Looks, ScreenNumber, StripTable, cells_of
from integrator.domain.suggest.solving import read_play, solutions_of, solve
from integrator.domain.values.memory import DataType

FRAMES = 2400
GLYPH = 100
"""The look of the digit 0 on the made-up screen."""
BLANK = 7
ROWS = np.arange(0, FRAMES, 2)


def points() -> NDArray[np.int64]:
    return np.arange(FRAMES) // 20 * 35


def boxes(lines: int) -> NDArray[np.intp]:
    return cells_of(np.zeros((1, 8 * lines, 12), np.uint16))[1]


def screen(values: NDArray[np.int64], *, zeros: int = 0, late: int = 2) -> Looks:
    """Up to six digits at the right of row 1, blanks in front, and zeros that are always there."""
    looks = np.full((len(ROWS), 3, 12), BLANK, np.int64)
    looks[:, 2, 1] = ROWS // 7
    drawn = np.concatenate([np.zeros(late, np.int64), values[:-late]])[ROWS]
    for place in range(6):
        digit = GLYPH + drawn // 10**place % 10
        hidden = (drawn < 10**place) & (place > 0)
        looks[:, 1, 10 - zeros - place] = np.where(hidden, BLANK, digit)
    looks[:, 1, 11 - zeros : 11] = GLYPH
    return Looks.of(ROWS, looks.reshape(len(ROWS), -1), boxes(3))


def play_of(columns: NDArray[np.uint8], looks: Looks) -> Play:
    """Bytes from address 16 on."""
    ram = np.zeros((FRAMES, 64), np.uint8)
    ram[:, 16 : 16 + columns.shape[1]] = columns
    changed = np.flatnonzero((ram[1:] != ram[:-1]).any(axis=0))
    ways = np.zeros(FRAMES, np.int8)
    kept = np.ascontiguousarray(ram[:, changed])
    steady = np.arange(FRAMES) > 0
    return Play(changed, kept, ram[-1], ways, ways, steady, None, None, (looks,))


def coded(values: NDArray[np.int64], spec: str, base: int = 0) -> NDArray[np.uint8]:
    data_type = DataType.parse(spec)
    rows = [data_type.encode(int(value)) for value in values]
    return np.array([list(row) for row in rows], np.uint8) + np.uint8(base)


@pytest.mark.parametrize("spec", ["<u2", ">u2", "<u3", ">u4", ">d3", "<d3", ">n6", "<n5"])
def test_a_number_is_read_and_solved_in_any_code(spec: str) -> None:
    play = play_of(coded(points(), spec), screen(points()))
    (number,) = read_play(play)
    assert (number.y, number.x + number.width, number.height) == (8, 88, 8)
    frames, values = number.rests
    assert (values == points()[frames]).all()
    solved = {(each.place, str(each.type)[:2]) for each in solve(play, number)}
    shorter = DataType.parse(spec).width - (2 if spec[1] == "u" else DataType.parse(spec).width)
    assert (16 + (shorter if spec[0] == ">" else 0), spec[:2]) in solved


@pytest.mark.parametrize("spec", ["<u2", ">u4"])
def test_a_score_that_grows_with_each_frame_is_read(spec: str) -> None:
    meters = np.arange(FRAMES)
    play = play_of(coded(meters, spec), screen(meters))
    (number,) = read_play(play)
    assert (number.values[1:] == meters[ROWS[1:] - 2]).all()
    best = max(find_counters(play), key=lambda each: each.weight * (each.kind == "score"))
    assert str(best.type) == spec[0] + "u2"
    assert best.weight > 0.5


def test_leading_zeros_of_a_number_are_in_its_region() -> None:
    play = play_of(coded(points(), ">d2"), screen(points()))
    for borders, kept in (((), (15, ">d3")), ((0, 16), (16, ">d2"))):
        found = solutions_of(replace(play, borders=frozenset(borders)))
        assert {(place, str(data_type)) for place, data_type, _ in found} == {kept}


def test_a_number_may_be_drawn_only_after_the_move_that_earned_it() -> None:
    rises = np.cumsum([12, 40, 12, 12, 60, 12, 40, 12, 80, 12, 12, 40] * (FRAMES // 344))
    values = np.searchsorted(rises, np.arange(FRAMES)) * 35
    play = play_of(coded(values, "<d3"), screen(values))
    number = ScreenNumber(40, 8, 48, 8, ROWS, np.concatenate([np.zeros(7, int), values])[ROWS])
    assert {str(each.type) for each in solve(play, number)} == {"<d3"}


@pytest.mark.parametrize("late", [0, 12])
def test_a_best_score_on_the_screen_is_no_score(late: int) -> None:
    """The best score follows the score, which nothing shows, and stays when a game begins."""
    moments = np.random.default_rng(6).integers(50, FRAMES, 40)
    gains = np.bincount(moments, minlength=FRAMES)[:FRAMES] * 35
    game = np.arange(FRAMES) // (FRAMES // 3)
    score = np.concatenate([np.cumsum(gains[game == each]) for each in range(3)])
    best = np.maximum.accumulate(np.concatenate([np.zeros(late, np.int64), score])[:FRAMES])
    ram = np.concatenate([coded(best, ">d3"), np.zeros((FRAMES, 4), np.uint8)], axis=1)
    play = play_of(np.concatenate([ram, coded(score, ">d3")], axis=1), screen(best))
    scores = [each for each in find_counters(play) if each.kind == "score"]
    assert 16 not in {each.place for each in scores}


def with_zeros(cells: int) -> NDArray[np.int64]:
    """The looks of a screen with a number that always has this many digits."""
    looks = np.full((len(ROWS), 3, 12), BLANK, np.int64)
    for place in range(cells):
        looks[:, 1, 10 - place] = GLYPH + points()[ROWS] // 10**place % 10
    return looks


def read_in(looks: NDArray[np.int64]) -> ScreenNumber:
    every = Looks.of(ROWS, looks.reshape(len(ROWS), -1), boxes(3))
    [number] = read_play(play_of(coded(points(), "<u2"), every))
    return number


def test_a_number_may_have_ten_digits() -> None:
    number = read_in(with_zeros(10))
    frames, values = number.rests
    assert number.cells == 10
    assert (values == points()[frames]).all()


def test_a_number_whose_last_digit_is_covered_is_not_a_shorter_one() -> None:
    looks = with_zeros(6)
    looks[ROWS % 120 < 20, 1, 10] = GLYPH + 50
    frames, values = read_in(looks).rests
    assert len(frames) > 40
    assert (values == points()[frames]).all()


def test_digits_of_text_are_digits_and_not_packed() -> None:
    play = play_of(coded(points(), ">n6", base=0x30), screen(points()))
    assert {str(data_type) for _, data_type, _ in solutions_of(play)} == {">n6"}


def test_a_zero_that_memory_does_not_keep_is_a_scale() -> None:
    play = play_of(coded(points(), "<u2"), screen(points(), zeros=1))
    (number,) = read_play(play)
    assert number.rests[1].max() == 10 * points().max()
    solution = next(iter(solve(play, number)))
    assert (solution.place, str(solution.type), solution.scale) == (16, "<u2", 10)


@pytest.mark.parametrize(("spec", "base"), [(">n6", 0), ("<n6", 0x30), (">d3", 0)])
def test_a_zero_at_the_end_that_memory_keeps_is_a_digit(spec: str, base: int) -> None:
    zeros = 2 if "d" in spec else 1
    values = points() * 10**zeros
    play = play_of(coded(values, spec, base), screen(points(), zeros=zeros))
    (number,) = read_play(play)
    assert [(e.place, str(e.type), e.scale) for e in solve(play, number)] == [(16, spec, 1)]


def test_other_numbers_of_memory_do_not_explain_the_screen() -> None:
    rng = np.random.default_rng(5)
    noise = np.repeat(rng.integers(0, 256, (FRAMES // 20, 40), np.uint8), 20, axis=0)
    play = play_of(noise, screen(points()))
    assert read_play(play) == []
    assert solutions_of(play) == {}


@pytest.mark.parametrize(("points", "is_sure"), [(30, True), (1, False)])
def test_a_score_that_counts_on_by_ones_may_count_misses(points: int, *, is_sure: bool) -> None:
    """Both look the same otherwise: digits on the screen that rise at uneven intervals."""
    gains = np.random.default_rng(4).random(FRAMES) < 1 / 90
    values = points * np.cumsum(gains)
    play = play_of(coded(values, ">n6"), screen(values))
    [best] = [each for each in find_counters(play) if each.kind == "score"][:1]
    assert best.type == DataType.parse(">n6")
    assert (best.weight > 0.9) == is_sure
    assert best.weight > 0.5


def test_an_animation_is_no_number() -> None:
    looks = np.full((len(ROWS), 3, 12), BLANK, np.int64)
    step = ROWS // 16 % 8
    looks[:, 1, 5] = GLYPH + step
    looks[:, 1, 6] = GLYPH + 50 + step
    counter = (np.arange(FRAMES) // 16 % 8).astype(np.uint8)[:, np.newaxis]
    every = Looks.of(ROWS, looks.reshape(len(ROWS), -1), boxes(3))
    assert read_play(play_of(counter, every)) == []


def test_cells_that_look_the_same_have_the_same_look() -> None:
    rng = np.random.default_rng(3)
    glyphs = rng.integers(0, 1 << 24, (40, 8, 8)).astype(np.uint32)
    pixels = np.concatenate([*glyphs[:20], *glyphs[:20]], axis=1)
    [looks], _ = cells_of(StripTable().strips_of(pixels)[np.newaxis])
    assert (looks[:20] == looks[20:]).all()
    assert len(np.unique(looks)) == 20


def drawn(
    glyphs: NDArray[np.bool_], corner: tuple[int, int], background: NDArray[np.uint32]
) -> Play:
    """Six digits in one color, the last one at a corner, next to things that move above and below.

    ``glyphs`` are (digits, rows, columns), and ``background`` the picture behind them."""
    (top, right), (_, high, wide) = corner, glyphs.shape
    rng = np.random.default_rng(high)
    pixels = np.tile(background, (len(ROWS), 1, 1))
    pixels[:, [top - 2, top + high + 1]] = rng.integers(0, 99, (len(ROWS), 1, 1))
    for place in range(6):
        cells = pixels[:, top : top + high, right - wide * (place + 1) : right - wide * place]
        cells[glyphs[points()[ROWS] // 10**place % 10]] = 0xFFFF00
    table = StripTable()
    strips = np.stack([table.strips_of(each) for each in pixels])
    play = play_of(coded(points(), ">d3"), screen(points()))
    return replace(play, looks=tuple(looks_at(ROWS, strips, table)))


@pytest.mark.parametrize(
    ("corner", "high", "wide"),
    [
        ((11, 72), 8, 8),
        ((13, 72), 6, 8),
        ((21, 72), 5, 8),
        ((16, 72), 16, 8),
        ((16, 69), 8, 8),
        ((13, 74), 7, 6),
        ((9, 67), 12, 10),
    ],
)
def test_digits_at_any_pixel_and_of_any_width_are_read(
    corner: tuple[int, int], high: int, wide: int
) -> None:
    glyphs = np.random.default_rng(high).random((10, high, wide)) < 0.5
    glyphs[:, :, -1] = False
    numbers = read_play(drawn(glyphs, corner, np.zeros((40, 96), np.uint32)))
    (number,) = (each for each in numbers if each.cells > 4)
    assert number.y == corner[0]
    # The last column of each digit is empty, and may belong to either neighbor.
    assert corner[1] - (number.x + number.width) in (0, 1)
    frames, values = number.rests
    assert (values == points()[frames]).all()


def test_digits_in_front_of_a_picture_are_read() -> None:
    rng = np.random.default_rng(2)
    glyphs = rng.random((10, 8, 8)) < 0.5
    background = rng.integers(0, 1 << 16, (40, 96)).astype(np.uint32)
    numbers = read_play(drawn(glyphs, (16, 72), background))
    (number,) = (each for each in numbers if each.cells > 4)
    frames, values = number.rests
    assert (values == points()[frames]).all()


def test_more_strips_than_a_table_has_numbers_for_are_numbered() -> None:
    table = StripTable()
    pixels = np.arange(8 * 70_000, dtype=np.uint32).reshape(-1, 8) * 31
    first = table.strips_of(pixels[:40_000])
    assert len(np.unique(first)) == 40_000
    assert (table.pixels[first[:, 0]] == pixels[:40_000]).all()
    table.strips_of(pixels)
    assert (table.strips_of(pixels[:40_000]) == first).all()
