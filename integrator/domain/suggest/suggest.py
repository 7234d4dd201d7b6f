"""Suggests variables from recorded play: the likely meaning of bytes, best first in each kind."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.suggest import play as plays
from integrator.domain.suggest.counters import find_counters
from integrator.domain.suggest.numbers import ByteSpan, whole_number
from integrator.domain.suggest.suggestion import KINDS, Guess, Kind, Suggestion
from integrator.domain.values.memory import BYTE, AddressSpace, DataType

Floats = NDArray[np.float32]
Signs = NDArray[np.int8]
Agreement = tuple[Floats, Floats]
"""For each byte and delay: moves with a direction minus those against, and as a share, -1 to 1."""

_LATE_FRAMES: Final = (0, 1, 2, 3, 4, 6, 8, 12)
"""Frames after which a game may follow a direction; heavy things follow last."""
_LISTED_BYTES: Final = 12
_LISTED: Final = 6


def find_motion(play: plays.Play) -> Iterator[Guess]:
    """Yield a few likely positions of the player, and speeds, for each axis."""
    moves = _Moves(play)
    every = moves.speeds()
    signed = DataType.parse("|i1")
    axes = (("x", "column", "LEFT", "RIGHT"), ("y", "row", "UP", "DOWN"))
    for axis, (name, line, back, forth) in enumerate(axes):
        weights, agreement, late = moves.positions(axis)
        weights, shares = _with_experiments(weights, play.apart, axis)
        known: set[tuple[int, DataType]] = set()
        for index, weight in moves.without_copies(plays.with_placed(weights, shares), late):
            by = int(late[index])
            frames = ("at once", "after 1 frame")[by] if by < 2 else f"after {by} frames"
            grows = "" if agreement[index] > 0 else f", and grows with {back}"
            reason = f"follows {back} and {forth} {frames}{grows}"
            if weights[index] < shares[index]:
                reason = f"is the {line} of the screen in which the player is drawn"
            span = _position(play, index)
            if (span.place, span.type) not in known:
                known.add((span.place, span.type))
                yield Guess(f"player-{name}", span.place, span.type, weight, reason)
        speeds = every[axis]
        for index in np.argsort(-speeds, kind="stable")[:_LISTED_BYTES].tolist():
            place, weight = int(play.places[index]), float(speeds[index])
            reason = f"keeps its sign while {back} or {forth} is held, and rests at 0"
            yield Guess(f"speed-{name}", place, signed, weight, reason)


def _position(play: plays.Play, index: int) -> ByteSpan:
    """Return the number that a byte belongs to, without a fraction below a byte of pixels."""
    place = int(play.places[index])
    # A byte with many values counts pixels. One with fewer may count rooms or tiles, so that
    # the byte next to it may have the pixels.
    lowest = [place] if play.distinct[index] >= 24 else [place, place - 1, place + 1]
    spans = [whole_number(play, each) for each in lowest if 0 <= each < len(play.rest)]
    own = [span for span in spans if place in span.places]
    return max(own, key=lambda span: span.proofs)


def _with_experiments(
    weights: Floats, apart: plays.Apart | None, axis: int
) -> tuple[Floats, Floats]:
    """Return weights by play and experiments, and the share of pictures that each byte explains."""
    shares = np.zeros(len(weights), np.float32)
    if apart is None:
        return weights, shares
    if (pairs := apart.pictures) is not None:
        shares = plays.placed((pairs.columns, pairs.rows)[axis], pairs.one, pairs.other)
    ways = apart.across, apart.down
    return plays.with_apart(weights, ways[axis], ways[1 - axis]), shares


class _Moves:
    """Small steps of every byte, with the held directions along x (axis 0) and y (axis 1)."""

    def __init__(self, play: plays.Play) -> None:
        steps = play.steps
        small = (steps != 0) & (steps >= -plays.SMALL_STEP) & (steps <= plays.SMALL_STEP)
        # Some positions are in the high half of their byte, so they move by 16.
        halves = (steps == 16) | (steps == -16)
        small |= halves & (halves.sum(axis=0) >= 0.6 * play.changes)  # Most changes must be so.
        self._play = play
        self._signs: Signs = np.sign(steps) * small
        self._smooth = np.count_nonzero(small, axis=0) / np.maximum(play.changes, 1)
        self._ways = play.across[1:], play.down[1:]
        # A frame is idle if no direction is held on it or on the four frames before.
        self._idle = [np.convolve(way != 0, np.ones(5))[: len(way)] == 0 for way in self._ways]
        self._agreements = _agreements(self._signs, self._ways, 8)

    def positions(self, axis: int) -> tuple[Floats, Floats, NDArray[np.int64]]:
        """Return each byte's likelihood to be the player's position along an axis, 0 to 1.

        Also return its agreement with the axis at its best delay, -1 to 1, and this delay in
        frames. A position moves with the directions of its axis, not with those of the other, in
        small steps and over many values. It moves on many frames with a direction, and else rests.
        """
        agree, share = self._agreements[axis]
        best = np.abs(share).argmax(axis=1)
        at = np.arange(len(best)), best
        size, astray = np.abs(share[at]), np.abs(self._agreements[1 - axis][1]).max(axis=1)
        way = self._ways[axis]
        held = [max(1, np.count_nonzero(way[: max(0, len(way) - by)])) for by in _LATE_FRAMES]
        response = np.abs(agree[at]) / np.array(held)[best]
        # A position has a dozen values or more.
        weight = size * np.sqrt(self._smooth) * np.minimum(1, self._play.distinct / 12)
        weight *= np.clip(1.2 - astray / np.maximum(size, 0.05), 0.1, 1)
        idle = self._idle[axis]
        rests = int(idle.sum())
        busy = np.count_nonzero(self._signs[~idle], axis=0) / max(len(idle) - rests, 1)
        resting = np.count_nonzero(self._signs[idle], axis=0) / rests if rests > 30 else 0.0
        weight *= (busy + 0.02) / (busy + resting + 0.02)
        # A position usually moves on at least a fifth of the frames with a direction.
        weight *= 0.3 + 0.7 * np.minimum(1, response / 0.2)
        if axis == 0:
            weight = np.where(share[at] < 0, 0.8 * weight, weight)
        return weight.astype(np.float32), share[at], np.array(_LATE_FRAMES)[best]

    def without_copies(self, weights: Floats, late: NDArray[np.int64]) -> list[tuple[int, float]]:
        """Return the likeliest bytes with weights; of bytes that move alike, one keeps its own.

        The others may be copies of a position from which the game draws. Copies are close together
        in a table of sprites, and may follow a frame later."""
        left: list[int] = np.argsort(-weights, kind="stable")[:48].tolist()
        found: list[tuple[float, int]] = []
        while left and len(found) < _LISTED_BYTES:
            alike = [index for index in left if self._alike(left[0], index)]
            left = [index for index in left if index not in alike]
            places = self._play.places[alike]
            crowd = [int((np.abs(places - place) <= 8).sum()) for place in places]
            order = sorted(range(len(alike)), key=lambda i: (crowd[i], late[alike[i]]))
            best = float(np.max(weights[alike]))
            # Factors for the first, the second and each further byte that moves alike.
            shares = (1.0, 0.9, *[0.3] * len(order))
            found += [(best * share, alike[n]) for n, share in zip(order, shares, strict=False)]
        found.sort(key=lambda each: -each[0])
        return [(index, weight) for weight, index in found[:_LISTED_BYTES]]

    def _alike(self, one: int, other: int) -> bool:
        """Return True if two bytes make the same steps, on the same frames or one frame apart."""
        a, b = (self._signs[:, index].astype(np.float32) for index in (one, other))
        most = max(np.count_nonzero(a), np.count_nonzero(b))
        shifted = max(abs(float(p @ q)) for p, q in ((a, b), (a[1:], b[:-1]), (a[:-1], b[1:])))
        return one == other or bool(shifted >= 0.95 * most > 0)

    def speeds(self) -> list[Floats]:
        """Return, for each axis, each byte's likelihood to be a signed speed along it, 0 to 1."""
        values = self._play.ram[1:].view(np.int8)
        slow = (values >= -32) & (values <= 32)  # No speed is higher, in either direction.
        usual = slow.mean(axis=0) * (self._play.distinct > 2)
        agreements = _agreements(np.sign(values) * slow, self._ways, 32)
        found = []
        for idle, (_, share) in zip(self._idle, agreements, strict=True):
            rests = (values[idle] == 0).mean(axis=0) if idle.any() else np.zeros(values.shape[1])
            fits = np.abs(share).max(axis=1) * usual * (0.3 + 0.7 * rests)
            found.append(fits.astype(np.float32))
        return found


