"""RAM search over flat RAM, for all types of a system at once; steps can be undone."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.files.reading import decoding
from integrator.domain.search import results, saved
from integrator.domain.search.operators import OPERATORS, SearchOp, comparison, frame_of
from integrator.domain.sweep.readings import SearchType, parse_type
from integrator.domain.sweep.refine import Layers, Memory, full_layers
from integrator.domain.sweep.sets import CandidateSet, Mask, aligned, covered, touching
from integrator.domain.values.memory import AddressSpace

Ram = NDArray[np.uint8]  # flat RAM as a host hands it out: uint8 of shape (size_bytes,)


class Search:
    """A search over the flat RAM of ``space`` for values of any of ``types``. Not thread-safe.
    ``source`` returns the current RAM, and is first called at once. With ``scales``, also the
    scales of :func:`scales_of` are tried; addresses must be multiples of ``alignment``.
    ``activity`` counts the memory's changes on every frame; without it, no byte counts as changed.
    ``past`` returns the RAM of a frame (-1: the last)."""

    def __init__(
        self,
        space: AddressSpace,
        types: Sequence[SearchType],
        source: Callable[[], Ram],
        *,
        name: str = "",
        scales: bool = False,
        alignment: int = 1,
        activity: results.Activity | None = None,
        past: Callable[[int], Ram] | None = None,
    ) -> None:
        if not types:
            raise SearchError("a search needs at least one data type")
        self.name, self.space = name, space
        self.types = tuple(dict.fromkeys(types))
        self._source, self._past, self.has_scales = source, past, scales
        self._alignment = _checked_alignment(alignment)
        self._activity = activity or results.Activity(space)
        self.reset()

    def reset(self) -> None:
        """Start over: every address is a candidate, the history is empty, counters are zero."""
        self._first = self._previous = self._now()
        self._snapshot: Ram | None = None
        self._changes = results.ChangeCounter(self._activity)
        layers = full_layers(
            self.space, self.types, scales=self.has_scales, alignment=self._alignment
        )
        self._states = [saved.State(None, layers)]
        self._at = 0
        self._loaded: tuple[saved.SearchStep, ...] = ()

    def refine(self, op: SearchOp, value: object = None, *, against: str | None = None) -> int:
        """Keep the candidates that satisfy a comparison, and return how many are left.

        ``op`` is one of :data:`OPERATORS`, which says what ``value`` must be: None, a number, or a
        pair; ``changed-times`` takes a number or a pair. ``against`` names the memory to compare
        with: ``previous`` (RAM of the last step), ``first``, ``snapshot``, ``last-frame`` or
        ``frame 300`` (the last two need ``past``). Raises SearchError, and leaves the search
        unchanged, if operands are missing or make no sense."""
        return self.take(self.plan(op, value, against=against))

    def plan(
        self, op: str, value: object = None, *, against: str | None = None
    ) -> saved.Refinement:
        """Prepare the work of :meth:`refine` for another thread. Raises SearchError."""
        asked = comparison(op, value, against)
        reference = None if asked.against == "value" else self._reference(asked.against)
        counts = self._changes.counts() if OPERATORS[op].counts else None
        return saved.Refinement(self._state, asked, Memory(self._now(), reference, counts))

    def preview(self, op: SearchOp, value: object = None, *, against: str | None = None) -> int:
        """Return the number of candidates that :meth:`refine` would leave; change nothing."""
        return self.plan(op, value, against=against).count

    def take(self, refinement: saved.Refinement) -> int:
        """Take a planned step; return the number of candidates. Raises SearchError if outdated."""
        if refinement.state is not self._state:
            raise SearchError("the search went on in the meantime; compare again")
        asked, logical = refinement.asked, refinement.memory.current
        self._push(asked.op, asked.value, asked.against, refinement.layers, logical)
        return self.count

    def clear_counts(self) -> None:
        self._changes.clear()

    def take_snapshot(self) -> None:
        """Remember RAM for comparisons against ``snapshot``."""
        self._snapshot = self._now()

    def start_from_now(self, ram: Ram | None = None) -> None:
        """Keep every candidate, but let the next step compare with the current RAM or ``ram``."""
        logical = self._now() if ram is None else self.space.logical(ram)
        self._push("start-from-now", None, "value", self._state.layers, logical)

    def exclude(self, address: int, length: int) -> int:
        """Drop candidates that use any of ``length`` bytes from ``address`` on."""
        if length < 1:
            raise SearchError(f"a range to exclude needs at least one byte, not {length}")
        return self._keep(
            "exclude",
            (address, length),
            lambda width: ~touching(self.space, address, address + length, width),
        )

    def limit_to(self, start: int, stop: int) -> int:
        """Keep only candidates whose bytes all have addresses in [start, stop)."""
        if stop <= start:
            raise SearchError(f"a range needs its end 0x{stop:X} above its start 0x{start:X}")
        return self._keep(
            "limit-to", (start, stop), lambda width: covered(self.space, start, stop, width)
        )

    def keep_at(self, addresses: Sequence[int]) -> int:
        """Keep only candidates that use a byte at these addresses. Raises AddressError."""
        places = np.array([self.space.index_of(address) for address in addresses], np.intp)

        def uses(width: int) -> Mask:
            mask = np.zeros(self.space.size_bytes, np.bool_)
            starts = places[:, np.newaxis] - np.arange(width)
            mask[starts[starts >= 0]] = True
            return mask

        return self._keep("keep-at", None, uses)

    @property
    def alignment(self) -> int:
        """The divisor of all candidates' addresses. Setting it is a step of the search."""
        return self._alignment

    @alignment.setter
    def alignment(self, alignment: int) -> None:
        self._alignment = _checked_alignment(alignment)
        mask = aligned(self.space, alignment)
        self._keep("align", alignment, lambda _width: mask)

    def undo(self) -> bool:
        """Undo the last step; return False if there is none."""
        if self._at <= 0:
            return False
        self._previous = self._states[self._at].change.applied(self._previous)
        self._at -= 1
        return True

    def redo(self) -> bool:
        """Redo the step that :meth:`undo` undid last; return False if there is none."""
        if self._at + 1 >= len(self._states):
            return False
        self._at += 1
        self._previous = self._states[self._at].change.applied(self._previous)
        return True

    @property
    def history(self) -> tuple[saved.SearchStep, ...]:
        """The steps that led to the current candidates, oldest first."""
        states = self._states[: self._at + 1]
        return self._loaded + tuple(state.step for state in states if state.step is not None)

    @property
    def count(self) -> int:
        """The number of candidates: pairs of address and type; scales are not counted."""
        return self._state.count

    def count_by_type(self) -> dict[SearchType, int]:
        """Return the number of candidates of each type, in the order of the types."""
        return {kind: each.count for kind, each in self._state.sets.items()}

    def candidates(self) -> results.CandidateList:
        """Return candidates by address and type, a lazy sequence that later steps do not change."""
        state = self._state
        # Counts and ages are read lazily from this copy, which clear_counts() does not change.
        changes = copy(self._changes)
        memories = self._now(), self._previous, self._first
        return results.CandidateList(
            results.Remains(self.space, state.sets, state.layers, *memories, changes)
        )

    def changes_of(
        self, rows: Sequence[results.Candidate]
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """Return the change counts and ages of ``rows``, both of shape (rows,)."""
        return self._changes.at(
            [(self.space.index_of(row.address), row.type.width) for row in rows]
        )

    def to_json(self) -> str:
        """Return the search as JSON, without undone steps; memory is in console byte order."""
        memory = {
            "first": saved.packed(self._first),
            "previous": saved.packed(self._previous),
            "snapshot": None if self._snapshot is None else saved.packed(self._snapshot),
            "changes": saved.packed(self._changes.counts().astype("<u4")),
        }
        document = {
            "name": self.name,
            "types": [data_type.spec for data_type in self.types],
            "scales": self.has_scales,
            "alignment": self._alignment,
            "regions": saved.regions_of(self.space),
            "history": list(map(asdict, self.history)),
            "candidates": saved.candidates_of(self._state.layers, self.space),
            "memory": memory,
        }
        return saved.dump(document, self.types)

    @staticmethod
    def from_json(
        text: str,
        space: AddressSpace,
        source: Callable[[], Ram],
        *,
        activity: results.Activity | None = None,
        past: Callable[[int], Ram] | None = None,
    ) -> "Search":
        """Load a saved search. Raises SearchError, DataTypeError, AddressError."""
        with decoding(SearchError, "the saved search is malformed"):
            document = saved.load(text, space)
            memory, size = document["memory"], space.size_bytes
            search = Search(
                space,
                tuple(map(parse_type, document["types"])),
                source,
                name=str(document["name"]),
                scales=bool(document["scales"]),
                alignment=int(document["alignment"]),
                activity=activity,
                past=past,
            )
            search._loaded = tuple(map(saved.step_of, document["history"]))
            search._states = [saved.State(None, saved.layers_of(document["candidates"], space))]
            search._first = saved.unpacked(memory["first"], "u1", size)
            search._previous = saved.unpacked(memory["previous"], "u1", size)
            snapshot = memory["snapshot"]
            search._snapshot = None if snapshot is None else saved.unpacked(snapshot, "u1", size)
            counts = saved.unpacked(memory["changes"], "<u4", size)
            search._changes = results.ChangeCounter(search._activity, counts)
        return search

    def _reference(self, against: str) -> Ram:
        if against == "first":
            return self._first
        if against == "previous":
            return self._previous
        if against == "snapshot":
            if self._snapshot is None:
                raise SearchError("no snapshot was taken yet; take one before comparing against it")
            return self._snapshot
        if self._past is None:
            raise SearchError("this search knows of no recorded frames to compare with")
        return self.space.logical(self._past(frame_of(against)))

    def _keep(self, op: str, value: Any, mask_of: Callable[[int], Mask]) -> int:
        masks = {width: mask_of(width) for width in {each.width for each in self.types}}
        kept: dict[tuple[int, int], CandidateSet] = {}
        layers = {}
        for layer, candidates in self._state.layers.items():
            key = (layer.data_type.width, id(candidates))
            if key not in kept:
                kept[key] = candidates.keep(masks[layer.data_type.width])
            layers[layer] = kept[key]
        self._push(op, value, "value", layers, self._previous)
        return self.count

    def _push(self, op: str, value: Any, against: str, layers: Layers, previous: Ram) -> None:
        step = saved.SearchStep(op, value, against, saved.State(None, layers).count)
        change = saved.RamChange.between(self._previous, previous)
        self._states[self._at + 1 :] = [saved.State(step, layers, change)]
        self._previous = previous
        self._at += 1

    @property
    def _state(self) -> saved.State:
        return self._states[self._at]

    def _now(self) -> Ram:
        return self.space.logical(self._source())


def _checked_alignment(alignment: int) -> int:
    if alignment < 1:
        raise SearchError(f"alignment is at least 1, not {alignment}")
    return alignment
