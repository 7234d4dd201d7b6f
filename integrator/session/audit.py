"""Plays the movies and probes of an audit, each in its own core, and looks for traps in them."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from integrator.domain.audit.comparing import Effects, without_effect
from integrator.domain.audit.ending import lost_control
from integrator.domain.audit.play import Scene, ScoredPlay, Trap
from integrator.domain.audit.rules import MISSED, judge_game, judge_play, named, ranked
from integrator.domain.errors import IntegratorError, message_of
from integrator.domain.integration.files import Integration
from integrator.domain.scenario.spec import MENU_BUTTONS, ScenarioSpec
from integrator.domain.scenario.tree import Measurement
from integrator.session.frame.pipeline import scenario_spec
from integrator.session.opening import open_session
from integrator.session.recorded_rows import run_sound
from integrator.session.scoring.rescorer import Rescorer, Rules
from integrator.session.session import Session
from integrator.session.setup.plan import SessionPlan
from libretro_host.errors import CoreCrashed, CoreHung, HostError
from libretro_host.host import CapturePlan, CoreHost
from libretro_host.systems.descriptor import SystemDescriptor

PROBE_FRAMES: Final = 3600
_RANDOM_SEEDS: Final = (1, 2)
_MOMENTS: Final = 8
_BETWEEN_FRAMES: Final = 240
_PRESSED_FRAMES: Final = 30
_EARLY_FRAMES: Final = 120
_LOOK_FRAMES: Final = 96


@dataclass(frozen=True, slots=True)
class Probe:
    """The buttons of a probe: ``mask`` always, or with a ``seed`` random ones for random times."""

    name: str
    mask: int = 0
    seed: int | None = None

    def masks(self, frames: int, players: int, buttons: Sequence[int]) -> NDArray[np.uint16]:
        """Return masks, uint16 (frames, players), in which only the first player presses."""
        rows = np.zeros((frames, players), np.uint16)
        rows[:, 0] = self.mask
        if self.seed is None:
            return rows
        random, row = np.random.default_rng(self.seed), 0
        while row < frames:
            # Press each button with probability 0.3, for 1/10 to 2/3 of a second.
            pressed = [mask for mask in buttons if random.random() < 0.3]
            hold = int(random.integers(6, 40))
            rows[row : row + hold, 0] = sum(pressed)
            row += hold
        return rows


def play_buttons(system: SystemDescriptor) -> dict[int, str]:
    """Return the names of all buttons except menu buttons, by their masks."""
    named = ((bit, name) for bit, name in enumerate(system.buttons) if name)
    return {1 << bit: name for bit, name in named if name not in MENU_BUTTONS}


def try_buttons(session: Session, source: str) -> Effects:
    """Press each button at moments of random play, and hash RAM some frames after its release.

    A hash before the release could differ only because RAM holds a copy of the input."""
    tried, players = tuple(play_buttons(session.system)), session.game.players
    play = Probe("random", seed=_RANDOM_SEEDS[0])
    rows = play.masks(_MOMENTS * _BETWEEN_FRAMES, players, tried)
    moments = rows.reshape(_MOMENTS, _BETWEEN_FRAMES, players)
    if scenario_spec(session.integration, session.game.scenario_name).actions is not None:
        # Try the button combinations of the scenario's actions, except those with menu buttons.
        listed = {mask for group in session.game.actions.groups for mask in group}
        tried = tuple(mask for mask in sorted(listed) if mask and not mask & ~sum(tried))
    digests: dict[int, list[bytes]] = {mask: [] for mask in (0, *tried)}
    frames = []
    session.reset()
    for between in moments:
        state = session.host.serialize()
        frames.append(session.timeline.length)
        for mask, digest in _after(session.host, state, tuple(digests), players):
            digests[mask].append(digest)
        session.load_state(state)
        session.run(between)
    return Effects(source, tuple(frames), {m: tuple(d) for m, d in digests.items()})


def controls_lost(session: Session, frames: int) -> tuple[int, int] | None:
    """Return the first and last frame of a play's end in which no button has an effect.

    Return None if a button has one, if the play is short, or if no button ever had an effect."""
    first = frames - 480  # eight seconds
    if first <= _EARLY_FRAMES:
        return None
    # A player who dies has no control for some seconds, so several frames are tried. Most plays
    # end in control, so the last frame, which is tried first, usually decides.
    if any(_in_control(session, frame) for frame in range(frames, first - 1, -_LOOK_FRAMES)):
        return None
    return (first, frames) if _in_control(session, _EARLY_FRAMES) else None


def goes_on(session: Session, frames: int) -> bool:
    """Return True if RAM changed as it does in a new episode without buttons, played here."""
    log, ago = session.timeline.log, range(frames - _LOOK_FRAMES, 0, -_LOOK_FRAMES)
    held = np.array([log.ram(log.length - frame) for frame in ago])
    session.reset()
    session.run(np.zeros((frames - 1, session.game.players), np.uint16))
    idle = np.array([log.ram(log.length - frame) for frame in ago])
    moving = (idle != idle[:1]).any(axis=0)
    # The game goes on if, of the bytes that change by themselves, 70% are equal in both plays.
    return bool(np.mean((held == idle)[:, moving]) >= 0.7) if moving.any() else False


def _in_control(session: Session, frame: int) -> bool:
    session.timeline.seek(frame)
    buttons = play_buttons(session.system)
    ways = [mask for mask, name in buttons.items() if name in {"UP", "DOWN", "LEFT", "RIGHT"}]
    # With one gun destroyed, others may fire only with a direction, so pairs are tried last.
    pairs = (way | mask for way in ways for mask in buttons if mask not in ways)
    with session.timeline.lent() as host:
        tried = _after(host, host.serialize(), (0, *buttons, *pairs), session.game.players)
        _, idle = next(tried)
        return any(digest != idle for _, digest in tried)


def _after(
    host: CoreHost, state: bytes, masks: Sequence[int], players: int
) -> Iterator[tuple[int, bytes]]:
    for mask in masks:
        host.unserialize(state)
        rows = np.zeros((2 * _PRESSED_FRAMES, players), np.uint16)
        rows[:_PRESSED_FRAMES, 0] = mask
        host.run(rows, CapturePlan(picture=False))
        yield mask, hashlib.sha256(host.read_ram().tobytes()).digest()


def play_masks(
    session: Session,
    masks: NDArray[np.uint16],
    recording: Path | None = None,
    *,
    least: int | None = None,
) -> None:
    """Play masks (frames, players) from the start state, and record them if a path is given.

    The first ``least`` rows, by default all, are played even after the episode is done."""
    session.reset()
    if recording is not None:
        session.record(recording)
    log, begin = session.timeline.log, session.timeline.length
    chunk = 240  # frames of one run
    for first in range(0, len(masks), chunk):
        if least is not None and first >= least and log.done(begin, log.length + 1).any():
            break
        session.run(masks[first : first + chunk])
    session.stop_recording()


def recorded_play(session: Session, source: str, integration: Integration) -> ScoredPlay:
    """Return the session's line as scored by ``integration``. Raises ScenarioError, ScriptError."""
    log = session.timeline.log
    rules = Rules.present(integration, session.game.scenario_name)
    space, players = session.memory.space, session.game.players
    scorer = Rescorer(log, space, rules, players)
    while not scorer.finished:
        scorer.step(float("inf"))
        if scorer.failure is not None:
            raise scorer.failure  # training would stop at this error, so the play ends here
    scores = scorer.scores_from(1)
    columns = scores.columns
    parts = [name for reward in scorer.engine.spec.rewards[:1] for name in reward.parts]
    return ScoredPlay(
        source=source,
        fps=session.game.fps,
        inputs=log.inputs()[:, 0],
        rewards=scores.rewards[:, 0],
        terms={name: columns[0, name] for name in parts},
        done=scores.done,
        values={name: columns[name].astype(np.int64) for name in scorer.names},
    )


