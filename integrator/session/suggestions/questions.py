"""Questions that a session answers from its recorded play, some of which is run again."""

from collections.abc import Callable, Collection
from typing import Final, TypeVar

import numpy as np

from integrator.domain.ends.marks import EndCondition
from integrator.domain.query.causes import Causes, CausesRun
from integrator.domain.suggest.screen import ScreenNumber
from integrator.domain.values.datatype import DataType
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


_TITLE_S: Final = 5  # from the first press until a game shows play


class PlayQuestions:
    """The part of a session that asks its recorded play."""

    game: Game
    timeline: Travel
    _pipeline: Pipeline
    _power_on: bytes

    def recorded_play(self) -> RecordedPlay:
        """A copy of the newest play, for another thread. Raises TimelineError before any frame."""
        travel, space, buttons = (
            self.timeline,
            self._pipeline.memory.space,
            self.game.system.buttons,
        )
        rewritten, exact = self._pipeline.rewritten_between(0, travel.length), travel.trusts_states
        return RecordedPlay.take(space, travel.log, buttons, exact=exact, rewritten=rewritten)

    def hidden_look(self) -> HiddenLook:
        """The same copy, for a look in a hidden core. Raises TimelineError before any frame."""
        return HiddenLook(self.game.plan.hidden(), self.recorded_play())

    def screen_numbers(self) -> tuple[ScreenNumber, ...]:
        """Numbers that change on the screen: box, and value on each of its frames.

        The looks of digits are learned from the newest two minutes of play, which are run again;
        after that, the game stands where it did. Raises TimelineError.
        """
        return self._play_again(SuggestRun(self.recorded_play()).screen_numbers)

    def point(
        self, x: int, y: int, width: int, height: int, frames: Collection[int] | None = None
    ) -> list[PointedMatch]:
        """Variables that explain the picture in a box of the shown picture, best first.

        Nothing is typed: a variable fits when the box looks the same for the same number, and
        different for different ones. Each has a confidence and a reason. ``frames`` leaves out all
        others; None: the newest two minutes. The play is run again for its pictures; after that,
        the game stands where it did. Raises SearchError when the box has not changed yet,
        TimelineError.
        """
        box = Box(x, y, width, height)
        return self._play_again(PointRun(self.recorded_play(), box, frames).run)

    def episode_ends(self, marks: Collection[int] | None = None) -> list[EndCondition]:
        """Likely done conditions, best first: they hold at the marked ends, and never before.

        ``marks`` are frames on which an episode ended; None: those marked "dead", "won" or "level
        done". Everything recorded counts. Raises SearchError without marks.
        """
        return self.ends_run(marks).run()

    def ends_run(self, marks: Collection[int] | None = None) -> EndsRun:
        """A copy of the shown line of play, in which another thread looks for its ends.

        A line from power-on begins with the title, which may look like an end, until some seconds
        after the first press. Raises SearchError.
        """
        log, specs = self.timeline.log, dict(self.game.integration.variables)
        pressed = np.flatnonzero(log.inputs().any(axis=1))
        is_titled = len(pressed) and log.keyframe_at_or_before(0)[1] == self._power_on
        begin = int(pressed[0] + _TITLE_S * self.game.fps) if is_titled else 1
        return EndsRun.take(self._pipeline.memory.space, log, specs, marks, begin)

    def causes_run(self) -> CausesRun:
        """A copy of the shown line of play, in which another thread finds causes."""
        log, space = self.timeline.log, self._pipeline.memory.space
        jumps = {mark.frame for mark in log.markers("episode", "state", "reset")}
        return CausesRun(space, log.history(), log.inputs(), self.game.system.buttons, jumps)

    def causes(self, address: int, spec: str | DataType = "|u1") -> Causes:
        """The recorded changes of a number: frames, values, and what goes with them.

        These are buttons, bytes, and places of the picture, for which the play around the newest
        changes runs again; after that, the game stands where it did. A jump to another state is no
        change; a poke shows as one of the next frame. Raises AddressError, DataTypeError.
        """
        kind = spec if isinstance(spec, DataType) else DataType.parse(spec)
        causes = self.causes_run().run(address, kind)
        run = PlacesRun.take(self.timeline, causes)
        return self._play_again(run.run) if run.stretches else causes

    def _play_again(self, run: Callable[[CoreHost], T]) -> T:
        """Let recorded play run again in the core; after that, the game stands where it did."""
        with self.timeline.lent(moved=True) as host:
            return run(host)
