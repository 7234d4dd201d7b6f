"""Finds the bytes that move with held directions: positions of the player, and speeds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.experiment import Apart, placed, with_apart, with_placed
from integrator.domain.suggest.numbers import ByteSpan, whole_number
from integrator.domain.suggest.play import SMALL_STEP, Play
from integrator.domain.suggest.suggestion import Guess, Kind
from integrator.domain.values.datatype import DataType

Floats = NDArray[np.float32]
Signs = NDArray[np.int8]

_LATE_FRAMES: Final = (0, 1, 2, 3, 4, 6, 8, 12)
"""Frames after which a game may follow a direction: the last ones are those of heavy things."""
_AT_REST: Final = 5
"""Rows without a direction in this many last delays count as rest."""
_HALF_BYTE: Final = 16
_HALVES_SHARE: Final = 0.6
_SHRINK: Final = 8
"""Few moves prove little, so shares are drawn towards 0 by this many."""
_MANY_VALUES: Final = 12
_USUAL_RESPONSE: Final = 0.2
_PIXELS: Final = 24
"""A byte with that many values moves by pixels; with fewer it may count rooms or tiles."""
_FASTEST: Final = 32
"""The highest speed in a byte, either way."""
_LISTED: Final = 12
_WITH_COPIES: Final = 48
_CROWDED_BYTES: Final = 8
_COPY_SHARES: Final = (1.0, 0.9, 0.3)
"""Shares of the weight for the first, second and every later one of bytes that move alike."""
_ALIKE_SHARE: Final = 0.95
_AXES: Final[dict[Literal["x", "y"], tuple[str, str]]] = {
    "x": ("LEFT", "RIGHT"),
    "y": ("UP", "DOWN"),
}
_LINES: Final = {"x": "column", "y": "row"}


@dataclass(frozen=True, slots=True, eq=False)
class _Following:
    """The way in which each byte follows one axis, arrays of length (bytes,).

    ``agreement`` is -1 to 1, ``late`` the frames of delay, ``response`` the share of held frames
    with a move, ``astray`` the agreement with the other axis.
    """

    agreement: Floats
    late: NDArray[np.int64]
    response: Floats
    astray: Floats


def find_motion(play: Play) -> Iterator[Guess]:
    """The likeliest positions of the player, a few of each axis, and speeds."""
    moves = _Moves(play)
    every = moves.speeds()
    signed = DataType.parse("|i1")
    for axis, (back, forth) in _AXES.items():
        position: Kind = "player-x" if axis == "x" else "player-y"
        speed: Kind = "speed-x" if axis == "x" else "speed-y"
        follows = moves.following(axis)
        weights, shares = _tried(moves.weights(axis, follows), play.apart, axis)
        known: set[tuple[int, DataType]] = set()
        for index, weight in moves.without_copies(with_placed(weights, shares), follows.late):
            late, side = int(follows.late[index]), follows.agreement[index] > 0
            frames = ("at once", "after 1 frame")[late] if late < 2 else f"after {late} frames"
            grows = "" if side else f", and grows with {back}"
            reason = f"follows {back} and {forth} {frames}{grows}"
            if weights[index] < shares[index]:
                reason = f"tells the {_LINES[axis]} of the screen in which the player is drawn"
            span = _position(play, index)
            if (span.place, span.type) not in known:
                known.add((span.place, span.type))
                yield Guess(position, span.place, span.type, weight, reason)
        speeds = every[axis]
        for index in np.argsort(-speeds, kind="stable")[:_LISTED].tolist():
            reason = f"keeps its sign while {back} or {forth} is held, and rests at 0"
            yield Guess(speed, int(play.places[index]), signed, float(speeds[index]), reason)


def _position(play: Play, index: int) -> ByteSpan:
    """The number that a byte belongs to; a byte of pixels above a fraction stands alone."""
    place = int(play.places[index])
    lowest = [place] if play.distinct[index] >= _PIXELS else [place, place - 1, place + 1]
    spans = [whole_number(play, each) for each in lowest if 0 <= each < len(play.rest)]
    own = [span for span in spans if place in span.places]
    return max(own, key=lambda span: span.proofs)


def _tried(weights: Floats, apart: Apart | None, axis: Literal["x", "y"]) -> tuple[Floats, Floats]:
    """Weights by play and by experiments, and the shares of pictures that each byte explains."""
    shares = np.zeros(len(weights), np.float32)
    if apart is None:
        return weights, shares
    own, other = (apart.across, apart.down) if axis == "x" else (apart.down, apart.across)
    if apart.pictures is not None:
        pairs = apart.pictures
        lit = pairs.columns if axis == "x" else pairs.rows
        shares = placed(lit, pairs.one, pairs.other)
    return with_apart(weights, own, other), shares


class _Moves:
    """Small steps of every byte, with the held directions."""

    def __init__(self, play: Play) -> None:
        steps = play.steps
        small = (steps != 0) & (steps >= -SMALL_STEP) & (steps <= SMALL_STEP)
        # Some positions count in their high half, with a coarser number in the low one.
        halves = (steps == _HALF_BYTE) | (steps == -_HALF_BYTE)
        small |= halves & (halves.sum(axis=0) >= _HALVES_SHARE * play.changes)
        self._play = play
        self._signs: Signs = np.sign(steps) * small
        self._smooth = np.count_nonzero(small, axis=0) / np.maximum(play.changes, 1)
        self._values = play.distinct
        self._held = {"x": _delayed(play.across), "y": _delayed(play.down)}
        self._ways = {"x": play.across[1:], "y": play.down[1:]}
        self._agreements = _agreements(self._signs, self._ways, _SHRINK)

    def following(self, axis: str) -> _Following:
        """The way in which each byte follows the axis, at its best delay."""
        held, (agree, share) = self._held[axis], self._agreements[axis]
        other = self._agreements["y" if axis == "x" else "x"][1]
        best = np.abs(share).argmax(axis=1)
        at = np.arange(len(best)), best
        astray = np.abs(other).max(axis=1)
        responses = np.abs(agree) / np.maximum(np.abs(held).sum(axis=0), 1)
        return _Following(share[at], np.array(_LATE_FRAMES)[best], responses[at], astray)

    def weights(self, axis: str, follows: _Following) -> Floats:
        """The likelihood of each byte to be the player's position, 0 to 1."""
        size = np.abs(follows.agreement)
        weight = size * np.sqrt(self._smooth) * np.minimum(1, self._values / _MANY_VALUES)
        weight *= np.clip(1.2 - follows.astray / np.maximum(size, 0.05), 0.1, 1)
        idle = np.abs(self._held[axis][:, :_AT_REST]).sum(axis=1) == 0
        rests = int(idle.sum())
        busy = np.count_nonzero(self._signs[~idle], axis=0) / max(len(idle) - rests, 1)
        resting = np.count_nonzero(self._signs[idle], axis=0) / rests if rests > 30 else 0.0
        weight *= (busy + 0.02) / (busy + resting + 0.02)
        weight *= 0.3 + 0.7 * np.minimum(1, follows.response / _USUAL_RESPONSE)
        if axis == "x":
            weight = np.where(follows.agreement < 0, 0.8 * weight, weight)
        likely: Floats = weight.astype(np.float32)
        return likely

    def without_copies(self, weights: Floats, late: NDArray[np.int64]) -> list[tuple[int, float]]:
        """The likeliest bytes and their weights; of bytes that move alike, all but one weigh less.

        Games draw from copies of a position, which lie close together in a table of sprites and
        may follow a frame later.
        """
        left: list[int] = np.argsort(-weights, kind="stable")[:_WITH_COPIES].tolist()
        found: list[tuple[float, int]] = []
        while left and len(found) < _LISTED:
            alike = [index for index in left if self._alike(left[0], index)]
            left = [index for index in left if index not in alike]
            places = self._play.places[alike]
            crowd = [int((np.abs(places - place) <= _CROWDED_BYTES).sum()) for place in places]
            order = sorted(range(len(alike)), key=lambda i: (crowd[i], late[alike[i]]))
            best = float(np.max(weights[alike]))
            for number, each in enumerate(order):
                share = _COPY_SHARES[number if number < len(_COPY_SHARES) else -1]
                found.append((best * share, alike[each]))
        found.sort(key=lambda each: -each[0])
        return [(index, weight) for weight, index in found[:_LISTED]]

    def _alike(self, one: int, other: int) -> bool:
        """True when two bytes make the same steps, in the same frames or one frame apart."""
        a, b = (self._signs[:, index].astype(np.float32) for index in (one, other))
        most = max(np.count_nonzero(a), np.count_nonzero(b))
        shifted = max(abs(float(p @ q)) for p, q in ((a, b), (a[1:], b[:-1]), (a[:-1], b[1:])))
        return one == other or bool(shifted >= _ALIKE_SHARE * most > 0)

    def speeds(self) -> dict[str, Floats]:
        """The likelihood of each byte to be a signed speed along each axis, 0 to 1."""
        values = self._play.ram[1:].view(np.int8)
        slow = (values >= -_FASTEST) & (values <= _FASTEST)
        usual = slow.mean(axis=0) * (self._values > 2)
        found: dict[str, Floats] = {}
        agreements = _agreements(np.sign(values) * slow, self._ways, 4 * _SHRINK)
        for axis, held in self._held.items():
            idle = np.abs(held[:, :_AT_REST]).sum(axis=1) == 0
            rests = (values[idle] == 0).mean(axis=0) if idle.any() else np.zeros(values.shape[1])
            fits = np.abs(agreements[axis][1]).max(axis=1) * usual * (0.3 + 0.7 * rests)
            found[axis] = fits.astype(np.float32)
        return found


