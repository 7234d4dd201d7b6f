"""Starts programs as forks of a process that has loaded their modules, which costs most of a start.

It reads a request a line, ``{"module", "words", "environment", "out", "err"}``, and answers with
the process and, when that has ended, its exit code. The process stays a zombie, whose number nobody
else gets, until the next request."""

from __future__ import annotations

import gc
import importlib
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, TextIO

from scripts.campaign.toys import ROOT

_LOADED: Final = (
    "integrator.cli",
    "integrator.commands.agents",
    "integrator.commands.audit",
    "integrator.commands.check",
    "integrator.commands.dataset",
    "integrator.commands.play.job",
    "integrator.commands.scores",
    "integrator.env.making",
    "scripts.campaign.sweep",
    "scripts.campaign.training_child",
)


class Fork:
    """A program that was forked; it has those methods of subprocess.Popen that are needed."""

    def __init__(
        self,
        module: str,
        words: Sequence[str],
        environment: Mapping[str, str],
        out: TextIO,
        err: TextIO,
    ) -> None:
        self._server = _server(os.getpid())
        asked = {"module": module, "words": words, "environment": dict(environment)}
        _write(self._server.stdin, asked | {"out": out.name, "err": err.name})
        self.returncode: int | None = None
        self.pid: int = self._read()

    def wait(self, timeout: float | None = None) -> int:
        """The exit code. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            assert self._server.stdout is not None
            if not select.select([self._server.stdout], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a fork", timeout or 0.0)
            self.returncode = self._read()
        return self.returncode

    def poll(self) -> int | None:
        """The exit code, or None while the program runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Send a signal to a program that runs, or has ended without a next one."""
        os.kill(self.pid, number)

    def kill(self) -> None:
        """End the program."""
        self.send_signal(signal.SIGKILL)

    def _read(self) -> int:
        assert self._server.stdout is not None
        return int(self._server.stdout.readline())


@cache
def _server(owner: int) -> subprocess.Popen[bytes]:
    """The process of ``owner`` that forks; it ends with its owner, whose end closes its pipe."""
    del owner
    command = [sys.executable, "-P", "-m", "scripts.campaign.warm"]
    pipe = subprocess.PIPE
    # The modules of this tree, not of one that is installed.
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, env=environment, stdin=pipe, stdout=pipe, bufsize=0, start_new_session=True
    )


def _write(pipe: Any, value: object) -> None:
    pipe.write(json.dumps(value).encode() + b"\n")


def main() -> None:
    """Fork a program for each request."""
    for name in _LOADED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    while line := sys.stdin.readline():
        pid = os.fork()
        if pid == 0:
            _become(json.loads(line))
            return
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert ended is not None
        code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()
        select.select([sys.stdin], [], [])
        os.waitpid(pid, 0)


def _become(request: Mapping[str, Any]) -> None:
    """Be the program that is asked for."""
    os.setsid()
    os.environ.clear()
    os.environ.update(request["environment"])
    tempfile.tempdir = None
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for descriptor, path in enumerate((os.devnull, request["out"], request["err"])):
        file = os.open(path, os.O_RDWR)
        os.dup2(file, descriptor)
        os.close(file)
    sys.argv[1:] = request["words"]
    runpy.run_module(request["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
