"""An agent, as the episodes know it, and the simple ones: nothing, random buttons, one held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from integrator.domain.scenario.actions import MENU_BUTTONS

if TYPE_CHECKING:  # the window lists agents, and starts sooner without Gymnasium
    from integrator.env.game_env import GameEnv


class Agent(Protocol):
    """Plays one environment, made with the actions ``filtered``.

    A new action is asked for at each step of some frames, over which it is repeated.
    """

    def begin(self, random: np.random.Generator) -> None:
        """An episode begins; ``random`` is its own, so that each episode can be played alone."""
        ...

    def act(self, observation: NDArray[np.uint8]) -> Any:
        """The action of the next step, one of ``env.action_space``."""
        ...

    def see(self, reward: float, *, ended: bool) -> None:
        """Hear the sum of the rewards of the step, and whether the episode ended with it."""
        ...


def pressed(env: GameEnv, names: Sequence[str]) -> NDArray[np.int8]:
    """The action that presses buttons of player 1 by their names; unknown ones are left out."""
    action = np.zeros(env.action_space.shape or (0,), np.int8)
    for name in names:
        if name in env.buttons:
            action[env.buttons.index(name)] = 1
    return action


def play_buttons(env: GameEnv) -> list[str]:
    """The buttons that play, without those of menus."""
    return [name for name in env.buttons if name and name not in MENU_BUTTONS]


class Constant:
    """Holds the same buttons all the time."""

    def __init__(self, env: GameEnv, names: Sequence[str]) -> None:
        self._action = pressed(env, names)

    def begin(self, random: np.random.Generator) -> None:
        """Nothing to do."""

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - it does not look
        """The buttons."""
        return self._action

    def see(self, reward: float, *, ended: bool) -> None:
        """Learn nothing, because no reward changes the next action."""


class RandomButtons:
    """Presses each button by chance at every step, as Gymnasium's samples do, menus left alone."""

    def __init__(self, env: GameEnv) -> None:
        self._buttons = pressed(env, play_buttons(env)).astype(np.bool_)
        self._random = np.random.default_rng(0)

    def begin(self, random: np.random.Generator) -> None:
        """Take the episode's own random numbers."""
        self._random = random

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - it does not look
        """Each button with an even chance."""
        chosen = self._random.integers(0, 2, self._buttons.size, np.int8)
        return np.where(self._buttons, chosen, 0).astype(np.int8)

    def see(self, reward: float, *, ended: bool) -> None:
        """Learn nothing, because no reward changes the next action."""
