"""Worker processes: ordered results, deaths and hangs of items, ends with their parent."""

from __future__ import annotations

import operator
import os
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from toy_requests import ToyRequest, idle

from libretro_host.doubles import DoubledHost
from libretro_host.errors import CoreCrashed, CoreHung, HostError
from libretro_host.host import CapturePlan, CoreInfo, CoreLimits, LoadRequest
from libretro_host.processes.kernel import limit_process
from libretro_host.processes.worker_process import WorkerPool, WorkerProcess


def temporary_folder(_: object) -> tuple[int, str]:
    return os.getpid(), os.environ["TMPDIR"]


def warn(text: str) -> str:
    warnings.warn(text, stacklevel=1)
    return text


def frames_of(request: LoadRequest, frames: int) -> int:
    """Run a core in this process, as environments do."""
    host = DoubledHost()
    host.load(request)
    for _ in range(frames):
        host.run(idle(1), CapturePlan())
    host.close()
    return frames


class OneHost:
    """A core of a worker that goes on from call to call."""

    def __init__(self, request: LoadRequest) -> None:
        self._host = DoubledHost()
        self._info: CoreInfo = self._host.load(request)

    def run(self, frames: int) -> int:
        for _ in range(frames):
            self._host.run(idle(1), CapturePlan())
        return frames

    def size_of(self, name: str) -> int:
        [file] = Path(os.environ["TMPDIR"]).rglob(name)
        return file.stat().st_size

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)


def soft_limits(every: Sequence[CoreLimits]) -> list[int]:
    """The limit of mapped memory before, and after each of some cores."""
    found = [resource.getrlimit(resource.RLIMIT_AS)[0]]
    for limits in every:
        limit_process(limits)
        found.append(resource.getrlimit(resource.RLIMIT_AS)[0])
    return found


def text_of(_: object, error: HostError) -> str:
    return type(error).__name__


def test_results_come_in_the_order_of_the_items() -> None:
    assert list(WorkerPool(operator.neg, range(40), 3)) == [-each for each in range(40)]


def test_an_item_that_ends_its_process_costs_one_result() -> None:
    ways = ["1", "__import__('os').abort()", "__import__('os')._exit(3)", "4"]
    found = list(WorkerPool(eval, ways, 1, text_of))
    assert found == [1, "CoreCrashed", "CoreCrashed", 4]
    with pytest.raises(CoreCrashed, match=r"crashed \(SIGABRT\)"):
        list(WorkerPool(eval, ways, 2))


def test_errors_and_warnings_of_a_worker_arrive() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        list(WorkerPool(eval, ["1/0"], 1, text_of))
    assert "in <module>" in caught.value.__notes__[0]
    with pytest.warns(UserWarning, match="mind the gap"):
        assert list(WorkerPool(warn, ["mind the gap"], 1)) == ["mind the gap"]


@pytest.mark.parametrize("shape", [(0,), (3, 5), (200, 160, 3)])
def test_arrays_arrive_as_they_were(shape: tuple[int, ...]) -> None:
    sent = np.arange(np.prod(shape), dtype=np.uint16).reshape(shape)
    [found] = WorkerPool(np.asarray, [sent], 1)
    np.testing.assert_array_equal(found, sent)
    assert found.flags.writeable


def test_a_worker_has_a_folder_that_goes_with_it() -> None:
    [(pid, folder)] = WorkerPool(temporary_folder, [0], 1)
    assert pid != os.getpid()
    assert not Path(folder).exists()


def test_a_crash_and_a_hang_of_a_core_are_told(toy: ToyRequest) -> None:
    crash, hang = toy(crash_at=30), toy(hang_at=30)
    work = partial(frames_of, frames=40)
    found = list(WorkerPool(work, [crash, toy()], 1, text_of))
    assert found == ["CoreCrashed", 40]
    worker = WorkerProcess(partial(OneHost, hang), limit_ms=300)
    assert worker.call("run", 20) == 20
    with pytest.raises(CoreHung, match="within 300 ms"):
        worker.call("run", 20)
    assert not worker.is_alive


def test_a_core_that_fills_the_memory_costs_one_result(toy: ToyRequest) -> None:
    limits = CoreLimits(memory_bytes=64 << 20)
    hog, other = toy(hog_at=30, request_limits=limits), toy()
    found = list(WorkerPool(partial(frames_of, frames=40), [hog, other], 1, text_of))
    assert found == ["CoreCrashed", 40]
    with pytest.raises(CoreCrashed, match="it may have used up the memory"):
        list(WorkerPool(partial(frames_of, frames=40), [hog], 1))


def test_a_file_of_a_core_does_not_grow_for_ever(toy: ToyRequest) -> None:
    limits = CoreLimits(file_bytes=4 << 20)
    worker = WorkerProcess(partial(OneHost, toy(flood_at=30, request_limits=limits)))
    assert worker.call("run", 40) == 40
    assert worker.call("size_of", "flood") == limits.file_bytes
    worker.close()


def test_a_core_without_a_limit_has_not_that_of_the_core_before() -> None:
    limits = [CoreLimits(), CoreLimits(address_space_bytes=0)]
    [(before, limited, after)] = WorkerPool(soft_limits, [limits], 1)
    assert limited != before
    assert after == before


def test_work_between_calls_of_a_core_has_no_deadline(toy: ToyRequest) -> None:
    worker = WorkerProcess(partial(OneHost, toy()), limit_ms=100)
    worker.call("run", 20)
    worker.call("wait", 0.5)
    worker.close()


def test_an_item_has_a_limit_as_a_whole(toy: ToyRequest) -> None:
    waits = [0.0, 600.0, 0.0]
    limits = WorkerPool(time.sleep, waits, 1, text_of, limit_ms=lambda wait: 400 if wait else 5_000)
    assert list(limits) == [None, "CoreHung", None]
    # A core that answers again and again, and is never done.
    frames = partial(frames_of, toy())
    assert list(WorkerPool(frames, [1 << 40], 1, text_of, limit_ms=lambda _: 800)) == ["CoreHung"]


def test_a_stopped_iteration_ends_the_processes() -> None:
    results = iter(WorkerPool(time.sleep, [0, 600, 600], 2))
    assert next(results) is None
    results.close()  # type: ignore[attr-defined] # a generator


def test_a_program_may_end_before_it_has_read_all_results() -> None:
    program = (
        "import time; from libretro_host.processes.worker_process import WorkerPool\n"
        "results = iter(WorkerPool(time.sleep, [0, 600], 1))\n"
        "next(results)\n"
        "raise SystemExit(3)\n"
    )
    command = [sys.executable, "-P", "-c", program]
    assert subprocess.run(command, check=False, timeout=60).returncode == 3


@pytest.mark.parametrize("way", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent(tmp_path: Path, way: signal.Signals) -> None:
    program = (
        "import sys; from libretro_host.processes.worker_process import WorkerPool\n"
        'code = \'__import__("pathlib").Path(%r, str(__import__("os").getpid())).touch(), \'\n'
        "code += '__import__(\"time\").sleep(600)'\n"
        "list(WorkerPool(eval, [code % sys.argv[1]] * 2, 2))\n"
    )
    parent = subprocess.Popen([sys.executable, "-P", "-c", program, str(tmp_path)])
    while len(pids := [int(path.name) for path in tmp_path.iterdir()]) < 2:
        time.sleep(0.02)
    parent.send_signal(way)
    parent.wait()
    for pid in pids:
        while is_alive(pid):
            time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] not in {"Z", "X"}
