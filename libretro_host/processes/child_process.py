"""A child process that answers requests, its deadlines, and this side's ends of it.

Time in which the machine let a child wait does not count.
"""

import math
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from libretro_host.errors import CoreCrashed, CoreHung, CoreThrewError, HostError
from libretro_host.processes import children, kernel
from libretro_host.processes.kernel import ThreadTime, thread_times
from libretro_host.processes.links import LogPipe, Pulse, join, open_link
from libretro_host.processes.wire import Channel, WireError

LOOK_EVERY_MS = 100  # waits are looked up this often, and not at all for answers that come sooner


class Deadline:
    """Runs for ``limit_ms`` of a process's own time, again at each change of ``progress``."""

    def __init__(
        self, pid: int, limit_ms: Callable[[], float], progress: Callable[[], object] = lambda: None
    ) -> None:
        self._pid = pid
        self._limit_ms = limit_ms
        self._progress = progress
        self._begin()

    def _begin(self) -> None:
        self._seen = self._progress()
        self.limit_ms = self._limit_ms()
        self._started_s = time.monotonic()
        self._next_look_s = self._waited_s = 0.0
        # Of each thread its waits before the first look, its latest times, and their last change.
        self._threads: dict[str, tuple[float, ThreadTime, float]] = {}

    def left_ms(self) -> float:
        """Milliseconds until the deadline, correct while :meth:`look` is called."""
        spent_s = time.monotonic() - self._started_s - self._waited_s
        return self.limit_ms - spent_s * 1000

    def look(self) -> None:
        """Read how long the process waited for a processor; the first call marks the beginning."""
        now_s = time.monotonic()
        if now_s < self._next_look_s:
            return  # the core is talkative: each line that it logs brings us here
        if self._progress() != self._seen:
            self._begin()
        self._next_look_s = now_s + LOOK_EVERY_MS / 1000
        is_first = not self._threads
        # Threads wait at the same time: only the longest wait is sure not to count any time twice.
        for name, each in thread_times(self._pid).items():
            new = (each.waited_s if is_first else 0.0, each, now_s)
            before_s, latest, moved_s = self._threads.get(name, new)
            if not each.ready or each != latest:
                moved_s = now_s
            self._threads[name] = before_s, each, moved_s
            # With a wait that goes on.
            waited_s = each.waited_s - before_s + now_s - moved_s
            self._waited_s = max(self._waited_s, waited_s)


STARTING_FRAMES: Final = 10
"""The first frames after a load, in which cores do what they put off: parallel_n64 starts its
recompiler and its video plug-in in the second frame, which takes it some 3.7 seconds of work."""


def pulse_deadlines(
    pid: int, pulse: Pulse, limit_ms: float, start_limit_ms: float, whole_limit_ms: float
) -> tuple[Deadline, ...]:
    """Deadlines of one call of a core, in which other work may last longer, and of all work."""

    def call_limit_ms() -> float:
        calls, frames = pulse.read()
        if not calls % 2:
            return math.inf
        return start_limit_ms if frames < STARTING_FRAMES else limit_ms

    call = Deadline(pid, call_limit_ms, lambda: pulse.read()[0])
    return (call,) if whole_limit_ms == math.inf else (call, Deadline(pid, lambda: whole_limit_ms))


_CLEARED: Final = "glibc.malloc.tcache_count=0"
"""Small blocks of memory, too, come zeroed while a game loads; see ``zero_fresh_memory``."""


