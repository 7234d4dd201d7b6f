"""``integrator suggest``, ``ends``, ``prove``, ``search`` find the numbers of Ember Moth."""

import json
import struct
from base64 import b64decode
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from integrator.cli import run as main
from integrator.commands.finding import played
from integrator.commands.shared.options import DEMO_GAME, demo_game
from integrator.domain.search.operators import OPERATORS, SearchOp
from integrator.domain.suggest.suggestion import KINDS, KindName

SCORE, LIVES, GAME_OVER = 0x306, 0x302, 0x300


@pytest.fixture(scope="module")
def movies(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("movies")
    words = ["--agent", "random", "--episodes", "3", "--seed", "1", "--out", str(folder), "--json"]
    assert main(["agents", DEMO_GAME, *words]) == 0
    return str(folder)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_minute_of_play_suggests_the_score(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "suggest", DEMO_GAME, "--kind", "score")["suggestions"]
    assert {each["kind"] for each in found} == {"score"}
    assert (SCORE, ">d3") in [(each["address"], each["type"]) for each in found]
    read = next(each for each in found if each["address"] == SCORE)
    x, y, width, height = read["box"]
    assert width >= 6 * height
    for each in read["seen"]:
        crop = b64decode(each["png"])
        assert crop.startswith(b"\x89PNG")
        # A margin of two pixels is around the box, where the picture goes on.
        size = struct.unpack(">II", crop[16:24])
        assert size == (width + min(x, 2) + 2, height + min(y, 2) + 2)
    assert len({each["value"] for each in read["seen"]}) == 3


def test_a_minute_of_a_rom_begins_with_presses_that_leave_its_title() -> None:
    with played([demo_game() / "rom.nes"]) as (session, ends):
        inputs, names = session.timeline.log.inputs()[:, 0], session.system.buttons
        # A reset takes a frame of its own.
        assert (ends, session.timeline.log.length) == ((), 1 + 600 + 3600)
        starts = np.flatnonzero(inputs & (1 << names.index("START")))
        assert len(starts)
        assert starts.max() <= 601


def test_movies_end_where_the_game_is_over(movies: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "ends", movies)["ends"]
    exact = [each for each in found if each["late"] == [0, 0, 0] and not each["false_alarms"]]
    assert "game_over" in [test["variable"] for each in exact for test in each["tests"]]


def test_variables_and_addresses_are_proven(
    movies: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = told(capsys, "prove", movies, "--of", "lives", "--of", f"{SCORE:#x}:>d3")[
        "verdicts"
    ]
    assert (one["address"], one["ruling"]) == (LIVES, "original")
    assert (other["address"], other["type"], other["ruling"]) == (SCORE, ">d3", "copy")


def test_facts_of_a_movie_name_the_number(movies: str, capsys: pytest.CaptureFixture[str]) -> None:
    [movie, *_] = sorted(Path(movies).rglob("*.bk2"))
    play = told(capsys, "play", str(movie), "--game", DEMO_GAME)
    last = play["movies"][0]["frames"]
    facts = ["--fact", f"1..{last}: 3 -> 0", "--fact", f"1..{last} only falls"]
    found = told(capsys, "search", str(movie), *facts)
    assert LIVES in [
        place["address"] for each in found["matches"] for place in (each, *each["copies"])
    ]


@pytest.mark.parametrize("words", [["search", "--fact", "3 = 1"], ["reward"]])
def test_doubts_about_a_movie_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    movie = tmp_path / "a.fm2"
    movie.write_text("version 3\nsavestate 00ff\n" + "|0|R.......||\n" * 5)
    assert main([*words, str(movie), "--game", str(demo_game()), "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == (
        "a.fm2: it starts from an FCEUX savestate, which libretro cores cannot load\n"
    )
    assert json.loads(said.out)


def test_type_checkers_know_all_names() -> None:
    assert get_args(SearchOp) == tuple(OPERATORS)
    assert get_args(KindName) == tuple(KINDS)
