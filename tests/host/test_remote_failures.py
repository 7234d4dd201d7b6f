"""RemoteHost with cores that crash, exit, hang, chatter or damage their process."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from toy_requests import MakeRemote, ToyRequest, idle, wait_until

from libretro_host.errors import CoreCrashed, CoreHung, HostClosedError, HostError
from libretro_host.host import CapturePlan

HOG = "import os, sys\nos.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_a_crash_tells_signal_core_and_last_log_lines(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote()
    host.load(toy(crash_at=7, log_every=3, stdout=1))
    pid = host.pid
    with pytest.raises(
        CoreCrashed, match=r"toycore_libretro.so crashed \(SIGSEGV\) in run"
    ) as info:
        host.run(idle(10), CapturePlan())
    assert info.value.signal_name == "SIGSEGV"
    assert any("frame 6" in line for line in info.value.log)
    assert any(line.startswith("[OUT] ") for line in info.value.log)
    assert host.log() == info.value.log
    assert pid is not None
    assert not is_alive(pid)


def test_after_a_crash_the_same_host_loads_again(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote()
    host.load(toy(crash_at=3))
    with pytest.raises(CoreCrashed):
        host.run(idle(5), CapturePlan())
    assert host.pid is None
    with pytest.raises(HostClosedError):
        host.run(idle(1), CapturePlan())
    with pytest.raises(HostClosedError):
        _ = host.info
    host.load(toy())
    assert host.run(idle(5), CapturePlan(ram=True)).frames == 5


def test_a_system_without_descriptors_of_processes(
    remote: MakeRemote, toy: ToyRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux before 5.3, and sandboxes: a core runs there, crashes and is ended as elsewhere."""

    def refused(_pid: int) -> int:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(os, "pidfd_open", refused)
    host = remote()
    host.load(toy(crash_at=7))
    assert host.run(idle(5), CapturePlan(ram=True)).frames == 5
    with pytest.raises(CoreCrashed, match=r"SIGSEGV"):
        host.run(idle(10), CapturePlan())
    host.load(toy())
    pid = host.pid
    host.close()
    assert pid is not None
    assert not is_alive(pid)


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGKILL", "SIGABRT"])
def test_a_child_ended_from_outside(remote: MakeRemote, toy: ToyRequest, name: str) -> None:
    host = remote()
    host.load(toy())
    assert host.pid is not None
    os.kill(host.pid, signal.Signals[name])
    with pytest.raises(CoreCrashed) as info:
        host.read_ram()
    assert info.value.signal_name == name


