"""Discs of our own for a Dreamcast: its proof program as 1ST_READ.BIN, in each format of image.

They hold no code of Sega's, so the console itself would refuse them; a core's own BIOS does not."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

SECTOR, RAW, FRAME = 2048, 2352, 2352 + 96
HIGH_DENSITY = 45000
"""The first sector of a GD-ROM's area for games."""
SECOND_SESSION = 11702
"""The first sector of a second session, after a first one of 302 sectors."""
ALL_SECTORS = 549150
_BOOT_SECTORS, _DIRECTORY, _PROGRAM = 16, 18, 19
_NAME = b"1ST_READ.BIN"
# mov.l @(4, pc), r0; jmp @r0; nop; nop; the program's address
_JUMP = struct.pack("<4HI", 0xD001, 0x402B, 0x0009, 0x0009, 0x8C010000)


def program(elf: Path) -> bytes:
    """The only segment of a program whose file is ELF."""
    data = elf.read_bytes()
    (headers,) = struct.unpack_from("<I", data, 28)
    offset, _, _, size = struct.unpack_from("<4I", data, headers + 4)
    return data[offset : offset + size]


def gdi(folder: Path, code: bytes) -> Path:
    """A list of three tracks, of which the third holds the program."""
    tracks = {
        "track01.bin": _raw(bytes(SECTOR), 0),
        "track02.raw": bytes(RAW),
        "track03.bin": _raw(_volume(code, HIGH_DENSITY, "GD-ROM"), HIGH_DENSITY),
    }
    for name, data in tracks.items():
        (folder / name).write_bytes(data)
    rows = (f"1 0 4 {RAW} track01.bin 0", f"2 450 0 {RAW} track02.raw 0")
    return _written(
        folder / "proof.gdi", "\n".join(["3", *rows, f"3 {HIGH_DENSITY} 4 {RAW} track03.bin 0", ""])
    )


def cue(folder: Path, code: bytes) -> Path:
    """The tracks of :func:`gdi` behind a cue sheet."""
    gdi(folder, code)
    kinds = {"track01.bin": "MODE1/2352", "track02.raw": "AUDIO", "track03.bin": "MODE1/2352"}
    lines = []
    for number, (name, kind) in enumerate(kinds.items(), 1):
        if number != 2:
            lines.append(f"REM {'SINGLE' if number == 1 else 'HIGH'}-DENSITY AREA")
        lines += [f'FILE "{name}" BINARY', f"  TRACK {number:02} {kind}", "    INDEX 01 00:00:00"]
    return _written(folder / "proof.cue", "\n".join([*lines, ""]))


