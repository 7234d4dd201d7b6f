"""The log folder: the window's log, and stacks after a crash. The program never reads them."""

import contextlib
import faulthandler
import logging
import os
import platform
import time
from collections.abc import Iterator
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from integrator import paths
from integrator.domain.files.reading import open_file
from integrator.version import __version__

LOG_NAME: Final = "integrator.log"
CRASH_NAME: Final = "crash.log"

_MAX_BYTES: Final = 1 << 20
_LOG: Final = logging.getLogger("integrator")


@contextlib.contextmanager
def log_files() -> Iterator[str]:
    """Log to the user's folder within this context; yield the reason if that fails, else ''."""
    folder = paths.user_log_dir()
    with contextlib.ExitStack() as stack:
        problem = ""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            stack.enter_context(_logging(folder / LOG_NAME))
            stack.enter_context(_tracing(folder / CRASH_NAME))
        except OSError as error:
            problem = f"nothing is logged to {folder}: {error.strerror}"
        system = f"Python {platform.python_version()}, {platform.platform()}"
        _LOG.info("started: integrator %s, %s", __version__, system)
        yield problem
        _LOG.info("ended")


def log_facts() -> tuple[Path, list[str], list[str]]:
    """Return facts for a bug report: the folder, lines about its files, and the newest crash."""
    folder = paths.user_log_dir()
    lines = []
    for name in (LOG_NAME, CRASH_NAME):
        try:
            about = (folder / name).stat()
        except OSError as error:
            lines.append(f"{name}: {error.strerror}")
            continue
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime(about.st_mtime))
        lines.append(f"{name}: {about.st_size:,} bytes, last written {when} UTC")
    trace = ""
    with contextlib.suppress(OSError), open_file(folder / CRASH_NAME, None) as stream:
        stream.seek(max(0, (folder / CRASH_NAME).stat().st_size - (64 << 10)))
        trace = stream.read().decode("utf-8", "replace")
    _, begins, newest = trace.rpartition("Fatal Python error: ")
    return folder, lines, f"{begins}{newest}".splitlines()[:40]


class _UnfussyHandler(RotatingFileHandler):
    """Stops at the first error, because a traceback for each message would bury the messages."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - logging's name
        self.setLevel(logging.CRITICAL + 1)


@contextlib.contextmanager
def _logging(path: Path) -> Iterator[None]:
    handler = _UnfussyHandler(
        path, maxBytes=_MAX_BYTES, backupCount=3, encoding="utf-8", errors="replace"
    )
    formatter = logging.Formatter("%(asctime)sZ %(process)d %(levelname)s %(message)s")
    formatter.converter = time.gmtime
    handler.setFormatter(formatter)
    # Another thread writes the log, so that the window never waits for the disk.
    queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
    entrance, level = QueueHandler(queue), _LOG.level
    listener = QueueListener(queue, handler, respect_handler_level=True)
    listener.start()
    _LOG.addHandler(entrance)
    _LOG.setLevel(logging.INFO)
    try:
        yield
    finally:
        _LOG.setLevel(level)
        _LOG.removeHandler(entrance)
        listener.stop()
        with contextlib.suppress(OSError):  # the rest does not fit on the disk
            handler.close()


@contextlib.contextmanager
def _tracing(path: Path) -> Iterator[None]:
    """Append all stacks to a file if this process crashes; children do not inherit this."""
    with contextlib.suppress(OSError):
        if path.stat().st_size > _MAX_BYTES:
            path.replace(path.with_suffix(".log.1"))
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    was_enabled = faulthandler.is_enabled()
    faulthandler.enable(descriptor)
    try:
        yield
    finally:
        faulthandler.disable()
        if was_enabled:
            faulthandler.enable()
        os.close(descriptor)
