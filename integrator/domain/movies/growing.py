"""A zip file whose last member grows, and which can be read between any two of its writes.

Members are stored without compression. Each write puts the new bytes over the old directory and
the new directory behind them, with one call of the operating system, so a killed program leaves
a whole zip file. The bytes are not synced: a power failure may take the last ones.
"""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from integrator.domain.files.atomic import write_all

_LOCAL: Final = struct.Struct("<4s5H3L2H")
_DESCRIPTOR: Final = struct.Struct("<4s3L")
_CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
_END: Final = struct.Struct("<4s4H2LH")
_VERSION: Final = 20
_MADE_BY_UNIX: Final = 3 << 8
_SIZES_FOLLOW: Final = 1 << 3
_FIRST_OF_1980: Final = 1 << 5 | 1
_MODE: Final = 0o100644 << 16


class GrowingZip:
    """Owns the file until :meth:`close`; ``path`` exists already."""

    def __init__(self, path: Path, whole: Mapping[str, bytes], growing: str) -> None:
        """``whole`` are complete members; ``growing`` names the last one. Raises OSError."""
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
        """Let the member go on with ``more`` and, until the next write, end with ``ending``.

        ``replace`` replaces all that the member holds. Raises OSError; then the file is as before.
        """
        start = 0 if replace or not self._end else self._end
        begun, crc = (b"", self._crc) if start else (bytes(self._head), 0)
        crc = zlib.crc32(more, crc)
        end = start + len(begun) + len(more)
        size = end + len(ending) - len(self._head)
        facts = (zlib.crc32(ending, crc), size, size)
        rest = ending + _DESCRIPTOR.pack(b"PK\x07\x08", *facts)
        directory = self._directory + _central(self._name, _SIZES_FOLLOW, facts, self._at)
        place = (len(directory), end + len(rest))
        rest += directory + _END.pack(b"PK\x05\x06", 0, 0, self._members, self._members, *place, 0)
        self._put(start, begun + more + rest)
        self._end, self._crc, self._before = end, crc, (end, rest)

    def _put(self, start: int, data: bytes) -> None:
        try:
            os.lseek(self._handle, start, os.SEEK_SET)
            write_all(self._handle, data)
        except OSError:
            self._restore()
            raise
        os.ftruncate(self._handle, start + len(data))

    def _restore(self) -> None:
        """Put the last directory back: its place on the disk is still the file's."""
        start, rest = self._before
        with contextlib.suppress(OSError):
            os.lseek(self._handle, start, os.SEEK_SET)
            write_all(self._handle, rest)
            os.ftruncate(self._handle, start + len(rest))

    def close(self) -> None:
        """Let go of the file. Idempotent."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _local(name: str, flags: int, facts: tuple[int, int, int]) -> bytes:
    text = name.encode()
    head = (b"PK\x03\x04", _VERSION, flags, 0, 0, _FIRST_OF_1980)
    return _LOCAL.pack(*head, *facts, len(text), 0) + text


def _central(name: str, flags: int, facts: tuple[int, int, int], at: int) -> bytes:
    text = name.encode()
    head = (b"PK\x01\x02", _MADE_BY_UNIX | _VERSION, _VERSION, flags, 0, 0, _FIRST_OF_1980)
    return _CENTRAL.pack(*head, *facts, len(text), 0, 0, 0, 0, _MODE, at) + text
