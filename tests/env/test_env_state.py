"""States of running environments as values: what follows a restored moment followed it before."""

from __future__ import annotations

import copy
import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from env_fixtures import MakeEnv

import integrator
from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.errors import ScriptError, SessionError
from integrator.domain.movies.reading import read_movie
from integrator.domain.scenario.scoring import StepScorer
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.values.memory import AddressSpace, DataType, Region
from integrator.domain.values.variables import PackedReader, VariableSpec
from integrator.env.agent_env import AgentEnv, Preprocessing
from integrator.env.emulator import EnvState, PlainScoring
from integrator.env.game_env import GameEnv
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import movie_consoles
from scripts.campaign import toys

pytestmark = pytest.mark.xdist_group("vector")

PLAYED, STEPS = 90, 60

SCRIPT = """
local steps, seen = 0, { nested = { 1 / 0, 0 / 0 } }
local Meter = {}
Meter.__index = Meter
function Meter:add(n) self.total = self.total + n; return self.total end
local meter = setmetatable({ total = 0 }, Meter)
local function bonus() return math.random(100) end
names = { "a\\n\\0b", [3] = true }
function pay()
  steps = steps + 1
  seen[#seen + 1] = steps
  names.last = "step " .. steps
  if steps % 7 == 0 then math.floor_of = math.floor; twice = pay end
  data.paid = meter:add(bonus()) + #seen
  return data.paid + (data.score or 0)
end
"""


def scripted_game(folder: Path, script: str = SCRIPT) -> Path:
    game = shutil.copytree(demo_game(), folder / "Scripted-Nes-v0")
    (game / "pay.lua").write_text(script)
    scenario = {"scripts": ["pay.lua"], "reward": {"script": "lua:pay"}}
    (game / "scenario.json").write_text(json.dumps(scenario))
    return game


def steps_of(env: GameEnv, count: int, seed: int) -> list[Any]:
    env.action_space.seed(seed)
    told = []
    for _ in range(count):
        picture, *rest = env.step(env.action_space.sample())
        told.append((picture.tobytes(), repr(rest), env.rewards))
    return told


def agent(game: Path) -> AgentEnv:
    options = Preprocessing(3, 0.4, 500, None, (84, 84), grayscale=True, stack=4, maxpool=True)
    return AgentEnv(game, options)


MAKERS: dict[str, Callable[[Path], GameEnv]] = {
    "plain": lambda _: integrator.make_env(airstriker()),
    "ram": lambda _: integrator.make_env(demo_game(), observation="ram"),
    "agent": lambda _: agent(demo_game()),
    "script": lambda folder: integrator.make_env(scripted_game(folder)),
}


@pytest.mark.parametrize("maker", MAKERS.values(), ids=MAKERS)
def test_the_steps_after_a_restore_are_those_that_were(
    maker: Callable[[Path], GameEnv], tmp_path: Path
) -> None:
    env = maker(tmp_path)
    env.reset(seed=3)
    steps_of(env, PLAYED, seed=1)
    state = env.clone_state()
    assert state == env.clone_state()
    expected = steps_of(env, STEPS, seed=2)
    assert state != env.clone_state()
    env.restore_state(state)
    assert env.clone_state() == state
    assert steps_of(env, STEPS, seed=2) == expected
    env.close()

    other = maker(tmp_path / "other") if maker is not MAKERS["script"] else maker(tmp_path / "o")
    other.reset()
    other.restore_state(pickle.loads(pickle.dumps(state)))
    assert steps_of(other, STEPS, seed=2) == expected
    other.close()


def test_equal_moments_of_two_environments_are_equal() -> None:
    """The core copies pointers into its states, and each environment has a library of its own."""
    states = []
    for _ in range(2):
        env = integrator.make_env(airstriker())
        env.reset(seed=3)
        steps_of(env, 30, seed=1)
        states.append(env.clone_state())
    one, other = (state.emulator[0] for state in states)
    assert not np.array_equal(one.raw, other.raw)
    assert pickle.dumps(one) == pickle.dumps(other)
    assert hash(states[0]) == hash(states[1])
    assert states[0] == states[1]


def test_a_state_restored_elsewhere_is_the_same_state() -> None:
    with integrator.make_env(airstriker()) as one, integrator.make_env(airstriker()) as other:
        one.reset(seed=3)
        steps_of(one, 30, seed=1)
        state = one.clone_state()
        other.reset()
        other.restore_state(state)
        assert other.clone_state() == state


def test_a_moment_is_the_same_state_each_time_on_cores_whose_saves_differ() -> None:
    """Gambatte saves other bytes after it has loaded a state, for the same moment."""
    with integrator.make_env(proof_roms()["GameBoy"].path) as env:
        env.reset()
        steps_of(env, 5, seed=1)
        state = env.clone_state()
        assert env.emulator.save_state() != bytes(state.emulator[0])
        assert env.clone_state() == state
        steps_of(env, 5, seed=1)
        assert env.clone_state() != state
        env.restore_state(state)
        assert env.clone_state() == state


def test_a_restored_environment_shows_the_picture_of_its_moment() -> None:
    env = integrator.make_env(demo_game(), render_mode="rgb_array")
    env.reset()
    steps_of(env, 5, seed=1)
    state, picture = env.clone_state(), env.render()
    assert picture is not None
    steps_of(env, 90, seed=1)
    env.restore_state(state)
    shown = env.render()
    assert shown is not None
    assert np.array_equal(shown, picture)
    env.close()


