"""Finds the variables behind a box on the screen, in a core that runs recorded play again."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.query.rank import Match
from integrator.domain.suggest import pointing
from integrator.domain.suggest.grids import shapes_of
from integrator.domain.suggest.numbers import Number
from integrator.domain.suggest.play import Play
from integrator.domain.suggest.pointing import Explanation, Samples, Span
from integrator.domain.suggest.screen import ScreenNumber, StripTable
from integrator.domain.suggest.solving import read_play
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.sweep.readings import PLAIN
from integrator.domain.values.memory import AddressSpace
from integrator.session.suggestions.recorded_play import Box, Cancelled, RecordedPlay
from integrator.session.suggestions.suggesting import play_of, repeats, rows_left_out, with_pictures
from libretro_host.host import CapturePlan, CoreHost

_EVERY: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    """A state in which the box shows a number, and pictures of the box some frames later."""

    state: bytes
    ram: NDArray[np.uint8]
    pictures: frozenset[bytes]


class PokeTrial:
    """Pokes numbers in states of recorded play. The host is left at any frame."""

    def __init__(
        self,
        host: CoreHost,
        space: AddressSpace,
        box: Box,
        samples: Samples,
        states: Sequence[bytes],
        ports: int,
    ) -> None:
        self._host, self._space, self._box = host, space, box
        # Within 4 frames, a game has drawn a number that was poked.
        self._idle = np.zeros((4, ports), np.uint16)
        self._fresh = bool(states) and not repeats(host, states[len(states) // 2], ports)
        self._rows = samples.rows
        self._shapes = [_shape(crop) for crop in samples.crops]
        known = set(self._shapes)
        self._moments: list[_Moment] = []
        # Try moments far from each other first, because they show different numbers.
        for state in (each for begin in range(_EVERY) for each in states[begin::_EVERY]):
            if len(self._moments) == 5:  # enough to decide
                break
            host.unserialize(state, self._fresh)
            ram = host.read_ram()
            if (pictures := self._pictures_after(state, {})) & known:
                self._moments.append(_Moment(state, ram, pictures))

    def shows(self, play: Play, number: Number) -> int:
        """Return 2 if the box shows poked values as it did in play, 1 for some of them, else 0."""
        offsets = self._space.offsets(self._space.address_of(number.place), number.type.width)
        columns = [play.column(number.place + k)[self._rows] for k in range(len(offsets))]
        values = [bytes(row) for row in np.stack(columns, axis=-1)]
        looks: dict[bytes, set[bytes]] = {}
        for value, shape in zip(values, self._shapes, strict=True):
            looks.setdefault(value, set()).add(shape)
        shown = 0
        for turn, moment in enumerate(self._moments):
            value = bytes(moment.ram[offsets])
            others = [each for each in looks if each != value]
            if others:
                other = others[turn % len(others)]
                # A picture that other values have, too, such as a title, says nothing.
                own = looks[other] - looks.get(value, set()) - moment.pictures
                poked = dict(zip(offsets.tolist(), other, strict=True))
                shown += bool(own & self._pictures_after(moment.state, poked))
        # Not all moments need agree, because the game may draw the number later, or not at all.
        return sum(0 < share * len(self._moments) <= shown for share in (0.3, 0.8))

    def _pictures_after(self, state: bytes, poked: dict[int, int]) -> frozenset[bytes]:
        self._host.unserialize(state, self._fresh)
        for offset, byte in poked.items():
            self._host.write_ram(offset, bytes([byte]))
        pictures = self._host.run(self._idle, CapturePlan(picture=False, picture_every=1)).pictures
        # Compare two pictures, because games with too many sprites show them in turn.
        crops = (self._box.cut_around(frame, 1) for frame in pictures[-2:])
        return frozenset(_shape(crop[1:-1]) for crop in crops if crop is not None)


def _shape(crop: NDArray[np.uint32]) -> bytes:
    return shapes_of(crop[np.newaxis]).tobytes()


_AROUND: Final = 5  # pixels of margin around the box, which people draw a few pixels off


@dataclass(frozen=True, slots=True)
class Pointed:
    """Numbers that explain a box, best first; ``lead`` is the first one's lead in bits."""

    suggestions: tuple[Suggestion, ...]
    pictures: int
    lead: float

    @property
    def enough(self) -> bool:
        """False if play must go on until more digits are seen."""
        # With 4 bits, the next number is 16 times less likely.
        return self.pictures >= 4 and self.lead >= 4.0


