"""Jobs on threads of their own, with progress, cancel and results; and pictures of states."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from integrator.domain.errors import DomainError, IntegratorError, message_of
from integrator.session.frame.result import FrameResult
from integrator.session.hidden.clips import PictureStore, photograph, picture_key
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from integrator.session.setup.plan import SessionPlan
from integrator.session.timeline.restorer import Progress, ReplayStopped
from integrator.ui import widgets as ui
from integrator.ui.bridge.bridge import (
    Command,
    Courier,
    Otherwise,
    SessionBridge,
    Show,
    Then,
    deliver,
)
from integrator.ui.bridge.game import GameController
from libretro_host.processes.temporary import OwnedFolder

A = TypeVar("A")
T = TypeVar("T")
Each = Callable[[Any], object] | None


class Job:
    """A piece of background work. It calls ``progress`` with steps done and in total, and ``give``
    with parts of its result, from any thread. It ends early once ``stopped`` returns True."""

    def __init__(
        self, progress: Callable[[int, int], None], give: Callable[[object], None]
    ) -> None:
        self.progress, self.give = progress, give
        self._stopped = threading.Event()
        self.dropped = False
        self.stop = self._stopped.set  # ask the work to end early; its result is still delivered
        self.stopped = self._stopped.is_set

    def go_on(self, done: int, total: int) -> bool:
        """Report progress, and return False if the job has to end early."""
        self.progress(done, total)
        return not self.stopped()

    def drop(self) -> None:
        """Ask the work to end early, and ignore its result."""
        self.dropped = True
        self.stop()


Work = Callable[[Job], T]


class Background(Courier):
    """A thread that runs jobs in the order in which they were started. Signals arrive in the
    window's thread: ``progressed`` gives steps done and in total, ``busy_changed`` if any job runs.
    Jobs end with their game, and their results are dropped, unless the work ``outlives_game``."""

    progressed = Signal(int, int)
    busy_changed = Signal(bool)

    def __init__(
        self, bridge: SessionBridge, name: str, parent: QObject, *, outlives_game: bool = False
    ) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._jobs: list[Job] = []
        self._over = False
        if not outlives_game:
            bridge.closed.connect(self.drop_all)
        bridge.ending.connect(self.end)

    @property
    def busy(self) -> bool:
        return any(not job.dropped for job in self._jobs)

    def start(
        self,
        work: Work[T],
        then: Show[T] | None = None,
        otherwise: Otherwise = None,
        each: Each = None,
    ) -> Job:
        """Run ``work`` after earlier jobs. In the window's thread, ``then`` gets the result,
        ``otherwise`` the error, and ``each`` every part that the job gives before its end."""

        def show(done: int, total: int) -> None:
            if not job.dropped:
                self.progressed.emit(done, total)

        def take(part: object) -> None:
            if each is not None and not job.dropped:
                each(part)

        def answer(done: Future[T]) -> None:
            self._jobs.remove(job)
            if not self._jobs:
                self.busy_changed.emit(False)  # noqa: FBT003 - a signal's argument
            if not job.dropped:
                deliver(done, then, otherwise)

        job = Job(lambda *steps: self.later(show, *steps), lambda part: self.later(take, part))
        if self._over:
            return job
        self._jobs.append(job)
        if len(self._jobs) == 1:
            self.busy_changed.emit(True)  # noqa: FBT003 - a signal's argument
        self._pool.submit(work, job).add_done_callback(lambda done: self.later(answer, done))
        return job

    def stop_all(self) -> None:
        for job in self._jobs:
            job.stop()

    def drop_all(self) -> None:
        for job in self._jobs:
            job.drop()

    def end(self) -> None:
        self._over = True
        self.drop_all()
        self._pool.shutdown(wait=True, cancel_futures=True)


class PanelTask(Background):
    """Background work of a panel, which first reads the session. ``works`` is true from the request
    until the result, without a gap in between. ``failed`` follows a reported failure."""

    works = Signal(bool)
    failed = Signal()

    def __init__(
        self,
        bridge: SessionBridge,
        controller: GameController,
        name: str,
        bars: Sequence[ui.ProofBar],
        parent: QObject,
    ) -> None:
        super().__init__(bridge, name, parent)
        self._bridge, self._controller = bridge, controller
        self._bars: list[ui.ProofBar] = []
        self._prepares = False
        self._turn = 0
        for bar in bars:
            self.add_bar(bar)
        self.busy_changed.connect(lambda _: self._show())
        bridge.closed.connect(lambda: self._prepare(on=False))

    def add_bar(self, bar: ui.ProofBar) -> None:
        self._bars.append(bar)
        bar.cancel_requested.connect(self.cancel)
        self.progressed.connect(bar.show_progress)

    def run(
        self,
        text: str,
        look: Command[A],
        work: Callable[[A, Job], T],
        show: Show[T],
        each: Each = None,
    ) -> None:
        """Read the session with ``look`` between two frames, ``work`` on the answer in the
        background, and ``show`` the result. A newer request replaces a waiting one."""
        self.begin(text)
        turn = self._turn

        def seen(answer: A) -> None:
            if turn == self._turn:
                self.go_on(lambda job: work(answer, job), show, each)

        self._bridge.ask(look, seen, self.fail)

    def begin(self, text: str) -> None:
        """Show that work is prepared. :meth:`go_on` starts it, unless it is cancelled before."""
        if self._bridge.is_open:
            for bar in self._bars:
                bar.begin(text)
            self._turn += 1
            self._prepare(on=True)

    def go_on(self, work: Work[T], show: Show[T], each: Each = None) -> None:
        if self._prepares:
            self.start(work, show, self.fail, each)
            self._prepare(on=False)

    def cancel(self) -> None:
        """Ask the work to stop soon. The results that it has found so far are shown."""
        self.stop_all()
        for bar in self._bars:
            bar.ending()
        self._prepare(on=False)

    def fail(self, error: Exception) -> None:
        self._prepare(on=False)
        self._controller.said.emit(ui.NoticeKind.ERROR, str(error))
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
    """A temporary folder, deleted when the game or window is closed, or a newer one is made."""

    def __init__(self, bridge: SessionBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._kept = ExitStack()
        bridge.closed.connect(self._kept.close)
        bridge.ending.connect(self._kept.close)

    def renew(self) -> Path:
        folder = OwnedFolder()
        self._kept.close()
        self._kept.callback(folder.close)
        return folder.path


LONG_FRAMES = 600  # a command of at least this many frames shows its progress


class Replay(Courier):
    """Commands that may take long. One command runs at a time, and others wait for it. Cancel stops
    the running command, and a game that is being opened by :meth:`open`. ``text`` returns the text
    of the progress bar for a number of frames."""

    def __init__(
        self, bridge: SessionBridge, bar: ui.ProofBar, text: Callable[[int], str], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bridge, self._bar, self._text = bridge, bar, text
        self._begun: list[threading.Event] = []
        self._opening = threading.Event()  # stops the last opening
        bar.cancel_requested.connect(self.stop)
        bar.cancel_requested.connect(bar.ending)
        bridge.closed.connect(self._drop)
        bridge.ending.connect(self._drop)
        for other in (bridge.opening, bridge.ending):
            other.connect(lambda: self._opening.set())

    def open(self, path: Path, opener: Callable[[Progress], Session]) -> None:
        """Open a game with ``opener``, which may take long. Opening another game stops it."""
        stopped = threading.Event()

        def work(_: Path) -> Session:
            try:
                return opener(partial(self._progress, stopped))
            finally:
                self.later(self._end, stopped)

        self._bridge.open(path, work)
        self._opening = stopped

    def _progress(self, stopped: threading.Event, done: int, total: int) -> bool:
        if total >= LONG_FRAMES:
            self.later(self._show, stopped, done, total)
        return not stopped.is_set()

    def ask(
        self, work: Callable[[Session, Progress], T], then: Show[T], otherwise: Show[Exception]
    ) -> threading.Event:
        """Let the session do ``work``. Setting the returned event stops the work; a command that
        was stopped before its end calls neither ``then`` nor ``otherwise``."""
        stopped = threading.Event()
        # Without a game no command runs, so nothing would remove the event again.
        if self._bridge.is_open:
            self._begun.append(stopped)

        def done(answer: T) -> None:
            self._end(stopped)
            then(answer)

        def failed(error: Exception) -> None:
            self._end(stopped)
            if not isinstance(error, ReplayStopped):
                otherwise(error)

        progress = partial(self._progress, stopped)
        self._bridge.ask(lambda session: work(session, progress), done, failed)
        return stopped

    def go(
        self,
        work: Callable[[Session, Progress], FrameResult],
        otherwise: Show[Exception],
        then: Then = lambda: None,
    ) -> threading.Event:
        """Pause, let ``work`` go to a frame, show that frame, and call ``then``."""

        def show(result: FrameResult) -> None:
            self._bridge.show(result)
            then()

        self._bridge.pause()
        return self.ask(work, show, otherwise)

    def stop(self) -> None:
        for running in (self._opening, *self._begun[:1]):
            running.set()

    def _end(self, ended: threading.Event) -> None:
        ended.set()
        if ended in self._begun:
            self._begun.remove(ended)
        self._bar.hide()

    def _drop(self) -> None:
        while self._begun:
            self._end(self._begun[0])

    def _show(self, stopped: threading.Event, done: int, total: int) -> None:
        if stopped.is_set():
            return
        if self._bar.isHidden():
            self._bar.begin(self._text(total))
        self._bar.show_progress(done, total)


@dataclass(frozen=True, slots=True)
class MadePicture:
    """A state's picture, in the integration at ``directory``: its file, or why there is none."""

    directory: Path
    name: str
    file: Path | None
    problem: str = ""


