"""Starts of episodes: start states, and moments of movies, drawn by weights."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from integrator.domain.errors import SessionError
from integrator.domain.movies.reading import read_movie
from integrator.env.emulator import Emulator
from integrator.session.opening import movie_consoles
from integrator.session.setup.game import POWER_ON
from integrator.session.setup.roots import systems

Start: TypeAlias = str | Path | tuple[str | Path, int]
"""A start state's name, a ``.state`` file, or a movie and a number of its frames."""


class Starts:
    """The starts that the episodes of an environment are drawn from.

    ``states`` are starts, or ``all`` for every start state of the integration; ``weights`` are
    numbers of any sum, one a start, by default equal. Raises SessionError.
    """

    def __init__(
        self,
        emulator: Emulator,
        states: Literal["all"] | Sequence[Start],
        weights: Sequence[float] | None = None,
    ) -> None:
        self._emulator = emulator
        integration = emulator.plan.integration
        self._starts: Sequence[Start] = integration.states if states == "all" else list(states)
        if not self._starts or (isinstance(states, str) and states != "all"):
            raise SessionError(f"states is {states!r}; use 'all' or a list of start states")
        shares = np.zeros(0)  # of no number, which is refused
        with suppress(TypeError, ValueError):
            shares = np.ones(len(self._starts)) if weights is None else np.asarray(weights, float)
        is_valid = np.isfinite(shares).all() and (shares >= 0).all() and shares.sum() > 0
        if shares.shape != (len(self._starts),) or not is_valid:
            wanted = f"{len(self._starts)} numbers from 0 on, one above 0"
            raise SessionError(f"weights are {weights!r}; use {wanted}")
        self._shares = shares / shares.sum()
        self._read = cache(self._raw)
        for start in self._starts:
            self._read(start)

    def draw(self, random: np.random.Generator) -> tuple[str, bytes]:
        start = self._starts[int(random.choice(len(self._starts), p=self._shares))]
        name = f"{Path(start[0]).stem}-{start[1]}" if isinstance(start, tuple) else str(start)
        return name, self._read(start)

    def _raw(self, start: Start) -> bytes:
        if not isinstance(start, tuple):
            return self._emulator.read_state(str(start))
        path, frame = Path(start[0]), start[1]
        movie = read_movie(path, movie_consoles(systems()))
        if frame not in range(1, movie.frames + 1):
            raise SessionError(f"{path}: it has frames 1 to {movie.frames:,}, and none {frame!r}")
        rows = [tuple(row) for row in movie.inputs[:frame].tolist()]
        begins = self._emulator.read_state(POWER_ON) if movie.state is None else movie.state
        self._emulator.begin(begins, str(path), rows[0])
        for row in rows[1:]:
            self._emulator.run(row)
            self._emulator.score()  # because scripts may write memory
        return self._emulator.save_state()
