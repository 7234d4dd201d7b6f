"""``integrator suggest``, ``ends``, ``prove``, ``search``, ``auto``: what is found, for scripts."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from rich.text import Text

from integrator import paths
from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.fanout import fan_out
from integrator.commands.shared.options import movies_of, require_path, show
from integrator.domain.ends.marks import EndCondition
from integrator.domain.errors import ChoiceError, IntegratorError, SessionError
from integrator.domain.integration.naming import is_integration
from integrator.domain.movies.reading import is_movie, read_movie
from integrator.domain.query.solve import Solution
from integrator.domain.suggest.suggestion import KindName, Suggestion
from integrator.domain.values.datatype import DataType
from integrator.session.audit import PROBE_FRAMES, Probe, play_buttons, play_masks
from integrator.session.opening import movie_consoles, open_session
from integrator.session.proof.proof import Verdict
from integrator.session.rework import import_movie
from integrator.session.session import Session
from integrator.session.setup.roots import find_integration, systems
from integrator.unattended.job import AutoJob, AutoResult, lost, named_content, run_alone


@contextmanager
def played(
    paths: Sequence[Path],
    *,
    game: Path | None = None,
    state: str | None = None,
    seed: int = 1,
    quiet: bool = False,
) -> Iterator[tuple[Session, tuple[int, ...]]]:
    """A session that has played movies of one game, or a minute of random buttons.

    With it comes the last frame of each movie. Raises SessionError, MovieError.
    """
    for path in paths:
        require_path(path)
    if len(paths) == 1 and (
        is_integration(paths[0]) or not (paths[0].is_dir() or is_movie(paths[0]))
    ):
        with open_session(paths[0], state=state) as session:
            buttons = tuple(play_buttons(session.system))
            rows = Probe("random", seed=seed).masks(PROBE_FRAMES, session.game.players, buttons)
            play_masks(session, rows)
            yield session, ()
        return
    consoles = movie_consoles(systems())
    movies = [read_movie(each, consoles) for path in paths for each in movies_of(path)]
    games = {game or find_integration(each.game, each.path) for each in movies}
    if len(games) != 1:
        raise SessionError(f"{paths[0]}: the movies are of {len(games)} games; name those of one")
    players = max(each.players for each in movies)
    with open_session(games.pop(), state=state, players=players) as session:
        with plain_progress(quiet=quiet, transient=True) as shown:
            done = [
                import_movie(session, each.path)
                for each in shown.track(movies, description="movies")
            ]
        yield session, tuple(each.stop - 1 for each in done)


def kinds_of(names: Sequence[str] | None) -> list[KindName] | None:
    """The kinds of these names; None for all. Raises ChoiceError for a kind that there is not."""
    known: tuple[KindName, ...] = get_args(KindName)
    for name in names or ():
        if name not in known:
            raise ChoiceError(f"there is no kind {name!r}; choose among {', '.join(known)}")
    return [each for each in known if each in names] if names else None


def targets(session: Session, names: Sequence[str]) -> list[tuple[int, DataType]]:
    """The candidates of ``VARIABLE`` or ``ADDRESS:TYPE`` words. Raises ChoiceError."""
    found = []
    for name in names:
        spec = session.integration.variables.get(name)
        if spec is not None:
            found.append((spec.address, spec.type))
            continue
        address, _, kind = name.partition(":")
        try:
            found.append((int(address, 0), DataType.parse(kind or "|u1")))
        except ValueError as error:
            cure = "an address is written as 0xFF0000:>u2"
            raise ChoiceError(f"{name}: no variable of the game has this name; {cure}") from error
    return found


def _plain(each: object, *names: str) -> dict[str, Any]:
    """Fields of a value; those that JSON does not have, such as types, as text."""
    values = {name: getattr(each, name) for name in names}
    kept = (int, float, str, list, tuple, type(None))
    return {
        name: value if isinstance(value, kept) else str(value) for name, value in values.items()
    }


def show_suggestions(found: Sequence[Suggestion], *, as_json: bool) -> None:
    names = ("kind", "address", "type", "mask", "confidence")
    rows = []
    for each in found:
        told = {**_plain(each, *names), "ruling": each.ruling or None, "reason": each.reason}
        sure = f"{each.kind:9} {each.confidence:4.2f} {each.ruling:8}"
        rows.append((told, f"{sure} 0x{each.address:X} {each.type}  {each.reason}"))
    _show("suggestions", rows, as_json=as_json)


def show_ends(found: Sequence[EndCondition], *, as_json: bool) -> None:
    """A test of a byte that is no variable has no ``variable``."""
    rows = []
    for each in found:
        tests = [
            {
                "variable": test.spec.name or None,
                "address": test.address,
                "type": str(test.type),
                "measurement": str(test.spec.measurement),
                "op": test.spec.op.name or "positive",
                "reference": test.spec.reference,
            }
            for test in each.tests
        ]
        facts = _plain(each, "late", "false_alarms", "alike")
        held = f"{len(each.late) - each.late.count(None)} of {len(each.late)} ends"
        line = f"{each}: holds at {held}, {each.frames_late} frames late"
        told = {"condition": str(each.condition), "tests": tests, **facts}
        rows.append((told, f"{line}; false alarms: {len(each.false_alarms)}"))
    _show("ends", rows, as_json=as_json)


def show_verdicts(found: Sequence[Verdict], *, as_json: bool) -> None:
    rows = []
    for each in found:
        told = _plain(each, "address", "type", "ruling", "reasons")
        told["copy_of"] = each.copy_of and _plain(each.copy_of, "address", "type")
        line = f"0x{each.address:X} {each.type}: {each.ruling}; {' '.join(each.reasons)}"
        rows.append((told, line))
    _show("verdicts", rows, as_json=as_json)


def show_solution(found: Solution, *, as_json: bool) -> None:
    """The counts of a search and its matches, of which people read the best twenty."""
    names = ("address", "type", "mask", "scale", "failed", "off_frames")
    rows = []
    for each in found.matches:
        copies = [_plain(copy, "address", "type") for copy in each.copies]
        failed = f"  but not: {each.failed}" if each.failed else ""
        line = f"0x{each.address:X} {each.type} {each.scale}{failed}"
        rows.append(({**_plain(each, *names), "copies": copies}, line))
    head = f"{found.exact_count:,} fit all facts, {found.near_count:,} all but one"
    counts = {"exact": found.exact_count, "near": found.near_count}
    _show("matches", rows, as_json=as_json, head=[head], most=20, **counts)


def _show(
    name: str,
    rows: Sequence[tuple[dict[str, Any], str]],
    *,
    as_json: bool,
    head: Sequence[str] = (),
    most: int | None = None,
    **counts: int,
) -> None:
    """Print counts and all rows as JSON, or ``head`` and the lines of at most ``most`` rows."""
    lines = [*head, *(line for _, line in rows[:most])]
    value = {**counts, name: [row for row, _ in rows]}
    text = "\n".join(lines or ["nothing found"])
    show(value, plain_console(soft_wrap=True).print, text, as_json=as_json)


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
    """The result for each ROM, as soon as it is there; stderr says which is next.

    In folders, extensions say which files are games. ROMs whose integration would have the name of
    an earlier one's come last. Raises SessionError for a missing path.
    """
    root = (root or paths.user_integrations_dir()).absolute()
    known = {f".{end}" for each in systems().values() for end in each.extensions + each.aliases}
    roms: list[Path] = []
    for place in places:
        require_path(place)
        below = [place] if place.is_file() else sorted(place.rglob("*"))
        roms += (each for each in below if each.suffix.lower() in known or each == place)
    wanted = [AutoJob(rom.absolute(), root, minutes, seed, update) for rom in roms if rom.is_file()]
    games = list(dict.fromkeys(wanted))
    first: dict[str, AutoJob] = {}
    later: list[AutoJob] = []
    for job in games:
        with suppress(IntegratorError, OSError):  # its own process says why
            if first.setdefault(named_content(job.rom)[0], job) is not job:
                later.append(job)
    turns = [job for job in games if job not in later], later
    done = (result for turn in turns for result in fan_out(run_alone, turn, jobs, cluster, lost))
    for number, result in enumerate(done, start=1):
        sys.stderr.write(f"{number} of {len(games)}: {result.rom}: {result.outcome}\n")
        yield result


def print_result(result: AutoResult) -> None:
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


def to_json(results: Sequence[AutoResult]) -> dict[str, Any]:
    return {"games": [asdict(each) for each in results]}
