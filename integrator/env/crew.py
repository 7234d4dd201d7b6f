"""Crew: threads that each run the same emulators of a vector environment every time."""

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue
from typing import Any

from integrator.domain.errors import SessionError
from libretro_host.processes.kernel import processors
from libretro_host.shims import ORIGINAL

Work = Callable[[], None]
_LIB = ORIGINAL.lib


class Crew:
    """Runs work in several threads; an emulator always has the same thread, as cores need.

    Worker 0 is the caller's thread. The others wait in C, where they also :meth:`run` tasks."""

    def __init__(self, workers: int) -> None:
        self._crew = _LIB.lh_crew_new(workers, workers <= processors())
        self._works: list[deque[Work | None]] = [deque() for _ in range(workers)]
        self._pid, self.workers = os.getpid(), workers
        self.threads = [
            threading.Thread(target=self._work, args=(i,), name=f"emulators-{i}", daemon=True)
            for i in range(1, workers)
        ]
        for thread in self.threads:
            thread.start()

    def each(self, indices: Sequence[int], work: Callable[[int], object]) -> None:
        """Let each worker do ``work`` for its indices; raise an error once all have ended."""
        self._check()

        def share(worker: int) -> None:
            for index in indices:
                if index % self.workers == worker:
                    work(index)

        def report(worker: int) -> None:
            done.put(tried(partial(share, worker)))

        # Each run has its own queue, so that late answers of an interrupted run are ignored.
        done: SimpleQueue[BaseException | None] = SimpleQueue()
        for worker in range(1, self.workers):
            self.post(worker, partial(report, worker))
        failure = tried(partial(share, 0))
        for _ in self.threads:
            failure = done.get() or failure
        if failure is not None:
            raise failure

    def run(self, tasks: Any) -> None:
        """Let each worker run its share of an array of ``lh_task *``, without Python."""
        self._check()
        is_over = _LIB.lh_crew_run(self._crew, tasks, len(tasks))
        while not is_over:  # the call returns at times, so that Ctrl+C is noticed
            is_over = _LIB.lh_crew_wait(self._crew)

    def post(self, worker: int, work: Work | None) -> None:
        """Queue work that raises nothing for a worker; worker 0 does it in :meth:`help`."""
        self._works[worker].append(work)
        _LIB.lh_crew_call(self._crew, worker)

    def help(self) -> bool:
        """Do the next work of worker 0 in this thread; return False if there is none."""
        if self._works[0] and (work := self._works[0].popleft()):
            work()
            return True
        return False

    @property
    def is_forked(self) -> bool:
        """True in a fork of the process that made the crew, because a fork has no threads."""
        return bool(self.threads) and self._pid != os.getpid()

    def _check(self) -> None:
        if self.is_forked:
            raise SessionError("a fork lacks its parent's threads; make the environment in it")

    def close(self) -> None:
        for worker, thread in enumerate(self.threads, 1):
            self.post(worker, None)
            thread.join()
        self.threads.clear()
        _LIB.lh_crew_free(self._crew)

    def _work(self, worker: int) -> None:
        while True:
            _LIB.lh_crew_serve(self._crew, worker)
            # Ctrl+C may come after work was queued, and before this thread was called for it.
            while self._works[worker]:
                if (work := self._works[worker].popleft()) is None:
                    return
                work()
                del work  # or an environment that nobody closed would stay alive


def tried(work: Work) -> BaseException | None:
    try:
        work()
    except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
        return error
    return None
