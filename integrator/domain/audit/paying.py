"""Rules about one term of a play: paid by a clock, by presses, in circles, or misread."""

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
    is_step_of_play,
    steps,
    ticks,
    unwrapped,
    wraps,
)

_LOOKED_AT: Final = 120  # payments, and moments to compare them with, whose memory is compared


@dataclass(frozen=True, slots=True, eq=False)
class PaidTerm:
    """A term of a play, and all that a rule may ask about it.

    ``column`` is what the term pays on each row, ``earned`` the same in the episode, and ``values``
    its variable's number, None for a script. The name is empty for the whole reward of a script
    without terms.
    """

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
    """Rows ``start`` to ``stop - 1`` pay ``reward``."""

    start: int
    stop: int
    reward: float


def _payments(column: NDArray[np.floating]) -> list[_Payment]:
    """The payments of a column; paying rows with short pauses between them are one."""
    rows = np.flatnonzero(column > 0)
    groups = np.split(rows, np.flatnonzero(np.diff(rows) > SLACK) + 1) if len(rows) else []
    return [_Payment(int(each[0]), int(each[-1]) + 1, float(column[each].sum())) for each in groups]


def clockwork(term: PaidTerm) -> Iterator[Trap]:
    """The same reward at even pauses, while the input never changes: a clock pays, and no event."""
    play, column, frames = term.play, term.earned, len(term.earned)
    if not play.is_constant or frames < LONG * play.fps:
        return
    rows, period = ticks(play, column)
    if len(rows) < OFTEN or not (play.is_idle or is_step_of_play(play, period)):
        return
    if len(rows) * period < HALF * frames:
        # A state that pays, such as the number of lives, may pay nothing for the rest of the play.
        # Bonuses that a game counts at the end of a level pay frames in a row, too, but fewer.
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
    """Words for a play in which the input never changes."""
    mask = int(play.inputs[-1])
    return f"with {f'{scene.spell(mask)} held' if mask else 'no button pressed'} from the start"


def play_alone(term: str, scene: Scene) -> str:
    """The cure of a term that pays without play."""
    absolute = f": {term} has measurement absolute, which pays on every frame"
    cure = "reward a change that only play can bring about"
    return cure + (absolute if term in scene.absolute else "")


def paid_presses(term: PaidTerm) -> Iterator[Trap]:
    """Almost every press of one button pays, always after as many frames."""
    play, earned = term.play, term.earned
    inputs = play.inputs[play.until_done]
    rows = np.flatnonzero(earned > 0)
    if len(rows) < OFTEN:
        return
    for bit, button in enumerate(term.scene.buttons):
        pressed = np.flatnonzero(steps((inputs >> bit & 1).astype(np.int64)) > 0)
        # Shots and blows need more frames until they hit.
        found = [_by_presses(play, earned, rows, pressed, each) for each in range(FEW)]
        best = max(found, key=len)
        if button and len(best):
            share = float(earned[best].sum() / earned[rows].sum())
            text = (
                f"{term} paid {len(best)} presses of {button} at once: {share:.0%} of what it paid"
            )
            cure = "reward what the press brings about in the game, and not the press"
            yield term.trap(best, text, share, cure)
            return


def _by_presses(
    play: ScoredPlay, earned: NDArray[np.float32], rows: Rows, pressed: Rows, latency: int
) -> Rows:
    """The rows paid by presses; none when chance or the game may explain them."""
    hits = np.isin(pressed + latency, rows)
    at = pressed[hits] + latency
    if len(at) < max(OFTEN, MOST * len(rows)):
        return at[:0]
    # In longer pauses between payments the player died, or had to walk.
    near = np.diff(at) <= SHORT * play.fps
    between = int(np.diff(np.flatnonzero(hits))[near].sum())
    frames, chained = int(np.diff(at)[near].sum()), int(near.sum())
    # Presses that follow each other sooner meet any payment by chance.
    if chained < OFTEN - 1 or chained < HALF * between or frames < SLACK * between:
        return at[:0]
    _, counts = np.unique(earned[at], return_counts=True)
    return at if counts.max() >= MOST * len(at) else at[:0]


