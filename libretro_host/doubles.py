"""Many cores in one process, each a copy of the core's file, loaded by a copy of the shim."""

import contextlib
import os
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from libretro_host.errors import CoreNotFoundError, HostError
from libretro_host.host import CoreInfo, LoadRequest
from libretro_host.inprocess import InProcessHost
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.shims import Shim, copy_shim

_UNUSED_SHIMS: Final[list[Shim]] = []


def code_folder() -> str:
    """Return a folder that has room for temporary libraries and may run them. Raises HostError."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    folders = (tempfile.gettempdir(), "/var/tmp", "/dev/shm", cache)  # noqa: S108 - the files go into private folders
    usable = [
        one
        for one in folders
        if os.access(one, os.W_OK)  # a folder may also be missing
        and (sys.platform != "linux" or not os.statvfs(one).f_flag & os.ST_NOEXEC)
    ]
    if not usable:
        why = "it is mounted noexec; set TMPDIR to a folder on another file system"
        raise HostError(f"{folders[0]}: cores cannot be loaded from there, because {why}")
    # Take the first folder with 64 MiB free, which no core exceeds, or else the one with the most.
    return max(usable, key=lambda one: min(shutil.disk_usage(one).free, 64 << 20))


@contextlib.contextmanager
def _copying(place: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        fact = f"a copy of the core cannot be made there ({error.strerror})"
        cure = "free some space, or set TMPDIR to another folder"
        raise HostError(f"{place}: {fact}; {cure}") from error


_HOMES: Final[weakref.WeakValueDictionary[tuple[str, int], OwnedFolder]] = (
    weakref.WeakValueDictionary()
)
"""The folder of this process's cores, which is removed with the last of them."""


class DoubledHost(InProcessHost):
    """An :class:`InProcessHost` with its own copies of core and shim, and its own saves."""

    def __init__(self) -> None:
        place = code_folder(), os.getpid()
        with _copying(place[0]):
            try:  # Another thread may take the last unused shim.
                shim = _UNUSED_SHIMS.pop()
            except IndexError:
                with OwnedFolder(place[0]) as folder:
                    shim = copy_shim(folder)
            super().__init__(shim)
            home = _HOMES[place] = _HOMES.get(place) or OwnedFolder(place[0])
            self._folder = Path(tempfile.mkdtemp(prefix="integrator-core-", dir=home.path))
        self._remove = weakref.finalize(self, _remove, self._folder, home, os.getpid())

    def load(self, request: LoadRequest) -> CoreInfo:
        saves = self._folder / "saves"
        if not request.core.is_file():
            cure = "install it or choose another file"
            raise CoreNotFoundError(f"no core at {request.core}: {cure}")
        with _copying(str(self._folder.parent.parent)):
            saves.mkdir(exist_ok=True)
            core = Path(shutil.copy2(request.core, self._folder))
        # No limit, because an agent in this process may use CUDA, which maps more than any core.
        limits = replace(request.limits, address_space_bytes=0)
        return super().load(replace(request, core=core, save_dir=saves, limits=limits))

    def close(self) -> None:
        super().close()
        if self._remove.alive:
            self._remove()
            _UNUSED_SHIMS.append(self._shim)


def _remove(folder: Path, home: OwnedFolder, owner: int) -> None:
    """Remove a folder, but not in a fork, where the folder and its saves are the parent's."""
    del home  # This argument kept the home alive until now.
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
