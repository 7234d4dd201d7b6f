"""Sessions for the rooms below, which may also import the helpers that lie here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from homes import live_in
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


class SharedPlay:
    """The demo game's recorded play, which is lent to one test or fixture after another."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._as_played = self._kept()

    @contextmanager
    def lent(self) -> Iterator[Session]:
        """Lend the session with the core in the first game, and check that it comes back as it was.

        Borrowers look, seek, and run the core. One that changes anything else fails, and so do
        those after it: it needs a session of its own."""
        self._check()
        # Also where it is the present frame: runs on the core leave the core elsewhere.
        self._session.timeline.seek(DEMO_FRAME)
        yield self._session
        self._check()

    def _check(self) -> None:
        kept = self._kept()
        changed = ", ".join(name for name in kept if kept[name] != self._as_played[name])
        assert not changed, f"the first test with this error changed the shared play: {changed}"

    def _kept(self) -> dict[str, object]:
        log, history = self._session.timeline.log, self._session.integration.history
        return {
            "lines": (log.current, log.length, log.branches),
            "markers": log.markers(),
            "edits": (history.done, history.undone),
            "frozen values": self._session.memory.frozen,
            "searches": self._session.searches.names,
        }


@pytest.fixture(scope="session")
def demo_play(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedPlay]:
    """The demo game's recorded play, played once, in a home of its own."""
    with ExitStack() as opened:
        # Only until it is played: the tests that follow have homes of their own.
        with pytest.MonkeyPatch.context() as patch:
            live_in(tmp_path_factory.mktemp("home"), patch)
            session = opened.enter_context(played_demo_game())
        yield SharedPlay(session)


@pytest.fixture
def played(demo_play: SharedPlay) -> Iterator[Session]:
    """The demo game after its recorded play, with the core in the first game; tests only look."""
    with demo_play.lent() as session:
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
