"""Start states: gzip files of raw states, whose gzip comment names the core that made them."""

import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from integrator.domain.errors import DocumentError, changed_on_disk
from integrator.domain.files import reading as disk
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.undo import UndoHistory
from integrator.domain.integration.naming import FILE_CURE, is_file_name
from integrator.domain.integration.script_files import delete_file

STATE_SUFFIX: Final = ".state"
MAX_STATE_BYTES: Final = 64 << 20
"""Larger raw states are refused. The largest known ones, of an N64 core, have 16 MiB."""
MAX_STATE_FILE_BYTES: Final = MAX_STATE_BYTES + (1 << 20)
"""The limit of files is higher, because gzip enlarges noise a little."""

_MAGIC = b"\x1f\x8b\x08"
_RASTATE = b"RASTATE\x01"
_HEADER = struct.Struct("<3sBIBB")
_EXTRA, _NAME, _COMMENT = 4, 8, 16


def is_state(path: Path) -> bool:
    """Return True for a state's file name; RetroArch also appends numbers and ``.auto``."""
    return re.search(r"\.state(\d+|\.auto)?$", path.name.lower()) is not None


def pack_state(raw: bytes, stamp: str = "") -> bytes:
    """Gzip ``raw`` with ``stamp`` as the comment (RFC 1952) and without a time stamp."""
    comment = stamp.encode("latin-1", "replace").replace(b"\0", b"") + b"\0" if stamp else b""
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = compressor.compress(raw) + compressor.flush()
    header = _HEADER.pack(_MAGIC, _COMMENT if stamp else 0, 0, 2, 255)
    return header + comment + body + struct.pack("<II", zlib.crc32(raw), len(raw) & 0xFFFFFFFF)


def unpack_state(data: bytes, path: Path) -> bytes:
    """Return the raw state in a gzip file's bytes. Raises DocumentError."""
    if not data.startswith(b"\x1f\x8b"):
        raise DocumentError(
            f"{path} is not a gzip file, so no state that stable-retro can read; "
            "save the state again with this program"
        )
    with disk.decoding(
        DocumentError, f"{path} is damaged", "save the state again or restore the file from a copy"
    ):
        return disk.gunzip(data, MAX_STATE_BYTES)


def foreign_state(data: bytes, path: Path) -> bytes:
    """Return the raw state in the bytes of a gzip file or of a state file of RetroArch.

    Sources: rzip_stream.c of libretro-common, task_save.c of RetroArch. Raises DocumentError."""
    with disk.decoding(DocumentError, f"{path} is damaged", "save the state again in RetroArch"):
        raw = _unrzipped(data) if data.startswith(b"#RZIPv\x01#") else data
        if raw.startswith(_RASTATE):
            return _memory_block(raw)
    return unpack_state(data, path) if raw is data else raw


def _unrzipped(data: bytes) -> bytes:
    """Unpack RetroArch's compression: chunk size, total size, then chunks, each after its size."""
    size, at = int.from_bytes(data[12:20], "little"), 20
    if size > MAX_STATE_BYTES:
        raise ValueError(f"it unpacks to more than {MAX_STATE_BYTES:,} bytes")
    raw = bytearray()
    while len(raw) < size:
        end = at + 4 + int.from_bytes(data[at : at + 4], "little")
        raw += disk.inflated(data[at + 4 : end], size - len(raw))
        at = end
    return bytes(raw)


def _memory_block(data: bytes) -> bytes:
    """Find the core's own state among RetroArch's blocks, which are aligned to eight bytes."""
    at = len(_RASTATE)
    while len(data) >= at + 8:
        kind, size = struct.unpack_from("<4sI", data, at)
        block = data[at + 8 : at + 8 + size]
        if kind == b"MEM " and len(block) == size:
            return block
        at += 8 + size + -size % 8
    raise ValueError("no state of a core is in it")


