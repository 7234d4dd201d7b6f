"""The Brute: a tree over the action sequences of a deterministic game.

Machado et al. 2017, arXiv 1709.06009.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.agents.agent import pressed

if TYPE_CHECKING:  # the window lists agents, and starts sooner without Gymnasium
    from integrator.env.game_env import GameEnv

_CHANCE: Final = 0.005


@dataclass(slots=True)
class _Node:
    """A moment: the best total seen through it, visits, and what each action led to."""

    best: float = -math.inf
    visits: int = 0
    children: dict[int, _Node] = field(default_factory=dict)


class Brute:
    """Follows the actions that led to the highest total, and now and then tries another."""

    def __init__(self, env: GameEnv) -> None:
        actions = env.emulator.actions
        self._actions = [
            pressed(env, actions.names(actions.discrete_masks(index, 1)[0]))
            for index in range(actions.discrete_size)
        ]
        self._root = _Node()
        self._in_tree = True
        self.begin(np.random.default_rng(0))

    def begin(self, random: np.random.Generator) -> None:
        """Stand at the root."""
        self._random = random
        self._path = [self._root]
        self._in_tree = True
        self._total = 0.0

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - it does not look
        """The best known action, or a random one."""
        node = self._path[-1]
        index = self._choose(node)
        self._in_tree = index in node.children
        self._path.append(node.children.setdefault(index, _Node()))
        return self._actions[index]

    def _choose(self, node: _Node) -> int:
        known = node.children
        explores = self._random.random() < _CHANCE / math.log(node.visits + 2)
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
