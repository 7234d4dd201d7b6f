"""SHA-1 of a ROM as rom.sha holds it: of the game's bytes, without headers that dumpers added."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from integrator.domain.errors import DocumentError
from integrator.domain.files.reading import read_head

MAX_ROM_BYTES: Final = 32 << 20
"""Larger content is refused, as in stable-retro's import."""
INES_HEADER_BYTES: Final = 16
SMD_HEADER_BYTES: Final = 512
MAX_ROM_FILE_BYTES: Final = MAX_ROM_BYTES + SMD_HEADER_BYTES
_SMD_BLOCK: Final = 0x4000


def rom_sha1(path: Path | str) -> str:
    """SHA-1 of a ROM file, 40 hex digits.

    ``.nes``: without the first 16 bytes. ``.smd``: without the first 512 bytes and de-interleaved.
    Raises DocumentError when the file can not be read or is larger than 32 MiB.
    """
    path = Path(path)
    return hashlib.sha1(rom_bytes(read_rom(path), path.suffix), usedforsecurity=False).hexdigest()


def read_rom(path: Path) -> bytes:
    """The whole file. Raises DocumentError when it can not be read or is larger than 32 MiB."""
    try:
        data = read_head(path, MAX_ROM_FILE_BYTES + 1)
    except OSError as error:
        raise DocumentError(
            f"{path} could not be read ({error.strerror}); check that it exists and is yours"
        ) from error
    headers = {".smd": SMD_HEADER_BYTES, ".nes": INES_HEADER_BYTES}
    if len(data) - headers.get(path.suffix.lower(), 0) > MAX_ROM_BYTES:
        raise DocumentError(
            f"{path} is larger than {MAX_ROM_BYTES >> 20} MiB, which stable-retro does not import; "
            "use a cartridge image"
        )
    return data


def rom_bytes(data: bytes, suffix: str) -> bytes:
    """The hashed part of a file's bytes; ``suffix`` is its extension with the dot, in any case."""
    match suffix.lower():
        case ".nes":
            return data[INES_HEADER_BYTES:]
        case ".smd":
            return deinterleave_smd(data)
    return data


def deinterleave_smd(data: bytes) -> bytes:
    """A Super Magic Drive dump in plain order; other data is returned unchanged.

    Each 16 KiB block holds the odd bytes of its part of the ROM, then the even ones. The letters E
    and A of the word SEGA at 0x100 tell such a dump.
    """
    body = data[SMD_HEADER_BYTES:]
    if body[0x80:0x82] != b"EA":
        return data
    plain = bytearray(len(body))
    for start in range(0, len(body), _SMD_BLOCK):
        block = body[start : start + _SMD_BLOCK]
        half = len(block) // 2
        plain[start + 1 : start + 2 * half : 2] = block[:half]
        plain[start : start + 2 * half : 2] = block[half : 2 * half]
        plain[start + 2 * half : start + len(block)] = block[2 * half :]
    return bytes(plain)
