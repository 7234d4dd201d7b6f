"""Opens a session on a path: finds its game, system, core and host."""

import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from integrator import paths
from integrator.domain.errors import MISSING, ChoiceError, SessionError
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.files import Integration
from integrator.domain.integration.naming import clean_name, is_integration
from integrator.domain.integration.states import is_state
from integrator.domain.movies.model import MovieConsole
from integrator.domain.movies.reading import is_movie
from integrator.session.journal.journal_file import new_journal_path
from integrator.session.movies import movie_console
from integrator.session.session import Session
from integrator.session.setup import plan as plans
from integrator.session.setup.content import Content, list_files, prepare_content
from integrator.session.setup.plan import GameOptions, SessionPlan
from integrator.session.setup.roots import core_places, game_at, systems
from libretro_host.host import LoadRequest
from libretro_host.inprocess import InProcessHost
from libretro_host.remote import RemoteHost
from libretro_host.systems import discovery
from libretro_host.systems.descriptor import (
    SystemDescriptor,
    Systems,
    load_descriptors,
    missing_bios,
    system_for,
    system_from_directory_name,
)
from libretro_host.systems.discovery import BiosState, CoreChoice


def training_options(system: str, core: str) -> Mapping[str, str]:
    """Return the core options that training sets, from the shipped descriptor of the system.

    For a system that is not shipped with this core, merge the options of all shipped systems."""
    folder = paths.shipped("cores") / "systems"
    schema = paths.shipped("resources") / "schemas" / "system.schema.json"
    consoles = load_descriptors(folder, schema=schema, shipped=folder)
    if system in consoles and core in consoles[system].cores:
        return consoles[system].options.get(core, {})
    found = [each.options.get(core, {}) for each in consoles.values()]
    return {key: value for options in found for key, value in options.items()}


def core_for(descriptor: SystemDescriptor, explicit: Path | None = None) -> CoreChoice:
    """Return the core that runs a system on this computer. Raises CoreNotFoundError."""
    return discovery.find_core(descriptor, core_places(), explicit)


def other_cores_than(system: str, used: Path) -> list[Path]:
    return [choice.path for choice in discovery.other_cores(systems()[system], used, core_places())]


def plan_session(
    path: str | Path,
    *,
    state: str | None = None,
    scenario: str | None = None,
    players: int = 1,
    isolated: bool = True,
    core: str | Path | None = None,
    system: str | None = None,
    journal: Path | None = None,
) -> SessionPlan:
    """Plan a session without starting its core; the arguments are those of :func:`open_session`."""
    descriptors = systems()
    named = named_system(descriptors, system)
    integration, content = _game_at(game_at(path).absolute(), descriptors, named)
    console = content.system
    choice = core_for(console, None if core is None else Path(core))
    _check_bios(console, content.path)
    store = plans.OptionStore(paths.user_config_dir() / "core-options.json")
    training = training_options(console.name, choice.core)
    own = console.options.get(choice.core, {})
    options = GameOptions(store, integration.name, choice.core, own, training)
    request = _load_request(integration, content, choice, options)
    request, axes = console.plug_in(request, choice.core, players)
    if choice.core in console.residue:
        request = replace(request, reopen_frames=plans.frames_at_power_on(console, choice.core))
    return SessionPlan(
        integration=integration,
        descriptor=console,
        request=request,
        new_host=RemoteHost if isolated else InProcessHost,
        systems=movie_consoles(descriptors),
        state=state,
        scenario=scenario,
        players=players,
        journal=journal,
        options=options,
        axes=axes,
        doubts=content.doubts,
        rom_written_ns=content.path.stat().st_mtime_ns,
    )


def _load_request(
    integration: Integration, content: Content, choice: CoreChoice, options: GameOptions
) -> LoadRequest:
    chosen = plans.MemoryStore(plans.memory_path()).ranges(integration.name)
    request = content.system.load_request(
        choice.core,
        choice.path,
        content.path,
        system_dir=paths.system_dir(),
        save_dir=paths.save_dir(integration.name),
        options=options.kept(),
    )
    if (listed := content.listed) is not None:
        request = replace(request, subsystem=listed.subsystem, files=listed.files)
    return replace(request, windows=plans.windows_for(chosen, integration.variables.values()))


def open_session(
    path: str | Path,
    *,
    state: str | None = None,
    scenario: str | None = None,
    players: int = 1,
    isolated: bool = True,
    core: str | Path | None = None,
    journal: Path | None = None,
    system: str | None = None,
) -> Session:
    """Open a game: a ROM file, an integration directory with its ROM, or an integration's name.

    ``state`` names a start state (default: the metadata's, else POWER_ON), or is the path of a
    ``.state`` file. ``scenario`` names a scenario file without its suffix. There are ``players``
    ports and rewards. ``isolated`` runs the core in a child process, so that its crash does not end
    this one. ``core`` chooses a core file, and ``system`` the console, if the file's extension does
    not determine it. ``journal`` is a file to write all play to, for
    :func:`integrator.session.recovery.recover_from`. Raises SessionError, DocumentError, HostError.
    """
    plan = plan_session(
        path,
        state=state,
        scenario=scenario,
        players=players,
        isolated=isolated,
        core=core,
        system=system,
        journal=journal,
    )
    return Session(plan)


