"""System descriptors: the shipped ones, a user's own, malformed ones, and telling systems apart."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from libretro_host.errors import DescriptorError
from libretro_host.systems.descriptor import (
    DEFAULT_TYPES,
    SystemDescriptor,
    load_descriptors,
    missing_bios,
    system_for,
    system_from_directory_name,
)

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = ROOT / "cores" / "systems"
SCHEMA = ROOT / "resources" / "schemas" / "system.schema.json"


@pytest.fixture(scope="module")
def systems() -> Mapping[str, SystemDescriptor]:
    return load_descriptors(SYSTEMS, schema=SCHEMA)


def own_system(folder: Path, **changes: Any) -> Path:
    value: dict[str, Any] = {
        "system": "Own",
        "title": "My own console",
        "content": {"extensions": ["own"]},
        "joypad": [{"button": "A", "key": "Z"}, None, {"button": "UP"}],
        "actions": [[[], ["A"]], [[], ["UP"]]],
        "memory": {"base": "0x100"},
        "cores": [{"core": "owncore"}],
    }
    value.update(changes)
    path = folder / "Own.json"
    path.write_text(json.dumps({k: v for k, v in value.items() if v is not None}))
    return path


def test_all_systems_load(systems: Mapping[str, SystemDescriptor]) -> None:
    assert set(systems) == {path.stem for path in SYSTEMS.glob("*.json")}
    genesis = systems["Genesis"]
    assert genesis.buttons[0] == "B"
    assert genesis.rambase == 0xFF0000
    assert genesis.overlay == ("=", ">", 2)
    assert genesis.platform == "GEN"
    assert systems["Sms"].platform == "Sms"
    assert systems["Nes"].types == DEFAULT_TYPES


def test_a_shipped_descriptor_is_read_again_only_when_its_file_has_changed(tmp_path: Path) -> None:
    path = own_system(tmp_path)

    def load() -> SystemDescriptor:
        return load_descriptors(tmp_path, schema=SCHEMA, shipped=tmp_path)["Own"]

    first = load()
    assert load() is first
    own_system(tmp_path, title="Another title")
    os.utime(path, ns=(0, 0))
    assert load().title == "Another title"


@pytest.mark.parametrize("name", ["Genesis", "Sms", "GameGear", "SCD"])
def test_genesis_plus_gx_gets_what_keeps_it_from_crashing(
    systems: Mapping[str, SystemDescriptor], name: str
) -> None:
    options = systems[name].options["genesis_plus_gx"]
    assert options["genesis_plus_gx_addr_error"] == "disabled"
    assert options["genesis_plus_gx_bram"] == "per game"


def test_a_later_folder_replaces_a_system(
    tmp_path: Path, systems: Mapping[str, SystemDescriptor]
) -> None:
    changed = json.loads((SYSTEMS / "Nes.json").read_text())
    changed["cores"] = [{"core": "mesen"}]
    (tmp_path / "Nes.json").write_text(json.dumps(changed))
    own_system(tmp_path)
    both = load_descriptors(SYSTEMS, tmp_path, tmp_path / "missing", schema=SCHEMA)
    assert both["Nes"].cores == ("mesen",)
    assert both["Own"].keys == ("Z", None, None)
    assert set(both) == {*systems, "Own"}


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"title": None}, r"Own.json: \$: 'title' is a required property"),
        ({"color": 1}, r"\$: .*'color' was unexpected"),
        ({"memory": {"base": 256}}, r"\$\.memory\.base: 256 is not of type 'string'"),
        ({"memory": {"base": "0x0", "types": [">q2"]}}, r"\$\.memory\.types\[0\]: '>q2'"),
        ({"content": {"extensions": [".OWN"]}}, r"\$\.content\.extensions\[0\]"),
        ({"actions": [[["FIRE"]]]}, r"\$\.actions\[0\]\[0\]: 'FIRE' is not in .*use one of A UP"),
        ({"joypad": [{"button": "A"}] * 2, "actions": []}, r"\$\.joypad\[0\]\.button: 'A' is .*"),
        ({"system": "Other"}, r"\$\.system: is 'Other'; rename the file to Other.json"),
    ],
)
def test_errors_name_file_place_and_cure(
    tmp_path: Path, changes: dict[str, Any], where: str
) -> None:
    own_system(tmp_path, **changes)
    with pytest.raises(DescriptorError, match=where):
        load_descriptors(tmp_path, schema=SCHEMA)


def test_a_file_that_is_no_json(tmp_path: Path) -> None:
    (tmp_path / "Bad.json").write_text("{")
    with pytest.raises(DescriptorError, match=r"Bad\.json: not JSON.*line 1"):
        load_descriptors(tmp_path, schema=SCHEMA)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("game.md", "Genesis"), ("Game.GEN", "Genesis"), ("game.smd", "Genesis"),
        ("game.nes", "Nes"), ("disk.fds", "Nes"), ("game.smc", "Snes"), ("game.gbc", "GbColor"),
        ("set.zip", "FBNeo"), ("game.z64", "N64"),
        ("disc.chd2", "Dreamcast"), ("disc.cdi", "Dreamcast"), ("disc.gdi", "Dreamcast"),
        ("homebrew.elf", "Dreamcast"),
    ],
)  # fmt: skip
def test_extensions_and_aliases_name_the_system(
    systems: Mapping[str, SystemDescriptor], file: str, name: str
) -> None:
    assert system_for(Path(file), systems).name == name


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (bytes(256) + b"SEGA MEGA DRIVE ", "Genesis"),
        (bytes(256) + b"SEGA 32X        ", "32x"),
        (bytes.fromhex("80371240"), "N64"),
    ],
)
def test_a_bin_file_is_told_by_its_header(
    systems: Mapping[str, SystemDescriptor], tmp_path: Path, header: bytes, name: str
) -> None:
    rom = tmp_path / "rom.bin"
    rom.write_bytes(header + bytes(1000))
    assert system_for(rom, systems).name == name


@pytest.mark.parametrize(
    ("version", "place", "tag", "name"),
    [
        (5, 48, b"CHGD", "Dreamcast"),
        (4, 36, b"CHGT", "Dreamcast"),
        (5, 48, b"CHT2", "Saturn"),
        (3, 36, b"CHTR", "Saturn"),
    ],
)
def test_a_chd_is_told_by_the_tag_of_its_first_track(
    systems: Mapping[str, SystemDescriptor], tmp_path: Path,
    version: int, place: int, tag: bytes, name: str,
) -> None:  # fmt: skip
    disc = tmp_path / "disc.chd"
    head = bytearray(b"MComprHD".ljust(124, b"\0"))
    head[12:16] = version.to_bytes(4)
    head[place : place + 8] = (9000).to_bytes(8)
    disc.write_bytes(head.ljust(9000, b"\0") + tag)
    assert system_for(disc, systems).name == name
    disc.write_bytes(head)
    with pytest.raises(DescriptorError, match="can be several systems"):
        system_for(disc, systems)


def test_a_game_keeps_its_extension_where_training_knows_it(
    systems: Mapping[str, SystemDescriptor],
) -> None:
    names = {file: systems["Dreamcast"].extension_of(Path(file)) for file in ("a.CDI", "a.chd")}
    assert names == {"a.CDI": "cdi", "a.chd": "chd2"}


def test_a_list_of_discs_is_told_by_its_first_disc(
    systems: Mapping[str, SystemDescriptor], tmp_path: Path
) -> None:
    playlist = tmp_path / "game.m3u"
    playlist.write_text("# the discs\n\none.cdi\ntwo.cdi\n")
    assert system_for(playlist, systems).name == "Dreamcast"
    (tmp_path / "track.bin").write_bytes(bytes(16) + b"SEGA SEGASATURN ")
    (tmp_path / "one.cue").write_text('FILE "track.bin" BINARY\n')
    playlist.write_text("one.cue\n")
    assert system_for(playlist, systems).name == "Saturn"
    for names in ("", "game.m3u\n"):
        playlist.write_text(names)
        with pytest.raises(DescriptorError, match="can be several systems"):
            system_for(playlist, systems)


def test_a_cue_sheet_is_told_by_its_first_track(
    systems: Mapping[str, SystemDescriptor], tmp_path: Path
) -> None:
    track = tmp_path / "Track 1.bin"
    track.write_bytes(bytes(16) + b"SEGADISCSYSTEM  ")
    cue = tmp_path / "disc.cue"
    cue.write_text('FILE "Track 1.bin" BINARY\n  TRACK 01 MODE1/2352\n')
    assert system_for(cue, systems).name == "SCD"
    track.write_bytes(bytes(16) + b"SEGA SEGASATURN ")
    assert system_for(cue, systems).name == "Saturn"
    track.unlink()
    with pytest.raises(DescriptorError, match=r"Track 1\.bin: cannot be read"):
        system_for(cue, systems)


def test_a_bin_file_that_does_not_tell_asks_for_a_name(
    systems: Mapping[str, SystemDescriptor], tmp_path: Path
) -> None:
    rom = tmp_path / "rom.bin"
    rom.write_bytes(bytes(4096))
    with pytest.raises(DescriptorError, match=r"rename it: .*\.a26 for Atari2600, \.gba for GbA"):
        system_for(rom, systems)


@pytest.mark.parametrize("file", ["readme.txt", "rom"])
def test_an_unknown_extension_lists_the_known_ones(
    systems: Mapping[str, SystemDescriptor], file: str
) -> None:
    with pytest.raises(DescriptorError, match=r"no system uses .*: \.32x \.a26 .* \.sfc"):
        system_for(Path(file), systems)


@pytest.mark.parametrize(
    ("directory", "name"),
    [
        ("Airstriker-Genesis-v0", "Genesis"), ("Airstriker-Genesis", "Genesis"),
        ("MortalKombat2-Arcade-v0", "FBNeo"), ("Game-32x-v12", "32x"),
        ("Game-FBNeo-v0", "FBNeo"), ("Notes", None), ("Game-Amiga-v0", None),
    ],
)  # fmt: skip
def test_directory_names_end_with_the_system(
    systems: Mapping[str, SystemDescriptor], directory: str, name: str | None
) -> None:
    found = system_from_directory_name(directory, systems)
    assert (found and found.name) == name


def test_bios_files_one_of_which_is_needed(
    systems: Mapping[str, SystemDescriptor], tmp_path: Path
) -> None:
    saturn = systems["Saturn"]
    assert [bios.file for bios in missing_bios(saturn, None)] == ["mpr-17933.bin", "sega_101.bin"]
    assert missing_bios(saturn, tmp_path)
    (tmp_path / "sega_101.bin").touch()
    assert not missing_bios(saturn, tmp_path)
    assert not missing_bios(systems["GbAdvance"], None)


def test_load_requests_carry_what_training_uses(
    systems: Mapping[str, SystemDescriptor],
) -> None:
    stella = systems["Atari2600"].load_request("stella", Path("s.so"), Path("rom.a26"))
    assert stella.reload_on_restore
    assert stella.rambase == 0x80
    n64 = systems["N64"].load_request(
        "parallel_n64", Path("n.so"), Path("rom.n64"), options={"mine": "1"}
    )
    assert n64.options == {
        "parallel-n64-gfxplugin": "angrylion",
        "parallel-n64-angrylion-multithread": "1",
        "mine": "1",
    }
