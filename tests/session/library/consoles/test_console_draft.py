"""A console of one's own: drafted from a core and a game, saved, and played."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import integrator
from integrator import cli, paths
from integrator.commands.systems import add_console
from integrator.domain.errors import SessionError
from libretro_host.errors import DescriptorError, StateError
from scripts.campaign import toys

pytestmark = pytest.mark.usefixtures("own_home")

DIRECTIONS = [("UP", "UP"), ("DOWN", "DOWN"), ("LEFT", "LEFT"), ("RIGHT", "RIGHT")]


@pytest.fixture(scope="module")
def cores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of cores with the toy that draws with OpenGL, and its info."""
    folder = tmp_path_factory.mktemp("cores")
    toys.build_toycore(folder, name="gltoy")
    (folder / "gltoy_libretro.info").write_text(
        '# a comment\nsystemname = "Toy Box/Color"\nsupported_extensions = "gltoy|g2"\n'
        'hw_render = "true"\nrequired_hw_api = "OpenGL Core >= 3.1"\n'
    )
    return folder


@pytest.fixture(autouse=True)
def _found(cores: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTEGRATOR_CORES", str(cores))


def game(folder: Path, text: str = "width=64\n", name: str = "game.gltoy") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_draft_is_saved_found_and_played(tmp_path: Path) -> None:
    rom = game(tmp_path)
    added = add_console("gltoy", game=rom, name=None, out=None)
    path = paths.user_systems_dir() / "ToyBoxColor.json"
    assert (added["system"], added["path"]) == ("ToyBoxColor", str(path))
    assert added["extensions"] == [".gltoy", ".g2"]
    value = json.loads(path.read_text())
    pad = [entry and (entry["button"], entry["key"]) for entry in value["joypad"]]
    start = ("START", "ENTER")
    assert pad == [("JUMP", "Z"), None, None, start, *DIRECTIONS, ("FIRE-USE", "X"), ("X", "S")]
    assert value["actions"][2] == [[], ["JUMP"], ["FIRE-USE"], ["X"]]
    assert added["remarks"] == [
        "stable-retro does not ship this core, so copy it there with its JSON to train"
    ]
    assert added["tried"] == [
        "59 restored states went on as they were played",
        "a movie of 1441 rows: its replay in a new process went as recorded",
    ]
    with integrator.open_session(rom, isolated=False) as session:
        assert session.system.name == "ToyBoxColor"
        mask = 1 << session.system.buttons.index("FIRE-USE")
        session.record(tmp_path / "fire.bk2")
        session.advance((mask,), frames=3)
        assert session.memory.read(8, "<u2") == mask
        session.stop_recording()
        assert session.game.read_movie(tmp_path / "fire.bk2").inputs[-1, 0] == mask


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ram=0\n", "the core shows no memory"),
        ("state=0\n", "cannot save states, so its games cannot be opened"),
        ("state=2\n", "crashed (SIGSEGV) in serialize(), so its games cannot be opened"),
    ],
)
def test_lacks_of_a_core_are_told(tmp_path: Path, text: str, words: str) -> None:
    added = add_console("gltoy", game=game(tmp_path, text), name="Mine", out=tmp_path / "it.json")
    assert len([remark for remark in added["remarks"] if words in remark]) == 1


def test_a_game_whose_core_crashes_when_it_saves_is_refused_in_words(tmp_path: Path) -> None:
    rom = game(tmp_path)
    add_console("gltoy", game=rom, name=None, out=None)
    rom.write_text("state=2\n")
    with pytest.raises(StateError, match=r"crashed \(SIGSEGV\) in serialize\(\); its games can"):
        integrator.open_session(rom)


def test_an_extension_of_several_consoles_needs_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rom = game(tmp_path, name="game.nes")
    added = add_console("gltoy", game=rom, name="Mine", out=None)
    assert ".nes may be of Nes too: choose with 'integrator new --system'" in added["remarks"]
    with pytest.raises(
        DescriptorError, match=r"rename it.*or choose with .integrator new --system"
    ):
        integrator.open_session(rom, isolated=False)
    with integrator.open_session(rom, isolated=False, system="Mine") as session:
        assert session.system.name == "Mine"
    with pytest.raises(SessionError, match="no system Our; there are"):
        integrator.open_session(rom, system="Our")
    root = tmp_path / "root"
    arguments = ["new", str(rom), "--system", "Mine", "--root", str(root), "--name", "Game"]
    assert cli.run(arguments) == 0
    assert (root / "Game-Mine-v0" / "rom.nes").is_file()
    assert "Game-Mine-v0: made" in capsys.readouterr().out


def test_without_a_game_the_info_tells(
    tmp_path: Path, cores: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "Shared.json"
    core = str(cores / "gltoy_libretro.so")
    assert cli.run(["systems", "add", core, "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert f"{out}: made; Shared plays .gltoy .g2\n- no game was tried" in printed
    assert len(json.loads(out.read_text())["joypad"]) == 16
    assert json.loads(out.read_text())["cores"] == [{"core": "gltoy", "opengl": True}]
    assert cli.run(["systems", "add", core, "--out", str(out)]) == 1
    assert "is there already" in capsys.readouterr().err


def test_a_core_that_reads_lists_of_discs_has_a_drive(tmp_path: Path, cores: Path) -> None:
    core = Path(shutil.copy(cores / "gltoy_libretro.so", tmp_path))
    (tmp_path / "gltoy_libretro.info").write_bytes(
        b'authors = "Jos\xe9"\nsupported_extensions = "cue|m3u"\n'  # not UTF-8
    )
    out = tmp_path / "Discs.json"
    add_console(str(core), game=None, name=None, out=out)
    value = json.loads(out.read_text())
    shipped = json.loads((paths.shipped("cores") / "systems" / "Saturn.json").read_text())
    assert value["axes"] == shipped["axes"]


def test_wrong_names_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="a console Nes already; choose another name"):
        add_console("gltoy", game=None, name="Nes", out=None)
    with pytest.raises(SessionError, match="no core of this name in"):
        add_console("nothing", game=None, name=None, out=None)
    with pytest.raises(SessionError, match="there is no such file"):
        add_console("gltoy", game=tmp_path / "none.gltoy", name=None, out=None)
