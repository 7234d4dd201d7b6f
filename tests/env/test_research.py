"""Environments for research: autoreset, kinds of observations, players, names."""

from __future__ import annotations

import gc
import json
import pickle
import shutil
import time
import warnings
import weakref
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

import integrator
import integrator.env
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import SessionError
from integrator.env.agent_env import AgentEnv, Preprocessing
from integrator.env.vector import VectorGames
from libretro_host.errors import HostClosedError

pytestmark = pytest.mark.xdist_group("vector")

COUNT, MAX_STEPS = 3, 7
OPTIONS: dict[str, Any] = {"frame_skip": 2, "max_steps": MAX_STEPS}


def actions_of(envs: gymnasium.vector.VectorEnv[Any, Any, Any], steps: int) -> list[NDArray[Any]]:
    envs.action_space.seed(5)
    return [envs.action_space.sample() for _ in range(steps)]


def sync(mode: AutoresetMode) -> SyncVectorEnv:
    """Gymnasium's own vector environment of the same game and options."""
    make = lambda: AgentEnv(demo_game(), Preprocessing(2, 0.0, MAX_STEPS))  # noqa: E731
    return SyncVectorEnv([make] * COUNT, autoreset_mode=mode)


@pytest.mark.parametrize("isolated", [False, True])
def test_an_episode_begins_in_the_step_that_ended_another(isolated: bool) -> None:
    ours = integrator.make_vec(
        demo_game(), COUNT, autoreset="same_step", isolated=isolated, **OPTIONS
    )
    theirs = sync(AutoresetMode.SAME_STEP)
    ours.reset(seed=1)
    theirs.reset(seed=1)
    ends = 0
    for action in actions_of(ours, 3 * MAX_STEPS):
        mine, expected = ours.step(action), theirs.step(action)
        for a, b in zip(mine[:4], expected[:4], strict=True):
            assert np.array_equal(a, b)
        told, wanted = mine[4], expected[4]
        assert ("final_obs" in told) == ("final_obs" in wanted)
        if "final_obs" in told:
            ends += 1
            assert np.array_equal(told["_final_obs"], wanted["_final_obs"])
            for index in range(COUNT):
                assert np.array_equal(told["final_obs"][index], wanted["final_obs"][index])
            for name, values in wanted["final_info"].items():
                assert np.array_equal(told["final_info"][name], values)
    assert ends == 3
    ours.close()
    theirs.close()


def test_without_autoreset_a_mask_begins_episodes() -> None:
    envs = integrator.make_vec(demo_game(), COUNT, autoreset="disabled", **OPTIONS)
    first, _ = envs.reset(seed=1)
    actions = actions_of(envs, MAX_STEPS + 1)
    for action in actions[:-1]:
        _, _, _, cut, _ = envs.step(action)
    assert cut.all()
    with pytest.raises(SessionError, match="over in environments 0, 1, 2"):
        envs.step(actions[-1])
    mask = np.array([True, False, True])
    again, _ = envs.reset(options={"reset_mask": mask})
    assert np.array_equal(again[[0, 2]], first[[0, 2]])
    assert not again[1].any()
    with pytest.raises(SessionError, match="over in environments 1;"):
        envs.step(actions[-1])
    with pytest.raises(SessionError, match="3 booleans"):
        envs.reset(options={"reset_mask": np.array([False] * 3)})
    envs.close()


def test_an_unknown_autoreset_is_refused() -> None:
    with pytest.raises(SessionError, match="next_step, same_step, disabled"):
        integrator.make_vec(demo_game(), 1, autoreset="often")  # type: ignore[arg-type] # refused


def test_without_copies_all_steps_give_the_same_buffers() -> None:
    envs = integrator.make_vec(demo_game(), 2, copy=False, **OPTIONS)
    twin = integrator.make_vec(demo_game(), 2, **OPTIONS)
    first, _ = envs.reset(seed=1)
    twin.reset(seed=1)
    for action in actions_of(envs, 30):
        seen, *_ = envs.step(action)
        assert seen is first
        assert np.array_equal(seen, twin.step(action)[0])
    assert np.from_dlpack(first).ctypes.data == first.ctypes.data
    envs.close()
    twin.close()


