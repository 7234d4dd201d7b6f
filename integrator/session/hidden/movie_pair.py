"""Two movies of a game in hidden cores of their own, compared frame by frame."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from integrator.session.hidden.movie_scores import first_difference
from integrator.session.rework import ImportedMovie, import_movie
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan

_CHUNK = 256


@dataclass(frozen=True, slots=True)
class MovieFrame:
    """A frame of one of two movies; ``picture`` is uint8 (height, width, 3)."""

    picture: NDArray[np.uint8] | None
    buttons: str
    reward: float
    total: float


@dataclass(frozen=True, slots=True)
class PairFrame:
    """The same frame of both movies; ``bytes`` are (address, here, there) where RAM differs."""

    frame: int
    sides: tuple[MovieFrame, MovieFrame]
    bytes: tuple[tuple[int, int, int], ...]


class MoviePair:
    """Both movies played to their ends, and the first frames that differ. Raises HostError."""

    def __init__(self, plan: SessionPlan, paths: tuple[Path, Path]) -> None:
        self._sessions: list[Session] = []
        self._played: list[ImportedMovie] = []
        try:
            for path in paths:
                self._sessions.append(Session(plan))
                self._played.append(import_movie(self._sessions[-1], path))
        except BaseException:
            self.close()
            raise
        self.length = max(each.stop - each.start for each in self._played)
        self._rewards = [
            session.timeline.log.rewards(each.start, each.stop)[:, 0]
            for session, each in zip(self._sessions, self._played, strict=True)
        ]
        inputs = [
            session.timeline.log.inputs(each.start, each.stop)
            for session, each in zip(self._sessions, self._played, strict=True)
        ]
        self.firsts = {
            "inputs": first_difference(*inputs),
            "rewards": first_difference(*self._rewards),
            "RAM": self._first_ram(),
        }

    def _first_ram(self) -> int | None:
        shared = min(each.stop - each.start for each in self._played)
        for frame in range(1, shared + 1):
            if not np.array_equal(self._ram(0, frame), self._ram(1, frame)):
                return frame
        return None

    def _ram(self, side: int, frame: int) -> NDArray[np.uint8]:
        played = self._played[side]
        return self._sessions[side].timeline.ram(min(played.start + frame, played.stop) - 1)

    def at(self, frame: int, most: int = 12) -> PairFrame:
        """The frame ``frame`` of both, counted from 1; a movie that ended shows its last."""
        space = self._sessions[0].memory.space
        here, there = (space.logical(self._ram(side, frame)) for side in (0, 1))
        apart = np.flatnonzero(here != there)[:most].tolist()
        listed = tuple((space.address_of(at), int(here[at]), int(there[at])) for at in apart)
        return PairFrame(frame, (self._side(0, frame), self._side(1, frame)), listed)

    def _side(self, side: int, frame: int) -> MovieFrame:
        session, played, rewards = self._sessions[side], self._played[side], self._rewards[side]
        at = min(frame, len(rewards))
        shown = session.timeline.seek(played.start + at - 1)
        buttons = session.system.buttons
        mask = shown.inputs[0]
        names = [name for bit, name in enumerate(buttons) if name and mask >> bit & 1]
        return MovieFrame(
            shown.frame.rgb() if shown.frame is not None else None,
            " ".join(names) or "—",
            float(rewards[at - 1]),
            float(rewards[:at].sum()),
        )

    def close(self) -> None:
        for session in self._sessions:
            session.close()
