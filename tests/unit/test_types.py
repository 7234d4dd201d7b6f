"""Code as users write it, checked as they check it: by mypy --strict and by pyright."""

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]
RIGHT = """
import gymnasium
import numpy as np
from numpy.typing import NDArray

import integrator


def pictures(game: str) -> list[NDArray[np.uint8]]:
    found: list[NDArray[np.uint8]] = []
    with integrator.open_session(game) as session:
        result = session.reset()
        search = session.search("score")
        left: int = search.refine("equal", 0)
        while left and not result.outcome.done:
            result = session.advance((0,), frames=15)
            if result.frame is not None:
                found.append(result.frame.rgb())
            left = search.refine("greater-than", 0)
        for each in session.suggest(["score", "player-x"]):
            print(each.kind, each.address, each.type, each.confidence)
    return found


def train(game: str) -> float:
    env = integrator.make_env(game, actions="discrete", observation="image")
    assert isinstance(env, gymnasium.Env)
    vec = integrator.make_vec(game, 8, frame_skip=4, grayscale=True, resize=(84, 84), stack=4)
    observations, _ = vec.reset(seed=1)
    try:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
    except integrator.IntegratorError as error:
        raise SystemExit(str(error)) from error
    return float(reward) + len(observations)
"""
WRONG = """
import integrator

integrator.make_env("game", actions="discreet")
integrator.make_env("game", observation="picture")
integrator.make_vec("game", 2, autoreset="sometimes")
with integrator.open_session("game") as session:
    session.search("score").refine("notanop")
    session.search("score").preview("notanop")
    session.suggest(["points"])
    session.advance((0,)).frame.rgb()
"""


def faults(checker: str, scripts: Sequence[Path]) -> list[list[int]]:
    """The lines that a type checker refuses, of each script."""
    options = {
        # A cache beside that of `make check`, whose options differ.
        "mypy": ["--strict", "--cache-dir", str(TREE / ".mypy_cache" / "users")],
        "pyright": ["--pythonpath", sys.executable],
    }
    done = subprocess.run(
        [sys.executable, "-m", checker, *options[checker], *(each.name for each in scripts)],
        cwd=scripts[0].parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = re.findall(r"(\w+\.py):(\d+):.* error", done.stdout)
    return [sorted({int(n) for name, n in found if name == each.name}) for each in scripts]


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checkers_tell_right_from_wrong(checker: str, tmp_path: Path) -> None:
    right, readme_py, wrong = (tmp_path / f"{each}.py" for each in ("right", "readme", "wrong"))
    readme = (TREE / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert blocks
    right.write_text(RIGHT)
    readme_py.write_text("".join(blocks))
    wrong.write_text(WRONG)
    assert faults(checker, (right, readme_py, wrong)) == [[], [], [4, 5, 6, 8, 9, 10, 11]]
