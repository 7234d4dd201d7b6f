"""Starts of episodes: states drawn by weights, and moments of movies."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import MovieError, SessionError
from integrator.domain.movies.model import Movie
from integrator.env.agent_env import AgentEnv
from integrator.env.game_env import GameEnv
from integrator.env.vector import VectorGames

pytestmark = pytest.mark.xdist_group("vector")


def begun(env: GameEnv, seed: int | None = None) -> str:
    env.reset(seed=seed)
    return env.state_name


def recorded(path: Path, frames: int) -> Movie:
    """A movie of some frames with a hash after the last one."""
    with integrator.open_session(demo_game()) as session:
        session.reset()
        session.record(path)
        session.advance(frames=frames)
        session.stop_recording()
        return session.game.read_movie(path)


def test_starts_are_drawn_by_seed_and_weights() -> None:
    options: dict[str, Any] = {"states": ["Start", "Level2"], "weights": [1, 3]}
    with integrator.make_env(demo_game(), **options) as env:
        env.reset(seed=11)
        drawn = [begun(env) for _ in range(60)]
        env.reset(seed=11)
        assert [begun(env) for _ in range(60)] == drawn
        assert 30 < drawn.count("Level2") < 58
        env.reset(options={"state": "Start"})
        assert env.state_name == "Start"
    with integrator.make_env(demo_game(), states="all") as env:
        names = {begun(env, seed) for seed in range(20)}
        assert names == {"Start", "Level2"}


def test_an_episode_begins_at_a_moment_of_a_movie(tmp_path: Path) -> None:
    with integrator.make_env(demo_game(), record=tmp_path) as env:
        env.reset()
        env.action_space.seed(1)
        for _ in range(99):
            env.step(env.action_space.sample())
        expected = bytes(env.clone_state().emulator[0])
    [movie] = tmp_path.glob("*.bk2")
    with integrator.make_env(demo_game(), states=[(movie, 100)]) as env:
        env.reset()
        assert env.state_name == f"{movie.stem}-100"
        with integrator.make_env(demo_game()) as other:
            other.reset()
            other.emulator.begin(expected, "moment")
            assert np.array_equal(other.emulator.ram(), env.emulator.ram())
    with pytest.raises(SessionError, match="frames 1 to 100, and none 101"):
        integrator.make_env(demo_game(), states=[(movie, 101)])


def test_a_start_state_may_be_named_with_its_suffix() -> None:
    with integrator.make_env(demo_game(), state="Level2.state") as env:
        seen, _ = env.reset()
        for same in ("Level2", Path("Level2")):
            assert np.array_equal(seen, env.reset(options={"state": same})[0])
    integrator.make_env(demo_game(), state=Path("Level2")).close()


_ROW = "|0|........|........||\n"


@pytest.mark.parametrize(
    ("head", "row", "fault"),
    [
        ("", "|1|........|........||", "cannot press reset"),
        ("", "|4|........|........||", "no input of this system: commands for disks"),
        ("savestate 00\n", _ROW, "starts from an FCEUX savestate"),
        ("", "|0|........|.......A||", "cannot press player 2"),
        ("romChecksum base64:AAAAAAAAAAAAAAAAAAAAAA==\n", _ROW, "with another ROM"),
    ],
    ids=["reset", "disk", "savestate", "players", "rom"],
)
def test_a_movie_that_would_begin_elsewhere_is_no_start(
    tmp_path: Path, head: str, row: str, fault: str
) -> None:
    movie = tmp_path / "m.fm2"
    movie.write_text(f"version 3\nport1 1\n{_ROW * 9}")
    with integrator.make_env(demo_game(), states=[(movie, 9)]) as env:
        env.reset()
    movie.write_text(f"version 3\nport1 1\n{head}{_ROW * 5}{row}\n")
    if not head:
        integrator.make_env(demo_game(), states=[(movie, 5)]).close()
    with pytest.raises(MovieError, match=f"m.fm2: .*{fault}.*; use another movie"):
        integrator.make_env(demo_game(), states=[(movie, 6)])


def test_a_player_of_another_movie_presses_nothing_in_a_start(tmp_path: Path) -> None:
    two, one = tmp_path / "two.fm2", tmp_path / "one.fm2"
    two.write_text("version 3\nport1 1\n" + "|0|........|R......A||\n" * 9)
    one.write_text("version 3\n" + "|0|........||\n" * 9)
    begun = []
    for before in ([], [(two, 9)]):
        with integrator.make_env(demo_game(), players=2, states=[*before, (one, 9)]) as env:
            assert env._starts is not None
            begun.append(env._starts._read((one, 9)))
    assert begun[0] == begun[1]


def test_a_movie_of_another_rom_whose_hashes_come_later_is_no_start(tmp_path: Path) -> None:
    movie = recorded(tmp_path / "m.bk2", 9)
    assert movie.ram_hashes is not None
    movie.ram_hashes.rows[:] = 9
    movie = replace(movie, rom_hash="0" * 40, core=None)
    with (
        patch("integrator.env.emulator.read_movie", return_value=movie),
        pytest.raises(MovieError, match="with another ROM"),
    ):
        integrator.make_env(demo_game(), states=[(tmp_path / "m.bk2", 6)])


def test_a_start_of_a_movie_has_the_recorded_memory(tmp_path: Path) -> None:
    movie = recorded(tmp_path / "m.bk2", 5)
    assert movie.ram_hashes is not None
    movie.ram_hashes.digests[-1] ^= 1
    with (
        patch("integrator.env.emulator.read_movie", return_value=movie),
        pytest.raises(MovieError, match=r"m\.bk2: out of step from row 5 on"),
    ):
        integrator.make_env(demo_game(), states=[(tmp_path / "m.bk2", 6)])


@pytest.mark.parametrize(
    ("states", "weights"),
    [
        *(([], None), ("some", None), (["Start"], [0]), (["Start"], [1, 2]), (["Start"], [-1])),
        *(([3], None), ([None], None), ([()], None), ([("a.bk2",)], None), ([(1, 2)], None)),
        (None, [1, 2]),
    ],
)
def test_starts_that_cannot_be_drawn_are_refused(states: Any, weights: Any) -> None:
    with pytest.raises(SessionError, match=r"states is|weights are|use \(movie, frame\)"):
        integrator.make_env(demo_game(), states=states, weights=weights)


def test_a_start_that_no_reset_would_use_is_refused() -> None:
    with pytest.raises(SessionError, match="state is 'Start' and there are states; use one"):
        integrator.make_env(demo_game(), state="Start", states=["Level2"])


def test_a_curriculum_of_a_vector_draws_a_start_for_each_environment() -> None:
    envs = integrator.make_vec(demo_game(), 6, states="all", frame_skip=2)
    envs.reset(seed=2)
    assert isinstance(envs, VectorGames)
    names = [env.state_name for env in envs.envs if isinstance(env, AgentEnv)]
    assert set(names) == {"Start", "Level2"}
    envs.close()
