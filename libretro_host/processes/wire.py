"""Messages between RemoteHost and its worker: JSON headers on a stream, bulk data in shared slots.

A message is a 4-byte length, then a JSON value. Arrays and byte strings in it are references into a
*slot*, a file that both have open, in memory where the system can do that. Slot 0 carries the
parent's data and slot 1 the child's; only its owner writes a slot, and only when it is the owner's
turn to send. A slot is valid from the message that refers to it until its owner's next message, so
it needs no lock. Receivers copy the data.

No message of the child can run code in the parent: values are JSON, references are checked against
the slot, and only the value types in ``_VALUES`` are ever built."""

import dataclasses
import json
import math
import mmap
import os
import pickle
import struct
from collections.abc import Callable, Mapping
from io import FileIO
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from libretro_host import host
from libretro_host.errors import HostError

_VALUES: dict[str, type[Any]] = {
    one.__name__: one
    for one in (
        *(host.AvInfo, host.AxisColumn, host.CapturePlan, host.CoreInfo, host.CoreLimits),
        *(host.CoreOption, host.Frame, host.InputName, host.LoadRequest, host.MemoryRegion),
        *(host.RamChanges, host.RunResult),
    )
}
_FIELDS = {name: [one.name for one in dataclasses.fields(kind)] for name, kind in _VALUES.items()}
_PIXEL_FORMAT = _FIELDS["Frame"].index("pixel_format")
_ALIGNMENT = 64
_LEAST_BYTES = 1 << 16  # least size of a slot, which also grows in pieces of this size
_LENGTH = struct.Struct("<I")


class WireError(Exception):
    """The other side sent bytes that are no message; it is broken and cannot be trusted."""


class Stream(Protocol):
    """The part of a socket that a channel uses."""

    def sendall(self, data: bytes, /) -> None: ...

    def recv(self, size: int, /) -> bytes: ...

    def close(self) -> None: ...


class Slot:
    """Memory that two processes share through a file, which the slot's owner may enlarge."""

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._map: mmap.mmap | None = None

    def write(self, blobs: list[tuple[int, NDArray[np.uint8]]], total: int) -> None:
        """Store arrays at their offsets, all below ``total``. Raises HostError on a full disk."""
        size = self._size()
        if max(total, 1) > size:  # an empty file cannot be mapped
            self._grow(size, max(total, 2 * size, _LEAST_BYTES))
        shared = np.frombuffer(self._mapped(total), dtype=np.uint8)
        for offset, blob in blobs:
            shared[offset : offset + blob.size] = blob

    def read(self, offset: int, size: int) -> NDArray[np.uint8]:
        """Return a copy of ``size`` bytes at ``offset``. Raises WireError if they are outside."""
        if offset < 0 or size < 0:
            raise WireError(f"a reference to {size} bytes at {offset}")
        shared = self._mapped(offset + size)
        return np.frombuffer(shared, dtype=np.uint8, count=size, offset=offset).copy()

    def close(self) -> None:
        self._map = None
        self._file.close()

    def _grow(self, size: int, wanted: int) -> None:
        """Enlarge the file by writing zeros, for which a full disk raises an error. In a hole of
        the file, a write through the mapping would end the process on a full disk. Windows also
        allows no other way to enlarge a file that is mapped."""
        self._file.seek(size)
        try:
            while size < wanted:
                size += self._file.write(bytes(min(wanted - size, _LEAST_BYTES)))
        except OSError as error:
            fact = f"no room for {wanted} bytes that processes share ({error.strerror})"
            raise HostError(f"{fact}; free memory, and space in {gettempdir()}") from error

    def _size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def _mapped(self, needed: int) -> mmap.mmap:
        if self._map is None or len(self._map) < needed:
            size = self._size()
            if needed > size:
                raise WireError(f"a reference to byte {needed} of a slot of {size}")
            self._map = mmap.mmap(self._file.fileno(), size)
        return self._map


