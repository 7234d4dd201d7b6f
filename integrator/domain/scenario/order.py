"""Owns the order in which stable-retro walks the variables and nodes of a scenario.

stable-retro keeps them in ``std::unordered_map<std::string, ...>``. Rewards are summed in float32,
so with several fractional terms the order decides the last bit, and an `any` or `all` stops at the
first node that decides it. The order is not random: it follows from the hash of the names, the
number of buckets and the order of insertion (JSON objects arrive sorted by their UTF-8 bytes). This
module computes libstdc++'s order, that of the Linux wheels; builds with another C++ library walk
the maps differently, and there the last bit may differ.
"""

from __future__ import annotations

from collections.abc import Iterable

_MASK = (1 << 64) - 1
_SEED = 0xC70F6907
_MULTIPLIER = 0xC6A4A7935BD1E995
# Bucket counts that libstdc++ grows through: each is the first listed prime at or above twice the
# last.
_BUCKETS = (
    13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933,
)  # fmt: skip


def string_hash(text: str) -> int:
    """Return libstdc++'s 64-bit hash of ``text`` in UTF-8 (MurmurHash64A with its fixed seed)."""
    raw = text.encode("utf-8", "surrogatepass")
    value = _SEED ^ (len(raw) * _MULTIPLIER & _MASK)
    whole = len(raw) & ~7
    for start in range(0, whole, 8):
        word = int.from_bytes(raw[start : start + 8], "little") * _MULTIPLIER & _MASK
        word = (word ^ word >> 47) * _MULTIPLIER & _MASK
        value = (value ^ word) * _MULTIPLIER & _MASK
    if len(raw) > whole:
        value = (value ^ int.from_bytes(raw[whole:], "little")) * _MULTIPLIER & _MASK
    value = (value ^ value >> 47) * _MULTIPLIER & _MASK
    return value ^ value >> 47


def insertion_order(names: Iterable[str]) -> list[str]:
    """Return ``names`` in the order of a JSON object upstream: by their UTF-8 bytes."""
    return sorted(names, key=lambda name: name.encode("utf-8", "surrogatepass"))


def upstream_order(names: Iterable[str]) -> list[str]:
    """Return the order in which upstream walks a map into which ``names`` were put in this order.

    Repeated names keep their first place.
    """
    hashes: dict[str, int] = {}
    chain: list[str] = []
    sizes = iter(_BUCKETS)
    buckets = 0
    for name in names:
        if name in hashes:
            continue
        if len(chain) >= buckets:
            buckets = next(sizes)
            chain = _rehash(chain, hashes, buckets)
        hashes[name] = string_hash(name)
        _insert(chain, hashes, name, buckets)
    return chain


def _insert(chain: list[str], hashes: dict[str, int], name: str, buckets: int) -> None:
    """Put ``name`` before its bucket's first entry, or at the head when the bucket is empty."""
    bucket = hashes[name] % buckets
    for index, other in enumerate(chain):
        if hashes[other] % buckets == bucket:
            chain.insert(index, name)
            return
    chain.insert(0, name)


def _rehash(chain: list[str], hashes: dict[str, int], buckets: int) -> list[str]:
    """Insert the entries anew into more buckets, in the order of the old chain."""
    fresh: list[str] = []
    for name in chain:
        _insert(fresh, hashes, name, buckets)
    return fresh
