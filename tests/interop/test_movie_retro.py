"""Movies against stable-retro itself, in child processes: it allows one emulator a process."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warm_children

from integrator.domain.movies.model import CoreStamp, MovieConsole
from integrator.domain.movies.reading import read_movie
from integrator.domain.movies.writer import GROW_ROWS, MovieWriter

pytest.importorskip("stable_retro")

BUTTONS: dict[str, tuple[str | None, ...]] = {
    "Genesis": ("B", "A", "MODE", "START", "UP", "DOWN", "LEFT", "RIGHT", "C", "Y", "X", "Z"),
    "Nes": ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A"),
    "Snes": ("B", "Y", "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A", "X", "L", "R"),
    "GameBoy": ("B", None, "SELECT", "START", "UP", "DOWN", "LEFT", "RIGHT", "A"),
    "Atari2600": ("BUTTON", None, "SELECT", "RESET", "UP", "DOWN", "LEFT", "RIGHT"),
    "Sms": ("B", None, None, "PAUSE", "UP", "DOWN", "LEFT", "RIGHT", "A"),
    "PCEngine": ("II", "III", "SELECT", "RUN", "UP", "DOWN", "LEFT", "RIGHT", "I", "IV", "V", "VI"),
    "N64": (
        *("A", "B", None, "START", "UP", "DOWN", "LEFT", "RIGHT", "C-RIGHT", "C-UP", "L", "R"),
        *("Z", "C-MODE", "L3", "R3"),
    ),
    "NintendoDs": (
        "B",
        "Y",
        "SELECT",
        "START",
        "UP",
        "DOWN",
        "LEFT",
        "RIGHT",
        "A",
        "X",
        "L",
        "R",
        "L2",
        "R2",
        "L3",
        "R3",
    ),
}
PLATFORMS = {"Nes": "NES", "Snes": "SNES", "Genesis": "GEN", "Atari2600": "A26"}
SYSTEMS = {
    name: MovieConsole(buttons, platform=PLATFORMS.get(name, name))
    for name, buttons in BUTTONS.items()
}
# Buttons without a character in stable-retro's movies: it drops them when it records, and skips
# them when it reads.
LOST_UPSTREAM = {
    *("RESET", "PAUSE", "I", "II", "III", "IV", "V", "VI", "RUN"),
    *("L2", "R2", "L3", "R3", "C-UP", "C-RIGHT", "C-MODE"),
}

RECORD = """
import json, sys
import numpy as np
import stable_retro
env = stable_retro.make(
    "Airstriker-Genesis-v0", record=sys.argv[1], render_mode=None, use_restricted_actions=0,
    players=1,
)
env.action_space.seed(7)
masks = [0]
env.reset()
for _ in range(300):
    action = env.action_space.sample()
    kept = env.action_to_array(action)[0]
    masks.append(int(sum(int(bit) << i for i, bit in enumerate(kept))))
    env.step(action)
state = env.initial_state
env.close()
print(json.dumps({"masks": masks, "state": len(state)}))
"""

REPLAY = """
import hashlib, json, sys
from stable_retro import Movie
movie = Movie(sys.argv[1])
rows = []
while movie.step():
    rows.append(
        [sum(movie.get_key(b, p) << b for b in range(16)) for p in range(movie.players)]
    )
state = movie.get_state()
print(json.dumps(
    {"rows": rows, "game": movie.get_game(), "state": hashlib.sha256(state).hexdigest()}
))
"""

SCORE = """
import json, sys
import stable_retro
movie = stable_retro.Movie(sys.argv[1])
movie.step()
env = stable_retro.make(
    movie.get_game(), state=stable_retro.State.NONE, render_mode=None, use_restricted_actions=0,
    players=movie.players,
)
env.initial_state = movie.get_state()
env.reset()
total = 0.0
while movie.step():
    keys = [movie.get_key(i, 0) for i in range(env.num_buttons)]
    total += env.step(keys)[1]
print(json.dumps({"total": total, "score": env.data.lookup_value("score")}))
"""


def child(script: str, argument: Path) -> Any:
    """Run a script in a process of its own; its last line of output is JSON."""
    done = warm_children.run(
        [sys.executable, "-W", "ignore", "-c", script, str(argument)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_a_recording_of_stable_retro_reads_row_for_row(tmp_path: Path) -> None:
    made = child(RECORD, tmp_path)
    (path,) = tmp_path.glob("*.bk2")
    movie = read_movie(path, SYSTEMS)
    assert movie.inputs[:, 0].tolist() == made["masks"]
    assert movie.has_reset_row
    assert movie.state is not None
    assert len(movie.state) == made["state"]
    assert (movie.system, movie.game) == ("Genesis", "Airstriker-Genesis-v0")


def written(folder: Path, system: str, masks: np.ndarray[Any, Any], state: bytes | None) -> Path:
    path = folder / "ours.bk2"
    with MovieWriter(
        path,
        game=f"Game-{system}-v0",
        console=SYSTEMS[system],
        state=state,
        players=masks.shape[1],
        core=CoreStamp("core", "1"),
    ) as writer:
        writer.append(masks, list(range(len(masks))))
    return path


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_our_recordings_read_row_for_row_there(tmp_path: Path, system: str, players: int) -> None:
    buttons = BUTTONS[system]
    usable = sum(1 << i for i, name in enumerate(buttons) if name is not None)
    kept = sum(1 << i for i, name in enumerate(buttons) if name and name not in LOST_UPSTREAM)
    random = np.random.default_rng(5)
    masks = random.integers(0, 1 << 16, (200, players)).astype(np.uint16) & usable
    masks[0] = 0
    there = child(REPLAY, written(tmp_path, system, masks, b"some state"))
    assert there["rows"] == (masks & kept).tolist()
    assert there["game"] == f"Game-{system}-v0"


def test_a_movie_that_a_killed_program_left_reads_there(tmp_path: Path) -> None:
    path = tmp_path / "grown.bk2"
    path.touch()
    writer = MovieWriter(
        path, game="G", console=MovieConsole(BUTTONS["Nes"], "Nes"), state=b"state"
    )
    writer.append([[0], [1]])
    writer.grow()
    writer.append([[1]] * GROW_ROWS)
    there = child(REPLAY, path)
    assert there["rows"] == [[0]] + [[1]] * (GROW_ROWS + 1)
    writer.abandon()


def test_a_movie_from_power_on_has_no_state_there(tmp_path: Path) -> None:
    path = written(tmp_path, "Nes", np.zeros((3, 1), np.uint16), None)
    nothing = child("import hashlib, json; print(json.dumps(hashlib.sha256().hexdigest()))", path)
    assert child(REPLAY, path)["state"] == nothing


def test_a_movie_rewritten_by_us_scores_the_same_there(tmp_path: Path) -> None:
    child(RECORD, tmp_path)
    (path,) = tmp_path.glob("*.bk2")
    movie = read_movie(path, SYSTEMS)
    ours = tmp_path / "ours.bk2"
    with MovieWriter(
        ours, game=movie.game, console=MovieConsole(movie.buttons, movie.system), state=movie.state
    ) as writer:
        writer.append(movie.inputs)
    assert child(SCORE, ours) == child(SCORE, path)
