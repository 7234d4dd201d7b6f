"""FCEUX movies: header, ports, commands, and refusals."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import Movie, MovieConsole, MovieEvent
from integrator.domain.movies.reading import read_movie

NES = ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A")
ONE_BUTTON_ROWS = [f"|0|{'.' * i}{c}{'.' * (7 - i)}|........||" for i, c in enumerate("RLDUTSBA")]


def read(folder: Path, *lines: str) -> Movie:
    path = folder / "a.fm2"
    path.write_bytes("\r\n".join(lines).encode())
    return read_movie(path, {"Nes": MovieConsole(NES)})


def test_each_button(tmp_path: Path) -> None:
    movie = read(tmp_path, "version 3", "port0 1", "port1 1", "port2 0", *ONE_BUTTON_ROWS)
    pressed = [NES[int(mask).bit_length() - 1] for mask in movie.inputs[:, 0]]
    assert pressed == ["RIGHT", "LEFT", "DOWN", "UP", "START", "SELECT", "B", "A"]
    assert not movie.inputs[:, 1].any()
    assert (movie.format, movie.system, movie.state) == ("fm2", "Nes", None)


def test_header_blank_and_unusual_characters(tmp_path: Path) -> None:
    movie = read(
        tmp_path,
        "version 3",
        "romFilename Some Game (U)",
        "comment author Me",
        "comment more",
        "port0 1",
        "port1 0",
        "|0|x      A|||",
    )
    assert movie.inputs.tolist() == [[1 << 7 | 1 << 8]]
    assert movie.game == "Some Game (U)"
    assert movie.header["comment"] == "author Me"


def test_the_checksum_of_the_rom(tmp_path: Path) -> None:
    digest = hashlib.md5(b"rom", usedforsecurity=False)
    checksum = "base64:" + base64.b64encode(digest.digest()).decode()
    assert read(tmp_path, "version 3", f"romChecksum {checksum}", "|0|........||").rom_hash == (
        digest.hexdigest()
    )
    for damaged in ("base64:", "base64:AAAA", "?", "base64:***"):
        assert not read(tmp_path, "version 3", f"romChecksum {damaged}", "|0|........||").rom_hash


def test_resets(tmp_path: Path) -> None:
    rows = [f"|{n}|........|........||" for n in (0, 1, 2, 4, 12)]
    movie = read(tmp_path, "version 3", "port1 1", *rows)
    assert movie.events == (MovieEvent(1, "reset"), MovieEvent(2, "power"))
    assert movie.warnings == {"used, but no input of this system: commands for disks or coins": 3}
    assert not read(tmp_path, "version 3", "port1 1", *rows[:3]).warnings


def test_a_movie_of_a_pal_console_is_told(tmp_path: Path) -> None:
    for flag, doubts in (("0", 0), ("1", 1)):
        movie = read(tmp_path, "version 3", f"palFlag {flag}", "|0|........||")
        assert [text for text in movie.warnings if "PAL" in text] == list(movie.warnings)
        assert len(movie.warnings) == doubts


def test_four_score(tmp_path: Path) -> None:
    row = "|0|.......A|......B.|.....S..|....T...||"
    movie = read(tmp_path, "version 3", "fourscore 1", row)
    assert movie.inputs.tolist() == [[256, 1, 4, 8]]


def test_only_the_second_port(tmp_path: Path) -> None:
    movie = read(tmp_path, "version 3", "port0 0", "port1 1", "|0||.......A||")
    assert movie.inputs.tolist() == [[0, 256]]


def test_a_long_savestate_is_named_in_a_warning(tmp_path: Path) -> None:
    movie = read(tmp_path, "version 3", "savestate base64:" + "A" * 500_000, "|0|........||")
    assert "savestate" in next(iter(movie.warnings))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["hello", "|0|........||"], "begin with a version"),
        (["version 3"], "no row"),
        (["version 3", "binary 1", "|0"], "binary"),
        (["version 3", "port0 2", "|0|001 002 0 0 0||"], "device 2"),
        (["version 3", "|0|........||", "|0|.......||"], "row 1 .*has 7 columns.*8"),
        (["version 3", "|0|........||", "|x|........||"], "row 1 .*has no number"),
        (["version 3", "|0|........||", "|0|......."], "row 1 .*cut off"),
        (["version 3", "|99999999999999|........||"], "row 0 .*has no number"),
        (["version 3", "port1 1", "|0|........||"], "row 0 .*has 8 columns.*16"),
    ],
)
def test_refused(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(MovieError, match=message) as raised:
        read(tmp_path, *lines)
    assert "a.fm2" in str(raised.value)


def test_without_the_console(tmp_path: Path) -> None:
    (tmp_path / "a.fm2").write_text("version 3\n|0|........||\n")
    with pytest.raises(MovieError, match="Nes"):
        read_movie(tmp_path / "a.fm2", {"Genesis": MovieConsole(NES)})
