"""Makes environments out of integration directories: the public functions."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from gymnasium.logger import warn

from integrator.env.agent_env import AgentEnv
from integrator.env.game_env import GameEnv
from integrator.env.isolated import IsolatedEnv
from integrator.env.preprocessing import Preprocessing
from integrator.env.vector import VectorGames
from libretro_host.errors import CoreLoadError

CONTEST_STEPS = 4500
"""Steps of an episode in the Retro Contest: five minutes at four frames a step."""


def make_env(
    directory: str | Path,
    *,
    state: str | None = None,
    scenario: str | None = None,
    players: int = 1,
    actions: str = "filtered",
    observation: str = "image",
    render_mode: str | None = None,
    record: bool | str | Path | None = None,
) -> GameEnv:
    """An integration directory (or ROM) as a Gymnasium environment in this process.

    It gives what stable-retro's ``RetroEnv`` gives. ``directory`` is a path, or the name of an
    integration of the user's, ours or stable-retro's. ``state`` and ``scenario`` choose a start
    state and a scenario file by name. ``actions`` is ``filtered``, ``discrete``, ``multi-discrete``
    or ``all``; ``observation`` is ``image`` or ``ram``. ``record`` is a folder that gets each
    episode as a ``.bk2`` movie (True: the working directory). Any number of environments may be
    open in one process. Raises SessionError, DocumentError, HostError.
    """
    return GameEnv(
        directory,
        state=state,
        scenario=scenario,
        players=players,
        actions=actions,
        observation=observation,
        render_mode=render_mode,
        record=record,
    )


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
    **options: Any,
) -> VectorGames:
    """Many environments of one game, stepped together: a Gymnasium vector environment.

    Emulators run in threads of this process; :class:`VectorGames` tells how they step, and
    :class:`Preprocessing` what the options do. ``options`` are those of :func:`make_env`.
    ``isolated`` gives each emulator a process: a core that dies or hangs truncates its episode,
    ``infos["restarted"]`` counts such ends, and training goes on; see :class:`IsolatedEnv`. A
    core that cannot be loaded twice does so too, with a warning. Both give the same numbers. Raises
    what :func:`make_env` raises.
    """
    preprocessing = Preprocessing(
        frame_skip, sticky, max_steps, crop, resize, grayscale, stack, maxpool
    )
    make = partial(AgentEnv, directory, preprocessing, **options)
    if not isolated:
        try:
            return VectorGames(make, num_envs, threads=threads)
        except CoreLoadError as error:
            warn(f"emulators run in processes of their own: the core has no double: {error}")
    return VectorGames(partial(IsolatedEnv, make), num_envs, threads=threads)


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
