"""The journal of a session: its inputs and jumps on disk, to go on after a crash."""

import contextlib
import itertools
import json
import math
import os
import struct
import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

import numpy as np

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.domain.files.atomic import write_all
from integrator.domain.files.reading import decoding, open_file, open_handle
from integrator.domain.movies.bk2 import MAX_PLAYERS
from integrator.domain.scenario.scoring import running_totals
from integrator.domain.timeline.line import EventKind, TimelineEvent
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame.result import Event, GameWarning, Report
from libretro_host.processes.kernel import lock, remove_locked

Kind = Literal[EventKind, "opened", "frozen", "unused"]

_KINDS: Final[tuple[Kind, ...]] = (  # their indices are in files; 2 and 10 are unused
    "input", "jump", "unused", "back", "switch", "opened", "line", "mark", "plan",
    "frozen", "unused",
)  # fmt: skip
_MAGIC: Final = b"retro-integrator journal 1\n"
_RECORD: Final = struct.Struct("<BII")
_MAX_RECORD_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class Header:
    """The game of a journal: its paths, its core, and its scenario and start state in use.
    ``directory`` is the integration's, which may not exist yet; ``game`` is this directory, or the
    ROM. A row of inputs has ``columns`` numbers: the masks of ``players``, then axes. ``system``
    names the console, which a bare ROM may not determine, and ``core_path`` is the core's file.
    ``recovers`` is the file name of the journal whose play this one repeats, until that is done."""

    game: str
    directory: str
    core: str
    players: int
    fps: float
    state: str | None
    scenario: str | None
    columns: int
    system: str
    core_path: str
    recovers: str | None

    @classmethod
    def of(cls, value: Any) -> "Header":
        """Read the header from a JSON value. Raises ValueError, TypeError or KeyError."""
        value = {"recovers": None, **value}
        players, columns, fps = int(value["players"]), int(value["columns"]), float(value["fps"])
        if not players <= columns <= players + 256:  # no console has more axes
            raise ValueError(f"{columns} columns of {players} players")
        if not (1 <= players <= MAX_PLAYERS and 0 < fps < math.inf):
            raise ValueError(f"{players} players at {fps} frames a second")
        texts = ("game", "directory", "core", "system", "core_path")
        rest: dict[str, Any] = {name: str(value[name]) for name in texts}
        for name in ("state", "scenario", "recovers"):
            rest[name] = None if value[name] is None else str(value[name])
        return cls(players=players, columns=columns, fps=fps, **rest)


@dataclass(frozen=True, slots=True)
class Record:
    """A record: values, and data, which are input rows or a compressed state."""

    kind: Kind
    values: Mapping[str, Any]
    data: bytes


def is_abandoned(path: Path) -> bool:
    """Return True if the journal's writer is dead; its lock ended with its process."""
    try:
        fd = open_handle(path)
    except OSError:
        return False
    with os.fdopen(fd, "rb"):
        return lock(fd, wait=False)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[tuple[BinaryIO, Any]]:
    """Open a journal; yield the stream of its records, and its header. Raises SessionError."""
    with (
        decoding(SessionError, f"{path}: the journal cannot be read"),
        open_file(path, None) as stream,
    ):
        if stream.readline(256) != _MAGIC:
            raise SessionError(f"{path}: this is no journal of play")
        header = json.loads(stream.readline(1 << 16))
        Header.of(header)
        yield stream, header


def header_and_frames(path: Path) -> tuple[Header, int]:
    """Return the header with all later changes, and the number of frames. Raises SessionError."""
    input_bytes = 0
    with _opened(path) as (_, values):
        for record in read_records(path):
            if record.kind == "opened":
                values.update(record.values)
            elif record.kind == "input":
                input_bytes += len(record.data)
        header = Header.of(values)
    return header, input_bytes // (2 * header.columns)


def read_records(path: Path) -> Iterator[Record]:
    """Yield the records up to the first torn or damaged one. Raises SessionError."""
    with _opened(path) as (stream, _):
        while len(head := stream.read(_RECORD.size)) == _RECORD.size:
            kind, size, checksum = _RECORD.unpack(head)
            if kind >= len(_KINDS) or not 4 <= size <= _MAX_RECORD_BYTES:
                return
            payload = stream.read(size)
            if len(payload) < size or zlib.crc32(payload) != checksum:
                return
            end = 4 + struct.unpack_from("<I", payload)[0]
            try:
                values = json.loads(payload[4:end])
            except (ValueError, RecursionError):
                return  # its checksum fits, but we did not write it
            if not isinstance(values, dict):
                return
            yield Record(_KINDS[kind], values, payload[end:])


SUFFIX = ".journal"
_RETRY_S = 1.0  # from a failure to write until the next try
_LEVEL = 1


@dataclass(frozen=True, slots=True)
class RecoverableSession:
    """Play that ended with the program's death, at ``written_s`` (since 1970)."""

    path: Path
    game: Path
    directory: Path
    frames: int
    seconds: float
    written_s: float


def journal_dir() -> Path:
    return paths.user_cache_dir() / "journals"


def new_journal_path(game: str) -> Path:
    names = (f"{game}-{os.getpid()}-{number}{SUFFIX}" for number in itertools.count(1))
    return next(path for name in names if not (path := journal_dir() / name).exists())


