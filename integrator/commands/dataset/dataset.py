"""``integrator dataset``: movies replayed in an environment, and written as training data."""

import contextlib
import getpass
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

from integrator.commands.dataset.minari_format import MinariSink
from integrator.commands.dataset.npz import EpisodeSink, NpzSink
from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.options import required_movies
from integrator.domain.errors import MovieError, SessionError
from integrator.domain.files.atomic import writing
from integrator.domain.movies.model import Movie
from integrator.domain.movies.reading import read_movie
from integrator.env.movie_steps import MovieSteps
from integrator.session.movies import FINGERPRINT
from integrator.session.opening import movie_consoles, plan_session
from integrator.session.setup.plan import fingerprint
from integrator.session.setup.roots import find_integration, systems
from libretro_host.stepper import Reduction

_TELL_STEPS: Final = 60


@dataclass(frozen=True, slots=True)
class DatasetContent:
    """The wanted observations and actions; ``size`` is (width, height) of pictures."""

    observation: str
    actions: str
    gray: bool
    size: tuple[int, int] | None
    keep_desynced: bool

    def see(self) -> Callable[[NDArray[np.uint8]], NDArray[np.uint8]]:
        """The function of an environment's observation that gives the wanted one."""
        gray, size = self.gray, self.size
        if self.observation == "ram" or not (gray or size):
            return lambda seen: seen
        made: list[Reduction] = []

        def seen(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
            if not made:
                height, width, *_ = picture.shape
                made.append(Reduction((height, width), size and size[::-1], gray=gray))
            return made[0].reduce(picture)

        return seen


def make_dataset(
    paths: Sequence[Path],
    out: Path,
    *,
    form: str,
    wanted: DatasetContent,
    game: Path | None,
    quiet: bool,
) -> list[dict[str, Any]]:
    """Write an episode for each movie; returns their facts. Raises SessionError, MovieError."""
    consoles = movie_consoles(systems())
    listed = [read_movie(each, consoles) for path in paths for each in required_movies(path)]
    for movie in listed:
        if movie.training_warning:
            raise MovieError(f"{movie.path}: {movie.training_warning}; leave this movie out")
    movies = [(game or find_integration(each.game, each.path), each) for each in listed]
    if wanted.size is not None and min(wanted.size) < 1:
        raise SessionError(f"no pictures of {wanted.size[0]} x {wanted.size[1]}; use 1 or more")
    with writing(out):
        games = {str(each): fingerprint(plan_session(each)) for each in {g for g, _ in movies}}
        made_of = {**asdict(wanted), "games": games}
        sink: EpisodeSink
        if form == "minari":
            author = "unknown"
            with contextlib.suppress(KeyError, OSError):  # a user without a name
                author = getpass.getuser()
            sink = MinariSink(out, author, made_of)
        else:
            names = {f"{i:05}-{movie.path.stem}" for i, (_, movie) in enumerate(movies)}
            sink = NpzSink(out, names, made_of)
        try:
            found = _episodes(movies, sink, wanted, quiet=quiet)
            sink.close()
        except BaseException:
            sink.give_up()
            raise
    return found


def _episodes(
    movies: Sequence[tuple[Path, Movie]], sink: EpisodeSink, wanted: DatasetContent, *, quiet: bool
) -> list[dict[str, Any]]:
    found = []
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with (
        plain_progress(*columns, quiet=quiet, transient=True) as shown,
        MovieSteps(actions=wanted.actions, observation=wanted.observation, see=wanted.see) as steps,
    ):
        task = shown.add_task("frames", total=sum(movie.frames for _, movie in movies))
        for number, (directory, movie) in enumerate(movies):
            steps.begin(directory, movie)
            sink.begin(f"{number:05}-{movie.path.stem}", steps)
            tell = partial(shown.advance, task)
            told = _episode(sink, steps, movie, tell, keep_desynced=wanted.keep_desynced)
            found.append({"movie": str(movie.path), "game": str(directory), **told})
    return found


def _episode(
    sink: EpisodeSink,
    steps: MovieSteps,
    movie: Movie,
    tell: Callable[[float], None],
    *,
    keep_desynced: bool,
) -> dict[str, Any]:
    reward, count, done = 0.0, 0, False
    for step in steps:
        if steps.desync_row is not None and not keep_desynced:
            raise MovieError(
                f"{movie.path}: out of step from row {steps.desync_row} on: RAM is not as "
                "recorded; leave this movie out, or use --keep-desynced"
            )
        sink.add(step)
        reward += step.reward
        count += 1
        done = step.terminated
        if count % _TELL_STEPS == 0:
            tell(_TELL_STEPS)
    tell(movie.frames - count // _TELL_STEPS * _TELL_STEPS)
    place = sink.end(truncated=not done)
    return {
        "steps": count,
        "reward": reward,
        "ended": "done" if done else "movie",
        "left_out": steps.frames - count,
        "desync_row": steps.desync_row,
        "recorded_with": movie.header.get(FINGERPRINT),
        "path": str(place),
    }


def print_dataset(episodes: Sequence[dict[str, Any]], out: Path, form: str) -> None:
    console = plain_console(soft_wrap=True)
    steps = sum(each["steps"] for each in episodes)
    desynced = sum(each["desync_row"] is not None for each in episodes)
    more = f", out of step: {desynced}" if desynced else ""
    console.print(f"{out}: episodes: {len(episodes)}, steps: {steps:,}{more}")
    if form == "minari":
        parent = out.absolute().parent
        console.print(
            f'MINARI_DATASETS_PATH={parent} lets minari.load_dataset("{out.name}") load it'
        )
