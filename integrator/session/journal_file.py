"""The file behind a journal: appended records that survive the program's death at any byte."""

from __future__ import annotations

import fcntl
import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from integrator.domain.errors import SessionError

Kind = Literal["input", "jump", "keyframe", "back", "switch"]

_KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_MAGIC: Final = b"retro-integrator journal 1\n"
_RECORD: Final = struct.Struct("<BII")
_MAX_RECORD_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Record:
    """One record: a few values, and bytes (input rows, or a raw state)."""

    kind: Kind
    values: Mapping[str, Any]
    data: bytes


class JournalFile:
    """A journal that is being written, locked as long as its writer lives.

    Each record is handed to the operating system at once, so that it outlives a killed program.
    """

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        """Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        fcntl.flock(self._fd, fcntl.LOCK_EX)
        os.write(self._fd, _MAGIC + json.dumps(header).encode() + b"\n")

    def write(self, kind: Kind, values: Mapping[str, Any], data: bytes) -> None:
        """Append a record. Raises OSError."""
        text = json.dumps(values).encode()
        payload = struct.pack("<I", len(text)) + text + data
        head = _RECORD.pack(_KINDS.index(kind), len(payload), zlib.crc32(payload))
        os.write(self._fd, head + payload)

    def close(self, *, discard: bool) -> None:
        """Let go of the file, and delete it with ``discard``. Idempotent."""
        if self._fd >= 0:
            if discard:
                self.path.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = -1


def is_abandoned(path: Path) -> bool:
    """Whether a journal's writer is dead: the lock goes with it."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(fd)
    return True


def read_header(path: Path) -> dict[str, Any]:
    """What the journal is about. Raises SessionError when it is no whole header."""
    try:
        with path.open("rb") as stream:
            magic, line = stream.readline(256), stream.readline(1 << 16)
        header = json.loads(line) if magic == _MAGIC else None
    except (OSError, ValueError) as error:
        raise SessionError(f"{path}: the journal can not be read: {error}") from error
    if not isinstance(header, dict):
        raise SessionError(f"{path}: this is no journal of play")
    return header


def read_records(path: Path) -> Iterator[Record]:
    """All whole records; a torn or damaged one ends the journal. Raises SessionError."""
    read_header(path)
    try:
        with path.open("rb") as stream:
            stream.readline()
            stream.readline()
            while len(head := stream.read(_RECORD.size)) == _RECORD.size:
                kind, size, checksum = _RECORD.unpack(head)
                if kind >= len(_KINDS) or not 4 <= size <= _MAX_RECORD_BYTES:
                    return
                payload = stream.read(size)
                if len(payload) < size or zlib.crc32(payload) != checksum:
                    return
                length = struct.unpack_from("<I", payload)[0]
                yield Record(
                    _KINDS[kind], json.loads(payload[4 : 4 + length]), payload[4 + length :]
                )
    except OSError as error:
        raise SessionError(f"{path}: the journal can not be read: {error.strerror}") from error
