"""Scores recorded lines by rules: vectorised, or frame by frame if there are scripts. After an edit
all lines are scored again, so that they always have the present documents' scores."""

import math
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DocumentError, ScenarioError, ScriptError, SessionError
from integrator.domain.integration.files import Integration
from integrator.domain.integration.json_files import VariablesDocument
from integrator.domain.scenario.scoring import Outcome, OutcomeChunk, ScenarioEngine, running_totals
from integrator.domain.scenario.script import ScriptHooks
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.timeline.block import UNKNOWN, ColumnKey, Scores
from integrator.domain.timeline.lookup import LineReader
from integrator.domain.timeline.timeline import Timeline
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import Columns, VariableReader, VariableSpec
from integrator.session.frame.pipeline import LiveScriptMemory, RecordedMemory
from integrator.session.frame.result import Event, FrameResult, RecordedScored, RecordedScoring


@dataclass(frozen=True, slots=True)
class Rules:
    """Scoring rules: a scenario's JSON value, the variables, and the texts of the scripts."""

    scenario: Mapping[str, Any]
    variables: Mapping[str, VariableSpec]
    scripts: Mapping[str, str]

    @classmethod
    def of(
        cls,
        scenario: Mapping[str, Any],
        variables: Mapping[str, VariableSpec],
        scripts: Mapping[str, str],
    ) -> Self:
        """Copy rules without the scenario's unrelated keys; equal rules give equal scores."""
        left_out = {"actions", "crop", "crops"}
        scored = {key: value for key, value in scenario.items() if key not in left_out}
        return cls(deepcopy(scored), variables, dict(scripts))

    @classmethod
    def present(cls, integration: Integration, scenario: str, *, saved: bool = False) -> Self:
        """Copy the rules of the present documents. Raises SessionError without a scenario.

        ``saved`` takes the documents as last loaded or saved, but the scripts as they are now."""
        document, variables = integration.scenarios.get(scenario), integration.variables
        if document is None:
            missing = f"there is no {scenario}.json to score with"
            raise SessionError(f"{integration.directory}: {missing}")
        if saved:
            variables = VariablesDocument.create(variables.path, variables.saved_value)
        value = document.saved_value if saved else document.value
        return cls.of(value, dict(variables), integration.scripts)


CHUNK_FRAMES = 1024


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores of frames 1 to n: float32 (frames, players), totals per episode, done (frames,)."""

    rewards: NDArray[np.float32]
    totals: NDArray[np.float32]
    done: NDArray[np.bool_]

    @classmethod
    def of(cls, log: LineReader, rewards: NDArray[np.float32], done: NDArray[np.bool_]) -> Self:
        """Add the totals in the episodes of ``log``, summed in float32 as the engine does."""
        totals, length = np.empty_like(rewards), len(done)
        for start, stop in pairwise((*episode_starts(log, length), length + 1)):
            rows = slice(start - 1, stop - 1)
            totals[rows] = running_totals(rewards[rows])
        return cls(rewards, totals, done)

    def episode(self, start: int, stop: int) -> tuple[tuple[float, ...], int | None]:
        """Return each player's return, and the first done frame, in ``start`` to ``stop - 1``."""
        ends = np.flatnonzero(self.done[start - 1 : stop - 1])
        first = start + int(ends[0]) if len(ends) else None
        last = stop - 1 if first is None else first
        return tuple(self.totals[last - 1].tolist()), first


