"""ROM files: their plain form, headers, hashes, and the known games that they match."""

import contextlib
import difflib
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any, Final

from integrator.domain.errors import DocumentError
from integrator.domain.files import reading
from integrator.domain.integration import naming

SNES_COPIER_BYTES: Final = 512
INES_MAGIC: Final = b"NES\x1a"
ROM_HEAD_BYTES: Final = 0x150  # bytes from the start of a ROM that `cut_off` needs


def plain_rom(data: bytes, suffix: str) -> bytes:
    """Return the ROM as the console sees it: without a copier's header, but with an iNES header."""
    kind = suffix.lower()
    is_snes = kind in {".sfc", ".smc", ".swc", ".fig"}
    if is_snes and len(data) % 1024 == SNES_COPIER_BYTES:
        return data[SNES_COPIER_BYTES:]
    is_genesis = kind in {".smd", ".md", ".gen", ".bin", ".68k", ".sgd"}
    return reading.deinterleave_smd(data) if is_genesis and is_interleaved(data) else data


def cut_off(head: bytes, size: int) -> str:
    """Say if a ROM is shorter than its iNES or Game Boy header says; '' if it is not."""
    counted = 0
    if head.startswith(INES_MAGIC) and len(head) < reading.INES_HEADER_BYTES:
        counted = reading.INES_HEADER_BYTES
    elif head.startswith(INES_MAGIC):
        more = head[9] if head[7] & 0x0C == 0x08 else 0
        program, pictures = head[4] | (more & 0x0F) << 8, head[5] | (more >> 4) << 8
        # Numbers from 0xF00 on are not counts but have an exponent.
        if max(program, pictures) < 0xF00:
            trainer = 512 if head[6] & 4 else 0
            counted = reading.INES_HEADER_BYTES + trainer + program * 0x4000 + pictures * 0x2000
    elif head.startswith(bytes.fromhex("CEED6666"), 0x104):
        banks = int.from_bytes(head[0x148:0x149])
        counted = 0x8000 << banks if banks < 9 else 0
    if size >= counted:
        return ""
    return f"its header counts {counted:,} bytes and it has {size:,}, so its end is missing"


def is_interleaved(data: bytes) -> bool:
    """True if a Genesis dump has the Super Magic Drive's byte order and 512-byte header."""
    # A plain dump has SEGA at 0x100; deinterleave_smd leaves other data unchanged.
    return data[0x100:0x104] != b"SEGA" and data[reading.SMD_HEADER_BYTES + 0x80 :][:2] == b"EA"


def spellings(data: bytes) -> dict[str, bytes]:
    """Return every form in which a file may have been hashed for rom.sha, by a description."""
    found = {"as it is": data}
    if data.startswith(INES_MAGIC):
        found["without its iNES header"] = data[reading.INES_HEADER_BYTES :]
    if is_interleaved(data):
        found["with its interleaved bytes put in order"] = reading.deinterleave_smd(data)
    if len(data) % 1024 == SNES_COPIER_BYTES:
        found["without the 512 bytes of a copier's header"] = data[SNES_COPIER_BYTES:]
    return found


@dataclass(frozen=True, slots=True)
class RomHashes:
    """Hashes of a ROM in hex: ``sha1`` as in rom.sha, ``every`` SHA-1 and MD5 of all spellings."""

    sha1: str
    every: frozenset[str]


def rom_hashes(path: Path) -> RomHashes | None:
    """Return a ROM's hashes; None for lists of files, unreadable files and files over 32 MiB."""
    if path.suffix.lower() in {*reading.DISC_LISTS, naming.LIST_SUFFIX}:
        return None
    try:
        stat = path.stat()
        return _hashes(path, stat.st_mtime_ns, stat.st_size)
    except (OSError, DocumentError):
        return None


@lru_cache(maxsize=4)
def _hashes(path: Path, _modified_ns: int, _bytes: int) -> RomHashes:
    every = frozenset(
        kind(variant, usedforsecurity=False).hexdigest()
        for variant in spellings(reading.read_rom(path)).values()
        for kind in (hashlib.sha1, hashlib.md5)
    )
    return RomHashes(reading.rom_sha1(path), every)


