"""``integrator play`` against stable-retro's own playback script, on movies that it recorded."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest
import warm_children

from integrator.commands.play.movies import play_movies
from integrator.commands.play.table import PlayOptions
from integrator.commands.shared.options import airstriker

JUDGE = Path(__file__).with_name("movie_judge.py")
STEPS = 900

PLAYBACK = """
import csv, sys
import stable_retro
from stable_retro.scripts.playback_movie import playback_movie
path, folder = sys.argv[1:]
movie = stable_retro.Movie(path)
movie.step()
env = stable_retro.make(
    movie.get_game(), state=stable_retro.State.NONE, players=movie.players,
    use_restricted_actions=stable_retro.Actions.ALL, render_mode="rgb_array",
)
env.initial_state = movie.get_state()
env.reset()
with open(f"{folder}/monitor.csv", "w") as stream:
    stream.write("#{}\\n")
    writer = csv.DictWriter(stream, ["r", "l", "t"])
    writer.writeheader()
    playback_movie(env, movie, writer, npy_file=f"{folder}/all.npz", info_file="with actions")
"""
"""The script's own function on an environment without a window; the script itself opens one."""

pytestmark = pytest.mark.usefixtures("own_home")


def child(*arguments: object) -> None:
    command = [sys.executable, "-W", "ignore", *map(str, arguments)]
    done = warm_children.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def monitor_rows(path: Path) -> list[dict[str, float]]:
    lines = path.read_text().splitlines()
    assert lines[0].startswith("#{")
    return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(lines[1:])]


def test_files_hold_what_the_playback_script_writes(tmp_path: Path) -> None:
    child(JUDGE, "record", airstriker(), tmp_path, STEPS)
    [movie] = tmp_path.glob("*.bk2")
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    child("-c", PLAYBACK, movie, theirs)
    ours = PlayOptions(
        jobs=1, monitor=tmp_path / "m.csv", npy=tmp_path / "a.npz", info=tmp_path / "i.json"
    )
    [summary] = play_movies([movie], ours, quiet=True)
    assert summary["error"] is None
    assert summary["frames"] == STEPS + 1
    expected = np.load(theirs / "all.npz", allow_pickle=True)
    actions = expected["actions"]
    assert np.array_equal(np.load(tmp_path / "a.npz")["actions"], actions)
    assert json.loads((tmp_path / "i.json").read_text()) == expected["info"].tolist()
    assert monitor_rows(tmp_path / "m.csv") == monitor_rows(theirs / "monitor.csv")
    assert len(actions) == STEPS
