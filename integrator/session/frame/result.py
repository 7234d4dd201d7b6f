"""The immutable results of a session: frames, chunks and events; and rules to pause at them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from integrator.domain.scenario.scoring import Outcome, OutcomeChunk, Terms
from integrator.domain.timeline.line import FIRST_RUN, Runs
from integrator.session.stills import png_bytes
from libretro_host.host import Frame, RunResult


@dataclass(frozen=True, slots=True)
class FrameResult:
    """Everything known about one frame, immutable, for any number of views.

    ``number`` counts the frames on the timeline: 1 is the first frame run. ``inputs`` holds one bit
    mask per port. ``values`` are the variables after this frame, custom Lua variables included;
    ``previous`` those of the frame before (None on the first frame of an episode). ``frame`` is the
    picture, None before the core has drawn one. ``audio`` is int16 of shape (samples, 2), None if
    not captured. ``script_error`` is the text of a Lua hook's failure on this frame. ``gains`` are
    each player's (term, sum) over the chunk of frames that ends with this one. ``runs`` are those
    of the line on which the frame is."""

    number: int
    inputs: tuple[int, ...]
    values: Mapping[str, int | float]
    previous: Mapping[str, int | float] | None
    outcome: Outcome
    frame: Frame | None
    audio: NDArray[np.int16] | None = None
    messages: tuple[str, ...] = ()
    script_error: str | None = None
    gains: Terms = ()
    runs: Runs = FIRST_RUN

    def _repr_png_(self) -> bytes | None:
        """The picture for a notebook; None before there is one."""
        return frame_png(self.frame)

    @property
    def newest_rewards(self) -> tuple[float, ...]:
        """Each player's reward on this frame, or, if that is 0, since the last frame shown."""
        gained = [sum(dict(terms).values()) for terms in self.gains]
        rewards = self.outcome.rewards
        if len(gained) != len(rewards):
            return rewards
        return tuple(now or unseen for now, unseen in zip(rewards, gained, strict=True))

    def after(self, unseen: "FrameResult") -> "FrameResult":
        """Return this frame with messages, error and gains of an earlier one that was not shown."""
        gains = self.gains
        if self.outcome.frame > unseen.outcome.frame and len(gains) == len(unseen.gains):
            before = (dict(terms) for terms in unseen.gains)
            gains = tuple(
                tuple((name, value + sums.get(name, 0.0)) for name, value in terms)
                for sums, terms in zip(before, gains, strict=True)
            )
        messages, error = unseen.messages + self.messages, unseen.script_error or self.script_error
        return replace(self, messages=messages, script_error=error, gains=gains)


@dataclass(frozen=True, slots=True)
class ChunkResult:
    """A chunk of frames: row i of every array is frame ``first_number + i``. ``inputs`` is uint16
    of shape (frames, ports), ``values`` int64 of shape (frames,) each, ``run`` the host's own
    result (pictures, audio and the rest of the plan), ``last`` the last frame."""

    first_number: int
    inputs: NDArray[np.uint16]
    values: Mapping[str, NDArray[np.int64]]
    outcomes: OutcomeChunk
    run: RunResult
    last: FrameResult


@dataclass(frozen=True, slots=True)
class Event:
    """News of a session other than a frame; views show ``text`` to the user."""

    text: str


Report: TypeAlias = Callable[[Event], object]  # receives each event; any thread may call it


@dataclass(frozen=True, slots=True)
class FileEvent(Event):
    """News about the movie or the state at ``path``."""

    path: Path = field(default=Path())


@dataclass(frozen=True, slots=True)
class CoreRestarted(Event):
    """The core's process died and a new one goes on from frame ``number``; ``log`` is its log."""

    number: int = 0
    log: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class CoreLost(Event):
    """The core died and could not be restarted; the session is paused, and no edit is lost."""

    log: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class RecordingStopped(FileEvent):
    """The movie or folder at ``path`` is complete; if it ``goes_on``, further movies follow."""

    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class PlaybackEnded(FileEvent):
    """The movie at ``path`` ended, or, if ``left``, play went elsewhere; inputs are live again."""

    left: bool = False


class MovieWarning(FileEvent):
    """The movie at ``path`` is played, but may differ from its recording."""


@dataclass(frozen=True, slots=True)
class MovieDesync(FileEvent):
    """RAM after row ``row`` of the movie at ``path``, frame ``number``, is not as recorded."""

    row: int = 0
    number: int = 0


class StatesInexact(Event):
    """A restored state led to other frames than were played, so seeks replay more from now on."""


class GameWarning(Event):
    """A problem with the game's file, journal or timeline that does not stop play."""


class StateWarning(FileEvent):
    """The state in ``path`` was loaded, but may not work with this core."""


@dataclass(frozen=True, slots=True)
class RunStateChanged(Event):
    """The runner was paused or set going, or its speed changed."""

    paused: bool = True
    speed: float = 1.0


@dataclass(frozen=True, slots=True)
class PlayStopped(Event):
    """Play paused after frame ``number``: ``variable`` changed, or else the episode is done."""

    number: int = 0
    variable: str = ""


@dataclass(frozen=True, slots=True)
class RecordedScoring(Event):
    """The share of recorded frames that is scored; ``scripted``: Lua scores frame by frame."""

    share: float = 0.0
    frames: int = 0
    scripted: bool = False


@dataclass(frozen=True, slots=True)
class RecordedScored(Event):
    """Recorded frames have new scores; without a ``result``, they kept the old ones."""

    result: FrameResult | None = None


@dataclass(frozen=True, slots=True)
class CommandFailed(Event):
    """A posted command raised ``error``."""

    error: Exception | None = None


def frame_png(frame: Frame | None) -> bytes | None:
    """Return a rotated picture as a PNG file; None without a frame."""
    return None if frame is None else png_bytes(frame.rgb())


MemoryStop: TypeAlias = Callable[[int], str | None]
"""Called with a frame's number; returns a text about a change of memory there, or None."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """Pauses play after a frame on which ``variables`` or ``memory`` changed, or done was true."""

    variables: frozenset[str] = frozenset()
    done: bool = False
    memory: MemoryStop | None = field(default=None, compare=False)

    def __bool__(self) -> bool:
        return self.done or bool(self.variables) or self.memory is not None

    def stopped_by(self, result: FrameResult) -> PlayStopped | None:
        what = None if self.memory is None else self.memory(result.number)
        before, values, variable = result.previous or {}, result.values, ""
        names = sorted(self.variables & before.keys() & values.keys())
        changed = (name for name in names if before[name] != values[name])
        if what is None and (variable := next(changed, "")):
            what = f"{variable} changed from {before[variable]} to {values[variable]}"
        if what is None and self.done and result.outcome.done:
            what = "the episode is done"
        if what is None:
            return None
        text = f"Paused: {what} at frame {result.number}"
        return PlayStopped(text, number=result.number, variable=variable)


def first_difference(one: NDArray[Any], other: NDArray[Any]) -> int | None:
    """Return the first frame, counted from 1, whose rows differ or which only one array has."""
    shared = min(len(one), len(other))
    differs = one[:shared] != other[:shared]
    apart = np.flatnonzero(differs.any(axis=tuple(range(1, differs.ndim))))
    if len(apart):
        return int(apart[0]) + 1
    return shared + 1 if len(one) != len(other) else None
