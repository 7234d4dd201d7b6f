"""Owns the last step of the Saturn build: a disc without a program, as a CHD whose hunks are not compressed.

Usage: python3 pack.py OUTPUT.chd"""

import struct
import sys
from pathlib import Path

FRAME, SECTOR, SECTORS = 2352 + 96, 2048, 16
HUNK = 8 * FRAME
HEADER = 124
TRACK = b"TRACK:1 TYPE:MODE1 SUBTYPE:NONE FRAMES:%d PREGAP:0 PGTYPE:MODE1 PGSUB:NONE POSTGAP:0\0"


def first_sector() -> bytes:
    """The fields by which cores know a disc of this console, its game and its region."""
    fields = (b"SEGA SEGASATURN ", b"SEGA TP PROOF   ", b"PROOF     V1.000", b"20260101CD-1/1  ", b"U               ", b"J               ")
    return (b"".join(fields) + b"PROOF DISC".ljust(112)).ljust(SECTOR, b"\0")


def disc() -> bytes:
    """A CHD of version 5: header, map of hunks, the track's words, and the only hunk that is not empty."""
    track = TRACK % SECTORS
    hunks = struct.pack(">2I", 1, 0)  # places in the file, counted in hunks; 0: all zeros
    words = HEADER + len(hunks)
    header = struct.pack(
        ">8sII4I3QII", b"MComprHD", HEADER, 5, 0, 0, 0, 0, SECTORS * FRAME, HEADER, words, HUNK, FRAME
    )
    body = header.ljust(HEADER, b"\0") + hunks
    body += b"CHT2" + struct.pack(">IQ", 1 << 24 | len(track), 0) + track
    return body.ljust(HUNK, b"\0") + first_sector().ljust(HUNK, b"\0")


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(disc())
