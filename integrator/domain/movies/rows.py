"""Rows of input logs: decodes blocks of text to button masks, and writes masks as rows."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import MovieConsole, MovieEvent

MAX_ROW_BYTES = 4096
MAX_ROWS = 2_500_000  # 11 hours; limited because a small zip could unpack to far more
MAX_EVENTS = 10_000

Matrix = NDArray[np.uint8]  # the characters of rows of one length, (rows, length)
Masks = NDArray[np.uint16]  # the buttons held on each row, (rows, players)
Numbers = NDArray[np.intp]  # row numbers in the log

_RELEASED = np.frombuffer(b". ", np.uint8)


@dataclass(frozen=True, slots=True)
class ButtonColumn:
    """One column: a button's bit at a port, a console event, an axis, or unknown to the system."""

    name: str
    port: int = 0
    bit: int | None = None
    event: Literal["reset", "power"] | None = None
    is_axis: bool = False


@dataclass(frozen=True, slots=True)
class RowShape:
    """The layout of rows of one length: places and bytes of separators, positions of columns."""

    fixed: NDArray[np.intp]
    fixed_bytes: NDArray[np.uint8]
    positions: NDArray[np.intp]
    groups: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(
        cls, row: bytes, positions: Sequence[int], groups: Sequence[tuple[int, int]]
    ) -> "RowShape":
        """Return the shape of ``row``; all rows of its length must have the same separators."""
        fixed = np.array([i for i, byte in enumerate(row) if byte in b"|,"], np.intp)
        kept = np.frombuffer(row, np.uint8)[fixed]
        return cls(fixed, kept, np.array(positions, np.intp), tuple(groups))


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
    """Decodes the rows of one log to masks of ``players`` ports, and collects events."""

    def __init__(self, path: Path, players: int) -> None:
        self.path = path
        self.players = players
        self.rows = 0
        self.events: list[MovieEvent] = []
        self.lost: set[str] = set()
        self._blocks: list[Masks] = []
        self._shapes: dict[int, RowShape] = {}

    def feed(self, rows: Sequence[bytes]) -> None:
        """Decode the next rows. Raises MovieError, which names file and row."""
        if self.rows + len(rows) > MAX_ROWS:
            raise MovieError(f"{self.path}: more than {MAX_ROWS:,} rows, the most that are read")
        masks = np.zeros((len(rows), self.players), np.uint16)
        lengths = np.fromiter(map(len, rows), np.intp, len(rows))
        for length in np.unique(lengths).tolist():
            indices = np.flatnonzero(lengths == length)
            numbers = indices + self.rows
            shape = self._shapes.get(length)
            if shape is None:
                shape = self._new_shape(rows[int(indices[0])], int(numbers[0]))
            same = rows if len(indices) == len(rows) else [rows[i] for i in indices.tolist()]
            matrix = np.frombuffer(b"".join(same), np.uint8).reshape(len(indices), length)
            wrong = (matrix[:, shape.fixed] != shape.fixed_bytes).any(axis=1)
            if wrong.any():
                number = int(numbers[int(wrong.argmax())])
                raise self.fail(number, "is not laid out like the rows before it")
            masks[indices] = self._decode(matrix, shape, numbers)
        self._blocks.append(masks)
        self.rows += len(rows)
        self.events.sort(key=lambda event: event.row)

    def inputs(self) -> Masks:
        return np.concatenate([np.zeros((0, self.players), np.uint16), *self._blocks])

    @abstractmethod
    def _shape(self, row: bytes, number: int) -> RowShape:
        """Return the shape of the first row of a length. Raises MovieError if it is invalid."""

    @abstractmethod
    def _decode(self, matrix: Matrix, shape: RowShape, numbers: Numbers) -> Masks:
        """Return the masks of a matrix of rows."""

    def fail(self, number: int, problem: str) -> MovieError:
        return MovieError(f"{self.path}: row {number} of the input log {problem}")

    def add_events(
        self, pressed: NDArray[np.bool_], numbers: Numbers, kind: Literal["reset", "power"]
    ) -> None:
        rows = numbers[pressed]
        if len(self.events) + len(rows) > MAX_EVENTS:
            raise MovieError(f"{self.path}: more than {MAX_EVENTS} console resets")
        self.events.extend(MovieEvent(int(row), kind) for row in rows)

    def _new_shape(self, row: bytes, number: int) -> RowShape:
        # The rows of a log have one length, or a few lengths if numbers get longer.
        if len(self._shapes) >= 32:
            raise self.fail(number, "changes its length once more; the log is damaged")
        if len(row) > MAX_ROW_BYTES or not row.endswith(b"|") or not row.startswith(b"|"):
            raise self.fail(
                number, "does not begin and end with '|'; the log is damaged or cut off"
            )
        self._shapes[len(row)] = shape = self._shape(row, number)
        return shape


