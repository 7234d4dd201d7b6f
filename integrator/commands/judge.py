"""stable-retro as the judge: the same random actions there and here, compared step by step.

Run as ``python -m integrator.commands.judge DIR --steps N --seed S`` the module is stable-retro's
side, in a process of its own since stable-retro allows one emulator a process; it prints one JSON
document.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.session.opening import open_session
from libretro_host import children


@dataclass(frozen=True, slots=True)
class Agreement:
    """The number of compared steps, and the first step that differs (None when all agree)."""

    steps: int
    first_difference: str | None
    total_reward: float
    episodes: int

    @property
    def agrees(self) -> bool:
        """True when reward, done and info were equal on every step."""
        return self.first_difference is None


def judge(directory: Path, *, steps: int = 1000, seed: int = 1) -> Agreement:
    """Step an integration here and in stable-retro with the same actions; both reset when done.

    Raises SessionError when stable-retro is not installed or can not load the directory.
    """
    theirs = _their_steps(directory, steps, seed)
    buttons = theirs["buttons"]
    actions = random_actions(steps, buttons, seed)
    total, episodes = 0.0, 1
    with open_session(directory) as session:
        session.reset()
        for step, expected in enumerate(theirs["steps"]):
            result = session.advance((int(actions[step]),), filtered=True)
            ours = {
                "reward": result.outcome.rewards[0],
                "done": result.outcome.done,
                "info": dict(result.values),
            }
            if ours != expected:
                return Agreement(step + 1, _difference(step, ours, expected), total, episodes)
            total += result.outcome.rewards[0]
            if result.outcome.done:
                episodes += 1
                session.reset()
    return Agreement(steps, None, total, episodes)


def random_actions(steps: int, buttons: int, seed: int) -> NDArray[np.uint16]:
    """Button masks of shape (steps,), each held for eight steps so that they move something."""
    generator = np.random.default_rng(seed)
    held = generator.integers(0, 1 << buttons, size=steps // 8 + 1, dtype=np.uint16)
    return np.repeat(held, 8)[:steps]


def _difference(step: int, ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    parts = [
        f"{key}: {ours[key]} here, {theirs[key]} in stable-retro"
        for key in ours
        if ours[key] != theirs[key]
    ]
    return f"step {step}: {'; '.join(parts)}"


def _their_steps(directory: Path, steps: int, seed: int) -> Any:
    if importlib.util.find_spec("stable_retro") is None:
        raise SessionError(
            "stable-retro is not installed, so nothing can be judged: "
            'pip install "retro-integrator[cores]"'
        )
    options = ["--steps", steps, "--seed", seed]
    command = children.module_command("integrator.commands.judge", directory, *options, quiet=True)
    done = children.run(command)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise SessionError(f"{directory}: stable-retro can not run it: {reason}")
    return json.loads(done.stdout.splitlines()[-1])


def _run_stable_retro(directory: Path, steps: int, seed: int) -> dict[str, Any]:
    import stable_retro  # noqa: PLC0415 - only the child process may, and need, import it

    integrations = stable_retro.data.Integrations
    integrations.add_custom_path(str(directory.parent.absolute()))
    env = stable_retro.make(
        directory.name, inttype=integrations.CUSTOM_ONLY, render_mode="rgb_array"
    )
    env.reset()
    actions = random_actions(steps, env.num_buttons, seed)
    bits = (actions[:, np.newaxis] >> np.arange(env.num_buttons) & 1).astype(np.int8)
    rows = []
    for action in bits:
        _, reward, done, _, info = env.step(action)
        values = {name: int(value) for name, value in info.items()}
        rows.append({"reward": float(reward), "done": bool(done), "info": values})
        if done:
            env.reset()
    return {"buttons": env.num_buttons, "steps": rows}


def main(arguments: list[str]) -> None:
    """The stable-retro side."""
    parser = argparse.ArgumentParser()
    parser.add_argument("directory", type=Path)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args(arguments)
    report = _run_stable_retro(options.directory, options.steps, options.seed)
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
