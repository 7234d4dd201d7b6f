"""Reads content, BIOS files and descriptors: regular files only, so that reading never waits.

A track that a cue sheet names may be a named pipe, at which opening waits for ever, or a device
that never ends.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

MAX_CONTENT_BYTES: Final = 1 << 30
"""Content that is handed over in memory: discs are larger, but those cores open themselves."""

_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def open_regular(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file.

    Raises OSError, with its reason in ``strerror``, also for pipes and devices.
    """
    try:
        _check(path, path.stat())
        handle = os.open(path, _FLAGS)
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from error
    with os.fdopen(handle, "rb") as stream:
        # Another file may have taken its place.
        _check(path, os.fstat(handle))
        yield stream


def read_regular(path: Path, limit_bytes: int) -> bytes:
    """The bytes of a regular file of at most ``limit_bytes``. Raises OSError."""
    with open_regular(path) as stream:
        # Python reserves as much memory as a read asks for, so ask for the file's size. The file
        # may grow while it is read.
        size = os.fstat(stream.fileno()).st_size
        data = stream.read(min(size, limit_bytes) + 1)
        data += stream.read(limit_bytes + 1 - len(data)) if size < len(data) else b""
    if len(data) > limit_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {limit_bytes >> 20} MiB", str(path))
    return data


def _check(path: Path, facts: os.stat_result) -> None:
    if stat.S_ISDIR(facts.st_mode):
        raise OSError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "it is a pipe or device and no file", str(path))
