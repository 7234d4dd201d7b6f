"""RemoteHost: a CoreHost whose core lives in a child process; see ``wire`` and ``worker``."""

import contextlib
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from libretro_host.errors import HostClosedError, HostError
from libretro_host.host import CapturePlan, CoreInfo, CoreLimits, CoreOption, LoadRequest, RunResult
from libretro_host.processes import child_process, replies
from libretro_host.processes.kernel import resident_bytes
from libretro_host.processes.links import LogPipe

T = TypeVar("T")


class RemoteHost(child_process.ChildOwner):
    """A :class:`~libretro_host.host.CoreHost` with the core in a child process.

    ``deadline_ms`` bounds a call, and each frame of a run; ``load_deadline_ms`` bounds the start of
    the child and the load together; ``start_deadline_ms`` is added for each of the first ten
    frames. Time in which the child waits for a processor does not count, if the system reports it
    (Linux). ``inner`` names the host class inside the child.

    Besides the inner host's errors, every call may raise CoreCrashed (the child ended; the error
    holds the signal and the last log lines) or CoreHung (no answer before the deadline; the child
    was killed). After either, the host is closed, and ``load`` starts a new child."""

    def __init__(
        self,
        deadline_ms: int = 5000,
        inner: str = "libretro_host.inprocess:InProcessHost",
        *,
        load_deadline_ms: int = 60_000,
        start_deadline_ms: int = 30_000,
    ) -> None:
        self._deadline_ms = deadline_ms
        self._load_deadline_ms = load_deadline_ms
        self._start_deadline_ms = start_deadline_ms
        self._inner = inner
        self._info: CoreInfo | None = None
        self._content = ""
        self._frames_run = 0
        self._limits = CoreLimits()
        self._log: LogPipe | None = None

    @property
    def info(self) -> CoreInfo:
        if self._info is None:
            raise self._closed()
        return self._info

    def _closed(self) -> HostClosedError:
        ended = "the core has ended: recover() of its session starts it again where it was"
        return HostClosedError(ended if self._log else "no core is loaded: call load() first")

    def load(self, request: LoadRequest) -> CoreInfo:
        """Start a child and load core and content in it; see :meth:`CoreHost.load`."""
        if self._child is not None:
            raise HostError(f"{self._core} is still open in this host: close it first")
        self._core, self._content, self._frames_run = request.core.name, str(request.content), 0
        self._limits = request.limits
        self._log = LogPipe()
        try:
            self._child = child_process.ChildProcess("libretro_host.worker", self._log, self._inner)
        except OSError as error:
            self._log.close()
            raise HostError(f"no process for the core could be started: {error}") from error
        try:
            return self._call(
                *("load", lambda result: replies.core_info(result, self._limits), request),
                deadline_ms=lambda: self._load_deadline_ms,
            )
        except HostError:
            self.close()
            raise

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        frames = len(inputs)

        def check(result: object) -> RunResult:
            return replies.run_result(result, frames, plan, self.info.ram_bytes, self._limits)

        result = self._call("run", check, inputs, plan, deadline_ms=self._run_limit_ms)
        self._frames_run += frames
        return result

    def _run_limit_ms(self) -> float:
        """Return the current frame's limit, which drops during a call after the first frames."""
        pulse = 0 if self._child is None else self._child.pulse.read()[1]
        starting = max(self._frames_run, pulse) < child_process.STARTING_FRAMES
        return self._deadline_ms + starting * self._start_deadline_ms

    def reset(self) -> None:
        self._call("reset", replies.nothing)

    def serialize(self) -> bytes:
        return self._call("serialize", lambda result: replies.state(result, self._limits))

    def unserialize(self, state: bytes, fresh: bool = True) -> None:
        self._call("unserialize", replies.nothing, state, fresh)

    def read_ram(self) -> NDArray[np.uint8]:
        shape = (self.info.ram_bytes,)
        return self._call("read_ram", lambda reply: replies.array(reply, np.uint8, shape, "RAM"))

    def write_ram(self, offset: int, data: bytes) -> None:
        self._call("write_ram", replies.nothing, offset, data)

    def options(self) -> tuple[CoreOption, ...]:
        return self._call("options", replies.core_options)

    def set_option(self, key: str, value: str) -> None:
        self._call("set_option", replies.nothing, key, value)

    def log(self) -> tuple[str, ...]:
        """Return the last log lines, even after a crash; ``[OUT]`` marks lines the core printed."""
        if self._log is None:
            return ()
        self._log.drain()
        return self._log.lines()

    def memory_bytes(self) -> int | None:
        """Return the child's resident memory; None without a child or if it cannot be read."""
        if self._child is not None:
            with contextlib.suppress(OSError):
                return resident_bytes(self._child.process.pid)
        return None

    def close(self) -> None:
        """Unload content and core and end the child, by force if it does not answer. Idempotent."""
        if self._child is None:
            return
        # Errors are ignored, because the child ends in any case and the log keeps the reason.
        with contextlib.suppress(HostError):
            self._call("close", replies.nothing)
        if self._child is not None:
            self._end(kill=False)

    def _call(
        self,
        name: str,
        check: Callable[[object], T],
        *arguments: object,
        deadline_ms: Callable[[], float] | None = None,
    ) -> T:
        if self._child is None:
            raise self._closed()
        limit_ms = deadline_ms or (lambda: self._deadline_ms)
        deadline = child_process.Deadline(self._child.process.pid, limit_ms, self._child.pulse.read)
        try:
            self._child.ask({"call": name, "arguments": arguments})
            reply = self._child.reply(deadline)
            if "info" in reply:
                info = reply["info"]
                self._info = None if info is None else replies.core_info(info, self._limits)
            if "error" in reply:
                replies.raise_reported(reply["error"])
            return check(reply["result"])
        except BaseException as error:
            self._lose(error, (deadline,), name)
            raise

    def _cure(self, more: str = "") -> dict[str, str]:
        """Blame the content if no frame has run yet, because it is then the likelier cause."""
        if self._frames_run:
            return {}
        return {"cure": f"{self._content} is probably damaged, or no game of this system{more}"}

    def _end(self, *, kill: bool) -> tuple[int, bool]:
        self._info = None
        return super()._end(kill=kill)
