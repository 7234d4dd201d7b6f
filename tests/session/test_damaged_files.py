"""Damaged journals, drafts, zips and choices for games, whose checksums may be right."""

from __future__ import annotations

import contextlib
import hashlib
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.domain.roms import RomIndex
from integrator.session.journal.drafts import pending_drafts
from integrator.session.journal.journal_file import journal_dir, read_records, recoverable
from integrator.session.library.rom_import import ImportOutcome, RomImport
from integrator.session.opening import open_session, plan_session
from integrator.session.recovery import recover_from
from integrator.session.setup.content import prepare_content
from integrator.session.setup.plan import OptionStore
from integrator.session.setup.roots import systems
from libretro_host.errors import HostError
from scripts.campaign.archives import Member, build_zip

pytestmark = pytest.mark.usefixtures("own_home")

ROWS = struct.pack("<2H", 0, 1)
INPUT, JUMP, _, BACK = range(4)


def record(kind: int, values: bytes, data: bytes) -> bytes:
    payload = struct.pack("<I", len(values)) + values + data
    return struct.pack("<BII", kind, len(payload), zlib.crc32(payload)) + payload


def write_journal(header: dict[str, object], *records: bytes) -> Path:
    path = journal_dir() / "game-1-1.journal"
    path.parent.mkdir(parents=True, exist_ok=True)
    numbers = {"players": 1, "columns": 1, "fps": 60.0}
    texts = {"game": str(demo_game()), "directory": str(demo_game()), "core": "x", "core_path": "x"}
    value = numbers | texts | {"system": "Nes", "state": None, "scenario": None} | header
    head = b"retro-integrator journal 1\n" + json.dumps(value).encode() + b"\n"
    path.write_bytes(head + b"".join(records))
    return path


def short(value: object) -> str:
    """The name of an example in a test's name, which may not be megabytes long."""
    return ascii(value)[:24]


@pytest.mark.parametrize(
    "values",
    [b"", b"{", b"[]", b"7", b"\xff", b"NaN", b"[" * 50_000, b'{"a":' * 300],
    ids=short,
)
def test_a_record_that_we_did_not_write_ends_the_journal(values: bytes) -> None:
    whole, crafted = record(INPUT, b"{}", ROWS), record(INPUT, values, ROWS)
    path = write_journal({}, whole, crafted, whole)
    [found] = recoverable()
    assert found.frames == 2
    assert len(list(read_records(path))) == 1


@pytest.mark.parametrize(
    "header",
    [
        {"players": "A"}, {"players": 0}, {"players": 10**30}, {"players": {}},
        {"fps": "nan"}, {"fps": -1}, {"fps": "x" * 5000}, {"fps": float("inf")},
    ],
    ids=short,
)  # fmt: skip
def test_a_journal_with_an_impossible_header_is_removed(header: dict[str, object]) -> None:
    path = write_journal(header, record(INPUT, b"{}", ROWS))
    assert recoverable() == []
    assert not path.exists()


@pytest.fixture(scope="module")
def state() -> bytes:
    with open_session(demo_game(), isolated=False) as session:
        session.reset()
        return zlib.compress(session.save_state(), 1)


@pytest.mark.parametrize(
    "crafted",
    [
        lambda state: record(JUMP, b"{}", state),
        lambda state: record(JUMP, b'{"kind": "state", "episode_frame": -1, "totals": []}', state),
        lambda state: record(JUMP, b'{"kind": "state", "episode_frame": {}, "totals": []}', state),
        lambda state: record(
            JUMP, b'{"kind": "state", "episode_frame": 0, "totals": [0, 0, 0]}', state
        ),
        lambda state: record(JUMP, b'{"kind": "x", "episode_frame": 0, "totals": []}', state),
        lambda _: record(JUMP, b'{"kind": "state", "episode_frame": 0, "totals": []}', b"x"),
        lambda state: record(
            JUMP, b'{"kind": "state", "episode_frame": 0, "totals": []}', state[:-9]
        ),
    ],
)
def test_a_crafted_state_is_told_and_starts_nothing(
    crafted: Callable[[bytes], bytes], state: bytes
) -> None:
    path = write_journal({}, crafted(state), record(INPUT, b"{}", ROWS))
    with pytest.raises(SessionError, match="the journal is damaged"):
        recover_from(path, isolated=False)
    assert path.exists(), "what cannot be read now may be read by another version"


