"""Core options kept for each game, BIOS files checked, and a console of the user's own."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

import integrator
from integrator import paths
from integrator.domain.errors import SessionError
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.library.consoles.core_rows import core_rows
from integrator.session.session import Session
from integrator.session.setup.plan import OptionSetting
from integrator.session.setup.roots import skipped_systems, systems
from libretro_host.errors import HostError
from libretro_host.systems.discovery import BiosState, check_bios, wheel_core_dir


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


def option(session: Session, key: str) -> OptionSetting:
    return next(one for one in session.game.core_options() if one.option.key == key)


PAD = "picodrive_input1"


def more_buttons(session: Session) -> int:
    """The game's input while Z, which only a pad with six buttons has, is held."""
    session.advance((), 60)
    session.advance((1 << session.system.buttons.index("Z"),), 4)
    return session.memory.read(0x108, ">u2")


def test_an_option_is_kept_for_its_game_only(tmp_path: Path) -> None:
    rom = proof_roms()["32x"].path
    other = tmp_path / "Other.32x"
    shutil.copy(rom, other)
    with integrator.open_session(rom) as session:
        before = option(session, PAD)
        assert (before.training, before.as_in_training) == ("3 button pad", True)
        assert more_buttons(session) == 0
        session.game.set_core_option(PAD, "6 button pad")
        after = option(session, PAD)
        assert (after.option.value, after.as_in_training) == ("6 button pad", False)
        session.recover()
        assert option(session, PAD).option.value == "6 button pad"
    with integrator.open_session(rom) as session:
        assert more_buttons(session) == 1 << 8
        session.game.set_core_option(PAD, None)
        assert option(session, PAD).as_in_training
    with integrator.open_session(other) as session:
        assert more_buttons(session) == 0
    kept = json.loads((paths.user_config_dir() / "core-options.json").read_text())
    assert kept == {"games": {}}


def test_wrong_options_are_refused_and_not_kept() -> None:
    with integrator.open_session(proof_roms()["32x"].path) as session:
        with pytest.raises(HostError, match="cannot be 'nine buttons'"):
            session.game.set_core_option(PAD, "nine buttons")
        with pytest.raises(HostError, match="no option no_such"):
            session.game.set_core_option("no_such", "1")
    assert not (paths.user_config_dir() / "core-options.json").exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"games": {"a": 1}}'])
def test_a_damaged_file_is_named(text: str) -> None:
    path = paths.user_config_dir() / "core-options.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(SessionError, match=r"core-options\.json: .*correct or remove this file"):
        integrator.open_session(proof_roms()["Nes"].path)


def test_bios_files_are_checked_by_name_and_hash(tmp_path: Path) -> None:
    own = systems()["Nes"].bios[0]
    assert own.file == "disksys.rom"
    (check,) = check_bios(systems()["Nes"], tmp_path)
    assert check.state is BiosState.MISSING
    (tmp_path / "disksys.rom").write_bytes(b"wrong")
    (check,) = check_bios(systems()["Nes"], tmp_path)
    assert check.state is BiosState.OTHER
    assert own.md5 in check.text


def user_console(md5: str = "", name: str = "Dendy") -> None:
    """A console of the user's own: one JSON file, made out of the NES's."""
    value = json.loads((paths.shipped("cores") / "systems" / "Nes.json").read_text())
    value |= {"system": name, "title": name, "platform": name}
    value["content"] = {"extensions": [name.lower()]}
    bios = {"file": "dendy.rom", "note": "all games", "required": True, "md5": md5}
    value["bios"] = [bios] if md5 else []
    folder = paths.user_systems_dir()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(value))


def test_a_console_of_the_users_own_needs_one_json_file(tmp_path: Path) -> None:
    user_console()
    rom = tmp_path / "Game (U).dendy"
    shutil.copy(proof_roms()["Nes"].path, rom)
    with integrator.open_session(rom) as session:
        assert session.system.title == "Dendy"
        assert session.integration.name == "Game-Dendy"
        session.advance((), 60)
        session.advance((1 << session.system.buttons.index("A"),), 4)
        assert session.memory.read(0x0302, "<u2") == 10
        session.game.keep_as(tmp_path / "root")
    game = tmp_path / "root" / "Game-Dendy"
    assert (game / "rom.dendy").is_file()
    with integrator.open_session(game) as session:
        assert session.system.name == "Dendy"
    rows = {row["system"]: row for row in core_rows()}
    assert rows["Dendy"]["core"] == "fceumm"
    folder = wheel_core_dir()
    assert folder is not None
    assert rows["Dendy"]["path"] == str(folder / "fceumm_libretro.so")


def test_a_bios_under_another_name_is_found(tmp_path: Path) -> None:
    user_console(hashlib.md5(b"bios", usedforsecurity=False).hexdigest())
    rom = tmp_path / "game.dendy"
    shutil.copy(proof_roms()["Nes"].path, rom)
    with pytest.raises(SessionError, match=r"needs the BIOS file dendy\.rom \(all games\) in"):
        integrator.open_session(rom)
    paths.system_dir().mkdir(parents=True)
    (paths.system_dir() / "Dendy BIOS.bin").write_bytes(b"bios")
    with pytest.raises(SessionError, match=r"Dendy BIOS\.bin is this file; rename it"):
        integrator.open_session(rom)
    (paths.system_dir() / "Dendy BIOS.bin").rename(paths.system_dir() / "dendy.rom")
    with integrator.open_session(rom) as session:
        session.advance((), 2)
    rows = {row["system"]: row for row in core_rows()}
    assert [bios["state"] for bios in rows["Dendy"]["bios"]] == ["right"]


def test_a_console_of_the_users_that_makes_no_sense_is_left_out_and_named() -> None:
    user_console()
    path = paths.user_systems_dir() / "Dendy.json"
    value = json.loads(path.read_text())
    value["memory"]["base"] = "here"
    torn = path.with_name("Torn.json")
    torn.write_text('{"system": ')
    user_console("", "Famiclone")
    path.write_text(json.dumps(value))
    known = systems()
    assert {"Nes", "Famiclone"} <= known.keys()
    assert not {"Dendy", "Torn"} & known.keys()
    faults = skipped_systems()
    assert list(faults) == [path, torn]
    assert faults[path].startswith(f"{path}: $.memory.base: ")
    assert faults[path].endswith("; correct this value")
    assert faults[torn].startswith(f"{torn}: not JSON")
    assert faults[torn].endswith("; correct the file")
