"""Vector environments have what Gymnasium's own have, under the same names."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from libretro_host.errors import HostClosedError, HostError

pytestmark = pytest.mark.xdist_group("vector")

OWN = {"env_fns", "observation_mode", "copy"}
"""Arguments of SyncVectorEnv's constructor, which it keeps as attributes."""


def _public(envs: Any) -> set[str]:
    return {name for name in dir(envs) if not name.startswith("_")}


def _single() -> Any:
    return integrator.make_env(demo_game(), render_mode="rgb_array")


def test_it_has_each_name_and_answer_of_gymnasiums_own(opened: list[Any]) -> None:
    theirs: Any = SyncVectorEnv([_single, _single])
    opened.append(theirs)
    ours = integrator.make_vec(demo_game(), 2, render_mode="rgb_array")
    opened.append(ours)
    assert _public(theirs) - _public(ours) == OWN
    assert ours.metadata == theirs.metadata
    for seed in (5, None, [3, None]):
        for envs in opened:
            envs.reset(seed=seed)
        assert ours.np_random_seed == theirs.np_random_seed
        states = [[each.bit_generator.state for each in envs.np_random] for envs in opened]
        assert states[0] == states[1]
    action = ours.single_action_space.sample()
    for ask in (
        lambda envs: envs.get_attr("buttons"),
        lambda envs: envs.call("get_action_meaning", action),
        lambda envs: [each.tobytes() for each in envs.call("get_ram")],
        lambda envs: [each.tobytes() for each in envs.call("render")],
    ):
        assert ask(ours) == ask(theirs)
    for envs in opened:
        envs.set_attr("level", [1, 2])
        envs.set_attr("player", "me")
        assert envs.get_attr("level") + envs.get_attr("player") == (1, 2, "me", "me")
        with pytest.raises(AttributeError, match="nothing"):
            envs.get_attr("nothing")


def test_environments_in_processes_answer_alike(opened: list[Any]) -> None:
    envs = integrator.make_vec(demo_game(), 2, isolated=True)
    opened.append(envs)
    envs.reset(seed=5)
    assert envs.np_random_seed == (5, 6)
    envs.set_attr("level", [1, 2])
    with pytest.raises(HostError, match=r"local object .*<lambda>.*only what can be pickled"):
        envs.set_attr("level", lambda: 3)
    with pytest.raises(HostError, match="only what can be pickled"):
        envs.get_attr("emulator")
    assert envs.get_attr("level") == (1, 2)
    assert envs.metadata["render_fps"] == envs.get_attr("metadata")[0]["render_fps"]
    envs.step(envs.action_space.sample())


def test_steps_and_copies_are_refused_by_the_name_of_the_way_that_works(opened: list[Any]) -> None:
    envs = integrator.make_vec(demo_game(), 2)
    opened.append(envs)
    envs.reset()
    for name, own in {"step": "step", "press": "step", "close": "close"}.items():
        with pytest.raises(SessionError, match=rf"call {own}\(\) of the vector"):
            envs.call(name)
    for name in ("reset", "restore_state"):
        with pytest.raises(SessionError, match=rf"call {name}\(\) of the vector"):
            envs.call(name, envs.clone_state(0))
    with pytest.raises(SessionError, match="3 values for 2 environments"):
        envs.set_attr("level", [1, 2, 3])
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(SessionError, match=r"clone_state\(\) gives its moment"):
            copied(envs)
    envs.send(envs.action_space.sample())
    with pytest.raises(SessionError, match=r"wait for recv\(\)"):
        envs.call("get_ram")
    envs.recv()
    envs.close()
    with pytest.raises(HostClosedError):
        envs.get_attr("buttons")


@pytest.mark.parametrize("named", [AutoresetMode.SAME_STEP, "SameStep", "same_step"])
def test_gymnasiums_names_of_autoreset_modes_are_known(opened: list[Any], named: Any) -> None:
    envs = integrator.make_vec(demo_game(), 1, autoreset=named)
    opened.append(envs)
    assert envs.metadata["autoreset_mode"] is envs.autoreset_mode is AutoresetMode.SAME_STEP


def test_wrappers_that_show_pictures_know_the_frames_a_second(
    opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cv2", object())
    envs = integrator.make_vec(demo_game(), 2, render_mode="rgb_array")
    opened.append(envs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        gymnasium.wrappers.vector.HumanRendering(envs)


def test_a_process_is_not_asked_while_a_step_that_was_interrupted_is_pending(
    opened: list[Any],
) -> None:
    envs: Any = integrator.make_vec(demo_game(), 2, isolated=True, render_mode="rgb_array")
    opened.append(envs)
    envs.reset(seed=1)
    pictures = [each.tobytes() for each in envs.render()]
    play, envs.envs[0].play = envs.envs[0].play, None
    with pytest.raises(TypeError):
        envs.step(envs.action_space.sample())
    envs.envs[0].play = play
    pids = [each._worker.pid for each in envs.envs]
    with pytest.raises(SessionError, match=r"interrupted; call reset\(\)"):
        envs.get_attr("buttons")
    with pytest.raises(SessionError, match=r"interrupted; call reset\(\)"):
        envs.set_attr("level", 1)
    assert [each.tobytes() for each in envs.render()] == pictures
    assert [each._worker.pid for each in envs.envs] == pids
    envs.reset(seed=1)
    assert len(envs.get_attr("buttons")) == 2


def _moment(envs: Any) -> Any:
    envs.reset(seed=1)
    envs.step(envs.action_space.sample())
    return envs.clone_state(0)


def _not_reset(_: Any) -> Any:
    other = integrator.make_vec(demo_game(), 1)
    state = _moment(other)
    other.close()
    return state


def _failed(envs: Any) -> Any:
    state = _moment(envs)
    play, envs.envs[1].play = envs.envs[1].play, None
    with pytest.raises(TypeError):
        envs.step(envs.action_space.sample())
    envs.envs[1].play = play
    return state


@pytest.mark.parametrize("isolated", [False, True])
@pytest.mark.parametrize("begin", [_not_reset, _failed])
def test_moments_of_all_environments_are_as_good_as_a_reset(
    opened: list[Any], begin: Callable[[Any], Any], isolated: bool
) -> None:
    envs = integrator.make_vec(demo_game(), 2, isolated=isolated)
    opened.append(envs)
    state = begin(envs)
    action = [envs.single_action_space.sample()] * 2
    envs.restore_state(0, state)
    envs.restore_state(0, state)
    with pytest.raises(SessionError, match=r"call reset\(\)"):
        envs.step(action)
    envs.restore_state(1, state)
    assert envs.clone_state(0) == envs.clone_state(1) == state
    pictures, *_ = envs.step(action)
    np.testing.assert_array_equal(pictures[0], pictures[1])


def test_a_moment_revives_an_environment_whose_process_died(opened: list[Any]) -> None:
    envs: Any = integrator.make_vec(demo_game(), 2, isolated=True)
    opened.append(envs)
    state = _moment(envs)
    os.kill(envs.envs[1]._worker.pid, signal.SIGKILL)
    envs.step(envs.action_space.sample())
    envs.restore_state(1, state)
    assert envs.clone_state(1) == state
