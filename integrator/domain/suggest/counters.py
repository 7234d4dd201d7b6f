"""Judges numbers that change now and then: score, lives, timer, level and health. ``COUNTERS`` says
which numbers may be of a kind, and fitted weights say how likely that is."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from math import log, log2
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.suggest.digits import digit_rows
from integrator.domain.suggest.numbers import (
    MOST_CHANGES,
    Number,
    bit_fields,
    lit_bits,
    number_at,
    slow_numbers,
)
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.screen import AGREEMENT, Drawn, ScreenNumber, find_drawn
from integrator.domain.suggest.solving import solutions_of
from integrator.domain.suggest.suggestion import Guess, Kind
from integrator.domain.traits import Measures, Trait, measures_of, odds_of
from integrator.domain.values.memory import BYTE


@dataclass(frozen=True, slots=True)
class Side:
    """The changes of a number in one direction; ``usual`` is the most common step. ``same`` is the
    share of the usual step, and ``steps`` are the three most common ones. ``step_bits`` is the
    median step in bits, in units of the steps' greatest common divisor."""

    count: int
    usual: int
    same: float
    steps: tuple[int, ...]
    step_bits: float = 0.0

    @property
    def by_ones(self) -> float:
        """The share of steps by one if one is the most common step, else 0."""
        return self.same if self.usual == 1 else 0.0

    @staticmethod
    def of(steps: NDArray[np.int64]) -> "Side":
        """Return the side of these steps, which are all positive."""
        if not len(steps):
            return Side(0, 0, 0.0, ())
        common = Counter(np.sort(steps).tolist()).most_common(3)
        share = common[0][1] / len(steps)
        step_bits = log2(_middle(steps) / int(np.gcd.reduce(steps)))
        return Side(len(steps), common[0][0], share, tuple(step for step, _ in common), step_bits)


def _middle(values: NDArray[np.int64]) -> float:
    """Return the median; numpy's own takes ten times as long for a few values."""
    ordered, half = np.sort(values), len(values) // 2
    return float(ordered[half] + ordered[~half]) / 2


@dataclass(frozen=True, slots=True)
class Traits:
    """The way in which a number moves.

    ``up`` and ``down`` leave out ``restarts``, which put the number back to its ``start``.
    ``interval`` is the median time between changes in frames, and ``even`` the share of intervals
    about as long. ``restart_jumps``, 0 to 1, measures how many other bytes jump around restarts.
    ``other_jumps``, 0 to 1, measures the same around the other changes. ``companions`` counts the
    bytes that change on the same frames, and ``copies`` the readings that have the same values,
    this one included; ``among`` counts all readings of the play. ``is_derived`` is true if the
    number keeps the highest value of another number, as a high score does, or points to the glyph
    of its digit. ``screen`` is the number on the screen that these values explain, None if there is
    none."""

    number: Number
    drawn: Drawn
    up: Side
    down: Side
    start: int
    restarts: int
    interval: float
    even: float
    restart_jumps: float = 0.0
    companions: int = 1
    is_derived: bool = False
    screen: ScreenNumber | None = None
    copies: int = 1
    among: int = 1
    other_jumps: float = 0.0
    is_turned: bool = False

    @property
    def as_lives(self) -> "Traits":
        """The traits as those of lives that are left, if the number may count lost ones.

        Lost lives are a small number that rises by one, seldom, when play breaks off."""
        is_small = self.low in (0, 1) and self.high <= 9 and not self.down.count
        breaks_off = self.other_jumps >= 0.9 and not 0 < self.interval < 60
        if not (is_small and breaks_off and self.up.by_ones == 1):
            return self
        return replace(self, up=self.down, down=self.up, is_turned=True)

    @property
    def read(self) -> float:
        """The proof by digits read on the screen, 0 to 1: it grows with each different value."""
        if self.screen is None:
            return 0.0
        return 1 - 0.5 ** (len(np.unique(self.screen.rests[1])) - 1)

    @property
    def shown(self) -> float:
        """The share of its changes that the picture shows; things may move behind its digits."""
        return max(self.drawn.agreement, self.read)

    @property
    def is_seen(self) -> bool:
        """True if one place on the screen changes with the number."""
        return self.drawn.agreement >= 0.4

    @property
    def count(self) -> int:
        return len(self.number.rows)

    @property
    def high(self) -> int:
        return int(self.number.values.max())

    @property
    def low(self) -> int:
        return int(self.number.values.min())


