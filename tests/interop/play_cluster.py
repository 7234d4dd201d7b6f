"""Plays movies, and lets agents play, on a cluster of two processes and here; prints all as JSON.

Usage: python play_cluster.py dask MOVIE... FOLDER
       python play_cluster.py ray://HOST:PORT MOVIE... FOLDER
       python play_cluster.py interrupt MOVIE FOLDER
The last one presses Ctrl+C while a movie plays without end, and waits until Dask is at rest."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from integrator.agents.result import AgentTrial
from integrator.commands.agents import play_agents
from integrator.commands.play.movies import play_movies
from integrator.commands.play.table import PlayOptions
from integrator.commands.shared.options import demo_game


def main(cluster: str, movies: list[Path], folder: Path) -> None:
    told: dict[str, Any] = {}
    if cluster == "interrupt":
        sys.stdout.write(json.dumps(interrupt_on_dask(movies[0])))
        return
    # FFV1, because x264 does not always give the same bytes for the same pictures.
    options = PlayOptions(jobs=1, lossless="ffv1")
    here = replace(options, csv=folder / "here.csv", video=folder / "here")
    told["here"] = play_movies(movies, here, quiet=True)
    told["agents here"] = let_agents_play(folder / "agents here", jobs=1)
    there = replace(options, csv=folder / "there.csv", video=folder / "there")
    told |= play_on_dask(movies, there) if cluster == "dask" else play_on(cluster, movies, there)
    sys.stdout.write(json.dumps(told))


def play_on(url: str, movies: list[Path], options: PlayOptions) -> dict[str, Any]:
    out = movies[0].parent / "agents there"
    return {
        "there": play_movies(movies, replace(options, cluster=url), quiet=True),
        "agents there": let_agents_play(out, cluster=url),
    }


def let_agents_play(out: Path, **where: Any) -> list[dict[str, Any]]:
    """More episodes than a job has, so that one agent's are shared out."""
    agents = ("random", "jerk")
    plan = AgentTrial(demo_game(), agents, episodes=12, most_frames=40, seed=4, out=out, **where)
    return [asdict(each) for group in play_agents(plan, quiet=True) for each in group]


def play_on_dask(movies: list[Path], options: PlayOptions) -> dict[str, Any]:
    from distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        url = cluster.scheduler_address.replace("tcp://", "dask://")
        told = play_on(url, movies, options)
        with Client(cluster) as client:
            told["executed"] = list(client.run(_executed).values())
    return told


def interrupt_on_dask(movie: Path) -> dict[str, Any]:
    from distributed import Client, LocalCluster

    local: dict[str, Any] = {"processes": True, "dashboard_address": None}
    with LocalCluster(n_workers=1, threads_per_worker=1, **local) as cluster:
        url = cluster.scheduler_address.replace("tcp://", "dask://")
        command = [sys.executable, "-m", "integrator", "play", str(movie), "--cluster", url]
        play = subprocess.Popen(
            [*command, "--ending", "9000000"], stderr=subprocess.PIPE, text=True
        )
        with Client(cluster) as client:

            def is_at_work() -> bool:
                return any(client.run(_executing).values())

            while play.poll() is None and not is_at_work():
                time.sleep(0.1)
            play.send_signal(signal.SIGINT)
            _, error = play.communicate()
            while is_at_work():
                time.sleep(0.1)
    return {"status": play.returncode, "error": error}


def _executing(dask_worker: Any) -> int:
    """Number of tasks that a worker is doing, also those that nobody waits for."""
    return int(dask_worker.state.executing_count)


def _executed(dask_worker: Any) -> int:
    """Number of tasks that a worker has done; Dask fills in the argument by its name."""
    return int(dask_worker.state.executed_count)


if __name__ == "__main__":
    cluster, *movies, folder = sys.argv[1:]
    main(cluster, [Path(movie) for movie in movies], Path(folder))
