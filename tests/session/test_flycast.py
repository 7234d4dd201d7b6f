"""The Dreamcast on a Flycast of the user's own: discs, sticks, travel, movies and environments.

No registry of packages has this core, so each test is skipped where none is found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from dreamcast_discs import FORMATS, program

import integrator
from integrator.commands.new import new_integration
from integrator.session.library.checks.checking import check_integration, lint_options
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import core_for
from integrator.session.recorded_rows import import_movie
from integrator.session.session import Session
from integrator.session.setup.roots import systems
from libretro_host.errors import CoreNotFoundError

pytestmark = pytest.mark.xdist_group("Flycast")
ROM = proof_roms()["Dreamcast"]
A = 1
X, Y, LEFT, RIGHT = (f"P1 {axis}" for axis in ("X Axis", "Y Axis", "L Trigger", "R Trigger"))


@pytest.fixture(autouse=True)
def home(own_home: Path) -> Path:
    try:
        core_for(systems()["Dreamcast"])
    except CoreNotFoundError as error:
        pytest.skip(f"no registry has the Dreamcast's core: {error}")
    return own_home


@pytest.fixture
def session() -> Iterator[Session]:
    with integrator.open_session(ROM.path) as session:
        session.reset()
        yield session


def values(session: Session, *names: str) -> list[int]:
    found = [ROM.variables[name] for name in names]
    return [int(session.memory.read(one.address, str(one.type))) for one in found]


def pad(session: Session, held: Mapping[str, int]) -> list[int]:
    """Stick and triggers as the program reads them, while these axes are held."""
    session.advance((), 3, axes=held)
    return values(session, "stick_x", "stick_y", "left_trigger", "right_trigger")


def test_stick_and_triggers_arrive_as_the_pad_s_own_numbers(session: Session) -> None:
    assert pad(session, {}) == [128, 128, 0, 0]
    assert pad(session, {X: 1, Y: -1, LEFT: 1, RIGHT: 128}) == [129, 129, 1, 128]
    assert pad(session, {X: 127, LEFT: 255, RIGHT: 255}) == [255, 128, 255, 255]
    assert pad(session, {X: -128}) == [0, 128, 0, 0]
    assert pad(session, {Y: 127}) == [128, 1, 0, 0]
    assert pad(session, {Y: -128}) == [128, 255, 0, 0]


def test_each_run_is_a_frame_and_draws_the_lives(session: Session) -> None:
    colors = []
    for number in range(4):
        [before] = values(session, "frame_counter")
        frame = session.advance((2 if number == 1 else 0,), 5).frame
        assert values(session, "frame_counter") == [before + 5]
        assert frame is not None
        picture = frame.rgb()
        colors.append(picture[picture.shape[0] // 2, picture.shape[1] // 2].tolist())
    assert values(session, "lives") == [2]
    assert colors[0][:2] == [0, 0]
    assert colors[0][2] > colors[2][2] > 0
    assert colors[2] == colors[3]


def test_seeking_and_another_run_repeat_every_frame(session: Session) -> None:
    for number in range(8):
        session.advance((A * (number % 2),), 4, axes={X: 16 * number, LEFT: 30 * number})
    rams = {frame: session.timeline.log.ram(frame) for frame in (3, 9, 20, 33)}
    for frame in (20, 3, 33, 9):
        session.timeline.seek(frame)
        assert (session.host.read_ram() == rams[frame]).all()


def test_a_movie_of_stick_and_triggers_replays(session: Session, home: Path) -> None:
    session.reset()
    session.record(home / "moved.bk2")
    session.advance((A,), 4, axes={X: 100, Y: -128})
    session.advance((), 4, axes={LEFT: 255, RIGHT: 7})
    session.stop_recording()
    last = session.host.read_ram()
    assert values(session, "score", "left_trigger", "right_trigger") == [10, 255, 7]
    with integrator.open_session(ROM.path) as again:
        assert import_movie(again, home / "moved.bk2").desync_row is None
        assert (again.host.read_ram() == last).all()


@pytest.mark.parametrize("kind", FORMATS)
def test_a_disc_starts_with_the_core_s_own_bios(home: Path, kind: str) -> None:
    disc = FORMATS[kind](home, program(ROM.path))
    with integrator.open_session(disc, system="Dreamcast") as session:
        session.reset()
        session.advance((A,), 4)
        assert values(session, "score", "lives") == [10, 3]


@pytest.mark.parametrize("kind", ["chd", "cdi"])
def test_an_integration_of_a_disc_is_played_and_checked(home: Path, kind: str) -> None:
    disc = FORMATS[kind](home, program(ROM.path))
    made = new_integration(disc, name="Proof", root=home / "root", system="Dreamcast")
    directory = Path(made["directory"])
    info = {"score": {"address": ROM.variables["score"].address, "type": "<u4"}}
    (directory / "data.json").write_text(json.dumps({"info": info}))
    reward = {"reward": {"variables": {"score": {"reward": 1.0}}}}
    (directory / "scenario.json").write_text(json.dumps(reward))
    with integrator.open_session(directory) as session:
        session.integration.write_state("Start", session.save_state())
        session.integration.save()
    found = check_integration(directory, lint_options())
    assert [one for one in found if one.severity == "error"] == []
    env = integrator.make_env(directory, state="Start")
    try:
        env.reset()
        press = np.zeros(env.action_space.shape or (), np.int8)
        press[0] = 1
        assert sum(float(env.step(press)[1]) for _ in range(4)) == 10
    finally:
        env.close()
