"""Checks of integrations: lint, live checks with the ROM, and steps compared with stable-retro."""

import contextlib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from integrator import paths
from integrator.domain import errors
from integrator.domain.findings import Finding, Severity
from integrator.domain.integration.directory import load_integration
from integrator.domain.integration.naming import is_integration
from integrator.domain.lint import lint as linting
from integrator.domain.lint.lint import LintOptions, SystemFacts, lint, sort_findings
from integrator.domain.movies.reading import is_movie, read_movie
from integrator.domain.scenario.spec import ScenarioSpec
from integrator.domain.values.memory import Region
from integrator.domain.words import tr
from integrator.session.edits.snapshot import Documents
from integrator.session.expect import expectation_findings
from integrator.session.library.checks.judge import Agreement, judge
from integrator.session.library.checks.live_check import live_findings, open_to_check
from integrator.session.opening import movie_consoles
from integrator.session.session import Session
from integrator.session.setup.roots import skipped_systems, systems
from integrator.session.timeline.restorer import Exactness
from integrator.version import __version__


def movie_findings(directory: Path) -> Iterator[Finding]:
    """Yield a warning for each movie that moves an axis or has a third player."""
    # Only 100 movies are read, because thousands would take minutes.
    movies = sorted(path for path in directory.iterdir() if is_movie(path))[:100]
    consoles = movie_consoles() if movies else {}
    for path in movies:
        # Movies that cannot be read are reported when they are used.
        with contextlib.suppress(errors.MovieError):
            message = read_movie(path, consoles, with_state=False).training_warning
            if message:
                cure = "keep it out of demonstrations and datasets"
                yield Finding.of("movie-beyond-training", path, message, cure)


def lint_options() -> LintOptions:
    """Return the options of lint here; make them once, as files are read. Raises DocumentError."""
    facts: dict[str, SystemFacts] = {}
    for name, system in systems().items():
        each = SystemFacts(tuple(filter(None, system.buttons)), system.actions)
        if (ram := system.work_ram) is not None:
            region = Region(ram.address, ram.size_bytes)
            each = replace(each, work_ram=region, only_work_ram=ram.is_all)
        facts |= dict.fromkeys((name, *system.suffixes), each)
    return LintOptions(linting.SchemaSet(paths.shipped("resources") / "schemas"), facts)


def check_integration(
    directory: Path,
    options: LintOptions,
    *,
    live: bool = True,
    accept: bool = False,
    note: Callable[[Exactness], object] = lambda _: None,
) -> tuple[Finding, ...]:
    """Return all findings on a directory, errors first.

    ``live`` runs the game, and ``note`` gets its exactness; ``accept`` updates expected values."""
    try:
        integration = load_integration(directory)
    except errors.DocumentError as error:
        text, file, line = str(error), directory, 0
        if (place := re.match(r"([^\n]*?):(\d+):(?:\d+:)? ", text)) is not None:
            file, line, text = Path(place[1]), int(place[2]), text[place.end() :]
        return (_with_cure("document-unreadable", file, text, line),)
    movies = movie_findings(directory)
    game = open_to_check(directory) if live and integration.rom is not None else None
    if not isinstance(game, Session):
        not_started = () if game is None else (game,)
        return sort_findings([*lint(integration, options), *movies, *not_started])
    with game:
        found = [*lint(integration, replace(options, space=game.memory.space)), *movies]
        found += live_findings(game, note)
    if not any(finding.code == "core-failed" for finding in found):
        found += expectation_findings(integration, accept=accept)
    return sort_findings(found)


def lint_session(session: Session, options: LintOptions) -> tuple[Finding, ...]:
    """Return findings on the present documents of an open session, without running its core."""
    quick = replace(options, space=session.memory.space, states=False, rom=False)
    return lint(session.integration, quick)


def skipped_consoles() -> tuple[Finding, ...]:
    """Return a finding on each invalid descriptor of the user."""
    return tuple(
        _with_cure("console-skipped", path, fault.removeprefix(f"{path}: "))
        for path, fault in skipped_systems().items()
    )


def integrations_below(path: Path) -> Iterator[Path]:
    """Yield ``path`` or, below it, all integrations. Raises DocumentError if there are none."""
    if not path.is_dir():
        what = "it is a file; give an integration directory or a folder of them"
        raise errors.DocumentError(f"{path}: {what if path.exists() else errors.MISSING}")
    found = False
    for folder, below, _ in os.walk(path):
        if is_integration(Path(folder)):
            found = True
            below.clear()
            yield Path(folder)
        below[:] = sorted(name for name in below if not name.startswith((".", "_")))
    if not found:
        cure = "make one from a ROM with 'integrator new ROM'"
        raise errors.DocumentError(f"{path} holds no integration; {cure}")


def _with_cure(code: str, file: Path, text: str, line: int = 0) -> Finding:
    """Make a finding from an error's text, in which a semicolon separates the cure."""
    message, _, cure = text.partition("; ")
    return Finding.of(code, file, message, cure, line=line)


