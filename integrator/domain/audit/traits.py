"""Traits of the numbers in recorded play, from which the rules of the audit are made. No trait
looks at a variable's name: lives fall by ones from a small start, and scores only grow."""

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

FEW: Final = 3  # Shares of fewer cases than this say nothing.
OFTEN: Final = 8  # Chance seldom repeats itself this often.
SLACK: Final = 8  # Two things that happen together may be this many frames apart.
MOMENT, SHORT, AROUND, LONG = 0.5, 2.0, 3.0, 10.0
"""Seconds: the length of one event, the most that a counter lags behind what it counts, the time
from a death to the next life, and the shortest time of play that shows a habit."""
PART, HALF, MOST, NEARLY = 0.3, 0.5, 0.75, 0.9
"""Shares: a part large enough to matter, at least as much as the rest, most, and almost all."""


def steps(values: Values) -> Values:
    """Return each row's change of a number since the row before, 0 on the first row."""
    return np.diff(values, prepend=values[:1])


def wraps(values: Values, limits: tuple[int, int], counted: Mask | None = None) -> Values:
    """Return, for each row, 1 if the number wrapped above its limits, -1 if below, and 0 otherwise.

    A change counts as a wrap under two conditions: another byte of memory has ``counted`` its row,
    or, if no row is counted, the change is larger than half of the range; and the step across the
    limit is one that the number also makes elsewhere."""
    size, change = limits[1] - limits[0] + 1, steps(values)
    is_end = np.abs(change) > HALF * size
    if counted is not None and counted.any():
        is_end = counted
    usual = np.unique(change[~is_end & (change != 0)])
    ends = np.where(is_end, -np.sign(change), 0)
    return np.where(np.isin(change + ends * size, usual), ends, 0)


def unwrapped(values: Values, limits: tuple[int, int]) -> Values:
    """Return the number as it would be if its type had no limits."""
    return values + np.cumsum(wraps(values, limits)) * (limits[1] - limits[0] + 1)


def carried(values: Values, memory: Memory) -> Mask:
    """Return a mask of a number's decreases if another byte counts them, else an empty mask.

    Such a byte grows at each decrease and is constant in between. Only 2 to 64 are looked at."""
    falls = np.flatnonzero(steps(values) < 0)
    counted = np.zeros(len(values), np.bool_)
    if not 2 <= len(falls) <= OFTEN * OFTEN:
        return counted
    # Row r is frame r + 1. Packed decimal digits that count from 0x09 to 0x10 grow by 7.
    before, after = ([memory(row + late) for row in falls.tolist()] for late in (0, 1))
    moved = [after[n].astype(np.int16) - before[n] for n in range(len(falls))]
    counts = np.logical_and.reduce([(each == 1) | (each == 7) for each in moved])
    for now, later in zip(after[:-1], before[1:], strict=True):
        counts &= now == later
    counted[falls] = counts.any()
    return counted


def ticks(play: ScoredPlay, column: NDArray[np.floating]) -> tuple[Rows, int]:
    """Return the rows that pay the same as a row one period before or after, and this period.

    The period is the most frequent distance between paying rows, in frames."""
    rows = np.flatnonzero(column > 0)
    if len(rows) < OFTEN:
        return rows[:0], 0
    period = int(np.bincount(np.diff(rows)).argmax())
    slack = range(-1, 2) if is_clock_period(play, period) else range(1)
    padded = np.pad(column, period + 1)
    at = rows + period + 1
    near = [way * period + shift for way in (-1, 1) for shift in slack]
    return rows[np.any([padded[at + step] == column[rows] for step in near], axis=0)], period


def is_clock_period(play: ScoredPlay, period: int) -> bool:
    """Return True if a clock may have this period: 8 frames to 2 seconds.

    Steady progress with a held button pays at shorter intervals, and laps at longer ones."""
    return SLACK <= period <= SHORT * play.fps


