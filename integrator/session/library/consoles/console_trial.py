"""Tries a console's descriptor on a game: its picture, memory, states, and each button."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from integrator.session.setup.content import prepare_content
from integrator.session.setup.plan import NO_STATES, POWER_ON_FRAMES
from libretro_host.errors import CoreCrashed, CoreHung, HostError, StateError
from libretro_host.frame import CoreInfo, Frame
from libretro_host.host import CapturePlan, CoreHost, CoreOption
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.systems.descriptor import SystemDescriptor

NO_MEMORY: Final = "the core shows no memory: games can be played, but no variable can be found"

_STATE_FRAMES: Final = 60
_IDLE_FRAMES: Final = 180
_PICTURE_FRAMES: Final = 30
_HELD_FRAMES: Final = 12
_MOMENTS: Final = 3
"""Moments at which buttons are tried: after idle frames, and after presses of START, because most
title screens heed only START."""
_START: Final = 1 << 3


@dataclass(frozen=True, slots=True)
class ConsoleTrial:
    """The facts of a game that ran on a console.

    ``frame`` is its last picture. ``changed_bytes`` of the memory changed while no button was held.
    ``state_remark`` is a sentence about states that do not work, or empty. ``answered`` has for
    each libretro button whether holding it made a difference; None: it could not be told.
    """

    info: CoreInfo
    frame: Frame | None
    changed_bytes: int
    state_remark: str
    answered: tuple[bool | None, ...]
    options: tuple[CoreOption, ...]


def try_console(
    console: SystemDescriptor,
    core: Path,
    game: Path,
    *,
    system_dir: Path,
    cache: Path,
    new_host: Callable[[], CoreHost],
    draw: Callable[[Frame], None] = lambda _frame: None,
) -> ConsoleTrial:
    """Run ``game`` on a core of its own as ``console`` says; ``draw`` gets pictures meanwhile.

    Raises SessionError or HostError when the game does not run. An exception of ``draw`` ends the
    trial.
    """
    content = prepare_content(game, {console.name: console}, cache, console)
    with OwnedFolder() as saves:
        host = new_host()
        try:
            name = console.cores[0]
            info = host.load(
                console.load_request(
                    name, core, content.path, system_dir=system_dir, save_dir=saves
                )
            )
            options = host.options()
            host.run(_masks(0, POWER_ON_FRAMES), CapturePlan())
            before = host.read_ram()
            frame = _play(host, (), _IDLE_FRAMES, draw)
            changed = int(np.count_nonzero(before != host.read_ram()))
            remark = state_remark(host)
            answered: tuple[bool | None, ...] = (None,) * len(console.buttons)
            if not remark:
                answered = _answered(host, console.buttons, draw)
            return ConsoleTrial(info, frame, changed, remark, answered, options)
        finally:
            host.close()


def state_remark(host: CoreHost) -> str:
    """Words about states that do not work; empty when play goes on alike after two loads."""
    lack = f"so {NO_STATES}"
    try:
        state = host.serialize()
        rams = []
        for load in (False, True, True):
            if load:
                host.unserialize(state)
            host.run(_masks(0, _STATE_FRAMES), CapturePlan(picture=False))
            rams.append(host.read_ram())
    except (CoreCrashed, CoreHung) as error:
        return f"{error.fact}, {lack}"
    except StateError as error:
        return f"{str(error).partition('; ')[0]}, {lack}"
    except HostError as error:
        return str(error)
    if all(np.array_equal(rams[0], ram) for ram in rams):
        return ""
    return "RAM differs after a state was loaded, so going back may replay from further back"


def _answered(
    host: CoreHost, buttons: Sequence[str | None], draw: Callable[[Frame], None]
) -> tuple[bool | None, ...]:
    """For each button, True when holding it makes RAM or picture come out otherwise."""
    answered = [False if name else None for name in buttons]
    for state in _moments(host, draw):
        idle = _fingerprint(host, state, 0)
        if idle != _fingerprint(host, state, 0):
            continue
        for button, seen in enumerate(answered):
            if seen is False:
                answered[button] = _fingerprint(host, state, 1 << button) != idle
    return tuple(answered)


def _moments(host: CoreHost, draw: Callable[[Frame], None]) -> Iterator[bytes]:
    state = host.serialize()
    yield state
    for _ in range(_MOMENTS - 1):
        host.unserialize(state)
        _play(host, (_START,) * _HELD_FRAMES, _IDLE_FRAMES, draw)
        state = host.serialize()
        yield state


def _fingerprint(host: CoreHost, state: bytes, mask: int) -> bytes:
    host.unserialize(state)
    result = host.run(_masks(mask, _HELD_FRAMES), CapturePlan())
    digest = hashlib.sha1(host.read_ram().tobytes(), usedforsecurity=False)
    if result.frame is not None:
        digest.update(result.frame.rgb().tobytes())
    return digest.digest()


def _play(
    host: CoreHost, masks: Sequence[int], idle: int, draw: Callable[[Frame], None]
) -> Frame | None:
    """Run some masks and idle frames; the last picture."""
    rows = _masks(0, len(masks) + idle)
    rows[: len(masks), 0] = masks
    frame = None
    for at in range(0, len(rows), _PICTURE_FRAMES):
        frame = host.run(rows[at : at + _PICTURE_FRAMES], CapturePlan()).frame
        if frame is not None:
            draw(frame)
    return frame


def _masks(mask: int, frames: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint16]]:
    rows = np.zeros((frames, 2), np.uint16)
    rows[:, 0] = mask
    return rows
