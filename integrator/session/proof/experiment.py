"""A hidden core that runs a moment with and without pokes, and a search for bytes that redraw."""

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.values.memory import AddressSpace, DataType
from integrator.session.frame.inputs import Inputs
from integrator.session.setup.plan import SessionPlan, start_core
from integrator.session.suggestions.questions import PlayQuestions
from integrator.session.suggestions.recorded_play import Box, Cancelled, Progress
from integrator.session.suggestions.suggesting import repeats
from integrator.session.timeline.stretch import Stretch
from libretro_host.errors import CoreCrashed, CoreHung, HostError
from libretro_host.host import CapturePlan, CoreHost, Frame
from libretro_host.remote import RemoteHost

Pixels = NDArray[np.bool_]  # a set of pixels of a picture: bool (height, width)


class Rectangle(Box):
    """A box of pixels in pictures that are arrays."""

    def within(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return picture[self.y : self.y + self.height, self.x : self.x + self.width]

    @staticmethod
    def around(pixels: Pixels) -> "Rectangle | None":
        """Return the smallest rectangle that holds all set pixels; None without set pixels."""
        rows, columns = np.flatnonzero(pixels.any(axis=1)), np.flatnonzero(pixels.any(axis=0))
        if not len(rows):
            return None
        x, y = int(columns[0]), int(rows[0])
        return Rectangle(x, y, int(columns[-1]) - x + 1, int(rows[-1]) - y + 1)


FirstDifference = tuple[int, Pixels]
"""The first frame that shows a difference, counted from 1, and the pixels that differ."""


def difference(base: Sequence[Frame], other: Sequence[Frame]) -> FirstDifference | None:
    """Return the first frame that differs, and its pixels; later differences are consequences."""
    for number, (one, another) in enumerate(zip(base, other, strict=False), start=1):
        if np.array_equal(one.pixels, another.pixels):
            continue
        before, after = one.rgb(), another.rgb()
        pixels = np.ones(after.shape[:2], np.bool_)
        if before.shape == after.shape:
            pixels = (before != after).any(axis=2)
        # Raw pixels may also differ in bits that belong to no color.
        if pixels.any():
            return number, pixels
    return None


FORK_FRAMES: Final = 12  # a poke shows within a few frames, and later frames show its effects


@dataclass(frozen=True, slots=True)
class Target:
    """An address and its data type: the object of a proof."""

    address: int
    type: DataType

    def __str__(self) -> str:
        return f"0x{self.address:X} as {self.type}"

    def overlaps(self, other: "Target") -> bool:
        ends = (self.address + self.type.width, other.address + other.type.width)
        return self.address < ends[1] and other.address < ends[0]


def address_at(space: AddressSpace, offset: int) -> int:
    mask = np.zeros(space.size_bytes, np.uint8)
    mask[offset] = 1
    return space.address_of(int(np.flatnonzero(space.logical(mask))[0]))


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A frame with its RAM, a way to reach it, and the inputs after it, uint16 (frames, ports)."""

    frame: int
    way: Stretch | bytes
    inputs: Inputs
    ram: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Fork:
    """A run from a moment: watched bytes, uint8 (frames + 1, bytes), pictures, and RAM after it."""

    watched: NDArray[np.uint8]
    pictures: tuple[Frame, ...]
    ram: NDArray[np.uint8]


Writes = Sequence[tuple[int, bytes]]  # bytes to write at offsets in flat RAM


class Experiment:
    """A hidden core for one thread, which closes it; forks after a crash or hang use another."""

    def __init__(self, plan: SessionPlan, space: AddressSpace) -> None:
        self._plan, self.space = plan, space
        self._host: CoreHost | None = None
        self._entered: OrderedDict[int, tuple[Moment, bytes]] = OrderedDict()
        # Reopening the core's library is most of a fork's cost, and few moments need it.
        self._fresh = not plan.request.reopens
        self._checked = self._fresh

    def fork(
        self,
        moment: Moment,
        ranges: tuple[tuple[int, int], ...],
        writes: Writes = (),
        *,
        frames: int | None = None,
        pictures: bool = True,
        exact: bool = True,
    ) -> Fork:
        """Run from a moment after ``writes``, and capture ``ranges``.

        ``exact`` reopens the core's library if the core needs that to repeat a run."""
        try:
            host = self._at(moment, exact=exact)
            before = moment.ram.copy()
            for offset, data in writes:
                host.write_ram(offset, data)
                before[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
            plan = CapturePlan(ranges=ranges, picture=pictures, picture_every=int(pictures))
            run = host.run(moment.inputs[:frames], plan)
            after = host.read_ram()
        except HostError:
            self.close()
            raise
        first = np.concatenate([np.empty(0, np.uint8), *(before[a : a + n] for a, n in ranges)])
        rows = np.zeros((run.frames, 0), np.uint8) if run.ranges is None else run.ranges
        return Fork(np.vstack([first, rows]), run.pictures, after)

    def review(
        self, moment: Moment, rectangle: Rectangle
    ) -> tuple[list[bool], list[NDArray[np.integer]]]:
        """Run all inputs; return by frame if the rectangle changed, and the changed offsets."""
        host = self._at(moment)
        if isinstance(moment.way, Stretch):
            moment.way.enter(host)
        drawn: list[bool] = []
        changed: list[NDArray[np.integer]] = []
        last: NDArray[np.uint8] | None = None
        chunk = 60  # frames; a run holds the pictures of a chunk in memory
        for first in range(0, len(moment.inputs), chunk):
            inputs = moment.inputs[first : first + chunk]
            run = host.run(inputs, CapturePlan(changes=True, picture_every=1))
            for picture in run.pictures:
                cut = rectangle.within(picture.rgb())
                drawn.append(last is not None and not np.array_equal(cut, last))
                last = cut
            if run.changes is not None:
                changed += np.split(run.changes.offsets, np.cumsum(run.changes.counts)[:-1])
        return drawn, changed

    def _at(self, moment: Moment, *, exact: bool = True) -> CoreHost:
        if id(moment) not in self._entered:
            state = self._state_at(moment)
            if not self._checked:
                self._checked = True
                self._fresh = not repeats(self._running(), state, moment.inputs.shape[1])
                state = self._state_at(moment)
            self._entered[id(moment)] = (moment, state)
            while len(self._entered) > 12:  # each holds a state
                self._entered.popitem(last=False)
        host = self._running()
        host.unserialize(self._entered[id(moment)][1], self._fresh and exact)
        return host

    def _state_at(self, moment: Moment) -> bytes:
        host = self._running()
        if isinstance(moment.way, Stretch):
            moment.way.enter(host)
        else:
            host.unserialize(moment.way, self._fresh)
        return host.serialize()

    def _running(self) -> CoreHost:
        if self._host is None:
            self._host, _ = start_core(replace(self._plan, new_host=RemoteHost))
        return self._host

    def close(self) -> None:
        host, self._host = self._host, None
        if host is not None:
            host.close()


class MomentTaker:
    """Copies moments of a session, on the thread that owns it, and keeps each for reuse."""

    def __init__(self, session: PlayQuestions) -> None:
        self._session = session
        self._taken: dict[tuple[int, int], Moment] = {}

    def present(self, frames: int = FORK_FRAMES) -> Moment:
        """Return the present frame, pokes included."""
        session = self._session
        frame = session.timeline.position
        if (frame, 0) not in self._taken:
            state, inputs = session.timeline.host.serialize(), self._following(frame, frames)
            self._taken[frame, 0] = Moment(frame, state, inputs, session.game.memory.ram.copy())
        return self._taken[frame, 0]

    def at(self, frame: int, frames: int = FORK_FRAMES) -> Moment:
        """Return a frame of the current line. Raises TimelineError if it is not on the line."""
        if (frame, frames) not in self._taken:
            way = self._session.timeline.stretch(frame, frame)
            self._taken[frame, frames] = Moment(frame, way, self._following(frame, frames), way.ram)
        return self._taken[frame, frames]

    def _following(self, frame: int, frames: int) -> Inputs:
        """Return the inputs after the frame; after the line's end, its last buttons stay held."""
        log = self._session.timeline.log
        rows = log.inputs(frame + 1, min(frame + frames, log.length) + 1)
        newest = log.inputs(log.length, log.length + 1) if log.length else rows[:0]
        held = newest if len(newest) else np.zeros((1, self._session.game.columns), np.uint16)
        return np.concatenate([rows, np.repeat(held, frames - len(rows), axis=0)])


@dataclass(frozen=True, slots=True)
class Redraw:
    """A byte whose poke redrew the rectangle, and the changed pixels inside and outside of it."""

    address: int
    frame: int
    inside: int
    outside: int


def prepare_redraws(session: PlayQuestions, rectangle: Rectangle) -> "RedrawSearch":
    """Plan to look for the bytes behind ``rectangle``. Raises SessionError before any play."""
    position = session.timeline.position
    start = max(1, position - 900)  # review the last 15 seconds of play
    if start >= position:
        raise SessionError("nothing was played yet; play until the marked place changes")
    moments = MomentTaker(session)
    review = moments.at(start, position - start)
    present = moments.present(frames=6)
    return RedrawSearch(session.game.plan, session.game.memory.space, rectangle, review, present)


@dataclass(frozen=True, slots=True, eq=False)
class RedrawSearch:
    """Runs the planned pokes in a hidden core. Make it with :func:`prepare_redraws`."""

    plan: SessionPlan
    space: AddressSpace
    rectangle: Rectangle
    review: Moment
    present: Moment

    def run(
        self, progress: Progress = lambda *_: None, cancelled: Cancelled = lambda: False
    ) -> tuple[Redraw, ...]:
        """Return bytes that redraw the rectangle, if it changed, by how little else they redraw."""
        found = []
        with closing(Experiment(self.plan, self.space)) as experiment:
            seen = experiment.review(self.review, self.rectangle)
            suspects = suspected(*seen, self.space.size_bytes)
            base = experiment.fork(self.present, ()).pictures if suspects else ()
            for done, offset in enumerate(suspects, start=1):
                if cancelled():
                    break
                if (redraw := self._poke(experiment, base, offset)) is not None:
                    found.append(redraw)
                progress(done, len(suspects))
        found.sort(key=lambda each: (each.outside > each.inside, each.frame, each.address))
        return tuple(found)

    def _poke(self, experiment: Experiment, base: Sequence[Frame], offset: int) -> Redraw | None:
        byte = int(self.present.ram[offset])
        # Poke another decimal digit into the low half, which changes the number in every code.
        other = byte & 0xF0 | ((byte & 15) + 1) % 10
        try:
            pictures = experiment.fork(self.present, (), [(offset, bytes([other]))]).pictures
        except (CoreCrashed, CoreHung):
            return None  # the next fork starts a new core
        for frame, (before, after) in enumerate(zip(base, pictures, strict=False), start=1):
            if before.pixels.shape != after.pixels.shape:
                return None
            pixels = (before.rgb() != after.rgb()).any(axis=2)
            inside = int(self.rectangle.within(pixels).sum())
            if inside:
                address = address_at(self.space, offset)
                return Redraw(address, frame, inside, int(pixels.sum()) - inside)
        return None


def suspected(
    drawn: Sequence[bool], changed: Sequence[NDArray[np.integer]], size: int
) -> list[int]:
    """Return flat offsets of bytes that changed shortly before the rectangle did, best first.

    ``drawn`` is true for frames on which the rectangle changed, and ``changed`` are the offsets
    that changed on each frame. A byte that often changes at other times comes later."""
    draws = np.flatnonzero(drawn)
    if not len(draws):
        return []
    total, hits, near = np.zeros((3, size), np.int64)
    for offsets in changed:
        total[offsets] += 1
    for draw in draws.tolist():
        # At most 3 frames pass from a change of memory until it is drawn.
        offsets = np.concatenate(changed[max(0, draw - 3) : draw + 1])
        hits[np.unique(offsets)] += 1
        np.add.at(near, offsets, 1)
    recall = hits / len(draws)
    precision = np.minimum(near, total) / np.maximum(total, 1)
    similarity = 2 * recall * precision / np.maximum(recall + precision, 1e-9)
    order = np.argsort(-similarity, kind="stable")[:96]  # each suspect is poked
    return [int(offset) for offset in order if hits[offset]]
