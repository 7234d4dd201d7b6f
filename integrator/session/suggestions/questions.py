"""Answers questions about a session from its recorded play, some of which is run again."""

from collections.abc import Callable, Collection
from typing import Final, TypeVar

import numpy as np

from integrator.domain.ends.marks import EndCondition
from integrator.domain.query.causes import Causes, CausesRun
from integrator.domain.suggest.screen import ScreenNumber
from integrator.domain.timeline.line import JUMPS
from integrator.domain.values.memory import DataType
from integrator.session.frame.pipeline import Pipeline
from integrator.session.setup.game import Game
from integrator.session.suggestions.hidden_look import EndsRun, HiddenLook
from integrator.session.suggestions.picture_places import PlacesRun
from integrator.session.suggestions.pointing import PointedMatch, PointRun
from integrator.session.suggestions.recorded_play import Box, RecordedPlay
from integrator.session.suggestions.suggesting import SuggestRun
from integrator.session.timeline.travel import Travel
from libretro_host.host import CoreHost

T = TypeVar("T")

_TITLE_S: Final = 5  # seconds from the first press until a game shows play


class PlayQuestions:
    """The part of a session that answers questions from its recorded play."""

    game: Game
    timeline: Travel
    _pipeline: Pipeline
    _power_on: bytes

    def recorded_play(self) -> RecordedPlay:
        """Copy the newest play for another thread. Raises TimelineError before any frame."""
        travel, space = self.timeline, self._pipeline.memory.space
        buttons, exact = self.game.system.buttons, travel.trusts_states
        return RecordedPlay.take(space, travel.log, buttons, exact=exact)

    def hidden_look(self) -> HiddenLook:
        """Copy the newest play for a hidden core. Raises TimelineError before any frame."""
        return HiddenLook(self.game.plan.hidden(), self.recorded_play())

    def screen_numbers(self) -> tuple[ScreenNumber, ...]:
        """Return numbers that change on the screen: the box, and the value on each frame.

        The looks of digits are learned from the newest two minutes of play, which are run again;
        then the present frame is restored. Raises TimelineError."""
        return self._play_again(SuggestRun(self.recorded_play()).screen_numbers)

    def point(
        self, x: int, y: int, width: int, height: int, frames: Collection[int] | None = None
    ) -> list[PointedMatch]:
        """Return variables that explain the picture in a box on the screen, best first.

        No number needs to be typed: a variable fits if the box looks the same for the same number,
        and different for different numbers. Each has a confidence and a reason. Only ``frames``
        are used; None means the newest two minutes. The play is run again for its pictures, and
        then the present frame is restored. Raises SearchError if the box has not changed yet, and
        TimelineError."""
        box = Box(x, y, width, height)
        return self._play_again(PointRun(self.recorded_play(), box, frames).run)

    def episode_ends(self, marks: Collection[int] | None = None) -> list[EndCondition]:
        """Return likely done conditions, best first: they hold at marked ends, and never before.

        ``marks`` are frames on which an episode ended; None means those marked "dead", "won" or
        "level done". All recorded play is used. Raises SearchError without marks."""
        return self.ends_run(marks).run()

    def ends_run(self, marks: Collection[int] | None = None) -> EndsRun:
        """Copy the present line, for another thread that looks for ends of episodes.

        A line from power-on is used only from 5 s after the first press, because the title before
        may look like an end. Raises SearchError."""
        log, specs = self.timeline.log, dict(self.game.integration.variables)
        pressed = np.flatnonzero(log.inputs().any(axis=1))
        is_titled = len(pressed) and log.keyframe_at_or_before(0)[1] == self._power_on
        begin = int(pressed[0] + _TITLE_S * self.game.fps) if is_titled else 1
        return EndsRun.take(self._pipeline.memory.space, log, specs, marks, begin)

    def causes_run(self) -> CausesRun:
        """Copy the present line, for another thread that finds causes."""
        log, space = self.timeline.log, self._pipeline.memory.space
        jumps = {mark.frame for mark in log.markers(*JUMPS)}
        return CausesRun(space, log.history(), log.inputs(), self.game.system.buttons, jumps)

    def causes(self, address: int, spec: str | DataType = "|u1") -> Causes:
        """Return the recorded changes of a number, and the likely causes and companions of them.

        These are buttons, bytes, and places of the picture, for which the play around the newest
        changes is run again; then the present frame is restored. A jump to another state is no
        change of the game, nor is a poke. Raises AddressError, DataTypeError."""
        kind = spec if isinstance(spec, DataType) else DataType.parse(spec)
        causes = self.causes_run().run(address, kind)
        run = PlacesRun.take(self.timeline, causes)
        return self._play_again(run.run) if run.stretches else causes

    def _play_again(self, run: Callable[[CoreHost], T]) -> T:
        """Run recorded play again in the session's core, and then restore the present frame."""
        with self.timeline.lent(moved=True) as host:
            return run(host)