@pytest.mark.parametrize("isolated", [False, True])
def test_states_of_a_vector_move_between_its_environments(isolated: bool) -> None:
    envs = integrator.make_vec(demo_game(), 3, frame_skip=2, isolated=isolated)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    for _ in range(40):
        envs.step(envs.action_space.sample())
    state = envs.clone_state(1)
    for index in (0, 2):
        envs.restore_state(index, state)
    for _ in range(20):
        pictures, *_ = envs.step([envs.single_action_space.sample()] * 3)
        assert np.array_equal(pictures[0], pictures[1])
        assert np.array_equal(pictures[0], pictures[2])
    envs.close()


def test_a_state_of_other_options_is_refused() -> None:
    with agent(demo_game()) as env, integrator.make_env(demo_game()) as plain:
        env.reset()
        plain.reset()
        with pytest.raises(SessionError, match="frame_skip=3"):
            plain.restore_state(env.clone_state())


def test_before_a_reset_there_is_no_moment() -> None:
    with integrator.make_env(demo_game()) as env, pytest.raises(SessionError, match="reset"):
        env.clone_state()


def test_a_recorded_movie_ends_where_the_environment_jumps(tmp_path: Path) -> None:
    env = integrator.make_env(demo_game(), record=tmp_path)
    env.reset()
    state = env.clone_state()
    steps_of(env, 30, seed=1)
    env.restore_state(state)
    steps_of(env, 5, seed=1)
    assert env.movie_path is not None
    movie = read_movie(env.movie_path, movie_consoles())
    assert movie.frames == 31
    env.reset()
    env.close()
    assert len(list(tmp_path.glob("*.bk2"))) == 2


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        ("function pay()\nlater = function() end return 0 end", "made while the game"),
        ("function new() return function() end end a, b = new(), new()\nfunction pay() end", "two"),
        ("c = coroutine.create(function() end); function pay() return 0 end", "keeps a thread"),
        ("t = { [{}] = 1 }; function pay() return 0 end", "has a table as a key"),
    ],
)
def test_what_no_state_can_hold_is_said(kept: str, reason: str, tmp_path: Path) -> None:
    env = integrator.make_env(scripted_game(tmp_path, kept))
    env.reset()
    steps_of(env, 3, seed=1)
    with pytest.raises(ScriptError, match=reason):
        env.restore_state(env.clone_state())
    env.close()


def test_a_state_is_a_value() -> None:
    with integrator.make_env(demo_game()) as env:
        env.reset()
        state = env.clone_state()
        assert isinstance(state, EnvState)
        assert {state: 1}[env.clone_state()] == 1


def test_a_state_fits_whatever_type_a_number_had() -> None:
    plain = integrator.make_vec(demo_game(), 1, frame_skip=2)
    int_of_numpy: Any = np.int64(2)
    numpys = integrator.make_vec(demo_game(), 1, frame_skip=int_of_numpy)
    for vector in (plain, numpys):
        vector.reset(seed=1)
    numpys.restore_state(0, plain.clone_state(0))
    for vector in (plain, numpys):
        vector.close()


def test_play_after_a_clone_is_the_play_after_its_restoring(
    own_home: Path, toy_cores: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INTEGRATOR_CORES", str(toy_cores))
    toys.describe_toy(platform="Toy")
    game = toys.make_game(own_home / "Game-Toy-v0", hidden=6)
    with integrator.make_env(game, observation="image") as env:
        env.reset()
        state = env.clone_state()
        first = [np.array(env.step(env.action_space.sample() * 0)[0]) for _ in range(3)]
        env.restore_state(state)
        again = [np.array(env.step(env.action_space.sample() * 0)[0]) for _ in range(3)]
    assert np.array_equal(first, again)


def test_frames_without_a_change_are_scored_like_any_other() -> None:
    terms = {"n": {"reward": 1}}
    done = {"variables": {"n": {"op": "equal", "reference": 9}}}
    spec = ScenarioSpec.parse({"reward": {"variables": terms}, "done": done})
    variables = {"n": VariableSpec("n", 0, DataType.parse("|u1"))}
    reader = PackedReader(variables, AddressSpace([Region(0, 1)]))
    scoring = PlainScoring(StepScorer(spec, 1), reader)

    def scored(value: int) -> tuple[int, float, bool]:
        score = scoring.score(memoryview(bytes([value])))
        return score.values["n"], score.rewards[0], score.done

    scoring.begin(memoryview(b"\2"))
    assert [scored(value) for value in (2, 2, 2, 5, 5, 9, 9, 9)] == [
        *((2, 0.0, False), (2, 0.0, False), (2, 0.0, False)),
        *((5, 3.0, False), (5, 0.0, False)),
        *((9, 4.0, True), (9, 0.0, True), (9, 0.0, True)),
    ]
    scoring.restore(((("n", 4),), None))
    assert [scored(9), scored(9)] == [(9, 5.0, True), (9, 0.0, True)]
    scoring.begin(memoryview(b"\3"))
    assert scored(9) == (9, 6.0, True)


def test_a_state_without_chances_or_stacks_holds_none() -> None:
    env = AgentEnv(demo_game(), Preprocessing())
    env.reset(seed=1)
    state = env.clone_state()
    assert (state.sticky_random, state.kept) == ("", b"")
    env.close()


def test_a_state_may_leave_random_numbers_out(make_env: MakeEnv) -> None:
    env, other = (make_env(demo_game(), states=["Start", "Level2"]) for _ in range(2))
    for seed, each in enumerate((env, other)):
        each.reset(seed=seed)
    own = other.np_random.bit_generator.state
    other.restore_state(env.clone_state(include_rng=False))
    assert other.np_random.bit_generator.state == own
    other.restore_state(env.clone_state())
    assert other.np_random.bit_generator.state == env.np_random.bit_generator.state != own


def test_a_copy_of_an_environment_names_the_way_that_works(make_env: MakeEnv) -> None:
    env = make_env(demo_game())
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(SessionError, match=r"clone_state\(\) gives its moment"):
            copied(env)