RANDOM_STEPS: Final = 1000  # random steps that are compared


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of :func:`verify`; without an ``agreement``, ``problem`` says why."""

    directory: Path
    findings: tuple[Finding, ...]
    agreement: Agreement | None
    problem: str = ""
    states: str = ""

    @property
    def complete(self) -> bool:
        return self.agreement is not None and not self.agreement.stopped

    @property
    def passed(self) -> bool:
        """True if the check found no error, and stable-retro agrees on everything defined."""
        found = self.agreement
        agrees = found is not None and found.agrees and bool(found.scored) and self.complete
        return agrees and all(each.severity is not Severity.ERROR for each in self.findings)

    @property
    def text(self) -> str:
        verdict = "verified" if self.passed else "not verified"
        counts = Counter(each.severity.value for each in self.findings)
        counted = ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in counts.items())
        lines = [f"{self.directory.name}: {verdict} (integrator {__version__})"]
        lines.append(f"check: {counted or 'clean'}")
        lines += [f"  {finding}" for finding in self.findings]
        lines.append(f"stable-retro: {self._judgement()}")
        shown = self.complete and self.states
        return "\n".join([*lines, f"states: {self.states}"] if shown else lines)

    def _judgement(self) -> str:
        found = self.agreement
        if found is None:
            return self.problem or "not asked"
        if not found.agrees:
            return f"differs at {found.first_difference}"
        steps, stopped = f"of {found.steps:,} random steps", "" if self.complete else "stopped; "
        if not found.steps:
            said = "stopped; nothing was compared"
        elif not found.scored:
            lacks = "it defines no variables, reward and done, so there is nothing to verify"
            seen = " and ".join(found.compared) or "nothing"
            said = f"{stopped}{lacks}; agrees on {seen} {steps}"
        else:
            agreed = f"{stopped}agrees on {', '.join([*found.scored, *found.compared])} {steps}"
            said = f"{agreed} (episodes: {found.episodes}, total reward: {found.total_reward:g})"
        return "\n".join([said, *(f"  not compared: {each}" for each in found.apart)])


def verify(
    directory: Path, progress: Callable[[int, int], object], stopped: Callable[[], bool]
) -> Verification:
    """Check an integration and compare it with stable-retro, until ``stopped``."""
    tried: list[Exactness] = []
    findings = check_integration(directory, lint_options(), note=tried.append)
    states = tried[0].text if tried else ""
    if stopped():
        return Verification(directory, findings, None, "stopped")
    try:
        agreement = judge(directory, steps=RANDOM_STEPS, progress=progress, stopped=stopped)
    except errors.IntegratorError as error:
        return Verification(directory, findings, None, str(error))
    return Verification(directory, findings, agreement, states=states)


STEPS: Final = ("play", "state", "variables", "reward", "done", "audit", "verify")


@dataclass(frozen=True, slots=True)
class StepStatus:
    """The status of a step, which is ``done``, ``failed`` or neither, with evidence in words."""

    done: bool
    evidence: str
    failed: bool = False
    values: tuple[str, ...] = ()


def judge_steps(
    documents: Documents, frames: int, results: Mapping[str, StepStatus]
) -> dict[str, StepStatus]:
    """Return the status of each of STEPS; ``results`` come from the last audit and verification."""
    states = documents.states
    played = frames >= 60 or bool(states)  # a second of play
    steps = {
        "play": StepStatus(played, tr("frames played: {0}"), values=(f"{frames:,}",)),
        "state": _named(states, tr("no start state")),
        "variables": _named([*documents.variables], tr("no variable")),
        **_scenario(documents),
        "audit": StepStatus(done=False, evidence=tr("not audited since the last edit")),
        "verify": StepStatus(done=False, evidence=tr("not verified since the last edit")),
    }
    if documents.skipped:
        name, reason = next(iter(documents.skipped.items()))
        steps["variables"] = _wrong(f"{name}: {reason}")
    return {**steps, **results}


def _scenario(documents: Documents) -> dict[str, StepStatus]:
    try:
        spec = ScenarioSpec.parse(dict(documents.scenario))
    except errors.DomainError as error:
        return dict.fromkeys(("reward", "done"), _wrong(str(error)))
    paying = [r for r in spec.rewards if r.script or r.summands]
    terms = [part for reward in paying for part in reward.parts] or ["script"] * len(paying)
    tests = [test.name for node in spec.done.walk() for test in node.tests]
    ends = tests if spec.done_script is None else [f"script {spec.done_script}"]
    return {
        "reward": _named(terms, tr("nothing is rewarded")),
        "done": _named(ends, tr("the episode never ends")),
    }


def _wrong(fault: str) -> StepStatus:
    return StepStatus(done=False, evidence=tr("{0}"), failed=True, values=(fault,))


def _named(names: Sequence[str], none: str, most: int = 5) -> StepStatus:
    if not names:
        return StepStatus(done=False, evidence=none)
    listed = ", ".join(dict.fromkeys(names[:most])) + ("…" if len(names) > most else "")
    return StepStatus(done=True, evidence=tr("{0}"), values=(listed,))
