"""The play from which suggestions are made: bytes, held directions, pictures, experiments."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.notes.places import HARDWARE
from integrator.domain.suggest.screen import Looks
from integrator.domain.sweep.sets import Positions
from integrator.domain.values.memory import AddressSpace

Floats = NDArray[np.float32]

MOST_PLACES: Final = 4000
_SURE: Final = 0.7  # the largest share of a weight that experiments add


@dataclass(frozen=True, slots=True, eq=False)
class PicturePairs:
    """Pairs of pictures, from two runs on the same frame, and the bytes of both runs. ``rows`` and
    ``columns`` are masks, bool (pairs, pixels), of the pixel rows and columns in which the pictures
    differ. ``one`` and ``other`` are each run's bytes, uint8 (pairs, 2, places), on the frame of
    the picture and on the frame before."""

    rows: NDArray[np.bool_]
    columns: NDArray[np.bool_]
    one: NDArray[np.uint8]
    other: NDArray[np.uint8]


def placed(lit: NDArray[np.bool_], one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Floats:
    """Return, for each place, the share of pairs that only its numbers explain, 0 to 1.

    A number explains a pair whose pictures differ at the number's row or column. Pairs that a fixed
    row or column explains do not count. ``lit`` are pairs' ``rows`` or ``columns``."""
    shares = np.zeros(one.shape[2], np.float32)
    # If more than a quarter of the rows differ, the picture scrolls or flashes.
    usable = lit.any(axis=1) & (lit.mean(axis=1) <= 0.25)
    pairs = int(usable.sum())
    if pairs < 8:  # Fewer pairs say nothing.
        return shares
    lit, runs = lit[usable], [each[usable].astype(np.int64) for each in (one, other)]
    fixed = float(lit.mean(axis=0).max())
    chosen = _promising(lit, runs[0][:, 0] + runs[1][:, 0])
    best = np.zeros(len(chosen))
    for late in range(one.shape[1]):
        shown = [run[:, late, chosen] for run in runs]
        # The slope is in pixels for each unit of a position.
        for slope in (1.0, -1.0, 2.0, -2.0, 0.5, -0.5):
            pixels = [np.floor(slope * run).astype(np.int64) for run in shown]
            best = np.maximum(best, _explained(lit, pixels))
    both = np.sort(np.concatenate([run[:, 0, chosen] for run in runs]), axis=0)
    values = 1 + np.count_nonzero(np.diff(both, axis=0), axis=0)
    # If a fixed row differs in nearly all pairs, little is left to explain.
    gained = np.clip(best - fixed, 0, None) / (1 - fixed + 0.1)
    # Few pairs prove little, and so do fewer than six values.
    shares[chosen] = gained * (pairs / (pairs + 8)) * np.minimum(1, values / 6)
    return shares


def with_placed(weights: Floats, shares: Floats) -> Floats:
    """Return weights of positions, raised by the shares of pictures that the bytes explain."""
    # No weight falls by a low share, because no slope explains positions that are kept in pieces.
    return 1 - (1 - weights) * (1 - _SURE * shares)


