"""``integrator dataset``: replays movies in an environment, and writes them as Minari or npz."""

import contextlib
import getpass
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.options import required_movies
from integrator.domain.errors import MovieError, SessionError
from integrator.domain.files.atomic import writing
from integrator.domain.movies.model import Movie
from integrator.domain.movies.reading import read_movie
from integrator.env.movie_steps import KEEP_CURE, MovieSteps, Step
from integrator.session.movies import FINGERPRINT, refuse_doubtful
from integrator.session.opening import movie_consoles, plan_session
from integrator.session.setup.plan import fingerprint
from integrator.session.setup.roots import find_integration
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.stepper import Reduction

_COPY_BYTES = 1 << 20


class NpzSink:
    """Writes a folder with a file for each episode: ``MOVIE.npz``, replaced as a whole. Arrays:
    observations (steps + 1, ...), actions, rewards (float32), terminations, truncations and
    ``info.NAME`` for each variable (int64), all of them (steps, ...). ``made_of`` says in JSON what
    the episode is computed from. Raises SessionError for a folder with other episodes."""

    def __init__(self, folder: Path, names: set[str], made_of: Mapping[str, Any]) -> None:
        self._folder = folder
        self._made = ExitStack()
        if not folder.exists():
            self._made.enter_context(contextlib.suppress(OSError))
            self._made.callback(folder.rmdir)  # which fails if an episode is in it
        folder.mkdir(parents=True, exist_ok=True)
        self._made_of = json.dumps(made_of)
        for path in folder.glob("*.npz"):
            if path.stem not in names or _made_of(path) != self._made_of:
                raise SessionError(f"{path}: this episode is of another run; name a new folder")

    def begin(self, name: str, steps: MovieSteps) -> None:
        self._target = self._folder / f"{name}.npz"
        self._parts = self._made.enter_context(OwnedFolder(self._folder))
        self._columns: dict[str, _Column] = {}
        self._steps = 0
        self._add("observations", steps.first)

    def add(self, step: Step) -> None:
        self._add("observations", step.observation)
        self._add("actions", np.asarray(step.action))
        self._add("rewards", np.asarray(step.reward, np.float32))
        self._add("terminations", np.asarray(step.terminated, np.bool_))
        for name, value in step.info.items():
            self._add(f"info.{name}", np.asarray(value, np.int64))
        self._add("truncations", np.asarray(False))  # noqa: FBT003 - a value
        self._steps += 1

    def end(self, *, truncated: bool) -> Path:
        for column in self._columns.values():
            column.fill(self._steps)
        if truncated and self._steps:
            rows = self._columns["truncations"].stream
            rows.seek(self._steps - 1)
            rows.write(np.True_.tobytes())
        part = self._parts / "episode.npz"
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
            for name, column in self._columns.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as stream:
                    column.pack(stream)
            with archive.open("made_of.npy", "w") as stream:
                np.lib.format.write_array(stream, np.array(self._made_of))
        part.replace(self._target)
        self._made.close()
        return self._target

    def give_up(self) -> None:
        """Remove the unfinished episode; complete episodes are kept."""
        self._made.close()

    def close(self) -> None:
        """Do nothing, because each episode is complete by itself."""

    def _add(self, name: str, value: NDArray[Any]) -> None:
        if name not in self._columns:
            path = self._parts / f"{len(self._columns)}.rows"
            # Use a file and not a memory map, because mapped pages count as memory of the process.
            stream = self._made.enter_context(path.open("w+b", buffering=_COPY_BYTES))
            self._columns[name] = _Column(stream, value.dtype, value.shape)
        column = self._columns[name]
        column.fill(self._steps)
        column.stream.write(value.tobytes())
        column.rows += 1


def _made_of(path: Path) -> str:
    try:
        with np.load(path) as episode:
            return str(episode["made_of"])
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return ""


