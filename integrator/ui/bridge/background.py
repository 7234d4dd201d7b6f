"""Work on threads of its own: progress, cancel, answers, closed games; pictures of states."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from integrator.domain.errors import DomainError, IntegratorError, message_of
from integrator.session.hidden.clips import PictureStore, StatePicture, photograph, picture_key
from integrator.session.rework import Progress
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from integrator.session.setup.plan import SessionPlan
from integrator.ui.bridge.bridge import SessionBridge
from integrator.ui.bridge.game import GameController
from integrator.ui.widgets.notices import NoticeKind
from integrator.ui.widgets.parts import ProofBar
from libretro_host.processes.temporary import OwnedFolder

T = TypeVar("T")


class Job:
    """One piece of work: it asks here if it is to go on, and reports its progress. ``give`` hands
    over a part of the answer, from the work's thread, as soon as it is there."""

    def __init__(
        self, tell: "Callable[[Job, int, int], None]", give: Callable[[object], None]
    ) -> None:
        self._tell = tell
        self.give = give
        self._stopped = threading.Event()
        self.dropped = False

    def stop(self) -> None:
        """Let the work end early; its answer still comes."""
        self._stopped.set()

    def stopped(self) -> bool:
        return self._stopped.is_set()

    def progress(self, done: int, total: int) -> None:
        """Report that ``done`` of ``total`` steps are done. Called from the work's thread."""
        self._tell(self, done, total)

    def go_on(self, done: int, total: int) -> bool:
        """Report progress; False when the job is to end early."""
        self.progress(done, total)
        return not self.stopped()


class Background(QObject):
    """One thread for jobs, run in the order they were started. Signals arrive in the window.

    ``progressed`` gives done and total of the job that runs; ``busy_changed`` whether any does. A
    job whose game is closed is stopped, and its answer dropped, unless the work ``outlives_game``.
    """

    progressed = Signal(int, int)
    busy_changed = Signal(bool)
    _told = Signal(object, int, int)
    _gave = Signal(object, object, object)
    _answered = Signal(object, object, object, object)

    def __init__(
        self, bridge: SessionBridge, name: str, parent: QObject, *, outlives_game: bool = False
    ) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._jobs: list[Job] = []
        queued = Qt.ConnectionType.QueuedConnection
        self._told.connect(self._show_progress, queued)
        self._gave.connect(self._take, queued)
        self._answered.connect(self._deliver, queued)
        if not outlives_game:
            bridge.closed.connect(self.drop_all)
        bridge.ending.connect(self._end)

    @property
    def busy(self) -> bool:
        return any(not job.dropped for job in self._jobs)

    def start(
        self,
        work: Callable[[Job], T],
        then: Callable[[T], object] | None = None,
        otherwise: Callable[[Exception], object] | None = None,
        each: Callable[[Any], object] | None = None,
    ) -> Job:
        """Run ``work`` when the jobs before it are done; the answer comes in this thread. ``each``
        is called, in this thread too, with every part that the job gives before."""
        job = Job(self._told.emit, lambda part: self._gave.emit(job, part, each))
        self._jobs.append(job)
        if len(self._jobs) == 1:
            self.busy_changed.emit(True)  # noqa: FBT003 - a signal's argument
        future = self._pool.submit(work, job)
        future.add_done_callback(lambda done: self._answered.emit(job, done, then, otherwise))
        return job

    def stop_all(self) -> None:
        for job in self._jobs:
            job.stop()

    def drop_all(self) -> None:
        """Let every job end early, and ignore its answer."""
        for job in self._jobs:
            job.dropped = True
            job.stop()

    def _end(self) -> None:
        self.drop_all()
        self._pool.shutdown(wait=True, cancel_futures=True)

    @Slot(object, int, int)
    def _show_progress(self, job: Job, done: int, total: int) -> None:
        if not job.dropped:
            self.progressed.emit(done, total)

    @Slot(object, object, object)
    def _take(self, job: Job, part: object, each: Callable[[object], object] | None) -> None:
        if each is not None and not job.dropped:
            each(part)

    @Slot(object, object, object, object)
    def _deliver(
        self,
        job: Job,
        future: Future[T],
        then: Callable[[T], object] | None,
        otherwise: Callable[[Exception], object] | None,
    ) -> None:
        self._jobs.remove(job)
        if not self._jobs:
            self.busy_changed.emit(False)  # noqa: FBT003 - a signal's argument
        if future.cancelled():
            return
        error = future.exception()
        if error is not None and not isinstance(error, Exception):
            raise error
        if job.dropped:
            return
        if error is None:
            if then is not None:
                then(future.result())
        elif otherwise is not None:
            otherwise(error)
        else:
            raise error


