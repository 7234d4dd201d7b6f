"""Rewards, done and lamps that a scenario gives for one frame, and for the frames of a chunk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

FRAMES_PER_TIMESTEP = 4

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Terms = tuple[tuple[tuple[str, float], ...], ...]
"""For each player the name and value of each reward term."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Rewards, done and lamps of one frame.

    ``frame`` is the scenario's counter after this frame (1 after a reset's own scoring); scripts
    saw one less. ``rewards`` and ``total_rewards`` are float32 numbers, one a player. ``done`` is
    this frame's value, as stable-retro's ``step`` returns it. ``terms[p]`` are player p's summands
    in summation order: variable names, ``TIME_TERM``, or the script's name. ``nodes`` maps the JSON
    paths of the done tree (``done``, ``done.variables.lives``, ``done.nodes.boss`` ...) to their
    lamps. ``custom`` are the scripts' own variables as they show in info. When ``wrote_memory``, a
    script wrote RAM: info shows the variables in RAM after that, while the next frame's deltas
    still start from the values that were scored here.
    """

    frame: int
    rewards: tuple[float, ...]
    total_rewards: tuple[float, ...]
    done: bool
    terms: Terms
    nodes: Mapping[str, bool] = field(default_factory=dict)
    custom: Mapping[str, int] = field(default_factory=dict)
    wrote_memory: bool = False

    @property
    def timestep(self) -> int:
        """The frame counter in steps of four frames, as scripts see it."""
        return self.frame // FRAMES_PER_TIMESTEP


@dataclass(frozen=True, slots=True)
class OutcomeChunk:
    """Outcomes of n frames; arrays as in `Outcome`, with the frames first.

    ``frames`` int64 (n,), ``rewards`` and ``total_rewards`` float32 (n, players), ``done`` bool
    (n,), ``terms[p]`` pairs of a name and float32 (n,), ``nodes`` JSON path -> bool (n,).
    """

    frames: NDArray[np.int64]
    rewards: Floats
    total_rewards: Floats
    done: Bools
    terms: tuple[tuple[tuple[str, Floats], ...], ...]
    nodes: Mapping[str, Bools]
    custom: Mapping[str, int] = field(default_factory=dict)
    wrote_memory: bool = False

    @property
    def last(self) -> Outcome:
        """The outcome of the last frame."""
        return Outcome(
            frame=int(self.frames[-1]),
            rewards=tuple(self.rewards[-1].tolist()),
            total_rewards=tuple(self.total_rewards[-1].tolist()),
            done=bool(self.done[-1]),
            terms=tuple(
                tuple((name, float(part[-1])) for name, part in terms) for terms in self.terms
            ),
            nodes={path: bool(lamp[-1]) for path, lamp in self.nodes.items()},
            custom=self.custom,
            wrote_memory=self.wrote_memory,
        )

    @property
    def gains(self) -> Terms:
        """The sum of each term over the chunk."""
        return tuple(
            tuple((name, float(part.sum())) for name, part in terms) for terms in self.terms
        )
