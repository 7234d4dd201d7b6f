"""Every module can be imported on other systems; one module knows the differences.

Windows and macOS cannot be tried here. The import of modules that only Unix has is refused to our
code alone, because libraries that work there have their own ways around it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]

UNIX_MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "syslog", "posix")
UNIX_NAMES = (
    *(
        "os.memfd_create",
        "os.O_ASYNC",
        "os.O_NOFOLLOW",
        "os.O_DIRECTORY",
        "os.getuid",
        "os.geteuid",
    ),
    *("os.sched_getaffinity", "os.sysconf", "os.fork", "os.killpg", "select.poll"),
    *("signal.SIGKILL", "signal.SIGALRM", "socket.AF_UNIX", "socket.socketpair", "time.tzset"),
)
"""Modules that Windows lacks, so that no import may touch them."""

OWNERS = {
    r"^\s*import fcntl": {"libretro_host/processes/kernel.py"},
    r"^\s*import resource\b": {"libretro_host/processes/kernel.py"},
    r'"/proc/': {"libretro_host/processes/kernel.py"},
    r"memfd_create": {"libretro_host/processes/kernel.py"},
    r"[Pp][Rr]_?SET_PDEATHSIG|\bprctl\b": {"libretro_host/processes/kernel.py"},
    r"\bpass_fds=": {
        "libretro_host/processes/children.py",
        "libretro_host/processes/links.py",
    },
    r"\bAF_UNIX\b": {"integrator/display.py"},
}
"""Names that hinder other systems, and the only modules that may know them."""

IMPORT_ALL = """
import builtins, importlib, os, pkgutil, select, signal, socket, sys, time
import integrator, libretro_host

modules, names = (each.split(",") for each in sys.argv[1:])
ours = ("integrator", "libretro_host")
found = [
    each.name
    for package in (integrator, libretro_host)
    for each in pkgutil.walk_packages(package.__path__, package.__name__ + ".")
]

def load(name):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "stable_baselines3"):  # large, and in the extra train alone
            raise

for name in found:  # and with them all libraries, as Windows has them
    load(name)
for name in [name for name in sys.modules if name.partition(".")[0] in ours]:
    if not name.endswith(("._shim", "._kernel")):
        del sys.modules[name]

whole = builtins.__import__

def without(name, globals=None, locals=None, fromlist=(), level=0):
    if name in modules and (globals or {}).get("__name__", "").partition(".")[0] in ours:
        raise ImportError(f"there is no {name} here")
    return whole(name, globals, locals, fromlist, level)

builtins.__import__ = without
sys.platform = "win32"
for name in names:
    module, _, attribute = name.partition(".")
    if hasattr(sys.modules[module], attribute):
        delattr(sys.modules[module], attribute)
for name in found:
    load(name)
print(len(found))
"""


def sources() -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
        for package in ("integrator", "libretro_host")
        for path in (ROOT / package).rglob("*.py")
    }


def test_every_module_is_imported_where_unix_is_missing() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", IMPORT_ALL, ",".join(UNIX_MODULES), ",".join(UNIX_NAMES)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 250


@pytest.mark.parametrize("pattern", OWNERS)
def test_what_hinders_is_known_in_one_place(pattern: str) -> None:
    using = {path for path, text in sources().items() if re.search(pattern, text, re.MULTILINE)}
    assert using <= OWNERS[pattern]


def test_c_has_extensions_of_gnu_under_conditions_alone() -> None:
    for path in [*ROOT.glob("libretro_host/*.c*"), *ROOT.glob("integrator/domain/sweep/*.c")]:
        depth = 0
        for line in path.read_text("utf-8").splitlines():
            depth += line.startswith("#if") - line.startswith("#endif")
            assert depth or not re.search(r"\b__(builtin|attribute|atomic|sync)", line), path


def test_windows_removes_leftovers_by_their_age(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from integrator.domain.files import atomic

    leftover = tmp_path / ".data.json.0123456789ab.tmp"
    leftover.write_text("half")
    monkeypatch.setattr(atomic, "sys", SimpleNamespace(platform="win32"))
    atomic.write_atomically(tmp_path / "data.json", b"{}")
    atomic.remove_leftovers(tmp_path)
    assert leftover.exists()
    os.utime(leftover, (0, 0))
    atomic.remove_leftovers(tmp_path)
    assert not leftover.exists()


def test_on_windows_a_file_stands_for_a_locked_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from libretro_host.processes import kernel, temporary, windows

    locks, parent = tmp_path / "locks", tmp_path / "games"
    locks.mkdir()
    parent.mkdir()
    monkeypatch.setenv("TEMP", str(locks))
    monkeypatch.setattr(kernel, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(temporary, "sys", SimpleNamespace(platform="win32"))
    held: set[int] = set()
    monkeypatch.setattr(windows, "lock", lambda _, wait: wait or not held)
    with temporary.OwnedFolder(parent) as folder:
        held.add(1)
        assert len(list(locks.iterdir())) == 1
        with temporary.OwnedFolder(parent):
            assert folder.exists()
        held.clear()  # as if its owner were dead
        with temporary.OwnedFolder(parent):
            assert not folder.exists()
    assert not [*locks.iterdir(), *parent.iterdir()]


@pytest.mark.parametrize("times_held", [3, 100])
def test_a_file_that_a_program_holds_is_written_once_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times_held: int
) -> None:
    from integrator.domain.errors import SaveError
    from integrator.domain.files import atomic

    held, replace = iter(range(times_held)), Path.replace

    def replace_if_free(path: Path, target: Path) -> Path:
        for _ in held:
            raise PermissionError(13, "Access is denied")
        return replace(path, target)

    file = tmp_path / "data.json"
    file.write_bytes(b"old")
    monkeypatch.setattr(atomic, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(time, "sleep", lambda _: None)
    monkeypatch.setattr(Path, "replace", replace_if_free)
    refused = times_held > 3
    with pytest.raises(SaveError, match="old file is unchanged") if refused else nullcontext():
        atomic.write_atomically(file, b"new")
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"old" if refused else b"new"]


def test_a_file_of_children_needs_no_memfd(monkeypatch: pytest.MonkeyPatch) -> None:
    from libretro_host.processes import kernel

    monkeypatch.setattr(kernel, "sys", SimpleNamespace(platform="win32"))
    with kernel.anonymous_file() as file:
        file.write(b"works all the same")


def test_on_windows_a_released_file_may_be_taken_by_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from libretro_host.processes import kernel

    path = tmp_path / "held.lock"
    fd = os.open(path, os.O_RDWR | os.O_CREAT)

    def refuse(_: Path, *, missing_ok: bool) -> None:
        raise PermissionError(13, "another program has the file open", missing_ok)

    monkeypatch.setattr(kernel, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(Path, "unlink", refuse)
    kernel.remove_locked(path, fd)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(fd)


def test_without_its_judge_a_demo_succeeds_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from integrator.cli import run
    from integrator.commands import demo
    from integrator.session.library.checks import judge

    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert "pip install" in judge.judge_missing()
    monkeypatch.setattr(judge, "sys", SimpleNamespace(platform="win32"))
    assert "no wheel for Windows" in judge.judge_missing()
    for agrees, status in ((None, 0), (True, 0), (False, 1)):
        monkeypatch.setattr(demo, "run_demo", lambda *_, agrees=agrees, **__: {"agrees": agrees})
        assert run(["demo"]) == status
