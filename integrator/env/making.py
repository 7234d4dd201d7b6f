"""Makes environments out of integration directories: the public functions."""

from __future__ import annotations

from pathlib import Path

from integrator.env.game_env import GameEnv


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

    It gives what stable-retro's ``RetroEnv`` gives. ``state`` and ``scenario`` choose a start state
    and a scenario file by name. ``actions`` is ``filtered``, ``discrete``, ``multi-discrete`` or
    ``all``; ``observation`` is ``image`` or ``ram``. ``record`` is a folder that gets each episode
    as a ``.bk2`` movie (True: the working directory). Any number of environments may be open in one
    process. Raises SessionError, DocumentError, HostError.
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
