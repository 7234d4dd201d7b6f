"""Tries the states of a game, and finds cores of this computer on which they are exact."""

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from integrator.domain.errors import IntegratorError, TimelineError
from integrator.session.opening import cores_besides, plan_session
from integrator.session.session import Session
from integrator.session.timeline.restorer import Exactness
from libretro_host.processes.temporary import OwnedFolder

_PLAYED_FRAMES = 480
_HELD_FRAMES = 10
_APART_FRAMES = 60


@dataclass(frozen=True, slots=True)
class ExactCore:
    """A core whose states went on as it was played; ``difference`` is how it differs in play."""

    path: Path
    name: str
    difference: str


def try_states(session: Session) -> Exactness:
    """Play for some seconds from the start state, go back, and compare."""
    session.reset()
    press_buttons(session)
    for frame in range(session.timeline.length - 1, _APART_FRAMES, -2 * _APART_FRAMES):
        with suppress(TimelineError):
            session.timeline.seek(frame)
    return session.timeline.exactness


def exact_cores(
    path: Path, system: str, players: int, used: Path, stopped: Callable[[], bool] = lambda: False
) -> list[ExactCore]:
    """The other cores of this computer on which the states of a game are exact.

    ``used`` is the core that the game runs on. Each is tried in a process of its own, which takes
    some seconds. A core that does not run the game is left out.
    """
    others = cores_besides(system, used)
    if not others:
        return []
    found = []
    with OwnedFolder() as folder, _opened(path, system, players, used, folder) as here:
        here.reset()
        press_buttons(here)
        for other in others:
            if stopped():
                break
            with suppress(IntegratorError), _opened(path, system, players, other, folder) as there:
                if try_states(there).is_exact:
                    name, apart = there.game.core_stamp, _difference(here, there)
                    found.append(ExactCore(other, name, apart))
    return found


def _opened(path: Path, system: str, players: int, core: Path, saves: Path) -> Session:
    """The game at power-on, on a core and without a trace. Raises IntegratorError."""
    plan = plan_session(path, system=system, players=players, core=core).hidden()
    own = Path(tempfile.mkdtemp(dir=saves))
    return Session(replace(plan, request=replace(plan.request, save_dir=own)))


def press_buttons(session: Session) -> None:
    """Play on for some seconds with buttons at random, the same ones each time."""
    inputs = np.zeros((_PLAYED_FRAMES, session.game.columns), np.uint16)
    bits = [bit for bit, name in enumerate(session.system.buttons) if name]
    pressed = np.random.default_rng(1).choice(bits, _PLAYED_FRAMES // _HELD_FRAMES)
    inputs[:, 0] = np.repeat(1 << pressed, _HELD_FRAMES)
    inputs[::_HELD_FRAMES, 0] = 0
    for at in range(0, _PLAYED_FRAMES, _APART_FRAMES):
        session.run(inputs[at : at + _APART_FRAMES])


def _difference(here: Session, there: Session) -> str:
    """The difference between two cores that played the same inputs."""
    if here.memory.space.regions != there.memory.space.regions:
        return "it shows other memory"
    frames = range(1, min(here.timeline.length, there.timeline.length) + 1)
    ram = [n for n in frames if not np.array_equal(here.timeline.ram(n), there.timeline.ram(n))]
    hashes = [each.timeline.log.hashes(1, len(frames) + 1) for each in (here, there)]
    pictures = np.flatnonzero(hashes[0] != hashes[1]) + 1
    parts = [
        f"{what} from frame {differing[0]} on"
        for what, differing in (("memory differs", ram), ("pictures differ", pictures.tolist()))
        if differing
    ]
    played = f"with the same buttons for {len(frames)} frames "
    return played + (" and ".join(parts) or "memory and pictures are the same")
