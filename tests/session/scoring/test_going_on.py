"""Rewards of play that goes on after a seek, a poke or an edit are those of play without them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest

import integrator
from integrator.commands.shared.options import demo_game
from integrator.session.edits import commands as edits
from integrator.session.recorded_rows import play_ahead
from integrator.session.session import Session

WRITER = """
frame = 0
function over()
  frame = frame + 1
  if frame % 7 == 3 then data.score = data.score + 10 end
  if frame % 7 == 5 then data.score = 0 end
  return false
end
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    game = copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0")
    with integrator.open_session(game, isolated=False) as opened:
        opened.reset()
        yield opened


def test_a_frame_after_a_seek_is_compared_with_values_from_before_scripts_wrote(
    session: Session,
) -> None:
    def use_writer(root: dict[str, object]) -> None:
        root["done"], root["scripts"] = {"script": "lua:over"}, ["script.lua"]
        root["reward"] = {"variables": {"score": {"reward": 1.0, "penalty": 1.0}}}

    session.integration.scripts["script.lua"] = WRITER
    session.editor.do(edits.change_scenario(use_writer))
    session.reset()
    idle, log = np.zeros((30, 1), np.uint16), session.timeline.log
    session.run(idle)
    straight = log.rewards().copy()
    assert np.count_nonzero(straight) > 6
    for frame in range(10, 20):
        session.timeline.seek(frame)
        session.run(idle[: len(straight) - frame])
        assert log.rewards().tolist() == straight.tolist(), frame


def _ahead(session: Session) -> None:
    session.timeline.log.plan(np.zeros((3, 1), np.uint16))
    play_ahead(session, session.timeline.length + 3)


def _after_an_edit(session: Session) -> None:
    session.editor.do(edits.set_in_scenario(("reward", "variables", "level"), {"reward": 1.0}))
    session.advance(frames=3)


@pytest.mark.parametrize("go_on", [_ahead, _after_an_edit])
def test_a_poke_is_rewarded_on_the_next_frame(
    session: Session, go_on: Callable[[Session], None]
) -> None:
    session.advance(frames=30)
    score = session.integration.variables["score"]
    session.memory.write(score.address, score.type, 50)
    go_on(session)
    assert session.timeline.log.rewards(31)[:, 0].tolist() == [0, 50, 0, 0]