class Channel:
    """One end of a connection: a stream, the slot that it fills and the slot that it reads."""

    def __init__(self, stream: Stream, outgoing: Slot, incoming: Slot) -> None:
        self.stream = stream
        self._outgoing = outgoing
        self._incoming = incoming
        self._pending = bytearray()
        self._blobs: list[tuple[int, NDArray[np.uint8]]] = []
        self._end = 0
        self._encode = json.JSONEncoder(default=self._pack, separators=(",", ":")).encode
        self._decode = json.JSONDecoder(object_hook=self._unpack).decode

    def send(self, message: object) -> None:
        """Send one value. Raises OSError when the other side is gone."""
        self._blobs, self._end = [], 0
        text = self._encoded(message)
        if self._blobs:
            self._outgoing.write(self._blobs, self._end)
        self.stream.sendall(_LENGTH.pack(len(text)) + text)

    def receive(self, before_read: Callable[[], None] | None = None) -> Any:
        """Return the next value; its arrays are copies. Raises EOFError, WireError."""
        self._fill(_LENGTH.size, before_read)
        (length,) = _LENGTH.unpack_from(self._pending)
        if length > 1 << 26:
            raise WireError(f"a message of {length} bytes")
        end = _LENGTH.size + length
        self._fill(end, before_read)
        text = bytes(self._pending[_LENGTH.size : end])
        del self._pending[:end]
        return self._decoded(text)

    def _encoded(self, message: object) -> bytes:
        return self._encode(message).encode("ascii")

    def _decoded(self, data: bytes) -> Any:
        try:
            return self._decode(data.decode("ascii"))
        except (ValueError, TypeError, LookupError, ArithmeticError, RecursionError) as error:
            raise WireError(f"a malformed message: {error}") from error

    def close(self) -> None:
        self.stream.close()
        self._outgoing.close()
        self._incoming.close()

    def _fill(self, size: int, before_read: Callable[[], None] | None) -> None:
        while len(self._pending) < size:
            if before_read is not None:
                before_read()
            try:
                part = self.stream.recv(1 << 16)
            except ConnectionError as error:
                raise EOFError("the connection broke") from error
            if not part:
                raise EOFError("the other side is gone")
            self._pending += part

    def _pack(self, value: object) -> Any:
        """Encode a value that JSON lacks as {kind: content}, with bulk data in the slot."""
        name = type(value).__name__
        if name in _FIELDS:
            # A mapping sent as a JSON object could be mistaken for {kind: content}.
            fields = [getattr(value, field) for field in _FIELDS[name]]
            plain = [
                {"mapping": list(each.items())} if isinstance(each, Mapping) else each
                for each in fields
            ]
            return {name: plain}
        if isinstance(value, np.ndarray):
            data = np.ascontiguousarray(value)
            at = self._place(data.reshape(-1).view(np.uint8))
            return {"array": [data.dtype.str, at, *data.shape]}
        if isinstance(value, bytes | bytearray | memoryview):
            data = np.frombuffer(value, dtype=np.uint8)
            return {"bytes": [self._place(data), data.size]}
        if isinstance(value, Path):
            return {"path": str(value)}
        if isinstance(value, np.integer):
            return int(value)
        raise TypeError(f"{name} cannot be sent to another process")

    def _place(self, data: NDArray[np.uint8]) -> int:
        at = -(-self._end // _ALIGNMENT) * _ALIGNMENT
        self._blobs.append((at, data))
        self._end = at + data.size
        return at

    def _unpack(self, value: dict[str, Any]) -> Any:
        """Decode an object {kind: content}; return other objects unchanged."""
        if len(value) != 1:
            return value
        ((kind, content),) = value.items()
        if kind in _VALUES:
            fields = [_tuples(field) if type(field) is list else field for field in content]
            if kind == "Frame":
                fields[_PIXEL_FORMAT] = host.PixelFormat(fields[_PIXEL_FORMAT])
            return _VALUES[kind](*fields)
        if kind == "array":
            spec, at, *shape = content
            return self._array(np.dtype(spec), at, shape)
        if kind == "bytes":
            return self._incoming.read(*content).tobytes()
        if kind == "path":
            return Path(content)
        if kind == "mapping":
            return dict(content)
        return value

    def _array(self, dtype: np.dtype[Any], at: int, shape: list[int]) -> NDArray[Any]:
        if dtype.hasobject or min(shape, default=0) < 0:
            raise WireError(f"an array of {dtype} with shape {shape}")
        size = math.prod(shape, start=dtype.itemsize)
        return self._incoming.read(at, size).view(dtype).reshape(shape)


def _tuples(value: Any) -> Any:
    """Convert lists to tuples: JSON has only lists, and the value types hold only tuples."""
    return tuple(map(_tuples, value)) if type(value) is list else value


Packed = tuple[bytes, list[Any]]  # a pickle, and the buffers of its arrays


def packed(value: object) -> Packed:
    """Pickle a value for :func:`unpacked`. Raises HostError."""
    buffers: list[Any] = []
    try:
        return pickle.dumps(value, 5, buffer_callback=buffers.append), buffers
    # The version of Python decides what is raised for a function or an open file.
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        cure = "give other processes only what can be pickled"
        raise HostError(f"no other process can get this value: {error}; {cure}") from error


def unpacked(parts: Packed) -> Any:
    """Return the value that was packed; its arrays use the buffers in place."""
    return pickle.loads(parts[0], buffers=parts[1])  # noqa: S301 - for trusted senders only


class TrustedChannel(Channel):
    """A :class:`Channel` of pickles; a caller's own values are sent as :data:`Packed`."""

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