def traits_of(play: Play) -> list[Traits]:
    """Return the traits of each number that changes in the play, or that the screen shows."""
    apart = (
        Number(row.places[0], BYTE, row.values(play), play.steady, row=row)
        for row in digit_rows(play)
    )
    every = chain(slow_numbers(play), bit_fields(play), lit_bits(play), apart)
    numbers = [number for number in every if len(number.rows)]
    solved = solutions_of(play)
    known = {(number.place, number.type, number.mask) for number in numbers}
    numbers += [number_at(play, *each) for each in solved if each not in known]
    places = find_drawn(play.cells, [number.events for number in numbers])
    moments = [np.packbits(number.events).tobytes() for number in numbers]
    # Several readings of one place are one companion.
    places_of = {(key, number.place) for key, number in zip(moments, numbers, strict=True)}
    companions = Counter(key for key, _ in places_of)
    courses = [hash(number.course) for number in numbers]
    copies = Counter(courses)
    glyphs = {each.place for each in numbers if is_glyph(each, numbers)}
    return [
        replace(
            _traits(number, place, play.turmoil),
            companions=companions[moment],
            is_derived=is_record or number.places <= glyphs,
            screen=None if number.row else solved.get((number.place, number.type, number.mask)),
            copies=copies[course],
            among=len(numbers),
        )
        for number, place, moment, course, is_record in zip(
            numbers, places, moments, courses, records_in(numbers), strict=True
        )
    ]


def records_in(numbers: Sequence[Number]) -> Iterator[bool]:
    """Yield, for each number, True if it only rises, each time to the value of another number.

    The other number must not be higher for more than half a second. Frames near a row that is
    not steady do not count, because another game may begin there with a lower record."""
    late = 30  # Some games update a record only when the move that earned it has been drawn.
    counts = np.array([len(number.rows) for number in numbers])
    # The table has one row per frame, so that all numbers of a frame are adjacent in memory.
    table = np.array([number.values for number in numbers], np.int32).T.copy()
    for number in numbers:
        rows = number.rows
        if len(rows) < 3 or (number.steps < 0).any():
            yield False
            continue
        after = number.values[rows]
        before = np.maximum(rows[:, np.newaxis] - np.arange(late), 0)
        last = table[max(0, rows[-1] + 1 - late) : rows[-1] + 1]
        alike = (counts > len(rows)) & (last == after[-1]).any(axis=0)
        others = (numbers[index].values for index in np.flatnonzero(alike).tolist())
        kept, breaks = number.values[late:], np.cumsum(~number.steady)
        whole = breaks[late:] == breaks[:-late]
        yield any(
            (after == each[before].T).any(axis=0).all() and (each[:-late] <= kept)[whole].all()
            for each in others
        )


