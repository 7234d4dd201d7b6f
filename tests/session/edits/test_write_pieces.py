"""A number in pieces, written as variables, a script and a reward: one step, which plays."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import ScenarioError
from integrator.domain.query.pieces import Coding, Piece, Pieces
from integrator.session.edits import commands
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.setup.game import POWER_ON
from scripts.demo_script import play_script

pytestmark = pytest.mark.usefixtures("own_home")

SCORE = Pieces(Coding(100), tuple(Piece(0x308 - place, 100**place) for place in range(3)))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    copy = shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0")
    with open_session(copy, state=POWER_ON, isolated=False) as session:
        yield session


def test_the_script_rewards_as_the_variable_of_the_whole_score_does(session: Session) -> None:
    before = len(session.integration.history.done)
    session.editor.do(commands.set_in_scenario(("reward", "variables"), None))
    change = session.editor.do(commands.write_pieces("points", SCORE))
    assert {place.file for place in change.places} == {"data.json", "points.lua", "scenario.json"}
    play_script(session)
    score = session.timeline.column("score")
    gained = np.maximum(np.diff(score, prepend=score[0]), 0)
    assert gained.sum() > 0
    assert (session.timeline.log.rewards()[:, 0] == gained).all()
    last = session.last
    assert last is not None
    assert last.values["points"] == score[-1]
    session.editor.undo()
    assert "points_0" not in session.integration.variables
    assert not session.integration.scripts
    assert len(session.integration.history.done) == before + 1


def test_a_reward_that_a_script_would_replace_is_kept(session: Session) -> None:
    with pytest.raises(ScenarioError, match="has a reward already"):
        session.editor.do(commands.write_pieces("points", SCORE))
    with pytest.raises(ScenarioError, match="already a variable"):
        session.editor.do(commands.write_pieces("score", SCORE))
    assert not session.integration.modified
