"""The shim's log ring: formatting, its bound, and that it outlives a failed load."""

from __future__ import annotations

import numpy as np
import pytest
from toy_requests import ToyRequest

from libretro_host.errors import ContentError
from libretro_host.host import CapturePlan
from libretro_host.inprocess import InProcessHost


def test_the_ring_keeps_the_newest_lines(inprocess: InProcessHost, toy: ToyRequest) -> None:
    inprocess.load(toy(log_every=1, width=16, height=16))
    inprocess.run(np.zeros((2000, 1), np.uint16), CapturePlan(picture=False))
    log = inprocess.log()
    assert len(log) == 512
    assert log[0].startswith("[INFO] frame 1489 ")
    assert log[-1].startswith("[INFO] frame 2000 ")


def test_the_cores_complaint_is_in_the_message(inprocess: InProcessHost, toy: ToyRequest) -> None:
    with pytest.raises(ContentError, match=r'the core said: \[ERROR\] toycore: line "what"'):
        inprocess.load(toy(what=1))
    assert inprocess.log()


def test_a_new_load_begins_a_new_log(inprocess: InProcessHost, toy: ToyRequest) -> None:
    inprocess.load(toy(log_every=1))
    inprocess.run(np.zeros((1, 1), np.uint16), CapturePlan(picture=False))
    inprocess.close()
    inprocess.load(toy())
    assert inprocess.log() == ()
