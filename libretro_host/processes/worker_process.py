"""Child processes that hold an object of the parent's choice, and a pool of them."""

import atexit
import contextlib
import math
import os
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from libretro_host.errors import HostClosedError, HostError
from libretro_host.processes import children
from libretro_host.processes.child_process import ChildOwner, ChildProcess, pulse_deadlines
from libretro_host.processes.links import LogPipe
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.processes.wire import TrustedChannel, packed, unpacked


class WorkerProcess(ChildOwner):
    """A child process with the object that ``make`` returns; ``make`` and all values must pickle.

    The process ends when this one does, and its own temporary folder is removed with it. Besides
    the method's errors, a call may raise CoreCrashed (the process ended; the error holds the signal
    and the last log lines) or CoreHung: a call of a core took longer than ``limit_ms`` (in a load
    and the first frames 90 s), or the whole request took longer than ``whole_limit_ms``, which may
    be set before each call. After either, the worker has ended."""

    _may_finish = True

    def __init__(self, make: Callable[[], object], *, limit_ms: float = 5_000) -> None:
        """Start the process. Raises HostError."""
        self._owner, self._is_asked = os.getpid(), False
        self._limit_ms, self.whole_limit_ms = limit_ms, math.inf
        self._warned: dict[str | tuple[str, type[Warning], int], int] = {}
        self._log = LogPipe()
        with contextlib.ExitStack() as undo:
            undo.callback(self._log.close)
            try:
                self._folder = OwnedFolder()
                undo.callback(self._folder.close)
                self._child = ChildProcess(
                    *("libretro_host.worker", self._log),
                    channel=TrustedChannel,
                    environment={"TMPDIR": str(self._folder.path)},
                )
            except OSError as error:
                raise HostError(f"no process could be started: {error}") from error
            self._undo = undo.pop_all()
        self._make: Callable[[], object] | None = make

    @property
    def is_alive(self) -> bool:
        return self._child is not None

    @property
    def is_idle(self) -> bool:
        """True while the worker waits for this process to call it."""
        return self.is_alive and not self._is_asked and os.getpid() == self._owner

    def call(self, name: str, *arguments: object, **options: object) -> Any:
        self.ask(name, *arguments, **options)
        return self.answer()

    def ask(self, name: str, *arguments: object, **options: object) -> None:
        """Begin a call without waiting for its result, so that several workers work at once."""
        if os.getpid() != self._owner:
            raise HostError("a fork has no workers of its parent: start them in the fork")
        if self._make is not None:
            self._ask({"path": children.module_path()}, self._make)
            self.answer()
            self._make = None
        self._ask({}, (name, arguments, options))

    def kill(self) -> None:
        """Kill the process, from any thread; a call that waits for it raises CoreCrashed."""
        if (child := self._child) is not None:
            child.process.kill()

    def close(self) -> None:
        """End the process, by force if it does not end by itself. Idempotent; no-op in a fork."""
        if self._child is not None and os.getpid() == self._owner:
            self._end(kill=False)

    def _ask(self, request: dict[str, object], task: object) -> None:
        if (child := self._child) is None:
            raise HostClosedError("the worker has ended: start another one")
        # Pack the task first, so that a value that cannot be pickled leaves the worker idle.
        request |= {"task": packed(task)}
        limits_ms = self._limit_ms, 90_000, self.whole_limit_ms
        self._deadlines = pulse_deadlines(child.process.pid, child.pulse, *limits_ms)
        self._is_asked = True
        try:
            child.ask(request)
        except BaseException as error:
            self._lose(error, self._deadlines)
            raise

    def answer(self) -> Any:
        """Return the result of the call that was begun last, or raise its error."""
        if (child := self._child) is None:
            raise HostClosedError("the worker has ended: start another one")
        try:
            reply = child.reply(*self._deadlines)
        except BaseException as error:
            self._lose(error, self._deadlines)
            raise
        self._is_asked = False
        for text, kind, file, line in unpacked(reply["shown"]) if "shown" in reply else ():
            warnings.warn_explicit(text, kind, file, line, registry=self._warned)
        if "error" in reply:
            raise unpacked(reply["error"])
        return unpacked(reply["result"])

    def log(self) -> tuple[str, ...]:
        return self._log.lines()

    def _cure(self, more: str = "") -> dict[str, str]:
        del more
        return {"cure": "try another core, or another dump of the game"}

    def _end(self, *, kill: bool) -> tuple[int, bool]:
        ended = super()._end(kill=kill)
        self._undo.close()
        return ended


Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(eq=False)
class WorkerPool(Generic[Item, Result]):
    """Calls ``function`` for ``items`` in up to ``jobs`` processes; iterate once for results.
    ``lost`` returns the result of an item whose process died. ``skip``, called in any thread before
    an item's turn, may return its result instead. An item's process is killed after
    ``limit_ms(item)``."""

    function: Callable[[Item], Result]
    items: Sequence[Item]
    jobs: int
    lost: Callable[[Item, HostError], Result] | None = None
    skip: Callable[[Item], Result | None] = lambda _: None
    limit_ms: Callable[[Item], float] = lambda _: math.inf
    stopped: Callable[[], bool] = lambda: False

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._is_stopped = False
        self._workers: list[WorkerProcess] = []
        self._idle: list[WorkerProcess] = []
        self._tasks = deque((item, Future[Result]()) for item in self.items)

    def __iter__(self) -> Iterator[Result]:
        results = [result for _, result in self._tasks]
        # Daemons, because a program that ends early must not wait for the rest of the work.
        threads = [threading.Thread(target=self._work, daemon=True) for _ in results[: self.jobs]]
        # An iterator that is still open at exit is closed after Python has stopped all daemons.
        atexit.register(self._end, threads)
        try:
            for thread in threads:
                thread.start()
            for result in results:
                while not wait([result], timeout=0.1).done:
                    if self.stopped():
                        return
                if self.stopped():
                    return
                yield result.result()
        finally:
            atexit.unregister(self._end)
            self._end(threads)

    def _end(self, threads: list[threading.Thread]) -> None:
        with self._lock:
            self._is_stopped = True
            self._tasks.clear()
            for worker in self._workers:
                worker.kill()
        for thread in filter(threading.Thread.is_alive, threads):
            thread.join()
        for worker in self._workers:
            worker.close()

    def _work(self) -> None:
        with contextlib.suppress(IndexError):
            while True:
                item, result = self._tasks.popleft()
                try:
                    result.set_result(self._result(item))
                except BaseException as error:  # noqa: BLE001 - raised again where results are read
                    result.set_exception(error)

    def _result(self, item: Item) -> Result:
        if (skipped := self.skip(item)) is not None:
            return skipped
        worker = self._ready()
        try:
            worker.whole_limit_ms = self.limit_ms(item)
            result: Result = worker.call("__call__", item)
        except HostError as error:
            if worker.is_alive or self.lost is None or self._is_stopped:
                raise
            result = self.lost(item, error)
        finally:
            if worker.is_alive:
                self._idle.append(worker)
        return result

    def _ready(self) -> WorkerProcess:
        """Return a worker that no other thread uses, from now on."""
        with self._lock:
            if self._is_stopped:
                raise HostError("the work was stopped")
            if self._idle:
                return self._idle.pop()
            self._workers.append(WorkerProcess(partial(partial, self.function)))
            return self._workers[-1]
