"""Finds the end of episodes: numbers that mark the ends that were seen, and lives that run out."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.ends.marks import EndCondition, EndTest
from integrator.domain.ends.signs import SIGN_BIT, EndSign, end_signs, ends_by_rest, lives_again
from integrator.domain.integration.auto_report import AutoPart
from integrator.domain.scenario.tree import OPS, Condition, Measurement, TestSpec
from integrator.domain.suggest.suggestion import Suggestion
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.commands import add_done, name_bytes
from integrator.session.session import Session
from integrator.unattended.finding import (
    LIKELY,
    Found,
    Gathering,
    as_json,
    cut_at_restarts,
    raw_of,
    recording_of,
    values_of,
)
from integrator.unattended.play import SAMPLE_FRAMES, Episode

_LONG: Final = 3600  # Least frames of an episode whose end may show only in bytes that rest.
_MANY: Final = 4  # Least ends of which one may be no end.
_ENOUGH: Final = 1800  # Frames of play without an end that prove what an end is.
_CLEAR: Final = 8.0  # A sign of an end is clear by itself if fewer bits speak against it.
_GONE: Final = 600  # Frames of a new game within which the score of the last one is gone.
_DYING: Final = 60  # Frames after the last life in which something may still be moved.


def seen_ends(
    session: Session, looks: Gathering, episodes: Sequence[Episode]
) -> tuple[list[Episode], list[Suggestion]]:
    """Return episodes with ends after which the player can still move, and lives that show them."""
    # If two ends were seen by lost control, only lives show others: a score may also restart where
    # a new level begins.
    is_seen = sum(each.end is not None for each in episodes) > 1
    sure = [Found(one, values_of(session, one), 1.0, "") for one in sure_lives(session, episodes)]
    if is_seen and not sure:
        return list(episodes), []
    long = [e for e in episodes if e.end is None and len(e.inputs) >= _LONG and not e.resumed]
    if rests := ends_by_rest(recording_of(session), [each.span for each in long]):
        pairs = zip(long, rests, strict=True)
        ended = {each.first: replace(each, end=end, rested=True) for each, end in pairs}
        return [ended.get(each.first, each) for each in episodes], []
    scores, lives = (looks.best(kind, episodes, prove=False) for kind in ("score", "lives"))
    scores = [each for each in scores[:1] if each.confidence >= LIKELY]
    # A doubtful score is believed if it restarts together with another number, again and again.
    witnesses = [each for each in lives for one in scores if _games_begun(each, one, episodes) > 1]
    least = LIKELY if witnesses else 0.6
    scores = [each for each in scores if each.confidence >= least]
    likely = [each for each in (witnesses or lives)[:1] if each.confidence >= least]
    for score in scores:
        sure = [each for each in sure if _games_begun(each, score, episodes) > 0]
        likely = [each for each in likely if _games_begun(each, score, episodes) > 0]
    if sure:
        every = [(_games_of(episodes, each), each.suggestion) for each in sure]
        alike = [each for each in every if len(each[0]) == len(every[0][0])]
        # A number that is set when a game is over jumps before the lives, as often as they do.
        games, number = max(alike, key=lambda each: sum(game.first for game in each[0]))
        return games, [number]
    for each in [] if is_seen else scores + likely:
        episodes = _games_of(episodes, each)
    return list(episodes), []


def _games_of(episodes: Sequence[Episode], number: Found) -> list[Episode]:
    return [game for each in episodes for game in cut_at_restarts(each, number)]


def _games_begun(lives: Found, score: Found, episodes: Sequence[Episode]) -> int:
    """Return how many jumps of a number begin a new game, less those that do not. In a new game,
    the score is gone."""
    kept = lost = 0
    for each in episodes:
        own, points = (number.values[each.first + 1 : each.stop] for number in (lives, score))
        for row in np.flatnonzero(np.diff(own) > 1).tolist():
            if points[row] > points[0]:
                falls = score.values[each.first + 1 + row :][:_GONE].min() < points[row]
                kept, lost = kept + (not falls), lost + bool(falls)
    return lost - kept


def signs_of(
    session: Session, episodes: Sequence[Episode], last_life: NDArray[np.bool_] | None = None
) -> list[EndSign]:
    """Return signs of the episodes' ends, only on frames with the ``last_life`` if it is given.

    A number after which the player still had control at most ends is no sign of them."""
    spans, ended = [each.span for each in episodes], _ended(episodes)
    found = end_signs(session.memory.space, recording_of(session), spans, last_life)
    return [each for each in found if 2 * _played_on(each, ended) <= len(ended)]


def _played_on(sign: EndSign, ended: Sequence[Episode]) -> int:
    """Return at how many ends control was seen after the sign. A press shortly before a restart
    may have begun the next game."""
    begun = [(each.end or 0) + late for each, late in zip(ended, sign.late, strict=True)]
    return sum(
        any(first + _DYING < at < (each.end or 0) - SAMPLE_FRAMES for at in each.controlled)
        for each, first in zip(ended, begun, strict=True)
    )


def without_odd_end(
    session: Session, episodes: Sequence[Episode]
) -> tuple[list[Episode], list[EndSign]]:
    """Return episodes and the signs of their ends, without ends that hide all signs.

    A player who is stuck has no control either, some games begin again unseen, and play that was
    resumed near an end may begin after it."""
    signs, ended = signs_of(session, episodes), _ended(episodes)
    parts = [[each for each in episodes if each is not odd] for odd in ended]
    for others in [*parts, _from_start(episodes)] if len(ended) >= _MANY else ():
        if any(_is_clear(each, ended) for each in signs):
            break
        found = signs_of(session, others)
        if any(_is_clear(each, _ended(others)) for each in found):
            return others, found
    return list(episodes), signs


def are_clear(signs: Sequence[EndSign], episodes: Sequence[Episode]) -> bool:
    """Return True if one of the signs of the episodes' ends is clear by itself."""
    return any(_is_clear(each, _ended(episodes)) for each in signs)