A = TypeVar("A")


class PanelTask(Background):
    """Background work with a look at the session before it.

    ``works``: true from the wish for work until its answer, so that a panel never rests between.
    ``failed`` follows a failure that was reported.
    """

    works = Signal(bool)
    failed = Signal()

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        name: str,
        bars: Sequence[ProofBar],
        parent: QObject,
    ) -> None:
        super().__init__(bridge, name, parent)
        self._bridge = bridge
        self._controller = controller
        self._bars: list[ProofBar] = []
        self._prepares = False
        self._turn = 0
        for bar in bars:
            self.add_bar(bar)
        self.busy_changed.connect(lambda _: self._show())
        bridge.closed.connect(lambda: self._prepare(on=False))

    def add_bar(self, bar: ProofBar) -> None:
        self._bars.append(bar)
        bar.cancel_requested.connect(self.cancel)
        self.progressed.connect(bar.show_progress)

    def run(
        self,
        text: str,
        look: Callable[[Session], A],
        work: Callable[[A, Job], T],
        show: Callable[[T], object],
        each: Callable[[Any], object] | None = None,
    ) -> None:
        """Look at the session between two frames, work off its thread, and show the answer. A
        newer wish takes the place of one whose work has not begun."""
        self.begin(text)
        turn = self._turn

        def seen(answer: A) -> None:
            if turn == self._turn:
                self.go_on(lambda job: work(answer, job), show, each)

        self._bridge.ask(look, seen, self.fail)

    def begin(self, text: str) -> None:
        """Show that work is prepared, which :meth:`go_on` starts unless it is cancelled before."""
        if self._bridge.is_open:
            for bar in self._bars:
                bar.begin(text)
            self._turn += 1
            self._prepare(on=True)

    def go_on(
        self,
        work: Callable[[Job], T],
        show: Callable[[T], object],
        each: Callable[[Any], object] | None = None,
    ) -> None:
        if self._prepares:
            self.start(work, show, self.fail, each)
            self._prepare(on=False)

    def cancel(self) -> None:
        """Stop soon; what was found so far is shown."""
        self.stop_all()
        for bar in self._bars:
            bar.ending()
        self._prepare(on=False)

    def fail(self, error: Exception) -> None:
        self._prepare(on=False)
        self._controller.said.emit(NoticeKind.ERROR, str(error))
        self.failed.emit()

    def _prepare(self, *, on: bool) -> None:
        self._prepares = on
        self._show()

    def _show(self) -> None:
        works = self._prepares or self.busy
        for bar in self._bars:
            bar.setVisible(works)
        self.works.emit(works)


