"""Works on many independent items, in processes of this machine or on a user's cluster."""

import contextlib
import logging
import math
import socket
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from integrator.domain.errors import SessionError, message_of
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
    files. Raises SessionError if the cluster cannot be used.
    """
    if cluster is None:
        yield from WorkerPool(
            function, items, jobs or processors(), lost, skip=skip, limit_ms=limit_ms
        )
        return
    import joblib  # noqa: PLC0415 - used only for clusters

    with _cluster(cluster) as options:
        calls = (joblib.delayed(function)(item) for item in items)
        results = joblib.Parallel(n_jobs=-1, **options)(calls)
        try:
            yield from results
        finally:
            # If the caller stops early, drop the remaining work, about which joblib would warn.
            if hasattr(results, "close"):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    results.close()


@contextlib.contextmanager
def _cluster(url: str) -> Iterator[dict[str, Any]]:
    """Yield the options with which joblib.Parallel uses the cluster."""
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
    with (_dask if kind == "dask" else _ray)(url, missing) as options:
        yield options


@contextlib.contextmanager
def _installed(url: str, name: str, extra: str) -> Iterator[None]:
    """Raise SessionError for a library that is missing or damaged."""
    try:
        yield
    except ImportError as error:
        cure = f'pip install "retro-integrator[{extra}]"'
        raise SessionError(f"{url}: {name} is not installed here: {cure}") from error


@contextlib.contextmanager
def _dask(url: str, missing: str) -> Iterator[dict[str, Any]]:
    import joblib  # noqa: PLC0415 - used only for clusters

    with _installed(url, "Dask", "cluster"):
        from distributed import Client  # noqa: PLC0415 - optional
    try:
        client: Any = Client(url.replace("dask", "tcp", 1), timeout=10)
    except (OSError, ValueError) as error:
        raise SessionError(f"{missing}: {error}") from error
    with client, joblib.parallel_config(backend="dask"):
        yield {"return_as": "generator", "batch_size": 1}


@contextlib.contextmanager
def _ray(url: str, missing: str) -> Iterator[dict[str, Any]]:
    import joblib  # noqa: PLC0415 - used only for clusters

    with _installed(url, "Ray", "ray"):
        import ray  # noqa: PLC0415 - optional
        from ray.util.joblib import register_ray  # noqa: PLC0415 - optional
    # Ray would print its own progress on stderr, and one error twice, once as a warning.
    quiet = logging.getLogger("ray")
    level = quiet.level
    quiet.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ray.init(url, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError) as error:
        raise SessionError(f"{missing}: {error}") from error
    try:
        register_ray()
        with joblib.parallel_config(backend="ray"):
            yield {"batch_size": 1}
    finally:
        ray.shutdown()
        quiet.setLevel(level)