def test_a_core_that_exits(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote()
    host.load(toy(exit_at=2))
    with pytest.raises(CoreCrashed, match="exit code 3") as info:
        host.run(idle(4), CapturePlan())
    assert info.value.signal_name is None


def test_a_hang_is_stopped_at_the_deadline(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote(deadline_ms=200)
    host.load(toy(hang_at=12, log_every=1))
    pid = host.pid
    host.run(idle(10), CapturePlan())
    with pytest.raises(CoreHung, match="within 200 ms") as info:
        host.run(idle(4), CapturePlan())
    assert info.value.deadline_ms == 200
    assert any("frame 11" in line for line in info.value.log)
    assert pid is not None
    assert not is_alive(pid)


def test_a_core_that_never_stops_working_is_stopped_too(
    remote: MakeRemote, toy: ToyRequest
) -> None:
    host = remote(deadline_ms=200)
    host.load(toy(hang_mask=1))
    host.run(idle(10), CapturePlan())
    with pytest.raises(CoreHung, match="within 200 ms"):
        host.run(idle(4) + np.uint16(1), CapturePlan())


def test_a_hang_in_a_long_chunk_is_found_by_its_last_frame(
    remote: MakeRemote, toy: ToyRequest
) -> None:
    host = remote(deadline_ms=300)
    host.load(toy(hang_at=5_000))
    host.run(idle(10), CapturePlan())
    with pytest.raises(CoreHung, match="within 300 ms"):
        host.run(idle(100_000), CapturePlan())


def test_a_long_chunk_has_no_deadline_as_a_whole(remote: MakeRemote, toy: ToyRequest) -> None:
    deadline_s = 0.15
    host = remote(deadline_ms=int(deadline_s * 1000))
    host.load(toy())
    host.run(idle(10), CapturePlan())
    frames, took_s = 10_000, 0.0
    while took_s < 3 * deadline_s:
        frames *= 2
        began = time.monotonic()
        assert host.run(idle(frames), CapturePlan()).frames == frames
        took_s = time.monotonic() - began


def test_the_first_frames_get_more_time(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote(inner="worker_hosts:SlowStarterThatHangs", deadline_ms=200)
    host.load(toy())
    host.run(idle(1), CapturePlan())
    assert host.run(idle(1), CapturePlan()).frames == 1  # the slow one
    host.run(idle(10), CapturePlan())
    host.unserialize(host.serialize())
    with pytest.raises(CoreHung, match="within 200 ms and was stopped; load it again"):
        host.reset()


def test_a_hang_in_the_first_frames_is_found_too(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote(deadline_ms=50, start_deadline_ms=150)
    host.load(toy(hang_at=2))
    with pytest.raises(CoreHung, match=r"within 200 ms.*or the core needs still longer"):
        host.run(idle(4), CapturePlan())


def test_a_call_is_longer_than_the_first_frames(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote(deadline_ms=50, start_deadline_ms=2000)
    host.load(toy(hang_at=30))
    with pytest.raises(CoreHung, match="within 50 ms and was stopped"):
        host.run(idle(40), CapturePlan())


def test_a_hang_that_chatters_is_found_too(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote(inner="worker_hosts:Chatterer", deadline_ms=200)
    host.load(toy())
    with pytest.raises(CoreHung, match="within 200 ms"):
        host.reset()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how long a process waited")
def test_a_loaded_machine_makes_no_hang(remote: MakeRemote, toy: ToyRequest) -> None:
    deadline_s = 0.6
    host = remote(inner="worker_hosts:SlowStarter", deadline_ms=int(deadline_s * 1000))
    host.load(toy())
    assert host.pid is not None
    processor = {min(os.sched_getaffinity(0))}
    os.sched_setaffinity(host.pid, processor)
    os.setpriority(os.PRIO_PROCESS, host.pid, os.nice(0) + 4)
    # Linux may share a processor among sessions, so that each hog needs one of its own.
    command = [sys.executable, "-c", HOG, str(*processor)]
    hogs = [subprocess.Popen(command, start_new_session=True) for _ in range(3)]
    try:
        time.sleep(0.5)
        began = time.monotonic()
        waited = False
        # Each takes 0.3 seconds of work, and waits the longer for the processor.
        while not waited:
            calls_began = time.monotonic()
            host.reset()
            waited = time.monotonic() - calls_began > deadline_s
            assert time.monotonic() - began < 60, "this machine gives it the processor at once"
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


def test_a_crash_while_loading(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote(inner="os:abort")
    with pytest.raises(CoreCrashed, match="SIGABRT"):
        host.load(toy())
    assert host.pid is None


def test_an_inner_host_that_does_not_exist_leaves_its_traceback(
    remote: MakeRemote, toy: ToyRequest
) -> None:
    host = remote(inner="no_such_module:Host")
    with pytest.raises(CoreCrashed, match="exit code 1") as info:
        host.load(toy())
    assert any("No module named 'no_such_module'" in line for line in info.value.log)


def test_a_core_may_log_more_than_a_pipe_holds(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote()
    host.load(toy(log_every=1))
    host.run(idle(20_000), CapturePlan(picture=False))
    # The lines come on a pipe of their own, which is read next to the answers.
    wait_until(lambda: any("frame 20000" in line for line in host.log()))


def test_nothing_of_the_core_reaches_our_output(
    remote: MakeRemote, toy: ToyRequest, capfd: pytest.CaptureFixture[str]
) -> None:
    host = remote()
    host.load(toy(stdout=1, log_every=1))
    host.run(idle(3), CapturePlan())
    host.close()
    assert capfd.readouterr() == ("", "")
    assert any(line.startswith("[OUT]") for line in host.log())


def test_a_damaged_child_is_stopped_not_believed(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote(inner="worker_hosts:Liar")
    host.load(toy())
    pid = host.pid
    with pytest.raises(CoreCrashed, match="damaged its own process"):
        host.run(idle(1), CapturePlan())
    assert pid is not None
    assert not is_alive(pid)


def test_other_errors_of_the_child_are_named_and_logged(
    remote: MakeRemote, toy: ToyRequest
) -> None:
    host = remote(inner="worker_hosts:Bungler")
    host.load(toy())
    with pytest.raises(HostError, match="ValueError in the core's process: no such reset"):
        host.reset()
    wait_until(lambda: any("Traceback" in line for line in host.log()))
    assert host.run(idle(1), CapturePlan()).frames == 1


def test_an_interrupted_call_can_not_leave_its_answer_behind(
    remote: MakeRemote, toy: ToyRequest
) -> None:
    host = remote(deadline_ms=60_000)
    host.load(toy(hang_at=1))
    pid = host.pid

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            host.run(idle(1), CapturePlan())
    finally:
        signal.signal(signal.SIGALRM, before)
    assert host.pid is None
    assert pid is not None
    assert not is_alive(pid)


def test_ctrl_c_in_the_terminal_does_not_reach_the_child(
    remote: MakeRemote, toy: ToyRequest
) -> None:
    host = remote()
    host.load(toy())
    assert host.pid is not None
    assert os.getpgid(host.pid) != os.getpgid(0)
    os.kill(host.pid, signal.SIGINT)
    assert host.run(idle(1), CapturePlan()).frames == 1


def test_close_ends_a_child_that_does_not_want_to(remote: MakeRemote, toy: ToyRequest) -> None:
    host = remote(inner="worker_hosts:Stubborn", deadline_ms=200)
    host.load(toy())
    pid = host.pid
    host.close()
    host.close()
    assert pid is not None
    assert not is_alive(pid)
