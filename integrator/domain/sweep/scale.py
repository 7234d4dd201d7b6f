"""Scales: the ways from the number that a game keeps to the number on the screen.

Games keep a score of 1200 as 12 and draw two zeros, keep lives less one, or count half points. The
same hypotheses are tried by stable-retro's search: a tenth (hundredth, ...), a sixteenth, twice,
four times, one more and one less. Its sixteenths of a ``d`` type drop a digit of the coded number,
which is a tenth of the number itself; here such a scale is named a tenth.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from integrator.domain.sweep.readings import BitField, FloatType, SearchType


@dataclass(frozen=True, slots=True)
class Scale:
    """``shown = (stored - bias) * divisor / multiplier + offset``; ``stored`` is a whole number.

    A negative divisor counts down: ``Scale(divisor=-1, offset=28)`` shows 28 less the number.
    """

    multiplier: int = 1
    divisor: int = 1
    bias: int = 0
    offset: int = 0

    def stored(self, shown: int | Fraction) -> Fraction:
        """The number in memory when the screen shows ``shown``."""
        return Fraction((shown - self.offset) * self.multiplier, self.divisor) + self.bias

    def stored_step(self, shown: int) -> Fraction:
        """By how much memory changes when the screen changes by ``shown``."""
        return Fraction(shown * self.multiplier, self.divisor)

    def shown(self, stored: int) -> Fraction:
        """The number on the screen when memory holds ``stored``."""
        return Fraction((stored - self.bias) * self.divisor, self.multiplier) + self.offset

    def shifted(self, bits: int) -> Scale:
        """The same of numbers that are stored so many bits higher up."""
        return Scale(self.multiplier << bits, self.divisor, self.bias << bits, self.offset)

    def __str__(self) -> str:
        """The way from the stored number to the shown one, for instance ``x10`` or ``-1``."""
        parts = []
        if self.divisor != 1:
            parts.append(f"x{self.divisor}")
        if self.multiplier != 1:
            parts.append(f"/{self.multiplier}")
        if self.bias:
            parts.append(f"{-self.bias:+d}")
        if self.offset:
            parts.append(f"{self.offset:+d}")
        return " ".join(parts)

    @property
    def formula(self) -> str:
        """The same as an equation, for instance ``shown = 28 - stored``."""
        zero, slope = self.shown(0), self.shown(1) - self.shown(0)
        size = "" if abs(slope) == 1 else f"{float(abs(slope)):g} × "
        if slope < 0:
            return f"shown = {float(zero):g} - {size}stored"
        rest = f" {'-' if zero < 0 else '+'} {float(abs(zero)):g}" if zero else ""
        return f"shown = {size}stored{rest}"


PLAIN: Final = Scale()
"""The number in memory is the number on the screen."""

_NEAR: Final = (PLAIN, Scale(bias=-1), Scale(bias=1))
_HALVES: Final = (Scale(multiplier=2), Scale(multiplier=4))
_DIGITS: Final = tuple(Scale(divisor=10**digits) for digits in range(1, 10))
_NIBBLES: Final = tuple(Scale(divisor=16**nibbles) for nibbles in range(1, 9))
_AS_IT_IS: Final = (PLAIN,)
_OF_CODED: Final = (*_NEAR, *_DIGITS[:2], *_HALVES, *_DIGITS[2:])
_OF_PLAIN: Final = _OF_CODED + _NIBBLES


def scales_of(data_type: SearchType) -> tuple[Scale, ...]:
    """Every hypothesis for a type, the simplest first."""
    if isinstance(data_type, FloatType):
        return _AS_IT_IS
    if isinstance(data_type, BitField):
        return _AS_IT_IS if data_type.maximum == 1 else _NEAR
    return _OF_CODED if data_type.kind == "d" else _OF_PLAIN
