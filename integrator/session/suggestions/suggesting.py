"""Suggests variables from a copy of recorded play, in a core that runs it again for pictures.

run = SuggestRun(RecordedPlay.take(...), kinds)     # on the thread that owns the session
suggestions = run.run(host)                         # on any one thread
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.recorded.recording import Recording
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.sampling import choose_places
from integrator.domain.suggest.suggest import check_kinds, suggest
from integrator.domain.suggest.suggestion import Suggestion
from integrator.session.suggestions.recorded_play import Cancelled, Progress, RecordedPlay
from libretro_host.frame import Frame
from libretro_host.host import CoreHost

_CELL_PIXELS: Final = 8
_PICTURE_EVERY: Final = 2
"""Games that draw more things than fit show them in turn: every second picture has the same."""
_MOST_PIXELS: Final = 300_000_000
"""Pictures with more pixels in all are done without; a clock would answer by the machine's load."""
_TOLD_PICTURES: Final = 120
_BOOT_FRAMES: Final = 90
"""Before that frame a console has garbage in RAM."""
_STEPS: Final = 100


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
    ) -> tuple[Suggestion, ...]:
        """Suggestions, best first in each kind; none when cancelled.

        ``host`` runs the play again and is left where that ends; without one, pictures are done
        without. Raises HostError.
        """
        cells = None if host is None else self._cells(host, progress, cancelled)
        play = play_of(self._recorded, cells)
        if cancelled is not None and cancelled():
            return ()
        found = suggest(self._recorded.space, play, self._kinds)
        if progress is not None:
            progress(_STEPS, _STEPS)
        return found

    def _cells(
        self, host: CoreHost, progress: Progress | None, cancelled: Cancelled | None
    ) -> NDArray[np.bool_] | None:
        """The parts of the picture that changed, bool (frames, rows, columns)."""
        recorded = self._recorded
        total = len(recorded.inputs)
        last: Frame | None = None
        changed: list[tuple[int, NDArray[np.bool_]]] = []
        for number, frame in recorded.pictures(host, _PICTURE_EVERY, cancelled):
            if total // _PICTURE_EVERY * frame.width * frame.height > _MOST_PIXELS:
                return None
            if last is not None and last.pixels.shape == frame.pixels.shape:
                changed.append((number - recorded.first, _changed_cells(last, frame)))
            last = frame
            if changed and len(changed) % _TOLD_PICTURES == 0:
                done = number - recorded.first
                if progress is not None:
                    progress(done * (_STEPS - 10) // total, _STEPS)
        if not changed:
            return None
        shape = Counter(cells.shape for _, cells in changed).most_common(1)[0][0]
        result = np.zeros((total + 1, *shape), np.bool_)
        for row, cells in changed:
            if cells.shape == shape:
                result[row] = cells
        return result


def rows_left_out(recorded: RecordedPlay) -> int:
    """The first rows of recorded play, in which a console that was switched on has garbage."""
    return max(0, min(_BOOT_FRAMES, recorded.last - _BOOT_FRAMES) - recorded.first)


def play_of(recorded: RecordedPlay, cells: NDArray[np.bool_] | None = None) -> Play:
    """Recorded play without :func:`rows_left_out`; ``cells`` are the changes of its pictures."""
    skipped = rows_left_out(recorded)
    first, stop = recorded.first + skipped, recorded.last + 1
    recording = Recording(recorded.space, recorded.history)
    across = (recorded.held("RIGHT") - recorded.held("LEFT"))[skipped:]
    changed = np.flatnonzero(recording.changed(first, stop))
    space, history = recorded.space, recorded.history
    # Not by the recording, which keeps each RAM: large ones would fill the machine's memory.
    places = choose_places(lambda frame: space.logical(history.ram(frame)), changed, first, across)
    others = [name for name in recorded.buttons if name not in ("UP", "DOWN", "LEFT", "RIGHT")]
    return Play(
        places,
        recording.bytes_over(places, first, stop),
        recording.logical(recorded.last),
        across,
        (recorded.held("DOWN") - recorded.held("UP"))[skipped:],
        recorded.held(*(name for name in others if name))[skipped:],
        recorded.steady[skipped:],
        None if cells is None else cells[skipped:],
    )


def _changed_cells(before: Frame, after: Frame) -> NDArray[np.bool_]:
    """True for each square of pixels in which two pictures of one size differ."""
    word = f"u{after.pixel_format.bytes_per_pixel}"
    differs = (before.pixels.view(word) != after.pixels.view(word))[:, : after.width]
    height, width = differs.shape
    padded = np.pad(differs, ((0, -height % _CELL_PIXELS), (0, -width % _CELL_PIXELS)))
    rows, columns = (length // _CELL_PIXELS for length in padded.shape)
    squares = padded.reshape(rows, _CELL_PIXELS, columns, _CELL_PIXELS)
    cells: NDArray[np.bool_] = np.any(squares, axis=(1, 3))
    return cells
