"""``integrator suggest``, ``ends``, ``prove``, ``search``: what the window finds, for scripts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, get_args

from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.options import movies_of, require_path
from integrator.domain.ends.marks import EndCondition
from integrator.domain.errors import ChoiceError, SessionError
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

MOST_LINES: Final = 20
"""Matches that are printed; JSON has all."""


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
            raise ChoiceError(
                f"{name}: no variable of the game has this name; an address is written as "
                "0xFF0000:>u2"
            ) from error
    return found


def _plain(each: object, *names: str) -> dict[str, Any]:
    """Fields of a value; those that JSON does not have, such as types, as text."""
    values = {name: getattr(each, name) for name in names}
    kept = (int, float, str, list, tuple, type(None))
    return {
        name: value if isinstance(value, kept) else str(value) for name, value in values.items()
    }


def suggestion_json(each: Suggestion) -> dict[str, Any]:
    told = _plain(each, "kind", "address", "type", "mask", "confidence", "ruling", "reason")
    return {**told, "ruling": each.ruling or None}


def end_json(each: EndCondition) -> dict[str, Any]:
    """A condition as plain values; a test of a byte that is no variable has no ``variable``."""
    return {
        "condition": str(each.condition),
        "tests": [
            {
                "variable": test.spec.name or None,
                "address": test.address,
                "type": str(test.type),
                "measurement": str(test.spec.measurement),
                "op": test.spec.op.name or "positive",
                "reference": test.spec.reference,
            }
            for test in each.tests
        ],
        "late": each.late,
        "false_alarms": each.false_alarms,
        "alike": each.alike,
    }


def verdict_json(each: Verdict) -> dict[str, Any]:
    copied = each.copy_of and _plain(each.copy_of, "address", "type")
    return {**_plain(each, "address", "type", "ruling", "reasons"), "copy_of": copied}


def solution_json(found: Solution) -> dict[str, Any]:
    names = ("address", "type", "mask", "scale", "failed", "off_frames")
    return {
        "exact": found.exact_count,
        "near": found.near_count,
        "matches": [
            _plain(each, *names)
            | {"copies": [_plain(copy, "address", "type") for copy in each.copies]}
            for each in found.matches
        ],
    }


def print_suggestions(found: Sequence[Suggestion]) -> None:
    _print(
        f"{each.kind:9} {each.confidence:4.2f} {each.ruling:8} 0x{each.address:X} {each.type}  "
        f"{each.reason}"
        for each in found
    )


def print_ends(found: Sequence[EndCondition]) -> None:
    _print(
        f"{each}: holds at {len(each.late) - each.late.count(None)} of {len(each.late)} ends, "
        f"{each.frames_late} frames late; false alarms: {len(each.false_alarms)}"
        for each in found
    )


def print_verdicts(found: Sequence[Verdict]) -> None:
    _print(
        f"0x{each.address:X} {each.type}: {each.ruling}; {' '.join(each.reasons)}" for each in found
    )


def print_solution(found: Solution) -> None:
    """Print the counts of a search, and a line for each of the best matches."""
    _print(
        [
            f"{found.exact_count:,} fit all facts, {found.near_count:,} all but one",
            *(
                f"0x{each.address:X} {each.type} {each.scale}"
                + (f"  but not: {each.failed}" if each.failed else "")
                for each in found.matches[:MOST_LINES]
            ),
        ]
    )


def _print(lines: Sequence[str] | Iterator[str]) -> None:
    console = plain_console(soft_wrap=True)
    for line in list(lines) or ["nothing found"]:
        console.print(line)
