"""Rows of input logs: decodes blocks of text to button masks, and writes masks as rows."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from pathlib import Path
from typing import IO, Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import MovieError, one_line
from integrator.domain.movies.model import MovieConsole, MovieEvent

MAX_ROW_BYTES = 4096
MAX_ROWS = 2_500_000  # 11 hours; limited because a small zip could unpack to far more
MAX_EVENTS = 10_000

Masks = NDArray[np.uint16]  # the buttons held on each row, (rows, players)
ReadRow = tuple[Sequence[int], int]
"""A row's masks by player and axes as 16 bits; and its events, 1 for reset and 2 for power."""

_RELEASED: Final = b". "
_SEPARATORS: Final = bytes(byte if byte in b"|," else 0 for byte in range(256))


@dataclass(frozen=True, slots=True)
class ButtonColumn:
    """One column: a button's bit at a port, a console event, an axis, or unknown to the system."""

    name: str
    port: int = 0
    bit: int | None = None
    event: Literal["reset", "power"] | None = None
    is_axis: bool = False


def log_blocks(
    stream: IO[bytes], path: Path, limit_bytes: int = MAX_ROW_BYTES
) -> Iterator[list[bytes]]:
    """Yield blocks of lines without line ends. Raises MovieError for a line that is too long."""
    rest = b""
    # Read 256 KiB at a time, so that a long log takes little memory.
    while block := stream.read(256 << 10):
        lines = (rest + block).split(b"\n")
        rest = lines.pop()
        if len(rest) > limit_bytes:
            raise MovieError(f"{path}: a line of the input log is longer than {limit_bytes} bytes")
        yield [line.rstrip(b"\r") for line in lines]
    if rest:
        yield [rest.rstrip(b"\r")]


class RowDecoder(ABC):
    """Decodes the rows of one log to masks of ``players`` ports and to axes, and collects events.
    Players hold buttons for several frames, so each different row of a block is read only once."""

    def __init__(self, path: Path, players: int, axes: Sequence[str] = ()) -> None:
        self.path, self.players = path, players
        self.rows = 0
        self.events: list[MovieEvent] = []
        self.lost: set[str] = set()
        self._lost_row: int | None = None
        self._axes = tuple(axes)
        self._blocks = [np.zeros((0, players + len(self._axes)), np.uint16)]
        self._layouts: dict[int, bytes] = {}

    def feed(self, rows: Sequence[bytes]) -> None:
        """Decode the next rows. Raises MovieError, which names file and row."""
        if self.rows + len(rows) > MAX_ROWS:
            raise MovieError(f"{self.path}: more than {MAX_ROWS:,} rows, the most that are read")
        different = {row: place for place, row in enumerate(dict.fromkeys(rows))}
        table = np.zeros((len(different), self.players + len(self._axes)), np.uint16)
        events = np.zeros(len(different), np.uint8)
        for row, place in different.items():
            try:
                self._check_layout(row)
                table[place], events[place] = self._read(row)
            except ValueError as error:
                number = self.rows + rows.index(row)
                raise MovieError(f"{self.path}: row {number} of the input log {error}") from error
            if self.lost and self._lost_row is None:
                self._lost_row = self.rows + rows.index(row)
        places = np.fromiter(map(different.__getitem__, rows), np.intp, len(rows))
        self._blocks.append(table[places])
        kinds: tuple[Literal["reset", "power"], ...] = ("reset", "power")
        for bit, kind in enumerate(kinds):
            pressed = np.flatnonzero(events[places] >> bit & 1) + self.rows
            self.events += [MovieEvent(row, kind) for row in pressed.tolist()]
        if len(self.events) > MAX_EVENTS:
            raise MovieError(f"{self.path}: more than {MAX_EVENTS} console resets")
        self.rows += len(rows)
        self.events.sort(key=lambda event: event.row)

    @property
    def warnings(self) -> dict[str, int]:
        """A sentence about inputs that no player can make, with the first row that uses one."""
        lost = f"used, but no input of this system: {', '.join(sorted(self.lost))}"
        return {} if self._lost_row is None else {one_line(lost): self._lost_row}

    def inputs(self) -> Masks:
        return np.ascontiguousarray(np.concatenate(self._blocks)[:, : self.players])

    def axes(self) -> dict[str, NDArray[np.int16]]:
        """Return the numbers, int16 (rows,), of each axis that is not always at rest."""
        columns = np.concatenate(self._blocks)[:, self.players :].T.astype(np.int16)
        return {name: each for name, each in zip(self._axes, columns, strict=True) if each.any()}

    @abstractmethod
    def _read(self, row: bytes) -> ReadRow:
        """Decode a row. Raises ValueError with the fault of a row that is not of this log."""

    def _check_layout(self, row: bytes) -> None:
        layout = row.translate(_SEPARATORS)
        known = self._layouts.setdefault(len(row), layout)
        # The rows of a log have one length, or a few lengths if numbers get longer.
        if len(self._layouts) > 32:
            raise ValueError("changes its length once more; the log is damaged")
        if known != layout:
            raise ValueError("is not laid out like the rows before it")
        if len(row) > MAX_ROW_BYTES or not row.endswith(b"|") or not row.startswith(b"|"):
            raise ValueError("does not begin and end with '|'; the log is damaged or cut off")


