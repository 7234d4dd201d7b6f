"""The file behind a journal: appended records that survive the program's death at any byte."""

import contextlib
import json
import math
import os
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from integrator.domain.errors import SessionError
from integrator.domain.files import file_lock
from integrator.domain.files.atomic import write_all
from integrator.domain.files.jsontext import JsonSyntaxError, parse_json
from integrator.domain.files.reading import decoding, open_file, open_handle
from integrator.domain.movies.bk2 import MAX_PLAYERS

Kind = Literal["input", "jump", "keyframe", "back", "switch", "opened", "line", "mark", "plan"]

_KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_MAGIC: Final = b"retro-integrator journal 1\n"
_RECORD: Final = struct.Struct("<BII")
_MAX_RECORD_BYTES: Final = 64 << 20
_MOST_AXES: Final = 256
_MAX_HEADER_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Header:
    """Subject of a journal: the game's path, how the game is open, and its core.

    ``directory`` is the integration's, which may not be there yet; ``game`` is it, or the ROM. A
    row of inputs has so many ``columns``: masks of ``players``, and axes. ``system`` names the
    console, which a bare ROM may not tell, ``core_path`` the core's file; both are None in journals
    of earlier versions.
    """

    game: str
    directory: str
    core: str
    players: int
    fps: float
    state: str | None
    scenario: str | None
    columns: int
    system: str | None = None
    core_path: str | None = None

    @classmethod
    def of(cls, value: Any) -> "Header":
        """The header in a JSON value. Raises ValueError, TypeError or AttributeError."""
        header = cls(
            game=str(value.get("game", "")),
            directory=str(value.get("directory") or value.get("game", "")),
            core=str(value.get("core", "")),
            players=int(value.get("players", 1)),
            fps=float(value.get("fps") or 60.0),
            state=_text_or_none(value.get("state")),
            scenario=_text_or_none(value.get("scenario")),
            # Journals of earlier versions have no axes.
            columns=int(value.get("columns") or value.get("players", 1)),
            system=_text_or_none(value.get("system")),
            core_path=_text_or_none(value.get("core_path")),
        )
        if not header.players <= header.columns <= header.players + _MOST_AXES:
            raise ValueError(f"{header.columns} columns of {header.players} players")
        if not (1 <= header.players <= MAX_PLAYERS and 0 < header.fps < math.inf):
            raise ValueError(f"{header.players} players at {header.fps} frames a second")
        return header


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


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
        self._whole_bytes = 0
        self._torn = False
        try:
            file_lock.lock(self._fd)
            self._append(_MAGIC + json.dumps(header).encode() + b"\n")
        except OSError:
            self.close(discard=True)
            raise

    def write(self, kind: Kind, values: Mapping[str, Any], data: bytes) -> None:
        """Append a record. Raises OSError; then the file ends with the last whole record."""
        text = json.dumps(values).encode()
        payload = struct.pack("<I", len(text)) + text + data
        head = _RECORD.pack(_KINDS.index(kind), len(payload), zlib.crc32(payload))
        self._append(head + payload)

    def _append(self, data: bytes) -> None:
        if self._torn:
            self._cut()
        try:
            write_all(self._fd, data)
        except OSError:
            # A record that was written in part would hide all records after it.
            self._torn = True
            with contextlib.suppress(OSError):
                self._cut()
            raise
        self._whole_bytes += len(data)

    def _cut(self) -> None:
        os.ftruncate(self._fd, self._whole_bytes)
        self._torn = False

    def close(self, *, discard: bool) -> None:
        """Let go of the file, and delete it with ``discard``. Idempotent."""
        if self._fd >= 0:
            if discard:
                self.path.unlink(missing_ok=True)
            os.close(self._fd)
            self._fd = -1


def is_abandoned(path: Path) -> bool:
    """True when the journal's writer is dead, because its lock ends with the process."""
    try:
        fd = open_handle(path)
    except OSError:
        return False
    try:
        return file_lock.try_lock(fd)
    finally:
        os.close(fd)


def read_header(path: Path) -> Header:
    """Subject of the journal. Raises SessionError when its header is not whole."""
    with decoding(SessionError, f"{path}: the journal cannot be read"):
        with open_file(path, None) as stream:
            magic, line = stream.readline(256), stream.readline(_MAX_HEADER_BYTES)
        if magic != _MAGIC:
            raise SessionError(f"{path}: this is no journal of play")
        return Header.of(parse_json(line))


def newest_header(path: Path) -> Header:
    """Subject of the journal at its end: a game may move, or another scenario may score it.

    Raises SessionError.
    """
    values = asdict(read_header(path))
    with decoding(SessionError, f"{path}: the journal cannot be read"):
        for record in read_records(path):
            if record.kind == "opened":
                values |= record.values
        return Header.of(values)


def read_records(path: Path) -> Iterator[Record]:
    """All whole records; a torn or damaged one ends the journal. Raises SessionError."""
    read_header(path)
    with (
        decoding(SessionError, f"{path}: the journal cannot be read"),
        open_file(path, None) as stream,
    ):
        stream.readline(256)
        stream.readline(_MAX_HEADER_BYTES)
        while len(head := stream.read(_RECORD.size)) == _RECORD.size:
            kind, size, checksum = _RECORD.unpack(head)
            if kind >= len(_KINDS) or not 4 <= size <= _MAX_RECORD_BYTES:
                return
            payload = stream.read(size)
            if len(payload) < size or zlib.crc32(payload) != checksum:
                return
            record = _record(_KINDS[kind], payload)
            if record is None:
                return
            yield record


def _record(kind: Kind, payload: bytes) -> Record | None:
    """The record in a payload whose checksum fits; None when it is not one that we wrote."""
    length = struct.unpack_from("<I", payload)[0]
    try:
        values = parse_json(payload[4 : 4 + length])
    except JsonSyntaxError:
        return None
    if not isinstance(values, dict):
        return None
    return Record(kind, values, payload[4 + length :])
