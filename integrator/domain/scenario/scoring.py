"""Scores frames: computes rewards, done and the running totals.

Frames are scored in chunks: numpy evaluates each term and test for all frames of a chunk, and a
single frame is a chunk of one. The rules are those of stable-retro 1.0.1, found by running it: done
before rewards, float32 arithmetic rounded after each step, terms summed in the order of its hash
maps with `time` first, deltas between the RAM copies of this frame and the previous one, absolute
values from the RAM after scripts wrote to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import ScenarioError
from integrator.domain.scenario import tree as trees
from integrator.domain.scenario.script import ScriptHooks, ScriptMemory, ScriptState
from integrator.domain.scenario.spec import ScenarioSpec

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Terms = tuple[tuple[tuple[str, float], ...], ...]  # each player's reward terms by name

EngineState: TypeAlias = tuple[int, tuple[float, ...], ScriptState | None]
"""Frame, total rewards, and the state of scripts."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Rewards, done and lamps of one frame, as stable-retro's ``step`` returns them.

    ``frame`` is the number of frames including this one (scripts saw one less). ``terms[p]`` are
    player p's summands in order: variables, ``TIME_TERM``, or the script's name. ``nodes`` maps
    JSON paths of the done tree to lamps (whether the part is done). ``custom`` are the scripts' own
    variables. If ``wrote_memory``, info shows RAM after the script's write, but the next deltas are
    against the values that were scored here."""

    frame: int
    rewards: tuple[float, ...]
    total_rewards: tuple[float, ...]
    done: bool
    terms: Terms
    nodes: Mapping[str, bool] = field(default_factory=dict)
    custom: Mapping[str, int] = field(default_factory=dict)
    wrote_memory: bool = False


@dataclass(frozen=True, slots=True)
class OutcomeChunk:
    """Outcomes of n frames: the fields of `Outcome` as arrays, with frames as the first axis.
    ``frames`` int64 (n,), ``rewards`` and ``total_rewards`` float32 (n, players), ``done`` bool
    (n,), ``terms[p]`` pairs of a name and float32 (n,), ``nodes`` JSON path -> bool (n,)."""

    frames: NDArray[np.int64]
    rewards: Floats
    total_rewards: Floats
    done: Bools
    terms: tuple[tuple[tuple[str, Floats], ...], ...]
    nodes: Mapping[str, Bools]
    custom: Mapping[str, int] = field(default_factory=dict)
    wrote_memory: bool = False

    @property
    def last(self) -> Outcome:
        return Outcome(
            frame=int(self.frames[-1]),
            rewards=tuple(self.rewards[-1].tolist()),
            total_rewards=tuple(self.total_rewards[-1].tolist()),
            done=bool(self.done[-1]),
            terms=tuple(
                tuple((name, float(part[-1])) for name, part in terms) for terms in self.terms
            ),
            nodes={path: bool(lamp[-1]) for path, lamp in self.nodes.items()},
            custom=self.custom,
            wrote_memory=self.wrote_memory,
        )

    @property
    def by_term(self) -> dict[tuple[int, str], Floats]:
        """The summands by player, from 0, and name of the term."""
        players = enumerate(self.terms)
        return {(player, name): part for player, terms in players for name, part in terms}

    @property
    def gains(self) -> Terms:
        return tuple(
            tuple((name, float(part.sum())) for name, part in terms) for terms in self.terms
        )


class ScenarioEngine:
    """Scores each frame once and in order. `reset` may write RAM, so read values after it."""

    def __init__(
        self, spec: ScenarioSpec, players: int = 1, hooks: ScriptHooks | None = None
    ) -> None:
        """Raises ScenarioError if the scenario calls scripts and there are no ``hooks``."""
        if spec.script_calls and hooks is None:
            raise ScenarioError(f"{spec.script_calls[0]}: the scenario needs its Lua scripts")
        self.spec, self.players, self._hooks = spec, players, hooks
        self.frame = 0
        self._totals: Floats = np.zeros(players, np.float32)

    @property
    def total_rewards(self) -> tuple[float, ...]:
        """The running sum of each player's rewards, summed in float32."""
        return tuple(float(total) for total in self._totals)

    @property
    def vectorisable(self) -> bool:
        """True if a chunk may have many frames; scripts run frame by frame."""
        return self._hooks is None

    def reset(self) -> None:
        """Begin an episode: clear totals and frame counter, and reload the scripts."""
        self.frame = 0
        self._totals[:] = 0
        if self._hooks is not None:
            self._hooks.begin_frame(0)
            self._hooks.reset()

    def attach(self, memory: ScriptMemory) -> None:
        """Let scripts use another memory from now on; they keep their variables."""
        if self._hooks is not None:
            self._hooks.attach(memory)

    def restore(self, frame: int, totals: Sequence[float]) -> None:
        """Continue after a frame that was scored before; scripts keep their globals."""
        self.frame = frame
        self._totals[:] = totals

    def save(self) -> EngineState:
        """Return frame, totals and script state for :meth:`put_back`. Raises ScriptError."""
        return self.frame, self.total_rewards, self._hooks.save() if self._hooks else None

    def put_back(self, state: EngineState) -> None:
        """Continue from a state that :meth:`save` returned. Raises ScriptError."""
        frame, totals, scripts = state
        if self._hooks and scripts is not None:
            self._hooks.restore(scripts)
        self.restore(frame, totals)

    def skip(self) -> OutcomeChunk:
        """Count a frame in which a script failed, without reward and not done."""
        nothing: Floats = np.zeros(1, np.float32)
        scored = [
            (tuple((name, nothing) for name in reward.parts), nothing)
            for reward in self.spec.rewards
        ]
        return self._outcomes(np.zeros(1, np.bool_), {}, scored, None)

    def score(self, current: Mapping[str, int], previous: Mapping[str, int] | None) -> Outcome:
        """Score one frame, given as plain numbers, as `score_chunk` does."""
        columns = {name: np.array([value], np.int64) for name, value in current.items()}
        return self.score_chunk(columns, previous, 1).last

    def score_chunk(
        self, current: Mapping[str, trees.Ints], previous: Mapping[str, int] | None, frames: int
    ) -> OutcomeChunk:
        """Score frames; variables are int64 (frames,). Raises ScenarioError, ScriptError."""
        if self._hooks is not None:
            if frames != 1:
                raise ScenarioError("scripts run frame by frame: score one frame at a time")
            self._hooks.begin_frame(self.frame)
        chunk = _Chunk(current, previous, frames, self._hooks)
        with np.errstate(over="ignore", invalid="ignore"):
            tree, script = self.spec.done, self.spec.done_script
            if script is None or self._hooks is None:
                lamps = chunk.lamps(tree)
            else:
                # Any number other than 0 means done, also a negative one.
                lamps = {tree.path: np.array([bool(self._hooks.call(script))])}
            done = lamps[tree.path]
            scored = [chunk.reward(reward) for reward in self.spec.rewards]
            return self._outcomes(done, lamps, scored, self._hooks)

    def lamps(
        self, current: Mapping[str, int], previous: Mapping[str, int] | None
    ) -> dict[str, bool]:
        """Return the lamps of a recorded frame from its variables, which include those that scripts
        made before it. No script is called. Raises ScenarioError."""
        if self.spec.done_script is not None:
            return {}
        columns = {name: np.array([value], np.int64) for name, value in current.items()}
        lit = _Chunk(columns, previous, 1, None).lamps(self.spec.done)
        return {path: bool(lamp[0]) for path, lamp in lit.items()}

    def _outcomes(
        self,
        done: Bools,
        lamps: Mapping[str, Bools],
        scored: Sequence[tuple[tuple[tuple[str, Floats], ...], Floats]],
        hooks: ScriptHooks | None,
    ) -> OutcomeChunk:
        rewards = np.zeros((done.size, self.players), np.float32)
        terms: list[tuple[tuple[str, Floats], ...]] = [()] * self.players
        for player, (parts, reward) in enumerate(scored[: self.players]):
            terms[player] = parts
            rewards[:, player] = reward
        totals = rewards.copy()
        totals[:1] += self._totals
        totals = running_totals(totals)
        first = self.frame + 1
        self.frame += done.size
        self._totals = totals[-1].copy() if done.size else self._totals
        return OutcomeChunk(
            frames=np.arange(first, first + done.size),
            rewards=rewards,
            total_rewards=totals,
            done=done,
            terms=tuple(terms),
            nodes=lamps,
            custom={} if hooks is None else hooks.custom,
            wrote_memory=hooks is not None and hooks.wrote_memory,
        )


