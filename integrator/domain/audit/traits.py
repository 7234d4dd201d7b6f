"""The traits that traps are made of: named questions about numbers and moments of recorded play.

No trait looks at a variable's name. A number is a life because it falls by one from a small start,
and a score because it only grows.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import Memory, Scene, ScoredPlay

Rows = NDArray[np.intp]
Values = NDArray[np.int64]
Mask = NDArray[np.bool_]

FEW: Final = 3  # with fewer cases a share says nothing
OFTEN: Final = 8  # chance seldom repeats itself this often
SLACK: Final = 8  # frames by which things that happen together may be apart
MOMENT, SHORT, AROUND, LONG = 0.5, 2.0, 3.0, 10.0
"""Seconds: a blink; the lag of a counter; the time of a death and its return; a time of play."""
PART, HALF, MOST, NEARLY = 0.3, 0.5, 0.75, 0.9
"""Shares: a part that counts, at least as much as not, most, and almost all."""


def steps(values: Values) -> Values:
    """Each row's change of a number, 0 on the first row."""
    return np.diff(values, prepend=values[:1])


def wraps(values: Values, limits: tuple[int, int], counted: Mask | None = None) -> Values:
    """For each row the times that the number ran over an end: 1 at the top, -1 at the bottom, or 0.

    A change is an overflow when it is a usual step of the number, counted over the end, and one of
    the rows that another byte has ``counted``, or without any, larger than half of the range.
    """
    size, change = limits[1] - limits[0] + 1, steps(values)
    is_end = np.abs(change) > HALF * size
    if counted is not None and counted.any():
        is_end = counted
    usual = np.unique(change[~is_end & (change != 0)])
    ends = np.where(is_end, -np.sign(change), 0)
    return np.where(np.isin(change + ends * size, usual), ends, 0)


def unwrapped(values: Values, limits: tuple[int, int]) -> Values:
    """The number as a type without ends would count it."""
    return values + np.cumsum(wraps(values, limits)) * (limits[1] - limits[0] + 1)


def carried(values: Values, memory: Memory) -> Mask:
    """The falls of a number, if some byte of memory counts them and rests all the while between."""
    falls = np.flatnonzero(steps(values) < 0)
    counted = np.zeros(len(values), np.bool_)
    if not 2 <= len(falls) <= OFTEN * OFTEN:
        return counted
    # Row r is frame r + 1. A digit of ten that carries into the upper half of its byte adds seven.
    before, after = ([memory(row + late) for row in falls.tolist()] for late in (0, 1))
    moved = [after[n].astype(np.int16) - before[n] for n in range(len(falls))]
    counts = np.logical_and.reduce([(each == 1) | (each == 7) for each in moved])
    for now, later in zip(after[:-1], before[1:], strict=True):
        counts &= now == later
    counted[falls] = counts.any()
    return counted


def ticks(play: ScoredPlay, column: NDArray[np.floating]) -> tuple[Rows, int]:
    """Rows that pay as much as another one a period before or behind, and that period."""
    rows = np.flatnonzero(column > 0)
    if len(rows) < OFTEN:
        return rows[:0], 0
    period = int(np.bincount(np.diff(rows)).argmax())
    slack = range(-1, 2) if is_step_of_play(play, period) else range(1)
    padded = np.pad(column, period + 1)
    at = rows + period + 1
    near = [way * period + shift for way in (-1, 1) for shift in slack]
    return rows[np.any([padded[at + step] == column[rows] for step in near], axis=0)], period


def is_step_of_play(play: ScoredPlay, period: int) -> bool:
    """True for a clock's period: progress of a held button pays sooner, and laps pay later."""
    return SLACK <= period <= SHORT * play.fps


def earned_by_events(play: ScoredPlay) -> NDArray[np.float64]:
    """Each frame's reward, without that of terms which pay by a clock through all of the play."""
    earned = play.earned
    for column in play.payers.values():
        rows, period = ticks(play, column)
        if len(rows) * period >= HALF * play.frames:
            earned[rows] -= column[rows]
    return earned


def is_clock(name: str, plays: Sequence[ScoredPlay]) -> bool:
    """True when a number keeps the same beat in most plays, though their buttons differ.

    A clock may stand still for a while, as when the player is hit.
    """
    columns = [each.values[name] for each in different(plays, name) if each.seconds >= SHORT]
    beats = Counter(beat for beat in map(_beat, columns) if beat is not None)
    return max(beats.values(), default=0) >= max(FEW, MOST * len(columns))


