"""What a ROM file really holds: headers and byte orders that copiers added are found and undone."""

from __future__ import annotations

from typing import Final

from integrator.domain.files.hashing import INES_HEADER_BYTES, SMD_HEADER_BYTES, deinterleave_smd

SNES_COPIER_BYTES: Final = 512
INES_MAGIC: Final = b"NES\x1a"
_SNES_SUFFIXES: Final = frozenset({".sfc", ".smc", ".swc", ".fig"})
_GENESIS_SUFFIXES: Final = frozenset({".smd", ".md", ".gen", ".bin", ".68k", ".sgd"})


def plain_rom(data: bytes, suffix: str) -> tuple[bytes, str]:
    """The ROM as the console's bus sees it, and in words what was undone ('' for nothing).

    ``suffix`` is the file's extension with its dot. A SNES copier's header makes a file 512 bytes
    longer than whole KiB. An iNES header stays: emulators need it. Data that is plain comes back as
    it is.
    """
    kind = suffix.lower()
    if kind in _SNES_SUFFIXES and len(data) % 1024 == SNES_COPIER_BYTES:
        return data[SNES_COPIER_BYTES:], "without the 512 bytes of a copier's header"
    if kind in _GENESIS_SUFFIXES and is_interleaved(data):
        return deinterleave_smd(data), "with its interleaved bytes put in order"
    return data, ""


def is_interleaved(data: bytes) -> bool:
    """Whether a Genesis dump is in the order of the Super Magic Drive, with its 512-byte header."""
    # deinterleave_smd hands other data back as it is; a plain dump says SEGA at 0x100.
    return data[0x100:0x104] != b"SEGA" and data[SMD_HEADER_BYTES + 0x80 :][:2] == b"EA"


def spellings(data: bytes) -> dict[str, bytes]:
    """Every way in which the bytes of one file may have been hashed for rom.sha, by its name.

    The first is the file as it is. Which header a file has can not be told from its extension: in
    collections a ``.nes`` may lack its header and a ``.bin`` may have one.
    """
    found = {"as it is": data}
    if data.startswith(INES_MAGIC):
        found["without its iNES header"] = data[INES_HEADER_BYTES:]
    if is_interleaved(data):
        found["with its interleaved bytes put in order"] = deinterleave_smd(data)
    if len(data) % 1024 == SNES_COPIER_BYTES:
        found["without the 512 bytes of a copier's header"] = data[SNES_COPIER_BYTES:]
    return found
