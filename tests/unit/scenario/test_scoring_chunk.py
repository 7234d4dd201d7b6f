"""Scoring many frames at once gives the numbers of scoring them one by one in plain loops."""

from __future__ import annotations

import gc
import sys
from itertools import pairwise
from types import FrameType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nightly import more_by_night
from plain_scoring import plain_done, plain_rewards

from integrator.domain.errors import ScenarioError
from integrator.domain.scenario.scoring import MOST_KEPT, ScenarioEngine, StepScorer
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import OPS, Measurement

NAMES = ("score", "lives", "x", "Äpfel", "a.b", "health_points_left")

_int64 = st.integers(-(1 << 63), (1 << 63) - 1)
_values = st.one_of(st.integers(-3, 3), st.integers(-70000, 70000), _int64)
_factor = st.one_of(st.just(0.1), st.integers(-5, 5), st.floats(allow_nan=False))
_term = st.fixed_dictionaries(
    {},
    optional={
        "op": st.sampled_from(list(OPS)),
        "measurement": st.sampled_from([m.value for m in Measurement]),
        "reference": _values,
        "reward": _factor,
        "penalty": _factor,
    },
)
_variables = st.dictionaries(st.sampled_from(NAMES), _term, max_size=5)
_node = st.recursive(
    st.fixed_dictionaries(
        {}, optional={"variables": _variables, "condition": st.sampled_from(["any", "all"])}
    ),
    lambda inner: st.fixed_dictionaries(
        {"variables": _variables, "nodes": st.dictionaries(st.sampled_from("abc"), inner)},
        optional={"condition": st.sampled_from(["any", "all"])},
    ),
    max_leaves=6,
)
_reward = st.fixed_dictionaries({}, optional={"variables": _variables, "time": _term})
_scenario = st.fixed_dictionaries(
    {}, optional={"reward": _reward, "rewards": st.lists(_reward, max_size=2), "done": _node}
)


@settings(max_examples=more_by_night(75, 300), deadline=None)
@given(
    scenario=_scenario,
    rows=st.lists(st.tuples(*[_values] * len(NAMES)), min_size=1, max_size=12),
    cuts=st.lists(st.integers(0, 12), max_size=3),
    players=st.integers(1, 3),
)
def test_chunks_and_single_frames_agree(
    scenario: dict[str, Any], rows: list[tuple[int, ...]], cuts: list[int], players: int
) -> None:
    spec = ScenarioSpec.parse(scenario)
    one, many = ScenarioEngine(spec, players), ScenarioEngine(spec, players)
    stepped = StepScorer(spec, players)
    frames = [dict(zip(NAMES, row, strict=True)) for row in rows]
    table = np.array(rows, np.int64)
    edges = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    for start, stop in pairwise(edges):
        columns = {name: table[start:stop, i] for i, name in enumerate(NAMES)}
        previous = frames[start - 1] if start else None
        chunk = many.score_chunk(columns, previous, stop - start)
        for index in range(start, stop):
            outcome = one.score(frames[index], frames[index - 1] if index else None)
            at, before = index - start, frames[index - 1] if index else None
            plain = plain_rewards(spec, frames[index], before)
            _same(outcome.rewards, (plain + [np.float32(0)] * players)[:players])
            rewards, done = stepped.score(frames[index])
            _same(rewards, outcome.rewards)
            assert done is outcome.done
            assert outcome.done is plain_done(spec.done, frames[index], before)
            assert chunk.frames[at] == outcome.frame
            _same(chunk.rewards[at], outcome.rewards)
            _same(chunk.total_rewards[at], outcome.total_rewards)
            assert chunk.done[at] == outcome.done
            assert {path: lamps[at] for path, lamps in chunk.nodes.items()} == outcome.nodes
            for arrays, terms in zip(chunk.terms, outcome.terms, strict=True):
                assert [name for name, _ in arrays] == [name for name, _ in terms]
                _same([part[at] for _, part in arrays], [part for _, part in terms])
    _same(many.total_rewards, one.total_rewards)