class GameFolder(QObject):
    """The folder goes when the game is closed, with the window, and when a newer one is made."""

    def __init__(self, bridge: SessionBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._folder: OwnedFolder | None = None
        bridge.closed.connect(self._forget)
        bridge.ending.connect(self._forget)

    def renew(self) -> Path:
        self._forget()
        self._folder = OwnedFolder()
        return self._folder.path

    def _forget(self) -> None:
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.close()


LONG_FRAMES = 600  # from that many frames on, a command shows its progress


class Replay(QObject):
    """One command at a time. ``text`` gives the bar's words for a number of frames."""

    _moved = Signal(object, int, int)

    def __init__(
        self, bridge: SessionBridge, bar: ProofBar, text: Callable[[int], str], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bar = bar
        self._text = text
        self._stopped = threading.Event()
        self._moved.connect(self._show, Qt.ConnectionType.QueuedConnection)
        bar.cancel_requested.connect(self._cancel)
        bridge.closed.connect(self.end)
        bridge.ending.connect(self.end)

    def begin(self) -> Progress:
        """A function for a new command, which reports its progress by it on its own thread."""
        stopped = self._stopped = threading.Event()

        def progress(done: int, total: int) -> bool:
            if total >= LONG_FRAMES:
                self._moved.emit(stopped, done, total)
            return not stopped.is_set()

        return progress

    def stop(self) -> None:
        self._stopped.set()

    def end(self) -> None:
        self._stopped.set()
        self._bar.hide()

    def _cancel(self) -> None:
        self.stop()
        self._bar.ending()

    def _show(self, stopped: threading.Event, done: int, total: int) -> None:
        if stopped.is_set():
            return
        if self._bar.isHidden():
            self._bar.begin(self._text(total))
        self._bar.show_progress(done, total)


Planner = Callable[[], SessionPlan]
Namer = Callable[[SessionPlan], Sequence[str]]


@dataclass(frozen=True, slots=True)
class MadePicture:
    """A state of the integration in ``directory``: the file of its picture, or why there is none.
    ``again``: it was in the cache."""

    directory: Path
    name: str
    file: Path | None
    problem: str = ""
    again: bool = False


class PictureMaker(QObject):
    """Owns one thread; the last request is made last. Lives in the window's thread. ``made`` gives
    a MadePicture. ``close`` must be called before the program ends."""

    made = Signal(object)
    _passed_on = Signal(object)

    def __init__(self, store: PictureStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store = store
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._closing = threading.Event()
        self._turn = 0
        self._passed_on.connect(self.made, Qt.ConnectionType.QueuedConnection)

    def request(self, planner: Planner, namer: Namer, *, anew: bool = False) -> None:
        """Make pictures of states, or take them out of the cache.

        ``planner`` gives a hidden plan, and ``namer`` its states; they may read files. ``anew``
        loads the states whatever is in the cache.
        """
        turn = self._turn
        if not self._closing.is_set():
            self._worker.submit(self._work, planner, namer, turn, anew)

    def drop_requests(self) -> None:
        self._turn += 1

    def close(self) -> None:
        """End the thread. Idempotent."""
        self._closing.set()
        self._worker.shutdown(wait=True, cancel_futures=True)

    def _stopped(self, turn: int) -> bool:
        return self._closing.is_set() or turn != self._turn

    def _work(self, planner: Planner, namer: Namer, turn: int, anew: bool) -> None:
        """Make pictures on the maker's thread. A failure is reported, and the work goes on."""
        if self._stopped(turn):
            return
        try:
            plan = planner()
            names = namer(plan)
        except (IntegratorError, OSError):
            return  # the game cannot be opened, which opening it explains
        directory = plan.integration.directory
        missing = []
        keys = {}
        for name in names:
            try:
                keys[name] = picture_key(plan.request, _state_bytes(plan, name))
            except (DomainError, OSError) as error:
                self._tell(MadePicture(directory, name, None, message_of(error)))
                continue
            found = None if anew else self.store.find(keys[name])
            if found is None:
                missing.append(name)
            else:
                self._tell(MadePicture(directory, name, found, again=True))
        try:
            for one in photograph(plan, missing, lambda: self._stopped(turn)):
                self._tell(self._kept(directory, one, keys[one.name]))
        except (IntegratorError, OSError) as error:
            for name in missing:
                self._tell(MadePicture(directory, name, None, message_of(error)))

    def _kept(self, directory: Path, one: StatePicture, key: str) -> MadePicture:
        file = self.store.keep(key, one.picture) if one.picture is not None else None
        return MadePicture(directory, one.name, file, one.problem)

    def _tell(self, made: MadePicture) -> None:
        if not self._closing.is_set():
            self._passed_on.emit(made)


def _state_bytes(plan: SessionPlan, name: str) -> bytes:
    return b"" if name == POWER_ON else plan.integration.state_data(name)
