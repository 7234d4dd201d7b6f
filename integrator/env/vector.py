"""VectorGames: many emulators in threads of one process, stepped together."""

import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from numbers import Integral
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from integrator.domain.errors import SessionError
from integrator.env.agent_env import AgentEnv, IsolatedEnv
from integrator.env.crew import Crew, tried
from integrator.env.emulator import EnvState
from integrator.env.game_env import StepGuard, check_kinds, refuse_copy, seed_of, whole_number
from integrator.env.observations import Masks, Observation, empty, mapped, part_of
from libretro_host.processes.kernel import processors
from libretro_host.shims import ORIGINAL
from libretro_host.stepper import WHOLE

Env = AgentEnv | IsolatedEnv

Autoreset: TypeAlias = Literal["next_step", "same_step", "disabled"]
Ends = NDArray[np.bool_]
_Info: TypeAlias = Mapping[str, Any]
_StepResult: TypeAlias = tuple[float, bool, bool, _Info, tuple[Observation, _Info] | None]
"""Reward, ended, cut, info, and the final (observation, info) of an ended episode."""
_NOTHING: _StepResult = 0.0, False, False, {}, None


class VectorGames(VectorEnv[Any, Any, NDArray[Any]]):
    """A Gymnasium vector environment of one game. Make it with :func:`integrator.make_vec`.

    Emulators are spread over threads; each has a copy of its core, which runs without the
    interpreter's lock. ``infos`` has an int64 array for each variable, and under its name after
    ``_`` a bool array of the environments that have the variable.

    ``autoreset`` says when the next episode begins after an ended one. ``next_step``: in the next
    step, whose action is ignored and whose reward is 0. ``same_step``: in the step that ended the
    episode; its last observation and info are ``infos["final_obs"]`` and ``infos["final_info"]``,
    an object array and a dict of arrays, as in Gymnasium. ``disabled``: only by
    ``reset(options={"reset_mask": ...})``. The caller may keep observations; with ``copy`` False,
    each step writes into the same buffers."""

    def __init__(
        self,
        make: Callable[[], Env],
        num_envs: int,
        *,
        threads: int | None = None,
        autoreset: Autoreset | AutoresetMode = "next_step",
        copy: bool = True,
    ) -> None:
        """``threads`` is by default the number of processors or, if smaller, of environments.

        Raises the errors of ``make``."""
        self._guard = StepGuard()
        self.closed = True  # so that Gymnasium's __del__ closes nothing before it is open
        named = [m for m in AutoresetMode if autoreset in (m, m.value, m.name.lower())]
        if not named:
            known = ", ".join(get_args(Autoreset))
            raise SessionError(f"no autoreset {autoreset!r}; use one of {known}")
        self.num_envs = num_envs = whole_number("num_envs", num_envs)
        workers = min(whole_number("threads", threads or processors()), num_envs)
        self.closed = False
        self.autoreset_mode = named[0]
        self._crew = Crew(workers)
        lanes: dict[int, Env] = {}
        # Do not close at exit, because a thread may still be running an emulator.
        self._finish = weakref.finalize(self, _finish, self._crew, lanes)
        self._finish.atexit = False
        try:
            self._crew.each(range(num_envs), lambda i: lanes.setdefault(i, make()))
        except BaseException:
            self.close_extras()
            raise
        self.envs = [lanes[index] for index in range(num_envs)]
        first = self.envs[0]
        self.metadata = {**first.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = first.render_mode
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        self.observation_space = batch_space(first.observation_space, num_envs)
        self.action_space = batch_space(first.action_space, num_envs)
        # All environments are alike, so that either each has a task, or none.
        tasks = [env.task for env in self.envs if isinstance(env, AgentEnv) and env.task]
        self._tasks = ORIGINAL.ffi.new("lh_task *[]", tasks)
        self._over = [True] * num_envs
        self._kept = None if copy else empty(self.observation_space)
        self._flying: set[int] = set()
        self._arrived: SimpleQueue[Any] = SimpleQueue()

    __reduce__ = refuse_copy

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode in every environment; a number seeds environment i with ``seed + i``.

        ``options`` go to each environment's `reset`: a list under ``state`` names one state each,
        and a bool array (num_envs,) under ``reset_mask`` the environments that begin; observations
        of the others are left as they were with ``copy`` False, and are 0 without."""
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
            indices = np.flatnonzero(begins).tolist()
            self._guard.begin(frozenset(range(self.num_envs)).difference(indices))
            self._end_sent()
            self._crew.each(indices, begin)
            self._over = (np.array(self._over) & ~begins).tolist()
            self._place(*indices)
        return observations, {}

    def _place(self, *indices: int) -> None:
        self._guard.placed.update(indices)
        if len(self._guard.placed) == self.num_envs:
            self._guard.end()

    def _end_sent(self) -> None:
        """Let each thread do its sent steps before other work; ignore results, except Ctrl+C."""
        arrived, self._flying, self._arrived = self._arrived, set(), SimpleQueue()
        while self._crew.help():
            pass
        while not arrived.empty():
            result = arrived.get()[2]
            if isinstance(result, KeyboardInterrupt):
                raise result

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
        because the environments may then be at different frames until each is reset or restored."""
        observations = self._buffers()
        parts = [part_of(observations, index) for index in range(self.num_envs)]
        results = [_NOTHING] * self.num_envs
        chosen = self._one_each("actions", actions, self.num_envs)

        def play(index: int) -> None:
            results[index] = self._play(index, masks[index], parts[index])

        with self._guard:
            masks = self._checked(range(self.num_envs), chosen)
            self._guard.step()
            ahead = len(self._tasks) > 0
            begun = [i for i, each in enumerate(masks) if each and self.envs[i].ask(each, parts[i])]
            if begun and ahead:
                self._crew.run(self._tasks)
                begun = [index for index in begun if self._tasks[index].state == WHOLE]
            if len(begun) < self.num_envs:
                self._crew.each([i for i in range(self.num_envs) if i not in begun], play)
            for index in begun:
                results[index] = self._play(index, masks[index], parts[index], ahead=ahead)
            self._guard.end()
        return observations, *_gathered(results)

    def send(self, actions: Any, ids: Sequence[int] | None = None) -> None:
        """Begin a step of the environments ``ids`` (all by default), with one action each.

        :meth:`recv` returns the results in the order in which they are ready. Raises SessionError
        as :meth:`step`, and for an environment whose last result was not received."""
        given = range(self.num_envs) if ids is None else self._one_each("ids", ids, None)
        indices = [whole_number("an id", index, least=0) for index in given]
        if len(set(indices)) < len(indices):
            raise SessionError(f"ids are {ids!r}; use each once")
        chosen = self._one_each("actions", actions, len(indices))
        with self._guard:
            for index, masks in zip(indices, self._checked(indices, chosen), strict=True):
                self._flying.add(index)
                env = self.envs[index]
                if masks is not None and isinstance(env, IsolatedEnv):
                    env.ask(masks)
                # A vector that was dropped is collected, though nobody receives its steps.
                work = partial(_if_kept, weakref.WeakMethod(self._fly), index, masks, self._arrived)
                self._crew.post(index % self._crew.workers, work)

    def recv(self, min_envs: int | None = None) -> tuple[Any, ...]:
        """Return the results of the first ``min_envs`` sent steps that are ready.

        The default is all sent steps. Returns the values of :meth:`step` for these environments
        only, and their ids, int64 (min_envs,). Raises SessionError if fewer steps were sent.
        Raises the error of a step that failed, with a note that names its environment; the results
        of the others are received by the next call."""
        found: list[tuple[int, Observation, _StepResult]] = []
        with self._guard:
            self._guard.check()
            sent = len(self._flying)
            wanted = sent if min_envs is None else whole_number("min_envs", min_envs)
            if not 1 <= wanted <= sent:
                raise SessionError(f"{wanted} results of {sent} steps that were sent")
            self._guard.step()
            while len(found) < wanted:
                if not self._arrived.empty() or not self._crew.help():
                    index, observation, result = self._arrived.get()
                    if isinstance(result, BaseException):
                        for each in found:
                            self._arrived.put(each)
                        self._flying.discard(index)
                        self._guard.end()
                        cure = "reset it (reset_mask), or restore a state"
                        result.add_note(f"environment {index}: {cure}")
                        raise result
                    found.append((index, observation, result))
            ids, observations, results = zip(*found, strict=True)
            self._flying.difference_update(ids)
            self._guard.end()
        batch = mapped(lambda *each: np.stack(each), *observations)
        return batch, *_gathered(results), np.array(ids)

    def _fly(self, index: int, masks: Masks | None, arrived: SimpleQueue[Any]) -> None:
        into = empty(self.single_observation_space)
        results: list[_StepResult] = []
        failure = tried(lambda: results.append(self._play(index, masks, into)))
        arrived.put((index, into, failure or results[0]))

    def _checked(self, indices: Sequence[int], actions: Sequence[Any]) -> list[Masks | None]:
        """Return the button masks of actions; None if the step begins another episode."""
        self._guard.check()
        self._check_idle(indices)
        over = [self._over[index] for index in indices]
        if self.autoreset_mode is AutoresetMode.DISABLED and any(over):
            named = ", ".join(str(index) for index in indices if self._over[index])
            cure = "reset them (reset_mask)"
            raise SessionError(f"episodes are over in environments {named}; {cure}")
        coded = self.envs[0].masks  # the same for all environments
        pairs = zip(over, actions, strict=True)
        return [None if is_over else coded(action) for is_over, action in pairs]

    def _check_idle(self, indices: Sequence[int]) -> None:
        if unknown := set(indices).difference(range(self.num_envs)):
            raise SessionError(f"no environments {sorted(unknown)}; use 0 to {self.num_envs - 1}")
        if self._flying and (flying := self._flying.intersection(indices)):
            raise SessionError(f"steps of the environments {sorted(flying)} wait for recv()")

    def _play(
        self, index: int, masks: Masks | None, into: Observation, *, ahead: bool = False
    ) -> _StepResult:
        """Play a step in the thread of the environment, or in the caller's if a task ran ahead."""
        env = self.envs[index]
        if masks is None:
            env.begin(into)
            self._over[index] = False
            return _NOTHING
        reward, ended, cut, info = env.play(masks, into)
        is_over = ended or cut
        if is_over and self.autoreset_mode is AutoresetMode.SAME_STEP:
            last = mapped(np.copy, into), info
            begin = partial(env.begin, into)
            (info,) = self._each([index], lambda _: begin()) if ahead else (begin(),)
            return reward, ended, cut, info, last
        self._over[index] = is_over
        return reward, ended, cut, info, None

    def clone_state(self, index: int) -> EnvState:
        """Do as :meth:`GameEnv.clone_state`, but raise SessionError if the episode has ended."""
        with self._guard:
            self._guard.check()
            self._check_idle([index])
            if self._over[index]:
                raise SessionError(f"the episode of environment {index} is over: step once more")
            state: EnvState
            (state,) = self._each([index], lambda i: self.envs[i].call("clone_state"))
            return state

    def restore_state(self, index: int, state: EnvState) -> None:
        """Let an environment go on from a moment; see :meth:`GameEnv.restore_state`.

        Before the first reset, and after a failed step, restore or reset each before the next step.
        """
        with self._guard:
            self._each([index], lambda i: self.envs[i].restore_state(state))
            self._over[index] = False
            self._place(index)

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of each environment, or read an attribute, as SyncVectorEnv does.

        An ``isolated`` environment returns copies. Raises SessionError for steps, resets and
        restores, which are the vector's own, because it notes whose episode is over."""
        own = {"press": "step", "play": "step", "begin": "reset"}.get(name, name)
        if own in ("reset", "step", "restore_state", "close"):
            raise SessionError(f"call {own}() of the vector environment itself")
        return self._each(range(self.num_envs), lambda i: self.envs[i].call(name, *args, **kwargs))

    def get_attr(self, name: str) -> tuple[Any, ...]:
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Set an attribute of each environment: a list or tuple has one value each."""
        each = values if isinstance(values, list | tuple) else [values] * self.num_envs
        chosen = self._one_each("values", each, self.num_envs)
        named = "set_wrapper_attr", name
        self._each(range(self.num_envs), lambda i: self.envs[i].call(*named, chosen[i]))

    @property  # type: ignore[misc] # SyncVectorEnv has no setter either
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override] # as base
        return self.get_attr("np_random")

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override] # as SyncVectorEnv
        return self.get_attr("np_random_seed")

    def _each(self, indices: Sequence[int], work: Callable[[int], Any]) -> tuple[Any, ...]:
        """Let environments that are idle work in their threads, and return their results."""
        with self._guard:
            self._guard.check_open()
            self._check_idle(indices)
            found: dict[int, Any] = {}
            self._crew.each(indices, lambda i: found.update({i: work(i)}))
            return tuple(found[index] for index in indices)

    def render(self) -> tuple[Any, ...] | None:
        """Return the picture of each environment, in render mode ``rgb_array``."""
        return None if self.render_mode is None else tuple(env.render() for env in self.envs)

    def close_extras(self, **_: Any) -> None:
        """Close every emulator in its own thread, and end the threads.

        If another thread runs a step, wait for it. In a fork, the parent's emulators stay open."""
        with self._guard.closing():
            self._finish()

    def _buffers(self) -> Observation:
        return empty(self.observation_space) if self._kept is None else self._kept


def _if_kept(method: weakref.WeakMethod[Callable[..., None]], *arguments: Any) -> None:
    if (call := method()) is not None:
        call(*arguments)


def _finish(crew: Crew, envs: Mapping[int, Env]) -> None:
    if threading.current_thread() in crew.threads:  # it cannot wait for itself
        threading.Thread(target=_finish, args=(crew, envs), daemon=True).start()
    elif not crew.is_forked:
        crew.each(list(envs), lambda index: envs[index].close())
        crew.close()


def _gathered(
    results: Sequence[_StepResult],
) -> tuple[NDArray[np.float64], Ends, Ends, dict[str, Any]]:
    """Return rewards, ends, and infos, which include the final values of ended episodes."""
    rewards, ended, cut, own_infos, lasts = zip(*results, strict=True)
    infos = _together(own_infos)
    if any(lasts):
        over = np.array([last is not None for last in lasts])
        final = np.full(len(results), None, object)
        for index, last in enumerate(lasts):
            final[index] = last and last[0]
        last_infos = _together([last[1] if last else {} for last in lasts])
        infos |= {"final_obs": final, "_final_obs": over}
        infos |= {"final_info": last_infos, "_final_info": over}
    return np.array(rewards, float), np.array(ended, bool), np.array(cut, bool), infos


def _together(infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge infos as Gymnasium does: an array for each name, and one of who has the name."""
    together: dict[str, Any] = {}
    for name in dict.fromkeys(chain.from_iterable(infos)):
        together[name] = np.array([info.get(name, 0) for info in infos], np.int64)
        together[f"_{name}"] = np.array([name in info for info in infos])
    return together
