"""Proof of a candidate: is it the variable itself, a copy of it, or neither?

A candidate is poked in a hidden core, at moments of the recording in which it is about to change.
The next frames are compared with the same frames unpoked. They show whether the game goes on from
the poked value or writes over it, which other numbers follow it, which pixels change, and at which
value it overflows. The open game goes on in the meantime.

    proof = prepare(session, [(0x306, ">d3")])     # on the thread that owns the session
    [verdict] = proof.run()                        # on any one thread"""

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, takewhile

import numpy as np
from numpy.typing import NDArray

from integrator.domain.values.memory import KINDS, MAX_WIDTH, AddressSpace, DataType, NumberKind
from integrator.session.proof import experiment as experiments
from integrator.session.proof import judge as judging
from integrator.session.proof.experiment import Experiment, Rectangle, Target
from integrator.session.proof.judge import OVERWRITTEN, Course, Ruling, Trial, TrialRunner, moves
from integrator.session.proof.plan import Predictors, Task, peers_of, plan_tasks, pokes_of
from integrator.session.searches import query_types
from integrator.session.setup.plan import SessionPlan
from integrator.session.suggestions.questions import PlayQuestions
from integrator.session.suggestions.recorded_play import Cancelled, Progress

Run = Callable[[list[tuple[int, bytes]]], NDArray[np.uint8]]
"""Writes bytes at flat offsets, runs to the number's next change, returns RAM in console order."""


@dataclass(frozen=True, slots=True)
class NumberForm:
    """The code of a number, and its type and address if an overflow showed the width."""

    code: str
    type: DataType | None
    address: int | None
    reason: str


