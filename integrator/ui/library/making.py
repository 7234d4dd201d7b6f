"""An integration that is being made beside the window's thread, and can be called off meanwhile."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from integrator.domain.errors import IntegratorError
from integrator.domain.integration import Integration

Beside = Callable[
    [Callable[[], Any], Callable[[Any], object], Callable[[Exception], object]], object
]
"""Runs work on files on another thread; then calls back with its result, or its error."""


class Making:
    """``make`` writes a new directory; called off, what it wrote goes away again."""

    def __init__(self, make: Callable[[], Integration]) -> None:
        self._make = make
        self._called_off = threading.Event()

    @property
    def is_called_off(self) -> bool:
        """Whether nobody wants the directory any more."""
        return self._called_off.is_set()

    def call_off(self) -> None:
        """Let go; at any time, from any thread."""
        self._called_off.set()

    def run(self) -> Path | None:
        """Make it; None when it was called off. Raises SaveError, DocumentError."""
        directory = None if self._called_off.is_set() else self._make().directory
        if directory is not None and self.is_called_off:
            self.take_back(directory)
            return None
        return directory

    @staticmethod
    def take_back(directory: Path) -> None:
        """Remove what was just made. What can not be removed stays, and does no harm."""
        shutil.rmtree(directory, ignore_errors=True)


def at_once(
    work: Callable[[], Any],
    then: Callable[[Any], object],
    otherwise: Callable[[Exception], object],
) -> None:
    """As a ``Beside`` does, in this thread: for a dialog without a window."""
    try:
        result = work()
    except IntegratorError as error:
        otherwise(error)
    else:
        then(result)
