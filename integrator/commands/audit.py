"""``integrator audit``: traps for agents, in movies and by probes; ``reward``: terms that paid."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Column, Table
from rich.text import Text

from integrator.commands.shared.console import plain_console, plain_progress, tracked
from integrator.commands.shared.fanout import fan_out
from integrator.commands.shared.options import require_path, required_movies
from integrator.domain.audit.play import Trap
from integrator.domain.errors import MovieError, SessionError
from integrator.domain.integration.naming import is_integration
from integrator.domain.movies.reading import movies_below, read_movie
from integrator.session import audit as audits
from integrator.session.audit import AuditJob, Heard
from integrator.session.opening import movie_consoles, open_session, plan_session
from integrator.session.rescoring import Attribution, Share, attribute
from integrator.session.rework import import_movie
from integrator.session.setup.roots import find_integration, systems
from integrator.unattended.attack import AttackJob, hear_attack


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The plays of each game, by directory, and its traps, ranked."""

    heard: dict[Path, list[Heard]]
    traps: dict[Path, list[Trap]]

    @property
    def is_clean(self) -> bool:
        """True when no trap is serious and every movie could be played."""
        serious = any(trap.is_serious for traps in self.traps.values() for trap in traps)
        return not serious and not any(each.error for all_ in self.heard.values() for each in all_)

    def to_json(self) -> dict[str, Any]:
        games = []
        for game, heard in self.heard.items():
            traps = [
                {**asdict(trap), "severity": "serious" if trap.is_serious else "remark"}
                for trap in self.traps[game]
            ]
            plays = [_play_json(each) for each in heard]
            games.append({"game": str(game), "plays": plays, "traps": traps})
        return {"games": games}


def audit(
    paths: Sequence[Path],
    *,
    game: Path | None = None,
    probes: bool = True,
    attack_seed: int | None = None,
    jobs: int = 0,
    cluster: str | None = None,
    quiet: bool = False,
) -> AuditReport:
    """Audit movies, integrations, ``probes``, and an attack with ``attack_seed`` on each game.

    Raises SessionError, MovieError, DocumentError.
    """
    games = _games(paths, game)
    heard: dict[Path, list[Heard]] = {directory: [] for directory in games}
    every: list[AuditJob] = []
    for directory, movies in games.items():
        plan = plan_session(directory)
        # Printed once, and not once a play; a movie may have more players.
        if error := audits.unscorable(directory, plan.players):
            heard[directory].append(Heard(str(directory), error=error))
        else:
            every += (*movies, *(audits.probe_jobs(plan) if probes else ()))
            if attack_seed is not None:
                every.append(AttackJob(directory, plan.players, seed=attack_seed))
    costly: Counter[Path] = Counter()

    def skip(job: AuditJob | AttackJob) -> Heard | None:
        if costly[job.game] < 2:
            return None
        why = "the core hung or filled the memory in other plays"
        return Heard(job.source, error=f"not played, because {why}")

    results = fan_out(_hear, every, jobs, cluster, audits.unheard, skip, lambda job: job.limit_ms)
    shown = tracked(results, "playing", len(every), quiet=quiet)
    for job, told in zip(every, shown, strict=True):
        heard[job.game].append(told)
        costly[job.game] += told.is_costly
    return AuditReport(heard, {at: audits.gathered(all_) for at, all_ in heard.items()})


def _hear(job: AuditJob) -> Heard:
    return hear_attack(job) if isinstance(job, AttackJob) else audits.hear(job)


def _games(paths: Sequence[Path], game: Path | None) -> dict[Path, list[AuditJob]]:
    consoles = movie_consoles(systems())
    games: dict[Path, list[AuditJob]] = {}
    for path in paths:
        require_path(path)
        if is_integration(path):
            games.setdefault(path.absolute(), [])
            continue
        movies = movies_below(path)
        if not movies:
            raise SessionError(f"{path}: there is no movie in it, and it is no integration")
        for each in movies:
            try:
                movie = read_movie(each, consoles)
                directory = (game or find_integration(movie.game, each)).absolute()
                job = AuditJob(directory, movie.players, movie=each.absolute(), frames=movie.frames)
            except MovieError:
                if game is None:
                    raise
                # Its job reports the error, and other movies are audited.
                job = AuditJob(game.absolute(), movie=each.absolute())
            games.setdefault(job.game, []).append(job)
    return games


