"""Results of episodes, and the folder through which another process reads them as they end."""

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.files.reading import read_file
from integrator.session.hidden.clips import png_bytes

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
    def failed(cls, agent: str, state: str, seed: int, episode: int, error: str) -> "EpisodeResult":
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


_SECONDS: Final = 0.3
"""The time from one picture to the next."""
_WIDTH: Final = 160
"""Pictures are thinned to at most this, so that one takes about a millisecond."""
_MOST_BYTES: Final = 64 << 20
_NOW, _EPISODES = ".now", ".jsonl"


@dataclass(frozen=True, slots=True)
class Playing:
    """An episode that is played now, with its reward so far."""

    agent: str
    state: str
    episode: int
    reward: float = 0.0


class LiveFiles:
    """Writes the two files of a job, or nothing without a folder."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._due = 0.0
        self.playing = Playing("", "", 0)

    @classmethod
    @contextmanager
    def of(cls, folder: Path | None, name: str) -> "Iterator[LiveFiles]":
        """The files of a job of this name, the picture until the work is done."""
        path = folder and folder / re.sub(r"[^\w.+-]", "_", name)
        try:
            yield cls(path)
        finally:
            if path is not None:
                _with(path, _NOW).unlink(missing_ok=True)

    def show(self, picture: NDArray[np.uint8], reward: float) -> None:
        """Show a picture, uint8 (height, width, 3), unless there was one a moment ago."""
        if self._path is None or (now := time.monotonic()) < self._due:
            return
        self._due = now + _SECONDS
        thin = max(1, -(-picture.shape[1] // _WIDTH))
        head = json.dumps(asdict(replace(self.playing, reward=reward))).encode()
        new = _with(self._path, ".new")
        new.write_bytes(head + b"\n" + png_bytes(picture[::thin, ::thin]))
        new.replace(_with(self._path, _NOW))

    def results(self) -> list[EpisodeResult]:
        """The complete episodes that were told."""
        return _read(_with(self._path, _EPISODES)) if self._path is not None else []

    def add(self, result: EpisodeResult) -> None:
        """Tell a complete episode."""
        if self._path is not None:
            with _with(self._path, _EPISODES).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result)) + "\n")


class LiveFolder:
    """Reads the files in which the jobs of a folder tell of their play."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[Path, int] = {}

    def results(self) -> list[EpisodeResult]:
        """The episodes that were completed since the last call."""
        found: list[EpisodeResult] = []
        for path in sorted(self.folder.glob(f"*{_EPISODES}")):
            results = _read(path)
            found += results[self._read.get(path, 0) :]
            self._read[path] = len(results)
        return found

    def playing(self) -> list[tuple[Playing, bytes]]:
        """The episodes that play now, each with its picture as a PNG file."""
        found = []
        for path in sorted(self.folder.glob(f"*{_NOW}")):
            try:
                head, _, picture = read_file(path, _MOST_BYTES).partition(b"\n")
            except FileNotFoundError:
                continue  # the job has ended since
            found.append((Playing(**json.loads(head)), picture))
        return found


def _read(path: Path) -> list[EpisodeResult]:
    # The last line may not be written to its end yet.
    lines = read_file(path, _MOST_BYTES).split(b"\n")[:-1] if path.exists() else []
    return [EpisodeResult(**json.loads(line)) for line in lines]


def _with(path: Path, suffix: str) -> Path:
    """The path with a suffix more; agents' names may have dots of their own."""
    return path.with_name(path.name + suffix)
