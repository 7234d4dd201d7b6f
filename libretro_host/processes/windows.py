"""Functions of Windows for locks of open files, and for jobs, which end processes together."""

import contextlib
import ctypes
import sys
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

with contextlib.suppress(ImportError):  # other systems
    import msvcrt

EXCLUSIVE: Final = 2  # LOCKFILE_EXCLUSIVE_LOCK
AT_ONCE: Final = 1  # LOCKFILE_FAIL_IMMEDIATELY
KILL_ON_CLOSE: Final = 0x2000  # JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
EXTENDED_LIMITS: Final = 9  # JobObjectExtendedLimitInformation
MAY_JOIN: Final = 0x101  # PROCESS_TERMINATE | PROCESS_SET_QUOTA


# Each structure's length in uint32, and the index of its only uint32 that is not 0 here.
OVERLAPPED: Final = (8, 5)  # the high half of the offset
JOB_LIMITS: Final = (36, 4)  # the flags of JOBOBJECT_EXTENDED_LIMIT_INFORMATION


@cache
def _kernel32() -> Any:
    if sys.platform == "win32":
        library = ctypes.WinDLL("kernel32")
        for name in ("CreateJobObjectW", "OpenProcess"):
            getattr(library, name).restype = ctypes.c_void_p
        return library
    raise OSError("this is not Windows")


def _filled(layout: tuple[int, int], value: int) -> Any:
    size, at = layout
    structure = (ctypes.c_uint64 * (size // 2))()
    (ctypes.c_uint32 * size).from_buffer(structure)[at] = value
    return structure


def lock(fd: int, *, wait: bool) -> bool:
    """Lock an open file; return False if it is locked already or cannot be locked."""
    if sys.platform == "win32":
        # Others cannot read a locked byte, so the byte to lock is beyond the end of any file.
        place = _filled(OVERLAPPED, 1 << 30)
        file = ctypes.c_void_p(msvcrt.get_osfhandle(fd))
        flags = EXCLUSIVE | (0 if wait else AT_ONCE)
        return bool(_kernel32().LockFileEx(file, flags, 0, 1, 0, ctypes.byref(place)))
    return False


def job(pid: int) -> Callable[[], object]:
    """Make a process and all that it starts end with this one, or when the result is called."""
    library, limits = _kernel32(), _filled(JOB_LIMITS, KILL_ON_CLOSE)
    handle = ctypes.c_void_p(library.CreateJobObjectW(None, None))
    process = ctypes.c_void_p(library.OpenProcess(MAY_JOIN, 0, pid))
    size = ctypes.sizeof(limits)
    library.SetInformationJobObject(handle, EXTENDED_LIMITS, ctypes.byref(limits), size)
    library.AssignProcessToJobObject(handle, process)
    library.CloseHandle(process)
    return partial(library.CloseHandle, handle)
