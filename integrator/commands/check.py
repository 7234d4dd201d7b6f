"""``integrator check``: lints integrations, runs those with a ROM, and reports the faults."""

import difflib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from integrator.commands.shared.console import plain_console, tracked
from integrator.commands.shared.fanout import fan_out
from integrator.commands.shared.options import print_json
from integrator.domain.errors import ChoiceError
from integrator.domain.findings import LINT_CODES, Finding, Severity
from integrator.domain.integration.directory import list_integrations
from integrator.session.library.checks import checking
from integrator.session.setup.roots import integration_roots
from libretro_host.errors import HostError

_Found = tuple[Path, tuple[Finding, ...]]
_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The findings by directory: of ``checked`` integrations, and of the user's consoles."""

    checked: int
    found: tuple[_Found, ...]

    def count(self, severity: Severity) -> int:
        return sum(each.severity is severity for _, findings in self.found for each in findings)

    def to_json(self) -> dict[str, Any]:
        """Return counts and all findings; ``line`` is 0 if unknown, ``path`` is a JSON path."""
        return {
            "checked": self.checked,
            **{f"{severity}s": self.count(severity) for severity in Severity},
            "findings": [
                {
                    "integration": str(directory),
                    "code": each.code,
                    "severity": str(each.severity),
                    "file": str(each.file),
                    **{key: getattr(each, key) for key in ("path", "line", "message", "cure")},
                }
                for directory, findings in self.found
                for each in findings
            ],
        }


_options = cache(checking.lint_options)  # a process reads schemas and consoles once


def _check(path: Path, *, live: bool, accept: bool) -> _Found:
    return path, checking.check_integration(path, _options(), live=live, accept=accept)


def _failed(path: Path, error: HostError) -> _Found:
    return path, (Finding.of("core-failed", path, str(error)),)


def check_integrations(
    directories: Sequence[Path],
    *,
    jobs: int = 0,
    cluster: str | None = None,
    live: bool = True,
    accept: bool = False,
    quiet: bool = False,
) -> CheckReport:
    """Check integrations, by default all in the known folders. Raises DocumentError."""
    named = [each for place in directories for each in checking.integrations_below(place)]
    chosen = list(dict.fromkeys(path.resolve() for path in named))
    if not directories:
        roots = integration_roots()
        chosen = [info.directory for root in roots for info in list_integrations(root)]
    found = fan_out(partial(_check, live=live, accept=accept), chosen, jobs, cluster, _failed)
    checked = tuple(tracked(found, "checking", len(chosen), quiet=quiet))
    consoles = checking.skipped_consoles()
    of_consoles = [(consoles[0].file.parent, consoles)] if consoles else []
    return CheckReport(len(checked), (*of_consoles, *checked))


def print_findings(report: CheckReport) -> None:
    """Print findings by integration, and their number; for several, notes are only counted."""
    console = plain_console(soft_wrap=True)
    with_notes = report.checked == 1
    for directory, findings in report.found:
        shown = [f for f in findings if with_notes or f.severity is not Severity.NOTE]
        if shown:
            console.print(Text(str(directory), style="bold"))
        for finding in shown:
            console.print(_line(directory, finding))
    counts = {severity: report.count(severity) for severity in Severity}
    words = [f"{count} {name}{'' if count == 1 else 's'}" for name, count in counts.items()]
    text = f"{report.checked} checked: {', '.join(words)}"
    if counts[Severity.NOTE] and not with_notes:
        text += " (--json lists notes, and so does checking a single directory)"
    console.print(Text(text, style="green" if not counts[Severity.ERROR] else "red"))


def _line(directory: Path, finding: Finding) -> Text:
    file, message = finding.file, finding.message.removeprefix(f"{finding.file}: ")
    within = file.relative_to(directory) if file.is_relative_to(directory) else file
    where = "" if file == directory else str(within)
    where += f":{finding.line}" if finding.line else ""
    where = " ".join(filter(None, (where, finding.path)))
    return Text.assemble(
        "  ",
        (str(finding.severity), _STYLES[finding.severity]),
        (f" {finding.code} ", "bold"),
        f"{where}: {message}" if where else finding.message,
        (f"; {finding.cure}" if finding.cure else "", "dim"),
    )


def show_codes(name: str | None, *, as_json: bool) -> None:
    """Print the meaning of a code, or a line for each code. Raises ChoiceError if it is unknown."""
    if name is not None and name not in LINT_CODES:
        near = " or ".join(difflib.get_close_matches(name, LINT_CODES, 3))
        cure = f"did you mean {near}?" if near else "--list-codes shows all"
        raise ChoiceError(f"{name}: no message has this code; {cure}")
    codes = [code for code in LINT_CODES.values() if name in (None, code.code)]
    if as_json:
        print_json({"codes": [asdict(code) for code in codes]})
        return
    if name is not None:
        typer.echo(codes[0].text)
        return
    console = plain_console(soft_wrap=True)
    width = max(map(len, LINT_CODES))
    for code in codes:
        severities = f"  {'/'.join(code.severities):13} "
        console.print(Text.assemble((f"{code.code:{width}}", "bold"), severities, code.meaning))