@dataclass(frozen=True, slots=True)
class AuditJob:
    """A movie or a probe to play, or a ``state`` in which to try each button."""

    game: Path
    players: int = 1
    movie: Path | None = None
    probe: Probe | None = None
    state: str | None = None
    record: Path | None = None
    frames: int = PROBE_FRAMES  # length of the movie, or most frames of the probe

    @property
    def limit_ms(self) -> float:
        """The most time that the play and its experiments may take.

        A core that is slow on every frame could meet each timeout, and take forever. The slowest
        core that somebody trains on runs 20 frames a second. Experiments get ten minutes."""
        experiments_ms, frame_ms = 600_000, 50
        return experiments_ms + self.frames * frame_ms

    @property
    def recording(self) -> Path | None:
        if self.record is None or self.probe is None:
            return None
        return self.record / f"{self.probe.name.replace(' ', '-').replace(',', '')}.bk2"

    @property
    def source(self) -> str:
        """The name of the play in the report: the path of its movie, or its probe."""
        movie = self.movie or self.recording
        if movie is not None:
            return str(movie)
        if self.probe is not None:
            return self.probe.name
        return "buttons tried one by one" + (f" from {self.state}" if self.state else "")


@dataclass(frozen=True, slots=True)
class AuditResult:
    """The play of a job, the traps in it, and facts about the game; or the ``error`` instead."""

    source: str
    play: ScoredPlay | None = None
    traps: tuple[Trap, ...] = ()
    scene: Scene | None = None
    error: str = ""
    is_costly: bool = False  # the core hung or filled the memory, which takes seconds each time


