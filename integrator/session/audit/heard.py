"""One movie or probe of an audit: played in a core of its own, and judged there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from integrator.domain.audit.actions import without_effect
from integrator.domain.audit.play import Play, Scene, Trap
from integrator.domain.audit.rules import judge_play
from integrator.domain.errors import IntegratorError
from integrator.session.audit.probes import PROBE_FRAMES, Probe, play_buttons, try_buttons
from integrator.session.audit.replay import play_masks, play_movie
from integrator.session.opening import open_session
from integrator.session.session import Session
from libretro_host.errors import HostError


@dataclass(frozen=True, slots=True)
class Job:
    """A movie or a probe to play; with neither, each button is tried. Plain values."""

    game: Path
    players: int = 1
    movie: Path | None = None
    probe: Probe | None = None

    @property
    def source(self) -> str:
        """Its name in the report."""
        if self.movie is not None:
            return str(self.movie)
        return self.probe.name if self.probe else "buttons tried one by one"


@dataclass(frozen=True, slots=True)
class Heard:
    """The result of a job: its play without memory, its own traps, and the game's facts.

    ``error`` is the reason when it could not be played; there is no play then.
    """

    source: str
    play: Play | None = None
    traps: tuple[Trap, ...] = ()
    scene: Scene | None = None
    error: str = ""


def hear(job: Job) -> Heard:
    """Play and judge; an error is in the result, so that other jobs go on."""
    try:
        with open_session(job.game, players=job.players) as session:
            return _hear(job, session)
    except (IntegratorError, HostError, OSError) as error:
        return Heard(job.source, error=str(error))


def _hear(job: Job, session: Session) -> Heard:
    scene = scene_of(session)
    if job.movie is not None:
        play = play_movie(session, job.movie, job.source)
    elif job.probe is not None:
        buttons = tuple(play_buttons(session.system))
        masks = job.probe.masks(PROBE_FRAMES, session.game.players, buttons)
        play = play_masks(session, job.source, masks)
    else:
        return Heard(job.source, None, tuple(without_effect(try_buttons(session), scene)), scene)
    traps = tuple(judge_play(play, session.timeline.log.ram, scene))
    return Heard(job.source, play, traps, scene)


def scene_of(session: Session) -> Scene:
    """The facts of a session's game that rules need."""
    variables = dict(session.integration.variables)
    return Scene(
        limits={name: (spec.type.minimum, spec.type.maximum) for name, spec in variables.items()},
        buttons=session.system.buttons,
    )
