"""AgentEnv: a game with the usual preprocessing for agents, in this process or in another."""

import contextlib
import json
import logging
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from integrator.domain.errors import SessionError
from integrator.domain.scenario.tree import Crop
from integrator.env.emulator import EnvState, Pixels
from integrator.env.game_env import GameEnv, seed_of, whole_number
from integrator.env.observations import Masks, Observation, empty, mapped
from libretro_host.errors import CoreCrashed, CoreHung, HostClosedError, HostError
from libretro_host.processes.worker_process import WorkerProcess
from libretro_host.stepper import WHOLE, Reduction


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """Options of :func:`integrator.make_vec`; the defaults change nothing.

    A step holds its buttons for ``frame_skip`` frames, or until the game is done; their rewards are
    added. With probability ``sticky``, the first of these frames keeps the buttons of the previous
    step, as in the Retro Contest. ``max_steps`` truncates an episode. ``crop`` is (x, y, width,
    height), and replaces the scenario's. ``maxpool`` takes the brighter pixels of the last two
    frames; then ``grayscale`` is applied, and then ``resize`` to (height, width) by area means.
    ``stack`` puts that many observations along a new first axis, oldest first; at the start of an
    episode, the first observation is repeated."""

    frame_skip: int = 1
    sticky: float = 0.0
    max_steps: int | None = None
    crop: tuple[int, int, int, int] | None = None
    resize: tuple[int, int] | None = None
    grayscale: bool = False
    stack: int = 1
    maxpool: bool = False

    def __post_init__(self) -> None:
        """Raises SessionError for a number out of its range."""
        for name in ("frame_skip", "stack", "max_steps"):
            if (value := getattr(self, name)) is not None:
                # Use Python's int and not numpy's types, since a state has its options as text.
                object.__setattr__(self, name, whole_number(name, value))
        is_number = isinstance(self.sticky, float | np.floating | Integral)
        if not (is_number and 0 <= self.sticky < 1):
            raise SessionError(f"sticky is {self.sticky!r}; use a probability below 1")
        for name, count, least, use in (
            ("resize", 2, 1, "a height and width of 1 or more"),
            ("crop", 4, 0, "x, y, width and height from 0 on"),
        ):
            if (value := getattr(self, name)) is not None:
                listed = value.tolist() if isinstance(value, np.ndarray) else value
                fits = isinstance(listed, Sequence) and len(listed) == count
                if not fits or not all(isinstance(n, Integral) and int(n) >= least for n in listed):
                    raise SessionError(f"{name} is {value!r}; use {use}")
                object.__setattr__(self, name, tuple(map(int, listed)))


class Observer:
    """Makes an agent's observations from the pictures of a game.

    ``shape`` is an observation's, ``picture`` that of the game's pictures. ``kept`` are the newest
    pictures as the agent sees them, uint8 (stack, ...), oldest first; none for a stack of one."""

    def __init__(self, options: Preprocessing, picture: tuple[int, ...]) -> None:
        size = (picture[0], picture[1])
        self._reduction = Reduction(size, options.resize, gray=options.grayscale)
        single, self._maxpool = self._reduction.shape, options.maxpool
        stacked = options.stack if options.stack > 1 else 0
        self.shape = (stacked, *single) if stacked else single
        self.kept: Pixels = np.zeros((stacked, *single), np.uint8)
        self._newest: Any = -1 if stacked else ...  # the newest picture's place in an observation
        self._task: Any = None
        self._lent: Pixels | None = None

    def lend(self, task: Any, out: Pixels) -> None:
        """Let a stepper's ``task`` write the next observation's picture into ``out``.

        That may last until the emulator's thread does other work, also after Ctrl+C."""
        self._task, self._lent = task, out
        self._reduction.join(task, out[self._newest], maxpool=self._maxpool)

    def observe(self, newest: Pixels, older: Pixels | None, out: Pixels, *, first: bool) -> None:
        """Write the observation into ``out``; ``first`` starts an episode with a new stack."""
        if out is not self._lent or self._task.state != WHOLE:
            self._reduction.reduce(newest, older if self._maxpool else None, out[self._newest])
        self._lent = None
        if len(self.kept):
            out[:-1] = out[-1] if first else self.kept[1:]
            self.kept[...] = out


StepResult = tuple[float, bool, bool, dict[str, Any]]  # Reward, terminated, truncated, info.