@dataclass(slots=True, eq=False)
class _Chunk:
    """The values of a chunk as terms and tests read them; with hooks, ``frames`` is 1."""

    _current: Mapping[str, trees.Ints]
    _previous: Mapping[str, int] | None
    frames: int
    _hooks: ScriptHooks | None
    _changes: dict[str, trees.Ints] = field(default_factory=dict)

    def reward(self, reward: trees.RewardSpec) -> tuple[tuple[tuple[str, Floats], ...], Floats]:
        if reward.script is not None and self._hooks is not None:
            result = np.array([self._hooks.call(reward.script)], np.float32)
            return ((str(reward.script), result),), result
        parts: list[tuple[str, Floats]] = []
        total = np.zeros(self.frames, np.float32)
        if reward.time is not None:
            parts.append((reward.time.name, summand(reward.time, np.ones(self.frames, np.int64))))
        parts += [(term.name, summand(term, self._measure(term))) for term in reward.terms]
        for _, part in parts:
            total += part
        return tuple(parts), total

    def lamps(self, tree: trees.DoneNode) -> dict[str, Bools]:
        lamps: dict[str, Bools] = {}
        self._light(tree, lamps, np.zeros(self.frames, np.bool_))
        return lamps

    def _light(self, node: trees.DoneNode, lamps: dict[str, Bools], behind: Bools) -> Bools:
        """Return where a node is done, and set lamps, also in frames ``behind`` a decision."""
        is_any = node.condition is trees.Condition.ANY
        done = np.zeros(self.frames, np.bool_)
        done = done if is_any else ~done
        for test in node.tests:
            try:
                results = test.op.apply(self._measure(test), test.reference)
            except ScenarioError:
                if not (behind | (done == is_any)).all():
                    raise
                continue
            lamps[test.path] = lamp = results if results.dtype == np.bool_ else results > 0
            done = done | lamp if is_any else done & lamp
        for child in node.nodes:
            lamp = self._light(child, lamps, behind | (done == is_any))
            done = done | lamp if is_any else done & lamp
        lamps[node.path] = done
        return done

    def _measure(self, spec: trees.TestSpec) -> trees.Ints:
        """Return a variable's values or changes; a script's own variables count as unchanged."""
        name, changes = spec.name, spec.measurement is trees.Measurement.DELTA
        try:
            if self._hooks is not None:
                custom = self._hooks.custom
                if name in custom:
                    return np.array([0 if changes else custom[name]])
                if self._hooks.wrote_memory and not changes:
                    return np.array([self._hooks.read(name)])
            return self._change(name) if changes else self._current[name]
        except KeyError as error:
            raise ScenarioError(
                f"{spec.path}: no variable {name!r} in memory; "
                "give it an address there in data.json, or write it in a script"
            ) from error

    def _change(self, name: str) -> trees.Ints:
        if name not in self._changes:
            values = self._current[name]
            before = np.empty_like(values)
            then = None if self._previous is None else self._previous.get(name)
            # A variable that was added since the last frame counts as unchanged.
            before[:1] = values[:1] if then is None else then
            before[1:] = values[:-1]
            self._changes[name] = values - before
        return self._changes[name]


