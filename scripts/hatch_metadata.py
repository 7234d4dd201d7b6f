"""Hatchling metadata hook: refuses a Python that is too old before pip looks for dependencies.

pip reads ``requires-python`` of a source tree only after its metadata, and when an extra is asked
for, it then tries every version of every dependency before it reports the conflict."""

from __future__ import annotations

import platform
import sys
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

OLDEST = (3, 11)
"""As ``requires-python`` says."""


class PythonVersionHook(MetadataHookInterface):
    """Stops the build with one sentence; leaves the metadata unchanged."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's signature
        """Exit when this Python is too old."""
        if sys.version_info < OLDEST:
            needed = ".".join(map(str, OLDEST))
            sys.exit(
                f"retro-integrator needs Python {needed} or newer, and this is Python "
                f"{platform.python_version()}; use a newer one"
            )
