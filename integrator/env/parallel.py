"""ParallelGames: the players of a game as agents of PettingZoo's Parallel API."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import ParallelEnv

from integrator.domain.errors import SessionError
from integrator.env.emulator import EnvState
from integrator.env.game_env import GameEnv
from integrator.env.observations import ActionCoder, Observation, mapped

Ends = dict[str, bool]
StepResult = tuple[dict[str, Observation], dict[str, float], Ends, Ends, dict[str, dict[str, Any]]]


class ParallelGames(ParallelEnv, EzPickle):  # type: ignore[misc] # PettingZoo ships no types
    """A game whose players ``player_1``, ``player_2``, ... are agents.

    Make it with :func:`integrator.make_parallel_env`. All agents see the same observation, and an
    episode ends for all at once. Each agent gets the scenario's reward of its player. A
    copy or pickle has the same options and no episode, as vectors of SuperSuit need."""

    def __init__(
        self, directory: str | Path, players: int, *, actions: str = "filtered", **options: Any
    ) -> None:
        EzPickle.__init__(self, directory, players, actions=actions, **options)
        self._env = GameEnv(directory, players=players, actions=actions, **options)
        self._coder = ActionCoder(self._env.emulator.actions, actions, 1)
        self.metadata = {**self._env.metadata, "name": self._env.emulator.plan.integration.name}
        self.render_mode = self._env.render_mode
        self.possible_agents = [f"player_{number}" for number in range(1, players + 1)]
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, the same object in each call."""
        self._check(agent)
        return self._env.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        self._check(agent)
        return self._coder.space

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin an episode with all players; see :meth:`GameEnv.reset`."""
        observation, _ = self._env.reset(seed=seed, options=options)
        self.agents = self.possible_agents[:]
        seen = {agent: mapped(np.copy, observation) for agent in self.agents}
        return seen, {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, Any]) -> StepResult:
        """Run a frame with an action of each agent. Raises SessionError if one is missing."""
        if not self.agents:
            raise SessionError("no episode is played; call reset() before step()")
        if missing := [agent for agent in self.agents if agent not in actions]:
            raise SessionError(f"there is no action of {', '.join(missing)}")
        masks = tuple(self._coder.masks(actions[agent])[0] for agent in self.agents)
        observation, _, done, cut, info = self._env.press(masks)
        agents = self.agents
        if done:
            self.agents = []
        return (
            {agent: mapped(np.copy, observation) for agent in agents},
            dict(zip(agents, self._env.rewards, strict=True)),
            dict.fromkeys(agents, done),
            dict.fromkeys(agents, cut),
            {agent: dict(info) for agent in agents},
        )

    def clone_state(self) -> EnvState:
        return self._env.clone_state()

    def restore_state(self, state: EnvState) -> None:
        """Do as :meth:`GameEnv.restore_state`; all players take part in the episode again."""
        self._env.restore_state(state)
        self.agents = self.possible_agents[:]

    def render(self) -> Any:
        return self._env.render()

    def close(self) -> None:
        self._env.close()

    def _check(self, agent: str) -> None:
        if agent not in self.possible_agents:
            raise SessionError(f"no agent {agent!r}; use {', '.join(self.possible_agents)}")
