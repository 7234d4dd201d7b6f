"""Pictures of the window for the README, in either theme and every workspace.

Run as ``python -m scripts.screenshot OUT.png [GAME] [--theme light] [--workspace find]``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from integrator.app import photograph_window
from integrator.commands.demo_window import play_and_search
from integrator.commands.shared.games import demo_game
from integrator.ui.guide.portrait import Pose
from integrator.ui.widgets.theme import ThemeChoice


def main() -> None:
    """Parse the command line and take one picture."""
    parser = argparse.ArgumentParser(prog="python -m scripts.screenshot", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("game", type=Path, nargs="?", default=demo_game())
    parser.add_argument("--theme", choices=[each.value for each in ThemeChoice], default="dark")
    parser.add_argument("--workspace", default="play")
    options = parser.parse_args()
    theme = ThemeChoice(options.theme)
    game = options.game.absolute()
    photograph_window(Pose(game, options.out, play_and_search, theme, options.workspace))


if __name__ == "__main__":
    main()