class CharacterDecoder(RowDecoder):
    """Decodes stable-retro's rows, ``|..|chars|chars|`` with a group per player, by character."""

    def __init__(self, path: Path, players: int, characters: Mapping[int, str]) -> None:
        super().__init__(path, players)
        self._masks = dict.fromkeys(_RELEASED, 0)
        for bit, character in characters.items():
            self._masks[ord(character)] = self._masks.get(ord(character), 0) | 1 << bit

    def _read(self, row: bytes) -> ReadRow:
        console, *groups = row[1:-1].split(b"|")
        if len(groups) != self.players:
            raise ValueError(f"has {len(groups)} players; the log's key names {self.players}")
        unknown = [byte for group in groups for byte in group if byte not in self._masks]
        if unknown:
            raise ValueError(f"has {chr(unknown[0])!r}, which is no button of this system")
        events = sum(1 << bit for bit, byte in enumerate(console[:2]) if byte not in _RELEASED)
        return [reduce(or_, map(self._masks.__getitem__, group), 0) for group in groups], events


class PositionDecoder(RowDecoder):
    """Decodes rows by position: a character other than ``.`` and space presses the column's button.
    Pipes may be anywhere, because they only make rows readable: BizHawk writes one group for each
    ``#`` of its key, and earlier versions grouped otherwise. Axes are right-aligned numbers, each
    followed by a comma."""

    def __init__(self, path: Path, players: int, columns: Sequence[ButtonColumn]) -> None:
        names = dict.fromkeys(column.name for column in columns if column.is_axis)
        super().__init__(path, players, (*names,))
        self._columns = tuple(columns)
        self._still: dict[str, bytes] = {}  # the first number of each axis that the system lacks
        self._buttons = lru_cache(1 << 12)(self._read_buttons)

    def _read(self, row: bytes) -> ReadRow:
        numbers = _NUMBER.findall(row)
        known, places, events = self._buttons(_NUMBER.sub(b",", row).replace(b"|", b""))
        if len(numbers) != len(places):
            raise ValueError("has no number before a comma")
        values = list(known)
        for place, number in zip(places, numbers, strict=True):
            if isinstance(place, int):
                values[place] = max(-0x8000, min(0x7FFF, int(number[:-1]))) & 0xFFFF
            elif self._still.setdefault(place, number) != number:
                self.lost.add(place)
        return values, events

    def _read_buttons(self, fields: bytes) -> tuple[list[int], list[int | str], int]:
        """Decode a row in which a comma stands for each number, for which a place is returned."""
        if len(fields) != len(self._columns):
            raise ValueError(f"has {len(fields)} columns; the log's key names {len(self._columns)}")
        values, events = [0] * (self.players + len(self._axes)), 0
        places: list[int | str] = []
        for column, field in zip(self._columns, fields, strict=True):
            axis = self.players + self._axes.index(column.name) if column.is_axis else None
            if field == ord(","):
                places.append(column.name if axis is None else axis)
            elif field in _RELEASED:
                continue
            elif axis is not None:
                values[axis] = 1
            elif column.event is not None:
                events |= 1 if column.event == "reset" else 2
            elif column.bit is None:
                self.lost.add(column.name)
            else:
                values[column.port] |= 1 << column.bit
        return values, places, events


