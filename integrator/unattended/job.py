"""One game from ROM to integration directory, and the public function that does it."""

import filecmp
import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from integrator import paths
from integrator.domain.errors import IntegratorError, SessionError, message_of
from integrator.domain.files.atomic import writing
from integrator.domain.findings import Severity
from integrator.domain.integration.auto_report import AUTO_FILE, AutoPart, AutoReport
from integrator.domain.integration.files import Integration
from integrator.domain.integration.naming import clean_name
from integrator.domain.roms import rom_hashes
from integrator.session.edits.commands import add_done_condition, write_pieces
from integrator.session.frame.inputs import Inputs
from integrator.session.library.checks.checking import check_integration, lint_options
from integrator.session.library.checks.judge import judge
from integrator.session.opening import plan_session
from integrator.session.session import Session
from integrator.session.setup.content import prepare_content
from integrator.session.setup.plan import fingerprint, start_core
from integrator.session.setup.roots import systems
from integrator.unattended import MINUTES, ends, finding, play
from integrator.unattended.attack import attack
from integrator.unattended.control import Explorer
from integrator.unattended.finding import LIKELY, Found, Gathering
from integrator.unattended.reaching import Reached, reach
from integrator.unattended.shown import rows_shown
from integrator.version import __version__
from libretro_host.errors import HostError
from libretro_host.host import CapturePlan
from libretro_host.inprocess import without_chip
from libretro_host.processes.temporary import OwnedFolder
from libretro_host.processes.worker_process import WorkerPool
from libretro_host.remote import RemoteHost

STATE: Final = "Start"


@dataclass(frozen=True, slots=True)
class AutoJob:
    """A ROM for a worker; ``attack`` looks for loops that earn without playing. ``made`` has the
    facts on which the result depends; it raises SessionError, OSError."""

    rom: Path
    root: Path
    minutes: float = MINUTES
    seed: int = 0
    update: bool = False
    attack: bool = True

    @property
    def made(self) -> dict[str, Any]:
        made = {"version": __version__, "seed": self.seed, "minutes": self.minutes}
        return {**made, "fingerprint": fingerprint(plan_session(self.rom))}


@dataclass(frozen=True, slots=True)
class AutoResult:
    """The outcome for a ROM. ``outcome`` is made, kept, updated, or failed with the ``reason``."""

    rom: str
    outcome: str
    directory: str = ""
    reason: str = ""
    report: AutoReport | None = None


def auto(
    path: str | Path,
    *,
    root: str | Path | None = None,
    minutes: float = MINUTES,
    seed: int = 0,
    update: bool = False,
) -> AutoResult:
    """Make an integration of a ROM without a person; see ``integrator auto``.

    It plays for ``minutes`` of the game's own time in another process, so that a core may crash.
    ``root`` gets the directory; None: the user's own folder. The same ``seed`` makes the same
    files. If no integration can be made, nothing is raised, and the result has the reason."""
    folder = paths.user_integrations_dir() if root is None else Path(root)
    return run_alone(AutoJob(Path(path).absolute(), folder.absolute(), minutes, seed, update))


def run_alone(job: AutoJob, stopped: Callable[[], bool] = lambda: False) -> AutoResult:
    """Run :func:`run_job` in a process of its own, which is ended when the work is ``stopped``.

    Some cores keep data of an earlier game until their process ends."""
    results = list(WorkerPool(run_job, [job], 1, lost, stopped=stopped))
    return results[0] if results else AutoResult(str(job.rom), "failed", reason="stopped")


def lost(job: AutoJob, error: HostError) -> AutoResult:
    return AutoResult(str(job.rom), "failed", reason=str(error))


def run_job(job: AutoJob) -> AutoResult:
    """Make the integration of one ROM; an error is in the result, so that others go on."""
    try:
        return _run(job)
    except (IntegratorError, OSError) as error:
        reason = " ".join(message_of(error).removeprefix(f"{job.rom}: ").split())
        return AutoResult(str(job.rom), "failed", reason=reason)


def named_content(rom: Path) -> tuple[str, Path]:
    """Return a ROM's name as an integration, and the file for its core. Raises SessionError."""
    content = prepare_content(rom, systems(), paths.user_cache_dir() / "content")
    return clean_name(f"{Path(content.name).stem}.rom", content.system.name), content.path


