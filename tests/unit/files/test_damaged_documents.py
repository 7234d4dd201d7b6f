"""Damaged files of the domain: a typed error of one line, whatever they hold."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from integrator import paths
from integrator.domain.errors import (
    DocumentError,
    DomainError,
    MovieError,
    ScriptError,
    SearchError,
)
from integrator.domain.files.jsontext import (
    MAX_CONTAINERS,
    MAX_VALUES,
    JsonSyntaxError,
    parse_json,
)
from integrator.domain.findings import Finding, Severity
from integrator.domain.integration.directory import list_integrations, load_integration
from integrator.domain.lint.lint import LintOptions, SchemaSet, lint
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.reading import read_movie
from integrator.domain.roms import known_games
from integrator.domain.search.search import Search
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.session.setup.game import read_start_state
from libretro_host.errors import LONGEST_MESSAGE
from scripts.campaign.archives import Member, build_zip

NES = {
    "Nes": MovieConsole(
        ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A"), platform="NES"
    )
}
LOG = b"[Input]\nP1 A|P1 B|\n|..|.........|\n[/Input]"
HEADER = b"MovieVersion Retro\nPlatform NES\nGameName Game\n"


def short(value: object) -> str:
    """The name of an example in a test's name, which may not be megabytes long."""
    return ascii(value)[:24]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    game = tmp_path / "Game-Nes"
    game.mkdir()
    (game / "data.json").write_text("{}")
    return game