def probe_jobs(plan: SessionPlan, record: Path | None = None) -> list[AuditJob]:
    """Return the probes of a game, and one job that tries each button in each start state.

    The probes press nothing, hold one button, menu buttons included, or press at random."""
    job = AuditJob(plan.integration.directory, plan.players)
    named = ((bit, name) for bit, name in enumerate(plan.descriptor.buttons) if name)
    probes = [
        Probe("nothing pressed"),
        *(Probe(f"{name} held", 1 << bit) for bit, name in named),
        *(Probe(f"random, seed {seed}", seed=seed) for seed in _RANDOM_SEEDS),
    ]
    tried = [replace(job, state=state) for state in plan.integration.states]
    jobs = [replace(job, probe=probe, record=record, frames=PROBE_FRAMES) for probe in probes]
    # Lives may last for minutes, so the last random probe plays up to four times as long.
    jobs[-1] = replace(jobs[-1], frames=4 * PROBE_FRAMES)
    return [*jobs, *(tried or [job])]


def run_job(job: AuditJob, plan: SessionPlan | None = None) -> AuditResult:
    """Play and judge a job by the saved documents or ``plan``; an error is part of the result."""
    try:
        if plan is None:
            session = open_session(job.game, state=job.state, players=job.players)
        else:
            session = Session(replace(plan.hidden(), state=job.state or plan.state))
        with session:
            return audit_as(job, session, [session.integration])[0]
    except (IntegratorError, OSError) as error:
        return AuditResult(job.source, error=message_of(error), is_costly=_is_costly(error))


def unscorable(game: Path, players: int) -> str:
    """Return why a game cannot be played, or its frames not scored; empty if both work."""
    try:
        with open_session(game, players=players) as session:
            play_masks(session, np.zeros((2, players), np.uint16))
            recorded_play(session, "", session.integration)
    except (IntegratorError, OSError) as error:
        return message_of(error)
    return ""


def failed_job(job: AuditJob, error: HostError) -> AuditResult:
    return AuditResult(job.source, error=f"{job.game}: {error}", is_costly=_is_costly(error))


def _is_costly(error: Exception) -> bool:
    was_killed = isinstance(error, CoreCrashed) and error.signal_name == "SIGKILL"
    return was_killed or isinstance(error, CoreHung)


