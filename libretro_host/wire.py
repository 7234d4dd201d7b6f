"""Messages between RemoteHost and its worker: JSON headers on a socket, bulk data in shared slots.

A message is a 4-byte length, then a JSON value. Arrays and byte strings in it are references into a
*slot*: an anonymous piece of shared memory. There are two, and whoever has the turn to speak owns
his own: slot 0 carries what the parent sends, slot 1 what the child sends. A slot is valid from the
message that refers to it until its owner's next message, so it needs no lock. Receivers copy.

Nothing that the child sends can run code in the parent: values are JSON, references are checked
against the slot, and only the value types in ``_VALUES`` are ever built.
"""

from __future__ import annotations

import dataclasses
import fcntl
import json
import mmap
import os
import socket
import struct
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libretro_host.frame import (
    AvInfo,
    CoreInfo,
    Frame,
    MemoryRegion,
    PixelFormat,
    RamChanges,
    RunResult,
)
from libretro_host.host import CapturePlan, LoadRequest
from libretro_host.options import CoreOption

_VALUES: dict[str, type[Any]] = {
    one.__name__: one
    for one in (
        *(AvInfo, CapturePlan, CoreInfo, CoreOption, Frame),
        *(LoadRequest, MemoryRegion, RamChanges, RunResult),
    )
}
_TAG = "@"
_ALIGNMENT = 64
_FIRST_SLOT_BYTES = 1 << 20
_MAX_HEADER_BYTES = 1 << 26
_LENGTH = struct.Struct("<I")


class WireError(Exception):
    """The other side sent something that is no message; it is broken and can not be trusted."""


class Slot:
    """One piece of shared memory that its owner may grow; the fd names it in both processes.

    It has no name in any file system, so that nothing is left behind when both sides die.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._map: mmap.mmap | None = None

    @classmethod
    def create(cls) -> Slot:
        """A new slot, owned by the caller. Raises OSError when there is no memory for it."""
        slot = cls(_anonymous_file())
        slot._grow(_FIRST_SLOT_BYTES)
        return slot

    def write(self, blobs: list[tuple[int, NDArray[np.uint8]]], total: int) -> None:
        """Store each array at its offset; ``total`` is the end of the last one."""
        if total > os.fstat(self.fd).st_size:
            self._grow(max(total, 2 * os.fstat(self.fd).st_size))
        shared = np.frombuffer(self._mapped(total), dtype=np.uint8)
        for offset, blob in blobs:
            shared[offset : offset + blob.size] = blob

    def read(self, offset: int, size: int) -> NDArray[np.uint8]:
        """A copy of ``size`` bytes at ``offset``. Raises WireError when they are outside."""
        if offset < 0 or size < 0:
            raise WireError(f"a reference to {size} bytes at {offset}")
        shared = self._mapped(offset + size)
        return np.frombuffer(shared, dtype=np.uint8, count=size, offset=offset).copy()

    def close(self) -> None:
        """Give up this side's mapping and fd. Idempotent."""
        self._map = None
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def _grow(self, size: int) -> None:
        os.ftruncate(self.fd, size)

    def _mapped(self, needed: int) -> mmap.mmap:
        """The mapping, made anew when the file outgrew it."""
        if self._map is None or len(self._map) < needed:
            size = os.fstat(self.fd).st_size
            if needed > size:
                raise WireError(f"a reference to byte {needed} of a slot of {size}")
            self._map = mmap.mmap(self.fd, size)
        return self._map


