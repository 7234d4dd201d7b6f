"""Owns what a scenario makes of one frame's values: rewards, done, and the running totals.

Semantics are those of stable-retro 1.0.1, found by running it: done before rewards, float32
arithmetic with one rounding a step, terms summed in the order of its hash maps with `time` first,
deltas between the RAM copies of this frame and the one before, absolute values from the RAM as
scripts left it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from integrator.domain.errors import ScenarioError
from integrator.domain.scenario.scoring_chunk import ChunkScorer, OutcomeChunk
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import (
    Condition,
    DoneNode,
    Measurement,
    Op,
    RewardSpec,
    ScriptCall,
    TermSpec,
    TestSpec,
    json_path,
    to_float32,
    wrap_int64,
)

FRAMES_PER_TIMESTEP = 4


class Hooks(Protocol):
    """The Lua side of a scenario (`script.ScriptHooks`), as far as scoring needs it."""

    @property
    def custom(self) -> Mapping[str, int]:
        """Custom variables of this episode, as integers (how they show in info)."""

    @property
    def wrote_memory(self) -> bool:
        """Whether a script wrote RAM since `begin_frame`."""

    def reset(self) -> None:
        """Forget custom variables and load all scripts anew."""

    def begin_frame(self, frame: int) -> None:
        """Set `scenario.frame` for the calls to come."""

    def call(self, call: ScriptCall) -> float | bool:
        """Call a function; raises ScriptError."""

    def read(self, name: str) -> int:
        """Read a variable from the RAM as it is now; raises KeyError for an unknown name."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a scenario made of one frame.

    ``frame`` is the scenario's counter after this frame (1 after a reset's own scoring); scripts
    saw one less. ``rewards`` and ``total_rewards`` are float32 numbers, one a player. ``done`` is
    this frame's value, as stable-retro's ``step`` returns it. ``terms[p]`` are player p's summands
    in summation order: variable names, ``time``, or the script's name. ``nodes`` maps the JSON
    paths of the done tree (``done``, ``done.variables.lives``, ``done.nodes.boss`` ...) to their
    lamps. ``custom`` are the scripts' own variables as they show in info. When ``wrote_memory``, a
    script wrote RAM: info shows the variables as they stand in RAM now, while the next frame's
    deltas still start from the values that were scored here.
    """

    frame: int
    rewards: tuple[float, ...]
    total_rewards: tuple[float, ...]
    done: bool
    terms: tuple[tuple[tuple[str, float], ...], ...]
    nodes: Mapping[str, bool] = field(default_factory=dict)
    custom: Mapping[str, int] = field(default_factory=dict)
    wrote_memory: bool = False

    @property
    def timestep(self) -> int:
        """The frame counter in steps of four frames, as scripts see it."""
        return self.frame // FRAMES_PER_TIMESTEP


def apply_op(op: Op, reference: int, value: int) -> int:
    """Return what ``op`` makes of ``value``; `negative-equal` compares with -reference."""
    match op:
        case Op.NONE:
            return value
        case Op.EQUAL:
            return int(value == reference)
        case Op.NEGATIVE_EQUAL:
            return int(value == wrap_int64(-reference))
        case Op.NOT_EQUAL:
            return int(value != reference)
        case Op.LESS_THAN:
            return int(value < reference)
        case Op.GREATER_THAN:
            return int(value > reference)
        case Op.LESS_OR_EQUAL:
            return int(value <= reference)
        case Op.GREATER_OR_EQUAL:
            return int(value >= reference)
    return _apply_unary(op, value)


def _apply_unary(op: Op, value: int) -> int:
    sign = (value > 0) - (value < 0)
    match op:
        case Op.NONZERO:
            return int(sign != 0)
        case Op.ZERO:
            return int(sign == 0)
        case Op.POSITIVE:
            return int(sign > 0)
        case Op.NEGATIVE:
            return int(sign < 0)
    return sign


def term_value(term: TermSpec, measured: int) -> np.float32:
    """Return a reward term's summand: the op's result times reward or penalty, in float32."""
    result = apply_op(term.op, term.reference, measured)
    scaled = to_float32(result)
    if result < 0:
        scaled *= np.float32(term.penalty)
    elif result > 0:
        scaled *= np.float32(term.reward)
    return scaled


class _Values:
    """The values of one frame as a term or test sees them."""

    __slots__ = ("_current", "_hooks", "_previous")

    def __init__(
        self, current: Mapping[str, int], previous: Mapping[str, int] | None, hooks: Hooks | None
    ) -> None:
        self._current = current
        self._previous = previous
        self._hooks = hooks

    def measure(self, name: str, measurement: Measurement, path: str) -> int:
        """Return the value or the change of a variable; ``path`` is for the error's message."""
        custom = self._hooks.custom if self._hooks is not None else {}
        if name in custom:
            return 0 if measurement is Measurement.DELTA else custom[name]
        try:
            if measurement is Measurement.DELTA:
                now = self._current[name]
                # A variable that was added since the frame before has not changed.
                then = now if self._previous is None else self._previous.get(name, now)
                return wrap_int64(now - then)
            if self._hooks is not None and self._hooks.wrote_memory:
                return self._hooks.read(name)
            return self._current[name]
        except KeyError as error:
            raise ScenarioError(
                f"{path}: no variable {name!r}; add it to data.json or write it in a script"
            ) from error


