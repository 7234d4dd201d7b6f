"""The review of integrations that a program made: the least certain first, accept, or the next."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from integrator.domain.errors import DocumentError
from integrator.domain.integration.auto_report import AUTO_FILE, AutoPart, AutoReport
from integrator.domain.integration.directory import load_integration
from integrator.domain.values.datatype import DataType
from integrator.domain.values.variables import VariableSpec


@dataclass(frozen=True, slots=True)
class AutoDraft:
    """An integration with its report, and the part that a person looks at next."""

    directory: Path
    report: AutoReport

    @property
    def part(self) -> AutoPart:
        """The least certain part. Raises KeyError when all are accepted."""
        return self.report.parts[self.report.least_certain]


def auto_drafts(roots: Iterable[Path]) -> list[AutoDraft]:
    """Integrations of all roots with a part that nobody has accepted, the least certain first.

    Reports that cannot be read are left out.
    """
    found = [each for each in _reports(roots) if not each.report.is_accepted]
    return sorted(found, key=lambda each: (each.report.confidence, each.directory))


def _reports(roots: Iterable[Path]) -> Iterator[AutoDraft]:
    for root in roots:
        for file in sorted(root.glob(f"*/{AUTO_FILE}")):
            with contextlib.suppress(DocumentError):
                yield AutoDraft(file.parent, AutoReport.load(file.parent))


def accept(draft: AutoDraft) -> AutoDraft:
    """Agree to the least certain part. Raises SaveError."""
    return _with_part(draft, replace(draft.part, accepted=True))


def take_next(draft: AutoDraft) -> AutoDraft:
    """Write the next candidate of the least certain part into the integration's files.

    The present one becomes the last of the candidates. Raises DocumentError, when there is no
    other, or the files were changed otherwise; SaveError.
    """
    name, part = draft.report.least_certain, draft.part
    if len(part.choices) < 2:
        raise DocumentError(f"{draft.directory}: {name} has no other candidate; open it instead")
    old, new, *others = part.choices
    integration = load_integration(draft.directory)
    variables = integration.variables
    for gone in (old["variables"].keys() - new["variables"].keys()) & variables.keys():
        variables.remove(gone)
    for made, entry in new["variables"].items():
        kind = DataType.parse(entry["type"])
        variables.set(made, VariableSpec(made, entry["address"], kind, entry.get("mask")))
    if "done" in new:
        with integration.scenario.edit() as scenario:
            scenario["done"] = new["done"]
    integration.save()
    changed = replace(
        part,
        value=str(new["value"]),
        confidence=float(new["confidence"]),
        evidence=("chosen by a person",),
        choices=(new, *others, old),
    )
    return _with_part(draft, changed)


def _with_part(draft: AutoDraft, part: AutoPart) -> AutoDraft:
    report = draft.report.with_part(draft.report.least_certain, part)
    report.save(draft.directory)
    return replace(draft, report=report)
