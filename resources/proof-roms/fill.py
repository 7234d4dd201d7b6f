"""Owns the last step of the Z80-like builds: Intel hex in, a ROM of a fixed size out.

Usage: python3 fill.py INPUT.ihx OUTPUT SIZE [--game-boy]    (adds the Game Boy's header checksum)
"""

import sys
from pathlib import Path


def main() -> None:
    rom = bytearray(b"\xff" * int(sys.argv[3]))
    if "--game-boy" in sys.argv:
        rom[0x104:0x150] = bytes(0x4C)
    for line in Path(sys.argv[1]).read_text().split():
        record = bytes.fromhex(line[1:])
        if record[3] == 0:
            address = int.from_bytes(record[1:3], "big")
            rom[address : address + record[0]] = record[4 : 4 + record[0]]
    if "--game-boy" in sys.argv:
        rom[0x14D] = -sum(value + 1 for value in rom[0x134:0x14D]) & 0xFF
    Path(sys.argv[2]).write_bytes(rom)


if __name__ == "__main__":
    main()
