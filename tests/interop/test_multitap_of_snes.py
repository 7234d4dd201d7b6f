"""Five players of the SNES behind a multitap: our program reads each pad, and a movie keeps all."""

from __future__ import annotations

from pathlib import Path

import pytest

import integrator
from integrator.domain.movies.reading import read_movie
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.recorded_rows import import_movie
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")

PADS = (0x7E0106, 0x7E010A, 0x7E010C, 0x7E010E, 0x7E0110)
BITS = {"A": 0x0080, "X": 0x0040, "UP": 0x0800, "L": 0x0020, "SELECT": 0x2000}
"""One button for each player, and its bit in our program's memory."""


def read(session: Session) -> list[int]:
    return [session.memory.read(address, "<u2") for address in PADS]


def test_five_players_press_their_own_buttons(tmp_path: Path) -> None:
    rom = proof_roms()["Snes"].path
    with integrator.open_session(rom, players=5) as session:
        masks = [1 << session.system.buttons.index(name) for name in BITS]
        session.reset()
        session.advance((), 60)
        assert read(session) == [0] * 5
        for player, bit in enumerate(BITS.values()):
            session.advance([mask if n == player else 0 for n, mask in enumerate(masks)], 4)
            assert read(session) == [bit if n == player else 0 for n in range(5)]
        session.record(tmp_path / "five.bk2")
        session.advance(masks, 4)
        assert read(session) == list(BITS.values())
        session.stop_recording()
        assert import_movie(session, tmp_path / "five.bk2").desync_row is None
        assert read(session) == list(BITS.values())
        consoles = session.game.plan.systems
    assert read_movie(tmp_path / "five.bk2", consoles).players == 5


def test_two_players_have_two_plain_pads() -> None:
    with integrator.open_session(proof_roms()["Snes"].path, players=2) as session:
        masks = [1 << session.system.buttons.index(name) for name in BITS][:2]
        session.advance((), 60)
        session.advance(masks, 4)
        assert read(session)[:3] == [BITS["A"], BITS["X"], 0]