def seen_at_restarts(
    session: Session, signs: Sequence[EndSign], episodes: Sequence[Episode]
) -> list[EndSign]:
    """Return the signs that hold before each restart: a press may come first and hide others."""
    columns = raw_of(session, [each.address for each in signs]).T if signs else ()
    return [
        sign
        for sign, held in zip(signs, map(EndSign.holds, signs, columns), strict=True)
        if all(held[each.doubtful : each.stop].any() for each in episodes if each.restarted)
    ]


def _is_clear(sign: EndSign, ended: Sequence[Episode]) -> bool:
    """Return True if nothing speaks against a sign, and it comes by the next look for control."""
    is_early = float(np.median(sign.late)) <= SAMPLE_FRAMES
    return sign.counts or (sign.cost < _CLEAR and is_early and not _is_next(sign, ended))


def _is_next(sign: EndSign, ended: Sequence[Episode]) -> bool:
    """Return True if a sign may be that of the next game, which waits for a press."""
    is_begun = all(each.restarted and each.last < each.stop for each in ended)
    return is_begun and float(np.median(sign.late)) > -30


def sure_lives(session: Session, episodes: Sequence[Episode]) -> list[Suggestion]:
    """Return lives that jump back in a new game."""
    return lives_again(session.memory.space, recording_of(session), [e.span for e in episodes])


def counted_lives(signs: Sequence[EndSign]) -> list[Suggestion]:
    """Return lives that count down to the ends."""
    found, text = [each for each in signs if each.counts][:4], "counts down to each end"
    return [Suggestion("lives", e.address, e.type, 0.9, text, mask=e.mask) for e in found]


@dataclass(frozen=True, slots=True, eq=False)
class Ending:
    """A done condition with its confidence and its evidence in words."""

    condition: EndCondition
    confidence: float
    text: str


