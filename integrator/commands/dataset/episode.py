"""The place where episodes go, step by step."""

from pathlib import Path
from typing import Protocol

from integrator.env.movie_steps import MovieSteps, Step


class EpisodeSink(Protocol):
    """Takes one episode after the other: ``begin``, ``add`` for each step, ``end``."""

    def begin(self, name: str, steps: MovieSteps) -> None:
        """An episode begins with the observation ``steps.first``."""
        ...

    def add(self, step: Step) -> None:
        """Take the next step."""
        ...

    def end(self, *, truncated: bool) -> Path:
        """Complete the episode; ``truncated``: the movie ended before done. Returns its place."""
        ...

    def give_up(self) -> None:
        """Leave nothing half-written; complete episodes stay where each is a file."""
        ...

    def close(self) -> None:
        """Complete the dataset."""
        ...
