"""Compares and draws the runs of ``scripts.learning_curve``.

``python -m scripts.learning_plot FILE FILE`` says until which step two runs are equal line by line.
``python -m scripts.learning_plot FOLDER`` draws all runs of a folder, named GAME.SIDE.COUNT.SEED,
as ``docs/images/learning-curves.svg``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

import numpy as np

from integrator import paths
from scripts.plots import Line, Panel, drawing

OUT: Final = paths.shipped("docs") / "images" / "learning-curves.svg"
SKIP: Final = 4  # frames a step
_BIN: Final = 5_000  # steps whose episodes make one point of a line
_STYLES: Final = {
    ("stable-retro", "1"): ("#f2a65a", 7, "stable-retro, one"),
    ("here", "1"): ("#8a3b00", 1.5, "here, one: the same line"),
    ("stable-retro", "4"): ("#7fb3d9", 2, "stable-retro, four"),
    ("here", "4"): ("#1b4f72", 2, "here, four"),
}
"""Color, width and words of a line, by side and number of environments."""


def compare(one: Path, other: Path) -> str:
    """Until which step two runs are equal, observations, actions, rewards and ends alike."""
    rows = [_network_alone(_rows(path)) for path in (one, other)]
    equal = list(takewhile(lambda pair: pair[0] == pair[1], zip(*rows, strict=False)))
    last = equal[-1][0] if equal else {"step": 0}
    if "weights" in last and len(rows[0]) == len(rows[1]):
        return f"equal to the end, step {last['step']:,}, with the network {last['weights']}"
    return f"equal until step {last['step']:,}"


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _network_alone(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without seconds, which differ in each run."""
    kept = ("step", "return", "hash", "weights")
    return [{name: row[name] for name in kept if name in row} for row in rows]


def draw(folder: Path) -> str:
    """All runs as SVG, a panel for each game."""
    games: dict[str, dict[tuple[str, str], Any]] = {}
    for path in folder.glob("*.jsonl"):
        game, side, count, _ = path.stem.split(".")
        games.setdefault(game, {})[side, count] = _curve(_rows(path))
    caption, ticks = "mean return of an episode, by million frames", (0, 0.25, 0.5, 0.75, 1)
    return drawing(
        [
            Panel(game, caption, ticks, [Line(runs[k], *_STYLES[k]) for k in _STYLES if k in runs])
            for game, runs in sorted(games.items())
        ]
    )


def _curve(rows: Sequence[dict[str, Any]]) -> Any:
    """The mean return of the episodes that end in the same stretch of steps, at its middle."""
    ended = np.array([(row["step"], row["return"]) for row in rows if "return" in row])
    stretch = ended[:, 0] // _BIN
    means = [ended[stretch == each, 1].mean() for each in np.unique(stretch)]
    return np.column_stack([(np.unique(stretch) + 0.5) * _BIN * SKIP / 1e6, means])


def main(arguments: Sequence[str]) -> None:
    if len(arguments) == 2:
        sys.stdout.write(f"{compare(*map(Path, arguments))}\n")
    else:
        OUT.write_text(draw(Path(arguments[0])), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
