"""Start states and slots as files: the facts of each, and the folder of slots."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from integrator import paths
from integrator.domain.errors import DocumentError
from integrator.domain.files.atomic import write_atomically
from integrator.domain.files.reading import read_file
from integrator.domain.integration.directory import Integration
from integrator.domain.integration.states import MAX_STATE_FILE_BYTES, STATE_SUFFIX, pack_state
from integrator.session.hidden.clips import PictureStore, picture_key
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan


@dataclass(frozen=True, slots=True)
class StateInfo:
    """One start state: ``stamp`` is its core, ``default_for`` the numbers of players."""

    name: str
    path: Path
    stamp: str | None
    size_bytes: int
    version: int
    default_for: tuple[int, ...]


def survey_states(integration: Integration) -> tuple[StateInfo, ...]:
    """The facts of each start state, by name; files that vanish meanwhile are left out."""
    metadata, found = integration.metadata, []
    listed = metadata.value.get("default_player_state")
    counts = range(1, 1 + max(1, len(listed) if isinstance(listed, list) else 1))
    for name in integration.states:
        with suppress(DocumentError):
            facts = integration.state_facts(name)
            players = tuple(count for count in counts if metadata.default_state(count) == name)
            path, stamp = integration.state_path(name), facts.stamp
            found.append(StateInfo(name, path, stamp, facts.size_bytes, facts.version, players))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class StateSurvey:
    """The start states of an open game; ``plan`` opens a hidden core, ``stamp`` names the core."""

    plan: SessionPlan
    infos: tuple[StateInfo, ...]
    stamp: str

    @classmethod
    def of(cls, session: Session) -> "StateSurvey":
        infos = survey_states(session.integration)
        return cls(session.game.plan.hidden(), infos, session.game.core_stamp)


def slot_path(game: str, slot: int) -> Path:
    """The file of a slot: beside the user's other data, since training knows no slots."""
    return paths.user_data_dir() / "slots" / game / f"F{slot}{STATE_SUFFIX}"


def save_slot(session: Session, slot: int, store: PictureStore) -> Path | None:
    """Keep this moment and its picture in a slot. Raises StateError, SaveError."""
    path = slot_path(session.integration.name, slot)
    data = pack_state(session.save_state(), session.game.core_stamp)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, data)
    frame = session.last.frame if session.last is not None else None
    key = picture_key(session.game.plan.request, data)
    return store.keep(key, frame.rgb()) if frame is not None else None


def slot_pictures(
    session: Session, slots: Iterable[int], store: PictureStore
) -> dict[int, Path | None]:
    """The files of the pictures of filled slots. Raises OSError."""
    request, game = session.game.plan.request, session.integration.name
    return {
        slot: store.find(
            picture_key(request, read_file(slot_path(game, slot), MAX_STATE_FILE_BYTES))
        )
        for slot in slots
    }
