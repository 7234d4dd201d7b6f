"""Plays a bare ROM, makes an integration of it, edits and plays on, and is killed in the middle.

Usage: python recovery_child.py ROM ROOT [--at-once]
       python recovery_child.py JOURNAL ROOT --again FRAMES
It prints one JSON document before it dies."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from integrator.domain.movies.model import ram_hash
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands
from integrator.session.opening import open_journaled
from integrator.session.recovery import left_behind, recover
from integrator.session.session import Session


def main(rom: Path, root: Path) -> None:
    session = open_journaled(rom)
    play(session, 60)
    session.editor.do(commands.put_variable(None, VariableSpec("x", 0, DataType.parse("|u1"))))
    session.persistence.keep_edits()
    # The editor's keep_as would remove the draft next; with --at-once the program dies before that.
    session.game.keep_as(root, "Made-Nes")
    if "--at-once" in sys.argv:
        die(session)
    session.persistence.keep_edits()
    play(session, 60)
    session.editor.do(commands.add_scenario("hard"))
    session.editor.do(commands.set_in_scenario(("reward", "time"), {"reward": 2.0}))
    session.editor.do(commands.save_state("Here"))
    session.persistence.keep_edits()
    play(session, 30)
    die(session)


def recover_again(journal: Path, frames: int) -> None:
    """Recover play and edits, and die at a frame of it or, if it has fewer, after playing on."""
    [left] = (each for each in left_behind() if each.play and each.play.path == journal)

    def progress(done: int, _: int) -> bool:
        if done >= frames:
            sys.stdout.write("{}")
            sys.stdout.flush()
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    session = recover(left, progress)
    play(session, 30)
    die(session)


def play(session: Session, frames: int) -> None:
    for frame in range(frames):
        session.advance((frame % 7 * 16,))


def die(session: Session) -> None:
    assert session.last is not None
    told = {
        "ram": ram_hash(session.memory.ram),
        "frames": session.timeline.length,
        "total": session.last.outcome.total_rewards[0],
        "directory": str(session.integration.directory),
    }
    sys.stdout.write(json.dumps(told))
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    if "--again" in sys.argv:
        recover_again(Path(sys.argv[1]), int(sys.argv[-1]))
    main(Path(sys.argv[1]), Path(sys.argv[2]))
