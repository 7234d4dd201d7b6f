"""Finding cores: search order, reasons, and messages that name the cure."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from libretro_host.errors import CoreNotFoundError
from libretro_host.systems import discovery
from libretro_host.systems.descriptor import BiosFile, SystemDescriptor
from libretro_host.systems.discovery import (
    core_places,
    find_core,
    list_cores,
    wheel_core_dir,
)

SYSTEM = SystemDescriptor(
    name="Own",
    title="My own console",
    extensions=("own",),
    aliases=(),
    cores=("testcore_best", "testcore_good"),
    buttons=("A",),
    keys=("Z",),
    actions=(),
    types=(),
    bios=(BiosFile("own.bin", required=True),),
    packages={"testcore_good": "libretro-testcore"},
)


@pytest.fixture(autouse=True)
def linux_without_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """No core of this machine can be found by accident, and file names are those of Linux."""
    without = [entry for entry in sys.path if not Path(entry, "stable_retro").exists()]
    monkeypatch.setattr(sys, "path", without)
    monkeypatch.delitem(sys.modules, "stable_retro", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(discovery, "_LIBRARY_SUFFIX", ".so")


def put(folder: Path, core: str = "testcore_good") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{core}_libretro.so"
    path.touch()
    return path


def put_wheel(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that can be found, but must not be imported."""
    core = put(folder / "stable_retro" / "cores")
    (folder / "stable_retro" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    return core


def test_places_are_searched_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {
        "HOME": str(tmp_path / "home"),
        "INTEGRATOR_CORES": os.pathsep.join([str(tmp_path / "one"), str(tmp_path / "two")]),
    }
    retroarch = put(tmp_path / "home" / ".config" / "retroarch" / "cores")
    found = find_core(SYSTEM, core_places([], environment))
    assert (found.path, found.core) == (retroarch, "testcore_good")
    assert "RetroArch" in found.reason

    wheel = put_wheel(tmp_path / "site", monkeypatch)
    assert find_core(SYSTEM, core_places([], environment)).path == wheel

    two = put(tmp_path / "two")
    assert find_core(SYSTEM, core_places([], environment)).path == two
    mine = put(tmp_path / "mine")
    found = find_core(SYSTEM, core_places([tmp_path / "mine"], environment))
    assert found.path == mine

    named = put(tmp_path / "elsewhere", "anything")
    found = find_core(SYSTEM, core_places([], environment), named)
    assert (found.path, found.core, found.reason) == (named, "anything", "named by the user")


def test_within_a_folder_the_preferred_core_wins(tmp_path: Path) -> None:
    put(tmp_path)
    best = put(tmp_path, "testcore_best")
    assert find_core(SYSTEM, [], tmp_path).path == best


def test_the_wheel_is_found_without_importing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = put_wheel(tmp_path, monkeypatch)
    assert wheel_core_dir() == core.parent
    assert "stable_retro" not in sys.modules


@pytest.mark.parametrize(
    "folder",
    [
        ".var/app/org.libretro.RetroArch/config/retroarch/cores",
        "snap/retroarch/current/.config/retroarch/cores",
    ],
)
def test_packaged_retroarchs_are_searched(tmp_path: Path, folder: str) -> None:
    core = put(tmp_path / folder)
    assert find_core(SYSTEM, core_places([], {"HOME": str(tmp_path)})).path == core


def test_other_platforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mac = put(tmp_path / "Library" / "Application Support" / "RetroArch" / "cores")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert find_core(SYSTEM, core_places([], {"HOME": str(tmp_path)})).path == mac
    windows = put(tmp_path / "RetroArch" / "cores")
    monkeypatch.setattr(sys, "platform", "win32")
    assert find_core(SYSTEM, core_places([], {"APPDATA": str(tmp_path)})).path == windows


def test_no_core_says_what_where_and_the_cure(tmp_path: Path) -> None:
    with pytest.raises(CoreNotFoundError) as info:
        find_core(SYSTEM, core_places([tmp_path], {"HOME": "/nobody"}))
    message = str(info.value)
    assert "no core for Own (My own console)" in message
    assert "testcore_best_libretro.so testcore_good_libretro.so" in message
    assert str(tmp_path) in message
    assert "/nobody/.config/retroarch/cores" in message
    assert "/usr/lib/libretro" in message
    assert 'pip install "retro-integrator[cores]"' in message
    assert "the Debian package libretro-testcore" in message
    assert "\n" not in message


def test_a_core_that_the_package_lacks_is_not_to_be_installed_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_wheel(tmp_path, monkeypatch).unlink()
    with pytest.raises(CoreNotFoundError, match="get one from RetroArch's list of cores, or"):
        find_core(SYSTEM, core_places([], {}))


def test_a_named_core_that_is_not_there_is_not_replaced(tmp_path: Path) -> None:
    put(tmp_path)
    with pytest.raises(CoreNotFoundError, match=r"nothing\.so: no such core"):
        find_core(SYSTEM, core_places([tmp_path], {}), tmp_path / "nothing.so")


def test_the_list_has_choices_problems_and_missing_bios(tmp_path: Path) -> None:
    (row,) = list_cores([SYSTEM], core_places([], {}))
    assert row.choice is None
    assert "no core for Own" in row.problem
    assert [bios.file for bios in row.missing_bios] == ["own.bin"]
    core = put(tmp_path)
    (tmp_path / "own.bin").touch()
    (row,) = list_cores([SYSTEM], core_places([tmp_path], {}), tmp_path)
    assert row.choice is not None
    assert (row.choice.path, row.problem, row.missing_bios) == (core, "", ())