def _run(job: AutoJob) -> AutoResult:
    name, content = named_content(job.rom)
    target = job.root / name
    known_sha = Integration(target).rom_sha if target.exists() else ()
    hashes = rom_hashes(content) if known_sha else None
    if hashes is not None and hashes.every.isdisjoint(known_sha):
        raise SessionError(f"{target} belongs to another ROM; rename this ROM's file")
    if target.exists() and not job.update:
        known = AutoReport.load(target) if (target / AUTO_FILE).is_file() else None
        if known is None:
            reason = "a person's integration is there; --update adds what it lacks"
        elif any(part.accepted for part in known.parts.values()) or known.made == job.made:
            reason = "made before"
        else:
            cure = "remove the directory to make it again"
            reason = f"made before with another core or options; {cure}"
        return AutoResult(str(job.rom), "kept", str(target), reason, known)
    with writing(job.root):
        job.root.mkdir(parents=True, exist_ok=True)
    with OwnedFolder(job.root) as folder:
        report = _drafted(job, folder, name)
        draft = folder / name
        if report.problem:
            return AutoResult(str(job.rom), "failed", reason=report.problem, report=report)
        report = _judged(job, draft, report)
        report.save(draft)
        if job.update and target.exists():
            return _updated(job, draft, target, report)
        with writing(target):
            draft.rename(target)
    return AutoResult(str(job.rom), "made", str(target), report=report)


@dataclass(frozen=True, slots=True, eq=False)
class _Findings:
    """All that was found from one start."""

    start: Reached
    episodes: list[play.Episode]
    scores: list[Found]
    lives: list[Found]
    ends: list[ends.Ending]

    @property
    def sure(self) -> list[float]:
        """The confidences of the best score, lives and end, of those that were found."""
        return [each[0].confidence for each in (self.scores, self.lives, self.ends) if each]


def _drafted(job: AutoJob, folder: Path, name: str) -> AutoReport:
    plan = plan_session(job.rom, isolated=False)
    # A new folder hides what a core saved in an earlier run.
    saves = replace(plan.request, save_dir=folder / "saves")
    with Session(replace(plan, request=saves)) as session:
        console = Explorer(session)
        console.left = int(600 * job.minutes * session.game.fps)  # Ten times the frames of play.
        power_on = session.host.serialize()
        starts = reach(console, power_on)
        session.load_state(power_on)
        report = AutoReport(name, job.made)
        if not starts:
            more = "; more minutes search longer" * (console.left <= 0)
            return replace(report, problem=f"no moment was found at which buttons steer{more}")
        found: list[_Findings] = []
        for number, start in enumerate(starts):
            found.append(_findings(session, console, start, job, number))
            if found[-1].scores and found[-1].scores[0].confidence >= LIKELY:
                break
        best = max(found, key=lambda each: sum(each.sure))
        best = replace(best, start=_begun_again(session, folder, best.start, power_on))
        return _written(session, console, folder, name, report, best)