class ChildProcess:
    """A child process and this side's ends of everything that leads to it."""

    def __init__(
        self,
        module: str,
        log: LogPipe,
        *arguments: str,
        channel: type[Channel] = Channel,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start ``module`` with an address for :func:`join_parent`. Raises OSError, HostError."""
        tunables = ":".join(filter(None, (os.environ.get("GLIBC_TUNABLES"), _CLEARED)))
        self._link = open_link(log)
        try:
            self.process = children.start(
                children.module_command(module, self._link.address, *arguments),
                environment=children.child_environment(
                    {"GLIBC_TUNABLES": tunables, **(environment or {})}
                ),
                **self._link.options,
            )
            stream = self._link.started(self.process)
        except BaseException:
            self._link.close()
            raise
        self.pulse = self._link.pulse
        outgoing, incoming = self._link.slots
        self._channel = channel(stream, outgoing=outgoing, incoming=incoming)
        self._log = log
        self._requests = 0

    def ask(self, message: Mapping[str, object]) -> None:
        self._requests += 1
        self._channel.send({**message, "number": self._requests})

    def reply(self, *deadlines: Deadline) -> dict[str, Any]:
        """Wait for the reply. Raises TimeoutError, EOFError, OSError, WireError."""
        reply = self._channel.receive(lambda: self._await_reply(deadlines))
        if not isinstance(reply, dict) or len(reply.keys() & {"result", "error"}) != 1:
            raise WireError("it sent a malformed reply")
        if reply.get("number") != self._requests:
            raise WireError("it answered another request")
        return reply

    def _await_reply(self, deadlines: Sequence[Deadline]) -> None:
        """Wait for the reply and empty the log pipe meanwhile: a full pipe would stop the core."""
        while True:
            left_ms = min([each.left_ms() for each in deadlines])
            if self._link.wait(max(0.0, min(left_ms, LOOK_EVERY_MS))):
                return
            if left_ms <= 0:
                raise TimeoutError
            for each in deadlines:
                each.look()

    def end(self, *, kill: bool) -> tuple[int, bool]:
        """Close and reap everything; returns the exit code, and True when it was killed here."""
        self._channel.close()
        killed = kill
        try:
            killed = kill or not self._link.ends(within_s=5.0)
        finally:
            # Before the child is reaped: until then no other group can have its number.
            kernel.kill_group(self.process)
            code = self.process.wait()
            # Not earlier: closing kills the child, and its own end must be seen first.
            self._link.close()
            self._log.close()
        return code, killed


class ChildOwner:
    """The owner of a child process, for whom its end and its silence are typed errors."""

    _child: ChildProcess | None = None
    _core = "the core"
    _may_finish = False
    """True for a child that, when a call of it is interrupted, ends it and closes what it holds."""

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.process.pid

    def log(self) -> tuple[str, ...]:
        """The last log lines, oldest first, also after the end."""
        raise NotImplementedError

    def _cure(self, more: str = "") -> dict[str, str]:
        """The ``cure`` of a lost core; ``more`` is for one that hung. Empty: the usual cure."""
        raise NotImplementedError

    def _end(self, *, kill: bool) -> tuple[int, bool]:
        """End and reap the child; returns its exit code, and True when it was killed here."""
        child, self._child = self._child, None
        assert child is not None  # noqa: S101 - for the type checker: callers checked
        return child.end(kill=kill)

    def _lose(self, error: BaseException, deadlines: Sequence[Deadline], call: str = "") -> None:
        """Raise CoreCrashed or CoreHung, without the child, if the error of a call means that."""
        if isinstance(error, TimeoutError):
            self._end(kill=True)
            limit_ms = int(min(deadlines, key=Deadline.left_ms).limit_ms)
            more = ", or the core needs still longer to start here"
            raise CoreHung(
                f"{self._core} did not answer{call and f' {call}()'} within {limit_ms} ms and was "
                "stopped",
                deadline_ms=limit_ms,
                log=self.log(),
                **self._cure(more),
            ) from None
        if isinstance(error, CoreThrewError | EOFError | OSError | WireError):
            code, killed = self._end(kill=isinstance(error, CoreThrewError | WireError))
            names, where = {-each: each.name for each in signal.Signals}, call and f" in {call}()"
            name = None if killed or code >= 0 else names.get(code, f"signal {-code}")
            how = f"crashed ({name})" if name else f"ended its process with exit code {code}"
            hint = "; it may have used up the memory" if name == "SIGKILL" else ""
            fact = f"{self._core} {how}{where}{hint}"
            if isinstance(error, CoreThrewError):
                fact = str(error).partition("; ")[0]
            elif killed:
                detail = f" ({error})" if isinstance(error, WireError) else ""
                fact = f"{self._core} damaged its own process{detail}{where}; that was stopped"
            raise CoreCrashed(fact, signal_name=name, log=self.log(), **self._cure()) from error
        if not isinstance(error, HostError):
            # Interrupted half-way: the next call would take this reply for its own.
            self._end(kill=not self._may_finish)


def join_parent(address: str, kind: type[Channel] = Channel) -> tuple[Channel, Pulse]:
    """The child's end of the conversation; the child now ends when its parent does."""
    # Ctrl+C in the terminal is meant for the parent, which then closes us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stream, (of_parent, of_child), pulse = join(address)
    return kind(stream, outgoing=of_child, incoming=of_parent), pulse
