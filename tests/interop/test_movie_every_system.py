"""Movies both ways between us and stable-retro on every seed system, RAM equal on each frame.

Airstriker and the demo game with two players, a proof ROM for each console. A hundred frames as a
rule. With INTEGRATOR_FULL=1 in the environment 3,000, and the consoles with megabytes of RAM too.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warm_children
from session_cases import games
from test_every_system import LARGE_SYSTEMS, SEED_SYSTEMS
from test_movie_retro import LOST_UPSTREAM

import integrator
from integrator.session.session import Session

JUDGE = Path(__file__).with_name("movie_judge.py")
FULL = bool(os.environ.get("INTEGRATOR_FULL"))
FRAMES = 3000 if FULL else 100
OURS = ("Airstriker", "EmberMoth")
NAMES = (*OURS, *SEED_SYSTEMS, *(LARGE_SYSTEMS if FULL else ()))
FRAMES_TO_START = 60
CHUNK_FRAMES = 10


@dataclass(frozen=True)
class Exchange:
    """The digests of both sides for one game: of RAM after each row of a movie."""

    directory: Path
    players: int
    recorded: list[str]
    played_there: list[str]
    recorded_there: list[str]
    movie: Path


def build(root: Path, name: str) -> Path:
    """An integration of a game with a start state that we made."""
    game = games()[name]
    directory = root / f"Movie{name}-{game.name.split('-')[1]}-v0"
    directory.mkdir()
    shutil.copyfile(game.rom, directory / f"rom{game.rom.suffix}")
    (directory / "data.json").write_text(json.dumps({"info": game.info}))
    (directory / "scenario.json").write_text("{}")
    (directory / "rom.sha").write_text(hashlib.sha1(game.rom.read_bytes()).hexdigest() + "\n")
    (directory / "metadata.json").write_text(json.dumps({"default_state": "Start"}))
    if game.state is not None:
        shutil.copyfile(game.state, directory / "Start.state")
        return directory
    (directory / "metadata.json").write_text("{}")
    with integrator.open_session(directory) as session:
        for _ in range(FRAMES_TO_START):  # singly: the first ones of N64 take long
            session.advance()
        session.game.write_state("Start")
        session.integration.save()
    (directory / "metadata.json").write_text(json.dumps({"default_state": "Start"}))
    return directory


def usable(session: Session) -> int:
    """Buttons that are in movies of both sides."""
    names = session.system.buttons
    return sum(1 << i for i, name in enumerate(names) if name and name not in LOST_UPSTREAM)


def digests(session: Session, first: int) -> list[str]:
    log = session.timeline.log
    rows = (log.ram(frame) for frame in range(first, log.length + 1))
    return [hashlib.sha256(row.data).hexdigest() for row in rows]


def record(directory: Path, players: int, path: Path) -> tuple[list[str], dict[str, Any]]:
    """Record an episode of ours; digests of RAM, and the buttons and memory that there are."""
    with integrator.open_session(directory, players=players) as session:
        session.reset()
        session.record(path)
        first, buttons = session.timeline.length, usable(session)
        masks = np.random.default_rng(5).integers(0, 1 << 16, (FRAMES // 10, players))
        rows = np.repeat(masks, 10, axis=0).astype(np.uint16) & np.uint16(buttons)
        for at in range(0, len(rows), CHUNK_FRAMES):
            session.run(rows[at : at + CHUNK_FRAMES])
        session.stop_recording()
        regions = [region.address for region in session.memory.space.regions]
        return digests(session, first), {"usable": buttons, "regions": regions}


@pytest.fixture(scope="module")
def exchanges(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, Exchange]]:
    """Every game, played by both sides; theirs all in one process."""
    pytest.importorskip("stable_retro")
    root = tmp_path_factory.mktemp("movies")
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("CONFIG", "CACHE", "DATA"):
            patch.setenv(f"XDG_{kind}_HOME", str(root / kind.lower()))
        recorded: list[list[str]] = []
        requests: list[dict[str, Any]] = []
        for name in NAMES:
            directory = build(root, name)
            players, movie, out = 2 if name in OURS else 1, root / f"{name}.bk2", root / name
            out.mkdir()
            told, facts = record(directory, players, movie)
            recorded.append(told)
            paths = {"movie": str(movie), "directory": str(directory), "out": str(out)}
            requests.append({**paths, "steps": FRAMES, "players": players, **facts})
        (root / "requests.json").write_text(json.dumps(requests))
        theirs = _judge(root / "requests.json")
        yield {
            name: Exchange(
                directory=Path(asked["directory"]),
                players=asked["players"],
                recorded=told,
                played_there=played,
                recorded_there=made,
                movie=next(Path(asked["out"]).glob("*.bk2")),
            )
            for name, asked, told, (played, made) in zip(
                NAMES, requests, recorded, theirs, strict=True
            )
        }


def _judge(requests: Path) -> list[tuple[list[str], list[str]]]:
    done = warm_children.run(
        [sys.executable, "-W", "ignore", str(JUDGE), "both", str(requests)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return [(played, made) for played, made in told]


@pytest.mark.parametrize("name", NAMES)
def test_our_movie_plays_there(exchanges: dict[str, Exchange], name: str) -> None:
    exchange = exchanges[name]
    assert len(exchange.recorded) == FRAMES + 1
    assert len(set(exchange.recorded)) > FRAMES // 2  # something happens
    assert exchange.played_there == exchange.recorded


@pytest.mark.parametrize("name", NAMES)
def test_their_movie_plays_here(exchanges: dict[str, Exchange], name: str) -> None:
    exchange = exchanges[name]
    with integrator.open_session(exchange.directory, players=exchange.players) as session:
        movie = session.game.read_movie(exchange.movie)
        assert movie.players == exchange.players
        first = session.play(exchange.movie).number
        while session.movies.playing is not None:
            left = movie.frames - (session.timeline.length + 1 - first)
            session.run(np.zeros((min(left, CHUNK_FRAMES), exchange.players), np.uint16))
        assert digests(session, first) == exchange.recorded_there
