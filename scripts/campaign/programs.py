"""Starts programs, disturbs them, and looks for what they leave."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from libretro_host.processes.kernel import thread_times
from scripts.campaign import warm
from scripts.campaign.toys import ROOT

PATIENCE_S: Final = 120.0
"""For one program; a core that hangs has 5 s of work."""

_LOOK_S: Final = 0.5
FRESH: Final = 0.1
"""The share of programs that are started by a new interpreter."""

LEFT_S: Final = 5.0
SIGNALS: Final[Mapping[str, signal.Signals]] = {
    "SIGKILL": signal.SIGKILL,
    "SIGTERM": signal.SIGTERM,
    "SIGINT": signal.SIGINT,
}
_UNTYPED: Final = re.compile(
    r"Traceback|Segmentation|\[Errno|\b([a-z_]\w*\.)*[A-Z]\w*(Error|Exception|Interrupt|Exit)\b:"
)
"""The words of a traceback or of an error of Python's. A message of ours has none."""

_TWICE: Final = re.compile(r"(\S*[/.]\S*: )(?=.*\1)")
"""A message that names its file twice."""

_NO_CACHE: Final = "PYTHONDONTWRITEBYTECODE"
"""With it, each program would compile all modules again."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A program's end; ``code`` is None when it was stopped because it did not end."""

    code: int | None
    out: str
    err: str
    processes: int

    @property
    def untyped(self) -> list[str]:
        """Lines that no message of ours has, on either output."""
        lines = [*self.err.splitlines(), *self.out.splitlines()]
        return [line for line in lines if _UNTYPED.search(line) or _TWICE.search(line)]


def run(
    command: Sequence[object],
    temporary: Path,
    *,
    send: str = "",
    after_s: float = 0.0,
    fresh: bool = False,
) -> Ended:
    """Run a module with its words in a session of its own; it gets the signal ``send``, if any.

    A ``fresh`` program is one of a new interpreter, and others are forked; see :mod:`.warm`."""
    temporary.mkdir(exist_ok=True)
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}
    environment.pop(_NO_CACHE, None)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # children inherit that it is ignored
    module, *words = map(str, command)
    files = [temporary.parent / name for name in ("out", "err")]
    with files[0].open("w") as out, files[1].open("w") as err:
        program: warm.Fork | subprocess.Popen[bytes]
        if fresh:
            program = subprocess.Popen(
                [sys.executable, "-P", "-m", module, *words],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment,
                start_new_session=True,
            )
        else:
            program = warm.Fork(module, words, environment, out, err)
        if send:
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(after_s)
            if program.poll() is None:
                program.send_signal(SIGNALS[send])
        code = _code_of(program)
        left = _left(program.pid)
        if program.poll() is None:
            program.kill()
            program.wait()
        for pid in members(program.pid):
            os.kill(pid, signal.SIGKILL)
    told, errors = (file.read_text("utf-8", "replace") for file in files)
    return Ended(code, told, errors, left)


def _code_of(program: warm.Fork | subprocess.Popen[bytes]) -> int | None:
    """The exit code of a program; None for one that does not end in time.

    Time in which one of its processes waited for a processor does not count, so that a busy
    machine makes no hang."""
    began_s, waited_s = time.monotonic(), 0.0
    before: dict[tuple[int, str], float] = {}
    while time.monotonic() - began_s - waited_s < PATIENCE_S:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return program.wait(_LOOK_S)
        now = {
            (pid, thread): times.waited_s
            for pid in members(program.pid)
            for thread, times in thread_times(pid).items()
        }
        waited_s += max((now[each] - before.get(each, 0.0) for each in now), default=0.0)
        before = now
    return None


def members(session: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError):
            state, _, _, its = stat.read_text().rpartition(")")[2].split()[:4]
            if int(its) == session and state not in "ZX":
                found.append(int(stat.parent.name))
    return found


def _left(session: int) -> int:
    """The processes of a session that still live some seconds after its program."""
    end = time.monotonic() + LEFT_S
    while (left := len(members(session))) and time.monotonic() < end:
        time.sleep(0.05)
    return left


def leftovers(temporary: Path, game: Path) -> list[str]:
    """The temporary files that another program's start did not remove."""
    if any(temporary.iterdir()):
        run(["scripts.campaign.sweep", game], temporary)
    # A kill may hit the moment in which Python tries the folder with a file of these four bytes.
    left = [path for path in temporary.iterdir() if path.is_dir() or path.read_bytes() != b"blat"]
    return sorted(path.name for path in left)


@contextlib.contextmanager
def small_disk(place: Path, *options: str) -> Iterator[Path]:
    """A file system of its own at ``place``, for root alone."""
    place.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(place)]
    subprocess.run(mounted, check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)
