"""Frozen copies of a session's documents and facts, made on the runner's thread for views."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from integrator.domain.files.undo import Step
from integrator.domain.integration.layout import is_integration
from integrator.domain.scenario.actions import ActionSet
from integrator.domain.values.memory import AddressSpace
from integrator.domain.values.variables import VariableSpec
from integrator.session.frame.result import FrameResult
from integrator.session.session import Session
from integrator.session.setup.start_states import POWER_ON
from libretro_host.remote import RemoteHost


@dataclass(frozen=True, slots=True)
class Documents:
    """What the integration says now.

    ``skipped`` are variables that can not be read, with the reason; ``values`` those of the others.
    ``undo_steps`` and ``redo_steps`` are the edits that can be taken back and done again, the next
    one last: the names of the files that each changed.
    """

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
    modified: bool

    @classmethod
    def of(cls, session: Session) -> Documents:
        """Copy a session's documents. Call it on the thread that owns the session."""
        integration = session.integration
        name = session.game.scenario_name
        document = integration.scenarios.get(name)
        return cls(
            variables=dict(integration.variables),
            values=_read_values(session),
            skipped=dict(session.game.skipped_variables),
            scenario=copy.deepcopy(dict(document.value)) if document is not None else {},
            scenario_name=name,
            scenario_names=tuple(integration.scenarios),
            scripts=dict(integration.scripts),
            actions=session.game.actions,
            undo_steps=_files(integration.history.done),
            redo_steps=_files(integration.history.undone),
            states=tuple(integration.states),
            default_state=session.game.state_name,
            modified=integration.modified,
        )


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """What does not change while a game is open, and the documents as they were opened.

    ``resumed`` is the frame that recovered play goes on from.
    """

    opened_from: Path
    name: str
    directory: Path
    rom: Path
    is_integration: bool
    first_address: int
    system: str
    core: str
    keys: tuple[str | None, ...]
    buttons: tuple[str | None, ...]
    types: tuple[str, ...]
    floats: bool
    fps: float
    sample_rate: float
    aspect_ratio: float
    players: int
    ram_bytes: int
    whole_ram_bytes: int
    space: AddressSpace
    documents: Documents
    resumed: FrameResult | None = None

    @property
    def sees_all_memory(self) -> bool:
        """Whether the user chose no part of memory."""
        return self.ram_bytes == self.whole_ram_bytes

    @classmethod
    def of(cls, session: Session, path: Path) -> GameSnapshot:
        """Copy the facts of the session that ``path`` opened, on the thread that owns it."""
        system, core = session.system, session.game.core
        return cls(
            opened_from=path,
            name=session.integration.name,
            directory=session.integration.directory,
            rom=session.integration.rom or path,
            is_integration=is_integration(session.integration.directory),
            first_address=core.regions[0].address if core.regions else 0,
            system=system.name,
            core=session.game.core_path.stem.removesuffix("_libretro"),
            keys=tuple(system.keys),
            buttons=tuple(system.buttons),
            types=tuple(system.types),
            floats=system.floats,
            fps=session.game.fps,
            sample_rate=core.av.sample_rate,
            aspect_ratio=max(0.0, core.av.aspect_ratio),
            players=session.game.players,
            ram_bytes=core.ram_bytes,
            whole_ram_bytes=core.whole_ram_bytes,
            space=session.memory.space,
            documents=Documents.of(session),
            resumed=session.last,
        )


def _files(steps: tuple[Step, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(change.file for change in step) for step in steps)


def _read_values(session: Session) -> dict[str, int]:
    skipped = session.game.skipped_variables
    values = {}
    for name, spec in session.integration.variables.items():
        if name not in skipped:
            value = session.memory.read(spec.address, spec.type)
            values[name] = value if spec.mask is None else value & spec.mask
    return values


def state_label(name: str) -> str:
    """A state's name as the window shows it."""
    return "power-on" if name == POWER_ON else name


def core_memory_bytes(session: Session) -> int | None:
    """Resident memory of the core's process; None when the core has no process of its own."""
    host = session.host
    return host.memory_bytes() if isinstance(host, RemoteHost) else None
