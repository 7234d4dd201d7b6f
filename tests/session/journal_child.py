"""Plays with a journal until it is killed; prints number and RAM hash of the frames shown.

"back" in place of a hash says that play goes on from that frame.

Usage: python journal_child.py GAME"""

from __future__ import annotations

import itertools
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from integrator.domain.movies.model import ram_hash
from integrator.session.frame.result import FrameResult
from integrator.session.journal.journal_file import new_journal_path
from integrator.session.opening import plan_session
from integrator.session.runner import UNLIMITED_SPEED, Runner
from integrator.session.session import Session

FRAMES_BETWEEN_BACKS = 100


class Printer:
    def __init__(self, session: Session) -> None:
        self.session = session
        self.frames_run = 0
        self._newest = 0

    def on_frame(self, result: FrameResult) -> None:
        self.frames_run += max(0, result.number - self._newest)
        self._newest = result.number
        if self.session.timeline.at_end:
            sys.stdout.write(f"{result.number} {ram_hash(self.session.memory.ram)}\n")
            sys.stdout.flush()

    def on_event(self, event: object) -> None:
        pass


def go_back(session: Session) -> None:
    number = session.timeline.seek(session.timeline.length - 20).number
    sys.stdout.write(f"{number} back\n")
    sys.stdout.flush()


def main(game: Path) -> None:
    plan = plan_session(game)
    session = Session(replace(plan, journal=new_journal_path(plan.integration.name)))
    printer = Printer(session)
    runner = Runner(session, printer.on_frame, printer.on_event)
    runner.start()
    runner.set_speed(UNLIMITED_SPEED)
    runner.reset()
    runner.play()
    rng = np.random.default_rng(1)
    address = session.memory.space.regions[0].address
    back_at = FRAMES_BETWEEN_BACKS
    for turn in itertools.count(1):
        runner.set_inputs((int(rng.integers(512)),))
        # By frames and not by turns: on a busy machine more would be taken back than is played.
        if printer.frames_run >= back_at:
            back_at = printer.frames_run + FRAMES_BETWEEN_BACKS
            runner.post(go_back)
        if turn % 31 == 0:
            runner.post(lambda s: s.memory.write(address, "|u1", 9))
        if turn % 47 == 0:
            runner.reset()
        time.sleep(0.01)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
