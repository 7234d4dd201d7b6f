"""Cores say who they are in forks, which may crash or hang."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from libretro_host.errors import CoreLoadError
from libretro_host.processes import children
from libretro_host.systems.identity import CoreIdentity, core_identities


def test_a_core_that_cannot_be_opened_costs_no_other(toycore: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged_libretro.so"
    damaged.write_bytes(b"no core")
    found = core_identities([damaged, toycore])
    assert isinstance(found[toycore], CoreIdentity)
    error = found[damaged]
    assert isinstance(error, CoreLoadError)
    assert str(damaged) in str(error)


def test_a_fork_gives_its_result() -> None:
    assert children.forked(lambda: {"pid": os.getpid()}, deadline_s=30)["pid"] != os.getpid()


def test_a_fork_that_dies_is_an_error() -> None:
    with pytest.raises(ChildProcessError, match="signal 9"):
        children.forked(lambda: os.kill(os.getpid(), signal.SIGKILL), deadline_s=30)


def test_a_fork_that_hangs_is_ended() -> None:
    with pytest.raises(ChildProcessError, match="hung"):
        children.forked(lambda: time.sleep(60), deadline_s=0.2)


def test_an_error_in_a_fork_ends_the_fork_alone() -> None:
    here = os.getpid()
    with pytest.raises(ChildProcessError, match="exit status 1"):
        children.forked(lambda: 1 // 0, deadline_s=30)
    assert os.getpid() == here
