"""The Lua scripts of an integration directory: their texts, edits of them, and saving."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from integrator.domain.atomic import write_atomically
from integrator.domain.change_log import ChangeLog
from integrator.domain.errors import ChangedOnDiskError, DocumentError, SaveError

SCRIPT_SUFFIX: Final = ".lua"
MAX_UNDO: Final = 200
"""Edits that can be undone."""


class ScriptFiles(MutableMapping[str, str]):
    """File name -> text, sorted by name. Each change is an undoable edit; :meth:`edit` joins some.

    Nothing is written before :meth:`save`, which also deletes the files of removed scripts. Bytes
    that are not UTF-8 survive as lone surrogates.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        paths = sorted(directory.glob(f"*{SCRIPT_SUFFIX}"))
        self._texts = {path.name: read_script(path) for path in paths if path.is_file()}
        self._saved = dict(self._texts)
        self._log: ChangeLog[str] = ChangeLog(self._put, MAX_UNDO)
        self._editing = 0

    def __getitem__(self, name: str) -> str:
        return self._texts[name]

    def __setitem__(self, name: str, text: str) -> None:
        with self.edit():
            self._texts[name] = text

    def __delitem__(self, name: str) -> None:
        with self.edit():
            del self._texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._texts))

    def __len__(self) -> int:
        return len(self._texts)

    # -- editing ----------------------------------------------------------------------------

    @contextmanager
    def edit(self) -> Iterator[None]:
        """Make changes that are one undoable step; an exception puts everything back."""
        before = dict(self._texts)
        self._editing += 1
        try:
            yield
        except BaseException:
            self._texts = before
            raise
        finally:
            self._editing -= 1
        changes = {
            name: (before.get(name), self._texts.get(name))
            for name in sorted({*before, *self._texts})
            if before.get(name) != self._texts.get(name)
        }
        if changes and not self._editing:
            self._log.note(changes)

    @property
    def undo_depth(self) -> int:
        """How many edits can be taken back now."""
        return self._log.undo_depth

    @property
    def can_redo(self) -> bool:
        """Whether an edit was taken back."""
        return self._log.can_redo

    def undo(self) -> bool:
        """Take back the last edit; False when there is none. Saving does not clear the history."""
        return self._log.undo()

    def redo(self) -> bool:
        """Do again what :meth:`undo` took back; False when there is nothing."""
        return self._log.redo()

    def _put(self, name: str, _now: str | None, then: str | None) -> None:
        if then is None:
            self._texts.pop(name, None)
        else:
            self._texts[name] = then

    # -- files ------------------------------------------------------------------------------

    @property
    def modified(self) -> bool:
        """Whether :meth:`save` would write or delete a file."""
        return self._texts != self._saved

    @property
    def changed(self) -> dict[str, str | None]:
        """Name of each changed or removed script -> SHA-256 of the file it was edited from."""
        return {
            name: _hash(self._saved[name]) if name in self._saved else None
            for name in sorted({*self._texts, *self._saved})
            if self._texts.get(name) != self._saved.get(name)
        }

    def changed_on_disk(self) -> tuple[Path, ...]:
        """Files that another program has changed since they were loaded or saved.

        One that was deleted meanwhile counts as unchanged: saving loses nothing.
        """
        paths = (self.directory / name for name in sorted(self.files))
        return tuple(path for path in paths if path.exists() and self._differs(path.name))

    def adopt_new(self) -> tuple[str, ...]:
        """Take in files that another program has added; their names. Raises DocumentError."""
        found = sorted(self.directory.glob(f"*{SCRIPT_SUFFIX}"))
        new = tuple(p.name for p in found if p.name not in self.files and p.is_file())
        for name in new:
            self._texts[name] = self._saved[name] = read_script(self.directory / name)
        return new

    def reload(self, name: str) -> None:
        """Take a script as it is on disk, as one undoable edit. Raises DocumentError."""
        with self.reloading(name):
            pass

    @contextmanager
    def reloading(self, name: str) -> Iterator[None]:
        """As :meth:`reload`, but all is as before when the block raises."""
        saved = dict(self._saved)
        with self.edit():
            self[name] = self._saved[name] = read_script(self.directory / name)
            try:
                yield
            except BaseException:
                self._saved = saved
                raise

    def keep_mine(self, name: str) -> None:
        """Let :meth:`save` replace or delete a file as it now is on disk. Raises DocumentError."""
        self._saved[name] = read_script(self.directory / name)

    def check(self) -> None:
        """Raise ChangedOnDiskError when :meth:`save` would overwrite another program's change."""
        for name in self.changed:
            path = self.directory / name
            if path.exists() and self._differs(name):
                raise ChangedOnDiskError(
                    f"{path} was changed by another program since it was loaded and was not "
                    "overwritten; reload it, or save with force to replace it"
                )

    def save(self, directory: Path) -> None:
        """Write what changed, or all into another directory, which the scripts then belong to.

        Raises SaveError.
        """
        moved = directory != self.directory
        for name, text in self._texts.items():
            path = directory / name
            if moved or text != self._saved.get(name) or not path.exists():
                write_atomically(path, text.encode("utf-8", "surrogateescape"))
        for name in self._saved.keys() - self._texts.keys() if not moved else ():
            delete_file(directory / name)
        self.directory = directory
        self._saved = dict(self._texts)

    @property
    def files(self) -> frozenset[str]:
        """Names of all scripts that are here or that were loaded."""
        return frozenset({*self._texts, *self._saved})

    def _differs(self, name: str) -> bool:
        return read_script(self.directory / name) != self._saved.get(name)


def read_script(path: Path) -> str:
    """Text of a script; bytes that are not UTF-8 survive a save. Raises DocumentError."""
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise DocumentError(f"{path} could not be read ({error.strerror})") from error


def delete_file(path: Path) -> None:
    """Delete a file if it is there. Raises SaveError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise SaveError(
            f"{path} could not be deleted ({error.strerror}); give yourself the right to write to "
            "its folder"
        ) from error


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