@dataclass(slots=True)
class _Column:
    """The rows of an array, in a file."""

    stream: BinaryIO
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    rows: int = 0

    def fill(self, rows: int) -> None:
        """Append zeros up to a number of rows, since scripts may make a variable at any time."""
        missing = max(0, rows - self.rows)
        self.stream.write(bytes(missing * int(np.prod(self.shape)) * self.dtype.itemsize))
        self.rows += missing

    def pack(self, target: Any) -> None:
        kind, shape = np.lib.format.dtype_to_descr(self.dtype), (self.rows, *self.shape)
        header = {"descr": kind, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_2_0(target, header)
        self.stream.seek(0)
        shutil.copyfileobj(self.stream, target, _COPY_BYTES)


_PIECE_STEPS: Final = 256


class MinariSink:
    """Writes a new dataset, which gets its id, ``folder``, once complete. Raises SessionError."""

    def __init__(self, folder: Path, author: str, made_of: Mapping[str, Any]) -> None:
        try:
            import minari  # noqa: F401, PLC0415 - an extra, and it takes a second to import
        except ImportError as error:
            fault = "Minari is missing; pip install 'retro-integrator[datasets]'"
            raise SessionError(f"{folder}: {fault}, or use --format npz") from error
        if re.fullmatch(r"[-_.\w]+-v\d+", folder.name) is None:
            fault = f"the name of a Minari dataset ends with its version; call it {folder.name}-v0"
            raise SessionError(f"{folder}: {fault}")
        # Minari opens files relative to their folder, so the path must be absolute.
        self._folder, self._author, self._made_of = folder.absolute(), author, made_of
        self._check_new()
        self._made = ExitStack()
        self._storage: Any = None
        self._episode, self._steps = -1, 0

    def begin(self, name: str, steps: MovieSteps) -> None:
        """Begin the next episode; the first one fixes the spaces of the dataset."""
        if self._storage is None:
            self._storage = self._new(steps)
        stored = (self._storage.observation_space, self._storage.action_space)
        if stored != (steps.observation_space, steps.action_space):
            differs = "its observations or actions differ from those of the movies before"
            raise SessionError(f"{name}: {differs}; make a dataset of its own")
        self._episode += 1
        self._steps, self._observations = 0, [steps.first]
        self._rows: list[Step] = []

    def add(self, step: Step) -> None:
        """Collect a step, and store the steps once there are enough of them."""
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
        """Remove everything, because an unfinished dataset cannot be continued."""
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
        taken = count + (self._steps == 0)  # the first piece includes the reset's observation
        observations, self._observations = self._observations[:taken], self._observations[taken:]
        truncations = np.zeros(count, np.bool_)
        truncations[-1] = truncated
        names = rows[0].info
        piece = EpisodeBuffer(
            id=self._episode,
            observations=np.array(observations),
            actions=np.array([row.action for row in rows]),
            rewards=np.array([row.reward for row in rows], np.float32),
            terminations=np.array([row.terminated for row in rows]),
            truncations=truncations,
            infos={name: np.array([row.info[name] for row in rows], np.int64) for name in names},
        )
        self._storage.update_episodes([piece])
        self._steps += count


Sink: TypeAlias = MinariSink | NpzSink
"""Takes one episode after the other: ``begin``, ``add`` for each step, and ``end``, which returns
the episode's path; ``truncated`` means that the movie ended before done."""


@dataclass(frozen=True, slots=True)
class DatasetContent:
    """The wanted observations and actions; ``size`` is the (width, height) of pictures."""

    observation: str
    actions: str
    gray: bool
    size: tuple[int, int] | None
    keep_desynced: bool

    def see(self, shape: tuple[int, ...]) -> Callable[[NDArray[np.uint8]], NDArray[np.uint8]]:
        """Return the function that turns observations of this shape into the wanted ones."""
        if self.observation == "ram" or not (self.gray or self.size):
            return lambda seen: seen
        height, width, _ = shape
        return Reduction((height, width), self.size and self.size[::-1], gray=self.gray).reduce


def make_dataset(
    paths: Sequence[Path],
    out: Path,
    *,
    form: str,
    wanted: DatasetContent,
    game: Path | None,
    quiet: bool,
) -> list[dict[str, Any]]:
    """Write an episode for each movie; return their facts. Raises SessionError, MovieError."""
    consoles = movie_consoles()
    listed = [read_movie(each, consoles) for path in paths for each in required_movies(path)]
    for movie in listed:
        if movie.training_warning:
            raise MovieError(f"{movie.path}: {movie.training_warning}; leave this movie out")
    movies = [(game or find_integration(each.game, each.path), each) for each in listed]
    if wanted.size is not None and min(wanted.size) < 1:
        raise SessionError(f"no pictures of {wanted.size[0]} x {wanted.size[1]}; use 1 or more")
    with writing(out):
        plans = {each: plan_session(each) for each in dict(movies)}
        for directory, movie in () if wanted.keep_desynced else movies:
            # Refused before the first movie is played.
            refuse_doubtful(movie, plans[directory].request.content, None, KEEP_CURE)
        games = {str(directory): fingerprint(plan) for directory, plan in plans.items()}
        made_of = {**asdict(wanted), "games": games}
        sink: Sink
        if form == "minari":
            author = "unknown"
            with contextlib.suppress(KeyError, OSError):  # the user may have no name
                author = getpass.getuser()
            sink = MinariSink(out, author, made_of)
        else:
            names = {f"{i:05}-{movie.path.stem}" for i, (_, movie) in enumerate(movies)}
            sink = NpzSink(out, names, made_of)
        try:
            found = list(_episodes(movies, sink, wanted, quiet=quiet))
            sink.close()
        except BaseException:
            sink.give_up()
            raise
    return found


def _episodes(
    movies: Sequence[tuple[Path, Movie]], sink: Sink, wanted: DatasetContent, *, quiet: bool
) -> Iterator[dict[str, Any]]:
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        plain_progress(*columns, quiet=quiet, transient=True) as shown,
        MovieSteps(
            wanted.actions, wanted.observation, wanted.see, keep_desynced=wanted.keep_desynced
        ) as steps,
    ):
        task = shown.add_task("frames", total=sum(movie.frames for _, movie in movies))
        for number, (directory, movie) in enumerate(movies):
            steps.begin(directory, movie)
            sink.begin(f"{number:05}-{movie.path.stem}", steps)
            reward, count, done = 0.0, 0, False
            for count, step in enumerate(steps, start=1):
                sink.add(step)
                reward += step.reward
                done = step.terminated
                if count % 60 == 0:  # a second of play
                    shown.advance(task, 60)
            shown.advance(task, movie.frames - count // 60 * 60)
            yield {
                "movie": str(movie.path),
                "game": str(directory),
                "steps": count,
                "reward": reward,
                "ended": "done" if done else "movie",
                "left_out": movie.frames - 1 - count,  # the first row is the reset's
                "desync_row": steps.desync_row,
                "compared_frames": steps.movie.hashed(count + 1),
                "recorded_with": movie.header.get(FINGERPRINT),
                "path": str(sink.end(truncated=not done)),
            }


def print_dataset(episodes: Sequence[dict[str, Any]], out: Path, form: str) -> None:
    console = plain_console(soft_wrap=True)
    steps = sum(each["steps"] for each in episodes)
    desynced = sum(each["desync_row"] is not None for each in episodes)
    more = f", out of step: {desynced}" if desynced else ""
    console.print(f"{out}: episodes: {len(episodes)}, steps: {steps:,}{more}")
    if form == "minari":
        place = f"MINARI_DATASETS_PATH={out.absolute().parent}"
        console.print(f'{place} lets minari.load_dataset("{out.name}") load it')
