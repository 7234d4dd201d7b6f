"""AgentEnv: a game as agents are usually trained on it, with several frames a step."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.scenario.tree import Crop
from integrator.env.emulator import Masks
from integrator.env.env_state import EnvState, put_random_state, random_state
from integrator.env.game_env import GameEnv, seed_of
from integrator.env.preprocessing import Observer, Preprocessing, Stickiness

Pixels = NDArray[np.uint8]
Told = tuple[float, bool, bool, dict[str, Any]]
"""Reward, terminated, truncated and info of a step."""


class AgentEnv(GameEnv):
    """A :class:`GameEnv` with the options of :class:`~.preprocessing.Preprocessing`.

    ``begin`` and ``play`` are `reset` and `step` into a buffer of the caller's, uint8 of the
    observation's shape. The seed of `reset` is that of the sticky buttons.
    """

    def __init__(self, directory: str | Path, preprocessing: Preprocessing, **options: Any) -> None:
        self._options = preprocessing
        crop = preprocessing.crop
        super().__init__(directory, **options, crop=crop and Crop(*crop))
        if self._sees_ram and preprocessing != Preprocessing(
            preprocessing.frame_skip, preprocessing.sticky, preprocessing.max_steps
        ):
            self.close()
            raise SessionError("an agent that observes RAM has no pictures to change")
        self._sticky = Stickiness(preprocessing.sticky)
        self._observer = Observer(preprocessing, self.emulator.shape)
        if not self._sees_ram:
            self.observation_space = spaces.Box(0, 255, self._observer.shape, np.uint8)
        self._direct = not self._sees_ram and self._observer.takes_pictures_as_they_are
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Pixels, dict[str, Any]]:
        """As :meth:`GameEnv.reset`."""
        into = self._empty()
        return into, self.begin(into, seed=seed, options=options)

    def step(self, action: Any) -> tuple[Pixels, float, bool, bool, dict[str, Any]]:
        """As :meth:`GameEnv.step`, for the frames of one step; ``truncated`` at the last step."""
        into = self._empty()
        return into, *self.play(action, into)

    def begin(
        self, into: Pixels, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Begin an episode, and return its info."""
        with self._guard:
            picture, info = super().reset(seed=seed, options=options)
            self._guard.begin()
            if seed is not None:
                self._sticky.seed(seed_of(seed) or 0)
            self._sticky.begin()
            self._steps = 0
            if self._sees_ram or self._direct:
                into[...] = picture
            else:
                self._observer.observe(picture, picture, into, first=True)
            self._guard.end()
        return info

    def play(self, action: Any, into: Pixels) -> Told:
        """Run one step. Raises SessionError before the first episode."""
        masks = self._coder.masks(action)
        with self._guard:
            self._guard.step()
            told = self._run(masks, into)
            self._guard.end()
        return told

    @cached_property
    def _made_of(self) -> tuple[str, ...]:
        return *super()._made_of, str(self._options)

    def _cloned(self) -> EnvState:
        return replace(
            super()._cloned(),
            steps=self._steps,
            held=self._sticky.held_before,
            random=random_state(self._sticky.random),
            kept=self._observer.kept.tobytes(),
        )

    def _put_back(self, state: EnvState) -> None:
        super()._put_back(state)
        self._steps = state.steps
        self._sticky.held_before = state.held
        put_random_state(self._sticky.random, state.random)
        kept = self._observer.kept
        kept[...] = np.frombuffer(state.kept, np.uint8).reshape(kept.shape)

    def _run(self, masks: Masks, into: Pixels) -> Told:
        total, done = 0.0, False
        picture = self._picture
        assert picture is not None  # noqa: S101 - for the type checker: an episode has begun
        older = picture
        info: dict[str, Any] = {}
        last = self._options.frame_skip - 1
        for frame in range(self._options.frame_skip):
            held = self._sticky.held(masks, frame)
            buffer = into if self._direct and frame == last else None
            older, picture = picture, self.emulator.run(held, buffer)
            scored = self.emulator.score()
            if self._recording:
                # After the frame, because its hash is of the RAM that the frame leaves.
                self._recording.add(held)
            total += scored.rewards[0]
            info, done = dict(scored.values), scored.done
            if done:
                break
        self._picture, self.rewards = picture, scored.rewards
        self._show(picture, older, into)
        self._steps += 1
        return total, done, self._steps == self._options.max_steps and not done, info

    def _show(self, picture: Pixels, older: Pixels, into: Pixels) -> None:
        if self._sees_ram:
            into[...] = self.emulator.ram()
        elif not self._direct:
            self._observer.observe(picture, older, into, first=False)
        elif picture is not into:
            into[...] = picture

    def _empty(self) -> Pixels:
        return np.empty(self.observation_space.shape or (), np.uint8)
