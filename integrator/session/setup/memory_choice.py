"""The memory of a console that counts: all of it, or ranges that the user keeps for one game.

A console with megabytes of memory writes much that no variable is in. Memory outside of chosen
ranges is neither logged nor searched nor shown; training sees all of it, as ever.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.domain.values.variables import VariableSpec
from integrator.session.setup.game_file import GameFile

MemoryRange: TypeAlias = tuple[int, int]
"""First address and number of bytes."""

ALIGNMENT: Final = 8
"""Ranges are widened to multiples of this, so that no word of any console is cut in two."""

_WIDEST: Final = 8


def memory_path() -> Path:
    """The file in which the user's choices are kept."""
    return paths.user_config_dir() / "memory.json"


def windows_for(
    chosen: Iterable[MemoryRange], variables: Iterable[VariableSpec]
) -> tuple[MemoryRange, ...]:
    """The chosen ranges and those of variables: aligned, ascending and apart. () when all counts.

    A variable is always included: without it, reward and done would differ from training's.
    """
    ranges = list(chosen)
    if not ranges:
        return ()
    ranges += [(spec.address, max(spec.type.width, _WIDEST)) for spec in variables]
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(_aligned(each) for each in ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], stop)
        else:
            merged.append((start, stop))
    return tuple((start, stop - start) for start, stop in merged)


def _aligned(memory: MemoryRange) -> tuple[int, int]:
    start, size = memory
    return start - start % ALIGNMENT, start + size + -(start + size) % ALIGNMENT


def parse_range(text: str) -> MemoryRange:
    """``0x80000000-0x801FFFFF`` (both ends in it) or ``0x80000000+0x200000``; hexadecimal or not.

    Raises SessionError that names the fault.
    """
    for mark in ("-", "+"):
        first, found, second = text.strip().partition(mark)
        if not found:
            continue
        try:
            start, other = int(first.strip(), 0), int(second.strip(), 0)
        except ValueError:
            break
        size = other - start + 1 if mark == "-" else other
        if start < 0 or size < 1:
            raise SessionError(f"{text.strip()}: there is nothing between these two addresses")
        return start, size
    raise SessionError(f"{text.strip()}: write two addresses, as in 0x80000000-0x801FFFFF")


def range_text(memory: MemoryRange) -> str:
    """As :func:`parse_range` reads it."""
    start, size = memory
    return f"0x{start:X}-0x{start + size - 1:X}"


@dataclass(frozen=True, slots=True)
class MemoryStore:
    """The ranges kept for each game, in one JSON file."""

    path: Path

    def ranges(self, game: str) -> tuple[MemoryRange, ...]:
        """The ranges of a game; () for all memory. Raises SessionError for a damaged file."""
        return tuple(parse_range(text) for text in self._file.read().get(game, []))

    def keep(self, game: str, ranges: Iterable[MemoryRange]) -> None:
        """Keep ranges, or with none forget them. Raises SessionError, SaveError."""
        games = self._file.read()
        texts = [range_text(each) for each in ranges]
        games.pop(game, None)
        if texts:
            games[game] = texts
        self._file.write(games)

    @property
    def _file(self) -> GameFile:
        return GameFile(self.path, _are_texts, '["0x0-0xFF"]')


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)
