"""Numbers of a played movie in the form of expectations, and their first difference."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DomainError, SessionError
from integrator.domain.files.jsontext import JsonValue
from integrator.domain.integration.expectations import Expectation, ExpectedKind, reward_changes
from integrator.session.session import Session

_TOTAL_TOLERANCE: Final = 1e-6
"""Relative: rewards are float32 numbers, and people type totals in decimals."""


@dataclass(frozen=True, slots=True)
class Played:
    """The frames of one movie; row 0 is its frame 1.

    ``rewards`` float32 (frames, players), ``done`` bool (frames,); ``column`` gives a variable,
    int64 (frames,), or raises TimelineError.
    """

    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]
    column: Callable[[str], NDArray[np.int64]]

    @classmethod
    def of(cls, session: Session, start: int, stop: int) -> Self:
        """Frames ``start`` to ``stop - 1`` of a session's current line."""
        travel = session.timeline
        return cls(
            travel.log.rewards(start, stop),
            travel.log.done(start, stop),
            lambda name: travel.column(name, start, stop),
        )


@dataclass(frozen=True, slots=True)
class ExpectationResult:
    """The result of one expectation, the one at ``index`` in its file.

    ``actual`` is the present value; ``frame`` the movie's first frame that differs, None when all
    is as expected. ``problem`` says why there is no value to compare with.
    """

    index: int
    expected: Expectation
    actual: JsonValue = None
    frame: int | None = None
    problem: str = ""

    @property
    def holds(self) -> bool:
        """True when the movie gives the expected value."""
        return self.frame is None and not self.problem

    @property
    def message(self) -> str:
        """The difference, or the problem, in a few words; empty when the expectation holds."""
        if self.problem or self.frame is None:
            return self.problem
        told = self.expected
        if told.kind is ExpectedKind.DONE:
            return f"{_frame_words(self.actual)} instead of {_frame_words(told.value)}"
        was, now = told.value, self.actual
        if told.kind is ExpectedKind.REWARDS:
            row = self.frame - told.first
            was, now = (f"{float(_rewards(told, value)[row]):.7g}" for value in (was, now))
        return f"frame {self.frame:,}: {now} instead of {was}"


def judge(index: int, expected: Expectation, played: Played) -> ExpectationResult:
    """Compare an expectation with a played movie."""
    try:
        actual = measure(expected, played)
    except DomainError as error:
        return ExpectationResult(index, expected, problem=str(error))
    return ExpectationResult(index, expected, actual, _difference(expected, actual))


def usual_expectations(
    movie: str, first: int, last: int, played: Played, scenario: str
) -> list[Expectation]:
    """A range's rewards and total, for each player, and its done, as they are now."""
    wanted = [Expectation(movie, ExpectedKind.DONE, first, last, None, scenario=scenario)]
    wanted += [
        Expectation(movie, kind, first, last, None, player=player, scenario=scenario)
        for player in range(1, played.rewards.shape[1] + 1)
        for kind in (ExpectedKind.REWARDS, ExpectedKind.TOTAL)
    ]
    return [replace(each, value=measure(each, played)) for each in wanted]


def measure(wanted: Expectation, played: Played) -> JsonValue:
    """The present value of an expectation; its own value is not looked at.

    Raises SessionError for frames or players that the movie has not, and for a reward that JSON can
    not hold; TimelineError for an unknown variable.
    """
    frames, players = played.rewards.shape
    if wanted.last > frames:
        raise SessionError(f"{wanted.movie} has {frames:,} frames; frame {wanted.last:,} is beyond")
    if wanted.player > players:
        raise SessionError(f"{wanted.movie} has {players} players; there is no {wanted.player}")
    rows = slice(wanted.first - 1, wanted.last)
    if wanted.kind is ExpectedKind.VARIABLE:
        return int(played.column(wanted.name)[wanted.last - 1])
    if wanted.kind is ExpectedKind.DONE:
        ends = np.flatnonzero(played.done[rows])
        return wanted.first + int(ends[0]) if len(ends) else None
    rewards = played.rewards[rows, wanted.player - 1]
    if not np.isfinite(rewards).all():
        raise SessionError(f"{wanted.movie}: a reward is infinite or no number")
    if wanted.kind is ExpectedKind.TOTAL:
        return _plain(float(np.sum(rewards, dtype=np.float64)))
    changes = np.flatnonzero(np.diff(rewards, prepend=np.nan) != 0)
    return [[wanted.first + int(row), _plain(float(rewards[row]))] for row in changes]


def _difference(expected: Expectation, actual: JsonValue) -> int | None:
    if expected.kind is ExpectedKind.REWARDS:
        differs = _rewards(expected, expected.value) != _rewards(expected, actual)
        return expected.first + int(differs.argmax()) if differs.any() else None
    if expected.kind is ExpectedKind.TOTAL:
        close = math.isclose(
            _number(expected.value),
            _number(actual),
            rel_tol=_TOTAL_TOLERANCE,
            abs_tol=_TOTAL_TOLERANCE,
        )
        return None if close else expected.last
    if expected.value == actual:
        return None
    if expected.kind is ExpectedKind.DONE:
        return min(int(_number(value)) for value in (expected.value, actual) if value is not None)
    return expected.last


def _rewards(told: Expectation, value: JsonValue) -> NDArray[np.float32]:
    """The reward of each frame of the range, out of a value of the file."""
    frames, rewards = zip(*reward_changes(value), strict=True)
    counts = np.diff([*frames, told.last + 1])
    return np.repeat(np.array(rewards, np.float32), counts)


def _number(value: JsonValue) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _plain(value: float) -> int | float:
    """A number as people write it: integers without a point."""
    return int(value) if value.is_integer() else value


def _frame_words(frame: JsonValue) -> str:
    return "no frame" if frame is None else f"frame {frame:,}"
