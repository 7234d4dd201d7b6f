"""GameEnv: an integration as a Gymnasium environment, with the steps of stable-retro's RetroEnv."""

import json
import os
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cached_property
from numbers import Integral
from pathlib import Path
from typing import Any, Final, Literal, NoReturn

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.logger import warn
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.domain.scenario.tree import Crop
from integrator.env.emulator import Emulator, EnvState, Pixels, Start, Starts
from integrator.env.observations import OBSERVATIONS, ActionCoder, Masks, Observation, space_of
from integrator.env.recording import EpisodeRecording
from integrator.env.retro_env import HERE, ElsewhereNamed
from integrator.session.opening import plan_session
from integrator.session.setup.game import POWER_ON
from libretro_host.errors import HostClosedError
from libretro_host.host import MAX_PORTS


def refuse_copy(_: object) -> NoReturn:
    """Raise SessionError; as ``__reduce__``, it refuses copies and pickles of an environment."""
    raise SessionError("an environment cannot be copied; clone_state() gives its moment")


class StepGuard:
    """A context in which one thread uses an environment; other threads get a SessionError.

    A step that failed or was interrupted (Ctrl+C) may leave emulators at different frames, so the
    next step is refused until a reset. ``placed`` are the environments of a vector that were reset
    or restored since such a step, or were not part of a reset that did not end."""

    def __init__(self) -> None:
        self._pid, self._lock = os.getpid(), threading.RLock()
        self._missing: str | None = "call reset() before step()"
        self._is_closed = False
        self.placed: set[int] = set()

    def __enter__(self) -> None:
        if not self._lock.acquire(False):  # noqa: FBT003 - the keyword doubles the time of a call
            cure = "step it in one thread, or make an environment for each"
            raise SessionError(f"another thread is using this environment; {cure}")

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def begin(self, others: frozenset[int] = frozenset()) -> None:
        """Note that a reset of all but ``others`` begins, also after an interrupted step.

        Raises HostClosedError."""
        self.check_open()
        self.placed = self.placed & others if self._missing else set(others)
        self._missing = self._missing or "the last reset() did not end; call reset() again"

    def check_open(self) -> None:
        if self._is_closed:
            raise HostClosedError("the game was closed; make another environment")

    def check(self) -> None:
        """Raise SessionError before `reset`, and after a failed or interrupted step."""
        self.check_open()
        if self._missing is not None:
            raise SessionError(self._missing)

    def step(self) -> None:
        """Note that a step begins. Raises SessionError as :meth:`check`."""
        self.check()
        self.placed.clear()
        self._missing = "the last step failed or was interrupted; call reset() before step()"

    def end(self) -> None:
        self._missing = None

    @contextmanager
    def closing(self) -> Iterator[None]:
        """Wait until no other thread uses the environment, and then close it for good."""
        if self._pid != os.getpid():
            # A thread of the parent may hold the lock, and does not exist in this fork.
            self._pid, self._lock = os.getpid(), threading.RLock()
        with self._lock:
            self._is_closed = True
            yield


def seed_of(seed: Any) -> int | None:
    """Return a seed for Gymnasium, also from numpy's integers. Raises SessionError."""
    return None if seed is None else whole_number("seed", seed, least=0)


_Place: Final[Any] = str | os.PathLike
_KINDS: Final[Mapping[str, tuple[Any, str]]] = {  # options that are no numbers, in words
    "directory": (_Place, "a path, or the name of an integration"),
    "state": (_Place | None, "the name of a start state"),
    "scenario": (str | None, "the name of a scenario file"),
    "observation": (Iterable, f"one or more of {', '.join(OBSERVATIONS)}"),
    "render_mode": (str | None, "'rgb_array', or None"),
    "record": (bool | _Place | None, "a folder, or True for the working directory"),
    "states": (Iterable | None, "'all' or a list of start states"),
    "options": (Mapping | None, "a dict"),
}