class PictureMaker(Background):
    """Makes pictures of states, in the order of the requests."""

    def __init__(self, bridge: SessionBridge, store: PictureStore, parent: QObject) -> None:
        super().__init__(bridge, "pictures", parent, outlives_game=True)
        self.store = store

    def request(
        self,
        wanted: Callable[[], tuple[SessionPlan, Sequence[str]]],
        take: Callable[[MadePicture], object],
        *,
        fresh: bool = False,
    ) -> None:
        """Make pictures of states, or take them from the cache, and give each to ``take``.
        ``wanted`` gives a hidden plan and its states, for which it may read files. ``fresh``
        pictures are always made again."""

        def work(job: Job) -> None:
            if job.stopped():
                return
            try:
                plan, names = wanted()
            except (IntegratorError, OSError):
                return  # the error is reported when the game is opened
            self._make(job, plan, names, fresh)

        self.start(work, each=take)

    def _make(self, job: Job, plan: SessionPlan, names: Sequence[str], fresh: bool) -> None:
        """Make the pictures, and go on after a failure, which is reported for its state."""
        directory = plan.integration.directory
        missing: dict[str, str] = {}
        for name in names:
            try:
                state = b"" if name == POWER_ON else plan.integration.state_files.data(name)
                key = picture_key(plan.request, state)
            except (DomainError, OSError) as error:
                job.give(MadePicture(directory, name, None, message_of(error)))
                continue
            found = None if fresh else self.store.find(key)
            if found is None:
                missing[name] = key
            else:
                job.give(MadePicture(directory, name, found))
        try:
            for name, picture, problem in photograph(plan, list(missing), job.stopped):
                file = None if picture is None else self.store.keep(missing[name], picture)
                job.give(MadePicture(directory, name, file, problem))
        except (IntegratorError, OSError) as error:
            for name in missing:
                job.give(MadePicture(directory, name, None, message_of(error)))
