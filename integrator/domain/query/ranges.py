"""Memory of recorded play by frame, and checks of facts about single frames and ranges."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.query.facts import Equals, Fact, Transition, Trend
from integrator.domain.search.operators import Comparison
from integrator.domain.sweep import sets
from integrator.domain.sweep.readings import PLAIN, SearchType
from integrator.domain.sweep.refine import Layer, LayersOf, Memory, NumberLayers, refine
from integrator.domain.timeline.lookup import LineReader
from integrator.domain.values.memory import AddressSpace, DataType, merge_offsets

T = TypeVar("T", bound=SearchType)


class Recording:
    """The memory of ``history`` in logical order, in shared arrays that must not be written to.
    Each new read raises SearchError once ``stopped`` returns True."""

    def __init__(
        self, space: AddressSpace, history: LineReader, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self._space, self._line, self._stopped = space, history, stopped
        self._places = sets.console_positions(space)
        self._frames: dict[int, NDArray[np.uint8]] = {}
        self.length = history.length

    @property
    def _history(self) -> LineReader:
        if self._stopped():
            raise SearchError("the search was stopped before its end")
        return self._line

    def logical(self, frame: int) -> NDArray[np.uint8]:
        """Return RAM after ``frame`` in logical order, uint8 (bytes,), and keep it cached."""
        if frame not in self._frames:
            self._frames[frame] = self.glance(frame)
        return self._frames[frame]

    def glance(self, frame: int) -> NDArray[np.uint8]:
        """Return the same as :meth:`logical`, uncached, for a frame that is read only once."""
        return self._space.logical(self._history.ram(frame))

    def changed(self, start: int, stop: int) -> sets.Mask:
        """Return a mask of the bytes that change within frames [start, stop), in logical order."""
        return self._space.logical(self._history.changed(start, stop).view(np.uint8)).view(np.bool_)

    def bytes_over(self, positions: sets.Positions, start: int, stop: int) -> NDArray[np.uint8]:
        """Return bytes of frames [start, stop) at ascending positions, uint8 (frames, bytes)."""
        offsets = positions if self._places is None else self._places[positions]
        captured = self._history.ram_ranges(merge_offsets(offsets.tolist()), start, stop)
        in_order: NDArray[np.uint8] = captured[:, np.argsort(np.argsort(offsets))]
        return in_order


def bytes_of(positions: Mapping[T, sets.Positions]) -> sets.Positions:
    """Return the positions of all bytes of numbers, given by type; ascending and distinct."""
    parts = [
        (starts[:, np.newaxis] + np.arange(data_type.width)).ravel()
        for data_type, starts in positions.items()
    ]
    return np.unique(np.concatenate([np.empty(0, dtype=np.intp), *parts]))


class Steps:
    """The steps of numbers from frame to frame, computed once per byte for all types. ``captured``
    are the bytes at the ascending ``positions``, uint8 (frames, bytes)."""

    def __init__(self, positions: sets.Positions, captured: NDArray[np.uint8]) -> None:
        self._positions = positions
        self._series = np.ascontiguousarray(captured.T)
        self._rows: dict[str, NDArray[np.integer]] = {
            "u": self._series,
            "signed": self._series.view(np.int8),
        }
        self._found: dict[tuple[str, str], sets.Bits] = {}
        self._moved: dict[str, sets.Mask] = {}

    def rests(self, data_type: DataType, starts: sets.Positions) -> sets.Mask:
        """Return a mask of the ``starts`` whose number is the same on all frames."""
        kind, first = _digits_kind(data_type), np.searchsorted(self._positions, starts)
        if kind not in self._moved:
            self._moved[kind] = _any(self._bits(kind, "differs"))
        return ~_any(self._moved[kind][first[:, np.newaxis] + np.arange(data_type.width)])

    def never(self, data_type: DataType, starts: sets.Positions, turn: str) -> sets.Mask:
        """Return a mask of the ``starts`` whose number never makes a ``turn``: up or down."""
        first = np.searchsorted(self._positions, starts)
        kind, lowest = _digits_kind(data_type), data_type.order[-1]
        # The widest unsigned type of data.json has negative numbers as well.
        kinds = {data_type.order[0]: "signed"} if data_type.minimum < 0 else {}
        turned = self._bits(kinds.get(lowest, kind), turn)[first + lowest]
        for index in reversed(data_type.order[:-1]):
            # A digit decides the direction of a step if it changes; otherwise lower digits decide.
            undecided = turned & ~self._bits(kind, "differs")[first + index]
            turned = self._bits(kinds.get(index, kind), turn)[first + index] | undecided
        return ~_any(turned)

    def _bits(self, kind: str, what: str) -> sets.Bits:
        """Return one bit per byte and step, packed, (bytes, steps / 8). A bit is set if the byte's
        digit ``what``: differs, goes up or goes down."""
        if kind not in self._rows:
            digits = DataType.parse(f"|{kind}1").decode_array(self._series[..., np.newaxis])
            self._rows[kind] = digits.astype(np.uint8)
        if (kind, what) not in self._found:
            compare = {"differs": np.not_equal, "up": np.greater, "down": np.less}[what]
            rows = self._rows[kind]
            self._found[kind, what] = np.packbits(compare(rows[:, 1:], rows[:, :-1]), axis=1)
        return self._found[kind, what]


def _any(table: sets.Bits | sets.Mask) -> sets.Mask:
    found: sets.Mask = np.logical_or.reduce(table, axis=1, dtype=np.bool_)
    return found


def _digits_kind(data_type: DataType) -> str:
    """Return the kind of the type's digits, which are unsigned in a signed type."""
    return "u" if data_type.kind == "i" else data_type.kind