def chd(folder: Path, code: bytes) -> Path:
    """A whole GD-ROM of which all but the hunks with the program are empty."""
    sectors = 8
    hunk, header = sectors * FRAME, 124
    tracks = (("MODE1", 452), ("AUDIO", HIGH_DENSITY - 452), ("MODE1", ALL_SECTORS - HIGH_DENSITY))
    volume = _volume(code, HIGH_DENSITY, "GD-ROM")
    frames = [volume[at : at + SECTOR].ljust(FRAME, b"\0") for at in range(0, len(volume), SECTOR)]
    hunks = [b"".join(frames[at : at + sectors]) for at in range(0, len(frames), sectors)]
    words = b""
    places = [0] * -(-ALL_SECTORS // sectors)
    at = header + 4 * len(places)
    for number, (kind, length) in enumerate(tracks, 1):
        text = (
            f"TRACK:{number} TYPE:{kind} SUBTYPE:NONE FRAMES:{length} PAD:0 PREGAP:0 "
            "PGTYPE:MODE1 PGSUB:NONE POSTGAP:0\0"
        ).encode()
        following = at + len(words) + 16 + len(text) if number < len(tracks) else 0
        words += b"CHGD" + struct.pack(">IQ", 1 << 24 | len(text), following) + text
    first = -(-(at + len(words)) // hunk)
    for index in range(len(hunks)):
        places[HIGH_DENSITY // sectors + index] = first + index
    head = struct.pack(
        ">8sII4I3QII",
        *(b"MComprHD", header, 5, 0, 0, 0, 0),
        *(ALL_SECTORS * FRAME, header, at, hunk, FRAME),
    )
    body = head.ljust(header, b"\0") + struct.pack(f">{len(places)}I", *places) + words
    data = body.ljust(first * hunk, b"\0") + b"".join(each.ljust(hunk, b"\0") for each in hunks)
    return _written(folder / "proof.chd", data)


def cdi(folder: Path, code: bytes) -> Path:
    """A disc of two sessions, sound and program, of which the program is scrambled."""
    gap, sound, size = 150, 302, 2336
    volume = _volume(_scrambled(code), SECOND_SESSION, "CD-ROM1/1")
    data = [volume[at : at + SECTOR] for at in range(0, len(volume), SECTOR)]
    image = bytes((gap + sound) * RAW) + bytes(gap * size)
    image += b"".join((bytes(8) + each).ljust(size, b"\0") for each in data)
    head = struct.pack("<H", 2)
    for mode, first, length, kind in ((0, 0, sound, 2), (2, SECOND_SESSION, len(data), 1)):
        mark = bytes((0, 0, 1, 0, 0, 0, 255, 255, 255, 255))
        head += struct.pack("<HI", 1, 0) + mark * 2 + bytes(4) + b"\0" + bytes(25)
        head += struct.pack("<2I6xI12x2I16xI34xI", gap, length, mode, first, gap + length, kind, 0)
        head += bytes(13)
    head += bytes(2)
    return _written(
        folder / "proof.cdi", image + head + struct.pack("<2I", 0x80000006, len(head) + 8)
    )


FORMATS: dict[str, Callable[[Path, bytes], Path]] = {"gdi": gdi, "cue": cue, "chd": chd, "cdi": cdi}


def _written(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def _volume(code: bytes, first: int, kind: str) -> bytes:
    """The sectors of 2048 bytes: first those that a BIOS reads, then a file system of one file."""
    fields = "SEGA SEGAKATANA SEGA ENTERPRISES" + "0000 " + kind.ljust(11) + "JUE".ljust(8)
    fields += "E000F10 " + "PROOF".ljust(10) + "V1.000" + "20260101".ljust(16)
    fields += _NAME.decode().ljust(16) + "PROOF".ljust(16) + "PROOF DISC".ljust(128)
    boot = (fields.encode().ljust(0x300, b"\0") + _JUMP).ljust(_BOOT_SECTORS * SECTOR, b"\0")
    root = _record(b"\0", first + _DIRECTORY, SECTOR, folder=True)
    volume = b"\1CD001\1".ljust(156, b"\0") + root
    end = b"\xffCD001\1"
    entries = root + _record(b"\1", first + _DIRECTORY, SECTOR, folder=True)
    entries += _record(_NAME + b";1", first + _PROGRAM, len(code))
    parts = (volume, end, entries, code)
    return boot + b"".join(part + bytes(-len(part) % SECTOR) for part in parts)


def _record(name: bytes, sector: int, size: int, *, folder: bool = False) -> bytes:
    def both(number: int) -> bytes:
        return struct.pack("<I", number) + struct.pack(">I", number)

    rest = struct.pack("<7x3B2HB", 2 * folder, 0, 0, 1, 1 << 8, len(name)) + name
    record = both(sector) + both(size) + rest
    record += bytes((2 + len(record)) % 2)
    return bytes((2 + len(record), 0)) + record


def _raw(data: bytes, first: int) -> bytes:
    """Sectors with their marks, addresses and mode; the codes against errors are left out."""
    out = b""
    for index in range(len(data) // SECTOR):
        minute, rest = divmod(first + 150 + index, 75 * 60)
        address = bytes(int(str(each), 16) for each in (minute, *divmod(rest, 75)))
        sector = data[index * SECTOR : (index + 1) * SECTOR]
        out += (b"\0" + b"\xff" * 10 + b"\0" + address + b"\1" + sector).ljust(RAW, b"\0")
    return out


def _scrambled(code: bytes) -> bytes:
    """Slices of 32 bytes in the order in which the console's drive hands over a CD's program."""
    seed, out, at = len(code) & 0xFFFF, b"", 0
    chunk = 2 << 20
    while chunk >= 32:
        if len(code) - at < chunk:
            chunk >>= 1
            continue
        order = list(range(chunk // 32))
        for last in range(chunk // 32 - 1, -1, -1):
            seed = seed * 2109 + 9273 & 0x7FFF
            other = (seed + 0xC000 & 0xFFFF) * last >> 16
            order[last], order[other] = order[other], order[last]
            out += code[at + 32 * order[last] :][:32]
        at += chunk
    return out + code[at:]
