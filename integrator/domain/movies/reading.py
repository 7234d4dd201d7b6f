"""Reads movies of any format, which is chosen by the file's suffix."""

from collections.abc import Mapping
from pathlib import Path

from integrator.domain.errors import MovieError
from integrator.domain.movies.bk2 import read_bk2
from integrator.domain.movies.fm2 import read_fm2
from integrator.domain.movies.model import Movie, MovieConsole, MovieReader

MOVIE_FORMATS: dict[str, MovieReader] = {  # by file suffix
    ".bk2": read_bk2,
    ".fm2": lambda path, systems, _: read_fm2(path, systems),
}

_BIZHAWK = "BizHawk makes a .bk2 of it (File, Movie, Import Movie)"
_OTHERS = {  # ways to convert formats that are not read: BizHawk 2.9 imports, others export
    **dict.fromkeys((".bkm", ".dsm", ".fcm", ".fmv", ".gmv", ".lsmv", ".mc2", ".mmv"), _BIZHAWK),
    **dict.fromkeys((".pjm", ".pxm", ".smv", ".vbm", ".ymv"), _BIZHAWK),
    ".tasproj": "BizHawk makes a .bk2 of it (TAStudio, File, Export to BK2)",
    ".fm3": "FCEUX makes an .fm2 of it (TAS Editor, File, Export to FM2)",
    **dict.fromkeys(
        (".m64", ".mcm", ".nmv", ".vmv", ".zmv", ".dtm", ".ltm", ".bsv", ".replay", ".ctm"),
        "no program is known that makes a .bk2 of it; record its play again in BizHawk",
    ),
}


def is_movie(path: Path) -> bool:
    return path.suffix.lower() in MOVIE_FORMATS


def other_movie(path: Path) -> str:
    """Say which program converts a movie of an unsupported format; '' for other files."""
    suffix = path.suffix.lower()
    cure = _OTHERS.get(suffix)
    return f"{suffix} movies are not read; {cure}" if cure else ""


def movies_below(path: Path) -> list[Path]:
    """Return the file itself, or all movies in a folder and its subfolders, sorted by path."""
    if path.is_file():
        return [path]
    return sorted(each for each in path.rglob("*") if is_movie(each))


def movie_patterns() -> str:
    """Return all suffixes as patterns for a file dialog: ``*.bk2 *.fm2``."""
    return " ".join(f"*{suffix}" for suffix in MOVIE_FORMATS)


def read_movie(
    path: Path | str, systems: Mapping[str, MovieConsole], *, with_state: bool = True
) -> Movie:
    """Read a movie of any of the formats.

    ``systems`` maps each known system to its facts, from descriptors. Without the start state,
    which is most of the file, a short movie is read in half of the time. Reading takes at most
    about 100 MB, even for a crafted file. Raises MovieError, which names file and row."""
    path = Path(path)
    if (read := MOVIE_FORMATS.get(path.suffix.lower())) is None:
        known = f"movies are {' or '.join(MOVIE_FORMATS)} files"
        raise MovieError(f"{path}: {other_movie(path) or known}")
    return read(path, systems, with_state)
