"""Judges proofs: from the courses that a poked number took to a ruling."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.values.datatype import DataType
from integrator.session.proof.lab import Target

CourseKind = Literal["carried-on", "rewritten", "replaced", "held", "stayed", "strayed"]
"""The course of a poked number in a word; see :func:`course_of`."""
OVERWRITTEN: Final[frozenset[CourseKind]] = frozenset(("rewritten", "replaced"))
"""Courses of numbers into which the game wrote another one after the poke."""
Ruling = Literal["original", "copy", "inert", "unknown"]


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a number after a poke at ``moment``, beside its course without.

    ``frame`` counts from the moment to the frame that tells the course; 0 when nothing happened.
    ``without`` and ``after`` are the number there, unpoked and poked. ``effect`` is true when
    anything else, in memory or on the screen, came out differently.
    """

    kind: CourseKind
    moment: int
    before: int
    poked: int
    frame: int
    without: int
    after: int
    effect: bool


def course_of(
    moment: int,
    data_type: DataType,
    base: NDArray[np.int64],
    poked: NDArray[np.int64],
    *,
    effect: bool,
) -> Course:
    """Name the course of ``poked`` beside ``base``, numbers after frames 0 (the poke) to n.

    - carried-on: when the number changed without the poke, the poked one changed by as much;
    - rewritten: it fell back to its old value on a frame on which it did not change otherwise;
    - replaced: when it changed otherwise, it fell back to the unpoked value;
    - held: it kept the poked value although it changed otherwise;
    - stayed: it kept the poked value, and did not change otherwise;
    - strayed: any other course.
    """
    changed = np.flatnonzero(base != base[0])
    first = int(changed[0]) if len(changed) else 0
    differs = np.flatnonzero(base != poked)
    back = int(differs[-1]) + 1 if len(differs) else 0
    if back < len(base):
        quiet = base[back] == base[back - 1] if back else True
        kind: CourseKind = "rewritten" if quiet else "replaced"
        at = back
    elif not first:
        kind = "stayed" if (poked == poked[0]).all() else "strayed"
        at = 0 if kind == "stayed" else int(np.flatnonzero(poked != poked[0])[0])
    else:
        at = first
        kind = _at_change(data_type, base, poked, at)
    numbers = (int(base[0]), int(poked[0]), at, int(base[at]), int(poked[at]))
    return Course(kind, moment, *numbers, effect)


def _at_change(
    data_type: DataType, base: NDArray[np.int64], poked: NDArray[np.int64], at: int
) -> CourseKind:
    before, step = int(poked[at - 1]), int(base[at] - base[at - 1])
    if before == poked[0] and data_type.wrap(before + step) == poked[at]:
        return "carried-on"
    if (poked == poked[0]).all():
        return "held"
    return "strayed"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A ruling, and the sentences that give its reasons."""

    ruling: Ruling
    reasons: tuple[str, ...]


_ORDER: Final[tuple[CourseKind, ...]] = (
    *("carried-on", "rewritten", "replaced", "strayed", "held", "stayed"),
)


def judge(courses: Sequence[Course], source: Target | None) -> Judgement:
    """The ruling on all courses of one number; ``source`` is the number that it follows."""
    by_kind = {kind: next((c for c in courses if c.kind == kind), None) for kind in _ORDER}
    told = [_sentence(course) for course in by_kind.values() if course is not None]
    follows = [] if source is None else [f"When {source} was poked, it followed."]
    if by_kind["carried-on"] is not None:
        return Judgement("original", (_sentence(by_kind["carried-on"]),))
    if by_kind["rewritten"] is not None and source is not None:
        return Judgement("copy", (_sentence(by_kind["rewritten"]), *follows))
    if by_kind["rewritten"] is not None:
        why = "It does not keep a written value, and its source was not found."
        return Judgement("unknown", (_sentence(by_kind["rewritten"]), why))
    if by_kind["replaced"] is not None and source is not None:
        held = [_sentence(by_kind["held"])] if by_kind["held"] else []
        return Judgement("copy", (_sentence(by_kind["replaced"]), *held, *follows))
    if by_kind["replaced"] is not None:
        why = "No number that it follows was found, so the game may also set it outright."
        return Judgement("unknown", (*told, why))
    if by_kind["strayed"] is not None:
        why = "Its next values depend on the number itself."
        return Judgement("original", (_sentence(by_kind["strayed"]), why))
    if not courses:
        return Judgement("unknown", ("No other value could be written there.",))
    if any(course.effect for course in courses):
        return Judgement("original", (*told, "Nothing writes over it, and the game heeds it."))
    return Judgement("inert", (*told, "Nothing else in memory or on the screen changed with it."))


def _sentence(course: Course) -> str:
    poke = f"Poked {course.poked} instead of {course.before} at frame {course.moment}: "
    later = f"{course.frame} frame{'' if course.frame == 1 else 's'} later"
    if course.kind == "carried-on":
        what = f"the game went on from it, to {course.after} where it was {course.without}."
    elif course.kind == "rewritten":
        what = f"{later} it was {course.after} again, written anew without having changed."
    elif course.kind == "replaced":
        what = f"{later} it became {course.after} all the same, from elsewhere."
    elif course.kind == "held":
        what = f"it stayed, where it became {course.without} without the poke."
    elif course.kind == "stayed":
        what = "it stayed."
    else:
        what = f"{later} it was {course.after} where it was {course.without} without the poke."
    return poke + what
