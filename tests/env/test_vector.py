"""Many emulators in threads: equal, step by step, to as many single environments."""

from __future__ import annotations

import gc
import json
import shutil
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import integrator
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import SessionError
from integrator.domain.frames.observation import stack
from integrator.env.agent_env import AgentEnv, IsolatedEnv, Preprocessing
from integrator.env.game_env import GameEnv
from integrator.env.vector import VectorGames
from libretro_host.doubles import DoubledHost
from libretro_host.errors import CoreLoadError, HostClosedError
from libretro_host.stepper import Reduction

pytestmark = pytest.mark.xdist_group("vector")

MakeEnv = Callable[..., GameEnv]
Stepped = tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]
COUNT = 3
STEPS = 40
SEED = 7


class Plain:
    """The options of training in plain Python around a single environment."""

    def __init__(self, env: GameEnv, seed: int, **options: Any) -> None:
        self._env, self._options = env, options
        self._random = np.random.default_rng(seed)
        self._over = True

    def reset(self) -> NDArray[np.uint8]:
        picture, _ = self._env.reset()
        self._held: Any = None
        self._pictures: list[NDArray[np.uint8]] = [picture, picture]
        self._seen = [self._made()]
        self._steps, self._over = 0, False
        return self._shown()

    def step(self, action: Any) -> Stepped:
        if self._over:
            return self.reset(), 0.0, False, False, {}
        total, done = 0.0, False
        for frame in range(self._options.get("frame_skip", 1)):
            sticks = frame == 0 and self._options.get("sticky") and self._held is not None
            if not (sticks and self._random.random() < self._options["sticky"]):
                self._held = action
            picture, reward, done, _, info = self._env.step(self._held)
            self._pictures.append(picture)
            total += reward
            if done:
                break
        self._seen.append(self._made())
        self._steps += 1
        cut = self._steps == self._options.get("max_steps") and not done
        self._over = done or cut
        return self._shown(), total, done, cut, info

    def _made(self) -> NDArray[np.uint8]:
        picture = self._pictures[-1]
        if "crop" in self._options:
            x, y, width, height = self._options["crop"]
            picture = np.ascontiguousarray(picture[y : y + height, x : x + width])
        if self._options.get("maxpool"):
            picture = np.maximum(picture, self._pictures[-2])
        gray, size = self._options.get("grayscale", False), self._options.get("resize")
        if gray or size:
            height, width, _ = picture.shape
            picture = Reduction((height, width), size, gray=gray).reduce(picture)
        return picture

    def _shown(self) -> NDArray[np.uint8]:
        depth = self._options.get("stack", 1)
        return self._seen[-1] if depth == 1 else np.stack(stack(self._seen, depth))


