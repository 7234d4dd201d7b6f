"""The plausibility of matches, in bits: what each says beyond the simplest, and how it behaves.

The numbers were chosen with ``python -m scripts.bench_facts --games tune``.
"""

from __future__ import annotations

from fractions import Fraction
from math import log2
from typing import Final

from integrator.domain.query.matches.behaviour import Behaviour
from integrator.domain.query.matches.rank import Match
from integrator.domain.sweep.readings import BIT_FIELDS, BitField
from integrator.domain.sweep.scale import Scale
from integrator.domain.values.datatype import DataType

LIKELY_BITS: Final = 5.0
"""Up to so many, a match that fits needs no further hypotheses beside it."""

_SLOPE_BITS: Final = {
    Fraction(slope): bits
    for slopes, bits in (
        ((1,), 0.0),
        ((10, 100), 2.0),
        ((5, 25, 50, 1000), 4.0),
        ((2, 4, 8, 16, 32, 64, 128, 20, 200, 500, Fraction(1, 2)), 6.0),
        ((Fraction(1, 4), Fraction(1, 8)), 9.0),
    )
    for slope in slopes
}
_OTHER_SLOPE_BITS: Final = 12.0
_MISCODED_BITS: Final = 6.0


def hypothesis_bits(match: Match) -> float:
    """Bits for scale, type, mask and frames that are off; 0 for a plain number in one byte."""
    scale, bits = match.scale, _type_bits(match.type)
    if match.mask is not None:
        field = BitField(match.mask)
        scale = _lowered(scale, field.shift)
        bits += 5 if field in BIT_FIELDS else 7
    return bits + _scale_bits(scale) + 5 * bool(match.off_frames)


def reading_bits(match: Match, behaviour: Behaviour) -> float:
    """As :func:`hypothesis_bits`, and bits for digits that are none at times: such hardly are."""
    refuted = _MISCODED_BITS * (behaviour.miscoded > 0) + 4 * behaviour.miscoded
    return hypothesis_bits(match) + refuted


def behaviour_bits(behaviour: Behaviour) -> float:
    """Bits for the way a number moves: little, and in small steps."""
    return 3 * log2(1 + behaviour.travel) + log2(1 + behaviour.changes)


def _lowered(scale: Scale, shift: int) -> Scale:
    """The scale of a field's own number, counted from its lowest bit."""
    slope = Fraction(scale.divisor << shift, scale.multiplier)
    return Scale(slope.denominator, slope.numerator, scale.bias >> shift, scale.offset)


def _scale_bits(scale: Scale) -> float:
    slope = Fraction(scale.divisor, scale.multiplier)
    bits = _SLOPE_BITS.get(abs(slope), _OTHER_SLOPE_BITS)
    if slope < 0:
        bits += 2
    if scale.bias:
        bits += 2
    if scale.offset:
        bits += 2 + log2(1 + abs(scale.offset)) / 2
    return bits


def _type_bits(data_type: DataType) -> float:
    mixed = len(data_type.endian) > 1
    rare = {"i": 1.0, "n": 0.5}.get(data_type.kind, 0.0)
    return log2(data_type.width) / 2 + 4 * mixed + rare
