"""Where a timeline keeps bytes: compressed in memory, the oldest of too many in a file."""

from __future__ import annotations

import os
import struct
import tempfile
import weakref
import zlib
from typing import IO

import numpy as np

from integrator.domain.errors import TimelineError

_LEVEL = 1
_PAGE_BYTES = 1024
_SPARSE_BYTES = 64 << 10
"""From here on, pages without content are left out before zlib sees them. Of a Genesis state of
1 MB all but 40 KB is zeros: packing takes 0.3 ms of processor time instead of 1.8, and 6 KB."""


class Packed:
    """Bytes that a pool keeps. They live as long as something holds this."""

    __slots__ = ("__weakref__", "_data", "_pool", "_start", "size_bytes")

    def __init__(self, pool: BytePool, data: bytes) -> None:
        self._pool = pool
        self._data: bytes | None = data
        self._start = 0
        self.size_bytes = len(data)

    @property
    def in_memory(self) -> bool:
        """False once they were spilled to the file."""
        return self._data is not None

    def load(self) -> bytes:
        """The bytes as they were added. Raises TimelineError after the pool was closed."""
        data = self._data
        if data is None:
            data = self._pool.read(self._start, self.size_bytes)
        return unpack(data)

    def spill(self, file: IO[bytes]) -> None:
        """Move to the end of ``file``."""
        if self._data is not None:
            self._start = file.seek(0, 2)
            file.write(self._data)
            self._data = None


class BytePool:
    """Compressed bytes within ``budget_bytes`` of memory. Space in the file is not reused.

    One thread adds; others may load.
    """

    def __init__(self, budget_bytes: int) -> None:
        self._budget_bytes = budget_bytes
        self._kept: list[weakref.ref[Packed]] = []
        # What is held at most: counting exactly takes a walk over all.
        self._bound_bytes = 0
        self._file: IO[bytes] | None = None
        self._closed = False

    def add(self, data: bytes) -> Packed:
        """Keep bytes; the oldest go to the file when the budget is passed."""
        packed = Packed(self, pack(data))
        self._kept.append(weakref.ref(packed))
        self._bound_bytes += packed.size_bytes
        if self._bound_bytes > self._budget_bytes:
            self._trim()
        return packed

    def read(self, start: int, size: int) -> bytes:
        """Bytes of the file. Raises TimelineError after :meth:`close`."""
        file = self._file
        if self._closed or file is None:
            raise TimelineError("the timeline is closed")
        if hasattr(os, "pread"):
            # Leaves the place alone at which another thread may be writing.
            return os.pread(file.fileno(), size, start)
        file.seek(start)
        return file.read(size)

    @property
    def memory_bytes(self) -> int:
        """Bytes held in memory now."""
        return sum(packed.size_bytes for packed in self._alive() if packed.in_memory)

    @property
    def disk_bytes(self) -> int:
        """Bytes of the temporary file."""
        return 0 if self._file is None else self._file.seek(0, 2)

    def close(self) -> None:
        """Delete the file. Idempotent."""
        self._closed = True
        self._kept.clear()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _alive(self) -> list[Packed]:
        found = [packed for packed in (ref() for ref in self._kept) if packed is not None]
        if len(found) < len(self._kept):
            self._kept = [weakref.ref(packed) for packed in found]
        return found

    def _trim(self) -> None:
        self._bound_bytes = self.memory_bytes
        excess = self._bound_bytes - self._budget_bytes
        if excess <= 0:
            return
        if self._file is None:
            # Has no name on POSIX, so it is gone even when the program is killed.
            self._file = tempfile.TemporaryFile(buffering=0, prefix="integrator-timeline-")  # noqa: SIM115 - close() does
        # A tenth more, so that not every addition spills.
        excess += self._budget_bytes // 10
        for packed in self._alive():
            if excess <= 0:
                break
            if packed.in_memory:
                packed.spill(self._file)
                excess -= packed.size_bytes
                self._bound_bytes -= packed.size_bytes


def pack(data: bytes) -> bytes:
    """``data`` compressed: zlib of its length, which pages are there, and these pages."""
    if len(data) < _SPARSE_BYTES:
        return zlib.compress(struct.pack("<I", 0) + data, _LEVEL)
    flat = np.frombuffer(data, np.uint8)
    whole = len(data) // _PAGE_BYTES * _PAGE_BYTES
    pages = flat[:whole].view(np.uint64).reshape(-1, _PAGE_BYTES // 8)
    used = pages.any(axis=1)
    parts = (np.packbits(used).tobytes(), pages[used].tobytes(), data[whole:])
    return zlib.compress(b"".join([struct.pack("<I", len(data)), *parts]), _LEVEL)


def unpack(packed: bytes) -> bytes:
    """What :func:`pack` was given."""
    raw = zlib.decompress(packed)
    size = struct.unpack_from("<I", raw)[0]
    if size == 0:
        return raw[4:]
    count = size // _PAGE_BYTES
    at = 4 + (count + 7) // 8
    used = np.unpackbits(np.frombuffer(raw, np.uint8, at - 4, 4), count=count).astype(np.bool_)
    out = np.zeros(size, np.uint8)
    end = at + int(used.sum()) * _PAGE_BYTES
    pages = np.frombuffer(raw, np.uint8, end - at, at).reshape(-1, _PAGE_BYTES)
    out[: count * _PAGE_BYTES].reshape(-1, _PAGE_BYTES)[used] = pages
    out[count * _PAGE_BYTES :] = np.frombuffer(raw, np.uint8, size - count * _PAGE_BYTES, end)
    return out.tobytes()
