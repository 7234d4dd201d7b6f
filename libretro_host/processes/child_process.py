"""A child process that answers requests, with deadlines, and the parent's ends of its channels.
Time in which a child waits for a processor does not count."""

import math
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from libretro_host.errors import CoreCrashed, CoreHung, CoreThrewError, HostError
from libretro_host.processes import children, kernel
from libretro_host.processes.kernel import ThreadTime, thread_times
from libretro_host.processes.links import DescriptorLink, LogPipe, PipeLink, Pulse, join
from libretro_host.processes.wire import Channel, WireError

LOOK_EVERY_MS = 100  # interval at which a child's waits are read, if it has not replied yet


class Deadline:
    """A limit of ``limit_ms`` of a process's own time, restarted when ``progress`` changes."""

    def __init__(
        self, pid: int, limit_ms: Callable[[], float], progress: Callable[[], object] = lambda: None
    ) -> None:
        self._pid, self._limit_ms, self._progress = pid, limit_ms, progress
        self._begin()

    def _begin(self) -> None:
        self._seen = self._progress()
        self.limit_ms = self._limit_ms()
        self._started_s = time.monotonic()
        self._next_look_s = self._waited_s = 0.0
        # For each thread: its wait until the first look, its latest times, and their last change.
        self._threads: dict[str, tuple[float, ThreadTime, float]] = {}

    def left_ms(self) -> float:
        """Return the milliseconds until the deadline; exact if :meth:`look` is called often."""
        spent_s = time.monotonic() - self._started_s - self._waited_s
        return self.limit_ms - spent_s * 1000

    def look(self) -> None:
        """Measure how long the process has waited for a processor since the first call."""
        now_s = time.monotonic()
        if now_s < self._next_look_s:
            return  # Each line that the core logs causes a call, and reading /proc takes time.
        if self._progress() != self._seen:
            self._begin()
        if not self._next_look_s:
            self._started_s = now_s  # nobody knows how much of the time before was a wait
        self._next_look_s = now_s + LOOK_EVERY_MS / 1000
        is_first = not self._threads
        # Threads wait at the same time, so a sum would count time twice: take the longest wait.
        for name, each in thread_times(self._pid).items():
            new = (each.waited_s if is_first else 0.0, each, now_s)
            before_s, latest, moved_s = self._threads.get(name, new)
            if not each.ready or each != latest:
                moved_s = now_s
            self._threads[name] = before_s, each, moved_s
            # The kernel adds a wait when it ends, so add the wait that still goes on.
            self._waited_s = max(self._waited_s, each.waited_s - before_s + now_s - moved_s)


STARTING_FRAMES: Final = 10
"""The first frames after a load, in which cores may do deferred work: parallel_n64 starts its
recompiler and its video plug-in in the second frame, which takes some 3.7 seconds of work."""


def pulse_deadlines(
    pid: int, pulse: Pulse, limit_ms: float, start_limit_ms: float, whole_limit_ms: float
) -> tuple[Deadline, ...]:
    """Return deadlines for each call of a core, not for other work, and for all work, if finite."""

    def call_limit_ms() -> float:
        calls, frames = pulse.read()
        if not calls % 2:
            return math.inf
        return start_limit_ms if frames < STARTING_FRAMES else limit_ms

    call = Deadline(pid, call_limit_ms, lambda: pulse.read()[0])
    return (call,) if whole_limit_ms == math.inf else (call, Deadline(pid, lambda: whole_limit_ms))


class ChildProcess:
    """A child process, and the parent's ends of its channel, log and shared memory."""

    def __init__(
        self,
        module: str,
        log: LogPipe,
        *arguments: str,
        channel: type[Channel] = Channel,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start ``module`` with an address for :func:`join_parent`. Raises OSError, HostError."""
        # numpy's BLAS would start a thread for each processor: a quarter of the time of a start,
        # and there are as many children as processors where much is to be done.
        own = {"OPENBLAS_NUM_THREADS": os.environ.get("OPENBLAS_NUM_THREADS", "1")}
        link = PipeLink if kernel.PORTABLE else DescriptorLink
        self._link: PipeLink | DescriptorLink = link(log)
        try:
            self.process = children.start(
                children.module_command(module, self._link.address, *arguments),
                environment=children.child_environment({**own, **(environment or {})}),
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
        """Wait for the reply; read the log pipe meanwhile, because a full one stops the core."""
        while True:
            left_ms = min([each.left_ms() for each in deadlines])
            if self._link.wait(max(0.0, min(left_ms, LOOK_EVERY_MS))):
                return
            for each in deadlines:
                each.look()
            # Only now, because this process may have waited long for a processor itself.
            if min([each.left_ms() for each in deadlines]) <= 0:
                raise TimeoutError

    def end(self, *, kill: bool) -> tuple[int, bool]:
        """Close everything and reap the child; return its exit code and True if killed here."""
        self._channel.close()
        killed = kill
        try:
            killed = kill or not self._link.ends(within_s=5.0)
        finally:
            # Kill the group before reaping the child, since its number may be reused afterwards.
            kernel.kill_group(self.process)
            code = self.process.wait()
            # Closing the link kills the child, so it must follow the wait for the child's own end.
            self._link.close()
            self._log.close()
        return code, killed


class ChildOwner:
    """The owner of a child process, whose crash or hang becomes CoreCrashed or CoreHung."""

    _child: ChildProcess | None = None
    _core = "the core"
    _may_finish = False
    """True if a child whose call was interrupted gets time to finish it and to close its object."""

    @property
    def pid(self) -> int | None:
        return None if self._child is None else self._child.process.pid

    def log(self) -> tuple[str, ...]:
        """Return the last log lines, oldest first, even after the child's end."""
        raise NotImplementedError

    def _cure(self, more: str = "") -> dict[str, str]:
        """Return the error's ``cure``, with ``more`` if the core hung; empty: the default cure."""
        raise NotImplementedError

    def _end(self, *, kill: bool) -> tuple[int, bool]:
        """End and reap the child; return its exit code and True if it was killed here."""
        child, self._child = self._child, None
        assert child is not None  # noqa: S101 - for the type checker: callers checked
        return child.end(kill=kill)

    def _lose(self, error: BaseException, deadlines: Sequence[Deadline], call: str = "") -> None:
        """End the child and raise CoreCrashed or CoreHung if the error of a call means that."""
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
            # The call was interrupted, and the next one would take this reply for its own.
            self._end(kill=not self._may_finish)


def join_parent(address: str, kind: type[Channel] = Channel) -> tuple[Channel, Pulse]:
    """Return the child's channel and pulse; from now on the child ends when its parent does."""
    # Ctrl+C in the terminal is meant for the parent, which then ends this child.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stream, (of_parent, of_child), pulse = join(address)
    return kind(stream, outgoing=of_child, incoming=of_parent), pulse