def running_totals(rewards: Floats) -> Floats:
    """Sum rewards, float32 (frames, players), frame after frame in float32, as training does."""
    with np.errstate(over="ignore", invalid="ignore"):
        totals: Floats = np.add.accumulate(rewards, axis=0)
    return totals


def summand(term: trees.TermSpec, measured: trees.Ints) -> Floats:
    """Return the op's results in float32, times reward if positive or penalty if negative."""
    results: Floats = term.op.apply(measured, term.reference).astype(np.float32)
    falls = results < 0
    # 0 is not multiplied, because an infinite factor would make it NaN.
    np.multiply(results, term.reward, out=results, where=results > 0)
    return np.multiply(results, term.penalty, out=results, where=falls)


MOST_KEPT: Final = 1 << 14  # cached results of a term or a test, by measured number

Values: TypeAlias = Mapping[str, int]
_Done: TypeAlias = Callable[[Values, Values], bool]
_Reward: TypeAlias = Callable[[Values, Values], float]


class StepScorer:
    """Scores single frames as the engine does, but faster; for scenarios that :meth:`fits`."""

    def __init__(self, spec: ScenarioSpec, players: int) -> None:
        self._rewards = _together([_reward(reward) for reward in spec.rewards[:players]], players)
        self._done = _node(spec.done)
        self.before: Mapping[str, int] | None = None

    @staticmethod
    def fits(spec: ScenarioSpec, names: frozenset[str]) -> bool:
        return not spec.scripts and not spec.script_calls and spec.variables <= names

    def reset(self) -> None:
        """Begin an episode; the deltas of its first frame are 0."""
        self.before = None

    def score(self, values: Values) -> tuple[tuple[float, ...], bool]:
        """Return the reward of each player, and done, for the next frame."""
        before = self.before or values
        self.before = values
        return self._rewards(values, before), self._done(values, before)


