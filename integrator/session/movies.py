"""The movies of a session: the one that is being recorded, and the one that is being played."""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np

from integrator.domain.errors import MovieError
from integrator.domain.files.atomic import give_name, writing
from integrator.domain.movies.model import CoreStamp, Movie, MovieConsole, MovieEvent, ram_hash
from integrator.domain.movies.writer import MovieWriter
from integrator.domain.roms import rom_hashes
from integrator.domain.timeline.line import Runs
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame import result as results
from integrator.session.frame.inputs import Inputs
from libretro_host.inprocess import without_chip
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.systems.descriptor import SystemDescriptor


class Playback:
    """Plays a movie once from ``first_frame`` on; the timeline's length says which row is next."""

    def __init__(self, movie: Movie, log: Timeline, axes: Sequence[str]) -> None:
        self.movie = movie
        self.first_frame, self.runs = log.length + 1, log.runs
        self.desync_row: int | None = None
        # A reason why RAM may differ from the recording; empty if none is known.
        self.interference = ""
        self._log = log
        # Axes are the last columns of a row; axes that the movie does not move stay at rest.
        rest = np.zeros(movie.frames, np.int16)
        self._axes = [movie.axes.get(name, rest).view(np.uint16) for name in axes]
        self._event_rows = np.array([event.row for event in movie.events], np.int64)

    @property
    def position(self) -> int:
        """The index of the row that is played next."""
        return self._log.length + 1 - self.first_frame

    @property
    def remaining(self) -> int:
        return max(0, self.movie.frames - self.position)

    def events_here(self) -> tuple[MovieEvent, ...]:
        start, stop = np.searchsorted(self._event_rows, [self.position, self.position + 1])
        return self.movie.events[start:stop]

    def override(self, live: Inputs) -> Inputs:
        """Return the first rows of ``live`` with the movie's inputs, up to its next event."""
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

    def check(self, first_frame: int, frames: int) -> bool:
        """Return True if RAM differs from the recording for the first time in this chunk."""
        if self.desync_row is not None or (hashes := self.movie.ram_hashes) is None:
            return False
        first = first_frame - self.first_frame
        part = slice(*np.searchsorted(hashes.rows, [first, first + frames]).tolist())
        # RAM may differ in the middle of a chunk, and be as recorded again at its end.
        seen = _hashes(self._log, (self.first_frame + hashes.rows[part]).tolist())
        pairs = zip(hashes.rows[part].tolist(), hashes.digests[part].tolist(), strict=True)
        self.desync_row = next((row for row, digest in pairs if next(seen) != digest), None)
        return self.desync_row is not None


def _hashes(log: Timeline, frames: Sequence[int]) -> Iterator[int]:
    """Return the hash of RAM after each of ascending ``frames``; a small RAM is read at once."""
    if len(frames) < 2 or log.ram_bytes > 8 << 10:
        return (ram_hash(log.ram(frame)) for frame in frames)
    ram = log.ram_range(frames[0], frames[-1] + 1)
    return (ram_hash(ram[frame - frames[0]]) for frame in frames)


HASH_EVERY_FRAMES = 60  # distance of hashed frames where RAM is too large to hash all

FINGERPRINT: Final = "Fingerprint"
"""The header of agents' movies for the fingerprint of all that their game was made of."""


def movie_console(system: SystemDescriptor) -> MovieConsole:
    axes = frozenset(axis.name for axis in system.axes)
    return MovieConsole(system.buttons, system.platform, system.bizhawk, system.characters, axes)


@dataclass(frozen=True, slots=True)
class MovieIdentity:
    """The common properties of all movies of a session."""

    game: str
    console: SystemDescriptor
    players: int
    core: CoreStamp
    sees_all_memory: bool = True
    axes: Mapping[str, bool] = field(default_factory=dict)
    rom: Path | None = None
    fingerprint: str = ""

    def comparable(self, movie: Movie) -> Movie:
        """Return the movie, without its hashes if RAM cannot be compared with them."""
        return movie if self.sees_all_memory else replace(movie, ram_hashes=None)

    def row_hashes(self, log: Timeline, first_frame: int, frames: int) -> list[int | None]:
        """Return a hash of RAM after each frame, or None for frames that are not hashed.

        Most frames of a large RAM are not, because of the cost, nor is a RAM that is seen in part.
        """
        if not self.sees_all_memory:
            return [None] * frames  # playback could not compare such hashes
        # RAM up to 8 KiB is hashed on every frame, up to 256 KiB only while frames run singly.
        every = log.ram_bytes <= (256 if frames == 1 else 8) << 10
        last = first_frame + frames - 1
        numbers = range(first_frame, last + 1)
        ends = {last} if frames > 1 else set()
        hashed = [n for n in numbers if every or n % HASH_EVERY_FRAMES == 0 or n in ends]
        found = dict(zip(hashed, _hashes(log, hashed), strict=True))
        return [found.get(number) for number in numbers]

    def writer(
        self, path: Path, state: bytes | None, *, reset_row: bool = True, rerecords: int = 1
    ) -> MovieWriter:
        """Make a writer of a movie with these properties. Raises MovieError."""
        hashes = rom_hashes(self.rom) if self.rom is not None else None
        header = {"SHA1": hashes.sha1 if hashes else "?", "rerecordCount": str(rerecords)}
        header |= {FINGERPRINT: self.fingerprint} if self.fingerprint else {}
        return MovieWriter(
            path,
            game=self.game,
            console=movie_console(self.console),
            state=None if state is None else without_chip(state),
            players=self.players,
            reset_row=reset_row,
            core=self.core,
            header=header,
            axes=self.axes,
        )