def movie_consoles(descriptors: Systems | None = None) -> Mapping[str, MovieConsole]:
    """Return what movies say about each console, by default of all that are known here."""
    descriptors = systems() if descriptors is None else descriptors
    return {name: movie_console(each) for name, each in descriptors.items()}


def list_of_files(files: Sequence[Path | None], subsystem: str, system: str | None = None) -> Path:
    """Write a list of files by which to open their game. Raises SessionError, DescriptorError."""
    descriptors = systems()
    console = named_system(descriptors, system)
    if console is None:
        first = next((file for file in files if file is not None), None)
        if first is None:
            raise SessionError(f"{subsystem}: a game of several files needs one at least")
        console = system_for(first, descriptors)
    return list_files(console, subsystem, files, paths.user_cache_dir() / "content")


def named_system(descriptors: Systems, name: str | None) -> SystemDescriptor | None:
    """Return the console of a name; None without a name. Raises SessionError for an unknown one."""
    if name is not None and name not in descriptors:
        raise ChoiceError(f"no system {name}; there are {' '.join(descriptors)}")
    return None if name is None else descriptors[name]


def _game_at(
    path: Path, descriptors: Systems, named: SystemDescriptor | None
) -> tuple[Integration, Content]:
    cache = paths.user_cache_dir() / "content"
    try:
        path.stat()
    except (OSError, ValueError) as error:  # ValueError: a NUL
        gone = isinstance(error, FileNotFoundError | NotADirectoryError)
        why = MISSING if gone else f"{getattr(error, 'strerror', error)}; check the path"
        raise SessionError(f"{path}: {why}") from error
    if path.is_file() and not (path.stem == "rom" and is_integration(path.parent)):
        content = prepare_content(path, descriptors, cache, named)
        # Replace the extension here, because clean_name recognizes only short extensions.
        name = clean_name(f"{Path(content.name).stem}.rom", content.system.name)
        # A bare ROM's documents start empty, under the name of a directory that does not exist.
        names = (name if n == 1 else f"{name}-{n}" for n in itertools.count(1))
        places = map(paths.user_integrations_dir().joinpath, names)
        return Integration(next(place for place in places if not place.exists())), content
    integration = load_integration(path if path.is_dir() else path.parent)
    if integration.rom is None:
        fault = "no ROM in it; copy the game there as rom.<extension>, or import it"
        raise SessionError(f"{integration.directory}: {fault}")
    system = named or system_from_directory_name(integration.name, descriptors)
    return integration, prepare_content(integration.rom, descriptors, cache, system)


def _check_bios(descriptor: SystemDescriptor, rom: Path) -> None:
    missing = missing_bios(descriptor, paths.system_dir())
    if missing:
        names = " or ".join(f"{bios.file} ({bios.note})" for bios in missing)
        checks = discovery.check_bios(descriptor, paths.system_dir())
        hints = "".join(f"; {one.text}" for one in checks if one.state is BiosState.MISNAMED)
        fault = f"{descriptor.title} needs the BIOS file {names} in {paths.system_dir()}{hints}"
        raise SessionError(f"{rom}: {fault}")


@dataclass(frozen=True, slots=True)
class GameOpening:
    """A game that is being opened; ``session`` will hold the session, or the error."""

    path: Path
    session: Future[Session]

    def abandon(self) -> None:
        """Close the game as soon as it is open, because no window will show it."""

        def close(opened: Future[Session]) -> None:
            if opened.exception() is None:
                opened.result().close()

        self.session.add_done_callback(close)


def open_journaled(
    path: Path, players: int = 1, system: str | None = None, core: Path | None = None
) -> Session:
    journal = new_journal_path(path.stem)
    return open_session(path, players=players, journal=journal, system=system, core=core)


def is_game(path: Path) -> bool:
    """Return True unless a path is a movie or a state, which can be opened only in a game."""
    return not is_movie(path) and not is_state(path)


def begin_opening(path: Path, system: str | None = None, core: Path | None = None) -> GameOpening:
    """Start to open a game on another thread, with its core in a process of its own."""
    worker = ThreadPoolExecutor(1, thread_name_prefix="open-early")
    session = worker.submit(open_journaled, path, system=system, core=core)
    worker.shutdown(wait=False)
    return GameOpening(path, session)
