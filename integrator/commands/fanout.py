"""Work on many independent items in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from joblib import Parallel, cpu_count, delayed
from joblib.externals.loky import get_reusable_executor

Item = TypeVar("Item")
Result = TypeVar("Result")


def default_jobs() -> int:
    """The processors that this process may use."""
    return int(cpu_count())


def fan_out(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[Result]:
    """``function`` of each item, in the order of the items, each as soon as it is there.

    With one job, or one item, it is called in this process; else in up to ``jobs`` fresh processes
    (never forks: threads and Qt may live here), so function, items and results must pickle. An
    exception ends the work and is raised here. The processes have ended when the iterator has.
    """
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from map(function, items)
        return
    parallel = Parallel(n_jobs=jobs, backend="loky", return_as="generator", batch_size=1)
    try:
        yield from parallel(delayed(function)(item) for item in items)
    finally:
        get_reusable_executor().shutdown(wait=True)


def in_batches(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    """``items`` in runs of ``size``: for items too short to be sent out one by one."""
    return [items[start : start + size] for start in range(0, len(items), size)]
