"""Finds the bytes that move with held directions: positions of the player, and speeds."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.numbers import ByteSpan, whole_number
from integrator.domain.suggest.play import SMALL_STEP, Apart, Play, placed, with_apart, with_placed
from integrator.domain.suggest.suggestion import Guess
from integrator.domain.values.datatype import DataType

Floats = NDArray[np.float32]
Signs = NDArray[np.int8]
Agreement = tuple[Floats, Floats]
"""By byte and delay: moves with a direction less those against; and their share, -1 to 1."""

_LATE_FRAMES: Final = (0, 1, 2, 3, 4, 6, 8, 12)
"""Frames after which a game may follow a direction: the last ones are those of heavy things."""
_LISTED: Final = 12


def find_motion(play: Play) -> Iterator[Guess]:
    """The likeliest positions of the player, a few of each axis, and speeds."""
    moves = _Moves(play)
    every = moves.speeds()
    signed = DataType.parse("|i1")
    axes = (("x", "column", "LEFT", "RIGHT"), ("y", "row", "UP", "DOWN"))
    for axis, (name, line, back, forth) in enumerate(axes):
        weights, agreement, late = moves.positions(axis)
        weights, shares = _tried(weights, play.apart, axis)
        known: set[tuple[int, DataType]] = set()
        for index, weight in moves.without_copies(with_placed(weights, shares), late):
            by = int(late[index])
            frames = ("at once", "after 1 frame")[by] if by < 2 else f"after {by} frames"
            grows = "" if agreement[index] > 0 else f", and grows with {back}"
            reason = f"follows {back} and {forth} {frames}{grows}"
            if weights[index] < shares[index]:
                reason = f"tells the {line} of the screen in which the player is drawn"
            span = _position(play, index)
            if (span.place, span.type) not in known:
                known.add((span.place, span.type))
                yield Guess(f"player-{name}", span.place, span.type, weight, reason)
        speeds = every[axis]
        for index in np.argsort(-speeds, kind="stable")[:_LISTED].tolist():
            place, weight = int(play.places[index]), float(speeds[index])
            reason = f"keeps its sign while {back} or {forth} is held, and rests at 0"
            yield Guess(f"speed-{name}", place, signed, weight, reason)


def _position(play: Play, index: int) -> ByteSpan:
    """The number that a byte belongs to; a byte of pixels above a fraction stands alone."""
    place = int(play.places[index])
    # A byte with many values moves by pixels; with fewer it may count rooms or tiles.
    lowest = [place] if play.distinct[index] >= 24 else [place, place - 1, place + 1]
    spans = [whole_number(play, each) for each in lowest if 0 <= each < len(play.rest)]
    own = [span for span in spans if place in span.places]
    return max(own, key=lambda span: span.proofs)


def _tried(weights: Floats, apart: Apart | None, axis: int) -> tuple[Floats, Floats]:
    """Weights by play and by experiments, and the shares of pictures that each byte explains."""
    shares = np.zeros(len(weights), np.float32)
    if apart is None:
        return weights, shares
    if (pairs := apart.pictures) is not None:
        shares = placed((pairs.columns, pairs.rows)[axis], pairs.one, pairs.other)
    ways = apart.across, apart.down
    return with_apart(weights, ways[axis], ways[1 - axis]), shares


class _Moves:
    """Small steps of every byte, with the held directions along x (axis 0) and y (axis 1)."""

    def __init__(self, play: Play) -> None:
        steps = play.steps
        small = (steps != 0) & (steps >= -SMALL_STEP) & (steps <= SMALL_STEP)
        # Some positions count in their high half, with a coarser number in the low one.
        halves = (steps == 16) | (steps == -16)
        small |= halves & (halves.sum(axis=0) >= 0.6 * play.changes)  # most of its changes
        self._play = play
        self._signs: Signs = np.sign(steps) * small
        self._smooth = np.count_nonzero(small, axis=0) / np.maximum(play.changes, 1)
        self._ways = play.across[1:], play.down[1:]
        self._held = [_delayed(way) for way in self._ways]
        # Frames without a direction in the last five delays count as rest.
        self._idle = [np.abs(held[:, :5]).sum(axis=1) == 0 for held in self._held]
        self._agreements = _agreements(self._signs, self._ways, 8)

    def positions(self, axis: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
        """For each byte its likelihood to be the player's position, 0 to 1.

        Also its agreement with the axis at its best delay, -1 to 1, and this delay in frames.
        """
        agree, share = self._agreements[axis]
        best = np.abs(share).argmax(axis=1)
        at = np.arange(len(best)), best
        size, astray = np.abs(share[at]), np.abs(self._agreements[1 - axis][1]).max(axis=1)
        response = np.abs(agree[at]) / np.maximum(np.abs(self._held[axis]).sum(axis=0), 1)[best]
        # A position has many values, a dozen at least.
        weight = size * np.sqrt(self._smooth) * np.minimum(1, self._play.distinct / 12)
        weight *= np.clip(1.2 - astray / np.maximum(size, 0.05), 0.1, 1)
        idle = self._idle[axis]
        rests = int(idle.sum())
        busy = np.count_nonzero(self._signs[~idle], axis=0) / max(len(idle) - rests, 1)
        resting = np.count_nonzero(self._signs[idle], axis=0) / rests if rests > 30 else 0.0
        weight *= (busy + 0.02) / (busy + resting + 0.02)
        # A position usually moves on a fifth of the frames with a direction, or more of them.
        weight *= 0.3 + 0.7 * np.minimum(1, response / 0.2)
        if axis == 0:
            weight = np.where(share[at] < 0, 0.8 * weight, weight)
        return weight.astype(np.float32), share[at], np.array(_LATE_FRAMES)[best]

    def without_copies(self, weights: Floats, late: NDArray[np.int64]) -> list[tuple[int, float]]:
        """The likeliest bytes and their weights; of bytes that move alike, all but one weigh less.

        Games draw from copies of a position, which lie close together in a table of sprites and
        may follow a frame later.
        """
        left: list[int] = np.argsort(-weights, kind="stable")[:48].tolist()
        found: list[tuple[float, int]] = []
        while left and len(found) < _LISTED:
            alike = [index for index in left if self._alike(left[0], index)]
            left = [index for index in left if index not in alike]
            places = self._play.places[alike]
            crowd = [int((np.abs(places - place) <= 8).sum()) for place in places]
            order = sorted(range(len(alike)), key=lambda i: (crowd[i], late[alike[i]]))
            best = float(np.max(weights[alike]))
            # The first, the second and every later one of bytes that move alike.
            shares = (1.0, 0.9, *[0.3] * len(order))
            found += [(best * share, alike[n]) for n, share in zip(order, shares, strict=False)]
        found.sort(key=lambda each: -each[0])
        return [(index, weight) for weight, index in found[:_LISTED]]

    def _alike(self, one: int, other: int) -> bool:
        """True when two bytes make the same steps, in the same frames or one frame apart."""
        a, b = (self._signs[:, index].astype(np.float32) for index in (one, other))
        most = max(np.count_nonzero(a), np.count_nonzero(b))
        shifted = max(abs(float(p @ q)) for p, q in ((a, b), (a[1:], b[:-1]), (a[:-1], b[1:])))
        return one == other or bool(shifted >= 0.95 * most > 0)

    def speeds(self) -> list[Floats]:
        """For each axis the likelihood of each byte to be a signed speed along it, 0 to 1."""
        values = self._play.ram[1:].view(np.int8)
        slow = (values >= -32) & (values <= 32)  # no speed is higher, either way
        usual = slow.mean(axis=0) * (self._play.distinct > 2)
        agreements = _agreements(np.sign(values) * slow, self._ways, 32)
        found = []
        for idle, (_, share) in zip(self._idle, agreements, strict=True):
            rests = (values[idle] == 0).mean(axis=0) if idle.any() else np.zeros(values.shape[1])
            fits = np.abs(share).max(axis=1) * usual * (0.3 + 0.7 * rests)
            found.append(fits.astype(np.float32))
        return found


def _agreements(signs: Signs, ways: Sequence[Signs], shrink: int) -> list[Agreement]:
    """The agreement of each byte with each of the ``ways``.

    Few moves prove little, so ``shrink`` draws shares towards 0. Directions are held for a while,
    so the two ends of each such time give its sum.
    """
    sums, moves = (np.zeros((len(signs) + 1, signs.shape[1]), np.int16) for _ in range(2))
    for table, summed in ((signs, sums), (np.abs(signs), moves)):
        # Rows are added whole: numpy's own sum along frames takes ten times as long.
        for before, row, after in zip(summed[:-1], table, summed[1:], strict=True):
            np.add(before, row, out=after)
    found = []
    for way in ways:
        ends = np.flatnonzero(np.diff(way, prepend=0, append=0))
        held = way[np.minimum(ends[:-1], len(way) - 1)].astype(np.float32)
        agree, moved = (np.zeros((signs.shape[1], len(_LATE_FRAMES)), np.float32) for _ in range(2))
        for column, late in enumerate(_LATE_FRAMES):
            at = np.minimum(ends + late, len(way))
            agree[:, column] = held @ np.diff(sums[at], axis=0)
            moved[:, column] = np.abs(held) @ np.diff(moves[at], axis=0)
        found.append((agree, agree / (moved + np.float32(shrink))))
    return found


def _delayed(way: Signs) -> Floats:
    """A direction, late by each of the delays: (frames, delays)."""
    now = way.astype(np.float32)
    late = [np.concatenate([np.zeros(by, np.float32), now])[: len(now)] for by in _LATE_FRAMES]
    return np.stack(late, axis=1)
