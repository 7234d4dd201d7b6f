"""An op of a scenario is one row: a made-up one is scored, checked, offered and explained."""

import json

import numpy as np
import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from integrator import paths
from integrator.domain.lint.lint import SchemaSet
from integrator.domain.lint.scenario import holds
from integrator.domain.scenario.scoring import ScenarioEngine
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import OPS, Op
from integrator.session.edits.editor import check_text
from integrator.ui.help import reference_page
from integrator.ui.score.reward_view import RewardCard, terms_of
from integrator.ui.score.texts.json_panel import completions
from integrator.ui.terms import op_choices, op_tip, takes_reference

FAR = Op(
    "far-from",
    lambda values, reference: np.abs(values) > reference,
    "1 when it is further from 0 than the reference",
    needs_reference=True,
)
SCENARIO = {
    "reward": {"variables": {"x": {"op": "far-from", "reference": 3, "reward": 2}}},
    "done": {"variables": {"x": {"op": "far-from", "reference": 5}}},
}


@pytest.fixture(autouse=True)
def _far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(OPS, FAR.name, FAR)


def test_it_scores_one_frame_and_many() -> None:
    spec = ScenarioSpec.parse(SCENARIO)
    assert spec.problems == ()
    outcome = ScenarioEngine(spec).score({"x": -6}, {"x": 0})
    assert (outcome.rewards, outcome.done) == ((2.0,), True)
    chunk = ScenarioEngine(spec).score_chunk({"x": np.array([0, 4, 0])}, {"x": 0}, 3)
    assert chunk.rewards[:, 0].tolist() == [0, 2, 2]
    assert not chunk.done.any()


def test_it_is_checked() -> None:
    assert [holds(FAR, 9, low, high) for low, high in ((-9, 9), (0, 10), (10, 20))] == [
        False, None, True,
    ]  # fmt: skip
    schemas = SchemaSet(paths.shipped("resources") / "schemas")
    text = '{"done": {"variables": {"x": {"op": "far-from", "reference": 3}}}}'
    assert check_text(schemas, "scenario.json", text, frozenset({"x"})) == ()
    misspelt = json.loads(text.replace("far", "fur"))
    [(_, message, _)] = schemas.problems("scenario", misspelt)
    assert "'far-from'" in message


@pytest.mark.usefixtures("theme")
def test_it_is_offered_and_explained(qtbot: QtBot) -> None:
    [term] = terms_of(SCENARIO, 0, ["x"])
    card: QWidget = RewardCard(term)
    qtbot.addWidget(card)
    assert isinstance(card, RewardCard)
    box = card.boxes["op"]
    assert (box.currentData(), box.count()) == ("far-from", len(OPS))
    assert FAR.words in box.toolTip()
    assert (FAR.name, FAR.name) in op_choices()
    assert takes_reference(FAR.name)
    assert FAR.name in completions('"op": "f', ())[1]
    assert op_tip(FAR.name) == FAR.words
    assert f"| `far-from` | {FAR.words} | 0 | 0 | 0 | 1 |" in reference_page()
