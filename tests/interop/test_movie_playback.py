"""Movies travel both ways between us and stable-retro, with the same RAM on each row."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import warm_children

import integrator
from integrator.commands.shared.options import airstriker, demo_game
from integrator.session.session import Session

JUDGE = Path(__file__).with_name("movie_judge.py")
STEPS = 600

pytestmark = pytest.mark.usefixtures("own_home")


def stable_retro(*arguments: object) -> list[str]:
    command = [sys.executable, "-W", "ignore", str(JUDGE), *map(str, arguments)]
    done = warm_children.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    digests: list[str] = json.loads(done.stdout.splitlines()[-1])
    return digests


def digest(session: Session) -> str:
    return hashlib.sha256(session.memory.ram.tobytes()).hexdigest()


@pytest.fixture(params=[airstriker, demo_game], ids=["Airstriker", "EmberMoth"])
def directory(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param()
    return path


def play_random(session: Session, frames: int) -> list[str]:
    rng = np.random.default_rng(5)
    buttons = [bit for bit, name in enumerate(session.system.buttons) if name]
    digests = []
    for frame in range(frames):
        if frame % 10 == 0:
            mask = sum(1 << bit for bit in buttons if rng.random() < 0.3)
        session.advance((mask,))
        digests.append(digest(session))
    return digests


def test_our_recording_of_an_episode_plays_there(directory: Path, tmp_path: Path) -> None:
    movie = tmp_path / "ours.bk2"
    with integrator.open_session(directory) as session:
        session.reset()
        session.record(movie)
        ours = [digest(session), *play_random(session, STEPS)]
        assert session.stop_recording() == movie
    assert stable_retro("play", movie, directory) == ours


def test_our_recording_from_the_middle_plays_there(directory: Path, tmp_path: Path) -> None:
    movie = tmp_path / "middle.bk2"
    with integrator.open_session(directory) as session:
        play_random(session, 200)
        session.record(movie)
        ours = [digest(session), *play_random(session, STEPS)]
        session.stop_recording()
    assert stable_retro("play", movie, directory) == ours


def test_their_recording_plays_here(directory: Path, tmp_path: Path) -> None:
    theirs = stable_retro("record", directory, tmp_path, STEPS)
    [movie] = tmp_path.glob("*.bk2")
    with integrator.open_session(directory) as session:
        session.play(movie)
        ours = [digest(session)]
        while session.movies.playing:
            session.advance()
            ours.append(digest(session))
    assert ours == theirs


def test_a_replay_of_our_own_has_the_same_ram(directory: Path, tmp_path: Path) -> None:
    movie = tmp_path / "again.bk2"
    with integrator.open_session(directory) as session:
        session.record(movie)
        recorded = play_random(session, STEPS)
        session.stop_recording()
        session.play(movie)
        replayed = []
        while session.movies.playing:
            session.advance((0x40,))
            replayed.append(digest(session))
    assert replayed == recorded


def test_episodes_are_recorded_one_movie_each(tmp_path: Path) -> None:
    with integrator.open_session(demo_game()) as session:
        session.record(tmp_path / "movies")
        session.advance(frames=20)
        session.reset()
        session.advance(frames=30)
        session.stop_recording()
    names = sorted(path.name for path in (tmp_path / "movies").iterdir())
    assert names == ["EmberMoth-Nes-v0-Start-000000.bk2", "EmberMoth-Nes-v0-Start-000001.bk2"]
