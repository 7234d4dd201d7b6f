"""The library: integrations in the known folders, new integrations, drafts, and movies."""

import contextlib
import itertools
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from integrator import paths
from integrator.domain.errors import DocumentError, MovieError, SessionError
from integrator.domain.findings import Severity
from integrator.domain.integration import directory as directories
from integrator.domain.integration.auto_report import AUTO_FILE, AutoPart, AutoReport
from integrator.domain.integration.files import Integration
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.reading import is_movie, read_movie
from integrator.domain.values.memory import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.library.checks.checking import check_integration, lint_options
from integrator.session.setup.content import prepare_content
from integrator.session.setup.roots import LibraryRoot, RootKind
from libretro_host.systems.descriptor import SystemDescriptor, Systems, system_from_directory_name


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """An integration directory; ``rom`` is None if it is missing, ``hue`` is in degrees."""

    directory: Path
    name: str
    title: str
    system: str
    system_title: str
    kind: RootKind
    rom: Path | None
    states: int
    hue: int | None = None

    @property
    def shared(self) -> bool:
        """True if the directory is only read, so that saving makes a copy in the user's folder."""
        return self.kind is not RootKind.MINE


@dataclass(frozen=True, slots=True)
class LintMark:
    """The number of static lint findings of an integration."""

    errors: int
    warnings: int


def scan_library(roots: Iterable[LibraryRoot], known: Systems) -> Iterator[list[LibraryEntry]]:
    """Yield all integrations in batches, by root and name. Raises DocumentError."""
    systems: dict[str, SystemDescriptor | None] = {}

    def entries() -> Iterator[LibraryEntry]:
        for root in roots:
            for info in directories.iterate_integrations(root.path):
                if info.system not in systems:
                    systems[info.system] = system_from_directory_name(info.name, known)
                system = systems[info.system]
                yield LibraryEntry(
                    directory=info.directory,
                    name=info.name,
                    title=readable_title(info.name, info.system),
                    system=system.name if system else info.system,
                    system_title=system.title if system else info.system or "?",
                    kind=root.kind,
                    rom=info.rom,
                    states=len(info.states),
                    hue=system.hue if system else None,
                )

    found, size = entries(), 96  # so that the first screenful comes soon
    while batch := list(itertools.islice(found, size)):
        yield batch
        size *= 2  # for each batch, the window sorts all earlier entries again


@lru_cache(10_000)  # every scan has the same thousands of names
def readable_title(name: str, system: str) -> str:
    stem = name.rpartition(f"-{system}")[0] if system else name
    words: list[str] = []
    for i, letter in enumerate(stem):
        before, after = stem[i - 1 : i], stem[i + 1 : i + 2]
        starts = letter.isupper() and (before.islower() or (after.islower() and before.isupper()))
        starts = starts or (letter.isdigit() and stem[max(0, i - 2) : i].isalpha() and i > 1)
        starts = starts or (letter.isupper() and before.isdigit() and after.islower())
        words.append(f" {letter}" if starts and before else letter)
    return "".join(words).replace("_", " ").replace("-", " - ") or name


def lint_marks(directories: Iterable[Path], stopped: Callable[[], bool]) -> dict[Path, LintMark]:
    """Return the static lint marks of integrations, until ``stopped``. Raises DocumentError."""
    options = replace(lint_options(), states=False, rom=False)
    marks = {}
    for directory in itertools.takewhile(lambda _: not stopped(), directories):
        with contextlib.suppress(OSError):  # removed since it was listed
            found = check_integration(directory, options, live=False)
            kinds = [finding.severity for finding in found]
            errors, warnings = kinds.count(Severity.ERROR), kinds.count(Severity.WARNING)
            marks[directory] = LintMark(errors, warnings)
    return marks


def make_integration(
    rom: Path, root: Path, name: str, system: str, systems: Systems, *, sure: bool = False
) -> Integration:
    """Create the integration of ``rom``. Raises SaveError, DocumentError, SessionError."""
    known = systems[system] if sure or rom.suffix.lower() != ".zip" else None
    content = prepare_content(rom, systems, paths.user_cache_dir() / "content", known)
    if content.system.name != system:
        cure = "choose that system, and its name"
        raise SessionError(f"{rom}: this is a game of {content.system.title}; {cure}")
    extension = content.system.extension_of(content.path)
    return directories.create_integration(content.path, root, name, system, extension)


