"""The discs of a playlist on training's Saturn core: changed, sought, and replayed from a movie."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import integrator
from integrator import paths
from integrator.domain.errors import DocumentError
from integrator.domain.integration.directory import create_integration
from integrator.domain.movies.reading import read_movie
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.recorded_rows import import_movie
from integrator.session.session import Session

pytestmark = pytest.mark.usefixtures("own_home")

DRIVE, DISC_END = 0x100118, 0x10011C
OPEN, STANDS = 6, 1


@pytest.fixture
def playlist(tmp_path: Path) -> Path:
    """Two discs, the second eight sectors longer, and our boot ROM among the user's BIOS files."""
    disc = proof_roms()["Saturn"].path
    system_dir = paths.system_dir()
    system_dir.mkdir(parents=True)
    shutil.copy(disc.with_name("mpr-17933.bin"), system_dir)
    shutil.copy(disc, tmp_path / "one.chd")
    longer = disc.read_bytes().replace(b"FRAMES:16", b"FRAMES:24")
    (tmp_path / "two.chd").write_bytes(longer)
    playlist = tmp_path / "game.m3u"
    playlist.write_text("one.chd\ntwo.chd\n")
    return playlist


def drive(session: Session) -> tuple[int, int]:
    """The drive's status, and where its disc ends: our program asks on every frame."""
    read = session.memory.read
    return read(DRIVE, ">u4"), read(DISC_END, ">u4")


def test_discs_are_changed_sought_and_replayed(playlist: Path, tmp_path: Path) -> None:
    with integrator.open_session(playlist) as session:
        names = [each.name for each in session.game.axes]
        assert names == ["Open Tray", "Close Tray", "Disk Index"]
        session.reset()
        session.advance((), 100)
        assert drive(session) == (STANDS, 166)
        session.record(tmp_path / "change.bk2")
        session.advance((), axes={"Open Tray": 1})
        session.advance((), 9)
        assert drive(session) == (OPEN, 166)
        session.advance((), axes={"Close Tray": 1, "Disk Index": 1})
        session.advance((), 75)
        assert drive(session) == (STANDS, 174)
        session.stop_recording()
        length, ram = session.timeline.length, session.memory.ram.copy()
        for frame, found in ((105, (OPEN, 166)), (100, (STANDS, 166)), (length, (STANDS, 174))):
            session.timeline.seek(frame)
            assert drive(session) == found
        assert (session.memory.ram == ram).all()
        second = session.save_state()
        session.timeline.seek(100)
        session.load_state(second)
        session.advance((), 2)
        assert drive(session) == (STANDS, 174), "our program asks the drive anew on every frame"
        assert import_movie(session, tmp_path / "change.bk2").desync_row is None
        assert drive(session) == (STANDS, 174)
        consoles = session.game.plan.systems
    movie = read_movie(tmp_path / "change.bk2", consoles)
    assert set(movie.axes) == {"Open Tray", "Close Tray", "Disk Index"}
    assert (movie.axes["Disk Index"] == 1).sum() == 1


def test_a_single_disc_has_no_drive_to_open(playlist: Path) -> None:
    cue = playlist.with_name("game.cue")
    playlist.with_name("track.bin").write_bytes(bytes(16 * 2048))
    cue.write_text('FILE "track.bin" BINARY\n  TRACK 01 MODE1/2048\n    INDEX 01 00:00:00\n')
    with integrator.open_session(cue, system="Saturn") as session:
        assert session.game.axes == ()
        session.advance((), 100)
        assert drive(session) == (STANDS, 166)


def test_no_integration_is_made_of_a_list_of_files(playlist: Path, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"game\.m3u names other files.*chd"):
        create_integration(playlist, tmp_path / "root", None, "Saturn", "chd")
    assert not (tmp_path / "root").exists()
