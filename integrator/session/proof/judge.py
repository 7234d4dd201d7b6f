"""Pokes candidates and judges proofs: from the courses that a poked number took to a ruling."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DataTypeError
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableReader, VariableSpec
from integrator.session.proof import experiment as experiments
from integrator.session.proof.experiment import (
    Experiment,
    FirstDifference,
    Fork,
    Moment,
    Target,
    Writes,
)
from libretro_host.errors import CoreCrashed, CoreHung

CourseKind = Literal["carried-on", "rewritten", "replaced", "held", "stayed", "strayed"]
"""The course of a poked number in a word; see :func:`course_of`."""
OVERWRITTEN: Final[frozenset[CourseKind]] = frozenset(("rewritten", "replaced"))
"""Courses of numbers into which the game wrote another one after the poke."""
Ruling = Literal["original", "copy", "inert", "unknown"]


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a number after a poke at ``moment``, and its course without.

    ``frame`` counts from the moment to the frame that decides the course; 0 when nothing happened.
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
    """Name the course of ``poked`` against ``base``, numbers after frames 0 (the poke) to n.

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
        at, step = first, int(base[first] - base[first - 1])
        kept = poked[at - 1] == poked[0]
        if kept and data_type.wrap(int(poked[0]) + step) == poked[at]:
            kind = "carried-on"
        else:
            kind = "held" if (poked == poked[0]).all() else "strayed"
    numbers = (int(base[0]), int(poked[0]), at, int(base[at]), int(poked[at]))
    return Course(kind, moment, *numbers, effect)


_COURSES: Final[Mapping[CourseKind, str]] = {
    "carried-on": "the game went on from it, to {after} where it was {without}.",
    "rewritten": "{later} it was {after} again, rewritten without having changed.",
    "replaced": "{later} it became {after} all the same, from elsewhere.",
    "strayed": "{later} it was {after} where it was {without} without the poke.",
    "held": "it stayed, where it became {without} without the poke.",
    "stayed": "it stayed.",
}


def judge(courses: Sequence[Course], source: Target | None) -> tuple[Ruling, tuple[str, ...]]:
    """The ruling on all courses of one number, with its reasons; ``source``: what it follows."""
    firsts, lines = {course.kind: course for course in reversed(courses)}, dict[str, str]()
    for kind in sorted(firsts, key=[*_COURSES].index):
        course = firsts[kind]
        poke = f"Poked {course.poked} instead of {course.before} at frame {course.moment}: "
        later = f"{course.frame} frame{'' if course.frame == 1 else 's'} later"
        words = {"later": later, "after": course.after, "without": course.without}
        lines[kind] = poke + _COURSES[kind].format(**words)
    follows = f"When {source} was poked, it followed."
    if "carried-on" in lines:
        return "original", (lines["carried-on"],)
    if "rewritten" in lines:
        if source is not None:
            return "copy", (lines["rewritten"], follows)
        why = "It does not keep a written value, and its source was not found."
        return "unknown", (lines["rewritten"], why)
    if "replaced" in lines:
        if source is not None:
            held = [lines[kind] for kind in ("replaced", "held") if kind in lines]
            return "copy", (*held, follows)
        why = "No number that it follows was found, so the game may also set it outright."
        return "unknown", (*lines.values(), why)
    if "strayed" in lines:
        return "original", (lines["strayed"], "Its next values depend on the number itself.")
    if not courses:
        return "unknown", ("No other value could be written there.",)
    if any(course.effect for course in courses):
        return "original", (*lines.values(), "Nothing writes over it, and the game heeds it.")
    return "inert", (*lines.values(), "Nothing else in memory or on the screen changed with it.")


Series = Mapping[Target, NDArray[np.int64]]
"""For each target its number after frames 0 (before any has run) to n."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One poke of ``target`` and all watched numbers; ``spread``: share of bytes that differ."""

    target: Target
    moment: Moment
    base: Series
    poked: Series
    course: Course
    drawn: FirstDifference | None
    spread: float