def _kept(result: Callable[[trees.Ints], float]) -> Callable[[int], float]:
    """Return ``result`` as a cached function of one number."""

    @lru_cache(MOST_KEPT)
    def kept(measured: int) -> float:
        with np.errstate(over="ignore", invalid="ignore"):
            return result(np.array([trees.wrap_int64(measured)], np.int64))

    return kept


def _reward(spec: trees.RewardSpec) -> _Reward:
    time = 0.0 if spec.time is None else _part(spec.time)(1)
    terms = [(t.name, t.measurement is trees.Measurement.DELTA, _part(t)) for t in spec.terms]

    def reward(values: Values, before: Values) -> float:
        total = time
        for name, changes, part_of in terms:
            measured = values[name]
            part = part_of(measured - before[name] if changes else measured)
            if part:
                total = _add(total, part) if total else part
        return total

    return reward


def _together(
    rewards: list[_Reward], players: int
) -> Callable[[Values, Values], tuple[float, ...]]:
    """Return a function for all players' rewards; players without a reward get 0."""
    if len(rewards) == players == 1:
        only = rewards[0]
        return lambda values, before: (only(values, before),)
    none = (0.0,) * (players - len(rewards))
    return lambda values, before: (*(each(values, before) for each in rewards), *none)


def _part(term: trees.TermSpec) -> Callable[[int], float]:
    # Adding 0.0 turns -0.0 into 0.0, as summing does.
    return _kept(lambda measured: float(summand(term, measured)[0]) + 0.0)


def _add(total: float, part: float) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.float32(total) + np.float32(part))


def _test(spec: trees.TestSpec) -> _Done:
    answer = _kept(lambda measured: float(spec.op.apply(measured, spec.reference)[0] > 0))
    name = spec.name
    if spec.measurement is trees.Measurement.DELTA:
        return lambda values, before: bool(answer(values[name] - before[name]))
    return lambda values, _: bool(answer(values[name]))


def _node(spec: trees.DoneNode) -> _Done:
    parts = [*map(_test, spec.tests), *map(_node, spec.nodes)]
    if len(parts) == 1:
        return parts[0]
    if spec.condition is trees.Condition.ALL:
        return lambda values, before: all(part(values, before) for part in parts)
    return lambda values, before: any(part(values, before) for part in parts)