_FIRST_CHUNK_FRAMES: Final = 128


def holding_over_range(fact: Trend, layers: NumberLayers, recording: Recording) -> NumberLayers:
    """Return the candidates for which the fact holds; their scales do not matter."""
    touched = recording.changed(fact.start, fact.end + 1)
    by_type: dict[DataType, list[sets.CandidateSet]] = {}
    for layer, candidates in layers.items():
        by_type.setdefault(layer.data_type, []).append(candidates)
    still, doubtful = {}, {}
    for data_type, same_type in by_type.items():
        moves = widened(touched, data_type.width)
        everything = sets.union(same_type)
        still[data_type] = everything.keep(~moves)
        if not data_type.form.is_binary or fact.word != "unchanged":
            # Decimal digits ignore some bits, so a byte may change while its number stays.
            doubtful[data_type] = everything.keep(moves)
    followed = _follow(fact, _sampled(fact, doubtful, recording), recording)
    passed = {kind: sets.union([each, followed.get(kind, each)]) for kind, each in still.items()}
    return {
        layer: sets.intersection(candidates, passed[layer.data_type])
        for layer, candidates in layers.items()
    }


def widened(touched: sets.Mask, width: int) -> sets.Mask:
    """Return a mask, bool (bytes,), of positions of which one of ``width`` bytes is touched."""
    found = touched.copy()
    for offset in range(1, width):
        found[:-offset] |= touched[offset:]
    return found


def _sampled(
    fact: Trend, by_type: dict[DataType, sets.CandidateSet], recording: Recording
) -> dict[DataType, sets.CandidateSet]:
    """Return the candidates that pass on 12 frames, each compared with the one before it."""
    frames = np.unique(np.linspace(fact.start, fact.end, 12).astype(int)).tolist()
    layers: NumberLayers = {Layer(data_type, PLAIN): found for data_type, found in by_type.items()}
    asked = Comparison(fact.relation.op, None, "previous")
    for before, frame in pairwise(frames):
        if not any(candidates.count for candidates in layers.values()):
            break
        memory = Memory(recording.logical(frame), recording.logical(before), None)
        layers = refine(layers, asked.predicate, memory)
    return {layer.data_type: candidates for layer, candidates in layers.items()}


