"""Rows of buttons as text: what is copied comes back, and foreign rows are read or refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from integrator.domain.errors import MovieError
from integrator.domain.movies.keys import MovieConsole
from integrator.domain.movies.row_text import parse_rows, row_lines

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
