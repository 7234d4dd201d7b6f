"""Movies as values (inputs, start state, recording), and names of buttons and platforms."""

import hashlib
import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import MovieError

# stable-retro has no characters for the buttons from the second line on: it drops them when it
# records, and skips our characters when it reads. RUN cannot be R as in BizHawk, since R is RIGHT.
_WRITTEN: Final = """
    A:A B:B C:C X:X Y:Y Z:Z UP:U DOWN:D LEFT:L RIGHT:R START:S SELECT:s MODE:M L:l R:r BUTTON:B
    I:1 II:2 III:3 IV:4 V:5 VI:6 RUN:n PAUSE:p RESET:e L2:q R2:w L3:k R3:j
    C-UP:u C-DOWN:d C-LEFT:c C-RIGHT:v C-MODE:m
"""
"""The characters from the second line on are this program's own."""
PAL_WARNING: Final = "it was recorded on a PAL console, and may go out of step on another"
BUTTON_CHARACTERS: Final[Mapping[str, str]] = dict(re.findall(r"(\S+):(\S)", _WRITTEN))
# BizHawk's column names (upper case, "P1 " removed) that differ from the systems' button names.
_BIZHAWK_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "B1": ("I", "B"),  # PC Engine; Master System and Game Gear, whose button 1 is JOYPAD_B
    "B2": ("II", "A"),
    **{f"B{number}": (roman,) for number, roman in enumerate(("III", "IV", "V", "VI"), 3)},
    "FIRE": ("BUTTON",),
    **{f"DPAD {way[0]}": (way,) for way in ("UP", "DOWN", "LEFT", "RIGHT")},
    **{f"C {way}": (f"C-{way}",) for way in ("UP", "DOWN", "LEFT", "RIGHT")},
}
# Keys of BizHawk's header that name another system than its platform does, if they are true.
_BIZHAWK_MODES: Final[list[tuple[str, str]]] = re.findall(
    r"(\S+):(\S+)", "IsCGBMode:GbColor IsGGMode:GameGear IsSegaCDMode:SCD Is32X:32x"
)


@dataclass(frozen=True, slots=True)
class MovieConsole:
    """The facts of a system that movies need. ``buttons`` are its button names by bit, ``platform``
    and ``bizhawk`` its names in stable-retro and BizHawk; ``characters`` override the usual
    characters of buttons. ``axes`` are the names of the columns of sticks, touch screens and the
    like, without their players."""

    buttons: Sequence[str | None]
    platform: str = ""
    bizhawk: str = ""
    characters: Mapping[str, str] = field(default_factory=dict)
    axes: frozenset[str] = frozenset()

    @property
    def bits(self) -> dict[int, str]:
        """Each bit's character: the overriding or usual one, or else one that is free."""
        usual = {**BUTTON_CHARACTERS, **self.characters}
        wanted = {usual.get(name or "") for name in self.buttons}
        free = [each for each in string.ascii_letters + string.digits if each not in wanted]
        found: dict[int, str] = {}
        for bit, name in enumerate(self.buttons):
            if name is not None:
                wished = usual.get(name, "")
                if not wished or wished in found.values():
                    wished = next(each for each in (*name, *name.lower(), *free) if each in free)
                    free.remove(wished)
                found[bit] = wished
        return found


def is_true(header: Mapping[str, str], key: str) -> bool:
    """Return True if a key of BizHawk's header is set."""
    return header.get(key, "").lower() in {"1", "true"}


def system_of(path: Path, header: Mapping[str, str], systems: Mapping[str, MovieConsole]) -> str:
    """Return a movie's system, found by its platform or its game's name. Raises MovieError."""
    modes = [name for key, name in _BIZHAWK_MODES if is_true(header, key)]
    platform, game = [*modes, header.get("Platform", "")][0], header.get("GameName", "")
    if platform in systems:
        return platform
    suffix = re.sub(r"-v\d+$", "", game).rpartition("-")[2]
    # Systems of one platform differ in cores or buttons: then the game's name says which.
    for name in sorted(systems, key=lambda each: each != suffix):
        names = (name, systems[name].platform, systems[name].bizhawk)
        if platform and platform.upper() in map(str.upper, names):
            return name
    if suffix in systems:
        return suffix
    raise MovieError(
        f"{path}: platform {platform or '(none)'!r} of game {game or '(none)'!r} is no known "
        f"system; known are {', '.join(sorted(systems))}"
    )


