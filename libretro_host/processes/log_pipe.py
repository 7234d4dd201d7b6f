"""The output of a child process, whose last lines the parent keeps."""

import os
from collections import deque

_MAX_LINES = 200
_MAX_LINE_BYTES = 4096
_READ_BYTES = 1 << 16
_LEVELS = (b"[DEBUG]", b"[INFO]", b"[WARN]", b"[ERROR]")


class LogPipe:
    """A pipe read without waiting, of a core's lines; other output is marked ``[OUT]``."""

    def __init__(self) -> None:
        self.fd, self.writer_fd = os.pipe()
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
