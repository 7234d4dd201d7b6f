"""The C of this project on other systems: compiled without a warning, and run where Wine runs it.

``make cross`` installs the compiler; Wine is Debian's package ``wine64``.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from scripts.extensions import EXTENSIONS, Extension

ROOT: Final = Path(__file__).parents[2]
TOYCORE: Final = ROOT / "cores" / "toycore"
WINDOWS: Final = "x86_64-windows-gnu"
TARGETS: Final = (WINDOWS, "x86_64-macos", "aarch64-macos", "aarch64-linux-gnu")
STRICT: Final = ("-O2", "-Wall", "-Wextra", "-Werror", "-fPIC")
WINE: Final = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
Drivers = dict[str, list[str | Path]]

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="ziglang is not installed: make cross"
)


def zig(folder: Path, target: str, sources: list[Path], *options: str | Path) -> None:
    """Compile C and C++ for another system, into a folder."""
    command = [sys.executable, "-m", "ziglang", "c++", "-target", target, *STRICT]
    for source in sources:
        command += ["-x", "c++" if source.suffix == ".cpp" else "c", str(source)]
    command += ["-x", "none", *map(str, options)]
    # The compiler compiles the libraries of each system once, which takes minutes.
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(ROOT / "build" / "cross")}
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=folder, check=False
    )
    assert not done.returncode, done.stderr


def paths(extension: Extension) -> list[Path]:
    return [extension.target.parent / name for name in extension.sources]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("extension", EXTENSIONS, ids=lambda each: each.module.rpartition(".")[2])
def test_the_c_compiles_for_each_system(extension: Extension, target: str, tmp_path: Path) -> None:
    for source in paths(extension):
        zig(tmp_path, target, [source], f"-I{source.parent}", "-c")


@pytest.fixture(scope="module")
def drivers(tmp_path_factory: pytest.TempPathFactory, toy_cores: Path) -> Drivers:
    """The commands that run the test core through the shim: of this system, and of Windows."""
    shim, folder = paths(EXTENSIONS[0]), tmp_path_factory.mktemp("windows")
    here, include, driver = folder / "driver", f"-I{shim[0].parent}", TOYCORE / "driver.c"
    subprocess.run(["cc", *shim, driver, include, "-ldl", "-lstdc++", "-o", here], check=True)
    zig(folder, WINDOWS, shim, "-shared", "-o", "shim.dll")
    core = ("-Wno-extra", "-fexceptions", "-shared", include, "-o", "toycore.dll")
    zig(folder, WINDOWS, [TOYCORE / "toycore.c"], *core)
    zig(folder, WINDOWS, [driver], include, "shim.lib", "-o", "driver.exe")
    return {
        "here": [here, toy_cores / "toycore_libretro.so"],
        "windows": [WINE or "wine64", folder / "driver.exe", folder / "toycore.dll"],
    }


def run(command: list[str | Path], content: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A driver's answer to a content."""
    (folder / "game.toy").write_text(content)
    environment = {**os.environ, "WINEPREFIX": str(folder.parent / "wine"), "WINEDEBUG": "-all"}
    # Wine's debugger would print the registers of a program that crashed.
    environment["WINEDLLOVERRIDES"] = "winedbg.exe=d"
    whole = [*command, "game.toy"]
    return subprocess.run(
        whole, capture_output=True, text=True, cwd=folder, env=environment, check=False
    )


@pytest.mark.skipif(WINE is None, reason="Wine is not installed: apt-get install wine64")
@pytest.mark.parametrize(
    "content", ["seed=1", "seed=7\nmemory=maps\nformat=xrgb8888", "axes=1\nstate_grow=7\nrotate=1"]
)
def test_windows_gets_the_numbers_that_linux_gets(
    content: str, drivers: Drivers, tmp_path: Path
) -> None:
    here, there = (run(command, content, tmp_path) for command in drivers.values())
    assert "on again: 0" in here.stdout
    assert there.stdout.splitlines() == here.stdout.splitlines()
    assert (here.returncode, there.returncode) == (0, 0)


@pytest.mark.skipif(WINE is None, reason="Wine is not installed: apt-get install wine64")
def test_a_core_that_throws_on_windows_is_an_error_and_one_that_crashes_ends_its_process(
    drivers: Drivers, tmp_path: Path
) -> None:
    threw = run(drivers["windows"], "throws=thing", tmp_path)
    assert "run: 11 no text came with it" in threw.stdout
    assert threw.returncode == 1
    crashed = run(drivers["windows"], "crash_at=30", tmp_path)
    assert "load: 0" in crashed.stdout
    assert "run:" not in crashed.stdout
    assert crashed.returncode not in (0, 1)
