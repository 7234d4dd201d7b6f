"""``integrator scores``: levels of a CSV, an agent and movies, and a run that goes on."""

from __future__ import annotations

import json
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warm_children
from desynced import give_another_rom
from typer.testing import CliRunner

from integrator.agents.episodes import jobs_of, play_job
from integrator.agents.result import AgentTrial
from integrator.cli import app
from integrator.commands.scores import CONTEST_FRAMES, LevelJob, play_level
from integrator.commands.shared.options import demo_game
from integrator.session.opening import open_session, plan_session
from integrator.session.setup.plan import MemoryStore, fingerprint, memory_path

pytestmark = [pytest.mark.usefixtures("own_home"), pytest.mark.xdist_group("scores")]
AGENT = "held:A"
STATES = ("Start", "Level2")
_KILLED = """
import os, signal
from integrator.__main__ import main
from integrator.commands import scores

append = scores._append

def killed(out, result):
    if out.exists():
        with out.open("ab") as stream:
            stream.write(b'{"key": "a line that is not fini')
        os.kill(os.getpid(), signal.SIGKILL)
    append(out, result)

scores._append = killed
main()
"""
"""Ends by SIGKILL while the second level's result is written."""


@pytest.fixture
def levels(tmp_path: Path) -> Path:
    """Both start states of a copy of the demo game, whose episodes end with the first life."""
    game = shutil.copytree(demo_game(), tmp_path / demo_game().name)
    scenario = json.loads((game / "scenario.json").read_text())
    scenario["done"] = {"variables": {"lives": {"op": "less-than", "reference": 2}}}
    (game / "scenario.json").write_text(json.dumps(scenario))
    path = tmp_path / "levels.csv"
    path.write_text("game,state\n" + "".join(f"{game.name}, {state}\n" for state in STATES))
    return path


def scores(*arguments: object) -> tuple[int, Any]:
    words = ["scores", *map(str, arguments), "--json", "--jobs", "1"]
    result = CliRunner().invoke(app, words)
    return result.exit_code, json.loads(result.stdout) if result.stdout else result.exception


def test_an_agent_and_its_movies_have_the_same_score(levels: Path, tmp_path: Path) -> None:
    """A held button has nothing to stick to, so its episodes are those of plain frames."""
    game = tmp_path / demo_game().name
    code, told = scores(levels, "--agent", AGENT, "--episodes", 1)
    assert code == 0
    means = [level["mean"] for level in told["levels"]]
    assert told["score"] == sum(means) / 2
    assert any(means)
    for state in STATES:
        [job] = jobs_of(
            AgentTrial(
                game, (AGENT,), episodes=1, most_frames=CONTEST_FRAMES, seed=0, out=tmp_path / "m"
            ),
            AGENT,
            state,
        )
        [played] = play_job(job)
        assert played.error is None
    code, again = scores(levels, "--movies", tmp_path / "m")
    assert code == 0
    assert [level["mean"] for level in again["levels"]] == means
    assert again["score"] == told["score"]
    steps = [level["steps"] for level in told["levels"]]
    assert [level["steps"] for level in again["levels"]] == steps


