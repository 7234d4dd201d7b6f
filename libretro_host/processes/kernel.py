"""Services that only some systems have (``fcntl``, ``resource``, ``/proc``), and substitutes."""

import contextlib
import hashlib
import math
import mmap
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from functools import cache
from io import FileIO
from pathlib import Path
from typing import Any, Final

from libretro_host.errors import HostError
from libretro_host.processes import windows
from libretro_host.request import CoreLimits

with contextlib.suppress(ImportError):  # Windows
    import fcntl
    import resource

PORTABLE: Final = sys.platform == "win32" or "INTEGRATOR_PORTABLE" in os.environ
"""True if children inherit no descriptors: on Windows, and elsewhere in tests of that mode."""


def own_group() -> dict[str, int]:
    """Return Popen options for a new process group, which Ctrl+C in the terminal does not reach.

    The child's group also contains all processes that a core starts, so that they end with it."""
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"creationflags": flags}
    return {"process_group": 0}


def anonymous_file() -> FileIO:
    """Open a new file without a name, in memory if the kernel can (Linux). Raises OSError."""
    if sys.platform != "linux":
        with tempfile.TemporaryFile() as file:
            return FileIO(os.dup(file.fileno()), "r+b")
    fd = os.memfd_create("libretro_host", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    # A broken child could otherwise truncate the file, and the parent would die of SIGBUS.
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    return FileIO(fd, "r+b")


def die_with_parent(lifeline: int) -> None:
    """Have this process and its group killed when the other end of the pipe closes."""
    if sys.platform != "linux":

        def end_with_parent() -> None:
            os.read(lifeline, 1)
            end_group()

        threading.Thread(target=end_with_parent, daemon=True).start()
        return
    own = os.getpid()
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -own if os.getpgrp() == own else own)
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    poll = select.poll()
    poll.register(lifeline, 0)
    if poll.poll(0):  # The other end closed before the signal was armed.
        os._exit(0)


def end_group() -> None:
    """End this process and, if the system has process groups, all processes of its group."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def open_folder(path: Path, *, follow: bool = False) -> int:
    """Open a folder for :func:`lock`, through a link only with ``follow``. Raises OSError.

    Windows cannot open folders, so there the descriptor is of a file that stands for the folder."""
    if sys.platform == "win32":
        if not path.is_dir():
            raise NotADirectoryError(path)
        return os.open(_stand_in(path), os.O_RDWR | os.O_CREAT)
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | (0 if follow else os.O_NOFOLLOW))


def close_folder(path: Path, fd: int) -> None:
    os.close(fd)
    if sys.platform == "win32":
        with contextlib.suppress(OSError):  # another process has the file open
            _stand_in(path).unlink()


def _stand_in(folder: Path) -> Path:
    name = hashlib.sha256(os.path.normcase(folder.absolute()).encode()).hexdigest()[:24]
    # TMPDIR is not used, because each worker has its own.
    return Path(os.environ.get("TEMP") or tempfile.gettempdir(), f"integrator-{name}.lock")


def lock(fd: int, *, wait: bool = True) -> bool:
    """Lock an open file or folder until ``fd`` and its copies in forks are closed.

    Return False if another opener holds the lock, or on a file system without locks."""
    if sys.platform == "win32":
        return windows.lock(fd, wait=wait)
    with contextlib.suppress(OSError):
        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return True
    return False


def remove_locked(path: Path, fd: int) -> None:
    """Remove a file and only then unlock it, so that no process takes it for abandoned.

    Windows cannot remove an open file, so there the file is unlocked first."""
    if sys.platform == "win32":
        os.close(fd)
        with contextlib.suppress(PermissionError):  # another process has opened the file
            path.unlink(missing_ok=True)
        return
    path.unlink(missing_ok=True)
    os.close(fd)


def readable(*fds: int) -> Any:
    """Return a ``select.poll`` that waits for the descriptors. Raises HostError on Windows."""
    if sys.platform == "win32":
        raise HostError("Windows has no poll")
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return poll


def process_descriptor(pid: int) -> int:
    """Return a descriptor of a process; -1 if the system has none, as Linux before 5.3."""
    if sys.platform != "linux":
        return -1
    try:
        return os.pidfd_open(pid)
    except OSError:
        return -1


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a child and, if the system has process groups, all processes of its group."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def processors() -> int:
    """Return the number of processors that affinity and container allow this process."""
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0))
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return max(1, min(usable, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # no control groups, or "max"
        return usable


def limit_process(limits: CoreLimits) -> None:
    """Limit file sizes and memory of this process and its children, if the system can."""
    if sys.platform == "win32":
        return
    # A write beyond the limit raises an error, since Python ignores the signal.
    kinds: list[tuple[int, int | None, int]] = [(resource.RLIMIT_FSIZE, None, limits.file_bytes)]
    if sys.platform == "linux":  # with the columns of /proc/self/statm that count this use
        kinds.append((resource.RLIMIT_AS, 0, limits.address_space_bytes))
        kinds.append((resource.RLIMIT_DATA, 5, limits.memory_bytes))
    for kind, column, most in kinds:
        soft, hard, used = _before_core(kind, column)
        if most:  # added to the host's own use; 0 restores the original limit
            soft = most + used if hard == resource.RLIM_INFINITY else min(most + used, hard)
        # The hard limit stays, because a later game in this process or a child may need more.
        resource.setrlimit(kind, (soft, hard))


@cache
def _before_core(kind: int, column: int | None) -> tuple[int, int, int]:
    """Return soft limit, hard limit and bytes in use; cached, so that cores never count."""
    if sys.platform == "win32":
        return 0, 0, 0
    used = 0
    if column is not None:
        statm = Path("/proc/self/statm").read_text(encoding="ascii").split()
        used = int(statm[column]) * mmap.PAGESIZE
    return *resource.getrlimit(kind), used


def end_if_full() -> None:
    """Kill this process, as the system would, if a core used up its memory: nothing works then."""
    if sys.platform == "win32":
        return
    try:  # 8 MiB
        mmap.mmap(-1, 8 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError:
        os.kill(os.getpid(), signal.SIGKILL)


def resident_bytes(pid: int | str = "self") -> int:
    """Return a process's resident memory, from ``/proc/PID/statm``. Raises OSError."""
    if sys.platform == "win32":
        raise OSError("Windows has no /proc")
    statm = Path(f"/proc/{pid}/statm").read_text(encoding="ascii")
    return int(statm.split()[1]) * os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class ThreadTime:
    """Seconds that a thread ran and waited for a processor; ``ready`` if it does either now."""

    ran_s: float
    waited_s: float
    ready: bool


def thread_times(pid: int) -> dict[str, ThreadTime]:
    """Return the times of a process's threads from ``/proc/PID/task``; empty without /proc."""
    times = {}
    for folder in Path(f"/proc/{pid}/task").glob("*"):
        try:
            ran, waited, _ = map(int, (folder / "schedstat").read_text(encoding="ascii").split())
            # The thread's name, which precedes the state, may itself contain parentheses.
            state = (folder / "stat").read_text(encoding="utf-8", errors="replace")
            ready = state.rpartition(")")[2].split()[0] == "R"
        except (OSError, ValueError, IndexError):
            continue  # The thread has ended, or the kernel does not count.
        times[folder.name] = ThreadTime(ran / 1e9, waited / 1e9, ready)
    return times
