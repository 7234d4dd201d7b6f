"""The plan that a session is opened with, and starting a core by it."""

import shutil
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path

from integrator.domain.errors import DomainError, SessionError
from integrator.domain.integration.directory import Integration, create_integration
from integrator.domain.movies.reading import MovieConsole
from integrator.domain.values.memory import AddressSpace, Overlay, Region
from integrator.session.frame.inputs import input_rows
from integrator.session.setup.core_options import GameOptions, memory_path, range_text
from libretro_host.errors import CoreCrashed, CoreHung, HostError, StateError
from libretro_host.frame import CoreInfo
from libretro_host.host import CapturePlan, CoreHost, LoadRequest
from libretro_host.remote import RemoteHost
from libretro_host.systems.axes import PluggedAxis
from libretro_host.systems.descriptor import SystemDescriptor
from libretro_host.systems.discovery import core_name

POWER_ON_FRAMES = 2
"""Frames that stable-retro runs before the first reset: one in its emulator's constructor, one in
its environment's. Several cores cannot save a state without the first."""

NO_STATES = "its games cannot be opened, because all that is played is kept as states"


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """Everything that a session is opened with; ``new_host`` is called again after a crash.

    A row of inputs has a mask for each of the ``players``, and then a number for each of ``axes``.
    ``doubts`` are sentences about the game's file.
    """

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

    @property
    def columns(self) -> int:
        """Columns of a row of inputs."""
        return self.players + len(self.axes)

    def for_players(self, players: int) -> "SessionPlan":
        """The same game with another number of players."""
        core = core_name(self.request.core)
        request, axes = self.descriptor.plug_in(self.request, core, players)
        return replace(self, request=request, players=players, axes=axes)

    def hidden(self) -> "SessionPlan":
        """The same game with a core process of its own, leaving no trace.

        Its documents are a copy of the present ones, which the session's thread goes on editing:
        only that thread asks for it.
        """
        documents = deepcopy(self.integration)
        return replace(self, integration=documents, new_host=RemoteHost, journal=None)

    def kept(self, root: Path, name: str | None) -> "SessionPlan":
        """The same plan with an integration directory made of the ROM and the documents so far."""
        system = self.descriptor
        rom = self.request.content
        extension = system.extension_of(rom)
        created = create_integration(rom, root, name, system.name, extension)
        try:
            created.take_over(self.integration)
            created.save()
        except DomainError:
            shutil.rmtree(created.directory, ignore_errors=True)
            raise
        return replace(self, integration=created)


def frames_at_power_on(system: SystemDescriptor, core: str) -> int:
    """Idle frames that run after a game was loaded and before any state is."""
    return POWER_ON_FRAMES + system.warm_up_frames.get(core, 0)


def start_core(plan: SessionPlan) -> tuple[CoreHost, bytes]:
    """A host with the game loaded, and its state a few frames after power-on.

    The host keeps the picture, which a run of no frames gives.

    Raises HostError (StateError when the core has no states), and SessionError when none of the
    chosen memory is there.
    """
    host = plan.new_host()
    try:
        _check_windows(plan, host.load(plan.request))
        frames = frames_at_power_on(plan.descriptor, core_name(plan.request.core))
        host.run(input_rows((), frames, plan.players), CapturePlan())
        return host, _first_state(host)
    except (HostError, SessionError):
        host.close()
        raise


def _first_state(host: CoreHost) -> bytes:
    try:
        return host.serialize()
    except (CoreCrashed, CoreHung) as error:
        raise StateError(f"{error.fact}; {NO_STATES}; choose another core") from error
    except StateError as error:
        raise StateError(f"{error}; {NO_STATES}; choose another core") from error


def address_space(plan: SessionPlan, core: CoreInfo) -> AddressSpace:
    """The addresses of the core's memory, with the console's overlay."""
    regions = [Region(region.address, region.size, region.name) for region in core.regions]
    overlay = plan.descriptor.overlay
    return AddressSpace(regions, Overlay.parse(overlay) if overlay else None)


def _check_windows(plan: SessionPlan, core: CoreInfo) -> None:
    windows = plan.request.windows
    if windows and not core.regions:
        raise SessionError(
            f"{plan.integration.name}: {plan.request.core.name} has no memory at "
            f"{', '.join(map(range_text, windows))}; choose other ranges in {memory_path()}, or "
            "remove that file"
        )
