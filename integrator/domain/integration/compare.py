"""Differences between an edited file and the same file on disk."""

import difflib
import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, starmap, zip_longest
from pathlib import Path

from integrator.domain.errors import DocumentError
from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonKey, JsonValue, dump_value, same, show_path
from integrator.domain.files.reading import TEXT_BYTES, read_file, read_text, reading
from integrator.domain.integration.files import Integration
from integrator.domain.integration.states import MAX_STATE_FILE_BYTES, STATE_SUFFIX, state_stamp


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A place where two versions of a document differ; a JSON text is None where it is missing."""

    path: str
    theirs: str | None
    ours: str | None


@dataclass(frozen=True, slots=True)
class LinePair:
    """A line on disk and our line in its place; None where one side has no line."""

    theirs: str | None
    ours: str | None

    @property
    def differs(self) -> bool:
        return self.theirs != self.ours


@dataclass(frozen=True, slots=True)
class FileDifference:
    """A file on disk and as saving would write it; ``values`` are the places that differ."""

    file: Path
    theirs: str
    ours: str
    values: tuple[ValueChange, ...] | None = None

    @property
    def line_pairs(self) -> tuple[LinePair, ...]:
        """Both versions line by line, side by side, all of them."""
        theirs, ours = self.theirs.splitlines(), self.ours.splitlines()
        blocks = difflib.SequenceMatcher(None, theirs, ours, autojunk=False).get_opcodes()
        both = (zip_longest(theirs[a:b], ours[c:d]) for _, a, b, c, d in blocks)
        return tuple(starmap(LinePair, chain.from_iterable(both)))


def compare(integration: Integration, path: Path) -> FileDifference:
    """Compare one of an integration's files with the disk. Raises DocumentError."""
    if path.suffix == STATE_SUFFIX:
        # In words, because the bytes of states say nothing to a reader.
        with reading(path):
            on_disk = read_file(path, MAX_STATE_FILE_BYTES) if path.exists() else None
        ours = _state_text(integration.content(path.name))
        return FileDifference(path, _state_text(on_disk), ours)
    document = integration.document_at(path)
    if document is None and path.name not in integration.scripts.files:
        raise DocumentError(f"{path} is no file of {integration.directory}")
    with reading(path):
        theirs = read_text(path, TEXT_BYTES, "surrogateescape") if path.exists() else ""
    if document is None:
        return FileDifference(path, theirs, integration.scripts.get(path.name, ""))
    values = None
    with suppress(DocumentError):
        values = tuple(value_changes(JsonDocument.load(document.path).value, document.value))
    return FileDifference(path, theirs, document.text, values)


def _state_text(data: object) -> str:
    if not isinstance(data, bytes):
        return ""
    digest = hashlib.sha1(data, usedforsecurity=False).hexdigest()
    return (
        f"a start state of {len(data)} bytes\n"
        f"saved by {state_stamp(data) or 'a core that it does not name'}\n"
        f"SHA-1 {digest}\n"
    )


def value_changes(
    theirs: JsonValue, ours: JsonValue, path: tuple[JsonKey, ...] = ()
) -> Iterator[ValueChange]:
    """The deepest places at which two JSON values differ; an order of keys is no difference."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in dict.fromkeys([*theirs, *ours]):
            if key not in ours:
                yield ValueChange(show_path((*path, key)), _text(theirs[key]), None)
            elif key not in theirs:
                yield ValueChange(show_path((*path, key)), None, _text(ours[key]))
            else:
                yield from value_changes(theirs[key], ours[key], (*path, key))
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for index, (left, right) in enumerate(zip(theirs, ours, strict=True)):
            yield from value_changes(left, right, (*path, index))
    elif not same(theirs, ours):
        yield ValueChange(show_path(path), _text(theirs), _text(ours))


def _text(value: JsonValue) -> str:
    return dump_value(value, indent="")
