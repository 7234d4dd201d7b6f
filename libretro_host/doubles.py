"""Many cores in one process: each loads a copy of the core's file, through a copy of the shim."""

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
    """A folder with room for temporary libraries, which may be run there. Raises HostError."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path("~/.cache").expanduser())
    folders = (tempfile.gettempdir(), "/var/tmp", "/dev/shm", cache)  # noqa: S108 - files in there are in folders of their own
    usable = [
        one
        for one in folders
        if os.access(one, os.W_OK)  # not each of these folders is there
        and (sys.platform != "linux" or not os.statvfs(one).f_flag & os.ST_NOEXEC)
    ]
    if not usable:
        why = "it is mounted noexec; set TMPDIR to a folder on another file system"
        raise HostError(f"{folders[0]}: cores cannot be loaded from there, because {why}")
    # The first with more than any core needs, or the one with most.
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
"""The folder of this process's cores, which goes with the last of them."""


class DoubledHost(InProcessHost):
    """An :class:`InProcessHost` among others, with its own copy of the core and its saves."""

    def __init__(self) -> None:
        place = code_folder(), os.getpid()
        with _copying(place[0]):
            try:  # another thread may take the last one
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
        # An agent may share the process, and CUDA alone maps more than any core.
        limits = replace(request.limits, address_space_bytes=0)
        return super().load(replace(request, core=core, save_dir=saves, limits=limits))

    def close(self) -> None:
        super().close()
        if self._remove.alive:
            self._remove()
            _UNUSED_SHIMS.append(self._shim)


def _remove(folder: Path, home: OwnedFolder, owner: int) -> None:
    """Remove a folder, but not in a fork: there it is the parent's, with its saves."""
    del home  # kept until now for its folders
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
