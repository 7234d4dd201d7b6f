"""``integrator play`` on a Dask cluster gives what it gives on one process here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import integrator
from integrator.commands.games import demo_game

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


def test_two_dask_workers_give_what_one_process_gives(movies: list[Path], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *map(str, movies), str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert len(told["executed"]) == 2
    assert min(told["executed"]) > 0
    for here, there in zip(told["here"], told["there"], strict=True):
        assert here | {"video": None} == there | {"video": None}
        assert not here["error"]
    assert (tmp_path / "here.csv").read_bytes() == (tmp_path / "there.csv").read_bytes()
    for movie in movies:
        videos = [tmp_path / where / f"{movie.stem}.mp4" for where in ("here", "there")]
        assert videos[0].read_bytes() == videos[1].read_bytes()


@pytest.mark.parametrize(
    ("url", "says"),
    [("dask://127.0.0.1:9", "no Dask scheduler"), ("slurm://x", "dask://HOST:PORT")],
)
def test_a_cluster_that_is_not_there_is_told_in_one_line(
    movies: list[Path], url: str, says: str
) -> None:
    command = [sys.executable, "-m", "integrator", "play", str(movies[0]), "--cluster", url]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1
