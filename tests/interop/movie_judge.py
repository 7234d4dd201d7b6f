"""stable-retro's side of the movie tests: one emulator at a time, JSON on the last line of stdout.

Usage: python movie_judge.py play MOVIE DIRECTORY | record DIRECTORY OUT STEPS | both REQUESTS

``both`` reads a JSON list of requests, plays the movie and then records one for each, and prints a
list of pairs of digests."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import stable_retro


def ram_digest(env: Any, regions: Sequence[int] = ()) -> str:
    """Hash of all blocks of RAM in address order, as they lie in the core's memory.

    With ``regions``, only of the blocks at these addresses; the others have to be empty: gambatte
    announces a cartridge's RAM without memory behind it when there is none."""
    if not regions:
        return hashlib.sha256(env.get_ram().tobytes()).hexdigest()
    digest = hashlib.sha256()
    for address, block in sorted(env.data.memory.blocks.items()):
        content = bytes(block)
        if address in regions:
            digest.update(content)
        elif any(content):
            raise SystemExit(f"block {address:#x} is not empty")
    return digest.hexdigest()


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


def play(movie_path: str, directory: str, regions: Sequence[int] = ()) -> list[str]:
    """Play a movie as stable-retro's own playback script does; a digest of RAM after each row."""
    movie = stable_retro.Movie(movie_path)
    movie.step()
    env = make(Path(directory), state=stable_retro.State.NONE, players=movie.players)
    env.initial_state = movie.get_state()
    env.reset()
    digests = [ram_digest(env, regions)]
    while movie.step():
        keys = [
            movie.get_key(button, player)
            for player in range(movie.players)
            for button in range(env.num_buttons)
        ]
        env.step(np.array(keys, np.int8))
        digests.append(ram_digest(env, regions))
    env.close()
    return digests


def record(
    directory: str,
    out: str,
    steps: str,
    players: int = 1,
    usable: int = 0xFFFF,
    regions: Sequence[int] = (),
) -> list[str]:
    """Record random play with ``record=``; a digest of RAM after each row.

    ``usable`` are the buttons that are pressed, as bits: some are lost in its movies."""
    env = make(Path(directory), record=out, players=players)
    env.reset()
    digests = [ram_digest(env, regions)]
    rng = np.random.default_rng(11)
    pressed = np.tile(usable >> np.arange(env.num_buttons) & 1, players).astype(np.int8)
    for step in range(int(steps)):
        if step % 8 == 0:
            action = rng.integers(0, 2, env.num_buttons * players, dtype=np.int8) & pressed
        env.step(action)
        digests.append(ram_digest(env, regions))
    env.close()
    return digests


def both(requests: str) -> list[tuple[list[str], list[str]]]:
    """Play and record for each request, one after another."""
    return [
        (
            play(asked["movie"], asked["directory"], asked["regions"]),
            record(
                asked["directory"],
                asked["out"],
                asked["steps"],
                asked["players"],
                asked["usable"],
                asked["regions"],
            ),
        )
        for asked in json.loads(Path(requests).read_text())
    ]


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    commands: dict[str, Callable[..., object]] = {"play": play, "record": record, "both": both}
    sys.stdout.write("\n" + json.dumps(commands[command](*arguments)) + "\n")
