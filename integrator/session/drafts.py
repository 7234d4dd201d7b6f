"""Drafts: unsaved edits of integrations, kept aside so that they survive the program's death."""

from __future__ import annotations

import codecs
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from integrator import paths
from integrator.domain.atomic import remove_leftovers, write_atomically
from integrator.domain.errors import DocumentError
from integrator.domain.integration import Integration
from integrator.domain.jsontext import JsonSyntaxError, JsonText, JsonValue

_FORMAT: Final = 1
_FILE_KEYS: Final = {"text", "base"}


@dataclass(frozen=True, slots=True)
class DraftFile:
    """One unsaved file: its whole ``text``, and the hash of the file that it was edited from.

    ``base`` is None when there was no such file.
    """

    text: str
    base: str | None


@dataclass(frozen=True, slots=True)
class Draft:
    """The unsaved files of one integration ``directory``, by name.

    ``path`` is where the draft lies, ``written_s`` when it was written, in seconds since 1970.
    """

    path: Path
    directory: Path
    files: Mapping[str, DraftFile]
    written_s: float

    @property
    def conflicts(self) -> tuple[str, ...]:
        """Files that were changed on disk after the draft was made: compare before saving."""
        return tuple(
            name for name, file in self.files.items() if _digest(self.directory / name) != file.base
        )


def keep_draft(integration: Integration) -> Path | None:
    """Write down every modified document and script; with none, remove the draft.

    Call it a moment after edits, and after a save or when the user drops his edits. Raises
    SaveError when it can not be written, DocumentError when a value is not JSON.
    """
    path = draft_path(integration.directory)
    files = _modified(integration)
    if not files:
        discard_draft(integration.directory)
        return None
    text = json.dumps(
        {
            "format": _FORMAT,
            "directory": str(integration.directory.absolute()),
            "files": {name: {"text": f.text, "base": f.base} for name, f in files.items()},
        }
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent)
    write_atomically(path, text.encode())
    return path


def pending_drafts(directory: Path | None = None) -> tuple[Draft, ...]:
    """Drafts that say something else than the files on disk: of one ``directory``, or all.

    The oldest comes first. Those that say the same, as after a save, are removed on the way, and so
    are temporary files of a killed process.
    """
    folder = _folder()
    if not folder.is_dir():
        return ()
    remove_leftovers(folder)
    found = sorted(folder.glob("*.json")) if directory is None else [draft_path(directory)]
    pending = []
    for path in found:
        draft = _read(path)
        if draft is not None and _says_more(draft):
            pending.append(draft)
        elif draft is not None:
            path.unlink(missing_ok=True)
    return tuple(sorted(pending, key=lambda draft: draft.written_s))


def restore_draft(draft: Draft, integration: Integration) -> tuple[str, ...]:
    """Put a draft's texts into a loaded integration, each document as one undoable edit.

    Nothing is saved. Returns the names of files that could not be restored: their text is not a
    JSON object any more, or another file has their name now. The draft stays until the next
    :func:`keep_draft`.
    """
    refused = []
    for name, file in draft.files.items():
        if name.endswith(".lua"):
            integration.scripts[name] = file.text
            continue
        try:
            value = JsonText(file.text).value
        except JsonSyntaxError:
            value = None
        if not _put(integration, name, value):
            refused.append(name)
    return tuple(refused)


def discard_draft(directory: Path) -> None:
    """Remove the draft of a directory, if there is one."""
    draft_path(directory).unlink(missing_ok=True)


def draft_path(directory: Path) -> Path:
    """Where the draft of a directory lies, or would."""
    digest = hashlib.sha256(str(directory.absolute()).encode("utf-8", "surrogateescape"))
    return _folder() / f"{digest.hexdigest()[:32]}.json"


def _folder() -> Path:
    return paths.user_cache_dir() / "drafts"


def _modified(integration: Integration) -> dict[str, DraftFile]:
    documents = {
        document.path.name: DraftFile(document.text, document.base)
        for document in integration.documents
        if document.modified
    }
    scripts = {
        name: DraftFile(integration.scripts[name], base)
        for name, base in integration.modified_scripts.items()
    }
    return documents | scripts


def _put(integration: Integration, name: str, value: JsonValue) -> bool:
    """Put a value into the document of a file name; a scenario that is not there yet is added."""
    document = integration.document_at(Path(name))
    if not isinstance(value, dict):
        return False
    if document is not None:  # not its truth: without variables it would count as empty
        document.value = value
        return True
    try:
        integration.add_scenario(name.removesuffix(".json"), value)
    except DocumentError:
        return False  # another file of that name is there by now
    return True


def _says_more(draft: Draft) -> bool:
    return any(
        _data(draft.directory / name, without=codecs.BOM_UTF8) != _encoded(file.text)
        for name, file in draft.files.items()
    )


def _read(path: Path) -> Draft | None:
    """The draft in a file; None when it is missing or nothing that we wrote."""
    try:
        value: Any = json.loads(path.read_text("utf-8"))
        written_s = path.stat().st_mtime
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("format") != _FORMAT:
        return None
    directory, files = value.get("directory"), value.get("files")
    if not isinstance(directory, str) or not isinstance(files, dict):
        return None
    if not all(isinstance(file, dict) and file.keys() >= _FILE_KEYS for file in files.values()):
        return None
    # A name with a folder in it would lead out of the directory.
    if any(name != Path(name).name for name in files):
        return None
    texts = {name: DraftFile(str(file["text"]), file["base"]) for name, file in files.items()}
    return Draft(path, Path(directory), texts, written_s)


def _digest(path: Path) -> str | None:
    """Hash of a file's bytes; None without the file."""
    data = _data(path)
    return None if data is None else hashlib.sha256(data).hexdigest()


def _data(path: Path, without: bytes = b"") -> bytes | None:
    """A file's bytes, less a prefix; None without the file."""
    try:
        return path.read_bytes().removeprefix(without)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise DocumentError(f"{path} could not be read ({error.strerror})") from error


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