def state_stamp(data: bytes) -> str | None:
    """Return the gzip comment of a state file's bytes, which names the core, or None."""
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
    """The ``*.state`` files of a directory, by name; edits are written by :meth:`write_edited`."""

    def __init__(self, directory: Path, history: UndoHistory) -> None:
        self.directory, self._history = directory, history
        # The bytes of each edited file; None for a removed file.
        self._edited: dict[str, bytes | None] = {}
        # The hash of the file on disk from which a state was edited, or as which it was saved.
        self._base: dict[str, str | None] = {}

    def names(self, *, hidden: bool = False) -> list[str]:
        """Return the names, sorted; names that begin with ``_`` only if ``hidden``."""
        on_disk = self.directory.iterdir() if self.directory.is_dir() else ()
        files = {path.name for path in on_disk if path.name.endswith(STATE_SUFFIX)}
        files -= self._edited.keys()
        files |= {file for file, data in self._edited.items() if data is not None}
        left_out = "." if hidden else (".", "_")
        shown = (file for file in files if not file.startswith(left_out))
        return sorted(file.removesuffix(STATE_SUFFIX) for file in shown)

    def path(self, name: str) -> Path:
        """Return the file of a state. Raises DocumentError if the name cannot be a file name."""
        name = name.removesuffix(STATE_SUFFIX)
        file = f"{name}{STATE_SUFFIX}"
        if not name or not is_file_name(file):
            raise DocumentError(f"{name!r} cannot be the name of a state; {FILE_CURE}")
        return self.directory / file

    def exists(self, name: str) -> bool:
        try:
            return self.content(self.path(name).name) is not None
        except DocumentError:
            return False  # No file can have that name, or the file cannot be read.

    def read(self, name: str) -> bytes:
        """Return the raw state. Raises DocumentError if its file is missing or damaged."""
        return unpack_state(self.data(name), self.path(name))

    def data(self, name: str) -> bytes:
        """Return the bytes of a state's file. Raises DocumentError if there is no such state."""
        path = self.path(name)
        data = self.content(path.name)
        if data is None:
            known = ", ".join(self.names()[:10]) or "none"
            raise DocumentError(f"{path}: there is no such state; there is: {known}")
        return data

    def facts(self, name: str) -> tuple[str | None, int, int]:
        """Return a state's stamp, file size, and a number that changes with the file.

        The state is not unpacked. Raises DocumentError if the file cannot be read."""
        path = self.path(name)
        edited = self._edited.get(path.name)
        if edited is not None:
            return state_stamp(edited), len(edited), zlib.crc32(edited)
        with disk.reading(path):
            # The comment with the core's name is in the first bytes.
            facts, stamp = path.stat(), state_stamp(disk.read_head(path, 1024))
        return stamp, facts.st_size, facts.st_mtime_ns

    def write(self, name: str, raw: bytes, stamp: str = "") -> None:
        """Add a state, or replace the state of that name, as one undoable edit."""
        with self._history.step():
            self._edit(self.path(name), pack_state(raw, stamp))

    def rename(self, old: str, new: str) -> str:
        """Rename a state as one undoable edit; return its new name. Raises DocumentError."""
        source, target = self.path(old), self.path(new)
        if self.content(target.name) is not None:
            raise DocumentError(f"{target} exists already; choose another name")
        data = self.data(old)
        with self._history.step():
            self._edit(source, None)
            self._edit(target, data)
        return target.name.removesuffix(STATE_SUFFIX)

    def remove(self, name: str) -> None:
        """Remove a state, as one undoable edit. Raises DocumentError if there is no such state."""
        self.data(name)
        with self._history.step():
            self._edit(self.path(name), None)

    def content(self, file: str) -> bytes | None:
        """Return a file's bytes, edits included; None if there is none. Raises DocumentError."""
        return self._edited[file] if file in self._edited else bytes_at(self.directory / file)

    def put(self, file: str, data: bytes | None) -> None:
        """Replace a file's bytes, or remove the file with None, without an undo step."""
        on_disk = bytes_at(self.directory / file)
        self._base.setdefault(file, hash_of(on_disk))
        if on_disk == data:
            self._edited.pop(file, None)
            self._base[file] = hash_of(on_disk)
        else:
            self._edited[file] = data

    def _edit(self, path: Path, data: bytes | None) -> None:
        self._history.touch(path.name)
        if path.name not in self._edited:
            # The first edit is based on the file on disk, because the user saw this file.
            self._base[path.name] = hash_of(bytes_at(path))
        self.put(path.name, data)

    @property
    def changed(self) -> dict[str, str | None]:
        """Files that saving would change -> hash of the file that was edited (None: new)."""
        return {file: self._base.get(file) for file in sorted(self._edited)}

    def changed_on_disk(self) -> tuple[Path, ...]:
        """Return the edited files that another program has changed, but no deleted files."""
        paths = (self.directory / file for file in sorted(self._edited))
        return tuple(
            p for p in paths if p.exists() and hash_of(bytes_at(p)) != self._base.get(p.name)
        )

    def check(self) -> None:
        for path in self.changed_on_disk():
            raise changed_on_disk(path, "edited")

    @contextmanager
    def reloading(self, file: str) -> Iterator[None]:
        """Reload a state from disk, as one undoable edit; an exception in the block undoes it."""
        base = dict(self._base)
        with self._history.step():
            self._history.touch(file)
            self.put(file, bytes_at(self.directory / file))
            try:
                yield
            except BaseException:
                self._base = base
                raise

    def keep_mine(self, file: str) -> None:
        """Let saving replace or delete the file now on disk. Raises DocumentError."""
        self._base[file] = hash_of(bytes_at(self.directory / file))

    def write_edited(self, directory: Path) -> None:
        """Write the edited states into ``directory``. Raises SaveError."""
        for file, data in list(self._edited.items()):
            if data is not None:
                write_atomically(directory / file, data)
                if directory == self.directory:
                    del self._edited[file]
                    self._base[file] = hash_of(data)

    def delete_removed(self) -> None:
        """Delete the files of removed states. Raises SaveError."""
        for file, data in list(self._edited.items()):
            if data is None:
                delete_file(self.directory / file)
                del self._edited[file]
                self._base[file] = None

    def move_to(self, directory: Path) -> None:
        """Switch to another directory, which already holds all states."""
        self.directory = directory
        self._edited.clear()
        self._base.clear()


def bytes_at(path: Path) -> bytes | None:
    """Return the bytes of a file of an integration; None without a file. Raises DocumentError."""
    with disk.reading(path), suppress(FileNotFoundError):
        return disk.read_file(path, MAX_STATE_FILE_BYTES)
    return None


def hash_of(data: bytes | None) -> str | None:
    return None if data is None else disk.sha256(data)