def find_end(
    session: Session, episodes: Sequence[Episode], lives: Sequence[Found], signs: Sequence[EndSign]
) -> list[Ending]:
    """Return done conditions, best first: by signs of the ends, by lives that run out, and mined.

    ``signs`` were found on all frames. If none of them is clear, signs are searched for that hold
    together with the last life."""
    # Other numbers than the best are no variables, and a condition itself cannot have a mask.
    best = lives[0] if lives and lives[0].confidence >= LIKELY else None
    others = [each for each in lives if each.confidence >= 0.15 and each.suggestion.mask is None]
    likely = [("", each) for each in others if each is not best]
    likely += [("lives", best)] if best is not None else []
    gate: tuple[EndTest, ...] = ()
    found = list(filter(None, (_by_lives(name, each, episodes) for name, each in likely)))
    is_clear = are_clear(signs, episodes)
    if best is not None and best.confidence >= 0.6 and not is_clear:
        test, last_life = _least(best, episodes)
        near = signs_of(session, episodes, last_life)
        if near := near or signs_of(session, _from_start(episodes), last_life):
            # If each end was seen by a restart, the sign next to the restarts is best.
            if all(each.restarted for each in _ended(episodes)):
                near.sort(key=lambda each: abs(np.median(each.late)))
            gate, signs = (test,), near
    found += _by_signs(signs, gate, best, _ended(episodes))
    ended = [each.end for each in episodes if each.end is not None]
    if ended and not signs:
        found += _mined(session, ended, best)
    # That a condition never held before an end proves little if there was little play.
    sure = min(1.0, sum(each.doubtful - each.first for each in episodes) / _ENOUGH)
    found = [replace(each, confidence=round(sure * each.confidence, 2)) for each in found]
    return sorted(found, key=lambda each: -each.confidence)


def _mined(session: Session, ended: Sequence[int], lives: Found | None) -> Iterator[Ending]:
    """Yield conditions that fit the frames of the ends, as the panel Ends finds them."""
    run = session.ends_run(ended)
    # A condition on a named variable is likelier than one on another byte.
    named = {} if lives is None else {"lives": lives.named("lives")[0]}
    # A condition with false alarms would end episodes in the middle of play.
    exact = [each for each in replace(run, specs=named).run() if each.exact]
    for rank, condition in enumerate(exact[:4]):
        confidence = 0.5 * (1 - 0.5 ** len(ended)) * 0.8**rank
        text = f"holds at {len(ended)} ends that were seen, and never in play"
        yield Ending(condition, round(confidence, 2), text)


def _from_start(episodes: Sequence[Episode]) -> list[Episode]:
    """Return the episodes that begin at the start state."""
    return [each for each in episodes if not each.resumed]


def _ended(episodes: Sequence[Episode]) -> list[Episode]:
    return [each for each in episodes if each.end is not None]


def _by_signs(
    signs: Sequence[EndSign], gate: Sequence[EndTest], lives: Found | None, ended: Sequence[Episode]
) -> Iterator[Ending]:
    """Yield conditions on signs of the ends; the tests of ``gate`` have to hold as well. All
    resumed ends count as one, because they share the play before them."""
    apart = len(ended) - max(0, sum(each.resumed for each in ended) - 1)
    is_lost = any(not each.restarted and not each.rested for each in ended)
    # Many bytes have some value at only two moments, which may be no ends if control went on.
    most = 1.0 if apart > 2 else 0.5 if is_lost else 0.3
    own = None if lives is None else (lives.suggestion.address, lives.suggestion.mask)
    for rank, each in enumerate(signs[:4]):
        is_named = own == (each.address, each.mask)
        if each.mask not in (None, SIGN_BIT) and not is_named:
            continue  # A condition itself cannot have a mask.
        tests = (_test_of(each, "lives" if is_named else ""), *gate)
        alike = [one for one in signs if np.abs(np.subtract(one.late, each.late)).max() <= 8]
        # A sign is confirmed if it counts lives, or if another byte begins at the same time.
        confirmed = each.counts or len({one.address for one in alike}) > 1
        sure = (0.96 if confirmed else 0.8) * (1 - 0.6**apart) * 0.7**rank
        # A sign is less sure if much speaks against it, or if it needs the last life.
        sure *= 0.8 if gate or each.cost >= _CLEAR else 1.0
        sure = min(sure, 0.5) if _is_next(each, ended) else sure
        text = f"begins at {len(ended)} ends that were seen, and never before"
        yield Ending(EndCondition(tests, Condition.ALL, (), ()), round(min(sure, most), 2), text)