def _beat(values: Values) -> tuple[int, int] | None:
    """The usual step of a number and the frames from one to the next; None: it keeps no beat."""
    change = np.diff(values)
    rows = np.flatnonzero(change)
    if len(rows) <= FEW:
        return None
    pauses = np.diff(rows)
    period = int(np.median(pauses))
    sizes, counts = np.unique(change[rows], return_counts=True)
    if period * len(rows) < HALF * np.ptp(rows):
        return None
    if np.mean(np.abs(pauses - period) <= 1) < MOST or counts.max() < MOST * len(rows):
        return None
    return int(sizes[counts.argmax()]), period


def different(plays: Sequence[ScoredPlay], name: str = "") -> list[ScoredPlay]:
    """One of all plays with the same inputs, and with the variable ``name`` if it is given."""
    known = [each for each in plays if not name or name in each.values]
    return list({each.inputs.tobytes(): each for each in known}.values())


@dataclass(frozen=True, slots=True, eq=False)
class PlayedGame:
    """All plays of a game, and its numbers by their behaviour.

    ``lives`` are lives and health, ``scores`` only grow, ``stages`` too, but seldom, and just after
    another number has grown. ``telling`` are numbers that change now and then, but not whenever
    something pays: lives, stages, rooms and flags. ``seldom`` are those that may come to be scores.
    """

    plays: Sequence[ScoredPlay]
    scene: Scene
    lives: frozenset[str]
    scores: frozenset[str]
    stages: frozenset[str]
    telling: frozenset[str]
    seldom: frozenset[str]

    @classmethod
    def of(cls, plays: Sequence[ScoredPlay], scene: Scene) -> "PlayedGame":
        names = sorted({name for play in plays for name in play.values})
        kept = {
            name: [play for play in plays if name in play.values]
            for name in names
            if not is_clock(name, plays)
        }
        growing = {
            name
            for name, own in kept.items()
            if grows([play.values[name] for play in own])
            or grows([play.values[name][play.until_done] for play in own])
        }
        lives = {
            name
            for name, own in kept.items()
            if _falls_as_lives(name, own, scene)
            and (_is_deadly(name, own) or not _goes_with(name, own, growing))
        }
        telling = lives | {name for name, own in kept.items() if _changes_seldom(name, own)}
        stages = {
            name for name in growing & telling if _follows(name, kept[name], growing - {name})
        }
        scores = growing - stages
        types = {(scene.limits.get(name), scene.digits.get(name)) for name in scores}
        seldom = {
            name
            for name, own in kept.items()
            if (scene.limits.get(name), scene.digits.get(name)) in types
            and all((steps(play.values[name]) >= 0).all() for play in own)
            and sum(np.count_nonzero(steps(play.values[name])) for play in own) < FEW
        }
        found = (lives, scores, stages, telling, seldom - growing)
        return cls(plays, scene, *map(frozenset, found))

    def lives_of(self, play: ScoredPlay) -> dict[str, Values]:
        """The numbers of lives of a play; one below 0 is negative, be its type signed or not."""
        kept = sorted(self.lives & play.values.keys())
        return {name: _below_zero(play.values[name], name, self.scene) for name in kept}


