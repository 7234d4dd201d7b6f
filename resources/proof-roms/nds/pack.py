"""Owns the last step of the DS build: the programs of both processors and a header make a ROM.

Usage: python3 pack.py ARM9.bin ARM7.bin OUTPUT"""

import struct
import sys
from pathlib import Path

ARM9_AT, ARM7_AT = 0x02004000, 0x02380000
ROM_BYTES = 0x8000
HEADER_BYTES = 0x200  # programs below 0x4000 are homebrew: nothing in them is encrypted


def crc16(data: bytes) -> int:
    """The checksum of the header: CRC-16 with polynomial 0xA001, from 0xFFFF."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xA001 if crc & 1 else 0)
    return crc


def main() -> None:
    arm9, arm7 = (Path(path).read_bytes() for path in sys.argv[1:3])
    header = bytearray(HEADER_BYTES)
    header[:0x12] = b"PROOF ROM\0\0\0PROF00"
    arm7_offset = HEADER_BYTES + len(arm9)
    struct.pack_into("<4I", header, 0x20, HEADER_BYTES, ARM9_AT, ARM9_AT, len(arm9))
    struct.pack_into("<4I", header, 0x30, arm7_offset, ARM7_AT, ARM7_AT, len(arm7))
    struct.pack_into("<2I", header, 0x80, arm7_offset + len(arm7), HEADER_BYTES)
    struct.pack_into("<H", header, 0x15C, crc16(header[0xC0:0x15C]))
    struct.pack_into("<H", header, 0x15E, crc16(header[:0x15E]))
    Path(sys.argv[3]).write_bytes((header + arm9 + arm7).ljust(ROM_BYTES, b"\xff"))


if __name__ == "__main__":
    main()
