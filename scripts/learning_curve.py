"""The same PPO on stable-retro's environments and on ours: learning curves, and frames a second.

``run DIRECTORY --on here --out FILE`` trains on an integration with its ROM. It writes a line of
JSON for each episode, and one every 1,000 steps with a hash of all observations, actions, rewards
and ends so far; the last line has the network's hash. With one environment both sides get the same
wrappers of Gymnasium, so that every line is the same. Several are stable-baselines3's SubprocVecEnv
and our ``make_vec``, whose pictures are made smaller by other code. ``scripts.learning_plot``
compares and draws the runs. ``speed DIRECTORY`` prints frames a second of the whole training, and
the share of time that environments take, each side's best of several runs in turn."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

try:
    import cv2  # noqa: F401 - Gymnasium's wrapper resizes with it
    import stable_retro
    import torch
    from gymnasium import wrappers
    from stable_baselines3 import PPO
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv, VecEnvWrapper
except ImportError as error:
    needed = "stable-retro stable-baselines3 opencv-python-headless"
    sys.exit(f"learning_curve needs packages ({error}): pip install {needed}")

import integrator

SKIP = 4  # frames a step
SIZE = (42, 42)  # height and width: half of Atari's usual 84, so that one processor keeps up
STACK = 4  # pictures that the network sees at once
MOST_STEPS = 4500  # of an episode: five minutes of the game
ROLLOUT = 1024  # steps of all environments between two updates of the network
HASH_EVERY = 1000  # steps
SIDES = ("here", "stable-retro")
ROUNDS = 3  # trainings of each side, of which the fastest counts
SPEED = "frames a second"


class SmallNetwork(BaseFeaturesExtractor):
    """Two convolutions and a layer: enough for small pictures, and quick on one processor."""

    def __init__(self, space: Any) -> None:
        super().__init__(space, features_dim=128)
        self.layers = torch.nn.Sequential(
            torch.nn.Conv2d(STACK, 16, 8, stride=4),
            torch.nn.ReLU(),
            torch.nn.Conv2d(16, 32, 4, stride=2),
            torch.nn.ReLU(),
            torch.nn.Flatten(),
            torch.nn.Linear(32 * 3 * 3, 128),
            torch.nn.ReLU(),
        )

    def forward(self, pictures: Any) -> Any:
        return self.layers(pictures)


def single(directory: str, side: str) -> Any:
    """One environment with Gymnasium's own wrappers around stable-retro's, or around ours."""
    if side == "here":
        env: Any = integrator.make_env(directory, actions="discrete")
    else:
        places = stable_retro.data.Integrations
        places.add_custom_path(str(Path(directory).parent))
        env = stable_retro.make(
            Path(directory).name,
            inttype=places.CUSTOM_ONLY,
            use_restricted_actions=stable_retro.Actions.DISCRETE,
            render_mode="rgb_array",
        )
    small = wrappers.ResizeObservation(wrappers.MaxAndSkipObservation(env, SKIP), SIZE)
    stacked = wrappers.FrameStackObservation(wrappers.GrayscaleObservation(small), STACK)
    return wrappers.TimeLimit(stacked, MOST_STEPS)


class OurGames(VecEnv):
    """``make_vec`` as stable-baselines3 steps environments."""

    def __init__(self, directory: str, count: int) -> None:
        self.games = integrator.make_vec(
            directory,
            count,
            actions="discrete",
            frame_skip=SKIP,
            maxpool=True,
            grayscale=True,
            resize=SIZE,
            stack=STACK,
            max_steps=MOST_STEPS,
            autoreset="same_step",
        )
        spaces = self.games.single_observation_space, self.games.single_action_space
        super().__init__(count, *spaces)

    def reset(self) -> Any:
        return self.games.reset()[0]

    def step_async(self, actions: Any) -> None:
        self.actions = actions

    def step_wait(self) -> Any:
        observations, rewards, ended, cut, infos = self.games.step(self.actions)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for index in np.flatnonzero(ended | cut):
            told[index] = {
                "terminal_observation": infos["final_obs"][index],
                "TimeLimit.truncated": bool(cut[index]),
            }
        return observations, rewards.astype(np.float32), ended | cut, told

    def close(self) -> None:
        self.games.close()

    def get_attr(self, attr_name: str, *_: Any) -> list[Any]:
        return [getattr(self.games, attr_name)] * self.num_envs

    def set_attr(self, *_: Any) -> None:
        raise NotImplementedError

    def env_method(self, *_: Any, **__: Any) -> list[Any]:
        raise NotImplementedError

    def env_is_wrapped(self, *_: Any) -> list[bool]:
        return [False] * self.num_envs


class Watched(VecEnvWrapper):
    """Writes what an agent sees, does and gets; it learns by the reward's sign alone."""

    def __init__(self, games: VecEnv, out: Any) -> None:
        super().__init__(games)
        self._out, self._hash = out, hashlib.blake2b(digest_size=8)
        self._returns = np.zeros(games.num_envs)
        self._steps = 0
        self.seconds = 0.0

    def reset(self) -> Any:
        observations = self.venv.reset()
        self._hash.update(observations)
        return observations

    def step_async(self, actions: Any) -> None:
        self._hash.update(actions)
        began = time.perf_counter()
        self.venv.step_async(actions)
        self.seconds += time.perf_counter() - began

    def step_wait(self) -> Any:
        began = time.perf_counter()
        observations, rewards, ended, infos = self.venv.step_wait()
        self.seconds += time.perf_counter() - began
        for each in (observations, rewards, ended):
            self._hash.update(each.tobytes())
        self._returns += rewards
        self._steps += self.num_envs
        for index in np.flatnonzero(ended):
            self.write({"return": float(self._returns[index])})
            self._returns[index] = 0
        if self._steps % HASH_EVERY == 0:
            self.write({"hash": self._hash.hexdigest()})
        return observations, np.sign(rewards), ended, infos

    def write(self, facts: dict[str, Any]) -> None:
        self._out.write(json.dumps({"step": self._steps} | facts) + "\n")
        self._out.flush()


