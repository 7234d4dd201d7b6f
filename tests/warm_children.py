"""Python processes as forks of one that has loaded their modules, which costs most of a start.

Everything else is as in a start: a process of the caller's own, with its arguments, descriptors,
environment, folder and group. Workers are forks in each test; programs that a test itself starts
are, if it calls ``run`` or ``popen`` of this module instead of those of subprocess. What is claimed
of the start itself is tested with ``cold_children``, and `make nightly` starts each process as the
program does (INTEGRATOR_COLD_CHILDREN). Run as a program, this is the process that forks."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
HOST_MODULES: Final = ("libretro_host.inprocess", "libretro_host.processes.child_process")
TASK_MODULES: Final = (
    *HOST_MODULES,
    *("integrator.commands.agents", "integrator.commands.audit", "integrator.commands.check"),
    *("integrator.commands.dataset", "integrator.commands.play.job", "integrator.env.making"),
    *("integrator.cli", "stable_retro"),
)
"""For workers without a host, which run the tasks of commands and environments, and programs."""
_WORKER: Final = "libretro_host.worker"
_KNOWN: Final = {_WORKER, "integrator.session.library.checks.judge"}
_IDENTITY: Final = "libretro_host.systems.identity"
_WORDS_WITHOUT_HOST: Final = 5  # Python, -P, its program, the module, and the address
_FIXED: Final = ("PYTHON", "LD_", "MALLOC_", "INTEGRATOR_PORTABLE")
"""Beginnings of variables that are read when a program starts."""
_MODULE_PATH: Final = "PYTHONPATH"
"""A fork adds its folders to the module search path, after the project's own."""
_MOST_BYTES: Final = 150_000
_BECOME_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER


