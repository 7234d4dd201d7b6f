"""Integration directories: loading, editing, saving, states, and making a new one."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import os
import shutil
import struct
import threading
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import undoing

from integrator.domain.errors import ChangedOnDiskError, DocumentError, SaveError
from integrator.domain.integration.directory import (
    create_integration,
    iterate_integrations,
    list_integrations,
    load_integration,
)
from integrator.domain.integration.files import Integration
from integrator.domain.integration.states import (
    foreign_state,
    is_state,
    pack_state,
    unpack_state,
)
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import TIME_TERM, VariableSpec

DATA = """{
  "info": {
    "score": {
      "address": 16712270,
      "type": ">d4",
      "note": "kept"
    },
    "lives": {
      "mask": -113,
      "address": 16712282,
      "type": "|u1"
    }
  },
  "mine": 1.0
}
"""
SCENARIO = (
    '{"done": {"variables": {"lives": {"op": "zero"}}}, "reward": {}, "crop": [0, 0, 8, 8]}\n'
)


def make(tmp_path: Path, **files: str | bytes) -> Path:
    directory = tmp_path / "Game-Genesis-v0"
    directory.mkdir()
    content: dict[str, str | bytes] = {
        "data.json": DATA,
        "scenario.json": SCENARIO,
        "metadata.json": '{"default_state": "Level1", "tags": "x"}\n',
        "rom.sha": "AA11\nbb22\n",
        "script.lua": "function f()\r\n  return 1 -- \udcff\r\nend\r\n".encode(
            "utf-8", "surrogateescape"
        ),
    }
    for name, text in (content | {k.replace("__", "."): v for k, v in files.items()}).items():
        (directory / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return directory


def snapshot(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_everything_in_a_directory_is_found(tmp_path: Path) -> None:
    directory = make(tmp_path, rom__md=b"rom", other__json='{"rewards": []}', notes__json="{}")
    (directory / "A.state").write_bytes(gzip.compress(b"raw"))
    (directory / "_hidden.state").write_bytes(gzip.compress(b"raw"))
    i = load_integration(directory)
    assert (i.name, i.system, i.rom_sha) == ("Game-Genesis-v0", "Genesis", ("aa11", "bb22"))
    assert i.rom == directory / "rom.md"
    assert dict(i.variables) == {
        "score": VariableSpec("score", 16712270, DataType.parse(">d4")),
        "lives": VariableSpec("lives", 16712282, DataType.parse("|u1"), -113),
    }
    assert list(i.scenarios) == ["scenario", "other"]
    assert i.scenario.value["crop"] == [0, 0, 8, 8]
    assert i.states == ["A"]
    assert i.read_state("A") == b"raw"
    assert i.metadata.default_state() == "Level1"
    assert not i.modified


def test_saving_without_an_edit_touches_nothing(tmp_path: Path) -> None:
    directory = make(tmp_path)
    before = snapshot(directory)
    load_integration(directory).save()
    assert snapshot(directory) == before


def test_editing_a_variable_keeps_what_we_do_not_know(tmp_path: Path) -> None:
    i = load_integration(make(tmp_path))
    i.variables.set("score", VariableSpec("score", 16712272, DataType.parse(">d3"), 15))
    assert i.modified
    i.save()
    expected = DATA.replace("16712270", "16712272").replace(">d4", ">d3")
    expected = expected.replace('"note": "kept"', '"note": "kept",\n      "mask": 15')
    assert (i.directory / "data.json").read_text() == expected
    assert not i.modified


def test_adding_renaming_and_removing_variables_can_be_undone(tmp_path: Path) -> None:
    i = load_integration(make(tmp_path))
    i.variables.set("x", VariableSpec("x", 1, DataType.parse("|i2")))
    i.variables.rename("score", "points")
    i.variables.remove("lives")
    assert list(i.variables) == ["points", "x"]
    assert i.variables.value["info"]["x"] == {"address": 1, "type": "|i2"}  # type: ignore[index,call-overload]  # JSON of known shape
    i.save()
    assert list(json.loads((i.directory / "data.json").read_text())["info"]) == ["points", "x"]
    while undoing.undo(i.variables.history):
        pass
    assert i.variables.text == DATA
    i.save()
    assert json.loads((i.directory / "data.json").read_text()) == json.loads(DATA)


def test_names_that_are_taken_missing_or_empty_are_refused(tmp_path: Path) -> None:
    variables = load_integration(make(tmp_path)).variables
    with pytest.raises(DocumentError, match="'lives' is taken already"):
        variables.rename("score", "lives")
    with pytest.raises(DocumentError, match="there is no variable 'nope'"):
        variables.remove("nope")
    with pytest.raises(DocumentError, match="needs a name"):
        variables.set(" ", VariableSpec(" ", 1, DataType.parse("|u1")))
    assert not variables.modified


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ('{"type": "|u1"}', "has no address"),
        ('{"address": 1}', "has no type"),
        ('{"address": "1", "type": "|u1"}', "info.bad.address: '1' is not a whole number"),
        ('{"address": 1.5, "type": "|u1"}', "1.5 is not a whole number"),
        ('{"address": -1, "type": "|u1"}', "below zero"),
        ('{"address": 1, "type": ">q2"}', "info.bad.type: data type '>q2' has unknown kind"),
        ('{"address": 1, "type": "|u1", "mask": "x"}', "info.bad.mask"),
        ("5", "not an object"),
    ],
)
def test_an_unusable_variable_is_reported_and_the_others_stay(
    tmp_path: Path, entry: str, reason: str
) -> None:
    text = '{"info": {\n"good": {"address": 1, "type": "|u1"},\n"bad": ' + entry + "}}"
    i = load_integration(make(tmp_path, data__json=text))
    assert list(i.variables) == ["good"]
    assert reason in i.variables.problems["bad"]
    (finding,) = i.findings
    assert (finding.code, finding.line, finding.path) == ("variable-invalid", 3, "info.bad")
    i.variables.set("bad", VariableSpec("bad", 2, DataType.parse("|u1")))
    assert i.variables["bad"].address == 2


def test_no_variable_has_the_name_of_the_time_term(tmp_path: Path) -> None:
    entry = '{"address": 1, "type": "|u1"}'
    text = f'{{"info": {{"time": {entry}, "{TIME_TERM}": {entry}}}}}'
    variables = load_integration(make(tmp_path, data__json=text)).variables
    assert list(variables) == ["time"]
    assert "choose another name" in variables.problems[TIME_TERM]


def test_default_states_follow_the_number_of_players(tmp_path: Path) -> None:
    text = '{"default_state": "One", "default_player_state": ["P1", "P2"]}'
    metadata = load_integration(make(tmp_path, metadata__json=text)).metadata
    assert [metadata.default_state(n) for n in (1, 2, 3)] == ["P1", "P2", "One"]
    metadata.set_default_state("Q", players=3)
    assert metadata.value["default_player_state"] == ["P1", "P2", "Q"]
    undoing.undo(metadata.history)
    assert metadata.default_state(3) == "One"


def test_setting_the_default_state_of_one_player(tmp_path: Path) -> None:
    metadata = load_integration(make(tmp_path)).metadata
    metadata.set_default_state("Level2")
    assert metadata.text == '{"default_state": "Level2", "tags": "x"}\n'
    metadata.set_default_state(None)
    assert metadata.default_state() is None


def test_scripts_keep_their_bytes_and_may_be_edited(tmp_path: Path) -> None:
    i = load_integration(make(tmp_path))
    before = (i.directory / "script.lua").read_bytes()
    i.scripts["script.lua"] += "-- more\n"
    assert i.modified
    i.save()
    assert (i.directory / "script.lua").read_bytes() == before + b"-- more\n"
    assert not i.modified


def test_nothing_is_saved_when_one_file_was_changed_meanwhile(tmp_path: Path) -> None:
    i = load_integration(make(tmp_path))
    i.variables.remove("score")
    i.scripts["script.lua"] = "mine"
    (i.directory / "script.lua").write_text("theirs")
    before = snapshot(i.directory)
    with pytest.raises(ChangedOnDiskError, match=r"script\.lua was changed by another program"):
        i.save()
    assert snapshot(i.directory) == before
    i.save(force=True)
    assert (i.directory / "script.lua").read_text() == "mine"
    assert list(i.variables) == ["lives"]


def test_files_that_were_deleted_meanwhile_are_saved_again(tmp_path: Path) -> None:
    directory = make(tmp_path)
    integration, before = load_integration(directory), snapshot(directory)
    for name in ("data.json", "scenario.json", "script.lua"):
        (directory / name).unlink()
    integration.save()
    assert snapshot(directory) == before
    shutil.rmtree(directory)
    with pytest.raises(SaveError, match="folder"):
        integration.save()


def test_saving_elsewhere_makes_a_whole_integration(tmp_path: Path) -> None:
    directory = make(tmp_path, rom__md=b"rom", notes__txt="note", other__json='{"done": {}}')
    (directory / "A.state").write_bytes(gzip.compress(b"raw"))
    i = load_integration(directory)
    before = snapshot(directory)
    i.save(tmp_path / "deep" / "Copy-Genesis")
    assert snapshot(tmp_path / "deep" / "Copy-Genesis") == before == snapshot(directory)
    assert i.name == "Copy-Genesis"
    assert i.read_state("A") == b"raw"
    i.variables.remove("score")
    i.save()
    assert snapshot(directory) == before


def test_a_directory_without_scenario_and_metadata_opens(tmp_path: Path) -> None:
    directory = make(tmp_path)
    for name in ("scenario.json", "metadata.json"):
        (directory / name).unlink()
    i = load_integration(directory)
    assert i.scenario.value == {}
    assert not i.scenario.on_disk
    i.save()
    assert not (directory / "scenario.json").exists()
    i.scenario.value = {"reward": {}}
    i.save()
    assert (directory / "scenario.json").exists()


def test_what_is_no_integration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="there is no such file or folder"):
        load_integration(tmp_path / "none")
    with pytest.raises(DocumentError, match="integrator new ROM"):
        load_integration(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(DocumentError, match="is a file"):
        load_integration(tmp_path / "file")


def test_a_broken_file_that_training_never_reads_is_only_a_finding(tmp_path: Path) -> None:
    i = load_integration(make(tmp_path, draft__json="{"))
    assert [(f.code, f.file.name) for f in i.findings] == [("json-invalid", "draft.json")]


# -- states ---------------------------------------------------------------------------------


def test_states_are_gzip_with_the_core_as_comment(tmp_path: Path) -> None:
    i = load_integration(make(tmp_path))
    raw = bytes(range(256)) * 300
    path = i.write_state("Level1", raw, "genesis_plus_gx v1.7.4")
    assert i.read_state("Level1") == raw
    i.save()
    with gzip.open(path) as stream:  # the reader that stable-retro uses for states
        assert stream.read() == raw
    assert i.read_state("Level1") == raw
    assert i.state_files.facts("Level1")[0] == "genesis_plus_gx v1.7.4"
    first = path.read_bytes()
    i.write_state("Level1", raw, "genesis_plus_gx v1.7.4")
    assert path.read_bytes() == first
    i.write_state("Plain", b"")
    assert i.read_state("Plain") == b""
    assert i.state_files.facts("Plain")[0] is None


def test_a_state_of_gzip_itself_has_no_stamp(tmp_path: Path) -> None:
    i = load_integration(make(tmp_path))
    with gzip.open(i.state_files.path("Named"), "wb") as stream:
        stream.write(b"x")
    assert i.read_state("Named") == b"x"
    assert i.state_files.facts("Named")[0] is None


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-5], "is cut off"),
        (lambda data: data[: len(data) // 2], "is cut off"),
        (lambda data: data[:12], "is cut off"),
        (lambda data: data[:-6] + b"\0\0\0\0\0\0", "is damaged"),
        (lambda data: b"raw" + data, "is not a gzip file"),
        (lambda _: b"", "is not a gzip file"),
    ],
)
def test_damaged_states_are_document_errors(tmp_path: Path, damage: object, message: str) -> None:
    i = load_integration(make(tmp_path))
    path = i.write_state("A", bytes(range(256)) * 9)
    i.save()
    assert callable(damage)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DocumentError, match=message) as caught:
        i.read_state("A")
    assert "A.state" in str(caught.value)


def rzip(data: bytes, chunk: int = 100) -> bytes:
    """The file that RetroArch writes where it compresses states."""
    parts = [zlib.compress(data[at : at + chunk]) for at in range(0, len(data), chunk)]
    chunks = b"".join(struct.pack("<I", len(part)) + part for part in parts)
    return struct.pack("<8sIQ", b"#RZIPv\x01#", chunk, len(data)) + chunks


def rastate(state: bytes) -> bytes:
    """A state of RetroArch: the core's own between two other blocks."""
    blocks = [(b"ACHV", b"12345"), (b"MEM ", state), (b"END ", b"")]
    parts = (
        struct.pack("<4sI", kind, len(data)) + data + bytes(-len(data) % 8) for kind, data in blocks
    )
    return b"RASTATE\x01" + b"".join(parts)