def _same(found: Any, expected: Any) -> None:
    np.testing.assert_array_equal(np.array(found), np.array(expected, np.float32))


def test_steps_need_no_scripts_and_every_variable() -> None:
    reward = {"variables": {"x": {"reward": 1}}}
    assert StepScorer.fits(ScenarioSpec.parse({"reward": reward}), frozenset({"x", "y"}))
    assert not StepScorer.fits(ScenarioSpec.parse({"reward": reward}), frozenset({"y"}))
    script = {"reward": reward, "done": {"script": "over"}}
    assert not StepScorer.fits(ScenarioSpec.parse(script), frozenset({"x"}))


def test_steps_begin_anew_and_forget_old_results() -> None:
    terms = {"x": {"reward": 1, "penalty": 1}}
    stepped = StepScorer(ScenarioSpec.parse({"reward": {"variables": terms}}), 1)
    for step in range(MOST_KEPT + 2):
        rewards, _ = stepped.score({"x": step * step})
        assert rewards == (float(np.float32(max(0, 2 * step - 1))),)
    stepped.reset()
    assert stepped.score({"x": 5})[0] == (0.0,)


def test_a_chunk_without_frames_changes_nothing() -> None:
    engine = ScenarioEngine(ScenarioSpec.parse({"reward": {"time": {"reward": 2}}}))
    engine.score({}, None)
    chunk = engine.score_chunk({}, {}, 0)
    assert chunk.rewards.shape == (0, 1)
    assert (engine.frame, engine.total_rewards) == (1, (2.0,))


def test_time_alone_needs_no_variables() -> None:
    engine = ScenarioEngine(ScenarioSpec.parse({"reward": {"time": {"reward": 0.1}}}))
    chunk = engine.score_chunk({}, None, 3)
    assert chunk.rewards.tolist() == [[np.float32(0.1)]] * 3
    assert chunk.frames.tolist() == [1, 2, 3]


def test_an_unknown_variable_fails_where_one_frame_would_fail() -> None:
    done = {"condition": "all", "variables": {"x": {"op": "zero"}, "gone": {}}}
    spec = ScenarioSpec.parse({"done": done})
    # Upstream tests `x` first: a frame with x = 0 goes on to the unknown variable, others do not.
    assert [test.name for test in spec.done.tests] == ["x", "gone"]
    chunk = ScenarioEngine(spec).score_chunk({"x": np.array([1, 2])}, None, 2)
    assert chunk.done.tolist() == [False, False]
    assert not ScenarioEngine(spec).score({"x": 1}, None).done
    with pytest.raises(ScenarioError, match=r"done\.variables\.gone: no variable 'gone'"):
        ScenarioEngine(spec).score_chunk({"x": np.array([1, 0])}, None, 2)
    with pytest.raises(ScenarioError, match=r"done\.variables\.gone: no variable 'gone'"):
        ScenarioEngine(spec).score({"x": 0}, None)


def test_a_chunk_takes_as_many_calls_whatever_its_length() -> None:
    """Frames of a chunk are scored by numpy: no function runs once for each of them."""
    names = [f"variable{number}" for number in range(20)]
    spec = ScenarioSpec.parse(
        {
            "reward": {"variables": {name: {"reward": 0.1, "penalty": 0.2} for name in names}},
            "done": {"variables": {name: {"op": "greater-than", "reference": 9} for name in names}},
        }
    )
    few, many = (_calls(spec, names, frames) for frames in (1_000, 100_000))
    assert many == few


def _calls(spec: ScenarioSpec, names: list[str], frames: int) -> int:
    """Functions of Python and of C that scoring ``frames`` frames in one chunk calls."""
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 5, frames) for name in names}
    engine = ScenarioEngine(spec)
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    gc.collect()
    gc.disable()  # The garbage of other tests may have callbacks, which would count.
    sys.setprofile(count)
    try:
        engine.score_chunk(columns, None, frames)
    finally:
        sys.setprofile(None)
        gc.enable()
    return calls