@pytest.mark.parametrize("isolated", [False, True])
def test_several_kinds_of_observations_at_once(isolated: bool) -> None:
    kinds = ("image", "ram", "variables")
    options: dict[str, Any] = {"grayscale": True, "resize": (84, 84), "stack": 4, **OPTIONS}
    both = integrator.make_vec(demo_game(), 2, observation=kinds, isolated=isolated, **options)
    image = integrator.make_vec(demo_game(), 2, **options)
    ram = integrator.make_vec(demo_game(), 2, observation="ram", **OPTIONS)
    seen, _ = both.reset(seed=1)
    assert both.observation_space.contains(seen)
    assert np.array_equal(seen["image"], image.reset(seed=1)[0])
    ram.reset(seed=1)
    names = list(integrator.load_integration(demo_game()).variables)
    for action in actions_of(both, 20):
        seen, _, _, _, infos = both.step(action)
        assert np.array_equal(seen["image"], image.step(action)[0])
        assert np.array_equal(seen["ram"], ram.step(action)[0])
        if infos:
            told = np.stack([infos[name] for name in names], axis=1)
            assert np.array_equal(seen["variables"], told.astype(np.float32))
    for envs in (both, image, ram):
        envs.close()


def test_variables_alone_are_a_vector() -> None:
    with integrator.make_env(demo_game(), observation="variables") as env:
        seen, _ = env.reset()
        assert seen.dtype == np.float32
        assert env.observation_space.contains(seen)
        seen, _, _, _, info = env.step(env.action_space.sample())
        assert seen.tolist() == [float(value) for value in info.values()]


