"""Makes environments out of integration directories: the public functions."""

import contextlib
import faulthandler
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gymnasium.logger import warn

from integrator.domain.errors import SessionError
from integrator.env.agent_env import AgentEnv, Preprocessing
from integrator.env.emulator import Start
from integrator.env.game_env import GameEnv
from integrator.env.isolated import IsolatedEnv
from integrator.env.observations import ActionMode, ObservationKind
from integrator.env.vector import Autoreset, VectorGames
from libretro_host.errors import CoreLoadError

if TYPE_CHECKING:
    from integrator.env.parallel import ParallelGames

CONTEST_STEPS = 4500  # steps of an episode in the Retro Contest: five minutes at four frames a step


def make_env(
    directory: str | Path,
    *,
    state: str | None = None,
    scenario: str | None = None,
    players: int = 1,
    actions: ActionMode = "filtered",
    observation: ObservationKind | Sequence[ObservationKind] = "image",
    render_mode: str | None = None,
    record: bool | str | Path | None = None,
    states: Literal["all"] | Sequence[Start] | None = None,
    weights: Sequence[float] | None = None,
) -> GameEnv:
    """An integration directory (or ROM) as a Gymnasium environment in this process.

    It gives what stable-retro's ``RetroEnv`` gives. ``directory`` is a path, or the name of an
    integration of the user's, ours or stable-retro's. ``state`` and ``scenario`` choose a start
    state and a scenario file by name. ``actions`` is ``filtered``, ``discrete``, ``multi-discrete``
    or ``all``; ``observation`` is ``image``, ``ram`` or ``variables``, or several of them, which
    are then a dict; see :data:`~.observations.Observation`. ``record`` is a folder that gets each
    episode as a ``.bk2`` movie (True: the working directory). ``states`` and ``weights`` are those
    of :class:`~.emulator.Starts`: each episode's start is drawn from them. Any number of
    environments may be open in one process, which a core that crashes ends with the traceback of
    Python's faulthandler; :func:`make_vec` can keep cores ``isolated``. Raises SessionError,
    DocumentError, HostError.
    """
    _show_crashes()
    return GameEnv(
        directory,
        state=state,
        scenario=scenario,
        players=players,
        actions=actions,
        observation=observation,
        render_mode=render_mode,
        record=record,
        states=states,
        weights=weights,
    )


def make_parallel_env(
    directory: str | Path, players: int = 2, *, actions: ActionMode = "filtered", **options: Any
) -> "ParallelGames":
    """The players of a game as agents of PettingZoo's Parallel API.

    ``options`` are those of :func:`make_env`. Raises SessionError without PettingZoo, and what
    :func:`make_env` raises.
    """
    try:
        from integrator.env.parallel import ParallelGames  # noqa: PLC0415 - optional
    except ImportError as error:
        raise SessionError(
            'PettingZoo is not installed here: pip install "retro-integrator[players]"'
        ) from error
    _show_crashes()
    return ParallelGames(directory, players, actions=actions, **options)


def make_vec(
    directory: str | Path,
    num_envs: int,
    *,
    frame_skip: int = 1,
    sticky: float = 0.0,
    max_steps: int | None = None,
    crop: tuple[int, int, int, int] | None = None,
    resize: tuple[int, int] | None = None,
    grayscale: bool = False,
    stack: int = 1,
    maxpool: bool = False,
    isolated: bool = False,
    threads: int | None = None,
    autoreset: Autoreset = "next_step",
    copy: bool = True,
    max_episode_steps: int | None = None,
    **options: Any,
) -> VectorGames:
    """Many environments of one game, stepped together: a Gymnasium vector environment.

    Emulators run in threads of this process; :class:`VectorGames` describes steps, ``autoreset``
    and ``copy``, and :class:`Preprocessing` the other options. ``options`` are those of
    :func:`make_env`, and ``max_episode_steps`` is Gymnasium's name of ``max_steps``, which a
    registered environment hands over. ``isolated`` gives each emulator a process: a core that dies
    or hangs truncates its episode, ``infos["restarted"]`` counts such ends, and training goes on;
    see :class:`IsolatedEnv`. A core that cannot be loaded twice does so too, with a warning. Both
    give the same numbers. Raises what :func:`make_env` raises.
    """
    longest = max_steps if max_episode_steps is None else max_episode_steps
    preprocessing = Preprocessing(
        frame_skip, sticky, longest, crop, resize, grayscale, stack, maxpool
    )
    make = partial(AgentEnv, directory, preprocessing, **options)
    together = partial(
        VectorGames, num_envs=num_envs, threads=threads, autoreset=autoreset, copy=copy
    )
    if not isolated:
        _show_crashes()
        try:
            return together(make)
        except CoreLoadError as error:
            warn(f"emulators run in processes of their own: the core has no double: {error}")
    return together(partial(IsolatedEnv, make))


def contest_env(
    directory: str | Path,
    *,
    crop: tuple[int, int, int, int] | None = None,
    resize: tuple[int, int] | None = None,
    grayscale: bool = False,
    stack: int = 1,
    maxpool: bool = False,
    **options: Any,
) -> AgentEnv:
    """The game by the Retro Contest's protocol: a step is four frames, an episode 4,500 steps.

    With probability 0.25 the first of the four frames still has the buttons of the step before.
    The pictures change as by :func:`make_vec`. ``options`` are those of :func:`make_env`; the
    reward is the scenario's.
    """
    preprocessing = Preprocessing(4, 0.25, CONTEST_STEPS, crop, resize, grayscale, stack, maxpool)
    return AgentEnv(directory, preprocessing, **options)


def _show_crashes() -> None:
    """Let a core that crashes end the program with a traceback, and not in silence."""
    if not faulthandler.is_enabled():
        # There may be no terminal.
        with contextlib.suppress(AttributeError, OSError, RuntimeError, ValueError):
            faulthandler.enable()
