"""The table of agents by name, and others' agents by ``module:factory`` or entry point."""

import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final

from integrator.agents.agent import Agent, Brute, Constant, Jerk, RandomButtons
from integrator.domain.errors import ChoiceError, SessionError
from integrator.domain.words import tr

if TYPE_CHECKING:  # the window lists agents, and starts sooner without Gymnasium
    from integrator.env.game_env import GameEnv

ENTRY_POINTS: Final = "integrator.agents"
HELD: Final = "held:"


@dataclass(frozen=True, slots=True)
class AgentKind:
    """A kind of agent. If it ``learns``, it plays all episodes in order, in one process. If it is
    ``unlimited``, the core's limits of memory and files do not apply to its process."""

    name: str
    text: str
    make: "Callable[[GameEnv, int], Agent]"
    learns: bool = False
    unlimited: bool = False

    @property
    def code(self) -> tuple[Path, ...]:
        """The agent's source files: of the module in its name, and of its factory's module."""
        make = self.make.func if isinstance(self.make, partial) else self.make
        names = dict.fromkeys((self.name.rpartition(":")[0], make.__module__))
        files = [getattr(sys.modules.get(name), "__file__", None) for name in names]
        return tuple(Path(file) for file in files if file)


def _ppo(env: "GameEnv", _: int) -> Agent:
    try:
        # The module loads torch, which takes seconds.
        from integrator.agents.ppo import Ppo  # noqa: PLC0415
    except ImportError as error:
        raise SessionError(
            f'ppo: {error}; install Stable-Baselines3: pip install "retro-integrator[train]"'
        ) from error
    return Ppo(env)


AGENTS: Final[tuple[AgentKind, ...]] = (
    AgentKind("no-op", tr("presses nothing"), lambda env, _: Constant(env, ())),
    AgentKind("random", tr("each button by chance at every step"), RandomButtons),
    AgentKind("jerk", tr("right with jumps; repeats its best episode"), Jerk, learns=True),
    AgentKind("brute", tr("follows the best action sequence"), Brute, learns=True),
    AgentKind("ppo", tr("learns from pictures; needs the extra train"), _ppo, learns=True),
)


def find_agent(name: str) -> AgentKind:
    """Return the agent of a name, entry point or ``module:factory``. Raises SessionError."""
    for kind in AGENTS:
        if kind.name == name:
            return kind
    if name.startswith(HELD):
        buttons = name.removeprefix(HELD).split("+")
        return AgentKind(name, f"holds {' and '.join(buttons)}", partial(_held, name))
    for entry in entry_points(group=ENTRY_POINTS):
        if entry.name == name:
            return AgentKind(name, entry.value, entry.load(), learns=True, unlimited=True)
    if ":" in name:
        module, _, factory = name.partition(":")
        try:
            found = getattr(importlib.import_module(module), factory)
        except (ImportError, AttributeError) as error:
            cure = "is the module installed? PYTHONPATH=. finds one in this folder"
            raise SessionError(f"{name}: {error}; {cure}") from error
        return AgentKind(name, name, found, learns=True, unlimited=True)
    known = ", ".join(kind.name for kind in AGENTS)
    raise ChoiceError(f"no agent {name!r}; use one of {known}, held:BUTTON or module:factory")


def require_buttons(agent: str, buttons: Sequence[str | None]) -> None:
    """Raise SessionError for an agent that holds a button which the console does not have."""
    if not agent.startswith(HELD):
        return
    for button in agent.removeprefix(HELD).split("+"):
        if button not in buttons:
            known = ", ".join(filter(None, buttons))
            raise SessionError(f"{HELD}{button}: the console has no such button, but {known}")


def _held(name: str, env: "GameEnv", _: int) -> Agent:
    require_buttons(name, env.buttons)
    return Constant(env, name.removeprefix(HELD).split("+"))
