"""Works on many independent items, in processes of this machine or on a user's cluster."""

import contextlib
import logging
import math
import signal
import socket
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from integrator.domain.errors import SessionError, message_of, needing
from libretro_host.errors import CoreCrashed, CoreHung, HostError
from libretro_host.processes.kernel import processors
from libretro_host.processes.worker_process import WorkerPool

Item = TypeVar("Item")
Result = TypeVar("Result")

_GREETING_SECONDS = 10.0  # Dask and Ray servers speak first; Dask's client would wait forever


def message_at(item: Path, error: Exception) -> str:
    """Return the message of an error; if a core was lost, name the ``item`` and a cure."""
    if isinstance(error, CoreCrashed | CoreHung):
        return f"{item}: {error.fact}; try another core"
    return message_of(error)


def fan_out(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    jobs: int = 0,
    cluster: str | None = None,
    lost: Callable[[Item, HostError], Result] | None = None,
    skip: Callable[[Item], Result | None] = lambda _: None,
    limit_ms: Callable[[Item], float] = lambda _: math.inf,
) -> Generator[Result, None, None]:
    """Yield ``function(item)`` for each item in order, computed in processes or on a cluster.

    There are ``jobs`` processes; 0 means one per processor; see :class:`WorkerPool`. ``cluster`` is
    ``dask://HOST:PORT`` or ``ray://HOST:PORT``, whose workers need the integrator and the same
    files. Raises SessionError if the cluster cannot be used."""
    if cluster is None:
        yield from WorkerPool(function, items, jobs or processors(), lost, skip, limit_ms)
        return
    missing = _missing(cluster)
    if cluster.startswith("dask"):
        yield from _on_dask(cluster, missing, partial(_in_dask_task, function, lost), items)
    else:
        yield from _on_ray(cluster, missing, function, items)


def _in_dask_task(
    function: Callable[[Item], Result], lost: Callable[[Item, HostError], Result] | None, item: Item
) -> Result:
    """Work on an item in a process, and end it if the command ends, as Dask itself would not."""
    from distributed import get_worker  # noqa: PLC0415 - optional

    tasks, key = get_worker().state.tasks, get_worker().get_current_task()

    def is_canceled() -> bool:
        task = tasks.get(key)  # asked once, because Dask's own thread may remove it
        return task is None or task.state == "cancelled"

    results: list[Result] = [*WorkerPool(function, [item], 1, lost, stopped=is_canceled)]
    if not results:
        raise HostError("the command of this task has ended")
    return results[0]


def _missing(url: str) -> str:
    """Return words for a cluster that fails to answer. Raises SessionError if none answers."""
    kind = url.partition("://")[0]
    host, port = None, None
    with contextlib.suppress(ValueError):  # a bad port, or a missing bracket
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    if kind not in ("dask", "ray") or not host or port is None:
        raise SessionError(f"{url}: a cluster is named as dask://HOST:PORT or ray://HOST:PORT")
    if kind == "dask":
        missing, program, usual = "no Dask scheduler", "dask scheduler", "port is 8786"
    else:
        missing, program, usual = "no Ray cluster", "ray start --head", "client port is 10001"
    missing = f"{url}: {missing} answers there"
    cure = f"is `{program}` running there? Its {usual} as a rule"
    try:
        # Without this test, the libraries would try for half a minute.
        with socket.create_connection((host, port), timeout=4) as connection:
            connection.settimeout(_GREETING_SECONDS)
            greeting = connection.recv(1)
    except OSError as error:
        raise SessionError(f"{missing} ({error}); {cure}") from error
    if not greeting:  # for example, a web server waits for the client to speak
        raise SessionError(f"{missing}, but something else does; {cure}")
    return missing


def _on_dask(
    url: str, missing: str, function: Callable[[Item], Result], items: Sequence[Item]
) -> Iterator[Result]:
    with needing("cluster", f"{url}: Dask is not installed here"):
        from distributed import Client, KilledWorker  # noqa: PLC0415 - optional
    try:
        client: Any = Client(url.replace("dask", "tcp", 1), timeout=10)
    except (OSError, ValueError) as error:
        raise SessionError(f"{missing}: {error}") from error
    try:
        with client:
            for future in client.map(function, items, pure=False):
                yield future.result()
    except (CancelledError, KilledWorker) as error:  # its scheduler has gone, or its workers
        raise _lost(url, error) from error


def _lost(url: str, error: Exception) -> SessionError:
    return SessionError(f"{url}: the cluster lost this work ({error}); restart it, and try again")


def _on_ray(
    url: str, missing: str, function: Callable[[Item], Result], items: Sequence[Item]
) -> Iterator[Result]:
    with needing("ray", f"{url}: Ray is not installed here"):
        import ray  # noqa: PLC0415 - optional
    log, at_sigterm = logging.getLogger("ray"), signal.getsignal(signal.SIGTERM)
    level = log.level
    # Ray would print its own progress on stderr, and its errors twice, also after Ctrl+C.
    log.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(url, log_to_driver=False, logging_level=logging.ERROR)
        # On the main thread, Ray lets SIGTERM exit with status 15.
        if signal.getsignal(signal.SIGTERM) is not at_sigterm:
            signal.signal(signal.SIGTERM, at_sigterm)
    except (OSError, ValueError, RuntimeError) as error:
        log.setLevel(level)
        raise SessionError(f"{missing}: {error}") from error
    try:
        task: Any = ray.remote(lambda item: function(item))  # Ray takes no partial
        yield from map(ray.get, [task.remote(item) for item in items])
    except ray.exceptions.RayTaskError as error:
        raise error.cause from error
    except (ray.exceptions.RayError, ConnectionError) as error:
        raise _lost(url, error) from error
    finally:
        ray.shutdown()
        log.setLevel(level)
