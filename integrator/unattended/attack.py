"""Attacks a reward: searches for short loops of buttons that earn repeatedly without playing. From
some moments of random play, loops are repeated on saved states, and the best are changed and tried
again. The loops that earn most are then played for a minute each, and judged by the rules of the
audit and by the screen: a loop that pays in situations that come back is farming."""

import itertools
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.play import ScoredPlay, Trap
from integrator.domain.errors import IntegratorError
from integrator.env.emulator import Emulator, EmulatorState, FrameScore
from integrator.session.audit import AuditJob, AuditResult, audit_as, failed_job, play_buttons
from integrator.session.opening import plan_session
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from libretro_host.processes.worker_process import WorkerPool

FRAMES: Final = 80_000  # Frames of the search, about fifteen seconds of a fast core.
_TRIED_FRAMES: Final = 480
_HOLD_FRAMES: Final = (4, 90)
_WAYS: Final = (("LEFT", "RIGHT"), ("UP", "DOWN"))

Loop = tuple[tuple[int, int], ...]  # (mask, frames), one after the other.


@dataclass(frozen=True, slots=True)
class Farmed:
    """A loop that earns without playing, the audit's trap, and its movie if it was recorded."""

    per_minute: float
    trap: Trap
    movie: Path | None = None


def attack(
    game: Path | SessionPlan,
    *,
    seed: int = 0,
    frames: int = FRAMES,
    record: Path | None = None,
    state: str | None = None,
) -> list[Farmed]:
    """Return the loops that farm the reward of an integration, the best first.

    ``record`` is a folder for movies of them. The core of a plan runs in this process. Raises
    SessionError, DocumentError, HostError."""
    plan = game if isinstance(game, SessionPlan) else plan_session(game, isolated=False)
    plan = replace(plan, state=state or plan.state)
    with closing(Emulator(plan)) as emulator:
        loops = _Search(emulator, tuple(play_buttons(plan.descriptor)), seed, frames).best()
    found = []
    for number, (prefix, loop) in enumerate(loops):
        rows = np.concatenate([prefix, _repeated(loop, 3600)])  # The loop is played for a minute.
        movie = None if record is None else record / f"attack-{number}.bk2"
        found += _findings(plan, movie, rows)
    return sorted(found, key=lambda one: -one.per_minute)


