"""Lets agents play beside the window, in processes of their own, and tells what they do.

Agents may be foreign code, and cores may crash; neither may harm an open document. The work is
therefore one ``integrator agents``, which ends when its standard input is closed.
"""

import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from integrator.agents.result import EpisodeResult, LiveFolder, Playing
from integrator.domain.errors import SessionError
from integrator.domain.files.reading import read_text
from integrator.session.setup.plan import SessionPlan
from libretro_host.processes import children
from libretro_host.processes.temporary import OwnedFolder

_LOOK_SECONDS: Final = 0.25
_END_SECONDS: Final = 15.0
"""Time to end by itself; the work is killed afterwards."""
_MOST_LOG_BYTES: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class AgentTrial:
    """Agents that are to play a game: the arguments of ``integrator agents``.

    ``states`` are names; none is the scenario's own start state.
    """

    game: Path
    agents: tuple[str, ...]
    states: tuple[str, ...] = ()
    episodes: int = 10
    most_frames: int = 18_000
    seed: int = 0
    scenario: str | None = None
    jobs: int = 0
    cluster: str | None = None

    @property
    def all_episodes(self) -> int:
        """The number of episodes in all."""
        return len(self.agents) * max(1, len(self.states)) * self.episodes

    def command(self, out: Path, live: Path) -> list[str]:
        """The command that plays, with movies in ``out``."""
        options: list[object] = ["--out", out, "--live", live, "--json"]
        options += ["--episodes", self.episodes, "--frames", self.most_frames, "--seed", self.seed]
        options += [part for agent in self.agents for part in ("--agent", agent)]
        options += [part for state in self.states for part in ("--state", state)]
        options += ["--scenario", self.scenario] if self.scenario else []
        options += ["--cluster", self.cluster] if self.cluster else ["--jobs", self.jobs]
        return children.module_command("integrator", "agents", self.game, *options)


def on_disk(plan: SessionPlan, folder: Path) -> Path:
    """The directory of a plan's game with its present documents; a copy in ``folder`` if needed.

    Another process reads it. Raises SaveError, DocumentError.
    """
    integration = plan.integration
    if integration.rom is None:
        return plan.kept(folder, integration.name).integration.directory
    if not integration.modified:
        return integration.directory
    integration.save(folder / integration.name, follow_links=True)
    return integration.directory


@dataclass(frozen=True, slots=True)
class News:
    """Episodes that ended since the last look, and pictures (PNG) of episodes that play now."""

    results: Sequence[EpisodeResult]
    playing: Sequence[tuple[Playing, bytes]]


def play_beside(
    trial: AgentTrial, out: Path, stopped: Callable[[], bool], tell: Callable[[News], None]
) -> None:
    """Play a trial to its end, or until ``stopped``; movies go to ``out``.

    ``tell`` hears of every episode. Raises SessionError when nothing could be played.
    """
    told = 0

    def hear(news: News) -> None:
        nonlocal told
        told += len(news.results)
        tell(news)

    with OwnedFolder() as folder:
        live, log = LiveFolder(folder), folder / "log.txt"
        with log.open("wb") as stderr:
            work = children.start(
                trial.command(out, live.folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
            )
        try:
            ended = _follow(work, live, stopped, hear)
        finally:
            _end(work)
        hear(News(live.results(), ()))
        if ended and work.returncode and not told:
            raise SessionError(_last_line(log))


def _follow(
    work: subprocess.Popen[bytes],
    live: LiveFolder,
    stopped: Callable[[], bool],
    tell: Callable[[News], None],
) -> bool:
    """True when the work ended by itself; False when it is to stop."""
    while not stopped():
        try:
            work.wait(_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            tell(News(live.results(), live.playing()))
        else:
            return True
    return False


def _end(work: subprocess.Popen[bytes]) -> None:
    if work.stdin is not None:
        work.stdin.close()
    try:
        work.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        work.kill()
        work.wait()


def _last_line(log: Path) -> str:
    lines = read_text(log, _MOST_LOG_BYTES, "replace").strip().splitlines()
    return lines[-1].removeprefix("integrator: ") if lines else "the agents ended without a word"