class AgentEnv(GameEnv):
    """A :class:`GameEnv` with the options of :class:`Preprocessing`.

    ``begin`` and ``play`` do as `reset` and `press`, but write the observation into a buffer of the
    caller. The seed of `reset` is also the seed of the sticky buttons."""

    def __init__(self, directory: str | Path, preprocessing: Preprocessing, **options: Any) -> None:
        self._options = preprocessing
        crop = preprocessing.crop
        ahead, pairs = preprocessing.frame_skip, preprocessing.maxpool
        cut = crop and Crop(*crop)
        super().__init__(directory, **options, crop=cut, ahead=ahead, pairs=pairs)
        if "image" not in self._kinds and preprocessing != Preprocessing(
            preprocessing.frame_skip, preprocessing.sticky, preprocessing.max_steps
        ):
            self.close()
            raise SessionError("an agent that observes no image has no pictures to change")
        self._sticky_random = np.random.default_rng()
        self._held: Masks | None = None  # the buttons of the episode's previous step
        self._next: Masks | None = None  # those of the first frame ahead
        self._observer = Observer(preprocessing, self.emulator.shape)
        self.observation_space = self._space(self._observer.shape)
        # A crew runs the frames of a step by this task, unless each needs Python.
        needs_python = "ram" in self._kinds or self._recording
        needs_last = preprocessing.maxpool and ahead == 1
        self.task = None if needs_python or needs_last else self.emulator.task
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        into = empty(self.observation_space)
        return into, self.begin(into, seed=seed, options=options)

    def press(self, masks: Masks) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Do as :meth:`GameEnv.press` for a step's frames; the last step is ``truncated``."""
        into = empty(self.observation_space)
        return into, *self.play(masks, into)

    def begin(
        self, into: Observation, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        with self._guard:
            _, info = super().reset(seed=seed, options=options)
            self._guard.begin()
            if seed is not None:
                self._sticky_random = np.random.default_rng(seed_of(seed) or 0)
            self._held, self._next, self._steps = None, None, 0
            self._show(self._picture, None, self.emulator.values(), into)
            self._guard.end()
        return info

    def play(self, masks: Masks, into: Observation) -> StepResult:
        """Run one step. Raises SessionError before the first episode."""
        with self._guard:
            if self._next is None:  # else `ask` noted this step
                self._guard.step()
            result = self._run(masks, into)
            self._guard.end()
        return result

    def ask(self, masks: Masks, into: Observation) -> bool:
        """Prepare the :attr:`task` for the frames of the next `play`; return False if it cannot."""
        if not self.task:
            return False
        with self._guard:
            self._guard.step()
        if "image" in self._kinds:
            self._observer.lend(self.task, into if self._only is not None else into["image"])
        self._next = self._first(masks)
        return self.emulator.look_ahead(self._next, masks)

    def _first(self, masks: Masks) -> Masks:
        """Return the buttons of a step's first frame: at random those of the previous step."""
        sticky = self._options.sticky
        sticks = sticky and self._held and self._sticky_random.random() < sticky
        return self._held if sticks and self._held else masks

    def call(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Call a method and return its result, or return an attribute that is no method."""
        found = getattr(self, name)
        return found(*arguments, **options) if callable(found) else found

    @cached_property
    def _made_of(self) -> tuple[str, ...]:
        return *super()._made_of, str(self._options)

    def _cloned(self) -> EnvState:
        numbers = self._sticky_random.bit_generator.state if self._options.sticky else None
        return replace(
            super()._cloned(),
            steps=self._steps,
            held=self._held,
            sticky_random=json.dumps(numbers) if numbers else "",
            kept=self._observer.kept.tobytes(),
        )

    def _put_back(self, state: EnvState) -> None:
        super()._put_back(state)
        self._steps = index(state.steps)
        self._next = None
        self._held = state.held and tuple(map(index, state.held))
        if state.sticky_random:
            self._sticky_random.bit_generator.state = json.loads(state.sticky_random)
        kept = self._observer.kept
        kept[...] = np.frombuffer(state.kept, np.uint8).reshape(kept.shape)

    def _run(self, masks: Masks, into: Observation) -> StepResult:
        total, done = 0.0, False
        older = picture = self._picture
        left = self._options.frame_skip
        held, self._next = self._next or self._first(masks), None
        while left and not done:
            left -= 1
            older, picture = picture, self.emulator.run(held)
            scored = self.emulator.score()
            if self._recording:
                # Add the row after the frame, because its hash is of RAM after the frame.
                self._recording.add(held, done=scored.done)
            total += scored.rewards[0]
            done, self._held, held = scored.done, held, masks
        self.rewards = scored.rewards
        self._show(self._keep(picture), older, scored.values, into)
        self._steps += 1
        is_last = self._steps == self._options.max_steps
        return total, done, is_last and not done, dict(scored.values)

    def _show(
        self, picture: Pixels, older: Pixels | None, values: Mapping[str, int], into: Observation
    ) -> None:
        """Write the observation; ``older`` is None for an episode's first observation."""
        for kind in self._kinds:
            target = into if self._only is not None else into[kind]
            if kind == "image":
                self._observer.observe(picture, older, target, first=older is None)
            else:
                target[...] = self._part(kind, picture, values)


_log = logging.getLogger(__name__)

_ENDED = (CoreCrashed, CoreHung, HostClosedError)  # the last if an earlier call found it dead

LIMIT_MS = 180_000  # timeout of a call and its load; long, because not only cores stall


class IsolatedEnv:
    """An :class:`AgentEnv` in a worker's process, for :class:`~.vector.VectorGames`.

    If the core dies, or hangs for longer than a session allows, the episode is truncated: the
    observation is the last one, the reward 0, and ``info["restarted"]`` counts such ends. The next
    episode begins in another process, with random numbers derived from the last seed."""

    def __init__(self, make: Callable[[], AgentEnv]) -> None:
        self._make = make
        self._start()
        self._seed: int | None = None
        self._last: Observation = None
        self._asked = False
        self._picture: Pixels | None = None
        self.restarts = 0
        try:
            self.observation_space, self.action_space, self.render_mode, self.metadata = map(
                self.call, ("observation_space", "action_space", "render_mode", "metadata")
            )
            self.masks: Callable[[Any], Masks] = self.call("_coder").masks
        except BaseException:
            self._worker.close()
            raise

    def _start(self) -> None:
        self._worker = WorkerProcess(self._make)
        self._worker.whole_limit_ms = LIMIT_MS
        self._finish = weakref.finalize(self, _finish, self._worker)

    def begin(
        self, into: Observation, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Do as :meth:`AgentEnv.begin`; if the core dies, try once more in another process."""
        self._seed = self._seed if seed is None else seed_of(seed)
        with contextlib.suppress(CoreCrashed, CoreHung):
            return self._begin(into, seed, options)
        self.restarts += 1
        return self._begin(into, seed, options)

    def _begin(
        self, into: Observation, seed: int | None, options: dict[str, Any] | None
    ) -> dict[str, Any]:
        if self._replace_worker() and seed is None and self._seed is not None:
            seed = int(np.random.SeedSequence([self._seed, self.restarts]).generate_state(1)[0])
        observation, info = self._worker.call("reset", seed=seed, options=options)
        self._last = observation
        mapped(np.copyto, into, observation)
        self.render()  # so that there is a picture even if the core dies on the next frame
        return dict(info)

    def _replace_worker(self) -> bool:
        """Start another process if this one has died or its step was interrupted."""
        if self._asked:
            self._worker.close()
            self._asked = False
        is_lost = not self._worker.is_alive
        if is_lost:
            self._finish.detach()
            self._start()
        return is_lost

    def call(self, name: str, *arguments: Any, **options: Any) -> Any:
        """Do as :meth:`AgentEnv.call`; values are copies.

        Raises CoreCrashed, CoreHung, and SessionError after a step that was interrupted, because
        the process would answer with the result of that step."""
        self._check_answered()
        return self._worker.call("call", name, *arguments, **options)

    def _check_answered(self) -> None:
        if self._asked:
            raise SessionError("the last step was interrupted; call reset() first")

    def ask(self, masks: Masks, _: Observation = None) -> bool:
        """Begin the step that :meth:`play` ends, and return True. Raises SessionError as `call`."""
        self._check_answered()
        self._asked = True
        try:
            self._worker.ask("press", masks)
        except _ENDED as error:
            _log.info("%s", error)
        return True

    def play(self, masks: Masks, into: Observation) -> StepResult:
        if not self._asked:
            self.ask(masks)
        try:
            observation, *result = self._worker.answer()
        except _ENDED as error:
            self.restarts += 1
            _log.info("restart %s: %s", self.restarts, error)
            if self._last is not None:
                mapped(np.copyto, into, self._last)
            return 0.0, False, True, {"restarted": self.restarts}
        finally:
            self._asked = False
        self._last = observation
        mapped(np.copyto, into, observation)
        return tuple(result)

    def restore_state(self, state: EnvState) -> None:
        """Do as :meth:`GameEnv.restore_state`. Raises CoreCrashed, CoreHung."""
        self._replace_worker()
        self._worker.call("restore_state", state)

    def render(self) -> Pixels | None:
        """Return the last picture, also after the core died or a step was interrupted."""
        if self.render_mode is not None and not self._asked:
            with contextlib.suppress(*_ENDED):
                self._picture = self._worker.call("render")
        return self._picture

    def close(self) -> None:
        """Do as :meth:`GameEnv.close`, and end the process."""
        self._finish()


def _finish(worker: WorkerProcess) -> None:
    with contextlib.closing(worker), contextlib.suppress(HostError):  # the process ends anyway
        if worker.is_idle:
            worker.call("close")
