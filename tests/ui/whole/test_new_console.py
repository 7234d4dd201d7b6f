"""A console is one JSON file: the user's own is checked, filmed, drawn and searched as it says."""

import json
import shutil
from pathlib import Path

import pytest

import integrator
from integrator import paths
from integrator.commands.shared.options import demo_game
from integrator.domain.integration.directory import load_integration
from integrator.domain.lint.lint import lint
from integrator.domain.movies.reading import read_movie
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.library.checks.checking import lint_options
from integrator.session.library.entries import scan_library
from integrator.session.opening import movie_consoles
from integrator.session.setup.roots import LibraryRoot, RootKind, systems
from integrator.ui.library.library_view import LibraryTileDelegate
from integrator.ui.play.pads.pad_view import pad_layout

GAME = "EmberMoth-Ours-v0"


@pytest.fixture
def game(own_home: Path) -> Path:
    """The demo game on a console that no module knows: a NES with a trigger, and no RAM beyond."""
    console = json.loads((paths.shipped("cores") / "systems" / "Nes.json").read_text())
    console |= {"system": "Ours", "title": "Our console", "platform": "OUR", "bizhawk": "BO"}
    console |= {"hue": 77, "content": {"extensions": ["nes"]}}
    console["joypad"][1] = {"button": "TRIGGER", "key": "T", "movie": "t"}
    console["memory"] |= {"floats": True}
    console["memory"]["work_ram"] = {"address": "0x0", "bytes": 16, "all": True}
    paths.user_systems_dir().mkdir(parents=True)
    (paths.user_systems_dir() / "Ours.json").write_text(json.dumps(console))
    return Path(shutil.copytree(demo_game(), own_home / "games" / GAME))


def test_lint_knows_its_memory(game: Path) -> None:
    findings = lint(load_integration(game), lint_options())
    outside = [f.message for f in findings if f.code == "variable-outside-memory"]
    assert "0x306 is no memory of Ours, which has 0x0 to 0xF" in outside


def test_its_movies_have_its_keys_and_its_name(game: Path, tmp_path: Path) -> None:
    with integrator.open_session(game, isolated=False) as session:
        assert GameSnapshot.of(session.game, game, session.last).system.floats
        session.reset()
        session.record(tmp_path / "a.bk2")
        session.advance((0b10,), frames=3)
        session.stop_recording()
        movie = session.game.read_movie(tmp_path / "a.bk2")
    assert (movie.header["Platform"], movie.system) == ("OUR", "Ours")
    assert movie.inputs[-3:, 0].tolist() == [2, 2, 2]
    assert movie_consoles()["Ours"].bits[1] == "t"
    assert read_movie(tmp_path / "a.bk2", movie_consoles()).game == GAME


def test_its_tile_and_its_pad_are_drawn(game: Path) -> None:
    [[entry]] = scan_library([LibraryRoot(game.parent, RootKind.MINE)], systems())
    assert (entry.system_title, entry.hue) == ("Our console", 77)
    assert LibraryTileDelegate.hue_of(entry) == 77
    assert "TRIGGER" in {button.name for button in pad_layout(systems()["Ours"].buttons)}
