"""Locks that end with their process; without ``fcntl``, every file counts as held."""

import contextlib
import os
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Final

with contextlib.suppress(ImportError):  # Windows
    import fcntl

_HELD: Final[ContextVar[frozenset[tuple[int, int]]]] = ContextVar("held", default=frozenset())
"""The folders that this thread has locked, by device and inode."""


def lock(handle: int) -> None:
    """Take the lock of an open file, and wait for it. No effect where the system has no locks."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)


def try_lock(handle: int) -> bool:
    """Take the lock of an open file unless another process holds it; true when taken."""
    if sys.platform == "win32":
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Hold a folder's lock, so that programs change its files in turn; a thread may nest it."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        yield
        return
    facts, held = os.fstat(handle), _HELD.get()
    mine = _HELD.set(held | {(facts.st_dev, facts.st_ino)})
    try:
        if _HELD.get() != held:
            lock(handle)
        yield
    finally:
        _HELD.reset(mine)
        os.close(handle)
