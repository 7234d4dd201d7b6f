"""Frames of vector environments that a crew runs ahead, without Python."""

from __future__ import annotations

import contextlib
import gc
import json
import shutil
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_env_faults import same_steps
from test_vector import COUNT, SEED, Plain

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError
from integrator.env.agent_env import AgentEnv
from integrator.env.crew import Crew
from integrator.env.vector import VectorGames
from libretro_host.errors import HostError
from libretro_host.shims import ORIGINAL
from libretro_host.stepper import WHOLE
from scripts.campaign import toys


@pytest.fixture
def short_game(tmp_path: Path) -> Path:
    """The demo game, whose episodes end at their 59th frame, the first whose time is 59."""
    game = tmp_path / demo_game().name
    shutil.copytree(demo_game(), game)
    done = {"variables": {"time": {"op": "equal", "reference": 59}}}
    reward = {"variables": {"y": {"measurement": "absolute", "reward": 0.1}}}
    (game / "scenario.json").write_text(json.dumps({"done": done, "reward": reward}))
    return game


def vector(opened: list[Any], game: Path, **options: Any) -> VectorGames:
    made = integrator.make_vec(game, COUNT, threads=2, **options)
    assert isinstance(made, VectorGames)
    opened.append(made)
    return made


TRAINED: dict[str, Any] = {"maxpool": True, "grayscale": True, "resize": (84, 84), "stack": 4}


