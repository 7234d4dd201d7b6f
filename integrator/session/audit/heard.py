"""The movies and probes of an audit: each played in a core of its own, and judged there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.actions import without_effect
from integrator.domain.audit.ending import lost_control
from integrator.domain.audit.play import Scene, ScoredPlay, Trap
from integrator.domain.audit.rules import MISSED, judge_game, judge_play, named, ranked
from integrator.domain.errors import IntegratorError
from integrator.domain.integration.directory import Integration
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.scenario.tree import Measurement
from integrator.session.audit.probes import (
    PROBE_FRAMES,
    Probe,
    controls_lost,
    goes_on,
    play_buttons,
    probes_of,
    try_buttons,
)
from integrator.session.opening import open_session
from integrator.session.rework import import_movie
from integrator.session.scoring.rescorer import Rescorer
from integrator.session.scoring.rules import Rules
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from libretro_host.errors import HostError

CHUNK_FRAMES: Final = 240


def play_masks(session: Session, masks: NDArray[np.uint16], recording: Path | None = None) -> None:
    """Play masks (frames, players) as a probe, from the start state on; a movie, if wanted."""
    session.reset()
    if recording is not None:
        session.record(recording)
    for first in range(0, len(masks), CHUNK_FRAMES):
        session.run(masks[first : first + CHUNK_FRAMES])
    session.stop_recording()


def recorded_play(session: Session, source: str, integration: Integration) -> ScoredPlay:
    """The current line of a session's timeline, from its last episode's first frame on.

    ``integration`` scores the play: the session's own, or another one of the same game. Raises
    ScenarioError, and ScriptError for the first failure of a script.
    """
    log = session.timeline.log
    rules = Rules.present(integration, session.game.scenario_name)
    scorer = Rescorer(
        log, session.memory.space, rules, session.game.players, keep_terms=True, keep_columns=True
    )
    while not scorer.finished:
        scorer.step(float("inf"))
        if scorer.failure is not None:
            raise scorer.failure  # training would end here
    scored, columns = scorer.scored(), scorer.scores_from(1).columns
    return ScoredPlay(
        source=source,
        fps=session.game.fps,
        inputs=log.inputs()[:, 0],
        rewards=scored.rewards[:, 0],
        terms={name: column for (player, name), column in scorer.terms.items() if player == 0},
        done=scored.done,
        values={name: column.astype(np.int64) for name, column in columns.items()},
    )


@dataclass(frozen=True, slots=True)
class AuditJob:
    """A movie or a probe to play; with neither, each button is tried from ``state``.

    ``state`` is None for the game's own start state. ``record`` is a folder for the probe's movie.
    Plain values: the job travels to other processes.
    """

    game: Path
    players: int = 1
    movie: Path | None = None
    probe: Probe | None = None
    state: str | None = None
    record: Path | None = None

    @property
    def recording(self) -> Path | None:
        """The movie that a probe's play is written to."""
        if self.record is None or self.probe is None:
            return None
        return self.record / f"{self.probe.name.replace(' ', '-').replace(',', '')}.bk2"

    @property
    def source(self) -> str:
        """Its name in the report: the movie, or the probe."""
        movie = self.movie or self.recording
        if movie is not None:
            return str(movie)
        if self.probe is not None:
            return self.probe.name
        return "buttons tried one by one" + (f" from {self.state}" if self.state else "")


@dataclass(frozen=True, slots=True)
class Heard:
    """The result of a job: its play without memory, its own traps, and the game's facts.

    ``error`` is the reason when it could not be played; there is no play then.
    """

    source: str
    play: ScoredPlay | None = None
    traps: tuple[Trap, ...] = ()
    scene: Scene | None = None
    error: str = ""


def probe_jobs(plan: SessionPlan, record: Path | None = None) -> list[AuditJob]:
    """A game's probes, and its buttons tried from every start state."""
    game, players = plan.integration.directory, plan.players
    probes = [
        AuditJob(game, players, probe=probe, record=record) for probe in probes_of(plan.descriptor)
    ]
    tried = [AuditJob(game, players, state=state) for state in plan.integration.states]
    return [*probes, *(tried or [AuditJob(game, players)])]


def hear(job: AuditJob) -> Heard:
    """Play and judge by the documents on disk; an error is in the result, others go on."""
    return _safely(job, lambda: open_session(job.game, state=job.state, players=job.players))


def unscorable(game: Path, players: int) -> str:
    """The reason why a game cannot be played or its scenario scores no frame; empty for none."""
    try:
        with open_session(game, players=players) as session:
            play_masks(session, np.zeros((2, players), np.uint16))
            recorded_play(session, "", session.integration)
    except (IntegratorError, OSError) as error:
        return str(error)
    return ""