class Making:
    """Creates an integration directory, and removes it again if it is called off."""

    def __init__(self, make: Callable[[], Integration]) -> None:
        self._make = make
        self.is_called_off = False  # set at any time, from any thread

    def run(self) -> Path | None:
        """Create the directory; return None if called off. Raises SaveError, DocumentError."""
        directory = None if self.is_called_off else self._make().directory
        if directory is not None and self.is_called_off:
            self.take_back(directory)
            return None
        return directory

    @staticmethod
    def take_back(directory: Path) -> None:
        """Remove the new directory. Files that cannot be removed are left, and do no harm."""
        shutil.rmtree(directory, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class AutoDraft:
    """An automatic integration with its report, whose parts a person accepts one by one."""

    directory: Path
    report: AutoReport

    @property
    def part(self) -> AutoPart:
        """The least certain part. Raises KeyError if all parts are accepted."""
        return self.report.parts[self.report.least_certain]


def auto_drafts(roots: Iterable[Path]) -> list[AutoDraft]:
    """Return readable drafts with a part that nobody has accepted, the least certain first."""
    found = []
    for file in (file for root in roots for file in root.glob(f"*/{AUTO_FILE}")):
        with contextlib.suppress(DocumentError):
            found.append(AutoDraft(file.parent, AutoReport.load(file.parent)))
    found = [each for each in found if not each.report.is_accepted]
    return sorted(found, key=lambda each: (each.report.confidence, each.directory))


def accept(draft: AutoDraft) -> AutoDraft:
    """Mark the least certain part as accepted. Raises SaveError."""
    return _with_part(draft, replace(draft.part, accepted=True))


def take_next(draft: AutoDraft) -> AutoDraft:
    """Write the next candidate of the least certain part into the integration's files.

    The present candidate becomes the last one. Raises DocumentError if there is no other candidate
    or the files were changed by someone else, and SaveError."""
    name, part = draft.report.least_certain, draft.part
    if len(part.choices) < 2:
        raise DocumentError(f"{draft.directory}: {name} has no other candidate; open it instead")
    old, new, *others = part.choices
    integration = directories.load_integration(draft.directory)
    variables = integration.variables
    for gone in (old["variables"].keys() - new["variables"].keys()) & variables.keys():
        variables.remove(gone)
    for made, spec in candidate_variables(new).items():
        variables.set(made, spec)
    for key in {"done", "reward"} & new.keys():
        with integration.scenario.edit() as scenario:
            scenario[key] = new[key]
    integration.save()
    chosen = replace(
        part,
        value=str(new["value"]),
        confidence=float(new["confidence"]),
        evidence=("chosen by a person",),
        choices=(new, *others, old),
    )
    return _with_part(draft, chosen)


def candidate_variables(choice: Mapping[str, Any]) -> dict[str, VariableSpec]:
    return {
        name: VariableSpec(name, entry["address"], DataType.parse(entry["type"]), entry.get("mask"))
        for name, entry in choice["variables"].items()
    }


def _with_part(draft: AutoDraft, part: AutoPart) -> AutoDraft:
    parts = {**draft.report.parts, draft.report.least_certain: part}
    report = replace(draft.report, parts=parts)
    report.save(draft.directory)
    return replace(draft, report=report)


MAX_FOLDERS = 2000  # most folders to read, so that a whole disk does not take minutes


@dataclass(frozen=True, slots=True)
class MovieInfo:
    """The facts of a movie file. ``problem`` says why it cannot be read; then the rest is empty.
    ``place`` is the file's folder, relative to the listed one. ``core`` is the recording core, if
    the movie names it; ``beyond_training`` are inputs that training cannot press. ``agent``,
    ``state`` and ``episode`` come from the file names of agents' movies; others have none."""

    path: Path
    place: str = "."
    game: str = ""
    system: str = ""
    frames: int = 0
    players: int = 0
    core: str = ""
    problem: str = ""
    beyond_training: str = ""
    agent: str = ""
    state: str = ""
    episode: int | None = None


def read_movie_folder(
    folder: Path, systems: Mapping[str, MovieConsole], also: Iterable[Path] = ()
) -> tuple[MovieInfo, ...]:
    """Return every movie below a folder, then those of ``also`` elsewhere. Raises MovieError."""
    try:
        found = list(_movies_near(folder))
        found.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError as error:
        fault = f"the folder cannot be read ({error.strerror}); choose another"
        raise MovieError(f"{folder}: {fault}") from error
    most = 5000  # movies of a folder, the newest ones
    listed = sorted(found[:most], key=lambda path: (path.parent, path.name))
    elsewhere = [path for path in also if path not in listed and path.is_file()]
    return (
        *(_info(path, systems, path.parent.relative_to(folder).as_posix()) for path in listed),
        *(_info(path, systems) for path in elsewhere),
    )


def _movies_near(folder: Path) -> Iterator[Path]:
    """Yield the movies below a folder, level by level, without hidden, linked and deep folders."""
    level, left = [folder], MAX_FOLDERS
    for _ in range(5):  # agents' movies lie one to three levels down
        below: list[Path] = []
        for each in level[:left]:
            try:
                with os.scandir(each) as found:
                    entries = list(found)
            except OSError:
                if each == folder:
                    raise
                continue
            for entry in entries:
                path = Path(entry)
                if entry.is_dir(follow_symlinks=False):
                    if not entry.name.startswith("."):
                        below.append(path)
                elif is_movie(path) and entry.is_file():
                    yield path
        left -= len(level[:left])
        level = sorted(below)


def _info(path: Path, systems: Mapping[str, MovieConsole], place: str = ".") -> MovieInfo:
    try:
        movie = read_movie(path, systems)
    except MovieError as error:
        return MovieInfo(path, place, problem=str(error))
    agent, state, episode = _episode_of(path, movie.game)
    return MovieInfo(
        path,
        place,
        game=movie.game,
        system=movie.system,
        frames=movie.frames,
        players=movie.players,
        core=f"{movie.core.name} {movie.core.version}" if movie.core else movie.format,
        beyond_training=movie.beyond_training,
        agent=agent,
        state=state,
        episode=episode,
    )


def _episode_of(path: Path, game: str) -> tuple[str, str, int | None]:
    """Return agent, state and episode from the name of an agent's movie, also of a kept one."""
    head, _, digits = path.stem.rpartition("-")
    if not re.fullmatch(r"\d{6}", digits):
        return "", "", None
    episode, first = int(digits), path.parent.name
    if game and head.startswith(f"{game}-"):
        state = head.removeprefix(f"{game}-")
        if not re.fullmatch(r"\d{6}", first):
            return "", state, episode
        agent = path.parent.parent.name
        return agent.removesuffix(f"-{state}").removesuffix("-start"), state, int(first) + episode
    parts = head.split("-")
    if len(parts) < 2 or not parts[-1].isdigit():
        return "", "", episode
    return parts[0], "-".join(parts[1:-1]), episode
