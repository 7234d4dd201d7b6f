"""All memory at a moment: now, at a frame, or in a state; and the difference of two moments."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.session.session import Session
from integrator.session.setup.game import restore

NOW: Final = "now"


@dataclass(frozen=True, slots=True)
class MemoryDifference:
    """Places whose bytes differ between two moments.

    ``addresses`` int64 (places,), ascending; ``before`` and ``after`` uint8 (places,).
    """

    addresses: NDArray[np.int64]
    before: NDArray[np.uint8]
    after: NDArray[np.uint8]


def memory_image(session: Session, moment: str) -> NDArray[np.uint8]:
    """RAM in console order: ``now``, after a frame by its number, or of a state by its name.

    The game stays where it is. Raises TimelineError, DocumentError, StateError.
    """
    space = session.memory.space
    if moment == NOW:
        return space.logical(session.memory.ram)
    if moment.isascii() and moment.isdigit():
        return space.logical(session.timeline.ram(int(moment)))
    raw = session.game.read_state(moment, b"")
    with session.timeline.lent() as host:
        restore(host, raw, moment)
        return space.logical(host.read_ram())


def find_in_memory(
    session: Session, find: Callable[[NDArray[np.uint8], int], int | None], after: int
) -> tuple[int, int] | None:
    """The address that ``find`` picks behind ``after``, and the byte there; None for no place."""
    data, space = memory_image(session, NOW), session.memory.space
    at = find(data, space.index_of(after))
    return None if at is None else (space.address_of(at), int(data[at]))


def bytes_between(session: Session, start: int, stop: int) -> bytes:
    """The present bytes from address ``start`` to before ``stop``, in console order."""
    first = session.memory.space.index_of(start)
    return memory_image(session, NOW)[first : first + stop - start].tobytes()


def compare_memory(session: Session, one: str, other: str) -> MemoryDifference:
    """The bytes that differ between two moments; see :func:`memory_image`."""
    before, after = memory_image(session, one), memory_image(session, other)
    places = np.flatnonzero(before != after)
    space = session.memory.space
    addresses = np.fromiter((space.address_of(int(at)) for at in places), np.int64, len(places))
    return MemoryDifference(addresses, before[places], after[places])
