"""Finds done conditions from marked ends of episodes, in a copy of everything recorded."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from integrator.domain.ends.marks import EndCondition, MarkedPlay, RecordedNumber
from integrator.domain.ends.mining import Tested, likely_places, mine, weighed
from integrator.domain.query.ranges import Recording
from integrator.domain.timeline.lookup import History
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.datatype import BYTE
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableReader, VariableSpec

END_LABELS: Final = ("dead", "won", "level done")
"""Labels of the marks on a line that say that an episode ends there."""


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
        marks: Collection[int] | None = None,
    ) -> Self:
        """Copy the line, on the session's thread; None: marked frames. Raises SearchError."""
        if marks is None:
            marks = tuple(m.frame for m in log.markers("user") if m.label in END_LABELS)
        markers = log.markers("episode", "state", "reset")
        jumps = [jump.frame for jump in markers if jump.frame < log.length]
        play = MarkedPlay(log.length, marks, jumps)
        return cls(space, log.history(), specs, play)

    def run(self) -> list[EndCondition]:
        return mine(self._variables(), self._bytes(), self.play)

    def weighed(self) -> list[Tested]:
        """All conditions that were looked at, the likeliest first."""
        return [each for _, each in weighed(self._variables(), self._bytes(), self.play)]

    def _variables(self) -> Iterator[RecordedNumber]:
        reader = VariableReader(self.specs, self.space)
        captured = self.history.ram_ranges(reader.ranges, 0, self.play.length + 1)
        for name, values in reader.read_ranges(captured).items():
            spec = self.specs[name]
            yield RecordedNumber(name, spec.address, spec.type, values)

    def _bytes(self) -> Iterator[RecordedNumber]:
        recording = Recording(self.space, self.history)
        stop = self.play.length + 1
        changed = np.flatnonzero(recording.changed(0, stop))
        # Not by the recording's own cache, which would keep each RAM of a large console.
        places = likely_places(recording.glance, changed, self.play)
        if not len(places):
            return
        ram = recording.bytes_over(places, 0, stop)
        for number, place in enumerate(places.tolist()):
            values = ram[:, number].astype(np.int64)
            yield RecordedNumber("", self.space.address_of(place), BYTE, values)
