"""A pool of worker processes: a function of many items, each in a process that may die of it."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from functools import partial
from typing import Generic, TypeVar

from libretro_host.errors import HostError
from libretro_host.processes.worker_process import WorkerProcess

_LOOK_S = 0.1
Item = TypeVar("Item")
Result = TypeVar("Result")


class WorkerPool(Generic[Item, Result]):
    """Up to ``jobs`` processes for ``items``; iterate for results. ``lost`` gives a dead one's.

    ``skip``, asked in any thread before an item's turn, may give its result instead.
    """

    def __init__(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        jobs: int,
        lost: Callable[[Item, HostError], Result] | None = None,
        stopped: Callable[[], bool] = lambda: False,
        skip: Callable[[Item], Result | None] = lambda _: None,
    ) -> None:
        self._stopped = stopped
        self._make = partial(partial, function)
        self._lost, self._skip = lost, skip
        self._lock = threading.Lock()
        self._is_stopped = False
        self._workers: list[WorkerProcess] = []
        self._results: list[Future[Result]] = [Future() for _ in items]
        self._tasks: list[tuple[Item, Future[Result]]] = list(
            zip(items, self._results, strict=True)
        )
        self._tasks.reverse()
        self._threads = [
            threading.Thread(target=self._work, name=f"worker-{i}", daemon=True)
            for i in range(min(jobs, len(items)))
        ]

    def __iter__(self) -> Iterator[Result]:
        for thread in self._threads:
            thread.start()
        try:
            for result in self._results:
                while not wait([result], _LOOK_S).done:
                    if self._stopped():
                        return
                if self._stopped():
                    return
                yield result.result()
        finally:
            self._stop()

    def _stop(self) -> None:
        with self._lock:
            self._is_stopped = True
            self._tasks.clear()
            for worker in self._workers:
                worker.kill()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        worker: WorkerProcess | None = None
        while (task := self._next()) is not None:
            item, result = task
            try:
                if (skipped := self._skip(item)) is not None:
                    result.set_result(skipped)
                    continue
                if worker is None or not worker.is_alive:
                    worker = self._started()
                result.set_result(worker.call("__call__", item))
            except BaseException as error:  # noqa: BLE001 - raised again where results are read
                died = worker is not None and not worker.is_alive
                self._fail(task, error, died=died)
        if worker is not None:
            worker.close()

    def _next(self) -> tuple[Item, Future[Result]] | None:
        with self._lock:
            return self._tasks.pop() if self._tasks else None

    def _started(self) -> WorkerProcess:
        with self._lock:
            if self._is_stopped:
                raise HostError("the work was stopped")
            self._workers.append(WorkerProcess(self._make))
            return self._workers[-1]

    def _fail(self, task: tuple[Item, Future[Result]], error: BaseException, *, died: bool) -> None:
        item, result = task
        if died and isinstance(error, HostError) and self._lost and not self._is_stopped:
            try:
                result.set_result(self._lost(item, error))
            except BaseException as another:  # noqa: BLE001 - see above
                result.set_exception(another)
        else:
            result.set_exception(error)