HeaderPlaces = tuple[str, Mapping[str, Any]]
"""A system's name, and an entry of ``content.headers`` of its descriptor: places in a plain ROM.

All places are offsets. A ROM has this header if every mark's bytes are at the mark's offset and, if
``complements`` is given, the little-endian word at that offset is the complement of the next word.
``titles`` have an offset and a length in ``bytes``. The byte at each of the region's ``offsets`` is
looked up in its ``codes``, whose keys are hexadecimal."""


def _weight(data: bytes, entry: Mapping[str, Any]) -> int:
    """Return the number of bytes by which ``data`` matches a header; 0 if it does not match."""
    weight = 0
    for mark in entry.get("marks", ()):
        wanted = _bytes(mark)
        if not data.startswith(wanted, mark["offset"]):
            return 0
        weight += len(wanted)
    if (at := entry.get("complements")) is None:
        return weight
    first, second = data[at : at + 2], data[at + 2 : at + 4]
    fits = len(second) == 2 and all(a ^ b == 0xFF for a, b in zip(first, second, strict=True))
    return weight + 2 if fits else 0


@dataclass(frozen=True, slots=True)
class RomHeader:
    """A ROM's header. ``system`` is a descriptor's name; an unknown ``region`` is ''."""

    system: str
    titles: tuple[str, ...]
    region: str = ""


def rom_header(data: bytes, known: Sequence[HeaderPlaces]) -> RomHeader | None:
    """Return a plain ROM's header, the one that matches in most bytes, or None."""
    weights = [_weight(data, entry) for _, entry in known]
    if not any(weights):
        return None
    system, entry = known[weights.index(max(weights))]
    spans = ((title["offset"], title["bytes"]) for title in entry.get("titles", ()))
    titles = (_text(data[start : start + length]) for start, length in spans)
    region = entry.get("region", {"offsets": (), "codes": {}})
    names = {int(code, 16): name for code, name in region["codes"].items()}
    regions = (names.get(data[at], "") for at in region["offsets"] if at < len(data))
    return RomHeader(
        system,
        tuple(dict.fromkeys(filter(None, titles))),
        " and ".join(dict.fromkeys(filter(None, regions))),
    )


def _bytes(mark: Mapping[str, str]) -> bytes:
    # As in descriptors, a text that is not ASCII is no error; it matches no ROM.
    if "text" in mark:
        return mark["text"].encode("ascii", "replace")
    return bytes.fromhex(mark["hex"])


def _text(raw: bytes) -> str:
    text = "".join(chr(code) if 0x20 <= code < 0x7F else " " for code in raw)
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class KnownGame:
    """An integration directory that names the SHA-1 hashes of its ROM."""

    directory: Path
    shas: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.directory.name


@dataclass(frozen=True, slots=True)
class RomMatch:
    """A file's ``games``, and its ROM as ``data``; ``spelling`` names a conversion, or is ''."""

    games: tuple[KnownGame, ...]
    data: bytes
    spelling: str


@dataclass(frozen=True, slots=True)
class Miss:
    """No game wants a file, for a ``reason`` in one sentence; ``is_game`` is false for no ROM."""

    reason: str
    is_game: bool


def known_games(roots: Iterable[Path]) -> tuple[KnownGame, ...]:
    games = []
    for path in (each for root in roots for each in sorted(root.glob(f"*/{naming.SHA_FILE}"))):
        # One unreadable rom.sha must not hide the other games.
        with contextlib.suppress(DocumentError):
            games.append(KnownGame(path.parent, naming.read_shas(path)))
    return tuple(games)


