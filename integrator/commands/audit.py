"""``integrator audit`` looks for traps for agents; ``auto`` makes integrations without a person."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from integrator import paths as folders
from integrator.commands.shared.console import plain_console, tracked
from integrator.commands.shared.fanout import fan_out
from integrator.commands.shared.options import require_path
from integrator.domain.audit.play import Trap
from integrator.domain.errors import IntegratorError, MovieError, SessionError
from integrator.domain.integration.naming import is_integration
from integrator.domain.movies.reading import movies_below, read_movie
from integrator.session import audit as audits
from integrator.session.audit import AuditJob, AuditResult
from integrator.session.opening import movie_consoles, plan_session
from integrator.session.setup.roots import find_integration, systems
from integrator.unattended.attack import AttackJob, run_attack
from integrator.unattended.job import AutoJob, AutoResult, lost, named_content, run_alone


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The plays of each game, by directory, and its traps, ranked."""

    results: dict[Path, list[AuditResult]]
    traps: dict[Path, list[Trap]]

    @property
    def is_clean(self) -> bool:
        """True if no trap is serious and every play succeeded."""
        serious = any(trap.is_serious for traps in self.traps.values() for trap in traps)
        return not serious and not any(run.error for runs in self.results.values() for run in runs)

    def to_json(self) -> dict[str, Any]:
        games = []
        for game, results in self.results.items():
            traps = [
                {**asdict(trap), "severity": "serious" if trap.is_serious else "remark"}
                for trap in self.traps[game]
            ]
            plays = [_play_json(each) for each in results]
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
    """Audit movies and integrations, by ``probes`` and an attack with ``attack_seed``, too.

    Raises SessionError, MovieError, DocumentError."""
    games = _games(paths, game)
    results: dict[Path, list[AuditResult]] = {directory: [] for directory in games}
    every: list[AuditJob] = []
    for directory, movies in games.items():
        plan = plan_session(directory)
        # Report the error once, and not for each play; a movie may have more players.
        if error := audits.unscorable(directory, plan.players):
            results[directory].append(AuditResult(str(directory), error=error))
        else:
            every += (*movies, *(audits.probe_jobs(plan) if probes else ()))
            if attack_seed is not None:
                every.append(AttackJob(directory, plan.players, seed=attack_seed))
    costly: Counter[Path] = Counter()

    def skip(job: AuditJob | AttackJob) -> AuditResult | None:
        if costly[job.game] < 2:
            return None
        why = "the core hung or filled the memory in other plays"
        return AuditResult(job.source, error=f"not played, because {why}")

    played = fan_out(_run, every, jobs, cluster, audits.failed_job, skip, lambda job: job.limit_ms)
    shown = tracked(played, "playing", len(every), quiet=quiet)
    for job, result in zip(every, shown, strict=True):
        results[job.game].append(result)
        costly[job.game] += result.is_costly
    return AuditReport(results, {at: audits.gathered(all_) for at, all_ in results.items()})


def _run(job: AuditJob) -> AuditResult:
    return run_attack(job) if isinstance(job, AttackJob) else audits.run_job(job)


def _games(paths: Sequence[Path], game: Path | None) -> dict[Path, list[AuditJob]]:
    consoles = movie_consoles()
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
                # The movie's job reports the error, so that other movies are audited.
                job = AuditJob(game.absolute(), movie=each.absolute())
            games.setdefault(job.game, []).append(job)
    return games


def print_report(report: AuditReport) -> None:
    console = plain_console(soft_wrap=True)
    for game, results in report.results.items():
        console.print(Text(str(game), style="bold"))
        failed: dict[str, list[str]] = {}
        for each in results:
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
        frames = sum(each.play.frames for each in results if each.play is not None)
        counts = f"traps: {serious}, remarks: {len(traps) - serious}"
        plays = f"{len(results)} play{'' if len(results) == 1 else 's'}"
        console.print(f"  {counts}, in {frames:,} frames of {plays}")


def _play_json(result: AuditResult) -> dict[str, Any]:
    play = result.play
    return {
        "source": result.source,
        "frames": play.frames if play else 0,
        "reward": float(play.rewards[play.until_done].sum()) if play else None,
        "done_frame": int(play.done.argmax()) + 1 if play and play.done.any() else None,
        "error": result.error or None,
    }


_STYLES = {"made": "green", "updated": "green", "kept": "dim", "failed": "red"}


def make_all(
    places: Sequence[Path],
    *,
    root: Path | None,
    minutes: float,
    seed: int,
    update: bool,
    jobs: int,
    cluster: str | None,
) -> Iterator[AutoResult]:
    """Yield the result for each ROM as soon as it is known; count the results on stderr.

    In folders, files with a known extension are games. If several ROMs would give integrations of
    the same name, one is made after the other. Raises SessionError for a missing path."""
    root = (root or folders.user_integrations_dir()).absolute()
    known = {f".{end}" for each in systems().values() for end in each.extensions + each.aliases}
    roms: list[Path] = []
    for place in places:
        require_path(place)
        below = [place] if place.is_file() else sorted(place.rglob("*"))
        roms += (each for each in below if each.suffix.lower() in known or each == place)
    wanted = [AutoJob(rom.absolute(), root, minutes, seed, update) for rom in roms if rom.is_file()]
    games = list(dict.fromkeys(wanted))
    counts: Counter[str] = Counter()
    turns: dict[int, list[AutoJob]] = {}
    for job in games:
        name = ""
        with suppress(IntegratorError, OSError):  # the ROM's own process reports the error
            name = named_content(job.rom)[0]
            counts[name] += 1
        turns.setdefault(counts[name], []).append(job)
    every = (turns[turn] for turn in sorted(turns))
    done = (result for turn in every for result in fan_out(run_alone, turn, jobs, cluster, lost))
    for number, result in enumerate(done, start=1):
        sys.stderr.write(f"{number} of {len(games)}: {result.rom}: {result.outcome}\n")
        yield result


def print_made(result: AutoResult) -> None:
    """Print a row: outcome, game, and each part with its confidence, or the reason."""
    outcome = (f"{result.outcome:8}", _STYLES[result.outcome])
    row = Text.assemble(outcome, result.directory or result.rom)
    if result.reason:
        row.append(f": {result.reason}")
    elif result.report is not None:
        parts = result.report.parts.items()
        row.append("  " + "  ".join(f"{name} {part.confidence:.2f}" for name, part in parts))
        for trap in result.report.traps:
            row.append(f"\n         {trap}", "yellow")
    plain_console(soft_wrap=True).print(row)
