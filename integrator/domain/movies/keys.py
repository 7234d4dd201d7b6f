"""Names in movies: the character of each button, and the platform name of each system.

Sources: files recorded with stable-retro 1.0.1 on each of its consoles, and BizHawk's and FCEUX's
descriptions of their formats.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from integrator.domain.errors import MovieError

# stable-retro has no character for the second half of these buttons: it drops them when it records
# and skips ours when it reads. RUN can not be BizHawk's R here, which is RIGHT.
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

PLATFORM_SYSTEMS: Mapping[str, str] = MappingProxyType(
    {
        "GEN": "Genesis",
        "SNES": "Snes",
        "NES": "Nes",
        "A26": "Atari2600",
        "GB": "GameBoy",
        "GBC": "GbColor",
        "GBA": "GbAdvance",
        "SMS": "Sms",
        "GG": "GameGear",
        "PCE": "PCEngine",
        "32X": "32x",
        "N64": "N64",
        "NDS": "NintendoDs",
        "SAT": "Saturn",
    }
)
"""Platform names of BizHawk, and of stable-retro where it does not use the system's own name."""

_RETRO_PLATFORMS = frozenset({"GEN", "SNES", "NES", "A26"})
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


def button_characters(buttons: Sequence[str | None]) -> dict[int, str]:
    """The character of each bit. Raises MovieError for a button name that has none."""
    characters: dict[int, str] = {}
    for bit, name in enumerate(buttons):
        if name is None:
            continue
        if name not in BUTTON_CHARACTERS:
            raise MovieError(f"no movie character is known for the button {name!r}")
        characters[bit] = BUTTON_CHARACTERS[name]
    return characters


def platform_of(system: str) -> str:
    """The platform name that stable-retro writes for a system."""
    for platform, name in PLATFORM_SYSTEMS.items():
        if name == system and platform in _RETRO_PLATFORMS:
            return platform
    return system


def system_of(
    path: Path, platform: str, game: str, systems: Mapping[str, Sequence[str | None]]
) -> str:
    """The system a movie is for: by its platform name, else by the end of its game's name.

    Raises MovieError when neither names a key of ``systems``.
    """
    suffix = _VERSION_SUFFIX.sub("", game).rpartition("-")[2]
    for name in (platform, PLATFORM_SYSTEMS.get(platform.upper(), ""), suffix):
        if name in systems:
            return name
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