def _anonymous_file() -> int:
    """A file without a name, in memory where the system can do that (Linux)."""
    if not hasattr(os, "memfd_create"):
        with tempfile.TemporaryFile() as file:
            return os.dup(file.fileno())
    fd = os.memfd_create("libretro_host", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    # A child gone wild could otherwise cut the file under the parent's mapping: SIGBUS there.
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
    return fd


class Channel:
    """One end of the conversation: a stream socket, the slot it fills and the slot it reads."""

    def __init__(self, stream: socket.socket, outgoing: Slot, incoming: Slot) -> None:
        self.stream = stream
        self._outgoing = outgoing
        self._incoming = incoming

    def send(self, message: Any) -> None:
        """Send one value. Raises OSError when the other side is gone."""
        packer = _Packer()
        text = json.dumps(message, default=packer.pack, separators=(",", ":")).encode("ascii")
        if packer.blobs:
            self._outgoing.write(packer.blobs, packer.total)
        self.stream.sendall(_LENGTH.pack(len(text)) + text)

    def receive(self, before_read: Callable[[], None] | None = None) -> Any:
        """The next value; its arrays belong to the caller.

        ``before_read`` is called before every read that could block, and may raise. Raises EOFError
        when the other side is gone, WireError when it talks nonsense.
        """
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size, before_read))
        if length > _MAX_HEADER_BYTES:
            raise WireError(f"a message of {length} bytes")
        text = self._read(length, before_read)
        try:
            return json.loads(text, object_hook=self._unpack)
        except (ValueError, TypeError, KeyError) as error:
            raise WireError(f"a malformed message: {error}") from error

    def close(self) -> None:
        """Close this end: the other side sees end of file. Idempotent."""
        self.stream.close()
        self._outgoing.close()
        self._incoming.close()

    def _read(self, size: int, before_read: Callable[[], None] | None) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            if before_read is not None:
                before_read()
            try:
                part = self.stream.recv(size - len(parts))
            except ConnectionError as error:
                raise EOFError("the connection broke") from error
            if not part:
                raise EOFError("the other side is gone")
            parts += part
        return bytes(parts)

    def _unpack(self, value: dict[str, Any]) -> Any:
        """Turn one tagged JSON object back into the value it stands for."""
        tag = value.pop(_TAG, None)
        if tag is None:
            return value
        if tag == "array":
            return self._array(value["type"], value["shape"], value["at"])
        if tag == "bytes":
            return self._incoming.read(value["at"], value["size"]).tobytes()
        if tag == "path":
            return Path(value["path"])
        fields = {name: _tuples(field) for name, field in value.items()}
        if tag == "Frame":
            fields["pixel_format"] = PixelFormat(fields["pixel_format"])
        return _VALUES[tag](**fields)

    def _array(self, spec: str, shape: list[int], at: int) -> NDArray[Any]:
        dtype = np.dtype(spec)
        if dtype.hasobject or any(length < 0 for length in shape):
            raise WireError(f"an array of {spec} with shape {shape}")
        size = dtype.itemsize
        for length in shape:
            size *= length
        return self._incoming.read(at, size).view(dtype).reshape(shape)


def _tuples(value: Any) -> Any:
    """JSON knows lists only; the value types hold tuples only."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


class _Packer:
    """Turns what JSON can not say into tagged objects, and lays out the bulk data."""

    def __init__(self) -> None:
        self.blobs: list[tuple[int, NDArray[np.uint8]]] = []
        self.total = 0

    def pack(self, value: object) -> Any:
        if dataclasses.is_dataclass(value) and type(value).__name__ in _VALUES:
            fields = {name: getattr(value, name) for name in value.__dataclass_fields__}
            return {_TAG: type(value).__name__, **fields}
        if isinstance(value, np.ndarray):
            data = np.ascontiguousarray(value)
            at = self._place(data.reshape(-1).view(np.uint8))
            return {_TAG: "array", "type": data.dtype.str, "shape": data.shape, "at": at}
        if isinstance(value, bytes | bytearray | memoryview):
            data = np.frombuffer(value, dtype=np.uint8)
            return {_TAG: "bytes", "size": data.size, "at": self._place(data)}
        if isinstance(value, Path):
            return {_TAG: "path", "path": str(value)}
        if isinstance(value, Mapping):
            return dict(value)
        if isinstance(value, np.integer):
            return int(value)
        raise TypeError(f"{type(value).__name__} can not be sent to another process")

    def _place(self, data: NDArray[np.uint8]) -> int:
        at = -(-self.total // _ALIGNMENT) * _ALIGNMENT
        self.blobs.append((at, data))
        self.total = at + data.size
        return at
