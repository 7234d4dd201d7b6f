"""Sentences that explain types, measurements, ops and readings, for tooltips and help."""

from fractions import Fraction
from pathlib import Path
from typing import Final

from integrator.domain.query.rank import Reading
from integrator.domain.scenario.tree import OPS, Measurement
from integrator.domain.values.memory import ENDIANS, DataType
from integrator.domain.words import named_sections
from integrator.ui import widgets as ui

TERMS: Final = named_sections(Path(__file__).with_name("terms.md"))
"""A few words, or none, and a sentence that explains a term, by its key."""


def explained(key: str) -> str:
    return ui.words(TERMS[key][1])


def type_tip(data_type: DataType) -> str:
    text = ui.translate(
        "Terms", "{type}: {width} bytes, {kind}; {order}. Holds {minimum} to {maximum}."
    )
    if data_type.width == 1:
        text = ui.translate("Terms", "{type}: 1 byte, {kind}. Holds {minimum} to {maximum}.")
    return text.format(
        type=data_type,
        width=data_type.width,
        kind=ui.words(data_type.form.words),
        order=ui.words(ENDIANS[data_type.endian or "|"]).split(" (")[0],
        minimum=ui.grouped(data_type.minimum),
        maximum=ui.grouped(data_type.maximum),
    )


def op_tip(value: str) -> str:
    """Return the meaning of an op of a scenario; "" for an unknown op."""
    return ui.words(OPS[value].words) if value in OPS else ""


def op_choices() -> list[tuple[str, str]]:
    """Return all ops for a menu, as (value, text)."""
    return [(name, name or "—") for name in OPS]


def takes_reference(value: str) -> bool:
    """True if an op uses its reference. Unknown ops are assumed to use it."""
    return value not in OPS or OPS[value].needs_reference


def measurement_tip(value: str) -> str:
    """Return the meaning of a measurement; "" for an unknown one."""
    return explained(value) if value in tuple(Measurement) else ""


def agreement(lead: Reading, other: Reading) -> tuple[str, str]:
    """Return a few words, and a tip, on the reason why ``other`` showed the same as ``lead``."""
    text, tip = TERMS[_reason(lead, other)]
    return ui.words(text), ui.words(tip)


def _reason(lead: Reading, other: Reading) -> str:
    first, second = lead.address, other.address
    width, other_width = lead.type.width, other.type.width
    if second >= first + width or first >= second + other_width:
        return "apart"
    if width == other_width:
        return "alike" if first == second else "shifted"
    return "wider" if other_width > width else "narrower"


def wrap_warning(data_type: DataType, largest: float | Fraction) -> str:
    """Return a warning if more than half of a one-byte type was used; "" otherwise."""
    if data_type.maximum > 255 or largest * 2 <= data_type.maximum:
        return ""
    text = ui.translate(
        "Terms", "{0} was seen: after {1} this type starts again. Is there a wider one?"
    )
    return text.format(f"{float(largest):g}", data_type.maximum)
