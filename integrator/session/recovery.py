"""Going on after a sudden death: a new session where the old one was, play and edits."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np

from integrator.domain.errors import DomainError, SessionError
from integrator.domain.files.reading import decoding, inflated
from integrator.domain.integration.states import MAX_STATE_BYTES
from integrator.domain.timeline.line import Jump, Marker
from integrator.session.edits.editor import can_begin_at
from integrator.session.frame.result import CommandFailed, StateWarning
from integrator.session.journal import journal_file
from integrator.session.journal.drafts import Draft, pending_drafts, restore_draft
from integrator.session.opening import plan_session
from integrator.session.session import Session

CHUNK_FRAMES = 120

_MAX_FRAMES: Final = 1 << 31

Progress = Callable[[int], object]
"""Told how many frames were run so far."""


@dataclass(frozen=True, slots=True)
class Recoverable:
    """Play, unsaved edits, or both, of one session whose program died."""

    play: journal_file.RecoverableSession | None
    edits: Draft | None

    @property
    def directory(self) -> Path:
        if self.play is not None:
            return self.play.directory
        return self.edits.directory if self.edits is not None else Path()

    @property
    def written_s(self) -> float:
        return max(each.written_s for each in (self.play, self.edits) if each is not None)

    def discard(self) -> None:
        if self.play is not None:
            journal_file.discard(self.play.path)
        if self.edits is not None:
            self.edits.discard()


def left_behind() -> list[Recoverable]:
    """The remains of programs that died, newest first; drafts of moved games are removed."""
    drafts: dict[str | None, list[Draft]] = {}
    for draft in pending_drafts():
        drafts.setdefault(draft.journal, []).append(draft)
    found = []
    for play in journal_file.recoverable():
        own = drafts.pop(play.path.name, [])
        current = [draft for draft in own if draft.directory == play.directory]
        for draft in own:
            if draft not in current:
                draft.discard()
        found.append(Recoverable(play, current[-1] if current else None))
    found += [Recoverable(None, draft) for others in drafts.values() for draft in others]
    return sorted(found, key=lambda each: each.written_s, reverse=True)


def recover(left: Recoverable) -> Session:
    """Go on with a dead program's play and edits, then remove its remains."""
    if left.play is None:
        raise SessionError(f"{left.directory}: no play of it is on record; restore its edits")
    return recover_from(left.play.path, whole=True, edits=left.edits)


def recover_from(
    journal: Path,
    *,
    whole: bool = False,
    isolated: bool = True,
    progress: Progress | None = None,
    edits: Draft | None = None,
) -> Session:
    """Open the game again and bring it to the last frame of the journal, from its newest state.

    ``whole`` plays all again, branches included; ``edits`` are restored before, and score it. The
    old journal is deleted once all is well. Raises SessionError, DocumentError, HostError.
    """
    header = journal_file.newest_header(journal)
    core = Path(header.core_path) if header.core_path else None
    plan = plan_session(
        header.game,
        players=header.players,
        isolated=isolated,
        system=header.system,
        core=core if core is not None and core.is_file() else None,
    )
    records = list(journal_file.read_records(journal)) if whole else _newest(journal)
    if not any(record.kind == "input" for record in records) and not _states(records):
        raise SessionError(f"{journal}: the journal holds nothing to go on from")
    plan = replace(plan, journal=journal_file.new_journal_path(plan.integration.name))
    session = Session(plan)
    try:
        _restore_files(session, header, edits)
        _Replay(session, journal, progress, header.columns).run(records)
        if edits is not None:
            session.persistence.keep_edits()
            edits.discard()
    except BaseException:
        session.close()
        raise
    if header.core != session.game.core_stamp:
        text = f"{journal.name}: played with {header.core}, but this is {session.game.core_stamp}"
        session.tell(StateWarning(f"{text}; check that it goes on as before", path=journal))
    journal_file.discard(journal)
    return session


def _restore_files(session: Session, header: journal_file.Header, edits: Draft | None) -> None:
    if edits is not None:
        refused: list[str] = []
        session.editor.do(lambda game: refused.extend(restore_draft(edits, game.integration)))
        if refused:
            text = f"{edits.path}: these edits could not be restored: {', '.join(refused)}"
            session.tell(CommandFailed(text))
    if header.scenario in session.integration.scenarios:
        try:
            session.game.use_scenario(header.scenario)
        except DomainError as error:  # a script that was being written, for instance
            session.tell(CommandFailed(str(error), error=error))
    if header.state is not None and can_begin_at(session.integration, header.state):
        session.game.use_state(header.state)