def _follow(
    fact: Trend, by_type: dict[DataType, sets.CandidateSet], recording: Recording
) -> dict[DataType, sets.CandidateSet]:
    """Return the candidates that pass on every frame, each compared with the frame before."""
    left = {data_type: found.positions for data_type, found in by_type.items()}
    start, frames = fact.start, _FIRST_CHUNK_FRAMES
    while start < fact.end and len(wanted := bytes_of(left)):
        # Chunks overlap by one frame, so that the step from chunk to chunk is checked as well. The
        # first chunk is short, because it drops most candidates.
        stop = min(start + frames, fact.end) + 1
        steps = Steps(wanted, recording.bytes_over(wanted, start, stop))
        for data_type, positions in left.items():
            if fact.word == "unchanged":
                holds = steps.rests(data_type, positions)
            else:
                turn = "down" if fact.word == "only grows" else "up"
                holds = steps.never(data_type, positions, turn)
            left[data_type] = positions[holds]
        start = stop - 1
        frames = max(_FIRST_CHUNK_FRAMES, (2 << 20) // max(1, len(bytes_of(left))))
    return {
        data_type: sets.CandidateSet.of_positions(positions, by_type[data_type].size)
        for data_type, positions in left.items()
    }


@dataclass(frozen=True, slots=True)
class Sighting:
    """The number was ``value`` at frame ``said``, or at some frame from ``first`` to ``last``."""

    value: int
    first: int
    said: int
    last: int


def off_frames(asked: Sequence[tuple[Recording, Fact]]) -> int:
    """Return by how many frames facts may be off: 8, or fewer if different numbers are close.

    People who pause and read a number are 8 frames off at most. If facts could be off by as many
    frames as lie between two different numbers, a number that jumps about would fit them all."""
    before: list[tuple[Recording, Sighting]] = []
    off = 8
    for recording, fact in asked:
        for sighting in list(sightings(fact, 0))[-1:]:
            for other, known in before:
                if other is recording and known.value != sighting.value:
                    off = min(off, abs(known.said - sighting.said) - 1)
            before.append((recording, sighting))
    return max(0, off)


def sightings(fact: Fact, off: int) -> Iterator[Sighting]:
    """Yield the numbers that a fact states if its frames may be ``off``; a Trend states none.

    If a Transition may be off, its old number may be seen at any frame before the new one."""
    if isinstance(fact, Equals):
        at = fact.frame
        yield Sighting(fact.value, at - off, at, at + off)
    elif isinstance(fact, Transition):
        last_before = fact.end - 1 if off else fact.start
        yield Sighting(fact.before, fact.start - off, fact.start, last_before)
        yield Sighting(fact.after, fact.end, fact.end, fact.end + off)


def seen(sighting: Sighting, left: LayersOf[T], recording: Recording) -> LayersOf[T]:
    """Return the candidates of ``left`` that have the number on some frame of the sighting."""
    equal = Comparison("equal", sighting.value, "value")
    memory = Memory(recording.logical(sighting.said), None, None)
    found = refine(left, equal.predicate, memory)
    first, last = max(0, sighting.first), min(recording.length, sighting.last)
    if first == last:
        return found
    # On other frames of the window, only numbers whose bytes change in it can be different.
    touched = recording.changed(first, last + 1)
    moving: dict[tuple[int, int], sets.CandidateSet] = {}
    open_still = {}
    for layer, candidates in left.items():
        key = (id(candidates), layer.data_type.width)
        if key not in moving:
            moving[key] = candidates.keep(widened(touched, layer.data_type.width))
        open_still[layer] = sets.difference(moving[key], found[layer])
    hits: dict[Layer[T], list[sets.CandidateSet]] = {}
    for frame in range(first, last + 1):
        open_still = {layer: each for layer, each in open_still.items() if each.count}
        if not open_still:
            break
        memory = Memory(recording.glance(frame), None, None)
        for layer, hit in refine(open_still, equal.predicate, memory).items():
            if hit.count:
                hits.setdefault(layer, [found[layer]]).append(hit)
                open_still[layer] = sets.difference(open_still[layer], hit)
    return {**found, **{layer: sets.union(both) for layer, both in hits.items()}}
