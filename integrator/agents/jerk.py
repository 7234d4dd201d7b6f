"""JERK, "just enough retained knowledge": right with jumps, back when stuck, repeat the best.

Nichol et al. 2018, arXiv 1804.03720, the baseline of the Retro Contest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from integrator.agents.agent import pressed

if TYPE_CHECKING:  # the window lists agents, and starts sooner without Gymnasium
    from integrator.env.game_env import GameEnv

_FORWARD_STEPS: Final = 100
_BACK_STEPS: Final = 70
_JUMP_CHANCE: Final = 0.1
_JUMP_STEPS: Final = 4
_REPLAY_CHANCE: Final = 0.25
_JUMP_BUTTONS: Final = ("A", "B", "BUTTON", "C")


class Jerk:
    """Keeps the episode that paid most, up to its last reward, and repeats it ever more often.

    ``episodes`` is the number to be played, over which the chance of repeating rises.
    """

    def __init__(self, env: GameEnv, episodes: int) -> None:
        jump = next((name for name in _JUMP_BUTTONS if name in env.buttons), "")
        self._moves = {way: pressed(env, [way]) for way in ("RIGHT", "LEFT")}
        self._jumps = {way: pressed(env, [way, jump]) for way in ("RIGHT", "LEFT")}
        self._episodes, self._played = max(1, episodes), 0
        self._best: tuple[float, list[Any]] = (0.0, [])
        self._script: list[Any] = []
        self._begin(np.random.default_rng(0))

    def begin(self, random: np.random.Generator) -> None:
        """Decide between the best episode so far and a new way."""
        self._begin(random)
        chance = _REPLAY_CHANCE + self._played / self._episodes
        if self._best[1] and random.random() < chance:
            self._script = list(self._best[1])

    def _begin(self, random: np.random.Generator) -> None:
        self._random = random
        self._script = []
        self._done: list[Any] = []
        self._total, self._paid_at = 0.0, 0
        self._way, self._left, self._earned, self._jumping = "RIGHT", _FORWARD_STEPS, 0.0, 0

    def act(self, observation: NDArray[np.uint8]) -> Any:  # noqa: ARG002 - it does not look
        """The next action of the best episode, then of its own."""
        step = len(self._done)
        action = self._script[step] if step < len(self._script) else self._explore()
        self._done.append(action)
        return action

    def _explore(self) -> Any:
        if not self._left:
            stuck = self._way == "RIGHT" and self._earned <= 0
            self._way, self._left = ("LEFT", _BACK_STEPS) if stuck else ("RIGHT", _FORWARD_STEPS)
            self._earned = 0.0
        self._left -= 1
        if not self._jumping and self._random.random() < _JUMP_CHANCE:
            self._jumping = _JUMP_STEPS
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
