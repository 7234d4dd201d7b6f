"""Reading ``.bk2``: zip files of Gym Retro, stable-retro and BizHawk. All of them hold ``Input
Log.txt`` and ``Header.txt``. stable-retro adds ``Core.bin``, the raw start state; its key line is
``P1 Z|P1 X|...|`` and its rows are decoded by character. BizHawk's key line is
``LogKey:#Reset|Power|#P1 Up|...|`` and its rows are decoded by position. This program's movies with
moved sticks, touches and the like have BizHawk's rows; stable-retro's have no place for them."""

import os
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import MovieError
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import decoding, open_file
from integrator.domain.movies import model
from integrator.domain.movies import rows as movie_rows

_MAX_FILE_BYTES = 128 << 20
_END_RECORD = b"PK\x05\x06"
_END_RECORD_BYTES = 22


@contextmanager
def _open_member(
    path: Path, archive: zipfile.ZipFile, name: str, limit_bytes: int
) -> Iterator[IO[bytes]]:
    """Open a member as a stream of at most ``limit_bytes`` bytes. Raises MovieError."""
    if name not in archive.NameToInfo:
        raise MovieError(f"{path}: {name} is missing; this is no complete movie")
    member = archive.getinfo(name)
    if member.flag_bits & 1:
        raise MovieError(f"{path}: {name} is encrypted")
    if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise MovieError(f"{path}: {name} is compressed by a method movies do not use")
    if member.file_size > limit_bytes:
        raise MovieError(
            f"{path}: {name} declares {member.file_size:,} bytes; at most {limit_bytes:,} are read"
        )
    with decoding(MovieError, f"{path}: {name} is damaged"), archive.open(member) as stream:
        yield stream


def _read_member(path: Path, archive: zipfile.ZipFile, name: str, limit_bytes: int) -> bytes:
    with _open_member(path, archive, name, limit_bytes) as stream:
        return stream.read(limit_bytes)