class Rescorer:
    """Scores a line in chunks from ``first`` on. Raises DomainError. With scripts it starts
    earlier, at the beginning of the episode. ``recorded`` are the variables of the line's columns,
    by default those of the rules. On frames whose RAM scripts wrote, only the columns have the
    values that were scored, so variables that did not move are read there."""

    def __init__(
        self,
        log: LineReader,
        space: AddressSpace,
        rules: Rules,
        players: int,
        *,
        first: int = 1,
        recorded: Mapping[str, VariableSpec | None] | None = None,
    ) -> None:
        self._log = log
        spec = ScenarioSpec.parse(dict(rules.scenario), "scenario")
        self.variables = variables = dict(rules.variables)
        # Scripts write into this memory, which the next frame's RAM replaces.
        self._memory = RecordedMemory(space, np.zeros(space.size_bytes, np.uint8))
        live = LiveScriptMemory(self._memory, variables)
        hooks = ScriptHooks.of(spec, rules.scripts, live) if spec.scripts else None
        self.engine = ScenarioEngine(spec, players, hooks)
        self.outcome: Outcome | None = None
        self._reader = VariableReader(variables, space)
        # A renamed variable is in the column of its old name.
        old_names: dict[VariableSpec, list[str]] = {}
        for old, variable in (variables if recorded is None else recorded).items():
            if variable is not None:
                old_names.setdefault(replace(variable, name=""), []).append(old)
        places = ((name, replace(variables[name], name="")) for name in self._reader.names)
        self._held = [(name, old) for name, place in places for old in old_names.get(place, ())]
        self._length = log.length
        self._jumps = jumps_of(log)
        self.first = max(s for s in episode_starts(log, first) if s <= first) if hooks else first
        self._next = self.first
        self._previous: dict[str, int] | None = None
        if self.first > 1:
            self._previous = self._read(self.first - 1, self.first).row(0)
        self._failed = self._wrote = 0  # frames
        self.failure: ScriptError | None = None  # the first failure of a script
        self._broken = ""
        rows = max(0, self._length + 1 - self.first)
        self._rewards = np.zeros((rows, players), np.float32)
        self._done = np.zeros(rows, np.bool_)
        self.names = self._reader.names
        self._columns: dict[ColumnKey, NDArray[Any]] = {}
        for name in self.names:
            self._columns[name] = np.zeros(rows, np.int64)
        for player, reward in enumerate(spec.rewards[:players]):
            for part in reward.parts:
                self._columns[player, part] = np.zeros(rows, np.float32)

    @property
    def scripted(self) -> bool:
        """True if scripts require scoring frame by frame."""
        return not self.engine.vectorisable

    @property
    def frames(self) -> int:
        return self._next - self.first

    @property
    def all_frames(self) -> int:
        return self._length + 1 - self.first

    @property
    def finished(self) -> bool:
        return self._next > self._length

    @property
    def warnings(self) -> tuple[str, ...]:
        found = [self._broken] if self._broken else []
        if self._wrote:
            wrote = f"the scripts wrote memory otherwise than in play on {self._wrote:,} frames"
            found.append(f"{wrote}: the game's reaction to that is not known")
        if self._failed:
            found.append(f"a script failed on {self._failed:,} frames; they count as no reward")
        return tuple(found)

    def scored(self) -> Scored:
        return Scored.of(self._log, self._rewards, self._done)

    def scores_from(self, frame: int) -> Scores:
        """Return views of the scores from ``frame`` on, as a timeline stores them."""
        rows = slice(frame - self.first, None)
        # Blocks have their terms after all variables.
        keys = sorted(self._columns, key=lambda key: not isinstance(key, str))
        columns = {key: self._columns[key][rows] for key in keys}
        return Scores(self._rewards[rows], self._done[rows], columns)

    def give_up(self, reason: str) -> None:
        """Count the remaining frames as no reward and not done."""
        self._broken = reason
        self._next = self._length + 1

    def run(self, due: float, prefix: str) -> bool:
        """Score chunks until ``due``, at least one; return True once all are scored, or after an
        error, which becomes a warning with a ``prefix``."""
        try:
            while not self.finished:
                self.step(due)
                if time.perf_counter() >= due:
                    break
        except ScenarioError as error:
            self.give_up(f"{prefix}{error}")
        return self.finished

    def step(self, due: float) -> None:
        """Score the next chunk; scripts stop at ``due``. Raises ScenarioError."""
        start = self._next
        is_episode = self._jumps.get(start)
        if is_episode:
            self._previous = None
            if not self.scripted:  # scripts are reset later, with the frame's RAM in memory
                self.engine.reset()
        elif is_episode is not None:
            self._previous = self._reader.read(self._log.ram(start - 1, resumed=True))
        limit = 64 if self.scripted else CHUNK_FRAMES
        ahead = [frame for frame in self._jumps if frame > start]
        stop = min(start + limit, self._length + 1, *ahead)
        if self.scripted:
            self._score_singly(start, stop, due)
            return
        columns = self._read(start, stop)
        self._keep(start, columns, self.engine.score_chunk(columns, self._previous, stop - start))

    def _read(self, start: int, stop: int) -> Columns:
        """Return the variables of frames ``start`` to ``stop - 1`` before scripts wrote memory."""
        log, reader = self._log, self._reader
        columns = reader.read_ranges(log.ram_ranges(reader.ranges, start, stop))
        written = np.array(log.rewritten(start, stop), np.int64) - start
        for name, old in self._held if len(written) else ():
            values, known = log.column(old, start, stop)
            rows = written[known[written]]
            columns[name][rows] = values[rows]
        return columns

    def _keep(
        self, start: int, columns: Mapping[str, NDArray[np.int64]], outcomes: OutcomeChunk
    ) -> None:
        rows = slice(start - self.first, start - self.first + outcomes.done.size)
        self._rewards[rows] = outcomes.rewards
        self._done[rows] = outcomes.done
        for name in self.names:
            self._columns[name][rows] = columns[name]
        for term, part in outcomes.by_term.items():
            self._columns[term][rows] = part
        for name, value in outcomes.custom.items():
            if name not in self._columns:
                self._columns[name] = np.full(len(self._done), UNKNOWN)
            self._columns[name][rows] = value
        self._previous = {name: int(column[-1]) for name, column in columns.items()}
        self._next = start + outcomes.done.size

    def extend(self) -> None:
        """Include the frames that were played since, up to the newest frame of the line."""
        grown = self._log.length - self._length
        if grown <= 0:
            return
        self._length += grown
        self._jumps = jumps_of(self._log)
        self._rewards = np.pad(self._rewards, ((0, grown), (0, 0)))
        self._done = np.pad(self._done, (0, grown))
        for key, kept in self._columns.items():
            unset = UNKNOWN if isinstance(key, str) else 0
            self._columns[key] = np.pad(kept, (0, grown), constant_values=unset)

    def _score_singly(self, start: int, stop: int, due: float) -> None:
        ram, memory = self._log.ram_range(start, stop), self._memory
        episodes, written = set(episode_starts(self._log, stop)), self._log.rewritten(start, stop)
        for frame, recorded in enumerate(ram, start):
            memory.ram = recorded.copy()
            if frame in episodes:
                try:
                    self.engine.reset()
                except ScriptError as error:
                    self._fail(error)
            if frame in written:
                scored = self._read(frame, frame + 1).row(0)
                for name, value in scored.items() - self._reader.read(memory.ram).items():
                    spec = self.variables[name]
                    memory.put_bits(spec.address, spec.type, value, spec.signed_mask)
            columns = self._reader.read_array(memory.ram[np.newaxis])
            try:
                outcomes = self.engine.score_chunk(columns, self._previous, 1)
            except ScriptError as error:
                self._fail(error)
                outcomes = self.engine.skip()
            self._wrote += not np.array_equal(memory.ram, recorded)
            self.outcome = outcomes.last
            self._keep(frame, columns, outcomes)
            if time.perf_counter() > due:
                return

    def _fail(self, error: ScriptError) -> None:
        self._failed += 1
        self.failure = self.failure or error