def test_rendering_during_a_step_shows_the_picture_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Threads may render while a step that was sent runs."""
    with AgentEnv(demo_game(), Preprocessing(4), render_mode="rgb_array") as env:
        env.reset()
        before, run, shown = env.render(), env.emulator.run, []

        def rendering(masks: tuple[int, ...]) -> Any:
            picture = run(masks)
            shown.append(env.render())
            return picture

        monkeypatch.setattr(env.emulator, "run", rendering)
        env.step(env.action_space.sample())
        np.testing.assert_array_equal(shown, [before] * 4)
        assert (env.render() != before).any()


def test_players_are_agents_of_pettingzoo() -> None:
    env = integrator.make_parallel_env(airstriker(), players=2, actions="discrete")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PettingZoo's own test imports what it deprecates
        from pettingzoo.test import parallel_api_test

        parallel_api_test(env, num_cycles=200)
    env.close()


def test_each_agent_presses_its_own_pad_and_gets_its_own_reward() -> None:
    env = integrator.make_parallel_env(demo_game(), players=2, actions="all")
    with integrator.make_env(demo_game(), players=2, actions="all") as twin:
        env.reset(seed=1)
        twin.reset(seed=1)
        for agent in env.agents:
            env.action_space(agent).seed(len(agent))
        for _ in range(100):
            actions = {agent: env.action_space(agent).sample() for agent in env.agents}
            seen, rewards, *_ = env.step(actions)
            picture, *_ = twin.step(np.concatenate([*actions.values()]))
            assert np.array_equal(seen["player_2"], picture)
            assert tuple(rewards.values()) == twin.rewards
    with pytest.raises(SessionError, match="no action of player_2"):
        env.step({"player_1": actions["player_1"]})
    env.close()


def test_a_copy_of_players_begins_anew_as_vectors_of_supersuit_need() -> None:
    env = integrator.make_parallel_env(demo_game(), players=2, actions="discrete")
    first, _ = env.reset(seed=1)
    copied = pickle.loads(pickle.dumps(env))
    with pytest.raises(SessionError, match=r"call reset\(\)"):
        copied.step(dict.fromkeys(env.agents, 0))
    seen, _ = copied.reset(seed=1)
    assert np.array_equal(seen["player_2"], first["player_2"])
    assert copied.action_space("player_1") == env.action_space("player_1")
    for each in (env, copied):
        each.close()


def test_players_step_no_ended_episode(tmp_path: Path) -> None:
    game = shutil.copytree(demo_game(), tmp_path / "Short-Nes-v0")
    done = {"variables": {"lives": {"op": "greater-or-equal", "reference": 0}}}
    (game / "scenario.json").write_text(json.dumps({"done": done}))
    env = integrator.make_parallel_env(game, players=2, actions="discrete")
    env.reset(seed=1)
    _, _, terminations, *_ = env.step(dict.fromkeys(env.agents, 0))
    assert all(terminations.values())
    with pytest.raises(SessionError, match=r"call reset\(\)"):
        env.step({})
    env.close()


def test_gymnasium_knows_every_integration_by_name() -> None:
    names = integrator.list_integrations()
    assert {"EmberMoth-Nes-v0", "Airstriker-Genesis-v0"} <= set(names)
    versioned = {name for name in names if f"{name}-v0" not in names}
    assert {name for name in names if f"integrator/{name}" in gymnasium.registry} == versioned
    made = gymnasium.make("integrator.env:integrator/Airstriker-Genesis-v0")
    assert made.reset()[0].shape == (224, 320, 3)
    made.close()
    envs = gymnasium.make_vec("integrator/EmberMoth-Nes-v0", num_envs=2)
    assert isinstance(envs, VectorGames)
    envs.close()


@pytest.mark.parametrize("isolated", [False, True])
def test_results_come_as_they_are_ready(isolated: bool) -> None:
    envs = integrator.make_vec(demo_game(), COUNT, isolated=isolated, **OPTIONS)
    twin = integrator.make_vec(demo_game(), COUNT, **OPTIONS)
    envs.reset(seed=1)
    twin.reset(seed=1)
    actions = actions_of(envs, 3 * MAX_STEPS)
    expected = [twin.step(action) for action in actions]
    envs.send(actions[0])
    at = dict.fromkeys(range(COUNT), 0)
    while at:
        seen, rewards, ended, cut, infos, ids = envs.recv(1)
        [index] = ids.tolist()
        told = expected[at[index]]
        assert np.array_equal(seen[0], told[0][index])
        assert (rewards[0], ended[0], cut[0]) == (told[1][index], told[2][index], told[3][index])
        assert all(infos[name][0] == told[4][name][index] for name in infos)
        at[index] += 1
        if at[index] == len(actions):
            del at[index]
        else:
            envs.send([actions[at[index]][index]], [index])
    envs.close()
    twin.close()


@pytest.mark.parametrize("isolated", [False, True])
def test_a_failed_step_costs_no_other_environment_its_result(isolated: bool) -> None:
    envs = integrator.make_vec(demo_game(), COUNT, isolated=isolated, **OPTIONS)
    twin = integrator.make_vec(demo_game(), COUNT, **OPTIONS)
    envs.reset(seed=1)
    first, _ = twin.reset(seed=1)
    actions = actions_of(envs, 2)
    expected = [twin.step(action) for action in actions]
    assert isinstance(envs, VectorGames)
    envs.set_attr("_steps", [0, None, 0])  # it cannot be counted up
    envs.send(actions[0])
    with pytest.raises(TypeError, match="NoneType") as failed:
        envs.recv()
    assert failed.value.__notes__[-1].startswith("environment 1: reset it (reset_mask)")
    others = [0, 2]
    for number, told in enumerate(expected):
        seen, rewards, ended, cut, infos, ids = envs.recv(2)
        order = np.argsort(ids)
        assert ids[order].tolist() == others
        for ours, theirs in zip((seen, rewards, ended, cut), told, strict=False):
            assert np.array_equal(ours[order], theirs[others])
        assert all(np.array_equal(infos[name][order], told[4][name][others]) for name in infos)
        if number == 0:
            envs.send(actions[1])
            with pytest.raises(SessionError, match=r"call reset\(\) before step"):
                envs.recv()
    again, _ = envs.reset(seed=1, options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(again[1], first[1])
    envs.send(actions[0][1:2], [1])
    assert np.array_equal(envs.recv()[0][0], expected[0][0][1])
    envs.close()
    twin.close()


@pytest.mark.parametrize("isolated", [False, True])
def test_sent_steps_end_before_a_reset_of_others(isolated: bool) -> None:
    """Their results are ignored, but none comes as that of a later step."""
    envs = integrator.make_vec(demo_game(), COUNT, isolated=isolated, threads=1, **OPTIONS)
    twin = integrator.make_vec(demo_game(), COUNT, threads=1, **OPTIONS)
    envs.reset(seed=1)
    twin.reset(seed=1)
    sent, *actions = actions_of(envs, MAX_STEPS)
    assert isinstance(envs, VectorGames)
    envs.send(sent)
    envs.reset(seed=1, options={"reset_mask": np.array([False, True, False])})
    twin.step(sent)
    for action in actions:
        seen, rewards, *_ = envs.step(action)
        wanted, told, *_ = twin.step(action)
        assert np.array_equal(seen[[0, 2]], wanted[[0, 2]])
        assert np.array_equal(rewards[[0, 2]], told[[0, 2]])
    envs.close()
    twin.close()


def test_no_step_gets_the_answer_of_a_failed_one() -> None:
    envs = integrator.make_vec(demo_game(), COUNT, isolated=True, **OPTIONS)
    envs.reset(seed=1)
    envs.set_attr("_steps", [None, 0, 0])  # it cannot be counted up
    actions = actions_of(envs, 2)
    with pytest.raises(TypeError, match="NoneType"):
        envs.step(actions[0])
    envs.reset(options={"reset_mask": np.array([True, False, False])})
    with pytest.raises(SessionError, match=r"call reset\(\) before step"):
        envs.step(actions[1])
    envs.reset(seed=1)
    envs.step(actions[1])
    envs.close()


def test_after_a_failed_step_each_environment_needs_a_reset() -> None:
    """The others made a step too, whose observations and rewards nobody got."""
    envs = integrator.make_vec(demo_game(), COUNT, threads=1, **OPTIONS)
    first, _ = envs.reset(seed=1)
    states = [envs.clone_state(index) for index in range(COUNT)]
    action, other = actions_of(envs, 2)
    mask = np.arange(COUNT) == 0
    assert isinstance(envs, VectorGames)
    for last in (lambda: envs.reset(options={"reset_mask": ~mask}), None):
        envs.set_attr("_steps", [None, 0, 0])  # it cannot be counted up
        with pytest.raises(TypeError, match="NoneType"):
            envs.step(action)
        again, _ = envs.reset(seed=1, options={"reset_mask": mask})
        assert np.array_equal(again[0], first[0])
        with pytest.raises(SessionError, match=r"call reset\(\) before step"):
            envs.step(other)
        if last is not None:
            last()
        else:
            envs.restore_state(1, states[1])
            with pytest.raises(SessionError, match=r"call reset\(\) before step"):
                envs.step(other)
            envs.restore_state(2, states[2])
        envs.step(other)
    envs.close()


@pytest.mark.parametrize("threads", [1, 3])
def test_a_vector_whose_sent_steps_nobody_received_is_collected(threads: int) -> None:
    envs = integrator.make_vec(demo_game(), COUNT, threads=threads, **OPTIONS)
    envs.reset(seed=1)
    [action] = actions_of(envs, 1)
    emulators, kept = [*envs.envs], weakref.ref(envs)
    envs.send(action)
    while envs._arrived.qsize() != threads - 1:
        time.sleep(0.001)  # the other threads still use it
    del envs
    gc.collect()
    assert kept() is None
    with pytest.raises(HostClosedError):
        emulators[0].call("clone_state")


def test_steps_that_were_sent_are_received_or_reset() -> None:
    envs = integrator.make_vec(demo_game(), COUNT, **OPTIONS)
    first, _ = envs.reset(seed=1)
    [action] = actions_of(envs, 1)
    with pytest.raises(SessionError, match="0 steps that were sent"):
        envs.recv(1)
    envs.send(action[:2], [0, 2])
    with pytest.raises(SessionError, match=r"\[0, 2\] wait for recv"):
        envs.step(action)
    with pytest.raises(SessionError, match="wait for recv"):
        envs.clone_state(0)
    with pytest.raises(SessionError, match="3 results of 2"):
        envs.recv(3)
    counts: list[Any] = [1.5, "2", -1]
    for wrong in counts:
        with pytest.raises(SessionError, match="min_envs is"):
            envs.recv(wrong)
    assert sorted(envs.recv()[-1].tolist()) == [0, 2]
    ids: list[Any] = [[1, 1], [1.5, 0], ["a", "b"], 2]
    for odd in ids:
        with pytest.raises(SessionError, match=r"ids? (is|are)"):
            envs.send(action[:2], odd)
    envs.send(action)
    again, _ = envs.reset(seed=1)
    assert np.array_equal(again, first)
    envs.step(action)
    envs.close()
