"""A ROM's own statements: title and region in its header, region and quality in its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_GB_LOGO: Final = bytes.fromhex("ceed6666")
_SNES_HEADERS: Final = (0x7FC0, 0xFFC0)
_SNES_REGIONS: Final = {0: "Japan", 1: "USA", 2: "Europe"}
_SEGA_REGIONS: Final = {"U": "USA", "E": "Europe", "J": "Japan", "4": "USA", "8": "Europe"}
_NAME_REGIONS: Final = {"u": "USA", "e": "Europe", "j": "Japan", "w": "World"}
_NAME_REGION: Final = re.compile(
    r"[(\[](?:(USA|Europe|Japan|World)\b[^)\]]*|(U|E|J|W))[)\]]", re.IGNORECASE
)
_DUMP_MARKS: Final = {
    "b": "a bad dump",
    "h": "a hack",
    "o": "an overdump",
    "t": "a trainer",
    "p": "a pirate",
    "f": "a fixed dump",
}
_DUMP_MARK: Final = re.compile(r"\[([bhotpf])\d*[^\]]*\]")


@dataclass(frozen=True, slots=True)
class RomHeader:
    """``system`` is a descriptor's name; ``titles`` are as found, ``region`` '' when unknown."""

    system: str
    titles: tuple[str, ...]
    region: str = ""


def rom_header(data: bytes) -> RomHeader | None:
    """The header of a plain ROM, None when it has none that we know.

    Places of title and region as the consoles' makers fixed them; the NES and the Atari 2600 have
    no titles.
    """
    if data[0x100:0x104] == b"SEGA":
        titles = (_text(data[0x150:0x180]), _text(data[0x120:0x150]))
        regions = (_SEGA_REGIONS.get(chr(code), "") for code in data[0x1F0:0x1F3])
        system = "32x" if data[0x105:0x108] == b"32X" else "Genesis"
        return RomHeader(system, _filled(titles), " and ".join(filter(None, regions)))
    if data[0x104:0x108] == _GB_LOGO:
        system = "GbColor" if data[0x143:0x144] in {b"\x80", b"\xc0"} else "GameBoy"
        return RomHeader(system, _filled((_text(data[0x134:0x143]),)))
    if data[0xB2:0xB3] == b"\x96" and len(data) > 0xC0:
        return RomHeader("GbAdvance", _filled((_text(data[0xA0:0xAC]),)))
    if data[:4] == b"NES\x1a":
        return RomHeader("Nes", ())
    if data[:4] == b"\x80\x37\x12\x40":
        return RomHeader("N64", _filled((_text(data[0x20:0x34]),)))
    return _snes(data)


def _snes(data: bytes) -> RomHeader | None:
    for start in _SNES_HEADERS:
        header = data[start : start + 0x20]
        if len(header) < 0x20:
            continue
        complement = int.from_bytes(header[0x1C:0x1E], "little")
        if complement ^ int.from_bytes(header[0x1E:0x20], "little") == 0xFFFF:
            region = _SNES_REGIONS.get(header[0x19], "Europe" if header[0x19] < 13 else "")
            return RomHeader("Snes", _filled((_text(header[:0x15]),)), region)
    return None


def _text(raw: bytes) -> str:
    text = "".join(chr(code) if 0x20 <= code < 0x7F else " " for code in raw)
    return " ".join(text.split())


def _filled(titles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(title for title in titles if title))


def region_in_name(name: str) -> str:
    """The first region that a file name gives in brackets, as ``(U)`` or ``(USA, ...)``; or ''."""
    found = _NAME_REGION.search(name)
    return _NAME_REGIONS[(found[1] or found[2])[0].lower()] if found else ""


def dump_mark(name: str) -> str:
    """The meaning of a GoodTools tag: ``[b1]`` is ``a bad dump``; '' for none."""
    found = _DUMP_MARK.search(name)
    return _DUMP_MARKS[found[1]] if found else ""
