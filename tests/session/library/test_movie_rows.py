"""A folder of movies as rows: nested ones with their place, and bounds against whole disks."""

from __future__ import annotations

from pathlib import Path

import pytest

from integrator.domain.errors import MovieError
from integrator.session.library import entries
from integrator.session.library.entries import read_movie_folder


def put(folder: Path, *names: str) -> None:
    """Files with a movie's suffix; unreadable ones are listed, too."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"no movie")


def places(folder: Path) -> list[tuple[str, str]]:
    return [(each.place, each.path.name) for each in read_movie_folder(folder, {})]


def test_movies_come_by_folder_and_name(tmp_path: Path) -> None:
    put(tmp_path, "z.bk2", "random/Start/b.bk2", "random/Start/a.bk2", "brute/a.bk2", "brute/n.txt")
    assert places(tmp_path) == [
        (".", "z.bk2"),
        ("brute", "a.bk2"),
        ("random/Start", "a.bk2"),
        ("random/Start", "b.bk2"),
    ]


def test_hidden_folders_links_and_deep_ones_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path, ".git/a.bk2", "1/a.bk2", "1/2/3/4/deep.bk2", "1/2/3/4/5/deeper.bk2")
    (tmp_path / "1" / "up").symlink_to(tmp_path, target_is_directory=True)
    assert places(tmp_path) == [("1", "a.bk2"), ("1/2/3/4", "deep.bk2")]


def test_only_so_many_folders_are_looked_into(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MAX_FOLDERS", 3)
    put(tmp_path, "a/x.bk2", "b/x.bk2", "c/x.bk2", "c/d/x.bk2")
    assert places(tmp_path) == [("a", "x.bk2"), ("b", "x.bk2")]


def test_a_recorded_movie_that_lies_elsewhere_comes_last(tmp_path: Path) -> None:
    put(tmp_path, "here/a.bk2", "there/b.bk2")
    here, there = tmp_path / "here", tmp_path / "there"
    rows = read_movie_folder(here, {}, (here / "a.bk2", there / "b.bk2", there / "gone.bk2"))
    assert [row.path for row in rows] == [here / "a.bk2", there / "b.bk2"]


def test_a_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(MovieError, match="gone: the folder cannot be read"):
        read_movie_folder(tmp_path / "gone", {})
