"""Imports ROMs of known games out of folders and zips, by the hashes of all known games."""

import contextlib
import io
import itertools
import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePath

from integrator import paths
from integrator.domain import roms
from integrator.domain.errors import MISSING, SessionError, one_line, reason
from integrator.domain.files import reading
from integrator.domain.files.atomic import saving, write_atomically
from integrator.domain.files.reading import DAMAGE, MAX_ROM_FILE_BYTES, read_file
from integrator.domain.integration import naming
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.files import ROOM_CURE
from integrator.domain.integration.naming import find_roms
from integrator.domain.roms import KnownGame, RomIndex, RomMatch, known_games
from integrator.session.opening import core_for
from integrator.session.setup.content import MAX_DEPTH, PACKED, Content, prepare_content
from integrator.session.setup.roots import integration_roots
from libretro_host.errors import CoreNotFoundError
from libretro_host.processes.temporary import made_whole
from libretro_host.systems.descriptor import SystemDescriptor, Systems, system_from_directory_name


def replace_rom(target: Path, data: bytes) -> str:
    """Write the only ROM, and return words about others, which are renamed.

    If SaveError is raised, nothing has changed."""
    old = [rom for rom in find_roms(target.parent) if rom != target or not rom.is_symlink()]
    renamed: list[tuple[Path, Path]] = []
    try:
        for rom in old:
            names = (f"former-rom{f'-{n + 1}' if n else ''}{rom.suffix}" for n in itertools.count())
            former = next(place for place in map(rom.with_name, names) if not place.exists())
            rom.rename(former)
            renamed.append((rom, former))
        write_atomically(target, data)
    except BaseException:
        for rom, former in renamed:
            former.rename(rom)
        with saving(f"{target.parent}: its ROM could not be renamed"):
            raise
    return "; ".join(f"another {rom.name} is {former.name} now" for rom, former in renamed)


# Bytes that may be unpacked from one file, plus 64 for each byte of the file. A zip that unpacks to
# more has members that share their bytes, or hold only zeros.
_UNPACKED_BYTES = 256 << 20


class ImportOutcome(StrEnum):
    """The result of importing a file."""

    IMPORTED = "imported"
    ALREADY_THERE = "already there"
    MISSED = "missed"
    NO_GAME = "no game"


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result for a file; ``source`` has ``!`` before a zip's member, ``game`` may be empty."""

    source: str
    outcome: ImportOutcome
    game: str = ""
    target: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        # A zip from a stranger may have names with line breaks.
        for text in ("source", "reason"):
            object.__setattr__(self, text, one_line(getattr(self, text)))


def list_files(places: Iterable[Path]) -> list[Path]:
    """Return all files at and below ``places``, in order. Raises SessionError for a missing one."""
    found: list[Path] = []
    for place in places:
        if place.is_file():
            found.append(place)
        elif place.is_dir():
            for folder, folders, names in os.walk(place):
                folders.sort()
                found += [Path(folder) / name for name in sorted(names)]
        else:
            raise SessionError(f"{place}: {MISSING}")
    return found


