"""The program under test of the part *training*: plays rounds, and prints a line for each.

``KIND GAME MOVIES ROUNDS FAULT``. A round is a reset by its own seed and some random steps, so that
its numbers are known. Its line is printed when its movies are complete. ``FAULT`` is ``core``,
which makes cores fail in some rounds, ``fork``, or nothing."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from typing import Any

import numpy as np

import integrator

STEPS = 40
FATAL_EVERY = 6
FATAL = 7
"""The place of the button that makes the core fail when it alone is pressed."""

HANG_AT = STEPS + 10
"""The frame in which a core waits for ever; only rounds with a fault get there."""


def opened(kind: str, game: str, movies: str) -> Any:
    """The environment of that kind."""
    if kind == "env":
        return integrator.make_env(game, record=movies, actions="all")
    return integrator.make_vec(
        game, 2, record=movies, actions="all", isolated=kind == "isolated", threads=2
    )


def play(env: Any, number: int, *, fatal: bool) -> tuple[str, bool]:
    """The hash of all that a round gave, and true when a core was restarted."""
    digest, restarted = hashlib.sha256(), False
    observation, _ = env.reset(seed=number)
    env.action_space.seed(number)
    for step in range(STEPS + 20 * fatal):
        digest.update(np.ascontiguousarray(observation).tobytes())
        action = env.action_space.sample()
        rows = action.reshape(-1, action.shape[-1])
        rows[(rows.sum(axis=1) == 1) & (rows[:, FATAL] == 1)] = 0
        if fatal and step == STEPS // 2:
            rows[0] = np.arange(rows.shape[1]) == FATAL
        observation, *told, infos = env.step(action)
        restarted |= "restarted" in infos
        digest.update(repr([np.asarray(each).tolist() for each in told]).encode())
    return digest.hexdigest(), restarted


def fork(env: Any) -> None:
    """Let a fork step and end as programs end; the environment is its parent's."""
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return
    try:
        env.step(env.action_space.sample())
    except integrator.IntegratorError:
        sys.exit()


def main(kind: str, game: str, movies: str, rounds: str, fault: str) -> None:
    """Play all rounds; one that Ctrl+C interrupts is played again."""
    env = opened(kind, game, movies)
    say({"ready": True})
    told: dict[str, Any] | None = None
    number = 0
    while number < int(rounds):
        try:
            found, restarted = play(
                env, number, fatal=fault == "core" and number % FATAL_EVERY == 0
            )
        except KeyboardInterrupt:
            say({"interrupted": number})
            continue
        if fault == "fork" and number == 1:
            fork(env)
        # The reset of this round has completed the movies of the one before.
        if told is not None:
            say(told)
        told = {"round": number, "hash": found, "restarted": restarted}
        number += 1
    env.close()
    say(told or {})
    say({"ended": True})


def say(value: dict[str, Any]) -> None:
    """Print a line at once."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
