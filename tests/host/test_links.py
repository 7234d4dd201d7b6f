"""Children over pipes and named files, as Windows has them; the whole suite does so by night."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest
from toy_requests import MakeRemote, ToyRequest, wait_until

from libretro_host.errors import CoreCrashed, CoreHung, HostError
from libretro_host.host import CapturePlan
from libretro_host.inprocess import InProcessHost
from libretro_host.processes import kernel
from libretro_host.processes.links import LogPipe, PipeLink
from libretro_host.processes.worker_process import WorkerPool, WorkerProcess

EVERYTHING = CapturePlan(ram=True, picture=True, picture_every=1, audio=True)


@pytest.fixture(autouse=True)
def pipes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Lets no descriptor be inherited; the folder for what is left behind."""
    monkeypatch.setattr(kernel, "PORTABLE", True)
    monkeypatch.setenv("INTEGRATOR_PORTABLE", "1")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_a_core_gives_the_same_numbers(
    remote: MakeRemote, inprocess: InProcessHost, toy: ToyRequest, pipes: Path
) -> None:
    inputs = np.random.default_rng(3).integers(0, 4096, (40, 2)).astype(np.uint16)
    request, host = toy(ram=1 << 16, log_every=9), remote()
    assert host.load(request) == inprocess.load(request)
    one, other = host.run(inputs, EVERYTHING), inprocess.run(inputs, EVERYTHING)
    np.testing.assert_array_equal(one.ram, other.ram)
    np.testing.assert_array_equal(one.audio, other.audio)
    for mine, theirs in zip(one.pictures, other.pictures, strict=True):
        np.testing.assert_array_equal(mine.pixels, theirs.pixels)
    assert host.serialize() == inprocess.serialize()
    wait_until(lambda: host.log() == inprocess.log())
    host.close()
    assert not list(pipes.glob(".integrator-tmp-*"))


def test_the_ends_of_a_core_are_seen(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote(deadline_ms=300, start_deadline_ms=0)
    for fault, error in (("crash_mask", CoreCrashed), ("hang_mask", CoreHung)):
        host.load(toy(**{fault: 1}))
        with pytest.raises(error):
            host.run(np.ones((1, 2), np.uint16), CapturePlan())


def test_workers_work_and_die() -> None:
    assert list(WorkerPool(abs, [-1, -2, -3], 2)) == [1, 2, 3]
    worker = WorkerProcess(list)
    worker.call("append", 1)
    with pytest.raises(CoreCrashed):
        worker.call("sort", key=os._exit)


def test_the_last_lines_of_a_child_are_kept() -> None:
    log = LogPipe()
    log.writer.write(b"[ERROR] last words\n" * 50)
    log.close()
    log.close()
    assert log.lines() == ("[ERROR] last words",) * 50


def test_a_process_that_prints_without_end_holds_up_no_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, output = LogPipe(), iter([b"[INFO] again\n"] * 1000)
    monkeypatch.setattr(log, "_read", lambda: next(output))
    assert log.drain()  # the end of this output is a StopIteration
    assert log.lines() == ("[INFO] again",) * 64
    monkeypatch.undo()
    log.close()


def test_a_log_that_nobody_reads_takes_no_memory() -> None:
    log = LogPipe()
    line = b"[INFO] " + b"x" * 4000 + b"\n"
    written = 0

    def write() -> None:
        nonlocal written
        with contextlib.suppress(OSError):
            for _ in range(8000):
                written += log.writer.write(line)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    writer.join(1)
    assert writer.is_alive()
    assert written < 2 << 20
    while writer.is_alive():
        log.drain()
    log.close()
    assert log.lines()[-1].startswith("[INFO] xxx")


def test_the_collector_closes_a_worker_in_the_thread_that_reads_its_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = WorkerProcess(list)
    worker.call("append", 1)
    answered, done = threading.Event(), threading.Event()

    class Collecting(threading.Event):
        def set(self) -> None:
            super().set()
            if threading.current_thread().name == "pipe" and answered.wait(60) and worker.is_idle:
                with contextlib.suppress(HostError):
                    worker.call("clear")
                worker.close()
                done.set()

    child = worker._child
    assert child is not None
    assert isinstance(child._link, PipeLink)
    monkeypatch.setattr(child._link._messages, "_arrived", Collecting())
    worker.call("append", 2)
    answered.set()
    assert done.wait(120)


def test_a_child_ends_with_its_parent() -> None:
    code = (
        "import sys; from libretro_host.processes.worker_process import WorkerProcess as W;"
        "w = W(list); w.call('append', 1); print(w.pid, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        child = Path("/proc", parent.stdout.readline().strip().decode())
        assert child.exists()
        parent.kill()
    wait_until(lambda: not child.exists())


@pytest.mark.nightly
def test_every_promise_of_a_host_holds() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "not nightly", "-n", "2", "tests/host"],
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "INTEGRATOR_PORTABLE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
