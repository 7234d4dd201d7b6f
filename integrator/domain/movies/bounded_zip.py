"""Bounded reading of zip files that strangers made: no declared size is trusted."""

from __future__ import annotations

import os
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO

from integrator.domain.errors import MovieError
from integrator.domain.files.reading import decoding, open_file

MAX_FILE_BYTES = 128 << 20
MAX_DIRECTORY_BYTES = 1 << 20
"""Central directory: a movie has a dozen members, and zipfile makes an object of each."""

_END_RECORD = b"PK\x05\x06"
_ZIP64_LOCATOR = b"PK\x06\x07"
_END_RECORD_BYTES = 22
_MAX_COMMENT_BYTES = 0xFFFF


class BoundedZip:
    """A zip opened by :func:`open_zip`. Members are read into memory only, never extracted."""

    __slots__ = ("_archive", "_path")

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path = path
        self._archive = archive

    def __contains__(self, name: str) -> bool:
        return name in self._archive.NameToInfo

    @contextmanager
    def open(self, name: str, limit_bytes: int) -> Iterator[IO[bytes]]:
        """A member as a stream of at most ``limit_bytes``.

        It may declare no more, and zipfile stops at the declared size. Raises MovieError for a
        missing, encrypted, damaged or larger member.
        """
        if name not in self:
            raise MovieError(f"{self._path}: {name} is missing; this is no complete movie")
        member = self._archive.getinfo(name)
        if member.flag_bits & 1:
            raise MovieError(f"{self._path}: {name} is encrypted")
        if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise MovieError(f"{self._path}: {name} is compressed by a method movies do not use")
        if member.file_size > limit_bytes:
            raise MovieError(
                f"{self._path}: {name} declares {member.file_size:,} bytes; "
                f"at most {limit_bytes:,} are read"
            )
        with (
            decoding(MovieError, f"{self._path}: {name} is damaged"),
            self._archive.open(member) as stream,
        ):
            yield stream

    def read(self, name: str, limit_bytes: int) -> bytes:
        """A whole member of at most ``limit_bytes``. Raises MovieError as :meth:`open` does."""
        with self.open(name, limit_bytes) as stream:
            return stream.read(limit_bytes)


@contextmanager
def open_zip(path: Path) -> Iterator[BoundedZip]:
    """Open a zip file for bounded reading.

    Raises MovieError for other files and suspicious zips.
    """
    with (
        decoding(MovieError, f"{path}: can not be read"),
        open_file(path, MAX_FILE_BYTES) as file,
    ):
        _check_directory(path, file)
        with zipfile.ZipFile(file) as archive:
            _check_names(path, archive)
            yield BoundedZip(path, archive)


def _check_directory(path: Path, file: BinaryIO) -> None:
    """Refuse directories for which zipfile would build millions of entries before any check."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END_RECORD_BYTES - _MAX_COMMENT_BYTES - 20))
    tail = file.read()
    found = tail.find(_END_RECORD)
    if found < 0:
        raise MovieError(f"{path}: not a zip file, or cut off before its end")
    # zipfile may settle on any of these end records, so all must be harmless.
    while found >= 0:
        if tail[max(0, found - 20) : found].startswith(_ZIP64_LOCATOR):
            raise MovieError(f"{path}: ZIP64 is not used by movies")
        record = tail[found : found + _END_RECORD_BYTES]
        if (
            len(record) == _END_RECORD_BYTES
            and struct.unpack_from("<L", record, 12)[0] > MAX_DIRECTORY_BYTES
        ):
            raise MovieError(f"{path}: its zip directory is too large for a movie")
        found = tail.find(_END_RECORD, found + 1)


def _check_names(path: Path, archive: zipfile.ZipFile) -> None:
    """Refuse names that climb out of their folder: they mark a crafted file."""
    for name in archive.NameToInfo:
        parts = PurePosixPath(name.replace("\\", "/"))
        if parts.is_absolute() or ".." in parts.parts:
            raise MovieError(f"{path}: member {name!r} points outside of the archive")
