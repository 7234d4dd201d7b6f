"""The library: integrations of the known roots, those being made, drafts, and movies."""

import contextlib
import itertools
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from integrator import paths
from integrator.domain.errors import DocumentError, MovieError, SessionError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import DAMAGE, TEXT_BYTES, read_file
from integrator.domain.findings import Severity
from integrator.domain.integration import directory as directories
from integrator.domain.integration.auto_report import AUTO_FILE, AutoPart, AutoReport
from integrator.domain.integration.files import Integration
from integrator.domain.integration.states import STATE_SUFFIX
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.reading import is_movie, read_movie
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec
from integrator.session.library.checks.checking import check_integration, lint_options
from integrator.session.setup.content import prepare_content
from integrator.session.setup.roots import LibraryRoot, RootKind
from integrator.version import __version__
from libretro_host.systems.descriptor import SystemDescriptor, system_from_directory_name


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """One integration directory; ``rom`` is None when it is missing, ``hue`` is in degrees."""

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
        """True when it is only read: saving makes a copy in the user's folder."""
        return self.kind is not RootKind.MINE


@dataclass(frozen=True, slots=True)
class LintMark:
    """The number of static lint findings of an integration."""

    errors: int
    warnings: int


def scan_library(
    roots: Iterable[LibraryRoot], descriptors: Mapping[str, SystemDescriptor]
) -> Iterator[list[LibraryEntry]]:
    """All integrations by root and name, some at a time. Raises DocumentError."""
    systems: dict[str, SystemDescriptor | None] = {}

    def entries() -> Iterator[LibraryEntry]:
        for root in roots:
            for info in directories.iterate_integrations(root.path):
                if info.system not in systems:
                    systems[info.system] = system_from_directory_name(info.name, descriptors)
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

    found, size = entries(), 96  # a first screenful comes soon
    while batch := list(itertools.islice(found, size)):
        yield batch
        size *= 2  # each batch makes the window sort all that came before, too


@lru_cache(10_000)  # the same thousand names come with every scan
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


class LintCache:
    """Marks of integrations in one JSON file, each valid until a file of the directory changes."""

    def __init__(self, path: Path) -> None:
        self.path, self._fresh = path, 0
        self._marks: dict[str, tuple[str, int, int]] = {}
        # A cache that is missing, damaged or another version's is made again.
        with contextlib.suppress(*DAMAGE):
            value = parse_json(read_file(path, TEXT_BYTES))
            if value["version"] == __version__:
                self._marks = {
                    str(name): (str(stamp), int(errors), int(warnings))
                    for name, (stamp, errors, warnings) in value["marks"].items()
                }

    def get(self, directory: Path, stamp: str) -> LintMark | None:
        """The mark that was kept for the directory in its present state."""
        kept = self._marks.get(str(directory))
        return LintMark(kept[1], kept[2]) if kept is not None and kept[0] == stamp else None

    def put(self, directory: Path, stamp: str, mark: LintMark) -> None:
        """Keep a mark; it is written now and then, and by :meth:`save`. Raises SaveError."""
        self._marks[str(directory)] = (stamp, mark.errors, mark.warnings)
        self._fresh += 1
        if self._fresh >= 200:  # so that closing the window loses few
            self.save()

    def save(self) -> None:
        if not self._fresh:
            return
        self._fresh = 0
        self.path.parent.mkdir(parents=True, exist_ok=True)
        # Another version of the program may find other things.
        value = {"version": __version__, "marks": self._marks}
        write_atomically(self.path, json.dumps(value).encode())


def documents_stamp(directory: Path) -> str:
    """A text that changes with every file of a directory that the static lint looks at."""
    newest = total = count = states = 0
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(STATE_SUFFIX):
                states += 1
            elif entry.is_file() and not entry.name.startswith((".", "cheats.")):
                facts = entry.stat()
                newest = max(newest, facts.st_mtime_ns)
                total, count = total + facts.st_size, count + 1
    return f"{newest:x}-{total:x}-{count}-{states}"


def lint_library(
    directories: Sequence[Path], cache: LintCache, stopped: Callable[[], bool]
) -> Iterator[tuple[Path, LintMark]]:
    """Static marks, kept ones first, until ``stopped``. Raises SaveError."""
    stale: list[tuple[Path, str]] = []
    for directory in directories:
        with contextlib.suppress(OSError):  # removed since it was listed
            stamp = documents_stamp(directory)
            mark = cache.get(directory, stamp)
            if mark is None:
                stale.append((directory, stamp))
            else:
                yield directory, mark
    options = replace(lint_options(), states=False, rom=False) if stale else None
    for directory, stamp in stale:
        if options is None or stopped():
            break
        found = check_integration(directory, options, live=False)
        kinds = [finding.severity for finding in found]
        mark = LintMark(kinds.count(Severity.ERROR), kinds.count(Severity.WARNING))
        cache.put(directory, stamp, mark)
        yield directory, mark
    cache.save()


