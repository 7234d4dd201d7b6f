"""The library without a window: titles, lint marks, pictures of states."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
import pytest

from integrator import paths
from integrator.session.hidden.clips import PictureStore, photograph, picture_key
from integrator.session.library.entries import (
    LintMark,
    lint_marks,
    readable_title,
    scan_library,
)
from integrator.session.opening import plan_session
from integrator.session.setup.game import POWER_ON
from integrator.session.setup.roots import LibraryRoot, RootKind, systems
from integrator.session.stills import png_bytes

DEMO = paths.shipped("data") / "EmberMoth-Nes-v0"


@pytest.mark.parametrize(
    ("name", "system", "title"),
    [
        ("SuperHangOn-Genesis-v0", "Genesis", "Super Hang On"),
        ("MegaMan2-Nes-v0", "Nes", "Mega Man 2"),
        ("NBAJam-Snes-v0", "Snes", "NBA Jam"),
        ("plain", "", "plain"),
    ],
)
def test_titles_are_told_in_words(name: str, system: str, title: str) -> None:
    assert readable_title(name, system) == title


def test_marks_count_the_errors_of_each_game_until_stopped(tmp_path: Path) -> None:
    game, gone = tmp_path / "Game-Nes-v0", tmp_path / "Gone-Nes-v0"
    game.mkdir()
    (game / "data.json").write_text('{"info": {"score": {"address": 1, "type": "x9"}}}')
    marks = lint_marks([DEMO, gone, game], lambda: False)
    assert marks[DEMO] == LintMark(0, 0)
    assert marks[game].errors > 0
    assert lint_marks([game], lambda: True) == {}


def test_the_shipped_games_are_found() -> None:
    root = LibraryRoot(paths.shipped("data"), RootKind.SHIPPED)
    (entry,) = [e for batch in scan_library([root], systems()) for e in batch]
    assert (entry.name, entry.system, entry.states) == (DEMO.name, "Nes", 2)
    assert entry.rom == DEMO / "rom.nes"
    assert entry.shared


def test_a_screenful_comes_soon_and_hundreds_in_few_batches(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"Game{number:03}-Nes-v0").mkdir()
        (tmp_path / f"Game{number:03}-Nes-v0" / "data.json").write_text("{}")
    sizes = [len(b) for b in scan_library([LibraryRoot(tmp_path, RootKind.MINE)], systems())]
    assert sizes[0] < 100
    assert sum(sizes) == 300
    assert len(sizes) <= 3


def test_states_are_photographed_without_touching_the_game(tmp_path: Path, own_home: Path) -> None:
    assert own_home == tmp_path
    before = sorted(path.name for path in DEMO.iterdir())
    plan = plan_session(DEMO)
    taken = list(photograph(plan.hidden(), [POWER_ON, "Start", "Nothing"], lambda: False))
    assert [name for name, *_ in taken] == [POWER_ON, "Start", "Nothing"]
    assert "no such state" in taken[2][2]
    shown = taken[1][1]
    assert shown is not None
    assert shown.shape == (224, 240, 3)
    store = PictureStore(tmp_path / "pictures")
    key = picture_key(plan.request, b"state")
    assert store.find(key) is None
    assert store.keep(key, shown) == store.find(key)
    assert sorted(path.name for path in DEMO.iterdir()) == before


def test_a_picture_is_written_as_png() -> None:
    picture = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    data = png_bytes(picture)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    start = data.index(b"IDAT") + 4
    rows = np.frombuffer(zlib.decompress(data[start:-16]), np.uint8).reshape(2, 10)
    assert (rows[:, 0] == 0).all()
    assert (rows[:, 1:].reshape(2, 3, 3) == picture).all()
