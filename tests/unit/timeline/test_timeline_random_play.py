"""The timeline against a model that simply keeps everything."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from nightly import more_by_night
from numpy.typing import NDArray

from integrator.domain.timeline.ramlog import Differences, differences
from integrator.domain.timeline.timeline import Timeline

RAM_BYTES = 24
PORTS = 2


@dataclass
class Played:
    """One frame of the model. Lines share a frame when its ``identity`` is the same."""

    ram: bytes
    inputs: tuple[int, ...] = ()
    reward: float = 0.0
    done: bool = False
    values: dict[str, int] = field(default_factory=dict)
    resumed: bytes | None = None
    state: bytes | None = None
    identity: int = 0


class Model(RuleBasedStateMachine):
    """Random play, pokes, branches and truncations; all questions asked after each step."""

    timeline: Timeline

    @initialize(budget=st.sampled_from([600, 3000, 1 << 20]))
    def begin(self, budget: int) -> None:
        self.timeline = Timeline(RAM_BYTES, PORTS, budget_bytes=budget)
        self.line: list[Played] = [Played(bytes(RAM_BYTES))]
        self.kept: dict[str, list[Played]] = {}
        self.markers: dict[str, list[tuple[int, str]]] = {"main": []}
        self.current = "main"
        self.serial = 0

    def teardown(self) -> None:
        if hasattr(self, "timeline"):
            self.timeline.close()

    @rule(
        frames=st.one_of(st.integers(1, 4), st.integers(200, 600)),
        as_changes=st.booleans(),
        names=st.sampled_from([(), ("score",), ("score", "lives")]),
        seed=st.integers(0, 2**32 - 1),
    )
    def append(self, frames: int, as_changes: bool, names: tuple[str, ...], seed: int) -> None:
        random = np.random.default_rng(seed)
        newest = self.line[-1]
        start = np.frombuffer(newest.resumed or newest.ram, np.uint8)
        ram = np.empty((frames, RAM_BYTES), np.uint8)
        last = start
        for row in ram:
            row[:] = last
            row[random.integers(0, RAM_BYTES, random.integers(0, 4))] += 1
            last = row
        inputs = random.integers(0, 1 << 16, (frames, PORTS)).astype(np.uint16)
        rewards = random.integers(-3, 4, (frames, 1)).astype(np.float32)
        done = random.random(frames) < 0.1
        values = {name: random.integers(-(2**40), 2**40, frames) for name in names}
        given: NDArray[np.uint8] | Differences = differences(start, ram) if as_changes else ram
        self.timeline.append(inputs, given, rewards=rewards, done=done, values=values)
        for i in range(frames):
            self.serial += 1
            self.line.append(
                Played(
                    ram[i].tobytes(),
                    tuple(inputs[i].tolist()),
                    float(rewards[i, 0]),
                    bool(done[i]),
                    {name: int(column[i]) for name, column in values.items()},
                    identity=self.serial,
                )
            )

    @rule(
        kind=st.sampled_from(["episode", "state", "poke", "reset"]),
        ram=st.binary(min_size=RAM_BYTES, max_size=RAM_BYTES),
    )
    def discontinuity(self, kind: Any, ram: bytes) -> None:
        self.serial += 1
        state = b"d%d" % self.serial
        self.timeline.discontinuity(kind, state, np.frombuffer(ram, np.uint8))
        newest = Played(**{**vars(self.line[-1]), "resumed": ram, "state": state})
        if len(self.line) == 1:
            newest.ram = ram
        self.line[-1] = newest
        self.markers[self.current].append((len(self.line) - 1, kind))

    @rule(where=st.floats(0, 1))
    def keyframe(self, where: float) -> None:
        frame = round(where * (len(self.line) - 1))
        self.serial += 1
        self.timeline.add_keyframe(frame, b"k%d" % self.serial, pinned=True)
        if self.line[frame].state is None:
            changed = Played(**{**vars(self.line[frame]), "state": b"k%d" % self.serial})
            self.line[frame] = changed

    def _cut(self, frame: int) -> None:
        self.line = self.line[: frame + 1]
        kept = [marker for marker in self.markers[self.current] if marker[0] <= frame]
        self.markers[self.current] = kept

    @rule(where=st.floats(0, 1))
    def truncate(self, where: float) -> None:
        frame = round(where * (len(self.line) - 1))
        self.timeline.truncate(frame)
        self._cut(frame)

    @rule(where=st.floats(0, 1))
    def branch(self, where: float) -> None:
        frame = round(where * (len(self.line) - 1))
        name = self.timeline.branch_at(frame)
        self.kept[name] = list(self.line)
        self.markers[name] = deepcopy(self.markers[self.current])
        self._cut(frame)

    @precondition(lambda self: bool(self.kept))
    @rule(pick=st.integers(0, 99))
    def switch(self, pick: int) -> None:
        name = sorted(self.kept)[pick % len(self.kept)]
        self.timeline.switch_to(name)
        self.kept[self.current] = self.line
        self.line, self.current = self.kept.pop(name), name

    @precondition(lambda self: bool(self.kept))
    @rule(pick=st.integers(0, 99))
    def delete(self, pick: int) -> None:
        name = sorted(self.kept)[pick % len(self.kept)]
        self.timeline.delete_branch(name)
        del self.kept[name]
        del self.markers[name]

    @rule(a=st.floats(0, 1), b=st.floats(0, 1), seed=st.integers(0, 9999))
    def ask_for_a_range(self, a: float, b: float, seed: int) -> None:
        start, stop = sorted(round(x * len(self.line)) for x in (a, b))
        rams = np.array([list(f.ram) for f in self.line[start:stop]], np.uint8)
        rams = rams.reshape(-1, RAM_BYTES)
        np.testing.assert_array_equal(self.timeline.ram_range(start, stop), rams)
        expected = np.zeros(RAM_BYTES, np.bool_)
        for before, after in pairwise(rams):
            expected |= before != after
        np.testing.assert_array_equal(self.timeline.changed(start, stop), expected)
        offset = seed % RAM_BYTES
        ranges = [(offset, min(3, RAM_BYTES - offset)), (0, 2), (offset, 1)]
        columns = [i for at, length in ranges for i in range(at, at + length)]
        got = self.timeline.ram_ranges(ranges, start, stop)
        np.testing.assert_array_equal(got, rams[:, columns])
        self._compare_rows(max(start, 1), max(stop, 1))

    def _compare_rows(self, start: int, stop: int) -> None:
        frames = self.line[start:stop]
        assert self.timeline.inputs(start, stop).tolist() == [list(f.inputs) for f in frames]
        assert self.timeline.rewards(start, stop)[:, 0].tolist() == [f.reward for f in frames]
        assert self.timeline.done(start, stop).tolist() == [f.done for f in frames]
        for name in ("score", "lives", "never"):
            values, valid = self.timeline.column(name, start, stop)
            assert valid.tolist() == [name in f.values for f in frames]
            assert values.tolist() == [f.values.get(name, 0) for f in frames]

    @invariant()
    def same_line(self) -> None:
        assert self.timeline.length == len(self.line) - 1
        assert self.timeline.current == self.current
        frames = {0, len(self.line) // 2, len(self.line) - 1, self.serial * 7919 % len(self.line)}
        for frame in frames:
            played = self.line[frame]
            assert self.timeline.ram(frame).tobytes() == played.ram
            resumed = self.timeline.ram(frame, resumed=True).tobytes()
            assert resumed == (played.resumed or played.ram)
            states = [(i, f.state) for i, f in enumerate(self.line[: frame + 1]) if f.state]
            if states:
                assert self.timeline.keyframe_at_or_before(frame) == states[-1]
        got = [(marker.frame, marker.kind) for marker in self.timeline.markers()]
        assert got == sorted(self.markers[self.current], key=lambda marker: marker[0])

    @invariant()
    def same_branches(self) -> None:
        branches = {info.name: info for info in self.timeline.branches}
        assert set(branches) == set(self.kept)
        for name, line in self.kept.items():
            info = branches[name]
            assert info.length == len(line) - 1
            assert info.rewards == (sum(f.reward for f in line),)
            shared = count_while(
                lambda i, line=line: line[i].identity == self.line[i].identity,  # type: ignore[misc] # bound now
                min(len(line), len(self.line)),
            )
            assert info.shared_frames == shared - 1


def count_while(holds: Callable[[int], bool], limit: int) -> int:
    return next((i for i in range(limit) if not holds(i)), limit)


Model.TestCase.settings = settings(
    max_examples=more_by_night(20, 60), stateful_step_count=25, deadline=None
)
TestTimelineModel = Model.TestCase
