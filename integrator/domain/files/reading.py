"""The program's one way of reading files that a stranger may have made.

In the place of a file may stand a named pipe, at which opening waits for ever, a device that never
ends, or a folder; and a file may be larger than memory. Only a regular file is opened, without
waiting, and each reader names a limit for its kind of file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

SMALL_BYTES: Final = 1 << 20
"""Limit for files of a few lines: hashes, marks, settings, lists."""
TEXT_BYTES: Final = 16 << 20
"""Limit for documents, scripts and drafts: the largest shipped document has 60 KB."""

# Windows has neither: its named pipes lie in no folder.
_WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_BINARY: Final = getattr(os, "O_BINARY", 0)
_KINDS: Final = {
    stat.S_IFDIR: "it is a folder",
    stat.S_IFLNK: "it is a link",
    stat.S_IFIFO: "it is a named pipe and no file",
    stat.S_IFSOCK: "it is a socket and no file",
    stat.S_IFCHR: "it is a device and no file",
    stat.S_IFBLK: "it is a device and no file",
}


@contextlib.contextmanager
def open_file(path: Path, limit_bytes: int | None) -> Iterator[BinaryIO]:
    """Open a regular file of at most ``limit_bytes``; None where the reader takes only a part.

    Raises OSError whose ``strerror`` gives the reason, also for irregular or too large files.
    """
    with os.fdopen(open_handle(path), "rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if limit_bytes is not None and size > limit_bytes:
            raise _too_large(path, limit_bytes)
        yield stream


def read_file(path: Path, limit_bytes: int) -> bytes:
    """The bytes of a regular file. Raises OSError as :func:`open_file` does."""
    with open_file(path, limit_bytes) as stream:
        # Python reserves as much memory as a read asks for, so ask for the file's size. A file may
        # grow while it is read, and files that the kernel makes have no size.
        size = os.fstat(stream.fileno()).st_size
        data = stream.read(size + 1)
        data += stream.read(limit_bytes + 1 - len(data)) if size < len(data) else b""
    if len(data) > limit_bytes:
        raise _too_large(path, limit_bytes)
    return data


def read_text(path: Path, limit_bytes: int, errors: str = "strict") -> str:
    """The text of a regular file in UTF-8. Raises OSError, UnicodeDecodeError."""
    return read_file(path, limit_bytes).decode("utf-8", errors)


def read_head(path: Path, count: int) -> bytes:
    """The first ``count`` bytes of a regular file of any size, or its whole. Raises OSError."""
    with open_file(path, None) as stream:
        return stream.read(count)


def not_plain(folder: str, names: list[str]) -> set[str]:
    """The ``names`` in a folder that are neither files nor folders, for shutil.copytree's ignore.

    A link to a folder is among them too, because it may lead back up.
    """
    kept = {stat.S_IFREG, stat.S_IFDIR}
    found = set()
    for name in names:
        path = Path(folder) / name
        try:
            kind = stat.S_IFMT(path.stat().st_mode)
        except OSError:
            kind = 0
        if kind not in kept or (kind == stat.S_IFDIR and path.is_symlink()):
            found.add(name)
    return found


def open_handle(path: Path, *, follow: bool = True) -> int:
    """A handle of a regular file, which a link may lead to unless ``follow`` is false.

    A device is not even opened, because that alone may do something. Raises OSError.
    """
    flags = os.O_RDONLY | _BINARY | _WITHOUT_WAITING | (0 if follow else _NO_LINK)
    try:
        _check_kind(path, path.stat(follow_symlinks=follow))
        handle = os.open(path, flags)
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from error
    try:
        # Another file may have taken its place.
        _check_kind(path, os.fstat(handle))
    except OSError:
        os.close(handle)
        raise
    return handle


def _check_kind(path: Path, facts: os.stat_result) -> None:
    kind = stat.S_IFMT(facts.st_mode)
    if kind != stat.S_IFREG:
        number = errno.EISDIR if kind == stat.S_IFDIR else errno.EINVAL
        raise OSError(number, _KINDS.get(kind, "it is no file"), str(path))


def _too_large(path: Path, limit_bytes: int) -> OSError:
    limit = f"{limit_bytes >> 20} MiB" if limit_bytes >= 1 << 20 else f"{limit_bytes} bytes"
    return OSError(errno.EFBIG, f"it is larger than {limit}", str(path))
