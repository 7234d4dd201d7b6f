"""Finds score, lives, level and the end in played episodes, and puts them in words."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.marks import EndCondition, EndTest
from integrator.domain.integration.auto_report import AutoPart
from integrator.domain.scenario.tree import OPS, Condition, Measurement, TestSpec
from integrator.domain.suggest.suggestion import Kind, KindName, Suggestion
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.commands import add_done, name_bytes
from integrator.session.session import Session
from integrator.unattended.play import IDLE_FRAMES, Episode, Reached

KINDS: Final[tuple[KindName, ...]] = ("score", "lives", "level", "health", "timer")
LIKELY: Final = 0.3  # the least confidence of a number that is named
_NEAR_END: Final = 360  # frames round an end, where its number reaches its last value
_DOUBTED: Final = 0.3  # the share of its confidence that a score keeps that may be none

Values = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A likely variable with its values on all frames of the timeline.

    ``fits``, 0 to 1, is how much of its play is as its kind's; ``text`` says what speaks for it.
    """

    suggestion: Suggestion
    values: Values
    fits: float
    text: str

    @property
    def confidence(self) -> float:
        return round(self.suggestion.confidence * self.fits, 2)

    @property
    def spec(self) -> tuple[int, str]:
        return self.suggestion.address, str(self.suggestion.type)

    def named(self, name: str) -> VariableSpec:
        each = self.suggestion
        return VariableSpec(name, each.address, each.type, each.mask)


class Gathering:
    """Gathers suggestions over several stretches of play.

    ``idle`` is the flat RAM after ``IDLE_FRAMES`` without a press from the start on.
    """

    def __init__(self, session: Session, idle: NDArray[np.uint8]) -> None:
        self._session, self._idle = session, idle
        self._seen: dict[tuple[Kind, int, str], list[Suggestion]] = {}
        self._windows: dict[Kind, int] = dict.fromkeys(KINDS, 0)

    def add(self) -> None:
        """Take in the suggestions of the newest two minutes."""
        found = self._session.suggest(KINDS)
        for kind in {each.kind for each in found}:
            self._windows[kind] += 1
        for each in found:
            self._seen.setdefault((each.kind, each.address, str(each.type)), []).append(each)

    def add_lives(self, episodes: Sequence[Episode]) -> None:
        """Take in the numbers that count down to the ends of episodes."""
        windows = self._windows["lives"] = max(1, self._windows["lives"])
        for each in counted_down(self._session, episodes):
            self._seen["lives", each.address, str(each.type)] = [each] * windows

    def best(self, kind: Kind, episodes: Sequence[Episode], *, prove: bool = True) -> list[Found]:
        """The likeliest variables of a kind, best first; some are proven by pokes."""
        seen = [each for (own, *_), each in self._seen.items() if own == kind]
        found = [self._judged(kind, each, episodes) for each in seen]
        found.sort(key=lambda each: (-each.confidence, each.spec))
        proven = found[: {"score": 3, "lives": 2}.get(kind, 0)] if prove else []
        numbers = [(each.suggestion.address, each.suggestion.type) for each in proven]
        for at, verdict in enumerate(self._session.prove(numbers) if numbers else ()):
            each, ruling = found[at], str(verdict.ruling)
            # A proof says nothing against play that is unlike the kind's.
            ruled, text = each.suggestion.proven(ruling), f"{each.text}; proof: {ruling}"
            found[at] = replace(each, suggestion=ruled, text=text)
        return sorted(found, key=lambda each: (-each.confidence, each.spec))[:5]

    def _judged(self, kind: Kind, seen: Sequence[Suggestion], episodes: Sequence[Episode]) -> Found:
        best = max(seen, key=lambda each: each.confidence)
        values = values_of(self._session, best)
        mean = sum(each.confidence for each in seen) / max(1, self._windows[kind])
        best = replace(best, confidence=(best.confidence + mean) / 2)
        spans = [np.diff(values[each.first + 1 : each.stop]) for each in episodes]
        steps = np.concatenate([*spans, values[:0]])
        rises, falls = int((steps > 0).sum()), int((steps < 0).sum())
        fits = 1.0
        text = f"{best.reason}; rises {rises} and falls {falls} times in {len(episodes)} episodes"
        if kind == "score":
            fits = rises / (rises + 4 * falls) if rises else 0.0
            if _is_paced(spans):
                fits, text = _DOUBTED * fits, f"{text}, at even pauses as a clock"
            if self._rises_alone(best, values, episodes):
                fits, text = _DOUBTED * fits, f"{text}, and as much when nothing is pressed"
        elif kind == "lives":
            fits = falls / (falls + rises) if falls else 0.0
        return Found(best, values, fits, text)

    def _rises_alone(self, each: Suggestion, values: Values, episodes: Sequence[Episode]) -> bool:
        """True when a number rises without a press by 70 % or more of its mean rise in play."""
        begun = int(values[episodes[0].first])
        lasting = [one.first for one in episodes if one.stop - one.first > IDLE_FRAMES]
        gains = [int(values[first + IDLE_FRAMES]) - begun for first in lasting]
        offsets = self._session.memory.space.offsets(each.address, each.type.width)
        gain = int(_decoded(each, self._idle[np.newaxis, offsets])[0]) - begun
        return bool(gains) and gain > 0 and gain >= 0.7 * float(np.mean(gains))


