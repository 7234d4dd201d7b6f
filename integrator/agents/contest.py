"""Episodes by the Retro Contest's protocol: of an agent that plays, and of movies.

A step is four frames, of which the first keeps the buttons of the step before with probability
0.25; an episode ends with done or after 4,500 steps. The reward is the scenario's.
"""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from integrator.agents.agent import Agent
from integrator.agents.table import find_agent
from integrator.domain.errors import IntegratorError
from integrator.env.agent_env import AgentEnv
from integrator.env.making import CONTEST_STEPS, contest_env
from integrator.session.opening import open_session
from integrator.session.rework import run_movie

FRAMES_A_STEP: Final = 4
CONTEST_FRAMES: Final = FRAMES_A_STEP * CONTEST_STEPS


@dataclass(frozen=True, slots=True)
class LevelJob:
    """A level for an agent, or one ``movie`` of it; ``fingerprint`` is '' where not known."""

    game: Path
    state: str
    agent: str = ""
    episodes: int = 1
    seed: int = 0
    movie: Path | None = None
    fingerprint: str = ""

    @property
    def key(self) -> str:
        """Its identity: the same job has the same result."""
        player = self.movie or f"{self.agent} x {self.episodes}, seed {self.seed}"
        return f"{self.game} | {self.state} | {player} | {self.fingerprint}"


@dataclass(frozen=True, slots=True)
class LevelResult:
    """The reward and steps of each episode of a job; ``error`` is why there are none."""

    key: str
    game: str
    state: str
    rewards: tuple[float, ...] = ()
    steps: tuple[int, ...] = ()
    error: str = ""


def play_level(job: LevelJob) -> LevelResult:
    """Play a job; an error is in the result, so that other jobs go on."""
    try:
        played = _movie(job, job.movie) if job.movie else _episodes(job)
    except (IntegratorError, OSError) as error:
        return unplayed(job, error)
    rewards, steps = zip(*played, strict=True)
    return LevelResult(job.key, str(job.game), job.state, rewards, steps)


def unplayed(job: LevelJob, error: Exception) -> LevelResult:
    """The result of a job that could not be played."""
    return LevelResult(job.key, str(job.game), job.state, error=str(error))


def _episodes(job: LevelJob) -> list[tuple[float, int]]:
    with closing(contest_env(job.game, state=job.state or None)) as env:
        agent = find_agent(job.agent).make(env, job.episodes)
        return [_episode(env, agent, job.seed, number) for number in range(job.episodes)]


def _episode(env: AgentEnv, agent: Agent, seed: int, number: int) -> tuple[float, int]:
    agent.begin(np.random.default_rng([seed, number]))
    # The sticky buttons have random numbers of their own, the same for every agent.
    sticky = int(np.random.default_rng([seed, number, 1]).integers(1 << 31))
    observation, _ = env.reset(seed=sticky)
    total, steps, ended = 0.0, 0, False
    while not ended:
        observation, reward, done, truncated, _ = env.step(agent.act(observation))
        steps += 1
        total += reward
        ended = done or truncated
        agent.see(reward, ended=ended)
    return total, steps


def _movie(job: LevelJob, path: Path) -> list[tuple[float, int]]:
    """A movie's reward up to its first done, or to the time limit."""
    with open_session(job.game) as session:
        # Row 0 is the reset's idle frame.
        played = run_movie(session, session.game.read_movie(path), rows=CONTEST_FRAMES + 1)
        log = session.timeline.log
        done = log.done(2, played.stop)
        frames = int(done.argmax()) + 1 if done.any() else len(done)
        rewards = log.rewards(2, played.stop)[:frames, 0]
        return [(float(np.sum(rewards, dtype=np.float64)), -(-frames // FRAMES_A_STEP))]
