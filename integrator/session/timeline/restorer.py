"""The one place that puts a core to a recorded frame, and proves that it stands there. States of
some cores are not exact: frames run from a restored state differ from those played. The RAM of each
frame and a hash of its picture are recorded, so each restore is compared with them. If they differ,
the frame is reached from an earlier state, at last from the start of its run."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.line import JUMPS
from integrator.domain.timeline.lookup import LineReader
from integrator.domain.values.memory import merge_offsets
from integrator.session.frame.pipeline import Pipeline
from libretro_host.host import CapturePlan, CoreHost, Frame
from libretro_host.inprocess import without_chip

MAX_BYTES = 96 << 20
# Distance between two states: running 8 frames takes about as long as restoring a state.
STEP_FRAMES = 8
REACH_FRAMES = 120  # distance before its target at which a dense rerun begins to keep states
LIVE_STEP_FRAMES = 32  # between two states while a game is played frame by frame


class StateRing:
    """Stored states by frame, each from after that frame; the oldest entries are dropped first."""

    def __init__(self) -> None:
        self._states: dict[int, bytes] = {}
        self._bytes = 0

    def put(self, frame: int, state: bytes) -> None:
        self.drop(frame)
        self._states[frame] = state
        self._bytes += len(state)
        while self._bytes > MAX_BYTES and len(self._states) > 1:
            self.drop(next(iter(self._states)))

    def newest(self, after: int, until: int) -> tuple[int, bytes] | None:
        """Return the newest (frame, state) after frame ``after`` and up to ``until``."""
        frame = max((f for f in self._states if after < f <= until), default=None)
        return None if frame is None else (frame, self._states[frame])

    @property
    def is_cramped(self) -> bool:
        """True if states are so large that the ring has room for only a few."""
        return self._bytes * 24 > MAX_BYTES * len(self._states)

    def drop(self, frame: int) -> None:
        self._bytes -= len(self._states.pop(frame, b""))

    def next_slice(self, frame: int, keyframes: Sequence[int]) -> tuple[int, int | None] | None:
        """Return a frame whose state steps back from ``frame`` will need, and a state to drop.

        The state to drop may be None. Return None if no further state is needed now."""
        if not keyframes or (frame - 2) % STEP_FRAMES >= STEP_FRAMES // 2:
            return None  # this step back already has many frames to run
        size = self._bytes // len(self._states) if self._states else 1
        room = max(0, MAX_BYTES // max(size, 1) - 2) * STEP_FRAMES
        lowest = max(keyframes[0], frame - min(2 * REACH_FRAMES, room // 2))
        for missing in range(frame - 1 - (frame - 1) % STEP_FRAMES, lowest, -STEP_FRAMES):
            start = keyframes[bisect_right(keyframes, missing) - 1]
            if missing not in self._states and start != missing:
                break
        else:
            return None
        found = self.newest(start, missing)
        start = start if found is None else found[0]
        # In a long run only the last states are kept, because the ring would overflow.
        on_the_way = found is not None and start <= missing - REACH_FRAMES
        return start - start % STEP_FRAMES + STEP_FRAMES, start if on_the_way else None

    def drop_after(self, frame: int) -> None:
        """Drop the states after ``frame``, because other frames will follow it."""
        for later in [f for f in self._states if f > frame]:
            self.drop(later)


_CHUNK_FRAMES: Final = 60
_UNDRAWN_FRAMES: Final = 600  # longest time without a drawn picture that a replay makes up for
_REPEATED_BYTES: Final = 32 << 20  # of RAM that is compared at a time
_REPLAYED_FRAMES: Final = 3600  # a minute of play, which takes a second or two

Progress = Callable[[int, int], bool]  # gets frames done and in total; returns False to stop


class ReplayStopped(TimelineError):  # noqa: N818 - no error: it was asked for
    """A long replay was stopped; the core stands at frame ``frame`` of the line."""

    def __init__(self, frame: int, picture: Frame | None) -> None:
        super().__init__(f"stopped at frame {frame}")
        self.frame, self.picture = frame, picture


@dataclass(frozen=True, slots=True)
class Exactness:
    """The number of states that were restored so far, and of those that were not exact."""

    restored: int = 0
    inexact: int = 0

    def noting(self, agrees: bool) -> "Exactness":
        return Exactness(self.restored + 1, self.inexact + (not agrees))

    @property
    def is_exact(self) -> bool:
        return not self.inexact

    @property
    def text(self) -> str:
        if self.is_exact:
            return f"{self.restored} restored states went on as they were played"
        return (
            f"States of this core are not exact in this game: {self.inexact} of {self.restored} "
            "led to other frames than were played. Every frame shown is the one that was played; "
            "going back replays from further back and takes longer"
        )


@dataclass(slots=True)
class PassedFrames:
    """Pictures of frames on the way to another frame, all compared with the recording."""

    room: int
    pictures: dict[int, Frame] = field(default_factory=dict)

    def take(self, frames: range, pictures: Sequence[Frame]) -> None:
        """Keep the pictures of frames that are as recorded, if every frame has one."""
        if len(pictures) == len(frames):
            self.pictures.update(zip(frames, pictures, strict=True))


@dataclass(frozen=True, slots=True)
class Way:
    """Options for a run to a frame: states of the frames ``keep`` are put into the ``ring``.
    ``film`` takes pictures on the way. ``progress`` is called in a long run, and may stop it.
    ``replays`` starts at the load that began the run of the frame, and not at a nearer state."""

    ring: StateRing | None = None
    keep: Sequence[int] = ()
    picture: bool = True
    film: PassedFrames | None = None
    progress: Progress | None = None
    replays: bool = False


SHOWN: Final = Way()


class Restorer:
    """Puts a core to frames of recorded lines; if that fails, ``reopen`` starts a new core."""

    def __init__(
        self,
        pipeline: Pipeline,
        reopen: Callable[[], object],
        on_inexact: Callable[[Exactness], object],
    ) -> None:
        self._pipeline = pipeline
        self.reopen = reopen
        self._on_inexact = on_inexact
        self.exactness = self._between = Exactness()

    def reach(self, line: LineReader, frame: int, way: Way = SHOWN) -> Frame | None:
        """Put the core to ``frame``, at least 1, of a line; return its picture.

        Raises TimelineError if the core plays other frames, ReplayStopped if ``progress`` stops it.
        """
        before = _drawn_before(line, frame) if way.picture else frame
        first, latest = begins_of(line, frame, before - 1)
        starts = self._starts(line, range(first, latest + 1), frame, way.ring)
        for start, state in () if way.replays else starts:
            shown, agrees = self._try(line, start, state, frame, way)
            # A difference early in a game does not count: the core may still show earlier play.
            if agrees or start or frame >= _CHUNK_FRAMES:
                self._note(agrees)
            if start > first:
                self._between = self._between.noting(agrees)
            if agrees:
                return shown
            line.forget_state(start)
            if way.ring is not None:
                way.ring.drop(start)
        for start in dict.fromkeys((line.load_before(frame), first, 0)):
            self.reopen()
            state = line.keyframe_at_or_before(start)[1]
            shown, agrees = self._try(line, start, state, frame, replace(way, keep=(), film=None))
            if agrees:
                return shown
        why = "this core does not repeat what was recorded; go to an earlier frame"
        raise TimelineError(f"frame {frame} cannot be shown: {why}")

    def _try(
        self, line: LineReader, start: int, state: bytes, frame: int, way: Way
    ) -> tuple[Frame | None, bool]:
        self._pipeline.loaded.unserialize(state)
        # Some cores have save chips in their memory, but not in their states.
        write_recorded(self._pipeline.loaded, line.ram(start, resumed=True))
        return self.replay(line, start, frame, way)

    def repeats(
        self,
        line: LineReader,
        start: int,
        state: bytes,
        frame: int,
        progress: Progress | None = None,
    ) -> bool:
        """Return True if inputs alone, from a state after ``start``, repeat each recorded frame.

        A new core is used, because movies are played in new cores. Raises ReplayStopped."""
        self.reopen()
        host = self._pipeline.loaded
        host.unserialize(without_chip(state))
        rewritten = line.rewritten(start + 1, frame + 1)
        step = min(max(1, _REPEATED_BYTES // max(1, line.ram_bytes)), _CHUNK_FRAMES)
        stops = sorted({*range(start + step, frame, step), *rewritten, frame})
        hashes = line.hashes(start + 1, frame + 1)
        # The first picture after a loaded state may hold parts of the picture before it.
        hashes[[0, *(load - start for load in line.loads(start, frame))]] = 0
        for begin, end in pairwise((start, *stops)):
            plan = CapturePlan(ram=True, picture=False, hashes=True)
            run = host.run(line.inputs(begin + 1, end + 1), plan)
            recorded, ram = hashes[begin - start : end - start], line.ram_range(begin + 1, end + 1)
            if end in rewritten:
                write_recorded(host, ram[-1])
            same = len(ram) - (end in rewritten)
            other = (run.hashes != recorded) & (recorded != 0)
            if run.ram is None or other.any() or (run.ram[:same] != ram[:same]).any():
                self._note(agrees=False)
                return False
            if progress is not None and not progress(end - start, frame - start):
                raise ReplayStopped(end, None)
        return True

    def come_back(self, line: LineReader, frame: int, state: bytes, way: Way) -> bool:
        """Put the core to ``frame``; if that fails or is slow, load ``state`` and return False."""
        ram = self._pipeline.memory.ram.copy()
        stands = not way.replays or frame - line.load_before(frame) <= _REPLAYED_FRAMES
        try:
            if stands:
                self.reach(line, frame, way)
        except TimelineError:
            self.reopen()
            stands = False
        if not stands:
            self._pipeline.loaded.unserialize(state)
        write_recorded(self._pipeline.loaded, ram)
        self._pipeline.memory.refresh()
        return stands

    def goes_on(self, line: LineReader, start: int, state: bytes, frame: int) -> bool:
        """Return True if play from a state leads to ``frame`` as it was recorded."""
        _, agrees = self._try(line, start, state, frame, Way(picture=False))
        self._note(agrees)
        return agrees

    def _note(self, agrees: bool) -> None:
        was_exact = self.exactness.is_exact
        self.exactness = self.exactness.noting(agrees)
        if was_exact and not agrees:
            self._on_inexact(self.exactness)

    def _starts(
        self, line: LineReader, among: range, frame: int, ring: StateRing | None
    ) -> Iterator[tuple[int, bytes]]:
        """Yield states to reach ``frame`` from, each twice as far away as the one before."""
        first, at = among[0], among[-1]
        known = self._between
        # After many failures only the beginning of the run is tried. Until then, trying a state
        # costs less than a run from the beginning, even if only one state in three is exact.
        if known.inexact >= max(6, 7 / 8 * known.restored):
            at = first
        while at > first:
            kept = line.keyframe_at_or_before(at)
            start, state = (ring and ring.newest(kept[0], at)) or kept
            if start <= first:
                break
            yield start, state
            at = frame - 2 * (frame - start)
        yield line.keyframe_at_or_before(first)

    def replay(
        self, line: LineReader, start: int, frame: int, way: Way = SHOWN
    ) -> tuple[Frame | None, bool]:
        """Run from ``start``, where the core stands, to ``frame``; return its picture, and False
        if a frame differs from the recording."""
        host = self._pipeline.loaded
        jumps = {m.frame for m in line.markers(*JUMPS) if start < m.frame < frame}
        jumps.update(line.loads(start + 1, frame))
        rewritten = set(line.rewritten(start + 1, frame + 1))
        chunks = range(start + _CHUNK_FRAMES, frame, _CHUNK_FRAMES)
        film, kept = way.film, {f for f in way.keep if f > start}
        filmed = range(max(start + 1, frame - film.room) if film else frame, frame, 16)
        stops = sorted({*kept, *jumps, *rewritten, *chunks, *filmed, frame} - {start})
        hashes = line.hashes(start + 1, frame + 1)
        shown: Frame | None = None
        plan = CapturePlan(picture=way.picture, hashes=True)
        for begin, end in pairwise((start, *stops)):
            films = film is not None and begin >= filmed.start
            every = replace(plan, picture_every=1) if films else plan
            run = host.run(line.inputs(begin + 1, end + 1), every)
            shown = run.frame or shown
            recorded = hashes[begin - start : end - start]
            counts = end == frame or end - start >= _CHUNK_FRAMES
            other = (run.hashes != recorded) & (recorded != 0)
            if counts and other[-1]:
                return None, False
            if end in rewritten:
                write_recorded(host, line.ram(end))
            agrees = films and not other.any() and np.array_equal(host.read_ram(), line.ram(end))
            if film is not None and agrees:
                film.take(range(begin + 1, end + 1), run.pictures)
            if end in jumps:
                self.jump(line, end)
            if end in kept and way.ring is not None:
                way.ring.put(end, host.serialize())
            progress = way.progress if frame - start > 2 * _CHUNK_FRAMES else None
            goes_on = progress is None or progress(end - start, frame - start)
            if not goes_on and end < frame and np.array_equal(host.read_ram(), line.ram(end)):
                raise ReplayStopped(end, shown)
        return shown, bool(np.array_equal(host.read_ram(), line.ram(frame)))

    def jump(self, line: LineReader, frame: int) -> None:
        """Repeat the load, reset or poke after ``frame``, where the core stands."""
        host = self._pipeline.loaded
        if line.loads(frame, frame + 1):
            host.unserialize(line.keyframe_at_or_before(frame)[1])
        elif any(m.frame == frame for m in line.markers("reset")):
            host.reset()
        write_recorded(host, line.ram(frame, resumed=True))


def _drawn_before(line: LineReader, frame: int) -> int:
    """Return the frame of the picture drawn before the one that ``frame`` shows."""
    begin = max(0, frame - _UNDRAWN_FRAMES)
    drawn = begin + 1 + np.flatnonzero(line.hashes(begin + 1, frame + 1))
    return int(drawn[-2]) if len(drawn) > 1 else frame - 1


def begins_of(line: LineReader, frame: int, latest: int) -> tuple[int, int]:
    """Return the first and last frame, up to ``latest``, from which ``frame`` is drawn as played.

    The first picture after a loaded state may hold parts of the picture before it (FCEUmm: a
    sprite). If nothing is drawn at first, as at power-on, a later picture may. So a frame soon
    after a load is reached from the load before that."""
    first = line.load_before(frame)
    while first and frame - first < _CHUNK_FRAMES:
        latest, first = first - 1, line.load_before(first)
    return first, max(latest, first)


def write_recorded(host: CoreHost, recorded: NDArray[np.uint8]) -> None:
    for offset, length in merge_offsets(np.flatnonzero(host.read_ram() != recorded).tolist()):
        host.write_ram(offset, recorded[offset : offset + length].tobytes())
