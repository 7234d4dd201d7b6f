"""Restores the play and the edits of a program that died, in a new session."""

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DomainError, SaveError, SessionError
from integrator.domain.files.atomic import write_with_folder
from integrator.domain.files.reading import SMALL_BYTES, decoding, inflated, read_text
from integrator.domain.integration.states import MAX_STATE_BYTES
from integrator.domain.timeline.line import Jump, Marker
from integrator.domain.values.memory import DataType
from integrator.session.edits.editor import can_begin_at
from integrator.session.frame.result import CommandFailed, StateWarning
from integrator.session.journal import journal_file
from integrator.session.journal.drafts import Draft, pending_drafts, restore_draft
from integrator.session.opening import plan_session
from integrator.session.session import Session
from integrator.session.timeline.restorer import Progress, ReplayStopped


@dataclass(frozen=True, slots=True)
class Recoverable:
    """The play, the unsaved edits, or both, of one session whose program died."""

    play: journal_file.RecoverableSession | None
    edits: Draft | None

    @property
    def directory(self) -> Path:
        return next(each.directory for each in (self.play, self.edits) if each is not None)

    @property
    def written_s(self) -> float:
        return max(each.written_s for each in (self.play, self.edits) if each is not None)

    def discard(self) -> None:
        if self.play is not None:
            self.play.path.unlink(missing_ok=True)
        if self.edits is not None:
            self.edits.discard()


def left_behind() -> list[Recoverable]:
    """Return the remains of programs that died, newest first; discard drafts of moved games."""
    drafts, plays = pending_drafts(), journal_file.recoverable()
    journals = {play.path.name for play in plays}
    found: list[Recoverable] = []
    kept = [(each.directory, each.files) for each in drafts if each.journal in journals]
    for draft in (each for each in drafts if each.journal not in journals):
        if (draft.directory, draft.files) in kept:
            draft.discard()  # a recovery that did not end copied it
        else:
            found.append(Recoverable(None, draft))
    for play in plays:
        edits = None
        for draft in (each for each in drafts if each.journal == play.path.name):
            if draft.directory == play.directory:
                edits = draft
            else:
                draft.discard()
        found.append(Recoverable(play, edits))
    return sorted(found, key=lambda each: each.written_s, reverse=True)


_KEPT_DAYS = 14


