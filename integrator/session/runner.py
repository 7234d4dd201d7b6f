"""The thread that owns a session while a window shows it: pacing, commands, recovery."""

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final, TypeVar

from integrator.domain.errors import IntegratorError, SessionError, message_of
from integrator.session.frame import result as results
from integrator.session.frame.inputs import Inputs, LiveInputs
from integrator.session.frame.result import CommandFailed, Event, FrameResult, StopRule
from integrator.session.recorded_rows import run_planned
from integrator.session.scoring.rescorer import SLICE_S
from integrator.session.session import Session
from libretro_host.errors import CoreCrashed, CoreHung, HostClosedError
from libretro_host.host import CapturePlan

TARGET_S: Final = 0.010  # time of a chunk: commands wait that long; it allows 60 pictures a second
MOST_FRAMES: Final = 64


class ChunkSize:
    """The size of the next chunk, from the times of the last ones; at most twice the last size."""

    def __init__(self) -> None:
        self.frames = 1
        self._frame_s = 0.0

    def took(self, frames: int, seconds: float) -> None:
        measured = seconds / frames
        self._frame_s += (measured - self._frame_s) / 2 if self._frame_s else measured
        wanted = int(TARGET_S / max(self._frame_s, TARGET_S / MOST_FRAMES))
        self.frames = min(max(1, wanted), self.frames * 2, MOST_FRAMES)


T = TypeVar("T")

_log = logging.getLogger(__name__)

UNLIMITED_SPEED = 0.0  # the speed that means: as fast as the core can
MAX_RESTARTS = 3  # restarts without a second of play in between; then the session stays paused
SHOW_DELAY_S = 0.008  # frames are shown this late, so that a slightly slow one is still in time
_STOPPED = "The core has stopped and nothing can be run; press Reset to start it again."
_IDLE_WAIT_S = 0.25
_MAX_LAG_S = 0.1
_SPARE_S = 0.003  # if a frame is due sooner, no other work is started


