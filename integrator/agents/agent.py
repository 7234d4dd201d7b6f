"""The agent interface, and the simple agents: nothing, random, hold, the Brute and JERK."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from integrator.domain.scenario.spec import MENU_BUTTONS

if TYPE_CHECKING:
    from integrator.env.game_env import GameEnv


class Agent(Protocol):
    """Plays one environment with ``filtered`` actions; each action is held for some frames."""

    def begin(self, random: np.random.Generator) -> None:
        """An episode begins; ``random`` is its own, so that each episode can be played alone."""

    def act(self, observation: NDArray[np.uint8]) -> Any:
        """The action of the next step, one of ``env.action_space``."""

    def see(self, reward: float, *, ended: bool) -> None:
        """Hear the sum of the rewards of the step, and whether the episode ended with it."""


def pressed(env: "GameEnv", names: Sequence[str]) -> NDArray[np.int8]:
    """The action that presses buttons of player 1 by their names; unknown ones are left out."""
    action = np.zeros(env.action_space.shape or (0,), np.int8)
    for name in names:
        if name in env.buttons:
            action[env.buttons.index(name)] = 1
    return action


def play_buttons(env: "GameEnv") -> list[str]:
    """The buttons that play, without those of menus."""
    return [name for name in env.buttons if name and name not in MENU_BUTTONS]


class Unlearning:
    """The beginning of an agent whose actions come of nothing that it saw."""

    def begin(self, random: np.random.Generator) -> None:
        self._random = random

    def see(self, reward: float, *, ended: bool) -> None:
        """Learn nothing, because no reward changes the next action."""


class Constant(Unlearning):
    """Holds the same buttons all the time."""

    def __init__(self, env: "GameEnv", names: Sequence[str]) -> None:
        self._action = pressed(env, names)

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - it does not look
        return self._action


class RandomButtons(Unlearning):
    """Presses each button by chance at every step, as Gymnasium's samples do, menus left alone."""

    def __init__(self, env: "GameEnv", _: int = 0) -> None:
        self._buttons = pressed(env, play_buttons(env)).astype(np.bool_)
        self.begin(np.random.default_rng(0))

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - it does not look
        chosen = self._random.integers(0, 2, self._buttons.size, np.int8)
        return np.where(self._buttons, chosen, 0).astype(np.int8)


@dataclass(slots=True)
class _Node:
    """A moment: the best total seen through it, visits, and what each action led to."""

    best: float = -math.inf
    visits: int = 0
    children: "dict[int, _Node]" = field(default_factory=dict)


class Brute:
    """Follows the actions that led to the highest total, and now and then tries another."""

    def __init__(self, env: "GameEnv", _: int = 0) -> None:
        actions = env.emulator.actions
        self._actions = [
            pressed(env, actions.names(actions.discrete_masks(index, 1)[0]))
            for index in range(actions.discrete_size)
        ]
        self._root = _Node()
        self.begin(np.random.default_rng(0))

    def begin(self, random: np.random.Generator) -> None:
        self._random = random
        self._path = [self._root]
        self._in_tree = True
        self._total = 0.0

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - it does not look
        node = self._path[-1]
        index = self._choose(node)
        self._in_tree = index in node.children
        self._path.append(node.children.setdefault(index, _Node()))
        return self._actions[index]

    def _choose(self, node: _Node) -> int:
        known = node.children
        # As brute.py of OpenAI's retro repository.
        explores = self._random.random() < 0.005 / math.log(node.visits + 2)
        if explores or not known or not self._in_tree:
            return int(self._random.integers(len(self._actions)))
        best = max(child.best for child in known.values())
        tied = [index for index, child in known.items() if child.best == best]
        return int(tied[self._random.integers(len(tied))])

    def see(self, reward: float, *, ended: bool) -> None:
        """Write the total of an episode to every moment on its way."""
        self._total += reward
        if ended:
            for node in self._path:
                node.best = max(node.best, self._total)
                node.visits += 1


_FORWARD_STEPS: Final = 100


class Jerk:
    """Repeats the best of ``episodes`` up to its last reward, ever more often.

    The numbers are those of jerk_agent.py in OpenAI's retro-baselines.
    """

    def __init__(self, env: "GameEnv", episodes: int) -> None:
        jump = next((name for name in ("A", "B", "BUTTON", "C") if name in env.buttons), "")
        self._moves = {way: pressed(env, [way]) for way in ("RIGHT", "LEFT")}
        self._jumps = {way: pressed(env, [way, jump]) for way in ("RIGHT", "LEFT")}
        self._episodes, self._played = max(1, episodes), 0
        self._best: tuple[float, list[Any]] = (0.0, [])
        self.begin(np.random.default_rng(0))

    def begin(self, random: np.random.Generator) -> None:
        self._random = random
        best, chance = self._best[1], 0.25 + self._played / self._episodes
        self._script = list(best) if best and random.random() < chance else []
        self._done: list[Any] = []
        self._total, self._paid_at = 0.0, 0
        self._way, self._left, self._earned, self._jumping = "RIGHT", _FORWARD_STEPS, 0.0, 0

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - it does not look
        step = len(self._done)
        action = self._script[step] if step < len(self._script) else self._explore()
        self._done.append(action)
        return action

    def _explore(self) -> Any:
        if not self._left:
            stuck = self._way == "RIGHT" and self._earned <= 0
            self._way, self._left = ("LEFT", 70) if stuck else ("RIGHT", _FORWARD_STEPS)
            self._earned = 0.0
        self._left -= 1
        if not self._jumping and self._random.random() < 0.1:
            self._jumping = 4
        self._jumping = max(0, self._jumping - 1)
        return (self._jumps if self._jumping else self._moves)[self._way]

    def see(self, reward: float, *, ended: bool) -> None:
        """Keep the actions up to the last reward, if they paid more than any before."""
        self._total += reward
        self._earned += reward
        if reward > 0:
            self._paid_at = len(self._done)
        if ended:
            self._played += 1
            if self._total > self._best[0]:
                self._best = self._total, self._done[: self._paid_at]
