"""Plays a movie as steps of an environment, with observations, actions and rewards."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from integrator.domain.errors import MovieError, SessionError
from integrator.domain.movies.model import Movie, RamHashes
from integrator.env.game_env import GameEnv
from integrator.session.movies import refuse_doubtful
from libretro_host.errors import CoreCrashed, CoreHung
from libretro_host.processes.worker_process import WorkerProcess

Picture = NDArray[np.uint8]
KEEP_CURE: Final = "leave this movie out, or use --keep-desynced"
See = Callable[[Picture], Picture]
MakeSee = Callable[[tuple[int, ...]], See]
Coder = Callable[[tuple[int, ...]], Any]


@dataclass(frozen=True, slots=True)
class Step:
    """An action, which is an element of the action space, and its results."""

    action: Any
    observation: Picture
    reward: float
    terminated: bool
    info: dict[str, int]


class MovieSteps(contextlib.AbstractContextManager["MovieSteps"]):
    """Plays movies in environments of a worker's process. Use it as a context manager.

    ``actions`` is ``all``, ``filtered`` or ``discrete``. ``see`` is called in the worker with the
    shape of observations, and returns the function that converts each of them. After
    :meth:`begin`, ``first`` is the observation of the reset, and iteration yields the steps up to
    the first done or the movie's end. ``desync_row`` is the first row with RAM other than recorded;
    ``movie`` is the movie, without hashes if RAM cannot be compared with them.
    Without ``keep_desynced``, such a movie, or one that cannot be compared, raises MovieError."""

    def __init__(
        self, actions: str, observation: str, see: MakeSee, *, keep_desynced: bool
    ) -> None:
        self._worker = WorkerProcess(partial(_Replay, actions, observation, see, keep_desynced))

    def begin(self, game: Path, movie: Movie) -> None:
        """Start a movie. Raises SessionError, also if the core dies or hangs, and MovieError."""
        self.movie = movie
        self.desync_row: int | None = None
        self.observation_space: spaces.Space[Any]
        self.action_space: spaces.Space[Any]
        with self._named():
            result = self._worker.call("begin", game, movie)
        self.first, self.observation_space, self.action_space, hashes = result
        self.movie = replace(movie, ram_hashes=hashes)

    def __exit__(self, *_: object) -> None:
        self._worker.close()

    def __iter__(self) -> Iterator[Step]:
        """Yield the steps. Raises SessionError as :meth:`begin`, or if no action fits a row."""
        with self._named():
            self._worker.ask("take")
            while (result := self._worker.answer())[0]:
                steps, self.desync_row = result
                self._worker.ask("take")  # the worker plays on while these steps are stored
                yield from steps

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        try:
            yield
        except (CoreCrashed, CoreHung) as error:
            raise SessionError(f"{self.movie.path}: {error}") from error


class _Replay:
    """The worker's side of :class:`MovieSteps`."""

    def __init__(self, actions: str, observation: str, see: MakeSee, keep: bool) -> None:
        self._actions, self._observation, self._make_see = actions, observation, see
        self._keep = keep
        self._env: GameEnv | None = None

    def begin(self, game: Path, movie: Movie) -> tuple[Picture, Any, Any, RamHashes | None]:
        if self._env is not None:
            self._env.close()
        self._env = env = GameEnv(
            game, players=movie.players, actions=self._actions, observation=self._observation
        )
        made = env.emulator.plan.identity(env.emulator.core)
        movie = made.comparable(movie)
        if not self._keep:
            refuse_doubtful(movie, made.rom, made.core, KEEP_CURE)
        coded = _coded(env, self._actions)
        see = self._make_see(env.observation_space.shape or ())
        idle = tuple(movie.inputs[0].tolist()) if movie.frames else ()
        first = see(env.begin_at(movie.state, movie.path.name, idle))
        self._desync_row: int | None = None
        self._compare(env, movie, 0)
        self._steps = self._play(env, movie, coded, see)
        # An answer has 64 steps, or fewer if their observations take more than 8 MiB.
        self._at_once = max(1, min(64, (8 << 20) // max(1, first.nbytes)))
        space = spaces.Box(0, 255, first.shape, np.uint8)
        return first, space, env.action_space, movie.ram_hashes

    def take(self) -> tuple[list[Step], int | None]:
        """Return the next steps, none after the last one, and the row of the first wrong hash."""
        return list(islice(self._steps, self._at_once)), self._desync_row

    def _play(self, env: GameEnv, movie: Movie, coded: Coder, see: See) -> Iterator[Step]:
        for row in range(1, movie.frames):
            # Convert rows one by one, because a list of all would take a hundred bytes a frame.
            try:
                action = coded(tuple(movie.inputs[row].tolist()))
            except KeyError as error:
                raise SessionError(
                    f"{movie.path}: row {row} presses buttons that no action of this mode "
                    "presses; use --actions all"
                ) from error
            observation, reward, done, _, info = env.step(action)
            self._compare(env, movie, row)
            yield Step(action, see(observation), reward, done, info)
            if done:
                return

    def _compare(self, env: GameEnv, movie: Movie, row: int) -> None:
        if self._desync_row is not None or not movie.differs(row, env.emulator.ram):
            return
        if not self._keep:
            raise MovieError(f"{movie.path}: out of step from row {row} on; {KEEP_CURE}")
        self._desync_row = row


def _coded(env: GameEnv, mode: str) -> Coder:
    """Return a function from button masks to the action; it raises KeyError if none fits."""
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

    return binary
