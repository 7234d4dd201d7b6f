"""Sessions for the rooms below, which may also import the helpers that lie here."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import integrator
from integrator.commands.shared.options import airstriker, demo_game
from integrator.session.library.checks import live_check
from integrator.session.session import Session

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
