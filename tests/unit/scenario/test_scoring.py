"""Scenario files: their meaning, and the scoring of one frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from plain_scoring import PLAIN_OPS

from integrator.domain.errors import ScenarioError
from integrator.domain.scenario.scoring import ScenarioEngine
from integrator.domain.scenario.spec import ScenarioSpec, string_hash, upstream_order
from integrator.domain.scenario.tree import OPS, Crop, ScriptCall

F32 = np.float32


def rewards_of(scenario: dict[str, Any], *frames: dict[str, int]) -> list[float]:
    engine = ScenarioEngine(ScenarioSpec.parse(scenario))
    engine.reset()
    pairs = zip((None, *frames), frames, strict=False)
    return [engine.score(values, previous).rewards[0] for previous, values in pairs]


def test_rewards_follow_changes_and_done_follows_values() -> None:
    scenario = {
        "reward": {"variables": {"score": {"reward": 2, "penalty": 0.5}}},
        "done": {"variables": {"lives": {"op": "zero"}}},
    }
    engine = ScenarioEngine(ScenarioSpec.parse(scenario))
    engine.reset()
    first = engine.score({"score": 100, "lives": 1}, None)
    assert (first.frame, first.rewards, first.done) == (1, (0.0,), False)
    second = engine.score({"score": 103, "lives": 1}, {"score": 100, "lives": 1})
    assert second.rewards == (6.0,)
    assert second.terms == ((("score", 6.0),),)
    third = engine.score({"score": 99, "lives": 0}, {"score": 103, "lives": 1})
    assert third.rewards == (-2.0,)
    assert third.total_rewards == (4.0,)
    assert third.done
    assert third.nodes == {"done": True, "done.variables.lives": True}
    engine.reset()
    assert (engine.frame, engine.total_rewards) == (0, (0.0,))


def test_a_missing_factor_is_0() -> None:
    assert rewards_of({"reward": {"variables": {"x": {"reward": 1}}}}, {"x": 5}, {"x": 2}) == [0, 0]


def test_arithmetic_is_float32() -> None:
    scenario = {"reward": {"variables": {"x": {"reward": 0.1, "measurement": "absolute"}}}}
    assert rewards_of(scenario, {"x": 1}) == [0.10000000149011612]
    assert rewards_of(scenario, {"x": 16777217}) == [float(F32(16777216) * F32(0.1))]
    # Straight from int64: by way of float64 it would round up.
    large = (1 << 62) + (1 << 38) + 1
    scenario["reward"]["variables"]["x"]["reward"] = 1
    assert rewards_of(scenario, {"x": large}) == [float((1 << 62) + (1 << 39))]


def test_time_is_always_one() -> None:
    assert rewards_of({"reward": {"time": {"reward": -0.5, "penalty": 9}}}, {}, {}) == [-0.5, -0.5]


def test_rewards_of_two_players() -> None:
    value = {"rewards": [{"variables": {"a": {"reward": 1}}}, {"variables": {"b": {"reward": 3}}}]}
    engine = ScenarioEngine(ScenarioSpec.parse(value), players=2)
    outcome = engine.score({"a": 2, "b": 2}, {"a": 1, "b": 1})
    assert outcome.rewards == (1.0, 3.0)
    assert outcome.terms == ((("a", 1.0),), (("b", 3.0),))
    assert ScenarioEngine(ScenarioSpec.parse(value)).score({"a": 2, "b": 2}, None).rewards == (0.0,)


def test_reward_and_rewards_join() -> None:
    value = {
        "reward": {"variables": {"a": {"reward": 1}, "b": {"reward": 2}}, "time": {"reward": 5}},
        "rewards": [{"variables": {"a": {"reward": 7}, "c": {"reward": 3}}, "time": {"reward": 6}}],
    }
    (reward,) = ScenarioSpec.parse(value).rewards
    assert {term.name: term.reward for term in reward.terms} == {"a": 1, "b": 2, "c": 3}
    assert reward.time is not None
    assert reward.time.reward == 6


@pytest.mark.parametrize("name", OPS)
def test_ops(name: str) -> None:
    values = [-(1 << 63), -3, -2, -1, 0, 1, 2, 3, (1 << 63) - 1]
    for reference in (*values, 7):
        expected = [int(PLAIN_OPS[name](value, reference)) for value in values]
        assert OPS[name].apply(np.array(values), reference).astype(int).tolist() == expected
        assert [OPS[name].of(value, reference) for value in values] == expected


@pytest.mark.parametrize(
    ("done", "expected"),
    [
        ({}, False),
        ({"condition": "all"}, True),
        ({"variables": {"x": {}}}, True),
        ({"variables": {"y": {}}}, False),
        ({"variables": {"x": {"measurement": "delta"}}}, False),
        ({"condition": "all", "variables": {"x": {}, "y": {}}}, False),
        ({"condition": "all", "variables": {"x": {}}, "nodes": {"n": {}}}, False),
        ({"nodes": {"n": {"condition": "all", "nodes": {"m": {"variables": {"x": {}}}}}}}, True),
    ],
)
def test_done_tree(done: dict[str, Any], expected: bool) -> None:
    engine = ScenarioEngine(ScenarioSpec.parse({"done": done}))
    assert engine.score({"x": 3, "y": 0}, None).done is expected


def test_lamps_name_nested_nodes() -> None:
    done = {"nodes": {"boss": {"condition": "all", "variables": {"x": {"op": "zero"}}}}}
    outcome = ScenarioEngine(ScenarioSpec.parse({"done": done})).score({"x": 0}, None)
    assert outcome.nodes == {
        "done": True, "done.nodes.boss": True, "done.nodes.boss.variables.x": True,
    }  # fmt: skip


def test_an_unknown_variable_is_named_with_its_place() -> None:
    engine = ScenarioEngine(ScenarioSpec.parse({"reward": {"variables": {"scroe": {}}}}))
    words = r"reward\.variables\.scroe: no variable 'scroe' in memory"
    with pytest.raises(ScenarioError, match=words):
        engine.score({"score": 1}, None)


def test_scripts_need_hooks() -> None:
    spec = ScenarioSpec.parse({"reward": {"script": "lua:f"}, "done": {"script": "g"}})
    assert spec.script_calls == (ScriptCall("g"), ScriptCall("f", "lua"))
    with pytest.raises(ScenarioError, match="needs its Lua scripts"):
        ScenarioEngine(spec)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "game/scenario.json: expected an object, not list"),
        ({"reward": {"variables": 5}}, r"reward\.variables: expected an object, not int"),
        ({"rewards": {}}, "rewards: expected an array"),
        ({"done": {"script": 5}}, r"done\.script: expected a string"),
        ({"done": {"script": "python:f"}}, r"done\.script: no script language 'python'"),
        ({"actions": [["A"]]}, r"actions\[0\]\[0\]: expected an array, not str"),
        ({"actions": [[[5]]]}, r"actions\[0\]\[0\]\[0\]: expected a string"),
        ({"crop": [1, 2]}, r"crop: expected \[x, y, width, height\]"),
        ({"crop": [0, 0, -1, 5]}, "crop: expected"),
        ({"scripts": [1]}, r"scripts\[0\]: expected a string"),
    ],
)
def test_what_can_not_be_used_is_refused_with_its_place(value: object, message: str) -> None:
    with pytest.raises(ScenarioError, match=message):
        ScenarioSpec.parse(value, "game/scenario.json")


def test_what_training_ignores_is_listed() -> None:
    spec = ScenarioSpec.parse(
        {
            "reward": {"variables": {"x": {"op": "bigger", "reward": "1", "reference": 1.5}}},
            "done": {"condition": "both", "variables": {"y": {"measurement": "rel", "op": 3}}},
            "crops": [[0, 0, 8, 8]],
            "something": {"else": 1},
        }
    )
    assert [problem.path for problem in spec.problems] == [
        "reward.variables.x.op",
        "reward.variables.x.reference",
        "reward.variables.x.reward",
        "done.condition",
        "done.variables.y.measurement",
        "done.variables.y.op",
        "crops",
    ]
    assert str(spec.problems[0]) == "reward.variables.x.op: 'bigger' is no op: it is ignored"
    assert spec.rewards[0].terms[0].reference == 1


def test_crops() -> None:
    assert ScenarioSpec.parse({"crop": [8, 16, 100, 0]}).crops == (Crop(8, 16, 100, 0),) * 2
    assert Crop(8, 16, 100, 0).box(320, 224) == (8, 16, 108, 224)
    assert Crop(8, 16, 400, 10).box(320, 224) == (8, 16, 320, 26)
    assert ScenarioSpec.parse({}).crops == (Crop(),) * 2


def test_order_of_summation() -> None:
    assert string_hash("") == 0x553E93901E462A6E
    names = [f"variable{i}" for i in range(14)]
    assert upstream_order(["a"]) == ["a"]
    assert sorted(upstream_order(names)) == sorted(names)
    assert upstream_order([*names, "variable3"]) == upstream_order(names)


def test_numbers_beyond_all_bounds_are_infinite_factors_and_wrapped_references() -> None:
    term = {"reward": 10**400, "penalty": -(10**400), "op": "equal", "reference": 10**400}
    (reward,) = ScenarioSpec.parse({"reward": {"variables": {"x": term}}}).rewards
    (parsed,) = reward.terms
    assert (parsed.reward, parsed.penalty) == (float("inf"), float("-inf"))
    assert -(1 << 63) <= parsed.reference < 1 << 63
