"""VectorGames: many emulators in threads of one process, stepped together."""

import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from numbers import Integral
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.env.agent_env import AgentEnv
from integrator.env.emulator import EnvState
from integrator.env.game_env import StepGuard, check_kinds, seed_of, whole_number
from integrator.env.isolated import IsolatedEnv
from integrator.env.observations import Masks, Observation, empty, mapped, part_of
from libretro_host.processes.kernel import processors

Work = Callable[[], None]
Task = tuple[Work, "SimpleQueue[BaseException | None]"]


class Crew:
    """Runs work in several threads; an emulator stays with its worker, as cores need."""

    def __init__(self, workers: int) -> None:
        self._tasks: list[SimpleQueue[Task | None]] = [SimpleQueue() for _ in range(workers - 1)]
        self.own: deque[Work] = deque()
        self._pid = os.getpid()
        self._threads = [
            threading.Thread(target=self._work, args=(tasks,), name=f"emulators-{i}", daemon=True)
            for i, tasks in enumerate(self._tasks, 1)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def workers(self) -> int:
        return len(self._tasks) + 1

    def each(self, indices: Sequence[int], work: Callable[[int], object]) -> None:
        """Let workers do ``work`` of their indices; raises the first error once all have ended."""
        if self.is_forked:
            raise SessionError("a fork has no threads of its parent; make the environment in it")

        def share(worker: int) -> None:
            for index in indices:
                if index % self.workers == worker:
                    work(index)

        # Answers of a run that Ctrl+C interrupted go to its own queue, which nobody reads.
        done: SimpleQueue[BaseException | None] = SimpleQueue()
        for worker, tasks in enumerate(self._tasks, 1):
            tasks.put((partial(share, worker), done))
        failure = _tried(partial(share, 0))
        for _ in self._tasks:
            failure = done.get() or failure
        if failure is not None:
            raise failure

    def post(self, worker: int, work: Work) -> None:
        """Let a worker do a piece of work that raises nothing; worker 0 does it in :meth:`help`."""
        if worker:
            self._tasks[worker - 1].put((work, SimpleQueue()))
        else:
            self.own.append(work)

    def help(self) -> bool:
        """Do the next piece of worker 0 in this thread; False when there is none."""
        if self.own:
            self.own.popleft()()
            return True
        return False

    @property
    def is_forked(self) -> bool:
        """True in a fork of the process that made the crew: threads are not forked."""
        return bool(self._tasks) and self._pid != os.getpid()

    def close(self) -> None:
        for tasks in self._tasks:
            tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._tasks.clear()

    def _work(self, tasks: SimpleQueue[Task | None]) -> None:
        while (task := tasks.get()) is not None:
            work, done = task
            outcome = [_tried(work)]
            # Nothing of an environment is kept here, or one that nobody closed would stay.
            del task, work
            done.put(outcome.pop())


def _tried(work: Work) -> BaseException | None:
    try:
        work()
    except BaseException as error:  # noqa: BLE001 - raised again in the caller's thread
        return error
    return None


Env = AgentEnv | IsolatedEnv

Autoreset: TypeAlias = Literal["next_step", "same_step", "disabled"]
Ends = NDArray[np.bool_]


class _Told(NamedTuple):
    """The result of one step; ``last``: observation and info of an episode that it ended."""

    reward: float
    ended: bool
    cut: bool
    info: Mapping[str, Any]
    last: tuple[Observation, Mapping[str, Any]] | None = None


_NOTHING = _Told(0.0, ended=False, cut=False, info={})


class VectorGames(VectorEnv[Any, Any, NDArray[Any]]):
    """A Gymnasium vector environment of one game. Make it with :func:`integrator.make_vec`.

    Emulators are spread over threads; each has a copy of its core, which runs without the
    interpreter's lock. ``infos`` has an int64 array a variable, and under its name after ``_`` the
    environments that it is of.

    ``autoreset`` says when an episode begins that follows an ended one: ``next_step``, in the next
    step, whose action is ignored and whose reward is 0; ``same_step``, in the step that ended the
    other, whose last observation and info are ``infos["final_obs"]`` and ``infos["final_info"]``,
    an object array and a dict of arrays, as Gymnasium gives them; ``disabled``, by
    ``reset(options={"reset_mask": ...})`` alone. Observations are the caller's, or with ``copy``
    False the same buffers in each step.
    """

    def __init__(
        self,
        make: Callable[[], Env],
        num_envs: int,
        *,
        threads: int | None = None,
        autoreset: str = "next_step",
        copy: bool = True,
    ) -> None:
        """``threads``: by default as many as there are processors, or environments.

        Raises what ``make`` raises.
        """
        self._guard = StepGuard()
        self.closed = True  # nothing is open yet that Gymnasium's __del__ could close
        if autoreset not in get_args(Autoreset):
            known = ", ".join(get_args(Autoreset))
            raise SessionError(f"no autoreset {autoreset!r}; use one of {known}")
        self.num_envs = num_envs = whole_number("num_envs", num_envs)
        workers = min(whole_number("threads", threads or processors()), num_envs)
        self.closed = False
        self._autoreset = AutoresetMode[autoreset.upper()]
        self.metadata = {"autoreset_mode": self._autoreset, "render_modes": ["rgb_array"]}
        self._crew = Crew(workers)
        lanes: dict[int, Env] = {}
        # At exit a thread may still be running an emulator.
        self._finish = weakref.finalize(self, _finish, self._crew, lanes)
        self._finish.atexit = False
        try:
            self._crew.each(range(num_envs), lambda i: lanes.setdefault(i, make()))
        except BaseException:
            self.close_extras()
            raise
        self.envs = [lanes[index] for index in range(num_envs)]
        first = self.envs[0]
        self.render_mode = first.render_mode
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        self.observation_space = batch_space(first.observation_space, num_envs)
        self.action_space = batch_space(first.action_space, num_envs)
        self._over = [True] * num_envs
        self._kept = None if copy else empty(self.observation_space)
        self._flying: set[int] = set()
        self._arrived: SimpleQueue[Any] = SimpleQueue()

    @property
    def threads(self) -> int:
        """The number of threads that run emulators, the caller's among them."""
        return self._crew.workers

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode in every environment; a number seeds environment i with ``seed + i``.

        ``options`` go to each environment's `reset`: a list under ``state`` names one state each,
        and a bool array (num_envs,) under ``reset_mask`` the environments that begin; observations
        of the others are left as they were with ``copy`` False, and are 0 without.
        """
        if seed is None or isinstance(seed, Integral):
            first = seed_of(seed)
            seeds = [None if first is None else first + index for index in range(self.num_envs)]
        else:
            seeds = [seed_of(each) for each in self._one_each("seeds", seed, self.num_envs)]
        check_kinds(options=options)
        options = dict(options or {})
        mask = options.pop("reset_mask", None)
        begins = np.ones(self.num_envs, np.bool_) if mask is None else np.asarray(mask)
        if begins.shape != (self.num_envs,) or begins.dtype != np.bool_ or not begins.any():
            raise SessionError(f"reset_mask is {mask!r}; use {self.num_envs} booleans, one true")
        states = options.get("state")
        if states is None or isinstance(states, str | Path):
            states = [states] * self.num_envs
        states = self._one_each("states", states, self.num_envs)
        observations = self._buffers()
        if self._kept is None:
            mapped(lambda array: array.__setitem__(~begins, 0), observations)

        def begin(index: int) -> None:
            chosen = {**options, "state": states[index]}
            self.envs[index].begin(part_of(observations, index), seed=seeds[index], options=chosen)

        with self._guard:
            self._guard.begin()
            # Steps that were sent end before the reset of their thread, and nobody wants them.
            self._crew.own.clear()
            self._flying, self._arrived = set(), SimpleQueue()
            self._crew.each(np.flatnonzero(begins).tolist(), begin)
            self._over = (np.array(self._over) & ~begins).tolist()
            self._guard.end()
        return observations, {}

    def _one_each(self, what: str, values: Any, count: int | None) -> list[Any]:
        try:
            found = list(values)
        except TypeError as error:
            raise SessionError(f"{what} are {values!r}; use a list") from error
        if count is not None and len(found) != count:
            raise SessionError(f"{len(found)} {what} for {count} environments")
        return found

    def step(
        self, actions: Any
    ) -> tuple[Observation, NDArray[np.float64], Ends, Ends, dict[str, Any]]:
        """Step every environment once.

        Raises SessionError before the first reset, and after a step that failed or was interrupted,
        since its environments are at different frames: `reset` puts that right.
        """
        observations = self._buffers()
        told = [_NOTHING] * self.num_envs
        chosen = self._one_each("actions", actions, self.num_envs)

        def play(index: int) -> None:
            told[index] = self._play(index, masks[index], part_of(observations, index))

        with self._guard:
            masks = self._checked(range(self.num_envs), chosen)
            self._guard.step()
            asked = [index for index, each in enumerate(masks) if self._ask(index, each)]
            if others := [index for index in range(self.num_envs) if index not in asked]:
                self._crew.each(others, play)
            for each in asked:
                play(each)
            self._guard.end()
        return observations, *_gathered(told)

    def send(self, actions: Any, ids: Sequence[int] | None = None) -> None:
        """Begin a step of the environments ``ids`` (all by default), one action each.

        Their results come by :meth:`recv`, as they are ready. Raises SessionError as :meth:`step`,
        and for an environment whose step was sent before.
        """
        given = range(self.num_envs) if ids is None else self._one_each("ids", ids, None)
        indices = [whole_number("an id", index, least=0) for index in given]
        if len(set(indices)) < len(indices):
            raise SessionError(f"ids are {ids!r}; use each once")
        chosen = self._one_each("actions", actions, len(indices))
        with self._guard:
            for index, masks in zip(indices, self._checked(indices, chosen), strict=True):
                self._flying.add(index)
                self._ask(index, masks)
                work = partial(self._fly, index, masks, self._arrived)
                self._crew.post(index % self._crew.workers, work)

    def recv(self, min_envs: int | None = None) -> tuple[Any, ...]:
        """The results of ``min_envs`` steps that were sent, the first that are ready.

        By default all that were sent. Returns what :meth:`step` returns, of these environments
        alone, and their ids, int64 (min_envs,). Raises SessionError when fewer steps were sent, and
        what :meth:`step` raises.
        """
        found: list[tuple[int, Observation, _Told]] = []
        with self._guard:
            self._guard.check()
            sent = len(self._flying)
            wanted = sent if min_envs is None else whole_number("min_envs", min_envs)
            if not 1 <= wanted <= sent:
                raise SessionError(f"{wanted} results of {sent} steps that were sent")
            self._guard.step()
            while len(found) < wanted:
                if not self._arrived.empty() or not self._crew.help():
                    index, observation, told = self._arrived.get()
                    self._flying.discard(index)
                    if isinstance(told, BaseException):
                        raise told
                    found.append((index, observation, told))
            ids, observations, told_all = zip(*found, strict=True)
            self._guard.end()
        batch = mapped(lambda *each: np.stack(each), *observations)
        return batch, *_gathered(told_all), np.array(ids)

    def _fly(self, index: int, masks: Masks | None, arrived: SimpleQueue[Any]) -> None:
        into = empty(self.single_observation_space)
        told: list[_Told] = []
        failure = _tried(lambda: told.append(self._play(index, masks, into)))
        arrived.put((index, into, failure or told[0]))

    def _checked(self, indices: Sequence[int], actions: Sequence[Any]) -> list[Masks | None]:
        """The buttons of actions; None where another episode begins."""
        self._check_idle(indices)
        over = [index for index in indices if self._over[index]]
        if over and self._autoreset is AutoresetMode.DISABLED:
            named = ", ".join(map(str, over))
            cure = "reset them (reset_mask)"
            raise SessionError(f"episodes are over in environments {named}; {cure}")
        coded = self.envs[0].masks  # all environments are alike
        pairs = zip(indices, actions, strict=True)
        return [None if self._over[index] else coded(action) for index, action in pairs]

    def _check_idle(self, indices: Sequence[int]) -> None:
        self._guard.check()
        if unknown := set(indices).difference(range(self.num_envs)):
            raise SessionError(f"no environments {sorted(unknown)}; use 0 to {self.num_envs - 1}")
        if flying := self._flying.intersection(indices):
            raise SessionError(f"steps of the environments {sorted(flying)} wait for recv()")

    def _play(self, index: int, masks: Masks | None, into: Observation) -> _Told:
        env = self.envs[index]
        if masks is None:
            env.begin(into)
            self._over[index] = False
            return _NOTHING
        told = _Told(*env.play(masks, into))
        is_over = told.ended or told.cut
        if is_over and self._autoreset is AutoresetMode.SAME_STEP:
            last = mapped(np.copy, into), told.info
            return told._replace(info=env.begin(into), last=last)
        self._over[index] = is_over
        return told

    def clone_state(self, index: int) -> EnvState:
        """The moment of one environment; as :meth:`GameEnv.clone_state`.

        Raises SessionError for an environment whose episode has ended.
        """
        with self._guard:
            self._check_idle([index])
            if self._over[index]:
                raise SessionError(f"the episode of environment {index} is over: step once more")
            states: list[EnvState] = []
            self._crew.each([index], lambda i: states.append(self.envs[i].clone_state()))
            return states[0]

    def restore_state(self, index: int, state: EnvState) -> None:
        """Let one environment go on from a moment; as :meth:`GameEnv.restore_state`."""
        with self._guard:
            self._check_idle([index])
            self._crew.each([index], lambda i: self.envs[i].restore_state(state))
            self._over[index] = False

    def render(self) -> tuple[Any, ...] | None:
        """The picture of each environment, in render mode ``rgb_array``."""
        return None if self.render_mode is None else tuple(env.render() for env in self.envs)

    def close_extras(self, **_: Any) -> None:
        """Close every emulator in the thread that ran it, and end the threads.

        A step of another thread ends first. In a fork the emulators are the parent's.
        """
        with self._guard.closing():
            self._finish()

    def _ask(self, index: int, masks: Masks | None) -> bool:
        """Begin the step of an environment in another process; False for any other step."""
        env = self.envs[index]
        if masks is None or not isinstance(env, IsolatedEnv):
            return False
        env.ask(masks)
        return True

    def _buffers(self) -> Observation:
        return empty(self.observation_space) if self._kept is None else self._kept


def _finish(crew: Crew, envs: Mapping[int, Env]) -> None:
    if not crew.is_forked:
        crew.each(list(envs), lambda index: envs[index].close())
    crew.close()


def _gathered(told: Sequence[_Told]) -> tuple[NDArray[np.float64], Ends, Ends, dict[str, Any]]:
    """Rewards, ends, and infos with the last observations and infos of ended episodes."""
    infos = _together([each.info for each in told])
    if any(each.last for each in told):
        over = np.array([each.last is not None for each in told])
        final = np.full(len(told), None, object)
        for index, each in enumerate(told):
            final[index] = each.last and each.last[0]
        last_infos = _together([each.last[1] if each.last else {} for each in told])
        infos |= {"final_obs": final, "_final_obs": over}
        infos |= {"final_info": last_infos, "_final_info": over}
    rewards, *ends, _, _ = zip(*told, strict=True)
    ended, cut = np.array(ends, np.bool_)
    return np.array(rewards, np.float64), ended, cut, infos


def _together(infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One array a name, and one of those who have it, as Gymnasium's vector environments give."""
    names = dict.fromkeys(name for info in infos for name in info)
    values = np.array([[info.get(name, 0) for info in infos] for name in names], np.int64)
    known = np.array([[name in info for info in infos] for name in names])
    together: dict[str, Any] = {}
    for name, row, of in zip(names, values, known, strict=True):
        together |= {name: row, f"_{name}": of}
    return together
