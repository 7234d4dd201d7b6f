"""Environments after Ctrl+C, errors, threads, forks and arguments that do not fit."""

from __future__ import annotations

import gc
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import warm_children
from env_fixtures import MakeEnv

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.env.agent_env import AgentEnv
from integrator.env.vector import VectorGames
from libretro_host import doubles
from libretro_host.errors import HostClosedError, HostError
from libretro_host.processes.wire import Channel


def same_steps(ours: Any, twin: Any, steps: int = 12) -> None:
    """Both give the same from a reset on."""
    ours.action_space.seed(4)
    for mine, other in [(ours.reset(seed=8), twin.reset(seed=8))]:
        np.testing.assert_array_equal(mine[0], other[0])
    for _ in range(steps):
        actions = ours.action_space.sample()
        mine, other = ours.step(actions), twin.step(actions)
        for a, b in zip(mine[:4], other[:4], strict=True):
            np.testing.assert_array_equal(a, b)
        assert mine[4].keys() == other[4].keys()
        for name in mine[4]:
            np.testing.assert_array_equal(mine[4][name], other[4][name])


def test_a_game_without_a_scenario_is_not_silent_about_its_reward(
    tmp_path: Path, opened: list[Any]
) -> None:
    game = shutil.copytree(demo_game(), tmp_path / demo_game().name)
    (game / "scenario.json").unlink()
    with pytest.warns(UserWarning, match=r"no scenario\.json: the reward is always 0"):
        opened.append(integrator.make_env(game))
    # Nobody expects a reward of a ROM without an integration.
    opened.append(integrator.make_env(shutil.copy(game / "rom.nes", tmp_path / "alone.nes")))


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("least", [8, 40], ids=["short", "whole"])
def test_after_an_interrupt_a_reset_puts_all_right(opened: list[Any], least: int) -> None:
    options: dict[str, Any] = {"frame_skip": 4, "sticky": 0.25, "threads": 2}
    ours = integrator.make_vec(demo_game(), 3, **options)
    twin = integrator.make_vec(demo_game(), 3, **options)
    opened += [ours, twin]
    chance, asked, rounds = random.Random(3), 0, 0
    while rounds < least or not asked:
        rounds += 1
        ours.reset(seed=1)
        wait = chance.random() * 0.004
        timer = threading.Timer(wait, os.kill, (os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - any step may be the one
            timer.start()
            while True:
                ours.step(ours.action_space.sample())
        timer.join()
        try:
            ours.step(ours.action_space.sample())
        except SessionError as error:
            assert "call reset()" in str(error)  # noqa: PT017 - the step may have ended
            asked += 1
        same_steps(ours, twin)


def test_after_an_error_in_one_environment_all_are_reset(
    opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = integrator.make_vec(demo_game(), 3, threads=2)
    twin = integrator.make_vec(demo_game(), 3, threads=2)
    opened += [ours, twin]
    assert isinstance(ours, VectorGames)
    ours.reset()

    def fail(*_: Any) -> Any:
        raise SessionError("the script failed")

    with monkeypatch.context() as patch:
        env = ours.envs[1]
        assert isinstance(env, AgentEnv)
        patch.setattr(env.emulator, "score", fail)
        with pytest.raises(SessionError, match="the script failed"):
            ours.step(ours.action_space.sample())
    with pytest.raises(SessionError, match="call reset"):
        ours.step(ours.action_space.sample())
    same_steps(ours, twin)


def test_threads_that_share_an_environment_get_an_error(
    make_env: MakeEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(demo_game())
    env.reset()
    inside, go_on = threading.Event(), threading.Event()
    run = env.emulator.run

    def slow(*arguments: Any) -> Any:
        inside.set()
        go_on.wait()
        return run(*arguments)

    monkeypatch.setattr(env.emulator, "run", slow)
    idle = np.zeros(env.action_space.shape or (), np.int8)
    other = threading.Thread(target=env.step, args=(idle,))
    other.start()
    inside.wait()
    for call in (lambda: env.step(idle), env.reset):
        with pytest.raises(SessionError, match="another thread"):
            call()
    closing = threading.Thread(target=env.close)
    closing.start()
    assert closing.is_alive()
    go_on.set()
    other.join()
    closing.join()
    with pytest.raises(HostClosedError):
        env.step(idle)


def test_a_closed_environment_runs_no_core_of_another(make_env: MakeEnv) -> None:
    closed = make_env(demo_game())
    closed.reset()
    closed.close()
    other = make_env(demo_game())
    other.reset()
    before = other.emulator.ram()
    with pytest.raises(HostClosedError, match="the game was closed"):
        closed.step(closed.action_space.sample())
    assert (other.emulator.ram() == before).all()


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_says_that_it_has_no_threads(opened: list[Any]) -> None:
    envs = integrator.make_vec(demo_game(), 2, threads=2)
    opened.append(envs)
    envs.reset()
    child = os.fork()
    if child == 0:
        try:
            envs.step(envs.action_space.sample())
        except SessionError as error:
            os._exit(7 if "fork" in str(error) else 8)
        os._exit(9)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    envs.step(envs.action_space.sample())


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_leaves_its_parents_folder(make_env: MakeEnv) -> None:
    host = make_env(demo_game()).emulator._host
    child = os.fork()
    if child == 0:
        host._remove()  # as when the fork ends, or drops the environment
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert host._folder.is_dir()


def test_children_run_no_module_of_the_working_directory(tmp_path: Path) -> None:
    (tmp_path / "pickle.py").write_text("print('foreign')", encoding="utf-8")
    program = tmp_path / "program" / "train.py"
    program.parent.mkdir()
    program.write_text(
        "import integrator\n"
        "from integrator.commands.shared.options import demo_game\n"
        "if __name__ == '__main__':\n"
        "    integrator.make_vec(demo_game(), 2, isolated=True).close()\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_a_dropped_environment_frees_its_core() -> None:
    env = integrator.make_env(demo_game())
    folder = env.emulator._host._folder
    unused = len(doubles._UNUSED_SHIMS)
    del env
    gc.collect()
    assert not folder.exists()
    assert len(doubles._UNUSED_SHIMS) == unused + 1


@pytest.mark.parametrize("actions", ["filtered", "discrete", "multi-discrete", "all"])
@pytest.mark.parametrize("action", [None, "A", {}, float("nan"), [float("nan")], [[1], [1, 2]]])
def test_an_action_that_does_not_fit_is_refused(
    make_env: MakeEnv, actions: str, action: Any
) -> None:
    env = make_env(demo_game(), actions=actions)
    env.reset()
    with pytest.raises(SessionError, match="is not in"):
        env.step(action)
    env.step(env.action_space.sample())


def test_nan_in_a_whole_action_is_refused(make_env: MakeEnv) -> None:
    env = make_env(demo_game())
    env.reset()
    with pytest.raises(SessionError, match="is not in"):
        env.step(np.full(env.action_space.shape or (), np.nan))


@pytest.mark.parametrize("actions", ["filtered", "discrete", "multi-discrete", "all"])
def test_a_number_that_is_not_whole_is_no_action(make_env: MakeEnv, actions: str) -> None:
    env = make_env(demo_game(), actions=actions)
    action = env.action_space.sample() * 0 + 1
    assert env.masks(np.asarray(action, np.float32)) == env.masks(action)
    for wrong in (0.3, 255.0, 2**32):
        with pytest.raises(SessionError, match="is not in"):
            env.masks(action + np.float64(wrong))
    for unfit in (10**30, np.asarray(action)[None]):
        with pytest.raises(SessionError, match="is not in"):
            env.masks(unfit)


class Tensor:
    """An array whose hash is that of the object, such as torch's."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = np.array(numbers)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.numbers


@pytest.mark.parametrize("actions", ["filtered", "discrete", "multi-discrete", "all"])
def test_a_tensor_that_was_changed_is_another_action(make_env: MakeEnv, actions: str) -> None:
    env = make_env(demo_game(), actions=actions)
    action = env.action_space.sample() * 0
    tensor = Tensor(action)
    assert env.masks(tensor) == env.masks(action)
    tensor.numbers += 1
    assert env.masks(tensor) == env.masks(action + 1) != env.masks(action)


def test_arguments_of_a_vector_that_do_not_fit_are_refused(opened: list[Any]) -> None:
    envs = integrator.make_vec(demo_game(), 2)
    opened.append(envs)
    with pytest.raises(SessionError, match=r"call reset\(\) before step"):
        envs.step(envs.action_space.sample())
    for seed in ([1], [1, 2, 3], [1, "a"], 1.5, -1):
        with pytest.raises(SessionError, match="seed"):
            envs.reset(seed=seed)  # type: ignore[arg-type] # refused
    with pytest.raises(SessionError, match="1 states for 2"):
        envs.reset(options={"state": ["Start"]})
    envs.reset(seed=np.int64(3))  # type: ignore[arg-type] # as an integer of numpy
    for actions in (None, 5, "AB", [None, None]):
        with pytest.raises(SessionError, match=r"actions|is not in"):
            envs.step(actions)
    envs.step(envs.action_space.sample())


def test_there_is_at_least_one_player() -> None:
    with pytest.raises(SessionError, match="players is 0"):
        integrator.make_env(demo_game(), players=0)


@pytest.mark.parametrize(
    "options",
    [
        {name: 5}
        for name in ("directory", "state", "scenario", "observation", "record", "states", "resize")
    ]
    + [
        *({"crop": 5}, {"crop": (0, 0, 8)}, {"resize": (8, "8")}, {"observation": [["ram"]]}),
        *({"states": ["Start"], "weights": "x"}, {"sticky": "0.5"}),
    ],
    ids=str,
)
def test_an_option_of_another_type_says_its_name(options: dict[str, Any]) -> None:
    *_, name = options
    with pytest.raises(SessionError, match=rf"{name} (is|are) |no {name} "):
        integrator.make_vec(**{"directory": demo_game(), "num_envs": 1, **options})


def test_options_of_a_reset_are_a_dict(make_env: MakeEnv) -> None:
    vector = integrator.make_vec(demo_game(), 1)
    for env in (make_env(demo_game()), vector):
        with pytest.raises(SessionError, match="options is 5; use a dict"):
            env.reset(options=5)  # type: ignore[arg-type] # this is the fault
    vector.close()


def test_numpy_integers_are_seeds(make_env: MakeEnv) -> None:
    make_env(demo_game()).reset(seed=np.uint32(5))  # type: ignore[arg-type] # as an integer


def test_a_reward_that_is_no_number_is_a_warning(make_env: MakeEnv, tmp_path: Path) -> None:
    game = shutil.copytree(demo_game(), tmp_path / "game")
    (game / "script.lua").write_text("function pay() return 0 / 0 end\n")
    (game / "scenario.json").write_text(
        '{"reward": {"script": "lua:pay"}, "scripts": ["script.lua"]}'
    )
    with pytest.warns(UserWarning, match="finite rewards") as said:  # noqa: PT031 - once for all
        env = make_env(game)
        env.reset()
        rewards = [env.step(env.action_space.sample())[1] for _ in range(3)]
    assert np.isnan(rewards).all()
    assert len(said) == 1


def test_cores_load_where_the_temporary_folder_runs_no_programs(
    make_env: MakeEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tempfile.gettempdir()
    mounted, noexec = os.statvfs, [temporary]

    def statvfs(path: str) -> object:
        is_noexec = path in noexec or noexec == ["/"]
        return SimpleNamespace(f_flag=os.ST_NOEXEC) if is_noexec else mounted(path)

    monkeypatch.setattr(os, "statvfs", statvfs)
    doubles._UNUSED_SHIMS.clear()
    env = make_env(demo_game())
    env.reset()
    assert not env.emulator._host._folder.is_relative_to(temporary)
    env.close()
    noexec[:] = ["/"]
    with pytest.raises(HostError, match="noexec; set TMPDIR"):
        make_env(demo_game())


KILLED = """
import os, signal, sys
import gymnasium, integrator
from integrator.commands.shared.options import demo_game
if sys.argv[1] == "kill":
    vec = integrator.make_vec(demo_game(), 3)
    vec.reset(seed=1)
    os.kill(os.getpid(), signal.SIGKILL)
make = lambda: integrator.make_env(demo_game())
vec = gymnasium.vector.AsyncVectorEnv([make, make])
vec.reset(seed=1)
vec.close(terminate=True)
"""


@pytest.mark.parametrize("way", ["kill", "terminate"])
def test_folders_of_killed_environments_go_with_the_next_start(way: str, tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    warm_children.run([sys.executable, "-c", KILLED, way], env=environment, check=False)
    if way == "kill":
        assert list(tmp_path.iterdir())
    after = "import integrator, sys; integrator.make_env(sys.argv[1]).close()"
    warm_children.run([sys.executable, "-c", after, str(demo_game())], env=environment, check=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("make", [integrator.make_env, partial(integrator.make_vec, num_envs=2)])
def test_a_closed_environment_says_so(make: Callable[..., Any]) -> None:
    env = make(demo_game())
    env.reset()
    env.close()
    for use in (env.reset, lambda: env.step(env.action_space.sample())):
        with pytest.raises(HostClosedError, match="was closed; make another"):
            use()


def test_a_folder_for_movies_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(integrator.SaveError, match="file: cannot be written"):
        integrator.make_env(demo_game(), record=tmp_path / "file")


def test_only_states_of_an_environment_are_restored(make_env: MakeEnv) -> None:
    env = make_env(demo_game())
    env.reset()
    with pytest.raises(integrator.SessionError, match="values of clone_state"):
        env.restore_state(b"state")  # type: ignore[arg-type]  # as a user may


@pytest.mark.parametrize(
    "change",
    [
        {"emulator": None}, {"emulator": (b"", (5, None), b"")}, {"made_of": None},
        {"steps": None}, {"held": "A"}, {"sticky_random": "12"}, {"kept": b"12"},
    ],
)  # fmt: skip
def test_a_state_that_was_changed_is_refused(opened: list[Any], change: dict[str, Any]) -> None:
    envs = integrator.make_vec(demo_game(), 1, stack=2)
    opened.append(envs)
    envs.reset(seed=1)
    state = envs.clone_state(0)
    with pytest.raises(SessionError, match=r"state (was changed .* clone_state\(\)|is of)"):
        envs.restore_state(0, replace(state, **change))
    envs.reset(seed=1)
    assert envs.clone_state(0) == state


def test_arrays_are_options_like_lists(make_env: MakeEnv) -> None:
    env = make_env(demo_game(), states=np.array(["Start", "Level2"]))
    env.reset(seed=1)
    assert env.state_name in ("Start", "Level2")
    for wrong in (np.array([1, 2]), np.array([])):
        with pytest.raises(SessionError, match="use 'all' or a list of start states"):
            make_env(demo_game(), states=wrong)
    with pytest.raises(SessionError, match="use the name of a start state"):
        env.reset(options={"state": np.array(["Start", "Level2"])})
    with pytest.raises(SessionError, match=r"render_mode is .*use 'rgb_array'"):
        make_env(demo_game(), render_mode=np.array(["rgb_array", "human"]))


def test_more_players_than_a_console_has_ports_are_refused(make_env: MakeEnv) -> None:
    with pytest.raises(SessionError, match="players is 9; use a whole number from 1 to 8"):
        make_env(demo_game(), players=9)


def test_a_session_goes_on_after_ctrl_c_in_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with integrator.open_session(demo_game()) as session:
        session.reset()
        session.advance((0,), frames=100)
        number, ram = session.timeline.length, session.memory.ram.tobytes()
        receive = Channel.receive

        def interrupted(*_: object) -> None:
            monkeypatch.setattr(Channel, "receive", receive)
            raise KeyboardInterrupt

        monkeypatch.setattr(Channel, "receive", interrupted)
        with pytest.raises(KeyboardInterrupt):
            session.advance((0,))
        with pytest.raises(integrator.HostError, match=r"recover\(\) of its session"):
            session.advance((0,))
        assert session.recover().number == number
        assert session.memory.ram.tobytes() == ram


def test_an_environment_that_there_is_not_is_named(opened: list[Any]) -> None:
    envs = integrator.make_vec(demo_game(), 2)
    opened.append(envs)
    envs.reset(seed=1)
    state, action = envs.clone_state(0), envs.single_action_space.sample()
    wrong: list[Callable[[], object]] = [
        lambda: envs.clone_state(2),
        lambda: envs.restore_state(-1, state),
        lambda: envs.send([action], [7]),
    ]
    for call in wrong:
        with pytest.raises(SessionError, match=r"no environments \[.*\]; use 0 to 1"):
            call()
    with pytest.raises(SessionError, match="use a list"):
        envs.send(None)
    envs.step(envs.action_space.sample())
