"""The journal of a session: all inputs and the newest state on disk, to go on after a sudden death.

It is written while the game runs, deleted at a clean close, and otherwise offered at the next
start. Values that the user froze are not in it: the states that it holds are exact all the same.
"""

import itertools
import os
import time
import zlib
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.domain.timeline.line import (
    Appended,
    Forgot,
    Jumped,
    Marked,
    Planned,
    Renamed,
    StateAdded,
    Switched,
    TimelineEvent,
    WentBack,
)
from integrator.domain.timeline.timeline import Timeline
from integrator.session.journal.journal_file import (
    JournalFile,
    Kind,
    is_abandoned,
    newest_header,
    read_records,
)

SUFFIX = ".journal"
_STATE_BYTES_PER_SECOND = 100_000
"""States are written so seldom that they come to no more than this."""
_MIN_STATE_INTERVAL_S = 1.0
_LEVEL = 1
_LEAST_FRAMES = 2
"""A game that was only opened has run one frame, and nobody wants to go on with that."""


@dataclass(frozen=True, slots=True)
class RecoverableSession:
    """Play that ended with the program's death; ``seconds`` of it are on record.

    ``game`` is the integration directory or ROM, ``directory`` the integration's, which may not be
    there yet, ``written_s`` when the last frame was played, in seconds since 1970.
    """

    path: Path
    game: Path
    directory: Path
    core: str
    frames: int
    seconds: float
    written_s: float


def journal_dir() -> Path:
    """The folder of journals."""
    return paths.user_cache_dir() / "journals"


def new_journal_path(game: str) -> Path:
    """A free path for a journal of the game's play."""
    names = (f"{game}-{os.getpid()}-{number}{SUFFIX}" for number in itertools.count(1))
    return next(path for name in names if not (path := journal_dir() / name).exists())


def recoverable() -> list[RecoverableSession]:
    """Journals whose program died and that hold more than a first frame, newest first.

    Shorter and unreadable journals are removed.
    """
    found = []
    for path in journal_dir().glob(f"*{SUFFIX}"):
        if not is_abandoned(path):
            continue
        try:
            info = _describe(path)
        except SessionError:
            info = None
        if info is None:
            discard(path)
        else:
            found.append(info)
    return sorted(found, key=lambda info: info.written_s, reverse=True)


def discard(path: Path) -> None:
    """The user does not want it: delete the journal."""
    path.unlink(missing_ok=True)


def _describe(path: Path) -> RecoverableSession | None:
    header = newest_header(path)
    frames = sum(
        len(record.data) // (2 * header.columns)
        for record in read_records(path)
        if record.kind == "input"
    )
    if frames < _LEAST_FRAMES:
        return None
    return RecoverableSession(
        path=path,
        game=Path(header.game),
        directory=Path(header.directory),
        core=header.core,
        frames=frames,
        seconds=frames / header.fps,
        written_s=path.stat().st_mtime,
    )


class Journal:
    """Writes down each write to a timeline, as its listener.

    When the journal cannot be written, ``on_failure`` is called with the error, once, and play
    goes on. Its records wait in memory until they can be written; then ``on_again`` is called.
    """

    def __init__(
        self,
        timeline: Timeline,
        open_file: Callable[[], JournalFile],
        *,
        on_failure: Callable[[OSError], object],
        on_again: Callable[[], object],
    ) -> None:
        self._timeline = timeline
        self._open_file = open_file
        self._on_failure = on_failure
        self._on_again = on_again
        self._next_state_s = 0.0
        self._file: JournalFile | None = None
        self._closed = self._told = False
        self._waiting: deque[tuple[Kind, Mapping[str, Any], bytes]] = deque()
        self._write_waiting()
        timeline.listen(self._hear)

    def note_opened(self, values: Mapping[str, Any]) -> None:
        """The game moved, or is open in another way; ``values`` are as in the header."""
        self._write("opened", values, b"")

    def close(self, *, keep: bool = False) -> None:
        """Let go of the file; it is deleted unless it is to ``keep``, to be taken up later."""
        if self._file is not None:
            self._file.close(discard=not keep)
            self._file = None
        self._closed = True

    def _hear(self, event: TimelineEvent) -> None:
        match event:
            case Appended(inputs):
                self._write("input", {}, np.asarray(inputs, "<u2").tobytes())
            case Planned(rows):
                self._write("plan", {}, zlib.compress(rows.astype("<u2").tobytes(), _LEVEL))
            case Jumped(kind, state, label):
                values = {"kind": kind, "label": label, **self._standing(new=kind == "episode")}
                self._write("jump", values, zlib.compress(state, _LEVEL))
            case StateAdded(frame, state):
                self._note_state(frame, state)
            case WentBack(frame, kept):
                self._move("back", {"frame": frame, "keep": kept is not None, "name": kept})
            case Switched(name, swapped):
                self._move("switch", {"name": name, "swap": swapped})
            case Renamed(name, new_name):
                self._write("line", {"name": name, "new_name": new_name}, b"")
            case Forgot(name):
                self._write("line", {"name": name, "new_name": None}, b"")
            case Marked(frame, label, gone):
                self._write("mark", {"frame": frame, "label": label, "gone": gone}, b"")

    def _note_state(self, frame: int, state: bytes) -> None:
        """Write the newest frame's state now and then."""
        if frame != self._timeline.length or time.monotonic() < self._next_state_s:
            return
        packed = zlib.compress(state, _LEVEL)
        interval_s = max(_MIN_STATE_INTERVAL_S, len(packed) / _STATE_BYTES_PER_SECOND)
        self._next_state_s = time.monotonic() + interval_s
        self._write("keyframe", self._standing(), packed)

    def _standing(self, *, new: bool = False) -> dict[str, Any]:
        """Frames and rewards of the present episode, which a state does not tell."""
        timeline = self._timeline
        episode = max((m.frame for m in timeline.markers("episode")), default=0)
        totals: list[float] = []
        if not new and episode < timeline.length:
            totals = np.add.accumulate(timeline.rewards(episode + 1), axis=0)[-1].tolist()
        return {"episode_frame": 0 if new else timeline.length - episode, "totals": totals}

    def _move(self, kind: Kind, values: Mapping[str, Any]) -> None:
        """Note that the line goes on elsewhere; its next state is written at once."""
        self._next_state_s = 0.0
        self._write(kind, values, b"")

    def _write(self, kind: Kind, values: Mapping[str, Any], data: bytes) -> None:
        if self._closed:
            return
        # A full disk is tried again as often as states are written, and needs none of them.
        if self._told and (kind != "keyframe" or not self._write_waiting()):
            if kind != "keyframe":
                self._waiting.append((kind, values, data))
            return
        self._waiting.append((kind, values, data))
        self._write_waiting()

    def _write_waiting(self) -> bool:
        try:
            if self._file is None:
                self._file = self._open_file()
            while self._waiting:
                self._file.write(*self._waiting[0])
                self._waiting.popleft()
        except OSError as error:
            if not self._told:
                self._told = True
                self._on_failure(error)
            return False
        if self._told:
            self._told = False
            self._on_again()
        return True
