"""Cores that hide something from their states, told from those that do not."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from integrator.session.suggestions.suggesting import repeats
from libretro_host.host import CapturePlan, CoreHost, RunResult


class _Paddle:
    """A core whose paddle is a number that the pad turns, which states leave out or hold."""

    def __init__(self, *, hides: bool) -> None:
        self._hides = hides
        self._turned = 0

    def unserialize(self, state: bytes, fresh: bool = True) -> None:
        if fresh or not self._hides:
            self._turned = state[0]

    def run(self, inputs: NDArray[np.uint16], _plan: CapturePlan) -> RunResult:
        turned = self._turned + np.cumsum((inputs[:, 0] & 0x0080) != 0)
        self._turned = int(turned[-1])
        return RunResult(len(inputs), None, ram=turned.astype(np.uint8)[:, np.newaxis])


@pytest.mark.parametrize("hides", [False, True])
def test_a_core_repeats_when_its_states_hold_everything(hides: bool) -> None:
    core = cast("CoreHost", _Paddle(hides=hides))
    assert repeats(core, b"\x05", 2) is not hides
