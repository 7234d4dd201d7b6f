"""Drafts: each window's unsaved edits, locked while it lives and offered after its death."""

import base64
import codecs
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from integrator import paths
from integrator.domain.errors import DocumentError
from integrator.domain.files import file_lock
from integrator.domain.files.atomic import remove_leftovers, write_atomically
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import DAMAGE, open_handle, read_file
from integrator.domain.integration.directory import Integration
from integrator.domain.integration.naming import fits_file_system
from integrator.domain.integration.script_files import SCRIPT_SUFFIX
from integrator.domain.integration.states import MAX_STATE_FILE_BYTES, STATE_SUFFIX

_FORMAT: Final = 1
_FILE_KEYS: Final = {"text", "base"}
_LOCK_SUFFIX: Final = ".lock"
_MAX_DRAFT_BYTES: Final = 256 << 20


@dataclass(frozen=True, slots=True)
class DraftFile:
    """An unsaved file: ``text``, a start state's bytes, or neither when it was removed."""

    text: str | None
    base: str | None
    state: bytes | None = None

    @property
    def data(self) -> bytes | None:
        return self.state if self.text is None else _encoded(self.text)

    def to_json(self) -> dict[str, str | None]:
        value = {"text": self.text, "base": self.base}
        if self.state is not None:
            value["state"] = base64.b64encode(self.state).decode()
        return value


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
        return tuple(
            name for name, file in self.files.items() if _digest(self.directory / name) != file.base
        )

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
        _lock_path(self.path).unlink(missing_ok=True)


