"""Frozen copies of a session's documents and facts, made on the runner's thread for views."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from integrator.domain.frames.observation import ObservationRule
from integrator.domain.integration.expectations import Expectation
from integrator.domain.integration.naming import is_integration
from integrator.domain.scenario.spec import ActionSet
from integrator.domain.scenario.tree import Crop
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableSpec
from integrator.session.edits.editor import SUBJECTS, Change, Subject
from integrator.session.frame.pipeline import observation_rule
from integrator.session.frame.result import FrameResult
from integrator.session.setup.content import discs_of
from integrator.session.setup.game import POWER_ON, Game
from libretro_host.host import CoreInfo
from libretro_host.systems.axes import PluggedAxis
from libretro_host.systems.descriptor import SystemDescriptor
from libretro_host.systems.discovery import core_name


@dataclass(frozen=True, slots=True)
class Documents:
    """A copy of the documents; each of ``undo_steps`` and ``redo_steps`` names changed files."""

    variables: Mapping[str, VariableSpec]
    values: Mapping[str, int]
    skipped: Mapping[str, str]
    scenario: Mapping[str, Any]
    scenario_name: str
    scenario_names: tuple[str, ...]
    scripts: Mapping[str, str]
    actions: ActionSet
    undo_steps: tuple[tuple[str, ...], ...]
    redo_steps: tuple[tuple[str, ...], ...]
    states: tuple[str, ...]
    default_state: str
    expectations: tuple[Expectation | None, ...]
    modified: bool

    @classmethod
    def of(cls, game: Game) -> "Documents":
        """Copy the game's documents. Call it on the thread that owns the session."""
        return cls(**_facts(game, SUBJECTS))


@dataclass(frozen=True, slots=True)
class Update:
    """A change, and the new values of the fields of :class:`Documents` that it concerns."""

    change: Change
    facts: Mapping[str, Any]

    @classmethod
    def of(cls, game: Game, change: Change) -> "Update":
        """Copy the changed parts. Call it on the thread that owns the session."""
        return cls(change, _facts(game, change.subjects))

    def apply(self, documents: Documents) -> Documents:
        return replace(documents, **self.facts)


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """The facts of an open game; ``resumed`` is the frame at which recovered play goes on."""

    opened_from: Path
    name: str
    directory: Path
    rom: Path
    is_integration: bool
    system: SystemDescriptor
    core_path: Path
    info: CoreInfo
    fps: float
    players: int
    space: AddressSpace
    work_ram: int
    observation: ObservationRule
    documents: Documents
    resumed: FrameResult | None
    axes: tuple[PluggedAxis, ...]
    discs: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The path that opens the game again: its integration, or the bare ROM."""
        return self.directory if self.is_integration else self.rom

    @property
    def core(self) -> str:
        return core_name(self.core_path)

    @property
    def first_address(self) -> int:
        return self.info.regions[0].address if self.info.regions else 0

    @property
    def most_players(self) -> int:
        return self.system.multitap_players.get(self.core, 2)

    @classmethod
    def of(cls, game: Game, path: Path, resumed: FrameResult | None) -> "GameSnapshot":
        """Copy the facts of the game that ``path`` opened, on the thread that owns its session."""
        system, space = game.system, game.memory.space
        # Take work RAM from the console's descriptor, or else the first region.
        work_ram = system.rambase if system.work_ram is None else system.work_ram.address
        if space.region_at(work_ram) is None and space.regions:
            work_ram = space.regions[0].address
        return cls(
            opened_from=path,
            name=game.integration.name,
            directory=game.integration.directory,
            rom=game.integration.rom or path,
            is_integration=is_integration(game.integration.directory),
            system=system,
            core_path=game.core_path,
            info=game.core,
            fps=game.fps,
            players=game.players,
            space=space,
            work_ram=work_ram,
            observation=observation_rule(system, game.core.av, Crop()),
            documents=Documents.of(game),
            resumed=resumed,
            axes=game.axes,
            discs=discs_of(game.content),
        )


def _facts(game: Game, subjects: frozenset[Subject]) -> dict[str, Any]:
    """Return fields of :class:`Documents`: those of the subjects, and those of every change."""
    integration, skipped = game.integration, game.readout.reader.skipped
    facts: dict[str, Any] = {"modified": integration.modified}
    for name, steps in (("undo", integration.history.done), ("redo", integration.history.undone)):
        facts[f"{name}_steps"] = tuple(map(tuple, steps))
    if "variables" in subjects:
        values = {}
        for name, spec in integration.variables.items():
            if name not in skipped:
                value = game.memory.read(spec.address, spec.type)
                values[name] = value if spec.mask is None else value & spec.mask
        facts |= {"variables": dict(integration.variables), "values": values}
        facts["skipped"] = dict(skipped)
    if "scenario" in subjects:
        document = integration.scenarios.get(game.scenario_name)
        facts["scenario"] = {} if document is None else copy.deepcopy(dict(document.value))
        names = tuple(integration.scenarios)
        facts |= {"scenario_name": game.scenario_name, "scenario_names": names}
        facts["actions"] = game.actions
    if "scripts" in subjects:
        facts["scripts"] = dict(integration.scripts)
    if "states" in subjects:
        facts |= {"states": tuple(integration.states), "default_state": game.state_name}
    if "expectations" in subjects:
        facts["expectations"] = integration.expectations.entries
    return facts


def state_label(name: str) -> str:
    return "power-on" if name == POWER_ON else name
