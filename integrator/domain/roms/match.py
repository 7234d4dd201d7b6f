"""Finds the known game that a file is, by SHA-1 of each of its forms; else gives a reason."""

import contextlib
import difflib
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from integrator.domain.errors import DocumentError
from integrator.domain.files.reading import MAX_ROM_BYTES
from integrator.domain.integration.naming import SHA_FILE, clean_name, read_shas, system_of
from integrator.domain.roms.header import (
    INES_MAGIC,
    ROM_HEAD_BYTES,
    HeaderPlaces,
    RomHeader,
    cut_off,
    dump_mark,
    region_in_name,
    rom_header,
    spellings,
)

_NEAR = 0.82
"""Likeness of two names, as difflib counts it, from which they may be one game."""
_AS_IT_IS = "as it is"


@dataclass(frozen=True, slots=True)
class KnownGame:
    """An integration directory that names the SHA-1 hashes of its ROM."""

    directory: Path
    shas: tuple[str, ...]

    @property
    def name(self) -> str:
        """The environment's name."""
        return self.directory.name


@dataclass(frozen=True, slots=True)
class RomMatch:
    """``games`` want this file, its ROM being ``data``; ``spelling`` is '' if unchanged."""

    games: tuple[KnownGame, ...]
    data: bytes
    spelling: str


@dataclass(frozen=True, slots=True)
class Miss:
    """No game wants this file; ``reason`` is one sentence, ``is_game`` false for other files."""

    reason: str
    is_game: bool


def known_games(roots: Iterable[Path]) -> tuple[KnownGame, ...]:
    """All integration directories below ``roots`` that have a rom.sha."""
    return tuple(_read_known(roots))


def _read_known(roots: Iterable[Path]) -> Iterator[KnownGame]:
    for root in roots:
        for path in sorted(root.glob(f"*/{SHA_FILE}")):
            # One unreadable rom.sha must not hide the other games.
            with contextlib.suppress(DocumentError):
                yield KnownGame(path.parent, read_shas(path))


class RomIndex:
    """The games by hash and by name."""

    def __init__(
        self,
        games: Iterable[KnownGame],
        extensions: Mapping[str, str],
        headers: Sequence[HeaderPlaces],
    ) -> None:
        """``extensions`` gives the system of each file extension (lower case, no dot)."""
        self._by_sha: dict[str, list[KnownGame]] = {}
        self._names: dict[str, dict[str, str]] = {}
        self._extensions = extensions
        self._headers = headers
        for game in games:
            for sha in game.shas:
                self._by_sha.setdefault(sha, []).append(game)
            system = system_of(game.name)
            letters = _letters(game.name.removesuffix("-v0").removesuffix(f"-{system}"))
            self._names.setdefault(system, {})[letters] = game.name

    def look_up(self, name: str, data: bytes) -> RomMatch | Miss:
        """The games that want the file ``name`` with these bytes, or a miss."""
        if not data:
            return Miss("it is empty", is_game=self._system(name, None) != "")
        for spelling, variant in spellings(data).items():
            games = self._by_sha.get(hashlib.sha1(variant, usedforsecurity=False).hexdigest())
            if games:
                return _match(tuple(games), data, variant, spelling)
        return self._miss(name, data)

    def _miss(self, name: str, data: bytes) -> Miss:
        plain = list(spellings(data).values())[-1] if not data.startswith(INES_MAGIC) else data
        header = rom_header(plain, self._headers)
        system = self._system(name, header)
        if not system or (header is None and _is_text(data)):
            return Miss("it is no ROM of a known system", is_game=False)
        parts = [f"unknown: no integration names this dump ({system})"]
        near, by = self._nearest(name, header, system)
        if near:
            parts.append(f"the nearest known game is {near}, by its {by}")
        region = (header.region if header else "") or region_in_name(name)
        if region:
            parts.append(f"this one is of region {region}" + (", perhaps not the one" * bool(near)))
        if mark := dump_mark(name):
            parts.append(f"its name marks it as {mark}")
        if missing := cut_off(plain[:ROM_HEAD_BYTES], len(plain)):
            parts.append(missing)
        return Miss("; ".join(parts), is_game=True)

    def _system(self, name: str, header: RomHeader | None) -> str:
        by_name = self._extensions.get(PurePath(name).suffix.lower().lstrip("."), "")
        # The extension first: 32X games call themselves Genesis, others run on two consoles.
        return by_name or (header.system if header else "")

    def _nearest(self, name: str, header: RomHeader | None, system: str) -> tuple[str, str]:
        """The known game with the most similar name, and the name that it was compared with."""
        names = self._names.get(system, {})
        clues = [(title, "header") for title in (header.titles if header else ())]
        clues.append((clean_name(name, system).rpartition("-")[0], "file name"))
        for clue, kind in clues:
            letters = _letters(clue)
            close = difflib.get_close_matches(letters, names, n=1, cutoff=_NEAR) if letters else ()
            if close:
                return names[close[0]], kind
        return "", ""


def _match(
    games: tuple[KnownGame, ...], data: bytes, variant: bytes, spelling: str
) -> RomMatch | Miss:
    if system_of(games[0].name) != "Nes":
        return RomMatch(games, variant, "" if spelling == _AS_IT_IS else spelling)
    if data.startswith(INES_MAGIC):
        return RomMatch(games, data, "")
    return Miss(
        f"it is the game of {games[0].name}, but without the iNES header that emulators need; find "
        "a dump that has it",
        is_game=True,
    )


def too_large(size: int) -> Miss | None:
    """A miss for files that stable-retro does not import."""
    if size <= MAX_ROM_BYTES + 512:
        return None
    return Miss(
        f"it is larger than {MAX_ROM_BYTES >> 20} MiB, the most that is imported", is_game=True
    )


def _is_text(data: bytes) -> bool:
    """True for prose: texts may end in .md as Genesis games do."""
    head = data[:1024]
    return not any(code < 0x20 and code not in b"\t\n\r\f" for code in head)


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