def earned_by_events(play: ScoredPlay) -> NDArray[np.float64]:
    """Return each frame's reward without payments at an even pace.

    Only the terms whose even payments fill half of the play are reduced: these pay by a clock."""
    earned = play.earned
    for column in play.payers.values():
        rows, period = ticks(play, column)
        if len(rows) * period >= HALF * play.frames:
            earned[rows] -= column[rows]
    return earned


def is_clock(name: str, plays: Sequence[ScoredPlay]) -> bool:
    """Return True if a number keeps the same beat in most plays, although their buttons differ.

    A clock may stand still for a while, for example when the player is hit."""
    columns = [each.values[name] for each in different(plays, name) if each.seconds >= SHORT]
    beats = Counter(beat for beat in map(_beat, columns) if beat is not None)
    return max(beats.values(), default=0) >= max(FEW, MOST * len(columns))


def _beat(values: Values) -> tuple[int, int] | None:
    """Return a number's usual step and the usual frames between steps, or None without a beat."""
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
    """Return one play per different input; with ``name``, only plays that have this variable."""
    known = [each for each in plays if not name or name in each.values]
    return list({each.inputs.tobytes(): each for each in known}.values())


@dataclass(frozen=True, slots=True, eq=False)
class PlayedGame:
    """All plays of a game, and the names of its numbers by their behavior. ``lives`` are lives and
    health. ``scores`` only grow. ``stages`` grow as well, but seldom, and just after another number
    has grown. ``markers`` are numbers that change now and then, but not whenever something pays:
    lives, stages, rooms and flags. ``possible_scores`` have the type of a score and never fall, but
    have changed less than three times."""

    plays: Sequence[ScoredPlay]
    scene: Scene
    lives: frozenset[str]
    scores: frozenset[str]
    stages: frozenset[str]
    markers: frozenset[str]
    possible_scores: frozenset[str]

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
        markers = lives | {name for name, own in kept.items() if _changes_seldom(name, own)}
        stages = {
            name for name in growing & markers if _follows(name, kept[name], growing - {name})
        }
        scores = growing - stages
        types = {(scene.limits.get(name), scene.digits.get(name)) for name in scores}
        possible = {
            name
            for name, own in kept.items()
            if (scene.limits.get(name), scene.digits.get(name)) in types
            and all((steps(play.values[name]) >= 0).all() for play in own)
            and sum(np.count_nonzero(steps(play.values[name])) for play in own) < FEW
        }
        found = (lives, scores, stages, markers, possible - growing)
        return cls(plays, scene, *map(frozenset, found))

    def lives_of(self, play: ScoredPlay) -> dict[str, Values]:
        """Return the lives of a play by name, as signed numbers even if their type is not."""
        kept = sorted(self.lives & play.values.keys())
        return {name: _below_zero(play.values[name], name, self.scene) for name in kept}


