"""Expectations of movies: made from recorded frames, replayed in hidden cores, and compared."""

import filecmp
import math
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain import errors
from integrator.domain.errors import SessionError, message_of
from integrator.domain.files.jsontext import JsonValue
from integrator.domain.findings import Finding
from integrator.domain.integration.expectations import Expectation, ExpectedKind, reward_changes
from integrator.domain.integration.files import Integration
from integrator.domain.integration.naming import free_name, is_integration
from integrator.domain.movies.model import Movie, MovieConsole
from integrator.domain.movies.reading import read_movie
from integrator.session.edits.editor import Change
from integrator.session.frame.result import FrameResult
from integrator.session.opening import movie_consoles, open_session
from integrator.session.recorded_rows import import_movie, run_movie
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.session.timeline.restorer import Progress, ReplayStopped


@dataclass(frozen=True, slots=True)
class Played:
    """The scores of a movie; row 0 is its frame 1, and ``column`` reads a variable."""

    rewards: NDArray[np.float32]  # (frames, players)
    done: NDArray[np.bool_]  # (frames,)
    column: Callable[[str], NDArray[np.int64]]

    @classmethod
    def of(cls, session: Session, start: int, stop: int) -> Self:
        travel, log = session.timeline, session.timeline.log
        read = partial(travel.column, start=start, stop=stop)
        return cls(log.rewards(start, stop), log.done(start, stop), read)


@dataclass(frozen=True, slots=True)
class ExpectationResult:
    """An expectation's present value and first differing frame, or the ``problem`` of the check."""

    index: int
    expected: Expectation
    actual: JsonValue = None
    frame: int | None = None
    problem: str = ""

    @property
    def holds(self) -> bool:
        return self.frame is None and not self.problem

    @property
    def message(self) -> str:
        """The difference, or the problem, in a few words; empty when the expectation holds."""
        if self.problem or self.frame is None:
            return self.problem
        expected, both = self.expected, (self.expected.value, self.actual)
        if expected.kind is ExpectedKind.DONE:
            was, now = ("no frame" if each is None else f"frame {each:,}" for each in both)
            return f"{now} instead of {was}"
        was, now = map(str, both)
        if expected.kind is ExpectedKind.REWARDS:
            row = self.frame - expected.first
            was, now = (f"{float(_rewards(expected, each)[row]):.7g}" for each in both)
        return f"frame {self.frame:,}: {now} instead of {was}"


def judge(index: int, expected: Expectation, played: Played) -> ExpectationResult:
    try:
        actual = measure(expected, played)
    except errors.DomainError as error:
        return ExpectationResult(index, expected, problem=message_of(error))
    frame, both = None, (expected.value, actual)
    if expected.kind is ExpectedKind.REWARDS:
        was, now = (_rewards(expected, each) for each in both)
        differs = was != now
        frame = expected.first + int(differs.argmax()) if differs.any() else None
    elif expected.kind is ExpectedKind.TOTAL:
        # Rewards are float32 and people type decimals, so totals are compared with a tolerance.
        close = math.isclose(*map(_number, both), rel_tol=1e-6, abs_tol=1e-6)
        frame = None if close else expected.last
    elif expected.value != actual:
        ends = [int(_number(each)) for each in both if each is not None]
        frame = min(ends) if expected.kind is ExpectedKind.DONE else expected.last
    return ExpectationResult(index, expected, actual, frame)


def usual_expectations(
    movie: str, first: int, last: int, played: Played, scenario: str
) -> list[Expectation]:
    """Return expectations of a range's present done, and of each player's rewards and total."""
    wanted = [Expectation(movie, ExpectedKind.DONE, first, last, None, scenario=scenario)]
    wanted += [
        Expectation(movie, kind, first, last, None, player=player, scenario=scenario)
        for player in range(1, played.rewards.shape[1] + 1)
        for kind in (ExpectedKind.REWARDS, ExpectedKind.TOTAL)
    ]
    return [replace(each, value=measure(each, played)) for each in wanted]


