"""Reads movies of any format, which their suffixes name."""

from collections.abc import Mapping
from pathlib import Path

from integrator.domain.errors import MovieError
from integrator.domain.movies.bk2 import read_bk2
from integrator.domain.movies.fm2 import read_fm2
from integrator.domain.movies.model import Movie, MovieConsole, MovieReader

MOVIE_FORMATS: dict[str, MovieReader] = {
    ".bk2": read_bk2,
    ".fm2": lambda path, systems, _: read_fm2(path, systems),
}
"""The reader of each format of movies, by its suffix."""

_BIZHAWK = "BizHawk makes a .bk2 of it (File, Movie, Import Movie)"
_OTHERS = {
    **dict.fromkeys((".bkm", ".dsm", ".fcm", ".fmv", ".gmv", ".lsmv", ".mc2", ".mmv"), _BIZHAWK),
    **dict.fromkeys((".pjm", ".pxm", ".smv", ".vbm", ".ymv"), _BIZHAWK),
    ".tasproj": "BizHawk makes a .bk2 of it (TAStudio, File, Export to BK2)",
    ".fm3": "FCEUX makes an .fm2 of it (TAS Editor, File, Export to FM2)",
    **dict.fromkeys(
        (".m64", ".mcm", ".nmv", ".vmv", ".zmv", ".dtm", ".ltm", ".bsv", ".replay", ".ctm"),
        "no program is known that makes a .bk2 of it; record its play again in BizHawk",
    ),
}
"""Cures for formats that are not read: the importers of BizHawk 2.9, exports of the others."""


def is_movie(path: Path) -> bool:
    return path.suffix.lower() in MOVIE_FORMATS


def other_movie(path: Path) -> str:
    """Words on a movie in a format that is not read, with the program that converts it; or ''."""
    suffix = path.suffix.lower()
    cure = _OTHERS.get(suffix)
    return f"{suffix} movies are not read; {cure}" if cure else ""


def movies_below(path: Path) -> list[Path]:
    """The file itself, or all movies in a folder and below it, in the order of their paths."""
    if path.is_file():
        return [path]
    return sorted(each for each in path.rglob("*") if is_movie(each))


def movie_patterns() -> str:
    """All suffixes as a file dialog takes them: ``*.bk2 *.fm2``."""
    return " ".join(f"*{suffix}" for suffix in MOVIE_FORMATS)


def read_movie(
    path: Path | str, systems: Mapping[str, MovieConsole], *, with_state: bool = True
) -> Movie:
    """Read a movie of any of the formats.

    ``systems`` maps the name of each known system to its facts, as descriptors give them. Without
    its start state, which is most of it, a short movie is read in half of the time. Works within
    about 100 MB whatever the file holds. Raises MovieError naming file and row.
    """
    path = Path(path)
    read = MOVIE_FORMATS.get(path.suffix.lower())
    if read is None:
        known = f"movies are {' or '.join(MOVIE_FORMATS)} files"
        raise MovieError(f"{path}: {other_movie(path) or known}")
    return read(path, systems, with_state)