class ScenarioEngine:
    """Scores frames one after the other and keeps the running totals.

    `reset` begins an episode, then `score` (or `score_chunk`) is called exactly once per frame, the
    first time for the reset's own idle frame. When scripts write RAM in `reset`, that happens
    before the frame's values are read: read the values after `reset` returns.
    """

    def __init__(self, spec: ScenarioSpec, players: int = 1, hooks: Hooks | None = None) -> None:
        """Raise ScenarioError when the scenario calls scripts and there are no ``hooks``."""
        if spec.script_calls and hooks is None:
            raise ScenarioError(f"{spec.script_calls[0]}: the scenario needs its Lua scripts")
        self.spec = spec
        self.players = players
        self._hooks = hooks
        self._frame = 0
        self._totals: npt.NDArray[np.float32] = np.zeros(players, np.float32)

    @property
    def frame(self) -> int:
        """How many frames were scored since the reset."""
        return self._frame

    @property
    def total_rewards(self) -> tuple[float, ...]:
        """The running sum of each player's rewards, summed in float32."""
        return tuple(float(total) for total in self._totals)

    @property
    def vectorisable(self) -> bool:
        """Whether `score_chunk` takes many frames: not with scripts, which run frame by frame."""
        return self._hooks is None

    def reset(self) -> None:
        """Begin an episode: totals and frame counter 0, custom variables gone, scripts reloaded."""
        self._frame = 0
        self._totals[:] = 0
        if self._hooks is not None:
            self._hooks.begin_frame(0)
            self._hooks.reset()

    def restore(self, frame: int, totals: Sequence[float]) -> None:
        """Go on from a frame of an episode that was scored before; scripts keep their globals."""
        self._frame = frame
        self._totals[:] = totals

    def skip(self) -> Outcome:
        """Count a frame that could not be scored because a script failed: no reward, not done."""
        self._frame += 1
        none = (0.0,) * self.players
        no_terms = ((),) * self.players
        return Outcome(self._frame, none, self.total_rewards, done=False, terms=no_terms)

    def score(self, current: Mapping[str, int], previous: Mapping[str, int] | None) -> Outcome:
        """Score one frame.

        ``current`` and ``previous`` are the values of this frame and the one before as they were
        before scripts ran; None on the first frame of an episode: deltas are then 0. Raises
        ScenarioError for a variable that does not exist, ScriptError from a script.
        """
        if self._hooks is not None:
            self._hooks.begin_frame(self._frame)
        values = _Values(current, previous, self._hooks)
        nodes: dict[str, bool] = {}
        done = self._score_done(values, nodes)
        with np.errstate(over="ignore", invalid="ignore"):
            scored = [self._score_reward(reward, values) for reward in self.spec.rewards]
            absent = self.players - len(scored)
            scored = (scored + [((), np.float32(0))] * absent)[: self.players]
            for player, (_, reward) in enumerate(scored):
                self._totals[player] += reward
        self._frame += 1
        return Outcome(
            frame=self._frame,
            rewards=tuple(float(reward) for _, reward in scored),
            total_rewards=self.total_rewards,
            done=done,
            terms=tuple(terms for terms, _ in scored),
            nodes=nodes,
            custom=self._hooks.custom if self._hooks is not None else {},
            wrote_memory=self._hooks is not None and self._hooks.wrote_memory,
        )

    def score_chunk(
        self,
        current: Mapping[str, npt.NDArray[np.int64]],
        first_previous: Mapping[str, int] | None,
        frames: int,
    ) -> OutcomeChunk:
        """Score ``frames`` frames at once; the numbers are those of as many calls of `score`.

        ``current`` maps each variable to its int64 values, shape (frames,);
        ``first_previous`` holds the values of the frame before, None at the start of an episode.
        Raises ScenarioError as `score` does, and when the engine is not `vectorisable`.
        """
        if not self.vectorisable:
            raise ScenarioError("scripts run frame by frame: score one frame at a time")
        scorer = ChunkScorer(self.spec, self.players, current, first_previous, frames)
        chunk = scorer.run(self._frame, self._totals)
        if chunk.frames.size:
            self._frame = int(chunk.frames[-1])
            self._totals = chunk.total_rewards[-1].copy()
        return chunk

    def _score_reward(
        self, reward: RewardSpec, values: _Values
    ) -> tuple[tuple[tuple[str, float], ...], np.float32]:
        if reward.script is not None and self._hooks is not None:
            with np.errstate(over="ignore"):
                result = np.float32(self._hooks.call(reward.script))
            return ((str(reward.script), float(result)),), result
        terms: list[tuple[str, float]] = []
        total = np.float32(0)
        if reward.time is not None:
            total = term_value(reward.time, 1)
            terms.append(("time", float(total)))
        for term in reward.terms:
            path = json_path(reward.path, "variables", term.name)
            part = term_value(term, values.measure(term.name, term.measurement, path))
            total += part
            terms.append((term.name, float(part)))
        return tuple(terms), total

    def _score_done(self, values: _Values, nodes: dict[str, bool]) -> bool:
        if self.spec.done_script is not None and self._hooks is not None:
            # Any number but 0 is done, negative ones too.
            done = bool(self._hooks.call(self.spec.done_script))
            nodes[self.spec.done.path] = done
            return done
        return _light(self.spec.done, values, nodes, decided=False)


def _light(node: DoneNode, values: _Values, nodes: dict[str, bool], *, decided: bool) -> bool:
    """Evaluate a node, write its lamps and those below it, and return whether it is done.

    Upstream stops at the first part that decides a node. What lies behind is evaluated for its lamp
    only: a variable that does not exist is an error only where upstream would have met it.
    """
    stop = node.condition is Condition.ANY
    result: bool | None = None
    for test in node.tests:
        lamp = _light_test(node, test, values, nodes, optional=decided or result is not None)
        if result is None and lamp is stop:
            result = stop
    for child in node.nodes:
        lamp = _light(child, values, nodes, decided=decided or result is not None)
        if result is None and lamp is stop:
            result = stop
    nodes[node.path] = (not stop) if result is None else result
    return nodes[node.path]


def _light_test(
    node: DoneNode, test: TestSpec, values: _Values, nodes: dict[str, bool], *, optional: bool
) -> bool | None:
    path = node.test_path(test)
    try:
        measured = values.measure(test.name, test.measurement, path)
    except ScenarioError:
        if optional:
            return None
        raise
    nodes[path] = apply_op(test.op, test.reference, measured) > 0
    return nodes[path]