def _findings(plan: SessionPlan, movie: Path | None, rows: NDArray[np.uint16]) -> list[Farmed]:
    """Play masks from the start state on, and return the audit's trap if they go on earning."""
    masks = np.zeros((len(rows), plan.players), np.uint16)
    masks[:, 0] = rows
    job = AuditJob(plan.integration.directory, movie=movie)
    with Session(plan) as session:
        # A reset runs the first row.
        [result] = audit_as(job, session, [session.integration], masks[1:])
        play = result.play
        kinds = {"farming", "repaid", "reward-without-input", "done-alive", "jump"}
        traps = [
            trap
            for trap in result.traps
            if trap.kind in kinds and trap.is_serious
            if trap.kind != "farming" or play is None or not _advances(session, play, trap)
        ]
    if play is None or not traps:
        return []
    kept = play.rewards[play.until_done].astype(np.float64)
    later = slice(len(kept) // 2, len(kept))
    # A trap does not count if penalties take back most of what its term pays.
    paid = [play.terms.get(each.term, play.rewards)[later] for each in traps]
    traps = [t for t, each in zip(traps, paid, strict=True) if 2 * each.sum() > each.clip(0).sum()]
    if not traps or kept[later].sum() <= 0:
        return []
    per_minute = float(kept.sum()) * 60 * play.fps / len(kept)
    return [Farmed(round(per_minute, 4), traps[0], movie)]


def _advances(session: Session, play: ScoredPlay, trap: Trap) -> bool:
    """Return True if the screen at the last payments differs for good from that at the first ones.
    The presses of a loop come back in any game, so its payments alone do not prove farming."""
    first, last = trap.frames
    paid = (np.flatnonzero(play.rewards[first - 1 : last] > 0) + first).tolist()
    frames = [session.timeline.seek(frame).frame for frame in (*paid[:3], *paid[-3:])]
    shown = [frame.rgb() for frame in frames if frame is not None]
    if len(shown) < 6 or len({picture.shape for picture in shown}) > 1:
        return False
    early, late = np.array(shown[:3]), np.array(shown[3:])
    rests = (early == early[0]).all(axis=0) & (late == late[0]).all(axis=0)
    # A score has fewer pixels than 2% of the picture.
    return bool((rests & (early[0] != late[0])).any(axis=-1).mean() > 0.02)


def _repeated(loop: Loop, frames: int) -> NDArray[np.uint16]:
    once = np.repeat([mask for mask, _ in loop], [length for _, length in loop])
    return np.resize(once, frames).astype(np.uint16)


_Tried = tuple[tuple[float, ...], int, Loop]
"""A loop's reward and then the way of each variable; the number of its moment; and the loop."""
_Moment = tuple[EmulatorState, NDArray[np.uint16]]
"""A state of random play, and the rows that lead to it."""


def _best(tried: Sequence[_Tried], aim: int, most: int) -> list[_Tried]:
    return sorted(tried, key=lambda each: -each[0][aim])[:most]


class _Search:
    """Evolves loops on saved states, as far as a budget of frames goes."""

    def __init__(self, emulator: Emulator, buttons: Sequence[int], seed: int, frames: int) -> None:
        self._emulator = emulator
        allowed = {mask for group in emulator.actions.groups for mask in group}
        self._masks = [mask for mask in buttons if mask in allowed] or list(buttons)
        self._random = np.random.default_rng([seed, len(buttons)])
        self._left = frames
        self._players = emulator.plan.players

    def best(self) -> list[tuple[NDArray[np.uint16], Loop]]:
        """Return the loops that earn most, and the best plain ones, whose traps are the clearest.

        Each has the rows that lead to the moment at which it was tried."""
        found: list[_Tried] = []
        moments = self._moments()
        turns = itertools.cycle(range(len(moments)))
        # Plain loops come first: they press two buttons in turn, at several paces.
        pairs = [(a, b) for a in self._masks for b in (*self._masks, 0) if a < b or b == 0]
        plain: list[Loop] = [((a, pace), (b, pace)) for pace in (48, 16, 96) for a, b in pairs]
        # Moving back and forth pays only at some places, so it is tried at all moments.
        names = self._emulator.plan.descriptor.buttons
        ways = [{1 << names.index(one) for one in way if one in names} for way in _WAYS]
        loops = [each for each in plain if {mask for mask, _ in each} in ways]
        tried = [*zip(turns, plain, strict=False), *itertools.product(range(len(moments)), loops)]
        drawn = iter(lambda: (next(turns), self._next(found)), None)
        for moment, loop in itertools.chain(tried, drawn):
            if self._left <= 0:
                break
            found.append((self._earned(moments[moment], loop), moment, loop))
        paid = sorted((each for each in found if each[0][0] > 0), key=lambda each: -each[0][0])
        kept = [each for each in paid if each[2] in plain]
        # These loops press one button and let it go.
        of_one = [each for each in kept if each[2][1][0] == 0]
        # A term that pays little is farmed by the loops that move its number most.
        moving = [_best(paid, aim, 1) for aim in range(1, len(found[0][0]))] if found else []
        chosen = dict.fromkeys((*paid[:2], *kept[:1], *of_one[:2], *itertools.chain(*moving)))
        return [(moments[moment][1], loop) for _, moment, loop in chosen]

    def _moments(self) -> list[_Moment]:
        emulator = self._emulator
        name = emulator.default_state
        emulator.begin(emulator.read_state(name), name)
        rows = np.zeros(1, np.uint16)
        found = [(emulator.clone(), rows)]
        # Three moments of play, four seconds apart.
        while len(found) < 3:
            masks = _repeated(self._drawn(), 240)
            for mask in masks.tolist():
                if self._step(mask).done:
                    return found
            rows = np.concatenate([rows, masks])
            found.append((emulator.clone(), rows))
        return found

    def _step(self, mask: int) -> FrameScore:
        self._emulator.run((mask, *(0,) * (self._players - 1)))
        self._left -= 1
        return self._emulator.score()

    def _earned(self, moment: _Moment, loop: Loop) -> tuple[float, ...]:
        """Return the reward of a repeated loop in its three poorest quarters, then up to six ways.
        A way is the sum of a variable's steps up and down, without jumps above 16."""
        self._emulator.restore(moment[0])
        rewards, seen = np.zeros(_TRIED_FRAMES), []
        for frame, mask in enumerate(_repeated(loop, _TRIED_FRAMES).tolist()):
            scored = self._step(mask)
            rewards[frame] = scored.rewards[0]
            seen.append([*scored.values.values()][:6])
            if scored.done or (frame == _TRIED_FRAMES // 2 and rewards.sum() <= 0):
                break
        quarters = rewards.reshape(4, -1).sum(axis=1)
        steps = np.abs(np.diff(np.array(seen, np.int64), axis=0))
        ways = np.where(steps <= 16, steps, 0).sum(axis=0).tolist()
        # A bonus pays in one quarter; a loop pays in each.
        return float(np.sort(quarters)[:3].sum() + 0.01 * quarters.sum()), *ways

    def _drawn(self) -> Loop:
        lengths = self._random.integers(*_HOLD_FRAMES, int(self._random.integers(2, 6)))
        return tuple((self._mask(), length) for length in lengths.tolist())

    def _mask(self) -> int:
        random = self._random
        pressed = random.choice(self._masks, size=int(random.integers(0, 3)))
        return int(np.bitwise_or.reduce(pressed.astype(np.int64))) if len(pressed) else 0

    def _next(self, found: Sequence[_Tried]) -> Loop:
        """Return a new loop, or one of the six best loops for an aim with one hold changed."""
        random = self._random
        if random.random() < 0.3:
            return self._drawn()
        aims = len(found[0][0])
        aim = int(random.integers(aims)) if random.random() < 0.5 else 0
        best = _best(found, aim, 6)
        holds = list(best[int(random.integers(len(best)))][2])
        at = int(random.integers(len(holds)))
        mask, length = holds[at]
        longer = int(np.clip(length * random.uniform(0.5, 2), *_HOLD_FRAMES))
        holds[at] = (mask if random.random() < 0.6 else self._mask(), longer)
        return tuple(holds)


@dataclass(frozen=True, slots=True)
class AttackJob(AuditJob):
    """A job of an audit that attacks the reward instead of playing a movie or a probe."""

    seed: int = 0
    frames: int = FRAMES

    @property
    def source(self) -> str:
        return f"attack, seed {self.seed}"


def run_attack(job: AttackJob, plan: SessionPlan | None = None) -> AuditResult:
    """Return the traps of an attack as a result of the audit; an error becomes part of it."""
    try:
        found = attack(
            plan or job.game, seed=job.seed, frames=job.frames, record=job.record, state=job.state
        )
    except (IntegratorError, OSError) as error:
        return AuditResult(job.source, error=str(error))
    traps = (replace(each.trap, source=str(each.movie or job.source)) for each in found)
    return AuditResult(job.source, traps=tuple(traps))


def attack_alone(plan: SessionPlan, record: Path, stopped: Callable[[], bool]) -> list[AuditResult]:
    """Attack an open game's documents in a process of its own; return [] if it was stopped."""
    jobs = [AttackJob(plan.integration.directory, record=record)]
    run = partial(run_attack, plan=plan.for_worker())
    return list(WorkerPool(run, jobs, 1, failed_job, stopped=stopped))
