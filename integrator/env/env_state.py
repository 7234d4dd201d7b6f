"""EnvState: a moment of a running environment as a value."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from integrator.env.emulator import EmulatorState, Masks


@dataclass(frozen=True, slots=True)
class EnvState:
    """A moment of an environment, for :meth:`GameEnv.restore_state`.

    Equal for equal moments, picklable, and good in other processes and after ``close``. ``made_of``
    names what must be equal there: game, core, scenario, players, and options. ``random`` is the
    state of the numbers that draw starts. The fields behind it are of an :class:`AgentEnv`: its
    steps, sticky buttons, their random numbers, and the pictures that the next stack repeats.
    """

    made_of: tuple[str, ...]
    emulator: EmulatorState
    rewards: tuple[float, ...]
    random: tuple[int, ...] = ()
    steps: int = 0
    held: Masks | None = None
    sticky_random: tuple[int, ...] = ()
    kept: bytes = b""


def random_state(random: np.random.Generator) -> tuple[int, ...]:
    state: dict[str, Any] = dict(random.bit_generator.state)
    numbers = state["state"]
    return numbers["state"], numbers["inc"], state["has_uint32"], state["uinteger"]


def put_random_state(random: np.random.Generator, numbers: tuple[int, ...]) -> None:
    """Draw from now on what a generator in that state would draw."""
    state, increment, has_uint32, uinteger = numbers
    random.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": increment},
        "has_uint32": has_uint32,
        "uinteger": uinteger,
    }
