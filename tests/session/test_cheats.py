"""Cheats: kept with the integration, held only when switched on, and never in a movie."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import undoing

import integrator
from integrator import paths
from integrator.domain.errors import MovieError
from integrator.domain.integration.json_files import CheatsDocument, CheatSpec
from integrator.domain.values.memory import DataType
from integrator.session.frame.result import RecordingStopped
from integrator.session.session import Session

TIME = 0x304
_BYTE = DataType.parse("|u1")


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A copy of the demo game's integration."""
    source = paths.shipped("data") / "EmberMoth-Nes-v0"
    return Path(shutil.copytree(source, tmp_path / "EmberMoth-Nes-v0"))


@pytest.fixture
def game(demo: Path) -> Iterator[Session]:
    """The demo game at the start of an episode."""
    with integrator.open_session(demo, isolated=False) as session:
        session.reset()
        yield session


def test_a_cheat_holds_a_variable_only_while_it_is_on(game: Session) -> None:
    before = game.advance().values["time"]
    game.integration.cheats.put(None, CheatSpec("Clock", 42, variable="time"))
    game.game.apply_documents()
    assert game.advance(frames=120).values["time"] < before
    game.cheats.switch(on=True)
    values = {game.advance().values["time"] for _ in range(120)}
    assert values == {42}
    assert [row.held for row in game.cheats.held().rows] == [True]
    game.cheats.switch(on=False)
    assert game.advance(frames=120).values["time"] < 42
    assert not game.memory.frozen


def test_cheats_are_saved_beside_the_other_documents(game: Session, demo: Path) -> None:
    assert not (demo / "cheats.json").exists()
    game.integration.cheats.put(None, CheatSpec("Clock", 42, variable="time"))
    spec = CheatSpec("Byte", 3, enabled=False, address=TIME, type="|u1")
    game.integration.cheats.put(None, spec)
    assert game.integration.modified
    game.integration.save()
    kept = json.loads((demo / "cheats.json").read_text())["cheats"]
    assert kept[0] == {"name": "Clock", "variable": "time", "value": 42, "enabled": True}
    again = integrator.load_integration(demo)
    assert again.cheats.cheats == game.integration.cheats.cheats
    assert "cheats" not in again.scenarios
    assert not undoing.undo(again.history)


def test_a_changed_cheat_is_held_at_once_and_a_removed_one_let_go(game: Session) -> None:
    game.integration.cheats.put(None, CheatSpec("Clock", 42, variable="time"))
    game.cheats.switch(on=True)
    game.integration.cheats.put(0, CheatSpec("Clock", 17, variable="time"))
    game.game.apply_documents()
    assert game.advance().values["time"] == 17
    undoing.undo(game.integration.cheats.history)
    game.game.apply_documents()
    assert game.advance().values["time"] == 42
    game.integration.cheats.remove(0)
    game.game.apply_documents()
    assert not game.memory.frozen


def test_a_cheat_without_its_place_says_so_and_holds_nothing(game: Session) -> None:
    game.integration.cheats.put(None, CheatSpec("Gone", 1, variable="nothing"))
    game.integration.cheats.put(None, CheatSpec("Far", 1, address=0xFFFF_FFFF, type="|u1"))
    game.integration.cheats.put(None, CheatSpec("Large", 999, address=TIME, type="|u1"))
    game.cheats.switch(on=True)
    assert all(row.problem and not row.held for row in game.cheats.held().rows)
    assert not game.memory.frozen


def test_only_the_bits_of_the_mask_are_held(game: Session) -> None:
    game.memory.write(TIME, _BYTE, 0b1010_0000)
    game.memory.freeze(TIME, _BYTE, 0b0000_0101, mask=0b0000_1111)
    assert game.memory.read(TIME, _BYTE) == 0b1010_0101


def test_no_movie_is_recorded_with_values_held(game: Session, tmp_path: Path) -> None:
    game.cheats.freeze(TIME, _BYTE, 9)
    with pytest.raises(MovieError, match="0x304: held by a cheat or frozen"):
        game.record(tmp_path / "run.bk2")
    game.cheats.thaw(TIME, _BYTE)
    game.record(tmp_path / "run.bk2")
    with pytest.raises(MovieError, match="stop recording first"):
        game.cheats.freeze(TIME, _BYTE, 9)
    with pytest.raises(MovieError, match="stop recording first"):
        game.cheats.switch(on=True)
    game.advance(frames=10)
    # A script that freezes by the memory itself ends the movie where it was still true.
    game.memory.freeze(TIME, _BYTE, 9)
    game.advance(frames=10)
    assert game.movies.recording is None
    assert [e for e in game.take_events() if isinstance(e, RecordingStopped)]
    game.memory.thaw(TIME, _BYTE)
    game.play(tmp_path / "run.bk2")


def test_entries_of_others_survive_an_edit(tmp_path: Path) -> None:
    path = tmp_path / "cheats.json"
    text = '{"note": "mine", "cheats": ["odd", {"variable": "a", "value": 1, "by": "me"}]}'
    path.write_text(text)
    document = CheatsDocument.load(path)
    assert document.cheats == (None, CheatSpec("a", 1, variable="a"))
    document.put(1, CheatSpec("a", 2, enabled=False, address=4, type="|u1"))
    value = json.loads(document.text)
    assert value["note"] == "mine"
    assert value["cheats"][0] == "odd"
    expected = {"name": "a", "address": 4, "type": "|u1", "value": 2, "enabled": False}
    assert value["cheats"][1] == {"by": "me", **expected}


def test_a_damaged_file_is_a_finding_and_the_game_opens(demo: Path) -> None:
    (demo / "cheats.json").write_text("{")
    loaded = integrator.load_integration(demo)
    assert loaded.cheats.cheats == ()
    assert any(f.file.name == "cheats.json" for f in loaded.findings)
