"""``integrator play``: replays movies without a window, and writes frames and summaries."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from integrator.commands.play import table as files
from integrator.commands.play.job import MovieSummary, PlayResult, lost_jobs, play_jobs
from integrator.commands.play.table import PlayJob, PlayOptions, play_board
from integrator.commands.shared.console import QuietProgress, plain_console
from integrator.commands.shared.fanout import fan_out
from integrator.domain.errors import DomainError, message_of
from integrator.domain.files.atomic import remove_leftovers
from integrator.domain.movies.reading import read_movie
from integrator.session.opening import movie_consoles
from integrator.session.setup.roots import find_integration
from integrator.session.stills import PROFILES
from libretro_host.processes.kernel import processors
from libretro_host.processes.temporary import OwnedFolder, remove_abandoned

_SHARES = 8
_MOST_FRAMES = 50_000  # most frames of movies that share a core, whose start takes 500 frames' time


def play_movies(
    movies: Sequence[Path], options: PlayOptions, *, quiet: bool = False
) -> list[dict[str, Any]]:
    """Replay movies, write the wanted files, return summaries. Raises SessionError, SaveError."""
    options.check(len(movies))
    with OwnedFolder() as folder:
        path = folder / "board"
        board = play_board(path, len(movies), create=True)
        jobs, results = _plan(movies, options, path)
        with _BoardProgress(board.sum, sum(job.frames for job in jobs), quiet=quiet):
            for result, job in zip(_played(jobs, options), jobs, strict=False):
                results[job.index] = result
    ordered = [results[index] for index in sorted(results)]
    _write(ordered, options)
    return [asdict(summary) for summary, _ in ordered]


def print_summaries(summaries: Sequence[dict[str, Any]]) -> None:
    """Print a table of the played movies, then errors and warnings on stderr."""
    names = "movie", "game", "frames", "episodes", "total reward", "done at", "desync at"
    table = Table(*(Column(name, overflow="fold") for name in names))
    played = [each for each in summaries if each["error"] is None]
    for each in played:
        rewards = ", ".join(f"{total:g}" for total in each["total_rewards"])
        done, desync = each["done_frame"], each["desync_frame"]
        counts = (str(each["frames"]), str(len(each["episodes"])))
        ended = "" if done is None else f"{done} {' '.join(each['ended_by'])}"
        never = "never" if each["compared_frames"] else "not known"
        apart = never if desync is None else Text(str(desync), style="red")
        table.add_row(Path(each["movie"]).name, each["game"], *counts, rewards, ended, apart)
    if played:
        plain_console().print(table)
    print_problems(summaries)


def print_problems(summaries: Sequence[dict[str, Any]]) -> None:
    for each in summaries:
        for text in (*each["warnings"], *filter(None, [each["error"]])):
            sys.stderr.write(f"integrator: {' '.join(text.split())}\n")


class _BoardProgress(QuietProgress):
    """A progress bar of ``frames`` for all movies; ``done`` returns those that are played."""

    def __init__(self, done: Callable[[], Any], frames: int, *, quiet: bool) -> None:
        self._done = done
        columns = TextColumn("frames"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        console = plain_console(stderr=True)
        disable = quiet or not console.is_terminal
        super().__init__(*columns, console=console, disable=disable, transient=True)
        self.add_task("frames", total=frames)

    def get_renderables(self) -> Iterator[RenderableType]:
        """Yield the text and the bar to draw; Rich calls this several times a second."""
        for task in self.task_ids:
            self.update(task, completed=int(self._done()))
        yield from super().get_renderables()


def _played(jobs: list[PlayJob], options: PlayOptions) -> Iterator[PlayResult]:
    workers = options.jobs or processors()
    finished = False
    # Movies of one game share a process, which starts the core once; but each process gets some.
    shares = _shares(jobs, max(len(jobs) // (_SHARES * workers), 1))
    results = fan_out(play_jobs, shares, workers, options.cluster, lost_jobs)
    try:
        for played in results:
            yield from played
        finished = True
    finally:
        results.close()  # ends the processes before their files are removed
        if not finished:
            for job in jobs:
                if job.video is not None:
                    remove_abandoned(job.video.parent)
                if job.stills is not None:
                    remove_leftovers(job.stills)


def _shares(jobs: list[PlayJob], size: int) -> list[list[PlayJob]]:
    """Group successive jobs of the same game, up to ``size`` movies and ``_MOST_FRAMES`` frames."""
    shares: list[list[PlayJob]] = []
    room = 0
    for job in jobs:
        last = shares[-1][0] if shares and len(shares[-1]) < size else None
        if last and job.frames <= room and (last.game, last.players) == (job.game, job.players):
            shares[-1].append(job)
        else:
            shares.append([job])
            room = _MOST_FRAMES
        room -= job.frames
    return shares


def _plan(
    movies: Sequence[Path], options: PlayOptions, board: Path
) -> tuple[list[PlayJob], dict[int, PlayResult]]:
    """Return the jobs of movies to play, and the results of the other movies by index."""
    buttons, jobs = movie_consoles(), []
    refused: dict[int, PlayResult] = {}
    videos = _places(movies, options.video, PROFILES[options.lossless].suffix)
    target = options.stills and options.stills.absolute()
    stills = [target and target / stem for stem in (_stems(movies) if len(movies) > 1 else [""])]
    for index, path in enumerate(movies):
        try:
            movie = read_movie(path, buttons, with_state=False)
            game = options.game or find_integration(movie.game, movie.path)
        except (DomainError, OSError) as error:
            refused[index] = MovieSummary(str(path), error=message_of(error)), None
            continue
        jobs.append(
            PlayJob(
                movie=path.absolute(),
                game=game.absolute(),
                players=movie.players,
                frames=movie.frames + max(options.ending, 0),
                index=index,
                board=board,
                video=videos[index],
                stills=stills[index],
                options=options,
            )
        )
    return jobs, refused


def _write(results: Sequence[PlayResult], options: PlayOptions) -> None:
    movies = [Path(summary.movie) for summary, _ in results]
    tables = [table for _, table in results if table is not None]
    of_all = (files.write_csv, options.csv), (files.write_parquet, options.parquet)
    for write_all, path in (*of_all, (files.write_monitor, options.monitor)) if tables else ():
        if path is not None:
            write_all(path, tables)
    of_each = (files.write_actions, options.npy, ".npz"), (files.write_info, options.info, ".json")
    for write, target, suffix in of_each:
        for (_, table), path in zip(results, _places(movies, target, suffix), strict=True):
            if table is not None and path is not None:
                write(path, table)


def _places(movies: Sequence[Path], target: Path | None, suffix: str) -> list[Path | None]:
    if target is None:
        return [None] * len(movies)
    if len(movies) == 1 and not target.is_dir():
        return [target.absolute()]
    target.mkdir(parents=True, exist_ok=True)
    return [target.absolute() / f"{stem}{suffix}" for stem in _stems(movies)]


def _stems(movies: Sequence[Path]) -> list[str]:
    stems = [movie.stem for movie in movies]
    counts = ((stem, stems[: i + 1].count(stem)) for i, stem in enumerate(stems))
    return [stem if stems.count(stem) == 1 else f"{stem}-{number}" for stem, number in counts]
