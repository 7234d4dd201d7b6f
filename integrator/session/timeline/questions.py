"""Reads the timeline of a running session: RAM, variables, marks, and answers to questions."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import TimelineError
from integrator.domain.query import pointers
from integrator.domain.query.facts import Fact
from integrator.domain.query.solve import Evidence, Solution, forgiving
from integrator.domain.timeline.line import Marker, MarkerKind
from integrator.domain.values.memory import DataType
from integrator.session.frame.pipeline import Pipeline
from integrator.session.searches import as_facts


class TimelineQuestions:
    """Answers from the recorded play of a session; the core is not moved."""

    def __init__(self, pipeline: Pipeline, types: Sequence[DataType]) -> None:
        self._pipeline, self._types = pipeline, tuple(types)
        self.log = pipeline.timeline

    @property
    def length(self) -> int:
        """The newest frame of the current line."""
        return self.log.length

    def ram(self, frame: int) -> NDArray[np.uint8]:
        """RAM after ``frame``: uint8 (ram_bytes,), the writable regions in address order."""
        return self.log.ram(frame)

    def column(self, variable: str, start: int = 1, stop: int | None = None) -> NDArray[np.int64]:
        """A variable's value on frames ``start`` to ``stop - 1``, int64 of shape (frames,).

        A newer variable is read from recorded RAM. Raises TimelineError for an unknown variable."""
        values, valid = self.log.column(variable, start, stop)
        if valid.all():
            return values
        reader = self._pipeline.readout.reader
        if variable not in reader.names:
            raise TimelineError(f"there is no variable {variable!r}; define it first")
        return reader.read_ranges(self.log.ram_ranges(reader.ranges, start, stop))[variable]

    def markers(self, *kinds: MarkerKind) -> tuple[Marker, ...]:
        """Markers of the current line, by frame."""
        return self.log.markers(*kinds)

    def values_of(self, ram: NDArray[np.uint8]) -> dict[str, int]:
        return self._pipeline.readout.reader.read(ram)

    def pointers(
        self,
        addresses: Mapping[int, int],
        *,
        depth: int = pointers.DEPTH,
        reach: int = pointers.REACH_BYTES,
        form: pointers.PointerForm | None = None,
    ) -> list[pointers.PointerChain]:
        """Return pointer chains to a number at ``addresses``, by frame. Raises DomainError."""
        moments = [pointers.NumberPlace(self.ram(frame), at) for frame, at in addresses.items()]
        space = self._pipeline.memory.space
        return pointers.pointer_chains(space, moments, form, depth=depth, reach=reach)

    def query(
        self,
        facts: str | Sequence[Fact],
        *,
        also: Sequence[Evidence] = (),
        types: Sequence[DataType] | None = None,
        scales: bool = True,
        limit: int = 200,
    ) -> Solution:
        """Return the addresses, types and scales that fit all facts about the line, best first.

        ``facts`` are typed facts, or lines of text (see :mod:`integrator.domain.query.facts`);
        ``also`` are facts about other recordings of this game. ``types`` defaults to all that
        searches try. See ``forgiving``. Raises SearchError, TimelineError."""
        asked = [Evidence(self.log, as_facts(facts)), *also]
        types, space = self._types if types is None else types, self._pipeline.memory.space
        return forgiving(space, types, asked, scales=scales, limit=limit)
