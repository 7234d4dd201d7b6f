"""Reads regular files only, because others can block a read, and prepares content for cores."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from libretro_host.errors import ContentError

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
    """Open a regular file of at most ``limit_bytes`` (None: of any size). Raises OSError."""
    with os.fdopen(open_handle(path), "rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if limit_bytes is not None and size > limit_bytes:
            raise _too_large(path, limit_bytes)
        yield stream


def read_file(path: Path, limit_bytes: int) -> bytes:
    """Return the bytes of a regular file. Raises OSError as :func:`open_file` does."""
    with open_file(path, limit_bytes) as stream:
        # Python reserves as much memory as a read asks for, so ask for the file's size. A file may
        # grow while it is read, and the kernel's own files (/proc) report a size of 0.
        size = os.fstat(stream.fileno()).st_size
        data = stream.read(size + 1)
        data += stream.read(limit_bytes + 1 - len(data)) if size < len(data) else b""
    if len(data) > limit_bytes:
        raise _too_large(path, limit_bytes)
    return data


def open_handle(path: Path, *, follow: bool = True) -> int:
    """Open a regular file, through a link only with ``follow``. Raises OSError."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0)
    # Windows lacks these flags and needs none, because its named pipes are in no folder.
    flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
    if not follow:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        _check_kind(path, path.stat(follow_symlinks=follow))
        handle = os.open(path, flags)
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from error
    try:
        # Check again, because another file may have replaced this one meanwhile.
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


def check_readable(file: Path) -> None:
    """Raise ContentError if content cannot be read, because a core's message is less clear."""
    with _reading(file), open_file(file, None):
        pass


@contextlib.contextmanager
def _reading(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ContentError(f"cannot read {file}: {error.strerror}") from error


def named_for_cores(content: Path) -> Path:
    """Return a link's target, unless its suffix differs, because cores go by the suffix."""
    file = content.resolve()
    return file if file.suffix == content.suffix else content.absolute()


def read_content(file: Path) -> bytes:
    """Return the bytes of a file. Raises ContentError if it cannot be read."""
    with _reading(file):
        # Disc images may be larger than 1 GiB, but cores open those themselves.
        return read_file(file, 1 << 30)
