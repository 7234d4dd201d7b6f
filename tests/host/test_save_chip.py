"""The cartridge's save chip, which states of some cores leave out, comes back with each state."""

import gzip
import zipfile
from pathlib import Path

import numpy as np
import pytest

import integrator
from integrator.session.library.consoles.console_check import proof_roms
from libretro_host.host import CapturePlan
from libretro_host.inprocess import with_chip_of, without_chip

SAVED = {"Sms": 0x10D, "Genesis": 0x11B}
"""The offset in RAM of the byte that the proof ROM copies from its save chip."""


@pytest.mark.parametrize("system", SAVED)
def test_a_seek_and_a_loan_bring_the_chip_back(system: str) -> None:
    with integrator.open_session(proof_roms()[system].path, isolated=False) as session:
        session.advance((), 200)
        played = [session.timeline.ram(frame).copy() for frame in range(1, 201)]
        assert played[199][SAVED[system]] != played[99][SAVED[system]]
        session.timeline.seek(100)
        assert session.timeline.exactness.is_exact
        with session.timeline.lent() as host:
            host.run(np.zeros((50, 1), np.uint16), CapturePlan(picture=False))
        again = session.advance((), 1)
        assert again.number == 101
        assert np.array_equal(session.timeline.ram(101), played[100])


def test_files_for_training_have_no_chip(tmp_path: Path) -> None:
    with integrator.open_session(proof_roms()["Sms"].path, isolated=False) as session:
        session.advance((), 60)
        whole, plain = session.host.serialize(), session.save_state()
        assert len(whole) > len(plain) == len(without_chip(whole))
        assert with_chip_of(plain, whole) == whole
        session.take_events()
        session.record(tmp_path / "movie.bk2")
        [warning] = session.take_events()
        assert "does not hold the cartridge's save chip" in warning.text
        session.advance((), 60)
        session.stop_recording()
        session.integration.save(tmp_path / "Proof-Sms-v0")
        state = session.game.write_state("Here")
        session.integration.save()
        assert len(gzip.decompress(state.read_bytes())) == len(plain)
    with zipfile.ZipFile(tmp_path / "movie.bk2") as movie:
        assert len(movie.read("Core.bin")) == len(plain)


def test_a_mark_of_no_chip_is_left_alone() -> None:
    for state in (b"", b"short", bytes(100), b"save-chip".rjust(40, b"\xff")):
        assert without_chip(state) == state
        assert with_chip_of(state, state) == state


def test_episodes_go_on_with_the_chip_as_training_does() -> None:
    with integrator.open_session(proof_roms()["Genesis"].path, isolated=False) as session:
        session.advance((), 60)
        start = session.save_state()
        session.advance((), 100)
        session.load_state(start)
        first = session.timeline.length + 1
        saved = session.advance((), 1)
        played = session.timeline.ram(saved.number).copy()
        assert played[SAVED["Genesis"]] > 100
        session.advance((), 50)
        session.timeline.seek(first)
        assert np.array_equal(session.memory.ram, played)
        assert session.timeline.exactness.is_exact
