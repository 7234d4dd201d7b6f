"""Keeps drafts of unsaved edits, and writes a session's play and edits for use after a crash."""

import base64
import codecs
import json
import os
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from integrator import paths
from integrator.domain.errors import DocumentError, DomainError
from integrator.domain.files.atomic import remove_leftovers, write_atomically
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import DAMAGE, read_file, sha256
from integrator.domain.integration.files import Integration
from integrator.domain.integration.naming import fits_file_system, is_integration
from integrator.domain.integration.script_files import SCRIPT_SUFFIX
from integrator.domain.integration.states import STATE_SUFFIX, bytes_at, hash_of
from integrator.domain.timeline.timeline import Timeline
from integrator.session.edits.editor import Change, Editor
from integrator.session.frame.pipeline import Frozen
from integrator.session.frame.result import CommandFailed, Report
from integrator.session.journal.journal_file import Journal, is_abandoned
from integrator.session.setup.game import Game
from integrator.session.setup.plan import SessionPlan
from libretro_host.processes.kernel import lock, remove_locked

_FORMAT: Final = 1
_LOCK_SUFFIX: Final = ".lock"


@dataclass(frozen=True, slots=True)
class DraftFile:
    """An unsaved file: ``text``, a start state's bytes, or neither when it was removed."""

    text: str | None
    base: str | None
    state: bytes | None = None

    @classmethod
    def of(cls, value: Mapping[str, object]) -> Self:
        """Read a file from a draft's JSON value. Raises KeyError, ValueError."""
        given = value["text"], value["base"], value.get("state")
        text, base, state = (None if each is None else str(each) for each in given)
        return cls(text, base, None if state is None else base64.b64decode(state))

    @property
    def data(self) -> bytes | None:
        """The bytes that saving would write; half a surrogate pair, which it refuses, is kept."""
        if self.text is None:
            return self.state
        try:
            return self.text.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return self.text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Draft:
    """The unsaved files of one integration, written at ``written_s`` (since 1970)."""

    path: Path
    directory: Path
    files: Mapping[str, DraftFile]
    written_s: float
    journal: str | None = None

    @property
    def conflicts(self) -> tuple[str, ...]:
        """Files that were changed on disk after the draft was made: compare before saving."""
        now = {name: hash_of(bytes_at(self.directory / name)) for name in self.files}
        return tuple(name for name, file in self.files.items() if now[name] != file.base)

    def discard(self) -> None:
        for path in (self.path, self.path.with_suffix(_LOCK_SUFFIX)):
            path.unlink(missing_ok=True)


