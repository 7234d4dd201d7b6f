"""No module is imported before it is needed: told by the loaded modules, never by time."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import integrator
from libretro_host.processes import children

PARSER = {"typer", "pydantic"}
LIBRARIES = {
    *("PySide6", "pyqtgraph", "pygame", "numpy", "av", "cffi", "_cffi_backend", "lupa"),
    *("jsonschema", "rich", "platformdirs", "dask", "distributed", "ray", "pyarrow"),
    *("stable_retro", "gymnasium", "pyglet", "PIL", "pandas", "scipy"),
}
NEVER_UNASKED = {
    *("PySide6", "pyqtgraph", "pygame", "dask", "distributed", "ray", "pyarrow"),
    *("stable_retro", "gymnasium", "pyglet", "av", "rich", "typer"),
}

ENVIRONMENTS = {"auto", "make_env", "make_parallel_env", "make_vec", "contest_env"}

COMMAND = """
import sys
sys.argv[1:] = {arguments}
from integrator.__main__ import main
try:
    main()
except SystemExit as end:
    assert not end.code
"""


def loaded_by(code: str) -> set[str]:
    """Top-level packages that an interpreter has loaded after running ``code``."""
    tell = "\nimport sys, json\nsys.stderr.write(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code + tell],
        capture_output=True, text=True, check=False, env=children.child_environment(),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in json.loads(done.stderr)}


def test_the_package_loads_nothing_by_itself() -> None:
    assert loaded_by("import integrator") & (LIBRARIES | PARSER) == set()


def test_the_version_is_told_without_the_parser_of_the_command_line() -> None:
    assert loaded_by(COMMAND.format(arguments=["--version"])) & (LIBRARIES | PARSER) == set()


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"]])
def test_help_loads_nothing_but_the_parser(arguments: list[str]) -> None:
    assert loaded_by(COMMAND.format(arguments=arguments)) & LIBRARIES == set()


# Each name in a fork of one interpreter, which has loaded no more than a new one would have.
NAMES = """
import integrator, json, os, sys
for name in integrator.__all__:
    if os.fork() == 0:
        getattr(integrator, name)
        line = json.dumps([name, *sys.modules]) + "\\n"
        while line:
            line = line[os.write(1, line.encode()) :]
        os._exit(0)
    assert os.wait()[1] == 0, name
"""


def test_each_public_name_loads_what_it_needs() -> None:
    done = children.run([sys.executable, "-P", "-c", NAMES])
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    loaded = {name: {each.partition(".")[0] for each in modules} for name, *modules in lines}
    assert {name: modules & NEVER_UNASKED for name, modules in loaded.items()} == {
        name: {"gymnasium"} if name in ENVIRONMENTS else set() for name in integrator.__all__
    }


@pytest.mark.parametrize("arguments", [["cores", "--json"], ["new", "--help"]])
def test_a_command_loads_neither_the_window_nor_clusters(arguments: list[str]) -> None:
    loaded = loaded_by(COMMAND.format(arguments=arguments))
    assert loaded & (NEVER_UNASKED - {"rich", "typer"}) == set()


def test_findings_load_no_environments() -> None:
    loaded = loaded_by("import integrator.commands.finding")
    assert loaded & (NEVER_UNASKED - {"rich", "typer"}) == set()


def test_the_window_loads_what_its_first_screen_needs() -> None:
    loaded = loaded_by("import integrator.app, integrator.ui.shell.main_window")
    assert loaded & (NEVER_UNASKED - {"PySide6"}) == set()


def test_public_names_are_there_as_if_they_were_imported() -> None:
    assert set(integrator.__all__) <= set(dir(integrator))
    namespace: dict[str, object] = {}
    exec("from integrator import *", namespace)
    assert set(integrator.__all__) <= set(namespace)
    assert integrator.open_session is namespace["open_session"]
    with pytest.raises(ImportError, match="no_such_name"):
        exec("from integrator import no_such_name")
