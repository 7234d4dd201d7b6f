"""Owns the last step of the FBNeo build: a ROM set of the board of Pac-Man with one program in it.

Usage: python3 pack.py PROGRAM OUTPUT.zip    (sizes and names are those of the set, contents are not)
"""

import sys
import zipfile
from pathlib import Path

PALETTE = bytes([0x00, 0x07, 0x38, 0xC0, *[0xFF] * 28])
COLORS = bytes(place // 4 % 16 for place in range(256))


def main() -> None:
    program = Path(sys.argv[1]).read_bytes()
    files = {"pacman.6e": program}
    files |= dict.fromkeys(("pacman.6f", "pacman.6h", "pacman.6j"), b"\xff" * 4096)
    files |= dict.fromkeys(("pacman.5e", "pacman.5f"), bytes(4096))
    files |= {"82s123.7f": PALETTE, "82s126.4a": COLORS}
    files |= dict.fromkeys(("82s126.1m", "82s126.3m"), bytes(256))
    with zipfile.ZipFile(sys.argv[2], "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)  # without a date, the same each time


if __name__ == "__main__":
    main()
