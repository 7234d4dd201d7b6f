"""Numbers in pieces: digits or parts in bytes that do not touch, and the script that joins them."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from string import Template

import numpy as np
from numpy.typing import NDArray

from integrator.domain.files.reading import SMALL_BYTES, read_text
from integrator.domain.integration.naming import free_name
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec


@dataclass(frozen=True, slots=True)
class Coding:
    """A byte stores a digit of ``base`` as ``zero + step * digit``, in the bits of ``mask``.

    A digit of base 100 is two packed decimal digits, one of base 256 a whole byte.
    """

    base: int
    step: int = 1
    mask: int = 0xFF
    zero: int = 0

    @property
    def type(self) -> DataType:
        """The data type of a variable for one piece."""
        return DataType.parse("|d1" if self.base == 100 else "|u1")

    @property
    def variable_mask(self) -> int | None:
        return None if self.mask == 0xFF else self.mask

    def stored(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The variable's numbers for bytes, int64 of their shape."""
        return self.type.decode_array(raw[..., np.newaxis]) & self.mask

    def digits(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The digits for bytes, int64 of their shape; -1 for a byte that is no digit."""
        above = (self.stored(raw) - self.zero) % 256
        digits = above // self.step
        return np.where((above % self.step == 0) & (digits < self.base), digits, -1)

    def is_digit(self, raw: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """True for bytes that are a digit. A packed one is read as such even if it is none."""
        if self.base == 100:
            return ((raw >> 4) <= 9) & ((raw & 15) <= 9)
        return self.digits(raw) >= 0

    def __str__(self) -> str:
        noun = {100: "two packed digits a byte", 256: "one byte each"}
        text = noun.get(self.base, "one digit a byte")
        if self.mask != 0xFF:
            text += f", in its bits 0x{self.mask:02X}"
        if self.step > 1 and self.mask == 0xFF:
            text += f", times {self.step}"
        return text + (f", 0 is 0x{self.zero:02X}" if self.zero else "")


@dataclass(frozen=True, slots=True)
class Piece:
    """A digit at an ``address``, which counts ``weight`` times in the number on the screen."""

    address: int
    weight: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """A number on the screen as the sum of its pieces, the lowest digit first.

    A byte that is no digit counts as 0, because games draw nothing for zeros in front. ``copies``
    counts other places whose pieces showed the same number on every recorded frame.
    """

    coding: Coding
    pieces: tuple[Piece, ...]
    copies: int = 0

    def numbers(self, raw: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Numbers on the screen, int64 (frames,), of the pieces' bytes, uint8 (frames, pieces)."""
        digits = np.maximum(self.coding.digits(raw), 0)
        total: NDArray[np.int64] = digits @ np.array([each.weight for each in self.pieces])
        return total

    @property
    def stride(self) -> int | None:
        """Bytes from one piece to the next higher one; None when distances differ."""
        apart = {high.address - low.address for low, high in pairwise(self.pieces)}
        return apart.pop() if len(apart) == 1 else None

    def __str__(self) -> str:
        lowest = self.pieces[0]
        places = ", ".join(f"0x{each.address:X}" for each in self.pieces)
        if self.stride is not None and len(self.pieces) > 2:
            places = f"0x{lowest.address:X} and each {self.stride:+d} bytes"
        text = f"{len(self.pieces)} pieces from the lowest on at {places}: {self.coding}"
        return text + (f"; all times {lowest.weight}" if lowest.weight > 1 else "")


def distinct(found: Sequence[tuple[Pieces, bytes]]) -> list[Pieces]:
    """For each key the number found first; other places with the same key count as its copies."""
    groups: dict[bytes, dict[tuple[Piece, ...], Pieces]] = {}
    for pieces, key in found:
        groups.setdefault(key, {}).setdefault(pieces.pieces, pieces)
    return [replace(next(iter(group.values())), copies=len(group) - 1) for group in groups.values()]


def variables_of(name: str, pieces: Pieces, taken: Container[str]) -> list[VariableSpec]:
    """A variable for each piece, the lowest first, called ``name_0`` and so on."""
    coding, specs = pieces.coding, []
    for number, piece in enumerate(pieces.pieces):
        called = free_name(f"{name}_{number}", taken)
        specs.append(VariableSpec(called, piece.address, coding.type, coding.variable_mask))
    return specs


def number_function(name: str) -> str:
    """The Lua function that gives the number."""
    return f"{name}_number"


def reward_function(name: str) -> str:
    """The Lua function that gives a frame's reward."""
    return f"{name}_reward"


def script_of(name: str, pieces: Pieces, specs: list[VariableSpec]) -> str:
    """The text of a Lua script that reads ``specs``, the variables of the pieces in their order.

    ``name`` has to be an identifier of Lua: the script also shows the number under it.
    """
    coding = pieces.coding
    lines = (
        f'  {{ "{spec.name}", {piece.weight} }},'
        for spec, piece in zip(specs, pieces.pieces, strict=True)
    )
    template = read_text(Path(__file__).with_name("pieces.lua"), SMALL_BYTES)
    return Template(template).substitute(
        words=f"The number {name}, made of {pieces}",
        pieces="\n".join(lines),
        zero=coding.zero,
        step=coding.step,
        base=coding.base,
        name=name,
        number=number_function(name),
        reward=reward_function(name),
    )
