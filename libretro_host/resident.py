"""How much memory of a process is resident."""

from __future__ import annotations

import os
from pathlib import Path


def resident_bytes(pid: int | str = "self") -> int:
    """Bytes of a process that are in memory, from ``/proc/PID/statm``.

    Raises OSError where there is no such process, or no ``/proc``.
    """
    statm = Path(f"/proc/{pid}/statm").read_text(encoding="ascii")
    return int(statm.split()[1]) * os.sysconf("SC_PAGE_SIZE")
