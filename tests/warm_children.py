"""Processes of cores as forks of one that has loaded their modules, which costs most of a start.

Everything else is as in a start: a process of the caller's own, with its arguments, descriptors,
environment, folder and group. What is claimed of the start itself is tested with ``cold_children``,
and `make nightly` starts each process as the program does (INTEGRATOR_COLD_CHILDREN). Run as a
program, this is the process that forks.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
HOST_MODULES: Final = ("libretro_host.inprocess", "libretro_host.processes.child_process")
TASK_MODULES: Final = (
    *HOST_MODULES,
    *("integrator.commands.agents", "integrator.commands.audit", "integrator.commands.check"),
    *("integrator.commands.dataset", "integrator.commands.play.job", "integrator.env.making"),
)
"""For workers without a host, which run the tasks of commands and environments."""
_WORKER: Final = "libretro_host.worker"
_WORDS_WITHOUT_HOST: Final = 2  # the module, and the address
_FIXED: Final = ("PYTHON", "LD_", "MALLOC_", "INTEGRATOR_PORTABLE")
"""Beginnings of variables that are read when a program starts."""
_MOST_BYTES: Final = 150_000
_BECOME_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER


class Forks:
    """A process that forks, for this one."""

    def __init__(self, modules: Sequence[str]) -> None:
        self.fixed = _fixed(os.environ)
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # As `libretro_host.processes` starts them: with one thread, since a fork has no other.
        own = {"PYTHONSAFEPATH": "1", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
        environment = {**os.environ, **own, "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, str(theirs.fileno()), *modules],
            env=environment,
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()

    def fork(self, request: Mapping[str, Any], descriptors: Sequence[int]) -> int:
        """The number of a new child of this process. Raises OSError."""
        here, there = os.pipe()
        with self._lock, os.fdopen(here, "rb") as answer:
            _set_subreaper(on=True)
            try:
                data = json.dumps(request).encode()
                socket.send_fds(self._socket, [data], [there, *descriptors])
            finally:
                os.close(there)
            pid = answer.read()
            _set_subreaper(on=False)
        if not pid:
            raise OSError("a process could not be forked")
        return int(pid)

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self._process.wait()


class Forked(subprocess.Popen[bytes]):
    """Popen of a fork: by its own means, but for the start."""

    def __init__(self, forks: Forks, command: Sequence[str], **options: Any) -> None:
        self._forks = forks
        super().__init__(command, **options)

    def _execute_child(self, *values: Any) -> None:
        args, _, _, _, pass_fds, cwd, env = values[:7]
        pipes = values[10:16]
        request = {
            "words": args[3:],
            "environment": env,
            "folder": str(cwd or Path.cwd()),
            "descriptors": [0, 1, 2, *pass_fds],
        }
        streams = (pipes[0], pipes[3], pipes[5])
        own = [each if each >= 0 else number for number, each in enumerate(streams)]
        self.pid = self._forks.fork(request, [*own, *pass_fds])
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]  # Popen's own


def _fixed(environment: Mapping[str, str]) -> dict[str, str]:
    fixed = {name: text for name, text in environment.items() if name.startswith(_FIXED)}
    return fixed | {"PYTHONSAFEPATH": "1"}


def _set_subreaper(*, on: bool) -> None:
    """Let this process be the parent of orphans of its children, such as the fork of a fork."""
    ctypes.CDLL(None).prctl(_BECOME_SUBREAPER, int(on), 0, 0, 0)


@contextlib.contextmanager
def warm() -> Iterator[Any]:
    """A context in which workers are forks; its value is what starts them otherwise."""
    from libretro_host.processes import children

    cold = children.start
    if sys.platform != "linux" or os.environ.get("INTEGRATOR_COLD_CHILDREN"):
        yield cold
        return
    servers = {True: Forks(HOST_MODULES), False: Forks(TASK_MODULES)}  # for a host, for tasks

    def start(
        command: Sequence[str], *, environment: Mapping[str, str] | None = None, **options: Any
    ) -> subprocess.Popen[bytes]:
        environment = children.child_environment() if environment is None else environment
        words = command[3:]
        if words[:1] != [_WORKER] or options.get("process_group") != 0:
            return cold(command, environment=environment, **options)
        server = servers[len(words) > _WORDS_WITHOUT_HOST]
        if _fixed(environment) != server.fixed:
            return cold(command, environment=environment, **options)
        return Forked(server, command, env=dict(environment), **options)

    children.start = start
    try:
        yield cold
    finally:
        children.start = cold
        for server in servers.values():
            server.close()


def main() -> None:
    """Fork for each request, and be what it asks for."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    requests = socket.socket(fileno=int(sys.argv[1]))
    for name in sys.argv[2:]:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    while True:
        data, descriptors, _, _ = socket.recv_fds(requests, _MOST_BYTES, 64)
        if not data:
            return
        middle = os.fork()
        if middle == 0:
            own = os.getpid()
            if os.fork():
                os._exit(0)
            while os.getppid() == own:
                time.sleep(0.0005)
            requests.close()
            _become(json.loads(data), descriptors)
            return
        os.waitpid(middle, 0)
        for each in descriptors:
            os.close(each)


def _become(request: Mapping[str, Any], descriptors: Sequence[int]) -> None:
    from libretro_host.processes import launch

    os.setpgid(0, 0)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    tempfile.tempdir = None
    signal.signal(signal.SIGINT, signal.default_int_handler)
    wanted = request["descriptors"]
    above = max((*wanted, *descriptors)) + 1
    answer, *own = (_moved(each, above + place) for place, each in enumerate(descriptors))
    for descriptor, number in zip(own, wanted, strict=True):
        os.dup2(descriptor, number)
    keep = {*wanted, answer}
    for number in map(int, os.listdir("/proc/self/fd")):  # noqa: PTH208 - names alone
        if number not in keep:
            with contextlib.suppress(OSError):  # the descriptor of the folder itself
                os.close(number)
    os.write(answer, str(os.getpid()).encode())
    os.close(answer)
    launch.run_module(list(request["words"]))


def _moved(descriptor: int, number: int) -> int:
    os.dup2(descriptor, number)
    os.close(descriptor)
    return number


if __name__ == "__main__":
    main()
