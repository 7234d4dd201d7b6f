"""Movies that are being recorded: one file from now on, or one file an episode in a folder."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import MovieError
from integrator.domain.files.atomic import give_name, temporary_folder, writing
from integrator.domain.movies.model import CoreStamp, ram_hash
from integrator.domain.movies.writer import MovieWriter
from integrator.domain.roms.header import rom_hashes
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame.inputs import Inputs

MAX_EPISODES = 1_000_000
"""Episode file names have six digits."""

HASH_EVERY_FRAMES = 60
"""Distance between hashed frames where RAM is too large to be hashed on every frame."""

_SMALL_RAM_BYTES = 8 << 10
_LARGE_RAM_BYTES = 256 << 10


FINGERPRINT: Final = "Fingerprint"
"""The header of agents' movies for the fingerprint of all that their game was made of."""


@dataclass(frozen=True, slots=True)
class MovieIdentity:
    """The common properties of all movies of a session."""

    game: str
    system: str
    buttons: tuple[str | None, ...]
    players: int
    core: CoreStamp
    sees_all_memory: bool = True
    platform: str = ""
    characters: Mapping[str, str] = field(default_factory=dict)
    axes: Mapping[str, bool] = field(default_factory=dict)
    rom: Path | None = None
    fingerprint: str = ""

    def row_hashes(
        self, log: Timeline, first_frame: int, frames: int, ram: NDArray[np.uint8] | None = None
    ) -> list[int | None]:
        """As :func:`row_hashes`; None for a part of RAM, whose hash playback could not compare."""
        if not self.sees_all_memory:
            return [None] * frames
        return row_hashes(log, first_frame, frames, ram)

    def writer(
        self, path: Path, state: bytes | None, *, reset_row: bool = True, rerecords: int = 1
    ) -> MovieWriter:
        """A writer of such a movie. Raises MovieError."""
        hashes = rom_hashes(self.rom) if self.rom is not None else None
        header = {"SHA1": hashes.sha1 if hashes else "?", "rerecordCount": str(rerecords)}
        if self.fingerprint:
            header[FINGERPRINT] = self.fingerprint
        return MovieWriter(
            path,
            game=self.game,
            system=self.system,
            buttons=self.buttons,
            state=state,
            players=self.players,
            reset_row=reset_row,
            core=self.core,
            header=header,
            platform=self.platform,
            characters=self.characters,
            axes=self.axes,
            any_players=True,
        )


class MovieRecording:
    """Writes each frame's inputs and hashes of RAM.

    A path ending in ``.bk2`` is one movie, which ends at the next reset or state load, since a
    movie holds one unbroken run. Any other path is a folder: each episode becomes its own
    ``Game-State-NNNNNN.bk2`` there, as stable-retro's ``record=`` names them.
    """

    def __init__(self, path: Path, identity: MovieIdentity, log: Timeline) -> None:
        self._identity = identity
        self._log = log
        self._folder = None if path.suffix.lower() == ".bk2" else path
        self._path = path
        self._writer: MovieWriter | None = None
        self._first_frame = 0
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
        """True when each episode gets a movie of its own."""
        return self._folder is not None

    @property
    def has_rows(self) -> bool:
        """True when the movie being written has a row already, and not only its state."""
        return self._writer is not None and self._writer.rows > 0

    def begin(
        self, state: bytes | None, state_name: str, *, reset_row: bool = True, rerecords: int = 1
    ) -> None:
        """Start a movie at ``state``; with ``reset_row`` its first row must be an idle frame."""
        writer = self._identity.writer(self._path, state, reset_row=reset_row, rerecords=rerecords)
        if self._folder is not None:
            with writing(self._folder):
                begin_episode(self._folder, f"{self._identity.game}-{state_name}", writer)
        self._writer, self._first_frame = writer, 0

    def add_rows(self, first_frame: int, inputs: Inputs, ram: NDArray[np.uint8]) -> None:
        """Append frames that the timeline has got; ``ram`` is RAM after the last of them."""
        if self._writer is None:
            return
        self._first_frame = self._first_frame or first_frame
        hashes = self._identity.row_hashes(self._log, first_frame, len(inputs), ram)
        self._writer.append(inputs, hashes)

    def go_back(self, frame: int) -> bool:
        """Go on after an earlier ``frame``: drop the rows after it. False if it has no such row."""
        if self._writer is None:
            return True
        rows = frame - self._first_frame + 1
        if rows < 1:
            return False
        self._writer.truncate(rows)
        return True

    def finish(self) -> Path | None:
        """Complete the movie being written and return its path."""
        writer, self._writer = self._writer, None
        if writer is None:
            return None
        writer.close()
        return writer.path


def begin_episode(folder: Path, prefix: str, writer: MovieWriter) -> None:
    """Let a movie grow in ``folder`` as the first free ``PREFIX-NNNNNN.bk2``.

    The name is given to a whole file, and taken with that, whichever programs share the folder.
    Raises OSError, MovieError.
    """
    with temporary_folder(folder) as made:
        whole = writer.path = made / "episode.bk2"
        whole.touch()
        writer.grow()
        for number in range(MAX_EPISODES):
            path = folder / f"{prefix}-{number:06d}.bk2"
            if not path.exists():
                with contextlib.suppress(FileExistsError):
                    give_name(whole, path)
                    writer.path = path
                    return
    raise MovieError(f"{folder}: it has {MAX_EPISODES:,} movies {prefix}; record into another")


def row_hashes(
    log: Timeline, first_frame: int, frames: int, ram: NDArray[np.uint8] | None = None
) -> list[int | None]:
    """Hashes of RAM after ``frames`` frames, None where hashing would cost too much.

    Small RAM is hashed on every frame, and so is all but the largest while frames come singly.
    ``ram`` is RAM after the last of them, if it is at hand.
    """
    every = log.ram_bytes <= _SMALL_RAM_BYTES or (frames == 1 and log.ram_bytes <= _LARGE_RAM_BYTES)
    numbers = range(first_frame, first_frame + frames)
    hashes: list[int | None] = [None] * frames
    if every and frames > 1:
        rows = log.ram_range(first_frame, first_frame + frames)
        return [ram_hash(row) for row in rows]
    for i, number in enumerate(numbers[:-1]):
        if number % HASH_EVERY_FRAMES == 0:
            hashes[i] = ram_hash(log.ram(number))
    if every or frames > 1 or numbers[-1] % HASH_EVERY_FRAMES == 0:
        hashes[-1] = ram_hash(log.ram(numbers[-1]) if ram is None else ram)
    return hashes
