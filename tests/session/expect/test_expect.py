"""Movies of the demo game with expectations: replayed, compared, and accepted after an edit."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from integrator.cli import app
from integrator.commands.demo import PlayScript
from integrator.commands.shared.options import demo_game
from integrator.domain.findings import Finding
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.expectations import Expectation, ExpectedKind
from integrator.paths import shipped
from integrator.session.expect import Played, expectation_findings, judge, usual_expectations
from integrator.session.opening import open_session

pytestmark = pytest.mark.usefixtures("own_home", "few_moments")
START_FRAME = 184
FRAMES = 900
TOTAL = 2
MOVIE = "play.bk2"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo game with a movie of it, and expectations of all of it."""
    game = Path(shutil.copytree(demo_game(), tmp_path_factory.mktemp("games") / demo_game().name))
    with open_session(game) as session:
        source = shipped("resources") / "demo-game" / "input-script.json"
        script = PlayScript.load(source, session.system.buttons)
        session.reset()
        session.record(game / MOVIE)
        session.run(script.inputs[START_FRAME : START_FRAME + FRAMES - 1])
        session.stop_recording()
        played = Played.of(session, 1, FRAMES + 1)
        lives = Expectation(MOVIE, ExpectedKind.VARIABLE, 600, 600, None, "lives")
        wanted = usual_expectations(MOVIE, 1, FRAMES, played, "scenario")
        wanted.append(replace(lives, value=int(played.column("lives")[599])))
    integration = load_integration(game)
    integration.expectations.add(wanted)
    integration.save()
    return game


@pytest.fixture
def game(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / made.name))


def check(game: Path, *, accept: bool = False) -> list[Finding]:
    return list(expectation_findings(load_integration(game), accept=accept))


def edit(game: Path, file: str, change: Any) -> None:
    value = json.loads((game / file).read_text())
    change(value)
    (game / file).write_text(json.dumps(value, indent=2))


def test_all_is_as_expected(game: Path) -> None:
    entries = load_integration(game).expectations.entries
    total = entries[TOTAL]
    assert len(entries) == 4
    assert total is not None
    assert isinstance(total.value, int)
    assert total.value > 0
    assert check(game) == []


def test_a_change_of_the_reward_names_its_first_frame_and_can_be_accepted(game: Path) -> None:
    entries = load_integration(game).expectations.entries
    assert entries[1] is not None
    changes = entries[1].value
    assert isinstance(changes, list)
    first = next(pair for pair in changes if isinstance(pair, list) and pair[1])
    assert isinstance(first, list)
    edit(game, "scenario.json", lambda v: v["reward"]["variables"]["score"].update(reward=2.0))
    found = check(game)
    assert [f.path for f in found] == ["expectations[1]", "expectations[2]"]
    assert {f.code for f in found} == {"expectation-failed"}
    assert f"frame {first[0]:,}: {2 * int(str(first[1]))} instead of {first[1]}" in found[0].message
    assert all(f.line > 0 for f in found)
    assert check(game, accept=True) == []
    assert check(game) == []
    after = load_integration(game).expectations.entries[TOTAL]
    total = entries[TOTAL]
    assert total is not None
    assert after == replace(total, value=2 * int(str(total.value)))


def test_done_and_variables_are_compared(game: Path) -> None:
    edit(
        game,
        "scenario.json",
        lambda v: v.update(done={"variables": {"score": {"op": "positive"}}}),
    )
    edit(game, "data.json", lambda v: v["info"]["lives"].update(address=0))
    found = check(game)
    assert [f.path for f in found] == ["expectations[0]", "expectations[3]"]
    assert "instead of no frame" in found[0].message
    assert found[1].message == "lives of play.bk2: frame 600: 0 instead of 1"


