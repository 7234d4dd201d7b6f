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
    """``stored = shown * multiplier / divisor + bias``; the divisor divides evenly."""

    multiplier: int = 1
    divisor: int = 1
    bias: int = 0

    def stored(self, shown: int | Fraction) -> Fraction:
        """The number in memory when the screen shows ``shown``."""
        return Fraction(shown * self.multiplier, self.divisor) + self.bias

    def stored_step(self, shown: int) -> Fraction:
        """By how much memory changes when the screen changes by ``shown``."""
        return Fraction(shown * self.multiplier, self.divisor)

    def shown(self, stored: int) -> Fraction:
        """The number on the screen when memory holds ``stored``."""
        return Fraction((stored - self.bias) * self.divisor, self.multiplier)

    def shifted(self, bits: int) -> Scale:
        """The same of numbers that are stored so many bits higher up."""
        return Scale(self.multiplier << bits, self.divisor, self.bias << bits)

    def __str__(self) -> str:
        """The way from the stored number to the shown one, for instance ``x10`` or ``-1``."""
        parts = []
        if self.divisor != 1:
            parts.append(f"x{self.divisor}")
        if self.multiplier != 1:
            parts.append(f"/{self.multiplier}")
        if self.bias:
            parts.append(f"{-self.bias:+d}")
        return " ".join(parts)


PLAIN: Final = Scale()
"""The number in memory is the number on the screen."""

_NEAR: Final = (
    PLAIN,
    Scale(bias=-1),
    Scale(bias=1),
    Scale(multiplier=2),
    Scale(multiplier=4),
)
_DIGITS: Final = tuple(Scale(divisor=10**digits) for digits in range(1, 10))
_NIBBLES: Final = tuple(Scale(divisor=16**nibbles) for nibbles in range(1, 9))
_AS_IT_IS: Final = (PLAIN,)
_OF_FIELD: Final = _NEAR[:3]
_OF_CODED: Final = _NEAR + _DIGITS
_OF_PLAIN: Final = _NEAR + _DIGITS + _NIBBLES


def scales_of(data_type: SearchType) -> tuple[Scale, ...]:
    """Every hypothesis for a type, the simplest first."""
    if isinstance(data_type, FloatType):
        return _AS_IT_IS
    if isinstance(data_type, BitField):
        return _AS_IT_IS if data_type.maximum == 1 else _OF_FIELD
    return _OF_CODED if data_type.kind == "d" else _OF_PLAIN
