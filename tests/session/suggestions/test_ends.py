"""Done conditions from marked ends of the demo game, and their way into the scenario."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from session_fixtures import SharedPlay

from integrator.commands.shared.options import demo_game
from integrator.domain.ends.marks import EndCondition, EndTest
from integrator.domain.errors import ScenarioError, SearchError
from integrator.domain.scenario.tree import OPS, Condition, Measurement, TestSpec
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits import commands
from integrator.session.edits.commands import add_done
from integrator.session.opening import open_session
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")

BYTE = DataType.parse("|u1")
LIVES = ("lives", TestSpec("lives", op=OPS["zero"]))
FLAG = ("flag", TestSpec("flag", Measurement.DELTA, OPS["equal"], 3))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    copy = shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0")
    with open_session(copy, isolated=False) as session:
        yield session


@pytest.fixture(scope="module")
def found(demo_play: SharedPlay) -> tuple[EndCondition, ...]:
    """Conditions of the recorded play's end."""
    with demo_play.lent() as played:
        return tuple(played.episode_ends([end_of(played)]))


def end_of(session: Session) -> int:
    return 1 + int(session.timeline.log.done().argmax())


def test_the_demo_games_end_is_found(played: Session, found: tuple[EndCondition, ...]) -> None:
    documented = next(each for each in found if str(each) == "game_over nonzero")
    assert found.index(documented) < 3
    assert documented.late == (0,)
    assert documented.exact
    raw = replace(played.ends_run([end_of(played)]), specs={}).run()
    assert raw
    assert not any(test.spec.name for each in raw for test in each.tests)


def test_a_title_before_play_is_no_alarm(tmp_path: Path) -> None:
    """Ember Moth has -1 lives on its title as after its end."""
    rom = shutil.copy(demo_game() / "rom.nes", tmp_path / "moth.nes")
    with open_session(rom, isolated=False) as session:
        start = 1 << session.system.buttons.index("START")
        session.advance(frames=240)
        session.advance([start], frames=4)
        lives = session.memory.space.address_of(0x302)
        while session.memory.read(lives, "|i1") >= 0:
            session.advance(frames=60)
        end = session.timeline.length
        session.advance(frames=120)
        spec = VariableSpec("lives", lives, DataType.parse("|i1"))
        best = replace(session.ends_run([end]), specs={"lives": spec}).run()[0]
    assert (str(best), best.exact) == ("lives negative", True)


def test_marks_on_the_line_are_ends(played: Session, found: tuple[EndCondition, ...]) -> None:
    with pytest.raises(SearchError, match="no end is marked"):
        played.episode_ends()
    log = played.timeline.log
    other, marked = log.add_marker(40, "a nice place"), log.add_marker(end_of(played), "dead")
    assert tuple(played.episode_ends()) == found
    log.remove_marker(other)
    log.remove_marker(marked)


def test_before_any_play_no_end_is_marked() -> None:
    session = open_session(demo_game(), isolated=False)
    with session, pytest.raises(SearchError, match="no end is marked"):
        session.ends_run()


def test_a_condition_becomes_done_in_one_step(session: Session) -> None:
    before = dict(session.integration.variables), str(session.integration.scenario.value)
    tests = (
        EndTest(TestSpec("lives", op=OPS["zero"]), 0x23, BYTE),
        EndTest(TestSpec("", op=OPS["equal"], reference=7), 0x41, BYTE),
    )
    condition = EndCondition(tests, Condition.ALL, (0,), ())
    change = session.editor.do(commands.add_done_condition(condition))
    assert change.subjects == {"variables", "scenario"}
    assert session.integration.variables["ended"].address == 0x41
    assert session.integration.scenario.value["done"] == {
        "variables": {"game_over": {"op": "equal", "reference": 1}},
        "nodes": {
            "end": {
                "condition": "all",
                "variables": {"lives": {"op": "zero"}, "ended": {"op": "equal", "reference": 7}},
            }
        },
    }
    session.editor.undo()
    after = dict(session.integration.variables), str(session.integration.scenario.value)
    assert after == before


def test_a_single_test_stands_beside_others() -> None:
    root: dict[str, object] = {}
    add_done(root, [LIVES], Condition.ANY)
    add_done(root, [FLAG], Condition.ANY)
    lives, flag = {"op": "zero"}, {"op": "equal", "reference": 3, "measurement": "delta"}
    assert root == {"done": {"variables": {"lives": lives, "flag": flag}}}
    add_done(root, [LIVES], Condition.ANY)
    assert root == {
        "done": {
            "variables": {"lives": lives, "flag": flag},
            "nodes": {"end": {"condition": "any", "variables": {"lives": lives}}},
        }
    }


def test_all_of_an_earlier_tree_stays_a_condition() -> None:
    earlier = {"condition": "all", "variables": {"lives": {"op": "zero"}, "time": {"op": "zero"}}}
    root: dict[str, object] = {"done": earlier}
    add_done(root, [("x", TestSpec("x", op=OPS["negative"]))], Condition.ANY)
    assert root == {"done": {"nodes": {"earlier": earlier}, "variables": {"x": {"op": "negative"}}}}


def test_a_script_that_ends_episodes_is_not_overridden() -> None:
    with pytest.raises(ScenarioError, match="a script ends the episodes"):
        add_done({"done": {"script": "lua:done"}}, [LIVES], Condition.ANY)
