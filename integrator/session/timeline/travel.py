"""Moves a running session along its timeline: to any frame, and on from there."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.line import JUMPS, BranchInfo, Jump, PlayedFrame
from integrator.domain.timeline.lookup import LineReader
from integrator.domain.values.memory import DataType
from integrator.session.frame.pipeline import Pipeline
from integrator.session.frame.result import FrameResult
from integrator.session.movies import MovieIdentity
from integrator.session.scoring.rescorer import Rescorer
from integrator.session.timeline import branches, restorer, stretch
from integrator.session.timeline.branches import BranchComparison, LineFacts, Thumbnail
from integrator.session.timeline.questions import TimelineQuestions
from integrator.session.timeline.restorer import Exactness, PassedFrames, Progress, Way
from integrator.session.timeline.stretch import ExportedMovie, Stretch
from libretro_host.host import CapturePlan, CoreHost, Frame

_PROOF_FRAMES = 120


class Travel(TimelineQuestions):
    """Reads the timeline and moves the core along it; play from an earlier frame is a branch."""

    def __init__(
        self,
        pipeline: Pipeline,
        types: Sequence[DataType],
        identity: Callable[[], MovieIdentity],
        reopen: Callable[[], object],
        on_inexact: Callable[[Exactness], object],
        *,
        exact_loads: bool = True,
    ) -> None:
        super().__init__(pipeline, types)
        self._identity = identity
        # The frame of the last seek, also if that is the newest one; None while the core plays.
        self._position: int | None = None
        # True if the core, after it was lent, got its state back, which may leave something out.
        self._was_lent = False
        self._pictures: dict[PlayedFrame, Thumbnail] = {}  # of the newest frames of lines
        self._ring = restorer.StateRing()
        self._exact_loads = exact_loads
        self._film = PassedFrames(0)
        self._restorer = restorer.Restorer(pipeline, reopen, on_inexact)
        self.changes = branches.PastChanges(pipeline.timeline)

    @property
    def position(self) -> int:
        """The present frame, at which the core stands."""
        return self.log.length if self._position is None else self._position

    @property
    def present(self) -> PlayedFrame:
        return self.log.runs.played(self.position)

    @property
    def is_live(self) -> bool:
        """True if the core stands at the newest frame because it played, not because of a seek."""
        if self._position is None:
            self._pipeline.stand()  # a core that comes back says how
        return self._position is None and not self._was_lent

    @property
    def at_end(self) -> bool:
        """True if the core stands at the newest frame."""
        return self._position in (None, self.log.length)

    def ram_from_here(self, frame: int) -> NDArray[np.uint8]:
        """Return RAM after ``frame``; a negative number counts back from the present frame."""
        return self.log.ram(frame if frame >= 0 else self.position + frame)

    @property
    def branches(self) -> tuple[BranchInfo, ...]:
        """The kept lines other than the present one."""
        return self.log.branches

    @property
    def host(self) -> CoreHost:
        """The core. A caller that moves it must bring it back to ``position``."""
        return self._pipeline.host

    def picture_of(self, name: str, *, rerun: bool = True) -> Thumbnail | None:
        """Return a line's last picture; ``rerun`` may run frames for it. Raises TimelineError."""
        self._keep_picture()
        line: LineReader = self.log if name == self.log.current else self.log.line(name)
        end = self.log.ends[name]
        if end not in self._pictures and rerun and line.length:
            with self.lent():
                frame = self._restorer.reach(line, line.length)
            if frame is not None:
                self._pictures[end] = branches.thumbnail(frame)
        return self._pictures.get(end)

    def _keep_picture(self) -> None:
        """Keep the picture of the newest frame, if it is shown, before play leaves that frame."""
        pipeline, ends = self._pipeline, {*self.log.ends.values()}
        self._pictures = {end: each for end, each in self._pictures.items() if end in ends}
        if self.at_end and pipeline.frame is not None and pipeline.pictured == self.length:
            self._pictures[self.log.newest] = branches.thumbnail(pipeline.frame)

    def compare(self, name: str) -> BranchComparison:
        """Compare the present line with a kept one. Raises TimelineError."""
        log, there = self.log, self.log.line(name)
        [shared] = [b.shared_frames for b in log.branches if b.name == name]

        def facts(line: LineReader, name: str) -> LineFacts:
            done = tuple((np.flatnonzero(line.done(shared + 1)) + shared + 1).tolist())
            rewards, values = line.rewards(shared + 1), self.values_of(line.ram(line.length))
            picture = self.picture_of(name)
            return LineFacts(name, line.length, rewards, done, values=values, picture=picture)

        return BranchComparison(shared, facts(log, log.current), facts(there, name))

    def seek(
        self, frame: int, progress: Progress | None = None, *, keep: Sequence[int] = ()
    ) -> FrameResult:
        """Put the core back to ``frame`` (1 to ``length``) and return that frame.

        Restores an earlier state that is exact, and runs the recorded inputs from there. In a long
        run ``progress`` is called; if it returns False, the seek ends at the frame reached so far.
        The states of the frames ``keep`` are stored for later seeks. Raises TimelineError for a
        frame that is not on the line, or that the core does not repeat."""
        if not 1 <= frame <= self.length:
            raise TimelineError(f"frame {frame} is not held; there are frames 1 to {self.length}")
        self._keep_picture()
        pipeline = self._pipeline
        if frame in self._film.pictures:
            return self._arrive(frame, self._film.pictures[frame], stands=False)
        film = None
        if not self.trusts_states:
            # The longer the run, the more pictures are kept, so that it is not repeated soon.
            way_frames = frame - self.log.load_before(frame)
            most_bytes = 64 << 20
            room = most_bytes // pipeline.frame.pixels.nbytes if pipeline.frame else 0
            film = PassedFrames(min(max(240, way_frames // 16), room))
        if self._position is None:
            pipeline.stand()
        present = None if pipeline.settle else pipeline.loaded.serialize()
        try:
            way = Way(self._ring, keep, film=film, progress=progress)
            picture = self._restorer.reach(self.log, frame, way)
        except restorer.ReplayStopped as stopped:
            return self._arrive(stopped.frame, stopped.picture)
        except TimelineError:
            if present is not None:
                self._stay_at(present)
            raise
        self._film = film or self._film
        return self._arrive(frame, picture)

    def step_back(self) -> FrameResult:
        """Seek to the previous frame, or stay at frame 1; fast enough for 60 steps a second."""
        frame = max(1, self.position - 1)
        ahead = self._ring.next_slice(frame, self.log.keyframes)
        if ahead is not None and self.exactness.is_exact:
            end, drops = ahead  # a state that later steps back will need
            self._restorer.reach(self.log, end, Way(self._ring, (end,), picture=False))
            if drops is not None:
                self._ring.drop(drops)
        first = max(1, frame - restorer.REACH_FRAMES) if self.exactness.is_exact else frame
        near = [kept for kept in range(first, frame) if kept % restorer.STEP_FRAMES == 0]
        return self.seek(frame, keep=near)

    def keep_nearby(self) -> None:
        """Store a state on some frames of live play, so that a rewind has few frames to run."""
        if self.length % restorer.LIVE_STEP_FRAMES == 0 and not self._ring.is_cramped:
            self._ring.put(self.length, self._pipeline.host.serialize())
            self._ring.drop(self.length - restorer.REACH_FRAMES - restorer.LIVE_STEP_FRAMES)

    def step_forward(self) -> FrameResult:
        """Run the next frame by its recorded inputs, if any; the timeline stays as it is."""
        at = self.position
        jumps = {*self.log.loads(at, at + 1), *(m.frame for m in self.log.markers(*JUMPS))}
        if self.at_end or at in jumps:
            return self.seek(min(at + 1, self.length))
        if at + 1 in self._film.pictures:
            return self.seek(at + 1)
        self._pipeline.stand()
        picture, agrees = self._restorer.replay(self.log, at, at + 1)
        return self._arrive(at + 1, picture) if agrees else self.seek(at + 1)

    def _stay_at(self, present: bytes) -> None:
        """Load the state from before a failed seek. For a core that played, this is a jump, because
        the state may leave something out."""
        pipeline = self._pipeline
        self._restorer.reopen()
        pipeline.host.unserialize(present)
        pipeline.memory.refresh()
        if self._position is None:
            self.log.discontinuity("state", present, pipeline.memory.ram)

    def _arrive(self, frame: int, picture: Frame | None, *, stands: bool = True) -> FrameResult:
        """Make ``frame`` the present one; without ``stands``, move the core there when needed."""

        def settle() -> None:
            self._restorer.reach(self.log, self.position, Way(self._ring, picture=False))
            pipeline.memory.refresh()

        pipeline = self._pipeline
        pipeline.settle = None if stands else settle
        if stands:
            pipeline.memory.refresh()
        else:
            pipeline.memory.ram = self.log.ram(frame).copy()
        if picture is not None:
            pipeline.frame, pipeline.pictured = picture, frame
        pipeline.memory.take_written()  # Memory written at the frame before is not written here.
        self._position, self._was_lent = frame, False
        return stretch.sought(pipeline, frame)

    def here(self) -> FrameResult:
        """Return the present frame as a seek would, with the pokes and a load after it."""
        scored = self._pipeline.scored
        result = stretch.sought(self._pipeline, self.position)
        self._pipeline.scored = scored
        return result

    def restore_newest(self) -> FrameResult:
        """Bring a new core to the newest frame; record a jump if the core does not repeat play."""
        with suppress(TimelineError):
            return self.seek(self.length)
        pipeline = self._pipeline
        start, state = self.log.keyframe_at_or_before(self.length)
        pipeline.host.unserialize(state)
        inputs = self.log.inputs(start + 1, self.length + 1)
        pipeline.frame = pipeline.host.run(inputs, CapturePlan()).frame
        pipeline.memory.refresh()
        self._stay_here(stands=False)
        return stretch.sought(pipeline, self.length)

    def fork(self, name: str | None = None) -> str:
        """Keep the present line as a branch, and go on here without its later frames."""
        stands = self.is_live or self._stands_as_played()
        kept = self._keep_ahead(self.position, name)
        if self.is_live:
            self.log.add_keyframe(self.length, self._pipeline.host.serialize())
        else:
            self._stay_here(stands)
        return kept

    def _keep_ahead(self, frame: int, name: str | None = None) -> str:
        self._keep_picture()
        return self.log.branch_at(frame, name)

    def _stands_as_played(self) -> bool:
        """Put the core here as it was when later frames were played; return False if that fails.
        States may leave out something that shows only later, so later frames are compared."""
        at, log, jumps = self.position, self.log, self.log.markers(*JUMPS)
        ahead = min((m.frame for m in jumps if m.frame >= at), default=self.length)
        ahead = min(ahead, at + _PROOF_FRAMES)
        if self.trusts_states and ahead > at:
            with self.lent() as host:
                self._restorer.goes_on(log, at, host.serialize(), ahead)
        if self.trusts_states:
            return True
        way = Way(picture=False, replays=True)
        return self._restorer.come_back(log, at, self._pipeline.host.serialize(), way)

    def fork_at(self, frame: int) -> str:
        """Keep the present line as a branch, and cut the line off after a later ``frame``."""
        kept = self._keep_ahead(frame)
        self._ring.drop_after(frame)
        return kept

    def _stay_here(self, stands: bool) -> None:
        """Make the present frame and the core's state the newest of the line. Without ``stands``
        this is a jump, because the core is not in the state of play."""
        host, ram = self._pipeline.host, self._pipeline.memory.ram
        self._leave_ahead()
        if stands and not self.trusts_states:
            # A poke is a jump of its own, noted before the next frame.
            if np.array_equal(ram, self.log.ram(self.length)):
                self.log.add_keyframe(self.length, host.serialize())
        else:
            self.restored_here("restored" if stands else "state")

    def _leave_ahead(self) -> None:
        if self._position is not None:
            # A jump after this frame belongs to the later frames, which were left.
            self.log.undo_discontinuity()
        self._position, self._was_lent = None, False
        self._ring.drop_after(self.length)
        self._film = PassedFrames(0)

    def switch_to(self, name: str, *, swap: bool = False, frame: int | None = None) -> FrameResult:
        """Switch to a kept branch at its newest frame, or ``frame``; the present line is kept.

        ``swap``: the two lines exchange their names."""
        self._keep_picture()
        left = name if swap else self.log.current
        # A core that has to come back runs frames of its own line, so that line is still current.
        position, present = self._position, self._pipeline.host.serialize()
        self.log.switch_to(name, swap=swap)
        self._ring.drop_after(0)
        self._film = PassedFrames(0)
        try:
            self._position = self.length + 1  # no frame of the line, until the seek is done
            result = self.seek(self.length if frame is None else frame)
        except TimelineError:
            self.log.switch_to(left, swap=swap)
            self._position = position
            self._stay_at(present)
            raise
        if self.at_end:
            # Listeners such as the journal need the state from which the line goes on.
            self.log.add_keyframe(self.length, self._pipeline.host.serialize())
        return result

    def continue_from_here(self, *, keep: bool = True, loaded: bool = False) -> bool:
        """Prepare for play after a seek: keep the later frames as a branch, or delete them.

        ``loaded`` means that another state was loaded, so the core no longer stands here. Returns
        False if play goes on with a jump, because the core cannot be put here as it was played."""
        if self.is_live:
            return True
        stands = loaded or self._stands_as_played()
        if not self.at_end and keep:
            self._keep_ahead(self.position)
        elif not self.at_end:
            self.log.truncate(self.position)
        if loaded:
            self._leave_ahead()
        else:
            self._stay_here(stands)
        return stands

    def restored_here(self, kind: Jump = "restored", *, reopen: bool = False) -> bytes:
        """Save and load the core's state at the newest frame; return the state.

        States may leave something out, so lines and movies must go on from nothing but the state.
        With ``reopen``, a new core loads it and play goes on with the RAM that this gives, as when
        a movie is played elsewhere."""
        pipeline = self._pipeline
        state, ram = pipeline.host.serialize(), pipeline.host.read_ram()
        if reopen:
            self._restorer.reopen()
        pipeline.host.unserialize(state)
        if not reopen:
            restorer.write_recorded(pipeline.host, ram)
        pipeline.memory.refresh()
        if kind == "state":  # The next frame is compared with the values of this state.
            pipeline.scored = pipeline.read_values()
        self.log.discontinuity(kind, state, pipeline.memory.ram)
        return state

    def state_at(self, frame: int) -> bytes:
        """Return the raw state after ``frame``. Raises TimelineError."""
        start, state = self.log.keyframe_at_or_before(frame)
        if start == frame:
            return state
        with self.lent():
            self._restorer.reach(self.log, frame, Way(self._ring, picture=False))
            return self._pipeline.loaded.serialize()

    def export(
        self,
        path: str | Path,
        start: int,
        stop: int | None = None,
        progress: Progress | None = None,
    ) -> ExportedMovie:
        """Write frames ``start`` to ``stop - 1`` (default: to the newest) as a movie.

        The movie begins at the last frame without buttons up to ``start``, because playback in
        training runs one idle frame first, or earlier if the state there is not exact. It is
        replayed as a test, with ``progress``. Raises TimelineError for a range with a reset, a
        loaded state, a poke or a held value in it, which a movie cannot hold, or for one that does
        not replay. Raises MovieError, SaveError."""
        stop, log = self.length + 1 if stop is None else stop, self.log
        begins = stretch.movie_begins(log, start, stop)
        if (found := self.first_repeating(begins, stop - 1, progress)) is None:
            # The last start that was tried was the beginning of the run.
            cure = "begin where a state was loaded"
            for frame in log.loads(start, stop - 1)[-1:]:
                cure = f"export frames up to {frame}, or from {frame + 1} on"
            text = f"frames {start} to {stop - 1} do not replay in one piece"
            why = "the states of this core leave something out, so a movie would go out of step"
            raise TimelineError(f"{text}: {why}; {cure}")
        begin, state = found
        idle, identity = not log.inputs(begin, begin + 1).any(), self._identity()
        with identity.writer(Path(path), state, reset_row=idle) as writer:
            hashes = identity.row_hashes(log, begin, stop - begin)
            writer.append(log.inputs(begin, stop), hashes)
        return ExportedMovie(Path(path), begin, stop, idle)

    def first_repeating(
        self, begins: Iterable[int], last: int, progress: Progress | None = None
    ) -> tuple[int, bytes] | None:
        """Return the first frame from which inputs alone lead to ``last``, and its state."""
        for begin in begins:
            state = self.state_at(begin - 1)
            with self.lent():
                repeats = self._restorer.repeats(self.log, begin - 1, state, last, progress)
            if repeats:
                return begin, state
        return None

    def begins_movie(self, state: bytes) -> bool:
        """Run the newest frame from ``state`` in a new core, as a movie does, and stay there.

        Return False, with the core put back, if that frame is not as it was played."""
        pipeline, end = self._pipeline, self.length
        with self.lent(moved=True):
            repeats = self._restorer.repeats(self.log, end - 1, state, end)
        if repeats:
            pipeline.settle = None
        pipeline.stand()
        pipeline.memory.refresh()
        return repeats

    def take_scores(self, present: Rescorer) -> FrameResult:
        """Use new scores of recorded play, and return the present frame with them."""
        return stretch.take_scores(self._pipeline, present, self.position)

    def try_states(self, states: Iterable[tuple[int, bytes]], frames: int) -> Exactness:
        """Run recorded frames from each (frame, state), to find out if the states are exact."""
        with self.lent():
            for start, state in states:
                self._restorer.goes_on(self.log, start, state, min(start + frames, self.length))
        return self.exactness

    @property
    def exactness(self) -> Exactness:
        """The number of restored states, and of those that were not exact."""
        return self._restorer.exactness

    @contextmanager
    def lent(self, *, moved: bool = False) -> Iterator[CoreHost]:
        """Lend the core for other work; then put it back to the present frame, pokes included.

        ``moved`` is for work that does not begin at the present frame: the core may be lent at any
        frame, and is put back only when it is needed there."""
        pipeline = self._pipeline
        if moved and pipeline.settle is not None:
            host, come_back = pipeline.loaded, pipeline.settle
        else:
            host = pipeline.host
            come_back = partial(self._come_back, host.read_ram(), host.serialize())
        try:
            yield host
        finally:
            pipeline.settle = come_back
            if not moved:
                pipeline.stand()

    def _come_back(self, ram: NDArray[np.uint8], state: bytes) -> None:
        at, plays = self.position, self._position is None
        # Run the frame again, because the next picture may hold parts of the one before it.
        way = Way(self._ring, picture=False, replays=plays and not self.trusts_states)
        if not at:
            self._pipeline.loaded.unserialize(state)
            self._was_lent = True
        else:
            stands = self._restorer.come_back(self.log, at, state, way)
            self._was_lent = plays and not (stands and way.replays)
        if at and plays:
            self._restorer.jump(self.log, at)
            self._was_lent &= not self.log.loads(at, at + 1)
        # States do not hold save chips, and a new core may have been opened on the way.
        restorer.write_recorded(self._pipeline.loaded, ram)
        self._pipeline.memory.refresh()

    def stretch(self, first: int, last: int) -> Stretch:
        """Copy the frames after ``first`` up to ``last``, for another thread and a hidden core."""
        return Stretch.take(self.log, first, last, exact=self.trusts_states)

    @property
    def trusts_states(self) -> bool:
        """True unless the core's states are known, or were seen, to lead to other frames."""
        return self._exact_loads and self.exactness.is_exact
