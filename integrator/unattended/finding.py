"""Finds score, lives, level and the end in played episodes, and puts them in words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.integration.auto_report import AutoPart
from integrator.domain.query.pieces import variables_of
from integrator.domain.query.ranges import Recording
from integrator.domain.suggest.counters import records_in
from integrator.domain.suggest.numbers import Number
from integrator.domain.suggest.suggestion import Kind, KindName, Suggestion
from integrator.domain.values.memory import BYTE
from integrator.domain.values.variables import VariableSpec
from integrator.session.session import Session
from integrator.unattended.control import Explorer
from integrator.unattended.play import IDLE_FRAMES, Episode
from integrator.unattended.reaching import Reached
from integrator.unattended.shown import Row, digits_are_seen, number_of

KINDS: Final[tuple[KindName, ...]] = ("score", "lives", "level", "health", "timer")
LIKELY: Final = 0.3  # Least confidence of a variable, because a chance number is worse than none.
_SETTLED: Final = 300  # Frames of an episode before which no other game begins.
_SELDOM: Final = 3600  # A short number with less than one change in this many frames is no score.
_SMALL_BYTES: Final = 256  # Largest memory of which all bytes are tried.
_MOST_SCORES: Final = 32  # In a larger memory, digits are searched for near this many scores.
_ALONE: Final = ((IDLE_FRAMES, 0.7), (3600, 0.4))
"""Times without a press in frames. A number that rises then by this share of its rise in play, or
more, is hardly a score."""
_DOUBTED: Final = 0.3  # Share of its confidence that a doubtful score keeps.

Values = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A likely variable with its values on all frames of the timeline. ``fits``, 0 to 1, says how
    far the number moves as its kind does; ``text`` says what speaks for it. ``row`` has its digits
    on the screen, and ``opponent`` is the number of the other side. ``pays_falls`` is true if a
    fall costs reward. ``blanks`` is true if blank digits are stored as other numbers, so that a
    script has to join the pieces."""

    suggestion: Suggestion
    values: Values
    fits: float
    text: str
    row: Row = ()
    opponent: "Found | None" = None
    pays_falls: bool = False
    blanks: bool = False

    @property
    def confidence(self) -> float:
        return round(self.suggestion.confidence * self.fits, 2)

    @property
    def spec(self) -> tuple[int, str]:
        return self.suggestion.address, str(self.suggestion.type)

    def read(self, captured: NDArray[np.uint8]) -> Values:
        """Return the numbers in captured bytes, uint8 (frames, bytes)."""
        return _decoded(self.suggestion, captured)

    def carries_into(self, wide: "Found") -> bool:
        """Return True if the number falls where a likely wider one rises, as its low bytes do."""
        inside = set(self.suggestion.addresses) < set(wide.suggestion.addresses)
        if not inside or wide.confidence < LIKELY:
            return False
        return bool(((np.diff(self.values) < 0) & (np.diff(wide.values) > 0)).any())

    def named(self, name: str) -> list[VariableSpec]:
        each = self.suggestion
        if each.pieces is not None:
            return variables_of(name, each.pieces, ())
        others = [] if self.opponent is None else self.opponent.named("opponent")
        return [VariableSpec(name, each.address, each.type, each.mask), *others]

    def reward(self, scale: int) -> dict[str, Any]:
        """Return the scenario's reward for a rise; pieces that carry have a penalty as well."""
        if (pieces := self.suggestion.pieces) is None:
            terms = {"score": {"reward": float(scale)}}
            if self.pays_falls:
                terms["score"]["penalty"] = float(scale)
            if self.opponent is not None:
                terms["opponent"] = {"reward": -float(scale)}
            return {"variables": terms}
        worth = [each.weight * scale / pieces.coding.step for each in pieces.pieces]
        pairs = zip(self.named("score"), worth, strict=True)
        return {"variables": {one.name: {"reward": pays, "penalty": pays} for one, pays in pairs}}


