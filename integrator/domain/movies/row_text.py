"""Rows of buttons as text, in BizHawk's notation: written for movies, copied and pasted by hand."""

import re
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
_AXIS_WIDTH: Final = 5
_OF_A_PLAYER: Final = re.compile(r"P\d+ ")
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


def axes_key(groups: Sequence[Sequence[str]], axes: Mapping[str, bool]) -> str:
    """BizHawk's key of a log: the columns of the console and of each player, axes first.

    ``groups`` are each player's columns of buttons.
    """
    found = ["LogKey:#", *(f"{name}|" for name in _named(axes, None)), "Reset|Power|"]
    for player, names in enumerate(groups):
        found += ["#", *(f"{name}|" for name in _named(axes, player)), *names]
    return "".join(found)


def axes_lines(
    masks: NDArray[np.uint16],
    characters: Mapping[int, str],
    numbers: NDArray[np.int16],
    axes: Mapping[str, bool],
) -> bytes:
    """Rows with axes as lines such as ``|..|   80,    0,..U..A|``.

    ``numbers`` is int16 of shape (frames, axes); axes that are buttons (True) are one character.
    """
    lines = row_lines(masks, characters).decode("ascii").splitlines()
    names = list(axes)
    groups: list[list[list[str]]] = [[] for _ in range(masks.shape[1] + 1)]
    for group, column in enumerate(groups):
        wanted = _named(axes, group - 1 if group else None)
        column += [_texts(numbers[:, names.index(n)], n, axes[n]) for n in wanted]
    rows = []
    for row, line in enumerate(lines):
        parts = line[1:-1].split("|")
        texts = ["".join(column[row] for column in group) for group in groups]
        rows.append("".join(f"|{own}{part}" for own, part in zip(texts, parts, strict=True)))
    return "".join(f"{row}|\n" for row in rows).encode("ascii")


def _named(axes: Mapping[str, bool], player: int | None) -> list[str]:
    """The names of a player's axes; of the console's with None."""
    own = _OF_A_PLAYER if player is None else re.compile(f"P{player + 1} ")
    return [name for name in axes if (own.match(name) is None) == (player is None)]


def _texts(numbers: NDArray[np.int16], name: str, is_button: bool) -> list[str]:
    if is_button:
        mark = name.rsplit(maxsplit=1)[-1][0]
        return [mark if number else "." for number in numbers.tolist()]
    texts = [str(number) for number in numbers.tolist()]
    width = max(_AXIS_WIDTH, *map(len, texts))
    return [f"{text:>{width}}," for text in texts]


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
        raise MovieError(f"{_PASTED}: a row resets the console, which the input log cannot hold")
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