def check_kinds(**options: object) -> None:
    """Raise SessionError for an option whose type differs from its row in ``_KINDS``."""
    for name, value in options.items():
        kind, use = _KINDS[name]
        if not isinstance(value, kind):
            raise SessionError(f"{name} is {value!r}; use {use}")


def whole_number(name: str, value: Any, *, least: int = 1, most: int | None = None) -> int:
    """Return an option as an int, also from numpy's integers. Raises SessionError."""
    number = int(value) if isinstance(value, Integral) else least - 1
    if number < least or (most is not None and number > most):
        span = f"from {least} on" if most is None else f"from {least} to {most}"
        raise SessionError(f"{name} is {value!r}; use a whole number {span}")
    return number


class GameEnv(gymnasium.Env[Any, Any]):
    """A game for one agent, in this process. Make it with :func:`integrator.make_env`.

    An observation is an :data:`~.observations.Observation`, which the caller may keep and change.
    ``info`` has the variables of data.json and those of scripts, as ints. The reward is that of
    player 1; ``rewards`` has the rewards of all players on the last step."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 60}  # noqa: RUF012 - Gymnasium reads it of classes and of environments

    def __init__(
        self,
        directory: str | Path,
        *,
        state: str | Path | None = None,
        scenario: str | None = None,
        players: int = 1,
        actions: str = "filtered",
        observation: str | Sequence[str] = "image",
        render_mode: str | None = None,
        record: bool | str | Path | None = None,
        states: Literal["all"] | Sequence[Start] | None = None,
        weights: Sequence[float] | None = None,
        crop: Crop | None = None,
        unlimited: bool = False,
        ahead: int = 1,
        pairs: bool = False,
    ) -> None:
        """``unlimited`` lifts the core's limits of memory and files, which an agent shares."""
        check_kinds(directory=directory, state=state, scenario=scenario)
        check_kinds(observation=observation, record=record, states=states, render_mode=render_mode)
        self._only = observation if isinstance(observation, str) else None
        self._kinds = (observation,) if isinstance(observation, str) else tuple(observation)
        if not self._kinds or not all(kind in OBSERVATIONS for kind in self._kinds):
            cure = f"use one or more of {', '.join(OBSERVATIONS)}"
            raise SessionError(f"no observation {observation!r}; {cure}")
        if render_mode not in (None, "rgb_array"):
            cure = "use rgb_array, and gymnasium.wrappers.HumanRendering around it for a window"
            raise SessionError(f"no render mode {render_mode!r}; {cure}")
        self.render_mode = render_mode
        named = None if state is None else str(state)
        if named is not None and states is not None:
            raise SessionError(f"state is {named!r} and there are states; use one of both")
        players = whole_number("players", players, most=MAX_PORTS)
        plan = plan_session(directory, state=named, scenario=scenario, players=players)
        if scenario is None and (fact := plan.integration.unscored):
            warn("%s: %s", directory, fact)
        if unlimited:
            limits = replace(plan.request.limits, memory_bytes=0, file_bytes=0)
            plan = replace(plan, request=replace(plan.request, limits=limits))
        self.emulator = Emulator(plan, crop, ahead, pairs=pairs)
        try:
            self._coder = ActionCoder(self.emulator.actions, actions, players)
            has_starts = states is not None or weights is not None
            self._starts = Starts(self.emulator, states, weights) if has_starts else None
            if named is not None:
                self.emulator.read_state(named)  # raises for a wrong name now, not at the reset
            self._recording = None
            if record is not None and record is not False:
                folder = Path.cwd() if record is True else Path(record)
                self._recording = EpisodeRecording(self.emulator, folder)
        except BaseException:
            self.emulator.close()
            raise
        self.metadata = {**self.metadata, "render_fps": self.emulator.core.av.fps}
        self.action_space = self._coder.space
        self._names = tuple(self.emulator.plan.integration.variables)
        self.observation_space = self._space(self.emulator.shape)
        self._picture: Any = None  # the last frame's, once an episode has begun
        self._guard = StepGuard()
        # When the environment is collected, complete its movie and close its core. At exit, only
        # the movie is completed, since a thread may still be running the core.
        weakref.finalize(self, self.emulator.close).atexit = False
        if self._recording:
            weakref.finalize(self, self._recording.end)
        self._state = b""
        self.state_name = ""  # the start of the present episode; empty before the first one
        self.rewards: tuple[float, ...] = ()

    def _space(self, picture: tuple[int, ...]) -> spaces.Space[Any]:
        ram, variables = (self.emulator.core.ram_bytes,), (len(self._names),)
        shapes = {"image": picture, "ram": ram, "variables": variables}
        if self._only is not None:
            return space_of(self._only, shapes[self._only])
        return spaces.Dict({kind: space_of(kind, shapes[kind]) for kind in self._kinds})

    @property
    def buttons(self) -> tuple[str | None, ...]:
        """The console's buttons in bit order; None for a bit without a button."""
        return self.emulator.plan.descriptor.buttons

    @property
    def movie_path(self) -> Path | None:
        """The movie of the last completed episode, if episodes are recorded."""
        return self._recording.path if self._recording else None

    def get_action_meaning(self, action: Any) -> list[str] | list[list[str]]:
        """Return the buttons that an action presses, by player if there are several."""
        names = [list(each) for each in self._coder.names(action)]
        return names[0] if len(names) == 1 else names

    def masks(self, action: Any) -> tuple[int, ...]:
        """Return the button mask of each player for an action; bit i is ``buttons[i]``."""
        return self._coder.masks(action)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode at the start state, with one idle frame; ``info`` is empty.

        If the environment has ``states``, the start is drawn from them by the random numbers of
        ``seed``; :attr:`state_name` is its name. ``options={"state": NAME}`` begins this episode at
        another start state, or at the path of a ``.state`` file. Without any start state, the
        console is at power-on (stable-retro would go on from the last episode's end). Raises
        DocumentError, StateError."""
        check_kinds(options=options)
        super().reset(seed=seed_of(seed))
        with self._guard:
            self._guard.begin()
            if self._recording:
                self._recording.finish_or_warn()
            named = (options or {}).get("state")
            check_kinds(state=named)
            name = str(named or self.emulator.default_state)
            if self._starts and not named:
                name, self._state = self._starts.draw(self.np_random)
            elif named or name != self.state_name:
                self._state = self.emulator.read_state(name)
            self.state_name = name
            observation = self.begin_at(self._state, name)
            if self._recording:
                self._guard.begin()  # no step may follow if this is interrupted
                self._recording.begin(self._state, name)
                self._guard.end()
            return observation, {}

    def begin_at(self, state: bytes | None, name: str, masks: tuple[int, ...] = ()) -> Observation:
        """Begin an episode at a raw state (None: power-on), with ``masks`` on its first frame.

        Raises StateError, whose message begins with ``name``."""
        raw = self.emulator.read_state(POWER_ON) if state is None else state
        with self._guard:
            self._guard.begin()
            picture = self._keep(self.emulator.begin(raw, name, masks))
            self._guard.end()
            return self._observation(picture, self.emulator.values())

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Run one frame; ``truncated`` is always False. Raises SessionError before `reset`."""
        return self.press(self._coder.masks(action))

    def press(self, masks: Masks) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do as :meth:`step`, with a button mask for each player instead of an action."""
        with self._guard:
            self._guard.step()
            picture = self._keep(self.emulator.run(masks))
            scored = self.emulator.score()
            if self._recording:
                self._recording.add(masks, done=scored.done)
            self.rewards = scored.rewards
            seen = self._observation(picture, scored.values)
            self._guard.end()
        return seen, scored.rewards[0], scored.done, False, {**scored.values}

    def _keep(self, picture: Pixels) -> Pixels:
        """Keep a step's picture for `render`, which threads may call while the next step runs."""
        self._picture = picture.copy() if self.render_mode else picture
        return picture

    def _observation(self, picture: Pixels, values: Mapping[str, int]) -> Observation:
        if self._only is not None:
            return self._part(self._only, picture, values)
        return {kind: self._part(kind, picture, values) for kind in self._kinds}

    def _part(self, kind: str, picture: Pixels, values: Mapping[str, int]) -> NDArray[Any]:
        if kind == "image":
            return picture.copy()
        if kind == "ram":
            return self.emulator.ram()
        return np.array([values[name] for name in self._names], np.float32)

    def clone_state(self, include_rng: bool = True) -> EnvState:
        """Return the present moment, for :meth:`restore_state` of any environment like this one.

        The core loads it. A recorded movie ends here if that changes memory, because no movie can
        repeat it; it goes out of step if states leave out something that is not in memory.
        Without ``include_rng``, the restoring environment keeps its own random numbers. Raises
        SessionError before `reset`, StateError for a core without states, ScriptError for a script
        whose memory no state can hold."""
        with self._guard:
            self._guard.check()
            with self._recording.loading() if self._recording else nullcontext():
                state = self._cloned()
        return state if include_rng else replace(state, random="", sticky_random="")

    __reduce__ = refuse_copy

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in HERE]

    def restore_state(self, state: EnvState) -> None:
        """Go on from a moment, so that the same actions give the same steps as before.

        A recorded movie ends here, because no movie can jump; the next `reset` begins another.
        Raises SessionError for a state of another game, core or options, or for a changed state;
        StateError, ScriptError."""
        if not isinstance(state, EnvState):
            raise SessionError(f"{type(state).__name__}: states are values of clone_state()")
        if state.made_of != self._made_of:
            there, here = ", ".join(map(str, state.made_of or ())), ", ".join(self._made_of)
            raise SessionError(f"this state is of {there}; the environment is {here}")
        with self._guard:
            self._guard.begin()
            if self._recording:
                self._recording.finish_or_warn()
            try:
                self._put_back(state)
            except (TypeError, ValueError, LookupError, AttributeError) as error:
                cure = "use a value of clone_state() as it is, and reset() before the next step"
                raise SessionError(f"this state was changed ({error}); {cure}") from error
            self._guard.end()

    @cached_property
    def _made_of(self) -> tuple[str, ...]:
        plan, core = self.emulator.plan, self.emulator.core
        names = plan.integration.name, f"{core.library_name} {core.library_version}"
        return *names, plan.scenario or "scenario", f"{plan.players} players"

    def _cloned(self) -> EnvState:
        random = json.dumps(self.np_random.bit_generator.state) if self._starts else ""
        return EnvState(self._made_of, self.emulator.clone(), self.rewards, random)

    def _put_back(self, state: EnvState) -> None:
        self.emulator.restore(state.emulator)
        self._keep(self.emulator.picture)
        self.rewards = state.rewards
        if state.random:
            self.np_random.bit_generator.state = json.loads(state.random)

    def get_ram(self) -> NDArray[np.uint8]:
        """Return the core's present memory, uint8 (bytes,), as in the observation ``ram``."""
        with self._guard:
            self._guard.check()
            return self.emulator.ram()

    def render(self) -> Any:
        """Return the picture of the last frame, in render mode ``rgb_array``."""
        return self._picture.copy() if self.render_mode and self._picture is not None else None

    def finish_movie(self) -> None:
        """Complete the movie of the episode now, before the next reset. Raises SaveError."""
        if self._recording:
            self._recording.finish()

    def close(self) -> None:
        """Wait for a running step, complete the movie, and unload game and core. Idempotent."""
        with self._guard.closing():
            try:
                if self._recording:
                    self._recording.end()
            finally:
                self.emulator.close()


# With a __getattr__ instead, Python would need twice as long for all other attributes.
for _name, _replacement in HERE.items():
    setattr(GameEnv, _name, ElsewhereNamed(_name, _replacement))
