"""Bounds on every input: no untyped error, hang, memory, outside write, program or echo."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final, Literal

from integrator.domain.errors import IntegratorError, ScriptError

LONGEST_CPU_S: Final = 5.0
LONGEST_SLEEP_S: Final = 2.0
LONGEST_TEXT: Final = 700
"""Characters of a message without the paths in it: one line with the program's own words."""
MOST_MEMORY_BYTES: Final = 2 << 30
_TRACE_LINES: Final = 40

FaultKind = Literal["untyped", "hung", "memory", "outside", "started", "echo", "died"]


class Hung(BaseException):
    """An input took too long. No Exception: no reader may swallow it."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that an input must not do; ``where`` is the place in our code."""

    kind: str
    index: int
    fault: FaultKind
    text: str
    where: str

    def to_json(self) -> dict[str, Any]:
        """The fault as it stands in the progress file."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Held:
    """Resources that a process holds, which must not grow from input to input."""

    files: int
    threads: int
    children: int
    none_references: int

    @classmethod
    def now(cls) -> Held:
        """Count."""
        tasks = list(Path("/proc/self/task").iterdir())
        children = 0
        for task in tasks:
            with contextlib.suppress(OSError):
                children += len((task / "children").read_text("ascii").split())
        files = len(list(Path("/proc/self/fd").iterdir()))
        return cls(files, len(tasks), children, sys.getrefcount(None))


class Guard:
    """Watches this process while an input is read. One a process: audit hooks stay for ever."""

    def __init__(self, allowed: Iterable[Path]) -> None:
        self._allowed = tuple(os.path.realpath(path) + "/" for path in allowed)
        self._watching = False
        self._outside: list[str] = []
        self._started: list[str] = []
        self._began = (0.0, 0.0, 0.0)
        tempfile.gettempdir()  # its first call tries the folder by a file in it
        sys.addaudithook(self._hear)
        signal.signal(signal.SIGALRM, self._look_at_clock)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Raise Hung in the block when it takes too long; note files and programs that it opens."""
        self._outside.clear()
        self._started.clear()
        self._began = (time.monotonic(), time.process_time(), waited_s())
        signal.setitimer(signal.ITIMER_REAL, 1.0, 1.0)
        self._watching = True
        try:
            yield
        finally:
            self._watching = False
            signal.setitimer(signal.ITIMER_REAL, 0.0)

    def heard(self) -> Iterator[tuple[FaultKind, str]]:
        """Files that the last block wrote outside, and programs that it started."""
        if self._outside:
            yield "outside", self._outside[0]
        if self._started:
            yield "started", self._started[0]

    def _look_at_clock(self, _signal: int, _frame: FrameType | None) -> None:
        wall, cpu, waited = self._began
        used = time.process_time() - cpu
        # Waiting for a processor is the machine's doing and no fault of the input.
        slept = time.monotonic() - wall - used - (waited_s() - waited)
        if self._watching and (used > LONGEST_CPU_S or slept > LONGEST_SLEEP_S):
            self._watching = False
            raise Hung(f"{used:.1f} s of work, {slept:.1f} s of sleep")

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._watching:
            return
        if event == "open":
            path, mode, flags = arguments
            writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
            if isinstance(path, (str, bytes)) and isinstance(flags, int) and flags & writes:
                self._check(path, f"{event} {mode}")
        elif event in _WRITING:
            for path in arguments[: 2 if event in {"os.rename", "os.link"} else 1]:
                self._check(path, event)
        elif event in _STARTING:
            program = arguments[0] if arguments else ""
            if event != "subprocess.Popen" or program != sys.executable:
                self._started.append(f"{event} {program!r}"[:200])

    def _check(self, path: object, event: str) -> None:
        if not isinstance(path, (str, bytes, os.PathLike)):
            return
        try:
            text = os.fsdecode(path)
            # Renaming or removing a link concerns the link itself and not its target.
            own = f"{os.path.realpath(Path(text).parent)}/{Path(text).name}"
            real = (os.path.realpath(text) if event.startswith("open") else own) + "/"
        except ValueError:  # not a path: no file is opened
            return
        if not real.startswith(self._allowed) and real != "/dev/null/":
            self._outside.append(f"{event} {os.fsdecode(path)!r}"[:300])


_WRITING: Final = frozenset(
    {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.truncate", "os.chmod"}
)
_STARTING: Final = frozenset(
    {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect"}
)


def waited_s(process: int | str = "self") -> float:
    """Seconds that a process has waited for a processor so far; its first thread counts."""
    return int(Path(f"/proc/{process}/schedstat").read_text("ascii").split()[1]) / 1e9


def judged(
    guard: Guard, read: Callable[[], Iterable[str]], peak_mb: int
) -> Iterator[tuple[FaultKind, str, str] | Literal["typed"]]:
    """Read an input and return its fault: kind, text, place. "typed" for a refusal."""
    _memory_over()  # the peak of making the input is not the reader's
    try:
        with guard.watching():
            texts = list(read())
    except IntegratorError as error:
        yield "typed"
        texts = [str(error)]
        if isinstance(error, ScriptError):
            texts = texts[0].splitlines()[:1] if texts[0].count("\n") < _TRACE_LINES else texts
    except Hung as error:
        texts = []
        yield "hung", str(error), place(error)
    except MemoryError as error:
        texts = []
        yield "memory", "MemoryError", place(error)
    except Exception as error:  # noqa: BLE001 - such errors are looked for
        texts = []
        yield "untyped", f"{type(error).__name__}: {error}"[:300], place(error)
    for text in texts:
        if is_echo(text):
            yield "echo", ascii(text)[:300], f"{len(text)} characters"
            break
    for fault, what in guard.heard():
        yield fault, what, ""
    over = _memory_over()
    if over > peak_mb << 20:
        yield "memory", f"{over >> 20} MB more than it keeps", ""


def is_echo(text: str) -> bool:
    """True when a message holds more than a line of a file; paths in it do not count."""
    rest = re.sub(r"/[^\s:;,'\")]+", "", text)
    return len(rest) > LONGEST_TEXT or any(
        letter < " " or letter in "\x7f\x85\u2028\u2029" for letter in rest
    )


def place(error: BaseException) -> str:
    """Module and function of ours in which an error arose, and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "/integrator/" in f.filename or "/libretro_host/" in f.filename]
    return " < ".join(f"{Path(f.filename).name}:{f.name}" for f in reversed((own or frames)[-3:]))


def _memory_over() -> int:
    """Bytes by which the peak of memory exceeds the resident memory now; the peak begins again."""
    status = Path("/proc/self/status").read_text("ascii", "replace")
    sizes = dict(re.findall(r"^(VmHWM|VmRSS):\s+(\d+) kB", status, re.MULTILINE))
    over = (int(sizes["VmHWM"]) - int(sizes["VmRSS"])) << 10
    if over > 16 << 20:
        Path("/proc/self/clear_refs").write_text("5", "ascii")
    return over
