"""A JSON document of an integration, with undo, which keeps the text of unchanged parts."""

import codecs
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from integrator.domain.errors import DocumentError, changed_on_disk
from integrator.domain.files import jsontext
from integrator.domain.files.atomic import encoded, locked_folder, write_atomically
from integrator.domain.files.reading import CHECK, TEXT_BYTES, read_file, reading, sha256
from integrator.domain.files.undo import Content, UndoHistory
from integrator.domain.findings import Finding


def place_of_difference(old: jsontext.JsonValue, new: jsontext.JsonValue) -> jsontext.JsonPath:
    """Return the longest path that all differences of two values share; () if they are equal."""
    path: list[jsontext.JsonKey] = []
    while len(differing := _differences(old, new)) == 1:
        path += differing
        old, new = value_at(old, *differing), value_at(new, *differing)
    return tuple(path)


def value_at(value: jsontext.JsonValue, *path: jsontext.JsonKey) -> jsontext.JsonValue:
    for key in path:
        if isinstance(value, dict):
            value = value.get(str(key))
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        else:
            return None
    return value


def _differences(old: jsontext.JsonValue, new: jsontext.JsonValue) -> list[jsontext.JsonKey]:
    if isinstance(old, dict) and isinstance(new, dict):
        keys = {**old, **new}
        return [
            k for k in keys if k not in old or k not in new or not jsontext.same(old[k], new[k])
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [i for i, pair in enumerate(zip(old, new, strict=True)) if not jsontext.same(*pair)]
    return []


@dataclass(frozen=True, eq=False, slots=True)
class DocumentContent:
    """A document's value at one moment; equal if saving would write the same text."""

    value: dict[str, jsontext.JsonValue]
    source: jsontext.JsonText

    @property
    def text(self) -> str:
        """The text that saving would write. Raises TypeError, ValueError or RecursionError."""
        return self.source.render(self.value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DocumentContent) or not jsontext.same(self.value, other.value):
            return False
        return self.source is other.source or self.text == other.text

    def __hash__(self) -> int:
        return hash(tuple(self.value))


class JsonDocument:
    """One JSON file whose root is an object. ``value`` is the live value: change it directly, or
    within :meth:`edit` to have undo. Undo, redo and reload replace the object, so get it again
    afterwards. Unchanged parts keep their text on save: order, indentation, spelling of numbers,
    unknown and repeated keys. Build a document with :meth:`load`, :meth:`create` or :meth:`absent`.
    ``history`` may be shared with other files."""

    def __init__(self, path: Path, loaded: "_Loaded") -> None:
        self.path, self._loaded = path, loaded
        # Text that the user typed since the last load or save, whose spelling is kept too.
        self._typed: jsontext.JsonText | None = None
        self._value = _as_object(loaded.source.value, path)
        self.history = UndoHistory(lambda _: self.content, lambda _, content: self.restore(content))

    @classmethod
    def load(cls, path: Path | str) -> Self:
        """Read a file. Raises DocumentError, which names file, line, column and a fix."""
        return cls(Path(path), _load(Path(path)))

    @classmethod
    def create(cls, path: Path | str, value: dict[str, jsontext.JsonValue]) -> Self:
        """Make a document that is not on disk yet; it counts as modified until it is saved."""
        return cls(Path(path), _Loaded(jsontext.JsonText(_dump(value, Path(path))), _UNSAVED))

    @classmethod
    def absent(cls, path: Path | str, value: dict[str, jsontext.JsonValue]) -> Self:
        """Make a stand-in for a missing file; it counts as unmodified until the first edit."""
        return cls(Path(path), _Loaded(jsontext.JsonText(_dump(value, Path(path))), _ABSENT))

    @property
    def value(self) -> dict[str, jsontext.JsonValue]:
        """The live JSON value. Assigning a value replaces it as one undoable edit."""
        return self._value

    @value.setter
    def value(self, value: dict[str, jsontext.JsonValue]) -> None:
        with self.edit():
            self._value = _as_object(jsontext.copy_value(value), self.path)

    @property
    def on_disk(self) -> bool:
        """True if the document was loaded from a file or has been saved."""
        return self._loaded.digest not in (_UNSAVED, _ABSENT)

    @property
    def base(self) -> str | None:
        """SHA-256 of the file as last loaded, saved or accepted; None without a file."""
        return self._loaded.digest if self.on_disk else None

    @property
    def modified(self) -> bool:
        loaded = self._loaded
        if loaded.digest == _UNSAVED or loaded.broken:
            return True
        retyped = self._typed is not None and self.text != loaded.source.text
        return retyped or not jsontext.same(loaded.source.root.value, self._value)

    @property
    def saved_value(self) -> dict[str, jsontext.JsonValue]:
        """A copy of the value as last loaded or saved, or the stand-in of a missing file."""
        return _as_object(self._loaded.source.value, self.path)

    @property
    def text(self) -> str:
        """The text that saving would write. Raises DocumentError if the value is not JSON."""
        try:
            return (self._typed or self._loaded.source).render(self._value)
        except (TypeError, ValueError, RecursionError) as error:
            raise DocumentError(
                f"{self.path}: the value cannot be written as JSON ({error}); use only objects, "
                "arrays, texts, finite numbers, true, false and null"
            ) from error

    @property
    def findings(self) -> tuple[Finding, ...]:
        text = "this key stands here again; stable-retro uses the first, other readers the last"
        found = (
            replace(self.finding("duplicate-key", text, "delete one of them", keys), line=line)
            for keys, line in self._loaded.source.duplicates()
        )
        return tuple(found)

    def finding(
        self, code: str, message: str, cure: str = "", keys: jsontext.JsonPath | None = None
    ) -> Finding:
        """Make a finding on the value under ``keys``, or on the whole file."""
        path, line = ("", 0) if keys is None else (jsontext.show_path(keys), self.line_of(*keys))
        return Finding.of(code, self.path, message, cure, path=path, line=line)

    def line_of(self, *keys: jsontext.JsonKey) -> int:
        """Return the line in the loaded file of the value under ``keys`` or its nearest parent."""
        return self._loaded.source.line_of(keys)

    @contextmanager
    def edit(self, *, merge: bool = False) -> Iterator[dict[str, jsontext.JsonValue]]:
        """Change ``value`` as one undoable step, or as part of the last one with ``merge``."""
        with self.history.step(merge=merge):
            self.history.touch(self.path.name)
            yield self._value

    def take_text(self, text: str) -> None:
        """Replace the value by parsing ``text``, within :meth:`edit`. Raises DocumentError."""
        typed = _parse(text, self.path)
        self._value = _as_object(typed.value, self.path)
        self._typed = typed

    @property
    def content(self) -> DocumentContent:
        """A copy of the value, with the text whose spelling it keeps."""
        return DocumentContent(_copy(self._value), self._typed or self._loaded.source)

    def restore(self, content: Content | None) -> None:
        """Replace the value without an undo step; ignore content that is no DocumentContent."""
        if isinstance(content, DocumentContent):
            self._value = _copy(content.value)
            self._typed = None if content.source is self._loaded.source else content.source

    def changed_on_disk(self) -> bool:
        """Return True if another program changed the file, but not if the file was deleted."""
        return self.path.exists() and sha256(_read(self.path)) != self._loaded.digest

    def keep_mine(self) -> None:
        """Let :meth:`save` replace the file that is now on disk. Raises DocumentError."""
        try:
            self._loaded = _load(self.path)
        except DocumentError:
            # The file is no JSON, so there is no text to keep.
            self._loaded = replace(self._loaded, digest=sha256(_read(self.path)), broken=True)

    def check_not_changed(self) -> None:
        if self.changed_on_disk():
            raise changed_on_disk(self.path)

    def save(self, path: Path | str | None = None, *, force: bool = False) -> None:
        """Write the file if modified; ``path`` moves it. Raises ChangedOnDiskError, SaveError."""
        target = self.path if path is None else Path(path)
        unchanged = target == self.path and not self.modified
        if unchanged and (not self.on_disk or (target.exists() and not force)):
            return
        data = self.encoded()
        # One lock for check and write, or else two programs could both check first and then write.
        with locked_folder(target.resolve().parent):
            if target == self.path and not force:
                self.check_not_changed()
            write_atomically(target, data)
        self.path = target
        source = _parse(data.removeprefix(codecs.BOM_UTF8).decode(), target)
        self._loaded = _Loaded(source, sha256(data), self._loaded.bom)
        self._typed = None

    def encoded(self) -> bytes:
        """Return the bytes that saving would write. Raises DocumentError if that is not JSON."""
        data = encoded(self.text, self.path)
        return codecs.BOM_UTF8 + data if self._loaded.bom else data

    @contextmanager
    def reloading(self) -> Iterator[None]:
        """Reload the file as one edit, unless the block raises. Raises DocumentError."""
        before = self._loaded, self._typed
        try:
            with self.edit():
                fresh = _load(self.path)
                self.value = _as_object(fresh.source.value, self.path)
                self._loaded, self._typed = fresh, None
                yield
        except BaseException:
            self._loaded, self._typed = before
            raise


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A file as it was read. If the file is ``broken``, ``source`` is an earlier text."""

    source: jsontext.JsonText
    digest: str
    bom: bool = False
    broken: bool = False


_UNSAVED = "unsaved"
_ABSENT = "absent"


def _load(path: Path) -> _Loaded:
    data = _read(path)
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DocumentError(
            f"{path}:{line}: byte 0x{data[error.start]:02X} is not UTF-8; "
            "save the file with the encoding UTF-8"
        ) from error
    return _Loaded(_parse(text, path), sha256(data), data.startswith(codecs.BOM_UTF8))


def _read(path: Path) -> bytes:
    with reading(path, CHECK):
        return read_file(path, TEXT_BYTES)


def _parse(text: str, path: Path) -> jsontext.JsonText:
    try:
        return jsontext.JsonText(text)
    except jsontext.JsonSyntaxError as error:
        cure = "correct it there, or restore the file from a copy"
        if not text.strip():
            cure = "the file is empty: write {} into it, or restore it from a copy"
        raise DocumentError(
            f"{path}:{error.line}:{error.column}: invalid JSON: {error.message}; {cure}"
        ) from error


def _dump(value: dict[str, jsontext.JsonValue], path: Path) -> str:
    try:
        return json.dumps(value, indent="  ", ensure_ascii=False, allow_nan=False) + "\n"
    except (TypeError, ValueError, RecursionError) as error:
        raise DocumentError(f"{path}: the value cannot be written as JSON ({error})") from error


def _as_object(value: jsontext.JsonValue, path: Path) -> dict[str, jsontext.JsonValue]:
    if not isinstance(value, dict):
        raise DocumentError(
            f"{path}:1:1: the file holds {type(value).__name__} where an object in braces belongs"
        )
    return value


def _copy(value: dict[str, jsontext.JsonValue]) -> dict[str, jsontext.JsonValue]:
    return {key: jsontext.copy_value(item) for key, item in value.items()}