def recoverable() -> list[RecoverableSession]:
    """Return journals of dead programs with several frames, newest first; delete the others."""
    found = []
    journals = {path.name: path for path in journal_dir().glob(f"*{SUFFIX}")}
    for path in journals.values():
        if not is_abandoned(path):
            continue
        frames = 0
        with contextlib.suppress(SessionError):
            header, frames = header_and_frames(path)
            if header.recovers in journals:
                frames = 0  # The program died during a recovery; the other journal has more.
        # A game that was only opened has run one frame, which nobody wants to recover.
        if frames <= 1:
            path.unlink(missing_ok=True)
            continue
        game, directory = Path(header.game), Path(header.directory)
        seconds, written_s = frames / header.fps, path.stat().st_mtime
        found.append(RecoverableSession(path, game, directory, frames, seconds, written_s))
    return sorted(found, key=lambda info: info.written_s, reverse=True)


class Journal:
    """Writes each change of a timeline to a file, if any; reports a failure once, and retries."""

    def __init__(
        self, timeline: Timeline, path: Path | None, header: Mapping[str, Any], tell: Report
    ) -> None:
        self._timeline, self._path, self._tell = timeline, path or Path(), tell
        self.sums = [0, 0, 0]  # checksums of the number, offsets and values of changes of RAM
        self._retry_s = 0.0
        self._remains: Sequence[Callable[[], object]] = ()
        self._fd, self._whole_bytes, self._torn = -1, 0, False
        self._closed, self._failing = path is None, False
        self._waiting = deque([_MAGIC + json.dumps(header).encode() + b"\n"])
        if path is not None:
            self._write_waiting()
            timeline.listen(self._hear)

    def close(self, *, keep: bool = False) -> None:
        """Close the file, and delete it, unless ``keep`` is true for a later recovery."""
        if self._fd >= 0:
            if keep:
                os.close(self._fd)
            else:
                remove_locked(self._path, self._fd)
        self._fd, self._closed = -1, True

    def take_over(self, remains: Sequence[Callable[[], object]]) -> None:
        """Call ``remains``, which remove the recovered files, once all is safely on disk."""
        self._remains = remains
        self._write_waiting()

    def _hear(self, event: TimelineEvent) -> None:
        values, data = event.values, event.data
        match event.kind:
            case "input":
                changes = values["changes"]
                parts = changes.counts, changes.offsets, changes.values
                self.sums = [*map(zlib.crc32, parts, self.sums)]
                self.write("input", {"sums": self.sums}, np.asarray(data, "<u2").tobytes())
            case "plan":
                self.write("plan", {}, zlib.compress(data.astype("<u2").tobytes(), _LEVEL))
            case "jump":
                standing = self._standing(new=values["kind"] == "episode")
                self.write("jump", {**values, **standing}, zlib.compress(data, _LEVEL))
            case kind:
                self.write(kind, values)

    def _standing(self, *, new: bool = False) -> dict[str, Any]:
        """Return the frames and rewards of the present episode, which a state does not hold."""
        timeline = self._timeline
        episode = max((m.frame for m in timeline.markers("episode")), default=0)
        totals: list[float] = []
        if not new and episode < timeline.length:
            totals = running_totals(timeline.rewards(episode + 1))[-1].tolist()
        return {"episode_frame": 0 if new else timeline.length - episode, "totals": totals}

    def write(self, kind: Kind, values: Mapping[str, Any], data: bytes = b"") -> None:
        if self._closed:
            return
        text = json.dumps(values).encode()
        payload = struct.pack("<I", len(text)) + text + data
        head = _RECORD.pack(_KINDS.index(kind), len(payload), zlib.crc32(payload))
        self._waiting.append(head + payload)
        if not self._failing or time.monotonic() >= self._retry_s:
            self._write_waiting()

    def _write_waiting(self) -> None:
        try:
            if self._fd < 0:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
                flags |= getattr(os, "O_BINARY", 0)  # Windows
                self._fd = os.open(self._path, flags, 0o600)
                lock(self._fd)
            while self._waiting:
                if self._torn:
                    # A record that was written in part would hide all records after it.
                    os.ftruncate(self._fd, self._whole_bytes)
                self._torn = True
                write_all(self._fd, self._waiting[0])
                self._torn = False
                self._whole_bytes += len(self._waiting.popleft())
            if remains := self._remains:
                os.fsync(self._fd)
                self._remains = ()
                try:
                    for remove in remains:
                        remove()
                except OSError as error:
                    again = "play up to the last crash will be offered again"
                    text = f"{error.filename}: cannot be removed ({error.strerror}); {again}"
                    self._tell(GameWarning(text))
                self.write("opened", {"recovers": None})
        except OSError as error:
            self._retry_s = time.monotonic() + _RETRY_S
            if not self._failing:
                self._failing = True
                lost = "after a crash, play could be recovered only up to here"
                text = f"{self._path}: cannot be written ({error.strerror}); {lost}"
                self._tell(GameWarning(text))
            return
        if self._failing:
            self._failing = False
            text = f"{self._path}: is written again, including the play in the meantime"
            self._tell(Event(text))
