"""Rows of buttons as text: what is copied comes back, and foreign rows are read or refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.rows import parse_rows, row_lines

NES = MovieConsole(("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A"))
USED = 0b111111101


@given(masks=arrays.arrays(np.uint16, st.tuples(st.integers(1, 30), st.integers(1, 4))))
def test_copied_rows_come_back(masks: np.ndarray) -> None:
    masks &= USED
    text = row_lines(masks, NES.bits).decode()
    assert np.array_equal(parse_rows(text, NES, masks.shape[1]), masks)


def test_rows_of_bizhawk_are_read_in_any_order_of_columns() -> None:
    text = (
        "[Input]\nLogKey:#Reset|Power|#P1 Up|...\r\n|..|U..R...A|........|\n|..|.....sB.|........|"
    )
    rows = parse_rows(text, NES, 1)
    assert rows[:, 0].tolist() == [1 << 4 | 1 << 7 | 1 << 8, 1 << 2 | 1]
    assert parse_rows("|....S...|", NES, 1).tolist() == [[1 << 3]]


@given(names=st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=16))
def test_every_button_has_a_letter_whatever_its_name(names: list[str]) -> None:
    console = MovieConsole(names)
    letters = list(console.bits.values())
    assert len(set(letters)) == len(names)
    assert all(letter.isalnum() and letter.isascii() for letter in letters)
    masks = np.arange(1 << len(names), step=max(1, (1 << len(names)) // 50)).astype(np.uint16)
    text = row_lines(masks[:, None], console.bits).decode()
    assert np.array_equal(parse_rows(text, console, 1)[:, 0], masks)


def test_letters_of_unknown_names_are_their_own_where_they_are_free() -> None:
    console = MovieConsole(("TURBO-B", "B", "T", None, "COIN", "BUTTON"))
    assert console.bits == {0: "T", 1: "B", 2: "t", 4: "C", 5: "U"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there are no rows"),
        ("|..|Q.......|", "row 0 .* has 'Q', which is no button"),
        ("|..|........|U.......|", "has 2 players"),
        ("|r.|........|", "resets the console"),
        ("|..|........|\n|..|....", "row 1 .* does not begin and end"),
        ("|..|é.......|", "is no row of buttons"),
    ],
)
def test_rows_that_make_no_sense_are_refused(text: str, says: str) -> None:
    with pytest.raises(MovieError, match=says):
        parse_rows(text, NES, 1)
