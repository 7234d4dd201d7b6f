"""Services of some systems (``fcntl``, ``resource``, ``memfd``, ``/proc``), and substitutes."""

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
"""True where children inherit no descriptors, and in tests of that on other systems."""


def own_group() -> dict[str, int]:
    """Options of ``subprocess.Popen``: Ctrl+C in the terminal is not for the child.

    Its group also holds all processes that a core starts, so that they end with it.
    """
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        return {"creationflags": flags}
    return {"process_group": 0}


def anonymous_file() -> FileIO:
    """A file without a name, in memory where the kernel can do that (Linux). Raises OSError."""
    if sys.platform != "linux":
        with tempfile.TemporaryFile() as file:
            return FileIO(os.dup(file.fileno()), "r+b")
    fd = os.memfd_create("libretro_host", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    # A child gone wild could otherwise cut the file under the parent's mapping: SIGBUS there.
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    return FileIO(fd, "r+b")


def die_with_parent(lifeline: int) -> None:
    """Arrange to be killed with all that a core started when a pipe's other end closes."""
    if sys.platform != "linux":

        def end_with_parent() -> None:
            os.read(lifeline, 1)
            end_group()

        threading.Thread(target=end_with_parent, daemon=True).start()
        return
    own = os.getpid()
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -own if os.getpgrp() == own else own)
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | os.O_ASYNC)
    poll = select.poll()
    poll.register(lifeline, 0)
    if poll.poll(0):  # closed before the signal was armed
        os._exit(0)


def end_group() -> None:
    """End this process, and all that a core started where the system has groups."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def open_folder(path: Path, *, follow: bool = False) -> int:
    """A descriptor of a folder for :func:`lock`, through a link only with ``follow``.

    Windows opens no folders: there it is that of a file which stands for the folder. Raises
    OSError.
    """
    if sys.platform == "win32":
        if not path.is_dir():
            raise NotADirectoryError(path)
        return os.open(_stand_in(path), os.O_RDWR | os.O_CREAT)
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | (0 if follow else os.O_NOFOLLOW))


def close_folder(path: Path, fd: int) -> None:
    os.close(fd)
    if sys.platform == "win32":
        with contextlib.suppress(OSError):  # another process has it open
            _stand_in(path).unlink()


def _stand_in(folder: Path) -> Path:
    name = hashlib.sha256(os.path.normcase(folder.absolute()).encode()).hexdigest()[:24]
    # Not TMPDIR: a worker has its own.
    return Path(os.environ.get("TEMP") or tempfile.gettempdir(), f"integrator-{name}.lock")


def lock(fd: int, *, wait: bool = True) -> bool:
    """Lock an open file or folder against other openers, while it or a fork's copy is open.

    False when it is held, or on a file system without locks.
    """
    if sys.platform == "win32":
        return windows.lock(fd, wait=wait)
    with contextlib.suppress(OSError):
        fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        return True
    return False


def remove_locked(path: Path, fd: int) -> None:
    """Remove a file and then unlock it, so that no process takes it for abandoned.

    Windows removes no open file: there it is unlocked first.
    """
    if sys.platform == "win32":
        os.close(fd)
        with contextlib.suppress(PermissionError):  # another process has taken it
            path.unlink(missing_ok=True)
        return
    path.unlink(missing_ok=True)
    os.close(fd)


def readable(*fds: int) -> Any:
    """A ``select.poll`` that waits for the descriptors. Raises HostError where there is none."""
    if sys.platform == "win32":
        raise HostError("Windows has no poll")
    poll = select.poll()
    for fd in fds:
        poll.register(fd, select.POLLIN)
    return poll


def process_descriptor(pid: int) -> int:
    """A descriptor of a process; -1 where the system makes none, as Linux before 5.3."""
    if sys.platform != "linux":
        return -1
    try:
        return os.pidfd_open(pid)
    except OSError:
        return -1


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a child, and all processes of its group where the system has groups."""
    if sys.platform == "win32":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def processors() -> int:
    """The processors that this process may use: by its affinity, and its container's share."""
    if not hasattr(os, "sched_getaffinity"):
        return os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0))
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
        return max(1, min(usable, math.ceil(int(quota) / int(period))))
    except (OSError, ValueError):  # no control groups, or "max"
        return usable


def limit_process(limits: CoreLimits) -> None:
    """Limit a core's share of the machine, and its children's, where the system can."""
    if sys.platform == "win32":
        return
    # A write beyond the limit raises an error, since Python ignores the signal.
    kinds = [(resource.RLIMIT_FSIZE, 0, limits.file_bytes)]
    if sys.platform == "linux":
        mapped, writable = _used_without_core()
        kinds.append((resource.RLIMIT_AS, mapped, limits.address_space_bytes))
        kinds.append((resource.RLIMIT_DATA, writable, limits.memory_bytes))
    for kind, used, most in kinds:
        soft, hard = _own_limit(kind)
        if most:  # beyond the use; else as before the first core
            soft = most + used if hard == resource.RLIM_INFINITY else min(most + used, hard)
        # The hard limit stays: the next game in a process may need more, or one in a child of it.
        resource.setrlimit(kind, (soft, hard))


@cache
def _used_without_core() -> tuple[int, int]:
    """Bytes mapped and writable when the first core is loaded; later cores add to no limit."""
    if sys.platform == "win32":
        return 0, 0
    statm = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return int(statm[0]) * mmap.PAGESIZE, int(statm[5]) * mmap.PAGESIZE


@cache
def _own_limit(kind: int) -> tuple[int, int]:
    """The soft and hard limit before the first core."""
    if sys.platform == "win32":
        return 0, 0
    return resource.getrlimit(kind)


def end_if_full() -> None:
    """End as the system would end it a process whose memory a core used up: nothing works there."""
    if sys.platform == "win32":
        return
    try:  # 8 MiB
        mmap.mmap(-1, 8 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError:
        os.kill(os.getpid(), signal.SIGKILL)


def resident_bytes(pid: int | str = "self") -> int:
    """A process's resident memory, from ``/proc/PID/statm``. Raises OSError."""
    if sys.platform == "win32":
        raise OSError("Windows has no /proc")
    statm = Path(f"/proc/{pid}/statm").read_text(encoding="ascii")
    return int(statm.split()[1]) * os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class ThreadTime:
    """Seconds that a thread ran, and waited for a processor; ``ready`` while it does either."""

    ran_s: float
    waited_s: float
    ready: bool


def thread_times(pid: int) -> dict[str, ThreadTime]:
    """The times of a process's threads by ``/proc/PID/task``; empty where there are none."""
    times = {}
    for folder in Path(f"/proc/{pid}/task").glob("*"):
        try:
            ran, waited, _ = map(int, (folder / "schedstat").read_text(encoding="ascii").split())
            # The name before the state may hold anything, parentheses as well.
            state = (folder / "stat").read_text(encoding="utf-8", errors="replace")
            ready = state.rpartition(")")[2].split()[0] == "R"
        except (OSError, ValueError, IndexError):
            continue  # the thread has ended, or the kernel does not count
        times[folder.name] = ThreadTime(ran / 1e9, waited / 1e9, ready)
    return times