def _agreements(signs: Signs, ways: Sequence[Signs], shrink: int) -> list[Agreement]:
    """Return the agreement of each byte with each of the ``ways``. Few moves prove little, so
    ``shrink`` draws shares towards 0. A direction is held for a while, so its sum is the difference
    of two running sums, at the end and the beginning of that time."""
    sums, moves = (np.zeros((len(signs) + 1, signs.shape[1]), np.int16) for _ in range(2))
    for table, summed in ((signs, sums), (np.abs(signs), moves)):
        # Whole rows are added, because numpy's own sum along frames takes ten times as long.
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


def find_modes(play: plays.Play) -> Iterator[Guess]:
    """Yield bytes with few values that change only when many other bytes do."""
    # A game has at most a dozen modes, and enters each of them about twice.
    few = (play.distinct <= 12) & (play.changes > 0) & (play.changes <= 24)
    columns = np.flatnonzero(few)
    changed = play.steps[:, columns] != 0
    turmoil = (changed * play.turmoil[:, None]).sum(axis=0) / np.maximum(changed.sum(axis=0), 1)
    several = 1 - 0.5 / play.changes[columns]
    weights = 0.8 * np.clip(turmoil - 0.5, 0, None) * 2 * several
    for index in np.argsort(-weights, kind="stable")[:_LISTED].tolist():
        column = columns[index]
        reason = f"has {play.distinct[column]} values, and changes only when much else does"
        place, weight = int(play.places[column]), float(weights[index])
        yield Guess("game-mode", place, BYTE, weight, reason)


