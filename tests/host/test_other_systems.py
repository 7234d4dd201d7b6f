"""The C and the wheels of this project on other systems, and the C run where Wine runs it.

``make cross`` installs the compiler; Wine is Debian's package ``wine64``."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Final

import pytest

from libretro_host.processes import windows
from scripts.cross import PLATFORMS, WARNINGS, build_wheel, compiled
from scripts.extensions import EXTENSIONS, Extension

lief = pytest.importorskip("lief", reason="lief is not installed: make cross")
pytest.importorskip("ziglang", reason="ziglang is not installed: make cross")

ROOT: Final = Path(__file__).parents[2]
TOYCORE: Final = ROOT / "cores" / "toycore"
WINDOWS: Final = PLATFORMS["win-amd64"]
TARGETS: Final = (*PLATFORMS.values(), "aarch64-linux-gnu")
WINE: Final = shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")
Drivers = dict[str, list[str | Path]]


def paths(extension: Extension) -> list[Path]:
    return [extension.target.parent / name for name in extension.sources]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("extension", EXTENSIONS, ids=lambda each: each.module.rpartition(".")[2])
def test_the_c_compiles_for_each_system(extension: Extension, target: str, tmp_path: Path) -> None:
    for source in paths(extension):
        # MSVC knows no extensions of GNU's compiler.
        gnu = ("-Wpedantic", "-Wvla") if target == WINDOWS and source.suffix == ".c" else ()
        compiled(target, [source], f"-I{source.parent}", "-c", *WARNINGS, *gnu, folder=tmp_path)


@pytest.fixture(scope="module")
def drivers(tmp_path_factory: pytest.TempPathFactory, toy_cores: Path) -> Drivers:
    """The commands that run the test core through the shim: of this system, and of Windows."""
    shim, folder = paths(EXTENSIONS[0]), tmp_path_factory.mktemp("windows")
    here, include, driver = folder / "driver", f"-I{shim[0].parent}", TOYCORE / "driver.c"
    subprocess.run(["cc", *shim, driver, include, "-ldl", "-lstdc++", "-o", here], check=True)
    shared = ("-fvisibility=default", "-shared", "-o")
    compiled(WINDOWS, shim, *shared, "shim.dll", folder=folder)
    core = ("-fexceptions", include, *shared, "toycore.dll")
    compiled(WINDOWS, [TOYCORE / "toycore.c"], *core, folder=folder)
    compiled(WINDOWS, [driver], include, "shim.lib", "-o", "driver.exe", folder=folder)
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


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that uses Windows' functions with the numbers and structures of windows.py."""
    folder = tmp_path_factory.mktemp("services")
    facts = {
        **{name: getattr(windows, name) for name in ("EXCLUSIVE", "AT_ONCE", "KILL_ON_CLOSE")},
        **{name: getattr(windows, name) for name in ("EXTENDED_LIMITS", "MAY_JOIN")},
        **dict(zip(("OVERLAPPED_WORDS", "OFFSET_AT"), windows.OVERLAPPED, strict=True)),
        **dict(zip(("LIMITS_WORDS", "FLAGS_AT"), windows.JOB_LIMITS, strict=True)),
    }
    defined = [f"-D{name}={value}" for name, value in facts.items()]
    source = Path(__file__).with_name("windows_services.c")
    compiled(WINDOWS, [source], *defined, *WARNINGS, "-o", "services.exe", folder=folder)
    return folder / "services.exe"


@pytest.mark.skipif(WINE is None, reason="Wine is not installed: apt-get install wine64")
def test_windows_locks_files_and_ends_children_with_their_parent(
    services: Path, tmp_path: Path
) -> None:
    assert "services.exe" in str(services)
    done = run([WINE or "wine64", services], "content", tmp_path)
    # The child holds the output open for a minute unless it ends with its parent.
    assert done.stdout.split() == ["locked", "held", "readable", "free", "started"]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_wheel_for_each_system_has_what_it_needs(platform: str, tmp_path: Path) -> None:
    wheel = build_wheel(platform, tmp_path)
    tag = platform.replace("-", "_").replace(".", "_")
    assert wheel.name.endswith(f"-cp311-abi3-{tag}.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "in")
    files = {path.relative_to(tmp_path / "in").as_posix() for path in (tmp_path / "in").rglob("*")}
    [facts] = (tmp_path / "in").glob("*.dist-info/WHEEL")
    assert f"Tag: cp311-abi3-{tag}" in facts.read_text()
    assert "Root-Is-Purelib: false" in facts.read_text()
    assert {"integrator/__init__.py", "libretro_host/shims.py"} <= files
    ending = ".pyd" if platform.startswith("win") else ".abi3.so"
    wanted = {each.module.replace(".", "/") + ending for each in EXTENSIONS}
    assert {name for name in files if name.endswith((".so", ".pyd", ".dll", ".lib"))} == wanted
    for name in wanted:
        init = f"PyInit_{Path(name).name.partition('.')[0]}"
        used, exported = libraries(tmp_path / "in" / name)
        assert init in exported
        if ending == ".pyd":
            assert "python3.dll" in used
            ours = {each for each in used if not each.startswith("api-ms-win-crt-")}
            assert ours == {"python3.dll", "kernel32.dll"}  # the rest is part of Windows 10
        else:
            assert used == {"/usr/lib/libSystem.B.dylib"}


def libraries(extension: Path) -> tuple[set[str], set[str]]:
    """The libraries that a compiled extension loads, and the names that it exports."""
    if extension.suffix == ".pyd":
        windows_file = lief.PE.parse(extension)
        exports = {entry.name for entry in windows_file.get_export().entries}
        return {each.name.lower() for each in windows_file.imports}, exports
    macos_file = lief.MachO.parse(extension).at(0)
    own = extension.name
    loaded = {each.name for each in macos_file.libraries if each.name != own}
    return loaded, {each.name.removeprefix("_") for each in macos_file.exported_symbols}
