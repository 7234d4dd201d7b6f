"""Work that takes long, beside the window's thread and the game's: progress, cancel, answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from integrator.ui.bridge.bridge import SessionBridge

T = TypeVar("T")


class Job:
    """One piece of work: it asks here if it is to go on, and reports its progress.

    ``give`` hands over a part of the answer, from the work's thread, as soon as it is there.
    """

    def __init__(
        self, tell: Callable[[Job, int, int], None], give: Callable[[object], None]
    ) -> None:
        self._tell = tell
        self.give = give
        self._stopped = threading.Event()
        self.dropped = False

    def stop(self) -> None:
        """Let the work end early; its answer still comes."""
        self._stopped.set()

    def stopped(self) -> bool:
        """True when the job is to end early."""
        return self._stopped.is_set()

    def progress(self, done: int, total: int) -> None:
        """Report that ``done`` of ``total`` steps are done. Called from the work's thread."""
        self._tell(self, done, total)


class Background(QObject):
    """One thread for jobs, run in the order they were started. Signals arrive in the window.

    ``progressed`` gives done and total of the job that runs; ``busy_changed`` whether any does. A
    job whose game is closed is stopped, and its answer dropped.
    """

    progressed = Signal(int, int)
    busy_changed = Signal(bool)
    _told = Signal(object, int, int)
    _gave = Signal(object, object, object)
    _answered = Signal(object, object, object, object)

    def __init__(self, bridge: SessionBridge, name: str, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._jobs: list[Job] = []
        queued = Qt.ConnectionType.QueuedConnection
        self._told.connect(self._show_progress, queued)
        self._gave.connect(self._take, queued)
        self._answered.connect(self._deliver, queued)
        bridge.closed.connect(self.drop_all)
        bridge.ending.connect(self._end)

    @property
    def busy(self) -> bool:
        """True when a job runs or waits whose answer will be shown."""
        return any(not job.dropped for job in self._jobs)

    def start(
        self,
        work: Callable[[Job], T],
        then: Callable[[T], object] | None = None,
        otherwise: Callable[[Exception], object] | None = None,
        each: Callable[[Any], object] | None = None,
    ) -> Job:
        """Run ``work`` when the jobs before it are done; the answer comes in this thread.

        ``each`` is called, in this thread too, with every part that the job gives before.
        """
        job = Job(self._told.emit, lambda part: self._gave.emit(job, part, each))
        self._jobs.append(job)
        if len(self._jobs) == 1:
            self.busy_changed.emit(True)  # noqa: FBT003 - a signal's argument
        future = self._pool.submit(work, job)
        future.add_done_callback(lambda done: self._answered.emit(job, done, then, otherwise))
        return job

    def stop_all(self) -> None:
        """Let every job end early."""
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
