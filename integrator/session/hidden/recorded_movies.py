"""Movies of one game, played once in hidden cores so that questions can be asked of them."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SearchError
from integrator.domain.query.facts import Fact, RamHistory
from integrator.domain.query.forgive import forgiving
from integrator.domain.query.solve import Evidence, Solution
from integrator.domain.values.datatype import DataType
from integrator.session.rework import Progress, import_movie
from integrator.session.searches.queries import as_facts, query_types
from integrator.session.session import Session


class MovieLibrary:
    """Movies of one game, played once each in hidden cores so that facts can be asked of them.

    ``session`` is a session with the same game; it is not touched. One thread uses a library. Use
    it as a context manager, or call ``close``.
    """

    def __init__(self, session: Session) -> None:
        self._plan = session.game.plan.hidden()
        self.space = session.memory.space
        self._types = query_types(session.system.types, self.space.size_bytes)
        self._played: dict[Path, Session] = {}

    @property
    def movies(self) -> Mapping[Path, int]:
        """Frames of each movie that was added; the first frame of a movie is frame 1."""
        return {path: played.timeline.length for path, played in self._played.items()}

    def add(self, path: str | Path, progress: Progress | None = None) -> int:
        """Play a movie from start to end, keeping every frame's RAM; returns its frames.

        ``progress`` is told frames done and in all, and returns whether to go on. Raises
        SearchError when that ends it, MovieError, StateError, CoreCrashed or CoreHung.
        """
        path = Path(path)
        if path not in self._played:
            self._played[path] = self._play(path, progress)
        return self.movies[path]

    def query(
        self,
        facts: Mapping[Path, str | Sequence[Fact]],
        *,
        also: Sequence[Evidence] = (),
        types: Sequence[DataType] | None = None,
        scales: bool = True,
        limit: int = 200,
    ) -> Solution:
        """The matches of all facts about all movies at once; ``also`` is evidence from elsewhere.

        Facts name frames of their own movie. See ``forgiving``. Raises SearchError for movies that
        were not added.
        """
        unknown = [path for path in facts if path not in self._played]
        if unknown:
            raise SearchError(f"{unknown[0]}: add the movie before asking about it")
        evidence = [
            Evidence(self._played[path].timeline.log, as_facts(given))
            for path, given in facts.items()
        ]
        types = self._types if types is None else types
        return forgiving(self.space, types, [*evidence, *also], scales=scales, limit=limit)

    def logical(self, history: RamHistory | Path, frame: int) -> NDArray[np.uint8]:
        """RAM after a frame of a recording, or of a movie that was added, in logical order.

        uint8 of shape (bytes,). Raises TimelineError for frames that were not recorded.
        """
        if isinstance(history, Path):
            history = self._played[history].timeline.log
        return self.space.logical(history.ram(frame))

    def close(self) -> None:
        """End the hidden cores and drop the recordings. Idempotent."""
        while self._played:
            self._played.popitem()[1].close()

    def _play(self, path: Path, progress: Progress | None) -> Session:
        hidden = Session(self._plan)
        with ExitStack() as ends:
            ends.callback(hidden.close)
            if not import_movie(hidden, path, progress).complete:
                raise SearchError(f"{path}: stopped before its end; it was not added")
            ends.pop_all()
        return hidden

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
