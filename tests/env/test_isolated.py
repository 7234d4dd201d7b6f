"""Isolated environments: a core that dies or hangs ends an episode, and training goes on."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import warm_children

import integrator
from integrator.domain.movies.reading import read_movie
from integrator.env import agent_env
from integrator.env.agent_env import IsolatedEnv
from integrator.session.opening import movie_consoles
from libretro_host.processes.child_process import ChildProcess
from libretro_host.processes.worker_process import WorkerProcess
from scripts.campaign import toys

pytestmark = pytest.mark.usefixtures("own_home", "toy")


@pytest.fixture
def toy(toy_cores: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INTEGRATOR_CORES", str(toy_cores))
    toys.describe_toy(platform="Toy")


def steps(vector: Any, count: int) -> list[tuple[np.ndarray[Any, Any], dict[str, Any]]]:
    """The truncations and infos of some steps without buttons."""
    seen = []
    for _ in range(count):
        _, rewards, done, truncated, infos = vector.step(
            np.zeros_like(vector.action_space.sample())
        )
        assert not done.any()
        assert np.isfinite(rewards).all()
        seen.append((truncated.copy(), infos))
    return seen


def restarts(seen: list[tuple[np.ndarray[Any, Any], dict[str, Any]]]) -> list[list[int]]:
    """What the infos of truncated steps count for each environment."""
    return [infos["restarted"].tolist() for truncated, infos in seen if truncated.any()]


@pytest.mark.parametrize("fault", ["crash_at", "exit_at", "hang_at", "hog_at"])
def test_a_core_that_ends_truncates_its_episode(
    own_home: Path, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault == "hog_at":
        toys.describe_toy(platform="Toy", limits={"memory_mib": 64})
    monkeypatch.setattr(agent_env, "WorkerProcess", partial(WorkerProcess, limit_ms=400))
    game = toys.make_game(own_home / "Game-Toy-v0", **{fault: 30})
    with closing(integrator.make_vec(game, 2, isolated=True)) as vector:
        vector.reset(seed=1)
        seen = steps(vector, 70)
        assert restarts(seen) == [[1, 1], [2, 2]]
        assert not any(truncated.any() for truncated, _ in seen[:20])


def play_and_send(vector: Any, index: int, number: int) -> None:
    """Play a little, then send a signal to the process of one environment."""
    vector.reset(seed=1)
    steps(vector, 5)
    env = vector.envs[index]
    assert isinstance(env, IsolatedEnv)
    assert env._worker.pid is not None
    os.kill(env._worker.pid, number)


def test_the_others_go_on_when_one_is_killed(own_home: Path) -> None:
    game = toys.make_game(own_home / "Game-Toy-v0")
    with closing(integrator.make_vec(game, 2, isolated=True)) as vector:
        play_and_send(vector, 1, signal.SIGKILL)
        seen = steps(vector, 10)
        assert [truncated.tolist() for truncated, _ in seen[:2]] == [[False, True], [False, False]]
        assert [env.restarts for env in vector.envs if isinstance(env, IsolatedEnv)] == [0, 1]


def test_a_core_that_was_found_dead_between_steps_truncates_its_episode(own_home: Path) -> None:
    game = toys.make_game(own_home / "Game-Toy-v0")
    with closing(integrator.make_vec(game, 2, isolated=True)) as vector:
        play_and_send(vector, 1, signal.SIGKILL)
        with pytest.raises(integrator.CoreCrashed):
            vector.clone_state(1)
        seen = steps(vector, 3)
        assert [truncated.tolist() for truncated, _ in seen[:2]] == [[False, True], [False, False]]


def test_a_core_that_dies_before_the_first_picture_can_be_rendered(own_home: Path) -> None:
    game = toys.make_game(own_home / "Game-Toy-v0")
    with closing(integrator.make_vec(game, 2, isolated=True, render_mode="rgb_array")) as vector:
        play_and_send(vector, 1, signal.SIGKILL)
        assert all(picture is not None for picture in vector.render() or [None])


class Stuck(list[int]):
    """An environment that cannot write its movie."""

    def close(self) -> None:
        raise OSError("the disk is full")


def test_no_process_stays_when_the_end_of_an_environment_fails() -> None:
    worker = WorkerProcess(Stuck)
    worker.call("append", 1)
    with pytest.raises(OSError, match="full"):
        agent_env._finish(worker)
    assert not worker.is_alive


def test_a_dead_core_can_be_rendered(own_home: Path) -> None:
    """As a recorder of videos does after each step, also the one that a core died in."""
    game = toys.make_game(own_home / "Game-Toy-v0")
    with closing(integrator.make_vec(game, 1, isolated=True, render_mode="rgb_array")) as vector:
        vector.reset(seed=1)
        steps(vector, 5)
        env = vector.envs[0]
        assert isinstance(env, IsolatedEnv)
        before = env.render()
        assert before is not None
        assert env._worker.pid is not None
        os.kill(env._worker.pid, signal.SIGKILL)
        assert restarts(steps(vector, 1)) == [[1]]
        after = env.render()
        assert after is not None
        assert np.array_equal(after, before)


def test_a_process_that_stands_still_ends_an_episode(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a debugger or a frozen container: no core is at work, so that no core hangs."""
    monkeypatch.setattr(agent_env, "LIMIT_MS", 2_000)
    game = toys.make_game(own_home / "Game-Toy-v0")
    with closing(integrator.make_vec(game, 2, isolated=True)) as vector:
        play_and_send(vector, 0, signal.SIGSTOP)
        seen = steps(vector, 10)
        assert [truncated.tolist() for truncated, _ in seen[:2]] == [[True, False], [False, False]]


