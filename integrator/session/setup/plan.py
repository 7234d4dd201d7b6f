"""The plan that a session is opened with, with the user's choices of core options for a game."""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from integrator import paths
from integrator.domain.errors import DomainError, SessionError
from integrator.domain.files.atomic import write_with_folder
from integrator.domain.files.jsontext import parse_json
from integrator.domain.files.reading import TEXT_BYTES, decoding, open_file, read_file, sha256
from integrator.domain.integration.directory import create_integration
from integrator.domain.integration.files import Integration
from integrator.domain.integration.naming import is_integration
from integrator.domain.movies.model import CoreStamp, MovieConsole
from integrator.domain.values.memory import AddressSpace, Overlay, Region
from integrator.domain.values.variables import VariableSpec
from integrator.session.frame.inputs import input_rows
from integrator.session.movies import MovieIdentity
from libretro_host.errors import ContentError, CoreCrashed, CoreHung, StateError
from libretro_host.host import CapturePlan, CoreHost, CoreInfo, CoreOption, LoadRequest
from libretro_host.inprocess import InProcessHost
from libretro_host.remote import RemoteHost
from libretro_host.systems.axes import PluggedAxis
from libretro_host.systems.descriptor import SystemDescriptor, lacks_header
from libretro_host.systems.discovery import core_name

MemoryRange: TypeAlias = tuple[int, int]  # first address and number of bytes

ALIGNMENT: Final = 8  # bytes; ranges are aligned, so that no console's word is cut in two


def memory_path() -> Path:
    return paths.user_config_dir() / "memory.json"


def windows_for(
    chosen: Iterable[MemoryRange], variables: Iterable[VariableSpec]
) -> tuple[MemoryRange, ...]:
    """Return the chosen ranges with those of variables, aligned and ascending.

    If no range is chosen, return (), which means all memory."""
    ranges = list(chosen)
    if not ranges:
        return ()
    # Each variable gets a range with room for the widest type.
    ranges += [(spec.address, max(spec.type.width, 8)) for spec in variables]
    ends = ((start, start + size) for start, size in ranges)
    merged: list[tuple[int, int]] = []
    for start, stop in sorted((a - a % ALIGNMENT, b + -b % ALIGNMENT) for a, b in ends):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], stop)
        else:
            merged.append((start, stop))
    return tuple((start, stop - start) for start, stop in merged)


def parse_range(text: str) -> MemoryRange:
    """Parse ``0x80000000-0x801FFFFF``, ends included, or ``START+SIZE``. Raises SessionError."""
    parts = re.fullmatch(r"(\w+)\s*([-+])\s*(\w+)", text.strip())
    first, mark, second = parts.groups() if parts else ("", "", "")
    try:
        start, other = int(first, 0), int(second, 0)
    except ValueError as error:
        cure = "write two addresses, as in 0x80000000-0x801FFFFF"
        raise SessionError(f"{text.strip()}: {cure}") from error
    size = other - start + 1 if mark == "-" else other
    if size < 1:
        raise SessionError(f"{text.strip()}: there is nothing between these two addresses")
    return start, size


def range_text(memory: MemoryRange) -> str:
    start, size = memory
    return f"0x{start:X}-0x{start + size - 1:X}"


class GameFile:
    """A JSON file with a value for each game; ``shape`` describes a valid value in messages."""

    shape = ""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fits(self, value: object) -> bool:
        raise NotImplementedError

    def read(self) -> dict[str, Any]:
        """Return the values by game; none without a file. Raises SessionError if it is damaged."""
        games: dict[str, Any] = self._whole()["games"]
        return games

    def _whole(self) -> Any:
        if not self.path.exists():
            return {"games": {}}
        with decoding(SessionError, str(self.path), "correct or remove this file"):
            value = parse_json(read_file(self.path, TEXT_BYTES))
        games: Any = value.setdefault("games", {}) if isinstance(value, dict) else None
        if not isinstance(games, dict) or not all(map(self.fits, games.values())):
            wanted = f'{{"games": {{game: {self.shape}}}}}'
            raise SessionError(f"{self.path}: must be {wanted}; correct or remove this file")
        return value

    def write(self, games: dict[str, Any]) -> None:
        text = json.dumps({**self._whole(), "games": games}, indent=2, sort_keys=True)
        write_with_folder(self.path, f"{text}\n".encode())


