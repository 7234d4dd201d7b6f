"""Answers questions about recorded play on another thread, from a copy or in a hidden core."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends import marks as end_marks
from integrator.domain.ends.marks import EndCondition, EndMoment, MarkedPlay, RecordedNumber
from integrator.domain.ends.mining import likely_places, mine
from integrator.domain.query.ranges import Recording
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.timeline.line import Marker
from integrator.domain.timeline.lookup import History
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import BYTE, AddressSpace
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.setup.plan import SessionPlan, start_core
from integrator.session.suggestions.pointing import PointRun
from integrator.session.suggestions.recorded_play import Box, Cancelled, Progress, RecordedPlay
from integrator.session.suggestions.suggesting import SuggestRun, rows_left_out
from libretro_host.host import CoreHost

END_LABELS: Final = ("dead", "won", "level done")
"""The labels of marks at which an episode ends."""


def marked_ends(markers: Iterable[Marker]) -> dict[int, str]:
    """Return the frames that the user's marks call ends of episodes, each with its label."""
    return {m.frame: m.label for m in markers if m.kind == "user" and m.label in END_LABELS}


@dataclass(frozen=True, slots=True, eq=False)
class EndsRun:
    """A line of play with marked ends, and the variables of its game."""

    space: AddressSpace
    history: History
    specs: Mapping[str, VariableSpec]
    play: MarkedPlay

    @classmethod
    def take(
        cls,
        space: AddressSpace,
        log: Timeline,
        specs: Mapping[str, VariableSpec],
        marks: Collection[int] | None,
        begin: int,
    ) -> Self:
        """Copy the line on the session's thread; play begins at ``begin``. Raises SearchError.

        Without ``marks``, the user's marks with a label of ``END_LABELS`` are used."""
        if marks is None:
            marks = tuple(marked_ends(log.markers()))
        markers = log.markers("episode", "state", "reset")
        jumps = [jump.frame for jump in markers if jump.frame < log.length]
        return cls(space, log.history(), specs, MarkedPlay(log.length, marks, jumps, begin))

    def run(self) -> list[EndCondition]:
        return mine(self.numbers(), self.play)

    def numbers(self) -> Iterator[RecordedNumber]:
        reader = VariableReader(self.specs, self.space)
        captured = self.history.ram_ranges(reader.ranges, 0, self.play.length + 1)
        for name, values in reader.read_ranges(captured).items():
            spec = self.specs[name]
            yield RecordedNumber(name, spec.address, spec.type, values)
        recording = Recording(self.space, self.history)
        stop = self.play.length + 1
        changed = np.flatnonzero(recording.changed(0, stop))
        # ``glance`` does not cache each RAM, which would take much memory for a large console.
        places = likely_places(recording.glance, changed, self.play)
        if not len(places):
            return
        ram = recording.bytes_over(places, 0, stop)
        for number, place in enumerate(places.tolist()):
            values = ram[:, number].astype(np.int64)
            yield RecordedNumber("", self.space.address_of(place), BYTE, values)


_PICTURE_EVERY: Final = 4


def _moments(
    recorded: RecordedPlay, specs: Mapping[str, VariableSpec], host: CoreHost, cancelled: Cancelled
) -> list[EndMoment]:
    """Return moments that look like ends; none if cancelled. The host is left at the play's end."""
    # The address and type of lives, by name, and of the player's x, if there are variables.
    words = ("live", "life", "health", "energy", "hp")
    named = [name for name in specs if any(word in name.lower() for word in words)]
    lives = {name: (specs[name].address, specs[name].type) for name in named}
    known = specs.get("x")
    across = [(known.address, known.type)] if known is not None else []
    kinds = [*(() if lives else ("lives",)), *(() if across else ("player-x",))]
    found = SuggestRun(recorded, kinds).run(None) if kinds else ()
    sure = {each.kind: each for each in reversed(found) if each.confidence >= 0.2}
    if "lives" in sure:
        lives["lives"] = (sure["lives"].address, sure["lives"].type)
    if not across and "player-x" in sure:
        across = [(sure["player-x"].address, sure["player-x"].type)]
    numbers = recorded.numbers([*lives.values(), *across], len(recorded.inputs) + 1)
    dark = np.zeros(len(recorded.inputs) + 1, np.bool_)
    for number, frame in recorded.pictures(host, _PICTURE_EVERY, cancelled):
        pixels = frame.words
        row = number - recorded.first
        # A dark picture may have some pixels of another color.
        dark[row : row + _PICTURE_EVERY] = (pixels == pixels[0, 0]).mean() >= 0.995
    if cancelled():
        return []
    moving = recorded.held("LEFT", "RIGHT", "UP", "DOWN") != 0
    of_lives = dict(zip(lives, numbers, strict=False))
    moments = end_marks.propose(
        of_lives, numbers[-1] if across else None, moving, recorded.steady, dark
    )
    first = rows_left_out(recorded)
    shown = (each for each in moments if each.frame >= first)
    return [replace(each, frame=each.frame + recorded.first) for each in shown]


@dataclass(frozen=True, slots=True, eq=False)
class Suggested:
    """A suggestion, and a curve of its number over the recorded play."""

    suggestion: Suggestion
    curve: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class HiddenLook:
    """A copy of recorded play, which a hidden core, opened by ``plan``, runs again."""

    plan: SessionPlan
    recorded: RecordedPlay

    def _core(self) -> closing[CoreHost]:
        return closing(start_core(self.plan)[0])

    def suggest(
        self, progress: Progress, stopped: Cancelled, early: Callable[[list[Suggested]], None]
    ) -> list[Suggested] | None:
        """Return suggestions, or None if stopped; ``early`` gets those from RAM alone."""
        with self._core() as host:
            run = SuggestRun(self.recorded)
            found = run.run(host, progress, stopped, lambda first: early(self._with_curves(first)))
        return None if stopped() else self._with_curves(found)

    def point(self, box: Box, stopped: Cancelled) -> tuple[list[Suggested], bool]:
        """Return numbers that explain the box, and False if too few digits were seen so far."""
        with self._core() as host:
            pointed = PointRun(self.recorded, box).look(host, stopped)
        return self._with_curves(pointed.suggestions), pointed.enough

    def moments(self, specs: Mapping[str, VariableSpec], stopped: Cancelled) -> list[EndMoment]:
        with self._core() as host:
            return _moments(self.recorded, specs, host, stopped)

    def _with_curves(self, found: Sequence[Suggestion]) -> list[Suggested]:
        curves = self.recorded.suggested(found, 100)  # points
        return [Suggested(*pair) for pair in zip(found, curves, strict=True)]
