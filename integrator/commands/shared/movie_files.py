"""The movies that an argument of a command names."""

from pathlib import Path

from integrator.commands.shared.arguments import require_path
from integrator.domain.errors import SessionError
from integrator.domain.movies.reading import movies_below


def required_movies(path: Path) -> list[Path]:
    """The file itself, or the movies in a folder and below. Raises SessionError for none."""
    require_path(path)
    movies = movies_below(path)
    if not movies:
        raise SessionError(f"{path}: there is no movie in it")
    return movies


def movies_of(path: Path) -> list[Path]:
    """The movies in a folder and below; any other path itself. Raises SessionError for none."""
    return required_movies(path) if path.is_dir() else [path]
