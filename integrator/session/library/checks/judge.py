"""stable-retro as the judge: the same random actions there and here, compared step by step.

Run as ``python -m integrator.session.library.checks.judge DIR OUT --steps N --seed S`` the module
is stable-retro's side, in a process of its own since stable-retro allows one emulator a process; it
writes one JSON document to OUT.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.files.reading import read_text
from integrator.session.opening import open_session
from libretro_host.processes import children

_TOLD_STEPS: Final = 20
_MOST_ANSWER_BYTES: Final = 1 << 30
"""A step with the thousand variables that a scenario may have takes 50 KB."""
_LOOK_S: Final = 0.1
"""Time between two looks at whether stable-retro is done."""


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


def judge(
    directory: Path,
    *,
    steps: int = 1000,
    seed: int = 1,
    progress: Callable[[int, int], object] = lambda *_: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Agreement:
    """Step an integration here and in stable-retro with the same actions; both reset when done.

    ``progress`` gets the steps compared and their number; once ``stopped`` is true, fewer are
    compared. Raises SessionError when stable-retro is not installed or can not load the directory.
    """
    progress(0, steps)
    theirs = _their_steps(directory, steps, seed, stopped)
    if theirs is None:
        return Agreement(0, None, 0.0, 0)
    actions = random_actions(steps, theirs["buttons"], seed)
    total, episodes = 0.0, 1
    with open_session(directory) as session:
        session.reset()
        for step, expected in enumerate(theirs["steps"]):
            if stopped():
                return Agreement(step, None, total, episodes)
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
            if (step + 1) % _TOLD_STEPS == 0:
                progress(step + 1, steps)
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


def _their_steps(directory: Path, steps: int, seed: int, stopped: Callable[[], bool]) -> Any:
    """stable-retro's steps; None when it was stopped before they were done."""
    if importlib.util.find_spec("stable_retro") is None:
        raise SessionError(
            "stable-retro is not installed, so nothing can be judged: "
            'pip install "retro-integrator[cores]"'
        )
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "steps.json"
        options = [directory, answer, "--steps", steps, "--seed", seed]
        command = children.module_command(__name__, *options, quiet=True)
        with tempfile.TemporaryFile() as errors:
            process = children.start(command, stdout=subprocess.DEVNULL, stderr=errors)
            if not _wait(process, stopped):
                return None
            if process.returncode != 0:
                reason = _last_line(errors)
                raise SessionError(f"{directory}: stable-retro can not run it: {reason}")
        return json.loads(read_text(answer, _MOST_ANSWER_BYTES))


def _wait(process: subprocess.Popen[bytes], stopped: Callable[[], bool]) -> bool:
    """Wait for the end of a process; False when it was killed since it is not wanted any more."""
    with process:
        while True:
            try:
                process.wait(_LOOK_S)
            except subprocess.TimeoutExpired:
                if stopped():
                    process.kill()
                    return False
            else:
                return True


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    return (errors.read().decode(errors="replace").strip().splitlines() or ["no reason given"])[-1]


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
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args(arguments)
    report = _run_stable_retro(options.directory, options.steps, options.seed)
    options.out.write_text(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1:])
