"""Rules about one reward term of a play: paid by a clock, for presses, in circles, or misread."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import Memory, Scene, ScoredPlay, Trap, TrapRows, noticed
from integrator.domain.audit.traits import (
    FEW,
    HALF,
    LONG,
    MOST,
    NEARLY,
    OFTEN,
    PART,
    SHORT,
    SLACK,
    Rows,
    Values,
    carried,
    is_clock_period,
    steps,
    ticks,
    unwrapped,
    wraps,
)

_LOOKED_AT: Final = 120  # Most payments, and most other moments, whose memory is compared.


@dataclass(frozen=True, slots=True, eq=False)
class PaidTerm:
    """A reward term of a play, with all that a rule may ask about it. ``column`` is the term's
    reward on each row, and ``earned`` the same until the end of the episode. ``values`` are the
    numbers of the term's variable, None for a term of a script. If a script pays without terms, its
    whole reward is a term with an empty name."""

    name: str
    column: NDArray[np.float32]
    play: ScoredPlay
    memory: Memory
    scene: Scene

    @property
    def values(self) -> Values | None:
        return self.play.values.get(self.name)

    @property
    def earned(self) -> NDArray[np.float32]:
        return self.column[self.play.until_done]

    def trap(self, rows: TrapRows, text: str, weight: float | None = None, cure: str = "") -> Trap:
        return noticed(self.play, rows, text, term=self.name, weight=weight, cure=cure)

    def __str__(self) -> str:
        return f"the term {self.name}" if self.name else "the script"


@dataclass(frozen=True, slots=True)
class _Payment:
    """One payment: rows ``start`` to ``stop - 1`` pay ``reward`` in all."""

    start: int
    stop: int
    reward: float


def _payments(column: NDArray[np.floating]) -> list[_Payment]:
    """Return the payments of a column; paying rows up to 8 rows apart are one payment."""
    rows = np.flatnonzero(column > 0)
    groups = np.split(rows, np.flatnonzero(np.diff(rows) > SLACK) + 1) if len(rows) else []
    return [_Payment(int(each[0]), int(each[-1]) + 1, float(column[each].sum())) for each in groups]


def clockwork(term: PaidTerm) -> Iterator[Trap]:
    """Find a term that pays as a clock does: the same amount at an even pace, at constant input."""
    play, column, frames = term.play, term.earned, len(term.earned)
    if not play.is_constant or frames < LONG * play.fps:
        return
    rows, period = ticks(play, column)
    if len(rows) < OFTEN or not (play.is_idle or is_clock_period(play, period)):
        return
    if len(rows) * period < HALF * frames:
        # A term that pays by a value, such as the number of lives, may stop early, when the value
        # is 0. It has paid on all frames of five seconds, while a level's bonus takes less time.
        runs = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)
        if not play.is_idle or max(map(len, runs)) < HALF * LONG * play.fps:
            return
    menu = int(play.inputs[-1]) & term.scene.menu_mask
    yield term.trap(
        rows,
        f"{held(play, term.scene)}, {term.name or 'the script'} paid {column[rows[0]]:,.6g} every "
        f"{period / play.fps:.2f} s, {len(rows)} times, whatever happened in the game",
        weight=float(column[rows].sum() / np.abs(play.rewards[:frames]).sum()),
        cure=play_alone(term.name, term.scene)
        + (f"; or leave {term.scene.spell(menu)} out of the actions" if menu else ""),
    )


def held(play: ScoredPlay, scene: Scene) -> str:
    """Return words for the constant input of a play, such as "with A held from the start"."""
    mask = int(play.inputs[-1])
    return f"with {f'{scene.spell(mask)} held' if mask else 'no button pressed'} from the start"


def play_alone(term: str, scene: Scene) -> str:
    """Return the cure for a term that pays whatever the player does."""
    absolute = f": {term} has measurement absolute, which pays on every frame"
    cure = "reward a change that only play can cause"
    return cure + (absolute if term in scene.absolute else "")


def paid_presses(term: PaidTerm) -> Iterator[Trap]:
    """Find a button whose presses pay, always after the same number of frames."""
    play, earned = term.play, term.earned
    inputs = play.inputs[play.until_done]
    rows = np.flatnonzero(earned > 0)
    if len(rows) < OFTEN:
        return
    for bit, button in enumerate(term.scene.buttons):
        pressed = np.flatnonzero(steps((inputs >> bit & 1).astype(np.int64)) > 0)
        # Only delays of 0 to 2 frames are tried, because shots and blows take longer to hit.
        found = [_by_presses(play, earned, rows, pressed, each) for each in range(FEW)]
        best = max(found, key=len)
        if button and len(best):
            share = float(earned[best].sum() / earned[rows].sum())
            text = (
                f"{term} paid within two frames of {len(best)} presses of {button}: {share:.0%} of "
                "all that it paid"
            )
            cure = "reward the effect of the press in the game, and not the press"
            yield term.trap(best, text, share, cure)
            return


def _by_presses(
    play: ScoredPlay, earned: NDArray[np.float32], rows: Rows, pressed: Rows, latency: int
) -> Rows:
    """Return the rows that pay ``latency`` frames after a press; none if that may be chance."""
    hits = np.isin(pressed + latency, rows)
    at = pressed[hits] + latency
    if len(at) < max(OFTEN, MOST * len(rows)):
        return at[:0]
    # Pauses over two seconds between payments do not count: the player died, or had to walk.
    near = np.diff(at) <= SHORT * play.fps
    between = int(np.diff(np.flatnonzero(hits))[near].sum())
    frames, chained = int(np.diff(at)[near].sum()), int(near.sum())
    # At least every second press must pay. Presses under 8 frames apart meet payments by chance.
    if chained < OFTEN - 1 or chained < HALF * between or frames < SLACK * between:
        return at[:0]
    _, counts = np.unique(earned[at], return_counts=True)
    return at if counts.max() >= MOST * len(at) else at[:0]


def paid_in_step(term: PaidTerm) -> Iterator[Trap]:
    """Find payments at an even pace while the inputs repeat: the same presses earn repeatedly."""
    payments = _payments(term.earned)
    if term.play.is_constant or len(payments) < OFTEN:
        return
    circle = _in_step(term.play, payments) or _looped(term.play, term.earned)
    if circle:
        yield _farmed(term, circle, _sum(circle) / _sum(payments))


def _sum(payments: Sequence[_Payment]) -> float:
    return sum(each.reward for each in payments)


def _in_step(play: ScoredPlay, payments: list[_Payment]) -> list[_Payment]:
    """Return the payments at an even pace if most are and the inputs repeat so too, else none."""
    starts = np.array([each.start for each in payments])
    pauses = np.diff(starts)
    period = int(np.median(pauses))
    in_step = np.abs(pauses - period) <= SLACK
    inputs = play.inputs[starts[0] : payments[-1].stop]
    if len(inputs) < LONG * play.fps or in_step.mean() < MOST or np.ptp(inputs) == 0:
        return []
    if np.mean(inputs[period:] == inputs[:-period]) < NEARLY:
        return []
    return [each for each, is_in in zip(payments[1:], in_step, strict=True) if is_in]


def _looped(play: ScoredPlay, column: NDArray[np.float32]) -> list[_Payment]:
    """Return payments of one amount at an even pace, before each of which the inputs repeat. Other
    payments may come between them, and the loop may be interrupted, for example when a life is
    lost. Return none if there are too few, for too short a time or with too little reward."""
    amounts, counts = np.unique(column[column > 0], return_counts=True)
    if counts.max() < OFTEN:
        return []
    amount = float(amounts[np.where(counts < OFTEN, 0, amounts * counts).argmax()])
    rows = np.flatnonzero(column == amount)
    period = int(np.median(np.diff(rows)))
    slack = min(SLACK, period // SLACK)
    found = []
    for before, now in pairwise(rows.tolist()):
        if abs(now - before - period) <= slack and before >= period:
            first, second = (play.inputs[start - period : start] for start in (before, now))
            if np.ptp(second) and np.mean(first == second) >= NEARLY:
                found.append(_Payment(now, now + 1, amount))
    lasting, share = len(found) * period, _sum(found) / float(column.clip(min=0).sum())
    is_loop = len(found) >= OFTEN - 1 and lasting >= LONG * play.fps and share >= PART
    return found if is_loop else []


def farming(term: PaidTerm) -> Iterator[Trap]:
    """Find a term that pays repeatedly in the same situation.

    The *context* of a payment is the memory on the frame before it, without bytes that change on
    most frames, such as clocks and random numbers. In honest play, two contexts differ about as
    much as any two moments do. An agent that goes in circles is paid in the same context."""
    play, payments = term.play, _payments(term.earned)
    picked = payments[:: -(-len(payments) // _LOOKED_AT) or 1]
    if len(picked) < OFTEN:
        return
    similarity, usual = _similarity(play, term.memory, [each.start for each in picked])
    starts = np.array([each.start for each in picked])
    apart = np.abs(starts[:, None] - starts) >= play.fps
    # Two contexts count as the same if they are at least 60% of the way from "as different as any
    # two moments" to "equal".
    same = (similarity >= usual + 0.6 * (1 - usual)) & apart
    np.fill_diagonal(same, val=True)
    center = same[int(same.sum(axis=1).argmax())]
    circle = [each for each, is_same in zip(picked, center, strict=True) if is_same]
    share = _sum(circle) / _sum(picked)
    lasting = circle[-1].stop - circle[0].start
    if lasting >= LONG * play.fps and share >= PART and _keeps_coming(circle, play.fps):
        yield _farmed(term, circle, share)


def _keeps_coming(circle: list[_Payment], fps: float) -> bool:
    """Return True if the same situation returns steadily: 8 times, mostly without long pauses. A
    bonus is counted in bursts instead, with long pauses between them."""
    visits = [circle[0].start]
    for each in circle:
        if each.start - visits[-1] >= fps:
            visits.append(each.start)
    pauses = np.diff(visits)
    if len(visits) < OFTEN:
        return False
    usual = pauses[pauses <= FEW * np.median(pauses)]
    return bool(usual.sum() >= HALF * pauses.sum())


def _similarity(
    play: ScoredPlay, memory: Memory, rows: list[int]
) -> tuple[NDArray[np.float64], float]:
    """Return the share of equal bytes of contexts, float64 (rows, rows), and of any two moments."""
    random = np.random.default_rng(OFTEN)
    moments = np.unique(random.integers(1, max(2, play.frames), _LOOKED_AT)).tolist()
    before = np.array([memory(frame - 1) for frame in moments])
    now = np.array([memory(frame) for frame in moments])
    still = (before != now).mean(axis=0) <= MOST
    columns = np.flatnonzero(still & (now != now[0]).any(axis=0))
    if len(columns) < OFTEN:
        return np.zeros((len(rows), len(rows))), 0.0
    contexts = np.array([memory(row)[columns] for row in rows])
    others = now[:, columns]
    usual = float(np.mean(others == np.roll(others, len(others) // 2, axis=0)))
    return np.array([np.mean(contexts == one, axis=1) for one in contexts]), usual


def _farmed(term: PaidTerm, circle: list[_Payment], share: float) -> Trap:
    pauses = np.diff([each.start for each in circle]) / term.play.fps
    return term.trap(
        (circle[0].start, circle[-1].stop - 1),
        f"{term} paid {len(circle)} times in the same situation, about every "
        f"{np.median(pauses):.1f} s: {share:.0%} of all that it paid",
        weight=share,
    )


def repaid(term: PaidTerm) -> Iterator[Trap]:
    """Find a variable that loses ground without a penalty, and pays when it regains the ground."""
    play, name, column, values = term.play, term.name, term.column, term.values
    if values is None:
        return
    if name in term.scene.limits:
        # A number that wraps has not lost any ground; the rule ``jumps`` reports wraps.
        values = unwrapped(values, term.scene.limits[name])
    falls = float(steps(values)[column > 0].sum()) < 0
    if falls:
        values = -values
    paid = steps(values)[column > 0]
    won, ground = int(paid.clip(min=0).sum()), int(np.ptp(values))
    times = won / ground if ground else 0.0
    # A term that mostly pays while its variable stands still does not pay for ground.
    if 2 * np.count_nonzero(paid) < len(paid) or times < FEW:
        return
    # A variable that falls less than once in ten seconds is set back by a new life or game.
    seldom = int((steps(values) < 0).sum()) <= play.seconds / LONG
    if seldom or -float(column[column < 0].sum()) > float(column.sum()):
        return
    yield term.trap(
        (0, play.frames - 1),
        f"the term {name} paid {times:.1f} times for the same ground: {name} "
        f"{'fell' if falls else 'rose'} by {won:,} in all, and its highest and lowest value are "
        f"{ground:,} apart",
        weight=1 - 1 / times,
        cure=f"give {name} a penalty as large as its reward, or reward the greatest value so far, "
        "by a script",
    )


def jumps(term: PaidTerm) -> Iterator[Trap]:
    """Find rewards for a variable's wrap at a limit of its type, or wraps that are not rewarded."""
    play, name, column, values = term.play, term.name, term.column, term.values
    limits = term.scene.limits.get(name)
    if values is None or limits is None:
        return
    # Training sees nothing after the first done, where a new game may set numbers back.
    in_episode = np.arange(play.frames) < len(term.earned)
    counted = carried(np.where(in_episode, values, values[len(term.earned) - 1]), term.memory)
    ways, change = np.sign(steps(values)), np.abs(steps(values))
    usual = np.sign(np.where(counted, 1, ways).sum())
    # A change of exactly half the range may be a bit that is set or cleared, so a wrap must be
    # larger. A change in the usual direction is a real step, however large. If other terms change
    # the row's reward by more than half, one of them may pay for the carry to a higher byte.
    rows = (change > HALF * (limits[1] - limits[0] + 1)) & (column != 0) & in_episode
    rows &= ways != usual
    rows &= (np.abs(play.rewards - column) <= np.abs(column) / 2) & (change > OFTEN * OFTEN)
    pays = int(np.sign(steps(values)[column > 0].sum()))
    ends = wraps(values, limits, counted)
    # Another term that pays on the same row may pay for the wrap.
    alone = play.rewards <= column
    unpaid = (ends == pays) & (pays != 0) & (column <= 0) & alone & in_episode
    if rows.any():
        text = f"and pays {column[rows].sum():+,.6g}"
    elif unpaid.sum() > 1 or (
        # A single wrap is certain only if there is no other fall, and it does not end at 0 or at
        # the first value.
        unpaid.any()
        and (((steps(values) < 0) & in_episode) == unpaid).all()
        and not np.isin(values[unpaid], (0, values[0]))
    ):
        rows, text = unpaid, f"{int(unpaid.sum())} times, and pays nothing for it"
    else:
        return
    yield term.trap(
        rows,
        f"{name} jumps by {int(change[rows].max()):,} in one frame, as a number does that wraps at "
        f"{limits[0]} or {limits[1]} or is set to a new value, {text}",
    )