def _findings(
    session: Session, console: Explorer, start: Reached, job: AutoJob, number: int
) -> _Findings:
    console.look = start.look
    random = np.random.default_rng([job.seed, number])
    budget = int(job.minutes * 60 * session.game.fps)
    longest = min(7200, budget // 3)  # At most two minutes.
    episodes: list[play.Episode] = []
    with session.timeline.lent():
        looks = Gathering(session, play.idle_looks(console, start.state))
    for style in itertools.count():
        played = sum(len(each.inputs) for each in episodes)
        seen = sum(each.end is not None for each in episodes)
        # Six ends are enough to judge done conditions by.
        if played >= budget // 2 or (seen >= 6 and played >= budget // 4):
            break
        rows = play.random_play(console, random, style)
        episodes.append(play.play_episode(session, console, start, rows, longest))
    looks.add()
    looks.rows = rows_shown(session, console, start, episodes, looks.places())
    for likely in _likely_scores(looks, episodes):
        # Less likely numbers get less time, but random play alone may hardly ever score.
        frames = budget // (2 if likely and likely.confidence >= LIKELY else 4)
        lasted = np.median([(each.steered or each.last) - each.first for each in episodes])
        rows = _paid(session, console, start, likely, random, frames, float(lasted))
        episodes.append(play.play_episode(session, console, start, rows, longest))
        looks.add()
    with session.timeline.lent():
        episodes = [play.seen_closely(console, start, each) for each in episodes]
    episodes = [each.ended_by(console.patience) for each in episodes]
    firsts = {each.first for each in episodes}
    again_played = play.play_ends_again(session, console, start, episodes, random, budget)
    every, again = ends.seen_ends(session, looks, [*episodes, *again_played])
    every, signs = ends.without_odd_end(session, every)
    # Later games of an episode do not begin at the start state.
    episodes = [each for each in every if each.first in firsts]
    if any(each.restarted for each in every) and not ends.are_clear(signs, every):
        # A press may begin the next game as soon as one is over.
        alone = play.without_restarts(session, console, start, every)
        alone, found = ends.without_odd_end(session, alone)
        if found := ends.seen_at_restarts(session, found, every):
            every, signs = alone, found
        else:  # Leave those games on a branch, because their ends are not known.
            session.timeline.seek(max(each.last for each in every))
            session.run(console.rows((0, 1)), CapturePlan(picture=False))
    scores = looks.best("score", episodes)
    looks.add_lives(again or ends.counted_lives(signs))
    lives = looks.best("lives", episodes)
    return _Findings(start, episodes, scores, lives, ends.find_end(session, every, lives, signs))


def _likely_scores(looks: Gathering, episodes: Sequence[play.Episode]) -> Iterator[Found | None]:
    """Yield a score to play for, and two others while none of them turns out to be likely. The
    caller adds each play to the ``episodes`` before it asks for the next score. None stands for
    play that only lasts, if no number looks like a score yet."""
    tried: set[tuple[int, str]] = set()
    for _ in range(3):
        scores = looks.best("score", episodes, prove=False)
        left = [each for each in scores if each.spec not in tried]
        if tried and (not left or scores[0].confidence >= LIKELY):
            break
        tried |= {each.spec for each in left[:1]}
        yield left[0] if left else None


def _paid(
    session: Session,
    console: Explorer,
    start: Reached,
    score: Found | None,
    random: np.random.Generator,
    frames: int,
    lasted: float,
) -> Iterator[Inputs]:
    """Return segments of input: first the play that pays most, then random play without end."""
    offsets = [] if score is None else finding.offsets_of(session, score.suggestion.addresses)

    def worth() -> float:
        ram = console.host.read_ram()[np.newaxis, offsets]
        return 0.0 if score is None else float(score.read(ram)[0])

    with session.timeline.lent():
        rows = play.paid_play(console, start.state, worth, random, frames, lasted)
    return itertools.chain([rows], play.random_play(console, random, 0))


def _written(
    session: Session, console: Explorer, root: Path, name: str, report: AutoReport, found: _Findings
) -> AutoReport:
    """Write the integration's files, with its movie, and report each part of it."""
    best = max(found.episodes, key=lambda each: _earned(each, found.scores))
    made = session.game.keep_as(root, name)
    made.write_state(STATE, without_chip(found.start.state), session.game.core_stamp)
    made.metadata.set_default_state(STATE)
    score = next((each for each in found.scores[:1] if each.confidence >= LIKELY), None)
    scale = 1 if score is None else _scale(session, score)
    if score is not None:
        if score.blanks and (pieces := score.suggestion.pieces) is not None:
            session.editor.do(write_pieces("score", pieces), use=False)
        else:
            with made.scenario.edit() as scenario:
                scenario["reward"] = score.reward(scale)
    likely = [found.lives[0]] if found.lives and found.lives[0].confidence >= LIKELY else []
    named = [] if score is None else score.named("score")
    for spec in (*named, *(spec for each in likely for spec in each.named("lives"))):
        made.variables.set(spec.name, spec)
    before = list(made.variables)
    if found.ends:
        session.editor.do(add_done_condition(found.ends[0].condition), use=False)
    useless = _useless(session, console, found)
    if useless:
        with made.scenario.edit() as scenario:
            groups = session.system.actions
            left = [[each for each in group if not useless & set(each)] for group in groups]
            scenario["actions"] = [list(map(list, group)) for group in left if len(group) > 1]
    made.save()
    movie = made.directory / f"{name}-{STATE}-000000.bk2"
    # The movie shows at most two minutes from the new start state on; the reset runs the first row.
    stop = min(best.stop - best.first + 60, 7200)
    session.reset()
    session.record(movie)
    session.run(best.inputs[1:stop], CapturePlan(picture=False))
    session.stop_recording()
    actions = f"without {', '.join(sorted(useless))}" if useless else "all of the console"
    tried = "pressed at moments of play, and compared with nothing pressed"
    with session.timeline.lent():
        start = finding.start_part(STATE, found.start, console, found.sure)
    parts = {
        "start": start,
        "score": finding.number_part("score", found.scores, best, scale),
        "lives": finding.number_part("lives", found.lives, best),
        "done": ends.done_part(found.ends, best, before),
        "actions": AutoPart(actions, 0.7, (tried,)),
    }
    return replace(report, movie=movie.name, parts=parts)


def _begun_again(session: Session, folder: Path, start: Reached, power_on: bytes) -> Reached:
    """Return the start with a sentence that says if another process reaches the same memory."""
    plan = session.game.plan
    # The open core may have saved files by now, so the other core gets a folder of its own.
    request = replace(plan.request, save_dir=folder / "other saves")
    host, _ = start_core(replace(plan, request=request, new_host=RemoteHost))
    with closing(host):
        again = host.serialize()  # The second state since start_core(), as ``power_on`` is.
        host.run(start.inputs, CapturePlan(picture=False))
        ram = host.read_ram()
    with session.timeline.lent():
        session.host.unserialize(start.state)
        same = (session.host.read_ram() == ram).all()
    text = f"another process had {'the same' if same else 'other'} memory after the same presses"
    if again != power_on:
        text += "; the core's states also hold other data, such as the time, so their bytes vary"
    return replace(start, again=text)


def _earned(episode: play.Episode, scores: list[Found]) -> tuple[bool, int]:
    if not scores:
        return episode.end is not None, len(episode.inputs)
    values = scores[0].values
    return episode.end is not None, int(values[episode.stop - 1] - values[episode.first])


def _scale(session: Session, score: Found) -> int:
    """Return the factor from the number in memory to that on the screen, 1 if none is read."""
    box = score.suggestion.box
    for number in session.screen_numbers() if box is not None else ():
        if number.box == box:
            frames, shown = number.rests
            kept = score.values[frames]
            good = kept > 0
            ratios = shown[good] / kept[good]
            if len(ratios) and (ratios == ratios[0]).all() and ratios[0] == int(ratios[0]):
                return max(1, int(ratios[0]))
    return 1


def _useless(session: Session, console: Explorer, found: _Findings) -> frozenset[str]:
    """Return the buttons that change nothing at any of six moments of play."""
    episode = found.episodes[0]
    dead = {1 << bit: name for bit, name in enumerate(session.system.buttons) if name}
    at, state = 0, found.start.state
    with session.timeline.lent():
        for _ in range(6):
            idle = console.go(state, console.rows((0, 40)))[0]
            tried = ((mask, console.rows((mask, 20), (0, 20))) for mask in dead)
            dead = {mask: dead[mask] for mask, rows in tried if console.go(state, rows)[0] == idle}
            step = episode.inputs[at : at + max(1, (episode.stop - episode.first) // 6)]
            if not len(step):
                break
            state, at = console.go(state, step)[0], at + len(step)
    # Directions are kept, because at a moment without control they have no effect in any game.
    ways = {"UP", "DOWN", "LEFT", "RIGHT"}
    listed = {name for group in session.system.actions for each in group for name in each} - ways
    return frozenset(dead.values()) & listed


def _judged(job: AutoJob, draft: Path, report: AutoReport) -> AutoReport:
    """Check the files, compare with stable-retro, and attack the reward."""
    errors = [f for f in check_integration(draft, lint_options()) if f.severity is Severity.ERROR]
    checks = [f"check: {'; '.join(f.message for f in errors) or 'no error'}"]
    with suppress(SessionError):  # stable-retro is not installed, or cannot run the game.
        agreed = judge(draft, steps=1000)
        wrong = agreed.first_difference or f"equal on {agreed.steps} steps"
        checks.append(f"stable-retro: {wrong}")
        if not agreed.agrees:  # Training would see another game, so no part is sure.
            halved = {name: _half_as_sure(part) for name, part in report.parts.items()}
            report = replace(report, parts=halved)
    found = attack(draft, seed=job.seed) if job.attack and report.parts["score"].confidence else ()
    traps = tuple(
        f"{each.trap.kind}: {each.trap.evidence} ({each.per_minute:.4g} a minute by a loop)"
        for each in found
    )
    if traps:  # The game itself may be like this, or the score may be a wrong number.
        score = _half_as_sure(report.parts["score"])
        report = replace(report, parts={**report.parts, "score": score})
    return replace(report, checks=tuple(checks), traps=traps)


def _half_as_sure(part: AutoPart) -> AutoPart:
    """Return a part with half its confidence. Its first candidate gets half as well, because a
    person may choose it again."""
    first = [each | {"confidence": round(each["confidence"] / 2, 2)} for each in part.choices[:1]]
    choices = (*first, *part.choices[1:])
    return replace(part, confidence=round(part.confidence / 2, 2), choices=choices)


def _updated(job: AutoJob, draft: Path, target: Path, report: AutoReport) -> AutoResult:
    """Add files that a person's integration lacks, and report what else would have changed."""
    added, other = [], []
    is_ours = (target / AUTO_FILE).exists()
    for path in sorted(draft.iterdir()):
        mine = target / path.name
        if mine.exists():
            other += [path.name] * (not filecmp.cmp(path, mine, shallow=False))
        elif is_ours or path.name != AUTO_FILE:  # With it, the review would edit a person's files.
            path.rename(mine)
            added.append(path.name)
    new, changed = (", ".join(names) or "nothing" for names in (added, other))
    reason = f"added {new}; would have changed {changed}"
    return AutoResult(str(job.rom), "updated", str(target), reason, report)
