"""RemoteHost's child and shared memory: nothing is left behind, whichever side dies first."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray
from toy_requests import ToyRequest, idle, wait_until

from libretro_host.host import CapturePlan, RunResult
from libretro_host.inprocess import InProcessHost
from libretro_host.processes import kernel
from libretro_host.remote import RemoteHost

pytestmark = pytest.mark.usefixtures("cold_children")

PARENT = """
import sys
from pathlib import Path
import numpy as np
from libretro_host.host import CapturePlan, LoadRequest
from libretro_host.remote import RemoteHost

host = RemoteHost(deadline_ms=600_000)
host.load(LoadRequest(core=Path(sys.argv[1]), content=Path(sys.argv[2])))
print(host.pid, flush=True)
if sys.argv[3] == "busy":
    host.run(np.ones((1, 2), np.uint16), CapturePlan())
sys.stdin.read()
"""


def scripted(frames: int) -> NDArray[np.uint16]:
    return np.random.default_rng(11).integers(0, 4096, (frames, 2)).astype(np.uint16)


@pytest.mark.parametrize("when", ["idle", "busy"])
def test_the_child_dies_with_its_parent(toy: ToyRequest, when: str) -> None:
    request = toy(hang_mask=1)
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(request.core), str(request.content), when],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with parent, contextlib.ExitStack() as after:
        after.callback(parent.kill)
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        if when == "busy":
            loaded = _cpu_ticks(child)
            # Far more than it takes to get from the loaded core into its endless loop.
            wait_until(lambda: _cpu_ticks(child) > loaded + 20)
        parent.kill()
    wait_until(lambda: not _runs(child))


def _cpu_ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def _runs(pid: int) -> bool:
    """False also for a zombie, which only its new parent can remove."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_the_child_outlives_the_thread_that_started_it(toy: ToyRequest) -> None:
    host = RemoteHost()
    thread = threading.Thread(target=host.load, args=(toy(),))
    thread.start()
    thread.join()
    time.sleep(0.1)
    assert host.run(idle(2), CapturePlan()).frames == 2
    host.close()


def _open_things() -> set[str]:
    """Files, pipes, threads and children of this process; the look's own folder is closed."""
    lists = Path("/proc/self/task").glob("*/children")
    children = {f"child {pid}" for each in lists for pid in each.read_text().split()}
    files = set()
    for each in list(Path("/proc/self/fd").iterdir()):
        with contextlib.suppress(FileNotFoundError):
            files.add(str(each.readlink()))
    return files | children | {str(thread.ident) for thread in threading.enumerate()}


def test_thirty_rounds_leave_nothing_open(toy: ToyRequest) -> None:
    request, crashing = toy(), toy(crash_at=1)
    before = _open_things()
    for round_number in range(30):
        host = RemoteHost()
        if round_number % 10:
            host.load(request)
            host.run(idle(1), CapturePlan(ram=True))
        else:
            host.load(crashing)
            with pytest.raises(Exception, match="SIGSEGV"):
                host.run(idle(1), CapturePlan())
        host.close()
    # Things of earlier tests may go meanwhile.
    assert not _open_things() - before


def test_shared_memory_without_memfd(toy: ToyRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "sys", SimpleNamespace(platform="darwin"))
    host = RemoteHost()
    host.load(toy())
    assert host.run(idle(3), CapturePlan(ram=True)).ram is not None
    host.close()


def test_a_foreign_current_directory_changes_nothing(
    toy: ToyRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("raise RuntimeError('the wrong numpy')")
    monkeypatch.chdir(tmp_path)
    host = RemoteHost()
    host.load(toy())
    host.close()


def test_memory_of_the_child_can_be_watched(toy: ToyRequest) -> None:
    host = RemoteHost()
    assert host.memory_bytes() is None
    host.load(toy())
    used = host.memory_bytes()
    assert used is not None
    assert used > 1 << 20
    host.close()
    assert host.memory_bytes() is None


def test_a_thousand_frames_are_those_of_a_host_in_this_process(
    toy: ToyRequest, inprocess: InProcessHost
) -> None:
    request = toy(ram=65536, resize_at=400, state_grow=100, pitch_extra=12, log_every=50)
    plan = CapturePlan(ram=True, picture=True, audio=True)
    inputs = scripted(1000)
    remote = RemoteHost()
    assert remote.load(request) == inprocess.load(request)
    for first in range(0, 1000, 10):
        chunk = inputs[first : first + 10]
        _assert_same(remote.run(chunk, plan), inprocess.run(chunk, plan))
    assert remote.info == inprocess.info
    assert remote.serialize() == inprocess.serialize()
    remote.close()


def test_slots_grow_with_what_is_asked(toy: ToyRequest, inprocess: InProcessHost) -> None:
    request = toy(ram=65536)
    plan = CapturePlan(ram=True, picture_every=1, audio=True)
    remote = RemoteHost()
    remote.load(request)
    inprocess.load(request)
    for frames in (1, 500, 3, 700):
        inputs = scripted(frames)
        _assert_same(remote.run(inputs, plan), inprocess.run(inputs, plan))
    state = bytes(remote.serialize())
    remote.unserialize(state + bytes(8 << 20))  # the parent's slot grows as well
    remote.close()


def _assert_same(one: RunResult, other: RunResult) -> None:
    assert one.frames == other.frames
    for name in ("ram", "audio"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for mine, theirs in zip(
        (*one.pictures, one.frame), (*other.pictures, other.frame), strict=True
    ):
        assert mine is not None
        assert theirs is not None
        assert (mine.width, mine.height, mine.pixel_format) == (
            *(theirs.width, theirs.height),
            theirs.pixel_format,
        )
        np.testing.assert_array_equal(mine.pixels, theirs.pixels)