class MemoryStore(GameFile):
    """The memory ranges that the user chose for each game."""

    shape = '["0x0-0xFF"]'

    def fits(self, value: object) -> bool:
        return isinstance(value, list) and all(isinstance(text, str) for text in value)

    def ranges(self, game: str) -> tuple[MemoryRange, ...]:
        """Return a game's ranges; () means all memory. Raises SessionError for a damaged file."""
        return tuple(parse_range(text) for text in self.read().get(game, []))

    def keep(self, game: str, ranges: Iterable[MemoryRange]) -> None:
        """Store a game's ranges; without any, remove them. Raises SessionError, SaveError."""
        games = self.read()
        games[game] = [range_text(each) for each in ranges]
        self.write({name: texts for name, texts in games.items() if texts})


@dataclass(frozen=True, slots=True)
class OptionSetting:
    """An option of the open core, with its values by the console's descriptor and in training."""

    option: CoreOption
    described: str
    training: str

    @property
    def as_in_training(self) -> bool:
        """True if the option has the value that it will have in training."""
        return self.option.value == self.training


class OptionStore(GameFile):
    """The user's core options, for each game and core."""

    shape = "{core: {option: value}}"

    def fits(self, value: object) -> bool:
        return isinstance(value, dict) and all(
            isinstance(options, dict) and all(isinstance(one, str) for one in options.values())
            for options in value.values()
        )

    def options(self, game: str, core: str) -> dict[str, str]:
        """Return a game's options on a core. Raises SessionError for a damaged file."""
        return dict(self.read().get(game, {}).get(core, {}))

    def keep(self, game: str, core: str, key: str, value: str | None) -> None:
        """Store a value; None removes it. Raises SessionError, SaveError."""
        games = self.read()
        games.setdefault(game, {}).setdefault(core, {})[key] = value
        if value is None:
            del games[game][core][key]
        for name, cores in games.items():
            games[name] = {one: values for one, values in cores.items() if values}
        self.write({name: cores for name, cores in games.items() if cores})


@dataclass(frozen=True, slots=True)
class GameOptions:
    """A game's options on a core; ``described`` are the console's, ``training`` training's."""

    store: OptionStore
    game: str
    core: str
    described: Mapping[str, str]
    training: Mapping[str, str]

    def kept(self) -> dict[str, str]:
        """Return the user's values. Raises SessionError for a damaged file."""
        return self.store.options(self.game, self.core)

    def settings(self, host: CoreHost) -> tuple[OptionSetting, ...]:
        """Return the options of the open core, with the console's and training's values."""
        given = self.described, self.training
        return tuple(
            OptionSetting(one, *(values.get(one.key, one.default) for values in given))
            for one in host.options()
        )

    def change(
        self, host: CoreHost, request: LoadRequest, key: str, value: str | None
    ) -> LoadRequest:
        """Store an option, or reset it for None; return the new request. Raises HostError."""
        described = {one.option.key: one.described for one in self.settings(host)}
        wanted = described.get(key, "") if value is None else value
        host.set_option(key, wanted)
        self.store.keep(self.game, self.core, key, value)
        return replace(request, options={**request.options, key: wanted})


# Frames that stable-retro runs before the first reset: one in its emulator's constructor, one in
# its environment's constructor. Several cores cannot save a state before they have run a frame.
POWER_ON_FRAMES = 2
NO_STATES = "its games cannot be opened, because all that is played is kept as states"


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """Everything to open a session with; rows of inputs have ``players`` masks, then ``axes``."""

    integration: Integration
    descriptor: SystemDescriptor
    request: LoadRequest
    new_host: Callable[[], CoreHost]
    systems: Mapping[str, MovieConsole]
    state: str | None = None
    scenario: str | None = None
    players: int = 1
    journal: Path | None = None
    options: GameOptions | None = None
    axes: tuple[PluggedAxis, ...] = ()
    doubts: tuple[str, ...] = ()
    rom_written_ns: int = 0  # when the ROM's file was written, as the game was opened; 0: unknown

    @property
    def columns(self) -> int:
        return self.players + len(self.axes)

    def for_players(self, players: int) -> "SessionPlan":
        request, axes = self.descriptor.plug_in(self.request, core_name(self.request.core), players)
        return replace(self, request=request, players=players, axes=axes)

    def identity(self, core: CoreInfo) -> MovieIdentity:
        stamp = CoreStamp(core.library_name, core.library_version)
        common = self.integration.name, self.descriptor, self.players, stamp, core.sees_all_memory
        axes = {each.name: each.axis.is_button for each in self.axes}
        return MovieIdentity(*common, axes=axes, rom=self.request.content)

    def hidden(self) -> "SessionPlan":
        """Copy the plan for a hidden core in another process, on the session's thread."""
        documents = deepcopy(self.integration)
        return replace(self, integration=documents, new_host=RemoteHost, journal=None)

    def for_worker(self) -> "SessionPlan":
        """Copy the plan for a worker process that runs the core within itself."""
        return replace(self.hidden(), new_host=InProcessHost)

    def kept(self, root: Path, name: str | None) -> "SessionPlan":
        """Make an integration directory of the ROM and the documents, and return a plan for it."""
        system, rom = self.descriptor, self.request.content
        created = create_integration(rom, root, name, system.name, system.extension_of(rom))
        try:
            created.take_over(self.integration)
            created.save()
        except DomainError:
            shutil.rmtree(created.directory, ignore_errors=True)
            raise
        return replace(self, integration=created)


