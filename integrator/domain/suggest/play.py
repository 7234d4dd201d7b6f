"""Recorded play as suggestions see it: bytes worth a look, held directions, and the pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.experiment import Apart
from integrator.domain.suggest.screen import Looks
from integrator.domain.sweep.sets import Positions
from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace

MOST_PLACES: Final = 4000


def without_mirrors(
    space: AddressSpace, places: Positions, looks: Sequence[NDArray[np.uint8]]
) -> Positions:
    """The places without those of regions that are the beginning of a larger one again.

    Some consoles show the same memory at two addresses. ``looks`` are RAM at some moments, in
    logical order, as ``places`` are.
    """
    regions = sorted(space.regions, key=lambda region: -region.size)
    for number, small in enumerate(regions):
        first, stop = space.index_of(small.address), space.index_of(small.end - 1) + 1
        for large in regions[:number]:
            shift = space.index_of(large.address) - first
            if all(
                np.array_equal(ram[first:stop], ram[first + shift :][: small.size]) for ram in looks
            ):
                places = places[(places < first) | (places >= stop)]
    return places


def choose_places(
    ram_at: Callable[[int], NDArray[np.uint8]],
    changed: Positions,
    first: int,
    ways: Sequence[NDArray[np.int8]],
) -> Positions:
    """At most ``MOST_PLACES`` of the ascending ``changed`` places, which are logical indexes.

    ``ram_at`` gives RAM after a frame, in logical order. ``ways`` are the held directions of frames
    ``first``, ``first + 1``, ... along each axis. Places are those that change seldom, and those
    that move with a direction.
    """
    if len(changed) <= MOST_PLACES:
        return changed
    rows = np.unique(np.linspace(0, len(ways[0]) - 1, 160).astype(np.intp))
    samples = np.stack([ram_at(first + int(row))[changed] for row in rows])
    steps = np.subtract(samples[1:], samples[:-1]).view(np.int8)
    # A position moves less far between two samples.
    near = (steps != 0) & (np.abs(steps.astype(np.int16)) < 64)
    signs = np.where(near, np.sign(steps), 0).astype(np.float32)
    moves = np.abs(signs)
    # Bytes that change seldom get 60 % of the places, and each axis of positions half the rest.
    turn = _ranks(_seldom(steps, near)) / 0.6
    for way in ways:
        push = np.sign(np.diff(np.cumsum(way)[rows])).astype(np.float32)
        follows = np.abs(push @ signs) / (np.abs(push) @ moves + 4)
        turn = np.minimum(turn, _ranks(follows) * len(ways) / 0.4)
    kept: NDArray[np.intp] = changed[np.sort(np.argsort(turn, kind="stable")[:MOST_PLACES])]
    return kept


def _seldom(steps: NDArray[np.int8], near: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Merits of bytes as numbers that people read, each pace getting its share of the best.

    Lives change a few times a minute and scores often, and neither is to crowd out the other.
    """
    changes = np.count_nonzero(steps, axis=0)
    alike = near.sum(axis=0) / np.maximum(changes, 1)
    # Numbers that people read change between fewer samples than this share.
    alike[changes >= 0.4 * len(steps)] = 0
    pace = np.log2(np.maximum(changes, 1)).astype(np.int64)
    merits = np.zeros(len(changes))
    for each in np.unique(pace).tolist():
        own = np.flatnonzero(pace == each)
        merits[own] = 1 / (1 + _ranks(alike[own]))
    return merits


def _ranks(merits: NDArray[np.floating]) -> NDArray[np.float64]:
    """The rank of each merit, from 0 for the highest on; infinite without any merit."""
    ranks = np.empty(len(merits))
    ranks[np.argsort(-merits, kind="stable")] = np.arange(len(merits))
    ranks[merits <= 0] = np.inf
    return ranks


BYTE: Final = DataType.parse("|u1")
SLOW_SHARE: Final = 0.12  # a number that people read changes on fewer frames than this share
SMALL_STEP: Final = 8
"""The farthest that a thing on the screen walks in one frame, in its own units."""


@dataclass(frozen=True, eq=False)
class Play:
    """Some consecutive frames of play; row i of each array is frame i of them.

    ``places`` are logical indexes of bytes that changed, ascending; ``ram`` uint8 (frames, places)
    has their values, and ``rest`` uint8 (ram_bytes,) all RAM after the last frame, in logical
    order. ``across`` (-1 LEFT, 1 RIGHT), ``down`` (-1 UP, 1 DOWN) and ``pressed`` (any other
    button) are int8 (frames,). ``steady`` is false for frames that do not follow the frame before.
    ``cells`` is bool (frames, rows, columns): the parts of the picture that changed, of equal
    size; None without pictures. ``looks`` are the pictures as lines of cells. ``apart`` has
    experiments with directions, None without.
    """

    places: NDArray[np.intp]
    ram: NDArray[np.uint8]
    rest: NDArray[np.uint8]
    across: NDArray[np.int8]
    down: NDArray[np.int8]
    pressed: NDArray[np.int8]
    steady: NDArray[np.bool_]
    cells: NDArray[np.bool_] | None = None
    apart: Apart | None = None
    looks: Sequence[Looks] = ()

    @cached_property
    def steps(self) -> NDArray[np.int8]:
        """Each byte's step into rows 1, 2, ..., the shorter way round; 0 where play jumped."""
        steps = np.subtract(self.ram[1:], self.ram[:-1]).view(np.int8)
        steps[~self.steady[1:]] = 0
        return steps

    @cached_property
    def changes(self) -> NDArray[np.int64]:
        """The number of changes of each byte, int64 (places,)."""
        changes: NDArray[np.int64] = np.count_nonzero(self.steps, axis=0)
        return changes

    @cached_property
    def distinct(self) -> NDArray[np.int64]:
        """The number of different values of each byte, int64 (places,)."""
        seen = np.zeros((256, len(self.places)), np.bool_)
        seen[self.ram, np.arange(len(self.places))] = True
        values: NDArray[np.int64] = np.count_nonzero(seen, axis=0)
        return values

    @cached_property
    def turmoil(self) -> NDArray[np.float64]:
        """For rows 1, 2, ...: the rank, 0 to 1, by the share of bytes that jump at about then."""
        share = (np.abs(self.steps.astype(np.int16)) > SMALL_STEP).mean(axis=1)
        # Spread over half a second around.
        spread = [share[max(0, i - 8) : i + 24].max() for i in range(len(share))]
        return np.searchsorted(np.sort(spread), spread) / max(len(spread), 1)

    def column(self, place: int) -> NDArray[np.uint8]:
        """The values of the byte at a logical index, uint8 (frames,)."""
        found = self._columns.get(place)
        if found is None:
            return np.full(len(self.ram), self.rest[place], np.uint8)
        return self.ram[:, found]

    @cached_property
    def _columns(self) -> dict[int, int]:
        return {place: column for column, place in enumerate(self.places.tolist())}
