"""Headers of ROMs: their places stand in the systems' descriptors, and nowhere else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from integrator import paths
from integrator.domain.roms import RomHeader, rom_hashes, rom_header
from integrator.session.setup.roots import systems

SHIPPED = [(system.name, entry) for system in systems().values() for entry in system.headers]


@pytest.mark.parametrize(
    ("rom", "header"),
    [
        ("32x/proof.32x", RomHeader("32x", ("PROOF ROM",), "Japan and USA and Europe")),
        ("gbadvance/proof.gba", RomHeader("GbAdvance", ("PROOF ROM",))),
        ("n64/proof.z64", RomHeader("N64", ("PROOF ROM",))),
        ("nes/proof.nes", RomHeader("Nes", ())),
        ("snes/proof.sfc", RomHeader("Snes", ("PROOF ROM",), "USA")),
        ("gameboy/proof.gb", None),  # without the mark that Nintendo's games have
    ],
)
def test_a_real_rom_states_its_console_title_and_region(rom: str, header: RomHeader | None) -> None:
    data = (paths.shipped("resources") / "proof-roms" / rom).read_bytes()
    assert rom_header(data, SHIPPED) == header


@pytest.mark.parametrize(("code", "system"), [(0x00, "GameBoy"), (0x80, "GbColor")])
def test_of_two_headers_the_one_that_more_bytes_show_counts(code: int, system: str) -> None:
    data = bytearray(0x8000)
    data[0x104:0x108] = b"\xce\xed\x66\x66"
    data[0x134:0x143] = b"GREEN\0\xffMOTH".ljust(15, b"\0")
    data[0x143] = code
    assert rom_header(bytes(data), SHIPPED) == RomHeader(system, ("GREEN MOTH",))


def test_short_and_foreign_files_have_no_header() -> None:
    assert rom_header(b"", SHIPPED) is None
    assert rom_header(b"\0" * 0x10000, SHIPPED) is None


def test_a_console_of_ones_own_has_a_header() -> None:
    places = (
        "Vectrex",
        {
            "marks": [{"offset": 0, "text": "g GCE"}],
            "titles": [{"offset": 8, "bytes": 8}],
            "region": {"offsets": [6], "codes": {"45": "Europe"}},
        },
    )
    found = rom_header(b"g GCE\0E\0MINE\0STO.", [*SHIPPED, places])
    assert found == RomHeader("Vectrex", ("MINE STO",), "Europe")


def test_a_mark_that_no_rom_can_have_fits_none() -> None:
    foreign = ("Vectrex", {"marks": [{"offset": 0, "text": "\u00e9"}]})
    assert rom_header(b"g GCE", [foreign]) is None


def test_hashes_of_a_rom_know_its_spellings_and_a_list_has_none(tmp_path: Path) -> None:
    rom, plain = tmp_path / "a.sfc", bytes(range(256)) * 8
    rom.write_bytes(bytes(512) + plain)
    hashes = rom_hashes(rom)
    assert hashes is not None
    assert hashlib.sha1(plain, usedforsecurity=False).hexdigest() in hashes.every
    assert hashlib.md5(rom.read_bytes(), usedforsecurity=False).hexdigest() in hashes.every
    for name in ("disc.cue", "discs.m3u", "pair.subsystem"):
        (tmp_path / name).write_text("FILE a.bin BINARY")
        assert rom_hashes(tmp_path / name) is None
    assert rom_hashes(tmp_path / "missing.bin") is None
