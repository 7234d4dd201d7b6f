"""Connects the runner's thread to the window: the newest frame, events, commands with results."""

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Concatenate, Final, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent, QObject, Qt, Signal, Slot

from integrator.domain.errors import SessionError
from integrator.session.edits.snapshot import GameSnapshot
from integrator.session.frame.inputs import LiveInputs
from integrator.session.frame.result import Event, FrameResult
from integrator.session.runner import Runner
from integrator.session.session import Session
from integrator.session.timeline.restorer import ReplayStopped
from integrator.ui import widgets as ui

_TURN: Final = QEvent.Type(QEvent.registerEventType())

Chore = Callable[[], object]


class FrameGaps(QObject):
    """Runs chores in their order, one in each gap between frames, or at once while no frames are
    coming. One chore only, because painting its changes takes longer than the chore itself."""

    def __init__(self, coming: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._coming = coming
        self._waiting: deque[Chore] = deque()
        self._asked = False
        # A chore waits for at most 120 ms, even if no frame arrives.
        self._patience = ui.settle_timer(self, 120, self._run_all)

    def run(self, chore: Chore) -> None:
        """Run ``chore`` in the next gap. A chore that is already waiting is not added again."""
        if not self._coming():
            chore()
        elif chore not in self._waiting:
            self._waiting.append(chore)
            if not self._patience.isActive():
                self._patience.start()

    def begin(self) -> None:
        """Note that a frame was given to the screen: the gap begins as soon as it is painted."""
        if self._waiting and not self._asked:
            self._asked = True
            # Widgets post paint events with LowEventPriority, so a lower priority comes later.
            after_painting = Qt.EventPriority.LowEventPriority.value - 1
            QCoreApplication.postEvent(self, QEvent(_TURN), after_painting)

    def event(self, event: QEvent) -> bool:
        if event.type() is not _TURN:
            return super().event(event)
        self._asked = False
        if self._waiting:
            self._waiting.popleft()()
        if self._waiting:
            self._patience.start()
        else:
            self._patience.stop()
        return True

    def _run_all(self) -> None:
        while self._waiting:
            self._waiting.popleft()()


T = TypeVar("T")
P = ParamSpec("P")
Command = Callable[[Session], T]
Show = Callable[[T], object]
Opener = Callable[[Path], Session]
Then = Callable[[], object]
Otherwise = Callable[[Exception], object] | None

READ_INTERVAL_MS = 50  # between readouts while the game runs: nobody reads faster numbers


def _of_runner(
    control: Callable[Concatenate[Runner, P], object],
) -> Callable[Concatenate["SessionBridge", P], None]:
    """Return a method that controls the open game's runner, and does nothing without a game."""

    def call(bridge: "SessionBridge", /, *args: P.args, **kwargs: P.kwargs) -> None:
        if bridge._runner is not None:  # noqa: SLF001 - a part of the bridge
            control(bridge._runner, *args, **kwargs)  # noqa: SLF001

    return call


def deliver(done: Future[T], then: Show[T] | None, otherwise: Otherwise) -> None:
    """Pass the result to ``then``, or the error to ``otherwise``; raise it if that is None."""
    if done.cancelled():
        return
    if (error := done.exception()) is None:
        if then is not None:
            then(done.result())
    elif otherwise is not None and isinstance(error, Exception):
        otherwise(error)
    else:
        raise error


class Courier(QObject):
    """Calls functions in the window's thread, in the order in which :meth:`later` was called."""

    _called = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._called.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def later(self, call: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        self._called.emit(partial(call, *args, **kwargs))

    @Slot(object)
    def _call(self, call: Callable[[], object]) -> None:
        call()


class SessionBridge(Courier):
    """Owns the runner of the open game. Lives in the window's thread, where its signals arrive.
    ``frame_ready`` gives the newest FrameResult; frames that came while the window was busy are
    skipped. ``readout_ready`` gives it to panels of numbers, every ``READ_INTERVAL_MS`` while the
    game runs, at once while it is paused. ``opened`` gives a GameSnapshot. ``failed`` gives the
    error of a command without ``otherwise``. ``ending`` announces the end of the window, and
    ``opening`` that a game is requested, so that the opening of an earlier one can be stopped;
    ``open_stopped`` follows for that earlier game, instead of ``open_failed``."""

    opening = Signal()
    opened = Signal(object)
    closed = Signal()
    ending = Signal()
    open_failed = Signal(object, object)
    open_stopped = Signal()
    frame_ready = Signal(object)
    readout_ready = Signal(object)
    event_received = Signal(object)
    failed = Signal(object)

    def __init__(self, opener: Opener) -> None:
        super().__init__()
        self._opener = opener
        self._runner: Runner | None = None
        # The session of the open game; late frames of an earlier game are ignored.
        self._session: Session | None = None
        self._lock = threading.Lock()
        self._newest: FrameResult | None = None
        self._announced = False
        self._show_s = 0.0
        self._since_drawn = QElapsedTimer()
        self._since_drawn.start()
        self._draw_timer = ui.settle_timer(self, 0, self._deliver_frame)
        self._draw_timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.frame_gaps = FrameGaps(self.plays, self)
        self._unread: FrameResult | None = None
        self._since_read = QElapsedTimer()
        self._since_read.start()
        self._read_timer = ui.settle_timer(self, 0, lambda: self.frame_gaps.run(self._read_out))
        self._openers = ThreadPoolExecutor(1, thread_name_prefix="open-game")
        self._opening: list[Future[tuple[Session, GameSnapshot]]] = []
        self._gone: Future[None] = Future()
        self._gone.set_result(None)
        self._hear: Callable[[NDArray[np.int16]], float] | None = None

    @property
    def is_open(self) -> bool:
        return self._runner is not None

    def plays(self) -> bool:
        return self._runner is not None and self._runner.is_running

    def is_busy(self) -> bool:
        """True while the game plays, or while a closed game is still ending."""
        return self.plays() or not self._gone.done()

    @property
    def is_opening(self) -> bool:
        return bool(self._opening)

    def open(self, path: Path, opener: Opener | None = None) -> None:
        """Open a game on another thread; ``opened`` or ``open_failed`` follows. ``opener`` replaces
        the default opener, for example to recover play."""
        make = opener or self._opener

        def work() -> tuple[Session, GameSnapshot]:
            session = make(path)
            return session, GameSnapshot.of(session.game, path, session.last)

        self.opening.emit()
        made = self._openers.submit(work)
        self._opening.append(made)
        made.add_done_callback(lambda done: self.later(self._adopt, path, done))

    def in_background(
        self, work: Callable[[], T], then: Show[T], otherwise: Otherwise = None
    ) -> None:
        """Run ``work``, which reads files, on another thread; ``then`` gets its result."""
        failed = otherwise or self.failed.emit
        future = self._openers.submit(work)
        future.add_done_callback(lambda done: self.later(deliver, done, then, failed))

    def show(self, result: FrameResult) -> None:
        """Show a frame that a command returned, as if it had been played."""
        if self._session is not None:
            self._on_frame(self._session, result)

    def close_game(self) -> None:
        """Close the open game, if any, on another thread, before later openings and readings."""
        runner, self._runner = self._runner, None
        if runner is not None:
            with self._lock:
                self._session = self._newest = None
            runner.stop()
            self._gone = self._openers.submit(runner.close)
            self._unread = None
            self.closed.emit()

    def shut_down(self) -> None:
        """Close everything because the window is being closed. Idempotent."""
        self.ending.emit()
        self.close_game()
        self._openers.shutdown(wait=True)
        # The window is gone, so games that were still being opened are closed here.
        for made in self._opening:
            if made.exception() is None:
                # Recovered play that nobody has seen is offered again.
                made.result()[0].close(keep_journal=True)
        self._opening.clear()

    def _adopt(self, path: Path, made: Future[tuple[Session, GameSnapshot]]) -> None:
        if made not in self._opening:
            return
        self._opening.remove(made)
        error = made.exception()
        if isinstance(error, ReplayStopped):
            self.open_stopped.emit()
            return
        if error is not None:
            self.open_failed.emit(path, error)
            return
        self.close_game()
        session, snapshot = made.result()
        self._session = session
        self._runner = Runner(
            session,
            lambda result: self._on_frame(session, result),
            lambda event: self.later(self._on_event, session, event),
        )
        self._runner.start()
        self.opened.emit(snapshot)

    def _on_frame(self, session: Session, result: FrameResult) -> None:
        """Runner's thread: pass the sound on, keep the newest frame, and wake the window once."""
        if session is not self._session:
            return
        hear, runner = self._hear, self._runner
        if hear is not None and runner is not None and result.audio is not None:
            runner.pace = hear(result.audio)
        with self._lock:
            if session is not self._session:
                return
            self._newest = result if self._newest is None else result.after(self._newest)
            self._show_s = runner.show_s if runner is not None else 0.0
            if self._announced:
                return
            self._announced = True
        self.later(self._frame_arrived)

    def _on_event(self, session: Session, event: Event) -> None:
        if session is self._session:
            self.event_received.emit(event)

    def _frame_arrived(self) -> None:
        if self._runner is not None and self._runner.is_hurried:
            # Hundreds of frames arrive per second. Drawing all of them would take time from the
            # core, and a screen shows at most one in about 14 ms.
            wait_ms = 14 - int(self._since_drawn.elapsed())
        else:
            wait_ms = round(1000 * (self._show_s - time.monotonic()))
        if wait_ms > 0:
            self._draw_timer.start(wait_ms)
        else:
            self._deliver_frame()

    def _deliver_frame(self) -> None:
        self._since_drawn.restart()
        with self._lock:
            result, self._newest = self._newest, None
            self._announced = False
        if result is None or self._runner is None:
            return
        self.frame_ready.emit(result)
        self._unread = result if self._unread is None else result.after(self._unread)
        if not self.plays() or self._since_read.elapsed() >= READ_INTERVAL_MS:
            self.frame_gaps.run(self._read_out)
        elif not self._read_timer.isActive():
            self._read_timer.start(READ_INTERVAL_MS)
        self.frame_gaps.begin()

    def _read_out(self) -> None:
        result, self._unread = self._unread, None
        if result is not None and self._runner is not None:
            self._since_read.restart()
            self._read_timer.stop()
            self.readout_ready.emit(result)

    def ask(
        self, command: Command[T], then: Show[T] | None = None, otherwise: Otherwise = None
    ) -> None:
        """Run ``command`` between two frames. In the window's thread, ``then`` gets the result and
        ``otherwise`` the error; without ``otherwise``, ``failed`` is emitted with the error."""
        if self._runner is None:
            return
        session, failed = self._session, otherwise or self.failed.emit

        def answer(done: Future[T]) -> None:
            if session is self._session:
                if not self.plays():  # frames that still wait to be drawn come first
                    self._deliver_frame()
                    self._read_out()
                deliver(done, then, failed)

        self._runner.post(command).add_done_callback(lambda done: self.later(answer, done))

    def post(self, command: Command[T]) -> Future[T]:
        """Run ``command`` between two frames; any thread may call it. Raises SessionError."""
        if (runner := self._runner) is None:
            raise SessionError("no game is open in the window")
        return runner.post(command)

    play = _of_runner(Runner.play)
    pause = _of_runner(Runner.pause)
    advance_frame = _of_runner(Runner.advance_frame)
    step_back = _of_runner(Runner.step_back)
    set_rewinding = _of_runner(Runner.rewind)
    set_follow = _of_runner(Runner.set_follow)
    reset = _of_runner(Runner.reset)
    set_speed = _of_runner(Runner.set_speed)
    set_fast_forward = _of_runner(Runner.set_fast_forward)
    set_stops = _of_runner(Runner.set_stops)
    set_masks = _of_runner(Runner.set_inputs)
    drop_edits = _of_runner(Runner.drop_edits)

    @property
    def live(self) -> LiveInputs:
        """The live inputs of the open game; empty inputs without a game."""
        return self._runner.live if self._runner is not None else LiveInputs()

    @contextlib.contextmanager
    def standing_still(self) -> Iterator[None]:
        """Pause while the context lasts, then go on if the game was playing: for dialogs."""
        if played := self.plays():
            self.pause()
        try:
            yield
        finally:
            if played:
                self.play()

    def set_sound(self, hear: Callable[[NDArray[np.int16]], float] | None) -> None:
        """Set the receiver of each frame's sound, on the runner's thread; it returns the pace."""
        self._hear = hear
        if self._runner is not None:
            self._runner.sounds = hear is not None
            self._runner.pace = 1.0
