"""Homes for tests: folders in place of those that hold a developer's settings, cores and saves."""

from __future__ import annotations

from pathlib import Path

import pytest


def live_in(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let settings, integrations, cores, saves and caches lie in a folder until ``patch`` ends."""
    for variable in ("CONFIG", "DATA", "CACHE", "STATE"):
        patch.setenv(f"XDG_{variable}_HOME", str(folder / variable.lower()))