class DraftKeeper:
    """Keeps the draft of one integration; if this process dies, others can restore the draft."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self._lock = -1
        self._guard = threading.RLock()

    def keep(self, integration: Integration, journal: Path | None = None) -> Path | None:
        """Write a draft of modified files, or remove it. Raises SaveError, DocumentError."""
        files: dict[str, dict[str, str | None]] = {}
        for name in integration.modified_files:
            document = integration.document_at(Path(name))
            content = integration.content(name) if document is None else document.text
            text = content if isinstance(content, str) else None
            files[name] = {"text": text, "base": integration.base(name)}
            if isinstance(content, bytes):
                files[name]["state"] = base64.b64encode(content).decode()
        directory = integration.directory
        with self._guard:
            if self.path and not (files and self.path.name.startswith(_stem(directory))):
                self.close(discard=True)
            if not files:
                return None
            place, ran = str(directory.absolute()), None if journal is None else journal.name
            value = {"format": _FORMAT, "directory": place, "journal": ran, "files": files}
            path = self.path or self._hold(directory)
            remove_leftovers(path.parent)
            write_atomically(path, json.dumps(value).encode())
            return path

    def close(self, *, discard: bool = False) -> None:
        """Delete the draft, or leave it for the next opening of the directory. Idempotent."""
        with self._guard:
            path, self.path = self.path, None
            if path is not None:
                if discard:
                    path.unlink(missing_ok=True)
                remove_locked(path.with_suffix(_LOCK_SUFFIX), self._lock)

    def _hold(self, directory: Path) -> Path:
        """Lock a new draft before its file exists, so that no other process takes it."""
        _folder().mkdir(parents=True, exist_ok=True)
        while True:
            path = _folder() / f"{_stem(directory)}.{secrets.token_hex(6)}.json"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            handle = os.open(path.with_suffix(_LOCK_SUFFIX), flags, 0o600)
            lock(handle)
            if os.fstat(handle).st_nlink:
                self.path, self._lock = path, handle
                return path
            os.close(handle)  # another process removed the lock file before it was locked


def pending_drafts(directory: Path | None = None) -> tuple[Draft, ...]:
    """Return drafts of dead programs that differ from the disk, oldest first; delete the rest."""
    folder = _folder()
    if not folder.is_dir():
        return ()
    remove_leftovers(folder)
    for each in folder.glob(f"*{_LOCK_SUFFIX}"):
        if not each.with_suffix(".json").exists() and is_abandoned(each):
            each.unlink(missing_ok=True)
    pending = []
    for path in folder.glob(f"{'' if directory is None else _stem(directory)}*.json"):
        draft, held = _read(path), path.with_suffix(_LOCK_SUFFIX)
        # The lock ends with the process that keeps the draft.
        if draft is None or (held.exists() and not is_abandoned(held)):
            continue
        kept = ((bytes_at(draft.directory / name), file.data) for name, file in draft.files.items())
        if any((old and old.removeprefix(codecs.BOM_UTF8)) != new for old, new in kept):
            pending.append(draft)
        else:
            draft.discard()
    return tuple(sorted(pending, key=lambda draft: (draft.written_s, draft.path)))


def restore_draft(draft: Draft, integration: Integration) -> tuple[str, ...]:
    """Restore a draft in an integration as one edit; return the files that no longer fit."""
    refused = []
    with integration.history.step():
        for name, file in draft.files.items():
            others = set(integration.scenarios.values()) - {integration.scenario}
            document = integration.document_at(Path(name))
            try:
                with integration.history.step():
                    if file.text is not None and not name.endswith((SCRIPT_SUFFIX, STATE_SUFFIX)):
                        # Compare with None, because a document without variables counts as False.
                        if document is None:
                            document = integration.add_scenario(name.removesuffix(".json"))
                        with document.edit():
                            document.take_text(file.text)
                    elif document is None or document in others:
                        integration.history.touch(name)
                        integration.put(name, file.text if file.state is None else file.state)
            except DocumentError:  # no JSON object, or another file now has that name
                refused.append(name)
    return tuple(refused)


def _stem(directory: Path) -> str:
    return sha256(str(directory.absolute()).encode("utf-8", "surrogateescape"))[:32]


def _folder() -> Path:
    return paths.user_cache_dir() / "drafts"


def _read(path: Path) -> Draft | None:
    """Read the draft in a file; None if the file is missing, or not written by this program."""
    try:
        value = parse_json(read_file(path, 256 << 20))
        files = {name: DraftFile.of(file) for name, file in value["files"].items()}
        place, is_ours = Path(value["directory"]), value["format"] == _FORMAT
        journal, written_s = value.get("journal"), path.stat().st_mtime
    except DAMAGE:
        return None
    # A file name with a folder in it could lead out of the directory.
    is_ours = is_ours and all(map(fits_file_system, (*files, *place.parts[1:])))
    if not is_ours or not place.is_absolute():
        return None
    return Draft(path, place, files, written_s, None if journal is None else str(journal))


KEEP_AFTER_S: Final = 1.2  # delay, so that quick successive edits are written only once


class Persistence:
    """Writes play into the plan's journal as it happens, and unsaved edits into a draft."""

    def __init__(self, game: Game, timeline: Timeline, editor: Editor, tell: Report) -> None:
        self._game, self._tell = game, tell
        self._drafts = DraftKeeper()
        self._due_s: float | None = None
        editor.listen(self._edited)
        header = {
            **_opened(game.plan),
            "system": game.system.name,
            "core": game.core_stamp,
            "core_path": str(game.core_path),
            "players": game.players,
            "columns": game.columns,
            "fps": game.fps,
        }
        self.journal = Journal(timeline, game.plan.journal, header, tell)

    def note_opened(self, plan: SessionPlan, **more: str) -> None:
        """Write down the present paths of the game, and its scenario and start state in use."""
        self.journal.write("opened", {**_opened(plan), **more})

    def note_frozen(self, frozen: Frozen) -> None:
        """Write down the values that are held, because inputs alone do not repeat such play."""
        rows = [(at, str(kind), *held) for (at, kind), held in frozen.items()]
        self.journal.write("frozen", {"rows": rows})

    def _edited(self, _: Change) -> None:
        if self._game.integration.modified:
            self._due_s = time.monotonic() + KEEP_AFTER_S
        elif self._drafts.path is not None:
            # All edits are saved, maybe in another directory, so the draft is needless.
            self._keep_or_tell()
        else:
            self._due_s = None

    def keep_edits(self) -> None:
        """Write down all unsaved edits, or remove the draft. Raises SaveError, DocumentError."""
        self._due_s = None
        self._drafts.keep(self._game.integration, self._game.plan.journal)

    def keep_settled_edits(self) -> None:
        """Write down edits if the last one is KEEP_AFTER_S old; report a failure."""
        if self._due_s is not None and time.monotonic() >= self._due_s:
            self._keep_or_tell()

    def _keep_or_tell(self) -> None:
        try:
            self.keep_edits()
        except (DomainError, OSError) as error:
            self._tell(CommandFailed(str(error), error=error))

    def drop_edits(self) -> None:
        """Remove the draft, as the user gives up the unsaved edits. Any thread may call it."""
        self._due_s = None
        self._drafts.close(discard=True)

    def close(self, *, keep: bool) -> None:
        """End the journal, and delete it unless ``keep`` is true; a draft is left on disk."""
        self._drafts.close()
        self.journal.close(keep=keep)


def _opened(plan: SessionPlan) -> dict[str, str | None]:
    """The part of a journal's header that may change while a game is open."""
    directory = plan.integration.directory.absolute()
    game = str(directory if is_integration(directory) else plan.request.content)
    own = {"state": plan.state, "scenario": plan.scenario}
    return {"game": game, "directory": str(directory), **own}
