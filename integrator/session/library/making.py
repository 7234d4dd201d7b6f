"""Making an integration of a ROM beside the window's thread; it can be called off meanwhile."""

import shutil
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from integrator import paths
from integrator.domain.errors import DomainError, SessionError
from integrator.domain.integration.directory import Integration, create_integration
from integrator.session.setup.content import prepare_content
from libretro_host.systems.descriptor import SystemDescriptor

Beside = Callable[
    [Callable[[], Any], Callable[[Any], object], Callable[[Exception], object]], object
]
"""Runs work on files on another thread; then calls back with its result, or its error."""


def make_integration(
    rom: Path,
    root: Path,
    name: str,
    system: str,
    systems: Mapping[str, SystemDescriptor],
    *,
    sure: bool = False,
) -> Integration:
    """Unpack ``rom`` if needed, and create its integration.

    ``sure``: the system was chosen by hand, or found in the file; else a zip is asked again. Raises
    SaveError, DocumentError; SessionError for a file that is no game, or not of this ``system``.
    """
    cache = paths.user_cache_dir() / "content"
    known = systems[system] if sure or rom.suffix.lower() != ".zip" else None
    content = prepare_content(rom, systems, cache, known)
    if content.system.name != system:
        raise SessionError(
            f"{rom}: this is a game of {content.system.title}; choose that system, and its name"
        )
    extension = content.system.extension_of(content.path)
    return create_integration(content.path, root, name, system, extension)


class Making:
    """Writes a new directory; called off, it removes its files again."""

    def __init__(self, make: Callable[[], Integration]) -> None:
        self._make = make
        self._called_off = threading.Event()

    @property
    def is_called_off(self) -> bool:
        """True when nobody wants the directory any more."""
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
        """Remove the new directory. Files that cannot be removed stay, and do no harm."""
        shutil.rmtree(directory, ignore_errors=True)


def at_once(
    work: Callable[[], Any], then: Callable[[Any], object], otherwise: Callable[[Exception], object]
) -> None:
    """As a ``Beside`` does, in this thread: for a dialog without a window."""
    try:
        result = work()
    except DomainError as error:
        otherwise(error)
    else:
        then(result)