def train(directory: str, side: str, count: int, steps: int, seed: int, out: Any) -> dict[str, Any]:
    """Train on one environment or more; gives the network's hash, and frames a second."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(mode=True)
    make = partial(single, directory, side)
    if count == 1:
        games: VecEnv = DummyVecEnv([make])
    else:
        games = OurGames(directory, count) if side == "here" else SubprocVecEnv([make] * count)
    watched = Watched(games, out)
    model = PPO(
        "CnnPolicy",
        watched,
        n_steps=ROLLOUT // count,
        batch_size=256,
        n_epochs=3,
        learning_rate=5e-4,
        ent_coef=0.01,
        clip_range=0.1,
        seed=seed,
        device="cpu",
        policy_kwargs={"features_extractor_class": SmallNetwork},
    )
    began = time.perf_counter()
    model.learn(steps)
    seconds = time.perf_counter() - began
    weights = hashlib.blake2b(digest_size=8)
    for each in model.policy.state_dict().values():
        weights.update(each.numpy())
    done = {
        "weights": weights.hexdigest(),
        SPEED: round(model.num_timesteps * SKIP / seconds),
        "share of the environment": round(watched.seconds / seconds, 3),
    }
    watched.write(done)
    watched.close()
    return done


def measure(directory: str, count: int) -> None:
    """Print the best of several short trainings, which take turns in processes of their own."""
    best: dict[str, dict[str, Any]] = {}
    for _, side in product(range(ROUNDS), SIDES):
        command = [sys.executable, "-W", "ignore", "-m", "scripts.learning_curve", "run", directory]
        command += ["--on", side, "--count", str(count), "--out", os.devnull]
        command += ["--steps", str(10 * ROLLOUT)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        told = json.loads(done.stdout.splitlines()[-1])
        if side not in best or told[SPEED] > best[side][SPEED]:
            best[side] = told
    times = round(best["here"][SPEED] / best["stable-retro"][SPEED], 2)
    row = {"game": Path(directory).name, "environments": count, "times stable-retro": times}
    sys.stdout.write(json.dumps(row | best) + "\n")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="learning_curve", description=__doc__)
    parser.add_argument("command", choices=("run", "speed"))
    parser.add_argument("directory", type=Path)
    parser.add_argument("--on", choices=SIDES, default="here")
    parser.add_argument("--out", type=Path, default=os.devnull)
    parser.add_argument("--count", type=int, default=1, help="environments")
    parser.add_argument("--steps", type=int, default=250_000, help="steps of the agent")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    directory = str(chosen.directory.absolute())
    if chosen.command == "speed":
        measure(directory, chosen.count)
        return
    with Path(chosen.out).open("w") as out:
        done = train(directory, chosen.on, chosen.count, chosen.steps, chosen.seed, out)
    sys.stdout.write(json.dumps(done) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
