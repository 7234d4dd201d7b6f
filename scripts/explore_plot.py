"""Draws the cells that Go-Explore and a random agent find, as ``docs/images/go-explore.svg``.

``python -m scripts.explore_plot GAME FRAMES`` plays both by the example of ``docs/research.md``."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from integrator import paths
from scripts.plots import Line, Panel, drawing

DOCS: Final = paths.shipped("docs")
OUT: Final = DOCS / "images" / "go-explore.svg"
AGENTS: Final = {False: ("#1b4f72", 2, "random"), True: ("#c2570c", 2, "returning to cells")}
"""Color, width and words of a line, by whether the agent returns to cells."""


def example() -> dict[str, Any]:
    """The names that the page's example defines."""
    page = (DOCS / "research.md").read_text("utf-8")
    found = re.search(r"^## Go-Explore.*?```python\n(.*?)```", page, re.MULTILINE | re.DOTALL)
    assert found
    names: dict[str, Any] = {"__name__": "example"}
    exec(found[1], names)
    return names


def draw(progress: dict[bool, Any], frames: int) -> str:
    """Cells and the best return by frames; ``progress`` has rows of frames, cells and return."""
    panels = []
    ticks = [frames / 4000 * quarter for quarter in range(5)]
    for column, heading in ((1, "cells found"), (2, "best return")):
        lines = []
        for returns, style in AGENTS.items():
            rows = np.array([(0, 1, 0), *progress[returns]], float)[:, [0, column]]
            rows = np.vstack([rows[rows[:, 0] <= frames], (frames, rows[-1, 1])])
            lines.append(Line(rows / (1000, 1), *style))
        panels.append(Panel(heading, "by thousand frames", ticks, lines))
    return drawing(panels)


def main(arguments: Sequence[str]) -> None:
    game, frames = arguments[0], int(arguments[1])
    explore = example()["explore"]
    OUT.write_text(draw({each: explore(game, frames, each) for each in AGENTS}, frames), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