def test_expectations_that_can_not_be_compared(game: Path) -> None:
    damages: dict[str, dict[str, object]] = {
        "is beyond": {"last": FRAMES + 7, "value": None},
        "there is no 2": {"player": 2},
        "gone.bk2": {"movie": "gone.bk2"},
        "no scenario 'gone'": {"scenario": "gone"},
        "'lost'": {"expect": "variable", "variable": "lost", "value": 1},
        "no expectation": {"expect": "luck"},
    }

    def damage(value: Any) -> None:
        good = value["expectations"][0]
        value["expectations"] = [good | change for change in damages.values()]

    edit(game, "expectations.json", damage)
    found = {f.path: f for f in check(game)}
    assert {f.code for f in found.values()} == {"expectation-not-checked"}
    for index, message in enumerate(damages):
        assert message in found[f"expectations[{index}]"].message


def test_a_damaged_file_of_expectations_fails_the_check_and_stays(game: Path) -> None:
    file = game / "expectations.json"
    file.write_text('{"expectations": [{"movie":')
    arguments = ["check", str(game), "--json", "--jobs", "1", "--accept"]
    ran = CliRunner().invoke(app, arguments)
    found = {f["code"]: f for f in json.loads(ran.stdout)["findings"]}
    assert ran.exit_code == 1
    assert "no expectation is checked" in found["expectation-not-checked"]["message"]
    assert file.read_text() == '{"expectations": [{"movie":'


@pytest.mark.usefixtures("one_process")
def test_the_command_checks_them_and_accepts(game: Path) -> None:
    edit(game, "scenario.json", lambda v: v["reward"]["variables"]["score"].update(reward=2.0))
    arguments = ["check", str(game), "--json", "--jobs", "1"]
    ran = CliRunner().invoke(app, arguments)
    codes = [f["code"] for f in json.loads(ran.stdout)["findings"]]
    assert (ran.exit_code, codes.count("expectation-failed")) == (1, 2)
    ran = CliRunner().invoke(app, [*arguments, "--accept"])
    assert ran.exit_code == 0
    assert check(game) == []


def test_a_movie_that_is_out_of_step_is_no_judge(game: Path) -> None:
    """Its buttons stand in another order than those that its RAM was recorded with."""
    with zipfile.ZipFile(game / MOVIE) as movie:
        parts = {name: movie.read(name) for name in movie.namelist()}
    log = next(name for name in parts if name.startswith("Input Log"))
    lines = parts[log].splitlines()
    parts[log] = b"\n".join([*lines[:50], *reversed(lines[50:500]), *lines[500:]])
    with zipfile.ZipFile(game / MOVIE, "w") as movie:
        for name, data in parts.items():
            movie.writestr(name, data)
    found = check(game)
    assert len(found) == 4
    assert all("out of step from row" in f.message for f in found)


def played(rewards: list[float], done: int | None = None) -> Played:
    ends = np.zeros(len(rewards), np.bool_)
    if done is not None:
        ends[done - 1 :] = True
    return Played(np.array([rewards], np.float32).T, ends, lambda _: np.arange(len(rewards)))


@pytest.mark.parametrize(
    ("kind", "value", "frame"),
    [
        (ExpectedKind.REWARDS, [[2, 0], [3, 0.1], [4, 0]], None),
        (ExpectedKind.REWARDS, [[2, 0], [3, 0.1], [4, 0], [5, 0]], None),
        (ExpectedKind.REWARDS, [[2, 0], [3, 0.1]], 4),
        (ExpectedKind.REWARDS, [[2, 0.1]], 2),
        (ExpectedKind.DONE, 5, None),
        (ExpectedKind.DONE, 4, 4),
        (ExpectedKind.DONE, None, 5),
        (ExpectedKind.TOTAL, 0.1, None),
        (ExpectedKind.TOTAL, 0.2, 5),
        (ExpectedKind.VARIABLE, 4, None),
        (ExpectedKind.VARIABLE, 5, 5),
    ],
)
def test_the_first_frame_that_differs(kind: ExpectedKind, value: Any, frame: int | None) -> None:
    expected = Expectation("m", kind, 2, 5, value, "x")
    verdict = judge(0, expected, played([9, 0, 0.1, 0, 0, 7], done=5))
    assert verdict.frame == frame
    assert verdict.holds == (frame is None)
    assert bool(verdict.message) == (frame is not None)
