"""What the fixtures of the test core hand out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from libretro_host.host import LoadRequest

BuildToycore = Callable[..., Path]
"""Compiles a variant of the test core, given its defines."""

ToyRequest = Callable[..., LoadRequest]
"""Makes requests to load the test core, given the keys of its content."""
