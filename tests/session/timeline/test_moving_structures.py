"""A structure that moves on the timeline, found by its addresses at some frames."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from integrator.commands.shared.options import demo_game
from integrator.domain.errors import SearchError
from integrator.domain.query.pointers import PointerForm
from integrator.domain.values.memory import DataType
from integrator.session.edits import commands
from integrator.session.opening import open_session
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")

ROOT, FIELD = 0x600, 6
FORM = PointerForm(DataType.parse("<u4"), 0)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    copy = shutil.copytree(demo_game(), tmp_path / "EmberMoth-Nes-v0")
    with open_session(copy, isolated=False) as session:
        session.reset()
        yield session


def test_a_number_that_moves_is_followed_by_a_script(session: Session) -> None:
    addresses = {}
    for place in (0x640, 0x688, 0x6C0):
        session.memory.write(ROOT, "<u4", place)
        session.memory.write(place + FIELD, "|u1", 9)
        addresses[session.advance().number] = place + FIELD
    assert len(addresses) == 3
    chains = session.timeline.pointers(addresses, depth=1, form=FORM)
    assert [str(each) for each in chains] == ["[0x600]+0x6"]
    with pytest.raises(SearchError, match="no pointers"):
        session.timeline.pointers(addresses)
    change = session.editor.do(commands.write_accessor("life", chains[0], DataType.parse("|u1")))
    assert {place.file for place in change.places} == {"life.lua", "scenario.json"}
    reward = {"script": "lua:life_number"}
    session.editor.do(commands.set_in_scenario(("reward",), reward))
    session.memory.write(0x6C0 + FIELD, "|u1", 7)
    session.advance()
    assert session.advance().outcome.rewards == (7.0,)
