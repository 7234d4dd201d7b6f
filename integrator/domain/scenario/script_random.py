"""Owns the random numbers of scripts: the generator of LuaJIT, which training embeds.

Published as Tausworthe generator TW223 (four combined linear feedback shift registers, period
2**223). LuaJIT starts it with seed 0 in every new state, so a script draws the same numbers in
every episode.
"""

from __future__ import annotations

import math
import struct

_MASK = (1 << 64) - 1
# Word size, feedback shift and output shift of the four registers.
_REGISTERS = ((63, 31, 18), (58, 19, 28), (55, 24, 7), (47, 21, 8))
_WARM_UP = 10


class LuaJitRandom:
    """`math.random` and `math.randomseed` as LuaJIT 2.1 makes them."""

    def __init__(self) -> None:
        self._state: list[int] = []
        self.seed(0.0)

    def seed(self, value: float) -> None:
        """Start over from a seed, as `math.randomseed` does."""
        number = float(value)
        self._state = []
        for size, _, _ in _REGISTERS:
            number = number * math.pi + math.e
            bits: int = struct.unpack("<Q", struct.pack("<d", number))[0]
            # A register that starts below this would stay 0.
            least = 1 << (64 - size)
            self._state.append(bits if bits >= least else bits + least)
        for _ in range(_WARM_UP):
            self._step()

    def next_float(self) -> float:
        """Return the next number in [0, 1), as `math.random()` does."""
        bits = (self._step() & 0x000F_FFFF_FFFF_FFFF) | 0x3FF0_0000_0000_0000
        number: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
        return number - 1.0

    def _step(self) -> int:
        result = 0
        for index, (size, feedback, shift) in enumerate(_REGISTERS):
            word = self._state[index]
            mixed = ((word << feedback) & _MASK) ^ word
            kept = word & (_MASK << (64 - size)) & _MASK
            word = (mixed >> (size - shift)) ^ ((kept << shift) & _MASK)
            self._state[index] = word
            result ^= word
        return result
