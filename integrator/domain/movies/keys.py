"""Names in movies: the character of each button, and the platform names of a system.

Sources: files recorded with stable-retro 1.0.1 on each of its consoles, and BizHawk's and FCEUX's
descriptions of their formats.
"""

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from integrator.domain.errors import MovieError

# stable-retro has no character for the second half of these buttons: it drops them when it records
# and skips ours when it reads. RUN cannot be BizHawk's R here, which is RIGHT.
BUTTON_CHARACTERS: Mapping[str, str] = MappingProxyType(
    {
        "A": "A",
        "B": "B",
        "C": "C",
        "X": "X",
        "Y": "Y",
        "Z": "Z",
        "UP": "U",
        "DOWN": "D",
        "LEFT": "L",
        "RIGHT": "R",
        "START": "S",
        "SELECT": "s",
        "MODE": "M",
        "L": "l",
        "R": "r",
        "BUTTON": "B",
        # from here on: ours
        "I": "1",
        "II": "2",
        "III": "3",
        "IV": "4",
        "V": "5",
        "VI": "6",
        "RUN": "n",
        "PAUSE": "p",
        "RESET": "e",
        "L2": "q",
        "R2": "w",
        "L3": "k",
        "R3": "j",
        "C-UP": "u",
        "C-DOWN": "d",
        "C-LEFT": "c",
        "C-RIGHT": "v",
        "C-MODE": "m",
    }
)

_CHARACTERS = string.ascii_letters + string.digits
_VERSION_SUFFIX = re.compile(r"-v\d+$")

# BizHawk's column names (upper case, "P1 " removed) that differ from the systems' button names.
_BIZHAWK_NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "B1": ("I", "B"),  # PC Engine; Master System and Game Gear, whose button 1 is JOYPAD_B
        "B2": ("II", "A"),
        "B3": ("III",),
        "B4": ("IV",),
        "B5": ("V",),
        "B6": ("VI",),
        "FIRE": ("BUTTON",),
        "DPAD U": ("UP",),
        "DPAD D": ("DOWN",),
        "DPAD L": ("LEFT",),
        "DPAD R": ("RIGHT",),
        "C UP": ("C-UP",),
        "C DOWN": ("C-DOWN",),
        "C LEFT": ("C-LEFT",),
        "C RIGHT": ("C-RIGHT",),
    }
)


@dataclass(frozen=True, slots=True)
class MovieConsole:
    """The facts of a system that movies need.

    ``buttons`` are its button names by bit, ``platform`` and ``bizhawk`` the names that
    stable-retro and BizHawk give it, ``characters`` those that are chosen for buttons.
    ``axes`` are columns of sticks, touch screens and the like, without their players.
    """

    buttons: Sequence[str | None]
    platform: str = ""
    bizhawk: str = ""
    characters: Mapping[str, str] = field(default_factory=dict)
    axes: frozenset[str] = frozenset()

    @property
    def bits(self) -> dict[int, str]:
        """The character of each bit: the chosen or the usual one, or else one that is free."""
        usual = {**BUTTON_CHARACTERS, **self.characters}
        wanted = {usual.get(name or "") for name in self.buttons}
        free = [each for each in _CHARACTERS if each not in wanted]
        found: dict[int, str] = {}
        for bit, name in enumerate(self.buttons):
            if name is None:
                continue
            found[bit] = usual.get(name, "")
            if not found[bit] or list(found.values()).count(found[bit]) > 1:
                found[bit] = next(each for each in (*name, *name.lower(), *free) if each in free)
                free.remove(found[bit])
        return found


def system_of(path: Path, platform: str, game: str, systems: Mapping[str, MovieConsole]) -> str:
    """The system a movie is for: by its platform name, else by the end of its game's name.

    Raises MovieError when neither names a key of ``systems``.
    """
    if platform in systems:
        return platform
    for name, console in systems.items():
        names = (name, console.platform, console.bizhawk)
        if platform and platform.upper() in map(str.upper, names):
            return name
    suffix = _VERSION_SUFFIX.sub("", game).rpartition("-")[2]
    if suffix in systems:
        return suffix
    raise MovieError(
        f"{path}: platform {platform or '(none)'!r} of game {game or '(none)'!r} is no known "
        f"system; known are {', '.join(sorted(systems))}"
    )


def bizhawk_button(name: str, buttons: Sequence[str | None]) -> int | None:
    """The bit that BizHawk's column ``name`` (without its player) stands for, or None."""
    upper = name.upper()
    for candidate in (upper, *_BIZHAWK_NAMES.get(upper, ())):
        if candidate in buttons:
            return buttons.index(candidate)
    return None
