"""The timeline of a running session: looking at any frame again, and playing on from it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.timeline.line import JUMPS, BranchInfo, Jump
from integrator.domain.timeline.lookup import LineReader
from integrator.domain.values.datatype import DataType
from integrator.session.frame.pipeline import Pipeline
from integrator.session.frame.result import FrameResult
from integrator.session.movies import MovieIdentity
from integrator.session.scoring.rescorer import Rescorer
from integrator.session.timeline import branches, restorer, stretch
from integrator.session.timeline.branches import BranchComparison, Thumbnail
from integrator.session.timeline.questions import TimelineQuestions
from integrator.session.timeline.restorer import Exactness, PassedFrames, Progress, Way
from integrator.session.timeline.stretch import ExportedMovie, Stretch
from libretro_host.host import CapturePlan, CoreHost, Frame

_PROOF_FRAMES = 120


class Travel(TimelineQuestions):
    """Reads the timeline and moves the core along it; play at an earlier frame branches."""

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
        # None while the core plays; a number after a seek, also to the newest frame.
        self._position: int | None = None
        # True when the core plays on from a state that it was lent with, and that may lack things.
        self._was_lent = False
        # Last pictures of the kept lines, and of the present one while a seek has left its end.
        self._pictures: dict[str, Thumbnail] = {}
        self._end_picture: tuple[int, Thumbnail] | None = None
        self._ring = restorer.StateRing()
        self._exact_loads = exact_loads
        self._film = PassedFrames(0)
        self._restorer = restorer.Restorer(pipeline, reopen, on_inexact)
        self.changes = branches.PastChanges(pipeline.timeline)

    @property
    def position(self) -> int:
        """The frame that the core stands at."""
        return self.log.length if self._position is None else self._position

    @property
    def is_live(self) -> bool:
        """True when the core stands at the newest frame because it played to there."""
        return self._position is None and not self._was_lent

    @property
    def at_end(self) -> bool:
        """True when the core stands at the newest frame."""
        return self._position in (None, self.log.length)

    def ram_from_here(self, frame: int) -> NDArray[np.uint8]:
        """RAM after ``frame``; a negative number counts back from where the core stands."""
        return self.log.ram(frame if frame >= 0 else self.position + frame)

    @property
    def branches(self) -> tuple[BranchInfo, ...]:
        """Lines that were left and are kept."""
        return self.log.branches

    @property
    def host(self) -> CoreHost:
        """The core. A caller that moves it brings it back to ``position``."""
        return self._pipeline.host

    def picture_of(self, name: str, *, rerun: bool = True) -> Thumbnail | None:
        """A line's last picture, run again if missing and ``rerun``. Raises TimelineError."""
        present = name == self.log.current
        found = self._newest_picture() if present else self._pictures.get(name)
        line: LineReader = self.log if present else self.log.line(name)
        if found is None and rerun and line.length:
            with self.lent():
                frame = self._restorer.reach(line, line.length)
            found = None if frame is None else branches.thumbnail(frame)
            if not present and found is not None:
                self._pictures[name] = found
        return found

    def _newest_picture(self) -> Thumbnail | None:
        """The last picture of the present line, kept when a seek leaves it; None if unknown."""
        pipeline, length = self._pipeline, self.length
        if self.at_end and pipeline.frame is not None and pipeline.pictured == length:
            self._end_picture = length, branches.thumbnail(pipeline.frame)
        end = self._end_picture
        return end[1] if end is not None and end[0] == length else None

    def compare(self, name: str) -> BranchComparison:
        """The present line compared with a kept one; see BranchComparison. Raises TimelineError."""
        return branches.compare_branch(self.log, name, self.values_of, self.picture_of)

    def seek(
        self, frame: int, progress: Progress | None = None, *, keep: Sequence[int] = ()
    ) -> FrameResult:
        """Put the core back to ``frame`` (1 to ``length``) and return that frame.

        Restores an earlier state that is exact, and runs the recorded inputs from there. On a long
        way ``progress`` is called; when it returns false, the frame that was reached is returned.
        States of the frames ``keep`` are kept for seeks to come. Raises TimelineError for a frame
        that is not held, or not repeated by the core.
        """
        if not 1 <= frame <= self.length:
            raise TimelineError(f"frame {frame} is not held; there are frames 1 to {self.length}")
        self._newest_picture()
        pipeline = self._pipeline
        if frame in self._film.pictures:
            return self._arrive(frame, self._film.pictures[frame], stands=False)
        film = None
        if not self.trusts_states:
            # Room for more pictures after a longer way, which is not to be gone soon again.
            way_frames = frame - self.log.load_before(frame)
            most_bytes = 64 << 20
            room = most_bytes // pipeline.frame.pixels.nbytes if pipeline.frame else 0
            film = PassedFrames(min(max(240, way_frames // 16), room))
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
        """Seek to the frame before; at frame 1 stay there. Made for doing it 60 times a second."""
        frame = max(1, self.position - 1)
        ahead = self._ring.next_slice(frame, self.log.keyframes)
        if ahead is not None and self.exactness.is_exact:
            # Keep a state that stepping back from there will need.
            end, drops = ahead
            self._restorer.reach(self.log, end, Way(self._ring, (end,), picture=False))
            if drops is not None:
                self._ring.drop(drops)
        near = (
            range(max(1, frame - restorer.REACH_FRAMES), frame) if self.exactness.is_exact else ()
        )
        return self.seek(frame, keep=[kept for kept in near if kept % restorer.STEP_FRAMES == 0])

    def keep_nearby(self) -> None:
        """Called after each frame of live play: a rewind that begins now has little to run."""
        if self.length % restorer.LIVE_STEP_FRAMES == 0 and not self._ring.is_cramped:
            self._ring.put(self.length, self._pipeline.host.serialize())
            self._ring.drop(self.length - restorer.REACH_FRAMES - restorer.LIVE_STEP_FRAMES)

    def step_forward(self) -> FrameResult:
        """Seek to the frame after, by running its recorded inputs; at the newest frame stay there.

        Unlike playing, it leaves the timeline unchanged.
        """
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
        """Stand where the core stood, by a state: a jump, because that may leave something out."""
        pipeline = self._pipeline
        self._restorer.reopen()
        pipeline.host.unserialize(present)
        pipeline.memory.refresh()
        if self._position is None:
            self.log.discontinuity("state", present, pipeline.memory.ram)

    def _arrive(self, frame: int, picture: Frame | None, *, stands: bool = True) -> FrameResult:
        """Take up that the core has come to ``frame``, or will when anything asks for it."""

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
        self._position, self._was_lent = frame, False
        return stretch.sought(pipeline, frame)

    def here(self) -> FrameResult:
        """The frame where the core stands, as after a seek; scripts start over."""
        return stretch.sought(self._pipeline, self.position)

    def restore_newest(self) -> FrameResult:
        """Bring a new core to the newest frame, or to the newest state, with a jump."""
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
        """Keep the present line as a branch, and go on from here without its future."""
        stands = self.is_live or self._stands_as_played()
        kept = self._keep_ahead(name)
        if self.is_live:
            self.log.add_keyframe(self.length, self._pipeline.host.serialize())
        else:
            self._stay_here(stands)
        return kept

    def _keep_ahead(self, name: str | None = None) -> str:
        picture = self._newest_picture()
        kept = self.log.branch_at(self.position, name)
        self._leave(kept, picture)
        return kept

    def _stands_as_played(self) -> bool:
        """Let the core stand here as it did when the frames ahead were played; false for a core
        that cannot. A state may lack something that shows only later: the frames ahead tell."""
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

    def _leave(self, name: str, picture: Thumbnail | None) -> None:
        """The present line is now kept as ``name``, and another one is the present line."""
        self._end_picture = None
        if picture is not None:
            self._pictures[name] = picture

    def fork_at(self, frame: int) -> str:
        """Keep the present line as a branch, and let it end at ``frame``, which lies ahead."""
        picture = self._newest_picture()
        kept = self.log.branch_at(frame)
        self._leave(kept, picture)
        self._ring.drop_after(frame)
        return kept

    def _stay_here(self, stands: bool) -> None:
        """Make the frame that the core stands at, and its state, the newest of the line.

        A jump where the core does not stand as it was played.
        """
        host, ram = self._pipeline.host, self._pipeline.memory.ram
        self._leave_ahead()
        if stands and not self.trusts_states and np.array_equal(ram, self.log.ram(self.length)):
            self.log.add_keyframe(self.length, host.serialize())
        else:
            self.restored_here("restored" if stands else "state")

    def _leave_ahead(self) -> None:
        if self._position is not None:
            # A jump that followed this frame is part of the future that was left.
            self.log.undo_discontinuity()
        self._position, self._was_lent = None, False
        self._ring.drop_after(self.length)
        self._film = PassedFrames(0)

    def switch_to(self, name: str, *, swap: bool = False, frame: int | None = None) -> FrameResult:
        """Take up a kept branch at its newest frame, or ``frame``; the present line is kept.

        ``swap``: the two lines exchange their names.
        """
        picture = self._newest_picture()
        left = name if swap else self.log.current
        self._pictures.pop(name, None)
        self._leave(left, picture)
        self.log.switch_to(name, swap=swap)
        self._ring.drop_after(0)
        self._film = PassedFrames(0)
        position, present = self._position, self._pipeline.host.serialize()
        try:
            self._position = self.length + 1  # on neither line, until the core has come there
            result = self.seek(self.length if frame is None else frame)
        except TimelineError:
            self.log.switch_to(left, swap=swap)
            self._position = position
            self._stay_at(present)
            raise
        if self.at_end:
            # Listeners of the timeline keep it: the line goes on from here.
            self.log.add_keyframe(self.length, self._pipeline.host.serialize())
        return result

    def delete_branch(self, name: str) -> None:
        """Forget a kept branch. Raises TimelineError when there is none such."""
        self.log.delete_branch(name)
        self._pictures.pop(name, None)

    def rename_branch(self, name: str, new_name: str) -> None:
        """Rename a kept branch. Raises TimelineError for a name in use, or none such."""
        self.log.rename_branch(name, new_name)
        if name in self._pictures:
            self._pictures[new_name] = self._pictures.pop(name)

    def continue_from_here(self, *, keep: bool = True, loaded: bool = False) -> bool:
        """Called before anything is played: the frames ahead become a branch, or are forgotten.

        ``loaded``: the core no longer stands here, since another state was loaded. Returns false
        when play goes on with a jump, because the core cannot stand here as it was played.
        """
        if self.is_live:
            return True
        stands = loaded or self._stands_as_played()
        if not self.at_end and keep:
            self._keep_ahead()
        elif not self.at_end:
            self.log.truncate(self.position)
        if loaded:
            self._leave_ahead()
        else:
            self._stay_here(stands)
        return stands

    def restored_here(self, kind: Jump = "restored") -> bytes:
        """Let the core load its own state as that of the newest frame; returns the state.

        States may leave something out, so lines and movies go on from this one alone.
        """
        host = self._pipeline.host
        state, ram = host.serialize(), host.read_ram()
        host.unserialize(state)
        restorer.write_recorded(host, ram)
        self.log.discontinuity(kind, state, ram)
        return state

    def state_at(self, frame: int) -> bytes:
        """The raw state at the start of the next frame. Raises TimelineError."""
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

        It begins at the last frame without buttons up to ``start``, since training's playback runs
        one idle frame first; earlier where the state there is not exact. It is played before, with
        ``progress``, where play did not go on from that state alone. Raises TimelineError for a
        range with a reset, a loaded state or a poke in it, which a movie cannot hold, and for one
        that does not replay; MovieError, SaveError.
        """
        stop = self.length + 1 if stop is None else stop
        return stretch.export_movie(
            self.log,
            self.state_at,
            partial(self.repeats, progress=progress),
            self._identity(),
            Path(path),
            start,
            stop,
            exact=self.trusts_states,
        )

    def repeats(
        self, first: int, state: bytes, last: int, progress: Progress | None = None
    ) -> bool:
        """True when buttons alone lead from the state after ``first`` to ``last`` as played."""
        with self.lent():
            return self._restorer.repeats(self.log, first, state, last, progress)

    def take_scores(self, present: Rescorer) -> FrameResult:
        """Go on from the new scores of recorded play; returns the frame where the core stands."""
        return stretch.take_scores(self._pipeline, present, self.position)

    def try_states(self, states: Iterable[tuple[int, bytes]], frames: int) -> Exactness:
        """Go on from each of the states, by frame, for some frames, and note if they are exact."""
        with self.lent():
            for start, state in states:
                self._restorer.goes_on(self.log, start, state, min(start + frames, self.length))
        return self.exactness

    @property
    def exactness(self) -> Exactness:
        """The number of restored states, and of those that were not exact."""
        return self._restorer.exactness

    @contextmanager
    def lent(self) -> Iterator[CoreHost]:
        """The core for other work; after that it stands where it did, pokes included."""
        host = self._pipeline.host
        ram, state = host.read_ram(), host.serialize()
        try:
            yield host
        finally:
            at, plays = self.position, self._position is None
            # By running the frame: the next picture may hold parts of the one drawn before it.
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
            # Save chips are in no state, and reaching the position may have opened another core.
            restorer.write_recorded(self._pipeline.loaded, ram)
            self._pipeline.memory.refresh()

    def stretch(self, first: int, last: int) -> Stretch:
        """The frames after ``first`` up to ``last``, for another thread and a core of its own."""
        rewritten = self._pipeline.rewritten_between(0, last)
        return Stretch.take(self.log, rewritten, first, last, exact=self.trusts_states)

    @property
    def trusts_states(self) -> bool:
        """True unless the core is known, or was seen, to go on otherwise than it was played."""
        return self._exact_loads and self.exactness.is_exact
