"""Types of the fixtures around the test core, and inputs for it."""

from __future__ import annotations

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


def idle(frames: int, ports: int = 2) -> NDArray[np.uint16]:
    """Inputs of ``frames`` frames without a button."""
    return np.zeros((frames, ports), np.uint16)
