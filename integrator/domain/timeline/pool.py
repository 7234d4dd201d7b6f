"""Stores a timeline's bytes: compressed in memory, and beyond a budget in a file."""

import os
import sys
import tempfile
import threading
import weakref
import zlib
from collections import deque
from collections.abc import Callable
from typing import IO

from integrator.domain.errors import TimelineError
from integrator.domain.files.atomic import write_all

DEFAULT_DISK_BUDGET_BYTES = 8_000_000_000  # limit of the file, unless the user chooses another size


class Packed:
    """Bytes that a pool stores as long as something refers to this object. Until
    :meth:`BytePool.pack`, the bytes are uncompressed and ``size_bytes`` is 0."""

    __slots__ = ("__weakref__", "_data", "_pool", "_raw", "size_bytes", "start")

    def __init__(self, pool: "BytePool", raw: bytes) -> None:
        self._pool = pool
        self._raw: bytes | None = raw
        self._data: bytes | None = None
        self.start: int | None = None
        self.size_bytes = 0

    @property
    def in_memory(self) -> bool:
        return self._data is not None

    def load(self) -> bytes:
        """Return the bytes that were added. Raises TimelineError if they are gone."""
        raw = self._raw
        if raw is not None:
            return raw
        data = self._data
        if data is None:
            data = self._pool.read(self)
        try:
            return zlib.decompress(data)
        except zlib.error as error:
            raise TimelineError(f"a part of the timeline cannot be read back: {error}") from error

    def pack(self) -> None:
        raw = self._raw
        if raw is not None:
            self._data = zlib.compress(raw, level=1)
            self.size_bytes = len(self._data)
            self._raw = None

    def spilled(self, file: IO[bytes], start: int) -> None:
        """Write the bytes to ``file`` and drop them from memory, unless OSError is raised."""
        if self._data is not None:
            file.seek(start)
            write_all(file.fileno(), self._data)
            self.start = start
            self._data = None