def run_jobs(
    jobs: Sequence[AuditJob],
    plan: SessionPlan,
    stopped: Callable[[], bool],
    progress: Callable[[int, int], object],
) -> list[AuditResult]:
    """Run jobs in hidden cores, one after the other, until ``stopped``; return the results."""
    results: list[AuditResult] = []
    while len(results) < len(jobs) and not stopped():
        results.append(run_job(jobs[len(results)], plan))
        progress(len(results), len(jobs))
    return results


def gathered(results: Sequence[AuditResult]) -> list[Trap]:
    """Return the traps of all plays, and those that only several plays together show, ranked."""
    scene = next((each.scene for each in results if each.scene is not None), Scene({}, ()))
    plays = [each.play for each in results if each.play is not None]
    return ranked([*(trap for each in results for trap in each.traps), *judge_game(plays, scene)])


def audit_as(
    job: AuditJob,
    session: Session,
    scored_by: Sequence[Integration],
    masks: NDArray[np.uint16] | None = None,
) -> list[AuditResult]:
    """Play a job once, and judge the play by the rules of each integration in ``scored_by``.

    If ``masks`` (frames, players) are given, they are played instead of the job's own input, and
    recorded at the path of its ``movie``, if it has one."""
    buttons = tuple(play_buttons(session.system))
    scenes = [scene_of(session, each) for each in scored_by]
    if masks is not None:
        play_masks(session, masks, job.movie)
    elif job.movie is not None:
        played = run_sound(session, job.movie)
        played.refuse_desync(job.movie, played.stop, "leave it out")
    elif job.probe is not None:
        masks = job.probe.masks(job.frames, session.game.players, buttons)
        play_masks(session, masks, job.recording, least=PROBE_FRAMES)
    else:
        effects = try_buttons(session, job.source)
        traps = (tuple(without_effect(effects, scene)) for scene in scenes)
        pairs = zip(traps, scenes, strict=True)
        return [AuditResult(job.source, traps=each, scene=scene) for each, scene in pairs]
    plays = [recorded_play(session, job.source, each) for each in scored_by]
    ram = session.timeline.log.ram
    found = [judge_play(play, ram, scene) for play, scene in zip(plays, scenes, strict=True)]
    if scenes[0].holds_menu(plays[0]):
        if any(found) and not goes_on(session, plays[0].frames):
            # These traps become remarks, because agents do not press a menu button by default.
            where = "while the game is in a menu or restarts"
            found = [
                [replace(t, is_serious=False, evidence=f"{t.evidence}, {where}") for t in traps]
                for traps in found
            ]
        endless = []  # in a pause or a menu, other buttons have no effect in any game
    else:
        endless = [row for row, play in enumerate(plays) if not play.done.any()]
    lost = controls_lost(session, plays[0].frames) if endless else None
    if lost is not None:
        for row in endless:
            found[row].append(named(lost_control(plays[row], lost), "done-missed", MISSED))
    judged = zip(plays, found, scenes, strict=True)
    return [AuditResult(job.source, play, tuple(traps), scene) for play, traps, scene in judged]


def scene_of(session: Session, integration: Integration) -> Scene:
    """Return facts for the rules about the system's buttons and an integration's documents."""
    variables = dict(integration.variables)
    scenario = ScenarioSpec.parse(Rules.present(integration, session.game.scenario_name).scenario)
    tests = () if scenario.done_script else tuple(scenario.done.walk())
    terms = [term for reward in scenario.rewards for term in reward.terms]
    return Scene(
        limits={name: (spec.type.minimum, spec.type.maximum) for name, spec in variables.items()},
        buttons=session.system.buttons,
        done_tests=frozenset(test.name for node in tests for test in node.tests),
        has_done=bool(scenario.done_script) or any(node.tests for node in tests),
        absolute=frozenset(each.name for each in terms if each.measurement is Measurement.ABSOLUTE),
        rewarded=frozenset(each.name for each in terms if each.reward > 0),
        digits={name: (spec.type.form.base, spec.type.width) for name, spec in variables.items()},
    )
