"""Locks of folders, which the system releases when their process ends."""

import contextlib
import os
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from libretro_host.processes.kernel import close_folder, lock, open_folder

_HELD: Final[ContextVar[frozenset[tuple[int, int]]]] = ContextVar("held", default=frozenset())
"""The folders that this thread holds locked, by device and inode."""


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock a folder, so that programs change its files one after the other. Reentrant."""
    try:
        handle = open_folder(folder, follow=True)
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
        close_folder(folder, handle)
