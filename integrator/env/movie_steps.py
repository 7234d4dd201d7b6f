"""A movie as the steps of an environment: what an agent would have seen, done and been paid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.movies.model import Movie, ram_hash
from integrator.env.game_env import GameEnv

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Step:
    """An action, an element of the action space, and what came of it."""

    action: Any
    observation: Picture
    reward: float
    terminated: bool
    info: dict[str, int]


class MovieSteps:
    """Plays one movie in an environment. Use it as a context manager.

    ``actions`` is ``all``, ``filtered`` or ``discrete``; ``see`` turns the observation that the
    environment gives into the wanted one. ``first`` is the observation of the reset.
    ``desync_row`` is the first row after which RAM has another hash than the movie's; None so far.
    """

    def __init__(
        self,
        game: Path,
        movie: Movie,
        *,
        actions: str,
        observation: str,
        see: Callable[[Picture], Picture],
    ) -> None:
        self._movie, self._see = movie, see
        self.desync_row: int | None = None
        self._env = GameEnv(game, players=movie.players, actions=actions, observation=observation)
        try:
            self._coded = _coded(self._env, actions, movie.players)
            first = tuple(movie.inputs[0].tolist()) if movie.frames else ()
            self.first = see(self._env.begin_at(movie.state, movie.path.name, first))
        except BaseException:
            self._env.close()
            raise
        hashes = movie.ram_hashes if self._env.emulator.core.sees_all_memory else None
        pairs = zip(hashes.rows.tolist(), hashes.digests.tolist(), strict=True) if hashes else ()
        self._hashes = dict(pairs)
        self.action_space: spaces.Space[Any] = self._env.action_space
        self.observation_space = spaces.Box(0, 255, self.first.shape, np.uint8)

    @property
    def frames(self) -> int:
        """Steps if no frame is done before the end: all rows but the first."""
        return self._movie.frames - 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._env.close()

    def __iter__(self) -> Iterator[Step]:
        """The steps up to the first done, or to the movie's end.

        Raises SessionError for buttons that no action presses.
        """
        for number in range(1, self._movie.frames):
            # Row by row: a list of all of them would take a hundred bytes a frame.
            try:
                action = self._coded(tuple(self._movie.inputs[number].tolist()))
            except KeyError as error:
                raise SessionError(
                    f"{self._movie.path}: row {number} presses buttons that no action of this "
                    "mode presses; use --actions all"
                ) from error
            observation, reward, done, _, info = self._env.step(action)
            if self.desync_row is None and not self._agrees(number):
                self.desync_row = number
            yield Step(action, self._see(observation), reward, done, info)
            if done:
                return

    def _agrees(self, row: int) -> bool:
        digest = self._hashes.get(row)
        return digest is None or ram_hash(self._env.emulator.ram()) == digest


def _coded(env: GameEnv, mode: str, players: int) -> Callable[[tuple[int, ...]], Any]:
    """The action that presses the buttons of some masks; it raises KeyError when there is none."""
    if mode == "discrete":
        size = int(env.action_space.n)  # type: ignore[attr-defined] # the space of this mode
        table = {env.masks(index): np.int64(index) for index in range(size)}
        return table.__getitem__
    bits = np.arange(len(env.buttons))

    def binary(masks: tuple[int, ...]) -> Any:
        action = (np.array(masks)[:, None] >> bits & 1).astype(np.int8).ravel()
        if env.masks(action) != masks:
            raise KeyError(masks)
        return action

    if mode not in ("all", "filtered") or players < 1:
        raise SessionError(f"no actions {mode!r} for datasets; use all, filtered or discrete")
    return binary
