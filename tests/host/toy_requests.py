"""Types of the fixtures around the test core, and inputs for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from libretro_host.host import LoadRequest
from libretro_host.remote import RemoteHost

BuildToycore = Callable[..., Path]
"""Compiles a variant of the test core, given its defines."""

ToyRequest = Callable[..., LoadRequest]
"""Makes requests to load the test core, given the keys of its content."""

MakeRemote = Callable[..., RemoteHost]
"""Makes hosts in processes of their own, given the class inside and RemoteHost's arguments."""


PATIENCE_SECONDS = 60
"""Patience with events that should happen at once, on a busy machine."""


def wait_until(happened: Callable[[], bool]) -> None:
    """Wait for what another process or thread does."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not happened() and time.monotonic() < end:
        time.sleep(0.01)
    assert happened()


def idle(frames: int, ports: int = 2) -> NDArray[np.uint16]:
    """Inputs of ``frames`` frames without a button."""
    return np.zeros((frames, ports), np.uint16)
