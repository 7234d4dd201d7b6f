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
from scripts.bench_search import played_demo_game
from scripts.campaign import toys

DEMO_FRAME = 860
"""A frame of the recorded play in which the high score equals the score."""
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


@pytest.fixture(scope="session")
def demo_play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The demo game's recorded play, which is played once for all that ask for ``played``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        with played_demo_game() as session:
            yield session


@pytest.fixture
def played(demo_play: Session) -> Session:
    """The demo game after its recorded play, with the core in the first game; tests only look."""
    return in_first_game(demo_play)


def in_first_game(demo_play: Session) -> Session:
    """Bring the core back, which runs that were given it leave where they were."""
    demo_play.timeline.seek(DEMO_FRAME - 1)
    demo_play.timeline.seek(DEMO_FRAME)
    return demo_play


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
