"""Pickles between a process and its own worker, arrays beside them in shared memory."""

import pickle
import struct
from typing import Any

import numpy as np

from libretro_host.processes.wire import Channel, WireError

Packed = tuple[bytes, list[Any]]
"""A pickle, and the buffers of its arrays."""


def packed(value: object) -> Packed:
    """A value for :func:`unpacked`. Raises what pickling raises."""
    buffers: list[Any] = []
    return pickle.dumps(value, 5, buffer_callback=buffers.append), buffers


def unpacked(parts: Packed) -> Any:
    """The value that was packed; its arrays take over the parts."""
    return pickle.loads(parts[0], buffers=parts[1])  # noqa: S301 - see the module


class TrustedChannel(Channel):
    """A :class:`Channel` of pickles; values of others travel as :data:`Packed`."""

    def _encoded(self, message: object) -> bytes:
        data, buffers = packed(message)
        places: list[int] = []
        for buffer in buffers:
            raw = np.frombuffer(buffer.raw(), np.uint8)
            places += (self._place(raw), raw.size)
        return struct.pack(f"<I{len(places)}Q", len(buffers), *places) + data

    def _decoded(self, data: bytes) -> Any:
        try:
            (count,) = struct.unpack_from("<I", data)
            places = struct.unpack_from(f"<{2 * count}Q", data, 4)
            pairs = zip(places[::2], places[1::2], strict=True)
            buffers = [self._incoming.read(at, size) for at, size in pairs]
            return unpacked((data[4 + 16 * count :], buffers))
        except (ValueError, struct.error, pickle.UnpicklingError) as error:
            raise WireError(f"a malformed message: {error}") from error
