"""The only module that starts child processes, so that none imports from a user's folder. Python
looks for modules in the working directory first, and a downloaded game's folder may contain a
``json.py``. A child interpreter therefore starts with ``-P``, and with PYTHONSAFEPATH for its own
children. ``-I`` would also hide PYTHONPATH and the user's site-packages, where this program may
be."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from libretro_host.processes import launch

_SAFE_PATH: Final = "PYTHONSAFEPATH"
_MODULE_PATH: Final = "PYTHONPATH"


def module_command(module: str, *arguments: object, quiet: bool = False) -> list[str]:
    """Return the command that runs ``module`` as a program; a frozen program runs itself."""
    start = [launch.RUN_MODULE] if getattr(sys, "frozen", False) else ["-P", launch.__file__]
    options = [launch.QUIET] if quiet else []
    return [sys.executable, *start, *options, module, *map(str, arguments)]


def child_environment(changes: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a child interpreter, without relative PYTHONPATH entries."""
    environment = {**os.environ, **(changes or {}), _SAFE_PATH: "1"}
    entries = environment.pop(_MODULE_PATH, "").split(os.pathsep)
    if absolute := [entry for entry in entries if Path(entry).is_absolute()]:
        environment[_MODULE_PATH] = os.pathsep.join(absolute)
    return environment


def module_path() -> list[str]:
    """Return a child's module search path, which has the working directory if PYTHONPATH does."""
    here, wanted = str(Path.cwd()), os.environ.get(_MODULE_PATH, "").split(os.pathsep)
    is_wanted = any(Path(each).resolve() == Path(here) for each in filter(None, wanted))
    return [each for each in sys.path if Path(each).is_absolute() and (is_wanted or each != here)]


@contextlib.contextmanager
def isolated_children() -> Iterator[None]:
    """Make a library's child interpreters ignore the working directory too, in this context."""
    kept = dict(os.environ)
    isolated = child_environment()
    try:
        _set(isolated)
        yield
    finally:
        _set(kept)


def run(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    deadline_s: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command and keep its output. Raises OSError, subprocess.TimeoutExpired."""
    return subprocess.run(
        command,
        env=child_environment() if environment is None else environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=deadline_s,
    )


def start(
    command: Sequence[str], *, environment: Mapping[str, str] | None = None, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a command with ``options`` of subprocess.Popen. Raises OSError."""
    environment = child_environment() if environment is None else environment
    return subprocess.Popen(command, env=environment, **options)


def forked(work: Callable[[], Any], *, deadline_s: float) -> Any:
    """Return the JSON result of ``work`` in a fork (Windows: here). Raises ChildProcessError."""
    if sys.platform == "win32":
        return work()
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.dup2(2, 1)
            signal.setitimer(signal.ITIMER_REAL, deadline_s)
            os.write(there, json.dumps(work()).encode())
            os._exit(0)
        finally:
            os._exit(1)  # an error must not reach the caller's code, which the parent runs
    os.close(there)
    with os.fdopen(here, "rb") as pipe:
        answer = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 0:
        return json.loads(answer)
    if -status == signal.SIGALRM:
        raise ChildProcessError("it hung")
    raise ChildProcessError(f"signal {-status}" if status < 0 else f"exit status {status}")


def _set(variables: Mapping[str, str]) -> None:
    for name in (_SAFE_PATH, _MODULE_PATH):
        os.environ.pop(name, None)
        if name in variables:
            os.environ[name] = variables[name]