class BytePool:
    """Compressed bytes in memory, the oldest ones in a file; both have a budget. Thread-safe."""

    def __init__(
        self,
        budget_bytes: int,
        *,
        disk_budget_bytes: int = DEFAULT_DISK_BUDGET_BYTES,
        tell: Callable[[str], object] = lambda _: None,
    ) -> None:
        self._budget_bytes = budget_bytes
        self._disk_budget_bytes = disk_budget_bytes
        self._tell = tell
        self._reported: set[str] = set()
        self._kept: list[weakref.ref[Packed]] = []
        # An upper bound of the bytes in memory, because an exact count visits every entry.
        self._bound_bytes = 0
        self._trim_at_bytes = budget_bytes
        self._file: IO[bytes] | None = None
        # Oldest first; a full file is overwritten from its beginning.
        self._spilled: deque[tuple[int, int, weakref.ref[Packed]]] = deque()
        self._next_start = 0
        self._closed = False
        self._lock = threading.RLock()

    def add(self, data: bytes) -> Packed:
        """Store bytes; beyond the budget, the oldest bytes move to the file."""
        packed = Packed(self, data)
        self.pack(packed)
        return packed

    def pack(self, packed: Packed) -> None:
        packed.pack()
        with self._lock:
            self._kept.append(weakref.ref(packed))
            self._bound_bytes += packed.size_bytes
            if self._bound_bytes > self._trim_at_bytes:
                self._trim()

    def read(self, packed: Packed) -> bytes:
        """Read bytes from the file. Raises TimelineError if they are gone or the pool is closed."""
        file, start = self._file, packed.start
        if self._closed or file is None:
            raise TimelineError("the timeline is closed")
        if start is not None:
            try:
                if sys.platform == "win32":
                    file.seek(start)
                    data = file.read(packed.size_bytes)
                else:
                    # pread leaves the file position alone, at which another thread may be writing.
                    data = os.pread(file.fileno(), packed.size_bytes, start)
            except OSError as error:
                text = f"the timeline's temporary file cannot be read: {error.strerror}"
                raise TimelineError(text) from error
            # Another thread may have given up and overwritten the bytes meanwhile.
            if packed.start is not None:
                return data
        raise TimelineError(
            "this part of the timeline was given up, because its file has reached the size that "
            "Preferences allow it"
        )

    def set_disk_budget(self, size_bytes: int) -> None:
        """Limit the size of the file; bytes beyond the limit in a larger file are given up."""
        with self._lock:
            self._disk_budget_bytes = size_bytes
            keep: deque[tuple[int, int, weakref.ref[Packed]]] = deque()
            for start, size, ref in self._spilled:
                if start + size <= size_bytes:
                    keep.append((start, size, ref))
                else:
                    self._give_up(ref)
            self._spilled = keep
            if self._file is not None and self.disk_bytes > size_bytes:
                self._file.truncate(size_bytes)
                self._next_start = min(self._next_start, size_bytes)

    @property
    def memory_bytes(self) -> int:
        return sum(packed.size_bytes for packed in self._alive() if packed.in_memory)

    @property
    def disk_bytes(self) -> int:
        return 0 if self._file is None else os.fstat(self._file.fileno()).st_size

    def close(self) -> None:
        self._closed = True
        self._kept.clear()
        self._spilled.clear()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _alive(self) -> list[Packed]:
        with self._lock:
            found = [packed for packed in (ref() for ref in self._kept) if packed is not None]
            if len(found) < len(self._kept):
                self._kept = [weakref.ref(packed) for packed in found]
            return found

    def _trim(self) -> None:
        self._bound_bytes = self.memory_bytes
        self._trim_at_bytes = self._budget_bytes
        excess = self._bound_bytes - self._budget_bytes
        if excess <= 0:
            return
        # Spill a little more, because a spill takes milliseconds and not every add should spill.
        excess += min(self._budget_bytes // 10, 4 << 20)
        try:
            if self._file is None:
                # The file has no name on POSIX, so it is gone even when the program is killed.
                self._file = tempfile.TemporaryFile(buffering=0, prefix="integrator-timeline-")  # noqa: SIM115 - close() closes it
            for packed in self._alive():
                if excess <= 0:
                    break
                if packed.in_memory:
                    self._spill(self._file, packed)
                    excess -= packed.size_bytes
                    self._bound_bytes -= packed.size_bytes
        except OSError as error:
            # All bytes are still in memory; try again after another tenth of the budget.
            self._trim_at_bytes = self._bound_bytes + self._budget_bytes // 10
            self._tell_once(
                f"The timeline's temporary file cannot be written ({error.strerror}): what was "
                f"played stays in memory. Free some space in {tempfile.gettempdir()}."
            )

    def _spill(self, file: IO[bytes], packed: Packed) -> None:
        """Move bytes to the file, overwriting its oldest bytes if it is full. Raises OSError."""
        size = packed.size_bytes
        start = self._next_start
        if start + size > self._disk_budget_bytes:
            # The bytes after this place are the oldest, from the previous round.
            while self._spilled and self._spilled[0][0] >= start:
                self._give_up(self._spilled.popleft()[2])
            start = 0
        while self._spilled and start <= self._spilled[0][0] < start + size:
            self._give_up(self._spilled.popleft()[2])
        packed.spilled(file, start)
        self._spilled.append((start, size, weakref.ref(packed)))
        self._next_start = start + size

    def _give_up(self, ref: weakref.ref[Packed]) -> None:
        packed = ref()
        if packed is not None:
            packed.start = None
            self._tell_once(
                f"The timeline's file has reached the {self._disk_budget_bytes / 1e9:.0f} GB that "
                "Preferences allow it: the oldest frames are given up from now on."
            )

    def _tell_once(self, text: str) -> None:
        if text not in self._reported:
            self._reported.add(text)
            self._tell(text)