class Overflow:
    """Finds a number's width and code by filling its bytes until a step carries over. ``before`` is
    RAM in console order before a step; ``run`` writes bytes and plays that step."""

    def __init__(self, space: AddressSpace, before: NDArray[np.uint8], run: Run) -> None:
        self._space, self._before, self._run = space, before, run
        self._base = run([])

    def probe(self, target: Target) -> NumberForm | None:
        """Return the width and code that all pokes agree with; None if they do not decide."""
        if len(target.type.endian) > 1:
            return None
        lowest = target.address + target.type.order[-1]
        known = (1,) if target.type.endian != ">" else (-1,)
        ways = known if target.type.width > 1 else (-1, 1)
        # Addresses of the widest number's bytes, the lowest digit first, in each byte order.
        places = [range(lowest, lowest + way * (MAX_WIDTH + 1), way) for way in ways]
        own = KINDS["u"] if target.type.form.signed else target.type.form
        # Try the type's kind first; other kinds fit if no digit is above nine.
        others = (each for each in KINDS.values() if each is not own and not each.signed)
        for kind in (own, *others):
            width, place = 0, places[0]
            for each in places:
                for step in self._steps(each, kind):
                    if (reached := self._overflow(each, kind, step)) > width:
                        width, place = reached, each
            if width:
                return _form(place, kind, width)
        return self._nibbles(lowest)

    def _overflow(self, place: range, kind: NumberKind, step: int) -> int:
        """Return the width: fill one more byte at a time until no carry reaches the byte above."""
        mapped = len(self._indices(place))
        for filled in range(1, MAX_WIDTH + 1):
            if filled >= mapped:
                # Memory and number end here, since the last carry reached this byte.
                return filled if filled > 1 else 0
            arrived = self._fill(place, kind, filled, step)
            if arrived is None:
                # A full number may not start again at zero. One carry may be a coincidence, so
                # at least two must have arrived.
                return filled if filled > 2 else 0
            if not arrived:
                return filled
        return MAX_WIDTH

    def _fill(self, place: range, kind: NumberKind, filled: int, step: int) -> bool | None:
        """Return True if a carry arrived above ``filled`` bytes; None if these came out wrong."""
        base, codes = kind.base, _codes(kind)
        indices = self._indices(place)[: filled + 1]
        before, untouched = self._before[indices], self._base[indices]
        others = before[:filled] & np.uint8(0xFF & ~kind.bits)
        top, digit = (base**filled - 1, base - 1) if step > 0 else (0, 0)
        offsets = [self._space.offset(address) for address in place[:filled]]
        full = (others | codes[digit]).tolist()
        after = self._run([(at, bytes([byte])) for at, byte in zip(offsets, full, strict=True)])
        after = after[indices]
        carry, rest = divmod(top + step, base**filled)
        digits = [rest // base**index % base for index in range(filled)]
        if (after[:filled] != others | codes[digits]).any():
            return None
        was, still, now = (int(kind.digits[each[filled]]) for each in (before, untouched, after))
        number = _number(kind.digits[before[:filled]], base)
        if still != was and 0 <= number + step < base**filled:
            # The byte changed without a carry into it, so it belongs to another number.
            return False
        if now == (was + carry) % base:
            return True
        return False if now == still else None

    def _steps(self, place: range, kind: NumberKind) -> tuple[int, ...]:
        """Return the steps that the game may have made, if the number has this place and kind."""
        base, indices = kind.base, self._indices(place)
        before, after = self._before[indices], self._base[indices]
        # A byte of the number is unchanged, or goes from one digit of the kind to another.
        is_code = _codes(kind)[kind.digits] == np.arange(256) & kind.bits
        others_stay = (before ^ after) & np.uint8(0xFF & ~kind.bits) == 0
        steps = is_code[before] & is_code[after] & others_stay
        known = int(np.cumprod((before == after) | steps).sum())
        changes = kind.digits[after] - kind.digits[before]
        found = []
        # A step of the game changes at most four decimal digits.
        for length in range(min(math.ceil(4 / math.log10(base)), known), 0, -1):
            step = _number(changes[:length], base)
            # A larger step is rather a smaller one with a carry into the next byte.
            if 2 * abs(step) <= base**length:
                found.append(step)
        return tuple(dict.fromkeys(step for step in found if step))

    def _indices(self, place: range) -> list[int]:
        """Return the indices of addresses in console order, up to the end of memory."""
        mapped = takewhile(self._space.region_at, place)
        return [self._space.index_of(address) for address in mapped]

    def _nibbles(self, lowest: int) -> NumberForm | None:
        """Return the code of a byte: two decimal digits or binary; None if its step is not 1."""
        before = int(self._before[self._space.index_of(lowest)])
        step = int(self._base[self._space.index_of(lowest)]) - before
        if abs(step) != 1:
            return None
        poked, decimal, binary = (0x19, 0x20, 0x1A) if step > 0 else (0x20, 0x19, 0x1F)
        offset = self._space.offset(lowest)
        after = int(self._run([(offset, bytes([poked]))])[self._space.index_of(lowest)])
        if after not in {decimal, binary}:
            return None
        code = KINDS["d" if after == decimal else "u"].code
        reason = f"0x{poked:02X} becomes 0x{after:02X} in the next step of {step:+d}: it is {code}."
        return NumberForm(code, None, None, reason)


def _codes(kind: NumberKind) -> NDArray[np.uint8]:
    return np.frombuffer(kind.codes, np.uint8)


def _number(digits: NDArray[np.int64], base: int) -> int:
    """Return the number that digits, lowest first, stand for."""
    return sum(digit * base**index for index, digit in enumerate(digits.tolist()))


def _form(place: range, kind: NumberKind, width: int) -> NumberForm:
    first = min(place[0], place[width - 1])
    endian, size = "|", "1 byte"
    if width > 1:
        endian, size = "<" if place.step > 0 else ">", f"{width} bytes"
    reason = f"It overflows as {size} of {kind.code}: filled up so far, a step carries no further."
    return NumberForm(kind.code, DataType.parse(f"{endian}{kind.letter}{width}"), first, reason)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a proof of one candidate. ``copy_of`` is the target that a copy follows, if it
    was found. ``form`` gives width and code of a number that the game counted on from a poke.
    ``rectangle`` encloses the pixels, ``pixels`` in number, that changed first,
    ``drawn_after_frames`` frames after the poke; ``drawn``, bool (height, width) of the picture, is
    true for these pixels. ``reasons`` are sentences."""

    address: int
    type: DataType
    ruling: Ruling
    reasons: tuple[str, ...]
    copy_of: Target | None = None
    form: NumberForm | None = None
    rectangle: Rectangle | None = None
    pixels: int = 0
    drawn_after_frames: int | None = None
    drawn: experiments.Pixels | None = field(default=None, compare=False, repr=False)

    @property
    def other_form(self) -> tuple[int, DataType] | None:
        """The address and type that the proof found, if they differ from the candidate's."""
        form = self.form
        if form is None or form.type is None or form.address is None:
            return None
        found = (form.address, form.type)
        return None if found == (self.address, self.type) else found


class ProofPlanner:
    """Plans a proof in several short steps, on the session's thread."""

    def __init__(self, session: PlayQuestions) -> None:
        self._session = session
        self._moments = experiments.MomentTaker(session)
        self._tasks: list[Task] = []

    def add(
        self, candidates: Iterable[tuple[int, str | DataType]], frames: Sequence[int] | None = None
    ) -> None:
        targets = []
        for address, spec in candidates:
            kind = spec if isinstance(spec, DataType) else DataType.parse(spec)
            self._session.game.memory.space.offsets(address, kind.width)
            targets.append(Target(address, kind))
        self._tasks += plan_tasks(self._session, targets, frames, self._moments)

    def planned(self) -> "ProofRun":
        """Return the proof of all added candidates, which no longer needs the session."""
        game, space = self._session.game, self._session.game.memory.space
        types = query_types(game.system.types, space.size_bytes)
        return ProofRun(game.plan, space, types, self._tasks)


def prepare(
    session: PlayQuestions,
    candidates: Iterable[tuple[int, str | DataType]],
    frames: Sequence[int] | None = None,
) -> "ProofRun":
    """Plan a proof of candidates on the session's thread. Raises DomainError."""
    planner = ProofPlanner(session)
    planner.add(candidates, frames)
    return planner.planned()


@dataclass(frozen=True, slots=True, eq=False)
class ProofRun:
    """Runs the planned pokes in a hidden core. Make it with :func:`prepare`."""

    plan: SessionPlan
    space: AddressSpace
    types: Sequence[DataType]
    tasks: Sequence[Task]

    def run(
        self, progress: Progress = lambda *_: None, cancelled: Cancelled = lambda: False
    ) -> tuple[Verdict, ...]:
        """Return a verdict on each candidate that was poked before a cancel. Raises HostError."""
        steps = 2 * len(self.tasks)
        trials: list[Trial] = []
        tried: list[Task] = []
        verdicts: list[Verdict] = []
        with closing(Experiment(self.plan, self.space)) as experiment:
            runner = TrialRunner(experiment, [task.target for task in self.tasks])
            for task in self.tasks:
                if cancelled():
                    break
                for moment in task.moments:
                    trials += runner.trials(task.target, moment)
                tried.append(task)
                progress(len(tried), steps)
            for task in tried:
                verdicts.append(self._verdict(experiment, task, trials))
                progress(len(self.tasks) + len(verdicts), steps)
        return tuple(verdicts)

    def _verdict(self, experiment: Experiment, task: Task, trials: Sequence[Trial]) -> Verdict:
        own = [trial for trial in trials if trial.target == task.target]
        courses = [trial.course for trial in own]
        source = None
        kinds = {course.kind for course in courses}
        # If the game went on from a poke, the number is an original, and needs no source.
        if OVERWRITTEN & kinds and "carried-on" not in kinds:
            source = judging.source_followed(task.target, trials)
            # With more than four targets, sources are found only among the targets.
            if source is None and len(self.tasks) <= 4:
                source = self._source(experiment, task, courses)
        ruling, why = judging.judge(courses, source)
        reasons = list(why)
        after, pixels = _drawn(own) or (None, None)
        rectangle = None if pixels is None else Rectangle.around(pixels)
        if pixels is None:
            reasons.append("The picture stayed as it was.")
        else:
            later = "the next frame" if after == 1 else f"{after} frames later"
            reasons.append(f"The picture changed with it, {later}: {rectangle}.")
        form = self._form(experiment, own) if ruling == "original" else None
        if form is not None:
            reasons.append(form.reason)
        elif ruling == "original":
            reasons.append("Its width and code are unknown: no step carried out of a poked byte.")
        return Verdict(
            task.target.address,
            task.target.type,
            ruling,
            tuple(reasons),
            copy_of=source if ruling == "copy" else None,
            form=form,
            rectangle=rectangle,
            pixels=0 if pixels is None else int(pixels.sum()),
            drawn_after_frames=after,
            drawn=pixels,
        )

    def _source(
        self, experiment: Experiment, task: Task, courses: Sequence[Course]
    ) -> Target | None:
        """Return a number whose poke moves the target: an equal one, or else any byte that does."""
        peers = peers_of(task, self.space, self.types)
        runner = TrialRunner(experiment, [task.target, *peers], pictures=False)
        found = None
        for peer in peers:
            trials: list[Trial] = []
            # Two moments other than the present one are enough for a peer.
            for moment in task.moments[1:3] or task.moments:
                trials += runner.trials(peer, moment)
                both = ((each.poked[task.target], each.base[task.target]) for each in trials)
                if all(np.array_equal(poked, base) for poked, base in both):
                    break
            if judging.source_followed(task.target, trials) or moves(task.target, trials):
                if any(trial.course.kind == "carried-on" for trial in trials):
                    return peer
                found = found or peer
        return found or self._predictor(experiment, task, courses)

    def _predictor(
        self, experiment: Experiment, task: Task, courses: Sequence[Course]
    ) -> Target | None:
        course = next(each for each in courses if each.kind in OVERWRITTEN)
        moment = next(each for each in task.moments if each.frame == course.moment)
        predictors = Predictors(
            experiment, task.target, moment, min(course.frame + 1, len(moment.inputs))
        )
        found, others = None, []
        # Only twelve predictors are poked further, because each takes many runs.
        for predictor in islice(predictors.found(task.suspects), 12):
            runner = TrialRunner(experiment, [task.target, predictor], pictures=False)
            byte = int(moment.ram[self.space.offset(predictor.address)])
            trials = runner.trials(predictor, moment, pokes_of(byte))
            if moves(task.target, trials):
                if not any(trial.course.kind in OVERWRITTEN for trial in trials):
                    return predictor
                found = found or predictor
            others.append(predictor if judging.switches(task.target, trials) else None)
        # A number that the game always rewrites is no original, so a single predictor is enough.
        if found is None and len(others) == 1 and all(each.kind == "rewritten" for each in courses):
            return others[0]
        return found

    def _form(self, experiment: Experiment, own: Sequence[Trial]) -> NumberForm | None:
        for trial in own:
            if trial.course.kind == "carried-on":
                before = self.space.logical(trial.moment.ram)
                after = partial(self._after, experiment, trial)
                form = Overflow(self.space, before, after).probe(trial.target)
                if form is not None:
                    return form
        return None

    def _after(
        self, experiment: Experiment, trial: Trial, writes: experiments.Writes
    ) -> NDArray[np.uint8]:
        """Return RAM in console order at a trial's next change of the number, after writes."""
        frames = trial.course.frame
        fork = experiment.fork(trial.moment, (), writes, frames=frames, pictures=False)
        return self.space.logical(fork.ram)


def _drawn(own: Sequence[Trial]) -> experiments.FirstDifference | None:
    """Return the pixels that changed soonest in all pokes of the first moment that shows any."""
    moment = next((trial.moment for trial in own if trial.drawn is not None), None)
    drawn = [trial.drawn for trial in own if trial.moment is moment and trial.drawn is not None]
    if not drawn:
        return None
    soonest = min(frame for frame, _ in drawn)
    alike = [pixels for frame, pixels in drawn if frame == soonest]
    alike = [pixels for pixels in alike if pixels.shape == alike[0].shape]
    return soonest, np.logical_or.reduce(alike)
