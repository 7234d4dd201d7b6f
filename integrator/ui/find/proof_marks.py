"""What experiments showed of candidates, in the few words that fit into a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from integrator.session.experiment import Verdict
from integrator.session.experiment_screen import Redraw
from integrator.ui.models.fields import address_text
from integrator.ui.widgets.theme import Colors


@dataclass(frozen=True, slots=True)
class ProofMark:
    """One cell: its text, the colour token it is written in, and what it means at length."""

    text: str
    color: Callable[[Colors], str]
    tip: str


def mark_of(verdict: Verdict, tr: Callable[[str], str]) -> ProofMark:
    """A candidate that was poked."""
    texts = {
        "original": tr("original"),
        "copy": tr("copy"),
        "inert": tr("inert"),
        "unknown": tr("unknown"),
    }
    text = texts[verdict.finding]
    if verdict.copy_of is not None:
        text = tr("copy of {0}").format(address_text(verdict.copy_of.address))
    elif verdict.shape is not None:
        text = f"{text} · {shape_text(verdict, tr)}"
    return ProofMark(text, _COLORS[verdict.finding], "\n".join(verdict.reasons))


def shape_text(verdict: Verdict, tr: Callable[[str], str]) -> str:
    """Code and width, as far as they came out: ``BCD 3``."""
    shape = verdict.shape
    if shape is None:
        return ""
    return shape.coding if shape.type is None else f"{shape.coding} {shape.type.width}{tr('B')}"


def mark_of_redraw(redraw: Redraw, tr: Callable[[str], str]) -> ProofMark:
    """A byte that redrew the place that was marked on the screen."""
    tip = tr("Poked, it changed {0} pixels in the marked place and {1} outside, {2} frames later")
    return ProofMark(
        tr("draws {0} px").format(redraw.inside),
        (lambda colors: colors.good) if redraw.outside <= redraw.inside else _COLORS["copy"],
        tip.format(redraw.inside, redraw.outside, redraw.frame),
    )


_COLORS: dict[str, Callable[[Colors], str]] = {
    "original": lambda colors: colors.good,
    "copy": lambda colors: colors.warn,
    "inert": lambda colors: colors.faint,
    "unknown": lambda colors: colors.secondary,
}