class CharacterDecoder(RowDecoder):
    """Decodes stable-retro's rows, ``|..|chars|chars|`` with a group per player, by character."""

    def __init__(self, path: Path, players: int, characters: Mapping[int, str]) -> None:
        super().__init__(path, players)
        self._mask = np.zeros(256, np.uint16)
        self._known = np.zeros(256, np.bool_)
        self._known[list(b". ")] = True
        for bit, character in characters.items():
            self._mask[ord(character)] |= 1 << bit
            self._known[ord(character)] = True

    def _shape(self, row: bytes, number: int) -> RowShape:
        pipes = [i for i, byte in enumerate(row) if byte == ord("|")]
        groups = [(a + 1, b) for a, b in pairwise(pipes)]
        if len(groups) != self.players + 1:
            named = f"the log's key names {self.players}"
            raise self.fail(number, f"has {len(groups) - 1} players; {named}")
        return RowShape.of(row, range(*groups[0]), groups[1:])

    def _decode(self, matrix: Matrix, shape: RowShape, numbers: Numbers) -> Masks:
        start = shape.groups[0][0]
        unknown = ~self._known[matrix[:, start:-1]] & (matrix[:, start:-1] != ord("|"))
        wrong = unknown.any(axis=1)
        if wrong.any():
            at = int(wrong.argmax())
            character = chr(matrix[at, start + int(unknown[at].argmax())])
            problem = f"has {character!r}, which is no button of this system"
            raise self.fail(int(numbers[at]), problem)
        kinds: tuple[Literal["reset", "power"], ...] = ("reset", "power")
        for position, kind in zip(shape.positions, kinds, strict=False):
            self.add_events(~np.isin(matrix[:, position], _RELEASED), numbers, kind)
        masks = np.zeros((len(matrix), self.players), np.uint16)
        for player, (begin, end) in enumerate(shape.groups):
            masks[:, player] = np.bitwise_or.reduce(self._mask[matrix[:, begin:end]], axis=1)
        return masks


class PositionDecoder(RowDecoder):
    """Decodes rows by position: a character other than ``.`` and space presses the column's button.

    Pipes may be anywhere, because they only make rows readable: BizHawk writes one group for each
    ``#`` of its key, and earlier versions grouped otherwise. Axes are right-aligned numbers, each
    followed by a comma.
    """

    def __init__(self, path: Path, players: int, columns: Sequence[ButtonColumn]) -> None:
        super().__init__(path, players)
        self._columns = tuple(columns)
        # By column name: blocks of row numbers with the axis's numbers in these rows.
        self._axes: dict[str, list[tuple[Numbers, NDArray[np.int16]]]] = {}

    def axes(self) -> dict[str, NDArray[np.int16]]:
        """Return the numbers, int16 (rows,), of each axis that is not always at rest."""
        found: dict[str, NDArray[np.int16]] = {}
        for name, parts in self._axes.items():
            numbers = found[name] = np.zeros(self.rows, np.int16)
            for rows, part in parts:
                numbers[rows] = part
        return found

    def _shape(self, row: bytes, number: int) -> RowShape:
        # A column is a right-aligned number with a comma, or the one character of a button.
        columns = re.finditer(rb" *-?[0-9]+,|[^|]", row, re.DOTALL)
        positions = [match.end() - 1 for match in columns]
        if len(positions) != len(self._columns):
            named = f"the log's key names {len(self._columns)}"
            raise self.fail(number, f"has {len(positions)} columns; {named}")
        return RowShape.of(row, positions, ())

    def _decode(self, matrix: Matrix, shape: RowShape, numbers: Numbers) -> Masks:
        masks = np.zeros((len(matrix), self.players), np.uint16)
        pressed = ~np.isin(matrix[:, shape.positions], _RELEASED)
        is_number = matrix[0, shape.positions] == ord(",")
        for place, axis in enumerate(self._columns):
            if axis.is_axis:
                held = pressed[:, place].astype(np.int16)
                part = self._numbers(matrix, shape, place, numbers) if is_number[place] else held
                if part.any():
                    self._axes.setdefault(axis.name, []).append((numbers, part))
        pressed[:, is_number | [column.is_axis for column in self._columns]] = False
        for index in np.flatnonzero(pressed.any(axis=0)):
            column = self._columns[index]
            if column.event is not None:
                self.add_events(pressed[:, index], numbers, column.event)
            elif column.bit is None:
                self.lost.add(column.name)
            else:
                masks[pressed[:, index], column.port] |= 1 << column.bit
        return masks

    def _numbers(
        self, matrix: Matrix, shape: RowShape, index: int, rows: Numbers
    ) -> NDArray[np.int16]:
        end = int(shape.positions[index])
        begin = int(shape.positions[index - 1]) + 1 if index else 0
        while matrix[0, begin] == ord("|"):
            begin += 1
        texts = np.ascontiguousarray(matrix[:, begin:end]).view(f"S{end - begin}").ravel()
        try:
            numbers = texts.astype(np.int64)
        except (ValueError, OverflowError) as error:
            name = self._columns[index].name
            raise self.fail(int(rows[0]), f"or a later one has no number for {name}") from error
        return numbers.clip(-0x8000, 0x7FFF).astype(np.int16)


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
    of additional players who press no button. Raises MovieError, which names the row.
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
    """Add a missing group of console buttons to a row, and drop additional players at rest."""
    if not row.endswith("|"):
        return row
    groups = row[1:-1].split("|")
    if len(groups) == players:
        groups = ["..", *groups]
    further = "".join(groups[players + 1 :])
    if set(further) <= set(". "):
        groups = groups[: players + 1]
    return f"|{'|'.join(groups)}|"
