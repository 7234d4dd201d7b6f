"""One game as a Gymnasium environment."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import integrator
import integrator.env
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import DocumentError, SessionError
from integrator.domain.movies.reading import read_movie
from integrator.env.game_env import GameEnv
from integrator.session.opening import movie_consoles
from libretro_host.errors import HostClosedError

MakeEnv = Callable[..., GameEnv]
NAME = "integrator.env:integrator/Game-v0"


@pytest.mark.parametrize("actions", ["filtered", "discrete", "multi-discrete", "all"])
@pytest.mark.parametrize("observation", ["image", "ram"])
def test_the_checker_of_gymnasium_passes(actions: str, observation: str) -> None:
    options: dict[str, Any] = {"actions": actions, "observation": observation}
    made = gymnasium.make(NAME, render_mode="rgb_array", directory=str(demo_game()), **options)
    check_env(made.unwrapped, skip_close_check=True)
    made.close()


@pytest.mark.parametrize("actions", ["filtered", "discrete", "multi-discrete", "all"])
@pytest.mark.parametrize("observation", ["image", "ram"])
def test_the_checker_of_stable_baselines3_passes(
    make_env: MakeEnv, actions: str, observation: str
) -> None:
    checker = pytest.importorskip(
        "stable_baselines3.common.env_checker", reason='pip install "retro-integrator[train]"'
    )
    checker.check_env(make_env(demo_game(), actions=actions, observation=observation))


def test_gymnasium_makes_it_by_its_name() -> None:
    made = gymnasium.make(NAME, directory=str(demo_game()))
    assert isinstance(made.unwrapped, GameEnv)
    observation, _ = made.reset(seed=1)
    assert made.observation_space.contains(observation)
    made.close()


def test_two_players_have_the_buttons_of_both(make_env: MakeEnv) -> None:
    env = make_env(demo_game(), players=2, actions="all")
    assert env.action_space.shape == (2 * len(env.buttons),)
    action = np.zeros(env.action_space.shape, np.int8)
    left, a = env.buttons.index("LEFT"), env.buttons.index("A")
    action[[left, len(env.buttons) + a]] = 1
    assert env.masks(action) == (1 << left, 1 << a)
    assert env.get_action_meaning(action) == [["LEFT"], ["A"]]
    env.reset()
    env.step(action)
    assert len(env.rewards) == 2


def test_digits_of_two_players(make_env: MakeEnv) -> None:
    env = make_env(demo_game(), players=2, actions="multi-discrete")
    groups = env.emulator.actions.groups
    assert env.action_space.sample().shape == (2 * len(groups),)
    digits = np.zeros(2 * len(groups), np.int64)
    digits[len(groups)] = 1
    assert env.masks(digits) == (0, groups[0][1])


@pytest.mark.parametrize(
    ("actions", "wrong"),
    [("filtered", [0, 1]), ("discrete", 10**6), ("discrete", -1), ("multi-discrete", [99] * 3)],
)
def test_an_action_outside_of_the_space_is_refused(
    make_env: MakeEnv, actions: str, wrong: object
) -> None:
    env = make_env(demo_game(), actions=actions)
    env.reset()
    with pytest.raises(SessionError, match="is not in"):
        env.step(wrong)


def test_episodes_repeat_and_observations_stay_the_callers(make_env: MakeEnv) -> None:
    env = make_env(demo_game())
    actions = [env.action_space.sample() for _ in range(90)]

    def play() -> list[tuple[bytes, object]]:
        seen = [env.reset(seed=3)[0]]
        steps = [env.step(action) for action in actions]
        seen += [step[0] for step in steps]
        return [
            (picture.tobytes(), step[1:]) for picture, step in zip(seen[1:], steps, strict=True)
        ]

    first = play()
    assert play() == first
    assert len({picture for picture, _ in first}) > 60


def test_a_caller_may_write_into_pictures(make_env: MakeEnv) -> None:
    env = make_env(demo_game(), render_mode="rgb_array")
    seen, _ = env.reset()
    shown, moment = seen.copy(), env.clone_state()
    for picture in (seen, env.render()):
        picture.fill(77)
    assert (env.render() == shown).all()
    assert env.clone_state() == moment
    env.restore_state(moment)
    env.render().fill(77)
    assert (env.render() == shown).all()


def test_an_episode_begins_at_the_state_that_reset_names(make_env: MakeEnv, tmp_path: Path) -> None:
    env = make_env(demo_game())
    start, _ = env.reset()
    for _ in range(200):
        env.step(env.action_space.sample())
    path = tmp_path / "later.state"
    path.write_bytes(gzip.compress(env.emulator.save_state()))
    later, _ = env.reset(options={"state": str(path)})
    assert (later != start).any()
    path.write_bytes((demo_game() / "Start.state").read_bytes())
    assert (env.reset(options={"state": str(path)})[0] == start).all(), "the file is read again"
    assert (env.reset()[0] == start).all()
    with pytest.raises(DocumentError, match="nowhere"):
        env.reset(options={"state": "nowhere"})
    assert (env.reset()[0] == start).all()


def test_a_game_without_start_state_begins_at_power_on(make_env: MakeEnv, tmp_path: Path) -> None:
    game = tmp_path / demo_game().name
    shutil.copytree(demo_game(), game)
    (game / "metadata.json").write_text("{}")
    env = make_env(game)
    first, _ = env.reset()
    for _ in range(50):
        env.step(env.action_space.sample())
    assert (env.reset()[0] == first).all()


def test_rendering_shows_the_picture_to_an_agent_of_ram(make_env: MakeEnv) -> None:
    env = make_env(demo_game(), observation="ram", render_mode="rgb_array")
    ram, _ = env.reset()
    assert (ram == env.emulator.ram()).all()
    picture = env.render()
    assert picture is not None
    assert picture.shape == env.emulator.shape
    assert make_env(demo_game()).render() is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"actions": "some"}, "no action mode 'some'"),
        ({"observation": "sound"}, "no observation 'sound'"),
        ({"render_mode": "human"}, "HumanRendering"),
        ({"scenario": "other"}, "no scenario 'other'"),
        ({"state": "Other"}, "Other.state: there is no such state; there "),
    ],
)
def test_a_wrong_option_is_refused(options: dict[str, str], said: str) -> None:
    with pytest.raises((SessionError, DocumentError), match=said):
        integrator.make_env(demo_game(), **options)  # type: ignore[arg-type] # strings all


def test_a_step_needs_a_reset(make_env: MakeEnv) -> None:
    env = make_env(demo_game())
    with pytest.raises(SessionError, match="reset"):
        env.step(env.action_space.sample())


def test_recorded_episodes_replay_to_the_same_frames(make_env: MakeEnv, tmp_path: Path) -> None:
    env = make_env(demo_game(), record=tmp_path / "movies")
    env.reset()
    env.action_space.seed(5)
    infos = [env.step(env.action_space.sample())[4] for _ in range(150)]
    env.reset()
    path = env.movie_path
    assert path is not None
    assert path.name == "EmberMoth-Nes-v0-Start-000000.bk2"
    assert read_movie(path, movie_consoles()).frames == 151
    with integrator.open_session(demo_game(), isolated=False) as session:
        session.play(path)
        replayed = [session.advance().values for _ in infos]
        assert [event for event in session.take_events() if "step" in str(event)] == []
    assert replayed == infos
    env.close()
    assert len(list((tmp_path / "movies").iterdir())) == 2


def test_a_step_after_the_end_says_so(make_env: MakeEnv) -> None:
    env = make_env(demo_game())
    env.reset()
    env.close()
    with pytest.raises(HostClosedError, match="the game was closed"):
        env.step(env.action_space.sample())


def test_an_attribute_of_stable_retro_names_its_equivalent(make_env: MakeEnv) -> None:
    env: Any = make_env(demo_game())
    assert not hasattr(env, "em")
    assert "em" not in dir(env)
    with pytest.raises(AttributeError, match=r"no attribute 'em': clone_state"):
        env.em  # noqa: B018 - the access is the test
    with pytest.raises(AttributeError, match=r"no attribute 'nothing'$"):
        env.nothing  # noqa: B018 - the access is the test
    env.data = 1
    assert env.data == 1
    # Python would look up each attribute in twice the time, and a step reads dozens of them.
    assert not hasattr(type(env), "__getattr__")
