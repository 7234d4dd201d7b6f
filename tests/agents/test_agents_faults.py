"""``integrator agents`` on cores that die or hang, and when it is ended itself."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import integrator
from integrator.cli import app
from scripts.campaign import toys


@pytest.fixture(autouse=True)
def _toys(own_home: Path, toy_cores: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTEGRATOR_CORES", str(toy_cores))
    monkeypatch.setenv("TMPDIR", str(own_home / "tmp"))
    monkeypatch.setattr(tempfile, "tempdir", str(own_home / "tmp"))
    (own_home / "tmp").mkdir()
    toys.describe_toy()


def command(*words: object) -> Sequence[str]:
    return [sys.executable, "-P", "-m", "integrator", *map(str, words)]


def run(*words: object) -> tuple[int, Any]:
    result = CliRunner().invoke(app, [*map(str, words), "--json"])
    return result.exit_code, json.loads(result.stdout)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_core_that_dies_costs_its_episodes(tmp_path: Path, jobs: int) -> None:
    right = 1 << 7
    game = toys.make_game(tmp_path / "Crash", crash_mask=right)
    plays = ("--agent", "held:RIGHT", "--agent", "no-op", "--episodes", 3, "--frames", 60)
    code, told = run("agents", game, *plays, "--jobs", jobs, "--out", tmp_path / "movies")
    assert code == 1
    found = [(each["agent"], each["episode"], each["ended"]) for each in told["episodes"]]
    assert found == [("held:RIGHT", n, "error") for n in range(3)] + [
        ("no-op", n, "frames") for n in range(3)
    ]
    assert (
        f"{game}: episode 1 of held:RIGHT: the core crashed (SIGSEGV)"
        in (told["episodes"][1]["error"])
    )
    assert all(Path(each["movie"]).is_file() for each in told["episodes"][3:])
    assert not list((tmp_path / "tmp").iterdir())


def test_a_finding_names_what_lost_its_core(tmp_path: Path) -> None:
    well = toys.make_game(tmp_path / "Well-Toy")
    bad = toys.make_game(tmp_path / "Bad-Toy", crash_at=50)
    plays = ("--agent", "no-op", "--episodes", 1, "--frames", 60)
    _, told = run("agents", well, *plays, "--out", tmp_path / "movies")
    movie = Path(told["episodes"][0]["movie"])
    for words in (("suggest", bad), ("reward", movie, "--game", bad)):
        result = CliRunner().invoke(app, [*map(str, words)])
        assert result.exit_code == 1
        named = f"{words[1]}: toycore_libretro.so crashed (SIGSEGV) in run(); try another core"
        assert named in str(result.exception)


@pytest.mark.parametrize(
    ("fault", "fact"), [("hang_at", "did not answer"), ("hog_at", "may have used up the memory")]
)
def test_an_audit_leaves_a_costly_game(tmp_path: Path, fault: str, fact: str) -> None:
    toys.describe_toy(limits={"memory_mib": 128})
    game = toys.make_game(tmp_path / "Bad", **{fault: 20})
    code, told = run("audit", game, "--jobs", 1)
    errors = [each["error"] for each in told["games"][0]["plays"]]
    assert code == 1
    assert 2 <= sum(fact in each for each in errors) <= 3
    assert set(errors[3:]) == {
        "not played, because the core hung or filled the memory in other plays"
    }


def test_episodes_around_a_crash_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "third.py").write_text(
        "from integrator.agents.agent import Constant\n"
        "class Third(Constant):\n"
        "    begun = 0\n"
        "    def begin(self, random):\n"
        "        self.begun += 1\n"
        "        if self.begun == 3:\n"
        "            Constant.__init__(self, self.env, ['RIGHT'])\n"
        "def make(env, episodes):\n"
        "    agent = Third(env, [])\n"
        "    agent.env = env\n"
        "    return agent\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    game = toys.make_game(tmp_path / "Crash", crash_mask=1 << 7)
    code, told = run("agents", game, "--agent", "third:make", "--episodes", 5, "--frames", 60)
    assert code == 1
    ended = [(each["episode"], each["ended"]) for each in told["episodes"]]
    assert ended == [(n, "error" if n == 2 else "frames") for n in range(5)]


def test_a_play_of_a_core_that_dies_names_the_movie(tmp_path: Path) -> None:
    toys.describe_toy(platform="Toy")
    good, bad = toys.make_game(tmp_path / "Good"), toys.make_game(tmp_path / "Bad", crash_at=90)
    plays = ("--agent", "no-op", "--episodes", 1, "--frames", 120, "--out", tmp_path / "movies")
    [episode] = run("agents", good, *plays)[1]["episodes"]
    code, told = run("play", episode["movie"], "--game", bad)
    assert code == 1
    fact = "toycore_libretro.so crashed (SIGSEGV) in run(); try another core"
    assert told["movies"][0]["error"] == f"{episode['movie']}: {fact}"


def test_a_score_of_a_core_that_dies_names_the_game(tmp_path: Path) -> None:
    games = [toys.make_game(tmp_path / "Good"), toys.make_game(tmp_path / "Bad", crash_at=150)]
    with integrator.open_session(games[0]) as session:
        session.reset()
        session.advance(frames=100)
        state, stamp = session.save_state(), session.game.core_stamp
    for game in games:
        made = integrator.load_integration(game)
        made.write_state("Start", state, stamp)
        made.save()
    (tmp_path / "levels.csv").write_text("Bad,Start\nGood,Start\n")
    code, told = run("scores", tmp_path / "levels.csv", "--agent", "no-op", "--episodes", 1)
    assert code == 1
    bad, good = told["levels"]
    assert bad["errors"] == [f"{games[1]}: the core crashed (SIGSEGV); try another core"]
    assert good["episodes"] == 1


def test_an_agent_of_others_may_take_more_memory_than_a_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toys.describe_toy(limits={"memory_mib": 64, "file_mib": 1})
    (tmp_path / "buffer.py").write_text(
        "import numpy as np\n"
        "from pathlib import Path\n"
        "from integrator.agents.agent import Constant\n"
        "def make(env, episodes):\n"
        "    agent = Constant(env, [])\n"
        "    agent.buffer = np.ones(256 << 20, np.uint8)\n"
        f"    Path({str(tmp_path)!r}, 'buffer').write_bytes(agent.buffer[:4 << 20].tobytes())\n"
        "    return agent\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    game = toys.make_game(tmp_path / "Game")
    agents = ("--agent", "buffer:make", "--agent", "no-op", "--agent", "buffer:make")
    code, told = run("agents", game, *agents, "--episodes", 1, "--frames", 60, "--jobs", 1)
    assert code == 0
    assert [each["error"] for each in told["episodes"]] == [None] * 3


def test_a_core_that_hangs_is_stopped(tmp_path: Path) -> None:
    game = toys.make_game(tmp_path / "Hang", hang_at=50)
    plays = ("--agent", "no-op", "--episodes", 1, "--frames", 60)
    code, told = run("agents", game, *plays)
    assert code == 1
    [episode] = told["episodes"]
    assert "did not answer within 5000 ms" in episode["error"]


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_agents_that_are_ended(tmp_path: Path, way: signal.Signals) -> None:
    game = toys.make_game(tmp_path / "Long")
    plays = ("--agent", "no-op", "--episodes", "20", "--frames", "9999999", "--jobs", "2")
    work = subprocess.Popen(command("agents", game, *plays), stderr=subprocess.PIPE, text=True)
    temporary = tmp_path / "tmp"
    while len(list(temporary.glob("*/*.now"))) < 2:
        time.sleep(0.02)
    workers = children(work.pid)
    assert len(workers) == 2
    work.send_signal(way)
    # The workers had the pipe from their parent, and would hold it open.
    _, errors = work.communicate()
    if way == signal.SIGINT:
        assert (work.returncode, errors.split()) == (130, ["integrator:", "interrupted"])
    while any(Path(f"/proc/{pid}").exists() for pid in workers):
        time.sleep(0.02)
    assert run("agents", game, "--agent", "no-op", "--episodes", 1, "--frames", 8)[0] == 0
    assert not list(temporary.iterdir())


def children(pid: int) -> list[int]:
    return [
        int(child)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for child in (task / "children").read_text().split()
    ]