def unheard(job: AuditJob, error: HostError) -> Heard:
    """The result of a job whose process died."""
    return Heard(job.source, error=f"{job.game}: {error}")


def hear_beside(job: AuditJob, plan: SessionPlan) -> Heard:
    """As :meth:`hear`, by the documents of an open game, in a hidden core beside it."""
    state = job.state or plan.state
    return _safely(job, lambda: Session(replace(plan.hidden(), state=state)))


def hear_all(
    jobs: Sequence[AuditJob],
    plan: SessionPlan,
    stopped: Callable[[], bool],
    progress: Callable[[int, int], object],
) -> list[Heard]:
    """The results of jobs in hidden cores, one after the other, until ``stopped``."""
    heard: list[Heard] = []
    while len(heard) < len(jobs) and not stopped():
        heard.append(hear_beside(jobs[len(heard)], plan))
        progress(len(heard), len(jobs))
    return heard


def gathered(heard: Sequence[Heard]) -> list[Trap]:
    """The traps of a game by all its plays, ranked."""
    scene = next((each.scene for each in heard if each.scene is not None), Scene({}, ()))
    plays = [each.play for each in heard if each.play is not None]
    own = [trap for each in heard for trap in each.traps]
    return ranked([*own, *judge_game(plays, scene)])


def _safely(job: AuditJob, opened: Callable[[], Session]) -> Heard:
    try:
        with opened() as session:
            return _hear(job, session)
    except (IntegratorError, OSError) as error:
        return Heard(job.source, error=str(error))


def _hear(job: AuditJob, session: Session) -> Heard:
    [heard] = hear_as(job, session, [session.integration])
    return heard


def hear_as(job: AuditJob, session: Session, scored_by: Sequence[Integration]) -> list[Heard]:
    """Play a job once, and judge it as each of the integrations of the session's game scores it."""
    buttons = tuple(play_buttons(session.system))
    scenes = [scene_of(session, each) for each in scored_by]
    if job.movie is not None:
        import_movie(session, job.movie)
    elif job.probe is not None:
        masks = job.probe.masks(PROBE_FRAMES, session.game.players, buttons)
        play_masks(session, masks, job.recording)
    else:
        effects = try_buttons(session, job.source)
        return [
            Heard(job.source, None, tuple(without_effect(effects, scene)), scene)
            for scene in scenes
        ]
    plays = [recorded_play(session, job.source, each) for each in scored_by]
    found = [
        judge_play(play, session.timeline.log.ram, scene)
        for play, scene in zip(plays, scenes, strict=True)
    ]
    if scenes[0].holds_menu(plays[0]):
        if any(found) and not goes_on(session, plays[0].frames):
            found = [[_in_a_menu(trap) for trap in traps] for traps in found]
        endless = []  # a game that stands in a pause or a menu knows no other buttons
    else:
        endless = [row for row, play in enumerate(plays) if not play.done.any()]
    # The timeline branches there, so it comes last.
    lost = controls_lost(session, plays[0].frames) if endless else None
    if lost is not None:
        for row in endless:
            found[row].append(named(lost_control(plays[row], lost), "done-missed", MISSED))
    return [
        Heard(job.source, play, tuple(traps), scene)
        for play, traps, scene in zip(plays, found, scenes, strict=True)
    ]


def _in_a_menu(trap: Trap) -> Trap:
    """A remark instead: the button leaves the game, which agents do not press by default."""
    return replace(
        trap, is_serious=False, evidence=f"{trap.evidence}, while the game is in a menu or restarts"
    )


def scene_of(session: Session, integration: Integration) -> Scene:
    """The facts of a session's game that rules need, by the variables of an integration."""
    variables = dict(integration.variables)
    rules = Rules.present(integration, session.game.scenario_name)
    scenario = ScenarioSpec.parse(rules.scenario)
    tests = () if scenario.done_script else scenario.done.walk()
    terms = [term for reward in scenario.rewards for term in reward.terms]
    return Scene(
        limits={name: (spec.type.minimum, spec.type.maximum) for name, spec in variables.items()},
        buttons=session.system.buttons,
        done_tests=frozenset(test.name for node in tests for test in node.tests),
        absolute=frozenset(each.name for each in terms if each.measurement is Measurement.ABSOLUTE),
        rewarded=frozenset(each.name for each in terms if each.reward > 0),
        digits={name: (spec.type.form.base, spec.type.width) for name, spec in variables.items()},
    )
