"""A child process that answers requests, and this side's ends of everything that leads to it."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from libretro_host.processes import children
from libretro_host.processes.deadline import Deadline, Pulse, PulseDeadline
from libretro_host.processes.kernel import (
    die_with_parent,
    kill_group,
    process_descriptor,
    readable,
    require_core_children,
)
from libretro_host.processes.wire import Channel, Slot, WireError

_MAX_LINES = 200
_MAX_LINE_BYTES = 4096
_READ_BYTES = 1 << 16
_LEVELS = (b"[DEBUG]", b"[INFO]", b"[WARN]", b"[ERROR]")


class LogPipe:
    """A pipe read without waiting, of a core's lines; other output is marked ``[OUT]``."""

    def __init__(self) -> None:
        self.fd, self.writer_fd = os.pipe()
        if sys.platform != "win32":
            os.set_blocking(self.fd, False)
        self._lines: deque[str] = deque(maxlen=_MAX_LINES)
        self._rest = b""

    def drain(self) -> bool:
        """Take in the output so far. False at the end of file: no process can print any more."""
        while self.fd >= 0:
            try:
                data = os.read(self.fd, _READ_BYTES)
            except BlockingIOError:
                return True
            if not data:
                return False
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                self._add(line)
            if len(self._rest) > _MAX_LINE_BYTES:
                self._add(self._rest)
                self._rest = b""
        return False

    def lines(self) -> tuple[str, ...]:
        rest = (_marked(self._rest),) if self._rest else ()
        return (*self._lines, *rest)

    def close_writer(self) -> None:
        """Close this process's copy of the end that the child writes to. Idempotent."""
        if self.writer_fd >= 0:
            os.close(self.writer_fd)
            self.writer_fd = -1

    def close(self) -> None:
        self.close_writer()
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def _add(self, line: bytes) -> None:
        if line.strip():
            self._lines.append(_marked(line[:_MAX_LINE_BYTES]))


def _marked(line: bytes) -> str:
    marked = line if line.startswith(_LEVELS) else b"[OUT] " + line
    return marked.decode("utf-8", "replace").rstrip("\r")


_EXIT_SECONDS = 5.0
"""Seconds that a child has to end after its connection was closed."""


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
        """Start ``module`` with descriptors for :func:`join_parent`. Raises OSError, HostError."""
        require_core_children()
        with contextlib.ExitStack() as undo:
            ours, theirs = socket.socketpair()
            undo.callback(ours.close)
            slots = []
            for _ in range(2):
                slots.append(Slot.create())
                undo.callback(slots[-1].close)
            self.pulse = Pulse.create()
            undo.callback(self.pulse.close)
            lifeline, self._lifeline = os.pipe()
            undo.callback(os.close, self._lifeline)
            fds = [theirs.fileno(), slots[0].fd, slots[1].fd, lifeline, self.pulse.fd]
            try:
                self.process = children.start(
                    children.module_command(module, *fds, *arguments),
                    environment=children.child_environment(environment),
                    stdin=subprocess.DEVNULL,
                    stdout=log.writer_fd,
                    stderr=log.writer_fd,
                    pass_fds=fds,
                    # Ctrl+C in the terminal is for us, also while Python starts in the child. The
                    # group also holds all processes that a core starts, so that they end with it.
                    process_group=0,
                )
            finally:
                theirs.close()
                os.close(lifeline)
                log.close_writer()
            self._channel = channel(ours, outgoing=slots[0], incoming=slots[1])
            undo.pop_all()
        self._log = log
        self._requests = 0
        self._stream_fd = ours.fileno()
        self._end = _EndOfProcess(self.process)
        own = (self._end.fd,) if self._end.fd >= 0 else ()
        self._poll = readable(self._stream_fd, log.fd, *own)

    def ask(self, message: Mapping[str, object]) -> None:
        self._requests += 1
        self._channel.send({**message, "number": self._requests})

    def reply(self, deadline: Deadline | PulseDeadline) -> dict[str, Any]:
        """Wait for the reply. Raises TimeoutError, EOFError, OSError, WireError."""
        reply = self._channel.receive(lambda: self._await_reply(deadline))
        if not isinstance(reply, dict) or len(reply.keys() & {"result", "error"}) != 1:
            raise WireError("it sent a malformed reply")
        if reply.get("number") != self._requests:
            raise WireError("it answered another request")
        return reply

    def _await_reply(self, deadline: Deadline | PulseDeadline) -> None:
        """Wait for the reply and empty the log pipe meanwhile: a full pipe would stop the core."""
        while True:
            left_ms = deadline.left_ms()
            events = self._poll.poll(deadline.patience_ms())
            ready = {fd for fd, _ in events}
            if self._log.fd in ready and not self._log.drain():
                self._poll.unregister(self._log.fd)
            if self._stream_fd in ready:
                return
            if self._end.fd in ready:
                # Without this the wait would go on while a process that the core started lives on.
                raise EOFError("the process has ended")
            if left_ms <= 0:
                raise TimeoutError
            deadline.look()

    def end(self, *, kill: bool) -> tuple[int, bool]:
        """Close and reap everything; returns the exit code, and True when it was killed here."""
        self._channel.close()
        killed = kill or not self._end.wait(_EXIT_SECONDS)
        # Kill the group before the child is reaped: until then no other group can have its number.
        kill_group(self.process.pid)
        code = self.process.wait()
        self._end.close()
        # Not earlier: closing kills the child, and its own end must be seen first.
        os.close(self._lifeline)
        self.pulse.close()
        self._log.drain()
        self._log.close()
        return code, killed


class _EndOfProcess:
    """Sees a child process end without reaping it, where the system can do that (Linux)."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.fd = process_descriptor(process.pid)

    def wait(self, seconds: float) -> bool:
        if self.fd < 0:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
            return self._process.returncode is not None
        return bool(readable(self.fd).poll(seconds * 1000))

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def join_parent(arguments: Sequence[str], kind: type[Channel] = Channel) -> tuple[Channel, Pulse]:
    """The child's end of the conversation; the child now ends when its parent does."""
    # Ctrl+C in the terminal is meant for the parent, which then closes us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stream, slot0, slot1, lifeline, pulse = map(int, arguments[:5])
    die_with_parent(lifeline)
    channel = kind(socket.socket(fileno=stream), outgoing=Slot(slot1), incoming=Slot(slot0))
    return channel, Pulse(pulse)


def signal_of(code: int) -> str | None:
    """The name of the signal that ended a child with this exit code, as subprocess counts it."""
    if code >= 0:
        return None
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
