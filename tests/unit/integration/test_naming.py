"""Directory names from file names, and ROM hashes."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from integrator.domain.errors import DocumentError
from integrator.domain.files.reading import MAX_ROM_BYTES, deinterleave_smd, rom_sha1
from integrator.domain.integration.naming import clean_name, is_valid_name, system_of


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Legend of Foo, The (U) [!].nes", "LegendOfFoo-Nes"),
        ("Legend of Foo, The - Second Quest (USA).nes", "LegendOfFooSecondQuest-Nes"),
        ("Cat & Mouse (USA, Europe) (Rev A).nes", "CatAndMouse-Nes"),
        ("Dr. Bar (JU).nes", "DrBar-Nes"),
        ("Dr. Bar", "DrBar-Nes"),
        ("don't_stop-now!.nes", "DontStopNow-Nes"),
        ("Qu\u00e9 (nested (tags)) [a1][T+Eng].zip", "Que-Nes"),
        ("1942 (W).nes", "1942-Nes"),
        ("/roms/sub/game 3x3.NES", "Game3x3-Nes"),
        ("C:\\roms\\Game.nes", "Game-Nes"),
        ("\u65e5\u672c.nes", "Untitled-Nes"),
        ("(tag).nes", "Untitled-Nes"),
        ("Dr. Foo (U).subsystem", "DrFoo-Nes"),
    ],
)
def test_names_are_cleaned(file: str, name: str) -> None:
    assert clean_name(file, "Nes") == name
    assert is_valid_name(name)


@pytest.mark.parametrize(
    ("name", "system"),
    [("Foo-Nes", "Nes"), ("Foo-Nes-v0", "Nes"), ("A-B-Genesis-v12", "Genesis"), ("Foo", ""),
     ("Foo-32x-v0", "32x")],
)  # fmt: skip
def test_the_system_stands_behind_the_last_dash(name: str, system: str) -> None:
    assert system_of(name) == system


@pytest.mark.parametrize(
    "name", ["", ".hidden", "a/b", "a b", "..", "x\n", "dot.", "-x", "con", "Nul.v0", "COM1.a.b"]
)
def test_names_that_are_no_directory_names(name: str) -> None:
    assert not is_valid_name(name)


def sha(data: bytes) -> str:
    return hashlib.sha1(data).hexdigest()


def test_headers_are_not_hashed(tmp_path: Path) -> None:
    body = bytes(range(256)) * 128
    for name, data, expected in (
        ("a.nes", b"NES\x1a" + bytes(12) + body, sha(body)),
        ("a.NES", b"NES\x1a" + bytes(12) + body, sha(body)),
        ("a.md", body, sha(body)),
        ("a.sfc", body, sha(body)),
    ):
        (tmp_path / name).write_bytes(data)
        assert rom_sha1(tmp_path / name) == expected


def test_smd_dumps_are_put_in_order(tmp_path: Path) -> None:
    plain = bytearray(i * 7 % 251 for i in range(0x8000))
    plain[0x100:0x104] = b"SEGA"
    interleaved = b"".join(
        bytes(plain[at + 1 : at + 0x4000 : 2]) + bytes(plain[at : at + 0x4000 : 2])
        for at in range(0, len(plain), 0x4000)
    )
    path = tmp_path / "game.smd"
    path.write_bytes(bytes(512) + interleaved)
    assert rom_sha1(path) == sha(bytes(plain))
    path.write_bytes(bytes(plain))
    assert rom_sha1(path) == sha(bytes(plain))
    assert len(deinterleave_smd(bytes(512) + interleaved[:0x4801])) == 0x4801


def test_too_large_or_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "big.md"
    with path.open("wb") as stream:
        stream.truncate(MAX_ROM_BYTES + 1)
    with pytest.raises(DocumentError, match=r"big\.md is larger than 32 MiB"):
        rom_sha1(path)
    with pytest.raises(DocumentError, match="could not be read"):
        rom_sha1(tmp_path / "none.md")
