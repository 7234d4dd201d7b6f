"""Crew: threads that each run the same emulators of a vector environment every time."""

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from queue import SimpleQueue

from integrator.domain.errors import SessionError

Work = Callable[[], None]
Task = tuple[Work, "SimpleQueue[BaseException | None]"]


class Crew:
    """Runs work in several threads; an emulator always has the same thread, as cores need."""

    def __init__(self, workers: int) -> None:
        self._tasks: list[SimpleQueue[Task | None]] = [SimpleQueue() for _ in range(workers - 1)]
        self.own: deque[Work] = deque()
        self._pid = os.getpid()
        self._threads = [
            threading.Thread(target=self._work, args=(tasks,), name=f"emulators-{i}", daemon=True)
            for i, tasks in enumerate(self._tasks, 1)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def workers(self) -> int:
        return len(self._tasks) + 1

    def each(self, indices: Sequence[int], work: Callable[[int], object]) -> None:
        """Let each worker do ``work`` for its indices; raise an error once all have ended."""
        if self.is_forked:
            raise SessionError("a fork lacks its parent's threads; make the environment in it")

        def share(worker: int) -> None:
            for index in indices:
                if index % self.workers == worker:
                    work(index)

        # Each run has its own queue, so that late answers of an interrupted run are ignored.
        done: SimpleQueue[BaseException | None] = SimpleQueue()
        for worker, tasks in enumerate(self._tasks, 1):
            tasks.put((partial(share, worker), done))
        failure = tried(partial(share, 0))
        for _ in self._tasks:
            failure = done.get() or failure
        if failure is not None:
            raise failure

    def post(self, worker: int, work: Work) -> None:
        """Queue work that raises nothing for a worker; worker 0 does it in :meth:`help`."""
        if worker:
            self._tasks[worker - 1].put((work, SimpleQueue()))
        else:
            self.own.append(work)

    def help(self) -> bool:
        """Do the next work of worker 0 in this thread; return False if there is none."""
        if self.own:
            self.own.popleft()()
            return True
        return False

    @property
    def is_forked(self) -> bool:
        """True in a fork of the process that made the crew, because a fork has no threads."""
        return bool(self._tasks) and self._pid != os.getpid()

    def close(self) -> None:
        for tasks in self._tasks:
            tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._tasks.clear()

    def _work(self, tasks: SimpleQueue[Task | None]) -> None:
        while (task := tasks.get()) is not None:
            work, done = task
            outcome = [tried(work)]
            # Keep no reference to an environment, or one that nobody closed would stay alive.
            del task, work
            done.put(outcome.pop())


def tried(work: Work) -> BaseException | None:
    try:
        work()
    except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
        return error
    return None
