"""PPO of Stable-Baselines3, which learns from small gray pictures while it plays."""

from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np
import torch
from numpy.typing import NDArray
from stable_baselines3 import PPO
from stable_baselines3.common.logger import Logger

from integrator.agents.agent import play_buttons, pressed
from integrator.env.agent_env import Observer, Preprocessing

if TYPE_CHECKING:
    from integrator.env.game_env import GameEnv

_WAYS: Final = frozenset({"UP", "DOWN", "LEFT", "RIGHT"})


class _Spaces(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """Tells the library the shapes of observations and actions; it is never stepped."""

    def __init__(self, shape: tuple[int, ...], actions: int) -> None:
        self.observation_space = gymnasium.spaces.Box(0, 255, shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(actions)


class Ppo:
    """Presses nothing, a button, or a direction and a button; scales rewards to mean size 1."""

    def __init__(self, env: "GameEnv") -> None:
        # With several threads, sums, and so the movies of a seed, would depend on the machine.
        torch.set_num_threads(1)
        buttons = play_buttons(env)
        ways = [name for name in buttons if name in _WAYS]
        pairs = [(way, name) for way in ways for name in buttons if name not in _WAYS]
        chosen = [(), *((name,) for name in buttons), *pairs]
        self._actions = [pressed(env, names) for names in chosen]
        sees = Preprocessing(grayscale=True, resize=(84, 84), stack=4)
        self._observer = Observer(sees, env.observation_space.shape or ())
        spaces = _Spaces(self._observer.shape, len(self._actions))
        # The buffers are shorter than usual for Atari games, to learn within some dozen episodes.
        self._model = PPO(
            "CnnPolicy", spaces, seed=0, device="cpu", n_steps=128, batch_size=32, n_epochs=4,
            learning_rate=5e-4, clip_range=0.2, ent_coef=0.01, vf_coef=0.5, gamma=0.99,
        )  # fmt: skip
        self._model.set_logger(Logger(None, []))
        self._pictures = np.zeros((1, *self._observer.shape), np.uint8)
        self._begins = self._is_first = True
        self._step: tuple[Any, ...] = ()
        self._paid, self._payments = 0.0, 0

    def begin(self, random: np.random.Generator) -> None:
        """Begin an episode with its own random numbers and a new stack of pictures."""
        self._model.set_random_seed(int(random.integers(1 << 31)))
        self._is_first = True

    def act(self, observation: NDArray[np.uint8]) -> Any:
        """Learn if the buffer is full, and then choose an action by the newest four pictures."""
        model = self._model
        self._observer.observe(observation, None, self._pictures[0], first=self._is_first)
        self._is_first = False
        with torch.no_grad():
            seen = model.policy.obs_to_tensor(self._pictures)[0]
            action, value, log_chance = model.policy(seen)
        if model.rollout_buffer.full:
            model.rollout_buffer.compute_returns_and_advantage(value, np.array([self._begins]))
            model.train()
            model.rollout_buffer.reset()
        self._step = (self._pictures.copy(), action.numpy(), value, log_chance)
        return self._actions[int(action)]

    def see(self, reward: float, *, ended: bool) -> None:
        if reward:
            self._paid += abs(reward)
            self._payments += 1
        size = self._paid / self._payments if self._payments else 1.0
        pictures, action, value, log_chance = self._step
        begins, rewards = np.array([self._begins]), np.array([reward / size])
        self._model.rollout_buffer.add(
            pictures, action.reshape(1, -1), rewards, begins, value, log_chance
        )
        self._begins = ended
