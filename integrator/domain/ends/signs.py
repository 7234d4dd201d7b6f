"""Signs of the ends of played episodes: numbers with a value that they have only after an end."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.ranges import Recording
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.memory import AddressSpace, DataType


@dataclass(frozen=True, slots=True)
class EpisodeSpan:
    """Frames ``first`` to ``last`` of an episode, with the frame of its ``end``, None without one.
    The true end is at ``doubtful`` or later. ``resumed`` is true if it begins in a game."""

    first: int
    last: int
    end: int | None
    doubtful: int
    resumed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class EndSign:
    """A number that has the ``value`` from each seen end on, and never before.

    A sign of one ``variety`` is the reverse: its number has the ``value`` in all play, and others
    from each end on.

    ``late`` has the frames from each episode's end to the first frame with the value, and
    ``variety`` counts the number's values in play. ``counts`` is true if the number came down to
    the value by ones. ``stays`` is the share of the later frames on which it keeps the value."""

    address: int
    mask: int | None
    value: int
    late: tuple[int, ...]
    variety: int
    counts: bool
    stays: float

    @property
    def cost(self) -> float:
        """Bits that speak against the sign: a late one, many values in play, and not staying.

        A sign that the loss of the last life sets comes early and has few values. Other numbers
        take the value for a while, or come and go. Counting down by ones speaks for a sign."""
        values = 1.5 * np.log2(1 + self.variety)
        return float(np.median(self.late) / 30 + values - 3 * self.counts + 8 * (1 - self.stays))

    @property
    def type(self) -> DataType:
        return DataType.parse("|i1" if self.value < 0 else "|u1")

    def holds(self, raw: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Return for values of the byte if they are those after an end."""
        masked = raw & np.uint8(self.mask or 0xFF)
        held: NDArray[np.bool_] = (masked == self.value & 0xFF) != (self.variety == 1)
        return held


_LASTS: Final = 60  # Least frames that the sign of an end lasts.
_MASKS: Final = (0xFF, 0x0F, 0xF0)
SIGN_BIT: Final = 0x80  # Many games mark an end with it, because the processor tests it at once.
_SIGN_MASKS: Final = (*_MASKS, SIGN_BIT)
_MOST_SIGNS: Final = 400
_EVERY: Final = 10  # Frames between two looks for lives.
_BLOCK: Final = 1 << 15  # Bytes of RAM whose values are kept at the same time.