@contextmanager
def _open_zip(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip file for bounded reading. Raises MovieError if it looks crafted."""
    with decoding(MovieError, f"{path}: cannot be read"), open_file(path, _MAX_FILE_BYTES) as file:
        _check_directory(path, file)
        with zipfile.ZipFile(file) as archive:
            for name in archive.NameToInfo:
                # A name that leads out of the archive's folder shows a crafted file.
                parts = PurePosixPath(name.replace("\\", "/"))
                if parts.is_absolute() or ".." in parts.parts:
                    raise MovieError(f"{path}: member {name!r} points outside of the archive")
            yield archive


def _check_directory(path: Path, file: BinaryIO) -> None:
    size = file.seek(0, os.SEEK_END)
    # A comment of up to 64 KiB may follow, and 20 bytes before it may be a ZIP64 locator.
    file.seek(max(0, size - _END_RECORD_BYTES - 0xFFFF - 20))
    tail = file.read()
    found = tail.find(_END_RECORD)
    if found < 0:
        raise MovieError(f"{path}: not a zip file, or cut off before its end")
    # zipfile may choose any of these end records, so all of them must be harmless.
    while found >= 0:
        if tail[max(0, found - 20) : found].startswith(b"PK\x06\x07"):
            raise MovieError(f"{path}: ZIP64 is not used by movies")
        record = tail[found : found + _END_RECORD_BYTES]
        directory_bytes = int.from_bytes(record[12:16], "little")
        # A movie has a dozen members, and zipfile makes an object for each entry.
        if len(record) == _END_RECORD_BYTES and directory_bytes > 1 << 20:
            raise MovieError(f"{path}: its zip directory is too large for a movie")
        found = tail.find(_END_RECORD, found + 1)


LOG = "Input Log.txt"
HEADER = "Header.txt"
STATE = "Core.bin"
EXTRA = "Integrator.json"
HASHES = "Integrator.hashes"
HASH_DTYPE = np.dtype([("row", "<u4"), ("digest", "<u8")])
UNNAMED = "Integrator.unnamed"
UNNAMED_DTYPE = np.dtype([("row", "<u4"), ("player", "<u2"), ("mask", "<u2")])

MAX_PLAYERS = 8
_MAX_TEXT_BYTES = 256 << 10
_MAX_PART_BYTES = 32 << 20  # limit of the input log and of the start state
_PLAYER = re.compile(r"P(\d{1,2}) (.+)")


def read_bk2(
    path: Path, systems: Mapping[str, model.MovieConsole], with_state: bool
) -> model.Movie:
    """Read a ``.bk2``; see ``read_movie`` for the arguments."""
    with _open_zip(path) as archive:
        text = _read_member(path, archive, HEADER, _MAX_TEXT_BYTES)
        with decoding(MovieError, f"{path}: its header"):
            lines = text.decode("utf-8-sig").splitlines()
        pairs = (line.partition(" ") for line in lines if line.strip())
        header = {key: value.strip() for key, _, value in pairs}
        system = model.system_of(path, header, systems)
        console = systems[system]
        decoder = _read_log(path, archive, console)
        inputs = decoder.inputs()
        by_character = isinstance(decoder, movie_rows.CharacterDecoder)
        native = by_character or header.get("MovieVersion", "").startswith("Retro")
        warnings = decoder.warnings
        _add_unnamed(path, archive, inputs)
        state: bytes | None = None
        if native:
            state = (with_state and _read_member(path, archive, STATE, _MAX_PART_BYTES)) or None
        elif model.is_true(header, "StartsFromSaveRam"):
            warnings["it starts from a battery save of BizHawk, which is not loaded"] = 0
        elif model.is_true(header, "StartsFromSavestate") or STATE in archive.NameToInfo:
            warnings["it starts from a BizHawk savestate, which libretro cores cannot load"] = 0
        if model.is_true(header, "PAL"):
            warnings[model.PAL_WARNING] = 0
        core, reset_row = _read_extra(path, archive)
        hashes = _read_hashes(path, archive, decoder.rows)
    idle_first = native and len(inputs) > 0 and not inputs[0].any()
    digests = (header.get(key, "").rpartition(":")[2].strip() for key in ("SHA1", "MD5"))
    known = (each.lower() for each in digests if re.fullmatch("([0-9A-Fa-f]{8}){4,5}", each))
    return model.Movie(
        path=path,
        format="retro" if native else "bizhawk",
        game=header.get("GameName", ""),
        system=system,
        buttons=tuple(console.buttons),
        inputs=inputs,
        state=state,
        header=header,
        has_reset_row=idle_first if reset_row is None else reset_row,
        events=tuple(decoder.events),
        core=core,
        ram_hashes=hashes,
        warnings=warnings,
        axes=decoder.axes(),
        rom_hash=next(known, ""),
    )


def _read_log(
    path: Path, archive: zipfile.ZipFile, console: model.MovieConsole
) -> movie_rows.RowDecoder:
    decoder: movie_rows.RowDecoder | None = None
    ended = False
    with _open_member(path, archive, LOG, _MAX_PART_BYTES) as stream:
        for number, lines in enumerate(movie_rows.log_blocks(stream, path)):
            if number == 0:
                if not lines or lines[0].removeprefix(b"\xef\xbb\xbf").strip() != b"[Input]":
                    raise MovieError(f"{path}: the input log does not begin with [Input]")
                del lines[0]
            while decoder is None and lines:
                key = lines.pop(0)
                if key.strip():
                    decoder = _decoder(path, key, console)
            if decoder is None:
                continue
            rows, ended = _until_end(path, lines, ended, decoder.rows)
            decoder.feed(rows)
    if decoder is None or not ended:
        raise MovieError(f"{path}: the input log has no [/Input]; it is cut off")
    return decoder


def _until_end(path: Path, lines: list[bytes], ended: bool, row: int) -> tuple[list[bytes], bool]:
    if not ended and b"[/Input]" in lines:
        at = lines.index(b"[/Input]")
        rows, after, ended = lines[:at], lines[at + 1 :], True
    else:
        rows, after = ([], lines) if ended else (lines, [])
    if any(line.strip() for line in after):
        raise MovieError(f"{path}: the input log goes on after [/Input], at row {row + len(rows)}")
    return [line for line in rows if line], ended


def _decoder(path: Path, key: bytes, console: model.MovieConsole) -> movie_rows.RowDecoder:
    text = key.decode("utf-8", "replace").strip()
    if text.startswith("LogKey:"):
        named = text.removeprefix("LogKey:").replace("#", "|").split("|")
        columns = [_column(name, console) for name in named if name]
        ports = {column.port for column in columns}
        if not ports or max(ports) >= MAX_PLAYERS:
            raise MovieError(
                f"{path}: the log's key names no buttons of players 1 to {MAX_PLAYERS}"
            )
        return movie_rows.PositionDecoder(path, 1 + max(ports), columns)
    names = [name for name in text.replace("#", "").split("|") if name]
    numbers = {int(match[1]) for match in map(_PLAYER.fullmatch, names) if match}
    if not names or len(numbers) == 0 or not all(map(_PLAYER.fullmatch, names)):
        raise MovieError(f"{path}: the input log's key line {text[:60]!r} names no buttons")
    if numbers != set(range(1, len(numbers) + 1)) or len(numbers) > MAX_PLAYERS:
        raise MovieError(f"{path}: the input log's key names players {sorted(numbers)}")
    return movie_rows.CharacterDecoder(path, len(numbers), console.bits)


def _column(name: str, console: model.MovieConsole) -> movie_rows.ButtonColumn:
    match = _PLAYER.fullmatch(name)
    port = int(match[1]) - 1 if match and int(match[1]) > 0 else 0
    plain = match[2] if match else name
    if plain in console.axes:
        return movie_rows.ButtonColumn(name, port, is_axis=True)
    bit = model.bizhawk_button(plain, console.buttons)
    events: dict[str, Literal["reset", "power"]] = {"Reset": "reset", "Power": "power"}
    return movie_rows.ButtonColumn(name, port, bit, None if bit is not None else events.get(name))


def _read_extra(path: Path, archive: zipfile.ZipFile) -> tuple[model.CoreStamp | None, bool | None]:
    """Return the core and the reset row flag from this program's own member of the zip."""
    if EXTRA not in archive.NameToInfo:
        return None, None
    with decoding(MovieError, f"{path}: {EXTRA} is not JSON"):
        value = parse_json(_read_member(path, archive, EXTRA, _MAX_TEXT_BYTES))
    value = value if isinstance(value, dict) else {}
    core, reset_row = value.get("core"), value.get("reset_row")
    stamp = None
    if isinstance(core, dict):
        stamp = model.CoreStamp(str(core.get("name", "")), str(core.get("version", "")))
    return stamp, reset_row if isinstance(reset_row, bool) else None


def _read_table(
    path: Path, archive: zipfile.ZipFile, name: str, row: np.dtype[Any], most: int
) -> NDArray[Any]:
    """Read this program's member, at most ``most`` rows; empty if missing. Raises MovieError."""
    if name not in archive.NameToInfo:
        return np.empty(0, row)
    data = _read_member(path, archive, name, max(most, 1) * row.itemsize)
    if len(data) % row.itemsize:
        raise MovieError(f"{path}: {name} is cut off")
    return np.frombuffer(data, row)


def _add_unnamed(path: Path, archive: zipfile.ZipFile, inputs: NDArray[np.uint16]) -> None:
    table = _read_table(path, archive, UNNAMED, UNNAMED_DTYPE, inputs.size)
    row, player = table["row"], table["player"]
    if np.any(row >= len(inputs)) or np.any(player >= inputs.shape[1]):
        raise MovieError(f"{path}: {UNNAMED} names rows that the log does not have")
    inputs[row, player] |= table["mask"]


def _read_hashes(path: Path, archive: zipfile.ZipFile, rows: int) -> model.RamHashes | None:
    if HASHES not in archive.NameToInfo:
        return None
    table = _read_table(path, archive, HASHES, HASH_DTYPE, rows)
    found = table["row"].astype(np.int64)
    if np.any(found[1:] <= found[:-1]) or np.any(found >= rows):
        raise MovieError(f"{path}: {HASHES} names rows that the log does not have")
    return model.RamHashes(found, table["digest"].astype(np.uint64))
