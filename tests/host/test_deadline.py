"""Deadlines of child processes: waiting for a processor does not count, and all else does."""

from __future__ import annotations

import pytest

from libretro_host.processes import child_process as module
from libretro_host.processes.child_process import ChildProcess, Deadline
from libretro_host.processes.kernel import ThreadTime

LIMIT_MS = 1000


class Machine:
    """A clock that is set by hand, and the times of a process's only thread."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.thread = ThreadTime(ran_s=5.0, waited_s=7.0, ready=True)

    def monotonic(self) -> float:
        return self.now_s

    def times(self, pid: int) -> dict[str, ThreadTime]:
        return {str(pid): self.thread}

    def pass_second(self, deadline: Deadline, ran: float = 0.0, waited: float = 0.0) -> None:
        self.now_s += 1
        before = self.thread
        self.thread = ThreadTime(before.ran_s + ran, before.waited_s + waited, before.ready)
        deadline.look()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine()
    monkeypatch.setattr(module, "time", machine)
    monkeypatch.setattr(module, "thread_times", machine.times)
    return machine


def begun(machine: Machine) -> Deadline:
    deadline = Deadline(1, lambda: LIMIT_MS)
    deadline.look()
    assert machine.now_s == 100
    return deadline


def test_work_counts(machine: Machine) -> None:
    deadline = begun(machine)
    machine.pass_second(deadline, ran=1.0)
    assert deadline.left_ms() == pytest.approx(0)


def test_a_wait_that_has_ended_does_not_count(machine: Machine) -> None:
    deadline = begun(machine)
    machine.pass_second(deadline, ran=0.25, waited=0.75)
    assert deadline.left_ms() == pytest.approx(750)


def test_a_wait_that_goes_on_does_not_count_either(machine: Machine) -> None:
    deadline = begun(machine)
    for _ in range(5):
        machine.pass_second(deadline)
    assert deadline.left_ms() == pytest.approx(LIMIT_MS)
    # The system tells of it at its end: that is the same wait.
    machine.pass_second(deadline, ran=0.5, waited=5.5)
    assert deadline.left_ms() == pytest.approx(500)


class StarvedLink:
    """A link on which this process waits for six seconds instead of a tenth, as its child does."""

    def __init__(self, machine: Machine, waits: int) -> None:
        self.machine, self.waits = machine, waits

    def wait(self, limit_ms: float) -> bool:
        assert limit_ms <= 100
        self.machine.now_s += 6
        before = self.machine.thread
        self.machine.thread = ThreadTime(before.ran_s, before.waited_s + 6, before.ready)
        self.waits -= 1
        return self.waits < 0


@pytest.mark.parametrize("waits", [1, 2])
def test_waits_are_measured_before_a_reply_is_late(machine: Machine, waits: int) -> None:
    child = object.__new__(ChildProcess)
    child._link = StarvedLink(machine, waits)  # type: ignore[assignment] # only wait() is called
    child._await_reply([Deadline(1, lambda: LIMIT_MS)])


def test_a_child_that_sleeps_is_late(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    asleep = {"1": ThreadTime(5.0, 7.0, ready=False)}
    monkeypatch.setattr(module, "thread_times", lambda _: asleep)
    child = object.__new__(ChildProcess)
    child._link = StarvedLink(machine, 2)  # type: ignore[assignment] # only wait() is called
    with pytest.raises(TimeoutError):
        child._await_reply([Deadline(1, lambda: LIMIT_MS)])


def test_a_thread_that_sleeps_does_not_wait(machine: Machine) -> None:
    machine.thread = ThreadTime(5.0, 7.0, ready=False)
    deadline = begun(machine)
    machine.pass_second(deadline)
    assert deadline.left_ms() == pytest.approx(0)