def test_the_frame_of_the_reset_neither_pays_nor_ends_a_movie(levels: Path, tmp_path: Path) -> None:
    """A clock of the game pays its own number, and ends the movie at the reset's frame or later."""
    assert levels.is_file()
    game = tmp_path / demo_game().name
    term = {"reward": 1.0, "measurement": "absolute"}
    whole = {"reward": {"variables": {"frame_counter": term}}}
    (game / "scenario.json").write_text(json.dumps(whole))
    [job] = jobs_of(
        AgentTrial(game, (AGENT,), episodes=1, most_frames=40, seed=0, out=tmp_path / "m"),
        AGENT,
        "Start",
    )
    [played] = play_job(job)
    movie = Path(str(played.movie))
    with open_session(game) as session:
        session.play(movie)
        session.run(np.zeros((40, 1), np.uint16))
        clock = session.timeline.column("frame_counter")
    assert len(clock) == 41
    for frame, frames in ((0, 40), (1, 40), (9, 8)):
        reference = int(clock[frame - 1]) if frame else -1
        done = {"variables": {"frame_counter": {"op": "equal", "reference": reference}}}
        (game / "scenario.json").write_text(json.dumps(whole | {"done": done}))
        ended = play_level(LevelJob(game, "Start", movie=movie))
        paid = float(sum(clock[1 : frames + 1].tolist()))
        assert (ended.rewards, ended.steps) == ((paid,), (frames // 4,))


def test_a_movie_out_of_step_has_no_score(
    levels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels.is_file()
    game = tmp_path / demo_game().name
    trial = AgentTrial(game, (AGENT,), episodes=1, most_frames=70, seed=0, out=tmp_path / "m")
    [job] = jobs_of(trial, AGENT, "Start")
    [played] = play_job(job)
    movie = Path(str(played.movie))
    other = Path(shutil.copy(movie, tmp_path / "other.bk2"))
    give_another_rom(other)
    assert "recorded with another ROM" in play_level(LevelJob(game, "Start", movie=other)).error
    monkeypatch.setattr("integrator.session.movies.ram_hash", lambda _: 0)
    ended = play_level(LevelJob(game, "Start", movie=movie))
    assert ended.error == f"{movie}: out of step from row 60 on; leave it out"
    done = {"variables": {"frame_counter": {"op": "greater-or-equal", "reference": 0}}}
    (game / "scenario.json").write_text(json.dumps({"done": done}))
    assert play_level(LevelJob(game, "Start", movie=movie)).steps == (1,), "it is over before"


def test_a_killed_run_goes_on_from_its_file(levels: Path, tmp_path: Path) -> None:
    out, script = tmp_path / "results.jsonl", tmp_path / "killed.py"
    arguments = (levels, "--agent", AGENT, "--episodes", 1, "--out", out)
    _, whole = scores(*arguments)
    out.unlink()
    script.write_text(_KILLED)
    words = [sys.executable, "-P", script, "scores", *arguments, "--jobs", "1"]
    ended = warm_children.run(list(map(str, words)), capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL
    # The first level's number is made up, so that playing it again would show.
    first, cut = [line for line in out.read_text().splitlines() if line]
    known = json.loads(first) | {"rewards": [123456.0]}
    out.write_text(json.dumps(known) + "\n" + cut)
    code, told = scores(*arguments)
    assert code == 0
    assert told["levels"][0]["mean"] == 123456.0
    assert told["levels"][1] == whole["levels"][1]
    assert scores(*arguments) == (0, told)


def test_a_changed_integration_is_played_again(levels: Path, tmp_path: Path) -> None:
    game, out = tmp_path / demo_game().name, tmp_path / "results.jsonl"
    arguments = (levels, "--agent", AGENT, "--episodes", 1, "--out", out)
    _, before = scores(*arguments)
    made_up = [
        json.loads(line) | {"rewards": [5.0]} for line in out.read_text().split("\n") if line
    ]
    out.write_text("".join(json.dumps(each) + "\n" for each in made_up))

    def means() -> list[float]:
        return [level["mean"] for level in scores(*arguments)[1]["levels"]]

    assert means() == [5.0, 5.0]
    shutil.copy(game / "Level2.state", game / "Start.state")
    assert means() == [before["levels"][1]["mean"], 5.0]
    scenario = json.loads((game / "scenario.json").read_text())
    scenario["reward"]["time"] = {"reward": 1000.0}
    (game / "scenario.json").write_text(json.dumps(scenario))
    assert min(means()) > 1000


def test_an_agent_whose_code_changed_is_played_again(
    levels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, out = tmp_path / "own_agent.py", tmp_path / "results.jsonl"
    monkeypatch.syspath_prepend(str(tmp_path))
    text = (
        "from integrator.agents.agent import Constant\n\n\n"
        "def make(env, episodes):\n    return Constant(env, ['A'])\n"
    )
    for changed, lines in ((text, 2), (text, 2), (text.replace("'A'", "'LEFT'"), 4)):
        code.write_text(changed)
        assert scores(levels, "--agent", "own_agent:make", "--episodes", 1, "--out", out)[0] == 0
        assert out.read_text().count("rewards") == lines


def test_a_fingerprint_knows_the_choices_of_a_plan(levels: Path) -> None:
    game = levels.parent / demo_game().name
    plain = fingerprint(plan_session(game))
    assert fingerprint(plan_session(game)) == plain
    assert fingerprint(plan_session(game, players=2)) != plain
    assert fingerprint(plan_session(game, scenario="scenario")) != plain
    MemoryStore(memory_path()).keep(game.name, [(0x300, 0x100)])
    assert fingerprint(plan_session(game)) != plain


def test_sticky_buttons_have_a_seed_and_errors_a_line(levels: Path, tmp_path: Path) -> None:
    game = tmp_path / demo_game().name
    job = LevelJob(game, "Start", "random", 1, 3)
    assert play_level(job) == play_level(job)
    assert play_level(LevelJob(game, "Gone", "random")).error
    for text, message in (
        ("EmberMoth-Nes-v0,Gone\n", "no start state 'Gone'"),
        ("EmberMoth-Nes-v0\n", ":1: a row is game,state"),
        ("game,state\n", "no level"),
    ):
        levels.write_text(text)
        code, error = scores(levels, "--agent", AGENT)
        assert code != 0
        assert message in str(error)
    levels.write_text("EmberMoth-Nes-v0,Start\n")
    (tmp_path / "none").mkdir()
    _, error = scores(tmp_path / "none", "--agent", AGENT)
    assert str(error).endswith("none: it is a folder; name a CSV file with rows of game,state")
    code, error = scores(levels, "--movies", tmp_path / "none")
    assert "no movie begins at Start" in str(error)
    assert scores(levels)[0] == 2