def _is_paced(spans: Sequence[Values]) -> bool:
    """True when a number rises at even pauses; ``spans`` are its steps on frames of episodes."""
    pauses = np.concatenate([np.diff(np.flatnonzero(each > 0)) for each in spans])
    if len(pauses) < 8:
        return False
    usual = float(np.median(pauses))
    even = np.abs(pauses - usual) <= 1
    # A bonus that is counted on the screen rises on each second frame or so.
    return bool(usual >= 10 and even.sum() >= 8 and even.mean() >= 0.8)


def values_of(session: Session, each: Suggestion) -> Values:
    """The number on all frames of the timeline: int64 (frames + 1,)."""
    log = session.timeline.log
    offsets = session.memory.space.offsets(each.address, each.type.width)
    return _decoded(each, log.ram_ranges([(int(offset), 1) for offset in offsets], 0))


def _decoded(each: Suggestion, captured: NDArray[np.uint8]) -> Values:
    values = each.type.decode_array(captured)
    if each.mask is not None:
        values = (values & each.mask) // (each.mask & -each.mask)
    return values


def counted_down(session: Session, episodes: Sequence[Episode]) -> list[Suggestion]:
    """Bytes that fall by one a few times, as often before the end of each episode."""
    ended = [each for each in episodes if each.end is not None]
    log, space = session.timeline.log, session.memory.space
    every = 30  # frames between two looks
    falls, lasts, lags = [], [], []
    for each in ended if len(ended) > 1 else ():
        # In the first second a game may still set its numbers.
        before = first = space.logical(log.ram(each.first + 60))
        fell, last = np.zeros(len(before), np.int64), np.zeros(len(before), np.int64)
        steady = np.ones(len(before), np.bool_)
        for frame in range(each.first + 60 + every, each.stop, every):
            now = space.logical(log.ram(frame))
            steady &= (now == before) | (now == before - 1)
            falls_now = steady & (now != before)
            fell += falls_now
            last[falls_now] = frame
            before = now
        falls.append(fell)
        lasts.append(last - each.first)
        lags.append(each.stop - last)
    if not falls:
        return []
    count, lag = falls[0], np.array(lags)
    fits = (count > 1) & (count < 10) & (np.array(falls) == count).all(axis=0)
    fits &= lag.min(axis=0) <= 3 * _NEAR_END
    fits &= np.ptp(np.array(lasts), axis=0) > 2 * every  # and no clock
    found = np.flatnonzero(fits)
    sure = 0.9 if len(found) <= 4 else 0.5
    return [
        Suggestion(
            "lives",
            space.address_of(int(place)),
            DataType.parse("|i1" if count[place] > first[place] else "|u1"),
            sure,
            f"falls by 1, {count[place]} times, before each of {len(ended)} ends",
        )
        for place in found[:8]
    ]