def test_states_of_retroarch_are_read(tmp_path: Path) -> None:
    state, path = bytes(range(251)) * 9, tmp_path / "Game.state.auto"
    for data in (pack_state(state), rzip(state), rastate(state), rzip(rastate(state))):
        assert foreign_state(data, path) == state
    # Integrations hold what stable-retro reads.
    with pytest.raises(DocumentError, match="is not a gzip file"):
        unpack_state(rzip(state), path)
    for data in (
        rzip(state)[:-5],
        rastate(state)[:90],
        b"#RZIPv\x01#" + b"\xff" * 12,
        b"RASTATE\x01",
    ):
        with pytest.raises(DocumentError, match=r"Game\.state\.auto is damaged"):
            foreign_state(data, path)
    names = ("a.state", "A.STATE", "a.state3", "a.state.auto", "a.statex", "a.state.png")
    assert [is_state(Path(name)) for name in names] == [True] * 4 + [False] * 2


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".x", "a\n", "a:b"])
def test_names_of_states_stay_in_the_directory(tmp_path: Path, name: str) -> None:
    i = load_integration(make(tmp_path))
    with pytest.raises(DocumentError, match="cannot be the name of a state"):
        i.write_state(name, b"raw")
    with pytest.raises(DocumentError, match="there is no such state; there is: none"):
        i.read_state("missing")


