"""Importing our own ROMs: any extension, zips in zips, headers; and every miss is explained."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import warm_children

import integrator
from integrator.commands.new import import_roms
from integrator.domain.errors import SaveError, SessionError
from integrator.domain.integration.naming import find_roms
from integrator.session.library import rom_import
from integrator.session.library.consoles.console_check import proof_roms

ROMS = {system: rom.path.read_bytes() for system, rom in proof_roms().items()}


def sha1(data: bytes) -> str:
    return hashlib.sha1(data, usedforsecurity=False).hexdigest()


@pytest.fixture(autouse=True)
def known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's integrations: three games without a ROM."""
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    root = tmp_path / "XDG_DATA_HOME" / "retro-integrator" / "integrations"
    for game, digest in {
        "ProofOfMemory-Genesis-v0": sha1(ROMS["Genesis"]),
        "ProofOfMemory-Nes-v0": sha1(ROMS["Nes"][16:]),
        "ProofOfMemory-Snes": f"{'0' * 40}\n{sha1(ROMS['Snes']).upper()}",
    }.items():
        (root / game).mkdir(parents=True)
        (root / game / "rom.sha").write_text(digest + "\n")
        (root / game / "data.json").write_text('{"info": {"lives": {"address": 1, "type": "|u1"}}}')
    return root


@pytest.fixture
def found(tmp_path: Path) -> Path:
    folder = tmp_path / "found"
    folder.mkdir()
    return folder


def zipped(**members: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("_", "."), data)
    return buffer.getvalue()


def run(*places: Path, root: Path | None = None) -> dict[str, Any]:
    return import_roms(list(places), root=root, quiet=True)


@pytest.mark.parametrize("name", ["Sonic.68K", "GAME.SGD", "x.md", "noextension"])
def test_any_extension_is_recognized_by_its_hash(name: str, known: Path, found: Path) -> None:
    (found / name).write_bytes(ROMS["Genesis"])
    report = run(found)
    assert (report["imported"], report["missed"]) == (1, 0)
    target = known / "ProofOfMemory-Genesis-v0" / "rom.md"
    assert target.read_bytes() == ROMS["Genesis"]
    again = run(found)
    assert (again["imported"], again["already_there"]) == (0, 1)


def test_zips_inside_zips(known: Path, found: Path) -> None:
    inner = zipped(Game_nes=ROMS["Nes"])
    (found / "outer.zip").write_bytes(zipped(deep_zip=zipped(inner_zip=inner), readme_txt=b"x"))
    report = run(found)
    assert report["imported"] == 1
    (result,) = [r for r in report["results"] if r["outcome"] == "imported"]
    assert result["source"].endswith("outer.zip!deep.zip!inner.zip!Game.nes")
    # The header stays: emulators need it.
    assert (known / "ProofOfMemory-Nes-v0" / "rom.nes").read_bytes() == ROMS["Nes"]


def test_a_zip_that_unpacks_to_far_more_than_it_holds(
    found: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rom_import, "_UNPACKED_BYTES", 3 << 20)
    inner = zipped(c_bin=bytes(1 << 20), d_bin=bytes(1 << 20), e_bin=bytes(1 << 20))
    (found / "bomb.zip").write_bytes(zipped(a_bin=bytes(1 << 20), b_zip=inner))
    results = run(found)["results"]
    reasons = {each["source"].rsplit("!")[-1]: each["reason"] for each in results}
    assert "unpacks to far more than it holds" in reasons["e.bin"]
    assert "unpacks" not in reasons["a.bin"] + reasons["c.bin"]


@pytest.mark.parametrize("name", ["Disc.cdi", "Disc.CDI", "Disc.chd2", "Disc.dat"])
def test_a_rom_keeps_the_suffix_that_its_console_knows(known: Path, found: Path, name: str) -> None:
    game = known / "Disc-Dreamcast-v0"
    game.mkdir()
    (game / "rom.sha").write_text(sha1(b"a disc"))
    (found / name).write_bytes(b"a disc")
    (found / "zip.zip").write_bytes(zipped(**{name.replace(".", "_"): b"a disc"}))
    kept = {"cdi": "cdi", "CDI": "cdi"}.get(name[5:], "chd2")
    for file in (name, "zip.zip"):
        [result] = run(found / file)["results"]
        assert result["target"] == str(game / f"rom.{kept}")
        (game / f"rom.{kept}").unlink()


