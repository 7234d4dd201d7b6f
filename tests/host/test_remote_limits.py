"""A core's process: its limits, its leftovers, and checks of its replies."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from toy_requests import PATIENCE_SECONDS, MakeRemote, ToyRequest, idle, wait_until

from libretro_host.errors import CoreCrashed, HostError
from libretro_host.host import CapturePlan, CoreHost, CoreLimits, RunResult

EVERYTHING = CapturePlan(ram=True, changes=True, picture=True)
SMALL = CoreLimits(memory_bytes=64 << 20, file_bytes=4 << 20)


def members(group: int) -> list[int]:
    """Processes of a group that run; zombies have only their number left."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = stat.read_text().rpartition(")")[2].split()[:3]
        except (OSError, ValueError):
            continue  # it ended while we looked
        if int(pgrp) == group and state not in "ZX":
            found.append(int(stat.parent.name))
    return found


# -- limits ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limits",
    [SMALL, CoreLimits(address_space_bytes=64 << 20)],
    ids=["writable memory", "address space"],
)
def test_memory_beyond_the_limit_is_not_had(
    remote: MakeRemote, toy: ToyRequest, limits: CoreLimits
) -> None:
    host = remote()
    host.load(toy(hog_at=2, request_limits=limits))
    host.run(idle(1), CapturePlan())
    with contextlib.suppress(HostError):  # code that needs memory now may get none
        host.run(idle(1), CapturePlan(picture=False))
        held = host.memory_bytes()
        assert held is not None
        assert held < 512 << 20
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY


def test_files_beyond_the_limit_do_not_grow(
    remote: MakeRemote, toy: ToyRequest, tmp_path: Path
) -> None:
    saves = tmp_path / "saves"
    saves.mkdir()
    host = remote()
    host.load(toy(flood_at=2, request_limits=SMALL, request_save_dir=saves))
    ram = host.run(idle(3), CapturePlan(ram=True)).ram
    assert (saves / "flood").stat().st_size == SMALL.file_bytes
    assert ram is not None
    assert ram[1, 29] == 1
    assert host.run(idle(1), CapturePlan()).frames == 1


def test_a_result_too_large_to_hand_over_is_an_error(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote()
    host.load(toy(ram=1 << 20, request_limits=SMALL))
    with pytest.raises(HostError, match="run fewer frames at once"):
        host.run(idle(20), CapturePlan(ram=True))
    assert host.run(idle(2), CapturePlan(ram=True)).frames == 2


# -- leftovers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["close", "crash", "hang", "shut down"])
def test_what_a_core_forked_is_gone_with_it(remote: MakeRemote, toy: ToyRequest, end: str) -> None:
    faults = {"crash": {"crash_at": 12}, "hang": {"hang_at": 12}, "shut down": {"exit_at": 12}}
    host = remote(deadline_ms=400)
    host.load(toy(fork_at=11, **faults.get(end, {})))
    assert host.pid is not None
    group = host.pid
    host.run(idle(11), CapturePlan())
    assert len(members(group)) == 2
    began = time.monotonic()
    if end == "close":
        host.close()
    else:
        # Not CoreHung: the end of the process is seen, though its child holds the connection.
        with pytest.raises(HostError) as caught:
            host.run(idle(1), CapturePlan())
        assert isinstance(caught.value, CoreCrashed) is (end != "hang")
    assert time.monotonic() - began < PATIENCE_SECONDS
    wait_until(lambda: members(group) == [])


PARENT = """
import sys
from pathlib import Path
import numpy as np
from libretro_host.host import CapturePlan, LoadRequest
from libretro_host.remote import RemoteHost

host = RemoteHost()
host.load(LoadRequest(core=Path(sys.argv[1]), content=Path(sys.argv[2])))
host.run(np.zeros((3, 2), np.uint16), CapturePlan())
print(host.pid, flush=True)
sys.stdin.read()
"""


def test_what_a_core_forked_dies_with_the_whole_program(toy: ToyRequest) -> None:
    request = toy(fork_at=2)
    command = [sys.executable, "-c", PARENT, str(request.core), str(request.content)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        group = int(parent.stdout.readline())
        assert len(members(group)) == 2
        parent.kill()
    wait_until(lambda: members(group) == [])


def test_a_copy_of_the_process_that_comes_back_says_nothing(
    remote: MakeRemote, toy: ToyRequest
) -> None:
    host = remote("worker_hosts:Forker")
    host.load(toy())
    for _ in range(20):
        assert host.run(idle(1), CapturePlan()).frames == 1
    assert host.read_ram()[0] == 20


# -- checks of replies -------------------------------------------------------------------------

CALLS: dict[str, Callable[[CoreHost], object]] = {
    "load": lambda host: host.info,
    "run": lambda host: host.run(idle(2), EVERYTHING),
    "serialize": lambda host: host.serialize(),
    "read_ram": lambda host: host.read_ram(),
    "options": lambda host: host.options(),
    "reset": lambda host: host.reset(),
}
LIES = {
    "load": ("info", "rate", "no rate", "av"),
    "run": (
        *("none", "number", "frames", "ram", "no ram"),
        *("picture", "pixels", "messages", "lag", "offsets"),
    ),
    "serialize": ("state", "long state"),
    "read_ram": ("flat ram", "ram of floats"),
    "options": ("options", "option"),
    "reset": ("result",),
}  # fmt: skip


@pytest.mark.parametrize(("call", "lie"), [(call, lie) for call in LIES for lie in LIES[call]])
def test_a_wrong_answer_ends_the_child_and_the_next_request_is_in_step(
    remote: MakeRemote, toy: ToyRequest, call: str, lie: str
) -> None:
    host = remote("worker_hosts:WrongAnswers")
    request = toy()

    def converse() -> None:
        host.load(replace(request, save_dir=Path(lie)))
        CALLS[call](host)

    with pytest.raises(CoreCrashed, match="damaged its own process") as caught:
        converse()
    assert caught.value.signal_name is None
    assert "memory" not in str(caught.value)
    assert host.pid is None
    host.load(request)
    result = host.run(idle(3), EVERYTHING)
    assert isinstance(result, RunResult)
    assert result.frames == 3


def test_an_answer_to_what_was_not_asked(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote("worker_hosts:Twice")
    host.load(toy())
    host.reset()
    with pytest.raises(CoreCrashed, match="answered another request"):
        host.read_ram()


def test_our_own_kill_is_not_explained_by_memory(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote("worker_hosts:Liar")
    host.load(toy())
    with pytest.raises(CoreCrashed) as ours:
        host.run(idle(1), CapturePlan())
    assert (ours.value.signal_name, "memory" in str(ours.value)) == (None, False)
    host.load(toy())
    assert host.pid is not None
    os.kill(host.pid, signal.SIGKILL)
    with pytest.raises(CoreCrashed, match="used up the memory"):
        host.read_ram()
