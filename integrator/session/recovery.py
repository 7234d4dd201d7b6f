"""Going on from a journal: a new session where the one of the dead program was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np

from integrator.domain.decoding import decoding, inflated
from integrator.domain.errors import SessionError
from integrator.domain.states import MAX_STATE_BYTES
from integrator.session.journal import Jump, discard, new_journal_path
from integrator.session.journal_file import Record, read_header, read_records
from integrator.session.opening import plan_session
from integrator.session.result import StateWarning
from integrator.session.session import Session

CHUNK_FRAMES = 120

_MAX_FRAMES: Final = 1 << 31

Progress = Callable[[int], object]
"""Told how many frames were run so far."""


def recover_from(
    journal: Path, *, whole: bool = False, isolated: bool = True, progress: Progress | None = None
) -> Session:
    """Open the game again and bring it to the last frame that the journal has.

    The newest state is restored and the inputs after it are run, which takes a moment; the
    timeline begins there. ``whole``: everything is played again from the journal's beginning, so
    that the timeline has all of it, branches included. The session writes a journal of its own;
    the old one is deleted when all has gone well. Raises SessionError, DocumentError, HostError.
    """
    header = read_header(journal)
    plan = plan_session(
        header.game,
        state=header.state,
        scenario=header.scenario,
        players=header.players,
        isolated=isolated,
    )
    records = list(read_records(journal)) if whole else _newest(journal)
    if not any(record.kind == "input" for record in records) and not _states(records):
        raise SessionError(f"{journal}: the journal holds nothing to go on from")
    plan = replace(plan, journal=new_journal_path(plan.integration.name))
    session = Session(plan)
    try:
        _Replay(session, journal, progress).run(records)
    except BaseException:
        session.close()
        raise
    if header.core != session.core_stamp:
        text = f"{journal.name}: played with {header.core}, but this is {session.core_stamp}"
        session.tell(StateWarning(f"{text}; check that it goes on as before", path=journal))
    discard(journal)
    return session


def _states(records: list[Record]) -> list[int]:
    return [i for i, record in enumerate(records) if record.kind in {"jump", "keyframe"}]


def _newest(journal: Path) -> list[Record]:
    """The newest state's record and the inputs after it, without holding all others in memory."""
    tail: list[Record] = []
    for record in read_records(journal):
        if record.kind in {"jump", "keyframe"}:
            tail = [record]
        elif record.kind == "input" and tail:
            tail.append(record)
    return tail


@dataclass(frozen=True, slots=True)
class _Standing:
    """How far an episode was when a state was taken: its kind of beginning, frames, rewards."""

    kind: Jump
    frame: int
    totals: tuple[float, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any], players: int) -> _Standing:
        """What a record says. Raises LookupError, TypeError or ValueError."""
        kinds = {kind: kind for kind in get_args(Jump)}
        frame = int(values["episode_frame"])
        totals = tuple(map(float, values["totals"]))
        if not 0 <= frame < _MAX_FRAMES or len(totals) not in {0, players}:
            raise ValueError(f"frame {frame} with rewards of {len(totals)} players")
        return cls(kinds[values.get("kind", "state")], frame, totals)


class _Replay:
    """Does to a new session what the journal tells."""

    def __init__(self, session: Session, journal: Path, progress: Progress | None) -> None:
        self._session = session
        self._journal = journal
        self._progress = progress
        self._frames = 0
        self._rows: list[bytes] = []

    def run(self, records: list[Record]) -> None:
        first = True
        for record in records:
            if record.kind == "input":
                self._rows.append(record.data)
                continue
            self._play()
            if record.kind == "jump" or (first and record.kind == "keyframe"):
                self._jump(record)
            elif record.kind == "back":
                with self._decoding():
                    frame, keep = int(record.values["frame"]), bool(record.values["keep"])
                self._session.timeline.seek(frame)
                self._session.timeline.continue_from_here(keep=keep)
            elif record.kind == "switch":
                self._session.timeline.switch_to(str(record.values.get("name")))
            first = False
        self._play()

    def _decoding(self) -> AbstractContextManager[None]:
        """A record may have a checksum that fits, and be nothing that we wrote."""
        return decoding(SessionError, f"{self._journal}: the journal is damaged")

    def _jump(self, record: Record) -> None:
        with self._decoding():
            state = inflated(record.data, MAX_STATE_BYTES)
            standing = _Standing.of(record.values, self._session.players)
        self._session.resume(
            state,
            standing.kind,
            frame=standing.frame,
            totals=standing.totals,
            origin=self._journal.name,
        )

    def _play(self) -> None:
        with self._decoding():
            rows = np.frombuffer(b"".join(self._rows), "<u2").astype(np.uint16)
            inputs = rows.reshape(-1, self._session.players)
        self._rows.clear()
        while len(inputs):
            # An episode's first frame is run singly.
            count = 1 if self._session.episode_begins else CHUNK_FRAMES
            chunk, inputs = inputs[:count], inputs[count:]
            self._session.run(chunk)
            self._frames += len(chunk)
            if self._progress is not None:
                self._progress(self._frames)
