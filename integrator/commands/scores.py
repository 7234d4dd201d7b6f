"""``integrator scores``: computes the Retro Contest's score over games and start states."""

import csv
import io
import json
import statistics
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from rich.table import Table

from integrator.agents.table import find_agent
from integrator.commands.shared.console import plain_console, tracked
from integrator.commands.shared.fanout import fan_out, message_at
from integrator.commands.shared.options import require_path
from integrator.domain.errors import DocumentError, IntegratorError, SessionError
from integrator.domain.files.atomic import writing
from integrator.domain.files.reading import TEXT_BYTES, decoding, read_text
from integrator.domain.integration.directory import load_integration
from integrator.domain.movies.reading import movies_below, read_movie
from integrator.env.making import CONTEST_STEPS, contest_env
from integrator.session.opening import movie_consoles, open_session, plan_session
from integrator.session.recorded_rows import run_sound
from integrator.session.setup.plan import fingerprint
from integrator.session.setup.roots import find_integration

FRAMES_A_STEP: Final = 4
CONTEST_FRAMES: Final = FRAMES_A_STEP * CONTEST_STEPS
Level = tuple[Path, str]  # the integration directory of a game, and the name of a start state


@dataclass(frozen=True, slots=True)
class LevelJob:
    """A level for an agent to play, or a ``movie`` of it; ``fingerprint`` is '' if unknown."""

    game: Path
    state: str
    agent: str = ""
    episodes: int = 1
    seed: int = 0
    movie: Path | None = None
    fingerprint: str = ""

    @property
    def key(self) -> str:
        """The identity of the job: jobs with the same key have the same result."""
        player = self.movie or f"{self.agent} x {self.episodes}, seed {self.seed}"
        return f"{self.game} | {self.state} | {player} | {self.fingerprint}"


@dataclass(frozen=True, slots=True)
class LevelResult:
    """The reward and steps of each episode of a job; ``error`` is the reason if there are none."""

    key: str
    game: str
    state: str
    rewards: tuple[float, ...] = ()
    steps: tuple[int, ...] = ()
    error: str = ""


def play_level(job: LevelJob) -> LevelResult:
    """Play a job; an error becomes the result, so that other jobs go on."""
    try:
        played = _movie(job, job.movie) if job.movie else _episodes(job)
    except (IntegratorError, OSError) as error:
        return unplayed(job, error)
    rewards, steps = zip(*played, strict=True)
    return LevelResult(job.key, str(job.game), job.state, rewards, steps)


def unplayed(job: LevelJob, error: Exception) -> LevelResult:
    text = message_at(job.movie or job.game, error)
    return LevelResult(job.key, str(job.game), job.state, error=text)


def _episodes(job: LevelJob) -> list[tuple[float, int]]:
    kind, state = find_agent(job.agent), job.state or None
    with closing(contest_env(job.game, state=state, unlimited=kind.unlimited)) as env:
        agent = kind.make(env, job.episodes)
        found = []
        for number in range(job.episodes):
            agent.begin(np.random.default_rng([job.seed, number]))
            # The sticky buttons have their own random numbers, the same for every agent.
            sticky = int(np.random.default_rng([job.seed, number, 1]).integers(1 << 31))
            observation, _ = env.reset(seed=sticky)
            total, steps, ended = 0.0, 0, False
            while not ended:
                observation, reward, done, truncated, _ = env.step(agent.act(observation))
                steps += 1
                total += reward
                ended = done or truncated
                agent.see(reward, ended=ended)
            found.append((total, steps))
        return found


