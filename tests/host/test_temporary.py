"""Temporary folders of programs that were killed are removed by the next one."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from libretro_host import doubles
from libretro_host.doubles import DoubledHost, code_folder
from libretro_host.errors import HostError
from libretro_host.processes import temporary
from libretro_host.processes.kernel import open_folder
from libretro_host.processes.temporary import OwnedFolder

_OWNER = """
import sys
from pathlib import Path
from libretro_host.processes.temporary import OwnedFolder
folder = OwnedFolder(sys.argv[1])
(folder.path / "icon.svg").write_text("x")
print(folder.path, flush=True)
sys.stdin.readline()
"""


def _owner(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that holds a folder until its input ends, and the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", _OWNER, str(parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_the_next_program_removes_the_folder_of_a_killed_one(tmp_path: Path) -> None:
    killed, left = _owner(tmp_path)
    living, held = _owner(tmp_path)
    with killed:
        killed.kill()
    assert (left / "icon.svg").is_file()
    third, last = _owner(tmp_path)
    assert not left.exists()
    assert (held / "icon.svg").is_file()
    for process, folder in ((living, held), (third, last)):
        process.communicate("\n")
        assert process.returncode == 0
        assert not folder.exists()
    assert not list(tmp_path.iterdir())


def test_the_folder_is_the_value_of_its_block(tmp_path: Path) -> None:
    with OwnedFolder(str(tmp_path)) as folder:
        assert folder.parent == tmp_path
        assert folder.is_dir()
    assert not folder.exists()


def test_a_folder_that_another_program_swept_away_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    def swept_once(path: Path) -> int:
        opened.append(path)
        if len(opened) == 1:
            path.rmdir()
        return open_folder(path)

    monkeypatch.setattr(temporary, "open_folder", swept_once)
    with OwnedFolder(tmp_path) as path:
        assert path.is_dir()
        assert path == opened[-1] != opened[0]


def test_code_is_put_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    room = {tempfile.gettempdir(): 60 << 10, "/var/tmp": 5 << 20}

    def usage(folder: str) -> SimpleNamespace:
        return SimpleNamespace(free=room.get(folder, 1 << 20))

    monkeypatch.setattr(shutil, "disk_usage", usage)
    assert code_folder() == "/var/tmp"
    room[tempfile.gettempdir()] = 1 << 30
    assert code_folder() == tempfile.gettempdir()


def test_a_full_temporary_folder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: object, _: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(source))

    monkeypatch.setattr(shutil, "copy2", full)
    monkeypatch.setattr(doubles, "_UNUSED_SHIMS", [])
    with pytest.raises(HostError) as raised:
        DoubledHost()
    assert str(raised.value).startswith(f"{code_folder()}: a copy of the core cannot be made there")


def test_code_is_put_into_another_folder_when_one_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert Path(code_folder()).is_dir()


def test_a_folder_on_a_file_system_without_locks_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        if len(list(tmp_path.iterdir())) > 3:
            pytest.fail("it makes one folder after the other")
        raise OSError(errno.EBADF, "Bad file descriptor")

    monkeypatch.setattr("fcntl.flock", refuse)
    with OwnedFolder(tmp_path) as folder:
        assert list(tmp_path.iterdir()) == [folder]
    assert not list(tmp_path.iterdir())
