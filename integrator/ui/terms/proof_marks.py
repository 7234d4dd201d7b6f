"""Verdicts of proofs in the few words that fit into a table."""

from collections.abc import Callable
from dataclasses import dataclass

from integrator.session.proof.proof import Verdict
from integrator.session.proof.redraws import Redraw
from integrator.ui.widgets.fields import address_text
from integrator.ui.widgets.theme import Colors
from integrator.ui.widgets.translation import counted, translate


@dataclass(frozen=True, slots=True)
class ProofMark:
    """One cell: its text, its colour token, and its meaning at length."""

    text: str
    color: Callable[[Colors], str]
    tip: str


def mark_of(verdict: Verdict) -> ProofMark:
    """A candidate that was poked."""
    texts = {
        "original": translate("ProofMarks", "original"),
        "copy": translate("ProofMarks", "copy"),
        "inert": translate("ProofMarks", "inert"),
        "unknown": translate("ProofMarks", "unknown"),
    }
    text = texts[verdict.ruling]
    if verdict.copy_of is not None:
        text = translate("ProofMarks", "copy of {0}").format(address_text(verdict.copy_of.address))
    elif verdict.form is not None:
        text = f"{text} · {form_text(verdict)}"
    return ProofMark(text, _COLORS[verdict.ruling], "\n".join(verdict.reasons))


def form_text(verdict: Verdict) -> str:
    """Code and width, as far as they came out: ``BCD 3``."""
    form = verdict.form
    if form is None:
        return ""
    if form.type is None:
        return form.code
    width = form.type.width
    text = translate("ProofMarks", "{0}, {1} byte[|s]")
    return counted(text, width).format(form.code, width)


def mark_of_redraw(redraw: Redraw) -> ProofMark:
    """A byte that redrew the place that was marked on the screen."""
    tip = translate(
        "ProofMarks",
        "Poked, it changed {0} px in the marked place and {1} px outside, {2} frame[|s] later",
    )
    tip = counted(tip, redraw.frame)
    return ProofMark(
        translate("ProofMarks", "draws {0} px").format(redraw.inside),
        (lambda colors: colors.good) if redraw.outside <= redraw.inside else _COLORS["copy"],
        tip.format(redraw.inside, redraw.outside, redraw.frame),
    )


_COLORS: dict[str, Callable[[Colors], str]] = {
    "original": lambda colors: colors.good,
    "copy": lambda colors: colors.warn,
    "inert": lambda colors: colors.faint,
    "unknown": lambda colors: colors.secondary,
}
