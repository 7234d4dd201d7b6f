"""The result of one episode that an agent played, as plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

ERROR = "error"
"""The end of an episode that could not be played."""


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """One episode. ``ended`` is ``done``, or ``frames`` when it was cut off at the most allowed.

    ``terms`` are the parts of the reward by term, empty for a reward that a script makes. ``error``
    is the reason when it could not be played.
    """

    agent: str
    state: str
    seed: int
    episode: int
    reward: float
    frames: int
    seconds: float
    ended: str
    movie: str | None
    terms: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None

    @classmethod
    def failed(cls, agent: str, state: str, seed: int, episode: int, error: str) -> EpisodeResult:
        """An episode that could not be played."""
        return cls(agent, state, seed, episode, 0.0, 0, 0.0, ERROR, None, error=error)

    @property
    def reward_a_minute(self) -> float:
        """The reward at the console's own speed."""
        return self.reward * 60 / self.seconds if self.seconds else 0.0

    @property
    def movie_name(self) -> str:
        """A name for its movie among those of all agents."""
        parts = (self.agent, self.state, f"{self.seed}-{self.episode:06}.bk2")
        return re.sub(r"[^\w.+-]", "-", "-".join(filter(None, parts)))