class MovieRecording:
    """Writes each frame's inputs and hashes of RAM. A path ending in ``.bk2`` is one movie, which
    ends at the next reset or state load, since a movie holds one unbroken run. Any other path is a
    folder: each episode becomes its own ``Game-State-NNNNNN.bk2`` there, as stable-retro's
    ``record=`` names them."""

    def __init__(self, path: Path, identity: MovieIdentity, log: Timeline) -> None:
        self._path, self._identity, self._log = path, identity, log
        self.by_episode = path.suffix.lower() != ".bk2"
        self._writer: MovieWriter | None = None
        self._first_frame = 0
        self._runs = log.runs
        self._passed = Runs()  # the line's runs when play went on last
        if self.by_episode:
            path.mkdir(parents=True, exist_ok=True)
        elif not path.parent.is_dir():
            cure = "make it or record elsewhere"
            raise MovieError(f"{path}: the folder {path.parent} does not exist; {cure}")

    @property
    def path(self) -> Path:
        return self._writer.path if self._writer else self._path

    @property
    def rows(self) -> int:
        """The number of input rows in the movie being written; 0 if none is."""
        return 0 if self._writer is None else self._writer.rows

    def begin(
        self, state: bytes | None, state_name: str, *, reset_row: bool = True, rerecords: int = 1
    ) -> None:
        """Start a movie at ``state``; with ``reset_row`` its first row must be an idle frame."""
        writer = self._identity.writer(self._path, state, reset_row=reset_row, rerecords=rerecords)
        if self.by_episode:
            with writing(self._path):
                begin_episode(self._path, f"{self._identity.game}-{state_name}", writer)
        self._writer, self._first_frame, self._passed = writer, 0, Runs()

    def add_rows(self, first_frame: int, inputs: Inputs) -> None:
        """Append frames that the timeline already has."""
        if self._writer is None:
            return
        self._first_frame = self._first_frame or first_frame
        self._runs = self._log.runs
        hashes = self._identity.row_hashes(self._log, first_frame, len(inputs))
        self._writer.append(inputs, hashes)

    def go_back(self, frame: int, *, live: bool) -> bool:
        """Drop the rows after ``frame`` of the present line, and return True.

        Return False, and drop none, if no row is of that frame, or if play goes on from a state
        that is loaded after it. After a seek, so not ``live``, such a load is left with the rest.
        """
        if self._writer is None or not self._writer.rows:
            return True
        rows = frame - self._first_frame + 1
        runs = self._log.runs
        same = runs.has(self._runs.played(frame))
        # The marks are not looked through on each frame, because there may be thousands.
        marks = self._log.markers("episode", "state") if live and runs != self._passed else ()
        jumped = any(mark.frame == frame for mark in marks)
        if jumped or not same or not 0 < rows <= self._writer.rows:
            return False
        self._passed = runs
        self._writer.truncate(rows)
        return True

    def finish(self) -> Path | None:
        """Complete the movie. After a SaveError it can be tried again, and no row is lost."""
        if (writer := self._writer) is None:
            return None
        writer.close()
        self._writer = None
        return writer.path


def begin_episode(folder: Path, prefix: str, writer: MovieWriter) -> None:
    """Start a movie as the first free ``PREFIX-NNNNNN.bk2``. Raises OSError, MovieError."""
    with OwnedFolder(folder) as made:
        whole = writer.path = made / "episode.bk2"
        whole.touch()
        writer.grow()
        for number in range(1_000_000):  # file names have six digits
            path = folder / f"{prefix}-{number:06d}.bk2"
            if not path.exists():
                with contextlib.suppress(FileExistsError):
                    give_name(whole, path)
                    writer.path = path
                    return
    raise MovieError(f"{folder}: it has 1,000,000 movies {prefix}; record into another")