@dataclass(frozen=True, slots=True)
class PointedMatch(Match):
    """A number that explains a box. ``confidence`` is 0 to 1; ``reason`` says why, in words."""

    confidence: float = 0.0
    reason: str = ""


class PointRun:
    """Finds numbers that explain a box, on all frames or only on ``frames``."""

    def __init__(
        self, recorded: RecordedPlay, box: Box, frames: Collection[int] | None = None
    ) -> None:
        self._recorded = recorded
        self._box = box
        self._frames = None if frames is None else frozenset(frames)
        self._limits = Span(0, 0, 0, 0)
        self._seen, self._strips = dict[int, NDArray[np.uint16]](), StripTable()

    def run(self, host: CoreHost, cancelled: Cancelled = lambda: False) -> list[PointedMatch]:
        """Return matches, best first; leave the host at the play's end.

        Raises SearchError, HostError."""
        return [
            PointedMatch(
                each.address, each.type, PLAIN, None, confidence=each.confidence, reason=each.reason
            )
            for each in self.look(host, cancelled).suggestions
        ]

    def look(self, host: CoreHost, cancelled: Cancelled = lambda: False) -> Pointed:
        """Do as :meth:`run`, but return suggestions with their reasons."""
        found, pictures, lead = self._explained(host, cancelled)
        suggestions = []
        for rank, each in enumerate(found):
            reason = f"each of {pictures} pictures of the box is one number"
            if each.cells:
                cells = "one digit" if each.cells == 1 else f"{each.cells} digits"
                reason += f"; {cells} told apart"
            sure = min(pictures / 8, 1.0) * (0.9 if each.cells else 0.6) * 0.8**rank
            number, address = each.number, self._recorded.space.address_of(each.number.place)
            steps = np.diff(number.values)
            steps = steps[steps != 0]
            # Guess the kind by the way the number moves: lives are few, and seldom lost.
            kind = "timer"
            if (steps < 0).sum() <= len(steps) / 2:
                kind = "score"
            elif number.values.max() <= 9 and len(steps) <= 9:
                kind = "lives"
            suggestions.append(Suggestion(kind, address, number.type, round(sure, 2), reason))
        return Pointed(tuple(suggestions), pictures, lead)

    def _explained(
        self, host: CoreHost, cancelled: Cancelled
    ) -> tuple[list[Explanation], int, float]:
        """Return numbers, the count of pictures, and the lead. Numbers that the box shows when they
        are poked come first."""
        states: list[bytes] = []
        samples, box = self.samples(host, states, cancelled)
        play, end = play_of(self._recorded), host.serialize()
        looked = with_pictures(play, self._seen, self._strips, rows_left_out(self._recorded))
        listed = 50  # most explanations to try by pokes
        found = pointing.explain(play, samples, self._in_box(read_play(looked)))[:listed]
        ports = self._recorded.inputs.shape[1]
        trial = PokeTrial(host, self._recorded.space, box, samples, states, ports)
        shown: list[int] = []
        sure: set[bytes] = set()
        for each in found:
            key = course_of(each.number.values[samples.rows])
            # If one number is surely shown, others that move alike need no poke.
            stop = key in sure or cancelled()
            shown.append(0 if stop else trial.shows(play, each.number))
            if shown[-1] == 2:  # the box surely shows this number
                sure.add(key)
        host.unserialize(end)
        ordered = by_pokes(found, shown, samples.rows)
        return ordered, samples.pictures, lead_of(ordered, found, shown, samples.rows)

    def _in_box(self, numbers: Sequence[ScreenNumber]) -> list[ScreenNumber]:
        """Return the number on the screen that the box was most likely drawn around, if any."""
        if self._frames is not None:
            return []
        box, shared = self._box, []
        for each in numbers:
            wide = min(box.x + box.width, each.x + each.width) - max(box.x, each.x)
            high = min(box.y + box.height, each.y + each.height) - max(box.y, each.y)
            if wide > 0 and high > each.height // 3:
                # People draw boxes a few pixels off, or leave out a digit.
                shared.append((wide / min(box.width, each.width), each))
        shared.sort(key=lambda pair: -pair[0])
        return [each for share, each in shared[:1] if share >= 0.5]  # half of the narrower one

    def samples(
        self, host: CoreHost, states: list[bytes], cancelled: Cancelled
    ) -> tuple[Samples, Box]:
        """Return pictures of the resting box, and the box fitted to its number.

        Raises SearchError."""
        box, skipped = self._box, rows_left_out(self._recorded)
        rows: list[int] = []
        crops: list[NDArray[np.uint32]] = []
        for frame, crop in self._rests(host, states, cancelled):
            row = frame - self._recorded.first - skipped
            if row >= 0 and (self._frames is None or frame in self._frames):
                rows.append(row)
                crops.append(crop)
        looks = len({_inside(crop).tobytes() for crop in crops})
        if looks < 2:
            cure = "draw it round a number, and play on until other numbers were seen"
            raise SearchError(f"the box on the screen rested with only one number in it: {cure}")
        most = 800  # samples, from all over the play
        chosen = np.unique(np.linspace(0, len(rows) - 1, most).astype(np.intp))
        pixels = np.stack(crops)[chosen]
        drawn = Span(_AROUND, _AROUND + box.height, _AROUND, _AROUND + box.width)
        span = pointing.snapped(pixels, drawn, self._limits)
        shown = pixels[:, span.top : span.bottom, span.left - 1 : span.right + 1]
        left, top = box.x - _AROUND + span.left, box.y - _AROUND + span.top
        box = Box(left, top, span.right - span.left, span.bottom - span.top)
        return Samples(np.array(rows, np.intp)[chosen], shown), box

    def _rests(
        self, host: CoreHost, states: list[bytes], cancelled: Cancelled
    ) -> Iterator[tuple[int, NDArray[np.uint32]]]:
        """Yield two moments of each rest of the box: their frame, and the pixels around the box."""

        def crops() -> Iterator[tuple[int, NDArray[np.uint32]]]:
            for number, frame in self._recorded.pictures(host, 2, cancelled, states):
                self._seen[number - self._recorded.first] = self._strips.strips_of(frame.words)
                crop = self._box.cut_around(frame, _AROUND)
                if crop is not None:
                    self._limits = self._box.limits_around(frame, _AROUND)
                    yield number, crop

        for _, group in groupby(crops(), key=lambda each: _inside(each[1]).tobytes()):
            run = list(group)
            # Memory and screen are sure to agree only while the box does not change.
            if len(run) >= 4:
                # A byte that changes while the box rests differs between the two moments.
                yield run[len(run) // 3]
                yield run[len(run) - 1 - len(run) // 3]


def _inside(crop: NDArray[np.uint32]) -> NDArray[np.uint32]:
    return crop[_AROUND:-_AROUND, _AROUND - 1 : 1 - _AROUND]


def by_pokes(
    found: Sequence[Explanation], shown: Sequence[int], rows: NDArray[np.intp]
) -> list[Explanation]:
    """Sort numbers by the results of pokes, which numbers that move alike have in common."""
    best: dict[bytes, tuple[int, int]] = {}
    keys = [course_of(each.number.values[rows]) for each in found]
    spans = [(each.number.place, each.number.place + each.number.type.width) for each in found]
    for rank, (key, (start, stop)) in enumerate(zip(keys, spans, strict=True)):
        # A poke cannot decide between two readings of a byte, so they share their result.
        touching = zip(spans, shown, strict=True)
        level = max(each for (begin, end), each in touching if start < end and begin < stop)
        most, first = best.get(key, (0, rank))
        best[key] = max(most, level), first
    order = sorted(range(len(found)), key=lambda k: (-best[keys[k]][0], best[keys[k]][1], k))
    return [found[k] for k in order]


def course_of(values: NDArray[np.int64]) -> bytes:
    """Return a key of the number's steps, equal for numbers that differ by a factor only."""
    steps = np.diff(values)
    return (steps // max(1, int(np.gcd.reduce(steps)))).tobytes()


def lead_of(
    ordered: Sequence[Explanation],
    found: Sequence[Explanation],
    shown: Sequence[int],
    rows: NDArray[np.intp],
) -> float:
    """Return the lead, in bits, of the best number over the best one that moves otherwise."""
    bits: dict[bytes, float] = {}
    for each, level in zip(found, shown, strict=True):
        key = course_of(each.number.values[rows])
        # A poked number that the box shows is hardly a coincidence.
        bits[key] = max(bits.get(key, -np.inf), each.bits + 6.0 * level)
    if not ordered:
        return 0.0
    best = bits.pop(course_of(ordered[0].number.values[rows]))
    return best - max(bits.values(), default=0.0)
