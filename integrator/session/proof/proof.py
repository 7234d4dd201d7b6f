"""Proof of a candidate: is it the variable itself, a copy of it, or neither?

A candidate is poked in a hidden core, at moments of the recording in which it is about to change.
The next frames are compared with the same frames unpoked. They show whether the game goes on from
the poked value or writes over it, which other numbers follow it, which pixels change, and at which
value it overflows. The open game goes on meanwhile.

    proof = prepare(session, [(0x306, ">d3")])     # on the thread that owns the session
    [verdict] = proof.run()                        # on any one thread
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from integrator.domain.values.datatype import DataType
from integrator.domain.values.memory import AddressSpace
from integrator.session.proof import judge as judging
from integrator.session.proof import lab as labs
from integrator.session.proof.judge import OVERWRITTEN, Bench, Course, Ruling, Trial, moves
from integrator.session.proof.lab import Laboratory, Rectangle, Target
from integrator.session.proof.plan import Leaders, Task, peers_of, plan_tasks, pokes_of
from integrator.session.proof.width import NumberForm, Overflow
from integrator.session.searches import query_types
from integrator.session.setup.plan import SessionPlan
from integrator.session.suggestions.recorded_play import Cancelled, Progress


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a proof of one candidate.

    ``copy_of`` is the target that a copy follows, where it was found. ``form`` gives width and
    code of a number that the game changed on from a poke. ``rectangle`` holds the ``pixels`` pixels
    that changed with it, first ``drawn_after_frames`` frames after the poke; ``drawn`` is true for
    these pixels, bool (height, width) of the picture. ``reasons`` are sentences.
    """

    address: int
    type: DataType
    ruling: Ruling
    reasons: tuple[str, ...]
    copy_of: Target | None = None
    form: NumberForm | None = None
    rectangle: Rectangle | None = None
    pixels: int = 0
    drawn_after_frames: int | None = None
    drawn: labs.Pixels | None = field(default=None, compare=False, repr=False)

    @property
    def other_form(self) -> tuple[int, DataType] | None:
        """Address and type that the proof found, where they are not the candidate's own."""
        form = self.form
        if form is None or form.type is None or form.address is None:
            return None
        found = (form.address, form.type)
        return None if found == (self.address, self.type) else found


class ProofPlanner:
    """Plans a proof in several short goes, on the session's thread."""

    def __init__(self, session: labs.ProvenGame) -> None:
        self._session = session
        self._moments = labs.MomentTaker(session)
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
        """The proof of all added candidates; it does not need the session any more."""
        game, space = self._session.game, self._session.game.memory.space
        types = query_types(game.system.types, space.size_bytes)
        return ProofRun(game.plan, space, types, self._tasks)


def prepare(
    session: labs.ProvenGame,
    candidates: Iterable[tuple[int, str | DataType]],
    frames: Sequence[int] | None = None,
) -> "ProofRun":
    """Plan a proof of candidates on the session's thread. Raises DomainError."""
    planner = ProofPlanner(session)
    planner.add(candidates, frames)
    return planner.planned()