def cut_at_restart(episode: Episode, number: Found) -> Episode:
    """The episode up to a jump of score or lives back to the first value: another game began."""
    values = number.values[episode.first + 1 : episode.stop]
    if number.suggestion.kind == "score":
        back = (values[1:] < values[:-1]) & (values[1:] <= values[0])
    else:
        back = (values[1:] > values[:-1] + 1) & (values[1:] >= values[0])
    rows = np.flatnonzero(back) + 1
    if not len(rows):
        return episode
    return replace(episode, end=episode.first + int(rows[0]), restarted=True)


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """A done condition with its confidence and its evidence in words."""

    condition: EndCondition
    confidence: float
    text: str


def find_end(
    session: Session, episodes: Sequence[Episode], score: Found | None, lives: Sequence[Found]
) -> list[Ending]:
    """Done conditions, best first: by lives that run out, and those mined from the ends."""
    likely = [each for each in lives if each.confidence >= 0.15]
    found = list(filter(None, (_by_lives(each, episodes, score) for each in likely)))
    ended = [each for each in episodes if each.end is not None]
    if lives and lives[0].confidence >= 0.6:
        # Control may be lost for a while with lives left.
        lasts = [int(lives[0].values[each.first + 1 : each.stop].min()) for each in ended]
        at_least = [each for each, last in zip(ended, lasts, strict=True) if last == min(lasts)]
        ended = at_least if len(at_least) > 1 else ended
    if ended:
        run = session.ends_run([each.end for each in ended if each.end is not None])
        # A number by its name counts for more than another byte.
        is_likely = bool(lives) and lives[0].confidence >= LIKELY
        named = {"lives": lives[0].named("lives")} if is_likely else {}
        for rank, condition in enumerate(replace(run, specs=named).run()[:4]):
            confidence = (0.75 if condition.exact else 0.4) * (1 - 0.5 ** len(ended)) * 0.8**rank
            alarms = len(condition.false_alarms)
            text = f"holds at {len(ended)} ends that were seen, {alarms} false alarms"
            found.append(Ending(condition, round(confidence, 2), text))
    return sorted(found, key=lambda each: -each.confidence)


def _by_lives(lives: Found, episodes: Sequence[Episode], score: Found | None) -> Ending | None:
    """The test that the last life is lost; None where play goes on with the least value."""
    values = lives.values
    least = min(int(values[each.first + 1 : each.stop].min()) for each in episodes)
    reached = shown = earned = earned_later = frames = frames_later = 0
    lags: list[int] = []  # from the last life to ends that no new game showed
    for each in episodes:
        span = values[each.first + 1 : each.stop]
        at = np.flatnonzero(span == least)
        if not len(at) or span[0] == least:
            continue
        reached += 1
        first = int(at[0])
        shown += each.restarted
        if each.end is not None and not each.restarted:
            lags.append(len(span) - first)
        if score is not None:
            rises = np.flatnonzero(np.diff(score.values[each.first + 1 : each.stop]) > 0)
            earned += int((rises < first).sum())
            frames += first
            # Earlier points may be a bonus of the life before.
            earned_later += int((rises > first + 90).sum())
            frames_later += max(0, len(span) - first - 90)
    # Some buttons do something when the game is over, but pay nothing, where four payments would
    # have come at the pace of before.
    is_over = earned * frames_later >= 4 * frames > 0
    is_even = len(lags) > 1 and max(lags) - min(lags) <= _NEAR_END
    goes_on = any(lag > _NEAR_END for lag in lags) and not (is_over or is_even)
    if not reached or earned_later or goes_on:
        return None
    near = sum(is_over or lag <= 3 * _NEAR_END for lag in lags) + shown
    ended = sum(each.end is not None for each in episodes)
    agrees = (near + 1) / (ended + 1) if ended else 0.6
    confidence = min(0.95, lives.confidence * 0.5 + 0.5 * agrees * (1 - 0.5**reached))
    test = TestSpec("lives", Measurement.ABSOLUTE, OPS["zero" if least == 0 else "equal"], least)
    number = lives.suggestion
    condition = EndCondition((EndTest(test, number.address, number.type),), Condition.ANY, (), ())
    text = f"lives reach {least} in {reached} episodes, {near} of them at an end that was seen"
    return Ending(condition, round(confidence, 2), text)