def is_glyph(number: Number, numbers: Sequence[Number]) -> bool:
    """Return True for a byte that points to the glyph of a digit of one of the other numbers.

    Such a byte is a base plus the digit times the height of a glyph. With base 0, it must fall at
    times, because a number that only rises may be a multiple of another one."""
    values, steps, rows = number.values, number.steps, number.rows
    height = int(np.gcd.reduce(steps))
    if number.type != BYTE or not (3 <= height <= 15 and height < np.ptp(values) <= 9 * height):
        return False
    # Look at three frames of some rests, because the byte may follow its digit later.
    rests = np.stack([np.append(0, rows), np.append(rows, len(values)) - 1])
    rests = rests[:, :: len(rows) // 16 + 1]
    at = np.linspace(rests[0], rests[1], 5)[1:-1].astype(np.intp).ravel()
    others = [each.values[at] for each in numbers if len(each.rows) >= len(rows)]
    own, every = values[at, np.newaxis], np.stack(others, axis=1)
    # Each unit of each number has a base, which most frames share.
    bases = own - height * (every // 10 ** np.arange(4)[:, np.newaxis, np.newaxis] % 10)
    base = np.sort(bases, axis=1)[:, len(at) // 2]
    fits = (bases == base[:, np.newaxis]).mean(axis=1) >= AGREEMENT
    fits &= (np.ptp(every - own, axis=0) > 0) & (base >= (steps > 0).all())
    return bool(fits.any())


def _traits(number: Number, drawn: Drawn, turmoil: NDArray[np.float64]) -> Traits:
    rows, steps = number.rows, number.steps
    after = number.values[rows]
    start = _start_of(number)
    back = (after == start) & (np.abs(steps) > 1)
    gaps = np.diff(rows)
    middle = _middle(gaps) if len(gaps) else 0.0
    alike = np.abs(gaps - middle) <= max(1.0, 0.05 * middle)
    even = float(alike.mean()) if len(gaps) >= 3 else 0.0
    up, down = Side.of(steps[(steps > 0) & ~back]), Side.of(-steps[(steps < 0) & ~back])
    return Traits(
        number=number,
        drawn=drawn,
        up=up,
        down=down,
        start=start,
        restarts=int(back.sum()),
        interval=middle,
        even=even,
        restart_jumps=float(turmoil[rows[back] - 1].mean()) if back.any() else 0.0,
        other_jumps=float(turmoil[rows[~back] - 1].mean()) if not back.all() else 0.0,
    )


def _start_of(number: Number) -> int:
    """Return the value to which a number jumps most often, or the first one: games begin with it.
    The first value alone may be wrong, because play may begin at a title, before games set it."""
    jumps = number.values[number.rows][np.abs(number.steps) > 1].tolist()
    [(start, _)] = Counter([int(number.values[0]), *jumps]).most_common(1)
    return int(start)


def times_of(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


TRAITS: Final[tuple[Trait[Traits], ...]] = (
    Trait("rises", "It mostly rises.", lambda t: log((t.up.count + 0.5) / (t.down.count + 0.5))),
    Trait("changes", "It changes many times.", lambda t: log(1 + t.count)),
    Trait("drawn", "A part of the picture changes with it.", lambda t: t.shown),
    Trait("always_drawn", "That part only changes with it.", lambda t: t.shown**2),
    Trait("drawn_inside", "It is not at an edge.", lambda t: t.is_seen and t.drawn.is_inside),
    Trait("read", "The screen shows its digits.", lambda t: t.read),
    Trait("read_whole", "The screen shows several digits.", lambda t: t.read * (t.high > 9)),
    Trait("renewal", "It goes back to its start while many bytes jump.", lambda t: t.restart_jumps),
    Trait("counts_up", "It counts lives that were lost.", lambda t: t.is_turned),
    # These two count from 0, or from a lowest value below 0, such as -1 for no life.
    Trait("high", "It needs more than one digit.", lambda t: t.high - min(t.low, 0) > 9),
    Trait("two_values", "It has only two values.", lambda t: t.high - min(t.low, 0) <= 1),
    Trait("falls_by_ones", "It falls by ones.", lambda t: t.down.by_ones),
    Trait("rises_by_ones", "It rises by ones.", lambda t: t.up.by_ones),
    Trait("changes_soon", "It changes again within a second.", lambda t: 0 < t.interval < 60),
    Trait("rests", "It rests long between changes.", lambda t: log(1 + t.interval)),
    Trait("copies", "Other readings have the same values.", lambda t: log(t.copies)),
    Trait("among", "Many numbers change in the play.", lambda t: log(t.among)),
    Trait("part_of_byte", "It is only some bits of a byte.", lambda t: t.number.is_part),
    Trait(
        "starts_again",
        "It often goes back to its start.",
        lambda t: min(3.0, t.restarts / max(1, t.up.count + t.down.count)),
    ),
    Trait("carries", "Its decimal digits carry, as 9 to 10.", lambda t: log(1 + t.number.carries)),
    Trait("noisy", "Its rises have many sizes.", lambda t: max(0.0, t.up.step_bits - 3.0)),
    Trait("even", "It changes at even intervals.", lambda t: t.even),
    Trait(
        "clock",
        "It changes by ones at even intervals, slowly enough to be read.",
        lambda t: t.even * (t.interval >= 20) * max(t.up.by_ones, t.down.by_ones),
    ),
    Trait("crowd", "Many other bytes change on the same frames.", lambda t: log(t.companions)),
    Trait("from_one", "It begins with 1.", lambda t: t.number.values[0] == 1),
    Trait("derived", "It is the record of a number, or its digit's glyph.", lambda t: t.is_derived),
    Trait("often_falls", "Many changes are falls.", lambda t: t.down.count / max(1, t.count)),
    Trait(
        "wide",
        "It has several bytes, and no digits on the screen; a byte with one digit counts half.",
        lambda t: len(t.number.places) * (0.5 if t.number.is_digits else 1.0) * (1 - t.read),
    ),
)
"""Traits with a sentence for a high measure. The weights of a kind in ``weights.json`` say how far
each trait speaks for or against it: a timer changes at even intervals, lives fall by ones, a score
rises and hardly ever falls, and a part of the picture changes with each of them."""

OF_PICTURES: Final = frozenset(
    ("drawn", "always_drawn", "drawn_inside", "read", "read_whole", "wide")
)
"""Traits that pictures tell. Without pictures, a kind has other weights, for the other traits
alone, because a number that was not looked for on the screen may still be there."""


def weights_row(kind: Kind, *, pictures: bool) -> str:
    return kind if pictures else f"{kind} without pictures"


@dataclass(frozen=True, slots=True)
class CounterKind:
    """A kind of number that changes now and then. ``moves`` is true for traits that the kind may
    have, and ``explain`` puts them into words. ``of_parts`` is true if some bits of a byte may be
    such a number. ``judged`` gives the traits by which the kind judges a number."""

    name: Kind
    moves: Callable[[Traits], bool]
    explain: Callable[[Traits], str]
    of_parts: bool = False
    judged: Callable[[Traits], Traits] = lambda t: t

    def may_be(self, t: Traits) -> bool:
        return self.moves(self.judged(t)) and (self.of_parts or not t.number.is_part)


def _falls_words(t: Traits) -> str:
    if t.number.counts_bits:
        return f"its bits go out one by one, {times_of(t.down.count)}"
    if t.is_turned:
        return f"rises by 1, {times_of(t.down.count)}, when much else jumps, as lost lives do"
    mask, refills = t.number.mask, t.restarts + t.up.count
    kept = "" if mask is None else f", in the bits 0x{mask:02X} of its byte"
    refilled = f", filled up {times_of(refills)}" if refills else ""
    return f"falls by {t.down.usual}, {times_of(t.down.count)}, from {t.start}{refilled}{kept}"


def _rises_words(t: Traits) -> str:
    falls = "never falls" if not t.down.count else f"falls {times_of(t.down.count)}"
    steps = ", ".join(f"+{step}" for step in t.up.steps)
    return f"{steps}, {falls}"


def _timer_words(t: Traits) -> str:
    side, sign = (t.up, "+") if t.up.count > t.down.count else (t.down, "-")
    return f"{sign}{side.usual} every {t.interval:.0f} frames"


COUNTERS: Final[dict[Kind, CounterKind]] = {
    row.name: row
    for row in (
        CounterKind("score", lambda t: t.up.count > 0 and not t.is_derived, _rises_words),
        CounterKind(
            "lives",
            lambda t: 0 < t.down.count <= t.count <= MOST_CHANGES and len(t.number.places) == 1,
            _falls_words,
            of_parts=True,
            judged=lambda t: t.as_lives,
        ),
        CounterKind("timer", lambda t: t.count >= 4 and t.interval > 1, _timer_words),
        CounterKind("level", lambda t: 0 < t.up.count <= t.count <= 20, _rises_words),
        CounterKind("health", lambda t: t.down.count > 0 and t.high >= 4, _falls_words),
    )
}

RIVALS: Final = 24  # the likeliest different numbers, of which at most one is of a kind
_COPY_SHARE: Final = 0.3


def find_counters(play: Play) -> Iterator[Guess]:
    traits = traits_of(play)
    table = np.array([measures_of(TRAITS, each) for each in traits]).reshape(-1, len(TRAITS))
    pictures = play.cells is not None or bool(play.looks)
    shares = np.array([_shares(row, traits, table, pictures=pictures) for row in COUNTERS.values()])
    # A number has one kind, so it counts less here if another kind is twice as likely.
    best = shares.max(axis=0)
    shares = np.where(best > 2 * shares, (1 - best) * shares, shares)
    for (kind, row), likely_of in zip(COUNTERS.items(), shares.tolist(), strict=True):
        weighed = [pair for pair in zip(likely_of, traits, strict=True) if pair[0]]
        weighed.sort(key=lambda pair: -pair[0])
        for weight, each in islice(_apart(weighed), 12):
            number, drawn = each.number, each.drawn if each.is_seen else None
            what = "drawn" if each.screen is None else "its digits"
            place = f", {what} {drawn.place}" if drawn is not None else ""
            box = None
            if each.screen is not None:
                box, place = each.screen.box, place or ", its digits on the screen"
            judged = row.judged(each)
            reason = row.explain(judged) + place
            # Without digits on the screen, some numbers are wrong although their odds are high, and
            # numbers that count on by ones, such as misses, look like scores of single points.
            is_count = judged.is_turned or (kind == "score" and each.up.by_ones == 1)
            sure = each.read and not is_count
            likely = min(weight, 0.8 + (min(weight, 0.99) - 0.8) * (1 if sure else 0.25))
            form = number.mask, box, number.row
            yield Guess(kind, number.place, number.type, likely, reason, drawn, *form)


def _shares(
    row: CounterKind, traits: Sequence[Traits], table: Measures, *, pictures: bool
) -> NDArray[np.float64]:
    """Return each reading's likelihood to be the number of a kind, 0 to 1. Likelihoods of different
    numbers and of none add up to 1. Readings of equal values are one."""
    may_be = np.array([row.may_be(each) for each in traits], np.bool_)
    table = table.copy()
    for index, each in enumerate(traits):
        if (judged := row.judged(each)) is not each:
            table[index] = measures_of(TRAITS, judged)
    own = odds_of(TRAITS, weights_row(row.name, pictures=pictures), table)
    odds = np.where(may_be, own, -np.inf)
    rivals: dict[bytes, float] = {}
    for index in np.argsort(-odds, kind="stable").tolist():
        if len(rivals) == RIVALS:
            break
        rivals.setdefault(traits[index].number.course, float(np.exp(odds[index])))
    return np.exp(odds, dtype=np.float64) / (1 + sum(rivals.values()))


def _apart(weighed: list[tuple[float, Traits]]) -> Iterator[tuple[float, Traits]]:
    """Yield the best reading of each byte, and the whole number instead of its high digits. Of
    readings with the same values, the one of fewest bytes comes first, because games draw a number
    by a byte per digit. The others keep a share, so that copies do not hide other numbers."""
    likely = [pair for pair in weighed if pair[0] > 0.001]
    alike: dict[bytes, list[Traits]] = {}
    for _, each in likely:
        alike.setdefault(each.number.course, []).append(each)
    for copies in alike.values():
        copies.sort(key=lambda each: len(each.number.places))
    taken: set[int] = set()
    seen: set[bytes] = set()
    for weight, likeliest in likely:
        best = alike[likeliest.number.course].pop(0)
        if not best.number.places & taken:
            free = (each for _, each in likely if not each.number.places & taken)
            whole = (each for each in free if _carries(each, best))
            each = max(whole, key=lambda each: len(each.number.places), default=best)
            taken |= each.number.places
            course = each.number.course
            yield weight * (_COPY_SHARE if course in seen else 1), each
            seen.add(course)


def _carries(whole: Traits, part: Traits) -> bool:
    """Return True if ``part`` has the high digits of ``whole``, whose low digits carry into them.
    Return True also if ``whole`` is a rising ``part`` with leading zeros, into which it grows."""
    one, other = whole.number, part.number
    alike = one.row is not None or one.type.kind == other.type.kind
    if not (alike and other.places < one.places):
        return False
    if part.up.count > part.down.count and (one.values == other.values).all():
        return True
    if whole.count <= part.count or whole.down.count > part.down.count:
        return False
    base = one.type.form.base if one.row is None else one.row.coding.base
    unit = base ** (len(one.places) - len(other.places))
    if ((np.diff(one.values // unit) != 0) != (np.diff(other.values) != 0)).any():
        return False
    moved = np.diff(one.values % unit)[other.rows - 1]
    return bool(2 * np.count_nonzero(moved < 0) > len(moved))
