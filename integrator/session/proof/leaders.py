"""Finds the bytes that lead a number by experiment: poked, they move it while it is overwritten.

Recorded play tells nothing of a number that rested in it, such as the icon of a leading digit, so
that all bytes are poked: in a small memory one by one, in a larger one several together, of which
those that move the number are divided.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import merge_offsets
from integrator.session.proof.lab import Laboratory, Moment, Target
from libretro_host.errors import CoreCrashed, CoreHung

_BYTE: Final = DataType.parse("|u1")
_BASES: Final = 3
_BLOCKS: Final = 128
_MOST_TOGETHER: Final = 80
"""Bytes of a block: of more, hardly any game goes on from the poke."""
_MOST_POKES: Final = 400
_FIRST_LOOKS: Final = ((1, 1), (9, 0))
_LOOKS: Final = ((1, 1), (9, 0), (2, 0), (0, 2), (5, 0))


def turned(byte: int, low: int, high: int) -> int:
    """The byte with other halves: decimal digits count on by ``low`` and ``high``."""
    halves = ((byte & 15, low), (byte >> 4, high))
    one, other = ((half + by) % 10 if half < 10 else half ^ by for half, by in halves)
    return other << 4 | one


def pokes_of(byte: int) -> tuple[int, ...]:
    """Values that tell a source: both halves have others, together and each alone."""
    return tuple(dict.fromkeys(turned(byte, *by) for by in _LOOKS))


def byte_at(address: int) -> Target:
    """The byte at an address."""
    return Target(address, _BYTE)


class Leaders:
    """Looks for bytes that move the target within so many frames after the moment."""

    def __init__(self, lab: Laboratory, target: Target, moment: Moment, frames: int) -> None:
        self._lab = lab
        self._moment = moment
        self._frames = frames
        self._own = lab.space.offsets(target.address, target.type.width).tolist()
        self._pokes = 0
        self._usual = {None, *(self._course([], 0, 0) for _ in range(_BASES))}

    def found(self, beside: Sequence[Target]) -> Iterator[Target]:
        """Bytes that move the target: those ``beside`` it first, then others of all memory."""
        space = self._lab.space
        size = -(-space.size_bytes // _BLOCKS)
        blocks = [[each.address] for each in beside]
        if size <= _MOST_TOGETHER:
            known = {each.address for each in beside}
            rest = [space.address_of(index) for index in range(space.size_bytes)]
            rest = [address for address in rest if address not in known]
            blocks += [rest[start : start + size] for start in range(0, len(rest), size)]
        seen: set[int] = set()
        for low, high in _FIRST_LOOKS:
            for block in blocks:
                for address in self._leading(block, low, high):
                    if address not in seen:
                        seen.add(address)
                        yield byte_at(address)

    def _leading(self, block: list[int], low: int, high: int) -> Iterator[int]:
        """The addresses of a block whose bytes move the target, found by halves."""
        if self._pokes >= _MOST_POKES or self._course(block, low, high) in self._usual:
            return
        if len(block) == 1:
            yield block[0]
            return
        middle = len(block) // 2
        yield from self._leading(block[:middle], low, high)
        yield from self._leading(block[middle:], low, high)

    def _course(self, block: Sequence[int], low: int, high: int) -> bytes | None:
        """The target's bytes after the block was poked; None when that ended the core."""
        self._pokes += 1
        poked = self._moment.ram.copy()
        places = [int(self._lab.space.offsets(address, 1)[0]) for address in block]
        places = [place for place in places if place not in self._own]
        for place in places:
            poked[place] = turned(int(poked[place]), low, high)
        writes = [(at, poked[at : at + count].tobytes()) for at, count in merge_offsets(places)]
        ranges = merge_offsets(self._own)
        try:
            fork = self._lab.fork(
                self._moment, ranges, writes, frames=self._frames, pictures=False, exact=False
            )
        except (CoreCrashed, CoreHung):
            return None
        return fork.watched[1:].tobytes()
