"""Writes ``.bk2`` movies that stable-retro replays."""

import contextlib
import io
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from integrator.domain.errors import MovieError, SaveError
from integrator.domain.files.atomic import remove_leftovers, write_all, write_atomically
from integrator.domain.movies import bk2
from integrator.domain.movies.model import CoreStamp, MovieConsole
from integrator.domain.movies.rows import axes_key, axes_lines, row_lines, row_order

_SIZES_FOLLOW: Final = 1 << 3


class GrowingZip:
    """A zip file whose last member grows; it owns the existing file until :meth:`close`."""

    def __init__(self, path: Path, whole: Mapping[str, bytes], growing: str) -> None:
        """``whole`` are the complete members; ``growing`` names the last member. Raises OSError."""
        self._head = bytearray()
        self._directory = bytearray()
        for name, data in whole.items():
            facts = (zlib.crc32(data), len(data), len(data))
            self._directory += _central(name, 0, facts, len(self._head))
            self._head += _local(name, 0, facts) + data
        self._members, self._name = len(whole) + 1, growing
        self._at = len(self._head)
        self._head += _local(growing, _SIZES_FOLLOW, (0, 0, 0))
        self._end, self._crc = 0, 0
        self._before = 0, b""
        self._handle = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))

    def write(self, more: bytes, ending: bytes, *, replace: bool = False) -> None:
        """Append ``more`` to the member, or start it over with ``replace``. Raises OSError.

        ``ending`` follows until the next call overwrites it."""
        start = 0 if replace or not self._end else self._end
        begun, crc = (b"", self._crc) if start else (bytes(self._head), 0)
        crc = zlib.crc32(more, crc)
        end = start + len(begun) + len(more)
        size = end + len(ending) - len(self._head)
        facts = (zlib.crc32(ending, crc), size, size)
        rest = ending + struct.pack("<4s3L", b"PK\x07\x08", *facts)  # the data descriptor
        directory = self._directory + _central(self._name, _SIZES_FOLLOW, facts, self._at)
        # The end record: members on this disk, members in all, the directory's size and place.
        last = (0, 0, self._members, self._members, len(directory), end + len(rest), 0)
        rest += directory + struct.pack("<4s4H2LH", b"PK\x05\x06", *last)
        self._put(start, begun + more + rest)
        self._end, self._crc, self._before = end, crc, (end, rest)

    def _put(self, start: int, data: bytes) -> None:
        try:
            os.lseek(self._handle, start, os.SEEK_SET)
            write_all(self._handle, data)
        except OSError:
            # Restore the last directory, which needs no more disk space than the file had.
            start, rest = self._before
            with contextlib.suppress(OSError):
                os.lseek(self._handle, start, os.SEEK_SET)
                write_all(self._handle, rest)
                os.ftruncate(self._handle, start + len(rest))
            raise
        os.ftruncate(self._handle, start + len(data))

    def close(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _local(name: str, flags: int, facts: tuple[int, int, int]) -> bytes:
    text = name.encode()
    # The format's version 2.0, and January 1, 1980 as the date.
    head = (b"PK\x03\x04", 20, flags, 0, 0, 1 << 5 | 1)
    return struct.pack("<4s5H3L2H", *head, *facts, len(text), 0) + text


def _central(name: str, flags: int, facts: tuple[int, int, int], at: int) -> bytes:
    text = name.encode()
    # The same as in _local, made on Unix; the mode at the end lets everybody read the file.
    head = (b"PK\x01\x02", 3 << 8 | 20, 20, flags, 0, 0, 1 << 5 | 1)
    # Length of the name, no extra field, no comment, first disk, binary content.
    sizes = (len(text), 0, 0, 0, 0)
    return struct.pack("<4s6H3L5H2L", *head, *facts, *sizes, 0o100644 << 16, at) + text


_LOG_END = b"[/Input]"

GROW_ROWS = 60  # rows (one second) of a growing movie that are lost if the program is killed


class MovieWriter(contextlib.AbstractContextManager["MovieWriter"]):
    """Collects rows and writes the whole file at :meth:`close`, or after :meth:`grow` as rows come.

    The layout is stable-retro's: a key line without prefix, rows ``|..|chars|``, columns from the
    highest bit down, ``[/Input]`` without a line end, an empty ``Core.bin`` for power-on. Moved
    axes need BizHawk's rows; stable-retro crashes on a third player. This program adds
    ``Integrator.json``, ``Integrator.hashes`` (little-endian uint32 row, uint64 RAM hash) and, for
    pressed bits that are no button and have no column, ``Integrator.unnamed`` (uint32 row, uint16
    player from 0, uint16 bits). With ``reset_row``, the first row is the idle frame of ``reset()``.
    An exception in the context abandons the movie."""

    def __init__(
        self,
        path: Path | str,
        *,
        game: str,
        console: MovieConsole,
        state: bytes | None,
        players: int = 1,
        reset_row: bool = True,
        core: CoreStamp | None = None,
        header: Mapping[str, str] | None = None,
        axes: Mapping[str, bool] | None = None,
    ) -> None:
        """Raises MovieError for a number of players or a button that the format cannot hold.

        ``axes`` name the columns after the masks, for sticks and the like; True marks a button."""
        if not 1 <= players <= bk2.MAX_PLAYERS:
            raise MovieError(f"{path}: a movie holds 1 to {bk2.MAX_PLAYERS} players, not {players}")
        self.path = Path(path)
        self.players = players
        self._characters = console.bits
        self._axes = dict(axes or {})
        names = {bit: console.buttons[bit] or "" for bit in self._characters}
        roman = {"I", "II", "III", "IV", "V", "VI"}
        self._names = {b: n if n in roman else n.capitalize() for b, n in names.items()}
        self._state = state or b""
        self._header = self._header_of(game, console.platform, header or {})
        self._extra = {
            "format": 1,
            "reset_row": reset_row,
            "core": {"name": core.name, "version": core.version} if core else None,
        }
        self._columns = players + len(self._axes)
        self._blocks: list[NDArray[np.uint16]] = []
        self._hashes: list[tuple[int, int]] = []
        self.rows = 0
        self._open = True
        self._growing: GrowingZip | None = None
        self._grown_blocks = self.grown_rows = 0
        self._grown_axes = False

    def grow(self) -> None:
        """From now on write rows to the existing file at once, as a valid movie. Raises OSError."""
        self._growing = GrowingZip(self.path, self._facts(), bk2.LOG)
        self._write_new_rows(self._growing)

    def append(self, masks: ArrayLike, hashes: Sequence[int | None] | None = None) -> None:
        """Add rows: ``masks`` of shape (players,) or (frames, players); bit i is the i-th button.

        Numbers of the axes follow the masks, as int16 in two's complement. ``hashes`` has the
        ram_hash() after each row, or None. Raises MovieError for another shape or a closed movie.
        """
        if not self._open:
            raise MovieError(f"{self.path}: the movie is closed")
        block = np.atleast_2d(np.array(masks, np.uint16))
        if block.ndim != 2 or block.shape[1] != self._columns:
            raise MovieError(f"{self.path}: rows of {self.players} players, not {block.shape}")
        if hashes is not None:
            if len(hashes) != len(block):
                raise MovieError(f"{self.path}: {len(hashes)} hashes for {len(block)} rows")
            self._hashes += [(self.rows + i, h) for i, h in enumerate(hashes) if h is not None]
        self._blocks.append(block)
        self.rows += len(block)
        if self._growing and self.rows - self.grown_rows >= GROW_ROWS:
            # Errors are ignored here, because later rows or `close` try again, and `close` raises.
            with contextlib.suppress(OSError):
                self._write_new_rows(self._growing)

    def truncate(self, rows: int) -> None:
        """Keep only the first ``rows`` rows. Raises MovieError after the movie was closed."""
        if not self._open:
            raise MovieError(f"{self.path}: the movie is closed")
        if not 0 <= rows < self.rows:
            return
        self._blocks = [np.concatenate(self._blocks)[:rows]]
        self._hashes = [(row, digest) for row, digest in self._hashes if row < rows]
        self.rows = rows
        self._grown_blocks = self.grown_rows = 0

    def close(self) -> None:
        """Write the whole file or nothing. Idempotent. Raises SaveError.

        If the disk is full, a growing file keeps its first `grown_rows` rows."""
        if not self._open:
            return
        file = io.BytesIO()
        self._write(file)
        remove_leftovers(self.path.parent)
        try:
            write_atomically(self.path, file.getvalue())
        except SaveError:
            if self._growing:
                with contextlib.suppress(OSError):
                    self._write_new_rows(self._growing)
            raise
        self.abandon()

    def abandon(self) -> None:
        self._open = False
        if self._growing:
            self._growing.close()
        self._blocks.clear()
        self._hashes.clear()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()

    def _header_of(self, game: str, platform: str, more: Mapping[str, str]) -> str:
        lines = {"MovieVersion": "Retro", "Author": "?", "emuVersion": "?", "Platform": platform}
        lines |= {"GameName": game, "SHA1": "?", "Core": "?", "rerecordCount": "1", **more}
        if any(not key or set(key) & set(" \r\n") for key in lines):
            raise MovieError(f"{self.path}: a header key is one word")
        if any(set(value) & set("\r\n") for value in lines.values()):
            raise MovieError(f"{self.path}: a header value is one line")
        return "".join(f"{key} {value}\n" for key, value in lines.items())

    def _facts(self) -> dict[str, bytes]:
        header, extra = self._header.encode(), json.dumps(self._extra, indent=2).encode()
        return {bk2.HEADER: header, bk2.STATE: self._state, bk2.EXTRA: extra}

    def _write(self, stream: IO[bytes]) -> None:
        rows = self._rows_of(self._blocks)
        log = b"".join([*self._text(rows, axes=bool(rows[:, self.players :].any())), _LOG_END])
        members = {bk2.LOG: log, **self._facts()}
        masks = rows[:, : self.players] & ~np.uint16(sum(1 << bit for bit in self._names))
        if masks.any():
            at, player = np.nonzero(masks)
            table = np.empty(len(at), bk2.UNNAMED_DTYPE)
            table["row"], table["player"], table["mask"] = at, player, masks[at, player]
            members[bk2.UNNAMED] = table.tobytes()
        if self._hashes:
            members[bk2.HASHES] = np.array(self._hashes, bk2.HASH_DTYPE).tobytes()
        with zipfile.ZipFile(stream, "w") as archive:
            for name, data in members.items():
                # The date is fixed, so that the same recording gives the same file.
                member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                member.compress_type = zipfile.ZIP_DEFLATED
                member.external_attr = 0o644 << 16
                archive.writestr(member, data)

    def _write_new_rows(self, growing: GrowingZip) -> None:
        rows = self._rows_of(self._blocks[self._grown_blocks :])
        axes = self._grown_axes or bool(rows[:, self.players :].any())
        replace = not self.grown_rows or axes != self._grown_axes
        if replace:
            rows = self._rows_of(self._blocks)
        key, lines = self._text(rows, axes=axes)
        growing.write(key + lines if replace else lines, _LOG_END, replace=replace)
        self._grown_blocks, self.grown_rows = len(self._blocks), self.rows
        self._grown_axes = axes

    def _rows_of(self, blocks: Sequence[NDArray[np.uint16]]) -> NDArray[np.uint16]:
        return np.concatenate([np.zeros((0, self._columns), np.uint16), *blocks])

    def _text(self, rows: NDArray[np.uint16], *, axes: bool) -> tuple[bytes, bytes]:
        """Return the log's head and rows; ``axes`` is true if the movie moves an axis."""
        names = [self._names[bit] for bit in row_order(self._characters)]
        groups = [[f"P{p + 1} {name}|" for name in names] for p in range(self.players)]
        masks, numbers = rows[:, : self.players], rows[:, self.players :].view(np.int16)
        if axes:
            key = axes_key(groups, self._axes)
            lines = axes_lines(masks, self._characters, numbers, self._axes)
        else:
            key = "".join(name for group in groups for name in group)
            lines = row_lines(masks, self._characters)
        return f"[Input]\n{key}\n".encode(), lines
