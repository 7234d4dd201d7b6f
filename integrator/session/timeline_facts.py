"""The facts of a session's timeline, for the time slider and the lists around it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.timeline.line import FIRST_RUN, BranchInfo, Marker, PlayedFrame, Runs
from integrator.domain.timeline.timeline import Timeline
from integrator.session.recorded_rows import rows_ahead
from integrator.session.session import Session

TREND_POINTS: Final = 96  # the most values in a trend line


@dataclass(frozen=True, slots=True)
class TimelineFacts:
    """``totals`` (k,) are the cumulative reward of player 1 in the episode at ``frames`` (k,).
    ``drops`` are the frames on which the variable ``drops_name`` decreased, as lives do. ``trends``
    are the latest values of each variable up to the present frame, oldest first. ``scoring``
    changes whenever recorded frames are scored again; until that is done after an edit, ``totals``
    are those from before it, without the frames played since, and ``rewards`` are empty. ``lag`` is
    the number of frames on which the game read no button. ``runs`` are those of the line, and
    ``kept_ends`` the newest frames of the others. ``can_undo`` and ``can_redo`` are about edits of
    inputs. ``exact`` is true unless replay from a restored state differed. ``ahead`` is the number
    of planned rows that are not played yet; they ``wait`` if they would lose a poke at the present
    frame when they run by themselves."""

    length: int
    position: int
    line: str
    frames: NDArray[np.int64]
    totals: NDArray[np.float64]
    markers: tuple[Marker, ...]
    drops_name: str
    drops: tuple[int, ...]
    branches: tuple[BranchInfo, ...]
    memory_bytes: int
    disk_bytes: int
    scoring: int = 0
    lag: int = 0
    can_undo: bool = False
    can_redo: bool = False
    exact: bool = True
    ahead: int = 0
    wait: bool = False
    rewards: tuple[float, ...] = ()
    runs: Runs = FIRST_RUN
    kept_ends: Mapping[str, PlayedFrame] = field(default_factory=dict)
    trends: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def run_of(self, frame: int) -> tuple[int, int]:
        """Return the first and last frame of the unbroken run of inputs around ``frame``. A reset,
        a loaded state or a poke ends a run, and a movie can hold only one run."""
        jumps = [marker.frame for marker in self.markers if marker.kind != "user"]
        first = 1 + max((jump for jump in jumps if jump < frame), default=0)
        return first, min((jump for jump in jumps if jump >= frame), default=self.length)

    def between_marks(self, frame: int) -> tuple[int, int]:
        """Return the frames of the marks before and after ``frame``, within its run of inputs."""
        first, last = self.run_of(frame)
        marks = [marker.frame for marker in self.markers if marker.kind == "user"]
        before = max((mark for mark in marks if first <= mark <= frame), default=first)
        return before, min((mark for mark in marks if frame < mark <= last), default=last)

    @classmethod
    def of(cls, session: Session, earlier: "TimelineFacts | None" = None) -> "TimelineFacts":
        """Read a session's timeline. Call it on the thread that owns the session. Parts of
        ``earlier`` are reused if the line has not changed, as when the user only seeks on it,
        because reading half an hour of play takes most of a frame's time."""
        travel, log, changes = session.timeline, session.timeline.log, session.timeline.changes
        markers, branches, names = log.markers(), log.branches, log.names
        present: dict[str, Any] = {
            "position": travel.position,
            "trends": _trends(log, names, travel.position),
            "can_undo": changes.earlier is not None,
            "can_redo": changes.later is not None,
            "exact": travel.exactness.is_exact,
            "ahead": len(rows_ahead(session)),
            "wait": session.memory.written and len(log.ahead) > 0,
        }
        # If these facts are unchanged, so are the curve and the drops.
        scoring = session.recorded.generation
        line = (log.current, travel.length, scoring, markers, branches, log.runs)
        line_of = attrgetter("line", "length", "scoring", "markers", "branches", "runs")
        if earlier is not None and line == line_of(earlier):
            return replace(earlier, **present)
        stale, name = bool(session.recorded.stale), lives_name(names)
        frames, totals = reward_curve(None if stale else log)
        if stale and earlier is not None and earlier.runs == log.runs:
            frames, totals = earlier.frames, earlier.totals
        return cls(
            length=travel.length,
            line=log.current,
            frames=frames,
            totals=totals,
            markers=markers,
            drops_name=name,
            drops=_drops(log, name, markers),
            branches=branches,
            memory_bytes=log.bytes_used,
            disk_bytes=log.pool.disk_bytes,
            scoring=scoring,
            runs=log.runs,
            kept_ends=log.kept_ends,
            rewards=() if stale else log.totals(),
            lag=int(log.lag().sum()),
            **present,
        )


def reward_curve(log: Timeline | None) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return ascending frames, and the reward of player 1 in the episode up to each of them."""
    if log is None or not (length := log.length):
        return np.zeros(0, np.int64), np.zeros(0, np.float64)
    sums = np.cumsum(log.rewards()[:, 0], dtype=np.float64)
    # More points than the slider has pixels.
    picked = np.unique(np.linspace(1, length, min(length, 1500)).astype(np.int64))
    starts = np.array(sorted({0, *(m.frame for m in log.markers("episode"))}), np.int64)
    # Keep the frames on both sides of an episode's start, so that the curve falls there.
    edges = np.concatenate([starts, starts + 1])
    picked = np.union1d(picked, edges[(edges >= 1) & (edges <= length)])
    begun = starts[np.searchsorted(starts, picked, side="left") - 1]
    before = np.where(begun > 0, sums[begun - 1], 0.0)
    return picked, sums[picked - 1] - before


def lives_name(names: tuple[str, ...]) -> str:
    """Return the variable whose name says that it counts lives; empty without one."""
    found = [name for name in names if name.lower().startswith(("lives", "life"))]
    return min(found, key=len, default="")


def _drops(log: Timeline, name: str, markers: Sequence[Marker]) -> tuple[int, ...]:
    if not name or log.length < 2:
        return ()
    values, valid = log.column(name)
    fell = (np.diff(values) < 0) & valid[1:] & valid[:-1]
    begun = {marker.frame + 1 for marker in markers}
    return tuple(f for f in (np.flatnonzero(fell) + 2).tolist() if f not in begun)


def _trends(log: Timeline, names: Sequence[str], position: int) -> dict[str, tuple[float, ...]]:
    trends = {}
    first = max(1, position - 599)  # ten seconds of most consoles
    for name, values in log.columns(names, first, position + 1).items():
        picked = np.linspace(0, len(values) - 1, min(len(values), TREND_POINTS)).astype(int)
        trends[name] = tuple(values[picked].tolist())
    return trends


def newest_loss(session: Session, address: int) -> int:
    """Return the newest of 30,000 frames on which the signed byte of lives fell by one, or 0."""
    log = session.timeline.log
    first = max(1, log.length - 30_000)
    ranges = [(session.memory.space.offset(address), 1)]
    lives = log.ram_ranges(ranges, first, log.length + 1)[:, 0].view(np.int8).astype(np.int64)
    lost = np.flatnonzero(np.diff(lives) == -1)
    return first + 1 + int(lost[-1]) if len(lost) else 0