def test_a_rom_takes_the_place_of_others_and_none_is_lost(known: Path, found: Path) -> None:
    folder = known / "ProofOfMemory-Genesis-v0"
    for name in ("rom.bin", "rom.md", "former-rom.md"):
        (folder / name).write_bytes(name.encode())
    (found / "a.md").write_bytes(ROMS["Genesis"])
    [result] = run(found)["results"]
    assert (result["outcome"], result["target"]) == ("imported", str(folder / "rom.md"))
    said = "another rom.bin is former-rom.bin now; another rom.md is former-rom-2.md now"
    assert result["reason"] == said
    assert find_roms(folder) == [folder / "rom.md"]
    assert (folder / "rom.md").read_bytes() == ROMS["Genesis"]
    kept = {path.name: path.read_bytes() for path in folder.glob("former*")}
    assert kept == {
        "former-rom.bin": b"rom.bin", "former-rom.md": b"former-rom.md",
        "former-rom-2.md": b"rom.md",
    }  # fmt: skip
    assert run(found)["already_there"] == 1


def test_a_rom_that_can_not_be_written_leaves_the_other_in_its_place(
    known: Path, found: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = known / "ProofOfMemory-Genesis-v0"
    (folder / "rom.bin").write_bytes(b"other")
    (found / "a.md").write_bytes(ROMS["Genesis"])

    def no_room(path: Path, _: bytes) -> None:
        raise SaveError(f"{path} could not be written")

    monkeypatch.setattr(rom_import, "write_atomically", no_room)
    with pytest.raises(SaveError, match="could not be written"):
        run(found)
    assert (folder / "rom.bin").read_bytes() == b"other"
    assert {path.name for path in folder.glob("*rom*")} == {"rom.bin", "rom.sha"}


def test_a_copier_header_is_removed(known: Path, found: Path) -> None:
    (found / "Game (U).smc").write_bytes(bytes(512) + ROMS["Snes"])
    (result,) = run(found)["results"]
    assert result["reason"].startswith("known after header removal: without the 512 bytes")
    assert (known / "ProofOfMemory-Snes" / "rom.sfc").read_bytes() == ROMS["Snes"]


def test_another_root_gets_the_whole_game_and_it_runs(known: Path, found: Path) -> None:
    (found / "a.bin").write_bytes(ROMS["Genesis"])
    root = found.parent / "root"
    run(found, root=root)
    game = root / "ProofOfMemory-Genesis-v0"
    assert sorted(path.name for path in game.iterdir()) == ["data.json", "rom.md", "rom.sha"]
    assert not (known / game.name / "rom.md").exists()
    assert [path.name for path in root.iterdir()] == [game.name]
    with integrator.open_session(game) as session:
        session.advance((), 60)


def test_stable_retros_own_game_is_known_and_its_folder_untouched(found: Path) -> None:
    from libretro_host.systems.discovery import wheel_core_dir

    cores = wheel_core_dir()
    assert cores is not None
    shipped = cores.parent / "data" / "stable" / "Airstriker-Genesis-v0"
    before = sorted((path.name, path.stat().st_mtime_ns) for path in shipped.iterdir())
    (found / "renamed.xyz").write_bytes((shipped / "rom.md").read_bytes())
    root = found.parent / "root"
    report = run(found, root=root)
    assert report["known_games"] > 1000
    assert (root / shipped.name / "Level1.state").is_file()
    assert sorted((path.name, path.stat().st_mtime_ns) for path in shipped.iterdir()) == before


def reason(report: dict[str, Any]) -> str:
    (result,) = report["results"]
    assert result["outcome"] == "missed"
    return str(result["reason"])


def test_a_miss_names_the_nearest_game_by_header(found: Path) -> None:
    other = bytearray(ROMS["Genesis"])
    other[0x150:0x180] = b"PROOF   OF MEMORY".ljust(48)
    other[0x1F0:0x1F3] = b"E  "
    (found / "x.gen").write_bytes(other)
    assert reason(run(found)) == (
        "unknown: no integration names this dump (Genesis); the nearest known game is "
        "ProofOfMemory-Genesis-v0, by its header; this one is of region Europe, perhaps not the one"
    )


def test_a_miss_names_the_nearest_game_by_file_name(found: Path) -> None:
    (found / "Proof of Memory (Japan) [b1].nes").write_bytes(ROMS["Nes"][:-5])
    text = reason(run(found))
    assert "nearest known game is ProofOfMemory-Nes-v0, by its file name" in text
    assert "of region Japan" in text
    assert "a bad dump" in text
    assert "so its end is missing" in text


def test_a_size_that_is_no_whole_kib_is_no_fault(found: Path) -> None:
    # Homebrew of the Game Boy Advance is as long as its linker made it.
    (found / "Home.gba").write_bytes(ROMS["GbAdvance"][:-3])
    assert reason(run(found)) == "unknown: no integration names this dump (GbAdvance)"


def test_a_missing_nes_header_is_explained(found: Path) -> None:
    (found / "x.nes").write_bytes(ROMS["Nes"][16:])
    assert "ProofOfMemory-Nes-v0, but without the iNES header" in reason(run(found))


def test_what_can_not_be_read_is_explained(found: Path) -> None:
    (found / "broken.zip").write_bytes(b"PK\x03\x04")
    (found / "game.7z").write_bytes(b"7z")
    (found / "README.md").write_text("# Notes\n" * 100)
    report = run(found)
    by_name = {Path(r["source"]).name: r for r in report["results"]}
    assert "cannot be read" in by_name["broken.zip"]["reason"]
    assert "unpack it first" in by_name["game.7z"]["reason"]
    assert by_name["README.md"]["outcome"] == "no game"
    with pytest.raises(SessionError, match="no such file"):
        run(found / "nowhere")


def test_a_root_that_can_not_be_written(found: Path) -> None:
    (found / "a.md").write_bytes(ROMS["Genesis"])
    blocked = found.parent / "file"
    blocked.touch()
    with pytest.raises(SaveError, match="could not be made"):
        run(found, root=blocked / "root")


def test_a_copy_of_a_game_that_fails_is_explained(
    found: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_disk(*paths: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), paths[-1])

    (found / "a.md").write_bytes(ROMS["Genesis"])
    copy = partial(shutil.copytree, copy_function=fill_disk)
    monkeypatch.setattr(shutil, "copytree", copy)
    with pytest.raises(SaveError, match=r"could not be made .*No space left on device"):
        run(found, root=found.parent / "root")


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_leaves_nothing_half_written(found: Path) -> None:
    root = found.parent / "root"
    for number in range(1, 60):
        with (found / f"{number:03}.bin").open("wb") as stream:
            stream.truncate(32 << 20)
    (found / "000-first.bin").write_bytes(ROMS["Genesis"])
    child = warm_children.popen(
        [sys.executable, "-m", "integrator", "import", str(found), "--root", str(root)],
        env={**os.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    game = root / "ProofOfMemory-Genesis-v0" / "rom.md"
    while child.poll() is None and not (game.exists() and len(list(root.iterdir())) == 1):
        time.sleep(0.01)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate()
    assert child.returncode == 130
    assert b"interrupted" in errors
    assert b"Traceback" not in errors
    assert [path.name for path in root.iterdir()] == ["ProofOfMemory-Genesis-v0"]
    assert game.read_bytes() == ROMS["Genesis"]


def test_the_command_prints_json_only(found: Path) -> None:
    (found / "a.md").write_bytes(ROMS["Genesis"])
    done = warm_children.run(
        [sys.executable, "-m", "integrator", "import", str(found), "--json"],
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)["imported"] == 1


def test_a_link_out_of_the_games_folder_is_not_written_through_unasked(
    known: Path, found: Path, tmp_path: Path
) -> None:
    (found / "a.md").write_bytes(ROMS["Genesis"])
    target = known / "ProofOfMemory-Genesis-v0" / "rom.md"
    target.symlink_to(tmp_path / "precious")
    report = run(found)
    assert (report["imported"], report["missed"]) == (0, 1)
    assert "is a link to" in reason(report)
    assert not (tmp_path / "precious").exists()
    command = [sys.executable, "-m", "integrator", "import", str(found), "--follow-links", "--json"]
    done = warm_children.run(command, capture_output=True, check=True)
    assert json.loads(done.stdout)["imported"] == 1
    assert (tmp_path / "precious").read_bytes() == ROMS["Genesis"]


@pytest.mark.parametrize("name", ["data.json", ".bashrc", "../x.zip", ".."])
def test_a_rom_is_not_written_over_a_document_or_elsewhere(
    known: Path, found: Path, name: str
) -> None:
    folder = known / "ProofOfMemory-Genesis-v0"
    (folder / "metadata.json").write_text(json.dumps({"original_rom_name": name}))
    (found / "a.md").write_bytes(ROMS["Genesis"])
    before = (folder / "data.json").read_bytes()
    assert run(found)["imported"] == 1
    assert (folder / "data.json").read_bytes() == before
    assert {path.name for path in folder.iterdir()} == {
        "data.json", "metadata.json", "rom.md", "rom.sha",
    }  # fmt: skip
    assert not (folder.parent / "x.zip").exists()
