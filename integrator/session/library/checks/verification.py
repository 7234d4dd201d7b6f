"""The verification of an integration on disk: its check, and random steps beside stable-retro."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from integrator.domain.errors import IntegratorError
from integrator.domain.findings.finding import Finding, Severity
from integrator.session.library.checks.checking import check_integration, lint_options
from integrator.session.library.checks.judge import Agreement, judge
from integrator.version import __version__

STEPS: Final = 1000
"""Random steps that are compared."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result; ``agreement`` is None when nothing was compared, for ``problem`` if it failed."""

    directory: Path
    findings: tuple[Finding, ...]
    agreement: Agreement | None
    problem: str = ""

    @property
    def complete(self) -> bool:
        """True unless the comparison was stopped or did not begin."""
        return self.agreement is not None and not self.agreement.stopped

    @property
    def passed(self) -> bool:
        """True when the check found no error and stable-retro agrees on what is defined."""
        found = self.agreement
        agrees = found is not None and found.agrees and bool(found.scored) and self.complete
        return agrees and all(each.severity is not Severity.ERROR for each in self.findings)

    @property
    def text(self) -> str:
        """The report, for a bug tracker or a pull request."""
        verdict = "verified" if self.passed else "not verified"
        lines = [f"{self.directory.name}: {verdict} (integrator {__version__})"]
        lines.append(f"check: {self._counts() or 'clean'}")
        lines += [f"  {finding}" for finding in self.findings]
        lines.append(f"stable-retro: {self._judgement()}")
        states = self.agreement.states if self.agreement else ""
        return "\n".join([*lines, f"states: {states}"] if states else lines)

    def _counts(self) -> str:
        """The number of errors, warnings and notes, as far as there are any."""
        found = Counter(each.severity.value for each in self.findings)
        return ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in found.items())

    def _judgement(self) -> str:
        found = self.agreement
        if found is None:
            return self.problem or "not asked"
        if not found.agrees:
            return f"differs at {found.first_difference}"
        apart = [f"  not compared: {each}" for each in found.apart]
        return "\n".join([self._agreed(found), *apart])

    def _agreed(self, found: Agreement) -> str:
        """The parts that were compared and agree."""
        steps = f"of {found.steps:,} random steps"
        seen = " and ".join(found.compared)
        if not found.steps:
            return "stopped; nothing was compared"
        stopped = "" if self.complete else "stopped; "
        if not found.scored:
            lacks = "it defines no variables, reward and done, so there is nothing to verify"
            return f"{stopped}{lacks}; agrees on {seen or 'nothing'} {steps}"
        agreed = f"{stopped}agrees on {', '.join([*found.scored, *found.compared])} {steps}"
        return f"{agreed} (episodes: {found.episodes}, total reward: {found.total_reward:g})"


def verify(
    directory: Path, progress: Callable[[int, int], object], stopped: Callable[[], bool]
) -> Verification:
    """Check an integration and compare it with stable-retro.

    ``progress`` gets the steps compared and their number; once ``stopped`` is true, the rest is
    left out.
    """
    findings = check_integration(directory, lint_options())
    if stopped():
        return Verification(directory, findings, None, "stopped")
    try:
        agreement = judge(directory, steps=STEPS, progress=progress, stopped=stopped)
    except IntegratorError as error:
        return Verification(directory, findings, None, str(error))
    return Verification(directory, findings, agreement)