def find_random(play: plays.Play) -> Iterator[Guess]:
    """Yield bytes that take nearly all values, by steps of which none is common."""
    often = play.changes > 0.25 * len(play.ram)
    # Within a minute, a random byte has at least half of all values.
    for column in np.flatnonzero(often & (play.distinct >= 128)).tolist():
        steps = play.steps[:, column]
        steps = steps[steps != 0]
        common = np.bincount(steps.view(np.uint8), minlength=256).max() / len(steps)
        values = int(play.distinct[column])
        weight = float(values / 256 * max(0.0, 1 - 8 * common))
        reason = f"has {values} values, and no step is common"
        yield Guess("random", int(play.places[column]), BYTE, weight, reason)


_FINDERS: Final[tuple[tuple[frozenset[Kind], Callable[[plays.Play], Iterator[Guess]]], ...]] = (
    (frozenset(("score", "lives", "timer", "level", "health")), find_counters),
    (frozenset(("player-x", "player-y", "speed-x", "speed-y")), find_motion),
    (frozenset(("game-mode",)), find_modes),
    (frozenset(("random",)), find_random),
)
_MOST: Final = 0.9  # One in ten suggestions may be wrong; only a proof raises the confidence more.

# Pokes the number of a guess at some moments of play.
Poker = Callable[[Guess], Sequence[plays.Poke]]


def check_kinds(kinds: Collection[str] | None) -> frozenset[str]:
    """Return the given kinds, all kinds for None. Raises SearchError for an unknown kind."""
    asked = frozenset(KINDS if kinds is None else kinds)
    unknown = asked.difference(KINDS)
    if unknown:
        raise SearchError(f"no kind {min(unknown)!r} of variable; use one of {', '.join(KINDS)}")
    return asked


def suggest(
    space: AddressSpace, play: plays.Play, kinds: Collection[str], poke: Poker | None = None
) -> tuple[Suggestion, ...]:
    """Return a few suggestions of each kind, best first, in the order of ``KINDS``.

    ``poke`` pokes the number of a guess and returns the outcomes; without it, nothing is poked."""
    if not len(play.places):
        return ()
    guesses = [
        guess
        for found, finder in _FINDERS
        if found & frozenset(kinds)
        for guess in finder(play)
        if guess.kind in kinds and guess.weight >= 0.02
    ]
    if poke is not None:
        guesses = [_poked(guess, poke) for guess in _best(guesses, 8)]
    return tuple(_suggestion(guess, space) for guess in _best(guesses, _LISTED))


def _poked(guess: Guess, poke: Poker) -> Guess:
    """Return a position, or a score that is not read on the screen, as likely as pokes make it.
    Pokes put no more lives first, and made wrong lives and levels likely."""
    if guess.kind in ("player-x", "player-y"):
        return replace(guess, weight=guess.weight * plays.trust(poke(guess)))
    if guess.kind != "score" or guess.box or guess.mask or not plays.are_shown(poke(guess)):
        return guess
    # The odds rise fivefold, but not to certainty, because other numbers are drawn as well.
    odds = 5 * guess.weight / (1 - guess.weight)
    weight = max(guess.weight, min(0.65, odds / (1 + odds)))
    return replace(guess, weight=weight, reason=f"{guess.reason}; a poke is drawn in one place")


def _suggestion(guess: Guess, space: AddressSpace) -> Suggestion:
    pieces = None if guess.row is None else guess.row.pieces(space)
    return Suggestion(
        kind=guess.kind,
        address=space.address_of(guess.place),
        type=guess.type,
        confidence=round(min(guess.weight, _MOST), 2),
        reason=guess.reason if pieces is None else f"{guess.reason}; in {pieces}",
        drawn=guess.drawn,
        mask=guess.mask,
        box=guess.box,
        pieces=pieces,
    )


def _best(guesses: Sequence[Guess], most: int) -> list[Guess]:
    ranked = sorted(guesses, key=lambda guess: (-guess.weight, guess.place))
    return [one for kind in KINDS for one in [each for each in ranked if each.kind == kind][:most]]
