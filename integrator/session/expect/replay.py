"""Movies with expectations replayed in hidden cores, and their verdicts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final

from integrator.domain.errors import IntegratorError, MovieError
from integrator.domain.files.jsontext import JsonValue
from integrator.domain.findings.finding import Finding, Severity
from integrator.domain.integration.expectations import Expectation, ExpectationsDocument
from integrator.domain.integration.files import Integration
from integrator.domain.movies.reading import Movie, MovieConsole, read_movie
from integrator.session.expect.compare import ExpectationResult, Played, judge
from integrator.session.opening import movie_consoles, open_session
from integrator.session.rework import run_movie
from integrator.session.session import Session
from integrator.session.setup.known_systems import systems
from integrator.session.setup.plan import SessionPlan

NewSession = Callable[[int], Session]
"""Opens the game anew for so many players, in a core of its own."""

_Listed = tuple[int, Expectation]


def check_expectations(
    directory: Path,
    entries: Iterable[Expectation | None],
    new_session: NewSession,
    consoles: Mapping[str, MovieConsole],
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[ExpectationResult]:
    """The verdict on each entry, movie by movie; each is played once for a scenario.

    An entry that is None has no verdict. Stops between movies, and within one, when ``stopped``.
    """
    listed = [(index, entry) for index, entry in enumerate(entries) if entry is not None]
    listed.sort(key=_play_of)  # stable: entries of one movie stay in their order
    for (name, scenario), group in groupby(listed, key=_play_of):
        wanted = list(group)
        try:
            movie = read_movie(directory / name, consoles)
            with new_session(movie.players) as session:
                yield from _play(session, movie, scenario, wanted, stopped)
        except (IntegratorError, OSError) as error:
            for index, entry in wanted:
                yield ExpectationResult(index, entry, problem=str(error))
        if stopped():
            return


def check_beside(
    plan: SessionPlan, entries: Iterable[Expectation | None], stopped: Callable[[], bool]
) -> Iterator[ExpectationResult]:
    """As :func:`check_expectations`, by the documents of an open game, in hidden cores."""
    return check_expectations(
        plan.integration.directory,
        entries,
        lambda players: Session(plan.for_players(players)),
        plan.systems,
        stopped,
    )


def new_values(verdicts: Iterable[ExpectationResult]) -> dict[int, JsonValue]:
    """The present values of expectations that do not hold, by index, to be accepted."""
    return {each.index: each.actual for each in verdicts if each.frame is not None}


def _play_of(listed: _Listed) -> tuple[str, str]:
    return listed[1].movie, listed[1].scenario


def _play(
    session: Session,
    movie: Movie,
    scenario: str,
    wanted: list[_Listed],
    stopped: Callable[[], bool],
) -> Iterator[ExpectationResult]:
    if scenario != session.game.scenario_name:
        session.game.use_scenario(scenario)
    if movie.system != session.system.name or not movie.frames:
        raise MovieError(f"{movie.path}: it is empty, or of another system; choose another movie")
    last = max(entry.last for _, entry in wanted)
    run = run_movie(session, movie, lambda *_: not stopped(), last)
    if not run.complete:
        return
    played = Played.of(session, run.start, run.stop)
    desync = run.desync_row
    for index, entry in wanted:
        if desync is not None and desync < entry.last:
            problem = f"{movie.path}: out of step from row {desync} on; record it again"
            yield ExpectationResult(index, entry, problem=problem)
        else:
            yield judge(index, entry, played)


_NOT_CHECKED: Final = "expectation-not-checked"
_CURES: Final = {
    "expectation-failed": "correct the integration, or accept the new value with --accept",
    _NOT_CHECKED: "put the movie right, or remove the entry",
}


def expectation_findings(integration: Integration, *, accept: bool) -> Iterator[Finding]:
    """Replay the movies; with ``accept`` present values replace those that differ, on disk."""
    document, directory = integration.expectations, integration.directory
    verdicts = list(
        check_expectations(
            directory,
            document.entries,
            lambda players: open_session(directory, players=players),
            movie_consoles(systems()),
        )
    )
    accepted = new_values(verdicts) if accept else {}
    if accepted:
        document.accept(accepted)
        integration.save()
    damaged = [each for each in integration.findings if each.file == document.path]
    if any(each.code == "json-invalid" for each in damaged):
        text = "the file cannot be read, so that no expectation is checked"
        yield Finding(_NOT_CHECKED, Severity.ERROR, document.path, text, "correct or remove it")
    for index, entry in enumerate(document.entries):
        if entry is None:
            yield _about(document, index, "the entry is no expectation")
    for verdict in verdicts:
        if not verdict.holds and verdict.index not in accepted:
            code = _NOT_CHECKED if verdict.problem else "expectation-failed"
            told = verdict.expected
            message = f"{told.name or told.kind} of {told.movie}: {verdict.message}"
            yield _about(document, verdict.index, message, code)


def _about(
    document: ExpectationsDocument, index: int, message: str, code: str = _NOT_CHECKED
) -> Finding:
    return Finding(
        code, Severity.ERROR, document.path, message, _CURES[code],
        f"expectations[{index}]", document.line_of("expectations", index),
    )  # fmt: skip
