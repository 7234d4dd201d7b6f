"""AgentEnv: a game as agents are usually trained on it, with several frames a step."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.scenario.tree import Crop
from integrator.env.emulator import EnvState, Masks, put_random_state, random_state
from integrator.env.game_env import GameEnv, seed_of
from integrator.env.observations import Observation, empty
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
        if "image" not in self._kinds and preprocessing != Preprocessing(
            preprocessing.frame_skip, preprocessing.sticky, preprocessing.max_steps
        ):
            self.close()
            raise SessionError("an agent that observes no image has no pictures to change")
        self._sticky = Stickiness(preprocessing.sticky)
        self._observer = Observer(preprocessing, self.emulator.shape)
        self.observation_space = self._space(self._observer.shape)
        self._direct = "image" in self._kinds and self._observer.is_plain
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        into = empty(self.observation_space)
        return into, self.begin(into, seed=seed, options=options)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """As :meth:`GameEnv.step`, for the frames of one step; ``truncated`` at the last step."""
        into = empty(self.observation_space)
        return into, *self.play(action, into)

    def begin(
        self, into: Observation, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        with self._guard:
            _, info = super().reset(seed=seed, options=options)
            self._guard.begin()
            if seed is not None:
                self._sticky.random = np.random.default_rng(seed_of(seed) or 0)
            self._sticky.held_before = None
            self._steps = 0
            self._show(self._picture, None, self.emulator.values(), into)
            self._guard.end()
        return info

    def play(self, action: Any, into: Observation) -> Told:
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
            sticky_random=random_state(self._sticky.random),
            kept=self._observer.kept.tobytes(),
        )

    def _put_back(self, state: EnvState) -> None:
        super()._put_back(state)
        self._steps = state.steps
        self._sticky.held_before = state.held
        put_random_state(self._sticky.random, state.sticky_random)
        kept = self._observer.kept
        kept[...] = np.frombuffer(state.kept, np.uint8).reshape(kept.shape)

    def _run(self, masks: Masks, into: Observation) -> Told:
        total, done = 0.0, False
        picture = self._picture
        assert picture is not None  # noqa: S101 - for the type checker: an episode has begun
        older = picture
        image = self._target("image", into) if self._direct else None
        info: dict[str, Any] = {}
        last = self._options.frame_skip - 1
        for frame in range(self._options.frame_skip):
            held = self._sticky.held(masks, frame)
            buffer = image if frame == last else None
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
        self._show(picture, older, scored.values, into)
        self._steps += 1
        return total, done, self._steps == self._options.max_steps and not done, info

    def _show(
        self,
        picture: Pixels | None,
        older: Pixels | None,
        values: Mapping[str, int],
        into: Observation,
    ) -> None:
        """Write the observation; ``older`` is None in the first one of an episode."""
        assert picture is not None  # noqa: S101 - for the type checker: an episode has begun
        for kind in self._kinds:
            target = self._target(kind, into)
            if kind != "image":
                target[...] = self._part(kind, picture, values)
            elif not self._direct:
                first = older is None
                self._observer.observe(picture, picture if first else older, target, first=first)
            elif picture is not target:
                target[...] = picture

    def _target(self, kind: str, into: Observation) -> NDArray[Any]:
        target: NDArray[Any] = into if self._only is not None else into[kind]
        return target
