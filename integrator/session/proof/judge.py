"""Pokes candidates, and judges them by the courses that the poked numbers took."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import DataTypeError
from integrator.domain.values.memory import DataType
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
"""A word for the course of a poked number; see :func:`course_of`."""
OVERWRITTEN: Final[frozenset[CourseKind]] = frozenset(("rewritten", "replaced"))
"""The courses in which the game wrote over the poked number."""
Ruling = Literal["original", "copy", "inert", "unknown"]


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a number after a poke at ``moment``, compared with its course without the poke.
    ``frame`` counts from the moment to the frame that decides the course; it is 0 if none does.
    ``without`` and ``after`` are the number on that frame, unpoked and poked. ``effect`` is true if
    anything else, in memory or on the screen, came out differently."""

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
    """Name the course of ``poked`` compared with ``base``, after frames 0 (the poke) to n.

    - carried-on: when the unpoked number changed, the poked one changed by the same amount;
    - rewritten: it went back to the unpoked value on a frame without a change of the latter;
    - replaced: it went back to the unpoked value on a frame on which the latter changed;
    - held: it kept the poked value although the unpoked number changed;
    - stayed: it kept the poked value, and the unpoked number did not change;
    - strayed: any other course."""
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
    """Return a ruling on all courses of a number that may follow ``source``, with reasons."""
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


Series = Mapping[Target, NDArray[np.int64]]  # numbers after frames 0 (before the run) to n


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A poke of ``target`` and all watched numbers; ``spread`` is the share of bytes it changed."""

    target: Target
    moment: Moment
    base: Series
    poked: Series
    course: Course
    drawn: FirstDifference | None
    spread: float


class TrialRunner:
    """Makes trials of targets that record the ``watched`` numbers; cheaper without ``pictures``."""

    def __init__(
        self, experiment: Experiment, watched: Sequence[Target], *, pictures: bool = True
    ) -> None:
        self._experiment, self._pictures = experiment, pictures
        self._watched = tuple(dict.fromkeys(watched))
        specs = (VariableSpec(str(n), one.address, one.type) for n, one in enumerate(self._watched))
        self._reader = VariableReader({spec.name: spec for spec in specs}, experiment.space)
        self._bases: dict[Moment, tuple[Fork, Series]] = {}

    def trials(
        self, target: Target, moment: Moment, values: Sequence[int] | None = None
    ) -> list[Trial]:
        """Poke ``values``, or several others, into ``target``; skip pokes that end the core."""
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
        # Bits that do not belong to the number stay unchanged.
        data = np.frombuffer(target.type.encode(value), np.uint8)
        data = data | (moment.ram[offsets] & np.uint8(0xFF & ~target.type.form.bits))
        pairs = zip(offsets.tolist(), data.tolist(), strict=True)
        try:
            fork, poked = self._run(moment, [(offset, bytes([byte])) for offset, byte in pairs])
        except (CoreCrashed, CoreHung):
            return None  # the next fork starts a new core
        drawn = experiments.difference(base.pictures, fork.pictures)
        elsewhere = base.ram != fork.ram
        elsewhere[offsets] = False
        effect = drawn is not None or bool(elsewhere.any())
        numbers = before[target], poked[target]
        course = course_of(moment.frame, target.type, *numbers, effect=effect)
        return Trial(target, moment, before, poked, course, drawn, float(elsewhere.mean()))


def _pokes(data_type: DataType, numbers: NDArray[np.int64]) -> list[int]:
    """Return values to poke: a bit more, a bit less, and all digits changed. None of them differs
    by a step that the game itself makes."""
    value = int(numbers[0])
    steps = np.unique(np.abs(np.diff(numbers)))
    # These are more numbers than a fork has steps.
    away = next(k for k in (1, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37) if k not in steps)
    digits = "".join(str(int(digit) + 1 if digit < "9" else 8) for digit in str(abs(value)))
    ways = (value + away, value - away, int(digits) * (-1 if value < 0 else 1), value + away + 1)
    found = []
    for other in dict.fromkeys(ways):
        with suppress(DataTypeError):
            data_type.encode(other)
            found.append(other)
    return found[:3]  # each is a run of the game


# A copy shows the difference on more than this share of the frames on which its source differs.
_FOLLOWED_SHARE: Final = 0.5


def source_followed(target: Target, trials: Sequence[Trial]) -> Target | None:
    """Return a number whose poke moves ``target`` by the same difference; prefer originals."""
    originals = {trial.target for trial in trials if trial.course.kind == "carried-on"}
    shares: dict[Target, float] = {}
    for trial in trials:
        if not trial.target.overlaps(target) and trial.course.kind != "rewritten":
            # The share of frames with a difference on which the target has the same difference.
            own = trial.poked[target] - trial.base[target]
            lead = trial.poked[trial.target] - trial.base[trial.target]
            share = float((own == lead)[lead != 0].mean()) if lead.any() else 0.0
            shares[trial.target] = max(share, shares.get(trial.target, 0.0))
    found = [other for other, share in shares.items() if share >= _FOLLOWED_SHARE]
    found.sort(key=lambda other: (other not in originals, -shares[other]))
    return found[0] if found else None


def moves(target: Target, trials: Sequence[Trial]) -> bool:
    """Return True if several pokes move the target to different numbers."""
    if any(trial.course.kind == "rewritten" for trial in trials):
        return False
    # A poke that changes more of memory has led the game to another scene.
    calm = [trial for trial in trials if trial.spread <= 0.2]
    moved = [trial for trial in calm if _moved_share(target, trial) >= _FOLLOWED_SHARE]
    pairs = (pair for pair in combinations(moved, 2) if pair[0].moment is pair[1].moment)
    differs = any((one.poked[target] != other.poked[target]).any() for one, other in pairs)
    return differs and len(moved) >= max(2, len(trials) * 0.3)


def switches(target: Target, trials: Sequence[Trial]) -> bool:
    """Return True if most pokes last and move the target, even to one number, as for an icon."""
    if any(trial.course.kind in OVERWRITTEN for trial in trials):
        return False
    moved = [trial for trial in trials if _moved_share(target, trial) >= _FOLLOWED_SHARE]
    return len(moved) > max(1, len(trials) / 2)


def _moved_share(target: Target, trial: Trial) -> float:
    """Return the share of frames with a poked difference on which the target differs, too."""
    lead = trial.poked[trial.target] != trial.base[trial.target]
    moved = trial.poked[target] != trial.base[target]
    return float(moved[lead].mean()) if lead.any() else 0.0