class Forks:
    """A process that forks, for this one."""

    def __init__(self, modules: Sequence[str] | None) -> None:
        """Load ``modules`` in a new process, or fork this one if they are None."""
        self.fixed = _fixed(os.environ)
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if modules is None:
            if os.fork() == 0:
                self._socket.close()
                os.setsid()
                serve(theirs)
                raise SystemExit(0)
            theirs.close()
            return
        # As `libretro_host.processes` starts them: with one thread, since a fork has no other.
        own = {"PYTHONSAFEPATH": "1"}
        environment = {**os.environ, **own, "OPENBLAS_NUM_THREADS": "1"}
        environment.pop(_MODULE_PATH, None)
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
        pipes, new_session, group = values[10:16], values[-2], values[-1]
        request = {
            "words": args[1:],
            "session": new_session,
            "group": group == 0,
            "environment": dict(os.environ if env is None else env),
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
    fixed.pop(_MODULE_PATH, None)
    return fixed | {"PYTHONSAFEPATH": "1"}


def _set_subreaper(*, on: bool) -> None:
    """Let this process be the parent of orphans of its children, such as the fork of a fork."""
    ctypes.CDLL(None).prctl(_BECOME_SUBREAPER, int(on), 0, 0, 0)


@contextlib.contextmanager
def warm() -> Iterator[Any]:
    """A context in which workers are forks; its value is what starts them otherwise."""
    from libretro_host.processes import children

    cold, cold_run = children.start, children.run
    if sys.platform != "linux" or os.environ.get("INTEGRATOR_COLD_CHILDREN"):
        yield cold
        return
    servers = {True: Forks(HOST_MODULES), False: Forks(TASK_MODULES)}  # for a host, for tasks
    children.start = _starter(servers, cold)
    children.run = _runner(cold_run)
    _programs.append(servers[False])
    try:
        yield cold
    finally:
        _programs.pop()
        children.start, children.run = cold, cold_run
        for server in servers.values():
            server.close()


_programs: Final[list[Forks]] = []
"""The process that forks for ``popen``, the last of those that there are."""


def _starter(servers: Mapping[bool, Forks], cold: Any) -> Any:
    """A substitute for ``children.start`` that forks modules which the servers have loaded."""
    from libretro_host.processes import children

    def start(
        command: Sequence[str], *, environment: Mapping[str, str] | None = None, **options: Any
    ) -> subprocess.Popen[bytes]:
        environment = children.child_environment() if environment is None else environment
        server = servers[len(command) > _WORDS_WITHOUT_HOST and _WORKER in command]
        if _KNOWN.isdisjoint(command[3:5]) or _fixed(environment) != server.fixed:
            return cold(command, environment=environment, **options)  # type: ignore[no-any-return]
        return Forked(server, command, env=dict(environment), **options)

    return start


def _runner(cold: Any) -> Any:
    """A substitute for ``children.run`` that forks to ask cores for what they are."""
    from libretro_host.processes import children

    def ask(
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        deadline_s: float | None = None,
    ) -> subprocess.CompletedProcess[str]:
        is_cold = children.start.__module__ != __name__  # by the fixture of that name
        if is_cold or command[3:4] != [_IDENTITY] or environment is not None:
            return cold(command, environment=environment, deadline_s=deadline_s)  # type: ignore[no-any-return]
        own = children.child_environment()
        return run(command, env=own, capture_output=True, text=True, timeout=deadline_s)

    return ask


def popen(command: Sequence[object], **options: Any) -> subprocess.Popen[Any]:
    """As subprocess.Popen, for a Python program that begins as others do."""
    words = [str(each) for each in command]
    environment = options.get("env") or os.environ
    if words[0] != sys.executable or not _programs or _fixed(environment) != _programs[-1].fixed:
        return subprocess.Popen(words, **options)
    return Forked(_programs[-1], words, **options)


def run(
    command: Sequence[object],
    *,
    check: bool = False,
    timeout: float | None = None,
    capture_output: bool = False,
    input: Any = None,  # noqa: A002 - the name of subprocess.run
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """As subprocess.run, for a Python program that begins as others do."""
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if input is not None:
        options["stdin"] = subprocess.PIPE
    with popen(command, **options) as process:
        try:
            out, errors = process.communicate(input, timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(process.args, process.returncode, out, errors)
    if check:
        done.check_returncode()
    return done


def main() -> None:
    """Load what the arguments name, then fork for each request, and be what it asks for."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    for name in sys.argv[2:]:
        with contextlib.suppress(ModuleNotFoundError):  # stable_retro need not be installed
            importlib.import_module(name)
    serve(socket.socket(fileno=int(sys.argv[1])))


def serve(requests: socket.socket) -> None:
    """Fork for each request; return when there are no more, or in a fork that has ended."""
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
    if request["session"]:
        os.setsid()
    elif request["group"]:
        os.setpgid(0, 0)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    first = int(sys.path[0] == str(ROOT))
    sys.path[first:first] = filter(None, os.environ.get(_MODULE_PATH, "").split(os.pathsep))
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
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - as long as the process
    sys.stdout, sys.stderr = (
        open(each.fileno(), "w", buffering, errors=each.errors, closefd=False)  # noqa: SIM115
        for each, buffering in ((sys.stdout, -1), (sys.stderr, 1))
    )
    _run(list(request["words"]))


def _run(words: list[str]) -> None:
    """Be the program that a Python with these arguments runs."""
    from libretro_host.processes import children, launch

    is_safe, place = False, ""
    while words[0] in ("-P", "-W"):
        if words.pop(0) == "-P":
            is_safe = True
        else:
            warnings.simplefilter(words.pop(0))  # type: ignore[arg-type]  # its name
    program, *arguments = words
    if program == launch.__file__:
        launch.run_module(arguments)
        return
    if program in ("-c", "-m"):
        what, *arguments = arguments
    else:
        what, place = program, os.path.dirname(program)  # noqa: PTH120 - as Python does
    if not (is_safe or os.environ.get("PYTHONSAFEPATH")):
        sys.path.insert(0, place)
    sys.argv[:] = [what if program != "-c" else program, *arguments]
    if program == "-m":
        if what == "integrator":  # its workers are forks too
            server = Forks(None)
            children.start = _starter({True: server, False: server}, children.start)
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    elif program == "-c":
        sys.modules["__main__"] = module = types.ModuleType("__main__")
        exec(compile(what, "<string>", "exec"), module.__dict__)
    else:
        runpy.run_path(what, run_name="__main__")


def _moved(descriptor: int, number: int) -> int:
    os.dup2(descriptor, number)
    os.close(descriptor)
    return number


if __name__ == "__main__":
    main()
