"""``integrator agents``: lets agents play a game from start states, and sums up the episodes."""

import _thread
import os
import signal
import statistics
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from rich.progress import BarColumn, MofNCompleteColumn, TimeElapsedColumn, TimeRemainingColumn

from integrator.agents.episodes import EpisodeJob, died, jobs_of, play_job
from integrator.agents.result import AgentTrial, EpisodeResult, LiveFolder
from integrator.agents.table import HELD, require_buttons
from integrator.commands.shared.console import plain_console, plain_progress
from integrator.commands.shared.fanout import fan_out
from integrator.commands.shared.options import require_path
from integrator.domain.errors import ChoiceError
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.naming import is_integration
from integrator.session.opening import plan_session
from integrator.session.setup.roots import game_at
from libretro_host.errors import HostError
from libretro_host.processes.temporary import OwnedFolder

# The titles of columns, and the widths for their numbers.
_NUMBERS: Final = {"episodes": 8, "reward": 11, "most": 11, "a minute": 11, "frames": 6, "done": 15}


def _groups(trial: AgentTrial) -> list[list[EpisodeJob]]:
    """Return the jobs of each agent and state. Raises SessionError for an unknown name."""
    game = game_at(trial.game)
    require_path(game)
    states = _states(game, trial.states)
    if any(agent.startswith(HELD) for agent in trial.agents):
        buttons = plan_session(game).descriptor.buttons
        for agent in trial.agents:
            require_buttons(agent, buttons)
    out, live = (folder and folder.absolute() for folder in (trial.out, trial.live))
    trial = replace(trial, game=game.absolute(), out=out, live=live)
    return [jobs_of(trial, agent, state) for agent in trial.agents for state in states]


def play_agents(trial: AgentTrial, *, quiet: bool = False) -> Iterator[list[EpisodeResult]]:
    """Play a trial; yield the ended episodes of each agent and state. Raises SessionError."""
    with ExitStack() as stack:
        live = trial.live
        if live is None and trial.cluster is None:
            # Jobs that Ctrl+C ends leave their episodes in a folder; a cluster may not reach it.
            live = stack.enter_context(OwnedFolder())
        groups = _groups(replace(trial, live=live))
        if live is not None:
            live.mkdir(parents=True, exist_ok=True)
        every = [job for group in groups for job in group]
        shown = stack.enter_context(_Shown(every, live, quiet=quiet).running())
        cut_short: set[EpisodeJob] = set()

        def lost(job: EpisodeJob, error: HostError) -> list[EpisodeResult]:
            cut_short.add(job)
            return died(job, error)

        results = fan_out(play_job, every, trial.jobs, trial.cluster, lost)
        found: list[EpisodeResult] = []
        try:
            while groups:
                found = []
                for job in groups[0]:
                    ended, rest = list(next(results)), job
                    # If a process died, another one plays the episodes that are left.
                    while rest in cut_short and len(ended) < job.episodes:
                        left = job.episodes - len(ended)
                        rest = replace(job, first=job.first + len(ended), episodes=left)
                        [more] = fan_out(play_job, [rest], 1, None, lost)
                        ended += more
                    shown.report(ended)  # before the job's row is printed
                    found += ended
                del groups[0]
                yield found
        except KeyboardInterrupt:
            ended = LiveFolder(live).results() if live is not None else found
            for job, *_ in groups:
                own = [each for each in ended if (each.agent, each.state) == (job.agent, job.state)]
                if own:
                    yield sorted(own, key=lambda each: each.episode)
            raise


