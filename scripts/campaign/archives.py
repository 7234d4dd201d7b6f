"""Zip and gzip files built by hand, so that each field of them can lie."""

from __future__ import annotations

import functools
import io
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from scripts.campaign.mutate import mutated_bytes

METHODS: Final = (0, 8, 12, 14)
"""Compression methods that Python's zipfile unpacks: stored, deflated, bzip2, LZMA."""
NAMES: Final = (
    b"", b"\0", b"a\0b", b".", b"..", b"/", b"../x", b"../../etc/x", b"/etc/x", b"C:\\x",
    b"a\\..\\b", b"x" * 300, b"y" * 60_000, b"\xff\xfe", "é".encode(), b"a\nb", b"folder/",
    b"folder/rom.nes", b"rom.nes", b"rom.md", b"game.zip", b"Input Log.txt", b"Header.txt",
    b"Core.bin", b"~/.bashrc", b"Integrator.json", b"Integrator.hashes", b"readme.txt", b"con",
    b"rom.nes\0.txt", b"x.7z",
)  # fmt: skip
_FIELDS: Final = (0, 1, 2, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF)


@dataclass(frozen=True, slots=True)
class Member:
    """A file in a zip; None stands for the true number."""

    name: bytes
    data: bytes
    method: int = 8
    flags: int = 0
    crc: int | None = None
    size: int | None = None
    packed_size: int | None = None
    extra: bytes = b""


def mutated_zip(rng: Random, members: Sequence[Member]) -> bytes:
    """A zip of ``members`` after one to three changes of contents, declarations or structure."""
    changed = list(members)
    for _ in range(rng.randint(1, 3)):
        changed = _changed(rng, changed)
    comment = rng.choice((b"", b"", b"", b"PK\5\6" + bytes(18), b"c" * 65_535))
    data = build_zip(changed, comment)
    return mutated_bytes(rng, data) if rng.random() < 0.25 else data


def _changed(rng: Random, members: list[Member]) -> list[Member]:
    if not members:
        return [Member(rng.choice(NAMES), b"")]
    at = rng.randrange(len(members))
    one = members[at]
    match rng.randrange(9):
        case 0:
            return members[:at] + members[at + 1 :]
        case 1:
            return [*members, replace(one, name=rng.choice(NAMES))]
        case 2:
            return [*members, one]
        case 3:
            one = replace(one, name=rng.choice(NAMES))
        case 4:
            one = replace(one, method=rng.choice((*METHODS, 1, 9, 93, 95, 99, 0xFFFF)))
        case 5:
            one = replace(one, flags=rng.choice((1, 8, 0x20, 0x40, 0x800, 0x2000, 0xFFFF)))
        case 6:
            field = rng.choice(("crc", "size", "packed_size"))
            one = replace(one, **{field: rng.choice(_FIELDS)})  # type: ignore[arg-type] # ints all
        case 7:
            one = replace(one, extra=rng.choice((b"\1\0", b"\1\0\0\0", b"\1\0\x10\0" + bytes(16))))
        case _:
            one = replace(one, data=mutated_bytes(rng, one.data[:20_000]))
    return [*members[:at], one, *members[at + 1 :]]


def build_zip(members: Sequence[Member], comment: bytes = b"") -> bytes:
    """A zip file of ``members``, with the numbers that they declare."""
    body, directory = bytearray(), bytearray()
    for member in members:
        packed = _packed(member.data, member.method if member.method in METHODS else 0)
        crc = zlib.crc32(member.data) if member.crc is None else member.crc
        size = len(member.data) if member.size is None else member.size
        packed_size = len(packed) if member.packed_size is None else member.packed_size
        facts = (20, member.flags, member.method, 0, 33, crc, packed_size, size, len(member.name))
        offset = len(body)
        body += struct.pack("<4s5H3L2H", b"PK\3\4", *facts, len(member.extra))
        body += member.name + member.extra + packed
        directory += struct.pack("<4s6H3L2H", b"PK\1\2", 20, *facts, len(member.extra))
        directory += struct.pack("<3H2L", 0, 0, 0, 0, offset) + member.name + member.extra
    count = len(members)
    end = struct.pack(
        "<4s4H2LH", b"PK\5\6", 0, 0, count, count, len(directory), len(body), len(comment)
    )
    return bytes(body + directory + end + comment)


@functools.lru_cache(maxsize=64)
def _packed(data: bytes, method: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression=method) as archive:
        archive.writestr("m", data)
        packed = archive.getinfo("m").compress_size
    return stream.getvalue()[31 : 31 + packed]


def mutated_gzip(rng: Random, raw: bytes, bomb: bytes) -> bytes:
    """A gzip file of ``raw`` after a change of its header, its body or its number of members."""
    data = gzip_of(raw)
    match rng.randrange(9):
        case 0:
            flags = rng.randrange(256)
            tail = rng.choice((b"", b"\xff\xff", b"core\0", b"\2\0ab", b"name"))
            return data[:3] + bytes([flags]) + data[4:10] + tail + data[10:]
        case 1:
            return data + data
        case 2:
            return data + mutated_bytes(rng, data)
        case 3:
            return data + rng.choice((b"\0" * 100, b"garbage", b"\x1f\x8b"))
        case 4:
            return gzip_of(mutated_bytes(rng, raw[:5000]))
        case 5 if rng.random() < 0.02:
            return bomb * rng.choice((1, 2))
        case 6:
            return data[: rng.randint(0, len(data))]
        case 7:
            return data[:-8] + rng.randbytes(8)
    return mutated_bytes(rng, data)


@functools.lru_cache(maxsize=64)
def gzip_of(raw: bytes, level: int = 1) -> bytes:
    """``raw`` as a gzip file without a name or a time."""
    packer = zlib.compressobj(level, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return packer.compress(raw) + packer.flush()


def gzip_bomb(size_bytes: int) -> bytes:
    """A short gzip file that unpacks to so many zeros."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    block = bytes(1 << 20)
    parts = [packer.compress(block) for _ in range(size_bytes >> 20)]
    return b"".join(parts) + packer.flush()