def measure(wanted: Expectation, played: Played) -> JsonValue:
    """Return the present value of an expectation. Raises SessionError, TimelineError."""
    frames, players = played.rewards.shape
    if wanted.last > frames:
        raise SessionError(f"{wanted.movie} has {frames:,} frames; frame {wanted.last:,} is beyond")
    if wanted.player > players:
        raise SessionError(f"{wanted.movie} has {players} players; there is no {wanted.player}")
    rows = slice(wanted.first - 1, wanted.last)
    if wanted.kind is ExpectedKind.VARIABLE:
        return int(played.column(wanted.name)[wanted.last - 1])
    if wanted.kind is ExpectedKind.DONE:
        ends = np.flatnonzero(played.done[rows])
        return wanted.first + int(ends[0]) if len(ends) else None
    rewards = played.rewards[rows, wanted.player - 1]
    if not np.isfinite(rewards).all():
        raise SessionError(f"{wanted.movie}: a reward is infinite or no number")
    if wanted.kind is ExpectedKind.TOTAL:
        return _plain(float(np.sum(rewards, dtype=np.float64)))
    changes = np.flatnonzero(np.diff(rewards, prepend=np.nan) != 0)
    return [[wanted.first + int(row), _plain(float(rewards[row]))] for row in changes]


def _rewards(expected: Expectation, value: JsonValue) -> NDArray[np.float32]:
    """Return the reward of each frame of the range from the changes that the file lists."""
    frames, rewards = zip(*reward_changes(value), strict=True)
    return np.repeat(np.array(rewards, np.float32), np.diff([*frames, expected.last + 1]))