class TrialRunner:
    """Makes trials on targets, each reporting the ``watched``; cheaper without ``pictures``."""

    def __init__(
        self, experiment: Experiment, watched: Sequence[Target], *, pictures: bool = True
    ) -> None:
        self._experiment = experiment
        self._pictures = pictures
        self._watched = tuple(dict.fromkeys(watched))
        specs = (VariableSpec(str(n), one.address, one.type) for n, one in enumerate(self._watched))
        self._reader = VariableReader({spec.name: spec for spec in specs}, experiment.space)
        self._bases: dict[Moment, tuple[Fork, Series]] = {}

    def trials(
        self, target: Target, moment: Moment, values: Sequence[int] | None = None
    ) -> list[Trial]:
        """Poke ``target`` in several ways, or ``values``; pokes that end the core are left out."""
        if values is None:
            values = _pokes(target.type, self._base(moment)[1][target])
        trials = (self._trial(moment, target, value) for value in values)
        return [trial for trial in trials if trial is not None]

    def _run(self, moment: Moment, writes: Writes = ()) -> tuple[Fork, Series]:
        fork = self._experiment.fork(moment, self._reader.ranges, writes, pictures=self._pictures)
        columns = self._reader.read_ranges(fork.watched)
        return fork, {target: columns[str(k)] for k, target in enumerate(self._watched)}

    def _base(self, moment: Moment) -> tuple[Fork, Series]:
        if moment not in self._bases:
            self._bases[moment] = self._run(moment)
        return self._bases[moment]

    def _trial(self, moment: Moment, target: Target, value: int) -> Trial | None:
        base, before = self._base(moment)
        offsets = self._experiment.space.offsets(target.address, target.type.width)
        # Bits that are no part of the number are left alone.
        data = np.frombuffer(target.type.encode(value), np.uint8)
        data = data | (moment.ram[offsets] & np.uint8(0xFF & ~target.type.form.bits))
        pairs = zip(offsets.tolist(), data.tolist(), strict=True)
        try:
            fork, poked = self._run(moment, [(offset, bytes([byte])) for offset, byte in pairs])
        except (CoreCrashed, CoreHung):
            # The experiment starts a new core for the next fork.
            return None
        drawn = experiments.difference(base.pictures, fork.pictures)
        elsewhere = base.ram != fork.ram
        elsewhere[offsets] = False
        effect = drawn is not None or bool(elsewhere.any())
        numbers = before[target], poked[target]
        course = course_of(moment.frame, target.type, *numbers, effect=effect)
        return Trial(target, moment, before, poked, course, drawn, float(elsewhere.mean()))


def _pokes(data_type: DataType, numbers: NDArray[np.int64]) -> list[int]:
    """Values to poke, other than the game's own step: a bit more, less, and all digits."""
    value = int(numbers[0])
    steps = np.unique(np.abs(np.diff(numbers)))
    # More of them than a fork has steps.
    away = next(k for k in (1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37) if k not in steps)
    digits = "".join(str(int(digit) + 1 if digit < "9" else 8) for digit in str(abs(value)))
    ways = (value + away, value - away, int(digits) * (-1 if value < 0 else 1), value + away + 1)
    found = []
    for other in dict.fromkeys(ways):
        with suppress(DataTypeError):
            data_type.encode(other)
            found.append(other)
    return found[:3]  # each is a run of the game


# Of the frames on which a poked number differs, a copy has the difference on more than this share.
_FOLLOWED_SHARE: Final = 0.5


def source_followed(target: Target, trials: Sequence[Trial]) -> Target | None:
    """The number that moves ``target`` by the same difference when poked; originals first."""
    originals = {trial.target for trial in trials if trial.course.kind == "carried-on"}
    shares: dict[Target, float] = {}
    for trial in trials:
        if not trial.target.overlaps(target) and trial.course.kind != "rewritten":
            # Share of the frames with a difference on which the target had the same one.
            own = trial.poked[target] - trial.base[target]
            lead = trial.poked[trial.target] - trial.base[trial.target]
            share = float((own == lead)[lead != 0].mean()) if lead.any() else 0.0
            shares[trial.target] = max(share, shares.get(trial.target, 0.0))
    found = [other for other, share in shares.items() if share >= _FOLLOWED_SHARE]
    found.sort(key=lambda other: (other not in originals, -shares[other]))
    return found[0] if found else None


def moves(target: Target, trials: Sequence[Trial]) -> bool:
    """True when several pokes move the target to different numbers."""
    if any(trial.course.kind == "rewritten" for trial in trials):
        return False
    # A poke that changes more of memory has led the game elsewhere.
    calm = [trial for trial in trials if trial.spread <= 0.2]
    moved = [trial for trial in calm if _moved_share(target, trial) >= _FOLLOWED_SHARE]
    pairs = (pair for pair in combinations(moved, 2) if pair[0].moment is pair[1].moment)
    told_apart = any((one.poked[target] != other.poked[target]).any() for one, other in pairs)
    return told_apart and len(moved) >= max(2, len(trials) * 0.3)


def switches(target: Target, trials: Sequence[Trial]) -> bool:
    """True when most pokes last and move the target, be it to the same number: an icon."""
    if any(trial.course.kind in OVERWRITTEN for trial in trials):
        return False
    moved = [trial for trial in trials if _moved_share(target, trial) >= _FOLLOWED_SHARE]
    return len(moved) > max(1, len(trials) / 2)


def _moved_share(target: Target, trial: Trial) -> float:
    """Share of the frames with a difference on which the target had one."""
    lead = trial.poked[trial.target] != trial.base[trial.target]
    moved = trial.poked[target] != trial.base[target]
    return float(moved[lead].mean()) if lead.any() else 0.0
