"""Plays an agent's episodes from a start state, each with its own seed, and records movies."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from integrator.agents.agent import Agent
from integrator.agents.result import ERROR, AgentTrial, EpisodeResult, LiveFiles, Playing
from integrator.agents.table import find_agent
from integrator.domain.errors import IntegratorError, SaveError, message_of
from integrator.domain.files.atomic import writing
from integrator.domain.scenario.scoring import ScenarioEngine
from integrator.env.emulator import PlainScoring
from integrator.env.game_env import GameEnv
from integrator.session.frame.pipeline import scenario_spec
from libretro_host.errors import HostError

_CHUNK_FRAMES: Final = 512


class TermSums:
    """Sums up the terms of player 1's reward over an episode; has none if scripts score."""

    def __init__(self, env: GameEnv) -> None:
        self._env = env
        self._engine: ScenarioEngine | None = None
        # The first row is the last scored frame; the others are not scored yet.
        self._rows: list[tuple[int, ...]] = []
        self._sums: dict[str, float] = {}
        if isinstance(env.emulator.scoring, PlainScoring):
            plan = env.emulator.plan
            spec = scenario_spec(plan.integration, plan.scenario)
            self._engine = ScenarioEngine(spec, plan.players)
            self._names = tuple(sorted(spec.variables))

    def begin(self) -> None:
        self._sums, self._rows = {}, []
        if self._engine is not None:
            self._engine.reset()
            self.add(self._env.emulator.values())

    def add(self, values: Mapping[str, int]) -> None:
        if self._engine is not None:
            self._rows.append(tuple(values[name] for name in self._names))
            if len(self._rows) > _CHUNK_FRAMES:
                self._score()

    @property
    def sums(self) -> dict[str, float]:
        self._score()
        return dict(self._sums)

    def _score(self) -> None:
        if self._engine is None or len(self._rows) < 2:
            return
        before, *rows = self._rows
        columns = dict(zip(self._names, np.array(rows, np.int64).T, strict=True))
        first = dict(zip(self._names, before, strict=True))
        for name, column in self._engine.score_chunk(columns, first, len(rows)).terms[0]:
            self._sums[name] = self._sums.get(name, 0.0) + float(column.sum(dtype=np.float64))
        self._rows = rows[-1:]


@dataclass(frozen=True, slots=True)
class EpisodeJob:
    """Some episodes of a trial, by one agent and from one start state."""

    trial: AgentTrial
    agent: str
    state: str
    first: int
    episodes: int

    @property
    def out(self) -> Path | None:
        parts = (part.replace(":", "-") for part in (self.agent, self.state or "start"))
        folder = self.trial.out and self.trial.out / "-".join(parts)
        return folder and folder / f"{self.first:06}"

    def files(self) -> "closing[LiveFiles]":
        return closing(LiveFiles(self.trial.live, f"{self.agent}-{self.state}-{self.first}"))

    def failed(self, played: int, error: str) -> EpisodeResult:
        """Return the result of a failed episode, which follows ``played`` ones of the job."""
        seed, episode = self.trial.seed, self.first + played
        return EpisodeResult(self.agent, self.state, seed, episode, ended=ERROR, error=error)


def jobs_of(trial: AgentTrial, agent: str, state: str) -> list[EpisodeJob]:
    """Make the jobs of an agent from a state, several unless it learns. Raises SessionError."""
    # The share must not depend on the number of processors, because results depend on it.
    share = trial.episodes if find_agent(agent).learns else 10
    firsts = range(0, trial.episodes, share)
    return [EpisodeJob(trial, agent, state, at, min(share, trial.episodes - at)) for at in firsts]


def play_job(job: EpisodeJob) -> list[EpisodeResult]:
    """Play the episodes of a job; an error becomes the last result, so that other jobs go on."""
    found: list[EpisodeResult] = []
    with job.files() as live:
        try:
            for result in _play(job, live):
                found.append(result)
                live.add(result)
        except (IntegratorError, OSError) as error:
            found.append(job.failed(len(found), message_of(error)))
            live.add(found[-1])
    return found


def died(job: EpisodeJob, error: HostError) -> list[EpisodeResult]:
    """Return the ended episodes from the job's files, and the one in which the process died."""
    with job.files() as live:
        found = live.results()
        if len(found) == job.episodes:
            return found
        text = f"{job.trial.game}: episode {job.first + len(found)} of {job.agent}: {error}"
        found.append(job.failed(len(found), text))
        live.add(found[-1])
    return found


def _play(job: EpisodeJob, live: LiveFiles) -> Iterator[EpisodeResult]:
    trial, kind = job.trial, find_agent(job.agent)
    with ExitStack() as stack:
        if job.out:
            stack.enter_context(writing(job.out))
        env = GameEnv(
            trial.game,
            state=job.state or None,
            scenario=trial.scenario,
            record=job.out,
            unlimited=kind.unlimited,
        )
        stack.enter_context(closing(env))
        agent, terms = kind.make(env, trial.episodes), TermSums(env)
        for episode in range(job.first, job.first + job.episodes):
            live.playing = Playing(job.agent, job.state, episode)
            agent.begin(np.random.default_rng([trial.seed, episode]))
            reward, frames, done = _episode(env, agent, trial.most_frames, terms, live)
            env.finish_movie()
            if job.out and not env.movie_path:
                raise SaveError(f"{job.out}: a movie could not be written; free some disk space")
            yield EpisodeResult(
                agent=job.agent,
                state=job.state,
                seed=trial.seed,
                episode=episode,
                reward=reward,
                frames=frames,
                seconds=frames / env.metadata["render_fps"],
                ended="done" if done else "frames",
                movie=str(env.movie_path) if env.movie_path else None,
                terms=terms.sums,
            )


def _episode(
    env: GameEnv, agent: Agent, most_frames: int, terms: TermSums, live: LiveFiles
) -> tuple[float, int, bool]:
    observation, _ = env.reset()
    terms.begin()
    total, frames = 0.0, 0
    while True:
        action, earned, done = agent.act(observation), 0.0, False
        stop = min(frames + 4, most_frames)  # each action is held for four frames, as is usual
        while frames < stop and not done:
            observation, reward, done, _, values = env.step(action)
            terms.add(values)
            earned += reward
            frames += 1
        total += earned
        live.show(observation, total)
        ended = done or frames == most_frames
        agent.see(earned, ended=ended)
        if ended:
            return total, frames, done
