"""Says why readings of memory show the same number, and which types may be too narrow."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from integrator.domain.query.matches.behaviour import Reading
from integrator.domain.values.datatype import DataType
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.terms.help_texts import COPY_TEXT, help_text
from integrator.ui.widgets.translation import translate

_TEXTS: Final = {
    "apart": (
        QT_TRANSLATE_NOOP("Agreement", "another place"),
        COPY_TEXT,
    ),
    "alike": (
        QT_TRANSLATE_NOOP("Agreement", "same bytes"),
        QT_TRANSLATE_NOOP(
            "Agreement",
            "The same bytes, read in another way: it shows once the number is larger, or negative.",
        ),
    ),
    "shifted": (
        QT_TRANSLATE_NOOP("Agreement", "shares bytes"),
        QT_TRANSLATE_NOOP(
            "Agreement", "It shares bytes with the first one, which alone tell the number so far."
        ),
    ),
    "wider": (
        QT_TRANSLATE_NOOP("Agreement", "more bytes"),
        QT_TRANSLATE_NOOP(
            "Agreement",
            "These bytes and more, which added nothing yet. If they belong to the number, this is "
            "the type that holds it when it grows.",
        ),
    ),
    "narrower": (
        QT_TRANSLATE_NOOP("Agreement", "fewer bytes"),
        QT_TRANSLATE_NOOP(
            "Agreement",
            "A part of these bytes: the others added nothing yet, so it is too narrow"
            " once the number grows.",
        ),
    ),
}
_SMALL: Final = 255
"""Largest number of a type that a game's number may well exceed."""


def agreement(lead: Reading, other: Reading) -> str:
    """In few words, the reason why ``other`` showed the same number as ``lead``."""
    return translate("Agreement", _TEXTS[_reason(lead, other)][0])


def agreement_tip(lead: Reading, other: Reading) -> str:
    """The same at length."""
    text = _TEXTS[_reason(lead, other)][1]
    return help_text(text) if text is COPY_TEXT else translate("Agreement", text)


def _reason(lead: Reading, other: Reading) -> str:
    apart = (
        other.address >= lead.address + lead.type.width
        or lead.address >= other.address + other.type.width
    )
    if apart:
        return "apart"
    if other.type.width == lead.type.width:
        return "alike" if other.address == lead.address else "shifted"
    return "wider" if other.type.width > lead.type.width else "narrower"


def wrap_warning(data_type: DataType, largest: float | Fraction) -> str:
    """A warning of a small type of which more than half was in use; empty for other types."""
    if data_type.maximum > _SMALL or largest * 2 <= data_type.maximum:
        return ""
    text = translate(
        "Agreement", "{0} was seen: after {1} this type starts again. Is there a wider one?"
    )
    return text.format(f"{float(largest):g}", data_type.maximum)