class RomImport:
    """Imports files as ``<root>/<Game>/rom.<extension>``, with the game's documents."""

    def __init__(
        self, index: RomIndex, descriptors: Systems, root: Path, *, follow_links: bool = False
    ) -> None:
        self._index, self._descriptors = index, descriptors
        self._root, self._follow_links = root.absolute(), follow_links
        self._left_bytes = 0

    def take(self, path: Path) -> Iterator[ImportResult]:
        """Import the games in a file, and in its members if it is a zip. Raises SaveError."""
        source = str(path)
        try:
            size = path.stat().st_size
            self._left_bytes = _UNPACKED_BYTES + 64 * size
            if path.suffix.lower() == ".zip":
                if size <= reading.MAX_ROM_BYTES:
                    # Arcade games are known by the hash of the whole zip.
                    whole = self._index.look_up(path.name, read_file(path, MAX_ROM_FILE_BYTES))
                    if isinstance(whole, RomMatch):
                        yield from (self._deliver(source, game, whole) for game in whole.games)
                with reading.open_file(path, None) as file, zipfile.ZipFile(file) as archive:
                    yield from self._members(source, archive, depth=1)
            elif large := roms.too_large(size):
                yield ImportResult(source, ImportOutcome.NO_GAME, reason=large.reason)
            else:
                yield from self._one(source, path.name, read_file(path, MAX_ROM_FILE_BYTES))
        except DAMAGE as error:
            why = f"it cannot be read ({reason(error)})"
            yield ImportResult(source, ImportOutcome.MISSED, reason=why)

    def _members(self, source: str, archive: zipfile.ZipFile, depth: int) -> Iterator[ImportResult]:
        for member in archive.infolist():
            place, size = PurePath(member.filename), member.file_size
            name = f"{source}!{member.filename}"
            is_zip = place.suffix.lower() == ".zip"
            try:
                if member.filename.endswith("/"):
                    continue
                if is_zip and depth >= MAX_DEPTH:
                    why = "it is a zip too deep inside zips"
                    yield ImportResult(name, ImportOutcome.MISSED, reason=why)
                elif is_zip and size <= 512 << 20:
                    with zipfile.ZipFile(io.BytesIO(self._unpacked(archive, member))) as inner:
                        yield from self._members(name, inner, depth + 1)
                elif large := roms.too_large(size):
                    yield ImportResult(name, ImportOutcome.NO_GAME, reason=large.reason)
                else:
                    yield from self._one(name, place.name, self._unpacked(archive, member))
            except DAMAGE as error:
                why = f"it cannot be unpacked ({reason(error)})"
                yield ImportResult(name, ImportOutcome.MISSED, reason=why)

    def _unpacked(self, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
        self._left_bytes -= member.file_size
        if self._left_bytes < 0:
            raise zipfile.BadZipFile("the file unpacks to far more than it holds")
        return archive.read(member)

    def _one(self, source: str, name: str, data: bytes) -> Iterator[ImportResult]:
        if PurePath(name).suffix.lower() in PACKED:
            reason = "this kind of archive cannot be opened; unpack it first"
            yield ImportResult(source, ImportOutcome.MISSED, reason=reason)
            return
        found = self._index.look_up(name, data)
        if isinstance(found, RomMatch):
            yield from (self._deliver(source, game, found) for game in found.games)
        else:
            outcome = ImportOutcome.MISSED if found.is_game else ImportOutcome.NO_GAME
            yield ImportResult(source, outcome, reason=found.reason)

    def _deliver(self, source: str, game: KnownGame, match: RomMatch) -> ImportResult:

        def result(outcome: ImportOutcome, why: str, target: Path | str = "") -> ImportResult:
            return ImportResult(source, outcome, game.name, str(target), why)

        own = self._root in game.directory.absolute().parents
        directory = game.directory if own else self._root / game.name
        system = system_from_directory_name(game.name, self._descriptors)
        if system is None:
            why = f"{game.name} needs this ROM, but its name does not end with a known system"
            return result(ImportOutcome.MISSED, why)
        target = directory / f"rom.{system.extension_of(Path(source))}"
        present = find_roms(directory)
        with contextlib.suppress(OSError):
            if len(present) == 1 and read_file(present[0], len(match.data)) == match.data:
                return result(ImportOutcome.ALREADY_THERE, "its ROM is there already", present[0])
        outside = None if self._follow_links else naming.leads_out(target, directory)
        if outside is not None:
            why = f"{target} is a link to {outside}, outside of the game's folder"
            return result(ImportOutcome.MISSED, why)
        remarks = [f"known after header removal: {match.spelling}"] if match.spelling else []
        if directory.exists():
            remarks.append(replace_rom(target, match.data))
        else:
            _copy_game(game.directory, directory, target.name, match.data)
        # Arcade cores recognize a game by its file name, which the metadata may hold.
        recorded = load_integration(directory).metadata.value.get("original_rom_name")
        name = recorded if isinstance(recorded, str) and naming.is_file_name(recorded) else ""
        # A ROM must not replace a document or script.
        if name and PurePath(name).suffix.lower() not in naming.NOT_ROMS:
            naming.refuse_links(directory, [] if self._follow_links else [name])
            write_atomically(directory / name, match.data)
        return result(ImportOutcome.IMPORTED, "; ".join(filter(None, remarks)), target)


def _copy_game(source: Path, directory: Path, rom: str, data: bytes) -> None:
    hidden, unusual = shutil.ignore_patterns("__pycache__", ".*"), reading.not_plain
    with saving(f"{directory} could not be made", ROOM_CURE):
        directory.parent.mkdir(parents=True, exist_ok=True)
        with made_whole(directory) as draft:
            shutil.copytree(
                source, draft, ignore=lambda at, names: unusual(at, names) | hidden(at, names)
            )
            (draft / rom).write_bytes(data)


@dataclass(frozen=True, slots=True)
class RomFacts:
    """Facts about a ROM: its content, its known games, and its core, or the ``problem``."""

    content: Content
    games: tuple[KnownGame, ...]
    core: str = ""
    reason: str = ""
    problem: str = ""


def prepare_import(
    root: Path, descriptors: Systems, *, follow_links: bool = False
) -> tuple[int, RomImport]:
    """Read a file of each known game; return their number, and an import into ``root``."""
    below = (root, *(root / name for name in ("stable", "experimental", "contrib")))
    roots = [*integration_roots(), *(folder for folder in below if folder.is_dir())]
    games = known_games(list(dict.fromkeys(roots)))
    index = rom_index(games, descriptors)
    return len(games), RomImport(index, descriptors, root, follow_links=follow_links)


def _games_of(rom: Path, descriptors: Systems) -> tuple[KnownGame, ...]:
    """Return the games that a ROM file belongs to, the user's first. Raises OSError."""
    if roms.too_large(rom.stat().st_size) is not None:
        return ()
    index = rom_index(known_games(integration_roots()), descriptors)
    found = index.look_up(rom.name, read_file(rom, MAX_ROM_FILE_BYTES))
    return found.games if isinstance(found, RomMatch) else ()


def examine(rom: Path, system: SystemDescriptor | None, descriptors: Systems) -> RomFacts:
    """Find out all facts about a ROM. Raises SessionError, DescriptorError, OSError."""
    content = prepare_content(rom, descriptors, paths.user_cache_dir() / "content", system)
    facts = RomFacts(content, _games_of(content.path, descriptors))
    try:
        choice = core_for(content.system)
        return replace(facts, core=choice.core, reason=choice.reason)
    except CoreNotFoundError as error:
        return replace(facts, problem=str(error))


def bring_rom(rom: Path, game: KnownGame, importer: RomImport) -> Path:
    """Return a known game's directory, with the ROM imported. Raises SaveError, SessionError."""
    if naming.find_rom(game.directory) is not None:
        return game.directory
    results = list(importer.take(rom))
    for result in results:
        if result.game == game.name and result.target:
            return Path(result.target).parent
    reasons = "; ".join(result.reason for result in results) or "nothing was imported"
    raise SessionError(f"{rom}: could not be imported for {game.name}: {reasons}")


def rom_index(games: Iterable[KnownGame], descriptors: Systems) -> RomIndex:
    """Make the index of ``games``, with all consoles' headers and their unshared extensions."""
    known, users = descriptors.values(), dict[str, list[str]]()
    headers = [(one.name, entry) for one in known for entry in one.headers]
    for one in known:
        for extension in (*one.extensions, *one.aliases):
            users.setdefault(extension, []).append(one.name)
    # An extension that several systems use does not show that a file is a ROM.
    alone = {ext: names[0] for ext, names in users.items() if len(names) == 1}
    return RomIndex(games, {ext: alone[ext] for ext in alone.keys() - {"zip", "7z"}}, headers)
