"""Meanings of types, measurements, ops and conditions, in a sentence: for tooltips and help.

The sentence of an op stands in its row, `domain/scenario/ops.py`.
"""

from __future__ import annotations

from collections.abc import Mapping

from integrator.domain.scenario.ops import OPS
from integrator.domain.scenario.tree import Condition, Measurement
from integrator.domain.values.datatype import ENDIANS, DataType
from integrator.domain.words import QT_TRANSLATE_NOOP
from integrator.ui.widgets.translation import translate

MEASUREMENT_TEXTS: Mapping[Measurement, str] = {
    Measurement.DELTA: QT_TRANSLATE_NOOP(
        "HelpTexts",
        "how much the variable changed since the frame before. The usual choice for "
        "rewards: a score that stands still pays nothing",
    ),
    Measurement.ABSOLUTE: QT_TRANSLATE_NOOP(
        "HelpTexts",
        "the variable itself, on every frame. The usual choice for done; as a "
        "reward it pays the whole score again sixty times a second",
    ),
}

CONDITION_TEXTS: Mapping[Condition, str] = {
    Condition.ANY: QT_TRANSLATE_NOOP(
        "HelpTexts", "done when one of its conditions holds; of nothing, never"
    ),
    Condition.ALL: QT_TRANSLATE_NOOP(
        "HelpTexts", "done when all of its conditions hold; of nothing, at once"
    ),
}

COPY_TEXT = QT_TRANSLATE_NOOP(
    "HelpTexts",
    "Games keep a number more than once: to count with, as digits, as tiles of the screen, as the "
    "high score. Poke another number: only the original stays, a copy is written anew.",
)


def help_text(text: str) -> str:
    """One of these texts in the user's language."""
    return translate("HelpTexts", text)


def type_tip(data_type: DataType) -> str:
    """The meaning of a type, for a tooltip."""
    kind = help_text(data_type.form.words)
    if data_type.width == 1:
        text = translate("HelpTexts", "{type}: 1 byte, {kind}. Holds {minimum} to {maximum}.")
    else:
        text = translate(
            "HelpTexts",
            "{type}: {width} bytes, {kind}; {order}. Holds {minimum} to {maximum}.",
        )
    return text.format(
        type=data_type,
        width=data_type.width,
        kind=kind,
        order=help_text(ENDIANS[data_type.endian or "|"]).split(" (")[0],
        minimum=f"{data_type.minimum:,}",
        maximum=f"{data_type.maximum:,}",
    )


def op_tip(value: str) -> str:
    """The meaning of an op of a scenario; empty for an unknown one."""
    return help_text(OPS[value].words) if value in OPS else ""


def op_choices() -> list[tuple[str, str]]:
    """Every op as a menu offers it: (value, text)."""
    return [(name, name or "—") for name in OPS]


def takes_reference(value: str) -> bool:
    """The reference beside an op counts, as it does for names that are no op."""
    return value not in OPS or OPS[value].needs_reference


def measurement_tip(value: str) -> str:
    """The meaning of a measurement; empty for an unknown one."""
    return help_text(MEASUREMENT_TEXTS[Measurement(value)]) if value in tuple(Measurement) else ""