def test_crafted_rows_and_returns_are_told(state: bytes) -> None:
    sound = record(JUMP, b'{"kind": "state", "episode_frame": 0, "totals": []}', state)
    for crafted in (record(INPUT, b"{}", ROWS[:3]), record(BACK, b'{"frame": []}', b"")):
        path = write_journal({}, sound, crafted)
        with pytest.raises(SessionError, match="the journal is damaged"):
            recover_from(path, isolated=False)


@pytest.mark.parametrize(
    "directory", ["a\0b", "", "relative", "/x/" + "y" * 5000, "/\ud800"], ids=short
)
def test_a_draft_of_an_impossible_directory_is_none(directory: str, own_home: Path) -> None:
    _draft(own_home, directory, {"data.json": {"text": "{}", "base": None}})
    assert pending_drafts() == ()


@pytest.mark.parametrize(
    "name", ["a\0b.json", "", "..", "x" * 300, "a/b.lua", "\ud800.lua"], ids=short
)
def test_a_draft_of_an_impossible_file_is_none(name: str, own_home: Path) -> None:
    _draft(own_home, str(own_home), {name: {"text": "{}", "base": None}})
    assert pending_drafts() == ()


def test_a_draft_that_no_file_can_hold_is_offered(own_home: Path) -> None:
    _draft(own_home, str(own_home), {"s.lua": {"text": "-- \ud800", "base": None}})
    [draft] = pending_drafts()
    assert draft.files["s.lua"].text == "-- \ud800"


def _draft(home: Path, directory: str, files: dict[str, object]) -> None:
    folder = home / "cache" / "retro-integrator" / "drafts"
    folder.mkdir(parents=True)
    value = {"format": 1, "directory": directory, "files": files}
    name = hashlib.sha256(directory.encode("utf-8", "replace"))
    (folder / f"{name.hexdigest()[:32]}.0123456789ab.json").write_text(json.dumps(value))


@pytest.mark.parametrize(
    "member",
    [
        Member(b"", b"x"),
        Member(b"game.nes\xfb", b"x", flags=0x800),
        Member(b"game.nes", b"NES\x1a" + bytes(100), method=14, size=40, crc=0),
        Member(b"game.nes", b"x", packed_size=0x7FFFFFFF),
        Member(b"game.nes", b"x", flags=1),
        Member(b"inner.zip", b"PK\5\6" + bytes(18)),
    ],
    ids=range(6),
)
def test_a_crafted_zip_is_missed_or_refused(tmp_path: Path, member: Member) -> None:
    path = tmp_path / "game.zip"
    path.write_bytes(build_zip([member, Member(b"readme.txt", b"")]))
    results = list(RomImport(RomIndex((), {"nes": "Nes"}, ()), systems(), tmp_path).take(path))
    assert all(
        result.outcome in {ImportOutcome.MISSED, ImportOutcome.NO_GAME} for result in results
    )
    assert all("\n" not in result.reason for result in results)
    with contextlib.suppress(SessionError, HostError):
        assert prepare_content(path, systems(), tmp_path / "cache", systems()["Nes"]).path.is_file()


@pytest.mark.parametrize("name", [b"x" * 3000 + b".nes", b"folder/../.nes.nes"], ids=short)
def test_a_game_whose_name_no_file_can_have_is_opened(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / "game.zip"
    path.write_bytes(build_zip([Member(name, b"NES\x1a" + bytes(100))]))
    content = prepare_content(path, systems(), tmp_path / "cache")
    assert content.system.name == "Nes"
    assert (tmp_path / "cache") in content.path.parents


@pytest.mark.parametrize("target", ["game.nes", "nowhere"])
def test_a_link_to_nothing_is_no_game(tmp_path: Path, target: str) -> None:
    path = tmp_path / "game.nes"
    path.symlink_to(tmp_path / target)
    with pytest.raises(SessionError, match=r"game\.nes"):
        prepare_content(path, systems(), tmp_path / "cache", systems()["Snes"])


@pytest.mark.parametrize(
    "text", ["[" * 50_000, "NaN", '{"games": 1e999}', "\0", '{"games": 7}'], ids=short
)
def test_damaged_choices_name_their_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "core-options.json"
    path.write_text(text)
    with pytest.raises(SessionError, match=r"core-options\.json.*correct or remove"):
        OptionStore(path).options("Game", "core")


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"], ids=short)
def test_a_path_that_no_file_can_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SessionError, match="check the path"):
        plan_session(tmp_path / name)