class Runner:
    """Advances a session in real time, and runs commands of other threads between its frames.
    ``on_frame`` gets each frame that was run, or is shown after a seek or a state load, and
    ``on_event`` gets other news. Both are called on the runner's thread, and must return at
    once."""

    def __init__(
        self,
        session: Session,
        on_frame: Callable[[FrameResult], object],
        on_event: Callable[[Event], object],
    ) -> None:
        self._session, self._on_frame, self._on_event = session, on_frame, on_event
        session.recorded.in_background = True
        self._commands: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="session-runner", daemon=True)
        self.live = LiveInputs()
        self.sounds = False  # captures sound, at the console's own speed only
        # A factor near 1 for the duration of a frame, to keep in step with a sound device.
        self.pace = 1.0
        # The time.monotonic() at which to show the last frame; a past time means at once.
        self.show_s = 0.0
        self._chunk = ChunkSize()
        self._stop_rule = StopRule()
        self._paused = True
        self._speed = 1.0
        self._fast = self._rewinding = self._follows = False
        # True after a rewind during play: new frames follow instead of the recorded ones.
        self._takes_over = False
        self._rested_s = self._due_s = 0.0
        self._stopping = self._lost = False
        self._restarts = self._frames_since_restart = 0

    @property
    def is_running(self) -> bool:
        return self._fast or self._rewinding or not self._paused

    @property
    def is_hurried(self) -> bool:
        """True if frames are run faster than the console's own speed."""
        return self._unlimited or self._speed > 1

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Make the thread end after the present frame or command, without waiting for that."""
        self._stopping = True
        self._wake()

    def close(self, timeout_s: float = 10.0) -> None:
        """End the thread between two frames and close the session. Idempotent."""
        self.stop()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    def post(self, command: Callable[[Session], T]) -> Future[T]:
        """Queue ``command(session)`` to run between frames; the future gets its result or error."""
        future: Future[T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(command(self._session))
            except (CoreCrashed, CoreHung) as error:
                future.set_exception(error)
                self._recover(error)
            except HostClosedError:
                self._lost = True  # also if a command ended the core and could not start a new one
                future.set_exception(SessionError(_STOPPED))
            except Exception as error:  # noqa: BLE001 - the runner loop is one of the boundaries
                # The caller decides about the error, because the caller holds the future.
                future.set_exception(error)
            self._pass_on_events()

        self._commands.put(run)
        return future

    def _order(self, command: Callable[[Session], FrameResult], *, pauses: bool = False) -> None:
        """Queue a command and show its frame; report an error as an event, as nobody awaits it."""

        def work(session: Session) -> None:
            if pauses and not self._paused:
                self._set_state(paused=True)
            self._on_frame(command(session))

        def tell_failure(future: Future[None]) -> None:
            error = None if future.cancelled() else future.exception()
            if isinstance(error, Exception) and not isinstance(error, CoreCrashed | CoreHung):
                self._tell(CommandFailed(str(error), error=error))

        self.post(work).add_done_callback(tell_failure)

    def _wake(self) -> None:
        self._commands.put(lambda: None)

    def set_inputs(self, masks: Sequence[int], axes: Sequence[int] = ()) -> None:
        """Set the live button masks by port, and values of ``game.axes``, until the next call."""
        # While the game is paused, a single frame uses only the buttons held when it is run.
        self.live.set(masks, axes, keep=self.is_running)

    def set_fast_forward(self, held: bool) -> None:
        """Run as fast as the core can while ``held``, also when paused."""
        self._fast = held
        self._wake()

    def rewind(self, held: bool) -> None:
        """Show earlier frames while ``held``; then play goes on, and later frames are kept."""
        self._rewinding = held
        self._wake()

    def set_follow(self, on: bool) -> None:
        """Set whether play after a seek shows the recorded frames, or branches with live inputs."""
        self.post(lambda _: setattr(self, "_follows", on))

    def set_stops(self, rule: StopRule) -> None:
        """Set the changes that pause play exactly on their frame, also while fast-forwarding."""
        self.post(lambda _: setattr(self, "_stop_rule", rule))

    def play(self) -> None:
        self.post(lambda _: self._set_state(paused=False))

    def pause(self) -> None:
        self.post(lambda _: self._set_state(paused=True))

    def set_speed(self, speed: float) -> None:
        """Set the speed: 1.0 is the console's own, UNLIMITED_SPEED as fast as the core can."""
        self.post(lambda _: self._set_state(speed=speed))

    def step_back(self) -> None:
        self._order(lambda session: session.timeline.step_back(), pauses=True)

    def advance_frame(self) -> None:
        """Pause, and run one frame, or show the recorded one if play follows the recording."""

        def step(session: Session) -> FrameResult:
            if self._follows_now:
                return session.timeline.step_forward()
            return session.run(self._live_rows(1))[-1].last

        self._order(step, pauses=True)

    def reset(self) -> None:
        """Begin an episode, in a new core if the last one stopped for good."""

        def begin(session: Session) -> FrameResult:
            if self._lost:
                self._restarts = 0
                session.recover()
                self._lost = False
            return session.reset()

        self._order(begin)

    def drop_edits(self) -> None:
        self._session.persistence.drop_edits()

    def _set_state(self, *, paused: bool | None = None, speed: float | None = None) -> None:
        self._paused = self._paused if paused is None else paused
        self._takes_over = self._takes_over and not self._paused
        self._speed = self._speed if speed is None else speed
        self._due_s = time.monotonic()
        text = "paused" if self._paused else "live"
        self._on_event(results.RunStateChanged(text, paused=self._paused, speed=self._speed))

    @property
    def _unlimited(self) -> bool:
        return self._fast or self._speed == UNLIMITED_SPEED

    def _run(self) -> None:
        """Work until the runner is stopped. No error ends the loop, since nobody would notice."""
        try:
            while not self._stopping:
                try:
                    if self._wait_for_commands():
                        self._step()
                except Exception as error:  # noqa: BLE001 - the runner loop is one of the boundaries
                    self._stand_still(CommandFailed(f"internal error: {error!r}", error=error))
        finally:
            try:
                self._session.close(keep_journal=not self._stopping)
            except Exception as error:  # noqa: BLE001 - as above
                self._tell(CommandFailed(f"the game did not end well: {error}", error=error))

    def _stand_still(self, event: Event) -> None:
        """Pause, even if fast-forward or rewind is held, and report the reason."""
        self._paused, self._fast, self._rewinding = True, False, False
        self._tell(results.RunStateChanged("paused", paused=True, speed=self._speed))
        self._tell(event)

    def _tell(self, event: Event) -> None:
        try:
            self._on_event(event)
        except Exception:  # noqa: BLE001 - as above
            _log.exception("nobody could be told: %s", event.text)

    def _wait_for_commands(self) -> bool:
        """Run posted commands until a frame is due; return False if the runner is stopping."""
        idle_s = _IDLE_WAIT_S
        while not self._stopping:
            running = self.is_running
            wait_s = max(0.0, self._due_s - time.monotonic()) if running else idle_s
            if running and self._unlimited:
                wait_s = 0.0
            scores = self._session.recorded.pending and not (running and 0 < wait_s < _SPARE_S)
            try:
                command = self._commands.get(block=wait_s > 0 and not scores, timeout=wait_s)
            except queue.Empty:
                if scores:
                    # Score recorded frames again until a frame is due, but at least for _SPARE_S.
                    spare_s = min(SLICE_S, max(wait_s if running else SLICE_S, _SPARE_S))
                    events = self._session.recorded.work(spare_s)
                    for event in (*events, *self._session.take_events()):
                        self._tell(event)
                if running and not (scores and wait_s > 0):
                    return True
                self._keep_edits()
                idle_s = min(2 * idle_s, 4.0)
                # Run planned rows if no command has come for 1.5 s.
                if not running and time.monotonic() - self._rested_s > 1.5 and not self._lost:
                    idle_s = _IDLE_WAIT_S if self._guarded(self._rest) else idle_s
                continue
            command()
            self._rested_s = time.monotonic()
            idle_s = _IDLE_WAIT_S
        return False

    def _rest(self) -> bool:
        """Run some of the rows that an edit has planned; return False if there are none."""
        shown = run_planned(self._session, 240)
        if shown is not None:
            self._on_frame(shown)
        return shown is not None

    def _step(self) -> None:
        if self._lost and self.is_running:
            self._stand_still(CommandFailed(_STOPPED))
        # No frame is run if a key that keeps the game running was released meanwhile.
        elif self.is_running:
            self._schedule_next()
            self._guarded(self._rewind_frame if self._rewinding else self._run_frame)
            self._keep_edits()

    def _keep_edits(self) -> None:
        self._session.persistence.keep_settled_edits()
        self._pass_on_events()

    def _pass_on_events(self) -> None:
        for event in self._session.take_events():
            self._on_event(event)

    def _run_frame(self) -> None:
        travel = self._session.timeline
        if not self._follows_now:
            self._run_live()
            return
        shown = travel.step_forward()
        self._on_frame(shown)
        self._stop_if_asked(shown)
        if shown.number == travel.length:
            self._set_state(paused=True)

    def _rewind_frame(self) -> None:
        self._takes_over = not self._paused
        if self._session.timeline.position > 1:
            self._on_frame(self._session.timeline.step_back())

    @property
    def _follows_now(self) -> bool:
        """True if the next recorded frame is shown: no button is pressed, no memory written."""
        session = self._session
        # A recording always continues with new frames, even if it was resumed at an earlier frame.
        asked = self._follows and not self._takes_over and not session.movies.recording
        as_recorded = not session.timeline.at_end and not session.memory.written
        return asked and as_recorded and not self.live.presses

    def _run_live(self) -> None:
        """Run one frame, or, at unlimited speed, a chunk of frames with the same inputs."""
        session = self._session
        frames = self._chunk.frames if self._unlimited and not self._stop_rule else 1
        playback = session.movies.playback
        if playback is not None and playback.remaining:
            # End the chunk at the movie's last row, because its end pauses the game.
            frames = min(frames, playback.remaining)
        has_sound = self.sounds and not self._fast and self._speed == 1.0
        rows = self._live_rows(frames)
        began = time.perf_counter()
        chunks = session.run(rows, CapturePlan(audio=has_sound), self._on_frame)
        if self._unlimited:
            self._chunk.took(frames, time.perf_counter() - began)
        self._stop_if_asked(chunks[-1].last)
        if playback is not None and not playback.remaining:
            self._set_state(paused=True)  # at once: a listener would answer some frames later

    def _live_rows(self, frames: int) -> Inputs:
        game = self._session.game
        return self.live.rows(frames, game.players, len(game.axes))

    def _stop_if_asked(self, result: FrameResult) -> None:
        stopped = self._stop_rule.stopped_by(result)
        if stopped is not None:
            self._fast = False
            self._set_state(paused=True)
            self._on_event(stopped)

    def _schedule_next(self) -> None:
        now = time.monotonic()
        if self._unlimited:
            self._due_s = self.show_s = now
            return
        period_s = self.pace / (self._session.game.fps * self._speed)
        self.show_s = self._due_s + min(SHOW_DELAY_S, period_s / 2)
        # After a stall, go on from now instead of running the missed frames in a burst.
        self._due_s = max(self._due_s + period_s, now - _MAX_LAG_S)

    def _guarded(self, step: Callable[[], T]) -> T | None:
        """Run a step; an error becomes an event, so that it does not end the thread."""
        try:
            done = step()
        except (CoreCrashed, CoreHung) as error:
            self._recover(error)
        except Exception as error:  # noqa: BLE001 - the runner loop is one of the boundaries
            known = isinstance(error, IntegratorError | OSError)
            text = message_of(error) if known else f"internal error: {error!r}"
            self._set_state(paused=True)
            self._on_event(CommandFailed(text, error=error))
        else:
            self._frames_since_restart += 1
            if self._frames_since_restart > self._session.game.fps:
                self._restarts = 0
            return done
        return None

    def _recover(self, error: CoreCrashed | CoreHung) -> None:
        self._restarts += 1
        self._frames_since_restart = 0
        times = f"It died {self._restarts} times in a row and stays stopped"
        lost = f"{times}; press Reset to try again."
        result = None
        if self._restarts <= MAX_RESTARTS:
            try:
                result = self._session.recover()
            except Exception as failure:  # noqa: BLE001 - as above
                lost = f"A new one could not be started: {failure}"
        if result is None:
            self._lost = True
            self._set_state(paused=True)
            self._on_event(results.CoreLost(f"{error.fact}. {lost}", log=error.log))
            return
        self._due_s = time.monotonic()
        text = f"{error.fact}. A new core process goes on from frame {result.number}."
        self._on_event(results.CoreRestarted(text, number=result.number, log=error.log))
        self._on_frame(result)