def _agreements(
    signs: Signs, ways: Mapping[str, NDArray[np.int8]], shrink: int
) -> dict[str, tuple[Floats, Floats]]:
    """For each axis, by byte and delay: moves with the direction less those against; their share.

    Directions are held for a while, so the two ends of each such time give its sum.
    """
    sums, moves = (_summed(table) for table in (signs, np.abs(signs)))
    found: dict[str, tuple[Floats, Floats]] = {}
    for axis, way in ways.items():
        ends = np.flatnonzero(np.diff(way, prepend=0, append=0))
        held = way[np.minimum(ends[:-1], len(way) - 1)].astype(np.float32)
        agree, moved = (np.zeros((signs.shape[1], len(_LATE_FRAMES)), np.float32) for _ in range(2))
        for column, late in enumerate(_LATE_FRAMES):
            at = np.minimum(ends + late, len(way))
            agree[:, column] = held @ np.diff(sums[at], axis=0)
            moved[:, column] = np.abs(held) @ np.diff(moves[at], axis=0)
        found[axis] = agree, agree / (moved + np.float32(shrink))
    return found


def _summed(table: Signs) -> NDArray[np.int16]:
    """The sum of each column before each row, and of all of it."""
    sums = np.zeros((len(table) + 1, table.shape[1]), np.int16)
    # Rows are added whole: numpy's own sum along frames takes ten times as long.
    for before, row, after in zip(sums[:-1], table, sums[1:], strict=True):
        np.add(before, row, out=after)
    return sums


def _delayed(held: NDArray[np.int8]) -> Floats:
    """The direction into rows 1, 2, ..., late by each of the delays: (frames - 1, delays)."""
    now = held[1:].astype(np.float32)
    late = [np.concatenate([np.zeros(by, np.float32), now])[: len(now)] for by in _LATE_FRAMES]
    return np.stack(late, axis=1)