class Gathering:
    """Gathers suggestions over several stretches of play. ``idle`` is flat RAM at each second of
    play without a press, uint8 (seconds, bytes). ``rows`` are the numbers that the screen shows."""

    rows: Sequence[Row] = ()

    def __init__(self, session: Session, idle: NDArray[np.uint8]) -> None:
        self._session, self._idle = session, idle
        self._seen: dict[tuple[Kind, int, str], list[Suggestion]] = {}
        self._windows: dict[Kind, int] = dict.fromkeys(KINDS, 0)

    def add(self) -> None:
        """Add the suggestions from the newest two minutes of play."""
        found = self._session.suggest(KINDS)
        for kind in {each.kind for each in found}:
            self._windows[kind] += 1
        for each in found:
            # Only of a score, pieces are worth the terms of a reward or a script.
            if each.pieces is None or each.kind == "score":
                key = each.kind, each.address, str(each.pieces or each.type)
                self._seen.setdefault(key, []).append(each)

    def places(self) -> list[int]:
        """Return logical indexes of bytes that may be digits; in large memory, only near scores."""
        space, near = self._session.memory.space, range(-3, 7)
        if space.size_bytes <= _SMALL_BYTES:
            return list(range(space.size_bytes))
        scores = [
            (-max(each.confidence for each in seen), address)
            for (kind, address, _), seen in self._seen.items()
            if kind == "score"
        ]
        firsts = [space.index_of(address) for _, address in sorted(scores)[:_MOST_SCORES]]
        every = {first + by for first in firsts for by in near}
        return sorted(place for place in every if 0 <= place < space.size_bytes)

    def add_lives(self, found: Sequence[Suggestion]) -> None:
        """Add lives that count down to the ends of episodes."""
        windows = self._windows["lives"] = max(1, self._windows["lives"])
        for each in found:
            self._seen["lives", each.address, str(each.type)] = [each] * windows

    def best(self, kind: Kind, episodes: Sequence[Episode], *, prove: bool = True) -> list[Found]:
        """Return the likeliest variables of a kind, best first; some are proven by pokes."""
        seen = [self._usual(each) for (own, *_), each in self._seen.items() if own == kind]
        found = [self._judged(kind, each, episodes) for each in seen]
        if kind == "score":
            # The last digit of a number that always rises is overwritten before it is drawn.
            read = [set(each.suggestion.addresses) for each in found if each.suggestion.box]
            every = list(self._shown(episodes))
            shown = [e for e in every if not any(set(e.suggestion.addresses) < one for one in read)]
            sides = [(each, each.opponent or each) for each in shown if each.confidence >= LIKELY]
            taken = {at for pair in sides for each in pair for at in each.suggestion.addresses}
            found = [each for each in found if not taken.issuperset(each.suggestion.addresses)]
            found = [each for each in found if not any(map(each.carries_into, found))]
            found = _without_bests([*found, *shown], episodes)
        found.sort(key=lambda each: (-each.confidence, each.spec))
        most = {"score": 3, "lives": 2}.get(kind, 0) if prove else 0
        proven = [each for each in found if each.suggestion.pieces is None][:most]
        numbers = [(each.suggestion.address, each.suggestion.type) for each in proven]
        for each, verdict in zip(
            proven, self._session.prove(numbers) if numbers else (), strict=True
        ):
            at, ruling = found.index(each), str(verdict.ruling)
            # ``fits`` stays, because a proof does not excuse play that is unlike the kind's.
            ruled, text = each.suggestion.proven(ruling), f"{each.text}; proof: {ruling}"
            found[at] = replace(each, suggestion=ruled, text=text)
        return sorted(found, key=lambda each: (-each.confidence, each.spec))[:5]

    def _usual(self, seen: Sequence[Suggestion]) -> Suggestion:
        """Return a number's likeliest suggestion, its confidence averaged with the mean of all.
        Digits that were read on the screen once are as sure in play in which they hardly
        changed."""
        best = max(seen, key=lambda each: each.confidence)
        if best.box is not None:
            return best
        mean = sum(each.confidence for each in seen) / max(1, self._windows[best.kind])
        return replace(best, confidence=(best.confidence + mean) / 2)

    def _judged(self, kind: Kind, best: Suggestion, episodes: Sequence[Episode]) -> Found:
        raw = raw_of(self._session, best.addresses)
        blanks = best.pieces is not None and not best.pieces.are_summed(raw)
        values = _decoded(best, raw)
        spans = steps_of(values, episodes)
        rises, falls = _rises_and_falls(spans)
        fits = 1.0
        text = f"{best.reason}; rises {rises} and falls {falls} times in {len(episodes)} episodes"
        if kind == "score":
            # A press may begin the game again in the middle of an episode.
            again = sum(int(((each < 0) & (each.cumsum() == 0)).sum()) for each in spans)
            fits = rises / (rises + 4 * falls - 3 * again) if rises else 0.0
            if _is_paced(spans):
                fits, text = _DOUBTED * fits, f"{text}, at even pauses as a clock"
            if self._rises_alone(Found(best, values, 1.0, ""), episodes):
                fits, text = _DOUBTED * fits, f"{text}, and also when nothing is pressed"
        elif kind == "lives":
            fits = falls / (falls + rises) if falls else 0.0
            moments = {tuple(np.flatnonzero(each).tolist()) for each in spans}
            if len(spans) > 1 and len(moments) == 1 and len(*moments) > 1:
                fits, text = _DOUBTED * fits, f"{text}, at the same times in each, as a clock"
        return Found(best, values, fits, text, blanks=blanks)

    def _shown(self, episodes: Sequence[Episode]) -> Iterator[Found]:
        """Yield numbers on the screen as scores; two in one font on one line are of two sides. A
        best score on the screen is left out: it is neither the score nor the other side's."""
        numbers: list[Found] = []
        taken: set[int] = set()
        for row in self.rows:
            places = {each.place for each in row}
            number = self._of_row(row, episodes) if taken.isdisjoint(places) else None
            if number is not None:
                numbers.append(number)
                taken |= places
        numbers = _without_bests(numbers, episodes)
        for each in numbers:
            sides = [
                one
                for one in numbers
                if len(one.row) == len(each.row) and one.row[0].is_like(each.row[0])
            ]
            eager = max(sides, key=self._eagerness)
            if len(sides) == 2 and self._eagerness(eager) > 0:
                mine, other = (steps_of(one.values, episodes) for one in (each, eager))
                moves = map(_rises_and_falls, (mine, other))
                is_rising = all(rises >= 16 * falls for rises, falls in moves)
                # Minutes rise only where seconds go back to 0.
                carried = np.concatenate([b[a > 0] < 0 for a, b in zip(mine, other, strict=True)])
                is_clock = _is_paced(other) and carried.size > 0 and bool(carried.all())
                # The opponent's number by itself is no score.
                if eager is not each and not is_clock and is_rising:
                    yield self._against(each, eager)
            elif len(each.row) > 1:
                yield each

    def _against(self, mine: Found, opponent: Found) -> Found:
        sure = 0.6 if self._eagerness(mine) else 0.9
        # If one of them never changes, they may be other numbers in the same font.
        sure = sure if np.ptp(mine.values) else 0.35
        text = f"{mine.text}; the other side's number, or that of misses, rises without a press"
        suggestion = replace(mine.suggestion, confidence=sure)
        return replace(mine, suggestion=suggestion, fits=0.9, text=text, opponent=opponent)

    def _eagerness(self, each: Found) -> float:
        """Return the number of rises without a press, divided by the number in play plus 1."""
        offsets = offsets_of(self._session, each.suggestion.addresses)
        alone = np.diff(each.read(self._idle[:, offsets]))
        return max(0, int(np.sign(alone).sum())) / (1 + int((np.diff(each.values) > 0).sum()))

    def _of_row(self, row: Row, episodes: Sequence[Episode]) -> Found | None:
        """Return a number on the screen as a score, or None if its bytes are no digits in play."""
        space = self._session.memory.space
        if (number := number_of(row, space)) is None:
            return None
        address, kind, pieces = number
        raw = raw_of(self._session, [space.address_of(each.place) for each in row])
        if len(row) == 1 and raw.max() < 100 and (raw & 15).max() > 9:
            kind = BYTE  # The other digit is a blank.
        elif len(row) > 1 and not digits_are_seen(row, raw):
            return None
        # A number of few digits may count lives, or be a clock.
        sure, is_long = {1: 0.6, 2: 0.8, 3: 0.93}.get(len(row), 0.97), len(row) > 3
        text = f"each of its {len(row)} digits is drawn when it is written into memory"
        suggestion = Suggestion("score", address, kind, sure, text, pieces=pieces)
        made = replace(self._judged("score", suggestion, episodes), row=row)
        played = [made.values[each.first + 1 : each.doubtful] for each in episodes]
        spans = [np.diff(each) for each in played]
        rises, falls = _rises_and_falls(spans)
        # A number of two digits that hardly moves counts rounds or players.
        seldom = sum(map(len, spans)) // _SELDOM if len(row) < 3 else 0
        if rises + falls <= seldom:
            # A label in tiles also looks like digits, but a score that has not moved yet is 0.
            is_zero = not any(each.any() for each in played)
            return replace(made, fits=0.5 if is_long and is_zero else 0.1)
        if is_long and falls > rises / 4 and not _is_paced([-each for each in spans]):
            return replace(made, fits=0.5, pays_falls=True)
        return made

    def _rises_alone(self, each: Found, episodes: Sequence[Episode]) -> bool:
        """Return True if a number also rises without a press, for some share of its rise in play.
        Pieces that fall and waves that come are counted so, but more slowly than in play."""
        alone = each.read(self._idle[:, offsets_of(self._session, each.suggestion.addresses)])
        begun = each.values[episodes[0].first]
        waited = np.maximum(0, np.diff(alone, prepend=begun)).cumsum()
        for frames, share in _ALONE:
            lasting = [one.first for one in episodes if one.stop - one.first > frames]
            played = [np.diff(each.values[at + 1 : at + frames + 1]) for at in lasting]
            gains = [int(np.maximum(0, steps).sum()) for steps in played]
            gain = int(waited[min(len(waited), frames // 60) - 1])
            if gains and gain > 0 and gain >= share * float(np.mean(gains)):
                return True
        return False


def steps_of(values: Values, episodes: Sequence[Episode]) -> list[Values]:
    return [np.diff(values[each.first + 1 : each.stop]) for each in episodes]


def _rises_and_falls(spans: Sequence[Values]) -> tuple[int, int]:
    rises, falls = (sum(int((sign * each > 0).sum()) for each in spans) for sign in (1, -1))
    return rises, falls


def _without_bests(numbers: Sequence[Found], episodes: Sequence[Episode]) -> list[Found]:
    """Return numbers without those that keep the highest value of another one. A number on the
    screen that never moves may be a best that was not beaten yet."""
    steady = np.zeros(max((len(each.values) for each in numbers), default=0), np.bool_)
    for one in episodes:
        steady[one.first + 2 : one.stop] = True
    moved = [each for each in numbers if np.ptp(each.values)]
    kept = [Number(0, each.suggestion.type, each.values, steady) for each in moved]
    left = [each for each, is_best in zip(moved, records_in(kept), strict=True) if not is_best]
    for each in numbers:
        alike = (other for other in moved if len(other.row) == len(each.row) > 0)
        if each not in moved and all(other.values.max() > each.values[0] for other in alike):
            left.append(each)
    return left


def _is_paced(spans: Sequence[Values]) -> bool:
    """Return True if a number rises at an even pace; ``spans`` are its steps in episodes."""
    pauses = np.concatenate([np.diff(np.flatnonzero(each > 0)) for each in spans])
    if len(pauses) < 8:
        return False
    usual = float(np.median(pauses))
    even = np.abs(pauses - usual) <= 1
    # A bonus that is counted up on the screen rises at an even pace as well, but much faster.
    return bool(usual >= 10 and even.sum() >= 8 and even.mean() >= 0.8)


def recording_of(session: Session) -> Recording:
    return Recording(session.memory.space, session.timeline.log.history())


def offsets_of(session: Session, addresses: Sequence[int]) -> list[int]:
    return [session.memory.space.offset(each) for each in addresses]


def raw_of(session: Session, addresses: Sequence[int]) -> NDArray[np.uint8]:
    """Return bytes on all frames played, uint8 (frames + 1, bytes)."""
    return session.timeline.log.ram_ranges([(at, 1) for at in offsets_of(session, addresses)], 0)


def values_of(session: Session, each: Suggestion) -> Values:
    """Return the number, as data.json reads it, on all frames played, int64 (frames + 1,)."""
    return _decoded(each, raw_of(session, each.addresses))


def _decoded(each: Suggestion, captured: NDArray[np.uint8]) -> Values:
    return each.numbers(captured) * (1 if each.mask is None else each.mask & -each.mask)


def cut_at_restarts(episode: Episode, number: Found) -> list[Episode]:
    """Return the games of an episode; one begins where score or lives jump to the first value."""
    values = number.values[episode.first + 1 : episode.stop]
    one = 1 if (mask := number.suggestion.mask) is None else mask & -mask
    if number.suggestion.kind == "score":
        back = (values[1:] < values[:-1]) & (values[1:] <= values[0])
    else:
        back = (values[1:] > values[:-1] + one) & (values[1:] >= values[0] - one)
    games, rest = [], episode
    for row in (np.flatnonzero(back) + 1).tolist():
        at = episode.first + row
        # Games may set their numbers in the first seconds.
        if at > rest.first + _SETTLED:
            games.append(replace(rest, last=at, end=at, restarted=True))
            rest = replace(episode, first=at, inputs=rest.inputs[at - rest.first :])
    return [*games, rest]


def start_part(name: str, start: Reached, console: Explorer, found: Sequence[float]) -> AutoPart:
    """Return the report on the start state.

    ``found`` are the confidences of score, lives and end. A menu, too, has bytes that look a little
    like them, so that only likely ones show that the start is play."""
    masks = filter(None, dict.fromkeys(start.inputs[:, 0].tolist()))
    names = [console.buttons[int(mask).bit_length() - 1] or "" for mask in masks]
    is_play = max(found, default=0.0) >= LIKELY
    sure = min(1.0, start.situations / 8) * (0.95 if is_play else 0.7)
    pressed = f"after {' and '.join(names)}" if names else "without a press"
    value = f"{name}: frame {len(start.inputs)} from power-on, {pressed}"
    ways = "a button" if start.look.one_button else "opposite directions"
    evidence = [f"{ways} gave {start.situations} of 8 different pictures", start.again]
    if console.has_menus and not console.moves(start.state):
        sure /= 2
        evidence.append("holding a direction does no more than a tap, as in a menu")
    return AutoPart(value, round(sure, 2), tuple(evidence), (1,))


def number_part(name: str, found: Sequence[Found], movie: Episode, scale: int = 1) -> AutoPart:
    """Return the report on a variable: the frames of the movie with a change, and runners-up."""
    if not found:
        return AutoPart("none found", 0.0)
    best = found[0]
    values = best.values[movie.first : movie.last + 1]
    changes = np.flatnonzero(np.diff(values)) + 2
    second = found[1].confidence if len(found) > 1 else 0.0
    # Two numbers that are alike may be an original and its copy, which only a proof decides.
    sure = best.confidence if best.suggestion.ruling == "original" else best.confidence * 0.9
    sure *= 1 - 0.2 * (second / best.confidence if best.confidence else 0)
    choices = tuple(
        {
            "value": str(
                each.suggestion.pieces or f"{each.suggestion.type} at 0x{each.suggestion.address:X}"
            ),
            "confidence": each.confidence,
            "variables": as_json(each.named(name)),
        }
        | ({"reward": each.reward(scale)} if name == "score" else {})
        for each in found
    )
    unit = f", times {scale}" if scale != 1 else ""
    value, frames = f"{choices[0]['value']}{unit}", tuple(changes[:8].tolist())
    return AutoPart(value, round(sure, 2), (best.text,), frames, choices)


def as_json(specs: Iterable[VariableSpec]) -> dict[str, Any]:
    return {
        spec.name: {"address": spec.address, "type": spec.type.spec}
        | ({} if spec.mask is None else {"mask": spec.mask})
        for spec in specs
    }
