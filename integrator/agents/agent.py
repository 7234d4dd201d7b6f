"""The agent interface, and simple agents: no-op, random, held buttons, the Brute and JERK."""

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
    """Plays an environment with ``filtered`` actions; each action is held for some frames."""

    def begin(self, random: np.random.Generator) -> None:
        """Begin an episode with its own random numbers, so that it can be played on its own."""

    def act(self, observation: NDArray[np.uint8]) -> Any:
        """Return the action of the next step, an element of ``env.action_space``."""

    def see(self, reward: float, *, ended: bool) -> None:
        """Receive the sum of the step's rewards; ``ended`` is true if the episode ended."""


def pressed(env: "GameEnv", names: Sequence[str]) -> NDArray[np.int8]:
    """Return the action that presses named buttons of player 1, without unknown names."""
    action = np.zeros(env.action_space.shape or (0,), np.int8)
    for name in names:
        if name in env.buttons:
            action[env.buttons.index(name)] = 1
    return action


def play_buttons(env: "GameEnv") -> list[str]:
    """Return the names of all buttons except menu buttons."""
    return [name for name in env.buttons if name and name not in MENU_BUTTONS]


class Unlearning:
    """The base of agents that do not learn."""

    def begin(self, random: np.random.Generator) -> None:
        self._random = random

    def see(self, reward: float, *, ended: bool) -> None:
        """Ignore the reward, because it does not change the next action."""


class Constant(Unlearning):
    """Holds the same buttons all the time."""

    def __init__(self, env: "GameEnv", names: Sequence[str]) -> None:
        self._action = pressed(env, names)

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - a blind agent
        return self._action


class RandomButtons(Unlearning):
    """Presses random buttons on each step, as Gymnasium's samples do, except menu buttons."""

    def __init__(self, env: "GameEnv", _: int = 0) -> None:
        self._buttons = pressed(env, play_buttons(env)).astype(np.bool_)
        self.begin(np.random.default_rng(0))

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - a blind agent
        chosen = self._random.integers(0, 2, self._buttons.size, np.int8)
        return np.where(self._buttons, chosen, 0).astype(np.int8)


@dataclass(slots=True)
class _Node:
    """A moment of play: the best total of episodes through it, visits, and the next moments."""

    best: float = -math.inf
    visits: int = 0
    children: "dict[int, _Node]" = field(default_factory=dict)


class Brute:
    """Repeats the actions that led to the highest total, and sometimes tries others."""

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

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - a blind agent
        node = self._path[-1]
        index = self._choose(node)
        self._in_tree = index in node.children
        self._path.append(node.children.setdefault(index, _Node()))
        return self._actions[index]

    def _choose(self, node: _Node) -> int:
        known = node.children
        # The rule of brute.py in OpenAI's retro repository.
        explores = self._random.random() < 0.005 / math.log(node.visits + 2)
        if explores or not known or not self._in_tree:
            return int(self._random.integers(len(self._actions)))
        best = max(child.best for child in known.values())
        tied = [index for index, child in known.items() if child.best == best]
        return int(tied[self._random.integers(len(tied))])

    def see(self, reward: float, *, ended: bool) -> None:
        """At the end of an episode, store its total in each moment that it passed."""
        self._total += reward
        if ended:
            for node in self._path:
                node.best = max(node.best, self._total)
                node.visits += 1


_FORWARD_STEPS: Final = 100


class Jerk:
    """Goes right with jumps, and repeats its best episode up to the last reward, ever more often.
    The numbers are those of jerk_agent.py in OpenAI's retro-baselines."""

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

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - a blind agent
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
        """At the end, keep the actions up to the last reward, if the total is a new best."""
        self._total += reward
        self._earned += reward
        if reward > 0:
            self._paid_at = len(self._done)
        if ended:
            self._played += 1
            if self._total > self._best[0]:
                self._best = self._total, self._done[: self._paid_at]
