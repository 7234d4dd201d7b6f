"""Games in zips, in other byte orders and with headers open like the plain ROM."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import integrator
from integrator.domain.errors import SessionError
from integrator.domain.files.reading import deinterleave_smd, rom_sha1
from integrator.domain.roms.header import plain_rom, spellings
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import systems
from integrator.session.setup.content import Content, prepare_content


def rom(system: str) -> Path:
    return proof_roms()[system].path


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), data)
    return path


def smd(plain: bytes) -> bytes:
    """A dump as the Super Magic Drive writes it: a header, then odd and even bytes by 16 KiB."""
    blocks = [plain[start : start + 0x4000] for start in range(0, len(plain), 0x4000)]
    return bytes(512) + b"".join(block[1::2] + block[::2] for block in blocks)


def prepared(path: Path, folder: Path) -> Content:
    return prepare_content(path, systems(), folder / "cache")


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))


@pytest.mark.parametrize("system", ["Sms", "Nes", "GbAdvance", "PCEngine"])
def test_a_zip_with_one_rom_opens_as_that_rom(system: str, tmp_path: Path) -> None:
    plain = rom(system)
    member = f"sub__My Game{plain.suffix.replace('.', '_')}"
    path = zipped(
        tmp_path / "a.zip", **{member: plain.read_bytes(), "readme_md": b"#", "x_txt": b"x"}
    )
    with integrator.open_session(plain) as direct, integrator.open_session(path) as session:
        assert session.system.name == system
        assert session.integration.name.startswith("MyGame-")
        session.advance((), 60)
        direct.advance((), 60)
        np.testing.assert_array_equal(session.memory.ram, direct.memory.ram)
    content = prepared(path, tmp_path)
    assert content.remark == f"My Game{plain.suffix} out of a.zip"
    assert rom_sha1(content.path) == rom_sha1(plain)


def test_an_smd_dump_runs_like_the_plain_one(tmp_path: Path) -> None:
    plain = rom("Genesis").read_bytes()
    path = tmp_path / "Game.smd"
    path.write_bytes(smd(plain))
    assert deinterleave_smd(path.read_bytes()) == plain
    with integrator.open_session(path) as session:
        assert session.system.name == "Genesis"
        session.advance((), 60)
        assert session.memory.read(0xFF0104, ">u2") == 3
    content = prepared(path, tmp_path)
    assert content.path.read_bytes() == plain
    assert "bytes put in order" in content.remark


def test_a_copier_header_is_left_out(tmp_path: Path) -> None:
    plain = rom("Snes").read_bytes()
    path = tmp_path / "Game.smc"
    path.write_bytes(b"\xaa" * 512 + plain)
    content = prepared(path, tmp_path)
    assert content.path.name == "Game.sfc"
    assert content.path.read_bytes() == plain
    assert content.system.name == "Snes"


def test_a_plain_rom_is_used_where_it_lies(tmp_path: Path) -> None:
    for system in ("Snes", "Genesis", "Nes", "Atari2600"):
        assert prepared(rom(system), tmp_path).path == rom(system)
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("suffix", ["gen", "bin", "68k", "SGD"])
def test_other_names_of_genesis_roms(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"Game.{suffix}"
    path.write_bytes(rom("Genesis").read_bytes())
    with integrator.open_session(path) as session:
        assert session.system.name == "Genesis"
        session.advance((), 60)
        assert session.memory.read(0xFF0104, ">u2") == 3


def test_a_zip_in_an_integration_directory(tmp_path: Path) -> None:
    folder = tmp_path / "Game-Nes-v0"
    folder.mkdir()
    (folder / "data.json").write_text('{"info": {}}')
    zipped(folder / "rom.zip", game_nes=rom("Nes").read_bytes())
    with integrator.open_session(folder) as session:
        session.advance((), 60)
        assert session.memory.read(0x0304, "|u1") == 3


def test_two_roms_in_a_zip_are_named(tmp_path: Path) -> None:
    path = zipped(tmp_path / "two.zip", a_nes=b"1", b_nes=b"2")
    with pytest.raises(SessionError, match=r"two\.zip holds 2 ROMs \(a\.nes, b\.nes\); unpack"):
        prepared(path, tmp_path)


def test_chips_in_a_zip_are_an_arcade_set(tmp_path: Path) -> None:
    path = zipped(tmp_path / "set.zip", p1_bin=b"1", p2_bin=b"2")
    content = prepared(path, tmp_path)
    assert (content.system.name, content.path) == ("FBNeo", path)


def test_damaged_and_empty_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(SessionError, match="can not be unpacked"):
        prepared(path, tmp_path)
    broken = zipped(tmp_path / "b.zip", a_nes=bytes(100_000))
    data = bytearray(broken.read_bytes())
    data[40:60] = b"\xff" * 20
    broken.write_bytes(data)
    with pytest.raises(SessionError, match="can not be unpacked"):
        prepared(broken, tmp_path)
    empty = tmp_path / "empty.nes"
    empty.touch()
    with pytest.raises(SessionError, match="is empty"):
        prepared(empty, tmp_path)


def test_spellings_of_a_file() -> None:
    nes = rom("Nes").read_bytes()
    assert list(spellings(nes).values()) == [nes, nes[16:]]
    genesis = rom("Genesis").read_bytes()
    assert spellings(genesis) == {"as it is": genesis}
    assert genesis in spellings(smd(genesis)).values()
    snes = rom("Snes").read_bytes()
    assert snes in spellings(bytes(512) + snes).values()
    assert plain_rom(genesis, ".md") == (genesis, "")
