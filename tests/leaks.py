"""Threads, child processes and shared memory that a test leaves behind."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SETTLE_S = 60.0
"""More than a loaded machine needs to end what is ending."""
_SHARED = "shared memory "


@contextmanager
def nothing_left(*, threads: bool = True) -> Iterator[None]:
    """Fail if more is there at the end than at the beginning; ``threads`` count or do not."""
    before = _held(threads=threads)
    yield
    deadline = time.monotonic() + _SETTLE_S
    while (left := _left_behind(before, _held(threads=threads))) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not left, f"the test left behind: {sorted(left)}"


def _held(*, threads: bool) -> set[str]:
    others = [each for each in threading.enumerate() if each is not threading.main_thread()]
    running = {f"thread {each.name}" for each in others if threads}
    children = {
        f"child process {pid}"
        for task in Path("/proc/self/task").iterdir()
        for pid in _children(task)
    }
    shared = {f"{_SHARED}{path.name}" for path in Path("/dev/shm").iterdir()}
    return running | children | shared


def _left_behind(before: set[str], after: set[str]) -> set[str]:
    return {held for held in after - before if not _in_use_elsewhere(held)}


def _in_use_elsewhere(held: str) -> bool:
    """True for shared memory of a program that has nothing to do with the test.

    Such a program is also the other half of a parallel run: memory that it maps, or whose name
    bears its process number. A semaphore's name bears none, and outlives a program that is killed;
    it is the test's while this process maps it."""
    if not held.startswith(_SHARED):
        return False
    name = held.removeprefix(_SHARED)
    inode = _inode(Path("/dev/shm", name))
    if name.startswith("sem."):
        return not _maps(Path("/proc/self"), inode)
    numbers = set(re.findall(r"\d+", name)) - {str(os.getpid())}
    others = [each for each in Path("/proc").glob("[0-9]*") if each.name != str(os.getpid())]
    return any(each.name in numbers or _maps(each, inode) for each in others)


def _inode(path: Path) -> str:
    try:
        return str(path.stat().st_ino)
    except FileNotFoundError:  # removed while we looked
        return ""


def _maps(process: Path, inode: str) -> bool:
    """True when a process maps a file of shared memory: by another name if it was linked since."""
    try:
        lines = (process / "maps").read_text().splitlines()
    except OSError:  # it ended while we looked, or is not ours to look at
        return False
    return any("/dev/shm/" in line and line.split()[4] == inode for line in lines)


def _children(task: Path) -> list[str]:
    try:
        return (task / "children").read_text().split()
    except FileNotFoundError:  # the thread ended while we looked
        return []
