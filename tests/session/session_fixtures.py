"""Sessions for the rooms below, which may also import the helpers that lie here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from inexact import Open

import integrator
from integrator.commands.shared.options import airstriker, demo_game
from integrator.session.library.checks import live_check
from integrator.session.session import Session
from scripts.campaign import toys

GAMES = {"Airstriker": airstriker, "EmberMoth": demo_game}


@pytest.fixture(params=GAMES)
def session(request: pytest.FixtureRequest, own_home: Path) -> Iterator[Session]:
    """A game in a process of its own, on the first frame of an episode; each test on both."""
    assert own_home.is_dir()
    with integrator.open_session(GAMES[request.param]()) as session:
        session.reset()
        yield session


@pytest.fixture
def moth(own_home: Path) -> Iterator[Session]:
    """The demo game in this process, on the first frame of an episode."""
    assert own_home.is_dir()
    with integrator.open_session(demo_game(), isolated=False) as session:
        session.reset()
        yield session


@pytest.fixture
def few_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks go on from ten moments of a play and not from 58: for tests of anything else."""
    monkeypatch.setattr(live_check, "_PLAYED_FRAMES", 240)


@pytest.fixture
def toy(own_home: Path, toy_cores: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens the toy core; ``residue`` says that its descriptor asks for a reopened library."""
    monkeypatch.setenv("INTEGRATOR_CORES", str(toy_cores))
    with ExitStack() as opened:

        def start(*, residue: bool = True, journal: Path | None = None, **keys: object) -> Session:
            toys.describe_toy(cores=[{"core": "toycore", "residue": residue}], platform="Toy")
            game = toys.make_game(own_home / "Game-Toy-v0", **keys)
            session = integrator.open_session(game, isolated=False, journal=journal)
            return opened.enter_context(session)

        yield start
