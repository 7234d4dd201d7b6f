"""The disc in a drive, marked behind a state because cores leave it out of theirs."""

import struct

_MARK = struct.Struct("<12si")
_WORD = b"disc-in-tray"


def disc_mark(disc: int) -> bytes:
    """The mark of the disc with this index, -1 less that in an open tray; the first has none."""
    return _MARK.pack(_WORD, disc) if disc else b""


def parted_state(state: bytes) -> tuple[bytes, int]:
    """The core's own state, and the disc of its moment."""
    word, disc = _MARK.unpack(state[-_MARK.size :].rjust(_MARK.size))
    return (state[: -_MARK.size], disc) if word == _WORD else (state, 0)