def episode_starts(log: LineReader, length: int) -> tuple[int, ...]:
    """Return the first frames of the episodes that begin within the first ``length`` frames."""
    begun = {mark.frame + 1 for mark in log.markers("episode") if mark.frame < length}
    return tuple(sorted({1, *begun}))


def jumps_of(log: LineReader) -> dict[int, bool]:
    """Return the frames after a jump; the value is True for an episode's first frame.

    Pokes and resets are no jumps here, as the next frame is compared with the one before."""
    marks = log.markers("episode", "state")
    return {marker.frame + 1: marker.kind == "episode" for marker in marks}


AT_ONCE_FRAMES = 7200  # scripts score up to this many at once, in about half a second
SLICE_S = 0.012  # most time of a slice of scoring, without its last chunk; shorter than a frame


class Recorded:
    """Scores all lines of a timeline again after an edit, in slices, and stores all at once. At the
    end, ``take`` is called with the Rescorer of the current line, and returns the present frame;
    ``tell`` gets a RecordedScored. An owner that sets ``in_background`` must call :meth:`work`
    while :attr:`pending` is true; otherwise an edit waits until all is scored."""

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
        self.rules, self._revision = rules, -1
        self._recorded: Mapping[str, VariableSpec | None] = rules.variables  # of recorded columns
        self._reported_s = 0.0
        self._lines: dict[str, tuple[int, Rescorer]] = {}
        self.in_background = self.pending = False
        self.generation = 0  # grows whenever recorded frames have new scores
        self.problem = ""  # reason why recorded frames are not being scored again, or empty
        self.warnings: tuple[str, ...] = ()

    @property
    def stale(self) -> str:
        """The reason why recorded frames have scores from before the last edit, or empty."""
        return self.problem or ("Recorded frames are being scored again" if self.pending else "")

    @property
    def progress(self) -> RecordedScoring:
        """The share of recorded frames that have been scored again."""
        scorers = [scorer for _, scorer in self._lines.values()]
        frames = sum(scorer.all_frames for scorer in scorers)
        share = min(1.0, sum(each.frames for each in scorers) / frames) if frames else 1.0
        return RecordedScoring("", share, frames, any(each.scripted for each in scorers))

    def follow(self, rules: Rules) -> None:
        before, self.rules = self.rules, rules
        if before != rules or self.problem:
            # A column whose name has meant two variables since the last scoring is not read.
            last = before.variables
            held = {**last, **self._recorded} if self.stale else last
            self._recorded = {n: s if last.get(n, s) == s else None for n, s in held.items()}
            self.again()

    def again(self) -> None:
        self._revision, self.problem = -1, ""
        self.pending = self._log.length > 0 or bool(self._log.branches)
        if not self.in_background:
            while self.pending:
                self.step(math.inf)

    def bring_scripts(self) -> None:
        """Run scripts that were loaded again over the episode's frames, for their globals.

        In a long episode of an owner that works in the background, all is scored again there."""
        log = self._log
        if self.stale or not log.length:
            return
        present = Rescorer(log, self._space, self.rules, self._players, first=log.length)
        if self.in_background and present.all_frames > AT_ONCE_FRAMES:
            self._recorded = self.rules.variables
            self.again()
            return
        present.run(math.inf, "")
        self._take_scores(present)

    def cancel(self) -> None:
        if self.pending:
            self._stop("Stopped: recorded frames keep the scores from before the last edit")

    def step(self, due_s: float) -> None:
        try:
            if self._revision != self._log.revision:
                self._begin()
            while True:
                # Frames may have been added to the current line meanwhile.
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
        """Score for ``spare_s``; return a progress event every 0.1 s of a long scoring."""
        now = time.perf_counter()
        self._reported_s = self._reported_s or now
        self.step(now + spare_s)
        is_due = self.pending and now - self._reported_s >= 0.1
        if is_due or not self.pending:
            self._reported_s = now if is_due else 0.0
        return (self.progress,) if is_due else ()

    def _begin(self) -> None:
        """Set up a Rescorer for each line, without the frames that it shares with earlier lines."""
        log, space, rules, players = self._log, self._space, self.rules, self._players
        log.seal()
        self._revision = log.revision
        self._lines = {}
        for name in (log.current, *(branch.name for branch in log.branches)):
            first = log.first_own_frame(name, self._lines)
            line = log if name == log.current else log.line(name)
            scorer = Rescorer(line, space, rules, players, first=first, recorded=self._recorded)
            self._lines[name] = first, scorer

    def _take(self) -> None:
        self._log.seal()
        for name, (first, scorer) in self._lines.items():
            self._log.put_scores(name, first, scorer.scores_from(first))
        _, present = self._lines[self._log.current]
        warnings = (text for _, scorer in self._lines.values() for text in scorer.warnings)
        self.warnings = tuple(dict.fromkeys(warnings))
        self._lines, self.pending = {}, False
        self.generation += 1
        self._tell(RecordedScored("", self._take_scores(present)))

    def _stop(self, reason: str) -> None:
        self._lines, self.pending = {}, False
        self.problem = reason
        self._tell(RecordedScored(reason))