def _number(value: JsonValue) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _plain(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def expect_range(
    session: Session,
    first: int,
    last: int,
    progress: Progress | None = None,
    *,
    variable: str = "",
    total: float | None = None,
) -> Change:
    """Add expectations about a range of frames, as one edit.

    With ``variable`` or ``total``, expect only that value; otherwise rewards, done and total.
    Raises TimelineError, SessionError, and ReplayStopped if ``progress`` stops the work."""
    directory = session.integration.directory
    if not is_integration(directory):
        raise SessionError(f"{directory} is not saved yet; save the integration, then expect")
    path, begin = _movie_of(session, first, last)
    if path is None:
        path = _free_file(directory, "expected.bk2")
        begin = session.timeline.export(path, first, last + 1, progress).start
        # The movie's first row begins an episode, so its scores may differ from those here.
        first = min(max(first, begin + 1), last)
    name, scenario = _place_below(directory, path), session.game.scenario_name
    played = Played.of(session, begin, last + 1)
    first, last = first - begin + 1, last - begin + 1
    if total is not None:
        value = _plain(total)
        found = [Expectation(name, ExpectedKind.TOTAL, first, last, value, scenario=scenario)]
    elif variable:
        kind = ExpectedKind.VARIABLE
        asked = Expectation(name, kind, last, last, None, name=variable, scenario=scenario)
        found = [replace(asked, value=measure(asked, played))]
    else:
        found = usual_expectations(name, first, last, played, scenario)
    return session.editor.do(lambda game: game.integration.expectations.add(found))


def expect_movie(session: Session, path: Path, progress: Progress | None = None) -> Change:
    """Play a movie to its end, and add expectations about all of it; see :func:`expect_range`."""
    played = import_movie(session, path, progress)
    if not played.complete:
        raise ReplayStopped(played.stop - 1, None)
    return expect_range(session, played.start, played.stop - 1)


def go_to(
    session: Session, movie: str, frame: int, progress: Progress | None = None
) -> FrameResult:
    """Go to a frame of a movie of the integration; the movie is played first if necessary."""
    path = session.integration.directory / movie
    playback, travel = session.movies.started, session.timeline
    begin = 0 if playback is None or playback.movie.path != path else playback.first_frame
    last = begin + frame - 1
    if not begin or last > travel.length or _movie_of(session, last, last)[0] != path:
        begin = import_movie(session, path, progress).start
    return travel.seek(min(begin + frame - 1, travel.length), progress)


def _movie_of(session: Session, first: int, last: int) -> tuple[Path | None, int]:
    """Return the last movie and the frame of its first row; (None, 0) if the frames differ."""
    playback = session.movies.started
    if playback is None:
        return None, 0
    movie, begin = playback.movie, playback.first_frame
    rows = movie.inputs[first - begin : last - begin + 1]
    if first < begin or len(rows) != last - first + 1 or playback.interference:
        return None, 0
    inputs = session.timeline.log.inputs(first, last + 1)
    ports = min(inputs.shape[1], rows.shape[1])
    same = np.array_equal(inputs[:, :ports], rows[:, :ports])
    return (movie.path, begin) if same else (None, 0)


def _place_below(directory: Path, path: Path) -> str:
    """Return the movie's path relative to the directory; copy a movie from elsewhere there."""
    if path.is_relative_to(directory):
        return path.relative_to(directory).as_posix()
    same = directory / path.name
    if not (same.is_file() and filecmp.cmp(same, path, shallow=False)):
        same = _free_file(directory, path.name)
        shutil.copy2(path, same)
    return same.name


def _free_file(directory: Path, name: str) -> Path:
    """Return a path of that name in a directory, with a number if the name is taken."""
    wanted = Path(name)
    taken = {each.stem for each in directory.iterdir()}
    return directory / f"{free_name(wanted.stem, taken)}{wanted.suffix}"


def check_expectations(
    directory: Path,
    entries: Iterable[Expectation | None],
    new_session: Callable[[int], Session],
    consoles: Mapping[str, MovieConsole],
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[ExpectationResult]:
    """Yield a result for each expectation; skip entries that are None; end early if ``stopped``.

    ``new_session`` opens the game again for a number of players, in a core of its own."""
    plays: dict[tuple[str, str], dict[int, Expectation]] = {}
    for index, entry in enumerate(entries):
        if entry is not None:
            plays.setdefault((entry.movie, entry.scenario), {})[index] = entry
    for (name, scenario), wanted in sorted(plays.items()):
        try:
            movie = read_movie(directory / name, consoles)
            with new_session(movie.players) as session:
                yield from _play(session, movie, scenario, wanted, stopped)
        except (errors.IntegratorError, OSError) as error:
            for index, entry in wanted.items():
                yield ExpectationResult(index, entry, problem=message_of(error))
        if stopped():
            return


def check_hidden(
    plan: SessionPlan, entries: Iterable[Expectation | None], stopped: Callable[[], bool]
) -> Iterator[ExpectationResult]:
    """Check expectations as :func:`check_expectations` does, in hidden cores of an open game."""

    def opened(players: int) -> Session:
        return Session(plan.for_players(players))

    return check_expectations(plan.integration.directory, entries, opened, plan.systems, stopped)


def _play(
    session: Session,
    movie: Movie,
    scenario: str,
    wanted: Mapping[int, Expectation],
    stopped: Callable[[], bool],
) -> Iterator[ExpectationResult]:
    if scenario != session.game.scenario_name:
        session.game.use_scenario(scenario)
    if movie.system != session.system.name or not movie.frames:
        cure = "choose another movie"
        raise errors.MovieError(f"{movie.path}: it is empty, or of another system; {cure}")
    last = max(entry.last for entry in wanted.values())
    run = run_movie(session, movie, lambda *_: not stopped(), last)
    if not run.complete:
        return
    played, desync = Played.of(session, run.start, run.stop), run.desync_row
    for index, entry in wanted.items():
        if desync is not None and desync < entry.last:
            problem = f"{movie.path}: out of step from row {desync} on; record it again"
            yield ExpectationResult(index, entry, problem=problem)
        else:
            yield judge(index, entry, played)


def expectation_findings(integration: Integration, *, accept: bool) -> Iterator[Finding]:
    """Replay the movies, and yield findings about expectations that do not hold.

    With ``accept``, differing expectations get their present values, on disk."""
    document, directory = integration.expectations, integration.directory
    unchecked = "expectation-not-checked"

    def found(index: int, message: str, *, failed: bool = False) -> Finding:
        code, cure = unchecked, "put the movie right, or remove the entry"
        if failed:
            code = "expectation-failed"
            cure = "correct the integration, or accept the new value with --accept"
        return document.finding(code, message, cure, ("expectations", index))

    def opened(players: int) -> Session:
        return open_session(directory, players=players)

    consoles = movie_consoles()
    verdicts = list(check_expectations(directory, document.entries, opened, consoles))
    differing = (each for each in verdicts if each.frame is not None)
    accepted = {each.index: each.actual for each in differing} if accept else {}
    if accepted:
        document.accept(accepted)
        integration.save()
    damaged = [each for each in integration.findings if each.file == document.path]
    if any(each.code == "json-invalid" for each in damaged):
        text = "the file cannot be read, so that no expectation is checked"
        yield document.finding(unchecked, text, "correct or remove it")
    for index, entry in enumerate(document.entries):
        if entry is None:
            yield found(index, "the entry is no expectation")
    for verdict in verdicts:
        if not verdict.holds and verdict.index not in accepted:
            expected = verdict.expected
            message = f"{expected.name or expected.kind} of {expected.movie}: {verdict.message}"
            yield found(verdict.index, message, failed=not verdict.problem)
