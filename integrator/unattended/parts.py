"""The parts of a report: each finding in words, with its frames and what could replace it."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from integrator.domain.integration.auto_report import AutoPart
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.commands import add_done, name_bytes
from integrator.unattended.finding import Ending, Found
from integrator.unattended.play import Episode
from integrator.unattended.reach import Reached


def start_part(
    name: str, start: Reached, buttons: Sequence[str | None], *, played: bool
) -> AutoPart:
    """The start state; ``played``: a score or an end was seen from there."""
    names = [
        buttons[int(mask).bit_length() - 1] or ""
        for mask in dict.fromkeys(start.inputs[:, 0].tolist())
        if mask
    ]
    sure = min(1.0, start.situations / 8) * (0.95 if played else 0.7)
    pressed = f"after {' and '.join(names)}" if names else "without a press"
    return AutoPart(
        f"{name}: frame {len(start.inputs)} from power-on, {pressed}",
        round(sure, 2),
        (f"opposite directions gave {start.situations} of 8 different pictures",),
        (1,),
    )


def number_part(name: str, found: Sequence[Found], movie: Episode, unit: str = "") -> AutoPart:
    """A variable with the frames of the movie at which it changes, and its runners-up."""
    if not found:
        return AutoPart("none found", 0.0)
    best = found[0]
    values = best.values[movie.first : movie.last + 1]
    changes = np.flatnonzero(np.diff(values)) + 2
    second = found[1].confidence if len(found) > 1 else 0.0
    # Two that are alike are one number and its copy, but nobody has said which.
    sure = best.confidence if best.suggestion.ruling == "original" else best.confidence * 0.9
    sure *= 1 - 0.2 * (second / best.confidence if best.confidence else 0)
    return AutoPart(
        f"{best.suggestion.type} at 0x{best.suggestion.address:X}{unit}",
        round(sure, 2),
        (best.text,),
        tuple(changes[:8].tolist()),
        tuple(
            {
                "value": f"{each.suggestion.type} at 0x{each.suggestion.address:X}",
                "confidence": each.confidence,
                "variables": _as_json([each.named(name)]),
            }
            for each in found
        ),
    )


def _as_json(specs: Iterable[VariableSpec]) -> dict[str, Any]:
    """Variables as data.json has them."""
    return {
        spec.name: {"address": spec.address, "type": spec.type.spec}
        | ({} if spec.mask is None else {"mask": spec.mask})
        for spec in specs
    }


def done_part(ends: Sequence[Ending], movie: Episode, taken: Collection[str]) -> AutoPart:
    """The done condition with its runners-up; ``taken`` are names of other variables."""
    if not ends:
        return AutoPart("none found", 0.0)
    best = ends[0]
    frames = () if movie.end is None else (movie.end - movie.first + 1,)
    return AutoPart(
        str(best.condition),
        best.confidence,
        (best.text,),
        frames,
        tuple(_done_choice(each, taken) for each in ends[:4]),
    )


def _done_choice(ending: Ending, taken: Collection[str]) -> dict[str, Any]:
    named = name_bytes(ending.condition, taken)
    root: dict[str, Any] = {}
    add_done(root, [(test.spec.name, test.spec) for test in named.tests], named.condition)
    made = [VariableSpec(test.spec.name, test.address, test.type) for test in named.tests]
    return {
        "value": str(ending.condition),
        "confidence": ending.confidence,
        "variables": _as_json([each for each in made if each.name not in taken]),
        "done": root["done"],
    }
