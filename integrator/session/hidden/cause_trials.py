"""Causes of recorded changes, tried in a hidden core: one input flipped, or one byte poked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from integrator.domain.query.causes import Causes
from integrator.domain.values.memory import BYTE
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.session.timeline.stretch import run_begin


@dataclass(frozen=True, slots=True)
class CauseTrial:
    """A trial of a ``button``, or of the byte at ``address``, as the cause of changes. ``tried``
    changes were run again without it, and ``needed`` of these did not happen then. A button was
    released for the 40 frames before a change, or the byte poked just before its frame."""

    button: str
    address: int | None
    tried: int
    needed: int


@dataclass(frozen=True, slots=True)
class _Change:
    """A recorded change: a state before it, and the rows leading to it, uint16 (frames, ports)."""

    state: bytes
    rows: NDArray[np.uint16]
    step: int


@dataclass(frozen=True, slots=True)
class CauseTrials:
    """Everything that another thread needs to try causes, taken on the session's thread."""

    plan: SessionPlan
    causes: Causes
    changes: tuple[_Change, ...]

    @classmethod
    def take(cls, session: Session, causes: Causes) -> "CauseTrials":
        """Copy the play before the three newest changes that do not begin a run of play."""
        log, changes = session.timeline.log, list[_Change]()
        for change in causes.changes[::-1]:
            # A button acts up to 40 frames later. Each change takes many runs, so three are tried.
            base = max(run_begin(log, change.frame), change.frame - 40)
            if base < change.frame and len(changes) < 3:
                rows = log.inputs(base + 1, change.frame + 1)
                changes.append(_Change(session.timeline.state_at(base), rows, change.step))
        return cls(session.game.plan.hidden(), causes, tuple(changes))

    def run(self, stopped: Callable[[], bool] = lambda: False) -> tuple[CauseTrial, ...] | None:
        """Try held buttons and companions; return None if no change repeats. Raises HostError."""
        with Session(self.plan) as session:
            session.reset()
            known = [each for each in self.changes if self._happens(session, each)]
            return tuple(self._trials(session, known, stopped)) if known else None

    def _trials(
        self, session: Session, changes: list[_Change], stopped: Callable[[], bool]
    ) -> Iterator[CauseTrial]:
        held = np.bitwise_or.reduce(np.concatenate([each.rows[:, 0] for each in changes]))
        for bit, name in enumerate(session.system.buttons):
            if name and int(held) >> bit & 1 and not stopped():
                with_it = [each for each in changes if (each.rows[:, 0] >> bit & 1).any()]
                happened = sum(self._happens(session, each, bit=bit) for each in with_it)
                yield CauseTrial(name, None, len(with_it), len(with_it) - happened)
        for companion in self.causes.companions:
            if not stopped():
                at = companion.address
                happened = sum(self._happens(session, each, poked=at) for each in changes)
                yield CauseTrial("", at, len(changes), len(changes) - happened)

    def _happens(
        self, session: Session, change: _Change, *, bit: int | None = None, poked: int | None = None
    ) -> bool:
        rows = change.rows.copy()
        if bit is not None:
            rows[:, 0] &= np.uint16(0xFFFF ^ (1 << bit))
        session.load_state(change.state)
        if len(rows) > 1:
            session.run(rows[:-1], exact=True)
        if poked is not None:
            session.memory.write(poked, BYTE, (session.memory.read(poked, BYTE) + 4) & 0xFF)
        before = session.memory.read(self.causes.address, self.causes.type)
        session.run(rows[-1:], exact=True)
        return session.memory.read(self.causes.address, self.causes.type) - before == change.step
