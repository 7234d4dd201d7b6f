"""Causes of changes: frames, values, buttons, bytes and places that go with a number."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import AddressError
from integrator.domain.values.memory import DataType
from integrator.session.frame.inputs import Inputs
from integrator.session.opening import open_session
from integrator.session.session import Session
from integrator.session.suggestions.picture_places import PlacesRun
from libretro_host.host import CapturePlan, CoreHost, RunResult

pytestmark = pytest.mark.usefixtures("own_home")

SCORE, EMBERS, TIME, INPUT, DASH, POKED = 0x306, 0x312, 0x304, 0x318, 0x31C, 0x500
GAME_OVER, LIVES, X = 0x301, 0x302, 0x340
PICTURE_WIDTH = 240


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


SCORE_DIGIT, EMBERS_LEFT, LIVES_DIGIT = (40, 16, 6, 7), (72, 208, 6, 7), (208, 16, 8, 8)


def test_the_places_of_the_picture_that_change_with_a_number(played: Session) -> None:
    before = played.timeline.position, played.memory.ram.tobytes()
    score = played.causes(SCORE, ">d3")
    # An ember that is caught pays, and the count of those that are left is drawn again.
    assert score.places == (SCORE_DIGIT, EMBERS_LEFT)
    assert score.pictured == len(score.changes)
    assert played.causes(LIVES, "|i1").places == (LIVES_DIGIT,)
    assert (played.timeline.position, played.memory.ram.tobytes()) == before


def test_a_number_that_moves_has_no_place_and_two_changes_prove_none(played: Session) -> None:
    moves, rare = played.causes(X), played.causes(GAME_OVER)
    assert moves.places == ()
    assert moves.pictured
    assert rare.pictured == len(rare.changes) == 2
    assert rare.places == ()


@dataclass
class Turned:
    """A core whose pictures are to be shown a quarter turn counter-clockwise."""

    host: CoreHost

    def run(self, inputs: Inputs, plan: CapturePlan) -> RunResult:
        result = self.host.run(inputs, plan)
        turned = tuple(replace(each, rotation=1) for each in result.pictures)
        return replace(result, pictures=turned)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.host, name)


def test_places_are_those_of_the_picture_as_it_is_shown(played: Session) -> None:
    causes = played.causes_run().run(LIVES, DataType.parse("|i1"))
    run = PlacesRun.take(played.timeline, causes)
    with played.timeline.lent() as host:
        turned = run.run(cast("CoreHost", Turned(host)))
        assert run.run(host, lambda: True).pictured is None
    x, y, width, height = LIVES_DIGIT
    assert turned.places == ((y, PICTURE_WIDTH - x - width, height, width),)


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


def test_a_jump_and_a_poke_are_no_changes_and_a_wrong_address_is_refused() -> None:
    with open_session(demo_game(), isolated=False) as session:
        session.reset()
        session.advance(frames=5)
        session.memory.write(POKED, "|u1", 77)
        session.advance(frames=5)
        session.reset()
        session.advance(frames=5)
        assert session.timeline.ram(11)[session.memory.space.offset(POKED)] == 77
        assert not session.causes(POKED).changes
        with pytest.raises(AddressError):
            session.causes(0x9999)
