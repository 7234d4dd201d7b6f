"""Reads content, BIOS files and descriptors: regular files only, so that reading never waits."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from libretro_host.errors import ContentError


@contextlib.contextmanager
def open_regular(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file. Raises OSError, also for pipes and devices."""
    try:
        _check(path, path.stat())
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        handle = os.open(path, flags)
    except ValueError as error:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from error
    with os.fdopen(handle, "rb") as stream:
        # Another file may have taken its place.
        _check(path, os.fstat(handle))
        yield stream


def read_regular(path: Path, limit_bytes: int) -> bytes:
    """The bytes of a regular file of at most ``limit_bytes``. Raises OSError."""
    with open_regular(path) as stream:
        # Python reserves as much memory as a read asks for, so ask for the file's size. The file
        # may grow while it is read.
        size = os.fstat(stream.fileno()).st_size
        data = stream.read(min(size, limit_bytes) + 1)
        data += stream.read(limit_bytes + 1 - len(data)) if size < len(data) else b""
    if len(data) > limit_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {limit_bytes >> 20} MiB", str(path))
    return data


def check_readable(file: Path) -> None:
    """Raise ContentError when content cannot be read, before a core says something less clear."""
    with _reading(file), open_regular(file):
        pass


@contextlib.contextmanager
def _reading(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ContentError(f"cannot read {file}: {error.strerror}") from error


def named_for_cores(content: Path) -> Path:
    """The file behind a link, except where the link's suffix is another: cores go by the suffix."""
    file = content.resolve()
    return file if file.suffix == content.suffix else content.absolute()


def read_content(file: Path) -> tuple[bytes, int]:
    """The file's bytes, with zeros behind up to the next power of two, at least 64 KiB; its size.

    melonds rounds the size of a trimmed ROM up to a power of two and copies that many bytes, and
    reads even further behind a very short ROM: with less room it crashed, depending on the memory
    behind. Raises ContentError.
    """
    with _reading(file):
        # Discs are larger than 1 GiB, but those cores open themselves.
        data = read_regular(file, 1 << 30)
    size = len(data)
    room = max(1 << max(size - 1, 0).bit_length(), 64 << 10)
    return data.ljust(room, b"\0"), size


def _check(path: Path, facts: os.stat_result) -> None:
    if stat.S_ISDIR(facts.st_mode):
        raise OSError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(facts.st_mode):
        raise OSError(errno.EINVAL, "it is a pipe or device and no file", str(path))
