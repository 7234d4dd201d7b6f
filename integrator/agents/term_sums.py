"""Each term's part of an episode's reward, computed in chunks beside the environment's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from integrator.domain.scenario.scoring import ScenarioEngine
from integrator.env.emulator import PlainScoring
from integrator.env.game_env import GameEnv
from integrator.session.frame.readout import scenario_spec

_CHUNK_FRAMES: Final = 512


class TermSums:
    """Sums up player 1's terms over an episode; nothing where scripts score, frame by frame."""

    def __init__(self, env: GameEnv) -> None:
        self._env = env
        self._engine: ScenarioEngine | None = None
        self._names: tuple[str, ...] = ()
        self._before: dict[str, int] | None = None
        self._rows: list[tuple[int, ...]] = []
        self._sums: dict[str, float] = {}
        if isinstance(env.emulator.scoring, PlainScoring):
            plan = env.emulator.plan
            spec = scenario_spec(plan.integration, plan.scenario)
            self._engine = ScenarioEngine(spec, plan.players)
            self._names = tuple(sorted(spec.variables))

    def begin(self) -> None:
        """An episode begins, at the frame of the environment's reset."""
        self._sums, self._rows, self._before = {}, [], None
        if self._engine is not None:
            self._engine.reset()
            values = self._env.emulator.values()
            self._before = {name: values[name] for name in self._names}

    def add(self, values: Mapping[str, int]) -> None:
        """Take the variables of the next frame."""
        if self._engine is None:
            return
        self._rows.append(tuple(values[name] for name in self._names))
        if len(self._rows) == _CHUNK_FRAMES:
            self._score()

    @property
    def sums(self) -> dict[str, float]:
        """The sum of each term so far."""
        self._score()
        return dict(self._sums)

    def _score(self) -> None:
        if self._engine is None or not self._rows:
            return
        rows = np.array(self._rows, np.int64).reshape(len(self._rows), len(self._names))
        columns = dict(zip(self._names, rows.T, strict=True))
        scored = self._engine.score_chunk(columns, self._before, len(rows))
        for name, column in scored.terms[0]:
            self._sums[name] = self._sums.get(name, 0.0) + float(column.sum(dtype=np.float64))
        self._before = dict(zip(self._names, rows[-1].tolist(), strict=True))
        self._rows = []
