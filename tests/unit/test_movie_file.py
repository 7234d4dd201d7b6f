"""A movie's file is there whole or not at all, and a killed program's leftovers go away."""

from __future__ import annotations

import os
import signal
import stat
import sys
import zipfile
from pathlib import Path

import pytest
import warm_children

from integrator.domain.errors import MovieError, SaveError
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.reading import read_movie
from integrator.domain.movies.writer import MovieWriter

DIES = """
import os, signal, sys
from pathlib import Path
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.writer import MovieWriter

writer = MovieWriter(sys.argv[1], game="G", console=MovieConsole(["B"], "Nes"), state=None)
writer.append([[1]] * 600)
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
writer.close()
"""


def write(path: Path) -> None:
    with MovieWriter(path, game="G", console=MovieConsole(["B"], "Nes"), state=None) as writer:
        writer.append([[1]] * 600)


def test_what_a_killed_program_left_is_removed_with_the_next_movie(tmp_path: Path) -> None:
    path = tmp_path / "run.bk2"
    done = warm_children.run([sys.executable, "-c", DIES, path], check=False)
    assert done.returncode == -signal.SIGKILL
    [left] = tmp_path.iterdir()
    assert left != path
    write(tmp_path / "other.bk2")
    assert [one.name for one in tmp_path.iterdir()] == ["other.bk2"]


def test_the_folder_is_synced_after_the_rename(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "run.bk2", list[tuple[bool, bool]]()
    fsync = os.fsync

    def note(handle: int) -> None:
        synced.append((stat.S_ISDIR(os.fstat(handle).st_mode), path.exists()))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", note)
    write(path)
    assert synced == [(False, False), (True, True)]


def test_a_movie_that_can_not_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.bk2"
    path.write_bytes(b"the movie before")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SaveError, match=r"run\.bk2.*free some disk space"):
        write(path)
    assert [one.name for one in tmp_path.iterdir()] == ["run.bk2"]
    assert path.read_bytes() == b"the movie before"


def test_pressed_bits_without_a_button_are_kept(tmp_path: Path) -> None:
    path, buttons = tmp_path / "m.bk2", ["B", None, "SELECT"]
    rows = [[1, 0], [2 | 1 << 15, 4], [0, 6]]
    with MovieWriter(
        path, game="G", console=MovieConsole(buttons, "Nes"), state=None, players=2
    ) as made:
        made.append(rows)
    consoles = {"Nes": MovieConsole(buttons)}
    movie = read_movie(path, consoles)
    assert movie.inputs.tolist() == rows
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for table in (members["Integrator.unnamed"][:-1], b"\xff" * 8):
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in members.items():
                archive.writestr(name, table if name == "Integrator.unnamed" else data)
        with pytest.raises(MovieError, match="unnamed"):
            read_movie(path, consoles)