def print_report(report: AuditReport) -> None:
    console = plain_console(soft_wrap=True)
    for game, heard in report.heard.items():
        console.print(Text(str(game), style="bold"))
        failed: dict[str, list[str]] = {}
        for each in heard:
            if each.error:
                failed.setdefault(each.error, []).append(each.source)
        for error, sources in failed.items():
            where = "" if sources[0] in error else f"{sources[0]}: "
            also = f" (and so in {len(sources) - 1} more plays)" if len(sources) > 1 else ""
            console.print(Text(f"  {where}{error}{also}", style="red"))
        traps = report.traps[game]
        for trap in traps:
            where = f"{trap.source}, frames {trap.frames[0]:,} to {trap.frames[1]:,}"
            more = trap.plays - 1
            where += f", and {more} more play{'' if more == 1 else 's'}" if more else ""
            style = "bold red" if trap.is_serious else "dim"
            console.print(Text(f"  {trap.kind}: ", style=style) + trap.evidence)
            console.print(f"      {where}; {trap.cure}")
        serious = sum(trap.is_serious for trap in traps)
        frames = sum(each.play.frames for each in heard if each.play is not None)
        counts = f"traps: {serious}, remarks: {len(traps) - serious}"
        plays = f"{len(heard)} play{'' if len(heard) == 1 else 's'}"
        console.print(f"  {counts}, in {frames:,} frames of {plays}")


def _play_json(heard: Heard) -> dict[str, Any]:
    play = heard.play
    return {
        "source": heard.source,
        "frames": play.frames if play else 0,
        "reward": float(play.rewards[play.until_done].sum()) if play else None,
        "done_frame": int(play.done.argmax()) + 1 if play and play.done.any() else None,
        "error": heard.error or None,
    }


@dataclass(frozen=True, slots=True)
class Explained:
    """A movie's reward taken apart, of its frames ``first`` to ``last``."""

    movie: Path
    game: Path
    parts: Attribution
    first: int
    last: int

    def paid(self) -> list[int]:
        """The frames with a reward or a term other than 0."""
        columns = [self.parts.rewards, *(column.parts for column in self.parts.columns)]
        some = np.any([column[self.first - 1 : self.last] != 0 for column in columns], axis=0)
        frames: list[int] = (self.first + np.flatnonzero(some)).tolist()
        return frames

    def to_json(self) -> dict[str, Any]:
        parts, span = self.parts, (self.first, self.last)
        frames = []
        for frame in self.paid():
            terms = [asdict(share) for share in parts.shares(frame, frame) if share.gave]
            frames.append({"frame": frame, "reward": parts.reward(frame, frame), "terms": terms})
        return {
            "movie": str(self.movie),
            "game": str(self.game),
            "first": self.first,
            "last": self.last,
            "reward": parts.reward(*span),
            "rounding": parts.rounding(*span),
            "terms": [asdict(share) for share in parts.shares(*span)],
            "frames": frames,
        }


def explain_rewards(
    paths: Sequence[Path],
    *,
    game: Path | None,
    scenario: str | None,
    player: int,
    first: int,
    last: int | None,
    quiet: bool,
) -> list[Explained]:
    """Play movies and take their reward apart. Raises SessionError, MovieError, HostError."""
    consoles, found = movie_consoles(systems()), []
    movies = [movie for path in paths for movie in required_movies(path)]
    with plain_progress(quiet=quiet, transient=True) as shown:
        for each in shown.track(movies, description="movies"):
            movie = read_movie(each, consoles)
            directory = game or find_integration(movie.game, each)
            with open_session(directory, scenario=scenario, players=movie.players) as session:
                import_movie(session, each)
                parts = attribute(session, player=player - 1)
            stop = parts.last if last is None else last
            if not 1 <= first <= stop <= parts.last:
                raise SessionError(f"{each}: it has frames 1 to {parts.last:,}; choose among them")
            found.append(Explained(each, directory, parts, first, stop))
    return found


def print_rewards(explained: Sequence[Explained]) -> None:
    """Print the terms of each movie, then the frames on which they paid."""
    console = plain_console(soft_wrap=True)
    for each in explained:
        parts = each.parts
        whole = f"{parts.reward(each.first, each.last):.9g}"
        console.print(f"{each.movie}, frames {each.first:,} to {each.last:,}: {whole}")
        names = "term", "gave", "frames", "variable"
        table = Table(*(Column(name, no_wrap=True) for name in names))
        for share in parts.shares(each.first, each.last):
            table.add_row(share.term, f"{share.gave:.9g}", f"{share.paid_frames:,}", _moved(share))
        console.print(table)
        frames = each.paid()
        for frame in frames[:40]:
            told = ", ".join(
                f"{share.term} {share.gave:+.9g}" + (f" ({way})" if (way := _moved(share)) else "")
                for share in parts.shares(frame, frame)
                if share.gave
            )
            console.print(f"  frame {frame:,}: {parts.reward(frame, frame):.9g} = {told}")
        if more := len(frames[40:]):
            console.print(f"  and {more:,} more frames; --json lists all")


def _moved(share: Share) -> str:
    """The variable of a share and its way; empty for time and scripts."""
    if share.before is None or share.after is None:
        return share.variable
    return f"{share.variable} {share.before} → {share.after}"
