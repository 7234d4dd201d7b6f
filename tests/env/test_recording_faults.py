"""Recorded episodes: none is lost, however many share a folder and however the program ends."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warm_children
from env_fixtures import MakeEnv

import integrator
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SaveError, SessionError
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.reading import read_movie
from integrator.domain.movies.writer import GROW_ROWS, GrowingZip, MovieWriter
from integrator.env import recording
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import movie_consoles
from integrator.session.recorded_rows import import_movie
from libretro_host.errors import StateError

PLAYS = """
import ctypes, os, signal, sys
import integrator
from integrator.commands.shared.options import demo_game
env = integrator.make_env(demo_game(), record=sys.argv[1])
env.reset()
env.action_space.seed(5)
for _ in range(150):
    env.step(env.action_space.sample())
"""
ENDS = {
    "exit": ("sys.exit()", 151),
    "exception": ("raise ValueError", 151),
    "collected": ("del env; os._exit(0)", 151),
    "SIGINT": ("os.kill(os.getpid(), signal.SIGINT)", 151),
    "SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM)", 121),
    "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", 121),
    "segfault": ("ctypes.string_at(0)", 121),
}


def rows(path: Path) -> int:
    return read_movie(path, movie_consoles()).frames


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("end", list(ENDS))
def test_an_episode_survives_the_end_of_the_program(end: str, tmp_path: Path) -> None:
    code, least = ENDS[end]
    run = [sys.executable, "-c", PLAYS + code, str(tmp_path)]
    warm_children.run(run, check=False, stderr=subprocess.DEVNULL)
    [path] = tmp_path.iterdir()
    assert path.name == "EmberMoth-Nes-v0-Start-000000.bk2"
    assert rows(path) >= least
    with integrator.open_session(demo_game(), isolated=False) as session:
        session.play(path)
        session.advance(frames=100)


@pytest.mark.parametrize("isolated", [False, True])
def test_environments_of_one_folder_lose_no_movie(
    opened: list[Any], isolated: bool, tmp_path: Path
) -> None:
    envs = integrator.make_vec(
        demo_game(), 3, frame_skip=4, max_steps=10, record=tmp_path, isolated=isolated
    )
    opened.append(envs)
    envs.reset()
    for _ in range(32):
        envs.step(envs.action_space.sample())
    envs.close()
    # An episode has 10 steps, and its first observation takes a step of its own.
    names = [f"EmberMoth-Nes-v0-Start-{number:06d}.bk2" for number in range(9)]
    assert sorted(each.name for each in tmp_path.iterdir()) == names
    assert sorted(rows(tmp_path / name) for name in names) == [41] * 9


def test_hashes_are_of_the_frames_that_they_stand_at(tmp_path: Path) -> None:
    envs = integrator.make_vec(demo_game(), 1, frame_skip=4, sticky=0.25, record=tmp_path)
    envs.reset(seed=3)
    for _ in range(40):
        envs.step(envs.action_space.sample())
    envs.close()
    [path] = tmp_path.iterdir()
    with integrator.open_session(demo_game(), isolated=False) as session:
        session.play(path)
        session.advance(frames=160)
        assert [event for event in session.take_events() if "step" in str(event)] == []


def test_the_last_frame_of_an_ended_episode_is_checked_by_its_memory(
    make_env: MakeEnv, tmp_path: Path
) -> None:
    game = shutil.copytree(demo_game(), tmp_path / demo_game().name)
    done = {"variables": {"time": {"op": "equal", "reference": 59}}}
    (game / "scenario.json").write_text(json.dumps({"done": done}))
    env = make_env(game, record=tmp_path / "movies")
    env.reset()
    while not env.step(env.action_space.sample())[2]:
        pass
    env.step(env.action_space.sample())  # a caller may play on, and a dataset ends at done
    env.finish_movie()
    assert env.movie_path is not None
    movie = read_movie(env.movie_path, movie_consoles())
    assert movie.ram_hashes is not None
    assert movie.ram_hashes.rows.tolist() == [movie.frames - 2, movie.frames - 1]


def test_a_short_episode_is_checked_by_its_last_memory(make_env: MakeEnv, tmp_path: Path) -> None:
    env = make_env(demo_game(), record=tmp_path / "movies")
    for steps in (1, 7, 60, 65):
        env.reset()
        for _ in range(steps):
            env.step(env.action_space.sample())
    env.emulator.run((0,))  # as a step that was interrupted before its row was added
    env.reset()
    env.step(env.action_space.sample())
    env.clone_state()  # loads a state, which this core's states allow
    env.close()
    found = []
    for path in sorted((tmp_path / "movies").iterdir()):
        movie = read_movie(path, movie_consoles())
        found.append([] if movie.ram_hashes is None else movie.ram_hashes.rows.tolist())
        with integrator.open_session(demo_game(), isolated=False) as session:
            assert import_movie(session, path).desync_row is None
    assert found == [[1], [7], [60], [60], [1]]


def test_an_episode_that_cannot_begin_has_no_movie(make_env: MakeEnv, tmp_path: Path) -> None:
    bad = tmp_path / "bad.state"
    bad.write_bytes(gzip.compress(b"of another game"))
    env = make_env(demo_game(), record=tmp_path / "movies")
    env.reset()
    env.step(env.action_space.sample())
    with pytest.raises(StateError):
        env.reset(options={"state": bad})
    [path] = (tmp_path / "movies").iterdir()
    assert env.movie_path == path
    assert rows(path) == 2
    env.reset()
    env.close()
    assert len(list((tmp_path / "movies").iterdir())) == 2


def test_a_movie_ends_where_cloning_changes_memory(make_env: MakeEnv, tmp_path: Path) -> None:
    """The proof ROM of the Game Boy Advance uses memory that states of mGBA leave out."""
    env = make_env(proof_roms()["GbAdvance"].path, record=tmp_path)
    for steps in (3, 5):
        env.reset()
        for _ in range(steps):
            env.step(env.action_space.sample())
        with pytest.warns(UserWarning, match="the movie of this episode ends here"):
            env.clone_state()
        for _ in range(60):
            env.step(env.action_space.sample())
        env.clone_state()
    env.close()
    with integrator.open_session(proof_roms()["GbAdvance"].path, isolated=False) as session:
        for path, steps in zip(sorted(tmp_path.glob("*.bk2")), (3, 5), strict=True):
            movie = read_movie(path, movie_consoles())
            assert movie.frames == steps + 1
            assert movie.hashed(movie.frames) == 1
            assert import_movie(session, path).desync_row is None


def test_no_step_follows_a_reset_that_has_begun_no_movie(
    make_env: MakeEnv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(demo_game(), record=tmp_path)
    env.reset()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(recording, "begin_episode", interrupted)
        with pytest.raises(KeyboardInterrupt):
            env.reset()
    with pytest.raises(SessionError, match=r"the last reset\(\) did not end"):
        env.step(env.action_space.sample())
    env.reset()
    env.step(env.action_space.sample())


def test_a_full_disk_costs_the_movie_and_not_the_training(
    make_env: MakeEnv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "100 %"
    env = make_env(demo_game(), record=folder)
    env.reset()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.warns(UserWarning, match="not complete.*free some disk space"):
            env.reset()
        patch.setattr(recording, "begin_episode", full)
        with (
            pytest.warns(UserWarning, match="not complete"),
            pytest.warns(UserWarning, match="not recorded"),
        ):
            env.reset()
        env.step(env.action_space.sample())
        with pytest.warns(UserWarning, match="not recorded"):
            env.reset()
    env.reset()
    with pytest.warns(UserWarning, match="100 %: 2 episodes are not recorded"):
        env.close()
    assert len(list(folder.iterdir())) == 3


def test_a_movie_on_a_full_disk_has_all_frames_or_is_counted(
    make_env: MakeEnv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(demo_game(), record=tmp_path)
    env.reset()
    for _ in range(GROW_ROWS + 9):
        env.step(env.action_space.sample())

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        # There is room in the file, and none for a second one.
        patch.setattr(os, "fsync", full)
        with pytest.warns(UserWarning, match="not complete, 70 of 70 frames without hashes"):
            env.reset()
        assert env.movie_path is None
        patch.undo()
        patch.setattr(recording, "begin_episode", full)
        for _ in range(2):
            with pytest.warns(UserWarning, match="not recorded: "):
                env.reset()
        env.finish_movie()
        assert env.movie_path is None
        with pytest.warns(UserWarning, match="2 episodes are not recorded"):
            env.close()
    assert sorted(map(rows, tmp_path.iterdir())) == [1, 70]


@pytest.mark.parametrize("links", [True, False])
def test_a_name_is_given_to_a_whole_movie(
    make_env: MakeEnv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    link, whole = os.link, []

    def linked(source: Path, target: Path) -> None:
        with zipfile.ZipFile(source) as archive:
            whole.append(archive.testzip())
        if not links:
            raise PermissionError
        link(source, target)

    monkeypatch.setattr(os, "link", linked)
    env = make_env(demo_game(), record=tmp_path)
    env.reset()
    [path] = tmp_path.iterdir()
    assert rows(path) == 1
    env.reset()
    env.close()
    assert whole == [None, None]
    assert [path.name[-10:] for path in sorted(tmp_path.iterdir())] == ["000000.bk2", "000001.bk2"]


@pytest.mark.parametrize("steps", [0, 2])
def test_a_fork_leaves_the_movie_to_its_parent(
    make_env: MakeEnv, tmp_path: Path, steps: int
) -> None:
    env = make_env(demo_game(), record=tmp_path)
    env.reset()
    for _ in range(GROW_ROWS - 1):
        env.step(env.action_space.sample())
    assert env._recording is not None
    env._recording._pid += 1  # as in a fork
    for _ in range(steps):
        env.step(env.action_space.sample())
    env.close()
    env._recording.end()  # as when the environment is collected
    [path] = tmp_path.iterdir()
    assert rows(path) == 1


def test_a_growing_movie_can_be_read_after_each_row(tmp_path: Path) -> None:
    path = tmp_path / "a.bk2"
    path.touch()
    buttons, axes = ["A", "B"], {"P1 X": False}
    writer = MovieWriter(
        path, game="G", console=MovieConsole(buttons, "Nes"), state=b"s", axes=axes
    )
    writer.grow()
    random = np.random.default_rng(1)
    for number in range(5 * GROW_ROWS):
        still = number < 2 * GROW_ROWS
        writer.append([int(random.integers(4)), 0 if still else int(random.integers(9))])
        assert rows(path) == number + 1 - (number + 1) % GROW_ROWS
    writer.truncate(7)
    writer.append([[1, 0]] * GROW_ROWS)
    assert rows(path) == 7 + GROW_ROWS
    before = read_movie(path, movie_consoles())
    writer.close()
    after = read_movie(path, movie_consoles())
    assert (before.inputs == after.inputs).all()
    assert (before.header, before.state) == (after.header, b"s")


def test_a_write_that_fails_leaves_the_zip_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.zip"
    path.touch()
    growing = GrowingZip(path, {"first": b"1"}, "log")
    growing.write(b"one ", b"end")
    before, write = path.read_bytes(), os.write
    places = [3]

    def full(handle: int, data: bytes) -> int:
        if not places:
            return write(handle, data)
        if count := places.pop():
            places.append(0)
            return write(handle, data[:count])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space"):
        growing.write(b"two ", b"end")
    assert path.read_bytes() == before
    growing.close()


def test_a_recording_that_can_not_be_finished_says_so(
    make_env: MakeEnv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(demo_game(), record=tmp_path)
    env.reset()

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(SaveError, match="free some disk space"):
            env.finish_movie()
    [path] = tmp_path.iterdir()
    assert rows(path) == 1


def test_an_interrupt_while_a_movie_is_completed_costs_it_nothing(
    make_env: MakeEnv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = make_env(demo_game(), record=tmp_path)
    env.reset(seed=1)
    for _ in range(40):
        env.step(env.action_space.sample())
    close = MovieWriter.close

    def interrupted(_: MovieWriter) -> None:
        monkeypatch.setattr(MovieWriter, "close", close)
        raise KeyboardInterrupt

    monkeypatch.setattr(MovieWriter, "close", interrupted)
    with pytest.raises(KeyboardInterrupt):
        env.reset()
    env.reset()
    first = min(tmp_path.glob("*.bk2"))
    assert read_movie(first, movie_consoles()).frames == 41
