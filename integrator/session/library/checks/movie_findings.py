"""Movies beside an integration that press more than training can."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from integrator.domain.errors import MovieError
from integrator.domain.findings.finding import Finding, Severity
from integrator.domain.movies.reading import is_movie, read_movie
from integrator.session.opening import movie_consoles, systems

MAX_MOVIES: Final = 100
"""The first so many of a directory are looked at: reading thousands would take minutes."""


def movie_findings(directory: Path) -> Iterator[Finding]:
    """A warning for each movie in the directory that moves an axis or has a third player."""
    movies = sorted(path for path in directory.iterdir() if is_movie(path))[:MAX_MOVIES]
    consoles = movie_consoles(systems()) if movies else {}
    for path in movies:
        # Movies that can not be read are told where they are used.
        with contextlib.suppress(MovieError):
            message = read_movie(path, consoles, with_state=False).training_warning
            if message:
                cure = "keep it out of demonstrations and datasets"
                yield Finding("movie-beyond-training", Severity.WARNING, path, message, cure)
