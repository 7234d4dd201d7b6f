"""Reads files that a stranger may have made, safely: bytes, text and hashes. A path may name a
named pipe, which blocks when it is opened, a device that never ends, or a folder; and a file may be
larger than memory. So only regular files are opened, without waiting, and each reader sets a limit
for its kind of file."""

import hashlib
import lzma
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from integrator.domain.errors import MISSING, DocumentError, DomainError, reason
from libretro_host.content_file import open_file, open_handle, read_file

__all__ = ["open_file", "open_handle", "read_file"]  # re-exported

MAX_GZIP_MEMBERS: Final = 100  # limit of the members of a gzip file that may be crafted


def inflated(data: bytes, limit_bytes: int) -> bytes:
    """Unpack zlib data. Raises zlib.error if it is damaged, cut off or beyond the limit."""
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(data, limit_bytes + 1)
    _check_size(len(raw), limit_bytes)
    if not unpacker.eof:
        raise zlib.error("it is cut off")
    return raw


def gunzip(data: bytes, limit_bytes: int) -> bytes:
    """Unpack all members of a gzip file. Raises zlib.error as :func:`inflated` does."""
    parts: list[bytes] = []
    size, at, members = 0, 0, 0
    while at < len(data):
        if members == MAX_GZIP_MEMBERS:
            raise zlib.error(f"it has more than {MAX_GZIP_MEMBERS} parts")
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)  # 16 selects the gzip format
        while not unpacker.eof and at < len(data):
            # Feed blocks, because each member copies the rest of its block.
            block = data[at : at + (1 << 16)]
            at += len(block)
            while block and not unpacker.eof:
                parts.append(unpacker.decompress(block, limit_bytes + 1 - size))
                size += len(parts[-1])
                _check_size(size, limit_bytes)
                block = unpacker.unconsumed_tail
        if not unpacker.eof:
            raise zlib.error(f"it is cut off after {size} bytes")
        at -= len(unpacker.unused_data)
        members += 1
        if data[at : at + 1] == b"\0":  # skip padding
            at = len(data) - len(data[at:].lstrip(b"\0"))
    return b"".join(parts)


def _check_size(size: int, limit_bytes: int) -> None:
    if size > limit_bytes:
        raise zlib.error(f"it unpacks to more than {limit_bytes:,} bytes")


DAMAGE: Final = (
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError, EOFError, OSError),
    RuntimeError,  # deep nesting, encrypted member, unknown compression
    *(struct.error, zlib.error, lzma.LZMAError, zipfile.BadZipFile),
)
"""Exceptions that Python's readers raise for damaged or crafted files.

All readers share this list, because libraries do not name theirs: zipfile alone raises ten."""


@contextmanager
def decoding(damaged: type[DomainError], subject: str | Path, cure: str = "") -> Iterator[None]:
    """Raise ``damaged``, chained, for any error that a damaged ``subject`` causes in the block.

    If ``subject`` is a path, a DomainError without it gets it; other DomainErrors pass unchanged.
    """
    end = f"; {cure}" if cure else ""
    try:
        yield
    except DomainError as error:
        if isinstance(subject, str) or str(subject) in str(error):
            raise
        raise damaged(f"{subject}: {error}") from error
    except FileNotFoundError as error:
        raise damaged(f"{error.filename or subject}: {MISSING}{end}") from error
    except DAMAGE as error:
        raise damaged(f"{subject}: {reason(error)}{end}") from error


@contextmanager
def reading(path: Path, cure: str = "") -> Iterator[None]:
    """Raise DocumentError, which names ``path``, for an OSError in the block."""
    try:
        yield
    except OSError as error:
        raise DocumentError(f"{path} could not be read ({error.strerror}){cure}") from error


CHECK: Final = "; check that it exists and is yours"  # end of messages about files that users named
SMALL_BYTES: Final = 1 << 20  # limit for small files: hashes, marks, settings, lists
TEXT_BYTES: Final = 16 << 20  # limit of texts; the largest shipped document has 60 KB


def read_text(path: Path, limit_bytes: int, errors: str = "strict") -> str:
    """Return the text of a regular UTF-8 file. Raises OSError, UnicodeDecodeError."""
    return read_file(path, limit_bytes).decode("utf-8", errors)


def read_head(path: Path, count: int) -> bytes:
    """Return the first ``count`` bytes, or fewer, of a regular file. Raises OSError."""
    with open_file(path, None) as stream:
        return stream.read(count)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def not_plain(folder: str, names: list[str]) -> set[str]:
    """Return the ``names`` in a folder that are no files or folders, or that link to a folder."""
    kept = {stat.S_IFREG, stat.S_IFDIR}
    found = set()
    for name in names:
        path = Path(folder) / name
        try:
            kind = stat.S_IFMT(path.stat().st_mode)
        except OSError:
            kind = 0
        if kind not in kept or (kind == stat.S_IFDIR and path.is_symlink()):
            found.add(name)
    return found


DISC_LISTS: Final = frozenset({".cue", ".m3u", ".ccd", ".toc", ".gdi"})
"""Suffixes of text files that list the files of a disc, or several discs."""
MAX_ROM_BYTES: Final = 32 << 20  # larger content is refused, as in stable-retro's import
INES_HEADER_BYTES: Final = 16
SMD_HEADER_BYTES: Final = 512
MAX_ROM_FILE_BYTES: Final = MAX_ROM_BYTES + SMD_HEADER_BYTES
_SMD_BLOCK: Final = 0x4000


def rom_sha1(path: Path | str) -> str:
    """Return the SHA-1 of a ROM file as 40 hex digits, with headers left out.

    A ``.nes`` is hashed without its first 16 bytes, a ``.smd`` without its first 512 bytes and
    de-interleaved. Raises DocumentError if the file cannot be read or is larger than 32 MiB."""
    path = Path(path)
    return hashlib.sha1(rom_bytes(read_rom(path), path.suffix), usedforsecurity=False).hexdigest()


def read_rom(path: Path) -> bytes:
    """Read a whole ROM file. Raises DocumentError if it is unreadable or larger than 32 MiB."""
    with reading(path, CHECK):
        data = read_head(path, MAX_ROM_FILE_BYTES + 1)
    headers = {".smd": SMD_HEADER_BYTES, ".nes": INES_HEADER_BYTES}
    if len(data) - headers.get(path.suffix.lower(), 0) > MAX_ROM_BYTES:
        most = f"{MAX_ROM_BYTES >> 20} MiB, which stable-retro does not import"
        raise DocumentError(f"{path} is larger than {most}; use a cartridge image")
    return data


def rom_bytes(data: bytes, suffix: str) -> bytes:
    """Return the bytes of a ROM to hash; ``suffix`` is its extension with the dot."""
    if suffix.lower() == ".nes":
        return data[INES_HEADER_BYTES:]
    return deinterleave_smd(data) if suffix.lower() == ".smd" else data


def deinterleave_smd(data: bytes) -> bytes:
    """Put a Super Magic Drive dump (odd, then even bytes of each 16 KiB) in plain order."""
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
