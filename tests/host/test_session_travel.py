"""A thousand random moves on the timeline: every line holds the RAM that its inputs give.

The toy core makes 400 of them, and all at night. Genesis Plus GX, the slowest, makes a quarter,
and all with INTEGRATOR_FULL=1 in the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from nightly import more_by_night
from toy_requests import ToyRequest

from integrator.commands.shared.options import airstriker, demo_game
from integrator.domain.integration.files import Integration
from integrator.domain.movies.model import ram_hash
from integrator.session.opening import movie_consoles, plan_session
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.session.setup.roots import systems
from libretro_host.inprocess import InProcessHost

MOVES = more_by_night(400, 1000)
QUICK_MOVES = 250
MAX_LINES = 6
MAX_LENGTH = 400

pytestmark = pytest.mark.usefixtures("own_home")


def toy_plan(request: ToyRequest, folder: Path, **keys: object) -> SessionPlan:
    """A session of toycore, as a Nes game without documents."""
    descriptors = systems()
    return SessionPlan(
        integration=Integration(folder / "Toy-Nes"),
        descriptor=descriptors["Nes"],
        request=request(**keys),
        new_host=InProcessHost,
        systems=movie_consoles(descriptors),
    )


@pytest.fixture(params=["toycore", "fceumm", "genesis_plus_gx"])
def plan(request: pytest.FixtureRequest, toy: ToyRequest, tmp_path: Path) -> SessionPlan:
    if request.param == "toycore":
        return toy_plan(toy, tmp_path, state_grow=50)
    game = demo_game() if request.param == "fceumm" else airstriker()
    return plan_session(game, isolated=False)


@pytest.fixture
def moves(request: pytest.FixtureRequest) -> int:
    name = request.node.name
    slow = "genesis_plus_gx" in name and not os.environ.get("INTEGRATOR_FULL")
    return QUICK_MOVES if slow else MOVES


@dataclass
class Model:
    """The current line as hashes of RAM by frame, and the kept ones by name."""

    session: Session
    rng: np.random.Generator
    line: list[int] = field(default_factory=list)
    kept: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.session.reset()
        self.line = [self.now]

    @property
    def now(self) -> int:
        return ram_hash(self.session.memory.ram)

    def run(self, moves: int, jumps: bool) -> None:
        choices: list[Callable[[], None]] = [self.play] * 4 + [self.seek] * 3 + [self.rewind] * 2
        choices += [self.switch, self.chunk]
        if jumps:
            choices += [self.session.memory.refresh, self.poke, self.reset, self.load]
        for _ in range(moves):
            choices[self.rng.integers(len(choices))]()
            position = self.session.timeline.position
            assert self.now == self.line[position - 1], f"frame {position}"
        self.check_branches()

    def leave(self) -> None:
        """The effect of playing on upon the model: the future becomes a branch."""
        position = self.session.timeline.position
        if position < len(self.line):
            name = next(n for n in (f"branch {i}" for i in range(1, 2000)) if self.free(n))
            self.kept[name] = self.line
            self.line = self.line[:position]

    def free(self, name: str) -> bool:
        return name not in self.kept and name != self.session.timeline.log.current

    def play(self) -> None:
        self.leave()
        for _ in range(self.rng.integers(1, 10)):
            self.session.advance((int(self.rng.integers(512)),))
            self.line.append(self.now)
        self.forget_some()

    def chunk(self) -> None:
        self.leave()
        rows = self.rng.integers(0, 512, (int(self.rng.integers(2, 30)), 1)).astype(np.uint16)
        self.session.run(rows)
        log = self.session.timeline.log
        self.line += [ram_hash(log.ram(n)) for n in range(len(self.line) + 1, log.length + 1)]

    def seek(self) -> None:
        self.session.timeline.seek(int(self.rng.integers(1, len(self.line) + 1)))
        if len(self.line) > MAX_LENGTH:
            self.session.timeline.seek(int(self.rng.integers(1, MAX_LENGTH // 4)))
            self.play()

    def rewind(self) -> None:
        for _ in range(self.rng.integers(1, 6)):
            self.session.timeline.step_back()

    def switch(self) -> None:
        if self.kept:
            name = str(self.rng.choice(list(self.kept)))
            current = self.session.timeline.log.current
            self.session.timeline.switch_to(name)
            chosen = self.kept.pop(name)
            self.kept[current], self.line = self.line, chosen

    def poke(self) -> None:
        address = self.session.memory.space.regions[0].address + 64
        self.leave()
        self.session.timeline.continue_from_here()
        self.session.memory.write(address, "|u1", int(self.rng.integers(256)))
        self.play()

    def reset(self) -> None:
        self.leave()
        self.session.reset()
        self.line.append(self.now)

    def load(self) -> None:
        state = self.session.save_state()
        self.play()
        self.leave()
        self.session.load_state(state)
        self.play()

    def forget_some(self) -> None:
        while len(self.kept) > MAX_LINES:
            name = next(iter(self.kept))
            self.session.timeline.log.delete_branch(name)
            del self.kept[name]

    def check_branches(self) -> None:
        told = {b.name: (b.length, b.shared_frames) for b in self.session.timeline.branches}
        assert {name: length for name, (length, _) in told.items()} == {
            name: len(line) for name, line in self.kept.items()
        }


@pytest.fixture
def model(plan: SessionPlan) -> Iterator[Model]:
    with Session(plan) as session:
        yield Model(session, np.random.default_rng(23))


def test_every_line_is_what_its_inputs_give_from_the_start(
    model: Model, plan: SessionPlan, moves: int
) -> None:
    model.run(moves, jumps=False)
    session = model.session
    lines = []
    for name in [None, *model.kept]:
        if name is not None:
            session.timeline.switch_to(name)
        expected = model.line if name is None else model.kept[name]
        log = session.timeline.log
        lines.append((log.inputs(), expected))
        assert [ram_hash(log.ram(n)) for n in range(1, log.length + 1)] == expected
    session.close()
    with Session(plan) as fresh:
        for inputs, expected in lines:
            fresh.reset()
            played = [ram_hash(fresh.memory.ram)]
            for row in inputs[1:]:
                fresh.advance(tuple(row.tolist()))
                played.append(ram_hash(fresh.memory.ram))
            assert played == expected


def test_lines_with_pokes_resets_and_states_are_shown_as_they_were(
    model: Model, moves: int
) -> None:
    model.run(moves // 2, jumps=True)
    travel = model.session.timeline
    assert travel.seek(1).number == 1
    for number, expected in enumerate(model.line[1:], 2):
        assert travel.step_forward().messages == ()
        assert model.now == expected, f"frame {number}"
    assert travel.at_end
