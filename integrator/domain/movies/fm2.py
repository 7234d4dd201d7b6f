"""Reading ``.fm2``: FCEUX's text movies for the NES. Header lines ``key value``, then rows
``|commands|port0|port1|port2|`` (with a Four Score four gamepad fields before the last).
``commands`` is a decimal number: 1 is a soft, 2 a hard reset, 4 inserts a disk, 8 selects its side,
16 inserts a coin. A gamepad field is ``RLDUTSBA`` (T is Start, S is Select); any character but
``.`` and space presses its button. Source: FCEUX's manual."""

import base64
import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from integrator.domain.errors import MovieError
from integrator.domain.files.reading import decoding, open_file
from integrator.domain.movies import rows
from integrator.domain.movies.model import PAL_WARNING, Movie, MovieConsole

SYSTEM = "Nes"
_GAMEPAD, _NONE = "1", "0"
_MAX_FILE_BYTES = 32 << 20


class _Fm2Decoder(rows.PositionDecoder):
    """Decodes the gamepads' fields by position, and the commands as numbers."""

    def _read(self, row: bytes) -> rows.ReadRow:
        commands, _, pads = row[1:].partition(b"|")
        if not commands.isdigit() or len(commands) > 10:
            raise ValueError("has no number of commands in its first field")
        masks, _ = super()._read(pads)
        if (number := int(commands)) > 3:
            self.lost.add("commands for disks or coins")
        return masks, number & 3


def read_fm2(path: Path, systems: Mapping[str, MovieConsole]) -> Movie:
    """Read a text ``.fm2``; see ``read_movie`` for ``systems``. Raises MovieError."""
    if SYSTEM not in systems:
        raise MovieError(f"{path}: .fm2 movies are for {SYSTEM}, which is no known system")
    buttons = tuple(systems[SYSTEM].buttons)
    header, decoder = _read(path, buttons)
    doubts = decoder.warnings
    if header.get("savestate"):
        doubts["it starts from an FCEUX savestate, which libretro cores cannot load"] = 0
    if header.get("palFlag", _NONE) not in {_NONE, ""}:
        doubts[PAL_WARNING] = 0
    digest = b""  # MD5 of the program and picture ROM (PRG and CHR)
    with contextlib.suppress(ValueError, KeyError):
        digest = base64.b64decode(header["romChecksum"].removeprefix("base64:"), validate=True)
    return Movie(
        path=path,
        format="fm2",
        game=header.get("romFilename", ""),
        system=SYSTEM,
        buttons=buttons,
        inputs=decoder.inputs(),
        state=None,
        header=header,
        has_reset_row=False,
        events=tuple(decoder.events),
        warnings=doubts,
        rom_hash=digest.hex() if len(digest) == 16 else "",
    )


def _read(path: Path, buttons: Sequence[str | None]) -> tuple[dict[str, str], _Fm2Decoder]:
    header: dict[str, str] = {}
    decoder: _Fm2Decoder | None = None
    with (
        decoding(MovieError, f"{path}: cannot be read"),
        open_file(path, _MAX_FILE_BYTES) as stream,
    ):
        for lines in rows.log_blocks(stream, path, limit_bytes=_MAX_FILE_BYTES):
            at = 0
            while decoder is None and at < len(lines):
                if lines[at].startswith(b"|"):
                    players, columns = _columns(path, header, buttons)
                    decoder = _Fm2Decoder(path, players, columns)
                else:
                    _add_header_line(path, header, lines[at])
                    at += 1
            if decoder is not None:
                decoder.feed([line for line in lines[at:] if line])
    if decoder is None:
        raise MovieError(f"{path}: has no row of input; it is no text .fm2 movie, or cut off")
    return header, decoder


def _add_header_line(path: Path, header: dict[str, str], line: bytes) -> None:
    if not line.strip():
        return
    key, _, value = line.decode("utf-8", "replace").removeprefix("\ufeff").partition(" ")
    if not header and key != "version":
        raise MovieError(f"{path}: does not begin with a version; it is no .fm2 movie")
    if len(header) >= 1000:
        raise MovieError(f"{path}: its header has more than 1000 keys")
    # The keys 'comment' and 'subtitle' may repeat; the first value is kept.
    header.setdefault(key, value.strip())


def _columns(
    path: Path, header: Mapping[str, str], buttons: Sequence[str | None]
) -> tuple[int, list[rows.ButtonColumn]]:
    if header.get("binary", _NONE) not in {_NONE, ""}:
        raise MovieError(f"{path}: is in .fm2's binary form; save it as text in FCEUX")
    ports = [_GAMEPAD] * 4
    if header.get("fourscore", _NONE) in {_NONE, ""}:
        ports = [header.get("port0", _GAMEPAD), header.get("port1", _NONE)]
    columns: list[rows.ButtonColumn] = []
    field = ("RIGHT", "LEFT", "DOWN", "UP", "START", "SELECT", "B", "A")
    bits = {name: bit for bit, name in enumerate(buttons)}
    for port, device in enumerate(ports):
        if device not in {_GAMEPAD, _NONE}:
            raise MovieError(f"{path}: port {port} is device {device}; only gamepads are read")
        if device == _GAMEPAD:
            columns += [rows.ButtonColumn(name, port, bits.get(name)) for name in field]
    players = 1 + max((column.port for column in columns), default=0)
    return players, columns
