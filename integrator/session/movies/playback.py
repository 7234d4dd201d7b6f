"""A movie that is being played: which row comes next, and whether RAM is still as recorded."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from integrator.domain.movies.model import Movie, MovieEvent, ram_hash
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame.inputs import Inputs


class Playback:
    """Plays the rows of a movie once. Row 0 becomes frame ``first_frame`` of the timeline.

    The present row follows from the timeline's length alone, so that it stays right after a seek,
    and after a crash in the middle of a chunk. ``desync_row`` is the first row after which RAM
    differed from the recording; None as long as there is none.
    """

    def __init__(
        self, movie: Movie, log: Timeline, *, checked: bool = True, axes: Sequence[str] = ()
    ) -> None:
        self.movie = movie
        self.first_frame = log.length + 1
        self.desync_row: int | None = None
        # The reason to expect RAM other than recorded; empty while none is known.
        self.meddled = ""
        self._log = log
        # A row's axes are its last columns; those that the movie does not move are at rest.
        rest = np.zeros(movie.frames, np.int16)
        self._axes = [movie.axes.get(name, rest).view(np.uint16) for name in axes]
        hashes = movie.ram_hashes if checked else None
        self._rows = np.zeros(0, np.int64) if hashes is None else hashes.rows
        self._digests = np.zeros(0, np.uint64) if hashes is None else hashes.digests
        self._event_rows = np.array([event.row for event in movie.events], np.int64)

    @property
    def position(self) -> int:
        """The row that comes next."""
        return self._log.length + 1 - self.first_frame

    @property
    def remaining(self) -> int:
        """Rows not yet played."""
        return max(0, self.movie.frames - self.position)

    def covers(self, frame: int) -> bool:
        """True when the movie goes on after ``frame`` of the timeline."""
        return self.first_frame <= frame + 1 < self.first_frame + self.movie.frames

    def events_here(self) -> tuple[MovieEvent, ...]:
        """Console buttons that the movie presses before its next row."""
        start, stop = np.searchsorted(self._event_rows, [self.position, self.position + 1])
        return self.movie.events[start:stop]

    def override(self, live: Inputs) -> Inputs:
        """The beginning of ``live`` with the movie's next rows in it, up to its next event.

        Ports that the movie lacks stay live. There is at least one row while any remain.
        """
        row = self.position
        ahead = np.searchsorted(self._event_rows, row, side="right")
        stop = int(self._event_rows[ahead]) if ahead < len(self._event_rows) else self.movie.frames
        rows = self.movie.inputs[row : min(stop, row + len(live))]
        merged = live[: len(rows)].copy()
        players = live.shape[1] - len(self._axes)
        ports = min(players, rows.shape[1])
        merged[:, :ports] = rows[:, :ports]
        for column, numbers in enumerate(self._axes, players):
            merged[:, column] = numbers[row : row + len(rows)]
        return merged

    def check(self, first_frame: int, frames: int, ram: NDArray[np.uint8]) -> bool:
        """Compare a chunk that was just run; true when it is the first to leave the recording.

        ``ram`` is RAM after it. Checked is the chunk's last row that has a hash, and when it
        differs, the others before it, since RAM that once differs stays so.
        """
        if self.desync_row is not None:
            return False
        first = first_frame - self.first_frame
        start, stop = np.searchsorted(self._rows, [first, first + frames]).tolist()
        if start == stop or self._agrees(stop - 1, ram if self._is_last(stop - 1) else None):
            return False
        wrong = next((i for i in range(start, stop - 1) if not self._agrees(i)), stop - 1)
        self.desync_row = int(self._rows[wrong])
        return True

    def _is_last(self, index: int) -> bool:
        return int(self._rows[index]) == self.position - 1

    def _agrees(self, index: int, ram: NDArray[np.uint8] | None = None) -> bool:
        if ram is None:
            ram = self._log.ram(self.first_frame + int(self._rows[index]))
        return ram_hash(ram) == int(self._digests[index])