def _below_zero(values: Values, name: str, scene: Scene) -> Values:
    if name not in scene.limits:
        return values
    most = scene.limits[name][1]
    return np.where((values > most - OFTEN) & (values[0] < most // 2), values - most - 1, values)


def _falls_as_lives(name: str, plays: Sequence[ScoredPlay], scene: Scene) -> bool:
    """Return True if a number falls by one unit at a time, at least a second apart. The unit is the
    most frequent fall, and the start is at most 32 units. The number may be set back to its start;
    otherwise it must rise less than half as often as it falls."""
    columns = [_below_zero(play.values[name], name, scene) for play in plays]
    falls = np.concatenate([-steps(values)[steps(values) < 0] for values in columns])
    pauses = [np.diff(np.flatnonzero(steps(values) < 0)) for values in columns]
    if not len(falls) or np.median(np.concatenate([*pauses, [np.inf]])) < plays[0].fps:
        return False
    size = int(np.bincount(falls).argmax())
    rises = np.concatenate([steps(values)[values != values[0]] for values in columns])
    won, strange = np.count_nonzero((rises > 0) & (rises <= size)), np.count_nonzero(rises > size)
    is_small = 0 <= max(int(values[0]) for values in columns) <= 4 * OFTEN * size
    return is_small and bool(np.mean(falls == size) >= MOST and won + strange < HALF * len(falls))


def _is_deadly(name: str, plays: Sequence[ScoredPlay]) -> bool:
    """Return True if at least half of the dones follow within 3 s a fall to the lowest value."""
    lowest = min(int(play.values[name].min()) for play in plays)
    ended = [play for play in plays if play.done.any()]
    deadly = 0
    for play in ended:
        row, values = int(np.argmax(play.done)), play.values[name]
        deadly += values[row] == lowest < values[max(0, row - int(AROUND * play.fps))]
    return bool(deadly and deadly >= HALF * len(ended))


def _grown(play: ScoredPlay, names: Collection[str], frames: int) -> Mask:
    """Return a mask of the rows on which a number rises, and of ``frames - 1`` rows after each."""
    rises = np.zeros(play.frames)
    for name in play.values.keys() & names:
        rises += steps(play.values[name]) > 0
    return np.asarray(np.convolve(rises, np.ones(frames))[: play.frames] > 0)


def _goes_with(name: str, plays: Sequence[ScoredPlay], growing: set[str]) -> bool:
    """Return True if another number rises within a few frames of most falls of this one. Then the
    number counts down things that the player wins, and no lives."""
    falls = np.concatenate([steps(play.values[name]) < 0 for play in plays])
    near = [np.roll(_grown(play, growing - {name}, SLACK), -SLACK // 2) for play in plays]
    return bool(np.concatenate(near)[falls].sum() > HALF * falls.sum())


def _follows(name: str, plays: Sequence[ScoredPlay], growing: set[str]) -> bool:
    """Return True if a number rises only within half a second after others rise, as stages do. It
    may rise at most half as often as the others. By coincidence, a rise falls into these half
    seconds as often as they fill the play; the chance that all rises do so must be below 1%."""
    own = different(plays, name)
    rises = np.concatenate([steps(play.values[name]) > 0 for play in own])
    grown = np.concatenate([_grown(play, growing, 1) for play in own])
    near = np.concatenate([_grown(play, growing, int(MOMENT * play.fps)) for play in own])
    number = int(rises.sum())
    by_chance = float(near.mean()) ** number
    often = 2 * number <= grown.sum()
    return bool(number >= FEW and near[rises].all() and often and by_chance < (1 - NEARLY) ** 2)


def grows(values: Sequence[Values]) -> bool:
    """Return True if a number rises now and then, and hardly ever falls except to its start."""
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
    """Return True if a number changes at most once in 2 s, and not whenever something pays."""
    changes = sum(int(np.count_nonzero(np.diff(play.values[name]))) for play in plays)
    paid = [(play.earned > 0, steps(play.values[name]) != 0) for play in plays]
    payments = sum(int(pays.sum()) for pays, _ in paid)
    together = sum(int((pays & moves).sum()) for pays, moves in paid)
    seldom = changes <= sum(play.seconds for play in plays) / SHORT
    return bool(changes > 0 and seldom and together < MOST * max(1, payments))


def new_games(play: ScoredPlay, lives: dict[str, Values]) -> Iterator[tuple[int, str]]:
    """Yield the rows on which a new game begins, each with a text that says what restarts.

    In a new game, lives rise, and the variable of a reward term is at its start, or falls back to
    it within two seconds. Lives that rise by one while the score stays are won."""
    around = int(play.fps * SHORT)
    near = np.ones(2 * around + 1, np.intp)
    # The intersection of sets would have a different order in each process.
    for payer in filter(play.values.__contains__, play.payers):
        score = play.values[payer]
        is_low = score <= score[0]
        falls = is_low & (steps(score) < 0)
        # The mode "same" would return len(near) rows for a play that is shorter than ``near``.
        fell = np.convolve(falls, near)[around : around + play.frames] > 0
        for name, values in lives.items():
            if name != payer:
                rise = steps(values)
                back = (values == values[0]) & ((rise > 1) & is_low | (rise > 0) & fell)
                back |= (rise > 1) & fell
                for row in np.flatnonzero(back):
                    yield int(row), f"{payer} and {name} restart"
