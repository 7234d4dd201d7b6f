"""Facts that a timeline tells its listeners, each right after it came true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from numpy.typing import ArrayLike

Jump = Literal["episode", "state", "poke", "reset"]
JUMPS: Final[tuple[Jump, ...]] = get_args(Jump)
"""Kinds of beginnings of a run of frames; see Timeline.discontinuity."""


@dataclass(frozen=True, slots=True, eq=False)
class Appended:
    """Frames were added to the current line; ``inputs`` as in Timeline.append, not copied."""

    inputs: ArrayLike


@dataclass(frozen=True, slots=True)
class Jumped:
    """The newest frame was left for ``state``."""

    kind: Jump
    state: bytes
    label: str


@dataclass(frozen=True, slots=True)
class StateAdded:
    """The core's state after ``frame`` of the current line is ``state``."""

    frame: int
    state: bytes


@dataclass(frozen=True, slots=True)
class WentBack:
    """The current line goes on from ``frame``; its future is ``kept`` under that name, or gone."""

    frame: int
    kept: str | None


@dataclass(frozen=True, slots=True)
class Switched:
    """The kept line ``name`` is the current one; ``swapped``: under the name of the line before."""

    name: str
    swapped: bool = False


@dataclass(frozen=True, slots=True)
class Renamed:
    """The kept line ``name`` is called ``new_name``."""

    name: str
    new_name: str


@dataclass(frozen=True, slots=True)
class Forgot:
    """The kept line ``name`` was deleted."""

    name: str


@dataclass(frozen=True, slots=True)
class Marked:
    """The user marked a frame of the current line, or took the mark away again."""

    frame: int
    label: str
    gone: bool = False


TimelineEvent: TypeAlias = (
    Appended | Jumped | StateAdded | WentBack | Switched | Renamed | Forgot | Marked
)
TimelineListener: TypeAlias = Callable[[TimelineEvent], object]