def bizhawk_button(name: str, buttons: Sequence[str | None]) -> int | None:
    """Return the bit of BizHawk's column ``name`` (without its player), or None."""
    upper = name.upper()
    names = (upper, *_BIZHAWK_NAMES.get(upper, ()))
    return next((buttons.index(each) for each in names if each in buttons), None)


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
    """``digests``, uint64 (k,), of the RAM after each of ``rows``, int64 (k,), ascending."""

    rows: NDArray[np.int64]
    digests: NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Movie:
    """A movie as read from a file of ``format`` ``retro``, ``bizhawk`` or ``fm2``.

    ``inputs`` is uint16 (frames, players), bit i = ``buttons[i]``. ``state`` is the raw start
    state; None means power-on, or a state of another emulator. ``warnings`` are sentences, each
    with the first row that may not play as recorded. ``has_reset_row`` is true if row 0 is the idle
    frame that stable-retro's ``reset()`` runs. Old movies do not say so, so there a first row
    without a button counts as one. ``axes`` are int16 (frames,) by BizHawk's column names; training
    cannot move them. ``rom_hash`` is hex SHA-1 or MD5, or empty."""

    path: Path
    format: str
    game: str
    system: str
    buttons: tuple[str | None, ...]
    inputs: NDArray[np.uint16]
    state: bytes | None
    header: Mapping[str, str]
    has_reset_row: bool
    events: tuple[MovieEvent, ...] = ()
    core: CoreStamp | None = None
    ram_hashes: RamHashes | None = None
    warnings: Mapping[str, int] = field(default_factory=dict)
    rom_hash: str = ""
    axes: Mapping[str, NDArray[np.int16]] = field(default_factory=dict)

    @property
    def frames(self) -> int:
        return int(self.inputs.shape[0])

    @property
    def players(self) -> int:
        return int(self.inputs.shape[1])

    def differs(self, row: int, ram: Callable[[], NDArray[np.uint8]]) -> bool:
        """Return True if RAM after ``row`` is not as recorded; rows without a hash agree."""
        if (hashes := self.ram_hashes) is None:
            return False
        at = int(np.searchsorted(hashes.rows, row))
        return row in hashes.rows[at : at + 1] and ram_hash(ram()) != int(hashes.digests[at])

    def hashed(self, rows: int) -> int:
        """Return how many of the first ``rows`` rows have a hash of RAM."""
        return 0 if self.ram_hashes is None else int((self.ram_hashes.rows < rows).sum())

    @property
    def beyond_training(self) -> str:
        """A list in words of the inputs that training cannot press; empty if there are none."""
        players = [f"player {number}" for number in range(3, self.players + 1)]
        return ", ".join([*self.axes, *players, *sorted({each.kind for each in self.events})])

    @property
    def training_warning(self) -> str:
        """A sentence about the inputs that training cannot press; empty if there are none."""
        return (beyond := self.beyond_training) and f"training cannot press {beyond}"


MovieReader = Callable[[Path, Mapping[str, MovieConsole], bool], Movie]
"""Reads a movie from a path, consoles by their names, and True if its start state is needed."""


def ram_hash(ram: NDArray[np.uint8] | bytes) -> int:
    """Return a hash of a flat RAM: 64-bit BLAKE2b, little-endian, as an int below 2**64."""
    raw = ram if isinstance(ram, bytes) else np.ascontiguousarray(ram).data
    return int.from_bytes(hashlib.blake2b(raw, digest_size=8).digest(), "little")
