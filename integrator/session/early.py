"""Opens a game while the libraries of the window are still being loaded, which takes as long."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from integrator.domain.integration.states import STATE_SUFFIX
from integrator.domain.movies.reading import is_movie
from integrator.session.journal.journal import new_journal_path
from integrator.session.opening import open_session
from integrator.session.session import Session


@dataclass(frozen=True, slots=True)
class EarlyOpening:
    """A game on its way. ``session`` gives it, or the error that it could not be opened for."""

    path: Path
    session: Future[Session]

    def abandon(self) -> None:
        """Close the game as soon as it is open: nobody will show it."""
        self.session.add_done_callback(_close)


def _close(opened: Future[Session]) -> None:
    if opened.exception() is None:
        opened.result().close()


def open_journaled(
    path: Path, players: int = 1, system: str | None = None, core: Path | None = None
) -> Session:
    """Open a game whose play is written to a journal as it goes."""
    journal = new_journal_path(path.stem)
    return open_session(path, players=players, journal=journal, system=system, core=core)


def is_game(path: Path) -> bool:
    """True when a path is neither a movie nor a state, which need a game first."""
    return not is_movie(path) and path.suffix.lower() != STATE_SUFFIX


def begin_opening(path: Path, system: str | None = None, core: Path | None = None) -> EarlyOpening:
    """Open a game beside the caller; its core starts in a process of its own."""
    worker = ThreadPoolExecutor(1, thread_name_prefix="open-early")
    session = worker.submit(open_journaled, path, system=system, core=core)
    worker.shutdown(wait=False)
    return EarlyOpening(path, session)