class MovieDeck:
    """Records and plays the session's movies; ``identity`` returns their present properties."""

    def __init__(
        self, log: Timeline, identity: Callable[[], MovieIdentity], tell: results.Report
    ) -> None:
        self._log, self._identity, self._tell = log, identity, tell
        self.recording: MovieRecording | None = None
        self.playback: Playback | None = None
        # The movie that was started last; it is kept after its end for questions about it.
        self.started: Playback | None = None

    def stop_recording(self) -> Path | None:
        """Complete the movie and return its path; after a SaveError it is still recorded."""
        path = self.recording.finish() if self.recording else None
        self.recording = None
        return path

    def refuse(self, change: str) -> None:
        """Raise MovieError while a movie is recorded, because it would not replay."""
        if self.recording is not None:
            why = f"it would not replay with {change}; stop recording first"
            raise MovieError(f"{self.recording.path}: {why}")

    def before_poke(self) -> None:
        """Note that a playing movie may go out of step. Raises MovieError as :meth:`refuse`."""
        self.refuse("memory changed by hand")
        if self.playback is not None:
            self.playback.interference = "memory was changed by hand while it played"

    def finish_run(self, why: str = "") -> None:
        """Complete the movie, and report that. With a reason ``why``, no later episode follows."""
        if (recording := self.recording) is None:
            return
        path, goes_on = recording.finish(), recording.by_episode and not why
        self.recording = recording if goes_on else None
        if path is not None or why:
            fact = f"{path} is complete" if path else f"{recording.path}: recording has ended"
            text = f"{fact}{why and f', because {why}'}"
            self._tell(results.RecordingStopped(text, path or recording.path, goes_on))

    def add(self, first_frame: int, inputs: Inputs) -> None:
        if self.recording is not None:
            self.recording.add_rows(first_frame, inputs)
        playback = self.playback
        if playback is None:
            return
        playback.runs = self._log.runs
        path = playback.movie.path
        if playback.check(first_frame, len(inputs)):
            row = playback.desync_row or 0
            why = playback.interference or "RAM is not as recorded"
            text = f"{path.name} is out of step from its row {row} on: {why}"
            number = playback.first_frame + row
            self._tell(results.MovieDesync(text, path=path, row=row, number=number))
        if not playback.remaining:
            self.playback = None
            self._tell(results.PlaybackEnded(f"{path.name} has ended; inputs are live", path=path))

    def go_back(self, frame: int, *, live: bool = False) -> bool:
        """Go on after a frame, or the newest; return True if the movie provides what follows."""
        if self.recording is not None and not self.recording.go_back(frame, live=live):
            self.finish_run()
        playback = self.playback
        if playback is None:
            return False
        same = self._log.runs.has(playback.runs.played(frame))
        if same and 0 <= frame + 1 - playback.first_frame < playback.movie.frames:
            return True
        path, self.playback = playback.movie.path, None
        text = f"{path.name} was left; inputs are live"
        self._tell(results.PlaybackEnded(text, path=path, left=True))
        return False

    @property
    def playing(self) -> Movie | None:
        return self.playback.movie if self.playback else None

    def start(self, movie: Movie, *, held: bool = False) -> None:
        """Start to play ``movie``, and report doubts about it; ``held``: a value is held."""
        identity = self._identity()
        core, axes = identity.core, tuple(identity.axes)
        doubts = list(movie.warnings)
        if movie.core is not None and movie.core != core:
            was = f"recorded with {movie.core.name} {movie.core.version}"
            doubts.append(f"{was}, but this is {core.name} {core.version}; it may go out of step")
        if is_of_other_rom(movie, identity.rom):
            doubts.append(f"recorded with another ROM ({movie.rom_hash}); it may go out of step")
        if any(event.kind == "power" for event in movie.events):
            # A console, BizHawk and FCEUX keep it; here the power-on state holds it.
            doubts.append("it presses power, which clears battery memory here")
        if movie.players > identity.players:
            doubts.append(f"{identity.players} of its {movie.players} players can play here")
        self.playback = self.started = Playback(identity.comparable(movie), self._log, axes)
        if missing := sorted(movie.axes.keys() - set(axes)):
            doubts.append(f"{', '.join(missing)} cannot be moved here; it will go out of step")
        if movie.ram_hashes is not self.playback.movie.ram_hashes:
            part = "since only a part of memory is open for this game"
            doubts.append(f"it may go out of step without a warning, {part}")
        if held:
            self.playback.interference = "values are held by a cheat or frozen"
            doubts.append(f"{self.playback.interference}; it may go out of step")
        for doubt in doubts:
            self._tell(results.MovieWarning(f"{movie.path.name}: {doubt}", path=movie.path))


def refuse_doubtful(
    movie: Movie, rom: Path | None, core: CoreStamp | None, cure: str, rows: int | None = None
) -> None:
    """Raise MovieError if the first ``rows`` rows, or all, may not play as recorded.

    The reason is a warning, or without hashes, another ROM or, with a ``core``, another core."""
    rows = movie.frames if rows is None else rows
    doubts = [text for text, row in movie.warnings.items() if row < rows]
    other = "ROM" if is_of_other_rom(movie, rom) else "core"
    differs = other == "ROM" or (core is not None and movie.core not in (None, core))
    if differs and not movie.hashed(rows):
        doubts.append(f"it was recorded with another {other}")
    if doubts:
        raise MovieError(f"{movie.path}: {doubts[0]}; {cure}")


def is_of_other_rom(movie: Movie, rom: Path | None) -> bool:
    """Return True if the movie names a ROM's hash, and the hash of ``rom`` is known to differ."""
    hashes = rom_hashes(rom) if movie.rom_hash and rom is not None else None
    return hashes is not None and movie.rom_hash not in hashes.every