def _test(name: str, number: Suggestion | EndSign, value: int, op: str = "equal") -> EndTest:
    """Return a test for a number's value; the name is empty if the number is no variable."""
    op = op if value else {"equal": "zero", "not-equal": "nonzero"}[op]
    spec = TestSpec(name, Measurement.ABSOLUTE, OPS[op], value)
    return EndTest(spec, number.address, number.type)


def _test_of(sign: EndSign, name: str) -> EndTest:
    if sign.mask != SIGN_BIT:
        return _test(name, sign, sign.value, "not-equal" if sign.variety == 1 else "equal")
    op = "negative" if sign.value else "greater-or-equal"
    spec = TestSpec(name, Measurement.ABSOLUTE, OPS[op], 0)
    return EndTest(spec, sign.address, DataType.parse("|i1"))


def _least(lives: Found, episodes: Sequence[Episode]) -> tuple[EndTest, NDArray[np.bool_]]:
    """Return the test for the last life, and a mask of the frames on which it holds."""
    spans = [lives.values[each.first : each.doubtful] for each in episodes]
    least = int(np.concatenate(spans).min())
    return _test("lives", lives.suggestion, least), lives.values == least


def _by_lives(name: str, lives: Found, episodes: Sequence[Episode]) -> Ending | None:
    """Return a test that the last life is lost, or None if play goes on with the lowest value."""
    values = lives.values
    # Lives may fall a moment after control was lost, so the frames after the end count as well.
    least = min(int(values[each.first + 1 : each.over].min()) for each in episodes)
    ended = len(_ended(episodes))
    reached = judged = near = alive = 0
    for each in episodes:
        span = values[each.first + 1 : each.over]
        at = np.flatnonzero(span == least)
        if not len(at) or span[0] == least:
            ended -= len(at) > 0 and each.end is not None
            continue
        reached += 1
        first = int(at[0])
        stop = each.end if each.restarted or each.rested else each.last
        played_on = sum(each.first + first + _DYING < at < (stop or 0) for at in each.controlled)
        judged += each.end is not None
        alive += played_on > 0
        near += each.end is not None and not played_on
    text = f"lives reach {least} in {reached} episodes, {near} of them at an end that was seen"
    confidence = min(0.95, 0.5 + 0.5 * lives.confidence)
    confidence *= (1 - 0.5**near) * near / max(1, ended, judged)
    if reached and not ended and (least > 0 or not judged + alive):
        # No play lost all lives or went on then, but most games end when they are lost.
        confidence, text, least = 0.3 * lives.confidence, "no end was seen, and lives fall", 0
    elif not near or 2 * alive > reached:
        return None
    condition = EndCondition((_test(name, lives.suggestion, least),), Condition.ANY, (), ())
    return Ending(condition, round(confidence, 2), text)


def done_part(ends: Sequence[Ending], movie: Episode, taken: Collection[str]) -> AutoPart:
    """Return the report on the end, with runners-up; ``taken`` are names of other variables."""
    if not ends:
        return AutoPart("none found", 0.0)
    choices = []
    for each in ends[:4]:
        named = name_bytes(each.condition, taken)
        made = [VariableSpec(test.spec.name, test.address, test.type) for test in named.tests]
        choice: dict[str, Any] = {"value": str(each.condition), "confidence": each.confidence}
        choice["variables"] = as_json([spec for spec in made if spec.name not in taken])
        add_done(choice, [(test.spec.name, test.spec) for test in named.tests], named.condition)
        choices.append(choice)
    best = ends[0]
    frames = () if movie.end is None else (movie.end - movie.first + 1,)
    value, evidence = str(best.condition), (best.text,)
    return AutoPart(value, best.confidence, evidence, frames, tuple(choices))
