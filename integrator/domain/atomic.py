"""Writing a file so that either the old or the new one is there, whole, whatever happens."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path
from typing import Final

from integrator.domain.errors import SaveError

_CURES: Final = {
    errno.EACCES: "give yourself the right to write to this folder, or save elsewhere",
    errno.EPERM: "give yourself the right to write to this folder, or save elsewhere",
    errno.EROFS: "the folder is on a read-only file system: save elsewhere",
    errno.ENOSPC: "free some disk space and save again",
    errno.EDQUOT: "free some of your disk quota and save again",
    errno.ENOENT: "create the folder first, or save elsewhere",
    errno.ENOTDIR: "create the folder first, or save elsewhere",
    errno.ENAMETOOLONG: "use a shorter name",
}


def write_atomically(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` through a temporary file in the same folder.

    Permissions of an existing file are kept, symbolic links are followed. Raises SaveError, which
    names the file and the cure; then the old file is untouched and no temporary file is left.
    """
    try:
        target = path.resolve()
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        if mode is not None and not os.access(target, os.W_OK):
            raise SaveError(
                f"{path} is read-only and was not changed; make it writable or save elsewhere"
            )
        _replace(target, data, mode)
    except OSError as error:
        cure = _CURES.get(error.errno or 0, "check the disk and save again")
        raise SaveError(
            f"{path} could not be written ({error.strerror}), what was there is unchanged; {cure}"
        ) from error


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    """Write, flush to disk, rename, and flush the folder. The temporary file never stays."""
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}.tmp")
    # Opened by hand because mkstemp would give new files mode 0600 whatever the user's umask.
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            if mode is not None:
                temporary.chmod(mode)
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        # Gone already when the rename has happened.
        temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself last; not every platform lets a folder be opened."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