def recent() -> list[Recoverable]:
    """Return the remains of programs that died, newest first, and delete the expired ones.

    Remains expire after 14 days on which they could be offered. Those days are noted in a file,
    because a clock that jumps, or a long absence, must not delete the only copy of somebody's play.
    """
    found, today = left_behind(), int(time.time() // 86_400)
    file = journal_file.journal_dir() / "days-offered"
    days: list[int] = []
    with suppress(OSError, ValueError):
        days = [int(day) for day in read_text(file, SMALL_BYTES).split()]
    if found and today not in days:
        days = [*days, today][-2 * _KEPT_DAYS :]
        with suppress(SaveError):  # nothing expires in a folder that cannot be written
            write_with_folder(file, "\n".join(map(str, days)).encode())
    fresh = []
    for left in found:
        if sum(day > left.written_s // 86_400 for day in days) > _KEPT_DAYS:
            left.discard()
        else:
            fresh.append(left)
    return fresh


def recover(left: Recoverable, progress: Progress = lambda *_: True) -> Session:
    """Continue a dead program's play and edits in a new session, and remove its remains."""
    if left.play is None:
        raise SessionError(f"{left.directory}: no play of it is on record; restore its edits")
    return recover_from(left.play.path, edits=left.edits, progress=progress)


def recover_from(
    journal: Path,
    *,
    isolated: bool = True,
    edits: Draft | None = None,
    progress: Progress = lambda *_: True,
) -> Session:
    """Open the game again, and replay the whole journal, branches included.

    ``edits`` are restored first, so that they score the play. The old journal and ``edits`` are
    deleted once all is in the new session's files on disk. ``progress`` is called with the frames
    of the journal; if it returns False, ReplayStopped is raised, and journal and edits stay.
    Raises SessionError, DocumentError, HostError."""
    header, frames = journal_file.header_and_frames(journal)
    core, players = header.core_path, header.players
    known = core if Path(core).is_file() else None
    plan = plan_session(
        header.game, players=players, isolated=isolated, core=known, system=header.system
    )
    records = list(journal_file.read_records(journal))
    # Programs that copy files set back st_mtime, but not st_ctime.
    rom, played_ns = plan.request.content.stat(), journal.stat().st_mtime_ns
    changed = []
    if max(rom.st_mtime_ns, rom.st_ctime_ns) > played_ns:
        changed.append(f"{plan.request.content} was written after it was played")
    if not any(record.kind in {"input", "jump"} for record in records):
        raise SessionError(f"{journal}: the journal holds nothing to go on from")
    plan = replace(plan, journal=journal_file.new_journal_path(plan.integration.name))
    session = Session(plan)
    session.persistence.note_opened(plan, recovers=journal.name)
    try:
        _restore_files(session, header, edits)
        _Replay(session, journal, header.columns, frames, progress).run(records)
        if edits is not None:
            session.persistence.keep_edits()
    except BaseException:
        session.close()
        raise
    if header.core != session.game.core_stamp:
        changed.append(f"played with {header.core}, but this is {session.game.core_stamp}")
    for text in changed:
        warning = f"{journal.name}: {text}; check that it goes on as before"
        session.tell(StateWarning(warning, path=journal))
    remains: list[Callable[[], object]] = [partial(journal.unlink, missing_ok=True)]
    remains += [] if edits is None else [edits.discard]
    session.persistence.journal.take_over(remains)
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
        except DomainError as error:  # for example, a script was only half written
            session.tell(CommandFailed(str(error), error=error))
    if header.state is not None and can_begin_at(session.integration, header.state):
        session.game.use_state(header.state)


class _Replay:
    """Repeats the records of the journal, which has ``frames`` frames, in a new session."""

    def __init__(
        self, session: Session, journal: Path, columns: int, frames: int, progress: Progress
    ) -> None:
        self._session, self._journal, self._columns = session, journal, columns
        self._done, self._frames, self._progress = 0, frames, progress
        self._stopped = self._differs = False

    def run(self, records: list[journal_file.Record]) -> None:
        rows: list[journal_file.Record] = []
        for record in records:
            if record.kind == "input":
                rows.append(record)
                if len(rows) < 120:
                    continue
            self._play(rows)
            with self._decoding():
                repeat = self._call(record)
            repeat()
            self._check()
        self._play(rows)

    def _decoding(self) -> AbstractContextManager[None]:
        """Report undecodable records as damaged, since a forged one may have a right checksum."""
        return decoding(SessionError, f"{self._journal}: the journal is damaged")

    def _call(self, record: journal_file.Record) -> Callable[[], object]:
        travel, values = self._session.timeline, record.values
        match record.kind:
            case "jump":
                return self._jump(inflated(record.data, MAX_STATE_BYTES), values)
            case "back":
                name = str(values["name"]) if values["keep"] else None
                return partial(self._back, int(values["frame"]), name)
            case "switch":
                return partial(travel.switch_to, str(values["name"]), swap=bool(values["swap"]))
            case "plan":
                rows = self._inputs(inflated(record.data, MAX_STATE_BYTES))
                return partial(travel.log.plan, rows)
            case "frozen":
                frozen = {
                    (int(address), DataType.parse(kind)): (int(value), mask and int(mask))
                    for address, kind, value, mask in values["rows"]
                }
                return partial(self._session.memory.keep_frozen, frozen)
            case "line" if values["new_name"] is None:
                return partial(travel.log.delete_branch, str(values["name"]))
            case "line":
                rename = travel.log.rename_branch
                return partial(rename, str(values["name"]), str(values["new_name"]))
            case "mark":
                marker = Marker(int(values["frame"]), "user", str(values["label"]))
                if values["gone"]:
                    return partial(travel.log.remove_marker, marker)
                return partial(travel.log.add_marker, marker.frame, marker.label)
        return lambda: None

    def _jump(self, state: bytes, values: Mapping[str, Any]) -> Callable[[], object]:
        kind = {each: each for each in get_args(Jump)}[values["kind"]]
        frame, totals = int(values["episode_frame"]), tuple(map(float, values["totals"]))
        if not 0 <= frame < 1 << 31 or len(totals) not in {0, self._session.game.players}:
            raise ValueError(f"frame {frame} with rewards of {len(totals)} players")
        origin = self._journal.name
        return partial(self._session.resume, state, kind, frame=frame, totals=totals, origin=origin)

    def _back(self, frame: int, kept: str | None) -> None:
        travel = self._session.timeline
        # A branch that begins at the newest frame keeps a state that was loaded after it.
        if kept is None or frame < travel.length or not travel.is_live:
            travel.seek(frame, self._goes_on)
            self._check()
        if kept is None:
            travel.continue_from_here(keep=False)
        else:
            travel.fork(kept)

    def _inputs(self, data: bytes) -> NDArray[np.uint16]:
        rows = np.frombuffer(data, "<u2").astype(np.uint16).reshape(-1, self._columns)
        return rows[:, : self._session.game.columns]

    def _play(self, rows: list[journal_file.Record]) -> None:
        """Run rows; warn once if a change of RAM is not as it was when the frames were played."""
        with self._decoding():
            inputs = self._inputs(b"".join(row.data for row in rows))
        recorded = rows[-1].values.get("sums") if rows else None
        rows.clear()
        while len(inputs):
            # An episode's first frame must be run singly.
            count = 1 if self._session.episode_begins else 120
            self._session.run(inputs[:count])
            self._done += min(count, len(inputs))
            inputs = inputs[count:]
            self._check()
        session = self._session
        if recorded in (None, session.persistence.journal.sums) or self._differs:
            return
        self._differs = True
        why = "a script that wrote memory was edited since, or the core does not repeat play"
        text = f"up to frame {session.timeline.length}, play is not as it was: {why}"
        session.tell(StateWarning(f"{self._journal.name}: {text}", path=self._journal))

    def _goes_on(self, *_: int) -> bool:
        """Report the progress of the whole recovery; return False from when it has to stop."""
        self._stopped = self._stopped or not self._progress(self._done, self._frames)
        return not self._stopped

    def _check(self) -> None:
        if not self._goes_on():
            raise ReplayStopped(self._session.timeline.length, None)