def test_a_killed_environment_can_be_closed(own_home: Path) -> None:
    vector = integrator.make_vec(toys.make_game(own_home / "Game-Toy-v0"), 1, isolated=True)
    env = vector.envs[0]
    assert isinstance(env, IsolatedEnv)
    assert env._worker.pid is not None
    os.kill(env._worker.pid, signal.SIGKILL)
    vector.close()
    vector.close()


def test_an_answer_that_nobody_took_belongs_to_no_later_step(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after Ctrl+C between asking the environments and reading what they answer."""
    game = toys.make_game(own_home / "Game-Toy-v0")
    with (
        closing(integrator.make_vec(game, 2, isolated=True)) as vector,
        closing(integrator.make_vec(game, 2)) as twin,
    ):
        vector.reset(seed=1)
        steps(vector, 5)
        with monkeypatch.context() as patch:

            def interrupted(*_: object) -> None:
                raise KeyboardInterrupt

            patch.setattr(IsolatedEnv, "play", interrupted)
            with pytest.raises(KeyboardInterrupt):
                steps(vector, 1)
        first, _ = vector.reset(seed=7)
        other, _ = twin.reset(seed=7)
        assert np.array_equal(first, other)
        action = np.zeros_like(vector.action_space.sample())
        for _ in range(5):
            assert np.array_equal(vector.step(action)[0], twin.step(action)[0])
        assert [env.restarts for env in vector.envs if isinstance(env, IsolatedEnv)] == [0, 0]


def test_ctrl_c_in_a_reset_completes_the_movie_of_the_episode(
    own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    movies = own_home / "movies"
    game = toys.make_game(own_home / "Game-Toy-v0")
    with closing(integrator.make_vec(game, 1, isolated=True, record=movies)) as vector:
        vector.reset(seed=1)
        steps(vector, 30)
        with monkeypatch.context() as interrupted:
            interrupted.setattr(ChildProcess, "reply", Mock(side_effect=KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                vector.reset()
        movie = min(movies.iterdir())
        assert read_movie(movie, movie_consoles()).frames == 31  # the first is the reset
        vector.reset(seed=2)
        steps(vector, 5)


def test_a_core_that_crashes_in_this_process_is_not_silent(own_home: Path) -> None:
    game = toys.make_game(own_home / "Game-Toy-v0", crash_at=30)
    code = (
        "import sys, integrator\n"
        "env = integrator.make_env(sys.argv[1])\n"
        "env.reset()\n"
        "while True: env.step(env.action_space.sample())"
    )
    done = warm_children.run(
        [sys.executable, "-c", code, game], capture_output=True, text=True, check=False
    )
    assert done.returncode < 0
    assert "Fatal Python error" in done.stderr
    assert "stepper.py" in done.stderr
