"""Suggests variables from a copy of recorded play, which a core runs again, and experiments."""

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.ranges import Recording
from integrator.domain.suggest import play as plays
from integrator.domain.suggest.bands import looks_at
from integrator.domain.suggest.screen import CELL_PIXELS, ScreenNumber, StripTable
from integrator.domain.suggest.solving import read_play
from integrator.domain.suggest.suggest import check_kinds, suggest
from integrator.domain.suggest.suggestion import Guess, SeenNumber, Suggestion
from integrator.domain.values.memory import AddressSpace, DataType, merge_offsets
from integrator.session.suggestions import recorded_play
from libretro_host.host import CapturePlan, CoreHost, Frame


def repeats(host: CoreHost, state: bytes, columns: int) -> bool:
    """Return True if two runs from a state are alike, though another run is between them."""
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


@dataclass(frozen=True, slots=True)
class PairsOfRuns:
    """Differences between two runs' pictures of each ``PAIR_EVERY``-th frame, if equal in size."""

    _rows: list[NDArray[np.bool_]] = field(default_factory=list)
    _columns: list[NDArray[np.bool_]] = field(default_factory=list)
    _bytes: tuple[list[NDArray[np.uint8]], ...] = field(default_factory=lambda: ([], []))

    def add(self, runs: Sequence[NDArray[np.uint8]], pictures: Sequence[tuple[Frame, ...]]) -> None:
        for number, (one, other) in enumerate(zip(*pictures, strict=False), start=1):
            differs = recorded_play.changed_pixels(one, other)
            if differs is not None:
                shown = np.rot90(differs, one.rotation % 4)
                self._rows.append(np.any(shown, axis=1))
                self._columns.append(np.any(shown, axis=0))
                frame = number * PAIR_EVERY
                # A picture shows the bytes of its frame, or of the frame before.
                for known, run in zip(self._bytes, runs, strict=True):
                    known.append(run[frame - 2 : frame][::-1])

    def pairs(self) -> plays.PicturePairs | None:
        if not self._rows:
            return None

        def even(lines: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
            # Pad shorter lines with pixels that do not differ.
            longest = max(map(len, lines))
            return np.stack([np.pad(line, (0, longest - len(line))) for line in lines])

        one, other = (np.stack(each) for each in self._bytes)
        return plays.PicturePairs(even(self._rows), even(self._columns), one, other)


@dataclass(frozen=True, slots=True, eq=False)
class _Idle:
    """A moment of play, perhaps with a poke: state, RAM, and RAM and pictures 5 frames later."""

    state: bytes
    ram: NDArray[np.uint8]
    after: NDArray[np.uint8]
    pictures: tuple[Frame, ...]


class Experiments:
    """Runs states of recorded play with other inputs and pokes; leaves the host at any frame."""

    def __init__(
        self,
        host: CoreHost,
        space: AddressSpace,
        states: Sequence[bytes],
        columns: int,
        cancelled: recorded_play.Cancelled,
        told: Callable[[], None] = lambda: None,
    ) -> None:
        self._host, self._space, self._states, self._columns = host, space, states, columns
        self._cancelled, self._told = cancelled, told
        self._fresh = not repeats(host, states[len(states) // 2], columns)
        # Poke at three moments, but not at the first one, when the game may not have begun.
        poked = np.linspace(0, len(states) - 1, 5)[1:-1].astype(np.intp)
        self._idle = [self._run(states[k], {}) for k in np.unique(poked).tolist()]
        self._poked: dict[tuple[int, DataType], list[plays.Poke]] = {}

    def apart(self, places: NDArray[np.intp], masks: Sequence[int]) -> plays.Apart:
        """Run each state with opposite directions held; return the differences in RAM and pictures.

        A direction whose button is missing gives no differences."""
        offsets = np.array([self._offset(place) for place in places.tolist()], np.intp)
        pictures = PairsOfRuns()
        across, down = (
            self._forked(offsets, back, forth, pictures) for back, forth in (masks[:2], masks[2:])
        )
        return plays.Apart(across, down, pictures.pairs())

    def _forked(
        self, offsets: NDArray[np.intp], back: int, forth: int, pictures: PairsOfRuns
    ) -> NDArray[np.int8]:
        flat = np.unique(offsets)
        ranges = merge_offsets(flat.tolist())
        plan = CapturePlan(ranges=ranges, picture=False, picture_every=PAIR_EVERY)
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

    def poke(self, play: plays.Play, guess: Guess) -> list[plays.Poke]:
        """Poke numbers that play had at other times at some moments; return the outcomes."""
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

    def _pokes(self, offsets: Sequence[int], seen: NDArray[np.uint8]) -> Iterator[plays.Poke]:
        for number, idle in enumerate(self._idle):
            # Each moment gets its number from another part of the play, where it likely differs.
            rolled = np.roll(seen, -len(seen) * number // len(self._idle), axis=0)
            others = np.flatnonzero((rolled != idle.ram[offsets]).any(axis=1))
            if not len(others):
                continue
            wanted = zip(offsets, rolled[others[0]].tolist(), strict=True)
            poked = self._run(idle.state, dict(wanted))
            differs = idle.after != poked.after
            own = int(np.count_nonzero(differs[offsets]))
            pixels = map(recorded_play.changed_pixels, idle.pictures, poked.pictures)
            cells = [recorded_play.cells_of(each) for each in pixels if each is not None]
            squares = np.argwhere(np.any(cells, axis=0)) if cells else np.empty((0, 2), np.intp)
            yield plays.Poke(own > 0, squares, int(np.count_nonzero(differs)) - own)

    def _run(self, state: bytes, poked: Mapping[int, int]) -> _Idle:
        self._host.unserialize(state, self._fresh)
        ram = self._host.read_ram()
        for offset, byte in poked.items():
            self._host.write_ram(offset, bytes([byte]))
        idle = np.zeros((5, self._columns), np.uint16)  # frames until a poke has its effects
        pictures = self._host.run(idle, CapturePlan(picture=False, picture_every=1)).pictures
        return _Idle(state, ram, self._host.read_ram(), pictures)

    def _offset(self, place: int) -> int:
        return self._space.offset(self._space.address_of(place))


PAIR_EVERY: Final = 4  # frames from one pair of pictures to the next
_HELD_FRAMES: Final = 16
# Games with too many sprites show them in turn, so every second picture has the same ones.
_PICTURE_EVERY: Final = 2
# If all pictures have more pixels, none are used. A time limit would depend on the load instead.
_MOST_PIXELS: Final = 300_000_000
_BOOT_FRAMES: Final = 90  # frames after power-on with garbage in RAM
_STEPS: Final = 100
_WATCHED: Final = 70  # steps of the play's run; experiments and rules take the other steps

Told = Callable[[tuple[Suggestion, ...]], None]  # called with the first suggestions


class SuggestRun:
    """Suggests variables from recorded play. Raises SearchError for an unknown kind."""

    def __init__(
        self, recorded: recorded_play.RecordedPlay, kinds: Collection[str] | None = None
    ) -> None:
        self._recorded = recorded
        self._kinds = check_kinds(kinds)
        self._pictures: dict[int, NDArray[np.uint8]] = {}

    def run(
        self,
        host: CoreHost | None,
        progress: recorded_play.Progress = lambda *_: None,
        cancelled: recorded_play.Cancelled = lambda: False,
        early: Told | None = None,
    ) -> tuple[Suggestion, ...]:
        """Return suggestions, best first in each kind; ``early`` gets those from RAM alone.

        Raises HostError."""
        space, play, states = self._recorded.space, play_of(self._recorded), list[bytes]()
        if early is not None:
            early(suggest(space, play, self._kinds))
        if host is not None:
            play = self.watched(play, host, states, progress, cancelled)
        if cancelled():
            return ()
        if host is None or play.cells is None:
            found = suggest(space, play, self._kinds)
        else:
            end = host.serialize()
            found = self._tried(host, play, states, progress, cancelled)
            host.unserialize(end)
        if cancelled():
            return ()
        progress(_STEPS, _STEPS)
        numbers = self._recorded.suggested(found, len(self._recorded.inputs) + 1)
        return tuple(
            replace(each, seen=tuple(self._seen(each, values)))
            for each, values in zip(found, numbers, strict=True)
        )

    def _seen(self, each: Suggestion, values: NDArray[np.int64]) -> Iterator[SeenNumber]:
        if each.box is None:
            return
        recorded, (x, y, width, height) = self._recorded, each.box
        # A number that has changed in the last six frames may not be drawn yet.
        rows = (row for row in self._pictures if row >= 6 and values[row] == values[row - 6])
        rested = {int(values[row]): row for row in rows}
        order = sorted(rested)
        # Crop pictures of the least, a middle and the largest number, with a margin of two pixels.
        for at in np.unique(np.linspace(0, len(order) - 1, 3).astype(np.intp)).tolist():
            row, edge = rested[order[at]], 2
            high = slice(max(0, y - edge), y + height + edge)
            crop = self._pictures[row][high, max(0, x - edge) : x + width + edge]
            yield SeenNumber(recorded.first + row, order[at], crop)

    def screen_numbers(self, host: CoreHost) -> tuple[ScreenNumber, ...]:
        """Return the numbers read on the screen, by the line's frames. Raises HostError."""
        play = self.watched(play_of(self._recorded), host, [])
        first = self._recorded.first + rows_left_out(self._recorded)
        return tuple(replace(each, frames=each.frames + first) for each in read_play(play))

    def watched(
        self,
        play: plays.Play,
        host: CoreHost,
        states: list[bytes],
        progress: recorded_play.Progress = lambda *_: None,
        cancelled: recorded_play.Cancelled = lambda: False,
    ) -> plays.Play:
        """Run the play, and return it with its pictures, unless these are too many or too large.

        States of the run are added to ``states``. Raises HostError."""
        recorded, total = self._recorded, len(self._recorded.inputs)
        strips, table = dict[int, NDArray[np.uint16]](), StripTable()
        for number, frame in recorded.pictures(host, _PICTURE_EVERY, cancelled, states):
            if total // _PICTURE_EVERY * frame.width * frame.height > _MOST_PIXELS:
                return play
            strips[number - recorded.first] = table.strips_of(frame.words)
            # Keep about 40 whole pictures.
            if len(strips) % (total // _PICTURE_EVERY // 40 + 1) == 0:
                self._pictures[number - recorded.first] = frame.rgb()
            if len(strips) % 120 == 0:  # pictures
                progress((number - recorded.first) * _WATCHED // total, _STEPS)
        return with_pictures(play, strips, table, rows_left_out(recorded))

    def _tried(
        self,
        host: CoreHost,
        play: plays.Play,
        states: Sequence[bytes],
        progress: recorded_play.Progress,
        cancelled: recorded_play.Cancelled,
    ) -> tuple[Suggestion, ...]:
        """Suggest variables by experiments, too, which run fewer frames than the play has."""
        recorded, done = self._recorded, itertools.count(1)

        def tell() -> None:
            share = min(next(done) / 100, 1)  # about 100 steps: directions at moments, and pokes
            progress(_WATCHED + int(share * (_STEPS - _WATCHED)), _STEPS)

        columns = recorded.inputs.shape[1]
        experiments = Experiments(host, recorded.space, states, columns, cancelled, tell)
        masks = [recorded.mask(name) for name in ("LEFT", "RIGHT", "UP", "DOWN")]
        play = replace(play, apart=experiments.apart(play.places, masks))
        poke = partial(experiments.poke, play)
        return suggest(recorded.space, play, self._kinds, poke)


def with_pictures(
    play: plays.Play, seen: Mapping[int, NDArray[np.uint16]], table: StripTable, skipped: int
) -> plays.Play:
    """Return the play with its pictures as strips of a table, those of the most frequent size.

    Pictures of the first ``skipped`` rows are left out."""
    shapes = Counter(strips.shape for strips in seen.values())
    shape = max(shapes, key=lambda each: shapes[each], default=())
    rows = [row for row, strips in seen.items() if strips.shape == shape and row >= skipped]
    if len(rows) < 2:
        return play
    at, strips = np.array(rows, np.intp) - skipped, np.stack([seen[row] for row in rows])
    high, wide = shape[0] // CELL_PIXELS, shape[1]
    changed = (strips[1:] != strips[:-1])[:, : high * CELL_PIXELS]
    cells = np.zeros((len(play.ram), high, wide), np.bool_)
    cells[at[1:]] = changed.reshape(-1, high, CELL_PIXELS, wide).any(axis=2)
    return replace(play, cells=cells, looks=tuple(looks_at(at, strips, table)))


def rows_left_out(recorded: recorded_play.RecordedPlay) -> int:
    """Return how many first rows to leave out, because RAM has garbage after power-on."""
    return max(0, min(_BOOT_FRAMES, recorded.last - _BOOT_FRAMES) - recorded.first)


def play_of(recorded: recorded_play.RecordedPlay) -> plays.Play:
    """Return recorded play without its first :func:`rows_left_out`, and without pictures."""
    skipped = rows_left_out(recorded)
    first, stop = recorded.first + skipped, recorded.last + 1
    recording = Recording(recorded.space, recorded.history)
    across, down = (
        (recorded.held(forth) - recorded.held(back))[skipped:]
        for back, forth in (("LEFT", "RIGHT"), ("UP", "DOWN"))
    )
    changed = np.flatnonzero(recording.changed(first, stop))
    space, history = recorded.space, recorded.history

    def ram_at(frame: int) -> NDArray[np.uint8]:
        # The recording would cache each RAM, and large ones would fill the machine's memory.
        return space.logical(history.ram(frame))

    # A region that equals another at eight moments from all over the play is its mirror.
    moments = np.linspace(first, stop - 1, 8).astype(np.intp).tolist()
    own = plays.own_places(space, changed, [ram_at(frame) for frame in moments])
    places = plays.choose_places(ram_at, own, first, (across, down))
    ram, rest = recording.bytes_over(places, first, stop), recording.logical(recorded.last)
    borders = frozenset(space.index_of(region.address) for region in space.regions)
    return plays.Play(places, ram, rest, across, down, recorded.steady[skipped:], borders=borders)