_NUMBER: Final = re.compile(rb"(?<! ) *-?(?<![0-9])[0-9]+,")


MOST_TEXT_BYTES: Final = 8 << 20  # limit of pasted rows: over an hour of play by 8 players
_PASTED: Final = Path("pasted text")


def row_order(characters: Mapping[int, str]) -> list[int]:
    """Return the bits of a row's columns, from left to right."""
    return sorted(characters, reverse=True)


def row_lines(masks: Masks, characters: Mapping[int, str]) -> bytes:
    """Write masks, uint16 (frames, players), as lines such as ``|..|..U..A|``, all at once."""
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
    """Return BizHawk's key line: the console's columns, then each player's, axes first."""
    found = ["LogKey:#", *(f"{name}|" for name in _named(axes, None)), "Reset|Power|"]
    for player, names in enumerate(groups):
        found += ["#", *(f"{name}|" for name in _named(axes, player)), *names]
    return "".join(found)


def axes_lines(
    masks: Masks,
    characters: Mapping[int, str],
    numbers: NDArray[np.int16],
    axes: Mapping[str, bool],
) -> bytes:
    """Write rows with axes, int16 (frames, axes), as lines such as ``|..| 80, 0,..U..A|``."""
    texts = {
        name: _texts(column, name, axes[name]) for name, column in zip(axes, numbers.T, strict=True)
    }
    groups = [_named(axes, player) for player in (None, *range(masks.shape[1]))]
    rows = []
    for row, line in enumerate(row_lines(masks, characters).decode("ascii").splitlines()):
        parts = zip(groups, line[1:-1].split("|"), strict=True)
        own = ("".join(texts[name][row] for name in names) + part for names, part in parts)
        rows.append("".join(f"|{part}" for part in own) + "|\n")
    return "".join(rows).encode("ascii")


def _named(axes: Mapping[str, bool], player: int | None) -> list[str]:
    own = r"P\d+ " if player is None else f"P{player + 1} "
    return [name for name in axes if (re.match(own, name) is None) == (player is None)]


def _texts(numbers: NDArray[np.int16], name: str, is_button: bool) -> list[str]:
    if is_button:
        mark = name.rsplit(maxsplit=1)[-1][0]
        return [mark if number else "." for number in numbers.tolist()]
    texts = [str(number) for number in numbers.tolist()]
    width = max(5, *map(len, texts))
    return [f"{text:>{width}}," for text in texts]


def parse_rows(text: str, console: MovieConsole, players: int) -> Masks:
    """Decode pasted rows to masks, uint16 of shape (frames, players).

    Buttons are recognized by their characters, as in stable-retro, so the order of columns does not
    matter. Lines without a ``|`` at the start, such as the key line, are ignored, and so are groups
    of additional players who press no button. Raises MovieError, which names the row."""
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
    """Add a missing group of console buttons to a row, and drop additional players at rest."""
    if not row.endswith("|"):
        return row
    groups = row[1:-1].split("|")
    if len(groups) == players:
        groups = ["..", *groups]
    if set("".join(groups[players + 1 :])) <= set(". "):
        groups = groups[: players + 1]
    return f"|{'|'.join(groups)}|"
