"""Writes files so that they are complete or unchanged, and explains failed writes."""

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from integrator.domain.errors import WRITE_CURES, DocumentError, SaveError, reason
from integrator.domain.files.reading import open_handle
from libretro_host.processes.kernel import close_folder, lock, open_folder
from libretro_host.processes.temporary import final_paths

_RIGHT = "give yourself the right to write to this folder, or save elsewhere"
if sys.platform == "win32":
    _RIGHT = f"close the programs that have it open, {_RIGHT}"
_CURES: Final = {
    **dict.fromkeys((errno.EACCES, errno.EPERM), _RIGHT),
    **WRITE_CURES,
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), "create the folder first, or save elsewhere"),
    errno.ENAMETOOLONG: "use a shorter name",
    **dict.fromkeys((errno.EEXIST, errno.ENOTEMPTY), "something has this name: use another"),
    errno.EISDIR: "it is a folder: name a file",
}


def encoded(text: str, path: Path, errors: str = "strict") -> bytes:
    """Return the bytes of a text that ``path`` is to hold. Raises DocumentError."""
    try:
        return text.encode("utf-8", errors)
    except UnicodeEncodeError as error:
        raise DocumentError(f"{path}: a text holds half of a surrogate pair; retype it") from error


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` through a temporary file in the same folder.

    Permissions of an existing file are kept, symbolic links are followed. Raises SaveError, which
    names the file and a fix; then the old file is unchanged and no temporary file is left."""
    with saving(f"{path} could not be written and the old file is unchanged"):
        target = path.resolve()
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        # On a read-only disk, where the folder cannot be written either, the attempt says so.
        folder_only = os.access(target.parent, os.W_OK) and not os.access(target, os.W_OK)
        if mode is not None and folder_only:
            raise SaveError(
                f"{path} is read-only and was not changed; make it writable or save elsewhere"
            )
        _replace(target, data, mode)


def write_with_folder(path: Path, data: bytes, cure: str = "") -> None:
    """Write a file as :func:`write_atomically` does, after its folder was made if needed."""
    with saving(f"{path.parent} could not be made", cure):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, data)


def writing(path: Path) -> contextlib.AbstractContextManager[None]:
    """Raise SaveError, which names ``path`` and a fix, for every OSError in the block."""
    return saving(f"{path}: cannot be written")


@contextlib.contextmanager
def saving(failed: str, cure: str = "") -> Iterator[None]:
    """Raise SaveError with ``failed``, reason and ``cure`` for every OSError in the block."""
    try:
        yield
    except OSError as error:
        cure = cure or _CURES.get(error.errno or 0, "check the disk and save again")
        raise SaveError(final_paths(f"{failed} ({reason(error)}); {cure}")) from error


def write_all(handle: int, data: bytes) -> None:
    """Write all of ``data``, since ``os.write`` may write a part. Raises OSError midway."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files of killed processes, but no file that is being written."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if re.fullmatch(r"\..+\.[0-9a-f]{12}\.tmp", path.name, re.DOTALL):
                _remove_if_abandoned(path)


def give_name(whole: Path, path: Path) -> None:
    """Name the file ``whole`` ``path``. Raises OSError, and FileExistsError if that exists."""
    try:
        os.link(whole, path)
    except FileExistsError:
        raise
    except OSError:  # The file system has no hard links.
        path.touch(exist_ok=False)
        whole.replace(path)


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    """Write, flush to disk, rename, and flush the folder; always remove the temporary file."""
    temporary, handle = _open_temporary(target)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            if mode is not None:
                temporary.chmod(mode)
            os.fsync(stream.fileno())
            # Rename the file while it is open and so locked, so that nobody takes it for abandoned.
            if sys.platform != "win32":
                temporary.replace(target)
        if sys.platform == "win32":
            _replace_when_free(temporary, target)
    finally:
        # After a successful rename, the temporary name no longer exists.
        temporary.unlink(missing_ok=True)
    if os.name != "posix":  # Windows cannot open a folder.
        return
    # Flush the folder, so that the rename itself is on disk.
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _replace_when_free(temporary: Path, target: Path) -> None:
    """Rename once no program has the target open, as Windows' virus scanners do. Raises OSError."""
    for wait_s in (0.01, 0.03, 0.1, 0.3, 0.6):
        with contextlib.suppress(PermissionError):
            temporary.replace(target)
            return
        time.sleep(wait_s)
    temporary.replace(target)


def _open_temporary(target: Path) -> tuple[Path, int]:
    while True:
        temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
        # mkstemp is not used, because it gives new files mode 0600 regardless of the umask.
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        lock(handle)
        if os.fstat(handle).st_nlink:
            return temporary, handle
        # Another process took the file for abandoned and removed it before it was locked.
        os.close(handle)


def _remove_if_abandoned(path: Path) -> None:
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            # Windows removes no open file, but a closed one may be about to be renamed.
            if time.time() - path.stat().st_mtime > 3600:
                path.unlink()
            return
        handle = open_handle(path, follow=False)
        try:
            if lock(handle, wait=False):
                path.unlink()
        finally:
            os.close(handle)


_HELD: Final[ContextVar[frozenset[tuple[int, int]]]] = ContextVar("held", default=frozenset())
"""The folders that this thread holds locked, by device and inode."""


@contextlib.contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock a folder, so that programs change its files one after the other. Reentrant."""
    try:
        handle = open_folder(folder, follow=True)
    except OSError:
        yield
        return
    facts, held = os.fstat(handle), _HELD.get()
    mine = _HELD.set(held | {(facts.st_dev, facts.st_ino)})
    try:
        if _HELD.get() != held:
            lock(handle)
        yield
    finally:
        _HELD.reset(mine)
        close_folder(folder, handle)