class _Shown:
    """Prints a line on stderr for each episode when it ends, above a progress bar."""

    def __init__(self, jobs: Sequence[EpisodeJob], live: Path | None, *, quiet: bool) -> None:
        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self._progress = plain_progress(*columns, quiet=quiet, transient=True)
        self._task = self._progress.add_task("episodes", total=sum(job.episodes for job in jobs))
        self._agent = max(len(job.agent) for job in jobs)
        self._state = max(len(job.state) for job in jobs)
        self._folder = LiveFolder(live) if live is not None and not quiet else None
        self._lock, self._ended = threading.Lock(), threading.Event()

    @contextmanager
    def running(self) -> "Iterator[_Shown]":
        # Ctrl+C may come while the thread starts, so the program's end must not wait for a daemon.
        thread = threading.Thread(target=self._watch, name="episodes", daemon=True)
        with self._progress:
            try:
                if self._folder is not None:
                    thread.start()
                yield self
            finally:
                self._ended.set()
                if thread.ident is not None:
                    thread.join()
                self.report()

    def _watch(self) -> None:
        while not self._ended.wait(0.25):
            self.report()

    def report(self, results: Sequence[EpisodeResult] = ()) -> None:
        """Report the new episodes of the folder; without a folder, report ``results``."""
        with self._lock:
            if self._folder is not None:
                results = self._folder.results()
            elif self._progress.disable:
                results = ()
            for result in results:
                if not result.error:  # errors are printed with the rows
                    end = "the most frames" if result.ended == "frames" else result.ended
                    line = (
                        f"{result.agent:{self._agent}}  {result.state:{self._state}}  episode "
                        f"{result.episode}: reward {result.reward:.6g} in {result.frames:,} "
                        f"frames, ended by {end}"
                    )
                    self._progress.console.print(line, soft_wrap=True)
                self._progress.advance(self._task)


def end_with_parent() -> None:
    """Interrupt the work when the window, or the end of its process, closes standard input."""
    main = threading.main_thread().ident

    def wait() -> None:
        # Do not read sys.stdin, because Python waits for its lock when the program ends.
        while os.read(sys.stdin.fileno(), 1):
            pass
        if sys.platform == "win32":
            _thread.interrupt_main()
        elif main is not None:
            signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=wait, name="parent", daemon=True).start()


def _states(game: Path, wanted: Sequence[str]) -> list[str]:
    if not wanted:
        return [""]
    known = list(load_integration(game).states) if is_integration(game) else []
    if "all" in wanted:
        return known or [""]
    for name in wanted:
        if name not in known:
            raise ChoiceError(f"{game}: no start state {name!r}; it has {', '.join(known)}")
    return list(wanted)


def to_json(results: Sequence[EpisodeResult]) -> dict[str, Any]:
    rows = [{**asdict(each), "reward_a_minute": each.reward_a_minute} for each in results]
    return {"episodes": rows}


class ResultRows:
    """Prints a row for each agent and state once its episodes have ended, and then its errors."""

    def __init__(self, trial: AgentTrial) -> None:
        jobs = [group[0] for group in _groups(trial)]
        self._agent = max(5, *(len(job.agent) for job in jobs))
        self._state = max(5, *(len(job.state) for job in jobs))
        self._begun = False

    def add(self, results: Sequence[EpisodeResult]) -> None:
        """Print the row of the episodes of an agent and state, and their errors."""
        if not self._begun:
            self._print("agent", "state", *_NUMBERS)
            self._begun = True
        if played := [each for each in results if not each.error]:
            mean, rewards = statistics.fmean, [each.reward for each in played]
            numbers = (mean(rewards), max(rewards), mean(each.reward_a_minute for each in played))
            frames, ended = mean(each.frames for each in played), [each.ended for each in played]
            cells = (str(len(played)), *(f"{number:.6g}" for number in numbers), f"{frames:.0f}")
            done = f"{ended.count('done')} of {len(played)}"
            self._print(played[0].agent, played[0].state, *cells, done)
        for each in results:
            if each.error:
                plain_console(stderr=True, soft_wrap=True).print(f"integrator: {each.error}")

    def _print(self, agent: str, state: str, *numbers: str) -> None:
        cells = map(str.rjust, numbers, _NUMBERS.values())
        names = f"{agent:{self._agent}}", f"{state:{self._state}}"
        plain_console(soft_wrap=True).print("  ".join((*names, *cells)))
