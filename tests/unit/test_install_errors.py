"""An installation that fails tells the reason and the cure in one line."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def script(name: str, *arguments: object) -> tuple[int, list[str]]:
    """Exit status of a script, and the lines it wrote to standard error."""
    command = [str(SCRIPTS / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.splitlines()


def stand_in(path: Path, body: str) -> Path:
    """A program in place of Python."""
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def hook(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_this_python_will_do() -> None:
    assert script("check-python", sys.executable) == (0, [])


def test_an_old_python_is_refused_in_one_line(tmp_path: Path) -> None:
    old = stand_in(tmp_path / "python", '[ "$1" = --version ] && echo Python 3.9.2')
    status, [line] = script("check-python", old)
    assert status == 1
    assert "needs Python 3.11 or newer" in line
    assert f"{old} is Python 3.9.2; " in line
    assert "make PYTHON=python3." in line


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("NewConnectionError: Failed to establish a new connection", ["no network: pip "]),
        ("      retro-integrator needs a C compiler", ["retro-integrator needs a C compiler"]),
        ("ERROR: one\nERROR: another", ["ERROR: one", "ERROR: another"]),
    ],
)
def test_what_pip_says_is_made_one_line(tmp_path: Path, said: str, told: list[str]) -> None:
    pip = stand_in(tmp_path / "python", f'echo "{said}" >&2; exit 1')
    status, lines = script("install-project", pip, "cores")
    assert status == 1
    assert len(lines) == len(told)
    assert all(line.startswith(start) for line, start in zip(lines, told, strict=True))


def test_the_build_without_a_compiler_ends_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build: Any = hook("hatch_build").ExtensionsBuildHook(
        str(SCRIPTS.parent), {}, None, None, str(tmp_path), "wheel"
    )
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    with pytest.raises(SystemExit, match=r"needs a C compiler.*no-such-compiler; install it"):
        build.initialize("standard", {"artifacts": []})


def test_the_build_with_an_old_python_ends_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module: Any = hook("hatch_metadata")
    checked = module.PythonVersionHook(str(SCRIPTS.parent), {})
    checked.update({})
    monkeypatch.setattr(sys, "version_info", (3, 10, 13))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer"):
        checked.update({})
