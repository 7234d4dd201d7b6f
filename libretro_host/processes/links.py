"""Connections to a child process: descriptors that it inherits, or pipes and files with names.
Linux and macOS hand descriptors to a child, one of which is a socket. :class:`PipeLink` needs the
standard library alone: messages travel over the child's standard input and output, which threads
read, since Windows cannot wait for several pipes at once. Either way a child has two slots (see
``wire``) and a pulse, and ends when its parent's end of the link is closed."""

import contextlib
import mmap
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Final, cast

import numpy as np

from libretro_host.processes import kernel, windows
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.processes.wire import Slot, Stream

_MAX_LINE_BYTES: Final = 4096
_CHUNK_BYTES: Final = 1 << 16
# Chunks per drain, limited so that a process that prints without end cannot hold up its reader.
_MOST_CHUNKS: Final = 64
_BLOCKS_AHEAD: Final = 16
_PULSE_BYTES: Final = 16  # two uint64
_FILES: Final = ("parent", "child", "pulse")
"""Names of the files of the two slots and the pulse in a PipeLink's folder."""


class Pulse:
    """Two uint64 in a shared file, which the shims of a process write; see ``lh_set_pulse``."""

    def __init__(self, file: FileIO) -> None:
        self.memory = mmap.mmap(file.fileno(), _PULSE_BYTES)
        self._numbers = np.frombuffer(self.memory, np.uint64)

    def read(self) -> tuple[int, int]:
        """Return a counter that is odd during a call of the core, and the number of frames run."""
        calls, frames = self._numbers.tolist()
        return calls, frames

    def close(self) -> None:
        """Unmap the file, which Windows cannot remove while it is mapped."""
        del self._numbers
        self.memory.close()


class Pump:
    """Reads a pipe in a thread, which sets ``arrived`` at each change and closes the ended pipe.
    The thread reads only a few blocks ahead, so a program that writes more waits, as with a
    pipe."""

    def __init__(
        self, pipe: FileIO, arrived: threading.Event, ended: Callable[[], object] = lambda: None
    ) -> None:
        self._chunks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        # No Queue, because the garbage collector may run inside a call and need its lock again.
        self._room: queue.SimpleQueue[None] = queue.SimpleQueue()
        for _ in range(_BLOCKS_AHEAD):
            self._room.put(None)
        self._arrived, self._ended = arrived, ended
        self._thread = threading.Thread(target=self._read, args=(pipe,), name="pipe", daemon=True)
        self._thread.start()

    @property
    def has_data(self) -> bool:
        """True if :meth:`take` would return at once."""
        return not self._chunks.empty()

    def take(self) -> bytes:
        """Wait for the next data; at the end of the pipe, every call returns empty bytes."""
        data = self._chunks.get()
        if data:
            self._room.put(None)
        else:
            self._chunks.put(b"")
        return data

    @property
    def is_here(self) -> bool:
        """True in the reading thread, in which the garbage collector may close a forgotten link."""
        return self._thread is threading.current_thread()

    def _read(self, pipe: FileIO) -> None:
        with pipe:
            while data := pipe.read(_CHUNK_BYTES):
                self._room.get()
                self._chunks.put(data)
                self._arrived.set()
        # Call ``ended`` first, because a child that ended earlier would not kill its group.
        self._ended()
        self._chunks.put(b"")
        self._arrived.set()


class PipeStream:
    """Two pipes as a :class:`Stream`."""

    def __init__(self, incoming: Pump, outgoing: FileIO) -> None:
        self._incoming, self._outgoing = incoming, outgoing

    def sendall(self, data: bytes) -> None:
        while data:
            data = data[self._outgoing.write(data) :]

    def recv(self, _: int) -> bytes:
        return self._incoming.take()

    def close(self) -> None:
        self._outgoing.close()


