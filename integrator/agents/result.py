"""Results of episodes, and a trial of agents in another process while the window is used."""

import json
import re
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.files.reading import read_file, read_text
from integrator.session.setup.plan import SessionPlan
from integrator.session.stills import png_bytes
from libretro_host.processes import children
from libretro_host.processes.temporary import OwnedFolder

ERROR = "error"  # ``ended`` of an episode that could not be played


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """The result of an episode; ``ended`` is ``done``, ``frames`` (the most) or ``error``.
    ``terms`` are the parts of its reward."""

    agent: str
    state: str
    seed: int
    episode: int
    reward: float = 0.0
    frames: int = 0
    seconds: float = 0.0
    ended: str = "done"
    movie: str | None = None
    terms: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None

    @property
    def reward_a_minute(self) -> float:
        """The reward per minute at the console's own speed."""
        return self.reward * 60 / self.seconds if self.seconds else 0.0

    @property
    def movie_name(self) -> str:
        parts = (self.agent, self.state, f"{self.seed}-{self.episode:06}.bk2")
        return re.sub(r"[^\w.+-]", "-", "-".join(filter(None, parts)))


_MOST_BYTES: Final = 64 << 20
_NOW, _EPISODES = ".now", ".jsonl"


@dataclass(frozen=True, slots=True)
class Playing:
    """An episode that is being played, with its reward so far."""

    agent: str
    state: str
    episode: int
    reward: float = 0.0


class LiveFiles:
    """Writes the two files of a job, its results and its picture, or nothing without a folder."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self._path = folder and folder / re.sub(r"[^\w.+-]", "_", name)
        self._due = 0.0
        self.playing = Playing("", "", 0)

    def close(self) -> None:
        """Remove the picture, because the work is done."""
        if self._path is not None:
            _with(self._path, _NOW).unlink(missing_ok=True)

    def show(self, picture: NDArray[np.uint8], reward: float) -> None:
        """Write a picture, uint8 (height, width, 3), unless the last one is newer than 0.3 s."""
        if self._path is None or (now := time.monotonic()) < self._due:
            return
        self._due = now + 0.3
        # At most 160 pixels wide, so that a picture takes about a millisecond.
        thin = max(1, -(-picture.shape[1] // 160))
        head = json.dumps(asdict(replace(self.playing, reward=reward))).encode()
        new = _with(self._path, ".new")
        new.write_bytes(head + b"\n" + png_bytes(picture[::thin, ::thin]))
        new.replace(_with(self._path, _NOW))

    def results(self) -> list[EpisodeResult]:
        return _read(_with(self._path, _EPISODES)) if self._path is not None else []

    def add(self, result: EpisodeResult) -> None:
        if self._path is not None:
            with _with(self._path, _EPISODES).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result)) + "\n")


class LiveFolder:
    """Reads the files in which the jobs of a folder report their play."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[Path, int] = {}

    def results(self) -> list[EpisodeResult]:
        """Return the episodes that ended since the last call."""
        found: list[EpisodeResult] = []
        for path in sorted(self.folder.glob(f"*{_EPISODES}")):
            results = _read(path)
            found += results[self._read.get(path, 0) :]
            self._read[path] = len(results)
        return found

    def playing(self) -> list[tuple[Playing, bytes]]:
        """Return the episodes that are being played, each with its picture as a PNG file."""
        found = []
        for path in sorted(self.folder.glob(f"*{_NOW}")):
            try:
                head, _, picture = read_file(path, _MOST_BYTES).partition(b"\n")
            except FileNotFoundError:
                continue  # the job has just ended
            found.append((Playing(**json.loads(head)), picture))
        return found


def _read(path: Path) -> list[EpisodeResult]:
    # Leave out the last line, which may be incomplete.
    lines = read_file(path, _MOST_BYTES).split(b"\n")[:-1] if path.exists() else []
    return [EpisodeResult(**json.loads(line)) for line in lines]


def _with(path: Path, suffix: str) -> Path:
    """Append a suffix to a path whose name may contain dots, such as an agent's name."""
    return path.with_name(path.name + suffix)


@dataclass(frozen=True, slots=True)
class AgentTrial:
    """The arguments of ``integrator agents``; without ``states``, the default state is used.
    ``out`` is the folder of movies, and ``live`` that of files about the running episodes."""

    game: Path
    agents: tuple[str, ...]
    states: tuple[str, ...] = ()
    episodes: int = 10
    most_frames: int = 18_000
    seed: int = 0
    scenario: str | None = None
    jobs: int = 0
    cluster: str | None = None
    out: Path | None = None
    live: Path | None = None

    def command(self) -> list[str]:
        options: list[object] = ["--json", "--episodes", self.episodes]
        options += ["--frames", self.most_frames, "--seed", self.seed]
        options += [part for agent in self.agents for part in ("--agent", agent)]
        options += [part for state in self.states for part in ("--state", state)]
        named = {"--out": self.out, "--live": self.live, "--scenario": self.scenario}
        for option, value in named.items():
            options += [option, value] if value else []
        options += ["--cluster", self.cluster] if self.cluster else ["--jobs", self.jobs]
        return children.module_command("integrator", "agents", self.game, *options)


def on_disk(plan: SessionPlan, folder: Path) -> Path:
    """Return the directory of a plan's game, or a copy in ``folder`` if edits are unsaved.

    Raises SaveError, DocumentError."""
    integration = plan.integration
    if integration.rom is None:
        return plan.kept(folder, integration.name).integration.directory
    if not integration.modified:
        return integration.directory
    integration.save(folder / integration.name, follow_links=True)
    return integration.directory


News = tuple[Sequence[EpisodeResult], Sequence[tuple[Playing, bytes]]]
"""The episodes that ended since the last call, and pictures (PNG) of the running episodes."""


def play_in_process(
    trial: AgentTrial, out: Path, stopped: Callable[[], bool], tell: Callable[[News], None]
) -> None:
    """Play a trial until its end or ``stopped``. Raises SessionError if nothing was played."""
    with OwnedFolder() as folder:
        live, log, shown, ended = LiveFolder(folder), folder / "log.txt", 0, False
        command = replace(trial, out=out, live=live.folder).command()
        with log.open("wb") as stderr:
            work = children.start(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=stderr
            )
        try:
            while not ended and not stopped():
                try:
                    work.wait(0.25)
                    ended = True
                except subprocess.TimeoutExpired:
                    results = live.results()
                    shown += len(results)
                    tell((results, live.playing()))
        finally:
            if work.stdin is not None:
                work.stdin.close()
            try:
                work.wait(15)
            except subprocess.TimeoutExpired:
                work.kill()
                work.wait()
        last = live.results()
        tell((last, ()))
        if ended and work.returncode and not shown and not last:
            lines = read_text(log, _MOST_BYTES, "replace").strip().splitlines()
            reason = lines[-1] if lines else "the agents ended without a word"
            raise SessionError(reason.removeprefix("integrator: "))
