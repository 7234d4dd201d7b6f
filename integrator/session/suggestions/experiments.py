"""Experiments in states of recorded play: directions are held, numbers poked, runs repeated."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.experiment import Apart, PicturePairs, Poke
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.suggestion import Guess
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace, merge_offsets
from integrator.session.suggestions.recorded_play import Cancelled, changed_cells, changed_pixels
from libretro_host.host import CapturePlan, CoreHost, Frame


def repeats(host: CoreHost, state: bytes, columns: int) -> bool:
    """True when two runs from a state, with another between them, are alike."""
    plan = CapturePlan(ram=True, picture_every=1)
    runs = []
    # LEFT; then all other directions, and one button; then LEFT again.
    for held in (0x0040, 0x00B1, 0x0040):
        host.unserialize(state, fresh=False)
        runs.append(host.run(np.full((12, columns), held, np.uint16), plan))
    one, _, other = runs
    alike = one.ram is None or other.ram is None or np.array_equal(one.ram, other.ram)
    pictures = zip(one.pictures, other.pictures, strict=True)
    return alike and all(np.array_equal(a.pixels, b.pixels) for a, b in pictures)


PICTURE_EVERY: Final = 4


@dataclass(frozen=True, slots=True)
class PairsOfRuns:
    """Pictures of each ``PICTURE_EVERY``-th frame, where both runs have one of the same size."""

    _rows: list[NDArray[np.bool_]] = field(default_factory=list)
    _columns: list[NDArray[np.bool_]] = field(default_factory=list)
    _bytes: tuple[list[NDArray[np.uint8]], ...] = field(default_factory=lambda: ([], []))

    def add(self, runs: Sequence[NDArray[np.uint8]], pictures: Sequence[tuple[Frame, ...]]) -> None:
        for number, (one, other) in enumerate(zip(*pictures, strict=False), start=1):
            differs = changed_pixels(one, other)
            if differs is not None:
                shown = np.rot90(differs, one.rotation % 4)
                self._rows.append(np.any(shown, axis=1))
                self._columns.append(np.any(shown, axis=0))
                frame = number * PICTURE_EVERY
                # A picture shows the bytes of its frame, or those of the frame before.
                for known, run in zip(self._bytes, runs, strict=True):
                    known.append(run[frame - 2 : frame][::-1])

    def pairs(self) -> PicturePairs | None:
        if not self._rows:
            return None

        def even(lines: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
            # Shorter lines are filled up with pixels that do not differ.
            longest = max(map(len, lines))
            return np.stack([np.pad(line, (0, longest - len(line))) for line in lines])

        one, other = (np.stack(each) for each in self._bytes)
        return PicturePairs(even(self._rows), even(self._columns), one, other)


_HELD_FRAMES: Final = 16


@dataclass(frozen=True, slots=True, eq=False)
class _Idle:
    """A moment without a poke: its state and RAM, and RAM and pictures some frames later."""

    state: bytes
    ram: NDArray[np.uint8]
    after: NDArray[np.uint8]
    pictures: tuple[Frame, ...]


class Experiments:
    """Runs states of recorded play in other ways, and leaves the host anywhere."""

    def __init__(
        self,
        host: CoreHost,
        space: AddressSpace,
        states: Sequence[bytes],
        columns: int,
        cancelled: Cancelled,
        told: Callable[[], None] = lambda: None,
    ) -> None:
        self._host, self._space, self._states, self._columns = host, space, states, columns
        self._cancelled, self._told = cancelled, told
        self._fresh = not repeats(host, states[len(states) // 2], columns)
        # Three, and not the first one, at which the game may not have begun.
        poked = np.linspace(0, len(states) - 1, 5)[1:-1].astype(np.intp)
        self._idle = [self._run(states[k], {}) for k in np.unique(poked).tolist()]
        self._poked: dict[tuple[int, DataType], list[Poke]] = {}

    def apart(self, places: NDArray[np.intp], masks: Sequence[int]) -> Apart:
        """Runs with each direction held, and their pictures; missing buttons move nothing."""
        offsets = np.array([self._offset(place) for place in places.tolist()], np.intp)
        pictures = PairsOfRuns()
        across, down = (
            self._forked(offsets, back, forth, pictures) for back, forth in (masks[:2], masks[2:])
        )
        return Apart(across, down, pictures.pairs())

    def _forked(
        self, offsets: NDArray[np.intp], back: int, forth: int, pictures: PairsOfRuns
    ) -> NDArray[np.int8]:
        flat = np.unique(offsets)
        ranges = merge_offsets(flat.tolist())
        plan = CapturePlan(ranges=ranges, picture=False, picture_every=PICTURE_EVERY)
        columns = np.searchsorted(flat, offsets)
        found = np.zeros((len(self._states), _HELD_FRAMES, len(offsets)), np.int8)
        for number, state in enumerate(self._states):
            if self._cancelled() or back == forth:
                break
            captured, seen = [], []
            for mask in (forth, back):
                rows = np.zeros((_HELD_FRAMES, self._columns), np.uint16)
                rows[:, 0] = mask
                self._host.unserialize(state, self._fresh)
                run = self._host.run(rows, plan)
                held = np.zeros((run.frames, 0), np.uint8) if run.ranges is None else run.ranges
                captured.append(held[:, columns])
                seen.append(run.pictures)
            found[number] = np.subtract(*captured).view(np.int8)
            pictures.add(captured, seen)
            self._told()
        return found

    def poke(self, play: Play, guess: Guess) -> list[Poke]:
        """The outcome at some moments of a number that play had at another time."""
        if self._cancelled():
            return []
        key = guess.place, guess.type
        if key not in self._poked:
            places = range(guess.place, guess.place + guess.type.width)
            offsets = [self._offset(place) for place in places]
            seen = np.stack([play.column(place) for place in places], axis=-1)
            self._poked[key] = list(self._pokes(offsets, seen))
            self._told()
        return self._poked[key]

    def _pokes(self, offsets: Sequence[int], seen: NDArray[np.uint8]) -> Iterator[Poke]:
        for number, idle in enumerate(self._idle):
            # Each moment takes another part of the play, in which numbers differ most likely.
            rolled = np.roll(seen, -len(seen) * number // len(self._idle), axis=0)
            others = np.flatnonzero((rolled != idle.ram[offsets]).any(axis=1))
            if not len(others):
                continue
            wanted = zip(offsets, rolled[others[0]].tolist(), strict=True)
            poked = self._run(idle.state, dict(wanted))
            differs = idle.after != poked.after
            own = int(np.count_nonzero(differs[offsets]))
            pairs = zip(idle.pictures, poked.pictures, strict=True)
            cells = [each for each in (changed_cells(*pair) for pair in pairs) if each is not None]
            squares = int(np.count_nonzero(np.any(cells, axis=0))) if cells else 0
            yield Poke(own > 0, squares, int(np.count_nonzero(differs)) - own)

    def _run(self, state: bytes, poked: Mapping[int, int]) -> _Idle:
        self._host.unserialize(state, self._fresh)
        ram = self._host.read_ram()
        for offset, byte in poked.items():
            self._host.write_ram(offset, bytes([byte]))
        idle = np.zeros((5, self._columns), np.uint16)  # frames until a poke has its effects
        pictures = self._host.run(idle, CapturePlan(picture=False, picture_every=1)).pictures
        return _Idle(state, ram, self._host.read_ram(), pictures)

    def _offset(self, place: int) -> int:
        return int(self._space.offsets(self._space.address_of(place), 1)[0])
