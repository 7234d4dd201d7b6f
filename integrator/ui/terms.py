"""Sentences that explain types, measurements, ops and readings, for tooltips and help."""

from fractions import Fraction
from typing import Final

from integrator.domain.query.rank import Reading
from integrator.domain.scenario.tree import OPS, Condition, Measurement
from integrator.domain.values.datatype import ENDIANS, DataType
from integrator.domain.words import tr
from integrator.ui import widgets as ui

MEASUREMENT_TEXTS: Final = {
    Measurement.DELTA: tr(
        "how much the variable changed since the frame before. The usual choice for "
        "rewards: a score that stands still pays nothing"
    ),
    Measurement.ABSOLUTE: tr(
        "the variable itself, on every frame. The usual choice for done; as a "
        "reward it pays the whole score again sixty times a second"
    ),
}

CONDITION_TEXTS: Final = {
    Condition.ANY: tr("done when one of its conditions holds; never without conditions"),
    Condition.ALL: tr("done when all of its conditions hold; at once without conditions"),
}

COPY_TEXT = tr(
    "Games keep a number more than once: to count with, as digits, as tiles of the screen, as the "
    "high score. Poke another number: only the original stays, a copy is written again."
)


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
    return ui.words(MEASUREMENT_TEXTS[Measurement(value)]) if value in tuple(Measurement) else ""


_TEXTS: Final = {
    "apart": (tr("another place"), COPY_TEXT),
    "alike": (
        tr("same bytes"),
        tr("The same bytes, read in another way: it shows once the number is larger, or negative."),
    ),
    "shifted": (
        tr("shares bytes"),
        tr("It shares bytes with the first one; so far, those alone give the number."),
    ),
    "wider": (
        tr("more bytes"),
        tr(
            "These bytes and others, which have not changed the number yet. If they belong to it, "
            "this is the type that still holds the number when it grows."
        ),
    ),
    "narrower": (
        tr("fewer bytes"),
        tr(
            "Only a part of these bytes: the others have not changed the number yet, so this type "
            "is too narrow once the number grows."
        ),
    ),
}


def agreement(lead: Reading, other: Reading) -> tuple[str, str]:
    """Return a few words, and a tip, on the reason why ``other`` showed the same as ``lead``."""
    text, tip = _TEXTS[_reason(lead, other)]
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
