"""A C++ exception that comes out of a core is a typed error here, and a crash of a child there."""

from __future__ import annotations

import gc
from pathlib import Path

import numpy as np
import pytest
from toy_requests import ToyRequest, idle

import integrator
from integrator.session.library.consoles.console_check import proof_roms
from integrator.session.opening import plan_session
from libretro_host.errors import CoreCrashed, CoreThrewError
from libretro_host.host import CapturePlan
from libretro_host.inprocess import InProcessHost
from libretro_host.remote import RemoteHost

WHAT = "toycore is out of sorts"


@pytest.mark.parametrize("where", ["run", "reset", "serialize", "unserialize"])
def test_an_exception_in_this_process_is_an_error(
    inprocess: InProcessHost, toy: ToyRequest, where: str
) -> None:
    inprocess.load(toy(throws=where))
    with pytest.raises(CoreThrewError, match=rf"toycore_libretro.so threw .*\({WHAT}\)"):
        _call(inprocess, where)
    if where != "run":
        assert inprocess.run(idle(2), CapturePlan()).frames == 2
    inprocess.close()
    inprocess.load(toy())
    assert inprocess.run(idle(2), CapturePlan()).frames == 2


def test_something_thrown_that_is_no_exception(inprocess: InProcessHost, toy: ToyRequest) -> None:
    inprocess.load(toy(throws="thing"))
    with pytest.raises(CoreThrewError, match="no text came with it"):
        inprocess.run(idle(2), CapturePlan())


def test_an_exception_while_loading_and_on_the_way_out(
    inprocess: InProcessHost, toy: ToyRequest
) -> None:
    with pytest.raises(CoreThrewError, match=WHAT):
        inprocess.load(toy(throws="load"))
    inprocess.load(toy(throws="unload"))
    inprocess.close()
    inprocess.load(toy())


def test_an_error_that_holds_itself_goes_with_its_frames(
    inprocess: InProcessHost, toy: ToyRequest
) -> None:
    gc.collect()
    try:
        inprocess.load(toy(throws="load"))
    except CoreThrewError as error:
        error.args = (error,)  # holds itself, as the frame of one who keeps it would
    gc.collect(0)  # the collector begins with the oldest, the content: that crashed Python


@pytest.mark.parametrize("where", ["run", "reset", "serialize", "unserialize"])
def test_a_child_whose_core_threw_is_ended(toy: ToyRequest, where: str) -> None:
    host = RemoteHost()
    host.load(toy(throws=where))
    with pytest.raises(CoreCrashed, match=WHAT):
        _call(host, where)
    assert host.pid is None
    host.load(toy())
    assert host.run(idle(2), CapturePlan()).frames == 2
    host.close()


def _call(host: InProcessHost | RemoteHost, where: str) -> None:
    if where == "run":
        host.run(idle(2), CapturePlan())
    elif where == "unserialize":
        host.unserialize(b"no state of this core")
    else:
        getattr(host, where)()


@pytest.mark.parametrize("bad", ["one byte", "noise", "ones"])
def test_stella_throws_at_bad_states(inprocess: InProcessHost, bad: str) -> None:
    plan = plan_session(proof_roms()["Atari2600"].path)
    inprocess.load(plan.request)
    good = inprocess.serialize()
    noise = np.random.default_rng(2).bytes(len(good))
    state = {"one byte": b"\0", "noise": noise, "ones": b"\xff" * len(good)}[bad]
    with pytest.raises(CoreThrewError, match=r"stella_libretro\.so threw"):
        inprocess.unserialize(state)
    inprocess.unserialize(good)
    assert inprocess.run(idle(5), CapturePlan()).frames == 5


@pytest.mark.parametrize("system", ["Atari2600", "GameBoy", "GbColor"])
def test_an_isolated_session_recovers_from_a_bad_state(system: str, own_home: Path) -> None:
    assert own_home.is_dir()
    with integrator.open_session(proof_roms()[system].path) as session:
        session.advance((1,), frames=30)
        before, ram = session.timeline.length, session.memory.ram.copy()
        with pytest.raises(CoreCrashed):
            session.load_state(bytes(1 if system == "Atari2600" else len(session.save_state())))
        assert session.recover().number == before
        np.testing.assert_array_equal(session.memory.ram, ram)
        assert session.advance().number == before + 1
