"""A movie's values: its inputs, its start state, and the known facts of its recording."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.movies.keys import MovieConsole

MAX_BUTTONS = 16
"""Bits of an input mask."""


@dataclass(frozen=True, slots=True)
class CoreStamp:
    """The core that recorded a movie, as ``retro_get_system_info`` names it."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class MovieEvent:
    """A console button pressed on row ``row``: ``reset`` (soft) or ``power`` (hard reset)."""

    row: int
    kind: Literal["reset", "power"]


@dataclass(frozen=True, slots=True, eq=False)
class RamHashes:
    """Fingerprints of the flat RAM after some rows.

    ``rows`` is int64 of shape (k,), ascending; ``digests`` uint64 of shape (k,), by ram_hash().
    """

    rows: NDArray[np.int64]
    digests: NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Movie:
    """A movie as read from a file.

    ``format`` is the log's: ``retro``, ``bizhawk`` or ``fm2``.
    ``inputs`` is uint16 of shape (frames, players), one row a frame, bit i = ``buttons[i]``.
    ``state`` is the raw state to start from; None means power-on, or a state that only another
    emulator can load (``warnings`` then says so). ``header`` keeps the file's keys in their order.

    ``has_reset_row`` is true when row 0 is the idle frame that stable-retro's ``reset()`` runs
    right after it restores the start state; row k is then timestep k of the episode. stable-retro's
    Python API writes that row, Gym Retro's old window does not, and the file does not tell which of
    them made it. Our own movies do tell; in others, a first row without a button counts as the
    reset row.

    ``axes`` are the numbers of sticks, touch screens and the like that are moved in some row, int16
    of shape (frames,) each, by the names of their columns in BizHawk. Training cannot move them.
    ``rom_hash`` is SHA-1 or MD5 of the ROM in hex, as the file names it; empty when it does not.
    """

    path: Path
    format: str
    game: str
    platform: str
    system: str
    buttons: tuple[str | None, ...]
    inputs: NDArray[np.uint16]
    state: bytes | None
    header: Mapping[str, str]
    has_reset_row: bool
    events: tuple[MovieEvent, ...] = ()
    core: CoreStamp | None = None
    ram_hashes: RamHashes | None = None
    warnings: tuple[str, ...] = field(default=())
    rom_hash: str = ""
    axes: Mapping[str, NDArray[np.int16]] = field(default_factory=dict)

    @property
    def frames(self) -> int:
        """Rows of input, the reset row included."""
        return int(self.inputs.shape[0])

    @property
    def players(self) -> int:
        """Players with a column group of their own."""
        return int(self.inputs.shape[1])

    @property
    def beyond_training(self) -> str:
        """The inputs of this movie that training cannot press, in words; empty without any."""
        players = [f"player {number}" for number in range(3, self.players + 1)]
        return ", ".join([*self.axes, *players])

    @property
    def training_warning(self) -> str:
        """The sentence about inputs that training cannot press; empty without any."""
        beyond = self.beyond_training
        return beyond and f"training cannot press {beyond}"


@dataclass(frozen=True, slots=True)
class MovieFormat:
    """A kind of movie file: its suffix in lower case, and its reader, which raises MovieError.

    The reader's last argument is False when nobody needs the start state.
    """

    suffix: str
    read: Callable[[Path, Mapping[str, MovieConsole], bool], Movie]


def ram_hash(ram: NDArray[np.uint8] | bytes) -> int:
    """Fingerprint of a flat RAM: 64-bit BLAKE2b, little-endian, as an int below 2**64."""
    raw = ram if isinstance(ram, bytes) else np.ascontiguousarray(ram).data
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "little")
