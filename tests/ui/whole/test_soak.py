"""The long run: its rounds do their work, and growth is told."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from scripts.soak import Held, faults

ROUND = Held(
    round=0,
    game="a game",
    seconds=3.0,
    rss_mb=200.0,
    processes=1,
    threads=9,
    python_threads=5,
    shared_memory=4,
    files=20,
    none_references=50_000,
    blocks=600_000,
    open_files=("pipe", "pipe", "socket"),
)


def test_what_grows_while_it_warms_up_is_no_fault() -> None:
    warm = [replace(ROUND, rss_mb=100.0 + 10 * number, threads=3) for number in range(10)]
    assert faults([*warm, *[ROUND] * 50]) == []


@pytest.mark.parametrize(
    ("grown", "told"),
    [
        ({"rss_mb": 211.0}, "memory grew from 200.0 to 211.0 MB"),
        ({"processes": 2}, "processes grew from 1 to 2"),
        ({"threads": 10}, "threads grew from 9 to 10"),
        ({"shared_memory": 5}, "shared memory grew from 4 to 5"),
        (
            {"files": 21, "open_files": ("/a/file", "pipe", "pipe", "pipe", "socket")},
            "files grew from 20 to 21: /a/file, pipe",
        ),
        ({"none_references": 30_000}, "references to None went down from 50000 to 30000"),
    ],
)
def test_what_grows_later_is_told(grown: dict[str, object], told: str) -> None:
    assert faults([ROUND] * 54 + [replace(ROUND, **grown)] * 6) == [told]  # type: ignore[arg-type] # of the fields' types


def test_a_round_does_its_work() -> None:
    command = [sys.executable, "-m", "scripts.soak", "--rounds", "1", "--minutes", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["round"] == 0
    assert told["game"] == "EmberMoth-Nes-v0"
    assert told["processes"] == 1
