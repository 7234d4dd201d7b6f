"""Recorded frames copied for another thread, which can run them again in a core of its own."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.line import JUMPS
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame.inputs import Inputs
from integrator.session.timeline.restorer import load_before, write_recorded
from libretro_host.host import CapturePlan, CoreHost, RunResult

CHUNK_FRAMES: Final = 60
_LEAD: Final = CapturePlan(picture=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Jump:
    """A jump after a frame: a loaded state, or the RAM after a poke or a press of reset."""

    state: bytes | None
    ram: NDArray[np.uint8]
    is_reset: bool


@dataclass(frozen=True, slots=True, eq=False)
class Rerun:
    """Frames run again; ``same`` bool (frames,): the picture is as played."""

    begin: int
    run: RunResult
    same: NDArray[np.bool_]
    jumped: bool


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """The frames after ``first`` up to ``last``, and the ways to ``first``.

    ``begins`` are (frame, state, RAM) to begin at: a kept state where states are exact, then the
    load with which the run of play began. ``inputs`` and ``hashes`` are of the frames after the
    last one of them, ``ram`` is that in which frame ``first + 1`` begins.
    """

    first: int
    last: int
    begins: tuple[tuple[int, bytes, NDArray[np.uint8]], ...]
    inputs: Inputs
    hashes: NDArray[np.uint32]
    ram: NDArray[np.uint8]
    jumps: Mapping[int, _Jump]
    writes: Mapping[int, NDArray[np.uint8]]

    @classmethod
    def take(
        cls, log: Timeline, rewritten: Collection[int], first: int, last: int, *, exact: bool
    ) -> Self:
        """Copy frames of the current line; in ``rewritten`` ones, scripts or cheats wrote RAM."""
        load = load_before(log, first + 1)
        frames = dict.fromkeys((log.keyframe_at_or_before(first)[0], load) if exact else (load,))
        marks = {mark.frame: mark for mark in log.markers(*JUMPS) if load < mark.frame <= last}
        jumps = {}
        for at, mark in marks.items():
            is_load = load_before(log, at + 1) == at
            state = log.keyframe_at_or_before(at)[1] if is_load else None
            jumps[at] = _Jump(state, log.ram(at, resumed=True), mark.kind == "reset")
        return cls(
            first,
            last,
            tuple(
                (*log.keyframe_at_or_before(frame), log.ram(frame, resumed=True))
                for frame in frames
            ),
            log.inputs(load + 1, last + 1),
            log.hashes(load + 1, last + 1),
            log.ram(first, resumed=True),
            jumps,
            {frame: log.ram(frame) for frame in rewritten if load < frame <= last},
        )

    def enter(self, host: CoreHost) -> None:
        """Bring a core to ``first``. Raises TimelineError when it does not come there."""
        for begin, state, ram in self.begins:
            host.unserialize(state)
            # Save chips are in the memory of some cores, and not in their states.
            write_recorded(host, ram)
            lead = [*self._run(host, begin, self.first, _LEAD, CHUNK_FRAMES)]
            # The first picture after a state may hold rows from before it.
            agrees = self.first - begin < 2 or bool(lead[-1].same[-1])
            if begin < self.first and self.first in self.jumps:
                self._jump(host, self.first)
            if agrees and np.array_equal(host.read_ram(), self.ram):
                return
        raise TimelineError(
            f"frame {self.first} cannot be reached again: this core does not repeat what was "
            "recorded; begin at another frame"
        )

    def run(self, host: CoreHost, plan: CapturePlan, chunk: int = CHUNK_FRAMES) -> Iterator[Rerun]:
        """Run the frames in chunks of up to ``chunk``. Raises TimelineError as :meth:`enter`."""
        self.enter(host)
        yield from self._run(host, self.first, self.last, plan, chunk)

    def _run(
        self, host: CoreHost, begin: int, end: int, plan: CapturePlan, chunk: int
    ) -> Iterator[Rerun]:
        origin = self.begins[-1][0]
        stops = {*self.jumps, *self.writes, *range(begin + chunk, end, chunk)}
        cuts = [begin, *sorted(stop for stop in stops if begin < stop < end), end]
        for first, last in pairwise(cuts) if begin < end else ():
            jumped = first != begin and first in self.jumps
            if jumped:
                self._jump(host, first)
            rows = slice(first - origin, last - origin)
            run = host.run(self.inputs[rows], replace(plan, hashes=True))
            if last in self.writes:
                write_recorded(host, self.writes[last])
            played = self.hashes[rows]
            yield Rerun(first, run, (run.hashes == played) | (played == 0), jumped)

    def _jump(self, host: CoreHost, frame: int) -> None:
        jump = self.jumps[frame]
        if jump.state is not None:
            host.unserialize(jump.state)
        if jump.is_reset:
            host.reset()
        write_recorded(host, jump.ram)
