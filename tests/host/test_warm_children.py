"""A worker that is forked for a test is what a started one is, but for its start."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from warm_children import Forked, warm

from libretro_host.processes import child_process, children, links
from libretro_host.processes.worker_process import WorkerProcess

HERE = Path(__file__).parent


class Looked:
    """Facts that a process sees of itself."""

    def look(self) -> dict[str, object]:
        return {
            "arguments": len(sys.argv),
            "module": sys.modules["__main__"].__name__,
            # Python adds LC_CTYPE where the locale is C.
            "environment": {**os.environ, "TMPDIR": "", "LC_CTYPE": ""},
            "folder": os.getcwd(),  # noqa: PTH109 - as text, in another process
            "parent": os.getppid(),
            "group": os.getpgid(0) == os.getpid(),
            "open": sorted(map(int, os.listdir("/proc/self/fd"))),  # noqa: PTH208
            "threads": threading.active_count(),
            "path": sys.path,
            "signals": [str(signal.getsignal(each)) for each in (2, 13, 15)],
        }


@pytest.fixture
def looked() -> Callable[[], tuple[bool, dict[str, object]]]:
    def look() -> tuple[bool, dict[str, object]]:
        worker = WorkerProcess(Looked)
        try:
            assert worker._child is not None
            is_fork = isinstance(worker._child.process, Forked)
            return is_fork, worker.call("look")
        finally:
            worker.close()

    return look


def test_a_fork_is_as_a_start(
    looked: Callable[[], tuple[bool, dict[str, object]]],
    warm_children: Callable[..., subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("A_VARIABLE", "of the test")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "modules"))
    monkeypatch.delenv("LANG", raising=False)
    with contextlib.ExitStack() as stack:
        if os.environ.get("INTEGRATOR_COLD_CHILDREN"):  # no test forks, but for this one
            monkeypatch.delenv("INTEGRATOR_COLD_CHILDREN")
            stack.enter_context(warm())
        is_fork, forked = looked()
        children.start, start = warm_children, children.start
        is_start, started = looked()
        children.start = start
    assert (is_fork, is_start) == (True, False)
    assert forked == started
    assert (forked["parent"], forked["folder"]) == (os.getpid(), str(tmp_path))


def test_the_end_of_a_fork_is_seen() -> None:
    for number in (signal.SIGKILL, signal.SIGABRT):
        log = links.LogPipe()
        child = child_process.ChildProcess("libretro_host.worker", log, "os:getpid")
        os.kill(child.process.pid, number)
        assert child.process.wait(60) == -number
        child.end(kill=True)


def test_what_python_reads_at_its_start_needs_one(
    looked: Callable[[], tuple[bool, dict[str, object]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(HERE)
    monkeypatch.setenv("PYTHONUTF8", "1")
    assert not looked()[0]
