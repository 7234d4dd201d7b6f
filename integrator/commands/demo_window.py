"""Draws the picture of ``integrator demo`` in a process of its own: ``OUT.png DIRECTORY``."""

import sys
from itertools import pairwise
from pathlib import Path

from integrator import paths
from integrator.app import photograph_window
from integrator.commands.demo import PlayScript
from integrator.commands.shared.options import DEMO_GAME
from integrator.domain.search.search import Search
from integrator.session.session import Session


def play_and_search(session: Session, search: Search) -> None:
    """Play the demo game's input script and search the score; just run any other game."""
    if not session.integration.name.startswith(DEMO_GAME.removesuffix("-v0")):
        session.advance(frames=120)
        return
    source = paths.shipped("resources") / "demo-game" / "input-script.json"
    script = PlayScript.load(source, session.system.buttons)
    search.reset()
    # From the frame of the state Start to the frames at which the score is searched.
    for start, stop in pairwise((184, 367, 589, 730)):
        # Run the rows one by one, so that the sparklines have values to draw.
        for row in script.inputs[start:stop]:
            session.advance((int(row[0]),))
        search.refine("equal", session.memory.read(0x306, ">d3"))


def main(arguments: list[str]) -> None:
    out, game = map(Path, arguments)
    photograph_window(game, out, play_and_search)


if __name__ == "__main__":
    main(sys.argv[1:])