def _below_zero(values: Values, name: str, scene: Scene) -> Values:
    if name not in scene.limits:
        return values
    most = scene.limits[name][1]
    return np.where((values > most - OFTEN) & (values[0] < most // 2), values - most - 1, values)


def _falls_as_lives(name: str, plays: Sequence[ScoredPlay], scene: Scene) -> bool:
    """True for a number that falls by one unit, a second apart at least, from a small start.

    It is set back to its start, or won back by one unit.
    """
    columns = [_below_zero(play.values[name], name, scene) for play in plays]
    falls = np.concatenate([-steps(values)[steps(values) < 0] for values in columns])
    pauses = [np.diff(np.flatnonzero(steps(values) < 0)) for values in columns]
    if not len(falls) or np.median(np.concatenate([*pauses, [np.inf]])) < plays[0].fps:
        return False
    size = int(np.bincount(falls).argmax())
    first = max(int(values[0]) for values in columns)
    rises = np.concatenate([steps(values)[values != values[0]] for values in columns])
    won, strange = np.count_nonzero((rises > 0) & (rises <= size)), np.count_nonzero(rises > size)
    is_small = 0 <= first <= 4 * OFTEN * size
    return is_small and bool(np.mean(falls == size) >= MOST and won + strange < HALF * len(falls))


def _is_deadly(name: str, plays: Sequence[ScoredPlay]) -> bool:
    """True when done often comes soon after the number has fallen as low as it ever does."""
    lowest = min(int(play.values[name].min()) for play in plays)
    ended = [play for play in plays if play.done.any()]
    deadly = 0
    for play in ended:
        row, values = int(np.argmax(play.done)), play.values[name]
        deadly += values[row] == lowest < values[max(0, row - int(AROUND * play.fps))]
    return bool(deadly and deadly >= HALF * len(ended))


def _grown(play: ScoredPlay, names: Collection[str], frames: int) -> Mask:
    """The rows on which some of the numbers rises, and those a few frames later."""
    rises = np.zeros(play.frames)
    for name in play.values.keys() & names:
        rises += steps(play.values[name]) > 0
    return np.asarray(np.convolve(rises, np.ones(frames))[: play.frames] > 0)


def _goes_with(name: str, plays: Sequence[ScoredPlay], growing: set[str]) -> bool:
    """True when some other number grows by most of the falls of this one: things that are won."""
    falls = np.concatenate([steps(play.values[name]) < 0 for play in plays])
    near = [np.roll(_grown(play, growing - {name}, SLACK), -SLACK // 2) for play in plays]
    return bool(np.concatenate(near)[falls].sum() > HALF * falls.sum())


def _follows(name: str, plays: Sequence[ScoredPlay], growing: set[str]) -> bool:
    """True for a number that always rises just after others have grown, and half as often at most.

    By chance it would do so as often as so short a time passes after their rises.
    """
    own = different(plays, name)
    rises = np.concatenate([steps(play.values[name]) > 0 for play in own])
    grown = np.concatenate([_grown(play, growing, 1) for play in own])
    near = np.concatenate([_grown(play, growing, int(MOMENT * play.fps)) for play in own])
    number = int(rises.sum())
    by_chance = float(near.mean()) ** number
    often = 2 * number <= grown.sum()
    return bool(number >= FEW and near[rises].all() and often and by_chance < (1 - NEARLY) ** 2)


def grows(values: Sequence[Values]) -> bool:
    """True for a number that rises now and then, and hardly ever falls but to its start."""
    changes = np.concatenate([steps(each) for each in values])
    to_start = np.concatenate([each == each[0] for each in values])
    rises, falls = changes[changes > 0], -changes[(changes < 0) & ~to_start]
    seldom = np.count_nonzero((changes < 0) & to_start) * FEW <= len(rises)
    most = max(np.count_nonzero(steps(each) > 0) for each in values)
    grown = most >= FEW <= len(np.unique(np.concatenate(values)))
    by_events = len(rises) <= (1 - NEARLY) * len(changes)
    falls_little = falls.sum() <= (1 - NEARLY) * rises.sum()
    return bool(seldom and grown and by_events and falls_little)


def _changes_seldom(name: str, plays: Sequence[ScoredPlay]) -> bool:
    """True for a number that seldom changes, and by few of the payments."""
    changes = sum(int(np.count_nonzero(np.diff(play.values[name]))) for play in plays)
    paid = [(play.earned > 0, steps(play.values[name]) != 0) for play in plays]
    payments = sum(int(pays.sum()) for pays, _ in paid)
    together = sum(int((pays & moves).sum()) for pays, moves in paid)
    seldom = changes <= sum(play.seconds for play in plays) / SHORT
    return bool(changes > 0 and seldom and together < MOST * max(1, payments))


def new_games(play: ScoredPlay, lives: dict[str, Values]) -> Iterator[tuple[int, str]]:
    """The rows on which lives are set back, and what pays with them, each with its sign.

    Lives that rise by one, while the score stays, are won.
    """
    around = int(play.fps * SHORT)
    near = np.ones(2 * around + 1, np.intp)
    # Not the intersection of sets, whose order would be another in each process.
    for payer in filter(play.values.__contains__, play.payers):
        score = play.values[payer]
        is_low = score <= score[0]
        falls = is_low & (steps(score) < 0)
        # Not "same": of a play shorter than ``near``, that is as long as ``near``.
        fell = np.convolve(falls, near)[around : around + play.frames] > 0
        for name, values in lives.items():
            if name != payer:
                rise = steps(values)
                back = (values == values[0]) & ((rise > 1) & is_low | (rise > 0) & fell)
                back |= (rise > 1) & fell
                for row in np.flatnonzero(back):
                    yield int(row), f"{payer} and {name} begin again"