def beaten(term: PaidTerm) -> Iterator[Trap]:
    """Payments in step with inputs that repeat: the same presses earn again and again."""
    payments = _payments(term.earned)
    if term.play.is_constant or len(payments) < OFTEN:
        return
    circle = _in_step(term.play, payments) or _looped(term.play, term.earned)
    if circle:
        yield _farmed(term, circle, _sum(circle) / _sum(payments))


def _sum(payments: Sequence[_Payment]) -> float:
    return sum(each.reward for each in payments)


def _in_step(play: ScoredPlay, payments: list[_Payment]) -> list[_Payment]:
    """The payments in step, when most are, and the inputs repeat all the while; else none."""
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
    """The payments of one amount that follow each other in step and by the same presses, or none.

    Other payments come between them, and the loop may break off, as when a life is lost.
    """
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
    """The same situation pays again and again.

    A payment's *context* is the memory on the frame before it, without bytes that move on nearly
    every frame: clocks and random numbers. In honest play contexts differ about as much as any two
    moments do. An agent that goes in circles comes back to the same context for each payment.
    """
    play, payments = term.play, _payments(term.earned)
    picked = payments[:: -(-len(payments) // _LOOKED_AT) or 1]
    if len(picked) < OFTEN:
        return
    likeness, usual = _likeness(play, term.memory, [each.start for each in picked])
    starts = np.array([each.start for each in picked])
    apart = np.abs(starts[:, None] - starts) >= play.fps
    # Contexts are the same when they are this far on the way from any two moments to equality.
    same = (likeness >= usual + 0.6 * (1 - usual)) & apart
    np.fill_diagonal(same, val=True)
    centre = same[int(same.sum(axis=1).argmax())]
    circle = [each for each, is_same in zip(picked, centre, strict=True) if is_same]
    share = _sum(circle) / _sum(picked)
    lasting = circle[-1].stop - circle[0].start
    if lasting >= LONG * play.fps and share >= PART and _keeps_coming(circle, play.fps):
        yield _farmed(term, circle, share)


def _keeps_coming(circle: list[_Payment], fps: float) -> bool:
    """True for visits that go on; a bonus is counted in bursts, with long pauses between them."""
    visits = [circle[0].start]
    for each in circle:
        if each.start - visits[-1] >= fps:
            visits.append(each.start)
    pauses = np.diff(visits)
    if len(visits) < OFTEN:
        return False
    usual = pauses[pauses <= FEW * np.median(pauses)]
    return bool(usual.sum() >= HALF * pauses.sum())


def _likeness(
    play: ScoredPlay, memory: Memory, rows: list[int]
) -> tuple[NDArray[np.float64], float]:
    """The likeness of the contexts of ``rows`` to each other, and that of any two moments."""
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
        f"{np.median(pauses):.1f} s: {share:.0%} of what it paid",
        weight=share,
    )


def repaid(term: PaidTerm) -> Iterator[Trap]:
    """Ground that is lost for nothing, and pays when it is won again."""
    play, name, column, values = term.play, term.name, term.column, term.values
    if values is None:
        return
    if name in term.scene.limits:
        # A number that runs over its end goes on; jumps are another rule's matter.
        values = unwrapped(values, term.scene.limits[name])
    falls = float(steps(values)[column > 0].sum()) < 0
    if falls:
        values = -values
    paid = steps(values)[column > 0]
    won, ground = int(paid.clip(min=0).sum()), int(np.ptp(values))
    times = won / ground if ground else 0.0
    # A term that also pays while its variable stands still pays for no ground.
    if 2 * np.count_nonzero(paid) < len(paid) or times < FEW:
        return
    # A variable that falls seldom is set back where a new life or game begins.
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
    """Rewards by a variable that ran over the end of its type, or that lack because it did."""
    play, name, column, values = term.play, term.name, term.column, term.values
    limits = term.scene.limits.get(name)
    if values is None or limits is None:
        return
    # Training sees nothing after the first done, where a new game may set numbers back.
    in_episode = np.arange(play.frames) < len(term.earned)
    counted = carried(np.where(in_episode, values, values[len(term.earned) - 1]), term.memory)
    ways, change = np.sign(steps(values)), np.abs(steps(values))
    usual = np.sign(np.where(counted, 1, ways).sum())
    # A step of half the range is as far the other way: it is a bit that is set or cleared. A step
    # the usual way is one, however large. The term of the next higher byte may pay the carry.
    rows = (change > HALF * (limits[1] - limits[0] + 1)) & (column != 0) & in_episode
    rows &= ways != usual
    rows &= (np.abs(play.rewards - column) <= np.abs(column) / 2) & (change > OFTEN * OFTEN)
    pays = int(np.sign(steps(values)[column > 0].sum()))
    ends = wraps(values, limits, counted)
    # Another term that pays on the row may count the carry.
    alone = play.rewards <= column
    unpaid = (ends == pays) & (pays != 0) & (column <= 0) & alone & in_episode
    if rows.any():
        text = f"and pays {column[rows].sum():+,.6g}"
    elif unpaid.sum() > 1 or (
        # A single overflow is sure if it is the only fall, and no return to 0 or to the start.
        unpaid.any()
        and (((steps(values) < 0) & in_episode) == unpaid).all()
        and not np.isin(values[unpaid], (0, values[0]))
    ):
        rows, text = unpaid, f"{int(unpaid.sum())} times, and pays nothing for it"
    else:
        return
    yield term.trap(
        rows,
        f"{name} jumps by {int(change[rows].max()):,} in one frame, as a number does that runs "
        f"over {limits[0]} or {limits[1]}, or that is set again, {text}",
    )


def misread(term: PaidTerm) -> Iterator[Trap]:
    """A number of decimal digits that is read as one of another kind."""
    values = term.values
    if values is None or len(np.unique(values)) < OFTEN or values.min() < 0:
        return
    change = steps(values)
    rows = (change > 0) & (term.column != 0)
    for digits, encoding, cure in _as_decimal(values, *term.scene.digits.get(term.name, (0, 1))):
        shown = digits @ 10 ** np.arange(digits.shape[1])
        kinds = np.unique(steps(shown)[rows])
        # Without a carry, both readings rise by as many different amounts.
        if len(kinds) < len(np.unique(change[rows])):
            last = int(np.flatnonzero(rows)[-1])
            yield term.trap(
                rows,
                f"{term.name} is {values[last]:,} on frame {last + 1:,}, but its {encoding}: the "
                f"screen shows {shown[last]:,}, and the total of rewards differs from it",
                cure=f"give the variable a type of {cure}",
            )
            return


def _as_decimal(values: Values, base: int, width: int) -> Iterator[tuple[Values, str, str]]:
    """The decimal digits that numbers may hold, lowest first: (values, digits); words and a cure.

    ``base`` and ``width`` are those of the digits as they are read.
    """
    nibbles = values[:, np.newaxis] >> 4 * np.arange(12) & 15
    if nibbles.max() < 10:
        yield nibbles, "hexadecimal digits are decimal", "packed decimal digits, such as >d3"
    unit = {100: 10, 256: 16}.get(base)
    if unit is not None and width > 1:
        read = _digits(values, base, width)
        # Tiles of digits begin at any tile, so that the upper half is the same in each byte.
        if not np.ptp(read // unit) and (read % unit).max() < 10:
            yield read % unit, "bytes hold a decimal digit each", "one digit a byte, such as >n6"


def _digits(values: Values, base: int, width: int) -> Values:
    """The digits of numbers in a base, lowest first: (values, width)."""
    digits: Values = values[:, np.newaxis] // base ** np.arange(width) % base
    return digits


def swapped(term: PaidTerm) -> Iterator[Trap]:
    """A number that falls again and again, and only rises when its bytes are read the other way."""
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
            cure="turn the byte order of the variable's type, < or >",
        )
