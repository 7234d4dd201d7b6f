"""No module of the working directory runs: neither in this program nor in its children."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from integrator import paths
from integrator.commands.shared.options import demo_game
from libretro_host.errors import CoreLoadError
from libretro_host.processes import children
from libretro_host.systems.identity import core_identities

pytestmark = pytest.mark.usefixtures("cold_children")

ROOT = Path(paths.__file__).parent.parent

STARTS_PROCESSES = {
    *("subprocess", "multiprocessing", "joblib", "runpy", "pty", "webbrowser", "asyncio"),
    *("concurrent.futures.process", "QProcess", "posix_spawn", "ProcessPoolExecutor"),
}
OF_OS = {"system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "startfile"}

TAME = {"DEVNULL", "PIPE", "TimeoutExpired", "Popen", "CompletedProcess", "STDOUT"}
TAME |= {"CREATE_NEW_PROCESS_GROUP", "CREATE_NO_WINDOW"}
"""Of subprocess: constants and types, which anyone may name but not call."""

MAY = {
    "libretro_host/processes/children.py": {"subprocess", "sys.executable", "os.fork"},
    "libretro_host/processes/launch.py": {"runpy"},
    # A detached process outlives this one; it runs module_command() under isolated_children().
    "integrator/ui/shell/files/file_commands.py": {"QProcess"},
    # The desktop entry names the interpreter; this module starts nothing.
    "integrator/commands/desktop.py": {"sys.executable"},
}
"""The only files that may start a process, and by which means."""


MENTIONS = re.compile("|".join((*STARTS_PROCESSES, *OF_OS, "exec", "spawn")))
"""Text without which a module cannot name any of these, and need not be parsed."""


def ways_to_start(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of each thing in a module that could start a process or an interpreter."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                imported = [name.name for name in names]
                yield from ((node.lineno, name) for name in imported if is_way(name))
            case ast.ImportFrom(module="subprocess", names=names) if {
                n.name for n in names
            } <= TAME:
                pass
            case ast.ImportFrom(module=module, names=names):
                imported = [module or "", *(name.name for name in names)]
                imported += [f"{module}.{name.name}" for name in names]
                yield from ((node.lineno, name) for name in imported if is_way(name))
            case ast.Attribute(value=ast.Name(id="sys"), attr="executable" | "_base_executable"):
                yield node.lineno, "sys.executable"
            case ast.Attribute(value=ast.Name(id="os"), attr=name):
                if name in OF_OS or name.startswith(("exec", "spawn")):
                    yield node.lineno, f"os.{name}"


def is_way(name: str) -> bool:
    base = name.split(".", maxsplit=1)[0]
    if base == "os":
        return name.partition(".")[2] in OF_OS or name.startswith(("os.exec", "os.spawn"))
    return name in STARTS_PROCESSES or base in STARTS_PROCESSES or name == "sys.executable"


def uses_only_names(tree: ast.Module) -> bool:
    """True when a module that imports subprocess names only its types and constants."""
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    uses = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "subprocess"
    ]
    return all(node.attr in TAME and node not in called for node in uses)


def test_there_is_one_place_that_starts_processes() -> None:
    found = []
    for folder in ("integrator", "libretro_host"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            text = file.read_text(encoding="utf-8")
            tree = ast.parse(text if MENTIONS.search(text) else "")
            for line, way in ways_to_start(tree):
                tame = way == "subprocess" and uses_only_names(tree)
                if not tame and way not in MAY.get(name, set()):
                    found.append(f"{name}:{line}: {way}")
    assert not found, "start it with libretro_host.processes.children instead:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "code",
    [
        *("import subprocess\nsubprocess.run([])", "from subprocess import run", "import joblib"),
        *("from os import fork", "import os\nos.execv('', [])", "import sys\nsys.executable"),
        *("from multiprocessing import Process", "import multiprocessing.pool"),
        *("from PySide6.QtCore import QProcess", "import os\nos.posix_spawn('', [], {})"),
        "from concurrent.futures import ProcessPoolExecutor",
    ],
)
def test_the_walk_over_the_code_sees(code: str) -> None:
    assert MENTIONS.search(code)
    assert list(ways_to_start(ast.parse(code)))
    assert not uses_only_names(ast.parse(code)) or "subprocess.run" not in code


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory with a file of the name of every module that Python could look for there.

    Each one that runs leaves its name in ``ran``."""
    folder, ran = tmp_path / "foreign", tmp_path / "ran"
    folder.mkdir()
    ran.mkdir()
    installed = {
        path.name.partition(".")[0]
        for entry in sys.path
        if "site-packages" in entry
        for path in Path(entry).glob("*")
        if path.is_dir() or path.suffix == ".py"
    }
    names = {*sys.stdlib_module_names, *installed, "sitecustomize", "usercustomize"}
    for name in filter(str.isidentifier, names):
        trap = f"import posix\nposix.close(posix.open({str(ran / name)!r}, posix.O_CREAT))\n"
        (folder / f"{name}.py").write_text(trap)
    for package in ("integrator", "libretro_host"):
        trap = f"import posix\nposix.close(posix.open({str(ran / package)!r}, posix.O_CREAT))\n"
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text(trap)
        (folder / package / "__main__.py").write_text(trap)
    monkeypatch.chdir(folder)
    yield folder
    assert not list(ran.iterdir())


