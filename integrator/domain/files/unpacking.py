"""Unpacks bytes that a stranger packed: a few of them can claim to hold terabytes."""

from __future__ import annotations

import zlib
from typing import Final

MAX_GZIP_MEMBERS: Final = 100
"""A gzip file may have several members, one after the other; more of them only cost time."""

_GZIP: Final = 16 + zlib.MAX_WBITS
_BLOCK_BYTES: Final = 1 << 16


def inflated(data: bytes, limit_bytes: int) -> bytes:
    """Unpack zlib data. Raises zlib.error for data that is damaged, cut off or beyond the limit."""
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
        unpacker = zlib.decompressobj(_GZIP)
        while not unpacker.eof and at < len(data):
            # In blocks, because the rest of a block is copied for each member.
            block = data[at : at + _BLOCK_BYTES]
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
        if data[at : at + 1] == b"\0":  # padding
            at = len(data) - len(data[at:].lstrip(b"\0"))
    return b"".join(parts)


def _check_size(size: int, limit_bytes: int) -> None:
    if size > limit_bytes:
        raise zlib.error(f"it unpacks to more than {limit_bytes:,} bytes")
