"""Keeps one truth about recorded play: all lines have the scores of the present documents."""

import math
import time
from collections.abc import Callable

from integrator.domain.errors import DocumentError, ScenarioError, ScriptError
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace
from integrator.session.frame.result import Event, FrameResult, RecordedScored, RecordedScoring
from integrator.session.scoring.rescorer import Rescorer, Rules

SLICE_S = 0.012
"""Longest time of a slice of scoring, except its last piece: less than a frame."""


class Recorded:
    """Scores all lines of a timeline again after an edit, in slices; then all change at once.

    ``take`` is called once they are, with the scoring of the current line, and returns the frame
    where the core stands; ``tell`` gets a RecordedScored at the end. The owner that sets
    ``in_background`` calls :meth:`work` while :attr:`pending`; otherwise an edit waits for the end.
    """

    def __init__(
        self,
        log: Timeline,
        space: AddressSpace,
        players: int,
        take: Callable[[Rescorer], FrameResult],
        tell: Callable[[Event], object],
        rules: Rules,
    ) -> None:
        self._log, self._space, self._players = log, space, players
        self._take_scores, self._tell = take, tell
        self.rules = rules
        self._revision = -1
        self._lines: dict[str, tuple[int, Rescorer]] = {}
        self.in_background = False
        self.pending = False
        self._told_s = 0.0
        self.generation = 0
        """Grows whenever recorded frames have new scores."""
        self.problem = ""
        """The reason why recorded frames keep the scores from before the last edit; else empty."""
        self.warnings: tuple[str, ...] = ()

    @property
    def progress(self) -> RecordedScoring:
        """The share of recorded frames that is scored again."""
        scorers = [scorer for _, scorer in self._lines.values()]
        frames = sum(scorer.all_frames for scorer in scorers)
        share = min(1.0, sum(each.frames for each in scorers) / frames) if frames else 1.0
        return RecordedScoring("", share, frames, any(each.scripted for each in scorers))

    def follow(self, rules: Rules) -> None:
        before, self.rules = self.rules, rules
        if before != rules or self.problem:
            self.again()

    def again(self) -> None:
        self._revision, self.problem = -1, ""
        self.pending = self._log.length > 0 or bool(self._log.branches)
        if not self.in_background:
            while self.pending:
                self.step(math.inf)

    def cancel(self) -> None:
        if self.pending:
            self._stop("Stopped: recorded frames keep the scores from before the last edit")

    def step(self, due_s: float) -> None:
        try:
            if self._revision != self._log.revision:
                self._begin()
            while True:
                # The current line lasts until it has the newest frame.
                self._lines[self._log.current][1].extend()
                unfinished = (s for _, s in self._lines.values() if not s.finished)
                if (scorer := next(unfinished, None)) is None:
                    break
                if time.perf_counter() >= due_s:
                    return
                scorer.step(due_s)
        except (DocumentError, ScenarioError, ScriptError) as error:
            self._stop(str(error))
            return
        self._take()

    def work(self, spare_s: float) -> tuple[Event, ...]:
        """Score for a while; returns an event about progress that lasts, if one is due."""
        now = time.perf_counter()
        self._told_s = self._told_s or now
        self.step(now + spare_s)
        if not self.pending:
            self._told_s = 0.0
            return ()
        if now - self._told_s < 0.1:
            return ()
        self._told_s = now
        return (self.progress,)

    def _begin(self) -> None:
        """Lines share frames: each is scored only where no line before it has them."""
        log, rules = self._log, self.rules
        log.seal()
        self._revision = log.revision
        self._lines = {}
        for name in (log.current, *(branch.name for branch in log.branches)):
            first = log.first_own_frame(name, self._lines)
            line = log if name == log.current else log.line(name)
            scored = line, self._space, rules, self._players
            self._lines[name] = first, Rescorer(*scored, first=first, keep_columns=True)

    def _take(self) -> None:
        self._log.seal()
        for name, (first, scorer) in self._lines.items():
            self._log.put_scores(name, first, scorer.scores_from(first))
        _, present = self._lines[self._log.current]
        warnings = (text for _, scorer in self._lines.values() for text in scorer.warnings)
        self.warnings = tuple(dict.fromkeys(warnings))
        self._lines = {}
        self.pending = False
        self.generation += 1
        self._tell(RecordedScored("", self._take_scores(present)))

    def _stop(self, reason: str) -> None:
        self._lines = {}
        self.pending = False
        self.problem = reason
        self._tell(RecordedScored(reason))
