"""What types, measurements, ops and conditions mean, in a sentence each: for tooltips and help."""

from __future__ import annotations

from collections.abc import Mapping

from integrator.domain.datatype import DataType, Kind
from integrator.domain.scenario import Condition, Measurement, Op

ENDIAN_TEXTS: Mapping[str, str] = {
    "|": "one byte: there is no order",
    ">": "high byte first (Genesis, and most scores kept in digits)",
    "<": "low byte first (NES, SNES, Game Boy, PC Engine)",
    "=": "as <: training runs on machines with the low byte first",
    "><": "high half first, the bytes in each half low first",
    "<>": "low half first, the bytes in each half high first",
    ">=": "as ><",
    "<=": "as <",
}

KIND_TEXTS: Mapping[Kind, str] = {
    "u": "a plain number from 0 up",
    "i": "a number that can be negative: 255 in one byte is -1",
    "d": "packed BCD, two decimal digits a byte: 1230 reads 12 30 in hexadecimal. Taken for a "
    "plain number it jumps by 6 at every ten",
    "n": "one decimal digit a byte, in its low half: 1230 is 01 02 03 00",
}

MEASUREMENT_TEXTS: Mapping[Measurement, str] = {
    Measurement.DELTA: "how much the variable changed since the frame before. The usual choice for "
    "rewards: a score that stands still pays nothing",
    Measurement.ABSOLUTE: "the variable itself, on every frame. The usual choice for done; as a "
    "reward it pays the whole score again sixty times a second",
}

OP_TEXTS: Mapping[Op, str] = {
    Op.NONE: "no op: the measured number itself",
    Op.EQUAL: "1 when it is the reference, else 0",
    Op.NOT_EQUAL: "1 when it is not the reference, else 0",
    Op.NEGATIVE_EQUAL: "1 when it is the reference with its sign turned: with reference 1, a life "
    "that was lost (-1)",
    Op.LESS_THAN: "1 when it is below the reference, else 0",
    Op.LESS_OR_EQUAL: "1 when it is the reference or below, else 0",
    Op.GREATER_THAN: "1 when it is above the reference, else 0",
    Op.GREATER_OR_EQUAL: "1 when it is the reference or above, else 0",
    Op.ZERO: "1 when it is 0. Lives that are counted from 0 are 0 while the last one is played",
    Op.NONZERO: "1 when it is anything but 0",
    Op.POSITIVE: "1 when it is above 0",
    Op.NEGATIVE: "1 when it is below 0: needs a type with a sign, such as |i1",
    Op.SIGN: "-1, 0 or 1: the direction without the amount",
}

CONDITION_TEXTS: Mapping[Condition, str] = {
    Condition.ANY: "done when one of its conditions holds; of nothing, never",
    Condition.ALL: "done when all of its conditions hold; of nothing, at once",
}

COPY_TEXT = (
    "Games keep a number more than once: to count with, as digits, as tiles of the screen, as the "
    "high score. Poke another number: only the original stays, a copy is written anew."
)


def type_tip(data_type: DataType) -> str:
    """What a type means, for a tooltip."""
    text = f"{data_type}: {data_type.width} byte{'s' * (data_type.width > 1)}, "
    text += KIND_TEXTS[data_type.kind]
    if data_type.width > 1:
        text += f"; {ENDIAN_TEXTS[data_type.endian or '|'].split(' (')[0]}"
    return f"{text}. Holds {data_type.minimum:,} to {data_type.maximum:,}."


def op_tip(value: str) -> str:
    """What an op of a scenario means; empty for one that there is not."""
    return OP_TEXTS[Op(value)] if value in tuple(Op) else ""


def measurement_tip(value: str) -> str:
    """What a measurement means; empty for one that there is not."""
    return MEASUREMENT_TEXTS[Measurement(value)] if value in tuple(Measurement) else ""
