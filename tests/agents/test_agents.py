"""Agents: what each does, and episodes that can be played again."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from integrator.agents import table
from integrator.agents.agent import Brute, Constant, Jerk, play_buttons
from integrator.agents.episodes import EpisodeJob, jobs_of, play_job
from integrator.agents.result import AgentTrial, EpisodeResult
from integrator.agents.table import AGENTS, find_agent
from integrator.cli import app
from integrator.cli import run as main
from integrator.commands import agents
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.env import recording
from integrator.env.game_env import GameEnv
from integrator.env.making import make_env
from integrator.session.opening import open_session

NOTHING = np.zeros(0, np.uint8)
TRAIN = 'pip install "retro-integrator[train]"'


@pytest.fixture(autouse=True)
def _own_home(own_home: object) -> None:
    """Settings of whoever runs the tests have no effect."""


def run(*arguments: str | Path) -> tuple[int, list[dict[str, Any]]]:
    result = CliRunner().invoke(app, ["agents", "--json", "--jobs", "1", *map(str, arguments)])
    return result.exit_code, json.loads(result.stdout)["episodes"]


def movies(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*.bk2"))
    }


def test_the_same_seed_gives_the_same_movies_on_any_number_of_processes(tmp_path: Path) -> None:
    # More episodes than the ten of one job, so that two processes share them.
    common: list[str | Path] = [
        demo_game(),
        *("--agent", "random", "--episodes", "12", "--frames", "60"),
    ]
    variants = {"one": ("--jobs", "1"), "two": ("--jobs", "2"), "other": ("--seed", "5")}
    for name, more in variants.items():
        code, episodes = run(*common, "--out", tmp_path / name, *more)
        assert code == 0
        assert [each["episode"] for each in episodes] == list(range(12))
    one, two, other = (movies(tmp_path / name) for name in variants)
    assert len(set(one.values())) == 12
    assert one == two
    assert not set(one.values()) & set(other.values())


def test_a_movie_of_an_episode_replays_to_its_reward(tmp_path: Path) -> None:
    code, [episode] = run(
        demo_game(), "--agent", "random", "--episodes", "1", "--frames", "1500", "--seed", "3",
        "--out", tmp_path,
    )  # fmt: skip
    assert code == 0
    assert episode["reward"] > 0
    assert (episode["seed"], episode["terms"]) == (3, {"score": episode["reward"]})
    with open_session(demo_game()) as session:
        session.play(episode["movie"])
        result = session.run(np.zeros((episode["frames"], 1), np.uint16))[-1].last
    assert result.number == episode["frames"] + 1
    assert result.outcome.total_rewards == (episode["reward"],)


@pytest.mark.parametrize("kind", AGENTS, ids=lambda kind: kind.name)
def test_each_agent_plays_from_each_state(kind: Any) -> None:
    if kind.name == "ppo":
        pytest.importorskip("stable_baselines3", reason=TRAIN)
    code, episodes = run(
        demo_game(), "--agent", kind.name, "--episodes", "2", "--frames", "90", "--state", "all"
    )
    assert code == 0
    assert [(e["state"], e["frames"], e["ended"]) for e in episodes] == [
        (state, 90, "frames") for state in ("Level2", "Start") for _ in range(2)
    ]


@pytest.mark.usefixtures("one_process")
def test_a_made_up_agent_plays_under_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    up = table.AgentKind("upward", "holds UP", lambda env, _: Constant(env, ("UP",)))
    monkeypatch.setattr(table, "AGENTS", (*AGENTS, up))
    code, [episode] = run(demo_game(), "--agent", "upward", "--episodes", "1", "--frames", "40")
    assert (code, episode["agent"], episode["frames"]) == (0, "upward", 40)
    with pytest.raises(SessionError, match="brute, ppo, upward, held:BUTTON"):
        find_agent("downward")
    with pytest.raises(SessionError, match=r"PYTHONPATH=\. finds one in this folder"):
        find_agent("no_such_module:Lefty")


def test_the_code_of_an_agent_is_that_of_its_own_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = tmp_path / "own_partial.py"
    code.write_text("from functools import partial\n\nmake = partial(print, 1)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert find_agent("own_partial:make").code == (code,)
    assert [path.stem for path in find_agent("random").code] == ["agent"]


def test_held_buttons_and_a_button_that_is_not_there() -> None:
    with make_env(demo_game()) as env:
        agent = find_agent("held:A+RIGHT").make(env, 1)
        assert env.get_action_meaning(agent.act(NOTHING)) == ["RIGHT", "A"]
        with pytest.raises(SessionError, match="no such button"):
            find_agent("held:Z").make(env, 1)


def test_a_button_that_is_not_there_is_told_before_others_play(
    capsys: pytest.CaptureFixture[str],
) -> None:
    plays = ("--agent", "no-op", "--agent", "held:FIRE", "--episodes", "1", "--frames", "8")
    assert main(["agents", str(demo_game()), *plays, "--jobs", "1"]) == 1
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert shown.err.startswith("integrator: held:FIRE: the console has no such button, but B, ")


def test_random_buttons_leave_menus_alone() -> None:
    with make_env(demo_game(), actions="all") as env:
        agent = find_agent("random").make(env, 1)
        agent.begin(np.random.default_rng(1))
        pressed = {name for _ in range(50) for name in env.get_action_meaning(agent.act(NOTHING))}
        assert pressed == set(play_buttons(env)) == {"A", "B", "UP", "DOWN", "LEFT", "RIGHT"}


def test_jerk_turns_back_when_stuck_and_repeats_its_best_episode() -> None:
    with make_env(demo_game()) as env:
        agent = Jerk(env, 2)
        agent.begin(np.random.default_rng(2))
        first = []
        for step in range(171):
            first.append(tuple(env.get_action_meaning(agent.act(NOTHING))))
            agent.see(5.0 if step == 130 else 0.0, ended=step == 170)
        ways = ["RIGHT" in names for names in first]
        assert ways == [True] * 100 + [False] * 70 + [True]
        agent.begin(np.random.default_rng(2))
        assert [tuple(env.get_action_meaning(agent.act(NOTHING))) for _ in range(131)] == first[
            :131
        ]


def test_the_brute_comes_back_to_what_paid_most() -> None:
    with make_env(demo_game()) as env:
        agent = Brute(env)
        best = 0.0
        for episode in range(60):
            agent.begin(np.random.default_rng([4, episode]))
            total = 0.0
            for step in range(6):
                # The more it presses, the more it gets.
                earned = float(np.sum(agent.act(NOTHING)))
                total += earned
                agent.see(earned, ended=step == 5)
            best = max(best, total)
        assert total == best > 0


def test_an_agent_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lefty.py").write_text(
        "from integrator.agents.agent import Constant\n"
        "def make(env, episodes):\n    return Constant(env, ['LEFT'])\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    code, [episode] = run(demo_game(), "--agent", "lefty:make", "--episodes", "1", "--frames", "8")
    assert (code, episode["frames"]) == (0, 8)
    sys.modules.pop("lefty")


@pytest.mark.usefixtures("one_process")
def test_the_example_of_the_guide_holds_left(monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")
    example = types.ModuleType("guide_example")
    exec(guide.split("```python\n")[1].split("```")[0], example.__dict__)
    monkeypatch.setitem(sys.modules, "guide_example", example)
    code, [episode] = run(
        demo_game(), "--agent", "guide_example:Lefty", "--episodes", "1", "--frames", "40"
    )
    assert (code, episode["frames"]) == (0, 40)


@pytest.mark.parametrize("name", ["nobody", "no_such_module:make", "json:no_such"])
def test_an_unknown_agent_is_told(name: str) -> None:
    with pytest.raises(SessionError, match=name.partition(":")[0]):
        find_agent(name)


def test_an_agent_that_learns_is_one_job(tmp_path: Path) -> None:
    def jobs(agent: str) -> list[int]:
        return [
            job.episodes
            for job in jobs_of(
                AgentTrial(demo_game(), (agent,), episodes=25, most_frames=8, seed=0, out=tmp_path),
                agent,
                "",
            )
        ]

    assert (jobs("jerk"), jobs("random")) == ([25], [10, 10, 5])


def test_a_game_that_can_not_be_played_is_an_error_and_not_the_end(tmp_path: Path) -> None:
    [job] = jobs_of(
        AgentTrial(tmp_path / "gone", ("no-op",), episodes=1, most_frames=8, seed=0, out=None),
        "no-op",
        "",
    )
    [result] = play_job(job)
    assert "there is no such file or folder" in str(result.error)


def test_episodes_before_an_error_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finish = GameEnv.finish_movie

    def full(env: GameEnv) -> None:
        if len(list(tmp_path.rglob("*.bk2"))) == 3:  # each has its file from the first frame on
            raise OSError(errno.ENOSPC, "No space left on device")
        finish(env)

    monkeypatch.setattr(GameEnv, "finish_movie", full)
    out = tmp_path / "out"
    [job] = jobs_of(
        AgentTrial(demo_game(), ("no-op",), episodes=4, most_frames=8, seed=0, out=out), "no-op", ""
    )
    first, second, failed = play_job(job)
    assert "integrator-core-" not in Path("/proc/self/maps").read_text()
    assert [(each.episode, each.frames) for each in (first, second)] == [(0, 8), (1, 8)]
    assert failed.episode == 2
    assert str(failed.error).startswith(f"{out}{os.sep}")
    assert str(failed.error).endswith(
        "cannot be written (No space left on device); free some disk space and save again"
    )


def test_an_episode_whose_movie_cannot_begin_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(recording, "begin_episode", full)
    [job] = jobs_of(
        AgentTrial(demo_game(), ("no-op",), episodes=4, most_frames=8, seed=0, out=tmp_path),
        "no-op",
        "",
    )
    with pytest.warns(UserWarning, match="not recorded"):
        [failed] = play_job(job)
    assert str(failed.error).endswith("a movie could not be written; free some disk space")


@pytest.mark.usefixtures("one_process")
def test_rows_come_as_each_agent_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed: list[str] = []

    def playing(job: EpisodeJob) -> list[EpisodeResult]:
        printed.append(capsys.readouterr().out)
        return play_job(job)

    monkeypatch.setattr(agents, "play_job", playing)
    plays = ("--agent", "no-op", "--agent", "held:A", "--episodes", "11", "--frames", "8")
    assert main(["agents", str(demo_game()), *plays, "--jobs", "1"]) == 0
    # Eleven episodes are two jobs.
    titles, first = printed[2].splitlines()
    assert (printed[:2], printed[3]) == (["", ""], "")
    assert (titles.split()[:2], first.split()[:2]) == (["agent", "state"], ["no-op", "11"])
    assert capsys.readouterr().out.split()[:2] == ["held:A", "11"]


@pytest.mark.usefixtures("one_process")
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["rows", "json"])
def test_ctrl_c_keeps_the_episodes_that_ended(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    form: tuple[str, ...],
) -> None:
    (tmp_path / "quitter.py").write_text(
        "from integrator.agents.agent import Constant\n"
        "class Quitter(Constant):\n"
        "    begun = 0\n"
        "    def begin(self, random):\n"
        "        self.begun += 1\n"
        "        if self.begun == 3:\n            raise KeyboardInterrupt\n"
        "def make(env, episodes):\n    return Quitter(env, ['LEFT'])\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    plays = ("--agent", "no-op", "--agent", "quitter:make", "--agent", "random")
    common = ("--episodes", "5", "--frames", "8", "--jobs", "1")
    assert main(["agents", str(demo_game()), *plays, *common, *form]) == 130
    sys.modules.pop("quitter")
    shown = capsys.readouterr()
    *episodes, last = shown.err.splitlines()
    assert last == "integrator: interrupted"
    said = [f"no-op           episode {n}: reward 0 in 8 frames, ended by the most frames"
            for n in range(5)]  # fmt: skip
    said += [line.replace("no-op       ", "quitter:make") for line in said[:2]]
    assert [line for line in episodes if line] == ([] if form else said)
    if form:
        told = [(each["agent"], each["episode"]) for each in json.loads(shown.out)["episodes"]]
        ended = [("no-op", each) for each in range(5)] + [("quitter:make", 0), ("quitter:make", 1)]
        assert told == ended
    else:
        rows = [line.split()[:2] for line in shown.out.splitlines()]
        assert rows == [["agent", "state"], ["no-op", "5"], ["quitter:make", "2"]]


def test_ppo_without_its_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stable_baselines3", None)
    monkeypatch.delitem(sys.modules, "integrator.agents.ppo", raising=False)
    with make_env(demo_game()) as env, pytest.raises(SessionError, match=r"\[train\]"):
        find_agent("ppo").make(env, 1)


def test_ppo_learns_the_button_that_pays() -> None:
    pytest.importorskip("stable_baselines3", reason=TRAIN)
    picture = np.random.default_rng(1).integers(0, 256, (224, 240, 3), np.uint8)
    with make_env(demo_game()) as env:
        agent = find_agent("ppo").make(env, 1)
        agent.begin(np.random.default_rng(3))
        paid = []
        for step in range(1024):
            presses = "LEFT" in env.get_action_meaning(agent.act(picture))
            paid.append(presses)
            agent.see(20.0 * presses, ended=step % 64 == 63)
    assert np.mean(paid[-256:]) > 2 * np.mean(paid[:128])