class DraftKeeper:
    """Keeps the draft of one integration, offered to others once this keeper is gone."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self._lock = -1
        self._guard = threading.Lock()

    def keep(self, integration: Integration, journal: Path | None = None) -> Path | None:
        """Write down modified files, or remove the draft. Raises SaveError, DocumentError."""
        files = _modified(integration)
        with self._guard:
            path = self.path
            if path is None or not files or not path.name.startswith(_name(integration.directory)):
                self._let_go(discard=True)
            if not files:
                return None
            text = json.dumps(
                {
                    "format": _FORMAT,
                    "directory": str(integration.directory.absolute()),
                    "journal": None if journal is None else journal.name,
                    "files": {name: file.to_json() for name, file in files.items()},
                }
            )
            path = self._hold(integration.directory)
            remove_leftovers(path.parent)
            write_atomically(path, text.encode())
            return path

    def discard(self) -> None:
        with self._guard:
            self._let_go(discard=True)

    def close(self) -> None:
        """Leave the draft, if there is one, for the next opening of the directory. Idempotent."""
        with self._guard:
            self._let_go(discard=False)

    def _hold(self, directory: Path) -> Path:
        """Take the lock of a new draft, before there is a draft that another could find."""
        if self.path is not None:
            return self.path
        _folder().mkdir(parents=True, exist_ok=True)
        while True:
            path = _folder() / f"{_name(directory)}.{secrets.token_hex(6)}.json"
            lock = os.open(_lock_path(path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            file_lock.lock(lock)
            if os.fstat(lock).st_nlink:
                break
            os.close(lock)  # taken for a dead one's by another process before it was locked
        self.path, self._lock = path, lock
        return path

    def _let_go(self, *, discard: bool) -> None:
        path, self.path = self.path, None
        if path is None:
            return
        if discard:
            path.unlink(missing_ok=True)
        _lock_path(path).unlink(missing_ok=True)
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def pending_drafts(directory: Path | None = None) -> tuple[Draft, ...]:
    """Drafts of dead programs that differ from the disk, oldest first; others are removed."""
    folder = _folder()
    if not folder.is_dir():
        return ()
    remove_leftovers(folder)
    _remove_lone_locks(folder)
    prefix = "" if directory is None else _name(directory)
    pending = []
    for path in sorted(folder.glob(f"{prefix}*.json")):
        draft = _read(path)
        if draft is None or _is_alive(path):
            continue
        if _says_more(draft):
            pending.append(draft)
        else:
            draft.discard()
    return tuple(sorted(pending, key=lambda draft: draft.written_s))


def restore_draft(draft: Draft, integration: Integration) -> tuple[str, ...]:
    """Put a draft into an integration as one edit; returns the files that do not fit any more."""
    with integration.history.step():
        return tuple(
            name for name, file in draft.files.items() if not _restore(integration, name, file)
        )


def _name(directory: Path) -> str:
    digest = hashlib.sha256(str(directory.absolute()).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:32]


def _lock_path(draft: Path) -> Path:
    return draft.with_suffix(_LOCK_SUFFIX)


def _is_alive(draft: Path) -> bool:
    """True when the process that keeps a draft lives: its lock ends with it."""
    try:
        handle = open_handle(_lock_path(draft))
    except OSError:
        return False
    try:
        return not file_lock.try_lock(handle)
    finally:
        os.close(handle)


def _remove_lone_locks(folder: Path) -> None:
    for lock in folder.glob(f"*{_LOCK_SUFFIX}"):
        draft = lock.with_suffix(".json")
        if not draft.exists() and not _is_alive(draft):
            lock.unlink(missing_ok=True)


def _folder() -> Path:
    return paths.user_cache_dir() / "drafts"


def _modified(integration: Integration) -> dict[str, DraftFile]:
    files = {}
    for name in integration.modified_files:
        document, base = integration.document_at(Path(name)), integration.base(name)
        content = integration.content(name) if document is None else document.text
        files[name] = DraftFile(
            content if isinstance(content, str) else None,
            base,
            content if isinstance(content, bytes) else None,
        )
    return files


def _restore(integration: Integration, name: str, file: DraftFile) -> bool:
    """Give a file the content of the draft; a scenario that is not there yet is added."""
    document = integration.document_at(Path(name))
    try:
        with integration.history.step():
            if file.text is not None and not name.endswith((SCRIPT_SUFFIX, STATE_SUFFIX)):
                # not the document's truth: without variables it counts as empty
                if document is None:
                    document = integration.add_scenario(name.removesuffix(".json"))
                with document.edit():
                    document.take_text(file.text)
            elif document is None or document.path.stem in integration.removable:
                integration.history.touch(name)
                integration.put(name, file.text if file.state is None else file.state)
    except DocumentError:
        return False  # no JSON object, or another file of that name is there by now
    return True


def _says_more(draft: Draft) -> bool:
    return any(
        _data(draft.directory / name, without=codecs.BOM_UTF8) != file.data
        for name, file in draft.files.items()
    )


def _read(path: Path) -> Draft | None:
    """The draft in a file; None when the file is missing or not one that we wrote."""
    try:
        value = parse_json(read_file(path, _MAX_DRAFT_BYTES))
        written_s = path.stat().st_mtime
    except DAMAGE:
        return None
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        return None
    directory, files = value.get("directory"), value.get("files")
    if not isinstance(directory, str) or not isinstance(files, dict):
        return None
    if not all(isinstance(file, dict) and file.keys() >= _FILE_KEYS for file in files.values()):
        return None
    # A name with a folder in it would lead out of the directory.
    if not all(map(fits_file_system, files)) or not _can_be_path(directory):
        return None
    try:
        contents = {name: _file(file) for name, file in files.items()}
    except ValueError:
        return None
    journal = _text_or_none(value.get("journal"))
    return Draft(path, Path(directory), contents, written_s, journal)


def _file(value: Mapping[str, object]) -> DraftFile:
    state = value.get("state")
    return DraftFile(
        _text_or_none(value["text"]),
        _text_or_none(value["base"]),
        None if state is None else base64.b64decode(str(state)),
    )


def _text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def _can_be_path(text: str) -> bool:
    return all(map(fits_file_system, Path(text).parts[1:])) and Path(text).is_absolute()


def _digest(path: Path) -> str | None:
    data = _data(path)
    return None if data is None else hashlib.sha256(data).hexdigest()


def _data(path: Path, without: bytes = b"") -> bytes | None:
    try:
        return read_file(path, MAX_STATE_FILE_BYTES).removeprefix(without)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DocumentError(f"{path} could not be read ({error.strerror})") from error


def _encoded(text: str) -> bytes:
    """The bytes that saving would write; half a surrogate pair, which it refuses, stays."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
