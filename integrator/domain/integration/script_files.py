"""The Lua scripts of an integration directory: their texts, and how edits are saved."""

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from integrator.domain.errors import DocumentError, changed_on_disk
from integrator.domain.files.atomic import encoded, saving, write_atomically
from integrator.domain.files.reading import TEXT_BYTES, read_text, reading, sha256
from integrator.domain.files.undo import UndoHistory
from integrator.domain.integration.naming import FILE_CURE, is_file_name

SCRIPT_SUFFIX: Final = ".lua"
NOT_UTF8: Final = "surrogateescape"  # keeps bytes of a script that are not UTF-8


class ScriptFiles(MutableMapping[str, str]):
    """Maps file name -> text. Edits are undoable; :meth:`save` writes them."""

    def __init__(self, directory: Path, history: UndoHistory) -> None:
        self.directory, self._history = directory, history
        paths = sorted(directory.glob(f"*{SCRIPT_SUFFIX}"))
        self._texts = {path.name: read_script(path) for path in paths if path.is_file()}
        self._saved = dict(self._texts)

    def __getitem__(self, name: str) -> str:
        return self._texts[name]

    def __setitem__(self, name: str, text: str) -> None:
        new = name not in self.files
        if new and not (is_file_name(name) and Path(name).suffix == SCRIPT_SUFFIX):
            raise DocumentError(
                f"{name!r} cannot be the name of a script; {FILE_CURE}, and end it with .lua"
            )
        with self._history.step():
            self._history.touch(name)
            self._texts[name] = text

    def __delitem__(self, name: str) -> None:
        with self._history.step():
            self._history.touch(name)
            del self._texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._texts))

    def __len__(self) -> int:
        return len(self._texts)

    def put(self, name: str, text: str | None) -> None:
        """Replace a script's text, or remove the script with None, without an undo step."""
        if text is None:
            self._texts.pop(name, None)
        else:
            self._texts[name] = text

    @property
    def changed(self) -> dict[str, str | None]:
        """Each changed or removed script -> SHA-256 of the file it was edited from (None: new)."""
        return {
            name: None if saved is None else sha256(saved.encode("utf-8", NOT_UTF8))
            for name in sorted({*self._texts, *self._saved})
            if (saved := self._saved.get(name)) != self._texts.get(name)
        }

    def changed_on_disk(self) -> tuple[Path, ...]:
        """Return the files that another program changed; deleted files do not count."""
        paths = (self.directory / name for name in sorted(self.files))
        return tuple(path for path in paths if path.exists() and self._differs(path.name))

    @property
    def on_disk(self) -> list[Path]:
        """The files of the current scripts that were loaded from a file or have been saved."""
        return [self.directory / name for name in sorted(self._saved.keys() & self._texts.keys())]

    def adopt_new(self) -> tuple[str, ...]:
        """Load files that another program has added; return their names. Raises DocumentError."""
        found = sorted(self.directory.glob(f"*{SCRIPT_SUFFIX}"))
        new = tuple(p.name for p in found if p.name not in self.files and p.is_file())
        for name in new:
            self._texts[name] = self._saved[name] = read_script(self.directory / name)
        return new

    @contextmanager
    def reloading(self, name: str) -> Iterator[None]:
        """Reload a script from disk, as one undoable edit, unless the block raises."""
        saved = dict(self._saved)
        with self._history.step():
            self[name] = self._saved[name] = read_script(self.directory / name)
            try:
                yield
            except BaseException:
                self._saved = saved
                raise

    def keep_mine(self, name: str) -> None:
        """Let :meth:`save` replace or delete the file that is now on disk. Raises DocumentError."""
        self._saved[name] = read_script(self.directory / name)

    def check(self) -> None:
        """Raise ChangedOnDiskError if :meth:`save` would lose a change, or DocumentError."""
        for name in self.changed:
            path = self.directory / name
            encoded(self._texts.get(name, ""), path, NOT_UTF8)
            if path.exists() and self._differs(name):
                raise changed_on_disk(path)

    def save(self, directory: Path) -> None:
        """Write the changed scripts, or all into another directory. Raises SaveError."""
        moved = directory != self.directory
        for name, text in self._texts.items():
            path = directory / name
            if moved or text != self._saved.get(name) or not path.exists():
                write_atomically(path, encoded(text, path, NOT_UTF8))
        for name in self._saved.keys() - self._texts.keys() if not moved else ():
            delete_file(directory / name)
        self.directory = directory
        self._saved = dict(self._texts)

    @property
    def files(self) -> frozenset[str]:
        """Names of all current scripts, and of those that were loaded and then removed."""
        return frozenset({*self._texts, *self._saved})

    def _differs(self, name: str) -> bool:
        return read_script(self.directory / name) != self._saved.get(name)


def read_script(path: Path) -> str:
    """Return a script's text; bytes that are not UTF-8 survive a save. Raises DocumentError."""
    with reading(path):
        return read_text(path, TEXT_BYTES, NOT_UTF8)


def delete_file(path: Path) -> None:
    """Delete a file if it exists. Raises SaveError."""
    with saving(f"{path} could not be deleted", "give yourself the right to write to its folder"):
        path.unlink(missing_ok=True)
