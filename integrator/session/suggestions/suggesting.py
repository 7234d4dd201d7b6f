"""Suggests variables from a copy of recorded play, in a core that runs it again for pictures.

run = SuggestRun(RecordedPlay.take(...), kinds)     # on the thread that owns the session
suggestions = run.run(host)                         # on any one thread
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.recorded.ranges import Recording
from integrator.domain.suggest.play import Play, choose_places
from integrator.domain.suggest.shown import Looks, looks_of_cells
from integrator.domain.suggest.suggest import check_kinds, suggest
from integrator.domain.suggest.suggestion import Suggestion
from integrator.session.suggestions.changed_cells import changed_cells, pixels_of
from integrator.session.suggestions.experiments import Experiments
from integrator.session.suggestions.recorded_play import Cancelled, Progress, RecordedPlay
from libretro_host.frame import Frame
from libretro_host.host import CoreHost

_PICTURE_EVERY: Final = 2
"""Games that draw more things than fit show them in turn: every second picture has the same."""
_MOST_PIXELS: Final = 300_000_000
"""Pictures with more pixels in all are done without; a clock would answer by the machine's load."""
_TOLD_PICTURES: Final = 120
_BOOT_FRAMES: Final = 90
"""Before that frame a console has garbage in RAM."""
_STEPS: Final = 100
_WATCHED: Final = 70
"""The steps after which the play has run; experiments and rules take the rest."""
_MOST_EXPERIMENTS: Final = 100
"""Directions at each moment, and pokes."""

Told = Callable[[tuple[Suggestion, ...]], None]
"""Told suggestions that come early."""


class SuggestRun:
    """Looks through recorded play. Raises SearchError for a kind that there is not."""

    def __init__(self, recorded: RecordedPlay, kinds: Collection[str] | None = None) -> None:
        self._recorded = recorded
        self._kinds = check_kinds(kinds)

    def run(
        self,
        host: CoreHost | None,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
        early: Told | None = None,
    ) -> tuple[Suggestion, ...]:
        """Suggestions, best first in each kind; none when cancelled.

        ``host`` runs the play again and is left where that ends; without one, pictures are done
        without. ``early`` is told what RAM alone says, before that. Raises HostError.
        """
        play = play_of(self._recorded)
        if early is not None:
            early(suggest(self._recorded.space, play, self._kinds))
        states: list[bytes] = []
        if host is not None:
            play = self.watched(play, host, states, progress, cancelled)
        if cancelled is not None and cancelled():
            return ()
        if host is None or play.cells is None:
            found = suggest(self._recorded.space, play, self._kinds)
        else:
            end = host.serialize()
            found = self._tried(host, play, states, progress, cancelled)
            host.unserialize(end)
            if cancelled is not None and cancelled():
                return ()
        if progress is not None:
            progress(_STEPS, _STEPS)
        return found

    def watched(
        self,
        play: Play,
        host: CoreHost,
        states: list[bytes],
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> Play:
        """The play with its pictures; without, where they are too many, or all of other sizes.

        Moments for experiments are added to ``states``. Raises HostError.
        """
        looks: dict[int, NDArray[np.float64]] = {}
        cells = self._cells(host, states, looks, progress, cancelled)
        if cells is None:
            return play
        skipped = rows_left_out(self._recorded)
        return replace(play, cells=cells[skipped:], looks=_looks(looks, skipped))

    def _tried(
        self,
        host: CoreHost,
        play: Play,
        states: Sequence[bytes],
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> tuple[Suggestion, ...]:
        """Suggestions by experiments, too, whose frames are fewer than those of the play."""
        recorded = self._recorded
        columns = recorded.inputs.shape[1]
        done = itertools.count(1)

        def tell() -> None:
            share = min(next(done) / _MOST_EXPERIMENTS, 1)
            if progress is not None:
                progress(_WATCHED + int(share * (_STEPS - _WATCHED)), _STEPS)

        experiments = Experiments(host, recorded.space, states, columns, cancelled, tell)
        masks = [recorded.mask(name) for name in ("LEFT", "RIGHT", "UP", "DOWN")]
        play = replace(play, apart=experiments.apart(play.places, masks))
        return suggest(
            recorded.space, play, self._kinds, lambda guess: experiments.poke(play, guess)
        )

    def _cells(
        self,
        host: CoreHost,
        states: list[bytes],
        looks: dict[int, NDArray[np.float64]],
        progress: Progress | None,
        cancelled: Cancelled | None,
    ) -> NDArray[np.bool_] | None:
        """The parts of the picture that changed, bool (frames, rows, columns).

        The looks of each picture's cells are added to ``looks`` by its row.
        """
        recorded = self._recorded
        total = len(recorded.inputs)
        last: Frame | None = None
        changed: list[tuple[int, NDArray[np.bool_]]] = []
        for number, frame in recorded.pictures(host, _PICTURE_EVERY, cancelled, states):
            if total // _PICTURE_EVERY * frame.width * frame.height > _MOST_PIXELS:
                return None
            looks[number - recorded.first] = looks_of_cells(pixels_of(frame))
            cells = None if last is None else changed_cells(last, frame)
            if cells is not None:
                changed.append((number - recorded.first, cells))
            last = frame
            if changed and len(changed) % _TOLD_PICTURES == 0:
                done = number - recorded.first
                if progress is not None:
                    progress(done * _WATCHED // total, _STEPS)
        if not changed:
            return None
        shape = Counter(cells.shape for _, cells in changed).most_common(1)[0][0]
        result = np.zeros((total + 1, *shape), np.bool_)
        for row, cells in changed:
            if cells.shape == shape:
                result[row] = cells
        return result


def _looks(seen: dict[int, NDArray[np.float64]], skipped: int) -> Looks | None:
    """The looks of pictures from a row on, of the usual size alone."""
    shown = {row - skipped: looks for row, looks in seen.items() if row >= skipped}
    if not shown:
        return None
    shape = Counter(looks.shape for looks in shown.values()).most_common(1)[0][0]
    rows = [row for row, looks in shown.items() if looks.shape == shape]
    every = np.stack([shown[row] for row in rows])
    ids = np.unique(every, return_inverse=True)[1].reshape(every.shape).astype(np.int32)
    return Looks(np.array(rows, np.intp), ids)


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
    # Not by the recording, which keeps each RAM: large ones would fill the machine's memory.
    places = choose_places(
        lambda frame: space.logical(history.ram(frame)), changed, first, (across, down)
    )
    others = [name for name in recorded.buttons if name not in ("UP", "DOWN", "LEFT", "RIGHT")]
    return Play(
        places,
        recording.bytes_over(places, first, stop),
        recording.logical(recorded.last),
        across,
        down,
        recorded.held(*(name for name in others if name))[skipped:],
        recorded.steady[skipped:],
    )
