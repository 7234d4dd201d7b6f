"""An environment whose core runs in another process, which may die without ending training."""

import contextlib
import logging
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from integrator.domain.errors import SessionError
from integrator.env.agent_env import AgentEnv, StepResult
from integrator.env.emulator import EnvState, Pixels
from integrator.env.game_env import seed_of
from integrator.env.observations import Masks, Observation, mapped
from libretro_host.errors import CoreCrashed, CoreHung, HostClosedError, HostError
from libretro_host.processes.worker_process import WorkerProcess

_log = logging.getLogger(__name__)

_ENDED = (CoreCrashed, CoreHung, HostClosedError)  # the last if an earlier call found it dead

LIMIT_MS = 180_000
"""The timeout of a call to an environment, with its load. It is long, because a process may stall
for other reasons than its core."""


class IsolatedEnv:
    """An :class:`AgentEnv` in a worker's process, for :class:`~.vector.VectorGames`.

    If the core dies, or hangs for longer than a session allows, the episode is truncated: the
    observation is the last one, the reward 0, and ``info["restarted"]`` counts such ends. The next
    episode begins in another process, with random numbers derived from the last seed.
    """

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
        the process would answer with the result of that step.
        """
        self._check_answered()
        return self._worker.call("call", name, *arguments, **options)

    def _check_answered(self) -> None:
        if self._asked:
            raise SessionError("the last step was interrupted; call reset() first")

    def set_wrapper_attr(self, name: str, value: Any) -> None:
        self.call("set_wrapper_attr", name, value)

    def ask(self, masks: Masks, _: Observation = None) -> bool:
        """Begin the step that :meth:`play` ends, so that environments work at the same time.

        Return True. Raises SessionError as :meth:`call`.
        """
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