def start_part(
    name: str, start: Reached, buttons: Sequence[str | None], *, played: bool
) -> AutoPart:
    """The start state; ``played``: a score or an end was seen from there."""
    masks = filter(None, dict.fromkeys(start.inputs[:, 0].tolist()))
    names = [buttons[int(mask).bit_length() - 1] or "" for mask in masks]
    sure = min(1.0, start.situations / 8) * (0.95 if played else 0.7)
    pressed = f"after {' and '.join(names)}" if names else "without a press"
    value = f"{name}: frame {len(start.inputs)} from power-on, {pressed}"
    evidence = f"opposite directions gave {start.situations} of 8 different pictures"
    return AutoPart(value, round(sure, 2), (evidence, start.again), (1,))


def number_part(name: str, found: Sequence[Found], movie: Episode, unit: str = "") -> AutoPart:
    """A variable with the frames of the movie at which it changes, and its runners-up."""
    if not found:
        return AutoPart("none found", 0.0)
    best = found[0]
    values = best.values[movie.first : movie.last + 1]
    changes = np.flatnonzero(np.diff(values)) + 2
    second = found[1].confidence if len(found) > 1 else 0.0
    # Two that are alike are one number and its copy, but nobody has said which.
    sure = best.confidence if best.suggestion.ruling == "original" else best.confidence * 0.9
    sure *= 1 - 0.2 * (second / best.confidence if best.confidence else 0)
    choices = tuple(
        {
            "value": f"{each.suggestion.type} at 0x{each.suggestion.address:X}",
            "confidence": each.confidence,
            "variables": _as_json([each.named(name)]),
        }
        for each in found
    )
    value, frames = f"{choices[0]['value']}{unit}", tuple(changes[:8].tolist())
    return AutoPart(value, round(sure, 2), (best.text,), frames, choices)


def _as_json(specs: Iterable[VariableSpec]) -> dict[str, Any]:
    """Variables as data.json has them."""
    return {
        spec.name: {"address": spec.address, "type": spec.type.spec}
        | ({} if spec.mask is None else {"mask": spec.mask})
        for spec in specs
    }


def done_part(ends: Sequence[Ending], movie: Episode, taken: Collection[str]) -> AutoPart:
    """The done condition with its runners-up; ``taken`` are names of other variables."""
    if not ends:
        return AutoPart("none found", 0.0)
    choices = []
    for each in ends[:4]:
        named = name_bytes(each.condition, taken)
        root: dict[str, Any] = {}
        add_done(root, [(test.spec.name, test.spec) for test in named.tests], named.condition)
        made = [VariableSpec(test.spec.name, test.address, test.type) for test in named.tests]
        new = _as_json([spec for spec in made if spec.name not in taken])
        choice = {"value": str(each.condition), "confidence": each.confidence, "variables": new}
        choices.append(choice | {"done": root["done"]})
    best = ends[0]
    frames = () if movie.end is None else (movie.end - movie.first + 1,)
    value, evidence = str(best.condition), (best.text,)
    return AutoPart(value, best.confidence, evidence, frames, tuple(choices))