def _states(records: list[journal_file.Record]) -> list[int]:
    return [i for i, record in enumerate(records) if record.kind in {"jump", "keyframe"}]


def _newest(journal: Path) -> list[journal_file.Record]:
    """The newest state's record and the inputs after it, without holding all others in memory."""
    tail: list[journal_file.Record] = []
    for record in journal_file.read_records(journal):
        if record.kind in {"jump", "keyframe"}:
            tail = [record]
        elif record.kind == "input" and tail:
            tail.append(record)
    return tail


@dataclass(frozen=True, slots=True)
class _Standing:
    """Progress of an episode when a state was taken: kind of beginning, frames, rewards."""

    kind: Jump
    frame: int
    totals: tuple[float, ...]

    @classmethod
    def of(cls, values: Mapping[str, Any], players: int) -> "_Standing":
        """Progress as a record tells it. Raises LookupError, TypeError or ValueError."""
        kinds = {kind: kind for kind in get_args(Jump)}
        frame = int(values["episode_frame"])
        totals = tuple(map(float, values["totals"]))
        if not 0 <= frame < _MAX_FRAMES or len(totals) not in {0, players}:
            raise ValueError(f"frame {frame} with rewards of {len(totals)} players")
        return cls(kinds[values.get("kind", "state")], frame, totals)


class _Replay:
    """Repeats the records of the journal in a new session."""

    def __init__(
        self, session: Session, journal: Path, progress: Progress | None, columns: int
    ) -> None:
        self._session = session
        self._journal = journal
        self._progress = progress
        self._columns = columns
        self._frames = 0
        self._rows: list[bytes] = []

    def run(self, records: list[journal_file.Record]) -> None:
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
                    name = record.values.get("name")
                self._session.timeline.seek(frame)
                self._back(keep, None if name is None else str(name))
            elif record.kind == "switch":
                swap = bool(record.values.get("swap"))
                self._session.timeline.switch_to(str(record.values.get("name")), swap=swap)
            elif record.kind == "plan":
                self._plan(record)
            elif record.kind in {"line", "mark"}:
                self._note(record)
            first = False
        self._play()

    def _back(self, keep: bool, name: str | None) -> None:
        travel = self._session.timeline
        if keep:
            # Journals of earlier versions do not tell of branches that were deleted.
            taken = {travel.log.current, *(branch.name for branch in travel.branches)}
            travel.fork(None if name in taken else name)
        else:
            travel.continue_from_here(keep=False)

    def _plan(self, record: journal_file.Record) -> None:
        with self._decoding():
            data = inflated(record.data, MAX_STATE_BYTES)
            rows = np.frombuffer(data, "<u2").astype(np.uint16).reshape(-1, self._columns)
        self._session.timeline.log.plan(rows[:, : self._session.game.columns])

    def _note(self, record: journal_file.Record) -> None:
        travel = self._session.timeline
        with self._decoding():
            if record.kind == "mark":
                frame, label = int(record.values["frame"]), str(record.values["label"])
            else:
                name, new_name = str(record.values["name"]), record.values["new_name"]
        if record.kind == "line":
            if new_name is None:
                travel.delete_branch(name)
            else:
                travel.rename_branch(name, str(new_name))
        elif record.values.get("gone"):
            travel.log.remove_marker(Marker(frame, "user", label))
        else:
            travel.log.add_marker(frame, label)

    def _decoding(self) -> AbstractContextManager[None]:
        """Call records damaged that cannot be decoded: a checksum fits forged records, too."""
        return decoding(SessionError, f"{self._journal}: the journal is damaged")

    def _jump(self, record: journal_file.Record) -> None:
        with self._decoding():
            state = inflated(record.data, MAX_STATE_BYTES)
            standing = _Standing.of(record.values, self._session.game.players)
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
            inputs = rows.reshape(-1, self._columns)[:, : self._session.game.columns]
        self._rows.clear()
        while len(inputs):
            # An episode's first frame is run singly.
            count = 1 if self._session.episode_begins else CHUNK_FRAMES
            chunk, inputs = inputs[:count], inputs[count:]
            self._session.run(chunk)
            self._frames += len(chunk)
            if self._progress is not None:
                self._progress(self._frames)