@pytest.mark.parametrize("options", [{}, {"frame_skip": 4}, {"frame_skip": 4, **TRAINED}], ids=str)
def test_a_step_needs_no_python_in_the_threads(
    opened: list[Any], monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    ours = vector(opened, demo_game(), **options)
    ours.reset(seed=SEED)
    idle = np.zeros(ours.action_space.shape or (), np.int8)
    ours.step(idle)  # the first frames of an episode are scored one by one

    def fail(*_: Any) -> Any:
        raise SessionError("a thread got work in Python")

    monkeypatch.setattr(ours._crew, "each", fail)
    for _ in range(5):
        ours.step(idle)
    monkeypatch.undo()


@pytest.mark.parametrize("skip", [2, 4, 7])
@pytest.mark.parametrize("options", [{"sticky": 0.25}, TRAINED], ids=["whole", "trained"])
def test_no_frame_is_run_after_the_end_of_an_episode(
    opened: list[Any], short_game: Path, skip: int, options: dict[str, Any]
) -> None:
    """The memory of each game is that of the single environment, also after the end."""
    ours = vector(opened, short_game, frame_skip=skip, **options)
    singles = [integrator.make_env(short_game) for _ in range(COUNT)]
    opened += singles
    plain = [Plain(env, SEED + i, frame_skip=skip, **options) for i, env in enumerate(singles)]
    run = ours._crew.run
    early: list[int] = []

    def counted(tasks: Any) -> None:
        run(tasks)
        early.extend(each.ran for each in tasks if each.state != WHOLE)

    ours._crew.run = counted  # type: ignore[method-assign] # to see that frames are left out
    ours.reset(seed=SEED)
    for each in plain:
        each.reset()
    ours.action_space.seed(SEED)
    ends = 0
    for _ in range(150 // skip):
        actions = ours.action_space.sample()
        observations, rewards, ended, _, _ = ours.step(actions)
        rows = [each.step(action) for each, action in zip(plain, actions, strict=True)]
        np.testing.assert_array_equal(observations, [row[0] for row in rows])
        assert rewards.tolist() == [row[1] for row in rows]
        assert ended.tolist() == [row[2] for row in rows]
        for mine, single in zip(ours.call("get_ram"), singles, strict=True):
            np.testing.assert_array_equal(mine, single.get_ram())
        ends += int(ended.sum())
    assert ends >= COUNT
    assert early
    assert max(early) < skip


@pytest.mark.parametrize("options", [{"max_steps": 5}, {}], ids=["limit", "done"])
def test_an_episode_begins_in_the_thread_of_its_environment(
    opened: list[Any], short_game: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    ours = vector(opened, short_game, frame_skip=4, autoreset="same_step", **options)
    twin = vector(opened, short_game, frame_skip=4, autoreset="same_step", **options)
    names: list[str] = []
    begin = ours.envs[1].begin

    def named(*arguments: Any, **more: Any) -> Any:
        names.append(threading.current_thread().name)
        return begin(*arguments, **more)

    monkeypatch.setattr(ours.envs[1], "begin", named)
    # The twin steps in the threads, as environments do whose frames need Python.
    monkeypatch.setattr(AgentEnv, "ask", lambda env, *rest: env in ours.envs and ask(env, *rest))
    for each in (ours, twin):
        each.reset(seed=SEED)
    for _ in range(18):
        actions = ours.action_space.sample()
        mine, other = ours.step(actions), twin.step(actions)
        for one, two in zip(mine[:4], other[:4], strict=True):
            np.testing.assert_array_equal(one, two)
        assert str(mine[4]) == str(other[4])
        for one, two in zip(
            mine[4].get("final_obs", ()), other[4].get("final_obs", ()), strict=True
        ):
            np.testing.assert_array_equal(one, two)
    assert names == ["emulators-1"] * len(names)
    assert len(names) >= 2


ask = AgentEnv.ask


def test_after_ctrl_c_before_the_frames_a_reset_puts_all_right(
    opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, twin = (vector(opened, demo_game(), frame_skip=4, sticky=0.25) for _ in range(2))
    idle = np.zeros(ours.action_space.shape or (), np.int8)
    for after in (False, True):
        ours.reset(seed=1)
        ours.step(idle)
        with monkeypatch.context() as patch:
            run = ours._crew.run

            def interrupt(tasks: Any, run: Any = run, after: bool = after) -> None:
                if after:
                    run(tasks)
                raise KeyboardInterrupt

            patch.setattr(ours._crew, "run", interrupt)
            with pytest.raises(KeyboardInterrupt):
                ours.step(idle)
        with pytest.raises(SessionError, match="call reset"):
            ours.step(idle)
        same_steps(ours, twin)


def test_an_environment_whose_step_was_interrupted_is_not_stepped_by_send(
    opened: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = vector(opened, demo_game(), frame_skip=4)
    idle = np.zeros(ours.action_space.shape or (), np.int8)
    ours.reset(seed=1)
    ours.step(idle)
    run = ours._crew.run

    def interrupt(tasks: Any) -> None:
        run(tasks)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ours._crew, "run", interrupt)
        with pytest.raises(KeyboardInterrupt):
            ours.step(idle)
    ours.reset(options={"reset_mask": np.arange(COUNT) > 0})
    with pytest.raises(SessionError, match=r"call reset\(\)"):
        ours.send(idle[:1], ids=[0])


@pytest.mark.parametrize("stack", [1, 2])
def test_pictures_stay_while_a_thread_may_write_into_them(
    opened: list[Any], monkeypatch: pytest.MonkeyPatch, stack: int
) -> None:
    """Ctrl+C ends a step while threads still run its frames."""
    ours = vector(opened, demo_game(), stack=stack)
    ours.reset()
    buffers = ours._buffers
    made: list[tuple[int, weakref.ref[Any]]] = []

    def noted() -> Any:
        pictures = buffers()
        ends = [each.ctypes.data + each.nbytes for each in pictures]
        made.extend((end, weakref.ref(pictures)) for end in ends)
        return pictures

    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ours, "_buffers", noted)
    monkeypatch.setattr(ours._crew, "run", interrupt)
    with contextlib.suppress(KeyboardInterrupt):
        ours.step(np.zeros(ours.action_space.shape or (), np.int8))
    gc.collect()
    for env, task, (end, pictures) in zip(ours.envs, ours._tasks, made, strict=True):
        assert isinstance(env, AgentEnv)
        assert _address(task.into) == env.emulator._spare.ctypes.data
        assert _address(task.reduced) == end - env.emulator._spare.nbytes
        assert pictures() is not None


def _address(pointer: Any) -> int:
    return int(ORIGINAL.ffi.cast("uintptr_t", pointer))


@pytest.mark.parametrize("skip", [1, 4])
def test_an_error_is_raised_by_the_step_of_its_frame(
    opened: list[Any],
    own_home: Path,
    toy_cores: Path,
    monkeypatch: pytest.MonkeyPatch,
    skip: int,
) -> None:
    """The error comes with the last of a step's frames, after which no other frame is run."""
    monkeypatch.setenv("INTEGRATOR_CORES", str(toy_cores))
    toys.describe_toy(platform="Toy")
    game = toys.make_game(own_home / "Game-Toy-v0", shutdown_at=31)
    single = integrator.make_env(game)
    opened.append(single)
    ours = vector(opened, game, frame_skip=skip)
    assert ours._tasks

    def steps(env: Any) -> int:
        env.reset()
        idle = np.zeros(env.action_space.shape, np.int8)
        for count in range(100):
            try:
                env.step(idle)
            except HostError as error:
                assert "asked to be shut down" in str(error)  # noqa: PT017 - the step matters, too
                return count
        return 100

    frames = steps(single)
    assert frames % 4 == 3
    assert steps(ours) == frames // skip


@pytest.mark.parametrize("dupe_every", [2, 3])
@pytest.mark.parametrize("skip", [1, 2])
def test_a_frame_that_the_core_does_not_draw_shows_the_last_picture(
    opened: list[Any],
    own_home: Path,
    toy_cores: Path,
    monkeypatch: pytest.MonkeyPatch,
    dupe_every: int,
    skip: int,
) -> None:
    monkeypatch.setenv("INTEGRATOR_CORES", str(toy_cores))
    toys.describe_toy(platform="Toy")
    game = toys.make_game(own_home / "Game-Toy-v0", dupe_every=dupe_every)
    single = integrator.make_env(game)
    opened.append(single)
    ours = vector(opened, game, frame_skip=skip)
    assert ours._tasks
    single.reset()
    ours.reset()
    idle = np.zeros(ours.action_space.shape or (), np.int8)
    looks = set()
    for _ in range(12):
        pictures = ours.step(idle)[0]
        picture = [single.step(idle[0])[0] for _ in range(skip)][-1]
        np.testing.assert_array_equal(pictures, [picture] * COUNT)
        looks.add(picture.tobytes())
        for seen in (picture, pictures):
            seen.fill(77)  # as callers who mask or draw do
    assert 1 < len(looks) <= 12
    assert bytes([77]) * picture.size not in looks


def test_work_that_ctrl_c_left_behind_is_done_with_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crew = Crew(2)
    works: list[str] = []

    class Interrupted:
        def lh_crew_call(self, *_: Any) -> None:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("integrator.env.crew._LIB", Interrupted())
        with pytest.raises(KeyboardInterrupt):
            crew.post(1, lambda: works.append("left behind"))
    done = threading.Event()
    crew.post(1, lambda: works.append("next"))
    crew.post(1, done.set)
    assert done.wait(120)
    assert works == ["left behind", "next"]
    crew.close()


def test_a_thread_that_holds_a_vector_last_can_close_it() -> None:
    ours = integrator.make_vec(demo_game(), 2, threads=2)
    assert isinstance(ours, VectorGames)
    ours.reset()
    (thread,) = ours._crew.threads
    held = [ours]
    dropped = threading.Event()

    def drop() -> None:
        dropped.wait(120)
        held.clear()
        gc.collect()

    ours._crew.post(1, drop)
    del ours
    dropped.set()
    thread.join(120)
    assert not thread.is_alive()


def test_threads_sleep_while_an_agent_thinks(opened: list[Any]) -> None:
    ours = vector(opened, demo_game())
    ours.reset(seed=1)
    idle = np.zeros(ours.action_space.shape or (), np.int8)
    for _ in range(20):
        ours.step(idle)
    used = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - used < 0.1
    ours.step(idle)
