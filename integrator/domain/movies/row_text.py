"""Rows of buttons as text, in BizHawk's notation: written for movies, copied and pasted by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import MovieError
from integrator.domain.movies.keys import MovieConsole
from integrator.domain.movies.rows import CharacterDecoder

MOST_TEXT_BYTES: Final = 8 << 20
"""Limit for pasted rows: more than an hour of play by eight players."""

_PASTED: Final = Path("pasted text")
_RELEASED: Final = frozenset(". ")


def row_order(characters: Mapping[int, str]) -> list[int]:
    """The bits of a row's columns, from left to right."""
    return sorted(characters, reverse=True)


def row_lines(masks: NDArray[np.uint16], characters: Mapping[int, str]) -> bytes:
    """Rows as lines such as ``|..|..U..A|``, one group a player after the console's own buttons.

    ``masks`` is uint16 of shape (frames, players). The lines are filled in as one matrix.
    """
    bits = row_order(characters)
    frames, players = masks.shape
    width = len(bits) + 1
    text = np.full((frames, 4 + players * width + 1), ord("."), np.uint8)
    text[:, [0, 3]] = ord("|")
    text[:, -1] = ord("\n")
    for player in range(players):
        start = 4 + player * width
        for column, bit in enumerate(bits):
            pressed = masks[:, player] >> bit & 1 == 1
            text[pressed, start + column] = ord(characters[bit])
        text[:, start + width - 1] = ord("|")
    return text.tobytes()


def parse_rows(text: str, console: MovieConsole, players: int) -> NDArray[np.uint16]:
    """The masks of pasted rows, uint16 of shape (frames, players).

    Buttons are told by their characters, as stable-retro does, so that the order of columns does
    not matter. Lines that begin with no ``|`` are left out, as the key of a log is; so are groups
    of further players without a button. Raises MovieError, which names the row.
    """
    if len(text) > MOST_TEXT_BYTES:
        raise MovieError(f"{_PASTED}: more than {MOST_TEXT_BYTES >> 20} MiB of rows")
    decoder = CharacterDecoder(_PASTED, players, console.bits)
    lines = [line.strip() for line in text.splitlines()]
    rows = [line for line in lines if line.startswith("|")]
    if not rows:
        raise MovieError("there are no rows such as |..|..U..A| on the clipboard")
    try:
        decoder.feed([_fitted(row, players).encode("ascii") for row in rows])
    except UnicodeEncodeError as error:
        raise MovieError(f"{_PASTED}: {error.object!r} is no row of buttons") from error
    if decoder.events:
        raise MovieError(f"{_PASTED}: a row resets the console, which the input log can not hold")
    return decoder.inputs()


def _fitted(row: str, players: int) -> str:
    """The row without idle groups of players that the game does not have here."""
    if not row.endswith("|"):
        return row
    groups: Sequence[str] = row[1:-1].split("|")
    if len(groups) == players:
        groups = ["..", *groups]
    extra = groups[players + 1 :]
    if all(_RELEASED.issuperset(group) for group in extra):
        groups = groups[: players + 1]
    return f"|{'|'.join(groups)}|"
