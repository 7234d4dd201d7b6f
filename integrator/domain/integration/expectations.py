"""expectations.json: numbers that movies must give, stored with the integration's other files.
stable-retro ignores the file, because it reads an unknown JSON file only if it has ``reward``,
``rewards`` or ``done``. ``resources/schemas/expectations.schema.json`` describes the file."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final, TypeGuard

from integrator.domain.files.document import JsonDocument
from integrator.domain.files.jsontext import JsonValue

EXPECTATIONS_FILE: Final = "expectations.json"
_KEY: Final = "expectations"
_MOST: Final = 3.4e38  # the greatest float32, because rewards are float32


class ExpectedKind(StrEnum):
    """The subject of an expectation. ``rewards``: the reward of each frame of the range. ``done``:
    the first frame of the range on which the episode is done, or None. ``variable``: a variable's
    value on the last frame. ``total``: the sum of the range's rewards, as the screen shows it."""

    REWARDS = "rewards"
    DONE = "done"
    VARIABLE = "variable"
    TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Expectation:
    """A value that frames ``first`` to ``last`` of a movie must give; frame 1 is its first row.
    ``movie`` is a path relative to the integration's directory. The ``value`` of rewards is a list
    of ``[frame, reward]`` for the first frame and each frame on which the reward changes. ``name``
    is the variable's name; ``player`` counts from 1."""

    movie: str
    kind: ExpectedKind
    first: int
    last: int
    value: JsonValue
    name: str = ""
    player: int = 1
    scenario: str = "scenario"

    def to_json(self) -> dict[str, JsonValue]:
        entry: dict[str, JsonValue] = {"movie": self.movie, "expect": self.kind.value}
        if self.name:
            entry["variable"] = self.name
        if self.player != 1:
            entry["player"] = self.player
        if self.scenario != "scenario":
            entry["scenario"] = self.scenario
        return {**entry, "first": self.first, "last": self.last, "value": self.value}


class ExpectationsDocument(JsonDocument):
    """expectations.json. Invalid entries stay in the file, but expect nothing."""

    @property
    def entries(self) -> tuple[Expectation | None, ...]:
        """The expectations in the file's order; None stands for an invalid entry."""
        return tuple(_parse(entry) for entry in self._listed())

    def add(self, expectations: Iterable[Expectation]) -> None:
        known = set(map(repr, self.entries))
        new = [each.to_json() for each in expectations if repr(each) not in known]
        with self.edit() as value:
            value[_KEY] = [*self._listed(), *new]

    def accept(self, values: Mapping[int, JsonValue]) -> None:
        """Replace the values of the entries at these indices, as one undoable edit."""
        with self.edit():
            for index, value in values.items():
                entry = self._listed()[index]
                if isinstance(entry, dict):
                    entry["value"] = value

    def remove(self, indices: Collection[int]) -> None:
        with self.edit() as value:
            value[_KEY] = [e for i, e in enumerate(self._listed()) if i not in indices]

    def _listed(self) -> list[JsonValue]:
        listed = self.value.get(_KEY)
        return listed if isinstance(listed, list) else []


def reward_changes(value: JsonValue) -> tuple[tuple[int, float], ...]:
    """Return the (frame, reward) pairs of an expectation's value; empty if it is malformed."""
    found: list[tuple[int, float]] = []
    for pair in value if isinstance(value, list) else ():
        if not isinstance(pair, list) or len(pair) != 2:
            return ()
        frame, reward = pair
        if not _is_count(frame) or not _is_number(reward):
            return ()
        found.append((frame, float(reward)))
    return tuple(found)


def _parse(entry: JsonValue) -> Expectation | None:
    if not isinstance(entry, dict):
        return None
    movie, kind, name = entry.get("movie"), entry.get("expect"), entry.get("variable", "")
    first, last, player = entry.get("first"), entry.get("last"), entry.get("player", 1)
    scenario = entry.get("scenario", "scenario")
    if not (isinstance(movie, str) and isinstance(name, str) and isinstance(scenario, str)):
        return None
    if not (_is_count(first) and _is_count(last) and _is_count(player)):
        return None
    if not movie or kind not in tuple(ExpectedKind) or first > last:
        return None
    found = Expectation(
        movie, ExpectedKind(str(kind)), first, last, entry.get("value"), name, player, scenario
    )
    return found if _fits(found) else None


def _is_count(value: JsonValue) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_number(value: JsonValue) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _MOST


def _fits(found: Expectation) -> bool:
    value = found.value
    if found.kind is ExpectedKind.VARIABLE:
        return bool(found.name) and isinstance(value, int) and not isinstance(value, bool)
    if found.kind is ExpectedKind.TOTAL:
        return _is_number(value)
    if found.kind is ExpectedKind.DONE:
        return value is None or (_is_count(value) and found.first <= value <= found.last)
    frames = [frame for frame, _ in reward_changes(value)]
    rises = all(before < after for before, after in pairwise(frames))
    return bool(frames) and rises and frames[0] == found.first and frames[-1] <= found.last
