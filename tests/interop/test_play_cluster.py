"""``integrator play`` and ``agents`` on a Dask or Ray cluster give the results of one process here.

Ray is tested where it is installed: ``pip install "retro-integrator[ray]"``."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import numpy as np
import pytest

import integrator
from integrator.cli import run as main
from integrator.commands.shared import fanout
from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SessionError

SCRIPT = Path(__file__).with_name("play_cluster.py")

pytestmark = pytest.mark.usefixtures("own_home")


@pytest.fixture
def movies(tmp_path: Path) -> list[Path]:
    rng = np.random.default_rng(8)
    with integrator.open_session(demo_game()) as session:
        for number in range(4):
            session.reset()
            session.record(tmp_path / f"m{number}.bk2")
            session.run(rng.integers(0, 512, (120, 1)).astype(np.uint16))
            session.stop_recording()
    return sorted(tmp_path.glob("*.bk2"))


def play_there(cluster: str, movies: list[Path], folder: Path) -> dict[str, Any]:
    """Play, and let agents play, on the cluster and here; both have to tell and write the same."""
    command = [sys.executable, str(SCRIPT), cluster, *map(str, movies), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    for here, there in zip(told["here"], told["there"], strict=True):
        assert here | {"video": None} == there | {"video": None}
        assert not here["error"]
    agents = [told[where] for where in ("agents here", "agents there")]
    assert len(agents[0]) == len(agents[1]) == 24
    for here, there in zip(*agents, strict=True):
        assert not here["error"]
        assert here | {"movie": None} == there | {"movie": None}
        assert Path(here["movie"]).read_bytes() == Path(there["movie"]).read_bytes()
    assert (folder / "here.csv").read_bytes() == (folder / "there.csv").read_bytes()
    for movie in movies:
        videos = [folder / where / f"{movie.stem}.mkv" for where in ("here", "there")]
        assert videos[0].read_bytes() == videos[1].read_bytes()
    return told


def test_two_dask_workers_give_what_one_process_gives(movies: list[Path], tmp_path: Path) -> None:
    told = play_there("dask", movies, tmp_path)
    assert len(told["executed"]) == 2
    assert min(told["executed"]) > 0


@pytest.mark.usefixtures("interruptible")
def test_interrupted_work_ends_on_dask_workers_too(movies: list[Path], tmp_path: Path) -> None:
    command = [sys.executable, str(SCRIPT), "interrupt", str(movies[0]), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
    told = json.loads(done.stdout.splitlines()[-1])
    assert told == {"status": 130, "error": "integrator: interrupted\n"}


@pytest.mark.parametrize("lost", ["scheduler", "workers"])
def test_work_that_a_dask_cluster_loses_is_told_in_one_line(
    lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    errors = {
        "scheduler": distributed.client.FutureCancelledError("play-0", "connection-lost"),
        "workers": distributed.KilledWorker("play-0", SimpleNamespace(address="tcp://a:1"), 3),
    }
    future: Future[None] = Future()
    future.set_exception(errors[lost])

    class Client(contextlib.nullcontext[Any]):
        map = staticmethod(lambda *_, **__: [future])

        def __enter__(self) -> Self:
            return self

    monkeypatch.setattr(distributed, "Client", lambda *_, **__: Client())
    monkeypatch.setattr(fanout, "_missing", lambda _: "")
    with pytest.raises(SessionError, match=r"^dask://here:1: the cluster lost this work"):
        list(fanout.fan_out(str, [1], cluster="dask://here:1"))


@pytest.fixture
def ray_cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a Ray cluster of this machine with two workers, while in use."""
    pytest.importorskip("ray", reason='pip install "retro-integrator[ray]"')
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        head, clients = (each.getsockname()[1] for each in sockets)
    command = [
        *(sys.executable, "-c", "from ray.scripts.scripts import main; main()", "start"),
        *("--head", "--block", "--num-cpus", "2", "--include-dashboard", "false"),
        *("--port", str(head), "--ray-client-server-port", str(clients)),
        *("--disable-usage-stats",),
    ]
    with (tmp_path / "ray.log").open("wb") as log:
        cluster = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        _wait_for(clients)
        yield f"ray://127.0.0.1:{clients}"
    finally:
        cluster.terminate()
        cluster.wait(30)


def _wait_for(port: int) -> None:
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return


def test_ray_gives_what_one_process_gives(
    movies: list[Path], tmp_path: Path, ray_cluster: str
) -> None:
    play_there(ray_cluster, movies, tmp_path)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("dask://127.0.0.1:9", "no Dask scheduler answers there"),
        ("ray://127.0.0.1:9", "no Ray cluster answers there"),
        ("ray://no-such-host.invalid:10001", "no Ray cluster answers there"),
        ("dask://127.0.0.1", "dask://HOST:PORT"),
        ("ray://127.0.0.1:port", "ray://HOST:PORT"),
        ("slurm://x:1", "dask://HOST:PORT"),
    ],
)
def test_a_cluster_that_is_not_there_is_told_in_one_line(
    movies: list[Path],
    url: str,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Ray itself would try for 30 seconds, so it must not be asked.
    for library in ("distributed", "ray"):
        monkeypatch.setitem(sys.modules, library, None)
    assert main(["play", str(movies[0]), "--cluster", url]) == 1
    told = capsys.readouterr().err
    assert says in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("kind", ["dask", "ray"])
def test_something_else_that_listens_is_no_cluster(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fanout, "_GREETING_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"{kind}://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(SessionError, match=f"{url}: no .* answers there"):
            next(fanout.fan_out(str, [1, 2], 1, url))


@pytest.mark.parametrize(
    ("kind", "module", "name"),
    [("dask", "distributed", "Dask"), ("ray", "ray", "Ray")],
)
def test_a_library_that_cannot_be_imported_is_named(
    kind: str, module: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)  # its import fails
    with socket.create_server(("127.0.0.1", 0)) as server:

        def greet() -> None:
            connection, _ = server.accept()
            with connection:
                connection.sendall(b"hello")

        threading.Thread(target=greet).start()
        url = f"{kind}://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(SessionError, match=f"{name} is not installed here"):
            list(fanout.fan_out(str, [1], cluster=url))