# -- making and listing ---------------------------------------------------------------------


def test_a_new_integration_is_complete(tmp_path: Path) -> None:
    rom = tmp_path / "Cat & Mouse (U).nes"
    rom.write_bytes(b"NES\x1a" + bytes(12) + b"game")
    i = create_integration(rom, tmp_path / "new" / "root", None, "Nes", "nes")
    assert i.name == "CatAndMouse-Nes"
    assert (i.directory / "rom.nes").read_bytes() == rom.read_bytes()
    assert i.rom_sha == (hashlib.sha1(b"game").hexdigest(),)
    assert i.variables.value == {"info": {}}
    assert set(i.scenario.value) == {"done", "reward"}
    assert i.metadata.value == {}
    assert not i.modified
    assert [p.name for p in i.directory.parent.iterdir()] == ["CatAndMouse-Nes"]


def test_an_existing_directory_is_never_overwritten(tmp_path: Path) -> None:
    rom = tmp_path / "game.md"
    rom.write_bytes(b"game")
    (tmp_path / "Mine-Genesis").mkdir()
    with pytest.raises(SaveError, match="exists already and was not changed; open it, or choose"):
        create_integration(rom, tmp_path, "Mine-Genesis", "Genesis", ".md")
    assert list((tmp_path / "Mine-Genesis").iterdir()) == []