@dataclass(frozen=True, slots=True, eq=False)
class ProofRun:
    """Runs the planned pokes in a core of its own. Make it with :func:`prepare`."""

    plan: SessionPlan
    space: AddressSpace
    types: Sequence[DataType]
    tasks: Sequence[Task]

    def run(
        self, progress: Progress = lambda *_: None, cancelled: Cancelled = lambda: False
    ) -> tuple[Verdict, ...]:
        """A verdict for each candidate that was poked before a cancel. Raises HostError."""
        steps = 2 * len(self.tasks)
        trials: list[Trial] = []
        tried: list[Task] = []
        verdicts: list[Verdict] = []
        with Laboratory(self.plan, self.space) as lab:
            bench = Bench(lab, [task.target for task in self.tasks])
            for task in self.tasks:
                if cancelled():
                    break
                for moment in task.moments:
                    trials += bench.trials(task.target, moment)
                tried.append(task)
                progress(len(tried), steps)
            for task in tried:
                verdicts.append(self._verdict(lab, task, trials))
                progress(len(self.tasks) + len(verdicts), steps)
        return tuple(verdicts)

    def _verdict(self, lab: Laboratory, task: Task, trials: Sequence[Trial]) -> Verdict:
        own = [trial for trial in trials if trial.target == task.target]
        courses = [trial.course for trial in own]
        source = None
        kinds = {course.kind for course in courses}
        # The game went on from a poke, so the number is an original anyway.
        if OVERWRITTEN & kinds and "carried-on" not in kinds:
            source = judging.source_followed(task.target, trials)
            # With more targets, sources are sought among the targets alone, not in all RAM.
            if source is None and len(self.tasks) <= 4:
                source = self._source(lab, task, courses)
        ruling, told = judging.judge(courses, source)
        reasons = list(told)
        after, pixels = _drawn(own) or (None, None)
        rectangle = None if pixels is None else Rectangle.around(pixels)
        if pixels is None:
            reasons.append("The picture stayed as it was.")
        else:
            later = "the next frame" if after == 1 else f"{after} frames later"
            reasons.append(f"The picture changed with it, {later}: {rectangle}.")
        form = self._form(lab, own) if ruling == "original" else None
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

    def _source(self, lab: Laboratory, task: Task, courses: Sequence[Course]) -> Target | None:
        """A number that moves the target when poked: equal ones first, then bytes next to it."""
        peers = peers_of(task, self.space, self.types)
        bench = Bench(lab, [task.target, *peers], pictures=False)
        found = None
        for peer in peers:
            trials: list[Trial] = []
            # Two moments besides the present one suffice for a peer.
            for moment in task.moments[1:3] or task.moments:
                trials += bench.trials(peer, moment)
                both = ((each.poked[task.target], each.base[task.target]) for each in trials)
                if all(np.array_equal(poked, base) for poked, base in both):
                    break
            if judging.source_followed(task.target, trials) or moves(task.target, trials):
                if any(trial.course.kind == "carried-on" for trial in trials):
                    return peer
                found = found or peer
        return found or self._leader(lab, task, courses)

    def _leader(self, lab: Laboratory, task: Task, courses: Sequence[Course]) -> Target | None:
        course = next(each for each in courses if each.kind in OVERWRITTEN)
        moment = next(each for each in task.moments if each.frame == course.moment)
        leaders = Leaders(lab, task.target, moment, min(course.frame + 1, len(moment.inputs)))
        found, others = None, []
        # Twelve leaders are poked further, because each takes many runs.
        for leader in islice(leaders.found(task.suspects), 12):
            bench = Bench(lab, [task.target, leader], pictures=False)
            byte = int(moment.ram[self.space.offsets(leader.address, 1)[0]])
            trials = bench.trials(leader, moment, pokes_of(byte))
            if moves(task.target, trials):
                if not any(trial.course.kind in OVERWRITTEN for trial in trials):
                    return leader
                found = found or leader
            others.append(leader if judging.switches(task.target, trials) else None)
        # A number that the game rewrites on any frame is no original: its only leader is enough.
        if found is None and len(others) == 1 and all(each.kind == "rewritten" for each in courses):
            return others[0]
        return found

    def _form(self, lab: Laboratory, own: Sequence[Trial]) -> NumberForm | None:
        for trial in own:
            if trial.course.kind == "carried-on":
                before = self.space.logical(trial.moment.ram)
                after = partial(self._after, lab, trial)
                form = Overflow(self.space, before, after).probe(trial.target)
                if form is not None:
                    return form
        return None

    def _after(self, lab: Laboratory, trial: Trial, writes: labs.Writes) -> NDArray[np.uint8]:
        """RAM in console order when the number of a trial has changed next, after writes."""
        frames = trial.course.frame
        fork = lab.fork(trial.moment, (), writes, frames=frames, pictures=False)
        return self.space.logical(fork.ram)


def _drawn(own: Sequence[Trial]) -> labs.FirstDifference | None:
    """The pixels that changed soonest over all pokes of one moment, the first that shows any."""
    moment = next((trial.moment for trial in own if trial.drawn is not None), None)
    drawn = [trial.drawn for trial in own if trial.moment is moment and trial.drawn is not None]
    if not drawn:
        return None
    soonest = min(frame for frame, _ in drawn)
    alike = [pixels for frame, pixels in drawn if frame == soonest]
    alike = [pixels for pixels in alike if pixels.shape == alike[0].shape]
    return soonest, np.logical_or.reduce(alike)
