"""The named RAM searches of a session: made at first use, refined as the game runs, kept on disk.

Saved searches are ``searches/NAME.json`` in the integration directory, in the format of
:mod:`integrator.domain.search_json`. stable-retro reads only the files that it knows in the
directory itself, so the folder changes nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from integrator.domain.atomic import write_atomically
from integrator.domain.datatype import DataType
from integrator.domain.errors import SearchError
from integrator.domain.search import Search
from integrator.session.live_memory import LiveMemory

FOLDER: Final = "searches"
_NAME: Final = re.compile(r"[^/\\.\x00-\x1f][^/\\\x00-\x1f]*")


@dataclass(frozen=True, slots=True)
class FrameRule:
    """A comparison made after every frame; see :meth:`Searches.each_frame`.

    ``first_step`` is how many steps the search had when the rule began.
    """

    op: str
    value: object
    against: str | None
    first_step: int


class Recorded(Protocol):
    """The recording that searches compare with."""

    @property
    def position(self) -> int:
        """The present frame."""
        ...

    def ram(self, frame: int) -> NDArray[np.uint8]:
        """Flat RAM after ``frame``. Raises TimelineError when it is not held."""
        ...


class Searches:
    """Searches by name over the RAM of a running game, of all ``types`` at once."""

    def __init__(
        self,
        memory: LiveMemory,
        types: Sequence[DataType],
        recorded: Recorded,
    ) -> None:
        self._memory = memory
        self._recorded = recorded
        self._types = tuple(types)
        self._open: dict[str, Search] = {}
        self._rules: dict[str, FrameRule] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the searches that were made or loaded."""
        return tuple(self._open)

    def get(self, name: str) -> Search:
        """The search of that name; made at its first use, over RAM as it is then."""
        if name not in self._open:
            self._open[name] = self._new(name, scales=True)
        return self._open[name]

    def restart(self, name: str, *, scales: bool) -> Search:
        """Begin the search of that name anew, with or without scaled numbers."""
        self.forget(name)
        self._open[name] = self._new(name, scales=scales)
        return self._open[name]

    def forget(self, name: str) -> None:
        """Drop a search and its rule; the next one of that name starts anew."""
        self._open.pop(name, None)
        self._rules.pop(name, None)

    # -- while the game runs ----------------------------------------------------------------

    @property
    def rules(self) -> Mapping[str, FrameRule]:
        """What is compared after every frame, by name of the search."""
        return dict(self._rules)

    def each_frame(
        self, name: str, op: str, value: object = None, *, against: str | None = None
    ) -> int:
        """Refine ``name`` after every frame from now on, until :meth:`stop_each_frame`.

        ``changed`` and the like compare each frame with the one before it, the first with the
        present one. Returns how many candidates there are. Raises SearchError for what makes no
        sense; a rule that was there goes on then.
        """
        search = self.get(name)
        search.preview(op, value, against=against)
        steps = len(search.history)
        search.start_from_now()
        self._rules[name] = FrameRule(op, value, against, steps)
        return search.count

    def stop_each_frame(self, name: str) -> int:
        """Compare no longer; returns how many steps the rule added, 0 when there was none.

        To take back all that it did, undo so many steps.
        """
        rule = self._rules.pop(name, None)
        return 0 if rule is None else len(self.get(name).history) - rule.first_step

    def after_frame(self) -> None:
        """Apply the rules; the session calls it after each frame while there are any."""
        for name, rule in self._rules.items():
            self.get(name).refine(rule.op, rule.value, against=rule.against)

    # -- on disk ----------------------------------------------------------------------------

    def save(self, name: str, directory: Path) -> Path:
        """Write the search beside the integration in ``directory``. Raises SearchError, SaveError.

        Steps that could be done again are not kept.
        """
        if name not in self._open:
            raise SearchError(f"there is no search {name!r} to save; there is: {self._listed()}")
        path = _path(directory, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, self._open[name].to_json().encode())
        return path

    def load(self, name: str, directory: Path) -> Search:
        """Take up a saved search, instead of the one of that name. Raises SearchError."""
        path = _path(directory, name)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            saved = ", ".join(saved_searches(directory)) or "none"
            raise SearchError(f"{path}: can not be read ({error}); saved are: {saved}") from error
        try:
            search = Search.from_json(
                text,
                self._memory.space,
                source=self._now,
                activity=self._memory.count_changes(),
                past=self._past,
            )
        except SearchError as error:
            raise SearchError(f"{path}: {error}") from error
        self._open[name] = search
        self._rules.pop(name, None)
        return search

    def _new(self, name: str, *, scales: bool) -> Search:
        return Search(
            self._memory.space,
            self._types,
            name=name,
            source=self._now,
            scales=scales,
            activity=self._memory.count_changes(),
            past=self._past,
        )

    def _now(self) -> NDArray[np.uint8]:
        return self._memory.ram

    def _past(self, frame: int) -> NDArray[np.uint8]:
        return self._recorded.ram(frame if frame >= 0 else self._recorded.position + frame)

    def _listed(self) -> str:
        return ", ".join(self._open) or "none"


def saved_searches(directory: Path) -> tuple[str, ...]:
    """Names of the searches saved beside an integration, sorted."""
    return tuple(sorted(path.stem for path in (directory / FOLDER).glob("*.json")))


def _path(directory: Path, name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise SearchError(f"{name!r} can not be a file's name; leave out slashes and leading dots")
    return directory / FOLDER / f"{name}.json"
