"""*Expect this*: present numbers of recorded frames, kept as expectations of a movie."""

import filecmp
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from integrator.domain.errors import SessionError
from integrator.domain.integration.expectations import Expectation, ExpectedKind
from integrator.domain.integration.naming import free_name, is_integration
from integrator.session.edits.change import Change
from integrator.session.edits.commands import add_expectations
from integrator.session.expect.compare import Played, measure, usual_expectations
from integrator.session.frame.result import FrameResult
from integrator.session.rework import import_movie
from integrator.session.session import Session


@dataclass(frozen=True, slots=True)
class Wanted:
    """The subject of *Expect this*: rewards, done and total, unless one of these is given.

    ``variable``: its value on the last frame. ``total``: the number that the screen shows there.
    """

    variable: str = ""
    total: float | None = None


def expect_range(session: Session, first: int, last: int, wanted: Wanted | None = None) -> Change:
    """Expect the numbers of frames ``first`` to ``last`` of the timeline, as one edit.

    The frames of a movie that was played belong to it; others are exported as a movie into the
    integration's directory. Raises TimelineError for frames that no movie can hold, SessionError
    before the integration was saved.
    """
    directory = session.integration.directory
    if not is_integration(directory):
        raise SessionError(f"{directory} is not saved yet; save the integration, then expect")
    path, begin = _movie_of(session, first, last)
    if path is None:
        path = _free_file(directory, "expected.bk2")
        begin = session.timeline.export(path, first, last + 1).start
        # The first row begins an episode when the movie is played, whatever was before it here.
        first = min(max(first, begin + 1), last)
    name = _beside(directory, path)
    played = Played.of(session, begin, last + 1)
    found = _expectations(
        name, first - begin + 1, last - begin + 1, played, session, wanted or Wanted()
    )
    return session.editor.do(add_expectations(found))


def expect_movie(session: Session, path: Path) -> Change:
    """Play a movie to its end, and expect its numbers; see :func:`expect_range`."""
    played = import_movie(session, path)
    return expect_range(session, played.start, played.stop - 1)


def go_to(session: Session, movie: str, frame: int) -> FrameResult:
    """Stand at a frame of a movie of the integration; it is played unless its frames are there."""
    path = session.integration.directory / movie
    playback = session.movies.started
    begin = None
    if playback is not None and playback.movie.path == path:
        last = playback.first_frame + frame - 1
        if last <= session.timeline.length and _movie_of(session, last, last)[0] == path:
            begin = playback.first_frame
    if begin is None:
        begin = import_movie(session, path).start
    return session.timeline.seek(min(begin + frame - 1, session.timeline.length))


def _expectations(
    name: str, first: int, last: int, played: Played, session: Session, wanted: Wanted
) -> list[Expectation]:
    scenario = session.game.scenario_name
    if wanted.total is not None:
        total = int(wanted.total) if wanted.total.is_integer() else wanted.total
        return [Expectation(name, ExpectedKind.TOTAL, first, last, total, scenario=scenario)]
    if wanted.variable:
        kind = ExpectedKind.VARIABLE
        asked = Expectation(name, kind, last, last, None, wanted.variable, scenario=scenario)
        return [replace(asked, value=measure(asked, played))]
    return usual_expectations(name, first, last, played, scenario)


def _movie_of(session: Session, first: int, last: int) -> tuple[Path | None, int]:
    """The movie whose rows frames are, and the frame of its first row; None for own play."""
    playback = session.movies.started
    if playback is None:
        return None, 0
    movie, begin = playback.movie, playback.first_frame
    rows = movie.inputs[first - begin : last - begin + 1]
    if first < begin or len(rows) != last - first + 1 or playback.meddled:
        return None, 0
    inputs = session.timeline.log.inputs(first, last + 1)
    ports = min(inputs.shape[1], rows.shape[1])
    same = np.array_equal(inputs[:, :ports], rows[:, :ports])
    return (movie.path, begin) if same else (None, 0)


def _beside(directory: Path, path: Path) -> str:
    """The movie's place below the directory, copied there if it is elsewhere."""
    if path.is_relative_to(directory):
        return path.relative_to(directory).as_posix()
    same = directory / path.name
    if not (same.is_file() and filecmp.cmp(same, path, shallow=False)):
        same = _free_file(directory, path.name)
        shutil.copy2(path, same)
    return same.name


def _free_file(directory: Path, name: str) -> Path:
    """A file of that name in a directory, with a number when it is taken."""
    wanted = Path(name)
    taken = {each.stem for each in directory.iterdir()}
    return directory / f"{free_name(wanted.stem, taken)}{wanted.suffix}"