def make_integration(
    rom: Path,
    root: Path,
    name: str,
    system: str,
    systems: Mapping[str, SystemDescriptor],
    *,
    sure: bool = False,
) -> Integration:
    """Create the integration of ``rom``. Raises SaveError, DocumentError, SessionError."""
    cache = paths.user_cache_dir() / "content"
    known = systems[system] if sure or rom.suffix.lower() != ".zip" else None
    content = prepare_content(rom, systems, cache, known)
    if content.system.name != system:
        cure = "choose that system, and its name"
        raise SessionError(f"{rom}: this is a game of {content.system.title}; {cure}")
    extension = content.system.extension_of(content.path)
    return directories.create_integration(content.path, root, name, system, extension)


class Making:
    """Writes a new directory; called off, it removes its files again."""

    def __init__(self, make: Callable[[], Integration]) -> None:
        self._make = make
        self.is_called_off = False  # set at any time, from any thread

    def run(self) -> Path | None:
        """Make it; None when it was called off. Raises SaveError, DocumentError."""
        directory = None if self.is_called_off else self._make().directory
        if directory is not None and self.is_called_off:
            self.take_back(directory)
            return None
        return directory

    @staticmethod
    def take_back(directory: Path) -> None:
        """Remove the new directory. Files that cannot be removed stay, and do no harm."""
        shutil.rmtree(directory, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class AutoDraft:
    """An integration with its report, and the part that a person looks at next."""

    directory: Path
    report: AutoReport

    @property
    def part(self) -> AutoPart:
        """The least certain part. Raises KeyError when all are accepted."""
        return self.report.parts[self.report.least_certain]


def auto_drafts(roots: Iterable[Path]) -> list[AutoDraft]:
    """Integrations of all roots with a part that nobody has accepted, the least certain first.

    Reports that cannot be read are left out.
    """
    found = []
    for file in (file for root in roots for file in root.glob(f"*/{AUTO_FILE}")):
        with contextlib.suppress(DocumentError):
            found.append(AutoDraft(file.parent, AutoReport.load(file.parent)))
    found = [each for each in found if not each.report.is_accepted]
    return sorted(found, key=lambda each: (each.report.confidence, each.directory))


def accept(draft: AutoDraft) -> AutoDraft:
    """Agree to the least certain part. Raises SaveError."""
    return _with_part(draft, replace(draft.part, accepted=True))


def take_next(draft: AutoDraft) -> AutoDraft:
    """Write the next candidate of the least certain part into the integration's files.

    The present one becomes the last of the candidates. Raises DocumentError, when there is no
    other, or the files were changed otherwise; SaveError.
    """
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
    """The variables of one of a part's candidates."""
    return {
        name: VariableSpec(name, entry["address"], DataType.parse(entry["type"]), entry.get("mask"))
        for name, entry in choice["variables"].items()
    }


def _with_part(draft: AutoDraft, part: AutoPart) -> AutoDraft:
    parts = {**draft.report.parts, draft.report.least_certain: part}
    report = replace(draft.report, parts=parts)
    report.save(draft.directory)
    return replace(draft, report=report)


MAX_FOLDERS = 2000  # folders that are looked into, so that a whole disk takes no minutes


@dataclass(frozen=True, slots=True)
class MovieInfo:
    """One file. ``problem`` says why it cannot be read; then the rest is empty.

    ``place`` is the file's folder, seen from the listed one: ``.`` for the listed one itself.
    ``core`` is the core that recorded it, if the movie says so; ``beyond_training`` are inputs that
    training cannot press. ``agent``, ``state`` and ``episode`` are read off the names that agents'
    movies have: empty, and None, for others.
    """

    path: Path
    place: str = "."
    game: str = ""
    system: str = ""
    frames: int = 0
    players: int = 0
    core: str = ""
    checked: bool = False
    problem: str = ""
    beyond_training: str = ""
    agent: str = ""
    state: str = ""
    episode: int | None = None


def read_movie_folder(
    folder: Path, systems: Mapping[str, MovieConsole], also: Iterable[Path] = ()
) -> tuple[MovieInfo, ...]:
    """Every movie below a folder, then those of ``also`` elsewhere. Raises MovieError."""
    try:
        found = list(_movies_near(folder))
        found.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError as error:
        fault = f"the folder cannot be read ({error.strerror}); choose another"
        raise MovieError(f"{folder}: {fault}") from error
    most = 5000  # of a folder, newest first
    listed = sorted(found[:most], key=lambda path: (path.parent, path.name))
    elsewhere = [path for path in also if path not in listed and path.is_file()]
    return (
        *(_info(path, systems, path.parent.relative_to(folder).as_posix()) for path in listed),
        *(_info(path, systems) for path in elsewhere),
    )


def _movies_near(folder: Path) -> Iterator[Path]:
    """The movies of a folder level by level, without hidden, linked and deep ones."""
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
        checked=movie.ram_hashes is not None,
        beyond_training=movie.beyond_training,
        agent=agent,
        state=state,
        episode=episode,
    )


def _episode_of(path: Path, game: str) -> tuple[str, str, int | None]:
    """Agent, state and episode by the names of agents' movies, also of kept ones."""
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
