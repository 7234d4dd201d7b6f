"""Changes that edits make, as listeners of the editor get them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

from integrator.domain.files.document import DocumentContent, place_of_difference, value_at
from integrator.domain.files.jsontext import JsonPath, JsonValue
from integrator.domain.files.undo import Content, FileChange
from integrator.domain.integration.cheats import CHEATS_FILE
from integrator.domain.integration.expectations import EXPECTATIONS_FILE
from integrator.domain.integration.naming import DATA_FILE, METADATA_FILE
from integrator.domain.integration.script_files import SCRIPT_SUFFIX
from integrator.domain.integration.states import STATE_SUFFIX

Subject = Literal["variables", "scenario", "scripts", "states", "cheats", "expectations", "disk"]
"""Parts of an integration that a view can show. ``disk``: the saved parts, and their folder."""

SUBJECTS: Final = frozenset[Subject](get_args(Subject))

_BY_FILE: Final[dict[str, Subject]] = {
    DATA_FILE: "variables",
    METADATA_FILE: "states",
    CHEATS_FILE: "cheats",
    EXPECTATIONS_FILE: "expectations",
}
_BY_SUFFIX: Final[dict[str, Subject]] = {SCRIPT_SUFFIX: "scripts", STATE_SUFFIX: "states"}


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """One file that changed: ``old`` and ``new`` are its values at ``path``, None without one.

    ``path`` is the longest that leads to all differences; it is () for scripts and start states,
    whose contents are a text and the file's bytes.
    """

    file: str
    path: JsonPath
    old: "JsonValue | bytes"
    new: "JsonValue | bytes"

    @classmethod
    def of(cls, change: FileChange) -> "ChangedPlace":
        """The place where two contents of a file differ."""
        old, new = _value(change.old), _value(change.new)
        if isinstance(old, bytes) or isinstance(new, bytes):
            return cls(change.file, (), old, new)
        path = place_of_difference(old, new)
        return cls(change.file, path, value_at(old, *path), value_at(new, *path))

    @property
    def subject(self) -> Subject:
        """The part of the integration that the file holds."""
        for suffix, subject in _BY_SUFFIX.items():
            if self.file.endswith(suffix):
                return subject
        return _BY_FILE.get(self.file, "scenario")


@dataclass(frozen=True, slots=True)
class Change:
    """One step of the editor: the files that changed, and ``besides``, the changes of no file.

    These are another scenario or start state in use, or a save.
    """

    places: tuple[ChangedPlace, ...] = ()
    besides: frozenset[Subject] = frozenset()

    @property
    def subjects(self) -> frozenset[Subject]:
        """All parts of the integration that changed."""
        return self.besides.union(place.subject for place in self.places)


EVERYTHING: Final = Change(besides=SUBJECTS)
"""The change from one integration to another."""


def change_of(files: Iterable[FileChange], besides: Iterable[Subject] = ()) -> Change:
    """The change that these files' contents make; files that stay the same are left out."""
    places = (ChangedPlace.of(file) for file in files if file.old != file.new)
    return Change(tuple(places), frozenset(besides))


def _value(content: Content | None) -> "JsonValue | bytes":
    if isinstance(content, DocumentContent):
        return content.value
    return content if isinstance(content, str | bytes) else None