def integrator(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The ``integrator`` command as it is installed."""
    command = shutil.which("integrator", path=str(Path(sys.executable).parent))
    assert command is not None
    return subprocess.run(
        [command, *map(str, arguments)], capture_output=True, text=True, check=False
    )


@pytest.mark.usefixtures("foreign")
def test_cores_are_asked_in_a_foreign_folder() -> None:
    missing = Path("/nowhere/core.so")
    told = core_identities([missing])[missing]
    assert isinstance(told, CoreLoadError)
    assert str(missing) in str(told)


def test_integrations_are_checked_in_a_foreign_folder(foreign: Path) -> None:
    for name in ("A", "B"):
        shutil.copytree(demo_game(), foreign / name)
    done = integrator("check", "A", "B", "--jobs", "2", "--json")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.usefixtures("foreign")
def test_module_search_path_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["", ".", "../foreign"]))
    done = children.run(children.module_command("integrator", "--version"))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("foreign")
def test_python_dash_m_takes_nothing_but_the_program_from_there(tmp_path: Path) -> None:
    """Python itself looks there before it runs anything of ours: for these traps it does not."""
    for trap in (tmp_path / "foreign").iterdir():
        if trap.is_dir():
            shutil.rmtree(trap)
        elif trap.stem not in {"json", "numpy", "dataclasses", "cffi", "pathlib"}:
            trap.unlink()
    command = [sys.executable, "-m", "integrator", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_librarys_children_are_isolated_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{os.pathsep}/lib")
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    with children.isolated_children():
        assert (os.environ["PYTHONSAFEPATH"], os.environ["PYTHONPATH"]) == ("1", "/lib")
    assert "PYTHONSAFEPATH" not in os.environ
    assert os.environ["PYTHONPATH"] == f"{os.pathsep}/lib"


@pytest.mark.usefixtures("foreign")
def test_a_child_imports_the_package_that_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    command = children.module_command("libretro_host.systems.identity", "/nowhere/core.so")
    # -S leaves out site-packages, and with it an editable install's path to this package.
    done = children.run([command[0], "-S", *command[1:]])
    assert "No module named 'libretro_host'" not in done.stderr


def test_module_path_of_the_user_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "hello_from_the_path.py").write_text("print('hello')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert children.run(children.module_command("hello_from_the_path")).stdout == "hello\n"


def test_a_frozen_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    command = children.module_command("libretro_host.worker", 3, "x:Y", quiet=True)
    assert command == [
        sys.executable,
        "--run-module",
        "--quiet",
        "libretro_host.worker",
        "3",
        "x:Y",
    ]


def test_the_main_function_runs_a_module() -> None:
    """As a frozen program does, whose interpreter cannot be given a module."""
    command = [sys.executable, "-P", "-m", "integrator", "--run-module", "--quiet"]
    done = subprocess.run(
        [*command, "libretro_host.systems.identity", "/nowhere/core.so"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert "/nowhere/core.so" in done.stdout