@contextmanager
def nobody() -> Iterator[None]:
    """As a user who owns no file, where the tests run as root, who may read everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_message_is_one_line_and_ends_with_its_cure() -> None:
    error = DocumentError("f.json: " + "x" * 5000 + "\n\0\u2028\ud800; correct it")
    assert len(str(error)) < LONGEST_MESSAGE + 60
    assert str(error).startswith("f.json: xxx")
    assert str(error).endswith(r"x\n\x00\u2028\ud800; correct it")
    assert str(SearchError("plain\ttext")) == r"plain\ttext"


def test_a_script_error_keeps_the_lines_of_its_stack() -> None:
    lines = str(ScriptError("s.lua:1: " + "x" * 5000 + "\na\n" * 100)).split("\n")
    assert len(lines) <= 30
    assert lines[1] == "a"
    assert max(map(len, lines)) < LONGEST_MESSAGE + 60


def test_a_finding_shows_no_more_than_a_line(game: Path) -> None:
    finding = Finding("state-damaged", Severity.ERROR, game, "a\nb" + "x" * 5000)
    assert finding.message.startswith(r"a\nbx")
    assert len(str(finding)) < LONGEST_MESSAGE + 300


@pytest.mark.parametrize(
    "text",
    ["NaN", "[-Infinity]", "1e999", "9" * 5000, "[" * 50_000, "[" * 102 + "]" * 102, b"\xff", ""],
    ids=short,
)
def test_json_that_is_none_is_one_error(text: str | bytes) -> None:
    with pytest.raises(JsonSyntaxError):
        parse_json(text)


def test_json_may_be_nested_as_deep_as_documents() -> None:
    assert parse_json("[" * 101 + "]" * 101)
    assert parse_json(b'\xef\xbb\xbf{"a": 1.5}') == {"a": 1.5}


@pytest.mark.parametrize(
    "member",
    [
        Member(b"\xff\xfe", b"", flags=0x800),
        Member(b"Header.txt\xfb", b"", flags=0x800),
        Member(b"", b""),
        Member(b"x" * 60_000, b""),
        Member(b"Core.bin", b"state", method=14),
        Member(b"Core.bin", b"state", method=0xFFFF),
        Member(b"Core.bin", b"state", extra=b"\1\0\x10"),
        Member(b"Core.bin", b"state", size=0xFFFFFFFF),
        Member(b"Core.bin", b"state", crc=1),
        Member(b"Integrator.json", b"[" * 50_000),
        Member(b"Integrator.json", b"NaN"),
    ],
    ids=range(11),
)
def test_a_crafted_movie_is_read_or_refused(tmp_path: Path, member: Member) -> None:
    path = tmp_path / "movie.bk2"
    members = [Member(b"Header.txt", HEADER), Member(b"Input Log.txt", LOG), member]
    path.write_bytes(build_zip(members))
    with contextlib.suppress(MovieError):
        assert read_movie(path, NES).frames == 1


def test_an_error_of_a_movie_never_shows_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "movie.bk2"
    data = build_zip([Member(b"Header.txt", HEADER), Member(b"Input Log.txt", LOG)])
    at = data.index(b"Input Log.txt") - 4
    path.write_bytes(data[:at] + b"\xff\xff" + data[at + 2 :] + bytes(70_000))
    with pytest.raises(MovieError) as caught:
        read_movie(path, NES)
    assert len(str(caught.value)) < LONGEST_MESSAGE + 60


@pytest.mark.parametrize("name", ["x" * 300, "\ud800", "a\0b", "..", "é" * 130], ids=short)
def test_a_default_state_no_file_can_have_is_told(game: Path, name: str) -> None:
    integration = load_integration(game)
    integration.metadata.value["default_state"] = name
    with pytest.raises(DocumentError, match="cannot be the name of a state"):
        read_start_state(integration, name, "")
    options = LintOptions(SchemaSet(paths.shipped("resources") / "schemas"), {})
    assert "default-state-missing" in {finding.code for finding in lint(integration, options)}


@pytest.mark.parametrize("name", ["x" * 300, "\ud800", "a\0b", "..", ""], ids=short)
def test_a_rom_name_no_file_can_have_is_none(game: Path, name: str) -> None:
    integration = load_integration(game)
    integration.metadata.value["original_rom_name"] = name
    assert integration.rom is None


def test_an_unreadable_rom_sha_is_a_finding_and_hides_no_other_game(game: Path) -> None:
    (game / "rom.sha").mkdir()
    other = game.with_name("Other-Nes")
    other.mkdir()
    (other / "rom.sha").write_text("AB cd\n")
    integration = load_integration(game)
    with pytest.raises(DocumentError, match=r"rom\.sha"):
        _ = integration.rom_sha
    options = LintOptions(SchemaSet(paths.shipped("resources") / "schemas"), {})
    assert "sha-unreadable" in {finding.code for finding in lint(integration, options)}
    assert [(known.name, known.shas) for known in known_games([game.parent])] == [
        ("Other-Nes", ("ab", "cd"))
    ]


def test_directories_without_the_right_to_enter_them() -> None:
    # Not in tmp_path, which only its owner may enter.
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("Closed-Nes", "Open-Nes"):
            (root / name).mkdir()
            (root / name / "data.json").write_text("{}")
        root.chmod(0o755)
        (root / "Closed-Nes").chmod(0)
        with nobody():
            assert [info.name for info in list_integrations(root)] == ["Open-Nes"]
            with pytest.raises(DocumentError, match="Permission denied"):
                load_integration(root / "Closed-Nes")
        (root / "Closed-Nes").chmod(0o700)


@pytest.mark.parametrize("text", ["Infinity", "[" * 50_000, '"\\ud800"', "1e999"], ids=short)
@pytest.mark.parametrize("key", ["version", "alignment", "types", "memory", "history"])
def test_a_saved_search_of_nonsense_is_refused(key: str, text: str) -> None:
    space = AddressSpace([Region(0, 16)])
    saved = '{"format": "integrator-search", "version": 1, "regions": [[0, 16]], '
    saved += f'"name": "", "scales": false, "candidates": [], "{key}": {text}}}'
    with pytest.raises(DomainError):
        Search.from_json(saved, space, lambda: np.zeros(space.size_bytes, np.uint8))


@pytest.mark.parametrize("scale", [[3, 0, 0], [0, 1, 0], [1, -1, 0]])
def test_a_saved_search_whose_scale_no_number_has_is_refused(scale: list[int]) -> None:
    space = AddressSpace([Region(0, 16)])
    ram = np.zeros(16, np.uint8)
    search = Search(space, [DataType.parse("|u1")], lambda: ram)
    search.refine("equal", 0)
    saved = json.loads(search.to_json())
    assert saved["candidates"]
    saved["candidates"][0]["scales"] = [scale]
    with pytest.raises(SearchError, match="scale"):
        Search.from_json(json.dumps(saved), space, lambda: ram)


def test_files_of_more_values_than_anybody_waits_for_are_refused_at_once(game: Path) -> None:
    (game / "data.json").write_text("[" + "0, " * MAX_VALUES + "0]")
    with pytest.raises(DocumentError, match="more than 50,000 values"):
        load_integration(game)
    with pytest.raises(JsonSyntaxError, match="lists and objects"):
        parse_json("[" + "{}, " * MAX_CONTAINERS + "0]")
    assert parse_json("[[], {}]", most_containers=3) == [[], {}]


def test_half_a_surrogate_pair_in_a_script_is_told_before_anything_is_saved(game: Path) -> None:
    integration = load_integration(game)
    integration.metadata.value["saved"] = True
    integration.scripts["s.lua"] = "-- \ud800"
    with pytest.raises(DocumentError, match="half of a surrogate pair"):
        integration.save()
    assert [path.name for path in game.iterdir()] == ["data.json"]
