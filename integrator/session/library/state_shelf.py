"""Start states and slots as files: the facts of each, and the folder of slots."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from integrator import paths
from integrator.domain.errors import DocumentError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import read_file
from integrator.domain.integration.directory import Integration
from integrator.domain.integration.states import MAX_STATE_FILE_BYTES, STATE_SUFFIX, pack_state
from integrator.session.session import Session


@dataclass(frozen=True, slots=True)
class StateInfo:
    """One start state. ``stamp``: the core that saved it, None when the file does not say.

    ``default_for``: how many players begin here unless another state is asked for.
    ``version`` changes with the file.
    """

    name: str
    path: Path
    stamp: str | None
    size_bytes: int
    version: int
    default_for: tuple[int, ...]


def survey_states(integration: Integration) -> tuple[StateInfo, ...]:
    """The facts of each start state, by name; files that vanish meanwhile are left out."""
    defaults = _defaults(integration)
    found = []
    for name in integration.states:
        try:
            facts = integration.state_facts(name)
        except DocumentError:
            continue
        players = tuple(count for count, state in defaults.items() if state == name)
        path = integration.state_path(name)
        found.append(StateInfo(name, path, facts.stamp, facts.size_bytes, facts.version, players))
    return tuple(found)


def slot_path(game: str, slot: int) -> Path:
    """The file of a slot: beside the user's other data, since training knows no slots."""
    return paths.user_data_dir() / "slots" / game / f"F{slot}{STATE_SUFFIX}"


def slot_bytes(game: str, slot: int) -> bytes:
    """The bytes of a slot's file. Raises OSError."""
    return read_file(slot_path(game, slot), MAX_STATE_FILE_BYTES)


def save_slot(session: Session, slot: int) -> bytes:
    """Keep this moment in a slot; returns the file's bytes. Raises StateError, SaveError."""
    path = slot_path(session.integration.name, slot)
    data = pack_state(session.save_state(), session.game.core_stamp)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, data)
    return data


def _defaults(integration: Integration) -> dict[int, str | None]:
    """The default state by how many play: only where metadata says something of its own."""
    metadata = integration.metadata
    listed = metadata.value.get("default_player_state")
    counts = range(1, 1 + max(1, len(listed) if isinstance(listed, list) else 1))
    return {count: metadata.default_state(count) for count in counts}
