"""Episodes as a Minari dataset, handed over in pieces, which Minari 0.5.4 joins."""

import json
import re
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import numpy as np

from integrator.commands.dataset.npz import EpisodeSink
from integrator.domain.errors import SessionError
from integrator.env.movie_steps import MovieSteps, Step
from libretro_host.processes.temporary import OwnedFolder

_PIECE_STEPS: Final = 256


class MinariSink(EpisodeSink):
    """A new dataset ``folder``, named when it is complete, as its id is. Raises SessionError."""

    def __init__(self, folder: Path, author: str, made_of: Mapping[str, Any]) -> None:
        try:
            import minari  # noqa: F401, PLC0415 - an extra, and it takes a second to import
        except ImportError as error:
            raise SessionError(
                f"{folder}: Minari is missing; pip install 'retro-integrator[datasets]', or use "
                "--format npz"
            ) from error
        if re.fullmatch(r"[-_.\w]+-v\d+", folder.name) is None:
            raise SessionError(
                f"{folder}: the name of a Minari dataset ends with its version; call it "
                f"{folder.name}-v0"
            )
        # Minari itself opens its files relative to their own folder.
        self._folder, self._author, self._made_of = folder.absolute(), author, made_of
        self._check_new()
        self._made = ExitStack()
        self._storage: Any = None
        self._episode, self._steps = -1, 0

    def begin(self, name: str, steps: MovieSteps) -> None:
        """Begin the next episode; the first one fixes the spaces of the dataset."""
        if self._storage is None:
            self._storage = self._new(steps)
        elif (
            self._storage.observation_space != steps.observation_space
            or self._storage.action_space != steps.action_space
        ):
            raise SessionError(
                f"{name}: its observations or actions differ from those of the movies before; "
                "make a dataset of its own"
            )
        self._episode += 1
        self._steps, self._observations = 0, [steps.first]
        self._rows: list[Step] = []

    def add(self, step: Step) -> None:
        """Keep a step until there are enough for a piece."""
        self._observations.append(step.observation)
        self._rows.append(step)
        if len(self._rows) > _PIECE_STEPS:
            self._hand_over(_PIECE_STEPS, truncated=False)

    def end(self, *, truncated: bool) -> Path:
        if not self._rows:
            raise SessionError("an episode without a step cannot be stored")
        self._hand_over(len(self._rows), truncated=truncated)
        self._storage.update_episode_metadata([{"total_steps": self._steps}], [self._episode])
        return self._folder

    def give_up(self) -> None:
        """Leave nothing: nobody could go on writing it."""
        self._made.close()

    def close(self) -> None:
        if self._storage is not None:
            self._check_new()
            self._part.replace(self._folder)
        self._made.close()

    def _check_new(self) -> None:
        if self._folder.exists() and any(self._folder.iterdir()):
            raise SessionError(f"{self._folder}: there is something already; name a new folder")

    def _new(self, steps: MovieSteps) -> Any:
        import minari  # noqa: PLC0415 - see above
        from minari.dataset.minari_storage import MinariStorage  # noqa: PLC0415 - see above

        self._folder.parent.mkdir(parents=True, exist_ok=True)
        self._part = self._made.enter_context(OwnedFolder(self._folder.parent)) / "dataset"
        self._part.mkdir()
        storage = MinariStorage.new(
            self._part / "data",
            observation_space=steps.observation_space,
            action_space=steps.action_space,
            data_format="hdf5",
            jpeg_encoding=False,
        )
        storage.update_metadata(
            {
                "dataset_id": self._folder.name,
                "minari_version": minari.__version__,
                "author": {self._author},
                "algorithm_name": "movies",
                "description": "Episodes replayed from movies by the integrator.",
                "made_of": json.dumps(self._made_of),
            }
        )
        return storage

    def _hand_over(self, count: int, *, truncated: bool) -> None:
        from minari.data_collector import EpisodeBuffer  # noqa: PLC0415 - see above

        rows, self._rows = self._rows[:count], self._rows[count:]
        # Observations are one more than steps: the first piece has the reset's.
        first = self._steps == 0
        taken = count + 1 if first else count
        observations, self._observations = self._observations[:taken], self._observations[taken:]
        truncations = np.zeros(count, np.bool_)
        truncations[-1] = truncated
        self._storage.update_episodes(
            [
                EpisodeBuffer(
                    id=self._episode,
                    observations=np.array(observations),
                    actions=np.array([row.action for row in rows]),
                    rewards=np.array([row.reward for row in rows], np.float32),
                    terminations=np.array([row.terminated for row in rows]),
                    truncations=truncations,
                    infos={
                        name: np.array([row.info[name] for row in rows], np.int64)
                        for name in rows[0].info
                    },
                )
            ]
        )
        self._steps += count
