"""Work on many independent items: in processes of this machine, or on a user's cluster."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker
from typing import Any, TypeVar
from urllib.parse import urlsplit

import joblib
from joblib.externals.loky import get_reusable_executor
from joblib.externals.loky.backend import resource_tracker as joblib_tracker

from integrator.domain.errors import SessionError
from libretro_host.processes.children import isolated_children

Item = TypeVar("Item")
Result = TypeVar("Result")

_CONNECT_SECONDS = 4.0
"""Time to connect to a cluster: the libraries alone would try for half a minute."""

_GREETING_SECONDS = 10.0
"""Time for a cluster to speak. Both kinds speak first, and Dask waits forever for the greeting."""

_END_SECONDS = 5.0
"""Time for joblib to notice that its processes were killed."""

_KINDS = {
    "dask": ("Dask scheduler", "is `dask scheduler` running there? Its port is 8786 as a rule"),
    "ray": (
        "Ray cluster",
        "is `ray start --head` running there? Its client port is 10001 as a rule",
    ),
}
"""The needed library, and the cure when it is missing, by kind of cluster."""


def default_jobs() -> int:
    """The processors that this process may use."""
    return int(joblib.cpu_count())


def fan_out(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int,
    cluster: str | None = None,
) -> Iterator[Result]:
    """``function`` of each item, in the order of the items, each as soon as it is done.

    With one job, or one item, it is called in this process; else in up to ``jobs`` fresh processes
    (never forks: threads and Qt may live here), so function, items and results must pickle. An
    exception ends the work and is raised here. The processes have ended when the iterator has.

    ``cluster`` is ``dask://HOST:PORT`` or ``ray://HOST:PORT`` of a cluster that runs already; then
    ``jobs`` does not matter. Its workers need the integrator installed, and the same files at the
    same paths. Raises SessionError when the cluster can not be used.
    """
    if cluster is not None:
        with _cluster(cluster) as options:
            yield from _results(function, items, joblib.Parallel(n_jobs=-1, **options))
        return
    jobs = min(jobs, len(items))
    if jobs <= 1:
        yield from map(function, items)
        return
    parallel = joblib.Parallel(n_jobs=jobs, backend="loky", return_as="generator", batch_size=1)
    finished = False
    try:
        with isolated_children():
            yield from _results(function, items, parallel, _deaf_children())
        finished = True
    finally:
        # joblib keeps its processes for the next call; ours end with the work.
        get_reusable_executor().shutdown(wait=True, kill_workers=not finished)


def in_batches(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    """``items`` in runs of ``size``: for items too short to be sent out one by one."""
    return [items[start : start + size] for start in range(0, len(items), size)]


def _results(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    parallel: joblib.Parallel,
    starting: contextlib.AbstractContextManager[None] | None = None,
) -> Iterator[Result]:
    results: Any = None
    try:
        with starting or contextlib.nullcontext():
            results = parallel(joblib.delayed(function)(item) for item in items)
        yield from results
    except KeyboardInterrupt:
        _kill_workers()
        raise
    finally:
        # Closed early: drop the work that has not begun, of which joblib warns.
        if hasattr(results, "close"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results.close()


def _kill_workers() -> None:
    """End joblib's processes as if they had crashed, and wait for the thread that watches them.

    Its own way to end work that no process has taken yet raises KeyError in that thread.
    """
    for child in multiprocessing.active_children():
        if child.name.startswith("LokyProcess") and child.pid is not None:
            os.kill(child.pid, signal.SIGKILL)  # joblib's processes have no kill() of their own
    for thread in threading.enumerate():
        if thread.name == "ExecutorManagerThread":
            thread.join(_END_SECONDS)


@contextlib.contextmanager
def _deaf_children() -> Iterator[None]:
    """A context whose child processes never hear Ctrl+C, of which each would print a traceback.

    A terminal sends it to all processes; this one ends the others, after the context, because a
    child that is begun by half prints a traceback too. A child inherits the signals that its
    parent's thread blocks. Starting a tracker of resources unblocks them, so both start before.
    """
    resource_tracker.ensure_running()
    joblib_tracker.ensure_running()
    heard: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    # Another thread may take a signal that this one blocks.
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number)) if is_main else 0
    kept = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, kept)
        if is_main:
            signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


@contextlib.contextmanager
def _cluster(url: str) -> Iterator[dict[str, Any]]:
    """Options for joblib.Parallel with which it uses the cluster."""
    kind, _, address = url.partition("://")
    makers = {"dask": _dask, "ray": _ray}
    host, port = _host_and_port(url)
    if kind not in makers or not host or port is None:
        raise SessionError(f"{url}: a cluster is named as dask://HOST:PORT or ray://HOST:PORT")
    _check_greeting(url, host, port, *_KINDS[kind])
    with makers[kind](url, address) as options:
        yield options


def _check_greeting(url: str, host: str, port: int, what: str, cure: str) -> None:
    """Raise SessionError when no server answers, or one that waits for us, as a web server does."""
    try:
        with socket.create_connection((host, port), timeout=_CONNECT_SECONDS) as connection:
            connection.settimeout(_GREETING_SECONDS)
            greeting = connection.recv(1)
    except OSError as error:
        raise SessionError(f"{url}: no {what} answers there ({error}); {cure}") from error
    if not greeting:
        raise SessionError(f"{url}: no {what} answers there, but something else does; {cure}")


def _host_and_port(url: str) -> tuple[str | None, int | None]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None, None  # a bad port, or a missing bracket
    return parts.hostname, port


@contextlib.contextmanager
def _dask(url: str, address: str) -> Iterator[dict[str, Any]]:
    try:
        from distributed import Client  # noqa: PLC0415 - optional
    except ImportError as error:
        raise SessionError(
            f'{url}: Dask is not installed here: pip install "retro-integrator[cluster]"'
        ) from error
    try:
        client: Any = Client(f"tcp://{address}", timeout=10)
    except (OSError, ValueError) as error:
        raise SessionError(f"{url}: no Dask scheduler answers there: {error}") from error
    with client, joblib.parallel_config(backend="dask"):
        yield {"return_as": "generator", "batch_size": 1}


@contextlib.contextmanager
def _ray(url: str, address: str) -> Iterator[dict[str, Any]]:
    try:
        import ray  # noqa: PLC0415 - optional
        from ray.util.joblib import register_ray  # noqa: PLC0415 - optional
    except ImportError as error:
        raise SessionError(
            f'{url}: Ray is not installed here: pip install "retro-integrator[ray]"'
        ) from error
    # Ray reports its own progress on stderr, line by line, and doubles one error as a warning.
    quiet = logging.getLogger("ray")
    level = quiet.level
    quiet.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(f"ray://{address}", log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError) as error:
        raise SessionError(f"{url}: no Ray cluster answers there: {error}") from error
    try:
        register_ray()
        with joblib.parallel_config(backend="ray"):
            yield {"batch_size": 1}
    finally:
        ray.shutdown()
        quiet.setLevel(level)
