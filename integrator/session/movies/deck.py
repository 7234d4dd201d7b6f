"""The movies of a session: the one that is being recorded, and the one that is being played."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import MovieError
from integrator.domain.movies.model import CoreStamp, Movie
from integrator.domain.roms.header import rom_hashes
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame.inputs import Inputs
from integrator.session.frame.result import (
    Event,
    MovieDesync,
    MovieWarning,
    PlaybackEnded,
    RecordingStopped,
)
from integrator.session.movies.playback import Playback
from integrator.session.movies.recording import MovieIdentity, MovieRecording


class MovieDeck:
    """Records and plays the session's frames.

    ``tell`` gets events; ``identity`` is asked at each recording.
    """

    def __init__(
        self, log: Timeline, identity: Callable[[], MovieIdentity], tell: Callable[[Event], None]
    ) -> None:
        self._log = log
        self._identity = identity
        self._tell = tell
        self.recording: MovieRecording | None = None
        self.playback: Playback | None = None
        # The movie begun last, kept after its end because its facts are asked for later.
        self.started: Playback | None = None

    # -- recording --------------------------------------------------------------------------

    def new_recording(self, path: Path) -> MovieRecording:
        """A recording that is not yet taken up. Raises MovieError."""
        return MovieRecording(path, self._identity(), self._log)

    def stop_recording(self) -> Path | None:
        """Complete the movie being recorded and return its path; None without one."""
        recording, self.recording = self.recording, None
        return recording.finish() if recording else None

    def before_poke(self) -> None:
        """Somebody is about to change memory by hand. Raises MovieError while recording.

        A movie holds buttons only, so it would not replay; one that plays goes out of step.
        """
        if self.recording is not None:
            raise MovieError(
                f"{self.recording.path}: it would not replay with memory changed by hand; stop "
                "recording first"
            )
        if self.playback is not None:
            self.playback.meddled = "memory was changed by hand while it played"

    def finish_run(self) -> None:
        """Complete the present movie before a jump, because a movie is one unbroken run."""
        if self.recording is None:
            return
        path = self.recording.finish()
        if not self.recording.by_episode:
            self.recording = None
        if path is not None:
            goes_on = self.recording is not None
            self._tell(RecordingStopped(f"{path} is complete", path=path, goes_on=goes_on))

    def add(self, first_frame: int, inputs: Inputs, ram: NDArray[np.uint8]) -> None:
        """Take frames that were just run; ``ram`` is RAM after them."""
        if self.recording is not None:
            self.recording.add_rows(first_frame, inputs, ram)
        playback = self.playback
        if playback is None:
            return
        if playback.check(first_frame, len(inputs), ram):
            path, row = playback.movie.path, playback.desync_row or 0
            number = playback.first_frame + row
            why = playback.meddled or "RAM is not as recorded"
            text = f"{path.name} is out of step from its row {row} on: {why}"
            self._tell(MovieDesync(text, path=path, row=row, number=number))
        if not playback.remaining:
            self.playback = None
            path = playback.movie.path
            self._tell(PlaybackEnded(f"{path.name} has ended; inputs are live", path=path))

    def go_back(self, frame: int) -> bool:
        """Go on after an earlier frame. True if the frames after it come from a movie anyway."""
        if self.recording is not None and not self.recording.go_back(frame):
            self.finish_run()
        if self.playback is None:
            return False
        if self.playback.covers(frame):
            return True
        path, self.playback = self.playback.movie.path, None
        self._tell(PlaybackEnded(f"{path.name} was left; inputs are live", path=path, left=True))
        return False

    # -- playing ----------------------------------------------------------------------------

    @property
    def playing(self) -> Movie | None:
        """The movie being played."""
        return self.playback.movie if self.playback else None

    def is_of_other_rom(self, movie: Movie) -> bool:
        """True when the movie names a hash, and the open game's ROM has another."""
        rom = self._identity().rom
        hashes = rom_hashes(rom) if movie.rom_hash and rom is not None else None
        return hashes is not None and movie.rom_hash not in hashes.every

    def start(self, movie: Movie, core: CoreStamp, *, held: bool = False) -> Playback:
        """Play ``movie`` from the next frame on, and report doubts about it.

        ``held``: values are held meanwhile, which they were not in the recording.
        """
        for warning in movie.warnings:
            self._tell(MovieWarning(f"{movie.path.name}: {warning}", path=movie.path))
        if movie.core is not None and movie.core != core:
            text = (
                f"{movie.path.name}: recorded with {movie.core.name} {movie.core.version}, "
                f"but this is {core.name} {core.version}; it may go out of step"
            )
            self._tell(MovieWarning(text, path=movie.path))
        if self.is_of_other_rom(movie):
            text = f"{movie.path.name}: recorded with another ROM ({movie.rom_hash})"
            self._tell(MovieWarning(f"{text}; it may go out of step", path=movie.path))
        players = self._identity().players
        if movie.players > players:
            text = f"{movie.path.name}: of its {movie.players} players, {players} can play here"
            self._tell(MovieWarning(text, path=movie.path))
        checked = movie.ram_hashes is not None and self._identity().sees_all_memory
        axes = tuple(self._identity().axes)
        self.playback = self.started = Playback(movie, self._log, checked=checked, axes=axes)
        if missing := sorted(movie.axes.keys() - set(axes)):
            text = f"{movie.path.name}: {', '.join(missing)} cannot be moved here"
            self._tell(MovieWarning(f"{text}; it will go out of step", path=movie.path))
        if movie.ram_hashes is not None and not checked:
            text = (
                f"{movie.path.name}: whether it goes out of step is not checked, since only a part "
                "of memory is open for this game"
            )
            self._tell(MovieWarning(text, path=movie.path))
        if held:
            self.playback.meddled = "values are held by a cheat or frozen"
            text = f"{movie.path.name}: {self.playback.meddled}; it may go out of step"
            self._tell(MovieWarning(text, path=movie.path))
        return self.playback