def misread(term: PaidTerm) -> Iterator[Trap]:
    """Find a number of decimal digits that is read as another kind of number."""
    values = term.values
    if values is None or len(np.unique(values)) < OFTEN or values.min() < 0:
        return
    change = steps(values)
    rows = (change > 0) & (term.column != 0)
    for digits, encoding, cure in _as_decimal(values, *term.scene.digits.get(term.name, (0, 1))):
        shown = digits @ 10 ** np.arange(digits.shape[1])
        kinds = np.unique(steps(shown)[rows])
        # A wrong reading adds other amounts at carries, so it has more different rises.
        if len(kinds) < len(np.unique(change[rows])):
            last = int(np.flatnonzero(rows)[-1])
            yield term.trap(
                rows,
                f"{term.name} is {values[last]:,} on frame {last + 1:,}, but its {encoding}: the "
                f"screen shows {shown[last]:,}, so total rewards differ from the screen",
                cure=f"give the variable a type of {cure}",
            )
            return


def _as_decimal(values: Values, base: int, width: int) -> Iterator[tuple[Values, str, str]]:
    """Yield decimal digits that the numbers may hold, with words for the evidence and the cure.
    Digits are int64 (values, digits), the lowest first. ``base`` and ``width`` are the base and the
    number of digits of the variable's present type."""
    nibbles = values[:, np.newaxis] >> 4 * np.arange(12) & 15
    if nibbles.max() < 10:
        yield nibbles, "hexadecimal digits are decimal", "packed decimal digits, such as >d3"
    unit = {100: 10, 256: 16}.get(base)
    if unit is not None and width > 1:
        read = _digits(values, base, width)
        # The tiles of digits may begin at any number, so the upper half may be any constant.
        if not np.ptp(read // unit) and (read % unit).max() < 10:
            yield read % unit, "bytes hold a decimal digit each", "one digit per byte, such as >n6"


def _digits(values: Values, base: int, width: int) -> Values:
    """Return the digits of numbers in a base, the lowest first, int64 (values, width)."""
    digits: Values = values[:, np.newaxis] // base ** np.arange(width) % base
    return digits


def swapped(term: PaidTerm) -> Iterator[Trap]:
    """Find a number that falls repeatedly, but only rises with its bytes in the other order."""
    base, width = term.scene.digits.get(term.name, (0, 1))
    read = None if term.values is None else term.values[term.play.until_done]
    if read is None or width == 1 or read.min() < 0:
        return
    shown = _digits(read, base, width) @ base ** np.arange(width)[::-1]
    falls, rises = np.diff(read) < 0, np.diff(shown) > 0
    rows = np.flatnonzero(term.earned)
    if falls.sum() < FEW or (np.diff(shown) < 0).any() or not rises[falls].all() or not len(rows):
        return
    if len(np.unique(shown)) >= OFTEN:
        last = int(np.flatnonzero(falls)[-1]) + 1
        yield term.trap(
            rows,
            f"{term.name} falls {int(falls.sum())} times; with its bytes in the other order it "
            f"only rises: on frame {last + 1:,} it is {shown[last]:,} and not {read[last]:,}",
            cure="change the byte order of the variable's type, < or >",
        )