class RomIndex:
    """An index of known games by hash and by name."""

    def __init__(
        self,
        games: Iterable[KnownGame],
        extensions: Mapping[str, str],
        headers: Sequence[HeaderPlaces],
    ) -> None:
        """``extensions`` maps each file extension (lower case, no dot) to its system."""
        self._by_sha: dict[str, list[KnownGame]] = {}
        self._names: dict[str, dict[str, str]] = {}
        self._extensions, self._headers = extensions, headers
        for game in games:
            for sha in game.shas:
                self._by_sha.setdefault(sha, []).append(game)
            system = naming.system_of(game.name)
            letters = _letters(game.name.removesuffix("-v0").removesuffix(f"-{system}"))
            self._names.setdefault(system, {})[letters] = game.name

    def look_up(self, name: str, data: bytes) -> RomMatch | Miss:
        """Return the games that want the file ``name`` with the bytes ``data``, or a miss."""
        if not data:
            return Miss("it is empty", is_game=self._system(name, None) != "")
        for spelling, variant in spellings(data).items():
            sha = hashlib.sha1(variant, usedforsecurity=False).hexdigest()
            games = tuple(self._by_sha.get(sha, ()))
            if games and naming.system_of(games[0].name) != "Nes":
                return RomMatch(games, variant, "" if variant is data else spelling)
            if games and data.startswith(INES_MAGIC):
                return RomMatch(games, data, "")
            if games:
                lacks = "but without the iNES header that emulators need; find a dump that has it"
                return Miss(f"it is the game of {games[0].name}, {lacks}", is_game=True)
        return self._miss(name, data)

    def _miss(self, name: str, data: bytes) -> Miss:
        plain = list(spellings(data).values())[-1] if not data.startswith(INES_MAGIC) else data
        header = rom_header(plain, self._headers)
        system = self._system(name, header)
        # A text file may end in .md, like a Genesis game.
        is_text = not any(code < 0x20 and code not in b"\t\n\r\f" for code in data[:1024])
        if not system or (header is None and is_text):
            return Miss("it is no ROM of a known system", is_game=False)
        parts = [f"unknown: no integration names this dump ({system})"]
        near, by = self._nearest(name, header, system)
        if near:
            parts.append(f"the nearest known game is {near}, by its {by}")
        region = header.region if header else ""
        # File names have regions in parentheses, as (U) or (USA, ...), and GoodTools marks as [b1].
        brackets = r"[(\[](?:(USA|Europe|Japan|World)\b[^)\]]*|(U|E|J|W))[)\]]"
        if not region and (named := re.search(brackets, name, re.IGNORECASE)):
            regions = {"u": "USA", "e": "Europe", "j": "Japan", "w": "World"}
            region = regions[(named[1] or named[2])[0].lower()]
        if region:
            parts.append(f"this one is of region {region}" + (", perhaps not the one" * bool(near)))
        if mark := re.search(r"\[([bhotpf])\d*[^\]]*\]", name):
            marks = {"b": "a bad dump", "h": "a hack", "o": "an overdump", "t": "a trainer"}
            marks |= {"p": "a pirate", "f": "a fixed dump"}
            parts.append(f"its name marks it as {marks[mark[1]]}")
        if missing := cut_off(plain[:ROM_HEAD_BYTES], len(plain)):
            parts.append(missing)
        return Miss("; ".join(parts), is_game=True)

    def _system(self, name: str, header: RomHeader | None) -> str:
        by_name = self._extensions.get(PurePath(name).suffix.lower().lstrip("."), "")
        # The extension wins, because headers of 32X games say Genesis, and some games run on two.
        return by_name or (header.system if header else "")

    def _nearest(self, name: str, header: RomHeader | None, system: str) -> tuple[str, str]:
        names = self._names.get(system, {})
        clues = [(title, "header") for title in (header.titles if header else ())]
        clues.append((naming.clean_name(name, system).rpartition("-")[0], "file name"))
        for clue, kind in clues:
            letters = _letters(clue)
            # Names with at least this similarity by difflib may belong to one game.
            close = difflib.get_close_matches(letters, names, n=1, cutoff=0.82) if letters else ()
            if close:
                return names[close[0]], kind
        return "", ""


def too_large(size: int) -> Miss | None:
    """Return a miss for a file that is too large for stable-retro's import, else None."""
    if size <= reading.MAX_ROM_BYTES + 512:
        return None
    most = f"{reading.MAX_ROM_BYTES >> 20} MiB, the most that is imported"
    return Miss(f"it is larger than {most}", is_game=True)


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