OPTIONS: list[dict[str, Any]] = [
    {},
    {"actions": "discrete", "frame_skip": 4, "sticky": 0.25, "max_steps": 9},
    {"frame_skip": 4, "maxpool": True, "grayscale": True, "resize": (84, 84), "stack": 4},
    {"crop": (10, 60, 200, 160), "stack": 2, "frame_skip": 2},
    {"observation": "ram", "sticky": 0.5, "frame_skip": 3},
    {"players": 2, "actions": "multi-discrete", "resize": (50, 60)},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_each_emulator_is_as_a_single_environment(
    opened: list[Any], options: dict[str, Any]
) -> None:
    ours = integrator.make_vec(demo_game(), COUNT, **options)
    opened.append(ours)
    names = ("actions", "observation", "players")
    chosen = {name: options[name] for name in names if name in options}
    envs = [integrator.make_env(demo_game(), **chosen) for _ in range(COUNT)]
    opened.extend(envs)
    assert_equal(ours, [Plain(env, SEED + i, **options) for i, env in enumerate(envs)])


def assert_equal(ours: Any, singles: list[Plain], *, ends: bool = False) -> None:
    observations, _ = ours.reset(seed=SEED)
    np.testing.assert_array_equal(observations, [single.reset() for single in singles])
    ours.action_space.seed(SEED)
    endings, seen = 0, set()
    for _ in range(STEPS):
        actions = ours.action_space.sample()
        observations, rewards, ended, cut, infos = ours.step(actions)
        rows = [single.step(action) for single, action in zip(singles, actions, strict=True)]
        np.testing.assert_array_equal(observations, [row[0] for row in rows])
        assert rewards.tolist() == [row[1] for row in rows]
        assert ended.tolist() == [row[2] for row in rows]
        assert cut.tolist() == [row[3] for row in rows]
        for index, row in enumerate(rows):
            mine = {name: infos[name][index] for name in infos if name[0] != "_"}
            assert {name: mine[name] for name in mine if infos[f"_{name}"][index]} == row[4]
        endings += int((ended | cut).sum())
        seen.add(observations.tobytes())
    assert len(seen) > STEPS // 2, "the game should move"
    assert (endings > 0) == (ends or any(each._options.get("max_steps") for each in singles))


def test_a_step_ends_early_when_the_game_is_done(opened: list[Any], tmp_path: Path) -> None:
    game = tmp_path / demo_game().name
    shutil.copytree(demo_game(), game)
    over = {"play_frames": {"op": "equal", "reference": 79}}
    reward = {"y": {"measurement": "absolute", "reward": 0.1}}
    scenario = {"done": {"variables": over}, "reward": {"variables": reward}}
    (game / "scenario.json").write_text(json.dumps(scenario))
    ours = integrator.make_vec(game, COUNT, frame_skip=4, maxpool=True)
    opened.append(ours)
    envs = [integrator.make_env(game) for _ in range(COUNT)]
    opened.extend(envs)
    singles = [Plain(env, SEED + i, frame_skip=4, maxpool=True) for i, env in enumerate(envs)]
    assert_equal(ours, singles, ends=True)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_changes_nothing(opened: list[Any], threads: int) -> None:
    ours = integrator.make_vec(demo_game(), COUNT, frame_skip=2, threads=threads)
    opened.append(ours)
    assert isinstance(ours, VectorGames)
    assert ours._crew.workers == min(threads, COUNT)
    envs = [integrator.make_env(demo_game()) for _ in range(COUNT)]
    opened.extend(envs)
    assert_equal(ours, [Plain(env, SEED + i, frame_skip=2) for i, env in enumerate(envs)])


def test_processes_give_the_same_numbers(opened: list[Any]) -> None:
    options: dict[str, Any] = {"frame_skip": 4, "sticky": 0.25, "max_steps": 9, "grayscale": True}
    vectors = [
        integrator.make_vec(airstriker(), 2, **options, isolated=isolated)
        for isolated in (False, True)
    ]
    opened.extend(vectors)
    for vector in vectors:
        vector.action_space.seed(SEED)
    first = [vector.reset(seed=SEED)[0].copy() for vector in vectors]
    np.testing.assert_array_equal(first[0], first[1])
    for _ in range(25):
        ours, theirs = (vector.step(vector.action_space.sample()) for vector in vectors)
        for mine, other in zip(ours[:4], theirs[:4], strict=True):
            np.testing.assert_array_equal(mine, other)
        assert {name: ours[4][name].tolist() for name in ours[4]} == {
            name: theirs[4][name].tolist() for name in theirs[4]
        }


def test_a_core_without_a_double_runs_in_processes(
    opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = iter([True, False, True])  # the last: a look at the spaces
    load = DoubledHost.load

    def refuse(host: DoubledHost, request: Any) -> Any:
        if not next(loads):
            raise CoreLoadError("it cannot be loaded twice")
        return load(host, request)

    monkeypatch.setattr(DoubledHost, "load", refuse)
    with pytest.warns(UserWarning, match="runs in a process.*loaded twice"):
        ours = integrator.make_vec(demo_game(), 2, threads=1)
    opened.append(ours)
    assert all(isinstance(env, IsolatedEnv) for env in ours.envs)
    observations, _ = ours.reset()
    assert ours.observation_space.contains(observations)


def test_an_emulator_that_fails_is_told_in_the_callers_thread(
    opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = integrator.make_vec(demo_game(), 2, threads=2)
    opened.append(ours)
    ours.reset()

    def fail(*_: Any) -> Any:
        raise SessionError("lane 1 failed")

    assert isinstance(ours, VectorGames)
    monkeypatch.setattr(ours.envs[1], "play", fail)
    with pytest.raises(SessionError, match="lane 1 failed"):
        ours.step(ours.action_space.sample())
    with pytest.raises(SessionError, match="1 actions for 2"):
        ours.step(ours.action_space.sample()[:1])


def test_each_environment_has_a_start_state_of_its_own(opened: list[Any]) -> None:
    ours = integrator.make_vec(demo_game(), 2)
    opened.append(ours)
    assert isinstance(ours, VectorGames)
    env = ours.envs[0]
    assert isinstance(env, AgentEnv)
    state = env.emulator.default_state
    power_on = integrator.POWER_ON
    observations, _ = ours.reset(options={"state": [state, power_on]})
    assert (observations[0] != observations[1]).any()
    same, _ = ours.reset(options={"state": state})
    np.testing.assert_array_equal(same[0], same[1])


def test_gymnasium_makes_it_by_its_name(opened: list[Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the name's version, and of wrappers
        made = gymnasium.make_vec(
            "integrator.env:integrator/Game-v0",
            num_envs=2,
            vectorization_mode="vector_entry_point",
            directory=demo_game(),
        )
    opened.append(made)
    assert made.reset()[0].shape[0] == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"frame_skip": 0}, "frame_skip is 0"),
        ({"sticky": 1.0}, "sticky is 1.0"),
        ({"resize": (0, 5)}, "resize is"),
        ({"crop": (-1, 0, 5, 5)}, "crop is"),
        ({"resize": np.array([84.0, 84.0])}, "resize is"),
        ({"observation": "ram", "grayscale": True}, "no image has no pictures"),
        ({"num_envs": 0}, "num_envs is 0"),
    ],
)
def test_a_wrong_option_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(SessionError, match=said):
        integrator.make_vec(demo_game(), **{"num_envs": 1, **options})


def test_sizes_may_be_arrays(opened: list[Any]) -> None:
    arrays: Any = {"crop": np.array([0, 8, 64, 32]), "resize": np.array([16, 32])}
    opened.append(integrator.make_vec(demo_game(), 1, **arrays))
    opened.append(integrator.make_vec(demo_game(), 1, crop=(0, 8, 64, 32), resize=(16, 32)))
    ours, other = opened
    np.testing.assert_array_equal(ours.reset(seed=1)[0], other.reset(seed=1)[0])
    other.restore_state(0, ours.clone_state(0))


def test_the_contest_has_its_protocol(opened: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    env = integrator.contest_env(demo_game(), actions="discrete")
    opened.append(env)
    assert isinstance(env, AgentEnv)
    env.reset(seed=3)
    frames: list[tuple[int, ...]] = []
    run = env.emulator.run

    def count(masks: tuple[int, ...]) -> NDArray[np.uint8]:
        frames.append(masks)
        return run(masks)

    monkeypatch.setattr(env.emulator, "run", count)
    env.action_space.seed(3)
    late = 0
    for step in range(120):
        _, _, done, truncated, _ = env.step(env.action_space.sample())
        assert not truncated
        assert not done
        assert len(frames) == 4 * (step + 1)
        assert len(set(frames[-3:])) == 1
        late += frames[-4] != frames[-3]
    assert 15 < late < 45, "a quarter of the steps should begin with the buttons before"


def test_the_contest_shows_the_pictures_of_training(opened: list[Any]) -> None:
    options: dict[str, Any] = {"grayscale": True, "resize": (84, 84), "stack": 4}
    env = integrator.contest_env(demo_game(), **options)
    opened.append(env)
    protocol: dict[str, Any] = {"frame_skip": 4, "sticky": 0.25, "max_steps": 4500}
    ours = integrator.make_vec(demo_game(), 1, **protocol, **options)
    opened.append(ours)
    np.testing.assert_array_equal(ours.reset(seed=2)[0][0], env.reset(seed=2)[0])
    ours.action_space.seed(2)
    for _ in range(20):
        actions = ours.action_space.sample()
        np.testing.assert_array_equal(ours.step(actions)[0][0], env.step(actions[0])[0])
    assert env.observation_space.shape == (4, 84, 84)


def test_an_episode_of_the_contest_ends_after_its_steps(
    opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("integrator.env.making.CONTEST_STEPS", 5)
    env = integrator.contest_env(demo_game())
    opened.append(env)
    env.reset()
    idle = np.zeros(env.action_space.shape or (), np.int8)
    assert [env.step(idle)[3] for _ in range(5)] == [False] * 4 + [True]


def test_a_vector_that_nobody_closes_goes_with_its_threads_and_emulators(tmp_path: Path) -> None:
    before = threading.active_count()
    vector = integrator.make_vec(demo_game(), 3, threads=2, record=tmp_path)
    vector.reset(seed=1)
    vector.step(vector.action_space.sample())
    hosts = [env.emulator._host for env in vector.envs if isinstance(env, GameEnv)]
    del vector
    gc.collect()
    assert threading.active_count() == before
    assert [host._request for host in hosts] == [None, None, None]


@pytest.mark.parametrize("name", ["players", "num_envs", "threads", "frame_skip", "stack"])
def test_a_number_may_be_one_of_numpys_and_no_other_type(name: str) -> None:
    def options(value: object) -> Any:
        return {"directory": demo_game(), "num_envs": 1, name: value}

    vector = integrator.make_vec(**options(np.int64(1)))
    vector.reset(seed=1)
    vector.step(vector.action_space.sample())
    vector.close()
    for wrong in (1.5, "2", -1):
        with pytest.raises(SessionError, match=f"{name} is {wrong!r}; use a whole number from 1"):
            integrator.make_vec(**options(wrong))


def test_buttons_are_pressed_for_a_whole_step() -> None:
    envs = [AgentEnv(demo_game(), Preprocessing(frame_skip=4, max_steps=6)) for _ in range(2)]
    for env in envs:
        env.reset(seed=1)
    for step in range(6):
        action = np.eye(len(envs[0].buttons), dtype=np.int8)[step]
        stepped, pressed = envs[0].step(action), envs[1].press(envs[1].masks(action))
        np.testing.assert_array_equal(stepped[0], pressed[0])
        assert stepped[1:] == pressed[1:]
    assert pressed[3]
    for env in envs:
        env.close()


def test_gymnasium_hands_over_its_limit_of_steps(opened: list[Any]) -> None:
    gymnasium.register(
        "Short-v0",
        vector_entry_point="integrator.env.making:make_vec",
        max_episode_steps=3,
        kwargs={"directory": str(demo_game())},
    )
    try:
        envs = gymnasium.make_vec("Short-v0", 2)
    finally:
        del gymnasium.registry["Short-v0"]
    opened.append(envs)
    envs.reset(seed=1)
    cut = [envs.step(envs.action_space.sample())[3].tolist() for _ in range(3)]
    assert cut == [[False, False], [False, False], [True, True]]


def test_after_close_nothing_is_received() -> None:
    envs = integrator.make_vec(demo_game(), 1)
    envs.reset()
    envs.close()
    with pytest.raises(HostClosedError):
        envs.recv()
