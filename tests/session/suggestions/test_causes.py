"""Causes of changes: frames, values, buttons and bytes that go with a number."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import AddressError
from integrator.session.opening import open_session
from integrator.session.session import Session
from scripts.bench_search import played_demo_game

pytestmark = pytest.mark.usefixtures("own_home")

SCORE, EMBERS, TIME, INPUT, DASH, POKED = 0x306, 0x312, 0x304, 0x318, 0x31C, 0x500


@pytest.fixture(scope="module")
def played() -> Iterator[Session]:
    with played_demo_game() as session:
        yield session


def test_each_change_has_its_frame_values_and_buttons(played: Session) -> None:
    causes = played.causes(SCORE, ">d3")
    column = [0, *played.timeline.column("score").tolist()]
    frames = [at for at in range(2, len(column)) if column[at] != column[at - 1]]
    assert [each.frame for each in causes.changes] == frames
    for each in causes.changes:
        assert (each.before, each.after) == (column[each.frame - 1], column[each.frame])
        mask = int(played.timeline.log.inputs(each.frame, each.frame + 1)[0, 0])
        buttons = played.system.buttons
        held = tuple(name for bit, name in enumerate(buttons) if name and mask >> bit & 1)
        assert each.held == held


def test_a_score_changes_with_what_is_caught_and_by_no_button(played: Session) -> None:
    causes = played.causes(SCORE, ">d3")
    assert EMBERS in {each.address for each in causes.companions}
    assert not causes.buttons
    assert not set(range(SCORE, SCORE + 3)) & {each.address for each in causes.companions}
    assert played.causes(TIME).usual_step[0] == -1
    assert played.causes(DASH).rises_with == ("A",)
    assert not played.causes(DASH).falls_with


def test_a_number_that_a_button_moves_names_the_button() -> None:
    with open_session(demo_game(), isolated=False) as session:
        session.reset()
        session.advance(frames=20)
        a_button = 1 << session.system.buttons.index("A")
        for _ in range(6):
            session.advance(frames=5)
            session.advance([a_button])
        causes = session.causes(INPUT)
        pressed = [each for each in causes.changes if each.after]
        assert {each.held for each in pressed} == {("A",)}


def test_a_jump_is_no_change_and_a_wrong_address_is_refused() -> None:
    with open_session(demo_game(), isolated=False) as session:
        session.reset()
        session.advance(frames=5)
        session.memory.write(POKED, "|u1", 77)
        session.advance(frames=5)
        session.reset()
        session.advance(frames=5)
        assert [each.after for each in session.causes(POKED).changes] == [77]
        with pytest.raises(AddressError):
            session.causes(0x9999)
