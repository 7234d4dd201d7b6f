"""The stick of the N64 and the touch screen of the DS, on training's cores and our own programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import integrator
from integrator.domain.movies.reading import read_movie
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import plan_session
from integrator.session.recorded_rows import import_movie
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")


def replayed(session: Session, movie: Path, axes: Mapping[str, int], address: int) -> list[int]:
    """A byte before, while and after axes are held, in play and again in a movie of it."""
    bytes_ = []
    session.reset()
    session.advance((), 60)
    session.record(movie)
    for held in ({}, axes, {}):
        session.advance((), 6, axes=held)
        bytes_.append(session.memory.read(address, "|u1"))
    session.stop_recording()
    ram = session.memory.ram.copy()
    assert import_movie(session, movie).desync_row is None
    assert (session.memory.ram == ram).all()
    return bytes_


def test_the_stick_of_the_n64(tmp_path: Path) -> None:
    rom = proof_roms()["N64"].path
    with integrator.open_session(rom, system="N64", isolated=True) as session:
        axes = {"P1 X Axis": 80, "P1 Y Axis": 0}
        assert replayed(session, tmp_path / "x.bk2", axes, 0x200145) == [0, 80, 0]
        axes = {"P1 X Axis": 0, "P1 Y Axis": -80}
        assert replayed(session, tmp_path / "y.bk2", axes, 0x200144) == [0, 256 - 80, 0]
        consoles = session.game.plan.systems
    movie = read_movie(tmp_path / "y.bk2", consoles)
    assert movie.axes["P1 Y Axis"].tolist() == [0] * 7 + [-80] * 6 + [0] * 6
    assert list(movie.axes) == ["P1 Y Axis"]


def test_the_touch_screen_of_the_ds(tmp_path: Path) -> None:
    rom = proof_roms()["NintendoDs"].path
    plan = plan_session(rom, system="NintendoDs")
    assert plan.axes == (), "as in training, until the core's option asks for touches"
    assert plan.options is not None
    plan.options.store.keep(plan.options.game, "melonds", "melonds_touch_mode", "Touch")
    with integrator.open_session(rom, system="NintendoDs") as session:
        axes = {"Touch X": 100, "Touch Y": 0, "Touch": 1}
        pen_up, pen_down = 0x7F, 0x3F
        address = 0x120 + session.memory.space.regions[0].address
        assert replayed(session, tmp_path / "a.bk2", axes, address) == [pen_up, pen_down, pen_up]
