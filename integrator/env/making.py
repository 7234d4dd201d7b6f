"""The public functions that make environments from integration directories."""

import contextlib
import faulthandler
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gymnasium.logger import warn
from gymnasium.vector import AutoresetMode

from integrator.domain.errors import needing
from integrator.env.agent_env import AgentEnv, IsolatedEnv, Preprocessing
from integrator.env.emulator import Start
from integrator.env.game_env import GameEnv
from integrator.env.observations import ActionMode, ObservationKind
from integrator.env.vector import Autoreset, VectorGames
from libretro_host.errors import CoreLoadError

if TYPE_CHECKING:
    from integrator.env.parallel import ParallelGames

CONTEST_STEPS = 4500  # steps of an episode in the Retro Contest: five minutes at four frames a step


def make_env(
    directory: str | Path,
    *,
    state: str | Path | None = None,
    scenario: str | None = None,
    players: int = 1,
    actions: ActionMode = "filtered",
    observation: ObservationKind | Sequence[ObservationKind] = "image",
    render_mode: str | None = None,
    record: bool | str | Path | None = None,
    states: Literal["all"] | Sequence[Start] | None = None,
    weights: Sequence[float] | None = None,
) -> GameEnv:
    """Make a Gymnasium environment of an integration directory (or ROM), in this process.

    It behaves as stable-retro's ``RetroEnv``. ``directory`` is a path, or the name of an
    integration: the user's, a shipped one or stable-retro's. ``state`` and ``scenario`` choose a
    start state and a scenario file by name. ``actions`` is ``filtered``, ``discrete``,
    ``multi-discrete`` or ``all``; ``observation`` is ``image``, ``ram`` or ``variables``, or
    several of these for a dict; see :data:`~.observations.Observation`. ``record`` is a folder that
    gets each episode as a ``.bk2`` movie (True: the working directory). ``states`` and ``weights``
    are those of :class:`~.emulator.Starts`, from which each episode's start is drawn. Any number of
    environments may be open in one process. A core that crashes ends the process with a traceback
    of Python's faulthandler; :func:`make_vec` can keep cores ``isolated``. Raises SessionError,
    DocumentError, HostError."""
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
    """Make an environment of PettingZoo's Parallel API, whose agents are the players of a game.

    ``options`` are those of :func:`make_env`. Raises SessionError without PettingZoo, and the
    errors of :func:`make_env`."""
    with needing("players", "PettingZoo is not installed here"):
        from integrator.env.parallel import ParallelGames  # noqa: PLC0415 - optional
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
    autoreset: Autoreset | AutoresetMode = "next_step",
    copy: bool = True,
    max_episode_steps: int | None = None,
    **options: Any,
) -> VectorGames:
    """Make a Gymnasium vector environment: many environments of one game, stepped together.

    Emulators run in threads of this process; :class:`VectorGames` describes steps, ``autoreset``
    and ``copy``, and :class:`Preprocessing` the other options. ``options`` are those of
    :func:`make_env`. ``max_episode_steps`` is Gymnasium's name for ``max_steps``, which registered
    environments pass. ``isolated`` gives each emulator a process: a core that dies or hangs
    truncates its episode, ``infos["restarted"]`` counts such ends, and training goes on; see
    :class:`IsolatedEnv`. Cores that cannot be loaded twice are isolated, too, with a warning.
    Results do not depend on ``isolated``. Raises the errors of :func:`make_env`."""
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
            warn(f"each emulator runs in a process, as the core cannot be loaded twice: {error}")
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
    """Make an environment by the Retro Contest's protocol: 4 frames a step, 4,500 steps an episode.

    With probability 0.25, the first of the four frames keeps the buttons of the previous step.
    Pictures are preprocessed as in :func:`make_vec`. ``options`` are those of :func:`make_env`; the
    reward is the scenario's."""
    preprocessing = Preprocessing(4, 0.25, CONTEST_STEPS, crop, resize, grayscale, stack, maxpool)
    return AgentEnv(directory, preprocessing, **options)


def _show_crashes() -> None:
    """Let a core that crashes end the program with a traceback."""
    if not faulthandler.is_enabled():
        # There may be no terminal for the traceback.
        with contextlib.suppress(AttributeError, OSError, RuntimeError, ValueError):
            faulthandler.enable()
