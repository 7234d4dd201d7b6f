"""Numbers that are read in the cells of the screen, and the memory that keeps them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.domain.suggest.play import Play
from integrator.domain.suggest.screen import Looks, cells_of, strips_of
from integrator.domain.suggest.solving import read_play, solutions_of, solve
from integrator.domain.values.datatype import DataType

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


def test_an_animation_is_no_number() -> None:
    looks = np.full((len(ROWS), 3, 12), BLANK, np.int64)
    step = ROWS // 16 % 8
    looks[:, 1, 5] = GLYPH + step
    looks[:, 1, 6] = GLYPH + 50 + step
    counter = (np.arange(FRAMES) // 16 % 8).astype(np.uint8)[:, np.newaxis]
    every = Looks.of(ROWS, looks.reshape(len(ROWS), -1), boxes(3))
    assert read_play(play_of(counter, every)) == []


def test_digits_of_double_height_are_read() -> None:
    """Of their upper halves, several look the same, so that no row alone tells the digits."""
    plain = screen(points())
    looks = np.full((len(ROWS), 4, 12), BLANK, np.int64)
    shown = plain.ids.reshape(len(ROWS), 3, 12)[:, 1]
    looks[:, 1], looks[:, 2] = 200 + shown % 3, 300 + shown // 3
    every = Looks.of(ROWS, looks.reshape(len(ROWS), -1), boxes(4))
    (number,) = read_play(play_of(coded(points(), ">d3"), every))
    assert (number.y, number.height) == (8, 16)
    frames, values = number.rests
    assert (values == points()[frames]).all()


def test_cells_that_look_the_same_have_the_same_look() -> None:
    rng = np.random.default_rng(3)
    glyphs = rng.integers(0, 1 << 24, (40, 8, 8)).astype(np.uint32)
    pixels = np.concatenate([*glyphs[:20], *glyphs[:20]], axis=1)
    [looks], _ = cells_of(strips_of(pixels)[np.newaxis])
    assert (looks[:20] == looks[20:]).all()
    assert len(np.unique(looks)) == 20


@pytest.mark.parametrize(("top", "high"), [(11, 8), (13, 6), (12, 8), (21, 5)])
def test_digits_between_the_lines_are_read(top: int, high: int) -> None:
    """Things move above and below them, so that cells of the lines never rest."""
    rng = np.random.default_rng(high)
    glyphs = rng.integers(0, 1 << 24, (10, high, 8)).astype(np.uint32)
    rows = np.arange(0, FRAMES, 2)
    pixels = np.zeros((len(rows), 40, 96), np.uint32)
    pixels[:, [top - 2, top + 8]] = rng.integers(0, 99, (len(rows), 1, 1))
    for place in range(6):
        cell = slice(72 - 8 * place, 80 - 8 * place)
        pixels[:, top : top + high, cell] = glyphs[points()[rows] // 10**place % 10]
    strips = np.stack([strips_of(each) for each in pixels])
    (number,) = read_play(play_of(coded(points(), ">d3"), Looks.of(rows, *cells_of(strips))))
    assert (number.x, number.y, number.width) == (32, top, 48)
    frames, values = number.rests
    assert (values == points()[frames]).all()


def test_a_number_that_never_rests_is_read_with_the_lag_of_its_drawing() -> None:
    points = np.arange(FRAMES)
    play = play_of(coded(points, "<n6"), screen(points))
    (number,) = read_play(play)
    assert number.runs
    assert (number.x, number.width) == (56, 32)
    assert [(each.place, str(each.type)) for each in solve(play, number)] == [(16, "<n6")]


def test_fades_and_pauses_hide_no_digits() -> None:
    looks = screen(points())
    ids = looks.ids.copy()
    for start in range(300, len(ROWS), 600):
        fade = np.arange(10)[:, np.newaxis]
        ids[start : start + 40] = 2000 + np.repeat(fade, 4, axis=0)
    every = Looks.of(ROWS, ids.astype(np.int64), looks.boxes)
    (number,) = read_play(play_of(coded(points(), ">d3"), every))
    assert number.values.max() == points().max()


def test_text_that_is_written_later_is_digits() -> None:
    values = coded(points(), ">n6", base=0x30)
    values[:100] = 0
    values[100:160] = ord(" ")
    play = play_of(values, screen(points()))
    assert {str(data_type) for _, data_type, _ in solutions_of(play)} == {">n6"}
