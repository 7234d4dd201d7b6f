"""A movie format is one registration: a made-up one is read, listed, offered and opened."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import Movie, MovieConsole
from integrator.domain.movies.reading import MOVIE_FORMATS, read_movie
from integrator.session.library.entries import read_movie_folder
from integrator.session.opening import is_game, movie_consoles
from integrator.session.setup.roots import systems
from integrator.ui.shell.files.path_opener import locate_movie
from integrator.ui.shell.main_window import MainWindow


def read_tape(path: Path, systems: Mapping[str, MovieConsole], _: bool) -> Movie:
    return Movie(
        path=path,
        format="tape",
        game="Tape-Nes-v0",
        system="Nes",
        buttons=tuple(systems["Nes"].buttons),
        inputs=np.zeros((5, 1), np.uint16),
        state=None,
        header={},
        has_reset_row=True,
    )


@pytest.fixture
def tape(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setitem(MOVIE_FORMATS, ".tape", read_tape)
    path = tmp_path / "a.TAPE"
    path.write_text("")
    return path


def test_it_is_read_and_listed(tape: Path) -> None:
    consoles = movie_consoles()
    assert read_movie(tape, consoles).frames == 5
    assert [info.frames for info in read_movie_folder(tape.parent, consoles)] == [5]
    with pytest.raises(MovieError, match=r"movies are \.bk2 or \.fm2 or \.tape files"):
        read_movie(tape.with_suffix(".mp4"), consoles)


def test_it_is_offered_and_opened(
    tape: Path, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    filters: list[str] = []

    def ask(_window: object, _title: str, _start: str, offered: str) -> tuple[str, str]:
        filters.append(offered)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", ask)
    for key in ("open_rom", "play_movie"):
        window.actions_by_key[key].setEnabled(True)
        window.actions_by_key[key].trigger()
    assert [" *.tape" in offered for offered in filters] == [True, True]
    assert not is_game(tape)
    assert locate_movie(tape, systems())[0].game == "Tape-Nes-v0"
