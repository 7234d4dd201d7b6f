"""Movies that are being recorded: one file from now on, or one file an episode in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from integrator.domain.errors import MovieError
from integrator.domain.movie import CoreStamp, MovieWriter, ram_hash
from integrator.session.inputs import Inputs
from integrator.session.live_memory import LiveMemory

MAX_EPISODES = 1_000_000
"""Episode file names have six digits."""


@dataclass(frozen=True, slots=True)
class MovieIdentity:
    """What every movie of a session has in common."""

    game: str
    system: str
    buttons: tuple[str | None, ...]
    players: int
    core: CoreStamp


class Recording:
    """Writes each frame's inputs and, for frames run singly, the hash of RAM after them.

    A path ending in ``.bk2`` is one movie, which ends at the next reset or state load, since a
    movie holds one unbroken run. Any other path is a folder: each episode becomes its own
    ``Game-State-NNNNNN.bk2`` there, as stable-retro's ``record=`` names them.
    """

    def __init__(self, path: Path, identity: MovieIdentity) -> None:
        self._identity = identity
        self._folder = None if path.suffix.lower() == ".bk2" else path
        self._path = path
        self._writer: MovieWriter | None = None
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
        elif not path.parent.is_dir():
            raise MovieError(
                f"{path}: the folder {path.parent} does not exist; make it or record elsewhere"
            )

    @property
    def path(self) -> Path:
        """The movie being written, or the folder between two episodes."""
        return self._writer.path if self._writer else self._path

    @property
    def by_episode(self) -> bool:
        """Whether each episode gets a movie of its own."""
        return self._folder is not None

    def begin(self, state: bytes | None, state_name: str) -> None:
        """Start a movie at ``state``; its first row must be the idle frame that comes next."""
        path = self._path
        if self._folder is not None:
            path = self._next_episode(self._folder, f"{self._identity.game}-{state_name}")
        self._writer = MovieWriter(
            path,
            game=self._identity.game,
            system=self._identity.system,
            buttons=self._identity.buttons,
            state=state,
            players=self._identity.players,
            reset_row=True,
            core=self._identity.core,
        )

    def add_rows(self, inputs: Inputs, memory: LiveMemory) -> None:
        """Append the rows of a chunk; its last row gets the hash of RAM as it is now."""
        if self._writer is None:
            return
        hashes: list[int | None] = [None] * len(inputs)
        hashes[-1] = ram_hash(memory.ram)
        self._writer.append(inputs, hashes)

    def finish(self) -> Path | None:
        """Complete the movie being written and return its path."""
        writer, self._writer = self._writer, None
        if writer is None:
            return None
        writer.close()
        return writer.path

    @staticmethod
    def _next_episode(folder: Path, prefix: str) -> Path:
        names = (f"{prefix}-{number:06d}.bk2" for number in range(MAX_EPISODES))
        return next(folder / name for name in names if not (folder / name).exists())
