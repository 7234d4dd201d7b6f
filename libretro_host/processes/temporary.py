"""Temporary folders that a later process removes if their owner died without doing so."""

import contextlib
import os
import re
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from libretro_host.processes.kernel import close_folder, lock, open_folder

_PREFIX: Final = ".integrator-tmp-"  # hidden


class OwnedFolder:
    """A new temporary folder, removed by its owner or a later process. Raises OSError."""

    def __init__(self, parent: str | Path | None = None) -> None:
        place = Path(parent or tempfile.gettempdir())
        remove_abandoned(place)
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=place))
            # Before the lock, another process may take the folder for abandoned and remove it.
            try:
                handle = open_folder(self.path)
            except (FileNotFoundError, NotADirectoryError):
                continue
            lock(handle)
            if self.path.exists():
                break
            close_folder(self.path, handle)
        self._remove = weakref.finalize(self, _remove, self.path, handle, os.getpid())

    def close(self) -> None:
        self._remove()

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def made_whole(path: Path) -> Iterator[Path]:
    """Give a path for a file or folder, which is renamed to ``path`` unless the block fails."""
    with OwnedFolder(path.parent) as folder:
        part = folder / path.name
        yield part
        part.replace(path)


def final_paths(text: str) -> str:
    """Return a message in which files of temporary folders have the paths that they shall get."""
    return re.sub(rf"{re.escape(_PREFIX)}[^/\\]+[/\\]", "", text)


def _remove(path: Path, handle: int, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(path, ignore_errors=True)
    close_folder(path, handle)


def remove_abandoned(parent: Path) -> None:
    """Remove the temporary folders in ``parent`` whose owners have died."""
    for path in parent.glob(f"{_PREFIX}*"):
        try:
            handle = open_folder(path)
        except OSError:  # no folder, another user's, or removed meanwhile
            continue
        is_own = sys.platform == "win32" or os.fstat(handle).st_uid == os.getuid()
        if is_own and lock(handle, wait=False):
            shutil.rmtree(path, ignore_errors=True)
        close_folder(path, handle)
