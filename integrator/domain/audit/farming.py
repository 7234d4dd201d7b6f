"""Reward farming: the same situation pays again and again.

A payment's *context* is the memory on the frame before it, without bytes that move on nearly every
frame: clocks and random numbers. In honest play contexts differ about as much as any two moments
do. An agent that goes in circles comes back to the same context for each payment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import Memory, Scene, ScoredPlay, Trap
from integrator.domain.audit.wraps import unwrapped

_GAP_FRAMES: Final = 8
"""Paying frames with shorter pauses are one payment."""
_MOST: Final = 120
"""Payments, and moments to compare them with, that are looked at."""
_NOISE: Final = 0.8
"""A byte that changes in a larger part of the frames is a clock, or random."""
_FEWEST_BYTES: Final = 6
_NEARNESS: Final = 0.6
"""Contexts are the same when they are so far on the way from any two moments to equality."""
_FEWEST: Final = 8
_LEAST_SECONDS: Final = 12.0
_LEAST_SHARE: Final = 0.25
_LONG_PAUSE: Final = 3
_GOING_ON: Final = 0.5
"""So large a part of the time from the first visit to the last is no long pause between visits."""
_SEED: Final = 7
_REPAID: Final = 3.0
"""A variable whose rises sum up to so many times its range is paid for going to and fro."""
_SLACK_FRAMES: Final = 8
_IN_STEP: Final = 0.75
_REPEATS: Final = 0.9
"""So large a part of the inputs is the same one period later."""
_SECONDS_A_LIFE: Final = 8.0


@dataclass(frozen=True, slots=True)
class _Payment:
    """Rows ``start`` to ``stop - 1`` pay ``reward``."""

    start: int
    stop: int
    reward: float


def farming(play: ScoredPlay, memory: Memory) -> Iterator[Trap]:
    """Payments that come back in the same context."""
    for name, column in play.payers.items():
        found = _farmed(play, memory, _payments(column[play.until_done]))
        if found is not None:
            yield _trap(play, name, *found)


def beaten(play: ScoredPlay, _: Scene) -> Iterator[Trap]:
    """Payments in step with inputs that repeat: the same presses earn again and again."""
    if play.is_constant:
        return
    for name, whole in play.payers.items():
        column = whole[play.until_done]
        payments = _payments(column)
        if len(payments) < _FEWEST:
            continue
        circle = _in_step(play, payments) or _looped(play, column)
        if circle:
            share = sum(each.reward for each in circle) / sum(each.reward for each in payments)
            yield _trap(play, name, circle, share)


def _in_step(play: ScoredPlay, payments: list[_Payment]) -> list[_Payment]:
    """The payments in step, when most are, and the inputs repeat all the while; else none."""
    starts = np.array([each.start for each in payments])
    pauses = np.diff(starts)
    period = int(np.median(pauses))
    in_step = np.abs(pauses - period) <= _SLACK_FRAMES
    inputs = play.inputs[starts[0] : payments[-1].stop]
    seconds = len(inputs) / play.fps
    if seconds < _LEAST_SECONDS or in_step.mean() < _IN_STEP or np.ptp(inputs) == 0:
        return []
    if np.mean(inputs[period:] == inputs[:-period]) < _REPEATS:
        return []
    return [each for each, is_in in zip(payments[1:], in_step, strict=True) if is_in]


def _looped(play: ScoredPlay, column: NDArray[np.float32]) -> list[_Payment]:
    """The payments of one amount that follow each other in step and by the same presses, or none.

    Other payments come between them, and the loop may break off, as when a life is lost.
    """
    amounts, counts = np.unique(column[column > 0], return_counts=True)
    if counts.max() < _FEWEST:
        return []
    amount = float(amounts[np.where(counts < _FEWEST, 0, amounts * counts).argmax()])
    rows = np.flatnonzero(column == amount)
    period = int(np.median(np.diff(rows)))
    slack = min(_SLACK_FRAMES, period // 8)
    found = [
        _Payment(now, now + 1, amount)
        for before, now in pairwise(rows.tolist())
        if abs(now - before - period) <= slack and _by_the_same_presses(play, before, now, period)
    ]
    seconds, share = len(found) * period / play.fps, len(found) * amount / column.clip(min=0).sum()
    enough = len(found) >= _FEWEST - 1 and seconds >= _LEAST_SECONDS and share >= _LEAST_SHARE
    return found if enough else []


def _by_the_same_presses(play: ScoredPlay, before: int, now: int, period: int) -> bool:
    if before < period:
        return False
    first, second = (play.inputs[start - period : start] for start in (before, now))
    return bool(np.ptp(second) and np.mean(first == second) >= _REPEATS)


def repaid(play: ScoredPlay, scene: Scene) -> Iterator[Trap]:
    """Ground that is lost for nothing, and pays when it is won again."""
    for name, column in play.terms.items():
        if name not in play.values:
            continue
        values = play.values[name]
        if name in scene.limits:
            # A number that runs over its end goes on; jumps are another rule's matter.
            values = unwrapped(values, scene.limits[name])
        falls = float(np.diff(values, prepend=values[:1])[column > 0].sum()) < 0
        if falls:
            values = -values
        steps = np.diff(values, prepend=values[:1])[column > 0]
        # A term that also pays while its variable stands still pays for no ground.
        if 2 * np.count_nonzero(steps) < len(steps):
            continue
        won = steps.clip(min=0)
        ground = int(values.max() - values.min())
        times = float(won.sum()) / ground if ground else 0.0
        lost = float(column[column < 0].sum())
        if times < _REPAID or -lost > float(column.sum()) or _falls_at_ends(play, values):
            continue
        yield Trap(
            kind="repaid",
            is_serious=True,
            source=play.source,
            frames=(1, play.frames),
            term=name,
            weight=1 - 1 / times,
            evidence=f"the term {name} paid {times:.1f} times for the same ground: {name} "
            f"{'fell' if falls else 'rose'} by {int(won.sum()):,} in all, and its highest and "
            f"lowest value are {ground:,} apart",
            cure=f"give {name} a penalty as large as its reward, or reward the greatest value "
            "so far, by a script",
        )


def _falls_at_ends(play: ScoredPlay, values: NDArray[np.int64]) -> bool:
    """True when the variable is set back only where a new life or game begins: seldom, and deep."""
    falls = np.diff(values)
    return int((falls < 0).sum()) <= play.seconds / _SECONDS_A_LIFE


def _payments(column: NDArray[np.floating]) -> list[_Payment]:
    rows = np.flatnonzero(column > 0)
    if not len(rows):
        return []
    breaks = np.flatnonzero(np.diff(rows) > _GAP_FRAMES)
    starts = rows[np.concatenate(([0], breaks + 1))].tolist()
    stops = (rows[np.concatenate((breaks, [len(rows) - 1]))] + 1).tolist()
    return [
        _Payment(start, stop, float(column[start:stop][column[start:stop] > 0].sum()))
        for start, stop in zip(starts, stops, strict=True)
    ]


def _farmed(
    play: ScoredPlay, memory: Memory, payments: list[_Payment]
) -> tuple[list[_Payment], float] | None:
    """The payments of the context that pays most often, and their share of all; None: honest."""
    total = sum(each.reward for each in payments)
    picked = payments[:: -(-len(payments) // _MOST) or 1]
    if len(picked) < _FEWEST:
        return None
    likeness, usual = _likeness(play, memory, [each.start for each in picked])
    if likeness is None:
        return None
    starts = np.array([each.start for each in picked])
    apart = np.abs(starts[:, None] - starts) >= play.fps
    same = (likeness >= usual + _NEARNESS * (1 - usual)) & apart
    centre = int(same.sum(axis=1).argmax())
    circle = [each for each, is_same in zip(picked, same[centre], strict=True) if is_same]
    circle = sorted([*circle, picked[centre]], key=lambda each: each.start)
    share = sum(each.reward for each in circle) / sum(each.reward for each in picked)
    seconds = (circle[-1].stop - circle[0].start) / play.fps
    if seconds < _LEAST_SECONDS or share < _LEAST_SHARE or total <= 0:
        return None
    return (circle, share) if _keeps_coming(circle, play.fps) else None


def _keeps_coming(circle: list[_Payment], fps: float) -> bool:
    """True for visits that go on; a bonus is counted in bursts, with long pauses between them."""
    visits = [circle[0].start]
    for each in circle:
        if each.start - visits[-1] >= fps:
            visits.append(each.start)
    pauses = np.diff(visits)
    if len(visits) < _FEWEST:
        return False
    usual = pauses[pauses <= _LONG_PAUSE * np.median(pauses)]
    return bool(usual.sum() >= _GOING_ON * pauses.sum())


def _likeness(
    play: ScoredPlay, memory: Memory, rows: list[int]
) -> tuple[NDArray[np.float64] | None, float]:
    """The likeness of the contexts of ``rows`` to each other, and that of any two moments."""
    random = np.random.default_rng(_SEED)
    moments = np.unique(random.integers(1, max(2, play.frames), _MOST)).tolist()
    still, moving = _bytes_that_tell(memory, moments)
    columns = np.flatnonzero(moving & still)
    contexts = np.array([memory(row)[columns] for row in rows])
    others = np.array([memory(frame)[columns] for frame in moments])
    if len(columns) < _FEWEST_BYTES:
        return None, 0.0
    usual = [np.mean(others[i] == others[(i + len(others) // 2) % len(others)])
             for i in range(len(others))]  # fmt: skip
    return np.array([np.mean(contexts == one, axis=1) for one in contexts]), float(np.mean(usual))


def _bytes_that_tell(
    memory: Memory, moments: list[int]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Masks over memory: bytes that often stand still for a frame, and bytes that move at all."""
    first = memory(moments[0])
    moving = np.zeros(first.size, np.bool_)
    changes = np.zeros(first.size, np.int64)
    for frame in moments:
        before, now = memory(frame - 1), memory(frame)
        moving |= now != first
        changes += before != now
    return changes <= _NOISE * len(moments), moving


def _trap(play: ScoredPlay, term: str, circle: list[_Payment], share: float) -> Trap:
    first, last = circle[0], circle[-1]
    pauses = np.diff([each.start for each in circle]) / play.fps
    name = f"the term {term}" if term else "the script"
    return Trap(
        kind="farming",
        is_serious=True,
        source=play.source,
        frames=(first.start + 1, last.stop),
        term=term,
        weight=min(1.0, share),
        evidence=f"{name} paid {len(circle)} times in the same situation, about every "
        f"{np.median(pauses):.1f} s: {share:.0%} of what it paid",
        cure="reward progress that can not be repeated (a greatest value so far, a level), or "
        "limit how often this pays",
    )