def test_bad_input_makes_no_directory(tmp_path: Path) -> None:
    rom = tmp_path / "game.md"
    rom.write_bytes(b"")
    root = tmp_path / "root"
    with pytest.raises(DocumentError, match="is empty"):
        create_integration(rom, root, None, "Genesis", "md")
    with pytest.raises(DocumentError, match="could not be read"):
        create_integration(tmp_path / "none.md", root, None, "Genesis", "md")
    with pytest.raises(DocumentError, match="cannot be the name"):
        create_integration(rom, root, "../up", "Genesis", "md")
    assert not root.exists()


def test_listing_shows_integrations_only(tmp_path: Path) -> None:
    root = make(tmp_path, rom__md=b"rom").parent
    (root / "Game-Genesis-v0" / "A-2.state").touch()
    (root / "Game-Genesis-v0" / "A.state").touch()
    (root / "Game-Genesis-v0" / "_A.state").touch()
    (root / "unrelated").mkdir()
    (root / ".new-x").mkdir()
    (root / "file.txt").touch()
    (info,) = list_integrations(root)
    assert (info.name, info.system) == ("Game-Genesis-v0", "Genesis")
    assert info.states == ("A", "A-2")
    assert info.rom == root / "Game-Genesis-v0" / "rom.md"
    assert list_integrations(root / "none") == ()
    with pytest.raises(DocumentError, match="could not be listed"):
        list_integrations(root / "file.txt")


