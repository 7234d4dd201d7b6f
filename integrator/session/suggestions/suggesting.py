"""Suggests variables from a copy of recorded play, in a core that runs it for pictures."""

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.ranges import Recording
from integrator.domain.suggest.play import Play, choose_places, without_mirrors
from integrator.domain.suggest.screen import Looks, ScreenNumber, boxes_of_cells, looks_of_cells
from integrator.domain.suggest.solving import read_play
from integrator.domain.suggest.suggest import check_kinds, suggest
from integrator.domain.suggest.suggestion import SeenNumber, Suggestion
from integrator.session.suggestions import recorded_play
from integrator.session.suggestions.experiments import Experiments
from integrator.session.suggestions.recorded_play import Cancelled, Progress, RecordedPlay
from libretro_host.host import CoreHost

# Games that draw more things than fit show them in turn: every second picture has the same.
_PICTURE_EVERY: Final = 2
# Pictures with more pixels in all are left out; a clock would answer by the machine's load.
_MOST_PIXELS: Final = 300_000_000
_BOOT_FRAMES: Final = 90  # in which a console has garbage in RAM
_STEPS: Final = 100
_WATCHED: Final = 70  # steps after which the play has run; experiments and rules take the rest

Told = Callable[[tuple[Suggestion, ...]], None]  # called with suggestions that come early


class SuggestRun:
    """Looks through recorded play. Raises SearchError for a kind that there is not."""

    def __init__(self, recorded: RecordedPlay, kinds: Collection[str] | None = None) -> None:
        self._recorded = recorded
        self._kinds = check_kinds(kinds)
        self._pictures: dict[int, NDArray[np.uint8]] = {}

    def run(
        self,
        host: CoreHost | None,
        progress: Progress = lambda *_: None,
        cancelled: Cancelled = lambda: False,
        early: Told | None = None,
    ) -> tuple[Suggestion, ...]:
        """Suggestions, best first in each kind; ``early`` gets RAM's own. Raises HostError."""
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
        return tuple(replace(each, seen=tuple(self._seen(each))) for each in found)

    def _seen(self, each: Suggestion) -> Iterator[SeenNumber]:
        if each.box is None:
            return
        recorded, (x, y, width, height) = self._recorded, each.box
        [values] = recorded.numbers([(each.address, each.type)], len(recorded.inputs) + 1)
        if each.mask is not None:
            values = (values & each.mask) // (each.mask & -each.mask)
        # A number that has changed in the last six frames may not be drawn yet.
        rows = (row for row in self._pictures if row >= 6 and values[row] == values[row - 6])
        rested = {int(values[row]): row for row in rows}
        order = sorted(rested)
        # Crops of the least, a middle and the largest number, with two more pixels on each side.
        for at in np.unique(np.linspace(0, len(order) - 1, 3).astype(np.intp)).tolist():
            row, edge = rested[order[at]], 2
            high = slice(max(0, y - edge), y + height + edge)
            crop = self._pictures[row][high, max(0, x - edge) : x + width + edge]
            yield SeenNumber(recorded.first + row, order[at], crop)

    def screen_numbers(self, host: CoreHost) -> tuple[ScreenNumber, ...]:
        """The numbers that are read on the screen, by frames of the line. Raises HostError."""
        play = self.watched(play_of(self._recorded), host, [])
        first = self._recorded.first + rows_left_out(self._recorded)
        return tuple(replace(each, frames=each.frames + first) for each in read_play(play))

    def watched(
        self,
        play: Play,
        host: CoreHost,
        states: list[bytes],
        progress: Progress = lambda *_: None,
        cancelled: Cancelled = lambda: False,
    ) -> Play:
        """The play with its pictures where they fit; adds to ``states``. Raises HostError."""
        recorded, total = self._recorded, len(self._recorded.inputs)
        looks: dict[int, NDArray[np.float64]] = {}
        for number, frame in recorded.pictures(host, _PICTURE_EVERY, cancelled, states):
            if total // _PICTURE_EVERY * frame.width * frame.height > _MOST_PIXELS:
                return play
            looks[number - recorded.first] = looks_of_cells(recorded_play.pixels_of(frame))
            # Some 40 whole pictures are kept.
            if len(looks) % (total // _PICTURE_EVERY // 40 + 1) == 0:
                self._pictures[number - recorded.first] = frame.rgb()
            if len(looks) % 120 == 0:  # pictures
                progress((number - recorded.first) * _WATCHED // total, _STEPS)
        return with_pictures(play, looks, rows_left_out(recorded))

    def _tried(
        self,
        host: CoreHost,
        play: Play,
        states: Sequence[bytes],
        progress: Progress,
        cancelled: Cancelled,
    ) -> tuple[Suggestion, ...]:
        """Suggestions by experiments, too, whose frames are fewer than those of the play."""
        recorded, done = self._recorded, itertools.count(1)

        def tell() -> None:
            share = min(next(done) / 100, 1)  # of directions at each moment, and pokes
            progress(_WATCHED + int(share * (_STEPS - _WATCHED)), _STEPS)

        columns = recorded.inputs.shape[1]
        experiments = Experiments(host, recorded.space, states, columns, cancelled, tell)
        masks = [recorded.mask(name) for name in ("LEFT", "RIGHT", "UP", "DOWN")]
        play = replace(play, apart=experiments.apart(play.places, masks))
        poke = partial(experiments.poke, play)
        return suggest(recorded.space, play, self._kinds, poke)


def with_pictures(play: Play, seen: Mapping[int, NDArray[np.float64]], skipped: int) -> Play:
    """The play with looks of pictures of the usual size, the first of which are left out."""
    if not seen:
        return play
    shape = Counter(looks.shape for looks in seen.values()).most_common(1)[0][0]
    rows = [row for row, looks in seen.items() if looks.shape == shape and row >= skipped]
    if len(rows) < 2:
        return play
    every = np.stack([seen[row] for row in rows])
    cells = np.zeros((len(play.ram), *shape), np.bool_)
    at = np.array(rows, np.intp) - skipped
    cells[at[1:]] = every[1:] != every[:-1]
    looks = Looks.of(at, every.reshape(len(rows), -1), boxes_of_cells(*shape))
    return replace(play, cells=cells, looks=(looks,))


def rows_left_out(recorded: RecordedPlay) -> int:
    """The first rows of recorded play, in which a console that was switched on has garbage."""
    return max(0, min(_BOOT_FRAMES, recorded.last - _BOOT_FRAMES) - recorded.first)


def play_of(recorded: RecordedPlay) -> Play:
    """Recorded play without :func:`rows_left_out`, and without pictures."""
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
        # Not by the recording, which keeps each RAM: large ones would fill the machine's memory.
        return space.logical(history.ram(frame))

    # Mirrors are equal at eight moments from all over the play.
    moments = np.linspace(first, stop - 1, 8).astype(np.intp).tolist()
    own = without_mirrors(space, changed, [ram_at(frame) for frame in moments])
    places = choose_places(ram_at, own, first, (across, down))
    others = [name for name in recorded.buttons if name not in ("UP", "DOWN", "LEFT", "RIGHT")]
    ram, rest = recording.bytes_over(places, first, stop), recording.logical(recorded.last)
    pressed, steady = recorded.held(*filter(None, others))[skipped:], recorded.steady[skipped:]
    return Play(places, ram, rest, across, down, pressed=pressed, steady=steady)
