"""``integrator agents``: agents play a game from its start states; their episodes are summed up."""

from __future__ import annotations

import os
import signal
import statistics
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from integrator.agents.episodes import jobs_of, play_job
from integrator.agents.result import EpisodeResult
from integrator.agents.table import find_agent
from integrator.commands.shared.arguments import require_path
from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.fanout import default_jobs, fan_out
from integrator.domain.errors import SessionError
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.layout import is_integration

ALL_STATES = "all"


def play_agents(
    game: Path,
    agents: Sequence[str],
    *,
    states: Sequence[str] = (),
    episodes: int = 10,
    most_frames: int = 18_000,
    seed: int = 0,
    scenario: str | None = None,
    out: Path | None = None,
    live: Path | None = None,
    jobs: int = 0,
    cluster: str | None = None,
    quiet: bool = False,
) -> list[EpisodeResult]:
    """Let each agent play ``episodes`` from each state; results in the order of the arguments.

    ``states`` are names, ``all`` for every start state; none is the scenario's own. The same seed
    gives the same movies, whatever the number of processes. ``live`` is a folder that
    :class:`~integrator.agents.live.LiveFolder` reads meanwhile. An episode that fails has its error
    in its result. Raises SessionError for an unknown agent or state.
    """
    require_path(game)
    if live is not None:
        live.mkdir(parents=True, exist_ok=True)
    for name in agents:
        find_agent(name)
    every = [
        job
        for agent in agents
        for state in _states(game, states)
        for job in jobs_of(
            game.absolute(),
            agent,
            state,
            episodes=episodes,
            most_frames=most_frames,
            seed=seed,
            out=out and out.absolute(),
            scenario=scenario,
            live=live and live.absolute(),
        )
    ]
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    found: list[EpisodeResult] = []
    with plain_progress(*columns, quiet=quiet, transient=True) as shown:
        task = shown.add_task("episodes", total=sum(job.episodes for job in every))
        for job, results in zip(
            every, fan_out(play_job, every, jobs or default_jobs(), cluster), strict=True
        ):
            found += results
            shown.advance(task, job.episodes)
    return found


def end_with_parent() -> None:
    """Interrupt the work when standard input is closed: by the window, or by the window's death."""
    main = threading.main_thread().ident

    def wait() -> None:
        # Not by sys.stdin: Python waits for its lock when it ends.
        while os.read(sys.stdin.fileno(), 1):
            pass
        if main is not None:
            signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def _states(game: Path, wanted: Sequence[str]) -> list[str]:
    """The names of start states; the empty one is the scenario's own."""
    if not wanted:
        return [""]
    known = list(load_integration(game).states) if is_integration(game) else []
    if ALL_STATES in wanted:
        return known or [""]
    for name in wanted:
        if name not in known:
            raise SessionError(f"{game}: no start state {name!r}; it has {', '.join(known)}")
    return list(wanted)


def to_json(results: Sequence[EpisodeResult]) -> dict[str, Any]:
    """All episodes, as plain values."""
    return {
        "episodes": [{**asdict(each), "reward_a_minute": each.reward_a_minute} for each in results]
    }


def print_results(results: Sequence[EpisodeResult]) -> None:
    """Print a row for each agent and state, then the errors."""
    table = Table()
    columns = (
        "agent",
        "state",
        "episodes",
        "reward",
        "most",
        "a minute",
        "frames",
        "done",
    )
    for column in columns:
        table.add_column(column, no_wrap=True)
    groups = dict.fromkeys((each.agent, each.state) for each in results)
    for agent, state in groups:
        played = [r for r in results if (r.agent, r.state) == (agent, state) and not r.error]
        if not played:
            continue
        rewards = [each.reward for each in played]
        table.add_row(
            agent,
            state,
            str(len(played)),
            f"{statistics.fmean(rewards):.6g}",
            f"{max(rewards):.6g}",
            f"{statistics.fmean(each.reward_a_minute for each in played):.6g}",
            f"{statistics.fmean(each.frames for each in played):.0f}",
            f"{sum(each.ended == 'done' for each in played)} of {len(played)}",
        )
    plain_console().print(table)
    for each in results:
        if each.error:
            plain_console(stderr=True, soft_wrap=True).print(f"integrator: {each.error}")