def lives_again(
    space: AddressSpace, recording: Recording, spans: Sequence[EpisodeSpan]
) -> list[Suggestion]:
    """Return bytes, and halves of bytes, that come down by ones and jump back in a new game."""
    # In the first second, a game may still set its numbers.
    looks = [range(each.first + 60, each.last + 1, _EVERY) for each in spans if not each.resumed]
    places = _stepping(recording, [each for each in looks if each])
    if not len(places):
        return []
    found = []
    taken = [np.stack([recording.glance(at)[places] for at in each]) for each in looks if each]
    for mask in _MASKS:
        # A whole byte is read as signed, because it may come down below 0.
        numbers = [((each & mask) // (mask & -mask)).view(np.int8) for each in taken]
        steps = [np.diff(each.astype(np.int16), axis=0) for each in numbers]
        falls = [each == -1 for each in steps]
        # Only a jump after a fall counts as a new game, because a game may set its numbers first.
        again = [
            (step > 1) & np.logical_or.accumulate(fall, axis=0)
            for step, fall in zip(steps, falls, strict=True)
        ]
        pairs = list(zip(numbers, steps, again, strict=True))
        tops = [np.where(step > 1, each[1:], -1).max(axis=0) for each, step, _ in pairs]
        start = np.maximum.reduce(tops)
        least = np.minimum.reduce([each.min(axis=0) for each in numbers])
        fits = (start.astype(np.int16) - least >= 2) & (start <= 10) & (np.abs(least) <= 1)
        fits &= start > 1  # A number from -1 to 1 is a direction.
        jumps, extra = np.zeros((2, len(places)), np.int64)
        for number, step, own in pairs:
            other = (number[1:] > start) | (number[1:] < start - 1) | (number[:-1] > least + 1)
            fits &= ~((step < -1) | (step > 1) & other).any(axis=0)
            jumps += own.sum(axis=0)
            extra += (step == 1).sum(axis=0)
        # Lives are won less often than new games begin.
        for row in np.flatnonzero(fits & (jumps > 1) & (extra <= jumps)).tolist():
            pauses = _EVERY * np.concatenate([np.diff(np.flatnonzero(f[:, row])) for f in falls])
            # Shots are fired and reloaded more often, and most pauses of a clock are equal.
            low, high = np.quantile(pauses, (0.2, 0.8)) if len(pauses) else (0, 0)
            if high - low > 0.1 * high and pauses.mean() >= 300:
                place = space.address_of(int(places[row]))
                kind = DataType.parse("|i1" if least[row] < 0 else "|u1")
                half, games = None if mask == 0xFF else mask, int(jumps[row])
                sure = round(0.96 * (1 - 0.6**games), 2)  # Twice may be by chance.
                text = f"comes down by ones and jumps back in {games} new games"
                found.append(Suggestion("lives", place, kind, sure, text, mask=half))
    return found


def _stepping(recording: Recording, looks: Sequence[range]) -> NDArray[np.intp]:
    """Return places whose byte, or half of it, only falls by ones and jumps to about one value.
    Frames are read one after the other, because all of RAM may be several MiB."""
    places = np.flatnonzero(recording.changed(0, recording.length + 1))
    fits = np.ones((len(_MASKS), len(places)), np.bool_)
    start = np.full(fits.shape, -1, np.int16)
    for look in looks:
        for one, other in pairwise(recording.glance(at)[places] for at in look):
            for row, mask in enumerate(_MASKS):
                unit = mask & -mask
                now = ((other & mask) // unit).view(np.int8).astype(np.int16)
                step = now - ((one & mask) // unit).view(np.int8)
                again = step > 1
                elsewhere = (start[row] >= 0) & (np.abs(now - start[row]) > 1)
                fits[row] &= (step >= -1) & ~(again & elsewhere)
                start[row] = np.where(again, np.maximum(now, start[row]), start[row])
    return places[(fits & (start >= 0)).any(axis=0)]


_LOOK_FRAMES: Final = 30
_REST_FRAMES: Final = 1800  # After this long a rest, nothing is expected to move again.
_TOGETHER: Final = 4  # The bytes of one end come to rest within this many looks.


def ends_by_rest(recording: Recording, spans: Sequence[EpisodeSpan]) -> list[int]:
    """Return, for each span, the frame from which on bytes rest that never rested so long before.

    This finds ends after which the player can still be moved. The same two bytes have to rest in
    each of two or more spans, not always at the same time; otherwise, the list is empty."""
    places = np.flatnonzero(recording.changed(0, recording.length + 1))
    last = [_last_moves(recording, places, each) for each in spans]
    if len(last) < 2:
        return []
    common = np.flatnonzero(np.all([each >= 0 for each in last], axis=0))
    found = []
    for span, moves in zip(spans, last, strict=True):
        at = np.sort(moves[common])
        together = np.searchsorted(at, at + _TOGETHER, "right") - np.arange(len(at))
        if not len(at) or together.max() < 2:
            return []
        first = int(together.argmax())
        end = at[first + together[first] - 1]
        # Only bytes that come to rest in every span are kept.
        common = common[(moves[common] >= at[first]) & (moves[common] <= end)]
        found.append(_looks_of(span)[int(end) + 1])
    # Music that does not begin again is over at the same time in each.
    lasted = np.subtract(found, [each.first for each in spans])
    return found if len(common) >= 2 and np.ptp(lasted) > 60 else []


def _looks_of(span: EpisodeSpan) -> range:
    return range(span.first + 60, span.last + 1, _LOOK_FRAMES)


def _last_moves(
    recording: Recording, places: NDArray[np.intp], span: EpisodeSpan
) -> NDArray[np.int64]:
    """Return the last look at which each of ``places`` moved, or -1 if its rest is no sign. A rest
    is a sign if the byte moved often before, and never rested a third as long."""
    looks = _looks_of(span)
    moves, last = np.zeros(len(places), np.int64), np.zeros(len(places), np.int64)
    pause = np.zeros(len(places), np.int64)
    for look, (one, other) in enumerate(pairwise(recording.glance(at)[places] for at in looks)):
        moved = one != other
        np.maximum(pause, look - last, out=pause, where=moved & (moves > 0))
        last[moved] = look
        moves += moved
    rest = len(looks) - 1 - last
    fits = (moves >= 6) & (rest >= _REST_FRAMES // _LOOK_FRAMES) & (rest > 3 * pause)
    return np.where(fits, last, -1)


def end_signs(
    space: AddressSpace,
    recording: Recording,
    spans: Sequence[EpisodeSpan],
    last_life: NDArray[np.bool_] | None = None,
) -> list[EndSign]:
    """Return bytes, their halves and sign bits that mark the ends of two or more episodes, best
    first.

    With ``last_life``, bool (frames + 1,), only these frames are looked at."""
    ended = [each for each in spans if each.end is not None]
    if len(ended) < 2:
        return []
    counted = np.ones(recording.length + 1, np.bool_) if last_life is None else last_life
    places = np.flatnonzero(recording.changed(0, recording.length + 1))
    blocks = [places[at : at + _BLOCK] for at in range(0, len(places), _BLOCK)]
    likely = [each for own in blocks for each in _values_after_ends(recording, own, spans, counted)]
    likely.sort(key=lambda each: each[0])
    found = []
    for variety, mask, at, value in likely[:_MOST_SIGNS]:
        place = space.address_of(at)
        raw = recording.bytes_over(np.array([at]), 0, recording.length + 1)[:, 0] & mask
        holds = raw != value if variety == 1 else raw == value
        if (late := _begins(holds & counted, spans)) is None:
            continue
        is_below = value > 0xFC and mask == 0xFF
        numbers = (raw.view(np.int8) if is_below else raw // (mask & -mask)).astype(np.int64)
        courses = [
            numbers[each.first + 60 : (each.end or 0) + by + 1]
            for each, by in zip(ended, late, strict=True)
            if not each.resumed
        ] or [raw[:0]]
        # A clock always reaches a value after the same time, also if the ends come at other times.
        lengths = [len(each) for each in courses]
        is_timed = max(lengths) - min(lengths) <= 60
        if is_timed and max(late) - min(late) > 240:
            continue
        # Long after the ends, a demo may count as well.
        counts = all(map(_counts_down, courses)) and not is_timed and max(late) <= 240
        if mask in (0xFF, SIGN_BIT) or counts:
            own = None if mask == 0xFF else mask
            kept = value - 0x100 if is_below else value
            afterwards = [
                holds[(each.end or 0) + by : each.last + 1].mean()
                for each, by in zip(ended, late, strict=True)
            ]
            # In the last life, a value that dying starts is a sign, although it does not stay.
            stays = float(np.median(afterwards)) if last_life is None else 1.0
            found.append(EndSign(place, own, kept, late, variety, counts, stays))
    found.sort(key=lambda each: (each.cost, each.mask is not None, each.address))
    best: dict[int, EndSign] = {}
    for each in found:
        best.setdefault(each.address, each)  # The best reading of each byte.
    return list(best.values())


def _values_after_ends(
    recording: Recording,
    places: NDArray[np.intp],
    spans: Sequence[EpisodeSpan],
    counted: NDArray[np.bool_],
) -> list[tuple[int, int, int, int]]:
    """Return the values at ``places`` that are seen after each end and never before. Each is a
    tuple: the number of values before the ends, the mask, the place, and the value. A byte that has
    one value before the ends and another after each is there with the first."""
    rows, shape = np.arange(len(places)), (len(_SIGN_MASKS), len(places), 256)

    def see(seen: NDArray[np.bool_], first: int, stop: int, every: int) -> NDArray[np.bool_]:
        for frame in (np.flatnonzero(counted[first:stop])[::every] + first).tolist():
            ram = recording.glance(frame)[places]
            for own, mask in zip(seen, _SIGN_MASKS, strict=True):
                own[rows, ram & mask] = True
        return seen

    before, after = np.zeros(shape, np.bool_), np.ones(shape, np.bool_)
    for each in spans:
        see(before, each.first + 2, each.doubtful, 20)
    variety = before.sum(axis=-1)
    variety[-1] = variety[0]  # The sign bit of a byte with many values may be set by chance.
    steady = (variety == 1) & (np.array(_SIGN_MASKS) == 0xFF)[:, np.newaxis]
    changes = steady.copy()
    for each in spans:
        if each.end is not None:
            seen = see(np.zeros(shape, np.bool_), each.doubtful, each.last + 1, 5)
            after &= seen
            changes &= (seen & ~before).any(axis=-1)
    one_of_more = after & ~before & (variety > 1)[..., np.newaxis]
    likely = np.argwhere(one_of_more | before & changes[..., np.newaxis]).tolist()
    return [(int(variety[w, row]), _SIGN_MASKS[w], int(places[row]), v) for w, row, v in likely]


def _begins(holds: NDArray[np.bool_], spans: Sequence[EpisodeSpan]) -> tuple[int, ...] | None:
    """Return the frames from each end to the first that ``holds``. Return None if the test holds
    before an end, or does not last after one."""
    late = []
    for each in spans:
        if holds[each.first + 2 : each.doubtful].any():
            return None
        if each.end is not None:
            near = holds[each.doubtful : each.last + 1]
            first = int(near.argmax())
            if near[first : first + _LASTS].mean() < 0.9:
                return None
            late.append(each.doubtful + first - each.end)
    return tuple(late)


def _counts_down(span: NDArray[np.int64]) -> bool:
    """Return True if a number comes down to its last value by ones, in two or more steps."""
    if len(span) < 3 or span[0] - span[-1] < 2 or span[-2] - span[-1] != 1:
        return False
    values = np.unique(span)
    return len(values) == values[-1] - values[0] + 1 and bool((np.abs(np.diff(span)) <= 1).all())
