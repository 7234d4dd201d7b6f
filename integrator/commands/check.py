"""``integrator check``: lint integrations, run those that have their ROM, and report the faults."""

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from integrator.commands.shared.console import plain_console, tracked
from integrator.commands.shared.fanout import fan_out
from integrator.commands.shared.options import print_json
from integrator.domain.errors import ChoiceError
from integrator.domain.findings import LINT_CODES, Finding, LintCode, Severity
from integrator.domain.integration.directory import list_integrations
from integrator.domain.lint.lint import LintOptions
from integrator.session.library.checks.checking import (
    check_integration,
    integrations_below,
    lint_options,
    skipped_consoles,
)
from integrator.session.setup.roots import integration_roots
from libretro_host.errors import HostError

_Found = tuple[Path, tuple[Finding, ...]]
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The findings on each directory, and on the user's own ``consoles``."""

    found: tuple[_Found, ...]
    consoles: tuple[Finding, ...] = ()

    @property
    def by_directory(self) -> tuple[_Found, ...]:
        """The findings on the folder of the user's consoles, if any, then those of ``found``."""
        first = ((self.consoles[0].file.parent, self.consoles),) if self.consoles else ()
        return (*first, *self.found)

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for _, findings in self.by_directory for finding in findings)

    def count(self, severity: Severity) -> int:
        return sum(finding.severity is severity for finding in self.findings)

    def to_json(self) -> dict[str, Any]:
        """The counts and all findings; ``line`` is 0 without a line, ``path`` a JSON path."""
        return {
            "checked": len(self.found),
            "errors": self.count(Severity.ERROR),
            "warnings": self.count(Severity.WARNING),
            "notes": self.count(Severity.NOTE),
            "findings": [
                {
                    "integration": str(directory),
                    "code": finding.code,
                    "severity": str(finding.severity),
                    "file": str(finding.file),
                    "path": finding.path,
                    "line": finding.line,
                    "message": finding.message,
                    "cure": finding.cure,
                }
                for directory, findings in self.by_directory
                for finding in findings
            ],
        }


@cache
def _options() -> LintOptions:
    """The options of lint, which a process reads once."""
    return lint_options()


def _check(path: Path, *, live: bool, accept: bool) -> _Found:
    return path, check_integration(path, _options(), live=live, accept=accept)


def _failed(path: Path, error: HostError) -> _Found:
    return path, (Finding("core-failed", Severity.ERROR, path, str(error)),)


def check_integrations(
    directories: Sequence[Path],
    *,
    jobs: int = 0,
    cluster: str | None = None,
    live: bool = True,
    accept: bool = False,
    quiet: bool = False,
) -> CheckReport:
    """Check integrations, or all in the known roots; see fan_out(). Raises DocumentError."""
    named = [each for place in directories for each in integrations_below(place)]
    chosen = list(dict.fromkeys(path.resolve() for path in named))
    if not directories:
        roots = integration_roots()
        chosen = [info.directory for root in roots for info in list_integrations(root)]
    found = fan_out(partial(_check, live=live, accept=accept), chosen, jobs, cluster, _failed)
    shown = tracked(found, "checking", len(chosen), quiet=quiet)
    return CheckReport(tuple(shown), skipped_consoles())


def print_findings(report: CheckReport) -> None:
    """Print findings by integration, then their number; of many, notes are only counted."""
    console = plain_console(soft_wrap=True)
    with_notes = len(report.found) == 1
    for directory, findings in report.by_directory:
        shown = [f for f in findings if with_notes or f.severity is not Severity.NOTE]
        if shown:
            console.print(Text(str(directory), style="bold"))
        for finding in shown:
            console.print(_line(directory, finding))
    counts = Counter(str(finding.severity) for finding in report.findings)
    words = [
        f"{counts[severity]} {severity}{'' if counts[severity] == 1 else 's'}"
        for severity in Severity
    ]
    text = f"{len(report.found)} checked: {', '.join(words)}"
    if counts[Severity.NOTE] and not with_notes:
        text += " (--json lists notes, and so does checking a single directory)"
    console.print(Text(text, style="green" if not counts[Severity.ERROR] else "red"))


def _line(directory: Path, finding: Finding) -> Text:
    file = finding.file
    within = file.relative_to(directory) if file.is_relative_to(directory) else file
    where = "" if file == directory else str(within)
    where += f":{finding.line}" if finding.line else ""
    line = Text("  ")
    line.append(str(finding.severity), style=_STYLES[finding.severity])
    line.append(f" {finding.code} ", style="bold")
    line.append(" ".join(part for part in (where, finding.path) if part))
    line.append(f": {finding.message}" if where or finding.path else finding.message)
    line.append(f"; {finding.cure}" if finding.cure else "", style="dim")
    return line


def find_code(name: str) -> LintCode:
    """The code of a name. Raises ChoiceError that names similar ones."""
    if name in LINT_CODES:
        return LINT_CODES[name]
    near = " or ".join(difflib.get_close_matches(name, LINT_CODES, 3))
    cure = f"did you mean {near}?" if near else "--list-codes shows all"
    raise ChoiceError(f"{name}: no message has this code; {cure}")


def code_json(code: LintCode) -> dict[str, Any]:
    """A code; ``live``: found only by running the game."""
    return {
        "code": code.code,
        "severities": [str(severity) for severity in code.severities],
        "meaning": code.meaning,
        "cure": code.cure,
        "live": code.live,
    }


def print_codes() -> None:
    """Print every code with its severities and meaning, a line each."""
    console = plain_console(soft_wrap=True)
    width = max(map(len, LINT_CODES))
    for code in LINT_CODES.values():
        severities = "/".join(code.severities)
        console.print(
            Text.assemble((f"{code.code:{width}}", "bold"), f"  {severities:13} "), end=""
        )
        console.print(Text(code.meaning))


def show_codes(name: str | None, *, as_json: bool) -> None:
    """Print what a code means, or all codes."""
    codes = LINT_CODES.values() if name is None else [find_code(name)]
    if as_json:
        print_json({"codes": [code_json(code) for code in codes]})
    elif name is None:
        print_codes()
    else:
        typer.echo(find_code(name).text)
