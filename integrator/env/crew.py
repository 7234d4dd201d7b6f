"""Threads that run emulators: each emulator is only ever called by one of them."""

import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue

from integrator.domain.errors import SessionError

Work = Callable[[], None]
Task = tuple[Work, "SimpleQueue[BaseException | None]"]


class Crew:
    """Runs work in several threads; an emulator stays with its worker, as cores need."""

    def __init__(self, workers: int) -> None:
        self._tasks: list[SimpleQueue[Task | None]] = [SimpleQueue() for _ in range(workers - 1)]
        self._own: deque[Work] = deque()
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

    def run(self, works: Sequence[Work]) -> None:
        """Run ``works[i]`` by worker i; raises the first error once all have ended."""
        if self.is_forked:
            raise SessionError("a fork has no threads of its parent; make the environment in it")
        # Answers of a run that Ctrl+C interrupted go to its own queue, which nobody reads.
        done: SimpleQueue[BaseException | None] = SimpleQueue()
        for tasks, work in zip(self._tasks, works[1:], strict=True):
            tasks.put((work, done))
        failure = _tried(works[0])
        for _ in self._tasks:
            failure = done.get() or failure
        if failure is not None:
            raise failure

    def post(self, worker: int, work: Work) -> None:
        """Let a worker do a piece of work that raises nothing; worker 0 does it in :meth:`help`."""
        if worker:
            self._tasks[worker - 1].put((work, SimpleQueue()))
        else:
            self._own.append(work)

    def help(self) -> bool:
        """Do the next piece of worker 0 in this thread; False when there is none."""
        if self._own:
            self._own.popleft()()
            return True
        return False

    def drop(self) -> None:
        self._own.clear()

    @property
    def is_forked(self) -> bool:
        """True in a fork of the process that made the crew: threads are not forked."""
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
            done.put(_tried(work))


def _tried(work: Work) -> BaseException | None:
    try:
        work()
    except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
        return error
    return None
