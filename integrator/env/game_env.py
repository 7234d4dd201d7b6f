"""GameEnv: one integration as a Gymnasium environment, step by step as stable-retro's RetroEnv."""

import weakref
from collections.abc import Mapping, Sequence
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.scenario.tree import Crop
from integrator.env.actions import ActionCoder
from integrator.env.emulator import Emulator
from integrator.env.env_state import EnvState, put_random_state, random_state
from integrator.env.observations import OBSERVATIONS, Observation, space_of, vector_of
from integrator.env.recording import EpisodeRecording
from integrator.env.starts import Start, Starts
from integrator.env.step_guard import StepGuard
from integrator.session.opening import plan_session
from integrator.session.setup.game import POWER_ON

RENDER_MODES = ("rgb_array",)


def seed_of(seed: Any) -> int | None:
    """A seed as Gymnasium takes it, also of numpy's integers. Raises SessionError."""
    if seed is None:
        return None
    if not isinstance(seed, Integral) or int(seed) < 0:
        raise SessionError(f"seed is {seed!r}; use a whole number from 0 on")
    return int(seed)


class GameEnv(gymnasium.Env[Any, Any]):
    """One game for one agent, in this process. Make it with :func:`integrator.make_env`.

    An observation is an :data:`~.observations.Observation`, the caller's. ``info`` has the
    variables of data.json and those that scripts made, as ints. The
    reward is player 1's; ``rewards`` has all of the last step.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 60}  # noqa: RUF012 - Gymnasium reads it of classes and of environments

    def __init__(
        self,
        directory: str | Path,
        *,
        state: str | None = None,
        scenario: str | None = None,
        players: int = 1,
        actions: str = "filtered",
        observation: str | Sequence[str] = "image",
        render_mode: str | None = None,
        record: bool | str | Path | None = None,
        states: Literal["all"] | Sequence[Start] | None = None,
        weights: Sequence[float] | None = None,
        crop: Crop | None = None,
    ) -> None:
        self._only = observation if isinstance(observation, str) else None
        self._kinds = (observation,) if isinstance(observation, str) else tuple(observation)
        if not self._kinds or not set(self._kinds) <= set(OBSERVATIONS):
            raise SessionError(
                f"no observation {observation!r}; use one or more of {', '.join(OBSERVATIONS)}"
            )
        if render_mode not in (None, *RENDER_MODES):
            raise SessionError(
                f"no render mode {render_mode!r}; use rgb_array, and "
                "gymnasium.wrappers.HumanRendering around it for a window"
            )
        self.render_mode = render_mode
        if players < 1:
            raise SessionError(f"players is {players}; use 1 or more")
        plan = plan_session(directory, state=state, scenario=scenario, players=players)
        self.emulator = Emulator(plan, crop)
        try:
            self._coder = ActionCoder(self.emulator.actions, actions, players)
            self._starts = None if states is None else Starts(self.emulator, states, weights)
            self._recording = EpisodeRecording.of(self.emulator, record)
        except BaseException:
            self.emulator.close()
            raise
        self.metadata = {**self.metadata, "render_fps": self.emulator.core.av.fps}
        self.action_space = self._coder.space
        self._names = tuple(self.emulator.plan.integration.variables)
        self.observation_space = self._space(self.emulator.shape)
        self._picture: NDArray[np.uint8] | None = None
        self._guard = StepGuard()
        self._finish_without_close()
        self._state_name, self._state = "", b""
        self.rewards: tuple[float, ...] = ()

    def _space(self, picture: tuple[int, ...]) -> spaces.Space[Any]:
        shapes = {
            "image": picture,
            "ram": (self.emulator.core.ram_bytes,),
            "variables": (len(self._names),),
        }
        if self._only is not None:
            return space_of(self._only, shapes[self._only])
        return spaces.Dict({kind: space_of(kind, shapes[kind]) for kind in self._kinds})

    @property
    def buttons(self) -> tuple[str | None, ...]:
        """The console's buttons in bit order; None where it has no such button."""
        return self.emulator.plan.descriptor.buttons

    @property
    def state_name(self) -> str:
        """The start of the present episode; empty before the first."""
        return self._state_name

    @property
    def movie_path(self) -> Path | None:
        """The movie of the last episode that was completed, when episodes are recorded."""
        return self._recording.path if self._recording else None

    def get_action_meaning(self, action: Any) -> list[str] | list[list[str]]:
        """The names of the buttons that an action presses; of each player, when there are two."""
        names = [list(each) for each in self._coder.names(action)]
        return names[0] if len(names) == 1 else names

    def masks(self, action: Any) -> tuple[int, ...]:
        """The button mask of each player that an action becomes; bit i is ``buttons[i]``."""
        return self._coder.masks(action)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode at the start state, with one idle frame; ``info`` is empty.

        The start is one of ``states``, drawn by the random numbers of ``seed``, if there are any;
        :attr:`state_name` has its name.
        ``options={"state": NAME}`` begins this episode at another start state, or at the path of a
        ``.state`` file. Without any start state the console is as at power on (stable-retro would
        go on from the last episode's end). Raises DocumentError, StateError.
        """
        super().reset(seed=seed_of(seed))
        with self._guard:
            self._guard.begin()
            self._picture = self._begun(options)
            self._guard.end()
            return self._observation(self._picture, self.emulator.values()), {}

    def _begun(self, options: dict[str, Any] | None) -> NDArray[np.uint8]:
        named = (options or {}).get("state")
        name = str(named or self.emulator.default_state)
        if self._starts and not named:
            name, self._state = self._starts.draw(self.np_random)
            self._state_name = name
        elif name != self._state_name:
            self._state = self.emulator.read_state(name)
            self._state_name = name
        if self._recording:
            self._recording.begin(self._state, name)
        return self.emulator.begin(self._state, name)

    def begin_at(self, state: bytes | None, name: str, masks: tuple[int, ...]) -> Observation:
        """Begin an episode at a raw state (None: power-on) with the first row of a movie.

        Raises StateError, whose message begins with ``name``.
        """
        raw = self.emulator.read_state(POWER_ON) if state is None else state
        with self._guard:
            self._guard.begin()
            self._picture = self.emulator.begin(raw, name, masks)
            self._guard.end()
            return self._observation(self._picture, self.emulator.values())

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Run one frame; ``truncated`` is always False. Raises SessionError before `reset`."""
        return self.press(self._coder.masks(action))

    def press(
        self, masks: tuple[int, ...]
    ) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """As :meth:`step`, with a button mask for each player."""
        with self._guard:
            self._guard.step()
            self._picture = picture = self.emulator.run(masks)
            scored = self.emulator.score()
            if self._recording:
                self._recording.add(masks)
            self.rewards = scored.rewards
            seen = self._observation(picture, scored.values)
            self._guard.end()
        return seen, scored.rewards[0], scored.done, False, {**scored.values}

    def _observation(self, picture: NDArray[np.uint8], values: Mapping[str, int]) -> Observation:
        if self._only is not None:
            return self._part(self._only, picture, values)
        return {kind: self._part(kind, picture, values) for kind in self._kinds}

    def _part(
        self, kind: str, picture: NDArray[np.uint8], values: Mapping[str, int]
    ) -> NDArray[Any]:
        if kind == "image":
            return picture
        return self.emulator.ram() if kind == "ram" else vector_of(values, self._names)

    def clone_state(self) -> EnvState:
        """The present moment as a value, for :meth:`restore_state` of any environment like this.

        Raises SessionError before `reset`, StateError for a core without states, ScriptError for a
        script whose memory no state can hold.
        """
        with self._guard:
            self._guard.check()
            return self._cloned()

    def restore_state(self, state: EnvState) -> None:
        """Go on from a moment: the next steps are those that followed it.

        A recorded movie ends here, because no movie can jump; the next `reset` begins another.
        Raises SessionError for a state of another game, core or options, StateError, ScriptError.
        """
        if state.made_of != self._made_of:
            here, there = ", ".join(self._made_of), ", ".join(state.made_of)
            raise SessionError(f"this state is of {there}; the environment is {here}")
        with self._guard:
            self._guard.begin()
            self.finish_movie()
            self._put_back(state)
            self._guard.end()

    @cached_property
    def _made_of(self) -> tuple[str, ...]:
        plan, core = self.emulator.plan, self.emulator.core
        scenario = plan.scenario or "scenario"
        known = f"{core.library_name} {core.library_version}"
        return plan.integration.name, known, scenario, f"{plan.players} players"

    def _cloned(self) -> EnvState:
        random = random_state(self.np_random) if self._starts else ()
        return EnvState(self._made_of, self.emulator.clone(), self.rewards, random)

    def _put_back(self, state: EnvState) -> None:
        self.emulator.restore(state.emulator)
        self._picture = self.emulator.last_picture()
        self.rewards = state.rewards
        if state.random:
            put_random_state(self.np_random, state.random)

    def render(self) -> NDArray[np.uint8] | None:
        """The picture of the last frame, in render mode ``rgb_array``."""
        return None if self.render_mode is None else self._picture

    def finish_movie(self) -> None:
        """Complete the movie of the episode, without waiting for the next one. Raises SaveError."""
        if self._recording:
            self._recording.finish()

    def close(self) -> None:
        """Complete the movie of the episode, and unload game and core. Idempotent.

        A step of another thread ends first.
        """
        with self._guard.waited_for():
            try:
                self.finish_movie()
            finally:
                self.emulator.close()

    def _finish_without_close(self) -> None:
        """Complete the movie at exit or when the environment is collected, then free the core."""
        # At exit the core stays open, since a thread may still be running it.
        weakref.finalize(self, self.emulator.close).atexit = False
        if self._recording:
            weakref.finalize(self, self._recording.finish_or_warn)
