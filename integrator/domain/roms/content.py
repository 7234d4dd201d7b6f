"""The plain content of a ROM file: finds and undoes headers and byte orders that copiers added."""

from __future__ import annotations

from typing import Final

from integrator.domain.files.hashing import INES_HEADER_BYTES, SMD_HEADER_BYTES, deinterleave_smd

SNES_COPIER_BYTES: Final = 512
INES_MAGIC: Final = b"NES\x1a"
_SNES_SUFFIXES: Final = frozenset({".sfc", ".smc", ".swc", ".fig"})
_GENESIS_SUFFIXES: Final = frozenset({".smd", ".md", ".gen", ".bin", ".68k", ".sgd"})


def plain_rom(data: bytes, suffix: str) -> tuple[bytes, str]:
    """The ROM as the console's bus sees it, and the undone change in words ('' for none).

    ``suffix`` is the file's extension with its dot. A SNES copier's header makes a file 512 bytes
    longer than whole KiB. An iNES header stays, because emulators need it. Plain data is returned
    unchanged.
    """
    kind = suffix.lower()
    if kind in _SNES_SUFFIXES and len(data) % 1024 == SNES_COPIER_BYTES:
        return data[SNES_COPIER_BYTES:], "without the 512 bytes of a copier's header"
    if kind in _GENESIS_SUFFIXES and is_interleaved(data):
        return deinterleave_smd(data), "with its interleaved bytes put in order"
    return data, ""


def is_interleaved(data: bytes) -> bool:
    """True when a Genesis dump has the Super Magic Drive's order and its 512-byte header."""
    # deinterleave_smd returns other data unchanged; a plain dump says SEGA at 0x100.
    return data[0x100:0x104] != b"SEGA" and data[SMD_HEADER_BYTES + 0x80 :][:2] == b"EA"


def spellings(data: bytes) -> dict[str, bytes]:
    """Every form in which the bytes of one file may have been hashed for rom.sha, by its name.

    The first is the unchanged file. An extension does not tell the header: in collections a
    ``.nes`` may lack its header and a ``.bin`` may have one.
    """
    found = {"as it is": data}
    if data.startswith(INES_MAGIC):
        found["without its iNES header"] = data[INES_HEADER_BYTES:]
    if is_interleaved(data):
        found["with its interleaved bytes put in order"] = deinterleave_smd(data)
    if len(data) % 1024 == SNES_COPIER_BYTES:
        found["without the 512 bytes of a copier's header"] = data[SNES_COPIER_BYTES:]
    return found
