"""Games in zips, in other byte orders and with headers open like the plain ROM."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import integrator
from integrator.domain.errors import MovieError, SessionError
from integrator.domain.files.reading import deinterleave_smd, rom_sha1
from integrator.domain.movies.reading import read_movie
from integrator.domain.roms import ROM_HEAD_BYTES, cut_off, plain_rom, spellings
from integrator.session.frame.result import GameWarning
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import plan_session
from integrator.session.setup.content import MAX_DEPTH, Content, prepare_content
from integrator.session.setup.plan import start_core
from integrator.session.setup.roots import systems
from libretro_host.errors import ContentError


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
    with pytest.raises(SessionError, match="cannot be unpacked"):
        prepared(path, tmp_path)
    broken = zipped(tmp_path / "b.zip", a_nes=bytes(100_000))
    data = bytearray(broken.read_bytes())
    data[40:60] = b"\xff" * 20
    broken.write_bytes(data)
    with pytest.raises(SessionError, match="cannot be unpacked"):
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
    assert plain_rom(genesis, ".md") is genesis


def test_a_zip_in_a_zip_is_its_only_rom(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "in.zip", a_nes=rom("Nes").read_bytes()).read_bytes()
    content = prepared(zipped(tmp_path / "out.zip", in_zip=inner, readme_txt=b"x"), tmp_path)
    assert (content.name, content.system.name) == ("a.nes", "Nes")
    for _ in range(MAX_DEPTH):
        inner = zipped(tmp_path / "deep.zip", in_zip=inner).read_bytes()
    with pytest.raises(SessionError, match="more than 4 deep"):
        prepared(tmp_path / "deep.zip", tmp_path)


def test_a_zip_of_texts_holds_no_game(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", readme_txt=b"x", manual_md=b"#")
    with pytest.raises(SessionError, match=r"holds no game \(readme\.txt, manual\.md\)"):
        prepared(path, tmp_path)


def test_a_file_of_another_console_opens_as_that_consoles(tmp_path: Path) -> None:
    path = tmp_path / "Game.sfc"
    path.write_bytes(rom("Nes").read_bytes())
    with integrator.open_session(path) as session:
        assert session.system.name == "Nes"
        assert session.game.content.suffix == ".nes"
        [event] = session.take_events()
        assert event == GameWarning(
            "Game.sfc is a game of Nintendo Entertainment System, whatever its suffix says"
        )
        session.advance((), 60)
        assert session.memory.read(0x0304, "|u1") == 3
    assert prepared(rom("32x"), tmp_path).doubts == ()


@pytest.mark.parametrize(
    ("offset", "head"),
    [(0, "2E0000EA"), (4, "24FFAE51699AA221"), (178, "960000000000000000000000")],
    ids=["branch", "logo", "fixed"],
)
def test_a_dump_of_the_game_boy_advance_called_bin(offset: int, head: str, tmp_path: Path) -> None:
    data = bytearray(rom("GbAdvance").read_bytes())
    data[:192] = bytes(192)
    data[offset : offset + len(head) // 2] = bytes.fromhex(head)
    path = tmp_path / "Game.bin"
    path.write_bytes(data)
    assert prepared(path, tmp_path).system.name == "GbAdvance"


LOGO = bytes.fromhex("CEED6666CC0D000B")


def game_boy(flag: int) -> bytes:
    data = bytearray(rom("GameBoy").read_bytes())
    data[0x104:0x10C], data[0x143] = LOGO, flag
    return bytes(data)


def master_system() -> bytes:
    return rom("Sms").read_bytes()[:0x7FF0] + b"TMR SEGA" + bytes(8)


@pytest.mark.parametrize(
    ("name", "data", "system"),
    [
        ("a.bin", game_boy(0), "GameBoy"),
        ("a.bin", game_boy(0xC0), "GbColor"),
        ("a.rom", game_boy(0x80), "GbColor"),
        ("a.sfc", game_boy(0), "GameBoy"),
        ("a.gbc", game_boy(0), "GbColor"),
        ("a.rom", rom("Nes").read_bytes(), "Nes"),
        ("a.gb", bytes(4) + bytes.fromhex("24FFAE51699AA221") + bytes(500), "GbAdvance"),
        ("a.sms", rom("Genesis").read_bytes(), "Sms"),
        ("a.gba", rom("Genesis").read_bytes(), "Genesis"),
        ("a.nes", master_system(), None),
        ("a.sms", master_system()[:0x104] + LOGO + master_system()[0x10C:], "Sms"),
        ("a.32x", rom("Genesis").read_bytes(), "32x"),
    ],
)
def test_content_tells_the_console(
    name: str, data: bytes, system: str | None, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    content = prepared(path, tmp_path)
    if system is None:  # the Game Gear's games say the same
        assert content.doubts[0].startswith("a.nes does not begin as a game of Nintendo")
    else:
        assert content.system.name == system


def moved_mark() -> bytes:
    """A game whose header's fixed byte stands one too early, as in Gap-Man."""
    data = bytearray(rom("GbAdvance").read_bytes())
    data[4:12] = bytes.fromhex("24FFAE51699AA221")  # mGBA plays files without the maker's picture
    data[0xB1], data[0xB2] = data[0xB2], 0
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.gb", game_boy(0)[:0x2000], r"a\.gb is cut off: .* so its end is missing"),
        ("a.gba", moved_mark(), "it lacks the header of Nintendo Game Boy Advance's games"),
    ],
    ids=["cut", "mark"],
)
def test_a_refused_file_is_refused_with_its_doubts(
    name: str, data: bytes, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with (
        pytest.raises(ContentError, match=f"refused it.*; {reason}"),
        integrator.open_session(path),
    ):
        pass


def test_a_core_judges_a_cue_sheet_of_a_named_console(tmp_path: Path) -> None:
    """Only files that could lack a header of the console are looked into."""
    path = tmp_path / "a.cue"
    path.write_text('FILE "gone.bin" BINARY\n  TRACK 01 MODE2/2352\n')
    content = prepare_content(path, systems(), tmp_path / "cache", systems()["Saturn"])
    assert content.doubts == ()


def test_a_rom_that_has_gone_is_said_to_be_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "a.nes"
    path.write_bytes(rom("Nes").read_bytes())
    plan = plan_session(path, isolated=False)
    path.unlink()
    with pytest.raises(ContentError, match=r"cannot read .*a\.nes"):
        start_core(plan)


@pytest.mark.parametrize("data", [b"<html>404</html>" * 50, b"NES\x1a\x02\x01"])
def test_a_file_that_is_no_rom_is_doubted(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.nes"
    path.write_bytes(data)
    assert len(prepared(path, tmp_path).doubts) == 1


def test_archives_are_known_by_their_bytes(tmp_path: Path) -> None:
    for name, magic in (("a.nes", b"7z\xbc\xaf\x27\x1c"), ("a.zip", b"Rar!\x1a\x07\x00")):
        (tmp_path / name).write_bytes(magic + bytes(80))
        with pytest.raises(SessionError, match="archive is not opened here"):
            prepared(tmp_path / name, tmp_path)
    game = zipped(tmp_path / "b.nes", lala_nes=rom("Nes").read_bytes())
    assert prepared(game, tmp_path).name == "lala.nes"
    packed = zipped(tmp_path / "c.zip", game_7z=b"7z\xbc\xaf\x27\x1c")
    with pytest.raises(SessionError, match=r"holds the archive game\.7z"):
        prepared(packed, tmp_path)


def test_a_rom_that_is_cut_off_says_so(tmp_path: Path) -> None:
    plain = rom("Nes").read_bytes()
    path = tmp_path / "Game.nes"
    path.write_bytes(plain[:-1000])
    [doubt] = prepared(path, tmp_path).doubts
    counts = f"counts {len(plain):,} bytes and it has {len(plain) - 1000:,}"
    cut = f"its header {counts}, so its end is missing"
    assert doubt == f"Game.nes is cut off: {cut}; find a whole dump"
    # NES 2.0: 0x102 banks of program, 0x201 of pictures, and a trainer.
    head = bytes.fromhex("4E45531A 02 01 04 08 00 21") + bytes(6)
    whole = 16 + 512 + 0x102 * 0x4000 + 0x201 * 0x2000
    assert cut_off(head, whole) == ""
    assert cut_off(head, whole - 1)
    for system in ("Nes", "GameBoy", "GbColor", "Genesis", "GbAdvance"):
        assert prepared(rom(system), tmp_path).doubts == ()
    game_boy = bytearray(ROM_HEAD_BYTES)
    game_boy[0x104:0x108], game_boy[0x148] = bytes.fromhex("CEED6666"), 2
    assert [cut_off(bytes(game_boy), size) == "" for size in (0x20000, 0x1FFFF)] == [True, False]


@pytest.mark.parametrize(
    ("name", "cure"),
    [
        ("a.lsmv", "BizHawk makes"),
        ("a.TASPROJ", "Export to BK2"),
        ("a.fm3", "FCEUX makes"),
        ("a.m64", "no program"),
    ],
)
def test_movies_that_are_not_read_name_the_program_that_converts_them(
    name: str, cure: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(b"movie")
    with pytest.raises(SessionError, match=cure):
        integrator.open_session(path)
    with pytest.raises(MovieError, match=cure):
        read_movie(path, {})


@pytest.mark.parametrize("name", ["game.7z", "game.rar", "GAME.GZ"])
def test_other_archives_name_the_fix(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"7z\xbc\xaf\x27\x1c of something")
    with pytest.raises(SessionError, match=r"unpack it, or pack the game as \.zip"):
        prepared(tmp_path / name, tmp_path)
    with pytest.raises(SessionError, match=r"unpack it, or pack the game as \.zip"):
        integrator.open_session(tmp_path / name)


def test_an_arcade_core_reads_archives_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "game.7z").write_bytes(b"7z\xbc\xaf\x27\x1c of something")
    console = systems()["FBNeo"]
    assert prepare_content(tmp_path / "game.7z", systems(), tmp_path, console).system == console
