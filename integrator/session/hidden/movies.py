"""Movies of a game played in hidden cores: scores, moments, a pair to compare, facts to solve."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from itertools import takewhile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import IntegratorError, SearchError, SessionError
from integrator.domain.query.facts import Equals, Fact, Transition, parse_facts
from integrator.domain.query.rank import Reading, led_by_widest, shown_numbers
from integrator.domain.query.solve import Evidence, Solution, forgiving
from integrator.domain.timeline.line import PlayedFrame
from integrator.domain.timeline.lookup import History, LineReader
from integrator.domain.timeline.timeline import Timeline
from integrator.session.frame.result import first_difference
from integrator.session.recorded_rows import PlayedMovie, import_movie, run_sound
from integrator.session.searches import as_facts, query_types
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from integrator.session.timeline.restorer import Progress
from libretro_host.processes.worker_process import WorkerPool


@dataclass(frozen=True, slots=True, eq=False)
class MovieScore:
    """The result of a movie: ``rewards`` are float32 of shape (frames, players). ``done_frame`` is
    the first frame on which the episode was done, from 1 on; ``desync_row`` the first row after
    which RAM differed from the recording. ``problem`` says why the movie cannot be played.
    ``inputs`` are uint16 of shape (frames, players and axes)."""

    path: Path
    rewards: NDArray[np.float32]
    done_frame: int | None = None
    desync_row: int | None = None
    problem: str = ""
    inputs: NDArray[np.uint16] = field(default_factory=lambda: np.zeros((0, 1), np.uint16))

    @property
    def totals(self) -> tuple[float, ...]:
        return tuple(self.rewards.sum(axis=0, dtype=np.float64).tolist())


class _Scorer:
    """Scores movies one after the other in this process; the first one opens a session."""

    def __init__(self, plan: SessionPlan) -> None:
        self._plan = plan
        self._session: Session | None = None

    def __call__(self, path: Path) -> MovieScore:
        session = self._session = self._session or Session(self._plan)
        log = session.timeline.log
        try:
            played = run_sound(session, path)
            rewards = log.rewards(played.start, played.stop)
            inputs = log.inputs(played.start, played.stop)
            score = MovieScore(path, rewards, played.done_frame, played.desync_row, inputs=inputs)
        except IntegratorError as error:
            score = failed_score(path, error)
        # The timeline holds the RAM of all frames, so a session ends after 100,000 frames.
        if score.problem or log.length > 100_000:
            self._session = None
            session.close()
        return score


def failed_score(path: Path, error: Exception) -> MovieScore:
    return MovieScore(path, np.zeros((0, 1), np.float32), problem=str(error))


def score_movies(
    plan: SessionPlan, paths: Sequence[Path], stopped: Callable[[], bool]
) -> Iterator[MovieScore]:
    """Yield the score of each movie, using all processors, until ``stopped``. Raises HostError."""
    scorer, jobs = _Scorer(plan.for_worker()), os.cpu_count() or 1
    yield from WorkerPool(scorer, paths, jobs, failed_score, stopped=stopped)


@dataclass(frozen=True, slots=True)
class MovieMoment:
    """A frame of a movie worth a look: ``kind`` and ``size`` say why. Frames count from 1."""

    kind: str
    path: Path
    frame: int
    size: float


def moments(score: MovieScore) -> list[MovieMoment]:
    """Return the largest gain and loss, the start of the longest time without, and the end."""
    rewards = score.rewards[:, 0]
    if not len(rewards):
        return []
    found: list[tuple[str, int, float]] = []
    best, worst = int(rewards.argmax()), int(rewards.argmin())
    if rewards[best] > 0:
        found.append(("largest gain", best + 1, float(rewards[best])))
    if rewards[worst] < 0:
        found.append(("largest loss", worst + 1, float(rewards[worst])))
    paid = np.concatenate([[-1], np.flatnonzero(rewards), [len(rewards)]])
    waits = np.diff(paid) - 1
    longest = int(waits.argmax())
    if waits[longest]:
        found.append(("no reward", int(paid[longest]) + 2, float(waits[longest])))
    if score.done_frame is not None:
        found.append(("done", score.done_frame, float(rewards[: score.done_frame].sum())))
    return [MovieMoment(kind, score.path, frame, size) for kind, frame, size in found]


def differences(one: MovieScore, other: MovieScore, ram: int | None) -> list[MovieMoment]:
    """Return the first frames on which two movies differ: in inputs, in rewards, and in ``ram``."""
    kinds = "inputs", "rewards"
    firsts = {kind: first_difference(getattr(one, kind), getattr(other, kind)) for kind in kinds}
    found = []
    for kind, frame in {**firsts, "RAM": ram}.items():
        if frame is not None:
            at = min(frame, len(one.rewards))
            found.append(MovieMoment(f"{kind} differ", one.path, at, frame))
    return found


@dataclass(frozen=True, slots=True)
class MovieFrame:
    """A frame of one of two movies; ``picture`` is uint8 (height, width, 3). ``desync_row`` is the
    first row that was not as recorded, None before that frame."""

    picture: NDArray[np.uint8] | None
    buttons: str
    reward: float
    total: float
    desync_row: int | None


@dataclass(frozen=True, slots=True)
class PairFrame:
    """The same frame of both movies; ``bytes`` are (address, here, there) where RAM differs."""

    frame: int
    sides: tuple[MovieFrame, MovieFrame]
    bytes: tuple[tuple[int, int, int], ...]


def first_other_ram(
    plan: SessionPlan, paths: tuple[Path, Path], stopped: Callable[[], bool]
) -> int | None:
    """Return the first frame after which RAM of two movies differs; None also if ``stopped``.
    Raises HostError, SessionError."""
    try:
        with closing(MoviePair(plan, paths, stopped)) as pair:
            return pair.firsts["RAM"]
    except SessionError:
        if stopped():
            return None
        raise


class MoviePair:
    """Two movies that were played to their ends, and the first frames on which they differ.
    Raises HostError, and SessionError if ``stopped`` before both were played."""

    def __init__(
        self, plan: SessionPlan, paths: tuple[Path, Path], stopped: Callable[[], bool]
    ) -> None:
        self._sessions: list[Session] = []
        self._played: list[PlayedMovie] = []
        with ExitStack() as opened:
            for path in paths:
                self._sessions.append(opened.enter_context(Session(plan)))
                played = import_movie(self._sessions[-1], path, lambda *_: not stopped())
                if not played.complete:
                    raise SessionError(f"{path}: stopped before its end")
                self._played.append(played)
            self.close = opened.pop_all().close
        lengths = [each.stop - each.start for each in self._played]
        self.length = max(lengths)
        logs = [session.timeline.log for session in self._sessions]
        frames = [(each.start, each.stop) for each in self._played]
        self._rewards = [log.rewards(*at)[:, 0] for log, at in zip(logs, frames, strict=True)]
        inputs = [log.inputs(*at) for log, at in zip(logs, frames, strict=True)]
        shared = takewhile(lambda _: not stopped(), range(1, min(lengths) + 1))
        both = ((frame, self._ram(0, frame), self._ram(1, frame)) for frame in shared)
        self.firsts = {
            "inputs": first_difference(*inputs),
            "rewards": first_difference(*self._rewards),
            "RAM": next((n for n, here, there in both if not np.array_equal(here, there)), None),
        }

    def _ram(self, side: int, frame: int) -> NDArray[np.uint8]:
        played = self._played[side]
        return self._sessions[side].timeline.ram(min(played.start + frame, played.stop) - 1)

    def at(self, frame: int, most: int = 12) -> PairFrame:
        """Return a frame of both movies, counted from 1; an ended movie shows its last frame."""
        space = self._sessions[0].memory.space
        here, there = (space.logical(self._ram(side, frame)) for side in (0, 1))
        apart = np.flatnonzero(here != there)[:most].tolist()
        listed = tuple((space.address_of(at), int(here[at]), int(there[at])) for at in apart)
        return PairFrame(frame, (self._side(0, frame), self._side(1, frame)), listed)

    def _side(self, side: int, frame: int) -> MovieFrame:
        session, rewards = self._sessions[side], self._rewards[side]
        at = min(frame, len(rewards))
        shown = session.timeline.seek(self._played[side].start + at - 1)
        bits = enumerate(session.system.buttons)
        names = [name for bit, name in bits if name and shown.inputs[0] >> bit & 1]
        picture = shown.frame.rgb() if shown.frame is not None else None
        total = float(rewards[:at].sum())
        row = self._played[side].desync_row
        apart = row if row is not None and row < at else None
        return MovieFrame(picture, " ".join(names) or "—", float(rewards[at - 1]), total, apart)


class MovieLibrary:
    """The movies of a game, each played once in a hidden core. One thread uses and closes it. A
    query raises SearchError soon after ``stopped``, which may be replaced, returns True."""

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
                played = import_movie(hidden, path, progress)
                if not played.complete:
                    raise SearchError(f"{path}: stopped before its end; it was not added")
                played.refuse_desync(path, played.stop, "choose another movie")
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
    """A pinned fact: its text, its movie (None: the window's play), and its tick, ``on``. ``end``
    is the last frame that the fact names, once its line is known."""

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


Grouped = Mapping[History | Path, str]  # texts of facts by movie or line


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
