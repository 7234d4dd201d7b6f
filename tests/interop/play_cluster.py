"""Plays movies on a Dask cluster of two worker processes and here; prints both as JSON.

Usage: python play_cluster.py MOVIE... FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

from integrator.commands.play import PlayOptions, play_movies


def main(movies: list[Path], folder: Path) -> None:
    told: dict[str, Any] = {}
    here = PlayOptions(jobs=1, csv=folder / "here.csv", video=folder / "here")
    told["here"] = play_movies(movies, here, quiet=True)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        url = cluster.scheduler_address.replace("tcp://", "dask://")
        there = PlayOptions(cluster=url, csv=folder / "there.csv", video=folder / "there")
        told["there"] = play_movies(movies, there, quiet=True)
        with Client(cluster) as client:
            told["executed"] = list(client.run(_executed).values())
    sys.stdout.write(json.dumps(told))


def _executed(dask_worker: Any) -> int:
    """How many tasks a worker has done; Dask fills in the argument by its name."""
    return int(dask_worker.state.executed_count)


if __name__ == "__main__":
    *movies, folder = map(Path, sys.argv[1:])
    main(movies, folder)