def frames_at_power_on(system: SystemDescriptor, core: str) -> int:
    """Return the number of idle frames to run after loading a game, before any state."""
    return POWER_ON_FRAMES + system.warm_up_frames.get(core, 0)


def start_core(plan: SessionPlan, old: CoreHost | None = None) -> tuple[CoreHost, bytes]:
    """Start a game's host; return it with its power-on state. Raises HostError, SessionError.

    An ``old`` host is closed first, because both would write the same save chip, but not if the
    game's file has changed, so that play can go on."""
    rom, written_ns = plan.request.content, plan.rom_written_ns
    now_ns = rom.stat().st_mtime_ns if rom.is_file() else 0
    if written_ns not in (0, now_ns) and (now_ns or old is not None):
        # States and recorded frames are of the former game, so any result would be wrong.
        changed = f"{rom} was changed by another program since the game was opened"
        raise ContentError(f"{changed}; open the game again")
    if old is not None:
        old.close()
    host, core, windows = plan.new_host(), plan.request.core, plan.request.windows
    with ExitStack() as undo:
        undo.callback(host.close)
        try:
            regions = host.load(plan.request).regions
        except ContentError as error:
            doubts = plan.doubts
            if not doubts and lacks_header(plan.request.content, plan.descriptor):
                doubts = (f"it lacks the header of {plan.descriptor.title}'s games",)
            raise ContentError("; ".join((str(error), *doubts))) from error
        if not regions and windows:
            lack = f"{core.name} has no memory at {', '.join(map(range_text, windows))}"
            cure = f"choose other ranges in {memory_path()}, or remove that file"
            raise SessionError(f"{plan.integration.name}: {lack}; {cure}")
        frames = frames_at_power_on(plan.descriptor, core_name(core))
        host.run(input_rows((), frames, plan.players), CapturePlan())
        try:
            state = host.serialize()
        except (CoreCrashed, CoreHung, StateError) as error:
            fact = error if isinstance(error, StateError) else error.fact
            raise StateError(f"{fact}; {NO_STATES}; choose another core") from error
        undo.pop_all()
    return host, state


def address_space(system: SystemDescriptor, core: CoreInfo) -> AddressSpace:
    regions = [Region(region.address, region.size, region.name) for region in core.regions]
    overlay = system.overlay
    return AddressSpace(regions, Overlay.parse(overlay) if overlay else None)


def fingerprint(plan: SessionPlan, state: str = "", *further: Path) -> str:
    """Return a hash of all that a result depends on, and of ``further`` files. Raises OSError."""
    request, integration = plan.request, plan.integration
    choices = state, plan.scenario, plan.players, sorted(request.options.items()), request.windows
    text = repr(choices)
    files = [request.core, request.content, *filter(None, request.files), *further]
    if request.system_dir is not None:
        firmware = (request.system_dir / each.file for each in plan.descriptor.bios)
        files += [path for path in firmware if path.is_file()]
    if is_integration(integration.directory):
        kept = sorted(integration.directory.iterdir())
        files += [path for path in kept if path.suffix in {".json", ".lua"}]
    if integration.state_files.exists(state):
        files.append(integration.state_files.path(state))
    for path in files:
        with open_file(path, None) as stream:
            text += f"{path.name} {sha256(stream.read())}\n"
    return sha256(text.encode())[:32]
