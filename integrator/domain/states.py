"""Start states: gzip files of a core's raw state, whose comment says which core made it."""

from __future__ import annotations

import gzip
import struct
import zlib
from pathlib import Path
from typing import Final

from integrator.domain.atomic import write_atomically
from integrator.domain.change_log import Change, ChangeLog
from integrator.domain.errors import ChangedOnDiskError, DocumentError
from integrator.domain.naming import fits_file_system
from integrator.domain.script_files import delete_file

STATE_SUFFIX: Final = ".state"
MAX_STATE_BYTES: Final = 256 << 20
"""Larger raw states are refused: a short gzip file can unpack to anything."""
MAX_UNDO: Final = 30
"""Edits that can be undone: each holds the bytes of the files that it replaced and made."""

_MAGIC = b"\x1f\x8b\x08"
_HEADER = struct.Struct("<3sBIBB")
_EXTRA, _NAME, _COMMENT = 4, 8, 16


def pack_state(raw: bytes, stamp: str = "") -> bytes:
    """Gzip ``raw`` with ``stamp``, which names the core, as the comment (RFC 1952, FCOMMENT).

    Readers that do not know the comment, stable-retro's among them, skip it. The same input gives
    the same bytes: no time is stored.
    """
    comment = stamp.encode("latin-1", "replace").replace(b"\0", b"") + b"\0" if stamp else b""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = compressor.compress(raw) + compressor.flush()
    header = _HEADER.pack(_MAGIC, _COMMENT if stamp else 0, 0, 2, 255)
    return header + comment + body + struct.pack("<II", zlib.crc32(raw), len(raw) & 0xFFFFFFFF)


def unpack_state(data: bytes, path: Path) -> bytes:
    """The raw state in a gzip file's bytes; ``path`` is for messages.

    Raises DocumentError when the bytes are not gzip, cut off, damaged or unpack to too much.
    """
    if not data.startswith(b"\x1f\x8b"):
        raise DocumentError(
            f"{path} is not a gzip file, so no state that stable-retro can read; "
            "save the state again with this program"
        )
    try:
        unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        raw = unpacker.decompress(data, MAX_STATE_BYTES)
        if unpacker.eof and not unpacker.unused_data.strip(b"\0"):
            return raw
        if unpacker.eof:
            return gzip.decompress(data)  # several gzip members, one after the other
    except (zlib.error, gzip.BadGzipFile, EOFError) as error:
        raise DocumentError(
            f"{path} is damaged ({error}); save the state again or restore the file from a copy"
        ) from error
    if len(raw) >= MAX_STATE_BYTES:
        raise DocumentError(f"{path} unpacks to more than {MAX_STATE_BYTES >> 20} MiB")
    raise DocumentError(
        f"{path} is cut off: it ends after {len(raw)} bytes of the state; "
        "save the state again or restore the file from a copy"
    )


def state_stamp(data: bytes) -> str | None:
    """The gzip comment of a state file's bytes: the core that made it, or None."""
    if len(data) < _HEADER.size or not data.startswith(_MAGIC):
        return None
    flags, at = data[3], _HEADER.size
    if not flags & _COMMENT:
        return None
    if flags & _EXTRA:
        at += 2 + int.from_bytes(data[at : at + 2], "little")
    if flags & _NAME:
        at = data.find(b"\0", at) + 1
    end = data.find(b"\0", at)
    return data[at:end].decode("latin-1") if end > at else None


class StateFiles:
    """The ``*.state`` files of one directory, by name (the file name without its suffix).

    States are written, renamed and deleted at once; each of that can be undone.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._log: ChangeLog[bytes] = ChangeLog(self._put, MAX_UNDO)

    def names(self, *, hidden: bool = False) -> list[str]:
        """Names, sorted; those that begin with ``_`` only when ``hidden``."""
        if not self.directory.is_dir():
            return []
        return sorted(
            path.name.removesuffix(STATE_SUFFIX)
            for path in self.directory.iterdir()
            if path.name.endswith(STATE_SUFFIX)
            and not path.name.startswith(".")
            and (hidden or not path.name.startswith("_"))
        )

    def path(self, name: str) -> Path:
        """The file of a state. Raises DocumentError when the name can not be a file name."""
        name = name.removesuffix(STATE_SUFFIX)
        file = f"{name}{STATE_SUFFIX}"
        wrong = any(c in '/\\:*?"<>|' or c < " " for c in name) or not fits_file_system(file)
        if not name or name.startswith(".") or wrong:
            raise DocumentError(
                f"{name!r} can not be the name of a state; use letters, digits, dots and dashes"
            )
        return self.directory / file

    def read(self, name: str) -> bytes:
        """The raw state. Raises DocumentError when it is missing, damaged or cut off."""
        path = self.path(name)
        return unpack_state(self._data(path), path)

    def stamp(self, name: str) -> str | None:
        """The core that made the state, or None. Raises DocumentError when it can not be read."""
        return state_stamp(self._data(self.path(name)))

    def write(self, name: str, raw: bytes, stamp: str = "") -> Path:
        """Write a state atomically, over one of the same name. Raises SaveError."""
        path = self.path(name)
        self._change({path.name: (self._now(path), pack_state(raw, stamp))})
        return path

    def rename(self, old: str, new: str) -> Path:
        """Give a state another name. Raises DocumentError when ``new`` is taken, SaveError."""
        source, target = self.path(old), self.path(new)
        if target.exists():
            raise DocumentError(f"{target} exists already; choose another name")
        data = self._data(source)
        self._change({target.name: (None, data), source.name: (data, None)})
        return target

    def remove(self, name: str) -> None:
        """Delete a state. Raises DocumentError when there is none, SaveError."""
        path = self.path(name)
        self._change({path.name: (self._data(path), None)})

    @property
    def undo_depth(self) -> int:
        """How many edits can be taken back now."""
        return self._log.undo_depth

    @property
    def can_redo(self) -> bool:
        """Whether an edit was taken back."""
        return self._log.can_redo

    def undo(self) -> bool:
        """Take back the last edit, on disk; False when there is none.

        Raises ChangedOnDiskError when another program has changed the file since, SaveError.
        """
        return self._log.undo()

    def redo(self) -> bool:
        """Do again what :meth:`undo` took back; False when there is nothing. Raises as it does."""
        return self._log.redo()

    def _change(self, changes: dict[str, Change[bytes]]) -> None:
        for name, (before, after) in changes.items():
            self._put(name, before, after)
        self._log.note(changes)

    def _put(self, file: str, now: bytes | None, then: bytes | None) -> None:
        path = self.directory / file
        if self._now(path) != now:
            raise ChangedOnDiskError(
                f"{path} was changed by another program since, and was left as it is"
            )
        if then is None:
            delete_file(path)
        else:
            write_atomically(path, then)

    @staticmethod
    def _now(path: Path) -> bytes | None:
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DocumentError(f"{path} could not be read ({error.strerror})") from error

    def _data(self, path: Path) -> bytes:
        try:
            return path.read_bytes()
        except FileNotFoundError as error:
            known = ", ".join(self.names()[:10]) or "none"
            raise DocumentError(f"{path}: there is no such state; there is: {known}") from error
        except OSError as error:
            raise DocumentError(f"{path} could not be read ({error.strerror})") from error