class LogPipe:
    """A pipe of a core's log lines, read without waiting; other output is marked ``[OUT]``."""

    def __init__(self) -> None:
        self.pipe, self.writer = _pipe()
        self.arrived = threading.Event()
        self._pump = Pump(self.pipe, self.arrived) if kernel.PORTABLE else None
        if sys.platform != "win32" and self._pump is None:
            os.set_blocking(self.pipe.fileno(), False)
        self._lines: deque[str] = deque(maxlen=200)
        self._rest = b""

    def drain(self) -> bool:
        """Read the output so far; return False at the end, when no process can print any more."""
        for _ in range(_MOST_CHUNKS):
            if (data := self._read()) is None:
                break
            if not data:
                return False
            *lines, self._rest = (self._rest + data).split(b"\n")
            for line in lines:
                self._add(line)
            if len(self._rest) > _MAX_LINE_BYTES:
                self._add(self._rest)
                self._rest = b""
        return True

    def _read(self) -> bytes | None:
        """Return the next output, None if there is none yet, or empty bytes at the end."""
        if self._pump is not None:
            return self._pump.take() if self._pump.has_data else None
        return b"" if self.pipe.closed else self.pipe.read(_CHUNK_BYTES)

    def lines(self) -> tuple[str, ...]:
        rest = (_marked(self._rest),) if self._rest else ()
        return (*self._lines, *rest)

    def close(self) -> None:
        """Read the last output and close the pipe; the lines stay available. Idempotent."""
        self.writer.close()
        if self._pump is None:
            self.drain()
            self.pipe.close()
            return
        # The wait is limited, because another process may keep the pipe open.
        deadline_s = time.monotonic() + 0.5
        while self.drain() and not self._pump.is_here and time.monotonic() < deadline_s:
            self.arrived.wait(0.02)
            self.arrived.clear()

    def _add(self, line: bytes) -> None:
        if line.strip():
            self._lines.append(_marked(line[:_MAX_LINE_BYTES]))


def _marked(line: bytes) -> str:
    is_log = line.startswith((b"[DEBUG]", b"[INFO]", b"[WARN]", b"[ERROR]"))
    marked = line if is_log else b"[OUT] " + line
    return marked.decode("utf-8", "replace").rstrip("\r")


class DescriptorLink:
    """A socket and files without names, whose descriptors the child inherits. ``address`` is the
    child's first argument, for :func:`join`; ``options`` are for its Popen."""

    def __init__(self, log: LogPipe) -> None:
        self._log, self._end_fd = log, -1
        with contextlib.ExitStack() as undo:
            self._stream, stream = socket.socketpair()
            lifeline, ours = _pipe()
            for end in (self._stream, stream, lifeline, ours):
                undo.callback(end.close)
            files = [undo.enter_context(kernel.anonymous_file()) for _ in range(3)]
            files[-1].write(bytes(_PULSE_BYTES))
            self.slots, self.pulse = _shared(files)
            undo.callback(self.pulse.close)
            self._undo = undo.pop_all()
        self._theirs = stream, lifeline, log.writer
        fds = [stream.fileno(), lifeline.fileno(), *(file.fileno() for file in files)]
        self.address = ",".join(map(str, fds))
        self.options = {
            "stdin": subprocess.DEVNULL,
            "stdout": log.writer,
            "stderr": log.writer,
            "pass_fds": fds,
            **kernel.own_group(),
        }

    def started(self, process: subprocess.Popen[bytes]) -> Stream:
        """Close the ends that belong to the child, and return the stream of messages."""
        for each in self._theirs:
            each.close()
        self._process = process
        # This descriptor shows the child's end without reaping it, if the system can (Linux).
        self._end_fd = kernel.process_descriptor(process.pid)
        fds = [self._stream.fileno(), self._log.pipe.fileno()]
        if self._end_fd >= 0:
            self._undo.callback(os.close, self._end_fd)
            fds.append(self._end_fd)
        self._poll = kernel.readable(*fds)
        return self._stream

    def wait(self, timeout_ms: float) -> bool:
        """Wait for a message and read the log; True if one came. Raises EOFError at the end."""
        ready = {fd for fd, _ in self._poll.poll(timeout_ms)}
        log_fd = self._log.pipe.fileno()
        if log_fd in ready and not self._log.drain():
            self._poll.unregister(log_fd)
        if self._stream.fileno() in ready:
            return True
        if self._end_fd in ready:
            # The stream may have no end yet, because a process that the core started keeps it open.
            raise EOFError("the process has ended")
        return False

    def ends(self, *, within_s: float) -> bool:
        """Wait for the child's end; return True if it came in time."""
        if self._end_fd < 0:
            return _ends(self._process, within_s)
        return bool(kernel.readable(self._end_fd).poll(within_s * 1000))

    def close(self) -> None:
        """Close all ends of the link. Idempotent."""
        self._undo.close()