def test_a_listing_reads_only_folders_that_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = make(tmp_path, rom__md=b"rom").rename(tmp_path / "Old-Genesis-v0")
    new = make(tmp_path, rom__md=b"rom")
    begun_ns = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: begun_ns + 1_000_000_000_000)
    os.utime(new, ns=(begun_ns, time.time_ns()))
    read: list[Path] = []
    scandir = os.scandir

    def noted(path: str | Path) -> Any:
        read.append(Path(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noted)
    for expected in ([tmp_path, new, old], [tmp_path, new]):
        read.clear()
        assert [info.states for info in list_integrations(tmp_path)] == [(), ()]
        assert read == expected
    before = old.stat()
    (old / "A.state").touch()
    # The tick of the clock takes milliseconds; Windows has no time of the last change.
    while os.name != "nt" and old.stat().st_ctime_ns == before.st_ctime_ns:
        os.utime(old, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [info.states for info in list_integrations(tmp_path)] == [(), ("A",)]
    assert old in read, "a copying program sets the times of folders back"


def test_a_folder_that_is_removed_meanwhile_hides_no_other(tmp_path: Path) -> None:
    first, second, third = (
        make(tmp_path, rom__md=b"rom").rename(tmp_path / f"{name}-Genesis-v0") for name in "ABC"
    )
    listed = iterate_integrations(tmp_path)
    assert next(listed).directory == first
    shutil.rmtree(second)
    assert [info.directory for info in listed] == [third]


@pytest.mark.parametrize("kind", ["script", "state"])
def test_of_two_programs_that_save_at_once_the_second_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    (tmp_path / "data.json").write_text('{"info": {}}')
    (tmp_path / "reward.lua").write_text("-- 0")
    loaded, looked = threading.Barrier(2), threading.Barrier(2, timeout=0.5)
    check = Integration._check

    def look_together(integration: Integration, target: Path, *, force: bool) -> None:
        check(integration, target, force=force)
        with contextlib.suppress(threading.BrokenBarrierError):
            looked.wait()  # broken where the second may not look before the first has written

    monkeypatch.setattr(Integration, "_check", look_together)

    def save(value: int) -> str:
        integration = load_integration(tmp_path)
        if kind == "script":
            integration.scripts["reward.lua"] = f"-- {value}"
        else:
            integration.write_state("New", bytes([value]))
        loaded.wait()
        try:
            integration.save()
        except ChangedOnDiskError:
            return "refused"
        return "saved"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(save, (2, 3))) == ["refused", "saved"]
