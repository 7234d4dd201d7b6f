"""Changes of RAM as a byte string made for zlib: the gaps between offsets, a byte each.

Frames that change the same bytes have the same gaps, and so many gaps of one frame fit into
zlib's window of 32 KiB that it finds the frame before. Offsets of four bytes do not fit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.ramlog import DecodedRam

_FAR = 255
"""In the place of a gap: the offset itself stands among the far offsets."""


def encode(
    ends: NDArray[np.integer], offsets: NDArray[np.integer], values: NDArray[np.uint8]
) -> bytes:
    """Frames' changes as DecodedRam has them; any order of offsets, repeated ones too.

    The far offsets' number, then ends and far offsets (uint32, little-endian), gaps, values.
    """
    wide = offsets.astype(np.int64)
    gaps = np.diff(wide, prepend=-1)
    far = (gaps < 0) | (gaps >= _FAR)
    far[:1] = True
    head = np.array([int(far.sum())], "<u4")
    parts = (head, ends.astype("<u4"), wide[far].astype("<u4"))
    return b"".join(
        part.tobytes() for part in (*parts, np.where(far, _FAR, gaps).astype("u1"), values)
    )


def decode(raw: bytes, frames: int, base: NDArray[np.uint8]) -> DecodedRam:
    """The changes of so many frames after ``base``, which is kept."""
    count = int(np.frombuffer(raw, "<u4", 1)[0])
    ends = np.frombuffer(raw, "<u4", frames, 4).astype(np.int64)
    total = int(ends[-1]) if frames else 0
    at = 4 * (1 + frames)
    far_offsets = np.frombuffer(raw, "<u4", count, at).astype(np.int64)
    gaps = np.frombuffer(raw, np.uint8, total, at + 4 * count)
    values = np.frombuffer(raw, np.uint8, total, at + 4 * count + total)
    far = np.flatnonzero(gaps == _FAR)
    # A running sum over all gaps; each far offset then moves the sum of the gaps that follow it.
    sums = np.cumsum(gaps, dtype=np.int64)
    sums += np.repeat(far_offsets - sums[far], np.diff(far, append=total))
    return DecodedRam(base, ends, sums, values)
