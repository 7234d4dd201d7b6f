"""RemoteHost: a CoreHost whose core lives in a child process of its own.

A core that crashes, hangs or eats memory takes only its child along. One request, one reply: see
:mod:`libretro_host.wire` for how they travel and :mod:`libretro_host.worker` for the other side.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from libretro_host import children, errors
from libretro_host.deadline import Deadline
from libretro_host.errors import CoreCrashed, CoreHung, HostClosedError, HostError
from libretro_host.frame import CoreInfo, RunResult
from libretro_host.host import CapturePlan, LoadRequest
from libretro_host.log_pipe import LogPipe
from libretro_host.options import CoreOption
from libretro_host.resident import resident_bytes
from libretro_host.wire import Channel, Slot, WireError

_FRAMES_PER_DEADLINE = 60
"""A chunk gets one deadline for each second of emulated time that it holds."""

_STARTING_FRAMES = 10
"""The first frames after a load, in which cores do what they put off: parallel_n64 starts its
recompiler and its video plug-in in the second frame, which takes it some 3.7 seconds of work."""

_EXIT_SECONDS = 5.0
"""How long a child may take to be gone after it closed its end, or was killed."""

_MAKE_ONE = {
    name: kind
    for name, kind in vars(errors).items()
    if isinstance(kind, type)
    and issubclass(kind, HostError)
    # These two tell of the child's end, which only the parent can see.
    and kind not in {CoreCrashed, CoreHung}
}
"""Errors that a child may report, by name."""


class RemoteHost:
    """A :class:`~libretro_host.host.CoreHost` with the core in a child process.

    ``deadline_ms`` is what a call may take, and each 60 frames of a run; ``load_deadline_ms`` what
    starting the child and loading may take; ``start_deadline_ms`` what a run may take besides when
    it holds one of the first ten frames. Time in which the child could not work because other
    programs had the processors does not count, where the system tells (Linux). ``inner`` names the
    host class inside the child.

    Besides the errors of the inner host, every call can raise CoreCrashed (the child ended: which
    signal, last log lines) and CoreHung (no answer before the deadline; the child was killed).
    After either the host is closed; ``load`` starts a new child.
    """

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
        self._child: _Child | None = None
        self._info: CoreInfo | None = None
        self._core = "the core"
        self._content = ""
        self._frames_run = 0
        self._log: LogPipe | None = None

    @property
    def pid(self) -> int | None:
        """The child's process number; None while there is no child."""
        return None if self._child is None else self._child.process.pid

    @property
    def info(self) -> CoreInfo:
        """What was loaded, with the newest AvInfo. Raises HostClosedError before ``load``."""
        if self._info is None:
            raise HostClosedError("no core is loaded: call load() first")
        return self._info

    def load(self, request: LoadRequest) -> CoreInfo:
        """Start a child and load core and content in it; see :meth:`CoreHost.load`."""
        if self._child is not None:
            raise HostError(f"{self._core} is still open in this host: close it first")
        self._core, self._content, self._frames_run = request.core.name, str(request.content), 0
        self._log = LogPipe()
        self._child = _Child(self._inner, self._log)
        try:
            info = self._call("load", request, deadline_ms=self._load_deadline_ms)
        except HostError:
            self.close()
            raise
        assert isinstance(info, CoreInfo)  # noqa: S101 - for the type checker: load returns it
        return info

    def run(self, inputs: NDArray[np.uint16], plan: CapturePlan) -> RunResult:
        """Run one frame for each row of ``inputs``; see :meth:`CoreHost.run`."""
        seconds = max(1, -(-len(inputs) // _FRAMES_PER_DEADLINE))
        limit_ms = self._deadline_ms * seconds
        if self._frames_run < _STARTING_FRAMES:
            limit_ms += self._start_deadline_ms
        result = self._call("run", inputs, plan, deadline_ms=limit_ms)
        assert isinstance(result, RunResult)  # noqa: S101 - for the type checker: run returns it
        self._frames_run += result.frames
        return result

    def reset(self) -> None:
        """Press the console's reset button."""
        self._call("reset")

    def serialize(self) -> bytes:
        """The core's raw state. Raises StateError when the core can not."""
        return bytes(self._call("serialize"))

    def unserialize(self, state: bytes) -> None:
        """Restore a raw state of any length. Raises StateError when the core refuses it."""
        self._call("unserialize", state)

    def read_ram(self) -> NDArray[np.uint8]:
        """A copy of the flat RAM, uint8 of shape (ram_bytes,)."""
        ram: NDArray[np.uint8] = self._call("read_ram")
        return ram

    def write_ram(self, offset: int, data: bytes) -> None:
        """Write into the flat RAM. Raises MemoryAccessError when the span does not fit."""
        self._call("write_ram", offset, data)

    def options(self) -> tuple[CoreOption, ...]:
        """Core options as the core declared them, with their present values."""
        return tuple(self._call("options"))

    def set_option(self, key: str, value: str) -> None:
        """Change a core option; the core sees it before its next frame."""
        self._call("set_option", key, value)

    def log(self) -> tuple[str, ...]:
        """The last log lines, also after a crash; ``[OUT]`` marks what the core printed."""
        if self._log is None:
            return ()
        self._log.drain()
        return self._log.lines()

    def memory_bytes(self) -> int | None:
        """Resident memory of the child; None without a child, or where /proc does not tell."""
        if self._child is None:
            return None
        try:
            return resident_bytes(self._child.process.pid)
        except OSError:
            return None

    def close(self) -> None:
        """Unload content and core and end the child, by force if it does not answer. Idempotent."""
        if self._child is None:
            return
        # Whatever a core does on its way out, it is out: the log keeps the reason.
        with contextlib.suppress(HostError):
            self._call("close")
        if self._child is not None:
            self._end_child()

    def _call(self, name: str, *arguments: object, deadline_ms: int | None = None) -> Any:
        """One request and its reply."""
        if self._child is None:
            raise HostClosedError("no core is loaded: call load() first")
        limit_ms = self._deadline_ms if deadline_ms is None else deadline_ms
        try:
            reply = self._child.converse({"call": name, "arguments": arguments}, limit_ms)
        except TimeoutError:
            self._raise_hung(name, limit_ms)
        except (EOFError, OSError, WireError) as error:
            self._raise_crashed(name, error)
        except BaseException:
            # Interrupted half-way: the answer would be taken for that of the next call.
            self._end_child(kill=True)
            raise
        if "info" in reply:
            self._info = reply["info"]
        if "error" in reply:
            kind, message = reply["error"]
            raise _MAKE_ONE.get(kind, HostError)(message)
        return reply["result"]

    def _raise_hung(self, name: str, limit_ms: int) -> NoReturn:
        self._end_child(kill=True)
        raise CoreHung(
            f"{self._core} did not answer {name}() within {limit_ms} ms and was stopped",
            deadline_ms=limit_ms,
            log=self.log(),
            **self._doubt(", or the core needs still longer to start here"),
        ) from None

    def _raise_crashed(self, name: str, cause: Exception) -> NoReturn:
        code = self._end_child(kill=isinstance(cause, WireError))
        signal_name = _signal_name(code)
        how = f"crashed ({signal_name})" if signal_name else f"ended with exit code {code}"
        if isinstance(cause, WireError):
            how = f"damaged its own process ({cause})"
        hint = "; it may have used up the memory" if signal_name == "SIGKILL" else ""
        raise CoreCrashed(
            f"{self._core} {how} in {name}(){hint}",
            signal_name=signal_name,
            log=self.log(),
            **self._doubt(),
        ) from cause

    def _doubt(self, more: str = "") -> dict[str, str]:
        """Another cure while nothing ran yet: then it is rather the content than the core."""
        if self._frames_run:
            return {}
        return {"cure": f"{self._content} is probably damaged, or no game of this system{more}"}

    def _end_child(self, *, kill: bool = False) -> int:
        """Let go of the child and see it gone; its exit code."""
        child, self._child, self._info = self._child, None, None
        assert child is not None  # noqa: S101 - for the type checker: callers checked
        return child.end(kill=kill)


class _Child:
    """The child process and this side's ends of everything that leads to it."""

    def __init__(self, inner: str, log: LogPipe) -> None:
        with contextlib.ExitStack() as undo:
            ours, theirs = socket.socketpair()
            undo.callback(ours.close)
            slots = []
            for _ in range(2):
                slots.append(Slot.create())
                undo.callback(slots[-1].close)
            lifeline, self._lifeline = os.pipe()
            undo.callback(os.close, self._lifeline)
            inherited = [theirs.fileno(), slots[0].fd, slots[1].fd, lifeline]
            try:
                self.process = _start(inner, inherited, log)
            except OSError as error:
                log.close()
                raise HostError(f"no process for the core could be started: {error}") from error
            finally:
                theirs.close()
                os.close(lifeline)
                log.close_writer()
            self._channel = Channel(ours, outgoing=slots[0], incoming=slots[1])
            undo.pop_all()
        self._log = log
        self._poll = select.poll()
        self._poll.register(ours, select.POLLIN)
        self._poll.register(log.fd, select.POLLIN)
        self._stream_fd = ours.fileno()

    def converse(self, message: object, limit_ms: int) -> dict[str, Any]:
        """Send, and wait for the answer. Raises TimeoutError, EOFError, OSError, WireError."""
        deadline = Deadline(self.process.pid, limit_ms)
        self._channel.send(message)
        reply = self._channel.receive(lambda: self._await_reply(deadline))
        if not isinstance(reply, dict) or not reply.keys() & {"result", "error"}:
            raise WireError("a reply that is none")
        return reply

    def _await_reply(self, deadline: Deadline) -> None:
        """Until the reply can be read, keep the log pipe empty: a full one would stop the core."""
        while True:
            left_ms = deadline.left_ms()
            events = self._poll.poll(deadline.patience_ms())
            ready = {fd for fd, _ in events}
            if self._log.fd in ready and not self._log.drain():
                self._poll.unregister(self._log.fd)
            if self._stream_fd in ready:
                return
            if left_ms <= 0:
                raise TimeoutError
            deadline.look()

    def end(self, *, kill: bool) -> int:
        """Close everything and reap the process; its exit code, as subprocess counts it."""
        if kill:
            self.process.kill()
        self._channel.close()
        try:
            code = self.process.wait(_EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        os.close(self._lifeline)  # not earlier: it kills, and we want to know what else did
        self._log.drain()
        self._log.close()
        return code


def _start(inner: str, inherited: list[int], log: LogPipe) -> subprocess.Popen[bytes]:
    return children.start(
        children.module_command("libretro_host.worker", *inherited, inner),
        stdin=subprocess.DEVNULL,
        stdout=log.writer_fd,
        stderr=log.writer_fd,
        pass_fds=inherited,
        process_group=0,  # Ctrl+C in the terminal is for us, also while Python starts in the child
    )


def _signal_name(code: int) -> str | None:
    if code >= 0:
        return None
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
