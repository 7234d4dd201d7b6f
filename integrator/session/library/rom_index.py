"""The hashes of all known games, for imports and for recognising a ROM."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from integrator import paths
from integrator.domain.errors import SessionError
from integrator.domain.files.reading import MAX_ROM_FILE_BYTES, read_file
from integrator.domain.integration.naming import find_rom
from integrator.domain.roms.header import HeaderPlaces
from integrator.domain.roms.match import KnownGame, RomIndex, RomMatch, known_games, too_large
from integrator.session.library.rom_import import RomImport
from integrator.session.opening import core_for
from integrator.session.setup.content import Content, prepare_content
from integrator.session.setup.roots import integration_roots
from libretro_host.errors import CoreNotFoundError
from libretro_host.systems.descriptor import SystemDescriptor


@dataclass(frozen=True, slots=True)
class RomFacts:
    """Facts of a ROM for a new integration: the known game, if any, and the core that runs it.

    ``content`` is the game out of the file, unpacked and in plain order. ``core`` and ``reason``
    are empty when there is no core, and ``problem`` says so.
    """

    content: Content
    recognition: "Recognition"
    core: str
    reason: str
    problem: str


@dataclass(frozen=True, slots=True)
class Recognition:
    """The known games that a ROM file belongs to; without any, ``reason`` explains the miss."""

    rom: Path
    games: tuple[KnownGame, ...]
    reason: str = ""


def prepare_import(
    root: Path, descriptors: Mapping[str, SystemDescriptor], *, follow_links: bool = False
) -> tuple[int, RomImport]:
    """The number of known games, and an import of their ROMs into ``root``. Reads a file a game."""
    roots = list(dict.fromkeys([*integration_roots(), *_roots_below(root)]))
    games = known_games(roots)
    index = rom_index(games, descriptors)
    return len(games), RomImport(index, descriptors, root, follow_links=follow_links)


def recognise(rom: Path, descriptors: Mapping[str, SystemDescriptor]) -> Recognition:
    """Look a ROM file up among all known games, the user's first. Raises OSError."""
    large = too_large(rom.stat().st_size)
    if large is not None:
        return Recognition(rom, (), large.reason)
    index = rom_index(known_games(integration_roots()), descriptors)
    found = index.look_up(rom.name, read_file(rom, MAX_ROM_FILE_BYTES))
    if isinstance(found, RomMatch):
        return Recognition(rom, found.games)
    return Recognition(rom, (), found.reason)


def examine(
    rom: Path, system: SystemDescriptor | None, descriptors: Mapping[str, SystemDescriptor]
) -> RomFacts:
    """All of :class:`RomFacts`; ``system`` None: the file tells it.

    Raises SessionError, DescriptorError for a file that is no game, and OSError.
    """
    content = prepare_content(rom, descriptors, paths.user_cache_dir() / "content", system)
    core = reason = problem = ""
    try:
        choice = core_for(content.system)
        core, reason = choice.core, choice.reason
    except CoreNotFoundError as error:
        problem = str(error)
    return RomFacts(content, recognise(content.path, descriptors), core, reason, problem)


def bring_rom(rom: Path, game: KnownGame, importer: RomImport) -> Path:
    """The directory in which a known game can be played with ``rom``: its own, or a copy.

    Raises SaveError, SessionError.
    """
    if find_rom(game.directory) is not None:
        return game.directory
    results = list(importer.take(rom))
    for result in results:
        if result.game == game.name and result.target:
            return Path(result.target).parent
    reasons = "; ".join(result.reason for result in results) or "nothing was imported"
    raise SessionError(f"{rom}: could not be imported for {game.name}: {reasons}")


def _roots_below(root: Path) -> list[Path]:
    """``root``, and the folders in it that stable-retro sorts its integrations into."""
    found = [root, *(root / name for name in ("stable", "experimental", "contrib"))]
    return [folder for folder in found if folder.is_dir()]


def rom_index(games: Iterable[KnownGame], descriptors: Mapping[str, SystemDescriptor]) -> RomIndex:
    """The index of ``games`` that knows the extensions and headers of all consoles."""
    headers = [
        HeaderPlaces.of(one.name, entry) for one in descriptors.values() for entry in one.headers
    ]
    return RomIndex(games, _extensions_by_system(descriptors.values()), headers)


def _extensions_by_system(descriptors: Iterable[SystemDescriptor]) -> dict[str, str]:
    """The system of each extension that only one system uses; other files are no ROMs."""
    users: dict[str, list[str]] = {}
    for one in descriptors:
        for extension in (*one.extensions, *one.aliases):
            users.setdefault(extension, []).append(one.name)
    shared = {"zip", "7z"}
    return {ext: names[0] for ext, names in users.items() if len(names) == 1 and ext not in shared}
