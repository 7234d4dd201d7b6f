"""Solves pinned facts about recorded play, and about movies played once in hidden cores."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.query.facts import Equals, Fact, Transition, parse_facts
from integrator.domain.query.rank import Reading, led_by_widest, shown_numbers
from integrator.domain.query.solve import Evidence, Solution, forgiving
from integrator.domain.timeline.line import PlayedFrame
from integrator.domain.timeline.lookup import History, LineReader
from integrator.domain.timeline.timeline import Timeline
from integrator.session.recorded_rows import import_movie
from integrator.session.searches import as_facts, query_types
from integrator.session.session import Session
from integrator.session.timeline.restorer import Progress


class MovieLibrary:
    """The movies of a game, each played once in a hidden core. One thread uses and closes it.

    A query raises SearchError soon after ``stopped``, which may be replaced, returns True.
    """

    def __init__(self, session: Session) -> None:
        self.stopped: Callable[[], bool] = lambda: False
        self._plan = session.game.plan.hidden()
        self.space = session.memory.space
        self._types = query_types(session.system.types, self.space.size_bytes)
        self._played: dict[Path, Session] = {}

    @property
    def movies(self) -> Mapping[Path, int]:
        """The number of frames of each added movie; its first frame is frame 1."""
        return {path: played.timeline.length for path, played in self._played.items()}

    def add(self, path: str | Path, progress: Progress | None = None) -> int:
        """Play a movie once. Raises SearchError, MovieError, StateError, HostError."""
        path = Path(path)
        if path not in self._played:
            with ExitStack() as ends:
                hidden = ends.enter_context(Session(self._plan))
                if not import_movie(hidden, path, progress).complete:
                    raise SearchError(f"{path}: stopped before its end; it was not added")
                ends.pop_all()
            self._played[path] = hidden
        return self.movies[path]

    def query(
        self, facts: Mapping[Path, str | Sequence[Fact]], also: Sequence[Evidence] = ()
    ) -> Solution:
        """Return what fits facts about movies; ``also`` is other evidence. Raises SearchError."""
        unknown = [path for path in facts if path not in self._played]
        if unknown:
            raise SearchError(f"{unknown[0]}: add the movie before asking about it")
        logs = ((self._played[path].timeline.log, given) for path, given in facts.items())
        evidence = [*(Evidence(log, as_facts(given)) for log, given in logs), *also]
        stoppable = [replace(piece, stopped=self.stopped) for piece in evidence]
        return forgiving(self.space, self._types, stoppable)

    def logical(self, history: LineReader | Path, frame: int) -> NDArray[np.uint8]:
        """Return RAM after a frame in console order, uint8 (bytes,). Raises TimelineError."""
        if isinstance(history, Path):
            history = self._played[history].timeline.log
        return self.space.logical(history.ram(frame))

    def close(self) -> None:
        while self._played:
            self._played.popitem()[1].close()


@dataclass(frozen=True, slots=True)
class PinnedFact:
    """A pinned fact: its text, its movie (None: the window's play), and its tick, ``on``.

    ``end`` is the last frame that the fact names, once its line is known.
    """

    line: str
    source: Path | None
    on: bool
    end: PlayedFrame | None = None


def last_frame(line: str) -> int:
    """Return the last frame that a fact names; 0 for a line that is no fact."""
    try:
        facts = parse_facts(line)
    except SearchError:
        return 0
    return max((frame for fact in facts for frame in fact.frames), default=0)


@dataclass(frozen=True, slots=True)
class FactFrame:
    """A frame of a movie or the window's play, with the number that a fact gives, or None."""

    recording: History | Path
    frame: int
    number: int | None


@dataclass(frozen=True, slots=True)
class Answer(Solution):
    """The solution of facts, with each reading's numbers at ``frames``."""

    frames: tuple[FactFrame, ...] = ()
    numbers: Mapping[Reading, tuple[Fraction, ...]] = field(default_factory=dict)


Grouped = Mapping[History | Path, str]
"""The texts of facts by the movie or line that they were pinned on."""


def grouped_facts(log: Timeline, ticked: Sequence[PinnedFact]) -> Grouped:
    """Group the ticked facts, between two frames. Raises TimelineError."""
    histories: dict[str, History] = {}
    facts: dict[History | Path, str] = {}
    for fact in ticked:
        source: History | Path | None = fact.source
        if source is None:
            name = log.line_with(fact.end or log.runs.played(last_frame(fact.line)))
            source = histories.setdefault(name, log.history(name))
        facts[source] = f"{facts.get(source, '')}{fact.line}\n"
    return facts


def answer(library: MovieLibrary, pinned: Grouped) -> Answer:
    """Solve all facts together. Raises SearchError, TimelineError."""
    facts = {line: as_facts(text) for line, text in pinned.items()}
    movies = {path: given for path, given in facts.items() if isinstance(path, Path)}
    also = [Evidence(line, given) for line, given in facts.items() if isinstance(line, History)]
    solution = library.query(movies, also=also)
    frames = frames_of(facts)
    readings = [reading for match in solution.matches for reading in match.readings]
    memories = [library.logical(each.recording, each.frame) for each in frames]
    numbers = shown_numbers(library.space, readings, memories)
    found = {each.name: getattr(solution, each.name) for each in fields(solution)}
    found["matches"] = tuple(map(led_by_widest, solution.matches))
    return Answer(**found, frames=frames, numbers=dict(zip(readings, numbers, strict=True)))


def frames_of(facts: Mapping[History | Path, tuple[Fact, ...]]) -> tuple[FactFrame, ...]:
    """Return each frame that facts name, once, in ascending order for each recording."""
    found: dict[tuple[History | Path, int], FactFrame] = {}
    for source, given in facts.items():
        named: list[tuple[int, int | None]] = []
        for fact in given:
            match fact:
                case Equals():
                    named.append((fact.frame, fact.value))
                case Transition():
                    named += [(fact.start, fact.before), (fact.end, fact.after)]
                case _:
                    named += [(frame, None) for frame in fact.frames]
        for frame, number in sorted(named, key=lambda each: each[0]):
            known = found.get((source, frame))
            if known is None or known.number is None:
                found[source, frame] = FactFrame(source, frame, number)
    return tuple(found.values())
