"""stable-retro's side of the movie tests: one emulator a process, JSON on stdout.

Usage: python movie_judge.py play MOVIE DIRECTORY | record DIRECTORY OUT STEPS
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import stable_retro


def ram_digest(env: Any) -> str:
    """Hash of all blocks of RAM in address order, as they lie in the core's memory."""
    return hashlib.sha256(env.get_ram().tobytes()).hexdigest()


def make(directory: Path, **options: Any) -> Any:
    integrations = stable_retro.data.Integrations
    integrations.add_custom_path(str(directory.parent))
    return stable_retro.make(
        directory.name,
        inttype=integrations.CUSTOM_ONLY,
        use_restricted_actions=stable_retro.Actions.ALL,
        render_mode="rgb_array",
        **options,
    )


def play(movie_path: str, directory: str) -> list[str]:
    """Play a movie as stable-retro's own playback script does; a digest of RAM after each row."""
    movie = stable_retro.Movie(movie_path)
    movie.step()
    env = make(Path(directory), state=stable_retro.State.NONE, players=movie.players)
    env.initial_state = movie.get_state()
    env.reset()
    digests = [ram_digest(env)]
    while movie.step():
        keys = [
            movie.get_key(button, player)
            for player in range(movie.players)
            for button in range(env.num_buttons)
        ]
        env.step(np.array(keys, np.int8))
        digests.append(ram_digest(env))
    return digests


def record(directory: str, out: str, steps: str) -> list[str]:
    """Record random play with ``record=``; a digest of RAM after each row."""
    env = make(Path(directory), record=out)
    env.reset()
    digests = [ram_digest(env)]
    rng = np.random.default_rng(11)
    for step in range(int(steps)):
        if step % 8 == 0:
            action = rng.integers(0, 2, env.num_buttons, dtype=np.int8)
        env.step(action)
        digests.append(ram_digest(env))
    env.close()
    return digests


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    digests = play(*arguments) if command == "play" else record(*arguments)
    sys.stdout.write(json.dumps(digests) + "\n")