class PipeLink:
    """Does what :class:`DescriptorLink` does, with the child's standard streams and named files."""

    def __init__(self, log: LogPipe) -> None:
        self._log = log
        with contextlib.ExitStack() as undo:
            folder = undo.enter_context(OwnedFolder())
            self.address = str(folder)
            files = [undo.enter_context(FileIO(folder / name, "w+b")) for name in _FILES]
            files[-1].write(bytes(_PULSE_BYTES))
            self.slots, self.pulse = _shared(files)
            undo.callback(self.pulse.close)
            self._undo = undo.pop_all()
        self.options = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": log.writer,
            "bufsize": 0,
            **kernel.own_group(),
        }

    def started(self, process: subprocess.Popen[bytes]) -> Stream:
        self._log.writer.close()
        self._process = process
        self._messages = Pump(cast("FileIO", process.stdout), self._log.arrived)
        stream = PipeStream(self._messages, cast("FileIO", process.stdin))
        self._undo.callback(stream.close)
        if sys.platform == "win32":
            self._undo.callback(windows.job(process.pid))
        return stream

    def wait(self, timeout_ms: float) -> bool:
        if self._messages.is_here:
            raise EOFError("nothing reads its messages meanwhile")
        if not self._messages.has_data:
            self._log.arrived.wait(timeout_ms / 1000)
            self._log.arrived.clear()
        self._log.drain()
        if self._messages.has_data:
            return True
        if self._process.poll() is not None:
            raise EOFError("the process has ended")
        return False

    def ends(self, *, within_s: float) -> bool:
        return _ends(self._process, within_s)

    def close(self) -> None:
        self._undo.close()


def join(address: str) -> tuple[Stream, tuple[Slot, Slot], Pulse]:
    """Return the child's ends of the link; from now on the child ends when its parent does."""
    if kernel.PORTABLE:
        # The core must not touch the messages, so it gets an empty input and the log as output.
        requests, replies = FileIO(os.dup(0), "rb"), FileIO(os.dup(1), "wb")
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        os.dup2(2, 1)
        pump = Pump(requests, threading.Event(), ended=kernel.end_group)
        files = [FileIO(Path(address, name), "r+b") for name in _FILES]
        return PipeStream(pump, replies), *_shared(files)
    stream, lifeline, *fds = map(int, address.split(","))
    kernel.die_with_parent(lifeline)
    files = [FileIO(fd, "r+b") for fd in fds]
    return socket.socket(fileno=stream), *_shared(files)


def _pipe() -> tuple[FileIO, FileIO]:
    reading, writing = os.pipe()
    return FileIO(reading, "rb"), FileIO(writing, "wb")


def _shared(files: list[FileIO]) -> tuple[tuple[Slot, Slot], Pulse]:
    of_parent, of_child, pulse = files
    return (Slot(of_parent), Slot(of_child)), Pulse(pulse)


def _ends(process: subprocess.Popen[bytes], within_s: float) -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(within_s)
    return process.returncode is not None
