"""The public face of scenarios: the parsed tree and the engine that scores with it.

The tree lives in `scenario_tree`, its parser in `scenario_spec`, the engine in `scoring`, its form
for many frames in `scoring_chunk`, and the order of summation in `scenario_order`.
"""

from integrator.domain.scenario_spec import MAX_PLAYERS, ScenarioSpec
from integrator.domain.scenario_tree import (
    Condition,
    Crop,
    DoneNode,
    Measurement,
    Op,
    Problem,
    RewardSpec,
    ScriptCall,
    TermSpec,
    TestSpec,
    json_path,
)
from integrator.domain.scoring import Hooks, Outcome, ScenarioEngine
from integrator.domain.scoring_chunk import OutcomeChunk

__all__ = [
    "MAX_PLAYERS",
    "Condition",
    "Crop",
    "DoneNode",
    "Hooks",
    "Measurement",
    "Op",
    "Outcome",
    "OutcomeChunk",
    "Problem",
    "RewardSpec",
    "ScenarioEngine",
    "ScenarioSpec",
    "ScriptCall",
    "TermSpec",
    "TestSpec",
    "json_path",
]
