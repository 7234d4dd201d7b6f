"""Every console's core compared with itself: emulators in threads equal single ones, on proof ROMs.

N64, whose core takes some seconds to start, has fewer of them and fewer steps unless
INTEGRATOR_FULL is set."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from session_cases import SYSTEMS, build, games

import integrator
from integrator.env.agent_env import AgentEnv
from integrator.env.vector import VectorGames

pytest.importorskip("stable_retro")

COUNT = 3
STEPS = 30
FEWER = {} if os.environ.get("INTEGRATOR_FULL") else {"N64": (2, 3)}


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("system", SYSTEMS)
def test_emulators_in_threads_equal_single_ones(system: str, tmp_path: Path) -> None:
    game = build(tmp_path, games()[system])
    count, steps = FEWER.get(system, (COUNT, STEPS))
    vector = integrator.make_vec(game, count, threads=2)
    assert isinstance(vector, VectorGames)
    vector.action_space.seed(4)
    actions = [vector.action_space.sample() for _ in range(steps)]
    observations, _ = vector.reset()
    seen = [observations]
    rams = []
    for step in actions:
        observations, *_ = vector.step(step)
        seen.append(observations)
        rams.append([env.emulator.ram() for env in vector.envs if isinstance(env, AgentEnv)])
    vector.close()
    for index in range(count):
        env = integrator.make_env(game)
        picture, _ = env.reset()
        np.testing.assert_array_equal(seen[0][index], picture)
        done = False
        for number, step in enumerate(actions):
            if done:
                picture, _ = env.reset()
                done = False
            else:
                picture, _, done, _, _ = env.step(step[index])
            np.testing.assert_array_equal(seen[number + 1][index], picture)
            np.testing.assert_array_equal(rams[number][index], env.emulator.ram())
        env.close()
    assert len({ram.tobytes() for row in rams for ram in row}) > steps, "the games should move"