def _promising(lit: NDArray[np.bool_], sums: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the 128 places whose sums of both runs correlate best with where pictures differ."""
    middle = lit @ np.arange(lit.shape[1]) / lit.sum(axis=1)
    spread = sums - sums.mean(axis=0)
    size = np.sqrt((spread**2).sum(axis=0))
    alike = np.abs((middle - middle.mean()) @ spread) / np.maximum(size, 1e-6)
    best = np.argsort(-alike, kind="stable")[:128]
    return np.asarray(best[size[best] > 0])


def _explained(lit: NDArray[np.bool_], runs: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Return, for each place, the share of pairs that differ at one distance from its numbers.
    ``runs`` are the numbers of both runs in pixels, (pairs, places). Each run counts half."""
    pair, pixel = np.nonzero(lit)
    places = runs[0].shape[1]
    lowest = min(int(run.min(initial=0)) for run in runs)
    highest = max(int(run.max(initial=0)) for run in runs)
    wide = lit.shape[1] + highest - lowest + 1
    first = np.arange(places) * wide + highest
    counts = np.zeros(places * wide, np.int64)
    for run in runs:
        at = pixel[:, np.newaxis] - run[pair] + first
        counts += np.bincount(at.ravel(), minlength=len(counts))
    most: NDArray[np.float64] = counts.reshape(places, wide).max(axis=1) / (2 * len(lit))
    return most


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """Differences of bytes between two runs that hold opposite directions from the same moment on.
    ``across`` (RIGHT minus LEFT) and ``down`` (DOWN minus UP) are int8 (moments, frames, places),
    modulo 256. ``pictures`` are pictures of these runs, None if there are none."""

    across: NDArray[np.int8]
    down: NDArray[np.int8]
    pictures: PicturePairs | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Poke:
    """The outcome of one poke of a number, some frames later. ``kept`` is true if the number still
    differs. ``squares`` are the row and column of each square of the picture that changed by the
    poke, and ``followers`` counts the other bytes that did."""

    kept: bool
    squares: NDArray[np.intp]
    followers: int


def are_shown(pokes: Sequence[Poke]) -> bool:
    """Return True if two pokes were kept and changed the same six by three squares, or fewer.

    A game draws its numbers so. Others may change nothing on a title, or end a life or the game."""
    seen = [each.squares for each in pokes if each.kept and len(each.squares)]
    sizes = (np.ptp(np.concatenate(pair), axis=0) for pair in combinations(seen, 2))
    return any(high < 3 and wide < 6 for high, wide in sizes)


def trust(pokes: Sequence[Poke]) -> float:
    """Return the share of a position's weight that remains after pokes of its number.

    A poke of a position is drawn at once, and changes all of a picture that scrolls with it."""
    if not pokes:
        return 0.7
    total = 0.0
    for poke in pokes:
        if not poke.kept:  # The game wrote the number again, as it does with a copy.
            total += 0.25
        elif len(poke.squares) > 24 or poke.followers > 12:
            # More of the picture changes than the player, or more bytes than its copies.
            total += 0.8
        else:
            total += 1.0 if len(poke.squares) else 0.35
    return total / len(pokes)


def with_apart(weights: Floats, own: NDArray[np.int8], other: NDArray[np.int8]) -> Floats:
    """Return weights of positions by play, joined with weights by experiments.

    ``own`` are the differences that directions of the position's axis make, and ``other`` those of
    the other axis. Experiments count more if the best byte walks clearly."""
    size, astray = np.abs(walks(own)), np.abs(walks(other))
    tried = size * np.clip(1.2 - astray / np.maximum(size, 0.05), 0.1, 1)
    sure = _SURE * tried.max(initial=0)
    likely: Floats = ((1 - sure) * weights + sure * tried).astype(np.float32)
    return likely


def walks(apart: NDArray[np.int8]) -> Floats:
    """Return, for each place, how often two runs walk apart in the same direction, -1 to 1.

    Moments in which no byte walks are left out, because the game ignores buttons there."""
    grown = np.zeros((apart.shape[0], apart.shape[1] + 1, apart.shape[2]), np.int16)
    grown[:, 1:] = apart
    steps = np.diff(grown, axis=1)
    sign = np.sign(grown[:, -1])
    away = np.count_nonzero(np.sign(steps) == sign[:, np.newaxis], axis=1)
    back = np.count_nonzero(steps, axis=1) - away
    # In two runs, one thing does not move farther apart than this in one frame.
    near = np.abs(steps).max(axis=1) <= 16
    # Two steps are needed, because a byte for the direction that a thing faces makes only one.
    signs = np.where(near & (away >= 2) & (back <= away // 4), sign, 0)
    listens = (signs != 0).any(axis=1)
    differs = (apart != 0).any(axis=1)[listens].sum(axis=0)
    agree = signs.sum(axis=0)
    often = np.abs(agree) / max(int(listens.sum()), 1)
    # Few moments prove little, so one moment without agreement is added.
    both: Floats = (agree / (differs + 1) * np.sqrt(often)).astype(np.float32)
    return both


def own_places(
    space: AddressSpace, places: Positions, looks: Sequence[NDArray[np.uint8]]
) -> Positions:
    """Return the places where a game may keep numbers, without video and sound memory.

    Some consoles show the same memory at two addresses, so a region that repeats the beginning of a
    larger one is left out. ``looks`` are RAM at several moments, in logical order as ``places``."""
    regions = sorted(space.regions, key=lambda region: -region.size)
    known = HARDWARE.keys() & {region.address for region in regions}
    hardware = {address for each in known for address in HARDWARE[each]}
    for number, small in enumerate(regions):
        first, stop = space.index_of(small.address), space.index_of(small.end - 1) + 1
        if small.address in hardware:
            places = places[(places < first) | (places >= stop)]
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
    """Return at most ``MOST_PLACES`` of the ascending logical indexes ``changed``.

    Bytes that change seldom are preferred, and bytes that move with a direction. ``ram_at`` returns
    RAM after a frame, in logical order. ``ways`` are held directions from ``first`` on, by axis."""
    if len(changed) <= MOST_PLACES:
        return changed
    rows = np.unique(np.linspace(0, len(ways[0]) - 1, 160).astype(np.intp))
    samples = np.stack([ram_at(first + int(row))[changed] for row in rows])
    steps = np.subtract(samples[1:], samples[:-1]).view(np.int8)
    # A position moves less than 64 between two samples.
    near = (steps != 0) & (np.abs(steps.astype(np.int16)) < 64)
    signs = np.where(near, np.sign(steps), 0).astype(np.float32)
    moves = np.abs(signs)
    # Bytes that change seldom get 60 % of the places, and each axis of positions half the rest.
    turn = _ranks(_seldom(steps, near)) / 0.6
    # The low byte of a wide number may only make large steps, but its high byte makes small ones.
    joined = np.diff(changed) == 1
    for one, other in ((slice(1, None), slice(-1)), (slice(-1), slice(1, None))):
        turn[one] = np.where(joined, np.minimum(turn[one], turn[other]), turn[one])
    for way in ways:
        push = np.sign(np.diff(np.cumsum(way)[rows])).astype(np.float32)
        follows = np.abs(push @ signs) / (np.abs(push) @ moves + 4)
        turn = np.minimum(turn, _ranks(follows) * len(ways) / 0.4)
    return changed[np.sort(np.argsort(turn, kind="stable")[:MOST_PLACES])]


def _seldom(steps: NDArray[np.int8], near: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the merit of each byte as a number that people read, among bytes of the same pace.
    Lives change a few times a minute and scores often, and neither must crowd out the other."""
    changes = np.count_nonzero(steps, axis=0)
    alike = near.sum(axis=0) / np.maximum(changes, 1)
    # Memory that is filled or copied changes in crowds.
    alike /= 1 + 0.1 * np.log2(_crowds(steps != 0))
    # A number that changes between 40% of the samples is too fast to read.
    alike[changes >= 0.4 * len(steps)] = 0
    pace = np.log2(np.maximum(changes, 1)).astype(np.int64)
    merits = np.zeros(len(changes))
    for each in np.unique(pace).tolist():
        own = np.flatnonzero(pace == each)
        merits[own] = 1 / (1 + _ranks(alike[own]))
    return merits


def _crowds(changed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the number of columns that are true in the same rows, for each column."""
    keys = [column.tobytes() for column in np.packbits(changed, axis=0).T]
    crowds = Counter(keys)
    return np.array([crowds[key] for key in keys], np.int64)


def _ranks(merits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the rank of each merit, 0 for the highest, infinite for a merit of 0."""
    ranks = np.empty(len(merits))
    ranks[np.argsort(-merits, kind="stable")] = np.arange(len(merits))
    ranks[merits <= 0] = np.inf
    return ranks


SLOW_SHARE: Final = 0.12  # A number that people read changes on a smaller share of the frames.
SMALL_STEP: Final = 8  # farthest walk of a thing on the screen in one frame, in its units


@dataclass(frozen=True, eq=False)
class Play:
    """Consecutive frames of play; row i of each array belongs to frame i.

    ``places`` are logical indexes of bytes that changed, ascending; ``ram`` uint8 (frames, places)
    has their values, and ``rest`` uint8 (ram_bytes,) all RAM after the last frame, in logical
    order. ``across`` (-1 LEFT, 1 RIGHT) and ``down`` (-1 UP, 1 DOWN) are int8 (frames,). ``steady``
    is false for frames that do not follow the frame before. ``cells`` is a mask, bool (frames,
    rows, columns), of the squares of the picture that changed; None without pictures. ``looks`` are
    the pictures as lines of cells. ``apart`` has experiments with directions, or is None. A memory
    region begins at each of the ``borders``, which are logical indexes."""

    places: NDArray[np.intp]
    ram: NDArray[np.uint8]
    rest: NDArray[np.uint8]
    across: NDArray[np.int8]
    down: NDArray[np.int8]
    steady: NDArray[np.bool_]
    cells: NDArray[np.bool_] | None = None
    apart: Apart | None = None
    looks: Sequence[Looks] = ()
    borders: frozenset[int] = frozenset()

    @cached_property
    def steps(self) -> NDArray[np.int8]:
        """Each byte's step into rows 1, 2, ..., modulo 256, -128 to 127; 0 where play jumped."""
        steps = np.subtract(self.ram[1:], self.ram[:-1]).view(np.int8)
        steps[~self.steady[1:]] = 0
        return steps

    @cached_property
    def changes(self) -> NDArray[np.int64]:
        """The number of changes of each byte, int64 (places,)."""
        changes: NDArray[np.int64] = np.count_nonzero(self.steps, axis=0)
        return changes

    @cached_property
    def alone(self) -> NDArray[np.bool_]:
        """False for bytes that change together with 64 others, as filled or copied memory does."""
        return (_crowds(self.steps != 0) <= 64) & (self.changes > 0)

    @cached_property
    def paced(self) -> NDArray[np.bool_]:
        """True for bytes that change slowly enough to be read, or that count in one direction."""
        one_way = np.abs(self.changes - 2 * np.count_nonzero(self.steps < 0, axis=0))
        slow = self.changes < SLOW_SHARE * len(self.ram)
        paced: NDArray[np.bool_] = self.alone & (slow | (one_way > 0.7 * self.changes))
        return paced

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """The values that each byte has, bool (256, places)."""
        seen = np.zeros((256, len(self.places)), np.bool_)
        seen[self.ram, np.arange(len(self.places))] = True
        return seen

    @cached_property
    def distinct(self) -> NDArray[np.int64]:
        """The number of different values of each byte, int64 (places,)."""
        values: NDArray[np.int64] = np.count_nonzero(self.seen, axis=0)
        return values

    @cached_property
    def turmoil(self) -> NDArray[np.float64]:
        """The rank of each row 1, 2, ..., 0 to 1, by the share of bytes that jump around it."""
        share = (np.abs(self.steps.astype(np.int16)) > SMALL_STEP).mean(axis=1)
        # A jump counts for rows within half a second around it.
        spread = [share[max(0, i - 8) : i + 24].max() for i in range(len(share))]
        return np.searchsorted(np.sort(spread), spread) / max(len(spread), 1)

    def reaches(self, place: int, step: int) -> bool:
        """Return True if a region has the place and the one a ``step`` (1 or -1) before it."""
        return 0 <= place < len(self.rest) and max(place, place - step) not in self.borders

    def column(self, place: int) -> NDArray[np.uint8]:
        """The values of the byte at a logical index, uint8 (frames,)."""
        found = self.columns.get(place)
        if found is None:
            return np.full(len(self.ram), self.rest[place], np.uint8)
        return self.ram[:, found]

    @cached_property
    def columns(self) -> dict[int, int]:
        return {place: column for column, place in enumerate(self.places.tolist())}
