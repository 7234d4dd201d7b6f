"""What-if: the recorded timeline scored again by two sets of rules, and their differences.

Nothing is played for it: the timeline holds every frame's RAM, so the variables are read from it
anew and scored as they would have been. A job works in slices that fit between two frames, because
only the session's own thread reads its timeline.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError, ScriptError, SessionError
from integrator.domain.files.document import JsonDocument
from integrator.domain.integration.variables_document import VariablesDocument
from integrator.domain.values.variables import VariableSpec
from integrator.session.session import Session
from integrator.session.what_if.scoring import Rescorer, Scored

SLICE_S = 0.012
"""Longest time of a slice of a job, besides its last piece: less than a frame."""


@dataclass(frozen=True, slots=True)
class Rules:
    """A set of scoring rules: a scenario's JSON value, its variables, its scripts' texts."""

    scenario: Mapping[str, Any]
    variables: Mapping[str, VariableSpec]
    scripts: Mapping[str, str]

    @classmethod
    def present(cls, session: Session) -> Rules:
        """The rules of the present documents."""
        integration = session.integration
        scenario = _scenario(session)
        return cls(scenario.value, dict(integration.variables), dict(integration.scripts))

    @classmethod
    def saved(cls, session: Session) -> Rules:
        """The rules of the documents as last loaded or saved; scripts as they are now."""
        integration = session.integration
        scenario = _scenario(session)
        data = integration.variables
        variables = VariablesDocument.create(data.path, data.saved_value)
        return cls(scenario.saved_value, dict(variables), dict(integration.scripts))


@dataclass(frozen=True, slots=True)
class EpisodeChange:
    """One recorded episode, frames ``start`` to ``stop - 1``, under both rules.

    ``*_return`` is each player's reward summed up to the first done frame, where training would
    have ended it, or to its last recorded frame. ``*_done`` is that frame, None when it never ends.
    """

    number: int
    start: int
    stop: int
    before_return: tuple[float, ...]
    after_return: tuple[float, ...]
    before_done: int | None
    after_done: int | None

    @property
    def changed(self) -> bool:
        """True when the edit makes a difference to this episode."""
        return (self.before_return, self.before_done) != (self.after_return, self.after_done)


@dataclass(frozen=True, slots=True)
class DoneMove:
    """Frames ``start`` to ``stop - 1`` on which done is ``done`` now and was not so before."""

    start: int
    stop: int
    done: bool


@dataclass(frozen=True, slots=True)
class WhatIfResult:
    """Both scorings of frames 1 to n. ``same`` when no frame's reward or done differs.

    ``elapsed_s`` is the time that scoring took, without the frames played in between. ``warnings``
    name writes of scripts that recorded play can not follow.
    """

    before: Scored
    after: Scored
    episodes: tuple[EpisodeChange, ...]
    moves: tuple[DoneMove, ...]
    same: bool
    elapsed_s: float
    warnings: tuple[str, ...] = ()

    @property
    def frames(self) -> int:
        """Number of scored frames."""
        return len(self.after.done)


class WhatIfJob:
    """Scores the line that is current at the first slice; raises SessionError if it is left.

    ``start`` and :meth:`step` run on the session's thread. ``before`` makes the rules to compare
    with, None for those saved.
    """

    def __init__(self, before: Rules | None = None) -> None:
        self._before = before
        self._rescorers: list[Rescorer] = []
        self._line = ""
        self._elapsed_s = 0.0
        self.scripted = False
        self.done_frames = 0
        self.all_frames = 0

    @property
    def progress(self) -> float:
        """The share of the work that is done, 0 to 1."""
        return self.done_frames / self.all_frames if self.all_frames else 0.0

    def start(self, session: Session) -> Self:
        """Read the rules. Raises ScenarioError, ScriptError, DocumentError when one is unusable."""
        began = time.perf_counter()
        log = session.timeline.log
        self._line = log.current
        present = Rules.present(session)
        before = self._before or Rules.saved(session)
        both = [before, present] if before != present else [present]
        self._rescorers = [_rescorer(session, rules) for rules in both[:-1]]
        self._rescorers.append(_make(session, present))
        self.all_frames = log.length * len(both)
        self.scripted = any(each.scripted for each in self._rescorers)
        self._elapsed_s += time.perf_counter() - began
        return self

    def step(self, session: Session) -> WhatIfResult | None:
        """Go on for a slice of time; the result once everything is scored."""
        began = time.perf_counter()
        if session.timeline.log.current != self._line:
            raise SessionError("another branch was chosen; score it anew")
        due = began + SLICE_S
        for rescorer in self._rescorers:
            while not rescorer.finished and time.perf_counter() < due:
                try:
                    rescorer.step(due)
                except ScenarioError as error:
                    if rescorer is self._rescorers[-1]:
                        raise
                    rescorer.give_up(f"before: {error}")
        self.done_frames = sum(each.frames for each in self._rescorers)
        self._elapsed_s += time.perf_counter() - began
        if not all(each.finished for each in self._rescorers):
            return None
        return self._result()

    def _result(self) -> WhatIfResult:
        began = time.perf_counter()
        before, after = self._rescorers[0].scored(), self._rescorers[-1].scored()
        moves = done_moves(before.done, after.done)
        episodes = _episodes(before, after, self._rescorers[0].starts)
        same = not moves and np.array_equal(before.rewards, after.rewards)
        warnings = dict.fromkeys(text for each in self._rescorers for text in each.warnings)
        elapsed_s = self._elapsed_s + time.perf_counter() - began
        return WhatIfResult(before, after, episodes, moves, same, elapsed_s, tuple(warnings))


def what_if(
    session: Session,
    before: Rules | None = None,
    progress: Callable[[float], bool] | None = None,
) -> WhatIfResult | None:
    """Score the whole line at once: for scripts and tests. None when ``progress`` returns False."""
    job = WhatIfJob(before).start(session)
    while (result := job.step(session)) is None:
        if progress is not None and not progress(job.progress):
            return None
    return result


def _scenario(session: Session) -> JsonDocument:
    integration, name = session.integration, session.game.scenario_name
    document = integration.scenarios.get(name)
    if document is None:
        raise SessionError(f"{integration.directory}: there is no {name}.json to score with")
    return document


def _make(session: Session, rules: Rules) -> Rescorer:
    log, space = session.timeline.log, session.memory.space
    return Rescorer(
        log, space, rules.scenario, rules.variables, rules.scripts, session.game.players
    )


def _rescorer(session: Session, rules: Rules) -> Rescorer:
    """The rules before the edit may be broken; the rules after it are shown all the same."""
    try:
        return _make(session, rules)
    except (ScenarioError, ScriptError) as error:
        nothing = _make(session, Rules({}, {}, {}))
        nothing.give_up(f"before: {error}")
        return nothing


def done_moves(before: NDArray[np.bool_], after: NDArray[np.bool_]) -> tuple[DoneMove, ...]:
    """Runs of frames (row 0 is frame 1) on which done differs, bool (frames,) each."""
    change = after.astype(np.int8) - before.astype(np.int8)
    edges = (np.flatnonzero(np.diff(change, prepend=0, append=0)) + 1).tolist()
    return tuple(
        DoneMove(start, stop, bool(change[start - 1] > 0))
        for start, stop in pairwise(edges)
        if change[start - 1]
    )


def _episodes(before: Scored, after: Scored, starts: tuple[int, ...]) -> tuple[EpisodeChange, ...]:
    found = []
    stops = [*starts[1:], len(after.done) + 1]
    for number, (start, stop) in enumerate(zip(starts, stops, strict=True), start=1):
        if stop > start:
            old, new = before.episode(start, stop), after.episode(start, stop)
            found.append(EpisodeChange(number, start, stop, old[0], new[0], old[1], new[1]))
    return tuple(found)