def _movie(job: LevelJob, path: Path) -> list[tuple[float, int]]:
    with open_session(job.game) as session:
        # Row 0 is the idle frame of the reset, so one more row is played.
        played = run_sound(session, path, CONTEST_FRAMES + 1)
        log = session.timeline.log
        done = log.done(2, played.stop)
        frames = int(done.argmax()) + 1 if done.any() else len(done)
        played.refuse_desync(path, frames + 1, "leave it out")
        rewards = log.rewards(2, played.stop)[:frames, 0]
        return [(float(np.sum(rewards, dtype=np.float64)), -(-frames // FRAMES_A_STEP))]


def read_levels(path: Path) -> list[Level]:
    """Read the rows ``game,state`` of a CSV. Raises SessionError, which names the line."""
    require_path(path)
    if path.is_dir():
        raise SessionError(f"{path}: it is a folder; name a CSV file with rows of game,state")
    levels = []
    with decoding(DocumentError, str(path), "save it as UTF-8"):
        rows = list(csv.reader(io.StringIO(read_text(path, TEXT_BYTES))))
    for number, row in enumerate(rows, 1):
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells == ["game", "state"]:
            continue
        if len(cells) != 2 or not all(cells):
            raise SessionError(f"{path}:{number}: a row is game,state; this one is {','.join(row)}")
        neighbor = path.parent / cells[0]
        game = neighbor if neighbor.is_dir() else find_integration(cells[0], path)
        if not load_integration(game).state_files.exists(cells[1]):
            raise SessionError(f"{path}:{number}: {game} has no start state {cells[1]!r}")
        levels.append((game.absolute(), cells[1]))
    if not levels:
        raise SessionError(f"{path}: there is no level in it; write rows of game,state")
    return levels


def agent_jobs(levels: Sequence[Level], agent: str, episodes: int, seed: int) -> list[LevelJob]:
    """Make one job per level, as an agent may learn between episodes. Raises SessionError."""
    code = find_agent(agent).code
    return [
        LevelJob(game, state, agent, episodes, seed, fingerprint=_fingerprint(game, state, *code))
        for game, state in levels
    ]


def movie_jobs(levels: Sequence[Level], movies: Path) -> list[LevelJob]:
    """Make a job for each movie of a level below a folder. Raises SessionError, MovieError."""
    require_path(movies)
    consoles, begins = movie_consoles(), {}
    for game, state in levels:
        begins[game.name, load_integration(game).read_state(state)] = (game, state)
    jobs = []
    for path in movies_below(movies):
        movie = read_movie(path, consoles)
        level = begins.get((movie.game, movie.state or b""))
        if level is not None:
            made_of = _fingerprint(*level, path)
            jobs.append(LevelJob(*level, movie=path.absolute(), fingerprint=made_of))
    missing = [level for level in levels if level not in {(job.game, job.state) for job in jobs}]
    if missing:
        game, state = missing[0]
        raise SessionError(f"{movies}: no movie begins at {state} of {game.name}; add one")
    return sorted(jobs, key=lambda job: levels.index((job.game, job.state)))


def _fingerprint(game: Path, state: str, *players: Path) -> str:
    """Return a result's fingerprint; empty if the game cannot be opened, as its job reports."""
    try:
        return fingerprint(plan_session(game), state, *players)
    except (IntegratorError, OSError):
        return ""


def play_all(
    jobs: Sequence[LevelJob], *, out: Path | None, processes: int, cluster: str | None, quiet: bool
) -> list[LevelResult]:
    """Return the result of each job; play only those not in the file ``out``, and add them."""
    known = _read_results(out) if out is not None and out.exists() else {}
    waiting = [job for job in jobs if job.key not in known]
    results = fan_out(play_level, waiting, processes, cluster, unplayed)
    done = len(jobs) - len(waiting)
    for result in tracked(results, "levels", len(jobs), quiet=quiet, done=done):
        known[result.key] = result
        if out is not None and not result.error:
            _append(out, result)
    return [known[job.key] for job in jobs]


def _append(out: Path, result: LevelResult) -> None:
    """Append a line for a result, so that a killed run loses only the line it was writing."""
    with writing(out), out.open("ab") as stream:
        stream.write(b"\n" + json.dumps(asdict(result)).encode() + b"\n")


def _read_results(out: Path) -> dict[str, LevelResult]:
    found = {}
    for line in read_text(out, TEXT_BYTES, "replace").splitlines():
        # A line may be empty or, after a killed run, incomplete.
        with suppress(ValueError, KeyError, TypeError):
            row = json.loads(line)
            rewards, steps = tuple(map(float, row["rewards"])), tuple(map(int, row["steps"]))
            key = row["key"]
            found[key] = LevelResult(key, row["game"], row["state"], rewards, steps)
    return found


def to_json(results: Sequence[LevelResult]) -> dict[str, Any]:
    """Return each level's mean reward, and as score their mean; None if a level has no episode."""
    levels: list[dict[str, Any]] = []
    for game, state in dict.fromkeys((each.game, each.state) for each in results):
        mine = [each for each in results if (each.game, each.state) == (game, state)]
        rewards = [reward for each in mine for reward in each.rewards]
        mean = statistics.fmean(rewards) if rewards else None
        level = {"game": game, "state": state, "episodes": len(rewards), "mean": mean}
        steps = [count for each in mine for count in each.steps]
        errors = [each.error for each in mine if each.error]
        levels.append({**level, "rewards": rewards, "steps": steps, "errors": errors})
    means: list[float] = [level["mean"] for level in levels if level["mean"] is not None]
    whole = len(means) == len(levels) and not any(each.error for each in results)
    return {"score": statistics.fmean(means) if whole else None, "levels": levels}


def print_scores(results: Sequence[LevelResult]) -> None:
    report, table = to_json(results), Table()
    for column in ("game", "state", "episodes", "mean reward"):
        table.add_column(column, no_wrap=True)
    for level in report["levels"]:
        mean = "" if level["mean"] is None else f"{level['mean']:.6g}"
        table.add_row(Path(level["game"]).name, level["state"], str(level["episodes"]), mean)
    plain_console().print(table)
    score = report["score"]
    plain_console().print("no score: a level failed" if score is None else f"score {score:.6g}")
    for each in results:
        if each.error:
            plain_console(stderr=True, soft_wrap=True).print(f"integrator: {each.error}")
