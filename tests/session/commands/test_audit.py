"""``integrator audit`` on the demo game: planted traps are found, the honest game has none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from integrator import paths
from integrator.cli import app
from integrator.cli import run as main
from integrator.commands.audit import audit as find_traps
from integrator.domain.errors import MovieError, SessionError
from integrator.session import audit as session_audit
from integrator.session.opening import open_session
from integrator.session.setup.roots import find_integration

OVER = {"game_over": {"op": "equal", "reference": 1}}
SCORE = {"score": {"reward": 1.0}}
FRAMES = 1200


def made_game(folder: Path, done: dict[str, Any], reward: dict[str, Any]) -> Path:
    game = folder / "EmberMoth-Nes-v0"
    shutil.copytree(paths.shipped("data") / game.name, game)
    scenario = {"done": {"variables": done}, "reward": {"variables": reward}}
    (game / "scenario.json").write_text(json.dumps(scenario))
    return game


@pytest.fixture(scope="module")
def movies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Movies of buttons held at random, whose inputs are the same whatever is rewarded."""
    folder = tmp_path_factory.mktemp("movies")
    with open_session(made_game(folder, OVER, SCORE), isolated=False) as session:
        for seed in (1, 2):
            random = np.random.default_rng(seed)
            masks = np.repeat(random.choice([16, 32, 64, 128, 256], FRAMES // 20), 20)
            session.reset()
            session.record(folder / f"random-{seed}.bk2")
            session.run(masks.astype(np.uint16)[:, np.newaxis])
            session.stop_recording()
    return folder / "random-1.bk2", folder / "random-2.bk2"


def audit(*arguments: str | Path) -> tuple[int, dict[str, Any]]:
    result = CliRunner().invoke(app, ["audit", *map(str, arguments), "--json", "--jobs", "1"])
    [game] = json.loads(result.stdout)["games"]
    return result.exit_code, game


@pytest.mark.parametrize(
    ("done", "reward", "kind", "term"),
    [
        (OVER, {"x": {"reward": 1.0}}, "repaid", "x"),
        ({}, SCORE, "done-missed", ""),
        (OVER, {"score": {"reward": -1.0}}, "wrong-sign", "score"),
    ],
    ids=["repaid", "done-missed", "wrong-sign"],
)
def test_a_planted_trap_is_found_in_movies(
    tmp_path: Path,
    movies: tuple[Path, Path],
    done: dict[str, Any],
    reward: dict[str, Any],
    kind: str,
    term: str,
) -> None:
    game = made_game(tmp_path, done, reward)
    for movie in movies:
        shutil.copy(movie, tmp_path)
    code, report = audit(tmp_path, "--game", game, "--no-probes")
    assert code == 1
    assert {(trap["kind"], trap["term"]) for trap in report["traps"] if trap["is_serious"]} == {
        (kind, term)
    }
    assert [play["frames"] for play in report["plays"]] == [FRAMES + 1] * 2


def test_the_honest_game_has_no_trap_but_remarks_about_two_buttons(tmp_path: Path) -> None:
    game = made_game(tmp_path, OVER, SCORE)
    code, report = audit(game)
    assert code == 0
    pays, useless = report["traps"]
    assert (pays["kind"], useless["kind"]) == ("reward-without-input", "no-effect")
    assert "with DOWN held from the start" in pays["evidence"]
    assert not pays["is_serious"]
    assert "absolute" not in pays["cure"]
    assert "B changed nothing" in useless["evidence"]
    assert "nothing pressed" in {play["source"] for play in report["plays"]}


def test_a_damaged_movie_is_told_and_others_are_audited(
    tmp_path: Path, movies: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    game = made_game(tmp_path, OVER, SCORE)
    movie, damaged = Path(shutil.copy(movies[0], tmp_path)), tmp_path / "a.bk2"
    damaged.write_bytes(movie.read_bytes()[:300])
    code, report = audit(tmp_path, "--game", game, "--no-probes")
    assert code == 1
    assert [(bool(play["error"]), play["frames"]) for play in report["plays"]] == [
        (True, 0),
        (False, FRAMES + 1),
    ]
    assert main(["audit", str(damaged), "--game", str(game), "--no-probes", "--jobs", "1"]) == 1
    printed = capsys.readouterr().out
    assert printed.count(str(damaged)) == 1
    assert "in 0 frames of 1 play\n" in printed
    with pytest.raises(MovieError, match="cut off"):
        find_traps([damaged])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scenario.json", '{"reward": {"variables": {"nothing": {"reward": 1}}}}'),
        ("script.lua", "this is no Lua"),
    ],
    ids=["unknown variable", "script"],
)
def test_a_scenario_that_cannot_score_is_one_line_and_is_not_played(
    tmp_path: Path, movies: tuple[Path, Path], name: str, text: str
) -> None:
    game = made_game(tmp_path, OVER, SCORE)
    shutil.copy(movies[0], tmp_path)
    (game / name).write_text(text)
    if name == "script.lua":
        scenario = {"reward": {"script": "lua:reward"}, "scripts": [name]}
        (game / "scenario.json").write_text(json.dumps(scenario))
    code, report = audit(tmp_path, "--game", game)
    assert code == 1
    [play] = report["plays"]
    assert play["error"]
    assert play["frames"] == 0


@pytest.mark.usefixtures("one_process")
def test_json_says_serious_or_remark_and_the_advice_fits_the_term(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_audit, "PROBE_FRAMES", 600)
    monkeypatch.setattr(session_audit, "_MOMENTS", 3)
    lives = {"lives": {"reward": 1.0, "measurement": "absolute"}}
    game = made_game(tmp_path, OVER, lives)
    (game / "Level2.state").unlink()
    _, report = audit(game)
    severities = {trap["kind"]: trap["severity"] for trap in report["traps"]}
    assert severities["reward-without-input"] == "serious"
    assert severities["no-effect"] == "remark"
    cures = {trap["term"]: trap["cure"] for trap in report["traps"]}
    assert "lives has measurement absolute" in cures["lives"]


def test_a_movie_whose_game_has_no_rom_names_the_option(
    tmp_path: Path, movies: tuple[Path, Path]
) -> None:
    game = made_game(tmp_path, OVER, SCORE)
    movie = Path(shutil.copy(movies[0], tmp_path))
    (game / "rom.nes").unlink()
    assert find_integration(game.name, movie).name == game.name  # the one that is shipped
    other = game.rename(tmp_path / "Other-Nes-v0")
    with pytest.raises(SessionError, match=r"Other-Nes-v0: no ROM in it; .* with --game DIR"):
        find_integration(other.name, movie)
    assert find_integration("EmberMoth-Nes-v0").name == game.name


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["audit", str(tmp_path)])
    assert result.exit_code == 1
    assert "there is no movie in it, and it is no integration" in str(result.exception)
