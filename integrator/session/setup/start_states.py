"""Start states as a session meets them: which file a name means, and which core it was saved by."""

from __future__ import annotations

from pathlib import Path

from integrator.domain.errors import DocumentError
from integrator.domain.files.reading import read_file
from integrator.domain.integration.directory import Integration
from integrator.domain.integration.states import (
    MAX_STATE_FILE_BYTES,
    STATE_SUFFIX,
    state_stamp,
    unpack_state,
)
from integrator.session.frame.result import StateWarning
from libretro_host.errors import StateError
from libretro_host.host import CoreHost

POWER_ON = "<power-on>"
"""State name that means: no start state; the console as stable-retro's ``State.NONE`` has it."""


def read_start_state(
    integration: Integration, name: str, stamp: str, *, anywhere: bool = True
) -> tuple[bytes, StateWarning | None]:
    """The raw state of ``name``, and a warning when another core than ``stamp`` made it.

    ``name`` is a state of the integration, or ``anywhere`` the path of a ``.state`` file: a state
    that metadata names lies in the integration. Raises DocumentError.
    """
    if anywhere and name.endswith(STATE_SUFFIX):
        path = Path(name)
        data = read_state_file(path)
    else:
        path, data = integration.state_path(name), integration.state_data(name)
    raw, made_by = unpack_state(data, path), state_stamp(data)
    if made_by is None or made_by == stamp:
        return raw, None
    text = f"{path}: saved by {made_by}, but this is {stamp}; if it misbehaves, save it again"
    return raw, StateWarning(text, path=path)


def read_state_file(path: Path) -> bytes:
    """The bytes of a ``.state`` file anywhere. Raises DocumentError."""
    try:
        return read_file(path, MAX_STATE_FILE_BYTES)
    except OSError as error:
        raise DocumentError(f"{path}: not readable ({error.strerror}); check the path") from error


def read_raw_state(path: Path) -> bytes:
    """The raw state in a ``.state`` file anywhere. Raises DocumentError."""
    return unpack_state(read_state_file(path), path)


def file_stem(state: str) -> str:
    """A state's name as it goes into a movie's file name."""
    return "power-on" if state == POWER_ON else Path(state).name.removesuffix(".state")


def restore(host: CoreHost, state: bytes, origin: str) -> None:
    """``host.unserialize``, with ``origin`` (a file or movie) and the cure in the error."""
    try:
        host.unserialize(state)
    except StateError as error:
        core = f"{host.info.library_name} {host.info.library_version}"
        raise StateError(
            f"{origin}: {core} does not take this state ({error}); it was saved by another core or "
            "version: save the state anew with this one"
        ) from error
